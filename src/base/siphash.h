/* SipHash-2-4 (Aumasson, Bernstein: "SipHash: a fast short-input PRF"): a keyed hash that cannot be forged without the
 * key. For what strangers hand back to us, and for tables that strangers fill. */
#ifndef TERN_BASE_SIPHASH_H
#define TERN_BASE_SIPHASH_H

#include "base/base.h"

/* The key is two words as the paper reads its 16 bytes: little-endian, the first bytes first. */
uint64_t tern__siphash(const uint64_t key[2], const void *data, size_t len);

#endif

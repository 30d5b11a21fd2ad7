/* The store's bound where the command line names none. */
#ifndef KV_QUOTA_H
#define KV_QUOTA_H

#include <stdint.h>

#include "base/memory_limit.h"

enum { QUOTA_WHY_BYTES = 160 };

/* Half of what this process may use, 4 GB at most: the other half is for what arrives and leaves. `why` gets a sentence
 * that says how the bound came about. */
uint64_t quota_default(const tern__memory_limit *limit, char why[QUOTA_WHY_BYTES]);

#endif

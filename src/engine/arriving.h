/* Buffers of messages that arrive in packets, on the account of whoever sends them (account.h): their memory grows with
 * what has arrived, and is counted as it comes (pool.h, Buffers that fill up). */
#ifndef TERN_ENGINE_ARRIVING_H
#define TERN_ENGINE_ARRIVING_H

#include "engine/engine_record.h"

/* The first message that arrives at a session has memory for so much at once, which saves most messages a second step,
 * and those that arrive beside it for so much: with the eight slots of a session that makes 60 KB, whatever they
 * declare. */
enum { TERN__ARRIVING_ALONE_BYTES = 32 << 10, TERN__ARRIVING_BESIDE_BYTES = 4 << 10 };

/* A buffer for a message of `size` bytes, `alone` or beside others, in memory that peers may read if it is to be
 * shared. *charged is what it counts now, of what the caller will uncharge. NULL: the account, or memory, has no
 * room. */
uint8_t *tern__arriving_new(tern__session *s, uint32_t size, bool alone, bool shared, uint32_t *charged);

/* Put memory behind the first `reach` bytes. Returns how many bytes at its start may be touched; 0: the account, or
 * memory, has no room for `reach`. */
size_t tern__arriving_reach(tern__session *s, void *buffer, size_t reach, uint32_t size, uint32_t *charged);

#endif

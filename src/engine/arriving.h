/* Buffers of messages that arrive in packets, on the account of whoever sends them (account.h): their memory grows with
 * what has arrived, and is counted as it comes (pool.h, Buffers that fill up). */
#ifndef TERN_ENGINE_ARRIVING_H
#define TERN_ENGINE_ARRIVING_H

#include "engine/engine_record.h"

/* A buffer for a message of `size` bytes, in memory that peers may read if it is to be shared. *charged is what it
 * counts now, of what the caller will uncharge. NULL: the account, or memory, has no room. */
uint8_t *tern__arriving_new(tern__session *s, uint32_t size, bool shared, uint32_t *charged);

/* Put memory behind the first `reach` bytes. Returns how many bytes at its start may be touched; 0: the account, or
 * memory, has no room for `reach`. */
size_t tern__arriving_reach(tern__session *s, void *buffer, size_t reach, uint32_t size, uint32_t *charged);

#endif

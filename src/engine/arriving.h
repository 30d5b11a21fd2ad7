/* Buffers of messages that arrive in packets, on the account of whoever sends them (account.h): their memory grows with
 * what has arrived, and is counted as it comes (pool.h, Buffers that fill up). */
#ifndef TERN_ENGINE_ARRIVING_H
#define TERN_ENGINE_ARRIVING_H

#include "engine/engine_record.h"

/* The first message that arrives at a session has memory for so much at once, which saves most messages a second step,
 * and those that arrive beside it for so much: with the eight slots of a session that makes 46 KB, whatever they
 * declare. */
enum { TERN__ARRIVING_ALONE_BYTES = 32 << 10, TERN__ARRIVING_BESIDE_BYTES = 2 << 10 };

/* A message begins in an ordinary buffer, and moves to a longer one when it is more than fits there; beyond MOVED, if
 * it is longer than WHOLE in all, to a sparse one with addresses for the rest. So what is copied twice is little, and
 * neither the addresses of long messages, of which there are only so many, nor what such buffers had before are to be
 * had for a packet. */
enum { TERN__ARRIVING_MOVED_BYTES = 64 << 10, TERN__ARRIVING_WHOLE_BYTES = 256 << 10 };

/* A buffer for a message of `size` bytes, `alone` or beside others, of which the first `reach` have come, in memory
 * that peers may read if it is to be shared. *charged is what it counts now, of what the caller will uncharge. NULL:
 * the account, or memory, has no room. */
uint8_t *tern__arriving_new(tern__session *s, size_t reach, uint32_t size, bool alone, bool shared, uint32_t *charged);

/* Put memory behind the first `reach` bytes; *buffer may be another one afterwards. Returns how many bytes at its start
 * may be touched; 0: the account, or memory, has no room for `reach`. */
size_t tern__arriving_reach(tern__session *s, uint8_t **buffer, size_t reach, uint32_t size, uint32_t *charged);

/* The message is in the buffer that it begins in, and going to move: no packet may be received straight to there. */
bool tern__arriving_will_move(const uint8_t *buffer, uint32_t size, uint32_t charged);

#endif

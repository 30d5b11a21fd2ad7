/* From a payload to the struct that a handler or a continuation is given. */
#ifndef TERN_RPC_DECODE_H
#define TERN_RPC_DECODE_H

#include "engine/engine.h"
#include "tern/rpc.h"

/* The payload, in this format (NULL: in none that is known here), as the struct that `type` describes, behind
 * prefix_bytes bytes for the caller; all from the arena. *out is where the prefix begins. Returns a tern_status; unless
 * that is OK, *why is a constant text. */
int tern__decode(const tern_type *type, const tern__format *format, const tern__arrived *msg, size_t prefix_bytes,
                 size_t max_bytes, tern_arena *arena, void **out, const char **why);

/* How much memory decoding one message may take. Lists and sub-messages are wider as structs than on the wire; only a
 * message that is made to exhaust memory exceeds this. */
static inline size_t tern__decode_ceiling(const tern_endpoint_config *config) {
    return 4 * (size_t)config->max_message_bytes + (1 << 20);
}

#endif

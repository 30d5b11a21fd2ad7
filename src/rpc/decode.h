/* From a payload to the struct that a handler or a continuation is given. */
#ifndef TERN_RPC_DECODE_H
#define TERN_RPC_DECODE_H

#include "codec/limits.h"
#include "engine/engine.h"
#include "tern/rpc.h"

/* What the decoding of an endpoint's messages depends on. Constant while the endpoint lives. */
typedef struct tern__decoder {
    const tern__format *const *formats; /* of the engine, TERN__MAX_FORMATS of them by their numbers; or NULL */
    tern_limits limits;
} tern__decoder;

/* For messages of up to max_bytes bytes. */
static inline void tern__decoder_init(tern__decoder *decoder, const tern__engine *engine, size_t max_bytes) {
    *decoder = (tern__decoder){tern__engine_formats(engine), tern__limits_default};
    if (decoder->limits.max_bytes < max_bytes) decoder->limits.max_bytes = max_bytes;
}

/* The format of a number; NULL for one that is not known here, and for raw bytes. */
static inline const tern__format *tern__decoder_format(const tern__decoder *decoder, uint32_t number) {
    return number < TERN__MAX_FORMATS ? decoder->formats[number] : NULL;
}

/* The payload as the struct that `type` describes, behind prefix_bytes bytes for the caller; all from the arena. *out
 * is where the prefix begins. Returns a tern_status; unless that is OK, *why is a constant text. */
int tern__decode(const tern__decoder *decoder, const tern_type *type, const tern__arrived *msg, size_t prefix_bytes,
                 tern_arena *arena, void **out, const char **why);

/* How much memory decoding one message may take. Lists and sub-messages are wider as structs than on the wire; only a
 * message that is made to exhaust memory exceeds this. */
static inline size_t tern__decode_ceiling(const tern_endpoint_config *config) {
    size_t ceiling = 4 * (size_t)config->max_message_bytes + (1 << 20);
    return config->max_rx_bytes && config->max_rx_bytes < ceiling ? config->max_rx_bytes : ceiling;
}

#endif

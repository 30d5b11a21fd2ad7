/* A retained message: bytes of its own, and references to what is sent from where it lies. message.h has what is done
 * with it. */
#ifndef TERN_ENGINE_MESSAGE_RECORD_H
#define TERN_ENGINE_MESSAGE_RECORD_H

#include "engine/engine_config.h"

/* A stretch of a message that is sent from where it lies. */
typedef struct tern__seg {
    const void *data;
    uint32_t len;
    uint32_t start; /* offset in the message */
} tern__seg;

/* A retained message, in a pool buffer of its own: this, then the segments, then the head bytes. The message begins
 * with head_len of the head bytes and goes on with the segments. Where copied bytes lie between values in place, they
 * are the rest of the head bytes, and segments as the values are; then the last segments may be empty. Of a small
 * message only the second half of this is touched, and what follows it. */
typedef struct tern__out {
    tern__node node; /* in a backlog, or in engine->deferred_frees, else alone */
    union {
        tern_time deadline; /* of a request in the backlog; 0: none */
        uint64_t start;     /* in a stream: offset of the first byte */
    };
    uint32_t method; /* of a request in the backlog */
    uint32_t hint;   /* the segment where the last packet ended */
    tern__link *link;
    void *call;    /* of a request in the backlog */
    uint32_t size; /* of the message */
    uint32_t head_len;
    uint32_t n_segs;
    uint8_t format;
    uint8_t spare : 2;   /* tern__spare_kind */
    bool posted : 1;     /* the link may refer to it until its next flush */
    bool stream : 1;     /* in a backlog: the place of a stream, which is `call` */
    uint16_t meta_words; /* of TERN__META_ALIGN bytes: the metadata block with which the message begins */
    tern__seg segs[];
} tern__out;

/* Where a message's memory is from. A spare goes back to its engine, for the next message of such a length; a message
 * in one has no metadata. */
typedef enum tern__spare_kind {
    TERN__NO_SPARE,    /* a pool buffer of the message's own */
    TERN__SHORT_SPARE, /* up to TERN__SPARE_MESSAGE bytes */
    TERN__LONG_SPARE,  /* up to TERN__LONG_SPARE_MESSAGE: about what a packet over Ethernet holds */
    TERN__SPARE_KINDS
} tern__spare_kind;

/* Spares lie side by side in blocks, each of an odd number of cache lines, so that those in use are spread over the
 * whole cache: of buffers of 256 bytes all would begin in a quarter of it. A small message is in one line of its
 * spare. */
enum {
    TERN__SPARE_BYTES = 320,
    TERN__SPARE_MESSAGE = 192, /* the longest that is kept in a short one */
    TERN__SPARES_PER_BLOCK = 12,
    TERN__MAX_SPARES = 256,
    TERN__LONG_SPARE_BYTES = 1600,
    TERN__LONG_SPARE_MESSAGE = 1472,
    TERN__LONG_SPARES_PER_BLOCK = 10,
    TERN__MAX_LONG_SPARES = 64,
    TERN__SPARE_OFFSET = 32,
};

static inline uint32_t tern__spare_bytes(tern__spare_kind kind) {
    return kind == TERN__LONG_SPARE ? TERN__LONG_SPARE_BYTES : TERN__SPARE_BYTES;
}

_Static_assert(sizeof(tern__out) == 64 && offsetof(tern__out, link) == 32, "halves of a cache line");
_Static_assert(TERN__SPARE_OFFSET + sizeof(tern__out) + TERN__SPARE_MESSAGE <= TERN__SPARE_BYTES,
               "room for the message");
_Static_assert(TERN__SPARE_OFFSET + sizeof(tern__out) + TERN__LONG_SPARE_MESSAGE <= TERN__LONG_SPARE_BYTES,
               "room for the message");

/* What tern__out.meta_words can say. */
enum { TERN__MAX_META_BYTES = UINT16_MAX * TERN__META_ALIGN };

/* What bounds an encoding. */
typedef struct tern__plan_limits {
    size_t threshold; /* from which length on values go in place */
    uint64_t max_bytes;
    const tern__format *const *formats; /* as in tern__engine_config */
} tern__plan_limits;

#endif

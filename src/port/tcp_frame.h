/* A stream of bytes, cut into packets (docs/tcp.md). No system call: bytes go in as they come, in pieces of any size,
 * and packets come out, each in one piece of pool memory.
 *
 *   greeting, once          'T' 'E' 'R' 'N' | version u8 | role u8 | 0 u16
 *   then, again and again   len u32 | a packet of len bytes, 1 to TERN__TCP_MAX_PACKET
 *
 * A packet that is there whole is handed on where it lies. Of one that is not, the beginning is copied to a buffer of
 * its own; the owner of the stream receives the rest straight into that (tern__tcp_frames_want). The buffer has room
 * for all of the packet if the owner wants that (`whole`), else for twice as much as has come, and is replaced by a
 * larger one when that is full. Nothing is allocated before the length has been checked. */
#ifndef TERN_PORT_TCP_FRAME_H
#define TERN_PORT_TCP_FRAME_H

#include "base/base.h"

enum {
    TERN__TCP_VERSION = 1,
    TERN__TCP_GREETING_BYTES = 8,
    TERN__TCP_PREFIX_BYTES = 4,
    TERN__TCP_MAX_PACKET = 65536,
    TERN__TCP_PART_BYTES = 256, /* the least room for a packet that has come in part */
    TERN__TCP_CREDITS = 512,    /* never short: eight messages of 64 packets each, which is all that a session sends */
};

/* The role of the sender. A socket that got connected to itself hears its own role and is not taken for a peer. */
typedef enum tern__tcp_role { TERN__TCP_CLIENT = 0, TERN__TCP_SERVER = 1 } tern__tcp_role;

/* One direction of one connection, the reader's side. */
typedef struct tern__tcp_frames {
    uint8_t *part; /* a packet of which the rest is to come, in a pool buffer of ours; NULL: none */
    uint32_t part_len, part_have, part_room;
    uint8_t head[TERN__TCP_GREETING_BYTES]; /* of a greeting or a length that is not whole yet */
    uint8_t n_head;
    uint8_t role; /* of the peer; tern__tcp_role */
    bool greeted; /* the peer's greeting has come */
    bool whole;   /* the owner's: a packet gets all of its memory with its first byte */
} tern__tcp_frames;

typedef struct tern__tcp_arrival {
    const uint8_t *data; /* in the bytes given, or in a buffer that is the caller's to unref: then `own` */
    uint32_t len;
    bool own;
} tern__tcp_arrival;

void tern__tcp_greeting_write(uint8_t out[TERN__TCP_GREETING_BYTES], tern__tcp_role role);

/* A stream from a peer of this role. */
void tern__tcp_frames_init(tern__tcp_frames *f, tern__tcp_role role);

/* Give back what it holds. */
void tern__tcp_frames_fini(tern__tcp_frames *f);

/* Where the next bytes of the stream may be received to, to save a copy: *len of the packet under way. NULL when there
 * is none, or its buffer is full. */
static inline uint8_t *tern__tcp_frames_want(const tern__tcp_frames *f, uint32_t *len) {
    *len = f->part_room - f->part_have;
    return f->part && *len ? f->part + f->part_have : NULL;
}

/* Whether a packet, or its length, or the greeting is here in part. */
static inline bool tern__tcp_frames_in_part(const tern__tcp_frames *f) { return f->part || f->n_head; }

/* n bytes were received to there. True when the packet is whole: it is in *out, and the caller's. */
bool tern__tcp_frames_got(tern__tcp_frames *f, uint32_t n, tern__tcp_arrival *out);

/* Go on with the bytes [*at, end), which lie in pool memory, and move *at past what was used. 1: a packet is in *out;
 * 0: there is none any more, and all bytes are used. Negative, and the stream is of no use any more:
 * TERN_ERR_MALFORMED, TERN_ERR_VERSION, TERN_ERR_NOMEM. To be repeated until it returns other than 1. */
int tern__tcp_frames_next(tern__tcp_frames *f, const uint8_t **at, const uint8_t *end, tern__tcp_arrival *out);

#endif

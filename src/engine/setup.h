/* What the packets that set a session up carry behind their headers (docs/protocol.md, Setup).
 *
 *   CONNECT, ACCEPT
 *   0            8            16              20           24
 *   +------------+------------+---------------+------------+-----------
 *   | token u64  | tag u64    | number u32    | 0 u32      | records
 *   +------------+------------+---------------+------------+-----------
 *
 *   A record, whose length with its padding is a multiple of 8; length: of the value alone
 *   0            2            4
 *   +------------+------------+-----------------------+---------------+
 *   | type u16   | length u16 | value                 | zeros         |
 *   +------------+------------+-----------------------+---------------+
 *
 * Bit 15 of the type says that the record is critical: a receiver that does not know the type refuses the setup. Other
 * records of unknown types are skipped; a sender adds one (grease), so that nobody comes to rely on their absence. */
#ifndef TERN_ENGINE_SETUP_H
#define TERN_ENGINE_SETUP_H

#include "base/base.h"
#include "engine/codes.h"

/* X(NAME, field, bytes of the value, required): in the order of the types, from 1. */
#define TERN__SETUP_RECORDS(X)                                                                                         \
    X(MAX_PACKET, max_packet, 4, true)                                                                                 \
    X(CREDITS, credits, 4, true)                                                                                       \
    X(FORMATS, formats, 4, true)                                                                                       \
    X(SLOTS, n_slots, 4, true)                                                                                         \
    X(FEATURES, features, 4, false)                                                                                    \
    X(COOKIE, cookie, 8, false)                                                                                        \
    X(INCARNATION, incarnation, 8, false)                                                                              \
    X(SEAL, seal, 4, false)                                                                                            \
    X(NONCE, nonce, 8, false)                                                                                          \
    X(STREAMS, n_streams, 4, false)

typedef enum tern__setup_record {
    TERN__SETUP_PADDING = 0, /* of any length, any number of times */
#define TERN__X(name, field, bytes, required) TERN__SETUP_##name,
    TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
        TERN__N_SETUP_RECORDS,
    TERN__SETUP_CRITICAL = 0x8000, /* a bit of the type */
    TERN__SETUP_GREASE = 0x0a0a,   /* types 0x?a?a without that bit are grease, and will never mean anything */
    TERN__SETUP_GREASE_MASK = 0x8f0f,
} tern__setup_record;

enum {
    TERN__SETUP_FIXED_BYTES = 24,
    TERN__SETUP_MAX_BYTES = 1024, /* that a receiver looks at; behind the header */
    TERN__SETUP_MAX_RECORDS = 32,
    TERN__SETUP_OWN_BYTES = 24 + 7 * 8 + 3 * 16 + 24, /* that we write, padding apart */
    TERN__SETUP_ECN = 1,            /* in features: the sender reads marks and wants to hear of them */
    TERN__SETUP_LEAST_PACKET = 256, /* a peer that takes shorter packets only is refused */
    /* A CONNECT over a link that loses packets is padded to so many bytes, header included: no answer to an address
     * that has not been validated is longer. */
    TERN__CONNECT_BYTES = 256,
    TERN__RETRY_BYTES = 16, /* token 8, cookie 8 */
    TERN__REFUSE_BYTES = 8, /* the token or tag */
};
_Static_assert((int)TERN__SETUP_OWN_BYTES + 32 <= (int)TERN__CONNECT_BYTES, "no ACCEPT is longer than its CONNECT");

/* In `seal`: no session without it. The record is critical then. */
#define TERN__SETUP_SEAL_REQUIRED (1u << 31)

typedef struct tern__setup {
    uint64_t token;       /* the client's, which matches an ACCEPT to its CONNECT */
    uint64_t tag;         /* what the receiver puts into packets to the sender */
    uint32_t number;      /* the sender's number of the session */
    uint32_t max_packet;  /* bytes */
    uint32_t credits;     /* packets in flight */
    uint32_t formats;     /* bit f for tern_format f */
    uint32_t n_slots;     /* calls in flight */
    uint32_t n_streams;   /* streaming calls in flight, beside those; 0: none */
    uint32_t features;    /* TERN__SETUP_ECN; both sides' count */
    uint64_t cookie;      /* CONNECT: the server's; 0: none */
    uint64_t incarnation; /* ACCEPT: the server's */
    uint32_t seal;        /* the cipher's id, and TERN__SETUP_SEAL_REQUIRED; 0: packets are not to be sealed */
    uint64_t nonce;       /* ACCEPT of a sealed session: the server's, random */
} tern__setup;

/* Writes a setup with grease and, if it is shorter than that, padding up to pad_to bytes, a multiple of 8. Returns its
 * length, at most TERN__SETUP_OWN_BYTES or pad_to. */
uint32_t tern__setup_write(const tern__setup *setup, uint32_t pad_to, uint8_t *out);

/* How long a setup says that it is; at least TERN__SETUP_FIXED_BYTES are there. */
uint32_t tern__setup_bytes(const uint8_t *setup);

/* Reads a setup of len bytes, at least TERN__SETUP_FIXED_BYTES and at most TERN__SETUP_MAX_BYTES. Returns NONE, or why
 * the setup is to be refused; *type is then the type of the record, 0 where it is none's. Token, tag and number are
 * read in any case. */
tern__refuse_code tern__setup_read(const uint8_t *bytes, uint32_t len, tern__setup *out, uint16_t *type);

#endif

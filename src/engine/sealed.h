/* Sealed sessions: their keys, their packet numbers, their key phases, and what a REFUSE makes of them. What travels is
 * described in docs/protocol.md (Sealing).
 *
 * A sealed session has its state behind its cold record; sessions of an engine without a cipher have none. Every packet
 * of an open sealed session is sealed by tern__sealed_seal(), which tx.c calls, and opened by tern__sealed_open(),
 * which dispatch.c calls before anything else looks at the packet. */
#ifndef TERN_ENGINE_SEALED_H
#define TERN_ENGINE_SEALED_H

#include "engine/engine_record.h"
#include "engine/setup.h"

/* What a sealed session has behind its cold record. */
typedef struct tern__sealed {
    uint64_t nonce;          /* the server's */
    uint64_t rx_highest;     /* that was opened; 0: none yet */
    uint64_t rx_seen;        /* bit i: rx_highest - i was */
    uint64_t rx_phase_first; /* the lowest number that KEY_RX has opened */
    uint64_t tx_last;        /* sealed */
    uint64_t tx_phase_first; /* the first number of KEY_TX */
    uint64_t tx_asked;       /* the last number when the peer was asked whether it is in our phase; 0: it was not */
    tern_time doubt_until;   /* 0: no doubt */
    tern_time doubt_ping_at;
    tern_time doubt_next; /* a REFUSE before that time makes no new doubt */
    uint32_t tx_phase, rx_phase;
    bool may_move;   /* the peer is in our phase */
    bool has_before; /* KEY_RX_BEFORE is one */
    bool has_next;   /* KEY_RX_NEXT is one */
    bool is_to_ask;  /* a PING is due that asks whether the peer is in our phase */
    uint8_t keys[] __attribute__((aligned(16)));
} tern__sealed;

/* In `req` of a PING that asks whether the peer is in our phase: the other bits are the phase's. */
#define TERN__SEALED_PING (1u << 31)

tern__sealed *tern__sealed_of(const tern__session *s);

/* ---- The setup ------------------------------------------------------------------------------------ */

/* Bytes of a cold record of a session of this engine, of which a client's or server's own record takes `own`. */
size_t tern__sealed_cold_bytes(const tern__engine *engine, size_t own);

/* Whether a session with the peer of this setup is to be sealed. Returns NONE; or SEAL where one side insists on what
 * the other cannot do, so that there is to be no session. */
tern__refuse_code tern__sealed_agree(const tern__engine *engine, const tern__setup *in, bool *sealed);

/* The session is sealed from now on. `in` is the peer's setup. False: there is no memory, and the session is not
 * sealed. */
bool tern__sealed_begin(tern__session *s, const tern__setup *in);

/* The keys of the session, if it has any, are wiped. */
void tern__sealed_end(tern__session *s);

/* What the ACCEPT of a server's session says, which is random. */
uint64_t tern__sealed_nonce(const tern__session *s);

/* ---- Packets -------------------------------------------------------------------------------------- */

/* Whether packets of this type are sealed on a sealed session: all but those of the setup. */
bool tern__is_sealed_type(uint8_t type);

/* Bytes that a full packet of the session is longer than its header and payload. */
static inline uint32_t tern__sealed_overhead(const tern__session *s) {
    return s->sealed ? s->engine->config.cipher->overhead_bytes : 0;
}

/* Seals a packet of an open sealed session. Writes the header to `header`, with the bit of the key phase, and the
 * payload, which is in n_in stretches, to `out`, with the cipher's overhead behind the payload. A number is sealed once
 * (tern__next_number() gives it out); whoever has to send the packet again keeps the bytes. False: the cipher
 * cannot. */
bool tern__sealed_seal(tern__session *s, const tern__pkt_header *h, uint8_t *header, const tern__span *in,
                       uint32_t n_in, uint8_t *out);

/* The packet sealed last has left. It may be time to ask the peer whether we may move to the next key: then the
 * session's timer is due (sealed_watch.h). */
void tern__sealed_sent(tern__session *s);

/* tern__pkt_read() for an engine with a cipher. */
uint32_t tern__sealed_read(const tern__engine *engine, const tern__rx_packet *pkt, tern__pkt_header *h);

typedef enum tern__opening {
    TERN__OPENED,
    TERN__OPENING_DROPPED,   /* and counted */
    TERN__OPENING_NO_MEMORY, /* the same: there is no memory for the packet */
} tern__opening;

/* Opens a packet that names this sealed session and comes over its route. OPENED: *opened is the packet, header and
 * payload in one piece in a pool buffer, on which the caller has a reference. */
tern__opening tern__sealed_open(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                                uint32_t header_bytes, tern__rx_packet *opened, tern_time now);

#endif

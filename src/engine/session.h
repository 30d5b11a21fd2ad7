/* What the files about sessions share: table.c, control.c, refuse.c, versions.c, connect.c and session.c. What the rest
 * of the engine asks of them is in internal.h. */
#ifndef TERN_ENGINE_SESSION_H
#define TERN_ENGINE_SESSION_H

#include "engine/internal.h"

/* ---- table.c -------------------------------------------------------------------------------------- */
/* Make room for twice as many sessions. Returns 0 or TERN_ERR_NOMEM. */
int tern__sessions_grow(tern__engine *engine);
/* A session of zeros, a client's or a server's, with its cold part of so many bytes (tern__sealed_cold_bytes()); NULL:
 * no memory. */
tern__session *tern__session_make(size_t cold_bytes);
void tern__session_free(tern__session *s);
/* Enter a new session into the table and number it. Returns 0, TERN_ERR_LIMIT or _NOMEM. */
int tern__session_enter(tern__engine *engine, tern__session *s);
void tern__session_leave(tern__session *s);
/* The session can no longer be found by its peer's number. */
void tern__session_unhash(tern__session *s);
/* Whether another endpoint at the same address made this number. */
bool tern__session_is_of_other_shard(const tern__engine *engine, uint32_t number);
/* The session can be found by its peer's number and route from now on. */
void tern__session_hash(tern__session *s);
/* The session that the peer on this packet's route knows as peer_number. secret: the CONNECT's token, or the tag that
 * we put into packets to the peer. NULL: there is none. */
tern__session *tern__session_of_peer(const tern__engine *engine, const tern__rx_packet *pkt, uint32_t peer_number,
                                     bool by_token, uint64_t secret);
/* Whether one peer has as many sessions under one number as a peer that restarts often might leave behind. */
bool tern__session_is_crowded(const tern__engine *engine, const tern__rx_packet *pkt, uint32_t peer_number);
/* The client whose CONNECT this packet answers, if it waits for an answer; else NULL. */
tern__csession *tern__session_connecting(const tern__engine *engine, const tern__rx_packet *pkt,
                                         const tern__pkt_header *h, uint64_t token);
/* The session gets a new number; what comes for the old one is for no session. */
void tern__session_renumber(tern__session *s);

/* ---- control.c ------------------------------------------------------------------------------------ */
/* A header and at most 64 bytes, of no session. False: the link is full. */
bool tern__send_small(tern__engine *engine, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                      const void *payload, uint32_t len);
/* Remembers that the link did not take the packet `which` (TERN__UNSENT_*), or that it did. */
void tern__session_mark_unsent(tern__session *s, uint8_t which, bool sent);

/* ---- refuse.c ------------------------------------------------------------------------------------- */
/* A REFUSE that is to be sent. */
typedef struct tern__refusal {
    uint64_t secret;  /* what proves that we saw the packet: the CONNECT's token, or the tag */
    uint32_t to;      /* the receiver's number of its session; 0 where it is not known */
    uint32_t session; /* our number that the packet named */
    uint8_t type;     /* of the packet */
    uint16_t code;    /* tern__refuse_code */
    uint16_t detail;  /* the type of the setup's record, where the code speaks of one */
} tern__refusal;
/* Refuses a packet, as far as that is allowed. */
void tern__refuse(tern__engine *engine, const tern__rx_packet *pkt, const tern__refusal *refusal, tern_time now);
/* Whether an answer of so many bytes may be sent to whoever sent this packet; the answer counts as sent. */
bool tern__may_answer(tern__engine *engine, const tern__rx_packet *pkt, uint32_t answer_bytes, tern_time now);
/* A REFUSE came. */
void tern__refuse_rx(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                     uint32_t header_bytes);

/* ---- versions.c ------------------------------------------------------------------------------------ */
/* A packet came that has no header of our version. False: it has none of any other, either. */
bool tern__versions_rx(tern__engine *engine, const tern__rx_packet *pkt, tern_time now);

/* ---- connect.c ------------------------------------------------------------------------------------ */
/* A CONNECT, an ACCEPT, a RETRY came. */
void tern__connect_rx(tern__engine *engine, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now);
void tern__connect_rx_accept(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                             uint32_t header_bytes, tern_time now);
void tern__connect_rx_retry(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);

/* ---- session.c ------------------------------------------------------------------------------------ */
/* Why a session is over. */
typedef struct tern__loss {
    int status; /* that pending calls end with */
    tern__why why;
    uint16_t code, detail; /* of a REFUSE; else 0 */
    const uint32_t *begun; /* the last request of each slot that the server has begun; NULL: that is not known */
} tern__loss;
/* The session is over: what is pending ends. */
void tern__session_lose(tern__session *s, const tern__loss *loss);
/* What a server's GOAWAY and DISCONNECT carry: the session's number at the server, the number of slots, and the last
 * request of each that has begun. Returns the length, at most TERN__BEGUN_BYTES. */
enum { TERN__BEGUN_BYTES = 8 + 4 * TERN__N_SLOTS };
uint32_t tern__session_write_begun(const tern__session *s, uint8_t *out);

#endif

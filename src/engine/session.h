/* What the files about sessions share: table.c, control.c, connect.c, refuse.c and session.c. What the rest of the engine
 * asks of them is in internal.h. */
#ifndef TERN_ENGINE_SESSION_H
#define TERN_ENGINE_SESSION_H

#include "engine/internal.h"

/* ---- table.c -------------------------------------------------------------------------------------- */
/* Whether another endpoint at the same address made this number. */
bool tern__session_is_of_other_shard(const tern__engine *engine, uint32_t number);
/* The session can be found by its peer's number and route from now on. */
void tern__session_hash(tern__session *s);
/* The session that the peer on this packet's route knows as peer_number. secret: the CONNECT's token, or the tag that we
 * put into packets to the peer. NULL: there is none. */
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
/* A header and len bytes. s: the session that sends it, or NULL. False: the link is full. */
bool tern__send_small(tern__engine *engine, const tern__session *s, tern__link *link, const tern__route *route,
                      const tern__pkt_header *h, const void *payload, uint32_t len);
/* Remembers that the link did not take the packet `which` (TERN__UNSENT_*), or that it did. */
void tern__session_mark_unsent(tern__session *s, uint8_t which, bool sent);

/* ---- refuse.c ------------------------------------------------------------------------------------- */
/* Says that `session` is not here (`type` tells to which packet), proving by `secret` that we saw it. */
void tern__refuse(tern__engine *engine, const tern__rx_packet *pkt, uint8_t type, uint32_t to, uint64_t secret,
                  uint32_t session, uint8_t status, tern_time now);
/* A REFUSE came. */
void tern__refuse_rx(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                     uint32_t header_bytes);

/* ---- connect.c ------------------------------------------------------------------------------------ */
/* A CONNECT, an ACCEPT, a RETRY came. */
void tern__connect_rx(tern__engine *engine, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now);
void tern__connect_rx_accept(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                             uint32_t header_bytes, tern_time now);
void tern__connect_rx_retry(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);

/* ---- session.c ------------------------------------------------------------------------------------ */
/* The session is over: what is pending ends with `status`. */
void tern__session_lose(tern__session *s, int status, tern__why why);

#endif

/* What the engine's files share: sessions, slots, messages. Nothing here is seen outside src/engine.
 *
 * Invariants: a session is in the table from its creation to its end, under its current number; what a session
 * has to do at some time is in one of the timer heaps, its calls in flight in the one of work; a session that found its
 * link full is on the stalled list.
 * Everything that a callback could change is put in order before the callback runs. */
#ifndef TERN_ENGINE_INTERNAL_H
#define TERN_ENGINE_INTERNAL_H

#include "engine/client.h"
#include "engine/pace.h"
#include "engine/server.h"

/* ---- table.c, control.c, connect.c, refuse.c, session.c -------------------------------------------- */
void tern__session_stall(tern__session *s);
/* A packet that is all header and a few bytes. False: the link is full. */
bool tern__send_control(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len);
/* The same, also for none (NULL): on a reliable link that is full the packet is kept, sealed already where it is to
 * be, and sent later, when the session may have ended. */
void tern__send_surely(tern__engine *engine, tern__session *s, tern__link *link, const tern__route *route,
                       const tern__pkt_header *h, const void *payload, uint32_t len);
/* Try again what is kept; forget what is kept for a route, or (NULL) for all. */
void tern__late_send(tern__engine *engine, tern_time now);
void tern__late_drop(tern__engine *engine, const tern__link *link, const tern__route *route);
/* A PING that tells nothing but that we live, and the answer to one whose header said `req`; what finds a reliable link
 * full leaves later. False: not sent yet. */
bool tern__session_send_ping(tern__session *s);
void tern__session_send_pong(tern__session *s, uint32_t req);
/* The pause before the CONNECT is repeated. */
static inline tern_dur tern__connect_gap(const tern__cold *cold) {
    tern_dur gap = TERN__CONNECT_FIRST << cold->connect_shift;
    return gap < TERN__CONNECT_REPEAT ? gap : TERN__CONNECT_REPEAT;
}
/* What is marked in unsent_control. False: the link is still full. */
bool tern__session_send_unsent(tern__session *s);
void tern__session_rx_setup(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);
void tern__session_rx_ping(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes);
void tern__session_rx_disconnect(tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes);
/* A packet for a session that is not here. */
void tern__session_unknown(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now);
/* The peer is gone: fails everything, forgets a server session, puts a client session DOWN. */
void tern__session_lost(tern__session *s, tern__why why);
void tern__session_connect(tern__csession *cs, tern_time now);
void tern__session_send_setup(tern__session *s);

/* ---- keepalive.c ---------------------------------------------------------------------------------- */
/* Ask an idle session's server whether it lives, and set ping_at. False: it does not, and the session is lost. */
bool tern__client_keepalive(tern__csession *cs, tern_time now);
/* The same for a session with calls on a reliable link, if it is time. */
bool tern__client_watch(tern__csession *cs, tern_time now);
/* When to look at it again. */
tern_time tern__client_watch_due(const tern__csession *cs, tern_time now);

/* ---- ahead.c -------------------------------------------------------------------------------------- */
/* A packet of a message has come in order, and nothing behind it; the message is being put together here. */
void tern__ahead_note(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      uint8_t *message, uint32_t size);
/* Nothing is received for this message any more, or not in order. */
void tern__ahead_withdraw(tern__link *link, const void *message);

/* ---- drain.c -------------------------------------------------------------------------------------- */
/* Tell the client to go away, as often as it takes. Returns when to do so next, or the deadline. */
tern_time tern__server_drain(tern__ssession *ss, tern_time now);
void tern__session_rx_goaway(tern__session *s);

/* ---- engine.c ------------------------------------------------------------------------------------- */
void tern__session_say_goodbye(tern__session *s); /* DISCONNECT, if the session is open */
/* A packet of any kind, already counted. */
void tern__engine_rx_any(tern__engine *engine, const tern__rx_packet *pkt, tern_time now);

#endif

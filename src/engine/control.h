/* Small packets that belong to no message, and what becomes of them where a reliable link is full (control.c). */
#ifndef TERN_ENGINE_CONTROL_H
#define TERN_ENGINE_CONTROL_H

#include "engine/engine_record.h"

/* The session found its link full: its role is asked to send again when there may be room. */
void tern__session_stall(tern__session *s);
/* The session has something to send that may wait for the next tick: its role is asked to send then. */
void tern__session_send_soon(tern__session *s);
/* Sets when full links are tried again, after a try that looked at n sessions or packets in vain. `moved`: others found
 * room. */
void tern__set_retry(tern__engine *engine, uint32_t n, bool moved);

/* The link has refused the session, which is in engine->stalled, or was just taken from there, once more. True: it is
 * parked, as its route has been full for long, and the link will say when there is room. */
bool tern__session_park(tern__session *session);

/* The sessions that are parked are tried again in the next tick: all, or those of a route. */
void tern__unpark_all(tern__engine *engine);
void tern__unpark_route(tern__engine *engine, const tern__link *link, const tern__route *route);
/* A packet that is all header and a few bytes. False: the link is full. */
bool tern__send_control(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len);
/* The same, also for none (NULL): on a reliable link that is full the packet is kept, sealed already where it is to
 * be, and sent later, when the session may have ended. */
void tern__send_surely(tern__engine *engine, tern__session *s, tern__link *link, const tern__route *route,
                       const tern__pkt_header *h, const void *payload, uint32_t len);
/* Try again what is kept, n_waiting_control packets; forget what is kept for a route, or (NULL) for all. */
void tern__waiting_control_send(tern__engine *engine, tern_time now);
void tern__waiting_control_drop(tern__engine *engine, const tern__link *link, const tern__route *route);
/* A PING that tells nothing but that we live, and the answer to one whose header said `req`; what finds a reliable link
 * full leaves later. False: not sent yet. */
bool tern__session_send_ping(tern__session *s);
void tern__session_send_pong(tern__session *s, uint32_t req);
/* A header and at most 64 bytes, of no session. False: the link is full. */
bool tern__send_small(tern__engine *engine, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                      const void *payload, uint32_t len);
/* Remembers that the link did not take the packet `which` (TERN__UNSENT_*), or that it did. */
void tern__session_mark_unsent(tern__session *s, uint8_t which, bool sent);

#endif

/* The protocol engine: sessions, slots, credits, loss recovery. It does no I/O and reads no clock: it is
 * told what arrived and what time it is, and emits packets through links. The same code runs on real
 * ports and in the simulator.
 *
 * Rules for callers: one thread; `now` never decreases; callbacks run inside tern__engine_rx, tern__engine_tick,
 * tern__engine_session_close, tern__engine_route_lost and tern__engine_free only (never inside tern__engine_request;
 * for streams see stream.h), and may call tern__engine_request and tern__engine_respond, but none of those five. */
#ifndef TERN_ENGINE_ENGINE_H
#define TERN_ENGINE_ENGINE_H

#include "engine/account.h"
#include "engine/backlog.h"
#include "engine/cancel.h"
#include "engine/cc_dctcp.h"
#include "engine/cc_none.h"
#include "engine/cc_swift.h"
#include "engine/cc_timely.h"
#include "engine/direct.h"
#include "engine/drain.h"
#include "engine/keepalive.h"
#include "engine/loan.h"
#include "engine/trace_text.h"

int tern__engine_new(const tern__engine_config *config, tern__engine **out);

/* How requests of a method are to be received: TERN_METHOD_RECEIVE_SHARED, TERN_METHOD_BORROW, which goes before it,
 * or 0. Asked with the engine's user, of requests that come in pieces. NULL, as at first: 0 of all. */
void tern__engine_set_wishes(tern__engine *engine, uint32_t (*wishes)(void *user, uint32_t method));

/* Whether the response of a call may be handed over with a loan; likewise. */
void tern__engine_set_borrows(tern__engine *engine, bool (*borrows)(void *user, const void *call));

/* Have another trace from now on, or (NULL) none. Not from inside a trace. */
void tern__engine_set_trace(tern__engine *engine, tern__trace_fn *trace, void *user);

/* Fails pending calls, calls on_gone for requests that still run, sends a DISCONNECT per open session, and
 * frees everything. */
void tern__engine_free(tern__engine *engine, tern_time now);

/* Do what is due: retransmissions, probes, deadlines, dead peers, packets that found the link full.
 * Cheap when nothing is. Call it after each batch of packets, and at the time next_due says. */
void tern__engine_tick(tern__engine *engine, tern_time now);

/* When tick is needed next; UINT64_MAX when only a packet can change anything. */
tern_time tern__engine_next_due(const tern__engine *engine);

/* From now on sessions get numbers that name this place (0 to 63) among the endpoints that share an address: the
 * upper six bits. */
void tern__engine_set_shard(tern__engine *engine, uint32_t shard);

/* Whether no call of a client on this route is here, as far as its first few sessions tell: others of the route are
 * not looked at. */
bool tern__engine_is_idle(const tern__engine *engine, const tern__link *link, const tern__route *route);

/* Everything that was reached over this route is lost: the peer died or hung up. */
void tern__engine_route_lost(tern__engine *engine, tern__link *link, const tern__route *route, tern_time now);

/* A link with tells_room has refused packets to this route, and may take some now. They leave with the next tick. */
void tern__engine_has_room(tern__engine *engine, const tern__link *link, const tern__route *route);

/* Open a client session; the CONNECT leaves at once and is repeated. Returns 0 or TERN_ERR_LIMIT, _NOMEM. */
int tern__engine_connect(tern__engine *engine, tern__link *link, const tern__route *route, void *session_user,
                         tern_time now, tern__csession **out);

/* Fails what is pending with UNAVAILABLE (callbacks run), tells the peer, frees the session. */
void tern__engine_session_close(tern__csession *session, tern_time now);

tern_session_state tern__engine_session_state(const tern__csession *session);

/* The formats that the engine speaks, TERN__MAX_FORMATS of them by their numbers; NULL where there is none. Valid and
 * unchanged until tern__engine_free(); any thread may read them. */
const tern__format *const *tern__engine_formats(const tern__engine *engine);

/* The format that every peer understands, also where its types are other ones than ours. */
const tern__format *tern__engine_universal_format(const tern__engine *engine);

/* Which life of its server the session was last accepted by; 0: it has not been. */
uint64_t tern__engine_session_incarnation(const tern__csession *session);

/* From now on fn is told when a client's session has begun here, and when it has ended; NULL: nobody is. For a log: fn
 * runs in the middle of the engine's work and calls nothing of the engine. */
void tern__engine_watch_clients(tern__engine *engine, tern__client_fn *fn);

/* The number by which a trace names the session. */
uint32_t tern__engine_session_number(const tern__csession *session);

/* After LOST: the status that pending calls ended with. */
int tern__engine_session_why(const tern__csession *session);

/* Why the session was lost last, for a log: on_session(LOST) is the time to ask. code, detail: of a REFUSE (codes.h).
 * */
tern__why tern__engine_session_loss(const tern__csession *session, uint16_t *code, uint16_t *detail);

/* Inside on_done, on_answer or a stream's on_end, with an error: whether it is certain that the server has not begun
 * this call, so that it may be made again whatever it does. */
bool tern__engine_has_not_run(const tern__engine *engine);

/* In the same places: the sentence that says why the session was lost or closed, where that has ended the call; else
 * NULL. Static text. */
const char *tern__engine_told_loss(const tern__engine *engine);

/* In the same places: the time that the server named, after which it may admit the call; 0: none. */
tern_dur tern__engine_told_retry(const tern__engine *engine);

/* How long the session will refuse all calls; 0: it may admit one now. */
tern_dur tern__engine_retry_after(const tern__csession *session, tern_time now);

/* With a queue_target (tern__engine_config), at the beginning of each poll, before its packets are handed over. idle:
 * the last poll found nothing to do, so that time has been spare since. */
void tern__engine_report_load(tern__engine *engine, bool idle, tern_time now);

/* With a queue_target: the packets that are handed over next have waited so long at this host, as far as that is known.
 * Calls that have waited too long are rejected while the server is overloaded. */
void tern__engine_waited(tern__engine *engine, tern_dur waited);

/* What tern__engine_get_stats() copies, as it counts. Valid as long as the engine. */
const tern__engine_stats *tern__engine_counters(const tern__engine *engine);

/* From now on requests wait until tern__engine_run_waiting(), when their clients' turn is (turns.h); or they run as
 * they come again, those that wait excepted. For servers whose handlers take so long that packets wait behind them. */
void tern__engine_set_turns(tern__engine *engine, bool on);
bool tern__engine_has_waiting(const tern__engine *engine);

/* Run requests that wait, `most` of them, and begin none once `span` is over. time_now tells the time. Returns how many
 * wait no longer: they have run, or ended as their deadlines are over. */
uint32_t tern__engine_run_waiting(tern__engine *engine, uint32_t most, tern_dur span, tern_time (*time_now)(void *ctx),
                                  void *ctx);

/* With a queue_target: a request that has begun would have to wait so long before a worker takes it. False: it is to be
 * refused, with TERN_STATUS_RESOURCE_EXHAUSTED | TERN__NOT_RUN, and its client will be told when to come again. */
bool tern__engine_admits_wait(tern__engine *engine, tern_dur wait, tern_time deadline, tern_time now);

/* The point in time by which the client wants the response; UINT64_MAX for none. */
tern_time tern__request_deadline(const tern__request *request);

/* What a request whose client is gone still counts for: its message on the account, and itself as a running call. */
typedef struct tern__legacy {
    tern__debit debit;
    bool admitted;
} tern__legacy;

/* What is idle of all that peers may make us hold, or one's equal share if that is more. */
uint64_t tern__engine_room(const tern__engine *engine);

/* Inside on_request: the user has so many bytes more for the request, whose message is at data, and keeps them as long
 * as the request is not answered. They count from now on, and so does what the message lies in. False: the peer may not
 * hold so much. */
bool tern__request_hold(tern__request *request, const void *data, uint64_t bytes);

/* Inside the request's on_gone, by whoever keeps its message and goes on working: it counts until
 * tern__engine_settle(), once, before the engine is freed. */
tern__legacy tern__request_hand_over(tern__request *request);
void tern__engine_settle(tern__engine *engine, tern__legacy legacy);

/* Nothing of it counts any more. Before the engine is freed. */
void tern__engine_undebit(tern__engine *engine, tern__debit *debit);

void tern__engine_get_stats(const tern__engine *engine, tern__engine_stats *stats);
/* Add what a link of the engine's has counted (tern__link_sent): an engine's own stats have no tx_packets and tx_bytes,
 * and of messages only those that went into no run. */
void tern__engine_add_sent(tern__engine_stats *stats, const tern__link *link);

#endif

/* The transitions of a request at the server: it begins, it runs, it is answered. Each event has one function, which
 * the general way (server.c) and the short way (direct.c) both call. What a caller knows for sure is an argument that
 * is a constant there, and the compiler leaves the rest out.
 *
 * The short way uses transient records: such a record is no slot's while the handler runs, and when the handler
 * answers the short way the record stays transient, because it was entered nowhere. Whatever else happens makes the
 * record its slot's first (tern__server_attach()). Transient records take turns: a call that used the record of the
 * call before would wait for what that one wrote there, a tenth of a call's time. */
#ifndef TERN_ENGINE_REQUEST_H
#define TERN_ENGINE_REQUEST_H

#include "engine/kept_responses.h"
#include "engine/loan.h"
#include "engine/message.h"

void tern__request_release(tern__request *request);
/* Its client has gone on, and its handler does not run: the record is NONE, for the next request. */
void tern__request_forget(tern__request *request);
/* Room for a request of several packets, or of one whose pieces are the peer's, of which this packet is the first to
 * come, on the account: a buffer in memory as its method wants it, or a loan. A request of one packet is there then.
 * False: the account, or memory, has no room. */
bool tern__request_open(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes);
/* Whether a packet of a request that is open may be put into its place now. The window is wider than what one packet
 * far ahead of all others may have us keep ready: such a packet is lost. */
bool tern__request_may_put(const tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes);
/* Put a packet of a request that is open into its place. False: no memory. */
bool tern__request_put(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                       uint32_t header_bytes);
/* The factor analysis (IN_PLACE) copies each request before its handler reads it. Returns the copy, which is `held`, or
 * the original. */
const void *tern__request_copy(tern__request *request, const tern__arrived *msg);
/* A request that is DONE, its memory released, gives its record back. It is not freed inside a callback. */
static inline void tern__server_give(tern__ssession *ss, tern__request *request);
/* A record for the next request of slot i, or NULL. */
static inline tern__request *tern__server_take(tern__ssession *ss, uint32_t i);
bool tern__server_make_request(tern__engine *engine);
/* A transient record becomes its slot's. Needed for every request that is not answered inside its handler by the short
 * way. */
void tern__server_attach(tern__request *request);
/* Free the spare records beyond a number. */
void tern__server_trim_spares(tern__engine *engine, uint32_t n_kept);
void tern__request_set_state(tern__request *request, uint8_t state);

/* Records that were given back are used again at once, as slots are (slots.h). NULL: no memory. */
static inline tern__request *tern__request_take_spare(tern__ssession *ss) {
    tern__engine *e = ss->s.engine;
    if (!e->spare_requests && !tern__server_make_request(e)) return NULL;
    tern__request *request = e->spare_requests;
    e->spare_requests = request->user;
    request->session = ss;
    return request;
}

static inline void tern__request_give_spare(tern__ssession *ss, tern__request *request) {
    tern__engine *e = ss->s.engine;
    request->user = e->spare_requests;
    e->spare_requests = request;
}

static inline tern__request *tern__server_take(tern__ssession *ss, uint32_t i) {
    tern__request *request = tern__request_take_spare(ss);
    if (request) tern__server_enter(ss, i, request);
    return request;
}

static inline void tern__server_give(tern__ssession *ss, tern__request *request) {
    tern__server_vacate(ss, request->slot);
    tern__request_give_spare(ss, request);
}

/* A request as its first packet describes it. */
typedef struct tern__new_request {
    uint32_t req, method, size;
    uint32_t n_pkts, base; /* its packets, and how many of them are here without a gap */
    uint32_t cut;          /* of several packets: as each of them says; else 0 */
    uint8_t format;
    uint32_t meta_bytes; /* if packet 0 is the one that came */
    tern_time deadline;  /* TERN__NEVER: none */
} tern__new_request;

/* A request with a new number begins in slot i; nothing is left of the slot's last one. A transient record has the
 * fields of a request of one packet without a deadline already. */
static TERN__INLINE void tern__request_begin(tern__ssession *ss, tern__request *request, uint32_t i,
                                             const tern__new_request *start, bool transient) {
    ss->s.reqs[i] = request->req = start->req;
    request->slot = (uint8_t)i;
    request->method = start->method;
    request->size = start->size;
    request->format = start->format;
    if (transient) return;
    request->n_pkts = start->n_pkts;
    request->cut = start->cut;
    request->base = start->base;
    request->mask = 0;
    request->meta_bytes = start->meta_bytes;
    request->deadline = start->deadline;
    request->status = TERN_STATUS_OK;
    request->n_marked = 0;
    request->cr_pending = request->abandoned = false;
}

/* The request enters RUNNING. fresh: none of its packets came before this one, and its record is no orphan's. */
static TERN__INLINE void tern__request_enter_running(tern__ssession *ss, tern__request *request, bool fresh) {
    if (!fresh) {
        tern__request_set_state(request, TERN__REQUEST_RUNNING);
        return;
    }
    tern__store32(&request->state, TERN__REQUEST_RUNNING); /* also what tern__is_usual() reads with it */
    ss->n_running++;
}

/* The handler has not answered yet: what the request lies in stays, and counts whole, however little of it the request
 * is. So the next requests of this method are settled before their handlers run. */
void tern__request_pin(tern__request *request, const void *data);

static inline bool tern__method_defers(const tern__engine *e, uint32_t method) {
    return e->deferring >> method % 64 & 1;
}

/* A request of one packet that is likely to outlive its handler is counted before that runs, and copied out of what it
 * came in if that is much more. Returns where it is now, or NULL: its peer may have no more held, or there is no
 * memory. */
const void *tern__request_settle(tern__request *request, const tern__arrived *msg);

/* A request that is whole at `msg` stays when its packet goes, and counts. False: as above. */
bool tern__request_keep(tern__request *request, const tern__arrived *msg);

/* The handler of such a request has returned. Methods that answer at once again are not settled any more. */
static inline void tern__request_settled(tern__engine *e, bool running) {
    enum { PROMPT = 64 };
    e->n_prompt = running ? 0 : e->n_prompt + 1;
    if (e->n_prompt >= PROMPT && !e->takes_turns) e->deferring = e->n_prompt = 0;
}

/* The request is whole, at msg, and its handler runs. timed: it may have a deadline. */
static TERN__INLINE void tern__request_run(tern__engine *e, tern__ssession *ss, tern__request *request,
                                           const tern__arrived *msg, bool fresh, bool timed, bool reliable,
                                           tern_time now) {
    tern__request_enter_running(ss, request, fresh);
    request->user = NULL;
    request->arrived = now;
    e->stats.calls_served++;
    e->config.callbacks.on_request(e->config.user, request, request->method, msg);
    if (request->state != TERN__REQUEST_RUNNING)
        return; /* a record given back stays what it was until the next packet */
    if (request->is_transient) tern__server_attach(request);
    if (!request->charged_bytes) tern__request_pin(request, msg->data);
    if (timed && request->deadline != TERN__NEVER) tern__timer_lower(&ss->s, request->deadline);
    if (!reliable) tern__timer_lower(&ss->s, now + (tern_time)tern__client_quiet(e));
}

/* How long the server has held the answer back. */
static inline uint32_t tern__held_ns(const tern__request *request, tern_time now) {
    tern_time held = now - request->arrived;
    return held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}

/* Nothing of the request will be asked for again: it is DONE, and gives back all that it holds, its record too.
 * running: its state was RUNNING, and it is no orphan. transient: the record is no slot's, and holds nothing. */
static TERN__INLINE void tern__request_finish(tern__request *request, bool running, bool transient) {
    tern__ssession *ss = request->session;
    if (running) {
        request->state = TERN__REQUEST_DONE;
        ss->n_running--;
    } else {
        tern__request_set_state(request, TERN__REQUEST_DONE);
    }
    if (transient) return;
    if (request->buffer) tern__request_release(request);
    if (request->out) tern__request_release_response(request);
    request->abandoned = request->cr_pending = false;
    request->n_marked = 0;
    tern__server_give(ss, request);
}

/* RESPONDED, and nobody will ask again: the record is like one without a request. */
static inline void tern__request_let_go(tern__engine *e, tern__request *request) {
    tern__request_unkeep_response(e, request);
    request->state = TERN__REQUEST_NONE;
}

/* The response stands, as request->out or as a status alone, and is RESPONDED as long as it may be asked for. Only now
 * the request goes: the response may have aliased it. running: as above. */
static TERN__INLINE void tern__request_respond(tern__engine *e, tern__request *request, bool running) {
    if (request->buffer) tern__request_release(request);
    if (running) {
        request->state = TERN__REQUEST_RESPONDED;
        request->session->n_running--;
    } else {
        tern__request_set_state(request, TERN__REQUEST_RESPONDED);
    }
    request->cr_pending = false;
    if (request->out) tern__request_keep_response(e, request);
}

/* A response that is short enough is kept apart from its request (tern__cached_reply): the caller has filled the slot's
 * answer, which is what the client gets from now on, however often it asks. */
static TERN__INLINE void tern__request_keep_cached_reply(tern__request *request, bool running, bool transient) {
    request->session->has_reply |= (uint8_t)(1u << request->slot);
    tern__request_finish(request, running, transient);
}

#endif

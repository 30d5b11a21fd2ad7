/* The memory of a request at the server, and those transitions of a request that only the general way makes (request.h
 * says what the two ways are). */
#include "engine/request.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/arriving.h"
#include "engine/peers.h"
#include "engine/placement.h"
#include "engine/tracing.h"
#include "engine/turns.h"
#include "mem/pool.h"

static void set_state(tern__ssession *ss, tern__request *request, uint8_t state) {
    tern__engine *e = ss->s.engine;
    if (e->delayed_ack == request) e->delayed_ack = NULL;
    if (request->state == TERN__REQUEST_RECEIVING) tern__list_remove(&request->node);
    if (request->state == TERN__REQUEST_WAITING) tern__turns_leave(request);
    if (state == TERN__REQUEST_RECEIVING) tern__list_append(&ss->s.cold->peer->receiving, &request->node);
    if (state == TERN__REQUEST_WAITING) tern__turns_enter(request);
    enum { COUNTED = 1u << TERN__REQUEST_RECEIVING | 1u << TERN__REQUEST_WAITING | 1u << TERN__REQUEST_RUNNING };
    if (!request->orphan)
        ss->n_running = (uint8_t)(ss->n_running + (COUNTED >> state & 1) - (COUNTED >> request->state & 1));
    if (request->admitted && state != TERN__REQUEST_RUNNING) tern__admission_leave(request);
    tern__trace_request(request, state);
    request->state = state;
}

void tern__request_set_state(tern__request *request, uint8_t state) { set_state(request->session, request, state); }

void tern__request_release(tern__request *request) {
    if (request->charged_bytes) tern__placement_forget(request->session->s.link, request->buffer);
    if (request->lent)
        tern__loan_unref((tern_loan *)(uintptr_t)request->buffer);
    else
        tern_unref(request->buffer);
    request->lent = false;
    request->buffer = NULL;
    if (request->charged_bytes) tern__uncharge(&request->session->s, request->charged_bytes);
    request->charged_bytes = 0;
}

void tern__request_forget(tern__request *request) {
    if (request->buffer) tern__request_release(request);
    tern__request_release_response(request);
    if (request->state == TERN__REQUEST_RECEIVING || request->state == TERN__REQUEST_WAITING) {
        set_state(request->session, request, TERN__REQUEST_NONE);
        return;
    }
    tern__trace_request(request, TERN__REQUEST_NONE); /* it has not counted as running */
    request->state = TERN__REQUEST_NONE;
}

bool tern__server_make_request(tern__engine *e) {
    tern__request *request = tern__slab_take(&e->kinds.requests);
    if (!request) return false;
    *request = (tern__request){.user = e->spare_requests};
    tern__list_init(&request->node);
    e->spare_requests = request;
    return true;
}

/* ---- Put together --------------------------------------------------------------------------------- */

/* Whether the peer may have us hold so much. While half of all is free, nobody needs to be asked. */
static bool has_room(tern__session *s, uint64_t bytes) {
    const tern__engine *e = s->engine;
    if (e->held < e->config.max_rx_bytes / 2) return true;
    bool fits = tern__charge(s, bytes);
    if (fits) tern__uncharge(s, bytes);
    return fits;
}

/* A buffer for a request that is here. It counts from when the handler has returned without an answer
 * (tern__request_pin), so that calls that end at once touch no account. */
static void *make_whole(tern__session *s, uint32_t size, bool shared) {
    if (!has_room(s, tern__buffer_bytes(size))) return NULL;
    return shared ? tern_alloc(size) : tern_alloc_private(size);
}

/* What the request's method asks for. */
static inline uint32_t wishes_of(const tern__engine *e, const tern__request *request) {
    return e->wishes ? e->wishes(e->config.user, request->method) : 0;
}

/* What stays with the peer counts as if it were here: a packet of the request that has come. */
static bool charge_packet(tern__request *request, const tern__rx_packet *pkt, uint32_t header_bytes) {
    uint32_t bytes = (uint32_t)tern__payload_bytes(pkt, header_bytes);
    if (!tern__charge(&request->session->s, bytes)) return false;
    request->charged_bytes += bytes;
    return true;
}

static bool make_loan(tern__request *request, const tern__rx_packet *pkt, uint32_t header_bytes) {
    if (!charge_packet(request, pkt, header_bytes)) return false;
    request->buffer = tern__loan_begin(pkt, header_bytes, request->meta_bytes, request->n_pkts);
    request->lent = request->buffer;
    if (request->buffer) return true;
    tern__uncharge(&request->session->s, request->charged_bytes);
    request->charged_bytes = 0;
    return false;
}

bool tern__request_open(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes) {
    tern__session *s = &request->session->s;
    uint32_t wishes = wishes_of(s->engine, request);
    bool shared = wishes & TERN_METHOD_RECEIVE_SHARED, whole = request->n_pkts == 1;
    if (wishes & TERN_METHOD_BORROW && s->link->reliable && h->pkt == 0 && make_loan(request, pkt, header_bytes))
        return true;
    bool alone = request->session->n_running == 0; /* the request does not count yet */
    uint64_t come = h->pkt ? 0 : tern__payload_bytes(pkt, header_bytes);
    uint8_t *buffer = whole ? make_whole(s, request->size, shared)
                            : tern__arriving_new(s, come, request->size, alone, shared, &request->charged_bytes);
    if (!buffer) return false;
    request->buffer = buffer;
    if (whole) tern__payload_copy(pkt, header_bytes, buffer);
    return true;
}

/* On a reliable link packets come in their order. */
static bool lend_packet(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes) {
    tern_loan *loan = (tern_loan *)(uintptr_t)request->buffer;
    bool last = h->pkt + 1 == request->n_pkts;
    if (h->pkt != request->base || (h->pkt && !charge_packet(request, pkt, header_bytes))) return false;
    if (h->pkt && !tern__loan_add(loan, pkt, header_bytes, last)) return false;
    request->base++;
    return true;
}

bool tern__request_may_put(const tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes) {
    enum { AHEAD = 4 }; /* times what has come, as far as buffers grow (arriving.h) */
    uint64_t bytes = tern__payload_bytes(pkt, header_bytes), reach = (uint64_t)h->pkt * request->cut + bytes;
    if (request->lent || reach <= request->charged_bytes) return true;
    uint64_t n_before = request->base + (uint32_t)__builtin_popcountll(request->mask);
    return reach <= AHEAD * (n_before * request->cut + bytes);
}

bool tern__request_put(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                       uint32_t header_bytes) {
    request->asked_at = request->session->s.engine->now;
    if (request->lent) return lend_packet(request, pkt, h, header_bytes);
    tern__session *s = &request->session->s;
    uint8_t *held = (uint8_t *)(uintptr_t)request->buffer;
    size_t at = (size_t)h->pkt * request->cut;
    size_t reach = at + tern__payload_bytes(pkt, header_bytes);
    if (!tern__arriving_reach(s, &held, reach, request->size, &request->charged_bytes)) return false;
    request->buffer = held;
    tern__payload_copy(pkt, header_bytes, held + at);
    request->mask |= 1ull << (h->pkt - request->base);
    uint32_t n_front = ~request->mask ? (uint32_t)__builtin_ctzll(~request->mask) : 64;
    request->mask = n_front < 64 ? request->mask >> n_front : 0;
    request->base += n_front;
    if (!request->mask && request->base == h->pkt + 1)
        tern__placement_expect(s, pkt, h, header_bytes, &held, request->size, &request->charged_bytes);
    else
        tern__placement_forget(s->link, held);
    request->buffer = held;
    return true;
}

void tern__request_pin(tern__request *request, const void *data) {
    size_t bytes = 0;
    if (!request->buffer && !tern_ref(data)) request->buffer = data;
    if (request->lent || !request->buffer || !tern_recover(request->buffer, &bytes)) return;
    request->charged_bytes = (uint32_t)bytes;
    tern__charge_taken(&request->session->s, bytes);
    if (request->n_pkts == 1) request->session->s.engine->deferring |= 1ull << request->method % 64;
}

/* Who holds little has room for what is here, also when others hold all that there is and give nothing. */
static bool charge_whole(tern__session *s, uint64_t bytes) {
    if (tern__charge(s, bytes) || tern__charge_taken(s, bytes)) return true;
    tern__uncharge(s, bytes);
    return false;
}

/* The request, which lies in so much room of ours, or 0: in a port's, is the record's. NULL: there is no room. */
static const void *keep(tern__request *request, const tern__arrived *msg, size_t room) {
    enum { MUCH = 8 }; /* times what the request takes */
    tern__session *s = &request->session->s;
    size_t len = msg->len ? msg->len : 1;
    bool apart = !room || len <= room / MUCH;
    uint64_t bytes = apart ? tern__buffer_bytes(len) : room;
    if (!charge_whole(s, bytes)) return NULL;
    bool shared = wishes_of(s->engine, request) & TERN_METHOD_RECEIVE_SHARED;
    void *copy = !apart ? NULL : shared ? tern_alloc(len) : tern_alloc_private(len);
    if (apart ? !copy : tern_ref(msg->data) != 0) {
        tern__uncharge(s, bytes);
        return NULL;
    }
    request->charged_bytes = (uint32_t)bytes;
    request->buffer = apart ? memcpy(copy, msg->data, msg->len) : msg->data;
    return request->buffer;
}

const void *tern__request_settle(tern__request *request, const tern__arrived *msg) {
    size_t room = 0;
    return tern_recover(msg->data, &room) ? keep(request, msg, room) : msg->data;
}

bool tern__request_keep(tern__request *request, const tern__arrived *msg) {
    tern__session *s = &request->session->s;
    size_t room = 0;
    if (!request->buffer) return keep(request, msg, tern_recover(msg->data, &room) ? room : 0);
    if (request->charged_bytes || request->lent || !tern_recover(request->buffer, &room)) return true;
    if (!charge_whole(s, room)) return false;
    request->charged_bytes = (uint32_t)room;
    return true;
}

const void *tern__request_copy(tern__request *request, const tern__arrived *msg) {
    if (!request->buffer && msg->len && (request->buffer = tern_alloc_private(msg->len)) != NULL)
        return memcpy((void *)(uintptr_t)request->buffer, msg->data, msg->len);
    return msg->data;
}

void tern__server_attach(tern__request *request) {
    tern__ssession *ss = request->session;
    tern__engine *e = ss->s.engine;
    for (uint32_t i = 0; i < TERN__N_TRANSIENT; i++)
        if (e->transient[i] == request) e->transient[i] = NULL;
    request->is_transient = false;
    tern__server_enter(ss, request->slot, request);
}

void tern__server_trim_spares(tern__engine *e, uint32_t n_kept) {
    for (uint32_t i = 0; i < TERN__N_TRANSIENT && !n_kept; i++) {
        tern__slab_give(e->transient[i]);
        e->transient[i] = NULL;
    }
    tern__request *request = e->spare_requests, *last = NULL;
    for (; request && n_kept; n_kept--) {
        last = request;
        request = request->user;
    }
    if (last)
        last->user = NULL;
    else
        e->spare_requests = NULL;
    while (request) {
        tern__request *next = request->user;
        tern__slab_give(request);
        request = next;
    }
}

/* The memory of a request at the server, and its transitions that are no part of the short way (request.h). */
#include "engine/request.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/placement.h"
#include "engine/tracing.h"
#include "mem/pool.h"

static void set_state(tern__ssession *ss, tern__request *request, uint8_t state) {
    tern__engine *e = ss->s.engine;
    if (e->delayed_ack == request) e->delayed_ack = NULL;
    enum { COUNTED = 1u << TERN__REQUEST_RECEIVING | 1u << TERN__REQUEST_RUNNING };
    if (!request->orphan)
        ss->n_running = (uint8_t)(ss->n_running + (COUNTED >> state & 1) - (COUNTED >> request->state & 1));
    if (request->admitted && state != TERN__REQUEST_RUNNING) tern__admission_leave(request);
    tern__trace_request(request, state);
    request->state = state;
}

void tern__request_set_state(tern__request *request, uint8_t state) { set_state(request->session, request, state); }

static inline void release_request(tern__engine *e, tern__request *request) {
    if (request->charged_bytes) tern__placement_forget(request->session->s.link, request->buffer);
    if (request->lent)
        tern__loan_unref((tern_loan *)(uintptr_t)request->buffer);
    else
        tern_unref(request->buffer);
    request->lent = false;
    request->buffer = NULL;
    tern__engine_uncharge(e, request->charged_bytes);
    request->charged_bytes = 0;
}

void tern__request_release(tern__request *request) { release_request(request->session->s.engine, request); }

void tern__request_forget(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    if (request->buffer) release_request(e, request);
    tern__request_release_response(request);
    if (request->state == TERN__REQUEST_RECEIVING) {
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

static __attribute__((noinline)) uint8_t *alloc_shared(uint32_t size, bool whole) {
    return whole ? tern_alloc(size) : tern__sparse_alloc_shared(size);
}

/* A buffer, on the account. whole: the request is here; else the buffer gets memory as packets come. */
static bool make_buffer(tern__engine *e, tern__request *request, bool shared, bool whole) {
    uint32_t size = request->size;
    if (!tern__engine_charge(e, size)) return false;
    uint8_t *buffer = shared ? alloc_shared(size, whole) : whole ? tern_alloc_private(size) : tern__sparse_alloc(size);
    if (!buffer) {
        tern__engine_uncharge(e, size);
        return false;
    }
    request->charged_bytes = size;
    request->buffer = buffer;
    return true;
}

/* What the request's method asks for. */
static inline uint32_t wishes_of(const tern__engine *e, const tern__request *request) {
    return e->wishes ? e->wishes(e->config.user, request->method) : 0;
}

/* What stays with the peer counts as if it were here. */
static bool make_loan(tern__engine *e, tern__request *request, const tern__rx_packet *pkt, uint32_t header_bytes) {
    if (!tern__engine_charge(e, request->size)) return false;
    request->buffer = tern__loan_begin(pkt, header_bytes, request->meta_bytes, request->n_pkts);
    if (!request->buffer) {
        tern__engine_uncharge(e, request->size);
        return false;
    }
    request->charged_bytes = request->size;
    request->lent = true;
    return true;
}

bool tern__request_open(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes) {
    const tern__ssession *ss = request->session;
    tern__engine *e = ss->s.engine;
    uint32_t wishes = wishes_of(e, request);
    bool whole = request->n_pkts == 1;
    if (wishes & TERN_METHOD_BORROW && ss->s.link->reliable && h->pkt == 0 && make_loan(e, request, pkt, header_bytes))
        return true;
    if (!make_buffer(e, request, wishes & TERN_METHOD_RECEIVE_SHARED, whole)) return false;
    if (whole) tern__payload_copy(pkt, header_bytes, (uint8_t *)(uintptr_t)request->buffer);
    return true;
}

/* On a reliable link packets come in their order. */
static bool lend_packet(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes) {
    tern_loan *loan = (tern_loan *)(uintptr_t)request->buffer;
    bool last = h->pkt + 1 == request->n_pkts;
    if (h->pkt != request->base || (h->pkt && !tern__loan_add(loan, pkt, header_bytes, last))) return false;
    request->base++;
    return true;
}

bool tern__request_put(tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                       uint32_t header_bytes) {
    if (request->lent) return lend_packet(request, pkt, h, header_bytes);
    tern__session *s = &request->session->s;
    uint8_t *held = (uint8_t *)(uintptr_t)request->buffer;
    size_t at = (size_t)h->pkt * request->cut;
    if (!tern__sparse_reach(held, at + tern__payload_bytes(pkt, header_bytes), request->size)) return false;
    tern__payload_copy(pkt, header_bytes, held + at);
    request->mask |= 1ull << (h->pkt - request->base);
    uint32_t n_front = ~request->mask ? (uint32_t)__builtin_ctzll(~request->mask) : 64;
    request->mask = n_front < 64 ? request->mask >> n_front : 0;
    request->base += n_front;
    if (!request->mask && request->base == h->pkt + 1)
        tern__placement_expect(s, pkt, h, header_bytes, held, request->size);
    else
        tern__placement_forget(s->link, request->buffer);
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

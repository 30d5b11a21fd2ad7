/* Two engines and the wire between them (loop.h). */
#include "loop.h"

#include "engine/engine_record.h"
#include "mem/poison.h"

uint64_t loop_live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static uint64_t next_random(void *user) {
    loop *l = user;
    uint64_t z = l->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t loop_random(loop *l, uint32_t below) { return (uint32_t)(next_random(l) % below); }

/* ---- The link ------------------------------------------------------------------------------------- */

/* Packets that are used again. Nobody may touch their bytes meanwhile, nor any beyond those that a packet has. */
static loop_packet *spares;

static loop_packet *packet_new(uint32_t inline_room, uint32_t pieces_room) {
    loop_packet *p = malloc(sizeof *p);
    if (!p) abort();
    *p = (loop_packet){.inline_room = inline_room,
                       .pieces_room = pieces_room,
                       .pieces = calloc(pieces_room + 1, sizeof *p->pieces),
                       .inlined = malloc(inline_room)};
    if (!p->pieces || !p->inlined) abort();
    tern__poison(p->inlined, inline_room);
    return p;
}

static void packet_delete(loop_packet *p) {
    tern__unpoison(p->inlined, p->inline_room);
    free(p->pieces);
    free(p->inlined);
    free(p);
}

static loop_packet *packet_make(const tern__link *link, uint32_t head_bytes, uint32_t max_pieces) {
    uint32_t room = link->max_inline > link->path->max_packet ? link->max_inline : link->path->max_packet;
    if (room < head_bytes) abort();
    loop_packet *p = spares;
    if (p) spares = p->next;
    if (p && (p->inline_room != room || p->pieces_room < max_pieces)) {
        packet_delete(p);
        p = NULL;
    }
    if (!p) p = packet_new(room, max_pieces);
    p->next = NULL;
    p->flushed = false;
    p->n_pieces = 0;
    p->max_pieces = max_pieces;
    p->n_inline = head_bytes;
    tern__unpoison(p->inlined, head_bytes);
    return p;
}

static void packet_free(loop_packet *p, bool refs) {
    for (uint32_t i = 0; refs && i < p->n_pieces; i++) tern_unref(p->pieces[i].data);
    tern__poison(p->inlined, p->inline_room);
    p->next = spares;
    spares = p;
}

static uint32_t tx_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                           uint32_t max_pieces, uint8_t **heads) {
    loop_side *side = (loop_side *)(void *)link;
    if (side->n_open) abort();
    if (max_pieces > link->max_posts) max_pieces = link->max_posts;
    for (; side->n_open < n && side->n_queued + side->n_open < side->capacity; side->n_open++) {
        side->open[side->n_open] = packet_make(link, head_bytes, max_pieces);
        side->open[side->n_open]->to = *route;
        heads[side->n_open] = side->open[side->n_open]->inlined;
    }
    return side->n_open;
}

static int tx_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    loop_side *side = (loop_side *)(void *)link;
    loop_packet *p = side->open[i];
    if (i >= side->n_open || p->n_pieces == p->max_pieces) abort();
    if (link->holds_refs) {
        if (!tern_in_pool(data)) abort();
        if (tern_ref(data)) return TERN_ERR_INVALID;
    }
    p->pieces[p->n_pieces++] = (tern__span){data, len};
    return 0;
}

static void enqueue(loop_side *side, loop_packet *p) {
    uint32_t bytes = p->n_inline;
    for (uint32_t i = 0; i < p->n_pieces; i++) bytes += p->pieces[i].len;
    if (bytes > side->link.path->max_packet) abort();
    side->link.sent.packets++;
    side->link.sent.bytes += bytes;
    if (side->last)
        side->last->next = p;
    else
        side->first = p;
    side->last = p;
    side->n_queued++;
}

static void tx_commit(tern__link *link, uint32_t n) {
    loop_side *side = (loop_side *)(void *)link;
    if (n > side->n_open) abort();
    for (uint32_t i = 0; i < side->n_open; i++) {
        if (i < n)
            enqueue(side, side->open[i]);
        else
            packet_free(side->open[i], link->holds_refs);
    }
    side->n_open = 0;
}

static void tx_flush(tern__link *link) {
    loop_side *side = (loop_side *)(void *)link;
    for (loop_packet *p = side->first; p; p = p->next) {
        if (p->flushed || link->holds_refs) continue;
        p->flushed = true;
        for (uint32_t i = 0; i < p->n_pieces; i++) {
            tern__unpoison(p->inlined, p->n_inline + p->pieces[i].len);
            memcpy(p->inlined + p->n_inline, p->pieces[i].data, p->pieces[i].len);
            p->n_inline += p->pieces[i].len;
        }
        p->n_pieces = 0;
    }
}

/* The two sides are in network 0. */
static uint64_t network_of(tern__link *link, const tern__route *route) {
    (void)link;
    return route->bytes[3];
}

static const tern__link_ops ops = {
    .tx_reserve = tx_reserve, .tx_add = tx_add, .tx_commit = tx_commit, .tx_flush = tx_flush, .network = network_of};

static tern__route route_to(int side) { return (tern__route){.len = 1, .bytes = {(uint8_t)(side + 1)}}; }

static loop_packet *packet_at(const loop *l, int side, unsigned n) {
    loop_packet *p = l->side[side].first;
    for (; p && n; n--) p = p->next;
    return p;
}

static loop_packet *packet_take(loop *l, int side, unsigned n) {
    loop_side *s = &l->side[side];
    loop_packet *p = packet_at(l, side, n), *before = n ? packet_at(l, side, n - 1) : NULL;
    if (!p) return NULL;
    if (before)
        before->next = p->next;
    else
        s->first = p->next;
    if (s->last == p) s->last = before;
    s->n_queued--;
    return p;
}

static void hand_over(loop *l, int to, const loop_packet *p) {
    tern__rx_packet pkt = {.ecn_ce = l->marks,
                           .n = 1,
                           .head_len = p->n_inline,
                           .n_spans = p->n_pieces,
                           .spans = p->pieces,
                           .link = &l->side[to].link,
                           .route = route_to(!to)};
    uint8_t *head = tern_alloc(p->n_inline ? p->n_inline : 1);
    if (!head) return;
    memcpy(head, p->inlined, p->n_inline);
    pkt.head = head;
    if (!l->side[to].engine) {
        tern_unref(head);
        return;
    }
    for (uint32_t i = 0; i < p->n_pieces; i++) pkt.spans_len += p->pieces[i].len;
    l->n_handed++;
    tern__engine_rx(l->side[to].engine, &pkt, 1, l->now);
    tern_unref(head);
}

bool loop_deliver(loop *l, int side, unsigned n) {
    l->side[side].link.ops->tx_flush(&l->side[side].link);
    loop_packet *p = packet_take(l, side, n);
    if (!p) return false;
    hand_over(l, !side, p);
    packet_free(p, l->side[side].link.holds_refs);
    return true;
}

unsigned loop_deliver_batch(loop *l, int side, unsigned n) {
    l->side[side].link.ops->tx_flush(&l->side[side].link);
    const loop_packet *first = packet_at(l, side, 0);
    if (!first || !l->side[!side].engine) return 0;
    uint32_t len = first->n_inline, taken = 0;
    uint8_t *bytes = tern_alloc(n * len);
    for (; taken < n && packet_at(l, side, 0) && packet_at(l, side, 0)->n_inline == len; taken++) {
        loop_packet *p = packet_take(l, side, 0);
        memcpy(bytes + taken * len, p->inlined, len);
        packet_free(p, l->side[side].link.holds_refs);
    }
    tern__rx_packet pkt = {.ecn_ce = l->marks,
                           .head = bytes,
                           .head_len = len,
                           .n = taken,
                           .stride = len,
                           .link = &l->side[!side].link,
                           .route = route_to(side)};
    tern__engine_rx(l->side[!side].engine, &pkt, 1, l->now);
    tern_unref(bytes);
    return taken;
}

bool loop_repeat(loop *l, int side, unsigned n) {
    l->side[side].link.ops->tx_flush(&l->side[side].link);
    loop_packet *p = packet_at(l, side, n);
    if (p) hand_over(l, !side, p);
    return p != NULL;
}

bool loop_drop(loop *l, int side, unsigned n) {
    loop_packet *p = packet_take(l, side, n);
    if (p) packet_free(p, l->side[side].link.holds_refs);
    return p != NULL;
}

void loop_inject_from(loop *l, int to, const tern__route *from, const void *bytes, uint32_t len) {
    uint8_t *head = tern_alloc(len ? len : 1);
    memcpy(head, bytes, len);
    tern__rx_packet pkt = {.n = 1, .head = head, .head_len = len, .link = &l->side[to].link, .route = *from};
    tern__engine_rx(l->side[to].engine, &pkt, 1, l->now);
    tern_unref(head);
}

void loop_inject(loop *l, int to, const void *bytes, uint32_t len) {
    tern__route from = route_to(!to);
    loop_inject_from(l, to, &from, bytes, len);
}

uint8_t *loop_bytes(loop *l, int side, unsigned n, uint32_t *len) {
    l->side[side].link.ops->tx_flush(&l->side[side].link);
    loop_packet *p = packet_at(l, side, n);
    if (p) *len = p->n_inline;
    return p ? p->inlined : NULL;
}

const tern__route *loop_route(const loop *l, int side, unsigned n) {
    const loop_packet *p = packet_at(l, side, n);
    return p ? &p->to : NULL;
}

bool loop_peek(const loop *l, int side, unsigned n, tern__pkt_header *h) {
    const loop_packet *p = packet_at(l, side, n);
    uint64_t bytes = p ? p->n_inline : 0;
    for (uint32_t i = 0; p && i < p->n_pieces; i++) bytes += p->pieces[i].len;
    return p && tern__pkt_read(h, p->inlined, p->n_inline, bytes);
}

void loop_cut(tern__pkt_header *h, uint32_t cut) {
    bool message = (h->type == TERN__PKT_REQ || h->type == TERN__PKT_RESP) && !(h->flags & TERN__PKT_STREAM);
    if (!message || (h->pkt == 0 && tern__pkt_is_whole(h->size, cut))) return;
    h->flags |= TERN__PKT_MULTI;
    h->cut = cut;
}

void loop_tick(loop *l) {
    for (int i = 0; i < 2; i++)
        if (l->side[i].engine) {
            tern__engine_tick(l->side[i].engine, l->now);
            l->side[i].link.ops->tx_flush(&l->side[i].link);
        }
}

/* Lets time pass until what found its link full is tried again, if there is room now. False: nothing waits. */
static bool wait_for_retry(loop *l) {
    bool waits = false;
    for (int i = 0; i < 2; i++) {
        const tern__engine *e = l->side[i].engine;
        if (!e || l->side[i].n_queued >= l->side[i].capacity) continue;
        if (tern__list_empty(&e->stalled) && tern__list_empty(&e->waiting_control)) continue;
        if (l->now < e->stall_at) l->now = e->stall_at;
        waits = true;
    }
    return waits;
}

void loop_settle(loop *l) {
    do {
        loop_tick(l);
        while (loop_deliver(l, 0, 0) || loop_deliver(l, 1, 0)) continue;
        loop_tick(l);
    } while (l->side[0].first || l->side[1].first || wait_for_retry(l));
}

static bool move_some(loop *l, int side, unsigned trouble) {
    if (!l->side[side].first) return false;
    unsigned n = 0;
    if (trouble && loop_random(l, 100) < trouble) n = loop_random(l, l->side[side].n_queued);
    if (trouble && loop_random(l, 100) < trouble) return loop_drop(l, side, n);
    if (trouble && loop_random(l, 100) < trouble) return loop_repeat(l, side, n);
    return loop_deliver(l, side, n);
}

void loop_run(loop *l, tern_time until, unsigned drop) {
    while (l->now < until) {
        bool moved = move_some(l, 0, drop);
        moved |= move_some(l, 1, drop);
        loop_tick(l);
        if (moved) {
            l->now += 1000;
            continue;
        }
        tern_time due = until;
        for (int i = 0; i < 2; i++) {
            tern_time d = l->side[i].engine ? tern__engine_next_due(l->side[i].engine) : until;
            if (d < due) due = d;
        }
        l->now = due > l->now ? due : l->now + 1;
        loop_tick(l);
    }
}

/* ---- Client and server ---------------------------------------------------------------------------- */

/* It repeats itself after 256 bytes. */
static void fill(uint8_t *data, uint32_t len) {
    uint8_t pattern[256];
    for (uint32_t i = 0; i < sizeof pattern; i++) pattern[i] = (uint8_t)(i * 7 + len);
    for (uint32_t at = 0; at < len; at += sizeof pattern)
        memcpy(data + at, pattern, len - at < sizeof pattern ? len - at : sizeof pattern);
}

bool loop_is_pattern(const void *data, uint32_t len) {
    const uint8_t *p = data;
    for (uint32_t i = 0; i < len; i++)
        if (p[i] != (uint8_t)(i * 7 + len)) return false;
    return true;
}

static void on_request(void *user, tern__request *request, uint32_t method, const tern__arrived *msg) {
    loop *l = user;
    bool echoed = method == l->echoed && method;
    if (l->defer && l->n_served < LOOP_MAX_SERVED && !echoed) {
        l->request[l->n_served].request = request;
        l->request[l->n_served].method = method;
        l->request[l->n_served].len = (uint32_t)msg->len;
        l->request[l->n_served].data = msg->data;
        l->request[l->n_served].meta_bytes = msg->meta_bytes;
        l->request[l->n_served].format = (uint8_t)msg->format;
        l->request[l->n_served].gone = l->request[l->n_served].answered = false;
        l->request[l->n_served].why = 0;
        *tern__request_user(request) = &l->request[l->n_served++];
        return;
    }
    tern__body echo = {.data = msg->data, .len = msg->len};
    tern__behind behind = tern__body_behind(&echo, tern__arrived_begin(msg), msg->meta_bytes);
    if (msg->meta_bytes && (!l->reply || echoed))
        tern__engine_respond_behind(request, l->reply_status, &behind, l->now);
    else
        tern__engine_respond(request, l->reply_status, l->reply && !echoed ? l->reply : &echo, l->now);
}

static void on_gone(void *user, tern__request *request) {
    loop *l = user;
    for (unsigned i = 0; i < l->n_served; i++)
        if (l->request[i].request == request) l->request[i].gone = true;
    l->n_gone++;
    if (l->on_gone) l->on_gone(l);
}

static void on_abandoned(void *user, tern__request *request, int why) {
    loop *l = user;
    l->n_abandoned++;
    for (unsigned i = 0; i < l->n_served; i++) {
        if (l->request[i].request != request || l->request[i].answered || l->request[i].gone) continue;
        if (l->request[i].why) abort();
        l->request[i].why = why;
        if (!l->quits) continue;
        l->request[i].answered = true;
        tern__engine_respond(request, TERN_STATUS_CANCELLED, NULL, l->now);
        return;
    }
}

static void on_done(void *user, void *context, int status, const tern__arrived *msg) {
    loop *l = user;
    loop_call *call = context;
    l->n_done++;
    call->n_done++;
    call->status = status;
    call->not_run = tern__engine_has_not_run(l->side[0].engine);
    if (msg) {
        call->len = (uint32_t)msg->len;
        call->format = (uint8_t)msg->format;
        call->meta_bytes = msg->meta_bytes;
        free(call->data);
        call->data = malloc(msg->meta_bytes + msg->len + 1);
        if (msg->meta_bytes + msg->len) memcpy(call->data, tern__arrived_begin(msg), msg->meta_bytes + msg->len);
    }
    if (l->on_done) l->on_done(l, call);
}

static void on_answer(void *user, void *context, int status, const tern__arrived *msg) {
    if (status == TERN_STATUS_OK && !msg->meta_bytes) abort();
    on_done(user, context, status, msg->meta_bytes ? msg : NULL);
}

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event event) {
    loop *l = user;
    (void)session;
    if (session_user != l) abort();
    if (event == TERN__SESSION_UP)
        l->n_up++;
    else if (event == TERN__SESSION_DRAINING)
        l->n_draining++;
    else
        l->n_lost++;
}

int loop_request(loop *l, uint32_t len, tern_dur timeout) { return loop_request_behind(l, 0, len, timeout); }

int loop_request_behind(loop *l, uint32_t meta_bytes, uint32_t len, tern_dur timeout) {
    uint8_t *data = malloc(meta_bytes + len + 1), *block = data + len;
    fill(data, len);
    fill(block, meta_bytes);
    tern__body plain = {.data = data, .len = len};
    tern__behind behind = tern__body_behind(&plain, block, meta_bytes);
    loop_call *call = &l->calls[l->n_calls];
    memset(call, 0, sizeof *call);
    tern_time deadline = timeout ? l->now + (tern_time)timeout : 0;
    const tern__body *body = meta_bytes ? &behind.body : &plain;
    int err = tern__engine_request(l->session, 77, body, deadline, call, l->now);
    memset(data, 0xee, meta_bytes + len);
    free(data);
    return err ? err : (int)l->n_calls++;
}

void loop_init(loop *l, const loop_config *config) {
    memset(l, 0, sizeof *l);
    l->config = *config;
    tern_unref(tern_alloc(64));
    l->live_before = loop_live_buffers();
    l->now = 1000000;
    l->random = 42;
    for (int i = 0; i < 2; i++) {
        loop_side *side = &l->side[i];
        uint32_t max_packet = config->max_packet ? config->max_packet : 1024 + TERN__PKT_MAX_HEADER_BYTES;
        if (i == 1 && config->max_packet_server) max_packet = config->max_packet_server;
        side->loop = l;
        side->capacity = config->capacity ? config->capacity : 4096;
        side->path = (tern__path){.max_packet = max_packet, .max_posts = 2 + max_packet / 512, .threshold = 512};
        side->link = (tern__link){.ops = &ops,
                                  .path = &side->path,
                                  .max_inline = max_packet > 4096 ? max_packet : 4096,
                                  .max_posts = 2 + max_packet / 512,
                                  .ecn = i ? config->ecn_server : config->ecn,
                                  .reliable = config->reliable,
                                  .holds_refs = config->reliable};
        loop_start(l, i);
    }
}

void loop_start(loop *l, int side) {
    tern__engine_config engine = l->config.engine;
    engine.callbacks = (tern__engine_callbacks){on_request, on_gone, on_done, on_session, on_abandoned, on_answer};
    engine.user = l;
    engine.random = next_random;
    if (!engine.max_backlog) engine.max_backlog = 1024;
    if (tern__engine_new(&engine, &l->side[side].engine)) abort();
}

void loop_kill(loop *l, int side) {
    tern__engine_free(l->side[side].engine, l->now);
    l->side[side].engine = NULL;
    while (loop_drop(l, side, 0)) continue;
}

void loop_connect(loop *l) {
    tern__route to = route_to(1);
    CHECK_EQ(tern__engine_connect(l->side[0].engine, &l->side[0].link, &to, l, l->now, &l->session), 0);
    loop_settle(l);
    CHECK_EQ(l->n_up, 1);
    CHECK_EQ(tern__engine_session_state(l->session), TERN_SESSION_OPEN);
}

void loop_fini(loop *l) {
    for (int i = 0; i < 2; i++) loop_kill(l, i);
    for (unsigned i = 0; i < l->n_calls; i++) {
        free(l->calls[i].data);
        l->calls[i].data = NULL;
    }
    CHECK_EQ(loop_live_buffers(), l->live_before);
}

tern__engine_stats loop_stats(const loop *l, int side) {
    tern__engine_stats stats;
    tern__engine_get_stats(l->side[side].engine, &stats);
    tern__engine_add_sent(&stats, &l->side[side].link);
    return stats;
}

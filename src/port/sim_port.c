/* A node's port on the simulated network: packets are built in memory of exactly their size, so that a write past
 * their end is seen, and everything that link.h forbids a sender is counted in stats.misuse. */
#include "port/sim_port.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/factor.h"
#include "engine/packet.h"
#include "mem/poison.h"
#include "port/sim_batch.h"
#include "port/sim_keep.h"
#include "port/sim_net.h"

enum { GARBAGE = 0xa5, MAX_RUN = 64, MAX_RX = 16, MAX_GAP = 40, MAX_SPANS = 256, MIN_LINE_PACKET = 1 };

/* ---- The port's link ---------------------------------------------------------------------------- */

static struct sim_port *sim_of_link(tern__link *link) { return TERN__CONTAINER(link, struct sim_port, port.link); }

/* A packet to dst with a head of so many bytes; NULL when memory is out. */
static struct packet *reserve_one(struct sim_port *port, uint32_t dst, uint32_t head_bytes, uint32_t max_pieces) {
    struct packet *p = tern__sim_packet_new(port->sim, max_pieces);
    if (!p) return NULL;
    p->head = malloc(head_bytes);
    if (!p->head) {
        tern__sim_packet_free(port->sim, p);
        return NULL;
    }
    memset(p->head, GARBAGE, head_bytes);
    p->src = port->node;
    p->dst = dst;
    p->len = p->head_len = head_bytes;
    p->max_pieces = max_pieces;
    return p;
}

/* How many places there are this time: as many as wanted, or fewer. A ring takes no more than it has room for. */
static uint32_t places_reserved(struct sim_port *port, uint32_t dst, uint32_t n) {
    tern__sim *sim = port->sim;
    uint32_t room = sim->config.reliable ? tern__sim_port_room(port, dst) : UINT32_MAX;
    if (n > 1 && sim->config.batch_packets) n = 1 + (uint32_t)tern__rng_below(&sim->batch_rng, n);
    return n < room ? n : room;
}

static uint32_t sim_tx_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                               uint32_t max_pieces, uint8_t **heads) {
    struct sim_port *port = sim_of_link(link);
    tern__sim *sim = port->sim;
    uint32_t dst = tern__load32(route->bytes);
    if (port->n_building || n == 0 || n > TERN__TX_BATCH || head_bytes == 0 || head_bytes > link->max_inline ||
        route->len != 4 || dst >= sim->config.n_nodes) {
        sim->stats.misuse++;
        return 0;
    }
    tern__sim_run_close(port);
    tern__sim_lines_write(port, dst);
    tern__sim_lines_close(port, dst);
    if (sim->config.reliable && !tern__sim_route_open(port, dst)) return 0;
    if (max_pieces > link->max_posts) max_pieces = link->max_posts;
    n = places_reserved(port, dst, n);
    for (uint32_t i = 0; i < n; i++) {
        struct packet *p = reserve_one(port, dst, head_bytes, max_pieces);
        if (!p) break;
        port->building[port->n_building++] = p;
        heads[i] = p->head;
    }
    port->filling = 0;
    return port->n_building;
}

static uint32_t longest_packet(const tern__link *link) {
    const tern__path *path = link->path;
    return path->max_inplace > path->max_packet ? path->max_inplace : path->max_packet;
}

static int sim_tx_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    struct sim_port *port = sim_of_link(link);
    tern__sim *sim = port->sim;
    struct packet *p = i < port->n_building && i >= port->filling ? port->building[i] : NULL;
    if (!p || len == 0 || p->n_pieces == p->max_pieces || len > longest_packet(link) - p->len) {
        sim->stats.misuse++;
        return TERN_ERR_INVALID;
    }
    port->filling = i;
    struct piece piece = {data, len, NULL, 0};
    if (!tern__sim_piece_live(&piece)) return TERN_ERR_INVALID;
    if (sim->config.holds_refs && !tern_in_pool(data)) {
        piece.copy = malloc(len);
        if (!piece.copy) return TERN_ERR_NOMEM;
        memcpy(piece.copy, data, len);
        piece.data = piece.copy;
    } else if (sim->config.holds_refs && tern_ref(data) != 0) {
        return TERN_ERR_INVALID;
    }
    piece.hash = hash_bytes(0, piece.data, len);
    p->pieces[p->n_pieces++] = piece;
    p->len += len;
    return 0;
}

/* Only what goes in place but for a short head may be longer than other packets (tern__path.max_inplace). */
static bool is_length_right(const tern__link *link, const struct packet *p) {
    if (p->len <= link->path->max_packet) return true;
    uint32_t copied = p->head_len;
    for (uint32_t i = 0; i < p->n_pieces; i++)
        if (p->pieces[i].copy) copied += p->pieces[i].len;
    return p->len <= longest_packet(link) && copied <= TERN__SHORT_HEAD + TERN__PKT_MAX_HEADER_BYTES;
}

static void sim_tx_commit(tern__link *link, uint32_t n) {
    struct sim_port *port = sim_of_link(link);
    tern__sim *sim = port->sim;
    struct packet *last = NULL;
    if (n > port->n_building || !port->n_building) sim->stats.misuse++;
    for (uint32_t i = 0; i < port->n_building; i++) {
        struct packet *p = port->building[i];
        if (i >= n) {
            tern__sim_packet_free(sim, p);
            continue;
        }
        if (!is_length_right(link, p)) sim->stats.misuse++;
        link->sent.packets++;
        link->sent.bytes += p->len;
        tern__sim_port_end(port, p);
        last = p;
    }
    if (n > 1) sim->stats.batches_sent++;
    port->n_building = 0;
    if (last) tern__sim_run_follow(port, last);
}

static void sim_tx_flush(tern__link *link) {
    struct sim_port *port = sim_of_link(link);
    struct packet *p;
    tern__sim_run_close(port);
    tern__sim_lines_flush(port);
    while ((p = queue_pop(&port->ended))) tern__sim_uplink_take(port->sim, p);
}

/* ---- The port ----------------------------------------------------------------------------------- */

/* The packet's bytes, wherever they lie: eight at a time, of one stretch or two. */
static uint64_t hash_payload(uint64_t hash, const tern__rx_packet *rx) {
    uint8_t word[8];
    size_t n = 0;
    for (uint32_t i = 0; i <= rx->n_spans; i++) {
        const uint8_t *p = i ? rx->spans[i - 1].data : rx->head;
        size_t len = i ? rx->spans[i - 1].len : rx->head_len;
        for (; len && n; len--) { /* what an earlier stretch has left */
            word[n++] = *p++;
            if (n < sizeof word) continue;
            hash = hash_word(hash, word);
            n = 0;
        }
        for (; len >= sizeof word; p += sizeof word, len -= sizeof word) hash = hash_word(hash, p);
        if (len) memcpy(word, p, n = len);
    }
    return hash_bytes(hash, word, n);
}

static void hash_packet(tern__sim *sim, const struct packet *p, const tern__rx_packet *rx) {
    uint64_t where[3] = {sim->now, p->src, p->dst};
    sim->hash = hash_bytes(sim->hash, where, sizeof where);
    if (p->marked) sim->hash = hash_bytes(sim->hash, &p->marked, sizeof p->marked);
    sim->hash = hash_payload(sim->hash, rx);
}

/* A descriptor on its way to the receiver, and what it refers to. */
struct arrival {
    uint8_t *memory;
    bool fleeting; /* memory is malloc's, and not the pool's */
    struct packet *packets[MAX_RUN];
    uint32_t n, stride;
    bool lines; /* each packet lies in lines behind its length; else all are of one length */
    tern__span spans[MAX_SPANS];
};

/* Memory for a receive of exactly so many bytes: a read past its end is seen. Where the port only lends it, it is gone
 * after the receive. */
static uint8_t *receive_memory(struct sim_port *port, struct arrival *a, size_t bytes) {
    tern__sim *sim = port->sim;
    size_t cap;
    a->fleeting = sim->config.fleeting && tern__rng_below(&sim->batch_rng, 2);
    a->memory = a->fleeting ? malloc(bytes) : tern_alloc_private(bytes);
    if (!a->memory || a->fleeting || !tern_recover(a->memory, &cap)) return a->memory;
    memset(a->memory, GARBAGE, bytes);
    tern__poison(a->memory + bytes, cap - bytes);
    return a->memory;
}

static tern__rx_packet packet_from(struct sim_port *port, const struct packet *p, const struct arrival *a) {
    tern__rx_packet rx = {.n = a->n, .link = &port->port.link, .route = tern__sim_route(p->src)};
    rx.ecn_ce = p->marked && rx.link->ecn;
    rx.fleeting = a->fleeting;
    if (port->lines && !TERN__IS_OFF(RUNS)) rx.back = &port->lines[p->src].run;
    port->sim->stats.fleeting += a->fleeting;
    return rx;
}

/* A packet whose in-place pieces stay where they are. False when there is no memory for it. */
static bool arrive_spans(struct sim_port *port, struct arrival *a, tern__rx_packet *rx) {
    tern__sim *sim = port->sim;
    struct packet *p = a->packets[0];
    uint8_t *head = receive_memory(port, a, p->head_len);
    if (!head) return false;
    memcpy(head, p->head, p->head_len);
    *rx = packet_from(port, p, a);
    rx->head = head;
    rx->head_len = p->head_len;
    for (uint32_t i = 0; i < p->n_pieces; i++) {
        tern__sim_piece_check(sim, &p->pieces[i]);
        a->spans[i] = (tern__span){p->pieces[i].data, p->pieces[i].len};
    }
    rx->spans = a->spans;
    rx->n_spans = p->n_pieces;
    rx->spans_len = p->len - p->head_len;
    sim->stats.inplace_pieces += p->n_pieces;
    hash_packet(sim, p, rx);
    return true;
}

static bool has_spans(const struct sim_port *port, const struct packet *p) {
    return port->sim->config.spans && p->n_pieces > 0 && p->n_pieces <= MAX_SPANS;
}

/* Whether a packet comes in lines, as from a run of them. */
static bool has_lines(const struct sim_port *port, const struct packet *p) {
    return port->lines && !port->sim->config.packed && !TERN__IS_OFF(RUNS) && p->len >= MIN_LINE_PACKET &&
           p->len <= TERN__RUN_MAX_PACKET;
}

/* Whether p may follow the first of a run. */
static bool goes_with(const struct sim_port *port, const struct packet *p, const struct packet *first) {
    if (p->loss_marker || p->src != first->src || p->marked != first->marked || has_spans(port, p)) return false;
    if (port->sim->config.reliable && tern__sim_packet_stale(port->sim, p)) return false;
    return has_lines(port, first) ? has_lines(port, p) : p->len == first->len;
}

/* How many packets may be handed over at once, this time. */
static uint32_t run_length(struct sim_port *port, uint32_t budget) {
    tern__sim *sim = port->sim;
    bool is_off = sim->config.reliable ? TERN__IS_OFF(RUNS) : TERN__IS_OFF(COALESCING);
    if (is_off || !sim->config.batch_packets) return 1;
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->rx_rng, sim->config.batch_packets);
    if (n > MAX_RUN) n = MAX_RUN;
    return n < budget ? n : budget;
}

/* The first packet, and of those that wait behind it all that go with it; gathered. */
static void collect(struct sim_port *port, struct arrival *a, uint32_t budget) {
    tern__sim *sim = port->sim;
    struct queue *rx = &sim->nodes[port->node].rx;
    struct packet *first = a->packets[0];
    uint32_t most = run_length(port, budget);
    for (a->n = 1; a->n < most; a->n++) {
        if (!rx->first || !goes_with(port, rx->first, first) || !tern__sim_packet_gather(sim, rx->first)) break;
        a->packets[a->n] = queue_pop(rx);
    }
    a->lines = has_lines(port, first);
    a->stride = a->lines ? TERN__RUN_LINE_BYTES : first->len;
    if (!a->lines && a->n > 1) a->stride += (uint32_t)tern__rng_below(&sim->rx_rng, MAX_GAP);
}

/* The packets of an arrival wait again. */
static void put_back(struct sim_port *port, struct arrival *a) {
    while (a->n > 0) queue_unpop(&port->sim->nodes[port->node].rx, a->packets[--a->n]);
}

static size_t arrival_bytes(const struct arrival *a) {
    if (!a->lines) return (size_t)(a->n - 1) * a->stride + a->packets[0]->len;
    size_t bytes = 0;
    for (uint32_t i = 0; i < a->n; i++) bytes += tern__run_lines_bytes(a->packets[i]->len);
    return bytes;
}

/* The packets into memory: side by side, or each in its lines, behind its length. */
static void lay_out(const struct arrival *a, tern__rx_packet *rx) {
    uint8_t *memory = a->memory;
    uint32_t before = a->lines ? TERN__RUN_LENGTH_BYTES : 0;
    rx->head = memory + before;
    rx->head_len = a->lines ? 0 : a->packets[0]->len;
    rx->stride = a->stride;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct packet *p = a->packets[i];
        if (a->lines) {
            if (tern__run_lines_bytes(p->len) > TERN__RUN_LINE_BYTES || p->len < TERN__RUN_LINE_LEAST) rx->stride = 0;
            tern__store64(memory, p->len);
            rx->lines_bytes += p->len;
        }
        memcpy(memory + before, p->gathered, p->len);
        memory += a->lines ? tern__run_lines_bytes(p->len) : a->stride;
    }
}

static bool arrive_run(struct sim_port *port, struct arrival *a, uint32_t budget, tern__rx_packet *rx) {
    tern__sim *sim = port->sim;
    struct packet *first = a->packets[0];
    if (!tern__sim_packet_gather(sim, first)) return false;
    collect(port, a, budget);
    if (!receive_memory(port, a, arrival_bytes(a))) return false;
    *rx = packet_from(port, first, a);
    lay_out(a, rx);
    for (uint32_t i = 0; i < a->n; i++) {
        tern__rx_packet one = {.head = a->packets[i]->gathered, .head_len = a->packets[i]->len};
        hash_packet(sim, a->packets[i], &one);
    }
    if (a->lines) sim->stats.lines_rx_packets += a->n;
    if (a->n > 1) {
        sim->stats.runs++;
        sim->stats.run_packets += a->n;
    }
    return true;
}

/* A packet for the receiver, and with it some of those that wait behind it. False, and they wait again, when there is
 * no memory. */
static bool arrive_alone(struct sim_port *port, struct packet *p, uint32_t budget, struct arrival *a,
                         tern__rx_packet *rx) {
    a->packets[0] = p;
    a->n = 1;
    a->lines = false;
    if (has_spans(port, p) ? arrive_spans(port, a, rx) : arrive_run(port, a, budget, rx)) return true;
    put_back(port, a);
    return false;
}

/* ---- Direct placement --------------------------------------------------------------------------- */

static void sim_rx_expect(tern__link *link, const tern__expected *expected) {
    struct sim_port *port = sim_of_link(link);
    tern__placements *table = &port->placements;
    uint64_t n_replaced = table->n_replaced, n_refused = table->n_refused;
    bool is_sane = expected->to && expected->len && expected->payload_bytes &&
                   expected->header_bytes <= TERN__EXPECTED_MAX_HEADER &&
                   expected->pkt_at + sizeof(uint32_t) <= expected->header_bytes;
    if (!is_sane || tern_refcount(expected->to) == 0) {
        port->sim->stats.misuse++;
        return;
    }
    tern__placements_expect(table, expected);
    port->sim->stats.placements_replaced += table->n_replaced - n_replaced;
    port->sim->stats.placements_refused += table->n_refused - n_refused;
}

static void sim_rx_forget(tern__link *link, const void *message) {
    tern__placements_forget(&sim_of_link(link)->placements, message);
}

/* Whether this is the next packet of the message, and has its length. */
static bool is_next_whole(const tern__expected *expected, const tern__rx_packet *rx) {
    uint32_t len = expected->len < expected->payload_bytes ? expected->len : expected->payload_bytes;
    return rx->n == 1 && rx->head_len == expected->header_bytes + len && tern__route_eq(&rx->route, &expected->route) &&
           tern__expected_is_next(expected, rx->head, 0);
}

/* The message that the port receives this packet for: the right one if the port knows it, else any. */
static const tern__expected *choose_expected(struct sim_port *port, const tern__rx_packet *rx) {
    tern__sim *sim = port->sim;
    tern__placements *table = &port->placements;
    bool is_blind = sim->config.guesses && tern__rng_below(&sim->place_rng, 4) == 0;
    tern__placement *found = is_blind ? NULL : tern__placements_find(table, rx->head, rx->head_len);
    return found ? &found->expected : &table->items[tern__rng_below(&sim->place_rng, table->n)].expected;
}

/* As a port that receives packets where their message is put together: the payload of a packet that was expected goes
 * there, or else what some other packet's receive may leave there does. Every expected buffer has to be alive. */
static void place_payload(struct sim_port *port, tern__rx_packet *rx, struct arrival *arrival) {
    tern__placements *table = &port->placements;
    tern__span *span = arrival->spans;
    for (uint32_t i = 0; i < table->n; i++)
        if (tern_refcount(table->items[i].expected.to) == 0) port->sim->stats.misuse++;
    if (table->n == 0 || arrival->fleeting || rx->n_spans) return;
    const tern__expected *expected = choose_expected(port, rx);
    uint32_t len = expected->len < expected->payload_bytes ? expected->len : expected->payload_bytes;
    if (!is_next_whole(expected, rx)) {
        memset(expected->to, GARBAGE, len);
        port->sim->stats.misplaced++;
        return;
    }
    memcpy(expected->to, rx->head + expected->header_bytes, len);
    *span = (tern__span){expected->to, len};
    rx->head_len = expected->header_bytes;
    rx->spans = span;
    rx->n_spans = 1;
    rx->spans_len = len;
    port->sim->stats.placed++;
}

/* ---- Receiving ---------------------------------------------------------------------------------- */

static void arrival_end(struct sim_port *port, struct arrival *a) {
    if (a->fleeting)
        free(a->memory);
    else
        tern_unref(a->memory);
    for (uint32_t i = 0; i < a->n; i++) tern__sim_packet_end(port->sim, a->packets[i]);
}

static void take_loss(struct sim_port *port, struct packet *p) {
    struct pair *pair = &port->sim->nodes[p->dst].pairs[p->src];
    tern__route route = tern__sim_route(p->src);
    pair->marker = p;
    pair->marker_queued = false;
    if (port->env.route_lost) port->env.route_lost(port->env.ctx, &port->port.link, &route);
}

/* The next that arrives, if there is anything to hand over. False: nothing, or there is no memory for it. */
static bool next_arrival(struct sim_port *port, uint32_t budget, struct arrival *a, tern__rx_packet *rx) {
    tern__sim *sim = port->sim;
    struct queue *queue = &sim->nodes[port->node].rx;
    for (struct packet *p; (p = queue_pop(queue));) {
        if (sim->config.reliable && tern__sim_packet_stale(sim, p)) {
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        } else {
            if (arrive_alone(port, p, budget, a, rx)) return true;
            if (sim->config.reliable) return false;
            p = queue_pop(queue);
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        }
        if (queue->first && queue->first->loss_marker) return false;
    }
    return false;
}

/* How many descriptors are handed over at once, this time. On a reliable link, whose receiver may hang up on the
 * sender of the first and would not want the second, it is one. */
static uint32_t descriptors(struct sim_port *port) {
    tern__sim *sim = port->sim;
    if (!sim->config.batch_packets || sim->config.reliable) return 1;
    return 1 + (uint32_t)tern__rng_below(&sim->rx_rng, MAX_RX);
}

/* Returns how many packets were handed over. */
static uint32_t hand_over_arrivals(struct sim_port *port, uint32_t budget, tern__rx_fn *fn, void *ctx) {
    struct queue *queue = &port->sim->nodes[port->node].rx;
    tern__rx_packet rx[MAX_RX];
    struct arrival *arrivals = port->arrivals;
    uint32_t n = 0, n_packets = 0, most = descriptors(port);
    while (n < most && n_packets < budget && queue->first && !queue->first->loss_marker) {
        if (!next_arrival(port, budget - n_packets, &arrivals[n], &rx[n])) break;
        n_packets += arrivals[n++].n;
    }
    if (n == 1 && most == 1)
        place_payload(port, &rx[0], &arrivals[0]); /* of several the first changes what is expected */
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < arrivals[i].n; k++)
            tern__sim_tell(port->sim, arrivals[i].packets[k], TERN__SIM_DELIVERED);
    port->sim->stats.delivered += n_packets;
    if (n > 0) fn(ctx, rx, n);
    for (uint32_t i = 0; i < n; i++) arrival_end(port, &arrivals[i]);
    return n_packets;
}

/* A reliable link hands over one descriptor at a time. */
static bool sim_rx_keep(tern__link *link, const tern__rx_packet *rx, uint32_t i, tern__kept **kept) {
    struct sim_port *port = sim_of_link(link);
    const struct packet *p = port->arrivals[0].packets[0];
    if (rx->spans != port->arrivals[0].spans || i >= p->n_pieces || p->pieces[i].data != rx->spans[i].data)
        return false;
    return tern__sim_keep(port->sim, &p->pieces[i], kept);
}

static int sim_poll(tern__port *base, unsigned budget, tern__rx_fn *fn, void *ctx) {
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    tern__sim_kept_expire(port->sim);
    struct queue *rx = &port->sim->nodes[port->node].rx;
    uint32_t n = 0;
    while (!port->dead && n < budget && rx->first) {
        if (rx->first->loss_marker) {
            take_loss(port, queue_pop(rx));
            continue;
        }
        struct packet *first = rx->first;
        base->link.waited_ns = port->sim->now - first->delivered;
        uint32_t got = hand_over_arrivals(port, budget - n, fn, ctx);
        n += got;
        if (!got && rx->first == first) break; /* no memory: it waits */
    }
    return (int)n;
}

static int sim_fd(tern__port *base) {
    (void)base;
    return -1;
}

static bool sim_arm(tern__port *base) {
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    return port->sim->nodes[port->node].rx.first == NULL;
}

static int sim_listen(tern__port *base, const char *address, char *actual, size_t cap) {
    (void)address;
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    int len = snprintf(actual, cap, "sim://%u", port->node);
    return len >= 0 && (size_t)len < cap ? 0 : TERN_ERR_ADDRESS;
}

static int sim_connect(tern__port *base, const char *address, tern__route *out) {
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    uint64_t node = 0;
    size_t i = 0;
    for (; i < 10 && address[i] >= '0' && address[i] <= '9'; i++) node = node * 10 + (uint64_t)(address[i] - '0');
    if (i == 0 || address[i] != 0 || node >= port->sim->config.n_nodes) return TERN_ERR_ADDRESS;
    *out = tern__sim_route((uint32_t)node);
    return 0;
}

static void sim_disconnect(tern__port *base, const tern__route *route) {
    (void)base;
    (void)route;
}

void tern__sim_port_empty(struct sim_port *port) {
    tern__sim *sim = port->sim;
    struct node *node = &sim->nodes[port->node];
    struct packet *p;
    while (port->n_building) tern__sim_packet_free(sim, port->building[--port->n_building]);
    tern__sim_run_close(port);
    for (uint32_t i = 0; i < sim->config.n_nodes; i++) tern__sim_lines_close(port, i);
    while ((p = queue_pop(&port->ended))) tern__sim_packet_end(sim, p);
    while ((p = queue_pop(&node->rx))) {
        if (p->loss_marker) {
            node->pairs[p->src].marker = p;
            node->pairs[p->src].marker_queued = false;
        } else {
            tern__sim_packet_end(sim, p);
        }
    }
}

/* What was flushed still travels, as from a socket that is closed. */
static void sim_free(tern__port *base) {
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    struct node *node = &port->sim->nodes[port->node];
    for (uint32_t other = 0; other < port->sim->config.n_nodes; other++)
        tern__sim_lines_lose(port->sim, other, port->node);
    tern__sim_port_empty(port);
    node->port = NULL;
    node->rx_life++;
    tern__sim_routes_lose(port->sim, port->node, true);
    tern__sim_lines_fini(port);
    free(port->arrivals);
    free(port);
}

static const tern__link_ops link_ops = {.tx_reserve = sim_tx_reserve,
                                        .tx_add = sim_tx_add,
                                        .tx_commit = sim_tx_commit,
                                        .tx_flush = sim_tx_flush,
                                        .run = tern__sim_run_of,
                                        .tx_open = tern__sim_run_open,
                                        .rx_expect = sim_rx_expect,
                                        .rx_forget = sim_rx_forget,
                                        .rx_keep = sim_rx_keep};
static const tern__port_ops port_ops = {.poll = sim_poll,
                                        .fd = sim_fd,
                                        .arm = sim_arm,
                                        .listen = sim_listen,
                                        .connect = sim_connect,
                                        .disconnect = sim_disconnect,
                                        .free = sim_free};

int tern__sim_port_new(tern__sim *sim, uint32_t node, const tern__port_env *env, tern__port **out) {
    if (node >= sim->config.n_nodes) return TERN_ERR_INVALID;
    if (sim->nodes[node].port) return TERN_ERR_EXISTS;
    struct sim_port *port = calloc(1, sizeof *port);
    if (!port) return TERN_ERR_NOMEM;
    port->sim = sim;
    port->arrivals = malloc(MAX_RX * sizeof *port->arrivals);
    if (!port->arrivals || !tern__sim_lines_init(port)) {
        free(port->arrivals);
        free(port);
        return TERN_ERR_NOMEM;
    }
    uint32_t n_placements = sim->config.placements;
    port->placements.max = n_placements && n_placements < TERN__MAX_PLACEMENTS ? n_placements : TERN__MAX_PLACEMENTS;
    port->equal.kind = TERN__RUN_EQUAL;
    port->path = (tern__path){
        .max_packet = sim->config.max_packet,
        .max_inplace = sim->config.reliable ? sim->config.max_inplace : 0,
        .max_posts = 2 + sim->config.max_packet / 512,
        .threshold = sim->config.threshold,
        .rate_bps = sim->nodes[node].uplink.config.rate_bps,
    };
    port->port.link = (tern__link){
        .ops = &link_ops,
        .path = &port->path,
        .max_inline = sim->config.max_packet,
        .max_posts = 2 + sim->config.max_packet / 512,
        .reliable = sim->config.reliable,
        .holds_refs = sim->config.holds_refs,
        .ecn = sim->config.ecn,
        .expect_bytes = sim->config.spans ? UINT32_MAX : 0,
    };
    port->port.ops = &port_ops;
    port->port.name = "sim";
    port->env = *env;
    port->node = node;
    queue_init(&port->ended);
    sim->nodes[node].port = port;
    *out = &port->port;
    return 0;
}

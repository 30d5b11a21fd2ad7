/* A node's port on the simulated network: packets are built in memory of exactly their size, so that a write past
 * their end is seen, and everything that link.h forbids a sender is counted in stats.misuse. */
#include "base/factor.h"
#include "mem/poison.h"
#include "port/sim_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { GARBAGE = 0xa5, MAX_LUMP = 64, MAX_GAP = 40, MAX_SPANS = 256 };

/* ---- The port's link ---------------------------------------------------------------------------- */

static struct sim_port *port_of(tern__link *link) { return TERN__CONTAINER(link, struct sim_port, port.link); }

tern__route tern__sim_route(uint32_t node) {
    tern__route route = {.len = 4};
    tern__store32(route.bytes, node);
    return route;
}

uint32_t tern__sim_port_room(const struct sim_port *port, uint32_t dst) {
    uint32_t places = port->sim->config.ring_packets, n_on_way = port->sim->nodes[port->node].pairs[dst].n_on_way;
    if (!places) return UINT32_MAX;
    return n_on_way < places ? places - n_on_way : 0;
}

/* Whether a reliable link takes a packet to dst now. */
static bool route_open(struct sim_port *port, uint32_t dst) {
    tern__sim *sim = port->sim;
    if (!node_up(&sim->nodes[dst]) || tern__sim_path_of(sim, port->node, dst)->cut) return false;
    if (!tern__sim_route_use(sim, port->node, dst)) return false;
    const struct pair *pair = &sim->nodes[port->node].pairs[dst];
    if (pair->marker_queued) return false;
    if (tern__sim_port_room(port, dst) == 0) {
        sim->stats.ring_full++;
        return false;
    }
    return true;
}

static void *sim_tx_begin(tern__link *link, const tern__route *route, uint32_t n_bytes) {
    struct sim_port *port = port_of(link);
    tern__sim *sim = port->sim;
    uint32_t dst = tern__load32(route->bytes);
    if (port->building || n_bytes == 0 || n_bytes > link->max_inline || route->len != 4 || dst >= sim->config.n_nodes) {
        sim->stats.misuse++;
        return NULL;
    }
    tern__sim_row_close(port);
    tern__sim_lanes_write(port, dst);
    tern__sim_lane_close(port, dst);
    port->small_bytes = 0;
    if (sim->config.reliable && (port->dead || !route_open(port, dst))) return NULL;
    struct packet *p = tern__sim_packet_new(sim, link->max_posts);
    if (!p) return NULL;
    p->head = malloc(n_bytes);
    if (!p->head) {
        tern__sim_packet_free(sim, p);
        return NULL;
    }
    p->src = port->node;
    p->dst = dst;
    p->len = p->head_len = n_bytes;
    port->building = p;
    return p->head;
}

static int sim_tx_post(tern__link *link, const void *data, uint32_t len) {
    struct sim_port *port = port_of(link);
    tern__sim *sim = port->sim;
    struct packet *p = port->building;
    if (!p || len == 0 || p->n_pieces == link->max_posts || len > link->path->max_packet - p->len) {
        sim->stats.misuse++;
        return TERN_ERR_INVALID;
    }
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

static void sim_tx_end(tern__link *link) {
    struct sim_port *port = port_of(link);
    tern__sim *sim = port->sim;
    struct packet *p = port->building;
    port->building = NULL;
    if (!p || p->len > link->path->max_packet) sim->stats.misuse++;
    if (p) tern__sim_port_end(port, p);
}

void tern__sim_port_end(struct sim_port *port, struct packet *p) {
    tern__sim *sim = port->sim;
    p->may_be_marked = port->port.link.ecn;
    p->src_life = sim->nodes[p->src].tx_life;
    p->dst_life = sim->nodes[p->dst].rx_life;
    if (sim->config.reliable) {
        struct pair *pair = &sim->nodes[p->src].pairs[p->dst];
        p->route_life = pair->route_life;
        pair->n_on_way++;
    }
    queue_push(&port->ended, p);
}

static void sim_tx_abort(tern__link *link) {
    struct sim_port *port = port_of(link);
    if (port->building)
        tern__sim_packet_free(port->sim, port->building);
    else
        port->sim->stats.misuse++;
    port->building = NULL;
}

static void sim_tx_flush(tern__link *link) {
    struct sim_port *port = port_of(link);
    struct packet *p;
    tern__sim_row_close(port);
    tern__sim_lanes_flush(port);
    port->small_bytes = 0;
    while ((p = queue_pop(&port->ended))) tern__sim_uplink_take(port->sim, p);
}

/* ---- The port ----------------------------------------------------------------------------------- */

static void hash_packet(tern__sim *sim, const struct packet *p, const tern__rx_packet *rx) {
    uint64_t where[3] = {sim->now, p->src, p->dst};
    sim->hash = hash_bytes(sim->hash, where, sizeof where);
    if (p->marked) sim->hash = hash_bytes(sim->hash, &p->marked, sizeof p->marked);
    sim->hash = hash_bytes(sim->hash, rx->head, rx->head_len);
    for (uint32_t i = 0; i < rx->n_spans; i++) sim->hash = hash_bytes(sim->hash, rx->spans[i].data, rx->spans[i].len);
}

/* As a port that receives packets where their message is put together (tern__rx_ahead): if this is the one expected its
 * payload goes there, or else what some other packet's receive may leave there does. */
static void place(struct sim_port *port, tern__rx_packet *rx, tern__span *span) {
    const tern__rx_ahead *ahead = &port->port.link.ahead;
    if (!ahead->to) return;
    uint32_t len = ahead->len < ahead->payload_bytes ? ahead->len : ahead->payload_bytes;
    bool expected = !rx->n_more && !rx->lane && rx->head_len == ahead->header_bytes + len &&
                    tern__route_eq(&rx->route, &ahead->route) &&
                    memcmp(rx->head, ahead->start, sizeof ahead->start) == 0 &&
                    tern__load32(rx->head + sizeof ahead->start) == ahead->pkt;
    if (!expected) {
        memset(ahead->to, GARBAGE, len);
        port->sim->stats.misplaced++;
        return;
    }
    memcpy(ahead->to, rx->head + ahead->header_bytes, len);
    *span = (tern__span){ahead->to, len};
    rx->head_len = ahead->header_bytes;
    rx->spans = span;
    rx->n_spans = 1;
    rx->spans_len = len;
    port->sim->stats.placed++;
}

/* Memory for a receive of exactly so many bytes: a read past its end is seen. */
static uint8_t *receive_memory(size_t bytes) {
    size_t cap;
    uint8_t *memory = tern_alloc(bytes);
    if (!memory || !tern_recover(memory, &cap)) return memory;
    memset(memory, GARBAGE, bytes);
    tern__poison(memory + bytes, cap - bytes);
    return memory;
}

static tern__rx_packet packet_from(struct sim_port *port, const struct packet *p) {
    tern__rx_packet rx = {.link = &port->port.link, .route = tern__sim_route(p->src)};
    rx.ecn_ce = p->marked && rx.link->ecn;
    return rx;
}

/* Hand a packet over whose in-place pieces stay where they are. False when there is no memory for it. */
static bool hand_over_spans(struct sim_port *port, struct packet *p, tern__rx_fn *fn, void *ctx) {
    tern__sim *sim = port->sim;
    tern__span spans[MAX_SPANS];
    uint8_t *head = receive_memory(p->head_len);
    if (!head) return false;
    memcpy(head, p->head, p->head_len);
    tern__rx_packet rx = packet_from(port, p);
    rx.head = head;
    rx.head_len = p->head_len;
    for (uint32_t i = 0; i < p->n_pieces; i++) {
        tern__sim_piece_check(sim, &p->pieces[i]);
        spans[i] = (tern__span){p->pieces[i].data, p->pieces[i].len};
    }
    rx.spans = spans;
    rx.n_spans = p->n_pieces;
    rx.spans_len = p->len - p->head_len;
    sim->stats.inplace_pieces += p->n_pieces;
    sim->stats.delivered++;
    hash_packet(sim, p, &rx);
    tern__sim_tell(sim, p, TERN__SIM_DELIVERED);
    fn(ctx, &rx);
    tern_unref(head);
    return true;
}

/* Packets that are handed over together. */
struct lump {
    struct packet *packets[MAX_LUMP];
    uint32_t n, stride;
    const tern__lane *lane; /* NULL: all are of one length */
};

static bool has_spans(const struct sim_port *port, const struct packet *p) {
    return port->sim->config.spans && p->n_pieces > 0 && p->n_pieces <= MAX_SPANS;
}

/* Whether a packet comes in a place of 64 bytes, with the lane to its sender. */
static bool has_place(const struct sim_port *port, const struct packet *p) {
    return port->lanes && !TERN__IS_OFF(LANES) && p->len <= TERN__LANE_MAX_PACKET;
}

/* Whether p may follow the first of a lump. */
static bool goes_with(const struct sim_port *port, const struct packet *p, const struct packet *first) {
    if (p->loss_marker || p->src != first->src || p->marked != first->marked || has_spans(port, p)) return false;
    if (port->sim->config.reliable && tern__sim_packet_stale(port->sim, p)) return false;
    return p->len == first->len || (has_place(port, p) && has_place(port, first));
}

/* How many packets may be handed over at once, this time. */
static uint32_t lump_length(struct sim_port *port, uint32_t budget) {
    tern__sim *sim = port->sim;
    bool is_off = sim->config.reliable ? TERN__IS_OFF(LANES) : TERN__IS_OFF(COALESCING);
    if (is_off || !port->port.link.lumps || !sim->config.batch_packets) return 1;
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->lump_rng, sim->config.batch_packets);
    if (n > MAX_LUMP) n = MAX_LUMP;
    return n < budget ? n : budget;
}

/* The first packet, and of those that wait behind it all that go with it; gathered. */
static void collect(struct sim_port *port, struct lump *lump, uint32_t budget) {
    tern__sim *sim = port->sim;
    struct queue *rx = &sim->nodes[port->node].rx;
    struct packet *first = lump->packets[0];
    uint32_t most = lump_length(port, budget);
    for (lump->n = 1; lump->n < most; lump->n++) {
        if (!rx->first || !goes_with(port, rx->first, first) || !tern__sim_packet_gather(sim, rx->first)) break;
        lump->packets[lump->n] = queue_pop(rx);
    }
    lump->lane = has_place(port, first) ? &port->lanes[first->src].lane : NULL;
    lump->stride = lump->lane ? TERN__LANE_PLACE_BYTES : first->len;
    if (!lump->lane && lump->n > 1) lump->stride += (uint32_t)tern__rng_below(&sim->lump_rng, MAX_GAP);
}

/* All but the first wait again. */
static void put_back(struct sim_port *port, struct lump *lump) {
    while (lump->n > 1) queue_unpop(&port->sim->nodes[port->node].rx, lump->packets[--lump->n]);
}

/* The packets into memory: side by side, or each in its place, behind its length. */
static void fill(struct lump *lump, uint8_t *memory, tern__rx_packet *rx) {
    uint32_t before = lump->lane ? 8 : 0;
    rx->head = memory + before;
    rx->head_len = lump->packets[0]->len;
    rx->stride = lump->stride;
    rx->n_more = lump->n - 1;
    rx->lane = lump->lane;
    for (uint32_t i = 0; i < lump->n; i++, memory += lump->stride) {
        const struct packet *p = lump->packets[i];
        if (lump->lane) {
            tern__store64(memory, p->len);
            rx->lane_bytes += p->len;
        }
        memcpy(memory + before, p->gathered, p->len);
    }
}

static void count_lump(tern__sim *sim, const struct lump *lump) {
    sim->stats.delivered += lump->n;
    if (lump->lane) sim->stats.lane_rx_packets += lump->n;
    if (lump->n == 1) return;
    sim->stats.lumps++;
    sim->stats.lump_packets += lump->n;
}

/* Hand a packet to the receiver, and with it some of those that wait behind it. Returns how many, which have ended
 * then; 0 when there is no memory. */
static uint32_t hand_over(struct sim_port *port, struct packet *p, uint32_t budget, tern__rx_fn *fn, void *ctx) {
    tern__sim *sim = port->sim;
    if (has_spans(port, p)) {
        if (!hand_over_spans(port, p, fn, ctx)) return 0;
        tern__sim_packet_end(sim, p);
        return 1;
    }
    if (!tern__sim_packet_gather(sim, p)) return 0;
    struct lump lump = {.packets = {p}};
    collect(port, &lump, budget);
    uint32_t last = lump.lane ? lump.stride : p->len;
    uint8_t *memory = receive_memory((size_t)(lump.n - 1) * lump.stride + last);
    if (!memory) {
        put_back(port, &lump);
        return 0;
    }
    tern__span span;
    tern__rx_packet rx = packet_from(port, p);
    fill(&lump, memory, &rx);
    for (uint32_t i = 0; i < lump.n; i++) {
        tern__rx_packet one = {.head = lump.packets[i]->gathered, .head_len = lump.packets[i]->len};
        hash_packet(sim, lump.packets[i], &one);
    }
    count_lump(sim, &lump);
    place(port, &rx, &span);
    for (uint32_t i = 0; i < lump.n; i++) tern__sim_tell(sim, lump.packets[i], TERN__SIM_DELIVERED);
    fn(ctx, &rx);
    tern_unref(memory);
    for (uint32_t i = 0; i < lump.n; i++) tern__sim_packet_end(sim, lump.packets[i]);
    return lump.n;
}

static void take_loss(struct sim_port *port, struct packet *p) {
    struct pair *pair = &port->sim->nodes[p->dst].pairs[p->src];
    tern__route route = tern__sim_route(p->src);
    pair->marker = p;
    pair->marker_queued = false;
    if (port->env.route_lost) port->env.route_lost(port->env.ctx, &port->port.link, &route);
}

static int sim_poll(tern__port *base, unsigned budget, tern__rx_fn *fn, void *ctx) {
    struct sim_port *port = TERN__CONTAINER(base, struct sim_port, port);
    tern__sim *sim = port->sim;
    struct queue *rx = &sim->nodes[port->node].rx;
    uint32_t got;
    int n = 0;
    while (!port->dead && (unsigned)n < budget) {
        struct packet *p = queue_pop(rx);
        if (!p) break;
        if (p->loss_marker) {
            take_loss(port, p);
        } else if (sim->config.reliable && tern__sim_packet_stale(sim, p)) {
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        } else if ((got = hand_over(port, p, budget - (unsigned)n, fn, ctx)) > 0) {
            n += (int)got;
        } else if (sim->config.reliable) {
            queue_unpop(rx, p);
            break;
        } else {
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        }
    }
    return n;
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
    if (port->building) tern__sim_packet_free(sim, port->building);
    port->building = NULL;
    tern__sim_row_close(port);
    for (uint32_t i = 0; i < sim->config.n_nodes; i++) tern__sim_lane_close(port, i);
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
        tern__sim_lane_lose(port->sim, other, port->node);
    tern__sim_port_empty(port);
    node->port = NULL;
    node->rx_life++;
    tern__sim_routes_lose(port->sim, port->node, true);
    tern__sim_lanes_fini(port);
    free(port);
}

static bool sim_tx_small(tern__link *link, const tern__route *route, const void *header, uint32_t header_bytes,
                         const void *data, uint32_t len) {
    struct sim_port *port = port_of(link);
    uint32_t dst = tern__load32(route->bytes), bytes = header_bytes + len;
    tern__sim_row_close(port);
    bool again = port->small_bytes == bytes && port->small_dst == dst;
    uint8_t *p = sim_tx_begin(link, route, bytes);
    if (!p) return false;
    memcpy(p, header, header_bytes);
    if (len) memcpy(p + header_bytes, data, len);
    sim_tx_end(link);
    port->small_dst = dst;
    port->small_bytes = bytes;
    if (link->reliable && bytes <= TERN__LANE_MAX_PACKET) tern__sim_lane_open(port, dst);
    if (!link->reliable && again) tern__sim_row_open(port, dst, bytes);
    return true;
}

static const tern__link_ops link_ops = {.tx_begin = sim_tx_begin,
                                        .tx_post = sim_tx_post,
                                        .tx_end = sim_tx_end,
                                        .tx_abort = sim_tx_abort,
                                        .tx_flush = sim_tx_flush,
                                        .tx_small = sim_tx_small,
                                        .lane = tern__sim_lane_of};
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
    if (!tern__sim_lanes_init(port)) {
        free(port);
        return TERN_ERR_NOMEM;
    }
    port->path = (tern__path){
        .max_packet = sim->config.max_packet,
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
        .takes_ahead = !sim->config.spans,
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

/* A node's port on the simulated network: packets are built in memory of exactly their size, so that a write past
 * their end is seen, and everything that link.h forbids a sender is counted in stats.misuse. */
#include "port/sim_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { GARBAGE = 0xa5 };

/* ---- The port's link ---------------------------------------------------------------------------- */

static struct sim_port *port_of(tern__link *link) { return TERN__CONTAINER(link, struct sim_port, port.link); }

tern__route tern__sim_route(uint32_t node) {
    tern__route route = {.len = 4};
    tern__store32(route.bytes, node);
    return route;
}

/* Whether a reliable link takes a packet to dst now. */
static bool route_open(struct sim_port *port, uint32_t dst) {
    tern__sim *sim = port->sim;
    if (!node_up(&sim->nodes[dst]) || tern__sim_path_of(sim, port->node, dst)->cut) return false;
    if (!tern__sim_route_use(sim, port->node, dst)) return false;
    const struct pair *pair = &sim->nodes[port->node].pairs[dst];
    if (pair->marker_queued) return false;
    if (sim->config.ring_packets && pair->n_on_way >= sim->config.ring_packets) {
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
    if (!p) return;
    p->may_be_marked = link->ecn;
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
    bool expected = rx->head_len == ahead->header_bytes + len && tern__route_eq(&rx->route, &ahead->route) &&
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

/* Hand a packet to the receiver. False when there is no memory for it. */
static bool hand_over(struct sim_port *port, struct packet *p, tern__rx_fn *fn, void *ctx) {
    tern__sim *sim = port->sim;
    tern__span spans[256];
    bool as_spans = sim->config.spans && p->n_pieces > 0 && p->n_pieces <= TERN__COUNT(spans);
    if (!as_spans && !tern__sim_packet_gather(sim, p)) return false;
    uint32_t head_len = as_spans ? p->head_len : p->len;
    uint8_t *head = tern_alloc(head_len);
    if (!head) return false;
    memcpy(head, as_spans ? p->head : p->gathered, head_len);
    tern__rx_packet rx = {.head = head, .head_len = head_len, .link = &port->port.link};
    rx.route = tern__sim_route(p->src);
    rx.ecn_ce = p->marked && rx.link->ecn;
    if (as_spans) {
        for (uint32_t i = 0; i < p->n_pieces; i++) {
            tern__sim_piece_check(sim, &p->pieces[i]);
            spans[i].data = p->pieces[i].data;
            spans[i].len = p->pieces[i].len;
        }
        rx.spans = spans;
        rx.n_spans = p->n_pieces;
        rx.spans_len = p->len - p->head_len;
        sim->stats.inplace_pieces += p->n_pieces;
    }
    sim->stats.delivered++;
    hash_packet(sim, p, &rx);
    if (!as_spans) place(port, &rx, spans);
    tern__sim_tell(sim, p, TERN__SIM_DELIVERED);
    fn(ctx, &rx);
    tern_unref(head);
    return true;
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
    int n = 0;
    while (!port->dead && (unsigned)n < budget) {
        struct packet *p = queue_pop(rx);
        if (!p) break;
        if (p->loss_marker) {
            take_loss(port, p);
        } else if (sim->config.reliable && tern__sim_packet_stale(sim, p)) {
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        } else if (hand_over(port, p, fn, ctx)) {
            tern__sim_packet_end(sim, p);
            n++;
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
    tern__sim_port_empty(port);
    node->port = NULL;
    node->rx_life++;
    tern__sim_routes_lose(port->sim, port->node, true);
    free(port);
}

static bool sim_tx_small(tern__link *link, const tern__route *route, const void *header, uint32_t header_bytes,
                         const void *data, uint32_t len) {
    uint8_t *p = sim_tx_begin(link, route, header_bytes + len);
    if (!p) return false;
    memcpy(p, header, header_bytes);
    if (len) memcpy(p + header_bytes, data, len);
    sim_tx_end(link);
    return true;
}

static const tern__link_ops link_ops = {.tx_begin = sim_tx_begin,
                                        .tx_post = sim_tx_post,
                                        .tx_end = sim_tx_end,
                                        .tx_abort = sim_tx_abort,
                                        .tx_flush = sim_tx_flush,
                                        .tx_small = sim_tx_small};
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
    port->sim = sim;
    port->env = *env;
    port->node = node;
    queue_init(&port->ended);
    sim->nodes[node].port = port;
    *out = &port->port;
    return 0;
}

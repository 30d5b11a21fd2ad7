/* The simulated network below its ports: a heap of events, and what they do with packets.
 *
 * A packet is in exactly one place at a time: being built by its port, ended but not flushed, in one event
 * of the heap, or waiting to be polled. It goes through the events DEPART (its last bit leaves the uplink),
 * ARRIVE (at the downlink's queue) and DELIVER (in the receiver's memory). Room for a packet's event is
 * reserved when the packet is made, so nothing fails once a packet was taken. */
#include "port/sim_net.h"

#include <stdlib.h>

#include "mem/pool.h"

/* ---- Small parts -------------------------------------------------------------------------------- */

static bool event_is_before(const struct event *a, const struct event *b) {
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void heap_push(tern__sim *sim, tern_time at, enum event_kind kind, struct packet *p) {
    struct event e = {at, sim->order++, kind, p};
    size_t i = sim->n_events++;
    for (; i > 0 && event_is_before(&e, &sim->heap[(i - 1) / 2]); i = (i - 1) / 2)
        sim->heap[i] = sim->heap[(i - 1) / 2];
    sim->heap[i] = e;
}

static struct event heap_pop(tern__sim *sim) {
    struct event *h = sim->heap, top = h[0], e = h[--sim->n_events];
    size_t n = sim->n_events, i = 0;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && event_is_before(&h[child + 1], &h[child])) child++;
        if (!event_is_before(&h[child], &e)) break;
        h[i] = h[child];
    }
    h[i] = e;
    return top;
}

static bool heap_reserve(tern__sim *sim) {
    if (sim->n_reserved == sim->cap_events) {
        size_t cap = sim->cap_events ? 2 * sim->cap_events : 64;
        struct event *heap = realloc(sim->heap, cap * sizeof *heap);
        if (!heap) return false;
        sim->heap = heap;
        sim->cap_events = cap;
    }
    sim->n_reserved++;
    return true;
}

/* The time at which the last of `bytes` is out. */
static tern_time nic_take(struct nic *nic, tern_time now, uint32_t bytes) {
    nic->queued_bytes += bytes;
    if (nic->config.rate_bps == 0) return now;
    if (nic->free_at < now) {
        nic->free_at = now;
        nic->remainder = 0;
    }
    uint64_t work = (uint64_t)bytes * 8 * 1000000000u + nic->remainder;
    nic->free_at += work / nic->config.rate_bps;
    nic->remainder = work % nic->config.rate_bps;
    return nic->free_at;
}

static bool nic_full(const struct nic *nic, uint32_t bytes) {
    return nic->config.rate_bps && nic->config.queue_bytes && nic->queued_bytes + bytes > nic->config.queue_bytes;
}

/* ---- Packets ------------------------------------------------------------------------------------ */

struct packet *tern__sim_packet_new(tern__sim *sim, uint32_t n_pieces) {
    if (!heap_reserve(sim)) return NULL;
    struct packet *p = calloc(1, sizeof *p + n_pieces * sizeof p->pieces[0]);
    if (!p) sim->n_reserved--;
    return p;
}

/* The pieces are not needed any more: drop the references that hold them. */
static void packet_drop_pieces(tern__sim *sim, struct packet *p) {
    for (uint32_t i = 0; i < p->n_pieces; i++) {
        if (p->pieces[i].copy)
            free(p->pieces[i].copy);
        else if (sim->config.holds_refs)
            tern_unref(p->pieces[i].data);
    }
    p->n_pieces = 0;
}

void tern__sim_packet_free(tern__sim *sim, struct packet *p) {
    packet_drop_pieces(sim, p);
    free(p->head);
    free(p->gathered);
    free(p);
    sim->n_reserved--;
}

void tern__sim_packet_end(tern__sim *sim, struct packet *p) {
    if (sim->config.reliable) sim->nodes[p->src].pairs[p->dst].n_on_way--;
    tern__sim_packet_free(sim, p);
}

bool tern__sim_piece_live(const struct piece *piece) {
    if (piece->copy || !tern_in_pool(piece->data)) return true;
    uint32_t *counter;
    uint32_t len = piece->len ? piece->len : 1;
    return tern__ref_locate(piece->data, len, &counter) && __atomic_load_n(counter, __ATOMIC_RELAXED);
}

void tern__sim_piece_check(tern__sim *sim, const struct piece *piece) {
    if (!tern__sim_piece_live(piece) || hash_bytes(0, piece->data, piece->len) != piece->hash) sim->stats.misuse++;
}

bool tern__sim_packet_gather(tern__sim *sim, struct packet *p) {
    if (p->gathered) return true;
    uint8_t *bytes = malloc(p->len), *at = bytes + p->head_len;
    if (!bytes) return false;
    memcpy(bytes, p->head, p->head_len);
    for (uint32_t i = 0; i < p->n_pieces; i++) {
        tern__sim_piece_check(sim, &p->pieces[i]);
        memcpy(at, p->pieces[i].data, p->pieces[i].len);
        at += p->pieces[i].len;
        sim->stats.inplace_pieces++;
    }
    packet_drop_pieces(sim, p);
    free(p->head);
    p->head = NULL;
    p->gathered = bytes;
    return true;
}

static tern__sim_seen seen_of(const tern__sim *sim, const struct packet *p, tern__sim_fate fate) {
    const uint8_t *head = p->gathered ? p->gathered : p->head;
    tern__sim_seen seen = {fate, sim->now, p->src, p->dst, p->len, head, p->head_len};
    return seen;
}

void tern__sim_tell(tern__sim *sim, const struct packet *p, tern__sim_fate fate) {
    if (!sim->watch) return;
    tern__sim_seen seen = seen_of(sim, p, fate);
    sim->watch(sim->watch_ctx, &seen);
}

void tern__sim_packet_drop(tern__sim *sim, struct packet *p, uint64_t *reason) {
    ++*reason;
    tern__sim_tell(sim, p, TERN__SIM_DROPPED);
    tern__sim_packet_end(sim, p);
}

bool tern__sim_packet_stale(const tern__sim *sim, const struct packet *p) {
    if (p->loss_marker) return false;
    return p->src_life != sim->nodes[p->src].tx_life || p->dst_life != sim->nodes[p->dst].rx_life ||
           p->route_life != sim->nodes[p->src].pairs[p->dst].route_life;
}

/* ---- Paths and routes --------------------------------------------------------------------------- */

bool tern__sim_pairs_reserve(tern__sim *sim, uint32_t node) {
    struct node *n = &sim->nodes[node];
    if (!n->pairs) n->pairs = calloc(sim->config.n_nodes, sizeof *n->pairs);
    return n->pairs != NULL;
}

const tern__sim_path *tern__sim_path_of(const tern__sim *sim, uint32_t src, uint32_t dst) {
    const struct pair *pairs = sim->nodes[src].pairs;
    return pairs && pairs[dst].path_set ? &pairs[dst].path : &sim->config.path;
}

void tern__sim_route_lose(tern__sim *sim, uint32_t node, uint32_t peer, bool in_order) {
    struct pair *pair = sim->nodes[node].pairs ? &sim->nodes[node].pairs[peer] : NULL;
    if (!pair || !pair->used || pair->marker_queued || !node_up(&sim->nodes[node])) return;
    struct packet *p = pair->marker;
    pair->marker = NULL;
    pair->marker_queued = true;
    pair->used = false;
    p->next = NULL;
    if (in_order)
        heap_push(sim, nic_take(&sim->nodes[peer].uplink, sim->now, 0), DEPART, p);
    else
        heap_push(sim, sim->now, DELIVER, p);
}

bool tern__sim_route_use(tern__sim *sim, uint32_t a, uint32_t b) {
    uint32_t ends[2][2] = {{a, b}, {b, a}};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t node = ends[i][0], peer = ends[i][1];
        if (!tern__sim_pairs_reserve(sim, node)) return false;
        struct pair *pair = &sim->nodes[node].pairs[peer];
        if (!pair->marker && !pair->marker_queued) {
            pair->marker = tern__sim_packet_new(sim, 0);
            if (!pair->marker) return false;
            pair->marker->loss_marker = true;
            pair->marker->src = peer;
            pair->marker->dst = node;
        }
        pair->used = true;
    }
    return true;
}

void tern__sim_routes_lose(tern__sim *sim, uint32_t node, bool in_order) {
    if (!sim->config.reliable) return;
    for (uint32_t other = 0; other < sim->config.n_nodes; other++)
        if (other != node) tern__sim_route_lose(sim, other, node, in_order);
}

/* ---- Events ------------------------------------------------------------------------------------- */

void tern__sim_uplink_take(tern__sim *sim, struct packet *p) {
    struct node *node = &sim->nodes[p->src];
    sim->stats.sent++;
    bool reads_now = !sim->config.holds_refs;
    if (!node_up(node) || (reads_now && !tern__sim_packet_gather(sim, p))) {
        tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
    } else if (!sim->config.reliable && nic_full(&node->uplink, p->len)) {
        tern__sim_packet_drop(sim, p, &sim->stats.queue_drops);
    } else {
        heap_push(sim, nic_take(&node->uplink, sim->now, p->len), DEPART, p);
    }
}

/* A second packet with the same bytes; NULL when memory is out, and then there simply is none. */
static struct packet *packet_dup(tern__sim *sim, const struct packet *p) {
    struct packet *twin = tern__sim_packet_new(sim, 0);
    if (!twin) return NULL;
    twin->gathered = malloc(p->len);
    if (!twin->gathered) {
        tern__sim_packet_free(sim, twin);
        return NULL;
    }
    memcpy(twin->gathered, p->gathered, p->len);
    twin->src = p->src;
    twin->dst = p->dst;
    twin->len = p->len;
    twin->head_len = p->head_len;
    twin->may_be_marked = p->may_be_marked;
    return twin;
}

static void travel_lossy(tern__sim *sim, struct packet *p, const tern__sim_path *path) {
    tern_time at = sim->now + (tern_time)path->delay;
    if (path->bleach) p->may_be_marked = false;
    if (tern__rng_chance(&sim->rng, path->reorder)) {
        sim->stats.reordered++;
        at += 1 + tern__rng_below(&sim->rng, (uint64_t)path->reorder_delay);
    }
    heap_push(sim, at, ARRIVE, p);
}

static void depart_lossy(tern__sim *sim, struct packet *p) {
    const tern__sim_path *path = tern__sim_path_of(sim, p->src, p->dst);
    if (p->src_life != sim->nodes[p->src].tx_life || !tern__sim_packet_gather(sim, p)) {
        tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
        return;
    }
    tern__sim_tell(sim, p, TERN__SIM_SENT);
    tern__sim_seen seen = seen_of(sim, p, TERN__SIM_SENT);
    if (path->cut || (path->narrow_bytes && p->len > path->narrow_bytes)) {
        tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
    } else if (tern__rng_chance(&sim->rng, path->loss) || (sim->drop && sim->drop(sim->drop_ctx, &seen))) {
        tern__sim_packet_drop(sim, p, &sim->stats.lost);
    } else {
        struct packet *twin = tern__rng_chance(&sim->rng, path->duplicate) ? packet_dup(sim, p) : NULL;
        travel_lossy(sim, p, path);
        if (twin) {
            sim->stats.duplicated++;
            travel_lossy(sim, twin, path);
        }
    }
}

static void depart(tern__sim *sim, struct packet *p) {
    sim->nodes[p->src].uplink.queued_bytes -= p->len;
    if (!sim->config.reliable) {
        depart_lossy(sim, p);
    } else if (tern__sim_packet_stale(sim, p)) {
        tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
    } else {
        if (!p->loss_marker) tern__sim_tell(sim, p, TERN__SIM_SENT);
        struct pair *pair = &sim->nodes[p->src].pairs[p->dst];
        tern_time at = sim->now + (tern_time)tern__sim_path_of(sim, p->src, p->dst)->delay;
        if (at < pair->last_at) at = pair->last_at;
        pair->last_at = at;
        heap_push(sim, at, ARRIVE, p);
    }
}

/* The longer the other queues, the less one may have: then there is room left for one that begins to fill. */
static bool switch_full(const tern__sim *sim, const struct nic *downlink, uint32_t bytes) {
    uint64_t size = sim->config.switch_buffer_bytes;
    if (size == 0) return false;
    if (sim->switch_bytes + bytes > size) return true;
    double share = sim->config.switch_share > 0 ? sim->config.switch_share : 1;
    return (double)(downlink->queued_bytes + bytes) > share * (double)(size - sim->switch_bytes);
}

static void switch_take(tern__sim *sim, uint32_t bytes) {
    sim->switch_bytes += bytes;
    if (sim->switch_bytes > sim->stats.switch_peak) sim->stats.switch_peak = sim->switch_bytes;
}

static void mark_packet(tern__sim *sim, const struct nic *downlink, struct packet *p) {
    if (!p->may_be_marked || !sim->config.mark_bytes || downlink->queued_bytes <= sim->config.mark_bytes) return;
    p->marked = true;
    sim->stats.marked++;
}

static void arrive_at_downlink(tern__sim *sim, struct packet *p) {
    struct node *node = &sim->nodes[p->dst];
    bool arrives = p->loss_marker || (node_up(node) && !(sim->config.reliable && tern__sim_packet_stale(sim, p)));
    if (!arrives) {
        tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
    } else if (!sim->config.reliable &&
               (nic_full(&node->downlink, p->len) || switch_full(sim, &node->downlink, p->len))) {
        tern__sim_packet_drop(sim, p, &sim->stats.queue_drops);
    } else {
        p->dst_life = node->rx_life;
        mark_packet(sim, &node->downlink, p);
        switch_take(sim, p->len);
        heap_push(sim, nic_take(&node->downlink, sim->now, p->len), DELIVER, p);
    }
}

/* Returns the node that can poll it now. */
static uint32_t deliver_packet(tern__sim *sim, struct packet *p) {
    struct node *node = &sim->nodes[p->dst];
    if (!p->loss_marker) {
        node->downlink.queued_bytes -= p->len;
        sim->switch_bytes -= p->len;
        if (p->dst_life != node->rx_life) {
            tern__sim_packet_drop(sim, p, &sim->stats.unreachable);
            return UINT32_MAX;
        }
    } else if (!node_up(node)) {
        node->pairs[p->src].marker_queued = false;
        node->pairs[p->src].marker = p;
        return UINT32_MAX;
    }
    p->delivered = sim->now;
    queue_push(&node->rx, p);
    return p->dst;
}

uint32_t tern__sim_event(tern__sim *sim) {
    struct event e = heap_pop(sim);
    sim->now = e.at;
    switch (e.kind) {
    case DEPART: depart(sim, e.packet); break;
    case ARRIVE: arrive_at_downlink(sim, e.packet); break;
    case DELIVER: return deliver_packet(sim, e.packet);
    }
    return UINT32_MAX;
}

/* ---- What ports ask the network ----------------------------------------------------------------- */

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

uint32_t tern__sim_port_room(const struct sim_port *port, uint32_t dst) {
    uint32_t places = port->sim->config.ring_packets, n_on_way = port->sim->nodes[port->node].pairs[dst].n_on_way;
    if (!places) return UINT32_MAX;
    return n_on_way < places ? places - n_on_way : 0;
}

bool tern__sim_route_open(struct sim_port *port, uint32_t dst) {
    if (port->dead) return false;
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

/* Lanes and rows of the simulated network (link.h): memory that the engine fills by itself with small packets.
 *
 * Each lane and row has memory of exactly its length, so that a write past its end is seen, and is as long as the seed
 * says. A packet is made for each place before the engine may fill it: nothing fails once a packet was taken. A lane
 * is opened with no more places than the ring has room for, and closed before its route is lost, so that a sender is
 * refused at the same packets as without it. */
#include "base/factor.h"
#include "port/sim_impl.h"

#include <stdlib.h>

enum {
    GARBAGE = 0x5a,
    IDLE_FLUSHES = 4, /* with nothing in a lane: it is closed, as in shm_tx.c */
};

static struct sim_port *port_of(tern__link *link) { return TERN__CONTAINER(link, struct sim_port, port.link); }

static void free_spare(struct sim_port *port, struct queue *spare) {
    struct packet *p;
    while ((p = queue_pop(spare))) tern__sim_packet_free(port->sim, p);
}

/* Makes packets of up to `bytes` bytes to dst until there are n of them; returns how many there are when memory is
 * out. */
static uint32_t make_spare(struct sim_port *port, struct queue *spare, uint32_t dst, uint32_t bytes, uint32_t n) {
    queue_init(spare);
    for (uint32_t i = 0; i < n; i++) {
        struct packet *p = tern__sim_packet_new(port->sim, 0);
        if (!p) return i;
        p->head = malloc(bytes);
        if (!p->head) {
            tern__sim_packet_free(port->sim, p);
            return i;
        }
        p->src = port->node;
        p->dst = dst;
        queue_push(spare, p);
    }
    return n;
}

static void end_spare(struct sim_port *port, struct queue *spare, const uint8_t *bytes, uint32_t len) {
    struct packet *p = queue_pop(spare);
    p->len = p->head_len = len;
    memcpy(p->head, bytes, len);
    port->port.link.unaided_packets++;
    port->port.link.unaided_bytes += len;
    tern__sim_port_end(port, p);
}

/* ---- Lanes -------------------------------------------------------------------------------------- */

bool tern__sim_lanes_init(struct sim_port *port) {
    const tern__sim_config *config = &port->sim->config;
    if (!config->reliable || !config->lane_places) return true;
    port->lanes = calloc(config->n_nodes, sizeof *port->lanes);
    return port->lanes != NULL;
}

void tern__sim_lanes_fini(struct sim_port *port) {
    free(port->lanes);
    port->lanes = NULL;
}

tern__lane *tern__sim_lane_of(tern__link *link, const tern__route *route) {
    struct sim_port *port = port_of(link);
    uint32_t peer = tern__load32(route->bytes);
    return port->lanes && !TERN__IS_OFF(LANES) ? &port->lanes[peer].lane : NULL;
}

static void lane_write(struct sim_port *port, struct sim_lane *lane) {
    for (; lane->first != lane->lane.at; lane->first += TERN__LANE_PLACE_BYTES) {
        uint64_t len = tern__load64(lane->first);
        if (len < 16 || len > TERN__LANE_MAX_PACKET) {
            port->sim->stats.misuse++;
            len = TERN__LANE_MAX_PACKET;
        }
        end_spare(port, &lane->spare, lane->first + 8, (uint32_t)len);
        memset(lane->first, GARBAGE, TERN__LANE_PLACE_BYTES);
        port->sim->stats.lane_packets++;
    }
}

void tern__sim_lanes_write(struct sim_port *port, uint32_t dst) {
    const tern__sim_config *config = &port->sim->config;
    for (uint32_t i = 0; port->lanes && i < config->n_nodes; i++)
        if (i == dst || config->one_lane) lane_write(port, &port->lanes[i]);
}

void tern__sim_lane_close(struct sim_port *port, uint32_t dst) {
    struct sim_lane *lane = port->lanes ? &port->lanes[dst] : NULL;
    if (!lane || !lane->places) return;
    lane_write(port, lane);
    free_spare(port, &lane->spare);
    free(lane->places);
    *lane = (struct sim_lane){0};
}

void tern__sim_lane_lose(tern__sim *sim, uint32_t node, uint32_t peer) {
    if (sim->nodes[node].port) tern__sim_lane_close(sim->nodes[node].port, peer);
}

void tern__sim_lane_open(struct sim_port *port, uint32_t dst) {
    tern__sim *sim = port->sim;
    if (!port->lanes || TERN__IS_OFF(LANES)) return;
    for (uint32_t i = 0; i < sim->config.n_nodes; i++)
        if (i == dst || sim->config.one_lane) tern__sim_lane_close(port, i);
    struct sim_lane *lane = &port->lanes[dst];
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->batch_rng, sim->config.lane_places);
    uint32_t room = tern__sim_port_room(port, dst);
    if (n > room) n = room;
    if (n == 0 || !(lane->places = malloc((size_t)n * TERN__LANE_PLACE_BYTES))) return;
    n = make_spare(port, &lane->spare, dst, TERN__LANE_MAX_PACKET, n);
    lane->lane.at = lane->first = lane->places;
    lane->lane.end = lane->places + (size_t)n * TERN__LANE_PLACE_BYTES;
}

void tern__sim_lanes_flush(struct sim_port *port) {
    for (uint32_t i = 0; port->lanes && i < port->sim->config.n_nodes; i++) {
        struct sim_lane *lane = &port->lanes[i];
        if (!lane->places) continue;
        if (lane->first != lane->lane.at) {
            lane_write(port, lane);
            tern__sim_lane_open(port, i);
        } else if (++lane->n_idle == IDLE_FLUSHES) {
            tern__sim_lane_close(port, i);
        }
    }
}

/* ---- Rows --------------------------------------------------------------------------------------- */

void tern__sim_row_close(struct sim_port *port) {
    tern__row *row = &port->port.link.row;
    if (!port->row) return;
    if ((row->at - port->row) % row->packet_bytes != 0) port->sim->stats.misuse++;
    for (uint8_t *at = port->row; at < row->at; at += row->packet_bytes) {
        end_spare(port, &port->row_spare, at, row->packet_bytes);
        port->sim->stats.row_packets++;
    }
    port->port.link.made_bytes += row->made_bytes;
    free_spare(port, &port->row_spare);
    free(port->row);
    port->row = NULL;
    *row = (tern__row){0};
}

void tern__sim_row_open(struct sim_port *port, uint32_t dst, uint32_t packet_bytes) {
    tern__sim *sim = port->sim;
    tern__row *row = &port->port.link.row;
    if (!sim->config.row_packets || port->dead || TERN__IS_OFF(COALESCING)) return;
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->batch_rng, sim->config.row_packets);
    if (!(port->row = malloc((size_t)n * packet_bytes))) return;
    n = make_spare(port, &port->row_spare, dst, packet_bytes, n);
    row->at = port->row;
    row->end = row->at + (size_t)n * packet_bytes;
    row->packet_bytes = packet_bytes;
    row->route = tern__sim_route(dst);
}

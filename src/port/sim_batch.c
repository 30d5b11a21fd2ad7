/* Open runs of the simulated network (link.h): memory that the engine fills by itself with small packets.
 *
 * Each run has memory of exactly its length, so that a write past its end is seen, and is as long as the seed says. A
 * packet is made for each place before the engine may fill it: nothing fails once a packet was taken. On a reliable
 * link a run is opened with no more places than the ring has room for, and closed before its route is lost, so that a
 * sender is refused at the same packets as without it. */
#include "port/sim_batch.h"
#include "base/factor.h"

#include <stdlib.h>

enum {
    GARBAGE = 0x5a,
    IDLE_FLUSHES = 4, /* with nothing in a run: it is closed, as in shm_tx.c */
    MIN_PACKET = 16,
    MAX_PACKED = 512, /* bytes of a packet in a PACKED run */
    PACKED_PLACE = MIN_PACKET + sizeof(uint32_t),
};

static struct sim_port *runs_of_link(tern__link *link) { return TERN__CONTAINER(link, struct sim_port, port.link); }

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
    tern__link_sent *sent = &port->port.link.sent;
    if (!p) {
        port->sim->stats.misuse++;
        return;
    }
    p->len = p->head_len = len;
    memcpy(p->head, bytes, len);
    sent->run_packets++;
    sent->run_bytes += len;
    tern__sim_port_end(port, p);
}

/* ---- Runs of one route: LINES, or PACKED ---------------------------------------------------------- */

bool tern__sim_lines_init(struct sim_port *port) {
    const tern__sim_config *config = &port->sim->config;
    if (!config->reliable || !config->run_lines) return true;
    port->lines = calloc(config->n_nodes, sizeof *port->lines);
    for (uint32_t i = 0; port->lines && i < config->n_nodes; i++)
        port->lines[i].run.kind = config->packed ? TERN__RUN_PACKED : TERN__RUN_LINES;
    return port->lines != NULL;
}

void tern__sim_lines_fini(struct sim_port *port) {
    free(port->lines);
    port->lines = NULL;
}

/* The packet of a place; returns the bytes of the place. */
static uint32_t write_place(struct sim_port *port, struct sim_lines *lines) {
    bool packed = lines->run.kind == TERN__RUN_PACKED;
    uint32_t before = packed ? (uint32_t)sizeof(uint32_t) : TERN__RUN_LENGTH_BYTES;
    uint64_t most = packed ? MAX_PACKED : TERN__RUN_MAX_PACKET;
    uint64_t len = packed ? tern__load32(lines->first) : tern__load64(lines->first);
    if (len < MIN_PACKET || len > most || len > (uint64_t)(lines->run.at - lines->first) - before) {
        port->sim->stats.misuse++;
        len = MIN_PACKET;
    }
    end_spare(port, &lines->spare, lines->first + before, (uint32_t)len);
    return packed ? before + (uint32_t)len : (uint32_t)tern__run_lines_bytes(len);
}

static void write_out(struct sim_port *port, struct sim_lines *lines) {
    while (lines->first < lines->run.at) {
        uint32_t bytes = write_place(port, lines);
        memset(lines->first, GARBAGE, bytes);
        lines->first += bytes;
        port->sim->stats.lines_packets++;
    }
    tern__run_count_parts(&lines->run, &port->port.link.sent);
}

void tern__sim_lines_write(struct sim_port *port, uint32_t dst) {
    const tern__sim_config *config = &port->sim->config;
    for (uint32_t i = 0; port->lines && i < config->n_nodes; i++)
        if (i == dst || config->one_run) write_out(port, &port->lines[i]);
}

void tern__sim_lines_close(struct sim_port *port, uint32_t dst) {
    struct sim_lines *lines = port->lines ? &port->lines[dst] : NULL;
    if (!lines || !lines->memory) return;
    write_out(port, lines);
    free_spare(port, &lines->spare);
    free(lines->memory);
    *lines = (struct sim_lines){.run.kind = lines->run.kind};
}

void tern__sim_lines_lose(tern__sim *sim, uint32_t node, uint32_t peer) {
    if (sim->nodes[node].port) tern__sim_lines_close(sim->nodes[node].port, peer);
}

/* So many packets, or lines of them. */
static void open_lines(struct sim_port *port, uint32_t dst) {
    tern__sim *sim = port->sim;
    if (!port->lines || TERN__IS_OFF(RUNS)) return;
    for (uint32_t i = 0; i < sim->config.n_nodes; i++)
        if (i == dst || sim->config.one_run) tern__sim_lines_close(port, i);
    struct sim_lines *lines = &port->lines[dst];
    bool packed = sim->config.packed;
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->batch_rng, sim->config.run_lines);
    uint32_t room = tern__sim_port_room(port, dst);
    if (n > room) n = room;
    size_t bytes = (size_t)n * (packed ? PACKED_PLACE : TERN__RUN_LINE_BYTES);
    if (packed) bytes += tern__rng_below(&sim->batch_rng, PACKED_PLACE); /* not enough for another */
    if (n == 0 || !(lines->memory = malloc(bytes))) return;
    uint32_t got = make_spare(port, &lines->spare, dst, packed ? MAX_PACKED : TERN__RUN_MAX_PACKET, n);
    if (got < n) bytes = (size_t)got * (packed ? PACKED_PLACE : TERN__RUN_LINE_BYTES);
    lines->run.at = lines->first = lines->memory;
    lines->run.end = lines->memory + bytes;
}

void tern__sim_lines_flush(struct sim_port *port) {
    for (uint32_t i = 0; port->lines && i < port->sim->config.n_nodes; i++) {
        struct sim_lines *lines = &port->lines[i];
        if (!lines->memory) continue;
        if (lines->first != lines->run.at) {
            write_out(port, lines);
            open_lines(port, i);
        } else if (++lines->n_idle == IDLE_FLUSHES) {
            tern__sim_lines_close(port, i);
        }
    }
}

/* ---- The run of all routes: EQUAL ----------------------------------------------------------------- */

void tern__sim_run_close(struct sim_port *port) {
    tern__tx_run *run = &port->equal;
    if (!port->equal_memory) return;
    if ((run->at - port->equal_memory) % run->packet_bytes != 0) port->sim->stats.misuse++;
    for (uint8_t *at = port->equal_memory; at < run->at; at += run->packet_bytes) {
        end_spare(port, &port->equal_spare, at, run->packet_bytes);
        port->sim->stats.equal_packets++;
    }
    free_spare(port, &port->equal_spare);
    free(port->equal_memory);
    port->equal_memory = NULL;
    *run = (tern__tx_run){.kind = TERN__RUN_EQUAL};
}

static uint8_t *open_equal(struct sim_port *port, uint32_t dst, uint32_t packet_bytes) {
    tern__sim *sim = port->sim;
    tern__tx_run *run = &port->equal;
    tern__sim_run_close(port);
    if (port->dead || tern__rng_below(&sim->batch_rng, 4) == 0) return NULL; /* as some sockets */
    uint32_t n = 1 + (uint32_t)tern__rng_below(&sim->batch_rng, sim->config.run_packets);
    if (!(port->equal_memory = malloc((size_t)n * packet_bytes))) return NULL;
    n = make_spare(port, &port->equal_spare, dst, packet_bytes, n);
    run->at = port->equal_memory;
    run->end = run->at + (size_t)n * packet_bytes;
    run->packet_bytes = packet_bytes;
    run->route = tern__sim_route(dst);
    return tern__run_take(run, &run->route, packet_bytes);
}

/* ---- The link's operations ------------------------------------------------------------------------ */

tern__tx_run *tern__sim_run_of(tern__link *link, const tern__route *route) {
    struct sim_port *port = runs_of_link(link);
    if (!link->reliable) return port->sim->config.run_packets && !TERN__IS_OFF(COALESCING) ? &port->equal : NULL;
    return port->lines && !TERN__IS_OFF(RUNS) ? &port->lines[tern__load32(route->bytes)].run : NULL;
}

/* A run of lines opens behind a packet that went by itself (tern__sim_run_follow), as in shm_tx.c; a packed one
 * whenever it is wanted, as in tcp_tx.c. */
uint8_t *tern__sim_run_open(tern__link *link, const tern__route *route, uint32_t packet_bytes) {
    struct sim_port *port = runs_of_link(link);
    uint32_t dst = tern__load32(route->bytes);
    if (port->n_building || dst >= port->sim->config.n_nodes) {
        port->sim->stats.misuse++;
        return NULL;
    }
    if (!link->reliable) return open_equal(port, dst, packet_bytes);
    struct sim_lines *lines = &port->lines[dst];
    bool packed = lines->run.kind == TERN__RUN_PACKED;
    if (packet_bytes > (packed ? (uint32_t)MAX_PACKED : (uint32_t)TERN__RUN_MAX_PACKET)) return NULL;
    if (packed ? !tern__sim_route_open(port, dst) : !lines->memory) return NULL;
    tern__sim_lines_write(port, dst);
    open_lines(port, dst);
    return tern__run_take(&lines->run, route, packet_bytes);
}

void tern__sim_run_follow(struct sim_port *port, const struct packet *p) {
    if (port->sim->config.packed || p->n_pieces || p->len > TERN__RUN_MAX_PACKET) return;
    open_lines(port, p->dst);
}

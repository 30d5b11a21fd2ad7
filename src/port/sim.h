/* A network of nodes under a virtual clock.
 *
 *   node --uplink--> (path: delay, loss, duplication, reordering, cut) --downlink--> node
 *
 * Uplink and downlink have a rate and a queue that drops at its tail, so many senders to one node meet at
 * its downlink as they do at a switch; the downlinks' queues may share one buffer. Time passes only in tern__sim_step
 * and tern__sim_advance; events at one time happen in the order in which they were made. The same seed and the same
 * calls give the same packets, byte for byte: tern__sim_hash says so in one number.
 *
 * Memory is read as late as hardware would: a lossy link gathers a packet at tx_flush (or, with holds_refs,
 * when its last bit has left the uplink), a reliable one when the receiver polls, as over shared memory. A
 * sender that gives memory back too early is therefore caught, by the sanitizer or by stats.misuse.
 *
 * Packets may be sent and received in batches, as the real ports do it: with open runs and several places at once on
 * the sender's side, in runs and several descriptors at once on the receiver's, some of them in memory that is only
 * lent. How long each is the seed decides, by numbers that nothing else depends on: with `one_run` a network with
 * batches carries the same packets at the same times as one without.
 *
 * One thread. Ports are freed before their simulator. The files, each of which uses only those above it:
 *
 *   sim_config  what a network is made of, what it counts, and what a watcher sees
 *   sim_net     packets on their way: paths, routes, events
 *   sim_batch   open runs of a node's port
 *   sim_port    a node's port
 *   sim         the network, as tests use it */
#ifndef TERN_PORT_SIM_H
#define TERN_PORT_SIM_H

#include "port/sim_config.h"
#include "port/sim_port.h"

/* Returns 0, TERN_ERR_INVALID for no nodes or a max_packet below 256, TERN_ERR_NOMEM. The clock starts at
 * one second, so that 0 stays free to mean "never". */
int tern__sim_new(uint64_t seed, const tern__sim_config *config, tern__sim **out);
void tern__sim_free(tern__sim *sim);

tern_time tern__sim_now(const tern__sim *sim);

/* When the next event is; UINT64_MAX for none. */
tern_time tern__sim_next(const tern__sim *sim);

/* The next event, if it is no later than `until`; the clock stands at its time then. Returns false when
 * there is none. When the event gave a node something to poll, *node is that node, else UINT32_MAX. */
bool tern__sim_step(tern__sim *sim, tern_time until, uint32_t *node);

/* All events up to and including `until`; the clock then stands there. */
void tern__sim_advance(tern__sim *sim, tern_time until);

/* The node dies: what it has not yet sent, what is on its way to it and what it has not polled vanishes.
 * Reliable routes to it are lost. What its port is given vanishes too, until the port is freed and a new
 * one made. */
void tern__sim_node_down(tern__sim *sim, uint32_t node);

void tern__sim_set_uplink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic);
void tern__sim_set_downlink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic);

/* From src to dst; returns 0 or TERN_ERR_NOMEM. Packets that have left their uplink keep what they met. */
int tern__sim_set_path(tern__sim *sim, uint32_t src, uint32_t dst, const tern__sim_path *path);

/* Every path that set_path has not set. Loses no reliable route, whatever is cut. */
void tern__sim_set_default_path(tern__sim *sim, const tern__sim_path *path);

/* Cut the path between two nodes, both ways, or mend it. */
int tern__sim_cut(tern__sim *sim, uint32_t a, uint32_t b, bool cut);

void tern__sim_watch(tern__sim *sim, tern__sim_watch_fn *watch, void *ctx);
void tern__sim_drop_if(tern__sim *sim, tern__sim_drop_fn *drop, void *ctx);

void tern__sim_get_stats(const tern__sim *sim, tern__sim_stats *stats);

/* Of every packet delivered so far: when, from where, to where, and its bytes. */
uint64_t tern__sim_hash(const tern__sim *sim);

#endif

/* Open runs of a node's port on the simulated network (link.h). */
#ifndef TERN_PORT_SIM_BATCH_H
#define TERN_PORT_SIM_BATCH_H

#include "port/sim_net.h"

/* False when memory is out. */
bool tern__sim_lines_init(struct sim_port *port);
void tern__sim_lines_fini(struct sim_port *port);

/* The link's operations. */
tern__tx_run *tern__sim_run_of(tern__link *link, const tern__route *route);
uint8_t *tern__sim_run_open(tern__link *link, const tern__route *route, uint32_t packet_bytes);

/* Before another packet is sent to dst: what is in its run goes first, or with `one_run` what is in any. */
void tern__sim_lines_write(struct sim_port *port, uint32_t dst);
void tern__sim_lines_close(struct sim_port *port, uint32_t dst);

/* Reliable: the node's run to the peer, if it has any, is written out and closed, since the route goes. */
void tern__sim_lines_lose(tern__sim *sim, uint32_t node, uint32_t peer);

/* This packet was sent by itself: others like it may follow in a run. */
void tern__sim_run_follow(struct sim_port *port, const struct packet *p);

/* What is in the runs of lines leaves with this flush, and those that are used stay open. */
void tern__sim_lines_flush(struct sim_port *port);

/* Lossy: what is in the run leaves. */
void tern__sim_run_close(struct sim_port *port);

#endif

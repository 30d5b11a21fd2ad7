/* A node's port on the simulated network. */
#ifndef TERN_PORT_SIM_PORT_H
#define TERN_PORT_SIM_PORT_H

#include "port/sim_config.h"

struct sim_port;

/* The port of a node, which is up from then on. Its addresses are node numbers in decimal. Returns 0,
 * TERN_ERR_INVALID (no such node), TERN_ERR_EXISTS (it has a port), TERN_ERR_NOMEM. */
int tern__sim_port_new(tern__sim *sim, uint32_t node, const tern__port_env *env, tern__port **out);

/* The node goes down: what waits to be polled and what is half-built vanishes. */
void tern__sim_port_empty(struct sim_port *port);

#endif

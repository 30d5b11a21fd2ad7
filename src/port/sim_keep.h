/* Pieces that a receiver on the simulated network keeps where their sender has them (link.h, tern__kept). All memory is
 * one process's here: what is kept too long goes back to its sender, and a look at it afterwards is a look at memory
 * that somebody else has. */
#ifndef TERN_PORT_SIM_KEEP_H
#define TERN_PORT_SIM_KEEP_H

#include "port/sim_net.h"

/* Keep one piece more. False: not this one. */
bool tern__sim_keep(tern__sim *sim, const struct piece *piece, tern__kept **kept);

/* Take back what was kept too long. */
void tern__sim_kept_expire(tern__sim *sim);

#endif

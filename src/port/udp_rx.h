/* Packets in over UDP. */
#ifndef TERN_PORT_UDP_RX_H
#define TERN_PORT_UDP_RX_H

#include "port/udp.h"

/* The port's poll; port.h says what it does. */
int tern__udp_poll(tern__port *port, unsigned budget, tern__rx_fn *fn, void *ctx);

#endif

/* Connected sockets behind a listening one, for the peers that keep it busiest (udp_sibling.c). */
#ifndef TERN_PORT_UDP_SIBLING_H
#define TERN_PORT_UDP_SIBLING_H

#include "port/udp.h"

/* A receive on this listening socket brought something from this route: */
void tern__udp_sibling_heat(tern__udp_port *udp, const tern__udp_sock *listener, const tern__route *route);

/* After the receives of a poll, with no packet open: close what is dead, open what is due. */
void tern__udp_sibling_tend(tern__udp_port *udp);

#endif

/* Packet sizes: what each path takes, and what receive buffers hold. */
#ifndef TERN_PORT_UDP_PATH_H
#define TERN_PORT_UDP_PATH_H

#include "port/udp.h"

/* The snapshot of the path to this route; link.h. */
const tern__path *tern__udp_path(tern__link *link, const tern__route *route);
/* The longest packet for an interface of this MTU; 0: unknown. */
uint32_t tern__udp_packet_for(tern__udp_port *udp, int family, int mtu);
/* What the kernel knows of the path to an address; 0 when nothing, for instance because there is no way to it. */
int tern__udp_mtu_to(const struct sockaddr *peer, socklen_t len);
void tern__udp_paths_free(tern__udp_port *udp);

/* How many packets of this length a receive buffer, of which SO_RCVBUF says `buffer_bytes`, holds for sure; at least
 * 1. */
uint32_t tern__udp_buffer_holds(uint32_t buffer_bytes, uint32_t packet);

/* The longest packet, up to `longest`, of which it holds TERN__UDP_MIN_FLIGHT; but at least the default. */
uint32_t tern__udp_buffer_packet(uint32_t buffer_bytes, uint32_t longest);

#endif

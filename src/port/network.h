/* Which network a peer on a connected socket is in (tern__link_ops.network). */
#ifndef TERN_PORT_NETWORK_H
#define TERN_PORT_NETWORK_H

#include <stdint.h>

#include "engine/link.h"

/* Of an internet address its first 24 bits, of IPv6 64; over a Unix socket the peer's user. Where the socket does not
 * say (it is not connected yet): the route itself. */
uint64_t tern__network_of_socket(int sock, const tern__route *route);

/* The peer's own IPv4 address, where that matters in its network; else 0. Whoever has 64 bits of an IPv6 network has
 * all of the addresses in it. */
uint64_t tern__address_of_socket(int sock);

#endif

/* Routes of the UDP port.
 *
 * A route is the socket address as the kernel wants it, with two numbers of ours in bytes that the kernel
 * ignores on the way out and zeroes on the way in: the socket that the packet goes through, and which of our
 * own addresses it leaves from. A route needs no translation when a packet is sent.
 *
 *   IPv4 (len 16)  family u16 | port u16 | address 4 B | sock u8 | local u8 | 0 ...
 *   IPv6 (len 28)  family u16 | port u16 | sock u8 | local u8 | 0 u16 (flow info) | address 16 B | scope u32 */
#ifndef TERN_PORT_UDP_ADDR_H
#define TERN_PORT_UDP_ADDR_H

#include "engine/link.h"
#include "port/ip_addr.h"

/* Where in route.bytes our two numbers are. */
static inline uint32_t tern__udp_route_tail(const tern__route *route) { return route->len == 16 ? 8 : 4; }

static inline uint8_t tern__udp_route_sock(const tern__route *route) {
    return route->bytes[tern__udp_route_tail(route)];
}

static inline uint8_t tern__udp_route_local(const tern__route *route) {
    return route->bytes[tern__udp_route_tail(route) + 1];
}

static inline void tern__udp_route_set(tern__route *route, const tern__ip_addr *addr, uint8_t sock, uint8_t local) {
    memset(route, 0, sizeof *route);
    route->len = tern__ip_addr_len(addr);
    memcpy(route->bytes, addr, route->len);
    route->bytes[tern__udp_route_tail(route)] = sock;
    route->bytes[tern__udp_route_tail(route) + 1] = local;
}

#endif

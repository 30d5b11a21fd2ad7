/* UDP addresses: text to socket address and back, and the routes made of them.
 *
 * A route is the socket address as the kernel wants it, with two numbers of ours in bytes that the kernel
 * ignores on the way out and zeroes on the way in: the socket that the packet goes through, and which of our
 * own addresses it leaves from. So a route needs no translation when a packet is sent.
 *
 *   IPv4 (len 16)  family u16 | port u16 | address 4 B | sock u8 | local u8 | 0 ...
 *   IPv6 (len 28)  family u16 | port u16 | sock u8 | local u8 | 0 u16 (flow info) | address 16 B | scope u32 */
#ifndef TERN_PORT_UDP_ADDR_H
#define TERN_PORT_UDP_ADDR_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/link.h"

typedef union tern__udp_addr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} tern__udp_addr;

/* The addresses that "host:port", "[v6]:port" or "name:port" stands for, IPv4 before IPv6 so that a client
 * and a server that were given the same name meet; at most cap of them to out. Numeric addresses cost
 * nothing; a name is looked up and may block on DNS. With `passive` (listening) an empty host or "*" means
 * every address (IPv6 dual stack, then IPv4) and port 0 is allowed; without, the unspecified address means
 * loopback. Returns how many, or TERN_ERR_ADDRESS. */
int tern__udp_addr_resolve(const char *text, bool passive, tern__udp_addr *out, int cap);

/* "udp://127.0.0.1:7000", "udp://[::1]:7000". Returns 0, or TERN_ERR_LIMIT when it does not fit. */
int tern__udp_addr_format(const tern__udp_addr *addr, char *out, size_t cap);

bool tern__udp_addr_is_wildcard(const tern__udp_addr *addr);

static inline socklen_t tern__udp_addr_len(const tern__udp_addr *addr) {
    return addr->any.sa_family == AF_INET ? sizeof addr->v4 : sizeof addr->v6;
}

/* Where in route.bytes our two numbers are. */
static inline uint32_t tern__udp_route_tail(const tern__route *route) { return route->len == 16 ? 8 : 4; }

static inline uint8_t tern__udp_route_sock(const tern__route *route) {
    return route->bytes[tern__udp_route_tail(route)];
}

static inline uint8_t tern__udp_route_local(const tern__route *route) {
    return route->bytes[tern__udp_route_tail(route) + 1];
}

static inline void tern__udp_route_set(tern__route *route, const tern__udp_addr *addr, uint8_t sock, uint8_t local) {
    memset(route, 0, sizeof *route);
    route->len = tern__udp_addr_len(addr);
    memcpy(route->bytes, addr, route->len);
    route->bytes[tern__udp_route_tail(route)] = sock;
    route->bytes[tern__udp_route_tail(route) + 1] = local;
}

#endif

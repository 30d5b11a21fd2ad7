/* Internet addresses: text to socket address and back. */
#ifndef TERN_PORT_IP_ADDR_H
#define TERN_PORT_IP_ADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

typedef union tern__ip_addr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} tern__ip_addr;

/* The addresses that "host:port", "[v6]:port" or "name:port" stands for, IPv4 before IPv6 so that a client
 * and a server that were given the same name meet; at most cap of them to out. Numeric addresses cost
 * nothing; a name is looked up and may block on DNS. With `passive` (listening) an empty host or "*" means
 * every address (IPv6 dual stack, then IPv4) and port 0 is allowed; without, the unspecified address means
 * loopback. Returns how many, or TERN_ERR_ADDRESS. */
int tern__ip_addr_resolve(const char *text, bool passive, tern__ip_addr *out, int cap);

/* "udp://127.0.0.1:7000", "tcp://[::1]:7000". Returns 0, or TERN_ERR_LIMIT when it does not fit. */
int tern__ip_addr_format(const char *scheme, const tern__ip_addr *addr, char *out, size_t cap);

bool tern__ip_addr_is_wildcard(const tern__ip_addr *addr);

static inline socklen_t tern__ip_addr_len(const tern__ip_addr *addr) {
    return addr->any.sa_family == AF_INET ? sizeof addr->v4 : sizeof addr->v6;
}

#endif

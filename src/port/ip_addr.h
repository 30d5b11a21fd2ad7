/* Internet addresses: text to socket address and back, of numeric hosts (hosts.h and resolve.h know names). */
#ifndef TERN_PORT_IP_ADDR_H
#define TERN_PORT_IP_ADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { TERN__HOST_BYTES = 256 };

typedef union tern__ip_addr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} tern__ip_addr;

/* Splits "host:port" at the last colon; brackets around an IPv6 host are taken off. False: not of that form. */
bool tern__ip_addr_split(const char *text, char host[TERN__HOST_BYTES], unsigned *port);

/* The address that a numeric host stands for, with port 0. False: the host is no number. */
bool tern__ip_addr_parse(const char *host, tern__ip_addr *out);

/* Whether the host of "host:port", to be connected to, is a name: then 1, and the name and the port; 0 when the host is
 * numeric; TERN_ERR_ADDRESS when the text is neither. */
int tern__ip_addr_name(const char *text, char host[TERN__HOST_BYTES], uint16_t *port);

/* "udp://127.0.0.1:7000", "tcp://[::1]:7000". Returns 0, or TERN_ERR_LIMIT when it does not fit. */
int tern__ip_addr_format(const char *scheme, const tern__ip_addr *addr, char *out, size_t cap);

bool tern__ip_addr_is_wildcard(const tern__ip_addr *addr);

static inline void tern__ip_addr_set_port(tern__ip_addr *addr, uint16_t port) {
    if (addr->any.sa_family == AF_INET)
        addr->v4.sin_port = htons(port);
    else
        addr->v6.sin6_port = htons(port);
}

static inline socklen_t tern__ip_addr_len(const tern__ip_addr *addr) {
    return addr->any.sa_family == AF_INET ? sizeof addr->v4 : sizeof addr->v6;
}

#endif

/* A bad network on this machine: a UDP forwarder between clients and one server that loses, repeats and delays
 * datagrams. Each client address gets a socket of its own towards the server, as behind a router. One thread drives
 * it. */
#ifndef TERN_TESTS_PROXY_H
#define TERN_TESTS_PROXY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct proxy proxy;

/* Per datagram, in percent. */
typedef struct proxy_faults {
    unsigned loss, duplicate, delay; /* a delayed one leaves up to 3 ms later: others overtake it */
} proxy_faults;

typedef struct proxy_stats {
    uint64_t forwarded, lost, duplicated, delayed;
} proxy_stats;

/* server: "udp://127.0.0.1:PORT" or "udp://[::1]:PORT". The proxy's own address, of the same family, goes to *address.
 * NULL when there are no such sockets. */
proxy *proxy_new(uint64_t seed, const char *server, proxy_faults faults, char address[64]);
void proxy_free(proxy *p);

/* Move what has come, and what is due. Returns the number of datagrams. */
unsigned proxy_poll(proxy *p);

void proxy_set_faults(proxy *p, proxy_faults faults);
proxy_stats proxy_get_stats(const proxy *p);

#endif

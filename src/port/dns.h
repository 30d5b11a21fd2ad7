/* Asking the network for the addresses of names. The resolver (resolve.h) is the only user. Two files do it, of which
 * the build takes one: dns_cares.c by c-ares, without waiting; dns_libc.c, where there is no c-ares, by getaddrinfo(),
 * which waits. One thread. */
#ifndef TERN_PORT_DNS_H
#define TERN_PORT_DNS_H

#include "port/ip_addr.h"
#include "port/port.h"

enum { TERN__DNS_MAX_ADDRS = 16 /* of one name; further ones are dropped */ };

typedef struct tern__dns tern__dns;

/* The end of a question. why: NULL, or in words why there are no addresses. The addresses are sorted, the best first
 * (RFC 6724), have port 0 and are valid during the call. */
typedef void tern__dns_fn(void *user, const char *why, const tern__ip_addr *addrs, uint32_t n);

/* Returns 0, TERN_ERR_NOMEM or TERN_ERR_IO. */
int tern__dns_new(const tern__port_env *env, tern__dns **out);

/* Ends every question, as tern__dns_drop(). NULL is ignored. */
void tern__dns_free(tern__dns *dns);

/* Ask. fn(user, ...) runs exactly once: here, or in tern__dns_poll(), _drop() or _free(). fn must not call dns
 * functions. */
void tern__dns_ask(tern__dns *dns, const char *host, tern__dns_fn *fn, void *user);

/* Give up all questions, and read the system's configuration anew before the next. */
void tern__dns_drop(tern__dns *dns);

/* Handle what has arrived or is due. */
void tern__dns_poll(tern__dns *dns);

/* Readable when there is something to poll; -1: there is none. */
int tern__dns_fd(const tern__dns *dns);

/* How long poll has time; -1: until the descriptor is readable. */
tern_dur tern__dns_next(const tern__dns *dns);

/* For tests: ask these servers, "127.0.0.1:5300", instead of the system's. The string is borrowed. Returns whether
 * this build can. */
bool tern__dns_set_servers(tern__dns *dns, const char *servers);

#endif

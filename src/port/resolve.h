/* Resolving names without waiting: a name goes in, a list of addresses comes out of a later poll.
 *
 * A name that the machine knows by itself (hosts.h) is not asked for. For all others the network is asked (dns.h);
 * requests for one name that come while it is asked for share the question. Nothing is remembered: a later request
 * asks anew. The resolver makes no threads and belongs to one. */
#ifndef TERN_PORT_RESOLVE_H
#define TERN_PORT_RESOLVE_H

#include "port/dns.h"
#include "port/port.h"

enum { TERN__RESOLVE_MAX_ADDRS = TERN__DNS_MAX_ADDRS /* of one name; further ones are dropped */ };

typedef struct tern__resolver tern__resolver;

/* The request has ended. 0 and n addresses, n > 0, families in turn, the first of the family that is to be preferred;
 * or TERN_ERR_NOT_FOUND: the name has none, or nobody can tell. They are valid during the call, which may start and
 * cancel requests. */
typedef void tern__resolved_fn(void *user, int err, const tern__ip_addr *addrs, uint32_t n);

/* A request, in its caller's memory: zeroed once, then the resolver's from start until its end or cancel. */
typedef struct tern__resolve {
    tern__node node; /* of those for one name */
    tern__resolver *resolver;
    tern__resolved_fn *fn;
    void *user;
    uint16_t port;
    bool pending;
} tern__resolve;

/* env: for the log. Returns 0, TERN_ERR_NOMEM or TERN_ERR_IO. */
int tern__resolver_new(const tern__port_env *env, tern__resolver **out);

/* No request is pending. NULL is ignored. */
void tern__resolver_free(tern__resolver *resolver);

/* Have fn(user, ...) told the addresses, with this port, from a later poll. Returns 0 or TERN_ERR_NOMEM. */
int tern__resolver_start(tern__resolver *resolver, tern__resolve *request, const char *host, uint16_t port,
                         tern__resolved_fn *fn, void *user);

/* fn does not run any more. A request that is not pending is ignored. */
void tern__resolve_cancel(tern__resolve *request);

/* Handle what is due. Requests end here. */
void tern__resolver_poll(tern__resolver *resolver);

/* A descriptor that is readable when poll has something to do; -1: there is none. */
int tern__resolver_fd(const tern__resolver *resolver);

/* How long poll has time: ns, 0 for "poll now", -1 for "until the descriptor is readable". */
tern_dur tern__resolver_next(const tern__resolver *resolver);

/* For tests: other servers than the system's, "127.0.0.1:5300", or another hosts file. The strings are borrowed. False:
 * this build cannot. */
bool tern__resolver_set_servers(tern__resolver *resolver, const char *servers);
void tern__resolver_set_hosts(tern__resolver *resolver, const char *path);

#endif

/* The ports of an endpoint: each is opened by the first address of its scheme, and stays open as long as the endpoint.
 * Whoever adds a kind of port adds a row to the table in ports.c, and nothing elsewhere. */
#ifndef TERN_RPC_PORTS_H
#define TERN_RPC_PORTS_H

#include "rpc/endpoint.h"

/* The log and callback for a port or resolver of this endpoint; the endpoint outlives both. */
tern__port_env tern__ports_env(tern_endpoint *ep);

/* Add a port that the caller has made; on success the endpoint owns the port. Addresses name it by port->name. Returns
 * 0 or TERN_ERR_IO. */
int tern__ports_add(tern_endpoint *ep, tern__port *port);

/* The port for an address's scheme, opened if need be, and the part behind "scheme://". Returns 0, TERN_ERR_ADDRESS or
 * an error of the port's constructor. */
int tern__ports_find(tern_endpoint *ep, const char *address, tern__port **port, const char **rest);

/* Why an address can be none, in words, as far as its text tells; NULL: the text is in order. passive: the address is
 * to be listened at. */
const char *tern__ports_fault(const tern_endpoint *ep, const char *address, bool passive);

/* "cannot listen at ADDRESS: why" (passive) or "cannot connect to ADDRESS: why" to the log. err: what has just been
 * returned, while errno is still what the failed system call left. */
void tern__ports_log_failure(const tern_endpoint *ep, bool passive, const char *address, int err);

/* The congestion control of this name; NULL: the engine's default. */
const tern__cc_ops *tern__congestion_ops(tern_congestion congestion);

/* Close all ports. */
void tern__ports_fini(tern_endpoint *ep);

/* Send what waits in the links. */
static inline void tern__ports_flush(tern_endpoint *ep) {
    ep->tx_dirty = false;
    for (tern__port *port = ep->ports; port; port = port->next) port->link.ops->tx_flush(&port->link);
}

/* Whether what waits in the port's link is to wait for more. */
bool tern__port_gathers(tern_endpoint *ep, tern__port *port);

/* The same, but where packets wait at their receivers for long, those of some time leave together: each that comes
 * alone costs its receiver more than what is in it. */
static inline void tern__ports_flush_some(tern_endpoint *ep) {
    ep->tx_dirty = false;
    for (tern__port *port = ep->ports; port; port = port->next)
        if (__builtin_expect(!port->link.queues_until, true) || !tern__port_gathers(ep, port))
            port->link.ops->tx_flush(&port->link);
}

#endif

/* Listening: at an address of the endpoint's own, and at one address for several endpoints. */
#include <errno.h>
#include <stdio.h>

#include "rpc/ports.h"

static int listen_at(tern_endpoint *ep, const char *address) {
    if (ep->has_left) return TERN_ERR_STATE;
    if (ep->n_listeners == TERN__MAX_LISTENERS) return tern__port_limit();
    tern__port *port;
    const char *rest;
    int err = tern__ports_find(ep, address, &port, &rest);
    return err ? err : port->ops->listen(port, rest, ep->listeners[ep->n_listeners], TERN__ADDRESS_BYTES);
}

int tern_listen(tern_endpoint *ep, const char *address) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    errno = 0;
    int err = listen_at(ep, address);
    if (err)
        tern__ports_log_failure(ep, true, address, err);
    else
        ep->n_listeners++;
    return err;
}

const char *tern_listen_address(const tern_endpoint *ep, unsigned i) {
    return tern__endpoint_is_mine(ep) && i < ep->n_listeners ? ep->listeners[i] : NULL;
}

int tern_listener_new(const char *address, uint32_t n_endpoints, tern_listener **out) {
    return tern__share_new(address, n_endpoints, out);
}

const char *tern_listener_address(const tern_listener *listener) { return tern__share_address(listener); }

void tern_listener_free(tern_listener *listener) {
    if (listener) tern__share_unref(listener);
}

int tern_listen_shared(tern_endpoint *ep, tern_listener *listener) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->has_left) return TERN_ERR_STATE;
    if (ep->n_listeners == TERN__MAX_LISTENERS) return tern__port_limit();
    const char *address = tern__share_address(listener), *rest;
    for (uint32_t i = 0; i < ep->n_listeners; i++)
        if (strcmp(ep->listeners[i], address) == 0) return TERN_ERR_EXISTS;
    tern__port *port;
    int err = tern__ports_find(ep, address, &port, &rest);
    if (err) return err;
    if (!port->ops->listen_shared) return TERN_ERR_UNSUPPORTED;
    int place = port->ops->listen_shared(port, listener, ep->place);
    if (place < 0) return place;
    ep->place = place;
    /* Connections find their endpoint by themselves. */
    if (!port->link.reliable) tern__engine_set_shard(ep->engine, (uint32_t)place);
    snprintf(ep->listeners[ep->n_listeners++], TERN__ADDRESS_BYTES, "%s", address);
    return 0;
}

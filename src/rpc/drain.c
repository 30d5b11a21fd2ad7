/* Draining: the endpoint's side of it (engine/drain.c does the work). */
#include "rpc/drain.h"

int tern_endpoint_drain(tern_endpoint *ep, tern_dur timeout, tern_drained_fn *drained, void *user) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (timeout < 0) return TERN_ERR_INVALID;
    tern_time now = tern__endpoint_now(ep);
    tern__engine_drain(ep->engine, now + (tern_time)timeout, now);
    for (tern__port *port = ep->ports; port; port = port->next)
        if (port->ops->stop_listening) port->ops->stop_listening(port);
    ep->drained = drained;
    ep->drained_user = user;
    ep->draining = ep->has_left = true;
    ep->tx_dirty = true;
    return 0;
}

int tern_endpoint_is_drained(const tern_endpoint *ep) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    return tern__engine_is_drained(ep->engine);
}

bool tern__endpoint_drain_is_news(const tern_endpoint *ep) {
    return ep->draining && tern__engine_is_drained(ep->engine);
}

void tern__endpoint_tell_drained(tern_endpoint *ep) {
    ep->draining = false;
    if (ep->drained) ep->drained(ep->drained_user);
}

/* Leaving and closing connections (connection.h). */
#include "rpc/connection.h"

#include <stdlib.h>

void tern__connection_close(tern_endpoint *ep, tern__csession *cs, tern__port *port, const tern__route *route) {
    bool was_in_callback = ep->in_callback;
    ep->in_callback = true;
    tern__engine_session_close(cs, tern__endpoint_now(ep));
    port->link.ops->tx_flush(&port->link);
    port->ops->disconnect(port, route);
    ep->in_callback = was_in_callback;
}

int tern__connection_leave(tern_session *s, tern__closed **list) {
    tern__closed *closed = malloc(sizeof *closed);
    if (!closed) return TERN_ERR_NOMEM;
    *closed = (tern__closed){*list, s, s->cs, s->port, s->rest->route};
    *list = closed;
    s->cs = NULL;
    return 0;
}

int tern__connection_retire(tern_session *s) {
    int err = tern__connection_leave(s, &s->ep->retired);
    s->ep->session_closing |= !err;
    return err;
}

/* Packets out over streams: the link, and writing what waits. */
#ifndef TERN_PORT_TCP_TX_H
#define TERN_PORT_TCP_TX_H

#include "port/tcp.h"

extern const tern__link_ops tern__tcp_link_ops;

/* Write what waits, as far as the socket takes it. An error makes the connection broken; the next poll sees to it. */
void tern__tcp_write(tern__tcp_port *t, tern__tcp_conn *conn);

/* The same, where the socket says that it has room: whoever waits for room is told. In poll only. */
void tern__tcp_write_on(tern__tcp_port *t, tern__tcp_conn *conn);

#endif

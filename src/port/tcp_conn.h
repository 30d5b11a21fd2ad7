/* A connection's life: dialled or accepted, greeted, up, and gone in one of several ways. */
#ifndef TERN_PORT_TCP_CONN_H
#define TERN_PORT_TCP_CONN_H

#include "port/tcp.h"

/* A new connection in a slot and a seat of its own, DOWN, without socket. `network` and `address`: of the peer who has
 * connected; 0: it is ours. The seat is there (seats.h). NULL when memory is out. */
tern__tcp_conn *tern__tcp_conn_new(tern__tcp_port *t, uint64_t network, uint64_t address);

/* Dial a client's connection that is DOWN. Failure is reported by the next poll, unless it may not connect
 * (TERN_ERR_ACCESS), or this process has no descriptor left (TERN_ERR_LIMIT). Else 0. */
int tern__tcp_conn_dial(tern__tcp_port *t, tern__tcp_conn *conn);

/* Take on a socket that was accepted; a stranger gives way if need be. */
void tern__tcp_conn_accept(tern__tcp_port *t, int sock);

/* The dial has been answered, one way or the other. In poll only. */
void tern__tcp_conn_answered(tern__tcp_port *t, tern__tcp_conn *conn);

/* The client's greeting has come. */
void tern__tcp_conn_greeted(tern__tcp_port *t, tern__tcp_conn *conn);

/* A read has brought a part of a packet: a crumb, or more. Each read of a crumb costs as much as that of a long packet,
 * so a connection that brings too many is paused, and its bytes gather in the kernel: each crumb beyond
 * TERN__TCP_MAX_CRUMBS pauses, each other read makes up for two. In poll only. */
void tern__tcp_conn_weigh(tern__tcp_port *t, tern__tcp_conn *conn, bool is_crumb);

/* The connection is over: give everything back, and tell the endpoint. In poll only. */
void tern__tcp_conn_lose(tern__tcp_port *t, tern__tcp_conn *conn, const char *why);

/* The connection is over, as its peer holds too much of what this endpoint may hold (TERN__HOLD_GIVE_UP): operators are
 * told, and a counter. In poll only. */
void tern__tcp_conn_give_up(tern__tcp_port *t, tern__tcp_conn *conn);

/* Our own side is done with it. */
void tern__tcp_conn_hang_up(tern__tcp_port *t, tern__tcp_conn *conn);

/* Close, drop references. The state is the caller's business. */
void tern__tcp_conn_release(tern__tcp_port *t, tern__tcp_conn *conn);

/* What has taken too long. In poll only. */
void tern__tcp_conn_expire(tern__tcp_port *t);

/* Free one that is dead. Not while anybody walks over connections. */
void tern__tcp_conn_bury(tern__tcp_port *t, tern__tcp_conn *conn);

#endif

/* The sockets of the stream port: TCP and Unix, listening and dialling, all non-blocking. */
#ifndef TERN_PORT_TCP_SOCKET_H
#define TERN_PORT_TCP_SOCKET_H

#include "base/base.h"
#include "port/ip_addr.h"
#include "port/unix_socket.h"
#include "tern/rpc.h"

/* A Unix listener has its path; a TCP one only the descriptor. */
typedef tern__unix_listener tern__tcp_listener;

/* Listen at "host:port"; the address that it got, as a URL, goes to actual. TERN_ERR_ADDRESS, TERN_ERR_EXISTS,
 * TERN_ERR_ACCESS, TERN_ERR_NOMEM, TERN_ERR_IO. May block on DNS when host is a name. */
int tern__tcp_listen(tern__tcp_listener *listener, const char *address, char *actual, size_t cap);

/* The same for a path. */
int tern__tcp_listen_local(tern__tcp_listener *listener, const char *path, char *actual, size_t cap);

/* Close either. Not for a place of a shared address (listener.h). */
void tern__tcp_listener_close(tern__tcp_listener *listener);

/* A socket on its way to this address: connected, or to be waited for. Or an error. */
int tern__tcp_dial(const tern__ip_addr *addr);

/* How a dial went: 0, or an errno. */
int tern__tcp_dial_result(int sock);

/* What every socket gets before it connects: no delay, or local buffers. */
void tern__tcp_tune(int sock, bool local);

/* What a connection gets once it is up: an end when its peer's machine has been silent for twice peer_timeout, which is
 * asked after one of it when nothing of ours is outstanding. Not before: this would also bound how long connecting
 * takes. What does not apply to the socket is left out. */
void tern__tcp_watch_peer(int sock, bool local, tern_dur peer_timeout);

#endif

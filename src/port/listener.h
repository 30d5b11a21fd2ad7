/* Where a port with connections listens: by a socket of its own, or at a place of an address that several endpoints
 * share. */
#ifndef TERN_PORT_LISTENER_H
#define TERN_PORT_LISTENER_H

#include "port/share.h"
#include "port/unix_socket.h"

/* Accept at a place of a shared address, this one or TERN__SHARE_ANY. Returns the place, or TERN_ERR_FULL. */
int tern__listener_join(tern__unix_listener *listener, tern_listener *share, int wanted);

/* The next peer's socket, as tern__socket_accept(). */
int tern__listener_accept(const tern__unix_listener *listener);

/* Leave the shared address; or close the listener's own socket, and remove the file of a Unix socket if it is still
 * ours. */
void tern__listener_close(tern__unix_listener *listener);

#endif

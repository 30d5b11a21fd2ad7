/* TCP connections and Unix sockets: the constructors of both ports and the options of TCP, for whoever makes one.
 * tcp.h is the record that the port's own files share. */
#ifndef TERN_PORT_TCP_PORT_H
#define TERN_PORT_TCP_PORT_H

#include "port/port.h"

typedef struct tern__tcp_options {
    tern_dur peer_timeout; /* a peer that acknowledges nothing for this long is gone; > 0 */
} tern__tcp_options;

/* Both return 0, TERN_ERR_NOMEM or TERN_ERR_IO. A Unix port has no options: the kernel says when a process ends. */
int tern__tcp_port_new(const tern__port_env *env, const tern__tcp_options *options, tern__port **out);
int tern__unix_port_new(const tern__port_env *env, tern__port **out);

#endif

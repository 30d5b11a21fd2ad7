/* Names that this machine knows by itself: those of its hosts file, and localhost (RFC 6761) also without one. */
#ifndef TERN_PORT_HOSTS_H
#define TERN_PORT_HOSTS_H

#include "port/ip_addr.h"

#define TERN__HOSTS_FILE "/etc/hosts"

/* The addresses of `name` in the order of the file, at most cap of them, with port 0. A final dot of the name counts
 * for nothing. Returns how many; 0 when the machine does not know the name. Never asks the network. */
int tern__hosts_find(const char *path, const char *name, tern__ip_addr *out, int cap);

#endif

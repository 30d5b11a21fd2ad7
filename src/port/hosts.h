/* Names that this machine knows by itself: those of its hosts file, and localhost (RFC 6761) also without one. And the
 * addresses that need no others. */
#ifndef TERN_PORT_HOSTS_H
#define TERN_PORT_HOSTS_H

#include "port/ip_addr.h"

#define TERN__HOSTS_FILE "/etc/hosts"

/* The addresses of `name` in the order of the file, at most cap of them, with port 0. A final dot of the name counts
 * for nothing. Returns how many; 0 when the machine does not know the name. Never asks the network. */
int tern__hosts_find(const char *path, const char *name, tern__ip_addr *out, int cap);

/* The addresses that "host:port" or "[v6]:port" stands for, where the host is numeric or a name that this machine knows
 * by itself, IPv4 before IPv6 so that a client and a server that were given the same name meet; at most cap
 * of them to out. With `passive` (listening) an empty host or "*" means every address (IPv6 dual stack, then IPv4) and
 * port 0 is allowed; without, the unspecified address means loopback. Returns how many, or TERN_ERR_ADDRESS. */
int tern__hosts_resolve(const char *text, bool passive, tern__ip_addr *out, int cap);

/* Why "host:port" has no address for tern__hosts_resolve(), in words; NULL: the text has one, or (not with `passive`)
 * its host is a name that DNS may know. */
const char *tern__hosts_fault(const char *text, bool passive);

#endif

/* The UDP port's sockets: opened with the port's options, watched by its epoll set or not, closed. */
#ifndef TERN_PORT_UDP_SOCK_H
#define TERN_PORT_UDP_SOCK_H

#include "port/udp.h"

/* A socket of this family in a free place, with the port's options; bound nowhere yet. Returns 0 or an error. */
int tern__udp_sock_open(tern__udp_port *udp, uint32_t index, int family, bool wildcard);

/* The same for an open socket, which is the port's afterwards, also when this fails. */
int tern__udp_sock_adopt(tern__udp_port *udp, uint32_t index, int fd, int family, bool wildcard);

void tern__udp_sock_close(const tern__udp_port *udp, tern__udp_sock *sock);

/* Log the buffers that a socket got, and whether the kernel coalesces: of the port's first socket only. */
void tern__udp_sock_log(tern__udp_port *udp, const tern__udp_sock *sock);

/* Put all sockets into the epoll set, before somebody sleeps. False where the kernel refuses; then none is in it. */
bool tern__udp_watch(tern__udp_port *udp);

/* Take the sockets out of the epoll set until somebody means to sleep again. In the set each packet that comes wakes
 * it, and the endpoint's set behind it: 0.33 us, a tenth of a small datagram's way. */
void tern__udp_unwatch(tern__udp_port *udp);

/* The error of tern that an errno of a UDP socket stands for. */
int tern__udp_error(int error);

#endif

/* Which socket of a SO_REUSEPORT group of UDP gets a packet. */
#ifndef TERN_PORT_UDP_STEER_H
#define TERN_PORT_UDP_STEER_H

#include <stdbool.h>
#include <stdint.h>

enum { TERN__UDP_STEER_MAX_PLACES = 64 /* the number of values of a session number's upper six bits */ };

/* Make the kernel choose the socket of a group of n by the place in the session number, and for packets of no session
 * (CONNECT, REFUSE) a live place by the sender's address. fd: any socket of the group. live: a bit for each place.
 * False where the kernel does not allow it: it then chooses by the sender's address and by what is open. */
bool tern__udp_steer(int fd, uint32_t n, uint64_t live);

#endif

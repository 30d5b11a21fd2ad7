/* One address for several endpoints of a process, each on its own thread: a tern_listener.
 *
 * Stream kinds (shm, tcp, unix) have one listening socket. Whichever member finds a connection there accepts it for
 * the member whose turn it is, so the sessions spread evenly however the threads are scheduled. UDP has a socket per
 * place, in one SO_REUSEPORT group that is complete before the first packet and stays so: the kernel finds the socket
 * for a packet by the place that the packet's session number names (udp_steer.c), so a session stays with its
 * endpoint whoever comes and goes.
 *
 * A place is taken by joining and free again after leaving. Everything here may be called from any thread. */
#ifndef TERN_PORT_SHARE_H
#define TERN_PORT_SHARE_H

#include "port/udp_steer.h"
#include "tern/rpc.h"

enum {
    TERN__SHARE_MAX_PLACES = TERN__UDP_STEER_MAX_PLACES,
    TERN__SHARE_ANY = -1,
};

/* An address "scheme://..." for at most n_places members. Returns 0, or an error as tern_listen(). */
int tern__share_new(const char *address, uint32_t n_places, tern_listener **out);
void tern__share_ref(tern_listener *share);
void tern__share_unref(tern_listener *share);

/* The address that it got; never changes. */
const char *tern__share_address(const tern_listener *share);

/* Take a place, this one or TERN__SHARE_ANY. Returns it, or TERN_ERR_FULL. */
int tern__share_join(tern_listener *share, int wanted);
void tern__share_leave(tern_listener *share, uint32_t place);

/* UDP: new sessions go to the other members, if there are any; those that there are stay. */
void tern__share_rest(tern_listener *share, uint32_t place);

/* UDP, after a join: whether the kernel finds the socket for a packet by its session number. */
bool tern__share_follows(const tern_listener *share);

/* What a member polls: its UDP socket, or a descriptor that is readable when tern__share_accept() has something. The
 * share's own. */
int tern__share_fd(const tern_listener *share, uint32_t place);

/* The next connection for this member, as tern__socket_accept(). */
int tern__share_accept(tern_listener *share, uint32_t place);

#endif

/* A peer's life: dialled or accepted, greeted, up, and gone in one of several ways. */
#ifndef TERN_PORT_SHM_PEER_H
#define TERN_PORT_SHM_PEER_H

#include "port/shm.h"

/* A new peer in a slot of its own, without socket. NULL when memory or slots are out. */
tern__shm_peer *tern__shm_peer_new(tern__shm_port *s, tern__shm_state state);

/* Dial a client's peer that is DOWN. Failure to reach it is reported by the next poll; returns 0 then too.
 * TERN_ERR_ADDRESS, TERN_ERR_NOMEM. */
int tern__shm_peer_dial(tern__shm_port *s, tern__shm_peer *peer);

/* Take on a socket that was accepted; makes room among those who never greeted if need be. */
void tern__shm_peer_accept(tern__shm_port *s, int sock);

/* Its socket has something. */
void tern__shm_peer_readable(tern__shm_port *s, tern__shm_peer *peer);

/* Take in what it says on its socket, `most` messages at most: 0, or TERN_ERR_CLOSED when it has gone or says
 * nonsense. A segment may go, so not while entries are being looked up. */
int tern__shm_peer_listen(tern__shm_port *s, tern__shm_peer *peer, unsigned most);

/* The connection is over: give everything back, and tell the endpoint. In poll only. */
void tern__shm_peer_lose(tern__shm_port *s, tern__shm_peer *peer, const char *why);

/* Our own side is done with it. */
void tern__shm_peer_hang_up(tern__shm_port *s, tern__shm_peer *peer);

/* What has lingered too long. In poll only. */
void tern__shm_peers_expire(tern__shm_port *s);

/* Unmap, close, drop references. The state is the caller's business. */
void tern__shm_peer_release(tern__shm_port *s, tern__shm_peer *peer);

/* Free the dead. Not while anybody walks over peers. */
void tern__shm_sweep(tern__shm_port *s);

#endif

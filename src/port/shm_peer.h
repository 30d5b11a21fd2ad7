/* A peer's life: dialled or accepted, greeted, up, and gone in one of several ways. */
#ifndef TERN_PORT_SHM_PEER_H
#define TERN_PORT_SHM_PEER_H

#include "port/shm.h"

/* A new peer in a slot and a seat of its own, DOWN, without socket. `network`: of the peer who has connected; 0: it is
 * ours. The seat is there (seats.h). NULL when memory is out. */
tern__shm_peer *tern__shm_peer_new(tern__shm_port *s, uint64_t network);

/* Dial a client's peer that is DOWN, or has been CONNECTING for too long, which ends that connection. Failure to reach
 * it is reported by the next poll; returns 0 then too. TERN_ERR_ACCESS, TERN_ERR_NOMEM; TERN_ERR_LIMIT: this process
 * has no descriptor left. */
int tern__shm_peer_dial(tern__shm_port *s, tern__shm_peer *peer);

/* Take on a socket that was accepted; a stranger gives way if need be. */
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

/* Who has lingered, or had no session, for too long. In poll only. */
void tern__shm_peers_expire(tern__shm_port *s);

/* Unmap, close, drop references. The state is the caller's business. */
void tern__shm_peer_release(tern__shm_port *s, tern__shm_peer *peer);

/* A peer that was noticed is in the list of active ones no longer, unless it is active, and freed if it is dead. Not
 * while anybody walks over peers; nor before the flushes are swept. */
void tern__shm_settle(tern__shm_port *s, tern__shm_peer *peer);

/* The list of peers to flush has active ones only. */
void tern__shm_sweep_flush(tern__shm_port *s);

#endif

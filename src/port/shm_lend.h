/* Lending: references that a peer may keep beyond the record that named them (docs/shm.md, Borrowing).
 *
 * Such a reference has a ticket, whose number the record's entry names. Before the peer tells that it has passed the
 * record it says in its own memory whether it keeps the ticket. What it keeps stays referenced until it lets go, which
 * it says in the same place, in any order; or until its time is over: then we say in our memory that the ticket has
 * expired, and give the reference back. A ticket is used again only when the peer has let go of it, so that whoever
 * keeps one that expired finds that out. What a peer can keep is bounded in number, bytes and time. */
#ifndef TERN_PORT_SHM_LEND_H
#define TERN_PORT_SHM_LEND_H

#include "port/shm.h"

/* A ticket for a reference of ours, which is the ticket's from now on. 0: there is none, as the peer keeps as much as
 * it may, or memory is out. */
uint32_t tern__shm_lend(tern__shm_port *s, tern__shm_peer *peer, const void *ref, uint32_t *counter, uint32_t len);

/* The record with this ticket was not sent after all, or its peer is gone: its reference goes. */
void tern__shm_lend_undo(tern__shm_port *s, tern__shm_peer *peer, uint32_t ticket);

/* The peer has passed the record: the reference goes, unless it is kept. */
void tern__shm_lend_passed(tern__shm_port *s, tern__shm_peer *peer, uint32_t ticket);

/* See what the peer has let go of, some of it at a time. */
void tern__shm_lend_look(tern__shm_port *s, tern__shm_peer *peer);

/* Take back what the peer has kept too long. */
void tern__shm_lend_expire(tern__shm_port *s, tern__shm_peer *peer, tern_time now);

/* The peer is gone, and has been told that nothing is as it was: all references go. */
void tern__shm_lend_end(tern__shm_port *s, tern__shm_peer *peer);

#endif

/* Packets out over shared memory: the link, and what the rest of the port does with a peer's ring. */
#ifndef TERN_PORT_SHM_TX_H
#define TERN_PORT_SHM_TX_H

#include "port/shm.h"

extern const tern__link_ops tern__shm_link_ops;

/* Read how far the peer is and give back what it is done with. */
void tern__shm_reap(tern__shm_port *s, tern__shm_peer *peer);

/* Whether the run is closed, or nothing is in it. */
static inline bool tern__shm_run_is_empty(const tern__shm_peer *peer) {
    return (uintptr_t)peer->run.at <= (uintptr_t)peer->staged;
}

/* What is in the run goes into the ring; it is not empty. The caller says where it goes on. Returns its lines. */
static inline uint32_t tern__shm_run_write_out(tern__shm_port *s, tern__shm_peer *peer) {
    uint32_t n = (uint32_t)(peer->run.at - peer->staged) / TERN__RUN_LINE_BYTES;
    tern__run_count_parts(&peer->run, &s->port.link.sent);
    tern__ring_batch batch = tern__ring_write_lines(&peer->tx, peer->staged, n);
    tern__link_sent *sent = &s->port.link.sent;
    sent->run_packets += batch.n;
    sent->run_bytes += batch.bytes;
    s->stats.tx_inline_bytes += batch.bytes;
    s->stats.tx_packets += batch.n;
    peer->written = true;
    return n;
}

/* What is in the run goes into the ring, and the run goes on with the places that are left. */
static inline void tern__shm_run_write(tern__shm_port *s, tern__shm_peer *peer) {
    if (tern__shm_run_is_empty(peer)) return;
    uint32_t n = tern__shm_run_write_out(s, peer);
    peer->run.at = peer->staged;
    peer->run.end -= (size_t)n * TERN__RUN_LINE_BYTES;
}

/* No more packets into the run until a small one that went by itself opens it again. */
void tern__shm_run_close(tern__shm_port *s, tern__shm_peer *peer);

/* Tell the peers which of the segments that they know are gone. */
void tern__shm_retire_segments(tern__shm_port *s);

/* Wake the peer if it sleeps, once per sleep. */
void tern__shm_wake(tern__shm_port *s, tern__shm_peer *peer);

/* A full fence, for when membarrier is not to be had. */
static inline void tern__shm_fence(void) {
#ifdef __SANITIZE_THREAD__
    /* Fences are unknown to the thread sanitizer. */
    static _Thread_local uint32_t word;
    __atomic_fetch_add(&word, 0, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif

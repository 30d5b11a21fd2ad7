/* The timer of the shm port: runs while some peer has a time limit, so that a sleeping endpoint keeps it, too. */
#ifndef TERN_PORT_SHM_TIMER_H
#define TERN_PORT_SHM_TIMER_H

#include <sys/timerfd.h>

#include "port/shm.h"

enum { TERN__SHM_TICKS = 8 /* in the time that a peer may linger */ };

static inline tern_dur tern__shm_tick(const tern__shm_port *s) { return s->linger / TERN__SHM_TICKS; }

static inline void tern__shm_timer_run(const tern__shm_port *s, bool on) {
    tern_dur tick = on ? tern__shm_tick(s) : 0;
    struct timespec ts = {.tv_sec = tick / TERN_SEC, .tv_nsec = tick % TERN_SEC};
    struct itimerspec spec = {.it_interval = ts, .it_value = ts};
    timerfd_settime(s->tick_fd, 0, &spec, NULL);
}

/* One time limit more, one less. */
static inline void tern__shm_timer_use(tern__shm_port *s) {
    if (s->n_timed++) return;
    s->ticked_at = tern__coarse_now();
    tern__shm_timer_run(s, true);
}

static inline void tern__shm_timer_leave(tern__shm_port *s) {
    if (--s->n_timed == 0) tern__shm_timer_run(s, false);
}

/* After a change of the peer's state, or of its being used: the deadline that goes with that, if any. */
static inline void tern__shm_timer_set(tern__shm_port *s, tern__shm_peer *peer) {
    bool lingers = peer->state == TERN__SHM_LINGERING, strange = tern__shm_is_stranger(peer), had = peer->timed;
    bool goes_on = strange && peer->seat.stranger; /* since it was accepted, or used last */
    tern__seats_set_stranger(&s->seats, &peer->seat, strange);
    peer->timed = lingers || strange;
    if (peer->timed && !(had && goes_on))
        peer->deadline = tern__coarse_now() + (tern_time)(lingers ? s->linger : s->stranger);
    if (peer->timed && !had) tern__shm_timer_use(s);
    if (had && !peer->timed) tern__shm_timer_leave(s);
}

#endif

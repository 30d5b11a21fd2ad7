/* The timer of the shm port: runs while some peer has a time limit, so that a sleeping endpoint keeps it, too. */
#ifndef TERN_PORT_SHM_TIMER_H
#define TERN_PORT_SHM_TIMER_H

#include <sys/timerfd.h>

#include "port/shm.h"

enum { TERN__SHM_TICKS = 8 /* in the time that a peer may linger */ };

static inline void tern__shm_timer_run(const tern__shm_port *s, bool on) {
    tern_dur tick = on ? s->linger / TERN__SHM_TICKS : 0;
    struct timespec ts = {.tv_sec = tick / TERN_SEC, .tv_nsec = tick % TERN_SEC};
    struct itimerspec spec = {.it_interval = ts, .it_value = ts};
    timerfd_settime(s->tick_fd, 0, &spec, NULL);
}

/* One time limit more, one less. */
static inline void tern__shm_timer_use(tern__shm_port *s) {
    if (s->n_timed++ == 0) tern__shm_timer_run(s, true);
}

static inline void tern__shm_timer_leave(tern__shm_port *s) {
    if (--s->n_timed == 0) tern__shm_timer_run(s, false);
}

#endif

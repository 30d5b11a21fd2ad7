/* What connections hold, and how long they may (tcp_account.h). */
#include "port/tcp_account.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#include "mem/pool.h"

/* ---- What they hold ------------------------------------------------------------------------------- */

static uint64_t bytes_held(const tern__tcp_conn *conn) {
    uint64_t bytes = conn->in.part ? tern__buffer_size(conn->in.part_room) : 0;
    return conn->blocked ? bytes + tern__tcp_queue_held_bytes(&conn->out) : bytes;
}

static bool hold(tern__tcp_port *t, tern__tcp_conn *conn, uint64_t bytes) {
    if (bytes == conn->held.bytes) return true;
    tern__hold held = TERN__HOLD_WELL;
    if (t->env.hold)
        held = t->env.hold(t->env.ctx, &t->port.link, &conn->route, bytes, &conn->held);
    else
        conn->held.bytes = bytes;
    conn->no_more = held != TERN__HOLD_WELL;
    return held != TERN__HOLD_GIVE_UP;
}

bool tern__tcp_count(tern__tcp_port *t, tern__tcp_conn *conn) { return hold(t, conn, bytes_held(conn)); }

void tern__tcp_count_nothing(tern__tcp_port *t, tern__tcp_conn *conn) { hold(t, conn, 0); }

void tern__tcp_watch(const tern__tcp_port *t, tern__tcp_conn *conn) {
    uint32_t in = conn->paused ? 0 : EPOLLIN, out = conn->blocked ? EPOLLOUT : 0;
    struct epoll_event event = {.events = in | out, .data.ptr = conn};
    epoll_ctl(t->epoll, EPOLL_CTL_MOD, conn->sock, &event);
}

/* ---- How long ------------------------------------------------------------------------------------- */

/* The timer runs while anybody has a deadline, so that a sleeping endpoint keeps them, too. */
static void run_timer(tern__tcp_port *t, bool on) {
    tern_dur tick = on ? t->times.tick : 0;
    struct timespec ts = {.tv_sec = tick / TERN_SEC, .tv_nsec = tick % TERN_SEC};
    struct itimerspec spec = {.it_interval = ts, .it_value = ts};
    timerfd_settime(t->tick_fd, 0, &spec, NULL);
    t->ticked_at = tern__coarse_now();
}

void tern__tcp_time(tern__tcp_port *t, tern__tcp_conn *conn, tern_dur span, tern_dur *deadline) {
    *deadline = t->clock + span;
    if (!tern__list_empty(&conn->timed)) return;
    if (tern__list_empty(&t->timed)) run_timer(t, true);
    tern__list_append(&t->timed, &conn->timed);
}

void tern__tcp_untime(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (tern__list_empty(&conn->timed)) return;
    tern__list_remove(&conn->timed);
    if (tern__list_empty(&t->timed)) run_timer(t, false);
}

void tern__tcp_tick(tern__tcp_port *t) {
    tern_time now = tern__coarse_now();
    tern_dur passed = (tern_dur)(now - t->ticked_at), most = 4 * t->times.tick;
    t->clock += passed < most ? passed : most;
    t->ticked_at = now;
}

void tern__tcp_use(tern__link *link, const tern__route *route, bool used) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    if (!conn || conn->target) return;
    conn->used = conn->in.whole = used;
    tern__seats_set_stranger(&t->seats, &conn->seat, tern__tcp_is_stranger(conn));
    if (tern__tcp_is_stranger(conn)) tern__tcp_time(t, conn, t->times.stranger, &conn->deadline);
}

/* What connections hold, on their peers' accounts, and how long they may.
 *
 * A connection holds the memory of a frame that has come in part, and the bytes that its peer does not take, with the
 * memory of the buffers that only they keep: those of a response that the engine has forgotten. It has a deadline
 * while it is dialled, lingers, or was accepted and has no session; and while a frame is here in part: any path that
 * tern is for brings the largest frame in that time, and no other packet is progress; and while the socket is full,
 * each byte that it takes being progress. The deadlines are times of the port's own clock, which runs while anybody
 * has one, and passes over what this process has slept. */
#ifndef TERN_PORT_TCP_ACCOUNT_H
#define TERN_PORT_TCP_ACCOUNT_H

#include "port/tcp.h"

/* Count what the connection holds now. False: it has to go, in the next poll at the latest. */
bool tern__tcp_count(tern__tcp_port *t, tern__tcp_conn *conn);

/* The connection is not one of the few busy ones: what it only keeps at hand goes. */
static inline void tern__tcp_trim(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (!conn->run.end) tern__tcp_queue_trim(&conn->out, &t->spares);
}

/* Nothing counts for the connection any more. */
void tern__tcp_count_nothing(tern__tcp_port *t, tern__tcp_conn *conn);

/* epoll is to tell what matters of the connection now: it has changed whether the connection is paused or blocked. */
void tern__tcp_watch(const tern__tcp_port *t, tern__tcp_conn *conn);

/* A peer's connection without a session. */
static inline bool tern__tcp_is_stranger(const tern__tcp_conn *conn) {
    return !conn->target && !conn->used && (conn->state == TERN__TCP_HALF_OPEN || conn->state == TERN__TCP_UP);
}

static inline bool tern__tcp_has_deadline(const tern__tcp_conn *conn) {
    return conn->state == TERN__TCP_CONNECTING || conn->state == TERN__TCP_LINGERING || tern__tcp_is_stranger(conn);
}

/* Whether its peer has begun something that is to be whole by conn->frame_before. */
static inline bool tern__tcp_has_frame(const tern__tcp_conn *conn) {
    return conn->state == TERN__TCP_UP && tern__tcp_frames_in_part(&conn->in);
}

/* Whether its peer is to take something by conn->taken_before. */
static inline bool tern__tcp_has_unread(const tern__tcp_conn *conn) {
    return conn->state == TERN__TCP_UP && conn->blocked;
}

/* The connection has a deadline of this sort, `span` from now: *deadline is a field of its own. */
void tern__tcp_time(tern__tcp_port *t, tern__tcp_conn *conn, tern_dur span, tern_dur *deadline);

/* The timer is due: the clock goes on. */
void tern__tcp_tick(tern__tcp_port *t);

/* Connections without any deadline leave the list, and the timer stops when it is empty. */
void tern__tcp_untime(tern__tcp_port *t, tern__tcp_conn *conn);

/* The link's: a session is open over the route, or none any more. */
void tern__tcp_use(tern__link *link, const tern__route *route, bool used);

#endif

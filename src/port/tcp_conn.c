/* A connection's life: dialled or accepted, greeted, up, and gone in one of several ways. Whatever way it goes, release
 * gives everything back: the socket, what was to be written with the references in it, a packet that came in part. */
#include "port/tcp_conn.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "port/network.h"
#include "port/tcp_account.h"
#include "port/tcp_tx.h"
#include "tern/mem.h"

enum {
    MAX_SLURPS = 64,   /* reads of what a peer sent and nobody wants any more */
    MAX_IDLE_TRIES = 4 /* connections asked whether they have a call */
};

/* ---- Slots -------------------------------------------------------------------------------------- */

static bool grow_conns(tern__tcp_port *t) {
    uint32_t n = t->n_slots ? 2 * t->n_slots : 8;
    tern__tcp_slot *slots = realloc(t->slots, n * sizeof *slots);
    if (!slots) return false;
    t->slots = slots;
    tern__tcp_conn **dirty = realloc(t->dirty, n * sizeof *dirty);
    if (!dirty) return false;
    t->dirty = dirty;
    for (uint32_t i = t->n_slots; i < n; i++) t->slots[i] = (tern__tcp_slot){NULL, 1, i + 1 < n ? i + 2 : 0};
    t->free_slot = t->n_slots + 1;
    t->n_slots = n;
    return true;
}

tern__tcp_conn *tern__tcp_conn_new(tern__tcp_port *t, uint64_t network, uint64_t address) {
    if (!t->free_slot && !grow_conns(t)) return NULL;
    tern__tcp_conn *conn = calloc(1, sizeof *conn);
    if (!conn) return NULL;
    tern__guest guest = {network, address, .rx_bytes = &conn->rx_bytes, .rx_at = &conn->last_rx};
    if (!tern__seats_enter(&t->seats, &conn->seat, &guest)) {
        free(conn);
        return NULL;
    }
    conn->last_rx = t->n_polls;
    uint32_t slot = t->free_slot - 1;
    t->free_slot = t->slots[slot].next_free;
    conn->state = TERN__TCP_DOWN;
    conn->slot = slot;
    conn->sock = -1;
    conn->run.kind = TERN__RUN_PACKED;
    tern__list_init(&conn->timed);
    tern__list_init(&conn->noticed);
    conn->route.len = 8;
    tern__store32(conn->route.bytes, slot);
    tern__store32(conn->route.bytes + 4, t->slots[slot].generation);
    t->slots[slot].conn = conn;
    t->n_conns++;
    return conn;
}

void tern__tcp_conn_bury(tern__tcp_port *t, tern__tcp_conn *conn) {
    tern__tcp_slot *slot = &t->slots[conn->slot];
    tern__tcp_untime(t, conn);
    tern__list_remove(&conn->noticed);
    tern__seats_leave(&t->seats, &conn->seat);
    slot->conn = NULL;
    slot->generation++;
    slot->next_free = t->free_slot;
    t->free_slot = conn->slot + 1;
    t->n_conns--;
    free(conn->target);
    free(conn);
}

/* ---- States ------------------------------------------------------------------------------------- */

static void set_conn_state(tern__tcp_port *t, tern__tcp_conn *conn, tern__tcp_state state, tern_dur at_most) {
    t->n_half_open -= conn->state == TERN__TCP_HALF_OPEN;
    t->n_half_open += state == TERN__TCP_HALF_OPEN;
    conn->state = (uint8_t)state;
    if (at_most) tern__tcp_time(t, conn, at_most, &conn->deadline);
    if (!tern__tcp_is_stranger(conn)) tern__seats_set_stranger(&t->seats, &conn->seat, false);
    if (state != TERN__TCP_DEAD) return;
    tern__seats_leave(&t->seats, &conn->seat);
    tern__tcp_notice(t, conn);
}

/* Closing alone would leave the socket in the set as long as a child of fork() has it, too. */
static void close_sock(const tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->sock < 0) return;
    epoll_ctl(t->epoll, EPOLL_CTL_DEL, conn->sock, NULL);
    close(conn->sock);
    conn->sock = -1;
}

/* `blocked`: the first event to wait for is that the socket can be written to. */
static int watch_conn(tern__tcp_port *t, tern__tcp_conn *conn, bool blocked) {
    struct epoll_event event = {.events = EPOLLIN | (blocked ? EPOLLOUT : 0), .data.ptr = conn};
    if (epoll_ctl(t->epoll, EPOLL_CTL_ADD, conn->sock, &event)) return TERN_ERR_IO;
    conn->blocked = blocked;
    t->n_blocked += blocked;
    return 0;
}

static void queue_greeting(tern__tcp_port *t, tern__tcp_conn *conn, tern__tcp_role role) {
    tern__tcp_mark mark;
    if (!tern__tcp_queue_begin(&conn->out, &t->spares, TERN__TCP_GREETING_BYTES, 1, &mark)) {
        conn->broken = true;
        tern__tcp_notice(t, conn);
        return;
    }
    tern__tcp_greeting_write(tern__tcp_queue_append(&conn->out, TERN__TCP_GREETING_BYTES), role);
    t->stats.tx_bytes += TERN__TCP_GREETING_BYTES;
    tern__tcp_write(t, conn);
}

static void conn_up(tern__tcp_port *t, tern__tcp_conn *conn, tern__tcp_role role) {
    tern__tcp_watch_peer(conn->sock, t->local, t->peer_timeout);
    set_conn_state(t, conn, TERN__TCP_UP, 0);
    t->stats.conns_up++;
    tern__port_log(&t->env, conn->target ? TERN_LOG_INFO : TERN_LOG_DEBUG, "%s: peer %u is up", t->port.name,
                   conn->slot);
    queue_greeting(t, conn, role);
    if (t->env.has_room) t->env.has_room(t->env.ctx, &t->port.link, &conn->route);
}

/* ---- Dialling ----------------------------------------------------------------------------------- */

static void fail_dial(tern__tcp_port *t, tern__tcp_conn *conn, const char *why) {
    tern__port_log(&t->env, TERN_LOG_INFO, "%s: cannot connect to %s: %s", t->port.name, conn->target->address, why);
    set_conn_state(t, conn, TERN__TCP_DOWN, 0);
    conn->loss_due = true;
    tern__tcp_notice(t, conn);
}

/* Returns 0, and the answer is to be waited for, or why there is none to come. */
static int dial_target(tern__tcp_port *t, tern__tcp_conn *conn) {
    const tern__tcp_target *target = conn->target;
    conn->sock = t->local ? tern__unix_dial(target->address, SOCK_STREAM) : tern__tcp_dial(&target->addr);
    int err = conn->sock < 0 ? conn->sock : watch_conn(t, conn, true);
    if (!err) {
        tern__tcp_tune(conn->sock, t->local);
        tern__tcp_frames_init(&conn->in, TERN__TCP_SERVER);
        set_conn_state(t, conn, TERN__TCP_CONNECTING, t->times.give_up);
        return 0;
    }
    const char *why = tern__port_reason(err);
    int error = errno;
    close_sock(t, conn);
    fail_dial(t, conn, why);
    errno = error; /* which the endpoint's own line names */
    return err;
}

int tern__tcp_conn_dial(tern__tcp_port *t, tern__tcp_conn *conn) {
    conn->target->dialled_at = tern__coarse_now();
    conn->loss_due = false;
    int err = dial_target(t, conn);
    return err == TERN_ERR_ACCESS || err == TERN_ERR_LIMIT ? err : 0;
}

void tern__tcp_conn_answered(tern__tcp_port *t, tern__tcp_conn *conn) {
    int error = tern__tcp_dial_result(conn->sock);
    if (error == 0) {
        conn_up(t, conn, TERN__TCP_CLIENT);
        return;
    }
    tern__tcp_conn_release(t, conn);
    fail_dial(t, conn, error == ECONNREFUSED ? "nobody listens there" : "it cannot be reached");
}

/* ---- Accepting ---------------------------------------------------------------------------------- */

static void lose_stranger(tern__tcp_port *t, tern__seat *seat, const char *why) {
    tern__tcp_conn_lose(t, TERN__CONTAINER(seat, tern__tcp_conn, seat), why);
}

static bool is_idle(const tern__tcp_port *t, const tern__tcp_conn *conn) {
    bool knows = t->env.is_idle && conn->state == TERN__TCP_UP;
    return !conn->out.bytes && (!knows || t->env.is_idle(t->env.ctx, &t->port.link, &conn->route));
}

/* A connection of the address with the most in this network, which has none free: one without a call, if that is
 * found soon. False: the others have as few as this address. */
static bool lose_heaviest(tern__tcp_port *t, uint64_t network, uint64_t address) {
    tern__tcp_conn *conn = NULL;
    for (int i = 0; i < MAX_IDLE_TRIES && (!conn || !is_idle(t, conn)); i++) {
        tern__seat *seat = tern__seats_heaviest(&t->seats, network, address);
        if (seat) conn = TERN__CONTAINER(seat, tern__tcp_conn, seat);
    }
    if (!conn) return false;
    t->stats.gave_way++;
    if (tern__port_may_log(&t->gave_way_logged_at))
        tern__port_log(&t->env, TERN_LOG_WARN,
                       "%s: peer %u loses its connection: its network has all that it may have, and its address more "
                       "than another",
                       t->port.name, conn->slot);
    tern__tcp_conn_lose(t, conn, "its address has many connections, and its neighbours few");
    return true;
}

/* A seat for one more connection from this network and address, of strangers if need be, or of who has most there. */
static bool make_seat(tern__tcp_port *t, uint64_t network, uint64_t address) {
    tern__seats *seats = &t->seats;
    tern__seat *victim;
    if (seats->n_strangers >= seats->max_strangers && (victim = tern__seats_victim(seats, 0)))
        lose_stranger(t, victim, "no session was open, and others wait");
    if (tern__seats_may_enter(seats, network)) return true;
    victim = tern__seats_victim(seats, tern__seats_free(seats) ? network : 0);
    if (victim) lose_stranger(t, victim, "no session was open, and its neighbours have many connections");
    return tern__seats_may_enter(seats, network) || lose_heaviest(t, network, address);
}

void tern__tcp_conn_accept(tern__tcp_port *t, int sock) {
    uint64_t network = tern__network_of_socket(sock, &(tern__route){.len = 8}), address = tern__address_of_socket(sock);
    tern__tcp_conn *conn = make_seat(t, network, address) ? tern__tcp_conn_new(t, network, address) : NULL;
    if (!conn) {
        t->stats.refused++;
        tern__port_log_refusal(&t->env, t->port.name, &t->refusal_logged_at);
        close(sock);
        return;
    }
    conn->sock = sock;
    tern__tcp_tune(sock, t->local);
    tern__tcp_frames_init(&conn->in, TERN__TCP_CLIENT);
    set_conn_state(t, conn, TERN__TCP_HALF_OPEN, t->times.stranger);
    if (watch_conn(t, conn, false)) tern__tcp_conn_lose(t, conn, "its socket cannot be watched");
}

void tern__tcp_conn_greeted(tern__tcp_port *t, tern__tcp_conn *conn) { conn_up(t, conn, TERN__TCP_SERVER); }

/* ---- Crumbs ------------------------------------------------------------------------------------- */

static void cool_conn(tern__tcp_port *t, tern__tcp_conn *conn) {
    uint32_t i = 0;
    while (t->hot[i] != conn) i++;
    t->hot[i] = t->hot[--t->n_hot];
    conn->hot = false;
}

/* The tick runs, since the connection has a deadline for what is here in part. */
static void pause_conn(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->paused || tern__list_empty(&conn->timed)) return;
    if (conn->hot) cool_conn(t, conn);
    conn->paused = true;
    t->stats.rx_pauses++;
    tern__tcp_watch(t, conn);
}

void tern__tcp_conn_weigh(tern__tcp_port *t, tern__tcp_conn *conn, bool is_crumb) {
    if (!is_crumb)
        conn->n_crumbs -= conn->n_crumbs < 2 ? conn->n_crumbs : 2;
    else if (conn->n_crumbs < TERN__TCP_MAX_CRUMBS)
        conn->n_crumbs++;
    else
        pause_conn(t, conn);
}

/* ---- Parting ------------------------------------------------------------------------------------ */

static void stay_clean(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (!conn->dirty) return;
    uint32_t i = 0;
    while (t->dirty[i] != conn) i++;
    t->dirty[i] = t->dirty[--t->n_dirty];
    conn->dirty = false;
}

void tern__tcp_conn_release(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->hot) cool_conn(t, conn);
    stay_clean(t, conn);
    t->n_blocked -= conn->blocked;
    conn->blocked = conn->paused = conn->broken = conn->gives_up = false;
    conn->n_crumbs = 0;
    conn->n_drains = 0;
    close_sock(t, conn);
    conn->run.at = conn->run.end = NULL;
    tern__tcp_queue_fini(&conn->out, &t->spares);
    tern__tcp_frames_fini(&conn->in);
    tern__tcp_count_nothing(t, conn);
    conn->no_more = false;
    t->attention = true; /* a descriptor is free: the listeners may want it */
}

void tern__tcp_conn_lose(tern__tcp_port *t, tern__tcp_conn *conn, const char *why) {
    tern__route route = conn->route;
    bool known = conn->state == TERN__TCP_UP || conn->state == TERN__TCP_CONNECTING;
    bool has_sessions = conn->target || conn->heard;
    bool was_up = conn->state == TERN__TCP_UP;
    tern__port_log(&t->env, known && conn->target ? TERN_LOG_INFO : TERN_LOG_DEBUG, "%s: peer %u is gone: %s",
                   t->port.name, conn->slot, why);
    if (conn->state == TERN__TCP_HALF_OPEN) t->stats.refused++;
    tern__tcp_conn_release(t, conn);
    set_conn_state(t, conn, conn->n_users ? TERN__TCP_DOWN : TERN__TCP_DEAD, 0);
    if (!known) return;
    t->stats.conns_lost++;
    if (!has_sessions) return;
    t->port.link.hung_up = was_up;
    t->env.route_lost(t->env.ctx, &t->port.link, &route);
    t->port.link.hung_up = false;
}

void tern__tcp_conn_give_up(tern__tcp_port *t, tern__tcp_conn *conn) {
    t->stats.given_up++;
    t->port.link.n_given_up++;
    if (tern__port_may_log(&t->give_up_logged_at))
        tern__port_log(
            &t->env, TERN_LOG_WARN,
            "%s: peer %u loses its connection: peers hold all that this endpoint may hold (max_rx_bytes), and "
            "this one has the most",
            t->port.name, conn->slot);
    tern__tcp_conn_lose(t, conn, "it holds too much of what this endpoint may hold");
}

/* What the peer has sent and nobody reads would make the kernel answer our end with a reset, which may overtake
 * what we have written. */
static void slurp(const tern__tcp_conn *conn) {
    uint8_t sink[4096];
    for (int i = 0; i < MAX_SLURPS; i++)
        if (recv(conn->sock, sink, sizeof sink, MSG_DONTWAIT) < (ssize_t)sizeof sink) return;
}

void tern__tcp_conn_hang_up(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->state == TERN__TCP_UP && !conn->broken) {
        tern__tcp_write(t, conn);
        if (!conn->broken) {
            slurp(conn);
            if (!conn->out.bytes) shutdown(conn->sock, SHUT_WR);
            set_conn_state(t, conn, TERN__TCP_LINGERING, t->times.linger);
            return;
        }
    }
    tern__tcp_conn_release(t, conn);
    set_conn_state(t, conn, TERN__TCP_DEAD, 0);
}

static void expire_conn(tern__tcp_port *t, tern__tcp_conn *conn) {
    switch ((tern__tcp_state)conn->state) {
    case TERN__TCP_HALF_OPEN: tern__tcp_conn_lose(t, conn, "it never greeted"); return;
    case TERN__TCP_UP: tern__tcp_conn_lose(t, conn, "it has no session"); return;
    case TERN__TCP_CONNECTING:
        tern__tcp_conn_release(t, conn);
        fail_dial(t, conn, "it does not answer");
        return;
    case TERN__TCP_LINGERING: tern__tcp_conn_lose(t, conn, "it took too long to hang up, too"); return;
    case TERN__TCP_DOWN:
    case TERN__TCP_DEAD: return;
    }
}

static void lose_unread(tern__tcp_port *t, tern__tcp_conn *conn) {
    t->stats.unread++;
    tern__port_log_unread(&t->env, t->port.name, &t->unread_logged_at);
    tern__tcp_conn_lose(t, conn, "it took nothing of what waited for it");
}

static void resume_conn(const tern__tcp_port *t, tern__tcp_conn *conn) {
    if (!conn->paused) return;
    conn->paused = false;
    tern__tcp_watch(t, conn);
}

/* Connections may die meanwhile; the dead stay in the list until they are buried. What a paused connection has sent in
 * time is read before it can be late. */
void tern__tcp_conn_expire(tern__tcp_port *t) {
    uint64_t n_expired;
    if (read(t->tick_fd, &n_expired, sizeof n_expired) < 0 && errno == EAGAIN) return;
    tern_dur last = t->clock;
    tern__tcp_tick(t);
    for (tern__node *node = t->timed.next, *next; node != &t->timed; node = next) {
        tern__tcp_conn *conn = TERN__CONTAINER(node, tern__tcp_conn, timed);
        tern_dur read_at = conn->paused ? last : t->clock;
        resume_conn(t, conn);
        if (tern__tcp_has_deadline(conn) && conn->deadline <= read_at)
            expire_conn(t, conn);
        else if (tern__tcp_has_frame(conn) && conn->frame_before <= read_at)
            tern__tcp_conn_lose(t, conn, "it did not complete what it had begun to send");
        else if (tern__tcp_has_unread(conn) && conn->taken_before <= t->clock)
            lose_unread(t, conn);
        next = node->next;
        bool is_timed = tern__tcp_has_deadline(conn) || tern__tcp_has_frame(conn) || tern__tcp_has_unread(conn);
        if (!is_timed) tern__tcp_untime(t, conn);
    }
}

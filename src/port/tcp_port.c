/* The stream port: packets in, accepting, sleeping.
 *
 * Whom to ask: a read that finds nothing costs 0.3 us, and so does asking epoll who has something, which then still
 * has to be read. So the few connections that had something lately are read from in each poll, straight away, and epoll
 * is asked for the others in every eighth poll only, and when there are no others, in every 64th, for who may come;
 * with none of the few, or after a sleep, at once. */
#include "port/tcp_port.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "mem/pool.h"
#include "port/hosts.h"
#include "port/listener.h"
#include "port/tcp_account.h"
#include "port/tcp_conn.h"
#include "port/tcp_tx.h"
#include "tern/mem.h"

enum {
    MAX_EVENTS = 64,
    MAX_ACCEPTS = 64,    /* per look */
    MAX_DRAINS = 64,     /* turns */
    FREE_WAIT_TRIES = 50 /* 0.2 ms each: for sockets to take what waits */
};

/* ---- Packets in --------------------------------------------------------------------------------- */

static bool ensure_tcp_buffer(tern__tcp_port *t) {
    if (t->rx) return true;
    t->rx = tern_alloc_private(TERN__TCP_RX_BUFFER_BYTES);
    t->rx_used = 0;
    if (!t->rx) return false;
    t->rx_count = tern__ref_find(t->rx, 1);
    t->stats.rx_buffers++;
    return true;
}

/* The n bytes last received have been handled. The space is used again only when nobody holds any of the buffer. */
static void retire_bytes(tern__tcp_port *t, uint32_t n) {
    if (__atomic_load_n(t->rx_count, __ATOMIC_ACQUIRE) == 1) {
        t->rx_used = 0;
        return;
    }
    t->rx_used += (n + 63) & ~(uint32_t)63;
    if (t->rx_used + TERN__TCP_RX_ROOM <= TERN__TCP_RX_BUFFER_BYTES) return;
    tern_unref(t->rx);
    t->rx = NULL;
}

static void hand_on(tern__tcp_port *t, tern__tcp_conn *conn, const tern__tcp_arrival *arrival, tern__rx_fn *fn,
                    void *ctx) {
    tern__rx_packet packet;
    tern__rx_packet_init(&packet, &t->port.link, arrival->data, arrival->len);
    packet.route = conn->route;
    packet.back = &conn->run;
    conn->heard = true;
    t->stats.rx_packets++;
    fn(ctx, &packet, 1);
    if (!arrival->own) return;
    t->stats.rx_parts++;
    tern_unref(arrival->data);
}

static void lose_conn_for(tern__tcp_port *t, tern__tcp_conn *conn, int err) {
    if (err == TERN_ERR_MALFORMED || err == TERN_ERR_VERSION) t->stats.rx_malformed++;
    tern__tcp_conn_lose(t, conn, err == TERN_ERR_MALFORMED ? "it does not speak our protocol" : tern_strerror(err));
}

/* Cut [at, end) into packets and hand them on. A callback may hang up on the connection: then it is not UP any more,
 * and nothing of the rest is wanted. */
static unsigned cut_packets(tern__tcp_port *t, tern__tcp_conn *conn, const uint8_t *at, const uint8_t *end,
                            tern__rx_fn *fn, void *ctx) {
    tern__tcp_arrival arrival;
    unsigned n = 0;
    int got = 0;
    while (at < end && (got = tern__tcp_frames_next(&conn->in, &at, end, &arrival)) == 1) {
        if (conn->state == TERN__TCP_HALF_OPEN) tern__tcp_conn_greeted(t, conn);
        hand_on(t, conn, &arrival, fn, ctx);
        n++;
        if (conn->state != TERN__TCP_UP) return n;
    }
    if (got < 0)
        lose_conn_for(t, conn, got);
    else if (conn->in.greeted && conn->state == TERN__TCP_HALF_OPEN)
        tern__tcp_conn_greeted(t, conn);
    return n;
}

/* Receive what is there, up to *asked bytes: the rest of a packet under way to its buffer, the other bytes to t->rx. */
static ssize_t receive_some(tern__tcp_port *t, const tern__tcp_conn *conn, size_t *asked) {
    uint32_t want;
    uint8_t *part = tern__tcp_frames_want(&conn->in, &want), *space = t->rx + t->rx_used;
    t->stats.rx_calls++;
    if (!part) {
        *asked = TERN__TCP_RX_ROOM;
        return recv(conn->sock, space, TERN__TCP_RX_ROOM, MSG_DONTWAIT);
    }
    uint32_t room = want >= TERN__TCP_RX_ROOM ? TERN__TCP_RX_AHEAD : TERN__TCP_RX_ROOM;
    struct iovec iovs[2] = {{part, want}, {space, room}};
    *asked = want + room;
    return readv(conn->sock, iovs, 2);
}

static bool is_receiving(const tern__tcp_conn *conn) {
    return conn->state == TERN__TCP_UP || conn->state == TERN__TCP_HALF_OPEN;
}

/* A frame is here in part, or was, or output waits, whose buffers may have been the engine's before. n: packets that
 * have come since. */
static __attribute__((noinline)) void heed_held(tern__tcp_port *t, tern__tcp_conn *conn, unsigned n) {
    if (!is_receiving(conn)) return;
    bool has_frame = tern__tcp_has_frame(conn), goes_on = conn->in_part && n == 0;
    conn->in_part = has_frame;
    conn->heeded = has_frame || conn->blocked;
    if (has_frame && !goes_on) tern__tcp_time(t, conn, t->times.frame, &conn->frame_before);
    tern__tcp_conn_weigh(t, conn, n == 0 && conn->rx_bytes - conn->weighed_bytes < TERN__TCP_CRUMB_BYTES);
    conn->weighed_bytes = conn->rx_bytes;
    if (!tern__tcp_count(t, conn)) tern__tcp_conn_give_up(t, conn);
}

static unsigned take_in(tern__tcp_port *t, tern__tcp_conn *conn, uint32_t n_bytes, tern__rx_fn *fn, void *ctx) {
    uint32_t want;
    unsigned n = 0;
    conn->last_rx = t->n_polls;
    t->stats.rx_bytes += n_bytes;
    conn->rx_bytes += n_bytes;
    if (tern__tcp_frames_want(&conn->in, &want)) {
        uint32_t n_part = n_bytes < want ? n_bytes : want;
        tern__tcp_arrival arrival;
        n_bytes -= n_part;
        if (tern__tcp_frames_got(&conn->in, n_part, &arrival)) {
            hand_on(t, conn, &arrival, fn, ctx);
            n++;
        }
    }
    if (n_bytes && is_receiving(conn)) {
        const uint8_t *data = t->rx + t->rx_used;
        n += cut_packets(t, conn, data, data + n_bytes, fn, ctx);
        retire_bytes(t, n_bytes);
    }
    if (conn->heeded || tern__tcp_frames_in_part(&conn->in)) heed_held(t, conn, n);
    return n;
}

/* Read until the socket is empty, or about `budget` packets or a turn's bytes have come: what a large message brings
 * is answered while the rest of it is on its way, and others have their turn. */
static unsigned receive_from_conn(tern__tcp_port *t, tern__tcp_conn *conn, unsigned budget, tern__rx_fn *fn,
                                  void *ctx) {
    unsigned n = 0;
    size_t n_bytes = 0;
    while (n < budget && n_bytes < TERN__TCP_RX_TURN && is_receiving(conn) && ensure_tcp_buffer(t)) {
        size_t asked;
        ssize_t got = receive_some(t, conn, &asked);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) break;
        if (got <= 0) {
            tern__tcp_conn_lose(t, conn, got < 0 ? "its connection broke" : "it hung up");
            break;
        }
        n_bytes += (size_t)got;
        n += take_in(t, conn, (uint32_t)got, fn, ctx);
        if ((size_t)got < asked) break;
    }
    return n;
}

/* ---- Connections that have something ------------------------------------------------------------ */

/* We have hung up: nothing that it says matters but its end. */
static void linger_conn(tern__tcp_port *t, tern__tcp_conn *conn) {
    uint8_t sink[4096];
    if (conn->out.bytes) {
        tern__tcp_write(t, conn);
        if (!conn->out.bytes) shutdown(conn->sock, SHUT_WR);
    }
    ssize_t got = recv(conn->sock, sink, sizeof sink, MSG_DONTWAIT);
    if (got == 0 || conn->broken || (got < 0 && errno != EAGAIN && errno != EINTR))
        tern__tcp_conn_lose(t, conn, "it hung up, too");
}

static __attribute__((noinline)) void grow_cold(tern__tcp_port *t, tern__tcp_conn *conn) {
    conn->hot = false;
    tern__tcp_trim(t, conn);
}

/* One that brings something takes a place among the hot ones, if need be that of one that has become cold. */
static void warm_conn(tern__tcp_port *t, tern__tcp_conn *conn) {
    uint32_t at = t->n_hot;
    if (conn->hot || conn->state != TERN__TCP_UP) return;
    for (uint32_t i = 0; at == TERN__TCP_HOT_CONNS && i < t->n_hot; i++)
        if (t->n_polls - t->hot[i]->last_rx >= TERN__TCP_COLD_POLLS) at = i;
    if (at == TERN__TCP_HOT_CONNS) return;
    if (at < t->n_hot)
        grow_cold(t, t->hot[at]);
    else
        t->n_hot++;
    t->hot[at] = conn;
    conn->hot = true;
}

static unsigned visit_conn(tern__tcp_port *t, tern__tcp_conn *conn, uint32_t events, unsigned budget, tern__rx_fn *fn,
                           void *ctx) {
    switch ((tern__tcp_state)conn->state) {
    case TERN__TCP_CONNECTING:
        if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) tern__tcp_conn_answered(t, conn);
        return 0;
    case TERN__TCP_LINGERING: linger_conn(t, conn); return 0;
    case TERN__TCP_DOWN:
    case TERN__TCP_DEAD: return 0;
    case TERN__TCP_HALF_OPEN:
    case TERN__TCP_UP: break;
    }
    if (events & EPOLLOUT && conn->blocked) tern__tcp_write_on(t, conn);
    if (!(events & (EPOLLIN | EPOLLERR | EPOLLHUP))) return 0;
    unsigned n = receive_from_conn(t, conn, budget, fn, ctx);
    if (n) warm_conn(t, conn);
    return n;
}

static unsigned ask_hot(tern__tcp_port *t, unsigned budget, tern__rx_fn *fn, void *ctx) {
    unsigned n = 0;
    uint32_t turn = (uint32_t)t->n_polls;
    for (uint32_t i = 0; i < t->n_hot && n < budget; i++) {
        uint32_t at = (turn + i) % t->n_hot;
        tern__tcp_conn *conn = t->hot[at];
        n += receive_from_conn(t, conn, budget - n, fn, ctx);
        if (conn->hot && t->n_polls - conn->last_rx >= TERN__TCP_COLD_POLLS) {
            grow_cold(t, conn);
            t->hot[at] = t->hot[--t->n_hot];
        }
    }
    return n;
}

/* ---- Accepting ---------------------------------------------------------------------------------- */

static void accept_conns(tern__tcp_port *t, const tern__tcp_listener *listener) {
    const char *name = t->port.name;
    for (int i = 0; i < MAX_ACCEPTS; i++) {
        int sock = tern__listener_accept(listener);
        if (sock == TERN_ERR_LIMIT)
            tern__accept_pause_begin(&t->pause, t->listeners, t->n_listeners, &t->env, name, NULL);
        if (sock < 0) return;
        tern__accept_works(&t->pause, &t->env, name);
        tern__tcp_conn_accept(t, sock);
    }
}

/* ---- Polling ------------------------------------------------------------------------------------ */

static unsigned ask_epoll(tern__tcp_port *t, unsigned budget, tern__rx_fn *fn, void *ctx) {
    struct epoll_event events[MAX_EVENTS];
    unsigned n_packets = 0;
    int n = epoll_wait(t->epoll, events, MAX_EVENTS, 0);
    for (int i = 0; i < n; i++) {
        void *what = events[i].data.ptr;
        uintptr_t at = (uintptr_t)what - (uintptr_t)t->listeners;
        if (at < sizeof t->listeners)
            accept_conns(t, what);
        else if (what == &t->tick_fd)
            tern__tcp_conn_expire(t);
        else if (what == &t->pause)
            tern__accept_pause_end(&t->pause, t->listeners, t->n_listeners);
        else if (n_packets < budget)
            n_packets += visit_conn(t, what, events[i].events, budget - n_packets, fn, ctx);
    }
    return n_packets;
}

/* A connection that cannot be written to: what it has sent still counts, as much as sockets hold. */
static unsigned drain_conn(tern__tcp_port *t, tern__tcp_conn *conn, unsigned budget, tern__rx_fn *fn, void *ctx) {
    unsigned n = receive_from_conn(t, conn, budget, fn, ctx);
    if (!conn->broken || !is_receiving(conn)) return n;
    if (n && conn->n_drains++ < MAX_DRAINS)
        tern__tcp_notice(t, conn);
    else if (conn->gives_up)
        tern__tcp_conn_give_up(t, conn);
    else
        tern__tcp_conn_lose(t, conn, "it takes nothing any more");
    return n;
}

static void attend_conn(tern__tcp_port *t, tern__tcp_conn *conn, unsigned budget, unsigned *n, tern__rx_fn *fn,
                        void *ctx) {
    if (conn->broken && is_receiving(conn)) {
        *n += drain_conn(t, conn, budget, fn, ctx);
    } else if (conn->loss_due && conn->state == TERN__TCP_DOWN) {
        tern__route route = conn->route;
        conn->loss_due = false;
        t->env.route_lost(t->env.ctx, &t->port.link, &route);
    }
    if (conn->state == TERN__TCP_DEAD) tern__tcp_conn_bury(t, conn);
}

/* What was put off because it may only happen in poll: broken connections' last packets and their ends, losses to
 * report, the dead to bury. Whoever is noticed meanwhile waits for the next poll. */
static unsigned attend_conns(tern__tcp_port *t, unsigned budget, tern__rx_fn *fn, void *ctx) {
    unsigned n = 0;
    tern__node now;
    tern__list_init(&now);
    t->attention = false;
    for (tern__node *node; (node = t->noticed.next) != &t->noticed;) {
        tern__list_remove(node);
        tern__list_append(&now, node);
    }
    while (!tern__list_empty(&now)) {
        tern__node *node = now.next;
        tern__list_remove(node);
        attend_conn(t, TERN__CONTAINER(node, tern__tcp_conn, noticed), budget, &n, fn, ctx);
    }
    tern__accept_pause_end(&t->pause, t->listeners, t->n_listeners); /* a connection may have left a descriptor */
    return n;
}

static int tcp_poll(tern__port *port, unsigned budget, tern__rx_fn *fn, void *ctx) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    unsigned n = 0;
    uint32_t rarely = t->n_conns > t->n_hot ? TERN__TCP_RARELY : TERN__TCP_RAREST;
    bool all = ++t->n_polls % rarely == 0 || t->armed || t->n_blocked;
    t->armed = false;
    if (t->n_hot) n = ask_hot(t, budget, fn, ctx);
    /* A budget that the hot ones have used up leaves the others something, or they would never have their turn. */
    if (all || t->n_hot == 0) n += ask_epoll(t, n < budget ? budget - n : 1, fn, ctx);
    if (t->attention) n += attend_conns(t, budget, fn, ctx);
    return (int)n;
}

static int tcp_fd(tern__port *port) { return tern__tcp_of_port(port)->epoll; }

/* Level-triggered: whatever is or comes into a socket wakes the sleeper. */
static bool tcp_arm(tern__port *port) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    if (t->attention) return false;
    t->armed = true;
    t->stats.sleeps++;
    return true;
}

/* ---- Addresses ---------------------------------------------------------------------------------- */

static int tcp_listen(tern__port *port, const char *address, char *actual, size_t cap) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    if (t->n_listeners == TERN__TCP_MAX_LISTENERS) return tern__port_limit();
    tern__tcp_listener *listener = &t->listeners[t->n_listeners];
    int err = t->local ? tern__tcp_listen_local(listener, address, actual, cap)
                       : tern__tcp_listen(listener, address, actual, cap);
    if (err) return err;
    err = tern__accept_watch(&t->pause, listener);
    if (err) {
        tern__listener_close(listener);
        return err;
    }
    t->n_listeners++;
    tern__port_log(&t->env, TERN_LOG_INFO, "%s: listening at %s", port->name, actual);
    return 0;
}

static int tcp_listen_shared(tern__port *port, tern_listener *share, int wanted) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    if (t->n_listeners == TERN__TCP_MAX_LISTENERS) return tern__port_limit();
    tern__tcp_listener *listener = &t->listeners[t->n_listeners];
    int place = tern__listener_join(listener, share, wanted);
    if (place < 0) return place;
    int err = tern__accept_watch(&t->pause, listener);
    if (err) {
        tern__listener_close(listener);
        return err;
    }
    t->n_listeners++;
    tern__port_log(&t->env, TERN_LOG_INFO, "%s: listening at place %d of %s", port->name, place,
                   tern__share_address(share));
    return place;
}

/* What epoll may still have to say about the listeners finds nobody to accept. */
static void tcp_stop_listening(tern__port *port) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    for (uint32_t i = 0; i < t->n_listeners; i++) {
        tern__tcp_listener *listener = &t->listeners[i];
        epoll_ctl(t->epoll, EPOLL_CTL_DEL, listener->fd, NULL);
        tern__listener_close(listener);
        *listener = (tern__tcp_listener){.fd = -1};
    }
    t->n_listeners = 0;
}

static tern__tcp_conn *find_client_conn(const tern__tcp_port *t, const char *address) {
    for (uint32_t i = 0; i < t->n_slots; i++) {
        tern__tcp_conn *conn = t->slots[i].conn;
        if (conn && conn->n_users && !conn->retired && strcmp(conn->target->address, address) == 0) return conn;
    }
    return NULL;
}

static int make_target(const tern__tcp_port *t, const char *address, tern__tcp_target **out) {
    size_t len = strlen(address);
    if (len == 0 || (t->local && len >= TERN__UNIX_PATH_BYTES)) return TERN_ERR_ADDRESS;
    tern__tcp_target *target = calloc(1, sizeof *target + len + 1);
    if (!target) return TERN_ERR_NOMEM;
    memcpy(target->address, address, len + 1);
    int n = t->local ? 0 : tern__hosts_resolve(address, false, &target->addr, 1);
    if (n < 0) {
        free(target);
        return n;
    }
    *out = target;
    return 0;
}

static int make_client(tern__tcp_port *t, const char *address, tern__tcp_conn **out) {
    tern__tcp_target *target;
    int err = make_target(t, address, &target);
    if (err) return err;
    bool has_seat = tern__seats_may_enter(&t->seats, 0);
    *out = has_seat ? tern__tcp_conn_new(t, 0, 0) : NULL;
    if (!*out) {
        free(target);
        return has_seat ? TERN_ERR_NOMEM : tern__port_limit();
    }
    (*out)->target = target;
    return 0;
}

/* Sessions of one endpoint to one address share a connection. */
static int tcp_connect(tern__port *port, const char *address, tern__route *out) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    tern__tcp_conn *conn = find_client_conn(t, address);
    if (!conn) {
        int err = make_client(t, address, &conn);
        if (err) return err;
    }
    int err = conn->state == TERN__TCP_DOWN ? tern__tcp_conn_dial(t, conn) : 0;
    if (!err)
        conn->n_users++;
    else if (!conn->n_users)
        tern__tcp_conn_hang_up(t, conn);
    *out = conn->route;
    return err;
}

static void tcp_retire(tern__port *port, const tern__route *route) {
    tern__tcp_conn *conn = tern__tcp_conn_of(tern__tcp_of_port(port), route);
    if (conn) conn->retired = true;
}

static void tcp_disconnect(tern__port *port, const tern__route *route) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    if (conn && conn->n_users && --conn->n_users == 0) tern__tcp_conn_hang_up(t, conn);
}

/* ---- Making and freeing ------------------------------------------------------------------------- */

/* What waits gets a moment to leave; what the kernel has taken leaves without us. */
static void wait_for_writers(tern__tcp_port *t) {
    for (int i = 0; i < FREE_WAIT_TRIES; i++) {
        bool waiting = false;
        for (uint32_t k = 0; k < t->n_slots; k++) {
            tern__tcp_conn *conn = t->slots[k].conn;
            if (!conn || (conn->state != TERN__TCP_UP && conn->state != TERN__TCP_LINGERING)) continue;
            tern__tcp_write(t, conn);
            waiting |= conn->out.bytes && !conn->broken;
        }
        if (!waiting) return;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void tcp_free(tern__port *port) {
    tern__tcp_port *t = tern__tcp_of_port(port);
    tcp_stop_listening(port);
    wait_for_writers(t);
    for (uint32_t i = 0; i < t->n_slots; i++) {
        tern__tcp_conn *conn = t->slots[i].conn;
        if (!conn) continue;
        if (conn->state == TERN__TCP_UP) tern__tcp_conn_hang_up(t, conn);
        tern__tcp_conn_release(t, conn);
        tern__tcp_conn_bury(t, conn);
    }
    tern__seats_fini(&t->seats);
    tern__tcp_spares_fini(&t->spares);
    tern_unref(t->rx);
    tern__accept_pause_fini(&t->pause);
    close(t->tick_fd);
    close(t->epoll);
    free(t->slots);
    free(t->dirty);
    free(t);
}

static const tern__port_ops tcp_ops = {.poll = tcp_poll,
                                       .fd = tcp_fd,
                                       .arm = tcp_arm,
                                       .listen = tcp_listen,
                                       .connect = tcp_connect,
                                       .disconnect = tcp_disconnect,
                                       .free = tcp_free,
                                       .listen_shared = tcp_listen_shared,
                                       .retire = tcp_retire,
                                       .stop_listening = tcp_stop_listening};

static int make_fds(tern__tcp_port *t) {
    t->epoll = epoll_create1(EPOLL_CLOEXEC);
    t->tick_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &t->tick_fd};
    if (t->epoll >= 0 && t->tick_fd >= 0 && epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->tick_fd, &event) == 0) return 0;
    if (t->epoll >= 0) close(t->epoll);
    if (t->tick_fd >= 0) close(t->tick_fd);
    return tern__port_lack();
}

static int make_stream_port(const tern__port_env *env, const char *name, bool local, tern__port **out) {
    tern__tcp_port *t = calloc(1, sizeof *t);
    if (!t) return TERN_ERR_NOMEM;
    int err = make_fds(t);
    if (err) {
        free(t);
        return err;
    }
    tern__accept_pause_init(&t->pause, t->epoll);
    t->env = *env;
    t->dial = tern__tcp_conn_dial;
    tern__list_init(&t->timed);
    tern__list_init(&t->noticed);
    tern__seats_init(&t->seats, TERN__TCP_MAX_CONNS, TERN__TCP_MAX_STRANGERS, env->random ? env->random(env->ctx) : 0);
    t->local = local;
    t->times = (tern__tcp_times){.tick = 250 * TERN_MS,
                                 .stranger = 5 * TERN_SEC,
                                 .frame = 5 * TERN_SEC,
                                 .unread = 30 * TERN_SEC,
                                 .give_up = 10 * TERN_SEC,
                                 .linger = 2 * TERN_SEC,
                                 .redial_pause = 10 * TERN_MS};
    static const tern__path path = {
        .max_packet = TERN__TCP_MAX_PACKET, .max_posts = TERN__TCP_MAX_POSTS, .threshold = TERN__TCP_THRESHOLD};
    t->port = (tern__port){.link = {.ops = &tern__tcp_link_ops,
                                    .path = &path,
                                    .max_inline = TERN__TCP_MAX_INLINE,
                                    .max_posts = TERN__TCP_MAX_POSTS,
                                    .credits = TERN__TCP_CREDITS,
                                    .reliable = true,
                                    .tells_room = true,
                                    .holds_refs = true},
                           .ops = &tcp_ops,
                           .name = name,
                           .takes_hosts = !local};
    *out = &t->port;
    return 0;
}

int tern__tcp_port_new(const tern__port_env *env, const tern__tcp_options *options, tern__port **out) {
    int err = make_stream_port(env, "tcp", false, out);
    if (!err) tern__tcp_of_port(*out)->peer_timeout = options->peer_timeout;
    return err;
}

int tern__unix_port_new(const tern__port_env *env, tern__port **out) {
    return make_stream_port(env, "unix", true, out);
}

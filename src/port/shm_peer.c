/* A peer's life: dialled or accepted, greeted, up, and gone in one of several ways. Whatever way it goes, release
 * gives everything back: the peer's memory, ours that it could see, and the references held on its behalf. */
#include "port/shm_peer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/deferred_close.h"
#include "port/network.h"
#include "port/shm_keep.h"
#include "port/shm_lend.h"
#include "port/shm_timer.h"
#include "port/shm_tx.h"
#include "port/socket_option.h"
#include "tern/mem.h"

enum {
    SERVICE_SOON = 8,   /* polls */
    LISTEN_AT_ONCE = 16 /* messages */
};

/* ---- Slots -------------------------------------------------------------------------------------- */

static bool grow_peers(tern__shm_port *s) {
    uint32_t n = s->n_slots ? 2 * s->n_slots : 8;
    tern__shm_slot *slots = realloc(s->slots, n * sizeof *slots);
    if (!slots) return false;
    s->slots = slots;
    tern__shm_peer **active = realloc(s->active, n * sizeof *active);
    if (!active) return false;
    s->active = active;
    tern__shm_peer **flush = realloc(s->flush, n * sizeof *flush);
    if (!flush) return false;
    s->flush = flush;
    for (uint32_t i = s->n_slots; i < n; i++) s->slots[i] = (tern__shm_slot){NULL, 1, i + 1 < n ? i + 2 : 0};
    s->free_slot = s->n_slots + 1;
    s->n_slots = n;
    return true;
}

tern__shm_peer *tern__shm_peer_new(tern__shm_port *s, uint64_t network) {
    if (!s->free_slot && !grow_peers(s)) return NULL;
    tern__shm_peer *peer = aligned_alloc(_Alignof(tern__shm_peer), sizeof *peer);
    if (!peer) return NULL;
    memset(peer, 0, sizeof *peer);
    tern__guest guest = {.network = network, .rx_bytes = &peer->rx.position};
    if (!tern__seats_enter(&s->seats, &peer->seat, &guest)) {
        free(peer);
        return NULL;
    }
    uint32_t slot = s->free_slot - 1;
    s->free_slot = s->slots[slot].next_free;
    peer->state = TERN__SHM_DOWN;
    peer->slot = slot;
    peer->sock = -1;
    peer->channel.fd = -1;
    tern__list_init(&peer->noticed);
    tern__list_init(&peer->awake);
    peer->route.len = 8;
    tern__store32(peer->route.bytes, slot);
    tern__store32(peer->route.bytes + 4, s->slots[slot].generation);
    s->slots[slot].peer = peer;
    peer->lines = (tern__rx_packet){.link = &s->port.link, .route = peer->route, .back = &peer->run};
    return peer;
}

static void set_peer_state(tern__shm_port *s, tern__shm_peer *peer, tern__shm_state state) {
    s->n_half_open -= peer->state == TERN__SHM_HALF_OPEN;
    s->n_connecting -= peer->state == TERN__SHM_CONNECTING;
    s->n_half_open += state == TERN__SHM_HALF_OPEN;
    s->n_connecting += state == TERN__SHM_CONNECTING;
    peer->state = (uint8_t)state;
    tern__shm_timer_set(s, peer);
    if (state != TERN__SHM_DEAD) return;
    tern__seats_leave(&s->seats, &peer->seat);
    tern__shm_attend(s, peer);
}

static bool is_active(const tern__shm_peer *peer) {
    return peer->state == TERN__SHM_UP || peer->state == TERN__SHM_DRAINING || peer->state == TERN__SHM_LINGERING;
}

static void deactivate(tern__shm_port *s, tern__shm_peer *peer) {
    if (!peer->active_at) return;
    tern__shm_peer *last = s->active[--s->n_active];
    s->active[peer->active_at - 1] = last;
    last->active_at = peer->active_at;
    peer->active_at = 0;
}

void tern__shm_settle(tern__shm_port *s, tern__shm_peer *peer) {
    if (!is_active(peer)) deactivate(s, peer);
    if (peer->state != TERN__SHM_DEAD) return;
    tern__shm_slot *slot = &s->slots[peer->slot];
    slot->peer = NULL;
    slot->generation++;
    slot->next_free = s->free_slot;
    s->free_slot = peer->slot + 1;
    tern__list_remove(&peer->noticed);
    free(peer);
}

void tern__shm_sweep_flush(tern__shm_port *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->n_flush; i++)
        if (is_active(s->flush[i])) s->flush[kept++] = s->flush[i];
    s->n_flush = kept;
}

/* ---- Greeting ----------------------------------------------------------------------------------- */

static int watch_peer(const tern__shm_port *s, tern__shm_peer *peer) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = peer};
    return epoll_ctl(s->epoll, EPOLL_CTL_ADD, peer->sock, &event) ? TERN_ERR_IO : 0;
}

/* Closing alone would leave the socket in the set as long as a child of fork() has it, too. */
static void close_peer_sock(const tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->sock < 0) return;
    epoll_ctl(s->epoll, EPOLL_CTL_DEL, peer->sock, NULL);
    tern__shm_close(peer->sock);
    peer->sock = -1;
}

/* Our half: a channel, and the greeting that carries it. */
static int send_half(const tern__shm_port *s, tern__shm_peer *peer) {
    peer->offered = s->shares && tern__shm_same_user(peer->sock);
    int err = tern__shm_send_hello(peer->sock, &s->hello, peer->channel.fd);
    close(peer->channel.fd);
    peer->channel.fd = -1;
    return err;
}

static int make_half(tern__shm_port *s, tern__shm_peer *peer) {
    /* A server of another user reads no channel with holes. */
    bool fill = peer->path[0] && !tern__shm_same_user(peer->sock);
    int err = tern__shm_channel_new(&peer->channel, fill);
    if (err && !s->memory_failed)
        tern__port_log(&s->env, TERN_LOG_WARN, "shm: no memory can be made for a peer (memfd_create): %s",
                       tern__port_reason(err));
    s->memory_failed = err != 0;
    if (err) return err;
    peer->ours = peer->channel.control;
    if (s->fence) peer->ours->flags |= TERN__SHM_NEEDS_FENCE;
    err = tern__ring_tx_init(&peer->tx, peer->channel.lines, TERN__SHM_RING_LINES);
    if (err) return err;
    peer->done = malloc(TERN__SHM_DONE_RING * sizeof *peer->done);
    return peer->done ? 0 : TERN_ERR_NOMEM;
}

/* The peer's half. Takes the descriptor, error or not. */
static int take_half(tern__shm_peer *peer, const tern__shm_hello *hello, int channel_fd) {
    bool may_have_holes = peer->path[0] || tern__shm_is_trusted(peer->sock);
    int err = tern__shm_view_map(&peer->view, channel_fd, hello, may_have_holes);
    if (err) {
        tern__deferred_close(channel_fd); /* it may be of any length */
        return err;
    }
    close(channel_fd);
    peer->theirs = peer->view.control;
    tern__ring_rx_init(&peer->rx, peer->view.lines, peer->view.ring_lines);
    return 0;
}

/* Both halves are there. */
static void say_what_we_take(const tern__shm_port *s, tern__shm_peer *peer) {
    peer->maps = s->shares && !s->short_of_addresses && tern__shm_same_user(peer->sock);
    uint32_t takes = TERN__SHM_TAKES_REFS | (s->keeps ? TERN__SHM_KEEPS : 0);
    if (peer->maps)
        __atomic_store_n(&peer->ours->flags, peer->ours->flags | takes, __ATOMIC_RELEASE);
    else
        tern__socket_refuse_descriptors(peer->sock);
}

static void peer_up(tern__shm_port *s, tern__shm_peer *peer) {
    set_peer_state(s, peer, TERN__SHM_UP);
    if (s->env.has_room) s->env.has_room(s->env.ctx, &s->port.link, &peer->route);
    s->active[s->n_active++] = peer;
    peer->active_at = s->n_active;
    tern__shm_stir(s, peer);
    s->stats.peers_up++;
    tern__port_log(&s->env, peer->path[0] ? TERN_LOG_INFO : TERN_LOG_DEBUG, "shm: peer %u is up, %s", peer->slot,
                   peer->maps ? "its memory may be read" : "all is copied");
}

/* Why a dial fails: not because of the peer, who may be there soon. */
static bool is_ours_to_mend(int err) {
    return err == TERN_ERR_NOMEM || err == TERN_ERR_ACCESS || err == TERN_ERR_LIMIT;
}

static void hang_up_on_the_mute(tern__shm_port *s, tern__shm_peer *peer) {
    tern__port_log(&s->env, TERN_LOG_INFO, "shm: %s does not answer and is dialled again", peer->path);
    tern__shm_peer_release(s, peer);
    set_peer_state(s, peer, TERN__SHM_DOWN);
}

int tern__shm_peer_dial(tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->state == TERN__SHM_CONNECTING) hang_up_on_the_mute(s, peer);
    peer->dialled_at = tern__coarse_now();
    peer->loss_due = true; /* until it turns out otherwise */
    tern__shm_attend(s, peer);
    peer->sock = tern__shm_dial(peer->path);
    if (peer->sock < 0) {
        int err = peer->sock;
        peer->sock = -1;
        tern__port_log(&s->env, TERN_LOG_INFO, "shm: cannot connect to %s: %s", peer->path, tern__port_reason(err));
        return is_ours_to_mend(err) ? err : 0;
    }
    int err = make_half(s, peer);
    if (!err) err = watch_peer(s, peer);
    if (!err) err = send_half(s, peer);
    if (err) {
        int error = errno;
        tern__port_log(&s->env, TERN_LOG_INFO, "shm: cannot connect to %s: %s", peer->path, tern__port_reason(err));
        tern__shm_peer_release(s, peer);
        errno = error; /* which the endpoint's own line names */
        return is_ours_to_mend(err) ? err : 0;
    }
    peer->loss_due = false;
    set_peer_state(s, peer, TERN__SHM_CONNECTING);
    if (s->service_in > SERVICE_SOON) s->service_in = SERVICE_SOON;
    return 0;
}

static void lose_stranger(tern__shm_port *s, tern__seat *seat, const char *why) {
    tern__shm_peer_lose(s, TERN__CONTAINER(seat, tern__shm_peer, seat), why);
}

/* A seat for one more peer of this user, of strangers if need be. */
static bool make_seat(tern__shm_port *s, uint64_t user) {
    tern__seats *seats = &s->seats;
    tern__seat *victim;
    if (seats->n_strangers >= seats->max_strangers && (victim = tern__seats_victim(seats, 0)))
        lose_stranger(s, victim, "no session was open, and others wait");
    if (tern__seats_may_enter(seats, user)) return true;
    victim = tern__seats_victim(seats, tern__seats_free(seats) ? user : 0);
    if (victim) lose_stranger(s, victim, "no session was open, and its user has many connections");
    return tern__seats_may_enter(seats, user);
}

void tern__shm_peer_accept(tern__shm_port *s, int sock) {
    uint64_t user = tern__network_of_socket(sock, &(tern__route){.len = 8});
    tern__shm_peer *peer = make_seat(s, user) ? tern__shm_peer_new(s, user) : NULL;
    if (!peer) {
        s->stats.refused++;
        tern__port_log_refusal(&s->env, "shm", &s->refusal_logged_at);
        tern__shm_close(sock);
        return;
    }
    peer->sock = sock;
    set_peer_state(s, peer, TERN__SHM_HALF_OPEN);
    if (watch_peer(s, peer)) tern__shm_peer_lose(s, peer, "its socket cannot be watched");
}

/* What keeps a peer out that could come in otherwise. */
static void log_shortage(tern__shm_port *s, const tern__shm_peer *peer, int err) {
    if (!tern__port_may_log(&s->refusal_logged_at)) return;
    if (peer->path[0])
        tern__port_log(&s->env, TERN_LOG_WARN, "shm: cannot connect to %s: %s", peer->path, tern__port_reason(err));
    else
        tern__port_log(&s->env, TERN_LOG_WARN, "shm: a peer was refused: %s", tern__port_reason(err));
}

static void greeted(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_hello hello;
    int channel_fd;
    int err = tern__shm_recv_hello(peer->sock, &hello, &channel_fd);
    if (err == TERN_ERR_AGAIN) return;
    if (!err) err = take_half(peer, &hello, channel_fd);
    bool has_holes = err == TERN_ERR_ACCESS;
    bool is_asked = peer->state == TERN__SHM_HALF_OPEN;
    if (!err && is_asked) err = make_half(s, peer); /* which costs more than it does to refuse the peer's */
    if (!err) say_what_we_take(s, peer);
    if (!err && is_asked) err = send_half(s, peer);
    if (!err) {
        peer_up(s, peer);
        return;
    }
    if (err == TERN_ERR_MALFORMED) s->stats.rx_malformed++;
    if (err == TERN_ERR_LIMIT) log_shortage(s, peer, err);
    s->stats.refused++;
    tern__shm_peer_lose(s, peer,
                        err == TERN_ERR_CLOSED ? "it hung up"
                        : has_holes            ? "its channel has holes"
                                               : tern__port_reason(err));
}

/* ---- Notices ------------------------------------------------------------------------------------ */

static int take_notice(tern__shm_peer *peer, const tern__shm_notice *notice, int fd) {
    int err = TERN_ERR_MALFORMED;
    if (peer->maps && notice->kind == TERN__SHM_ANNOUNCE) err = tern__shm_region_add(&peer->region, notice, fd);
    if (peer->maps && notice->kind == TERN__SHM_RETIRE) err = tern__shm_region_remove(&peer->region, notice);
    if (fd >= 0 && err) tern__deferred_close(fd); /* it may be of any length */
    if (fd >= 0 && !err) close(fd);
    return err;
}

static void run_short(tern__shm_port *s) {
    if (s->short_of_addresses) return;
    s->short_of_addresses = true;
    tern__port_log(&s->env, TERN_LOG_WARN,
                   "shm: no addresses or descriptors are left to map a peer's memory: from now on peers send copies");
}

int tern__shm_peer_listen(tern__shm_port *s, tern__shm_peer *peer, unsigned most) {
    for (unsigned i = 0; i < most; i++) {
        tern__shm_notice notice;
        int fd, got = tern__shm_recv_notice(peer->sock, &notice, &fd);
        if (got == TERN_ERR_AGAIN) return 0;
        int err = got == 1 ? take_notice(peer, &notice, fd) : got;
        if (err == 0) continue;
        if (err == TERN_ERR_NOMEM) run_short(s);
        if (err == TERN_ERR_MALFORMED) {
            peer->fault = true;
            tern__shm_attend(s, peer);
        }
        return TERN_ERR_CLOSED;
    }
    return 0;
}

void tern__shm_peer_readable(tern__shm_port *s, tern__shm_peer *peer) {
    switch ((tern__shm_state)peer->state) {
    case TERN__SHM_HALF_OPEN:
    case TERN__SHM_CONNECTING: greeted(s, peer); return;
    case TERN__SHM_UP:
        tern__shm_stir(s, peer);
        if (!tern__shm_peer_listen(s, peer, LISTEN_AT_ONCE)) return;
        close_peer_sock(s, peer);
        tern__shm_run_close(s, peer);
        peer->drain_left = peer->view.ring_lines;
        set_peer_state(s, peer, TERN__SHM_DRAINING);
        return;
    case TERN__SHM_LINGERING:
        if (tern__shm_peer_listen(s, peer, LISTEN_AT_ONCE)) tern__shm_peer_lose(s, peer, "it hung up, too");
        return;
    case TERN__SHM_DRAINING:
    case TERN__SHM_DOWN:
    case TERN__SHM_DEAD: return;
    }
}

/* ---- Parting ------------------------------------------------------------------------------------ */

static void drop_references(tern__shm_port *s, tern__shm_peer *peer) {
    for (; peer->done_tail != peer->done_head; peer->done_tail++) {
        const tern__shm_done *done = &peer->done[peer->done_tail % TERN__SHM_DONE_RING];
        if (!done->ref) continue;
        if (done->ref == TERN__SHM_BY_TICKET) {
            tern__shm_lend_undo(s, peer, (uint32_t)done->ticket);
            continue;
        }
        s->stats.refs_released++;
        tern_unref(done->ref);
    }
    tern__shm_lend_end(s, peer);
}

void tern__shm_peer_release(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_run_close(s, peer);
    tern__list_remove(&peer->awake);
    if (peer->ours) {
        /* A peer that has not read all of it yet must not read what these buffers hold next. */
        __atomic_store_n(&peer->ours->flags, peer->ours->flags | TERN__SHM_REVOKED, __ATOMIC_SEQ_CST);
        drop_references(s, peer);
    }
    close_peer_sock(s, peer);
    free(peer->done);
    tern__ring_tx_fini(&peer->tx);
    if (peer->region.mapped_bytes) s->short_of_addresses = false; /* it may have had all of them */
    tern__shm_region_close(&peer->region);
    free(peer->announced);
    peer->announced = NULL;
    peer->n_announced = 0;
    tern__shm_ground_leave(peer);
    peer->done = NULL;
    peer->ours = NULL;
    peer->theirs = NULL;
    peer->done_head = peer->done_tail = peer->woken = 0;
    peer->bounce_head = peer->bounce_tail = peer->published = 0;
    peer->fault = peer->stalled = peer->takes_refs = peer->offered = peer->maps = false;
    peer->flushed = peer->written = peer->unread = false;
    peer->full_since = peer->told = 0;
    memset(&peer->rx, 0, sizeof peer->rx);
    tern__shm_attend(s, peer); /* the lists of peers are swept, and a descriptor is free */
}

void tern__shm_peer_lose(tern__shm_port *s, tern__shm_peer *peer, const char *why) {
    tern__route route = peer->route;
    bool known = peer->state != TERN__SHM_HALF_OPEN && peer->state != TERN__SHM_LINGERING;
    bool has_sessions = peer->n_users || peer->rx.position; /* an accepted peer: it has sent something */
    bool was_up = peer->state == TERN__SHM_UP;
    tern__port_log(&s->env, known && peer->path[0] ? TERN_LOG_INFO : TERN_LOG_DEBUG, "shm: peer %u is gone: %s",
                   peer->slot, why);
    tern__shm_peer_release(s, peer);
    set_peer_state(s, peer, peer->n_users ? TERN__SHM_DOWN : TERN__SHM_DEAD);
    if (!known) return;
    s->stats.peers_lost++;
    if (!has_sessions) return;
    s->port.link.hung_up = was_up;
    s->env.route_lost(s->env.ctx, &s->port.link, &route);
    s->port.link.hung_up = false;
}

void tern__shm_peer_hang_up(tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->state == TERN__SHM_UP) {
        tern__shm_run_close(s, peer);
        tern__shm_reap(s, peer);
        tern__shm_lend_look(s, peer);
        if (tern__shm_peer_owes(peer) && !peer->fault) {
            shutdown(peer->sock, SHUT_WR);
            set_peer_state(s, peer, TERN__SHM_LINGERING);
            return;
        }
    }
    tern__shm_peer_release(s, peer);
    set_peer_state(s, peer, TERN__SHM_DEAD);
}

void tern__shm_peers_expire(tern__shm_port *s) {
    uint64_t n_expired;
    if (read(s->tick_fd, &n_expired, sizeof n_expired) < 0) return;
    tern_time now = tern__coarse_now(), slept = now - s->ticked_at;
    s->ticked_at = now;
    for (uint32_t i = 0; i < s->n_slots; i++) {
        tern__shm_peer *peer = s->slots[i].peer;
        if (!peer) continue;
        if (peer->n_lent) tern__shm_lend_expire(s, peer, now);
        if (!peer->timed) continue;
        /* While this process stood still, nobody could be heard. */
        if (slept > 4 * (tern_time)tern__shm_tick(s)) peer->deadline += slept;
        if (peer->deadline > now) continue;
        bool lingers = peer->state == TERN__SHM_LINGERING;
        tern__shm_peer_lose(s, peer, lingers ? "it took too long to read what it was sent" : "it has no session");
    }
}

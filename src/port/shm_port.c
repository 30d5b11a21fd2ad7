/* The port: packets in, accepting, sleeping and waking.
 *
 * A poll looks at the first word of each peer's next line and at nothing else; sockets are looked at every few
 * hundred polls, or at once after a sleep. With many peers, those that had something lately are looked at in
 * each poll and the others in turn.
 *
 * Before a sleep only those are looked at that have stirred since the last one. The others know that we sleep, or are
 * about to: what they write from then on they follow with a byte on the socket. */
#include "port/shm_port.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "mem/poison.h"
#include "mem/pool.h"
#include "port/deferred_close.h"
#include "port/listener.h"
#include "port/shm_lend.h"
#include "port/shm_peer.h"
#include "port/shm_tx.h"

enum {
    HOT_PEERS = 16,     /* looked at in each poll */
    COLD_PER_POLL = 16, /* of the others */
    SHARE = 16,         /* packets from one peer before the next has its turn */
    SERVICE_IDLE = 512, /* polls between looks at the sockets */
    SERVICE_BUSY = 8,   /* the same while a greeting is under way */
    /* Packets of a batch share one buffer, and a packet that is kept keeps the buffer. After a packet was kept, this
     * many packets are received one by one, each in a buffer of its own. */
    KEPT_PACKETS = 256,
    MAX_EVENTS = 32,
    MAX_NOTICES = 4096,  /* that wait on a peer's socket; its buffer holds fewer */
    MAX_ACCEPTS = 16,    /* per look */
    FREE_WAIT_TRIES = 50 /* 0.2 ms each: for peers to read what refers to our buffers */
};

static tern__shm_port *shm_of_port(tern__port *port) { return (tern__shm_port *)(void *)port; }

/* ---- Packets in --------------------------------------------------------------------------------- */

static void publish_position(tern__shm_port *s, tern__shm_peer *peer) {
    peer->published = peer->rx.position;
    __atomic_store_n(&peer->ours->consumed, peer->published, __ATOMIC_RELEASE);
    if (__atomic_load_n(&peer->theirs->flags, __ATOMIC_RELAXED) & TERN__SHM_STALLED && peer->state == TERN__SHM_UP)
        tern__shm_wake(s, peer);
}

/* Where an entry's piece lies; NULL when the entry is nonsense. *unknown: its segment was not announced so far. */
static const void *ring_entry_at(tern__shm_peer *peer, const tern__ring_entry *entry, tern__shm_source *source,
                                 bool *unknown) {
    *source = (tern__shm_source){0};
    if (entry->len == 0 || entry->len > TERN__SHM_MAX_INPLACE) return NULL;
    if (entry->name == TERN__SHM_IN_BOUNCE) {
        uint32_t size = peer->view.bounce_bytes;
        return entry->offset < size && entry->len <= size - entry->offset ? peer->view.bounce + entry->offset : NULL;
    }
    source->ticket = tern__shm_ticket_named(entry->name);
    if (source->ticket > TERN__SHM_TICKETS) return NULL;
    source->segment = tern__shm_segment_of(&peer->region, tern__shm_segment_named(entry->name), entry->generation);
    if (!source->segment) *unknown = true;
    return source->segment ? tern__shm_segment_read(&peer->region, source->segment, entry->offset, entry->len) : NULL;
}

/* Where the record's pieces lie; each entry is read once, then checked. */
static int find_spans(tern__shm_port *s, tern__shm_peer *peer, const tern__ring_record *record, tern__rx_packet *packet,
                      bool *unknown) {
    bool refers = false;
    packet->spans_len = 0;
    for (uint32_t i = 0; i < record->n_entries; i++) {
        tern__ring_entry entry;
        memcpy(&entry, record->entries + i * sizeof entry, sizeof entry);
        refers |= entry.name != TERN__SHM_IN_BOUNCE;
        /* Before a look at the piece, which may cost memory. */
        if ((uint64_t)packet->spans_len + entry.len > TERN__SHM_MAX_INPLACE - record->inline_bytes)
            return TERN_ERR_MALFORMED;
        const void *data = ring_entry_at(peer, &entry, &s->sources[i], unknown);
        if (!data) return TERN_ERR_MALFORMED;
        s->spans[i] = (tern__span){data, entry.len};
        packet->spans_len += entry.len;
    }
    if (refers && __atomic_load_n(&peer->theirs->flags, __ATOMIC_ACQUIRE) & TERN__SHM_REVOKED) return TERN_ERR_CLOSED;
    return 0;
}

/* A segment is announced before the first entry that names it, on the socket, at which nobody looked since. Then all
 * entries are looked up anew, as what is on the socket may retire segments, too. */
static __attribute__((noinline)) int find_spans_again(tern__shm_port *s, tern__shm_peer *peer,
                                                      const tern__ring_record *record, tern__rx_packet *packet) {
    bool unknown = false;
    if (peer->sock >= 0) tern__shm_peer_listen(s, peer, MAX_NOTICES); /* its end may come behind what it announced */
    int err = find_spans(s, peer, record, packet, &unknown);
    return err && unknown && s->short_of_addresses ? TERN_ERR_CLOSED : err;
}

static int find_pieces(tern__shm_port *s, tern__shm_peer *peer, const tern__ring_record *record,
                       tern__rx_packet *packet) {
    bool unknown = false;
    int err = find_spans(s, peer, record, packet, &unknown);
    return err && unknown ? find_spans_again(s, peer, record, packet) : err;
}

static void scratch_drop(tern__shm_scratch *scratch) {
    tern_unref(scratch->data);
    scratch->data = NULL;
}

static bool scratch_make(tern__shm_scratch *scratch, uint32_t bytes) {
    scratch->data = tern_alloc_private(bytes);
    if (!scratch->data) return false;
    scratch->count = tern__ref_find(scratch->data, 1);
    return true;
}

/* NULL when memory is out. */
static inline uint8_t *scratch_begin(tern__shm_scratch *scratch, uint32_t bytes) {
    if (!scratch->data && !scratch_make(scratch, bytes)) return NULL;
    tern__unpoison(scratch->data, bytes);
    return scratch->data;
}

static void drop_scratch(tern__shm_port *s) {
    scratch_drop(&s->line);
    scratch_drop(&s->batch);
    scratch_drop(&s->few_lines);
}

/* False: somebody keeps a piece of it. */
static inline bool scratch_end(tern__shm_scratch *scratch, uint32_t bytes) {
    bool unused = __atomic_load_n(scratch->count, __ATOMIC_ACQUIRE) == 1 && !TERN__IS_OFF(REUSE);
    if (unused)
        tern__poison(scratch->data, bytes);
    else
        scratch_drop(scratch);
    return unused;
}

/* Hand one record on. TERN_ERR_AGAIN: not now, it stays in the ring. */
static int deliver_record(tern__shm_port *s, tern__shm_peer *peer, const tern__ring_record *record, tern__rx_fn *fn,
                          void *ctx) {
    enum { FEW_BYTES = TERN__SHM_FEW_LINES * TERN__RING_LINE_BYTES };
    tern__rx_packet packet;
    tern__rx_packet_init(&packet, &s->port.link, NULL, record->inline_bytes);
    packet.route = peer->route;
    packet.back = &peer->run;
    packet.n_spans = record->n_entries;
    packet.spans = s->spans;
    if (record->n_entries) {
        int err = find_pieces(s, peer, record, &packet);
        if (err) return err;
    }
    bool few = record->inline_bytes <= FEW_BYTES;
    uint8_t *head = few ? scratch_begin(&s->few_lines, FEW_BYTES) : tern_alloc_private(record->inline_bytes);
    if (!head) return TERN_ERR_AGAIN;
    packet.head = memcpy(head, record->inline_data, record->inline_bytes);
    s->stats.rx_packets++;
    fn(ctx, &packet, 1);
    if (few)
        scratch_end(&s->few_lines, FEW_BYTES);
    else
        tern_unref(head);
    return 0;
}

static void lose_peer_for(tern__shm_port *s, tern__shm_peer *peer, int err) {
    if (err == TERN_ERR_MALFORMED) s->stats.rx_malformed++;
    tern__shm_peer_lose(s, peer, err == TERN_ERR_MALFORMED ? "it wrote nonsense into its ring" : "it has closed");
}

/* A callback may hang up on the peer: then its ring is no longer ours to read. */
static bool may_receive(const tern__shm_peer *peer) {
    return peer->state == TERN__SHM_UP || peer->state == TERN__SHM_DRAINING;
}

/* Records of few lines each are copied whole into a buffer that is used again and again, unless somebody keeps a
 * packet of them: then single packets are, for a while. Returns how many, before any other record, perhaps none;
 * TERN_ERR_AGAIN when memory is out. */
static inline __attribute__((always_inline)) int receive_lines(tern__shm_port *s, tern__shm_peer *peer, bool single,
                                                               unsigned budget, tern__rx_fn *fn, void *ctx) {
    tern__rx_packet *run = &peer->lines;
    tern__shm_scratch *scratch = single ? &s->line : &s->batch;
    uint32_t most = single ? 1 : TERN__SHM_BATCH_LINES, bytes = most * TERN__RING_LINE_BYTES;
    uint8_t *lines = scratch_begin(scratch, bytes);
    if (!lines) return TERN_ERR_AGAIN;
    tern__ring_batch got = tern__ring_take_lines(&peer->rx, lines, budget, most);
    if (got.n == 0) return 0;
    if (peer->rx.position - peer->published >= TERN__SHM_PUBLISH_LINES) publish_position(s, peer);
    run->head = lines + TERN__RING_WORD_BYTES;
    run->lines_bytes = got.bytes;
    run->n = got.n;
    run->stride = got.lines == got.n ? TERN__RING_LINE_BYTES : 0;
    s->stats.rx_packets += got.n;
    fn(ctx, run, 1);
    if (got.n == 1) tern__shm_run_write(s, peer); /* it may be the only one: let the answer leave at once */
    if (!scratch_end(scratch, bytes))
        s->n_kept = KEPT_PACKETS;
    else if (single)
        s->n_kept--;
    return (int)got.n;
}

static __attribute__((noinline)) int receive_line(tern__shm_port *s, tern__shm_peer *peer, tern__rx_fn *fn, void *ctx) {
    return receive_lines(s, peer, true, 1, fn, ctx);
}

/* A record of any kind. 1: received, or passed; 0: there is none; negative: the peer is to be lost, or
 * (TERN_ERR_AGAIN) there is no memory, or it has been hung up on. */
static int receive_any(tern__shm_port *s, tern__shm_peer *peer, tern__rx_fn *fn, void *ctx) {
    tern__ring_record record;
    int err = tern__ring_next(&peer->rx, &record);
    if (err == TERN_ERR_AGAIN) { /* pads count, or a peer could keep us here */
        peer->drain_left -= peer->drain_left > 0;
        return 1;
    }
    if (err != 1) return err;
    tern__ring_prefetch(&peer->rx, record.lines);
    err = deliver_record(s, peer, &record, fn, ctx);
    if (err) return err;
    if (!may_receive(peer)) return TERN_ERR_AGAIN;
    tern__ring_consume(&peer->rx, &record);
    if (peer->state == TERN__SHM_DRAINING)
        peer->drain_left -= record.lines < peer->drain_left ? record.lines : peer->drain_left;
    if (peer->rx.position - peer->published >= TERN__SHM_PUBLISH_LINES) publish_position(s, peer);
    return 1;
}

/* There is something, which begins with this word. */
static unsigned receive_from_peer(tern__shm_port *s, tern__shm_peer *peer, uint64_t word, unsigned budget,
                                  tern__rx_fn *fn, void *ctx) {
    unsigned n = 0;
    tern__shm_stir(s, peer);
    tern__ring_claim(&peer->tx); /* the answer may follow at once */
    do {
        int got = 0;
        if (peer->state == TERN__SHM_UP && tern__ring_may_be_batch(&peer->rx, word))
            got = s->n_kept ? receive_line(s, peer, fn, ctx) : receive_lines(s, peer, false, budget - n, fn, ctx);
        if (got == 0) got = receive_any(s, peer, fn, ctx);
        if (got > 0) n += (unsigned)got;
        if (!may_receive(peer)) return n;
        if (got < 0) {
            if (got != TERN_ERR_AGAIN) lose_peer_for(s, peer, got);
            return n;
        }
        if (got == 0 || n >= budget) break;
        word = tern__ring_peek(&peer->rx);
    } while (tern__ring_is_ready_by(&peer->rx, word));
    if (peer->rx.position != peer->published) publish_position(s, peer);
    return n;
}

/* Nothing in the ring: tell how far we are, give back what the peer is done with, see the dead off. */
static void tend_idle(tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->rx.position != peer->published) publish_position(s, peer);
    if (peer->done_head != peer->done_tail) tern__shm_reap(s, peer);
    if (peer->n_lent) tern__shm_lend_look(s, peer);
    if (peer->state == TERN__SHM_DRAINING) tern__shm_peer_lose(s, peer, "it hung up");
}

/* A peer that was full has read something, and nobody has heard of that. */
static bool has_room_again(const tern__shm_peer *peer) {
    uint64_t consumed = __atomic_load_n(&peer->theirs->consumed, __ATOMIC_ACQUIRE);
    return consumed != peer->tx.seen && consumed != peer->told;
}

static void tell_room(tern__shm_port *s, tern__shm_peer *peer) {
    if (!has_room_again(peer)) return;
    peer->told = __atomic_load_n(&peer->theirs->consumed, __ATOMIC_RELAXED);
    if (s->env.has_room) s->env.has_room(s->env.ctx, &s->port.link, &peer->route);
}

/* Nothing to do for it, as nearly always. Kept apart so that an idle poll costs these loads and no more. */
static inline bool is_quiet(const tern__shm_peer *peer) {
    return peer->state == TERN__SHM_UP && !tern__ring_ready(&peer->rx) && peer->rx.position == peer->published &&
           peer->done_head == peer->done_tail && !peer->n_lent && !peer->stalled;
}

static __attribute__((noinline)) unsigned visit_peer(tern__shm_port *s, tern__shm_peer *peer, unsigned budget,
                                                     tern__rx_fn *fn, void *ctx) {
    if (peer->stalled && peer->state == TERN__SHM_UP) tell_room(s, peer);
    if (may_receive(peer)) {
        uint64_t word = tern__ring_peek(&peer->rx);
        if (tern__ring_is_ready_by(&peer->rx, word)) {
            unsigned n = receive_from_peer(s, peer, word, budget, fn, ctx);
            if (peer->state == TERN__SHM_DRAINING && peer->drain_left == 0)
                tern__shm_peer_lose(s, peer, "it hung up and went on writing");
            return n;
        }
        tend_idle(s, peer);
    } else if (peer->state == TERN__SHM_LINGERING) {
        tern__shm_reap(s, peer);
        tern__shm_lend_look(s, peer);
        if (!tern__shm_peer_owes(peer) || peer->fault) tern__shm_peer_lose(s, peer, "it has read all");
    }
    return 0;
}

/* The quiet ones beyond the hot places, some in each poll. One that has something takes a hot place. */
static unsigned visit_cold(tern__shm_port *s, unsigned budget, tern__rx_fn *fn, void *ctx) {
    unsigned n = 0;
    for (unsigned i = 0; i < COLD_PER_POLL && n < budget && s->n_active > HOT_PEERS; i++) {
        if (s->cold < HOT_PEERS || s->cold >= s->n_active) s->cold = HOT_PEERS;
        tern__shm_peer *peer = s->active[s->cold];
        unsigned got = is_quiet(peer) ? 0 : visit_peer(s, peer, SHARE, fn, ctx);
        if (got) {
            uint32_t hot = s->turn % HOT_PEERS;
            tern__shm_peer *other = s->active[hot];
            s->active[s->cold] = other;
            s->active[hot] = peer;
            other->active_at = s->cold + 1;
            peer->active_at = hot + 1;
        }
        s->cold++;
        n += got;
    }
    return n;
}

static unsigned scan_peers(tern__shm_port *s, unsigned budget, tern__rx_fn *fn, void *ctx) {
    if (s->n_active == 1)
        return is_quiet(s->active[0]) ? 0 : visit_peer(s, s->active[0], budget < SHARE ? budget : SHARE, fn, ctx);
    unsigned n = 0, hot = s->n_active < HOT_PEERS ? s->n_active : HOT_PEERS;
    s->turn++;
    for (unsigned i = 0; i < hot && n < budget; i++) {
        tern__shm_peer *peer = s->active[(s->turn + i) % hot];
        if (is_quiet(peer)) continue;
        n += visit_peer(s, peer, budget - n < SHARE ? budget - n : SHARE, fn, ctx);
    }
    if (s->n_active > HOT_PEERS && n < budget) n += visit_cold(s, budget - n, fn, ctx);
    return n;
}

/* ---- Sockets ------------------------------------------------------------------------------------ */

static void pause_accepting(tern__shm_port *s, const char *why) {
    tern__accept_pause_begin(&s->pause, s->listeners, s->n_listeners, &s->env, "shm", why);
}

static void accept_peers(tern__shm_port *s, const tern__unix_listener *listener) {
    if (tern__deferred_close_is_full()) {
        pause_accepting(s, "too many descriptors that peers sent wait for their end");
        return;
    }
    for (int i = 0; i < MAX_ACCEPTS; i++) {
        int sock = tern__listener_accept(listener);
        if (sock == TERN_ERR_LIMIT) pause_accepting(s, NULL);
        if (sock < 0) return;
        tern__accept_works(&s->pause, &s->env, "shm");
        tern__shm_peer_accept(s, sock);
    }
}

static void serve_sockets(tern__shm_port *s) {
    struct epoll_event events[MAX_EVENTS];
    int n = epoll_wait(s->epoll, events, MAX_EVENTS, 0);
    for (int i = 0; i < n; i++) {
        uintptr_t at = (uintptr_t)events[i].data.ptr - (uintptr_t)s->listeners;
        if (at < sizeof s->listeners)
            accept_peers(s, events[i].data.ptr);
        else if (events[i].data.ptr == &s->tick_fd)
            tern__shm_peers_expire(s);
        else if (events[i].data.ptr == &s->pause)
            tern__accept_pause_end(&s->pause, s->listeners, s->n_listeners);
        else
            tern__shm_peer_readable(s, events[i].data.ptr);
    }
    if (__atomic_load_n(&s->segments_gone, __ATOMIC_RELAXED)) tern__shm_retire_segments(s);
    s->service_in = s->n_connecting + s->n_half_open || n == MAX_EVENTS ? SERVICE_BUSY : SERVICE_IDLE;
}

static void attend_peer(tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->fault && peer->state == TERN__SHM_UP) {
        lose_peer_for(s, peer, TERN_ERR_MALFORMED);
    } else if (peer->unread && peer->state == TERN__SHM_UP) {
        s->stats.unread++;
        tern__port_log_unread(&s->env, "shm", &s->unread_logged_at);
        tern__shm_peer_lose(s, peer, "it took nothing of what waited for it");
    } else if (peer->loss_due && peer->state == TERN__SHM_DOWN) {
        tern__route route = peer->route;
        peer->loss_due = false;
        s->env.route_lost(s->env.ctx, &s->port.link, &route);
    }
}

/* What was put off because it may only happen in poll: losses to report, the dead to bury. Whoever is noticed meanwhile
 * waits for the next poll. */
static void attend_peers(tern__shm_port *s) {
    tern__node now;
    tern__list_init(&now);
    s->attention = false;
    for (tern__node *node; (node = s->noticed.next) != &s->noticed;) {
        tern__list_remove(node);
        tern__list_append(&now, node);
    }
    for (tern__node *node = now.next; node != &now; node = node->next)
        attend_peer(s, TERN__CONTAINER(node, tern__shm_peer, noticed));
    tern__shm_sweep_flush(s);
    while (!tern__list_empty(&now)) {
        tern__node *node = now.next;
        tern__shm_peer *peer = TERN__CONTAINER(node, tern__shm_peer, noticed);
        tern__list_remove(node);
        if (peer->loss_due) tern__shm_attend(s, peer); /* dialled again meanwhile, and in vain */
        tern__shm_settle(s, peer);
    }
    tern__accept_pause_end(&s->pause, s->listeners, s->n_listeners); /* a peer may have left a descriptor */
}

/* ---- Sleeping ----------------------------------------------------------------------------------- */

/* Those that have stirred are told that we sleep, or that we do not. */
static void set_sleeping(tern__shm_port *s, bool asleep) {
    for (tern__node *node = s->awake.next; node != &s->awake; node = node->next) {
        tern__shm_peer *peer = TERN__CONTAINER(node, tern__shm_peer, awake);
        if ((peer->ours->sleep & 1) == asleep) continue;
        __atomic_store_n(&peer->ours->sleep, peer->ours->sleep + 1, __ATOMIC_RELEASE);
    }
}

static bool has_work(const tern__shm_peer *peer) {
    if (peer->fault || peer->state == TERN__SHM_DRAINING) return true;
    if (peer->state != TERN__SHM_UP) return false;
    return tern__ring_ready(&peer->rx) || (peer->stalled && has_room_again(peer));
}

static bool any_work(const tern__shm_port *s) {
    if (s->attention) return true;
    for (tern__node *node = s->awake.next; node != &s->awake; node = node->next)
        if (has_work(TERN__CONTAINER(node, tern__shm_peer, awake))) return true;
    return false;
}

static bool shm_arm(tern__port *port) {
    tern__shm_port *s = shm_of_port(port);
    if (any_work(s)) return false;
    s->armed = true;
    s->stats.sleeps++;
    if (tern__list_empty(&s->awake)) return true;
    for (tern__node *node = s->awake.next; node != &s->awake; node = node->next)
        tend_idle(s, TERN__CONTAINER(node, tern__shm_peer, awake));
    set_sleeping(s, true);
    /* See tern__shm_wake for the other half of the argument. */
    tern__shm_fence();
    if (!s->fence) syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
    if (any_work(s)) {
        set_sleeping(s, false);
        s->armed = false;
        s->stats.sleeps--;
        return false;
    }
    while (!tern__list_empty(&s->awake)) tern__list_remove(s->awake.next);
    return true;
}

static int shm_fd(tern__port *port) { return shm_of_port(port)->epoll; }

static __attribute__((noinline)) int poll_all(tern__shm_port *s, unsigned budget, tern__rx_fn *fn, void *ctx) {
    if (s->armed || s->port.look_soon) {
        s->armed = s->port.look_soon = false;
        s->service_in = 1;
    }
    if (--s->service_in == 0) serve_sockets(s);
    unsigned n = s->n_active ? scan_peers(s, budget, fn, ctx) : 0;
    if (s->attention) attend_peers(s);
    if (s->n_active == 0) drop_scratch(s);
    return (int)n;
}

static int shm_poll(tern__port *port, unsigned budget, tern__rx_fn *fn, void *ctx) {
    tern__shm_port *s = shm_of_port(port);
    /* Who waits for one peer looks here most of the time. */
    if (s->n_active == 1 && s->service_in > 1 && !s->armed && !s->attention && is_quiet(s->active[0])) {
        s->service_in--;
        return 0;
    }
    return poll_all(s, budget, fn, ctx);
}

/* ---- Addresses ---------------------------------------------------------------------------------- */

static int shm_listen(tern__port *port, const char *address, char *actual, size_t cap) {
    tern__shm_port *s = shm_of_port(port);
    if (s->n_listeners == TERN__SHM_MAX_LISTENERS) return tern__port_limit();
    int err = tern__unix_address("shm", address, actual, cap);
    if (err) return err;
    tern__unix_listener *listener = &s->listeners[s->n_listeners];
    err = tern__unix_listener_open(listener, address, SOCK_SEQPACKET);
    if (err) return err;
    err = tern__accept_watch(&s->pause, listener);
    if (err) {
        tern__listener_close(listener);
        return err;
    }
    s->n_listeners++;
    tern__port_log(&s->env, TERN_LOG_INFO, "shm: listening at %s", actual);
    return 0;
}

static int shm_listen_shared(tern__port *port, tern_listener *share, int wanted) {
    tern__shm_port *s = shm_of_port(port);
    if (s->n_listeners == TERN__SHM_MAX_LISTENERS) return tern__port_limit();
    tern__unix_listener *listener = &s->listeners[s->n_listeners];
    int place = tern__listener_join(listener, share, wanted);
    if (place < 0) return place;
    int err = tern__accept_watch(&s->pause, listener);
    if (err) {
        tern__listener_close(listener);
        return err;
    }
    s->n_listeners++;
    tern__port_log(&s->env, TERN_LOG_INFO, "shm: listening at place %d of %s", place, tern__share_address(share));
    return place;
}

/* What epoll may still have to say about the listeners finds nobody to accept. */
static void shm_stop_listening(tern__port *port) {
    tern__shm_port *s = shm_of_port(port);
    for (uint32_t i = 0; i < s->n_listeners; i++) {
        tern__unix_listener *listener = &s->listeners[i];
        epoll_ctl(s->epoll, EPOLL_CTL_DEL, listener->fd, NULL);
        tern__listener_close(listener);
        *listener = (tern__unix_listener){.fd = -1};
    }
    s->n_listeners = 0;
}

static tern__shm_peer *find_client_peer(const tern__shm_port *s, const char *address) {
    for (uint32_t i = 0; i < s->n_slots; i++) {
        tern__shm_peer *peer = s->slots[i].peer;
        if (peer && peer->n_users && !peer->retired && strcmp(peer->path, address) == 0) return peer;
    }
    return NULL;
}

/* Sessions of one endpoint to one address share a route. */
static int shm_connect(tern__port *port, const char *address, tern__route *out) {
    tern__shm_port *s = shm_of_port(port);
    size_t len = strlen(address);
    if (len == 0 || len >= TERN__UNIX_PATH_BYTES) return TERN_ERR_ADDRESS;
    tern__shm_peer *peer = find_client_peer(s, address);
    if (!peer) {
        if (!tern__seats_may_enter(&s->seats, 0)) return tern__port_limit();
        peer = tern__shm_peer_new(s, 0);
        if (!peer) return TERN_ERR_NOMEM;
        memcpy(peer->path, address, len + 1);
    }
    peer->n_users++;
    int err = peer->state == TERN__SHM_DOWN ? tern__shm_peer_dial(s, peer) : 0;
    if (err && --peer->n_users == 0) tern__shm_peer_hang_up(s, peer);
    *out = peer->route;
    return err;
}

static void shm_retire(tern__port *port, const tern__route *route) {
    tern__shm_peer *peer = tern__shm_peer_of(shm_of_port(port), route);
    if (peer) peer->retired = true;
}

static void shm_disconnect(tern__port *port, const tern__route *route) {
    tern__shm_port *s = shm_of_port(port);
    tern__shm_peer *peer = tern__shm_peer_of(s, route);
    if (peer && peer->n_users && --peer->n_users == 0) tern__shm_peer_hang_up(s, peer);
}

/* ---- Making and freeing ------------------------------------------------------------------------- */

/* Peers may be reading what we sent by reference: they get a moment, if they live. */
static void wait_for_readers(tern__shm_port *s) {
    for (int i = 0; i < FREE_WAIT_TRIES; i++) {
        bool waiting = false;
        for (uint32_t k = 0; k < s->n_active; k++) {
            tern__shm_peer *peer = s->active[k];
            bool alive = peer->state == TERN__SHM_UP || peer->state == TERN__SHM_LINGERING;
            if (!peer->theirs || !alive || peer->fault) continue;
            tern__shm_reap(s, peer);
            tern__shm_lend_look(s, peer);
            waiting |= tern__shm_peer_owes(peer) && tern__shm_peer_listen(s, peer, MAX_NOTICES) == 0;
        }
        if (!waiting) return;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void shm_free(tern__port *port) {
    tern__shm_port *s = shm_of_port(port);
    shm_stop_listening(port);
    wait_for_readers(s);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        tern__shm_peer *peer = s->slots[i].peer;
        if (!peer) continue;
        tern__shm_peer_release(s, peer);
        tern__list_remove(&peer->noticed);
        tern__list_remove(&peer->awake);
        free(peer);
    }
    tern__seats_fini(&s->seats);
    tern__unobserve(&s->observer);
    drop_scratch(s);
    tern__accept_pause_fini(&s->pause);
    close(s->tick_fd);
    close(s->epoll);
    free(s->slots);
    free(s->active);
    free(s->flush);
    free(s);
}

static void prepare_hello(tern__shm_port *s) {
    s->hello = (tern__shm_hello){.magic = TERN__SHM_MAGIC,
                                 .version = TERN__SHM_VERSION,
                                 .ring_lines = TERN__SHM_RING_LINES,
                                 .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
}

static void on_segment_gone(tern__observer *observer, const tern__segment *segment) {
    tern__shm_port *s = TERN__CONTAINER(observer, tern__shm_port, observer);
    (void)segment;
    __atomic_store_n(&s->segments_gone, true, __ATOMIC_RELAXED);
}

static const tern__port_ops shm_ops = {.poll = shm_poll,
                                       .fd = shm_fd,
                                       .arm = shm_arm,
                                       .listen = shm_listen,
                                       .connect = shm_connect,
                                       .disconnect = shm_disconnect,
                                       .free = shm_free,
                                       .listen_shared = shm_listen_shared,
                                       .retire = shm_retire,
                                       .stop_listening = shm_stop_listening};

static int make_shm_fds(tern__shm_port *s) {
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->tick_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &s->tick_fd};
    if (s->epoll >= 0 && s->tick_fd >= 0 && epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->tick_fd, &event) == 0) return 0;
    if (s->epoll >= 0) close(s->epoll);
    if (s->tick_fd >= 0) close(s->tick_fd);
    return tern__port_lack();
}

int tern__shm_port_new(const tern__port_env *env, const tern__shm_options *options, tern__port **out) {
    tern__shm_port *s = calloc(1, sizeof *s);
    if (!s) return TERN_ERR_NOMEM;
    int err = make_shm_fds(s);
    if (err) {
        free(s);
        return err;
    }
    tern__accept_pause_init(&s->pause, s->epoll);
    s->env = *env;
    s->dial = tern__shm_peer_dial;
    tern__list_init(&s->noticed);
    tern__list_init(&s->awake);
    tern__seats_init(&s->seats, TERN__SHM_MAX_PEERS, TERN__SHM_MAX_STRANGERS, env->random ? env->random(env->ctx) : 0);
    s->linger = 2 * TERN_SEC;
    s->stranger = 5 * TERN_SEC;
    s->take = 30 * TERN_SEC;
    s->service_in = 1;
    s->fence = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) != 0;
    prepare_hello(s);
    s->shares = options->share_region;
    s->lend_bytes = options->lend_bytes;
    s->lend_time = options->lend_time;
    s->observer.gone = on_segment_gone;
    tern__observe(&s->observer);
    static const tern__path by_reference = {.max_packet = TERN__SHM_MAX_PACKET,
                                            .max_inplace = TERN__SHM_MAX_INPLACE,
                                            .max_posts = TERN__SHM_MAX_POSTS,
                                            .threshold = 512};
    static const tern__path by_copy = {
        .max_packet = TERN__SHM_MAX_PACKET, .max_posts = TERN__SHM_MAX_POSTS, .threshold = 512};
    s->port = (tern__port){.link = {.ops = &tern__shm_link_ops,
                                    .path = s->shares ? &by_reference : &by_copy,
                                    .max_inline = TERN__SHM_MAX_INLINE,
                                    .max_posts = TERN__SHM_MAX_POSTS,
                                    .reliable = true,
                                    .tells_room = true,
                                    .holds_refs = true,
                                    .shows = options->share_region},
                           .ops = &shm_ops,
                           .name = "shm"};
    *out = &s->port;
    return 0;
}

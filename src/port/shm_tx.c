/* Packets out: the record is built in the ring itself, values in our pool go by reference, the rest is copied
 * once, into the record or the bounce area.
 *
 * Each reference, and the bounce space of each packet, has an entry in the peer's ring of completions, in the
 * order of the records. When the reader's position has passed the record, the entry is due. */
#include "port/shm_tx.h"

#include <stdlib.h>

#include "mem/pool.h"
#include "port/network.h"
#include "port/shm_keep.h"
#include "port/shm_lend.h"
#include "port/shm_timer.h"

enum {
    IDLE_FLUSHES = 4, /* with nothing for a peer: its run is closed. (A caller that waits for each answer has one.) */
};

_Static_assert((int)TERN__RUN_LINE_BYTES == (int)TERN__RING_LINE_BYTES, "a run has the ring's lines,");
_Static_assert((int)TERN__RUN_LENGTH_BYTES == (int)TERN__RING_WORD_BYTES, "its lengths are the records' words,");
_Static_assert((int)TERN__RUN_MAX_PACKET == (int)TERN__RING_FEW_BYTES, "and its packets fit the ring's batches");

static const tern_dur REDIAL_PAUSE = 10 * TERN_MS;

static tern__shm_port *shm_of_link(tern__link *link) { return (tern__shm_port *)(void *)link; }

static void push_done(tern__shm_peer *peer, tern__shm_done done) {
    /* The position is known when the packet ends; until then it is beyond any reader. */
    done.position = UINT64_MAX;
    peer->done[peer->done_head++ % TERN__SHM_DONE_RING] = done;
}

/* ---- The open run ------------------------------------------------------------------------------- */

/* Reads how far the peer is and starts a new lap of the ring when needed, so that the next run gets as many lines as
 * possible. */
static __attribute__((noinline)) void renew_room(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_reap(s, peer);
    tern__ring_make_room(&peer->tx, TERN__SHM_RUN_LINES + 1);
}

/* Whatever moves the ring's tail writes the run first. */
static inline void shm_open_run(tern__shm_port *s, tern__shm_peer *peer) {
    peer->run.at = peer->run.end = NULL;
    if (TERN__IS_OFF(RUNS)) return;
    if (tern__ring_wants_seen(&peer->tx, TERN__SHM_RUN_LINES + 1)) renew_room(s, peer);
    if (peer->fault) return; /* the peer lied about how far it is */
    uint32_t n = tern__ring_room(&peer->tx, TERN__SHM_RUN_LINES);
    peer->run.at = peer->staged;
    peer->run.end = peer->staged + (size_t)n * TERN__RUN_LINE_BYTES;
}

void tern__shm_run_close(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_run_write(s, peer);
    peer->run.at = peer->run.end = NULL;
}

static tern__tx_run *shm_run_of(tern__link *link, const tern__route *route) {
    tern__shm_peer *peer = tern__shm_peer_of(shm_of_link(link), route);
    return peer && !TERN__IS_OFF(RUNS) ? &peer->run : NULL;
}

/* A peer whose run is open is flushed each time, until it has had nothing for a few times. */
static inline void shm_flush_later(tern__shm_port *s, tern__shm_peer *peer) {
    peer->written = true;
    tern__shm_stir(s, peer);
    if (peer->flushed) return;
    peer->flushed = true;
    s->flush[s->n_flush++] = peer;
}

/* ---- Completions -------------------------------------------------------------------------------- */

void tern__shm_reap(tern__shm_port *s, tern__shm_peer *peer) {
    uint64_t position = __atomic_load_n(&peer->theirs->consumed, __ATOMIC_ACQUIRE);
    if (position == peer->tx.seen) return;
    if (tern__ring_tx_seen(&peer->tx, position)) {
        tern__shm_run_close(s, peer);
        peer->fault = true;
        tern__shm_attend(s, peer);
        return;
    }
    while (peer->done_tail != peer->done_head) {
        tern__shm_done *done = &peer->done[peer->done_tail % TERN__SHM_DONE_RING];
        if (done->position > position) break;
        peer->done_tail++;
        if (!done->ref) {
            peer->bounce_tail = done->bounce;
            continue;
        }
        if (done->ref == TERN__SHM_BY_TICKET) {
            tern__shm_lend_passed(s, peer, (uint32_t)done->ticket);
            continue;
        }
        s->stats.refs_released++;
        tern__ref_drop(done->counter, done->ref);
    }
}

static bool has_bounce_room(const tern__shm_peer *peer) {
    return peer->bounce_head - peer->bounce_tail <= TERN__SHM_BOUNCE_BYTES - TERN__SHM_MAX_INPLACE;
}

static bool has_done_room(const tern__shm_peer *peer) {
    return peer->done_head - peer->done_tail <= TERN__SHM_DONE_RING - TERN__SHM_MAX_ENTRIES - 1;
}

static void set_stalled(tern__shm_peer *peer, bool stalled) {
    uint32_t flags = peer->ours->flags & ~(uint32_t)TERN__SHM_STALLED;
    if (stalled) flags |= TERN__SHM_STALLED;
    __atomic_store_n(&peer->ours->flags, flags, __ATOMIC_RELEASE);
    peer->stalled = stalled;
}

/* A client's route without a connection: try again, not too often. A server that takes connections and never greets
 * may have been replaced at its path. */
static void shm_redial(tern__shm_port *s, tern__shm_peer *peer) {
    tern_time at = tern__coarse_now();
    bool unanswered = peer->state == TERN__SHM_CONNECTING && at - peer->dialled_at >= (tern_time)s->stranger;
    if (peer->state != TERN__SHM_DOWN && !unanswered) return;
    if (at - peer->dialled_at >= (tern_time)REDIAL_PAUSE && !s->dial(s, peer)) return;
    peer->loss_due = true;
    tern__shm_attend(s, peer);
}

static uint32_t no_room(tern__shm_port *s, tern__shm_peer *peer) {
    tern_time now = tern__coarse_now();
    s->stats.tx_full++;
    if (!peer->stalled) set_stalled(peer, true);
    tern__shm_stir(s, peer);
    if (!peer->full_since || peer->full_seen != peer->tx.seen) {
        peer->full_since = now;
        peer->full_seen = peer->tx.seen;
    } else if (now - peer->full_since >= (tern_time)s->take) {
        peer->unread = true;
        tern__shm_attend(s, peer);
    }
    return 0;
}

/* Room for what is copied out of the way of the ring, and for what has to be given back later. */
static bool has_piece_room(tern__shm_port *s, tern__shm_peer *peer) {
    if (peer->done_head - peer->done_tail >= TERN__SHM_LAZY_DONE || !has_bounce_room(peer)) tern__shm_reap(s, peer);
    if (peer->n_lent) tern__shm_lend_look(s, peer);
    return has_bounce_room(peer) && has_done_room(peer);
}

static void begin_pieces(tern__shm_packet *tx, uint32_t head_bytes) {
    tern__shm_peer *peer = tx->peer;
    /* Nothing under way: start over, in memory that is in the cache. */
    if (peer->bounce_head == peer->bounce_tail) peer->bounce_head = peer->bounce_tail = 0;
    tx->inline_room = head_bytes + TERN__SHM_INLINE_SLACK;
    tx->n_pieces = tx->n_entries = tx->copied_bytes = 0;
    tx->lends = __atomic_load_n(&peer->theirs->flags, __ATOMIC_RELAXED) & TERN__SHM_KEEPS;
    if (tx->max_pieces > TERN__SHM_MAX_POSTS) tx->max_pieces = TERN__SHM_MAX_POSTS;
    tx->done_head = peer->done_head;
    tx->bounce_head = peer->bounce_head;
}

/* One packet at a time: a record's length is known when it is complete, and the next one lies behind it. */
static uint32_t shm_tx_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                               uint32_t max_pieces, uint8_t **heads) {
    tern__shm_port *s = shm_of_link(link);
    tern__shm_peer *peer = tern__shm_peer_of(s, route);
    (void)n;
    if (!peer || head_bytes == 0 || head_bytes > TERN__SHM_MAX_INLINE) return 0;
    if (peer->state != TERN__SHM_UP || peer->fault) {
        shm_redial(s, peer);
        return 0;
    }
    tern__shm_run_close(s, peer);
    uint32_t lines = tern__ring_lines_for(head_bytes, 0);
    if (max_pieces) lines = tern__ring_lines_for(head_bytes + TERN__SHM_INLINE_SLACK, TERN__SHM_MAX_ENTRIES);
    if (tern__ring_wants_seen(&peer->tx, lines)) tern__shm_reap(s, peer);
    if (max_pieces && !has_piece_room(s, peer)) return no_room(s, peer);
    uint8_t *mem = tern__ring_begin(&peer->tx, lines);
    if (!mem) return no_room(s, peer);
    if (peer->stalled) set_stalled(peer, false);
    tern__shm_packet *tx = &s->tx;
    tx->peer = peer;
    tx->mem = mem;
    tx->lines = lines;
    tx->inline_bytes = tx->total_bytes = head_bytes;
    tx->max_pieces = max_pieces;
    if (max_pieces) begin_pieces(tx, head_bytes);
    heads[0] = mem;
    return 1;
}

static void add_entry(tern__shm_packet *tx, uint32_t name, uint32_t generation, uint32_t offset, uint32_t len) {
    tx->entries[tx->n_entries++] = (tern__ring_entry){name, generation, offset, len};
}

/* Pieces that follow each other in the bounce area are one entry. */
static void copy_to_bounce(tern__shm_packet *tx, const uint8_t *data, uint32_t len) {
    tern__shm_peer *peer = tx->peer;
    while (len) {
        uint32_t at = (uint32_t)(peer->bounce_head % TERN__SHM_BOUNCE_BYTES);
        uint32_t part = TERN__SHM_BOUNCE_BYTES - at < len ? TERN__SHM_BOUNCE_BYTES - at : len;
        memcpy(peer->channel.bounce + at, data, part);
        tern__ring_entry *last = tx->n_entries ? &tx->entries[tx->n_entries - 1] : NULL;
        if (last && last->name == TERN__SHM_IN_BOUNCE && last->offset + last->len == at)
            last->len += part;
        else
            add_entry(tx, TERN__SHM_IN_BOUNCE, 0, at, part);
        peer->bounce_head += part;
        data += part;
        len -= part;
    }
}

static bool peer_takes_refs(tern__shm_peer *peer) {
    if (!peer->takes_refs && peer->offered)
        peer->takes_refs = __atomic_load_n(&peer->theirs->flags, __ATOMIC_ACQUIRE) & TERN__SHM_TAKES_REFS;
    return peer->takes_refs;
}

/* ---- Segments ----------------------------------------------------------------------------------- */

static bool has_announced_room(tern__shm_peer *peer, uint32_t index) {
    if (index < peer->n_announced) return true;
    uint32_t n = peer->n_announced ? peer->n_announced : 16;
    while (n <= index) n *= 2;
    uint32_t *announced = realloc(peer->announced, n * sizeof *announced);
    if (!announced) return false;
    memset(announced + peer->n_announced, 0, (n - peer->n_announced) * sizeof *announced);
    peer->announced = announced;
    peer->n_announced = n;
    return true;
}

static int send_retirement(tern__shm_port *s, tern__shm_peer *peer, uint32_t index) {
    tern__shm_notice notice = {.kind = TERN__SHM_RETIRE, .segment = index, .generation = peer->announced[index]};
    int err = tern__shm_send_notice(peer->sock, &notice, -1);
    if (err) return err;
    peer->announced[index] = 0;
    s->stats.tx_retired++;
    return 0;
}

/* Out of line: once per segment. */
static __attribute__((noinline)) bool announce_segment(tern__shm_port *s, tern__shm_peer *peer,
                                                       tern__segment *segment) {
    if (!has_announced_room(peer, segment->index)) return false;
    if (peer->announced[segment->index] && send_retirement(s, peer, segment->index)) return false;
    int fd = tern__segment_share(segment);
    if (fd < 0) {
        if (!s->share_failed)
            tern__port_log(&s->env, TERN_LOG_WARN, "shm: memory cannot be shown to peers, and is copied: %s",
                           fd == TERN_ERR_ACCESS ? "files may not be as long as its segments are (RLIMIT_FSIZE)"
                                                 : tern__port_reason(fd));
        s->share_failed = true;
        return false;
    }
    tern__shm_notice notice = {.kind = TERN__SHM_ANNOUNCE,
                               .segment = segment->index,
                               .generation = segment->generation,
                               .bytes = segment->bytes};
    if (tern__shm_send_notice(peer->sock, &notice, fd)) return false;
    peer->announced[segment->index] = segment->generation;
    s->stats.tx_announced++;
    return true;
}

/* Whether the peer knows the segment, or can be told now. */
static inline bool knows_segment(tern__shm_port *s, tern__shm_peer *peer, tern__segment *segment) {
    uint32_t i = segment->index;
    return (i < peer->n_announced && peer->announced[i] == segment->generation) || announce_segment(s, peer, segment);
}

void tern__shm_retire_segments(tern__shm_port *s) {
    __atomic_store_n(&s->segments_gone, false, __ATOMIC_RELAXED);
    for (uint32_t k = 0; k < s->n_active; k++) {
        tern__shm_peer *peer = s->active[k];
        if (peer->state != TERN__SHM_UP) continue;
        for (uint32_t i = 0; i < peer->n_announced; i++) {
            if (!peer->announced[i] || tern__segment_generation(i) == peer->announced[i]) continue;
            if (send_retirement(s, peer, i) == TERN_ERR_AGAIN)
                __atomic_store_n(&s->segments_gone, true, __ATOMIC_RELAXED);
        }
    }
}

/* ---- Pieces ------------------------------------------------------------------------------------- */

/* Whether a piece is long enough. Of a value that may be kept the ends count, too, which packets have cut off. */
static inline bool is_worth_a_ref(const tern__shm_packet *tx, uint32_t len) {
    if (len >= TERN__SHM_MIN_REF_BYTES) return true;
    return tx->lends && (tx->n_pieces == 0 || tx->total_bytes + len > TERN__SHM_MAX_PACKET - TERN__SHM_MIN_REF_BYTES);
}

static int shm_tx_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    tern__shm_port *s = shm_of_link(link);
    tern__shm_packet *tx = &s->tx;
    (void)i;
    if (len == 0) return 0;
    if (tx->n_pieces == tx->max_pieces || len > TERN__SHM_MAX_INPLACE - tx->total_bytes) return TERN_ERR_INVALID;
    unsigned code = tern__code_of(data);
    if (tern__code_is_known(code, data)) {
        uint32_t *counter;
        tern__segment *segment;
        if (!tern__ref_locate_by(code, data, len, &counter) || __atomic_load_n(counter, __ATOMIC_RELAXED) == 0)
            return TERN_ERR_INVALID;
        if (is_worth_a_ref(tx, len) && peer_takes_refs(tx->peer) && (segment = tern__shared_segment_by(code, data)) &&
            knows_segment(s, tx->peer, segment)) {
            if (tern__ref_take(counter, data)) return TERN_ERR_INVALID;
            uint32_t ticket = tx->lends ? tern__shm_lend(s, tx->peer, data, counter, len) : 0;
            push_done(tx->peer, ticket ? (tern__shm_done){.ref = TERN__SHM_BY_TICKET, .ticket = ticket}
                                       : (tern__shm_done){.ref = data, .counter = counter});
            add_entry(tx, tern__shm_name(segment->index, ticket), segment->generation,
                      (uint32_t)((uintptr_t)data - segment->start), len);
            s->stats.tx_refs++;
            s->stats.tx_ref_bytes += len;
            goto added;
        }
    }
    if (tx->n_entries == 0 && len <= tx->inline_room - tx->inline_bytes) {
        memcpy(tx->mem + tx->inline_bytes, data, len);
        tx->inline_bytes += len;
    } else {
        copy_to_bounce(tx, data, len);
        s->stats.tx_bounce_bytes += len;
    }
    tx->copied_bytes += len;
added:
    tx->n_pieces++;
    tx->total_bytes += len;
    return 0;
}

static void give_up(tern__shm_port *s, tern__shm_peer *peer) {
    tern__ring_abort(&peer->tx, s->tx.lines);
    if (!s->tx.max_pieces) return;
    while (peer->done_head != s->tx.done_head) {
        const tern__shm_done *done = &peer->done[--peer->done_head % TERN__SHM_DONE_RING];
        if (done->ref == TERN__SHM_BY_TICKET) {
            tern__shm_lend_undo(s, peer, (uint32_t)done->ticket);
            continue;
        }
        s->stats.refs_released++;
        tern_unref(done->ref);
    }
    peer->bounce_head = s->tx.bounce_head;
}

/* Where its pieces lie is told with the packet, and what they need is given back when the reader has passed it. */
static void end_with_pieces(tern__shm_packet *tx) {
    tern__shm_peer *peer = tx->peer;
    if (peer->bounce_head != tx->bounce_head) {
        /* The next packet's copies start on a line of their own. */
        peer->bounce_head = (peer->bounce_head + 63) & ~(uint64_t)63;
        push_done(peer, (tern__shm_done){.bounce = peer->bounce_head});
    }
    tern__ring_end(&peer->tx, tx->inline_bytes, tx->entries, tx->n_entries);
    if (tx->n_entries)
        for (uint32_t i = tx->done_head; i != peer->done_head; i++)
            peer->done[i % TERN__SHM_DONE_RING].position = peer->tx.tail;
}

static void shm_tx_commit(tern__link *link, uint32_t n) {
    tern__shm_port *s = shm_of_link(link);
    tern__shm_packet *tx = &s->tx;
    tern__shm_peer *peer = tx->peer;
    if (n == 0) {
        give_up(s, peer);
        return;
    }
    if (tx->max_pieces) {
        end_with_pieces(tx);
        link->sent.bounced_bytes += tx->copied_bytes;
    } else {
        tern__ring_end(&peer->tx, tx->inline_bytes, NULL, 0);
    }
    link->sent.packets++;
    link->sent.bytes += tx->total_bytes;
    s->stats.tx_packets++;
    s->stats.tx_inline_bytes += tx->inline_bytes;
    if (tx->total_bytes <= TERN__RUN_MAX_PACKET) shm_open_run(s, peer); /* others like it may follow */
    shm_flush_later(s, peer);
}

/* A full run is written out and begins anew. One that is closed stays that: its packet goes into the ring at once. */
static uint8_t *shm_tx_open(tern__link *link, const tern__route *route, uint32_t packet_bytes) {
    tern__shm_port *s = shm_of_link(link);
    tern__shm_peer *peer = tern__shm_peer_of(s, route);
    if (!peer || tern__shm_run_is_empty(peer) || packet_bytes > TERN__RUN_MAX_PACKET) return NULL;
    tern__shm_run_write_out(s, peer);
    shm_open_run(s, peer);
    return tern__run_take(&peer->run, route, packet_bytes);
}

/* The peer sets `sleep`, runs a barrier on every CPU (or, without membarrier, relies on our fence), and looks at the
 * ring once more. So either we see that it sleeps, or it saw what we published. */
void tern__shm_wake(tern__shm_port *s, tern__shm_peer *peer) {
    if (s->fence || __atomic_load_n(&peer->theirs->flags, __ATOMIC_RELAXED) & TERN__SHM_NEEDS_FENCE)
        tern__shm_fence();
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t sleep = __atomic_load_n(&peer->theirs->sleep, __ATOMIC_ACQUIRE);
    if (!(sleep & 1) || sleep == peer->woken) return;
    peer->woken = sleep;
    s->stats.wakes_sent++;
    tern__shm_send_wake(peer->sock);
}

static void shm_tx_flush(tern__link *link) {
    tern__shm_port *s = shm_of_link(link);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_flush; i++) {
        tern__shm_peer *peer = s->flush[i];
        bool is_empty = tern__shm_run_is_empty(peer);
        if (is_empty && !peer->written) {
            if (++peer->n_idle < IDLE_FLUSHES) {
                s->flush[n++] = peer;
            } else {
                peer->run.at = peer->run.end = NULL;
                peer->flushed = false;
            }
            continue;
        }
        s->flush[n++] = peer;
        if (!is_empty) {
            tern__shm_run_write_out(s, peer);
            shm_open_run(s, peer);
        }
        peer->written = false;
        peer->n_idle = 0;
        if (peer->state == TERN__SHM_UP) tern__shm_wake(s, peer);
    }
    s->n_flush = n;
}

static bool shm_has_moved(tern__link *link, const tern__route *route, uint64_t *mark) {
    const tern__shm_peer *peer = tern__shm_peer_of(shm_of_link(link), route);
    if (!peer || peer->state != TERN__SHM_UP) return false;
    uint64_t before = *mark;
    *mark = peer->rx.position + __atomic_load_n(&peer->theirs->consumed, __ATOMIC_ACQUIRE);
    return *mark != before;
}

static uint64_t shm_network(tern__link *link, const tern__route *route) {
    const tern__shm_peer *peer = tern__shm_peer_of(shm_of_link(link), route);
    return tern__network_of_socket(peer ? peer->sock : -1, route);
}

static void shm_use(tern__link *link, const tern__route *route, bool used) {
    tern__shm_port *s = shm_of_link(link);
    tern__shm_peer *peer = tern__shm_peer_of(s, route);
    if (!peer || peer->path[0]) return;
    peer->used = used;
    tern__shm_timer_set(s, peer);
}

const tern__link_ops tern__shm_link_ops = {.tx_reserve = shm_tx_reserve,
                                           .tx_add = shm_tx_add,
                                           .tx_commit = shm_tx_commit,
                                           .tx_flush = shm_tx_flush,
                                           .run = shm_run_of,
                                           .tx_open = shm_tx_open,
                                           .network = shm_network,
                                           .use = shm_use,
                                           .has_moved = shm_has_moved,
                                           .rx_will_keep = tern__shm_will_keep,
                                           .rx_keep = tern__shm_keep};

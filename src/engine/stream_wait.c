/* Streams that wait for their clients (stream_wait.h). */
#include "engine/stream_wait.h"

#include "engine/progress.h"
#include "engine/timer.h"

enum {
    N_STREAMS = 16,       /* of a peer, looked at for the one that waits the longest */
    STEP_BYTES = 1 << 10, /* less is no progress where output waits, or a byte now and then would hold it for ever */
};

static bool has_output(const tern__stream *st) { return st->tx_end > st->tx_front; }

/* Not even room for a packet. */
static bool is_ungranted(const tern__stream *st) {
    return st->tx_end > st->tx_limit && st->tx_limit - st->tx_sent < st->session->payload_bytes;
}

static bool waits(const tern__stream *st) { return tern__stream_is_unopened(st) || has_output(st); }

/* Grows with all that the client does for the stream. */
static uint64_t progress_of(const tern__stream *st) {
    return st->tx_front + st->tx_limit + st->rx_bytes + st->rx_pkt + (st->rx_meta ? st->rx_meta->got : 0);
}

static bool has_moved(const tern__stream *st) {
    uint64_t step = progress_of(st) - st->waits_with;
    return step >= (tern__stream_is_unopened(st) ? 1 : STEP_BYTES);
}

/* What is not acknowledged, or finds the link full, has rules of its own. */
static tern_time due_of(const tern__stream *st) {
    if (tern__stream_is_unopened(st)) return st->waits_since + (tern_time)TERN__STILL;
    return is_ungranted(st) ? st->waits_since + (tern_time)TERN__UNGRANTED : TERN__NEVER;
}

static void start(tern__stream *st, tern_time now) {
    if (st->waits_since && !has_moved(st)) return; /* it runs */
    st->waits_since = now;
    st->waits_with = progress_of(st);
}

void tern__stream_start_clock(tern__stream *st, tern_time now) {
    if (!waits(st)) return;
    start(st, now);
    tern__timer_lower(st->session, due_of(st));
}

tern_time tern__stream_clock_due(tern__stream *st, tern_time now) {
    if (!waits(st)) {
        st->waits_since = 0;
        return TERN__NEVER;
    }
    start(st, now);
    return due_of(st);
}

/* Since when what the stream sends, or what it keeps, has not moved; 0: it holds nothing, or its output has moved. */
static tern_time stands_since(const tern__stream *st) {
    tern_time output = has_output(st) && !has_moved(st) ? st->waits_since : 0;
    if (!st->kept) return output;
    return output && output < st->kept_since ? output : st->kept_since;
}

tern__stream *tern__stream_stalled(tern__peer *peer, tern_time now) {
    tern__stream *longest = NULL;
    const tern__node *first = peer->unread.next;
    for (uint32_t i = 0; i < N_STREAMS && !tern__list_empty(&peer->unread); i++) {
        tern__node *node = peer->unread.next;
        tern__stream *st = TERN__CONTAINER(node, tern__stream, unread);
        if (i && node == first) break;
        tern__list_remove(node);
        tern__list_append(&peer->unread, node);
        tern_time since = stands_since(st);
        if (!since || now - since < (tern_time)TERN_SEC) continue;
        if (!longest || since < stands_since(longest)) longest = st;
    }
    if (!longest) return NULL;
    tern__list_remove(&longest->unread);
    tern__list_append(peer->unread.next, &longest->unread); /* before the first */
    return longest;
}

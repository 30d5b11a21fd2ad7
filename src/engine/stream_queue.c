/* The queue of a stream (stream_queue.h). */
#include "engine/stream_queue.h"

#include "engine/account.h"
#include "engine/limits.h"
#include "engine/message.h"
#include "engine/peers.h"
#include "mem/pool.h"

enum {
    CHUNK_BYTES = 2048 - sizeof(tern__out), /* copied bytes that are collected in one buffer */
    MIN_PIECE_BYTES = 512,                  /* shorter values are copied: more would make packets of too many pieces */
    COUNTED_BYTES = 16 << 10,               /* what waits is on the account in steps of so many */
    KEPT_BYTES = 2 * COUNTED_BYTES,         /* of a chunk, stay with a stream when nothing waits */
};

/* ---- The account of what waits -------------------------------------------------------------------- */

/* Memory for so many bytes that wait. */
static uint64_t output_bytes(uint64_t waiting) {
    if (waiting <= CHUNK_BYTES) return waiting ? tern__buffer_bytes(CHUNK_BYTES) : 0;
    return (waiting / COUNTED_BYTES + 2) * COUNTED_BYTES; /* the last chunk may be half empty */
}

void tern__stream_enlist(tern__stream *st) {
    if (tern__list_empty(&st->unread)) tern__list_append(&st->session->cold->peer->unread, &st->unread);
}

int tern__stream_count_output(tern__stream *st, uint64_t len) {
    uint64_t waiting = st->tx_end - st->tx_front, bytes = waiting + len;
    if (bytes <= st->tx_charged || !st->request) return 0;
    uint64_t more = output_bytes(bytes) - st->tx_charged;
    if (tern__charge(st->session, more)) {
        tern__stream_enlist(st);
        st->tx_charged += more;
        return 0;
    }
    if (!waiting) return TERN_ERR_NOMEM;
    st->want_write = true;
    return TERN_ERR_FULL;
}

void tern__stream_uncount_output(tern__stream *st) {
    uint64_t waiting = st->tx_end - st->tx_front;
    uint64_t kept = st->growing ? sizeof(tern__out) + st->growing_room + st->growing->size : CHUNK_BYTES;
    uint64_t bytes = waiting ? output_bytes(waiting) + COUNTED_BYTES : tern__buffer_bytes(kept);
    if (st->tx_charged <= bytes) return;
    tern__uncharge(st->session, st->tx_charged - bytes);
    st->tx_charged = bytes;
}

/* ---- The queue ------------------------------------------------------------------------------------ */

static void append(tern__stream *st, tern__out *out) {
    out->start = st->tx_end;
    tern__list_append(&st->queue, &out->node);
    st->tx_end += out->size;
    st->growing = NULL;
}

/* Room for n more bytes at the end of the last chunk, or of a new one. NULL: no memory. */
static uint8_t *make_room(tern__stream *st, uint32_t n) {
    if (!st->growing || st->growing_room < n) {
        uint64_t whole = tern__buffer_bytes(sizeof(tern__out) + (n > CHUNK_BYTES ? n : CHUNK_BYTES));
        tern__out *out = tern__out_room(st->session->link, (uint32_t)(whole - sizeof(tern__out)));
        if (!out) return NULL;
        append(st, out);
        st->growing = out;
        st->growing_room = (uint32_t)(whole - sizeof(tern__out));
    }
    return tern__out_head(st->growing) + st->growing->size;
}

static void grow(tern__stream *st, uint32_t n) {
    st->growing->size += n;
    st->growing->head_len += n;
    st->growing_room -= n;
    st->tx_end += n;
}

/* What fits goes into the last chunk, the rest into a new one. */
int tern__stream_append_copy(tern__stream *st, const void *data, uint32_t len) {
    uint32_t first = st->growing && st->growing_room < len ? st->growing_room : 0;
    tern__out *growing = st->growing;
    uint8_t *end = growing ? tern__out_head(growing) + growing->size : NULL;
    if (first) {
        memcpy(end, data, first);
        grow(st, first);
    }
    uint8_t *to = make_room(st, len - first);
    if (!to) {
        if (!first) return TERN_ERR_NOMEM;
        growing->size -= first;
        growing->head_len -= first;
        st->growing_room += first;
        st->tx_end -= first;
        return TERN_ERR_NOMEM;
    }
    memcpy(to, (const uint8_t *)data + first, len - first);
    grow(st, len - first);
    st->session->engine->stats.copied_bytes += len;
    return 0;
}

static int append_piece(tern__stream *st, const void *data, uint32_t len) {
    tern__out *out;
    int err = tern__out_piece(st->session->link, data, len, &out);
    if (err) return err;
    append(st, out);
    st->session->engine->stats.inplace_values++;
    st->session->engine->stats.inplace_bytes += len;
    return 0;
}

static size_t threshold_of(const tern__stream *st) {
    size_t threshold = tern__threshold(&st->session->engine->config, st->session->path);
    return threshold < MIN_PIECE_BYTES ? MIN_PIECE_BYTES : threshold;
}

int tern__stream_append_raw(tern__stream *st, const void *data, size_t len) {
    if (len == 0) return 0;
    if (len > TERN_BUF_MAX_BYTES) return TERN_ERR_LIMIT;
    int err = tern__stream_count_output(st, len);
    if (err) return err;
    if (len >= threshold_of(st) && tern__is_known(data)) return append_piece(st, data, (uint32_t)len);
    return tern__stream_append_copy(st, data, (uint32_t)len);
}

static void write_prefix(uint8_t *to, uint32_t len, uint8_t format) {
    tern__store32(to, len);
    to[4] = format;
}

int tern__stream_append_object(tern__stream *st, const tern__body *body) {
    tern__session *s = st->session;
    tern__engine *e = s->engine;
    uint8_t prefix[TERN__STREAM_PREFIX_BYTES];
    tern__plan plan;
    const tern__format *best = tern__format_of(e, st->format);
    if (!best) best = tern__session_format(s);
    int err = tern__plan_make(e, s->path, body, best, s->path->max_packet - TERN__PKT_MAX_HEADER_BYTES, &plan);
    if (!err) err = tern__stream_count_output(st, (uint64_t)sizeof prefix + plan.size);
    if (err) return err;
    if (!plan.n_segs) {
        uint8_t *to = make_room(st, (uint32_t)sizeof prefix + plan.size);
        if (!to) return TERN_ERR_NOMEM;
        write_prefix(to, plan.size, plan.format);
        err = tern__plan_copy(e, &plan, to + sizeof prefix);
        if (!err) grow(st, (uint32_t)sizeof prefix + plan.size);
        return err;
    }
    tern__out *out;
    write_prefix(prefix, plan.size, plan.format);
    err = tern__out_new_behind(e, s->link, &plan, prefix, sizeof prefix, &out);
    if (!err) append(st, out);
    return err;
}

/* A chunk that the link does not refer to can be filled anew. */
static bool is_reusable(const tern__stream *st, const tern__out *out) {
    return out == st->growing && st->growing_room + out->size <= KEPT_BYTES && st->session->link->holds_refs &&
           tern_refcount(out) == 1;
}

void tern__stream_release_until(tern__stream *st, uint64_t upto) {
    while (!tern__list_empty(&st->queue)) {
        tern__out *out = TERN__CONTAINER(st->queue.next, tern__out, node);
        if (out->start + out->size > upto || (!out->size && out == st->growing)) break;
        if (is_reusable(st, out)) {
            st->growing_room += out->size;
            out->size = out->head_len = 0;
            out->start = upto;
            break;
        }
        if (out == st->growing) st->growing = NULL;
        if (out == st->cursor) st->cursor = NULL;
        tern__out_release(st->session->engine, out);
    }
    st->tx_front = upto;
    if (upto == st->tx_end) st->waits_since = 0;
    tern__stream_uncount_output(st);
}

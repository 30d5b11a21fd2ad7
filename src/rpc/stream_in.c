/* Bytes and messages that arrive on a stream (stream_in.h).
 *
 * Bytes that wait are not consumed, and the window bounds them. They are copied into buffers that fill up, because a
 * packet may be much smaller than the buffer that it came in. A message in one piece is decoded where it lies; another
 * is put together in a buffer of its own, which counts as the engine's reassembly buffers do. */
#include "rpc/stream_in.h"
#include "mem/pool.h"
#include "rpc/decode.h"
#include "rpc/stream_turn.h"

enum { PIECE_BYTES = 16 << 10 };

typedef struct piece {
    tern__node node;
    uint32_t begin, end, cap; /* [begin, end) waits */
    uint64_t kept;            /* bytes on the account */
    uint8_t bytes[];
} piece;

void tern__stream_in_init(tern__stream_record *s) {
    tern__list_init(&s->pieces);
    s->prepaid = 0;
    s->n_prefix = 0;
    s->message = NULL;
    s->message_got = 0;
    s->message_kept = 0;
    s->debit = (tern__debit){0};
}

static bool is_cancelled(const tern__stream_record *s) { return s->call == TERN__STREAM_CANCELLED; }

static uint32_t message_len(const tern__stream_record *s) { return tern__load32(s->prefix); }

static void unkeep_message(tern__stream_record *s) {
    if (s->st && s->message_kept) tern__stream_unkeep(s->st, s->message_kept);
    s->message_kept = 0;
}

static void drop_message(tern__stream_record *s) {
    unkeep_message(s);
    tern__engine_undebit(s->ep->engine, &s->debit);
    tern_unref(s->message);
    s->message = NULL;
    s->message_got = 0;
    s->n_prefix = 0;
}

static void drop_piece(tern__stream_record *s, piece *p) {
    tern__list_remove(&p->node);
    if (p->kept && s->st) tern__stream_unkeep(s->st, p->kept);
    tern_unref(p);
}

void tern__stream_in_fini(tern__stream_record *s) {
    drop_message(s);
    while (!tern__list_empty(&s->pieces)) drop_piece(s, TERN__CONTAINER(s->pieces.next, piece, node));
    s->prepaid = 0;
}

bool tern__stream_in_is_cut(const tern__stream_record *s) { return s->n_prefix > 0; }

/* ---- Messages ----------------------------------------------------------------------------------- */

static const tern_type *type_of(const tern__stream_record *s) {
    return tern__stream_is_server(s) ? s->method->request : s->method->response;
}

/* Whose fault a bad message is. */
static int blame(const tern__stream_record *s) {
    return tern__stream_is_server(s) ? TERN_STATUS_INVALID_ARGUMENT : TERN_STATUS_INTERNAL;
}

static int second_message(const char **why) {
    *why = "the request is one message, and a second one has come";
    return TERN_STATUS_INVALID_ARGUMENT;
}

/* A whole message. Ends the stream when it makes no sense. */
static void take_message(tern__stream_record *s, const void *data) {
    tern_endpoint *ep = s->ep;
    tern__arrived msg = {.data = data, .len = message_len(s), .format = s->prefix[4]};
    uint64_t life = tern__stream_life(s);
    void *value = NULL;
    const char *why = NULL;
    s->n_prefix = 0;
    int status = tern__decode(&ep->decoder, type_of(s), &msg, 0, &ep->scratch, &value, &why);
    if (status == TERN_STATUS_OK && s->service && s->service->single) {
        if (s->call == TERN__STREAM_AWAITING)
            s->in_events->on_request(s, value);
        else
            status = second_message(&why);
    } else if (status == TERN_STATUS_OK && s->thunk) {
        s->thunk(s->on_message, tern__stream_name(s), value, s->user);
    }
    tern_arena_reset(&ep->scratch);
    if (status != TERN_STATUS_OK && tern__stream_life(s) == life)
        s->in_events->on_bad(s, status == TERN_STATUS_INTERNAL ? blame(s) : status, why);
}

/* At a server the message gives way when the rest of it does not come and others need the room. */
static bool charge_message(tern__stream_record *s, uint64_t bytes) {
    if (!tern__stream_is_server(s)) return tern__stream_debit(s->st, bytes, &s->debit);
    if (!tern__stream_keep(s->st, bytes)) return false;
    s->message_kept += bytes;
    return true;
}

/* The message is whole, and outlives its stream if a callback ends that. What was on the account stays there, or is out
 * of it for that long. */
static tern__debit take_debit(tern__stream_record *s) {
    tern__debit debit = s->debit;
    uint64_t kept = s->message_kept;
    unkeep_message(s);
    if (s->st && kept) tern__stream_debit(s->st, kept, &debit);
    s->debit = (tern__debit){0};
    return debit;
}

/* Memory for a message that comes in parts, as they come: on the account while the engine knows the stream, and what
 * comes later has been in a window's memory. */
static bool reach(tern__stream_record *s, uint32_t bytes) {
    uint64_t ready = s->message ? 0 : 2 * (uint64_t)bytes, charged = s->debit.bytes + s->message_kept;
    uint64_t wanted =
        s->message ? tern__sparse_bytes(bytes, message_len(s)) : tern__sparse_first_bytes(message_len(s), ready);
    if (s->st && bytes > charged && !charge_message(s, wanted - charged)) return false;
    if (!s->message) s->message = tern__sparse_alloc(message_len(s), ready);
    return s->message && tern__sparse_reach(s->message, bytes, message_len(s));
}

/* Part of a message, or the rest of it. Returns how many bytes were taken; 0 when there is no memory for it. */
static uint32_t take_message_part(tern__stream_record *s, const uint8_t *data, uint32_t len) {
    uint32_t missing = message_len(s) - s->message_got, n = len < missing ? len : missing;
    if (!s->message && n == missing) {
        take_message(s, data);
        return n;
    }
    if (!reach(s, s->message_got + n)) return 0;
    memcpy(s->message + s->message_got, data, n);
    s->message_got += n;
    if (s->st) tern__stream_kept_moves(s->st, n);
    if (n < missing) return n;
    uint8_t *whole = s->message;
    tern__debit debit = take_debit(s);
    tern_endpoint *ep = s->ep;
    s->message = NULL;
    s->message_got = 0;
    take_message(s, whole);
    tern__engine_undebit(ep->engine, &debit);
    tern_unref(whole);
    return n;
}

/* Returns how many bytes were taken, fewer than len when the stream has been ended, cancelled or paused by its user, or
 * has to wait for its turn. */
static uint32_t take_messages(tern__stream_record *s, const uint8_t *data, uint32_t len) {
    uint64_t life = tern__stream_life(s);
    uint32_t at = 0;
    tern__delivery delivery = {0};
    while (tern__stream_life(s) == life && !s->paused && !s->waits && !is_cancelled(s)) {
        if (s->n_prefix < TERN__STREAM_PREFIX_BYTES) {
            if (at == len) break;
            s->prefix[s->n_prefix++] = data[at++];
            continue;
        }
        bool fits = message_len(s) <= s->ep->config.max_message_bytes;
        if (fits && at == len && message_len(s) > 0) break;
        uint32_t n = fits ? take_message_part(s, data + at, len - at) : 0;
        if (tern__stream_life(s) == life && n == 0 && s->n_prefix && !is_cancelled(s)) {
            s->in_events->on_bad(s, TERN_STATUS_RESOURCE_EXHAUSTED,
                                 fits ? "there is no memory for the message"
                                      : "the message is longer than max_message_bytes");
            break;
        }
        at += n;
        if (tern__stream_life(s) == life && !s->n_prefix) tern__stream_turn_note(s, &delivery);
    }
    return at;
}

/* ---- Waiting ------------------------------------------------------------------------------------ */

/* What a server keeps is on its client's account. NULL: it may not keep so much, or no memory. */
static piece *make_piece(tern__stream_record *s, uint32_t cap) {
    bool counts = s->st && tern__stream_is_server(s);
    uint64_t bytes = counts ? tern__buffer_size(sizeof(piece) + cap) : 0;
    if (counts && !tern__stream_keep(s->st, bytes)) return NULL;
    piece *p = tern_alloc_private(sizeof *p + cap);
    if (!p && counts) tern__stream_unkeep(s->st, bytes);
    if (p) *p = (piece){.cap = cap, .kept = bytes};
    return p;
}

/* Keeps bytes until they are wanted. False: no memory. */
static bool keep_bytes(tern__stream_record *s, const uint8_t *data, uint32_t len) {
    piece *last = tern__list_empty(&s->pieces) ? NULL : TERN__CONTAINER(s->pieces.prev, piece, node);
    if (last) {
        uint32_t n = last->cap - last->end < len ? last->cap - last->end : len;
        memcpy(last->bytes + last->end, data, n);
        last->end += n;
        data += n;
        len -= n;
    }
    if (!len) return true;
    uint32_t cap = len > PIECE_BYTES - sizeof(piece) ? len : PIECE_BYTES - (uint32_t)sizeof(piece);
    piece *p = make_piece(s, cap);
    if (!p) return false;
    p->end = len;
    memcpy(p->bytes, data, len);
    tern__list_append(&s->pieces, &p->node);
    return true;
}

/* Bytes that waited were handed over. Bytes that were consumed when they arrived are not consumed again. */
static void consumed(tern__stream_record *s, uint32_t n) {
    uint32_t paid = s->prepaid < n ? s->prepaid : n;
    s->prepaid -= paid;
    if (s->st) tern__stream_unkeep(s->st, 0);
    if (!s->st || s->manual || n == paid) return;
    tern__stream_consume(s->st, n - paid, s->ep->now);
    s->ep->tx_dirty = true;
}

/* Returns how many bytes its user has taken. */
static uint32_t give_bytes(tern__stream_record *s, const uint8_t *data, uint32_t len) {
    if (s->method) return take_messages(s, data, len);
    uint64_t life = tern__stream_life(s);
    tern__delivery delivery = {0};
    s->events.on_data(tern__stream_name(s), data, len, s->user);
    if (tern__stream_life(s) == life) tern__stream_turn_note(s, &delivery);
    return len;
}

static bool wants_more(const tern__stream_record *s) {
    return !s->paused && !s->waits && !is_cancelled(s) && (s->method || s->events.on_data);
}

/* The first piece that waits. False: the stream is another, or was cancelled. */
static bool release_piece(tern__stream_record *s) {
    piece *p = TERN__CONTAINER(s->pieces.next, piece, node);
    uint64_t life = tern__stream_life(s);
    uint32_t len = p->end - p->begin;
    uint8_t *data = p->bytes + p->begin;
    tern_ref(p); /* the stream may end meanwhile */
    uint32_t n = give_bytes(s, data, len);
    bool same = tern__stream_life(s) == life && !is_cancelled(s);
    if (same) {
        p->begin += n;
        consumed(s, n);
        if (p->begin == p->end) drop_piece(s, p);
    }
    tern_unref(p);
    return same;
}

/* on_finished and on_end, once nothing waits any more. */
static void tell_ends(tern__stream_record *s) {
    uint64_t life = tern__stream_life(s);
    bool cut = tern__stream_in_is_cut(s) || s->call == TERN__STREAM_AWAITING;
    if (s->read == TERN__READ_DATA_RECVD) {
        s->read = TERN__READ_DATA_READ;
        if (cut)
            s->in_events->on_bad(s, TERN_STATUS_INVALID_ARGUMENT,
                                 "the request ends within a message, or before the first");
        else if (s->events.on_finished)
            s->events.on_finished(tern__stream_name(s), s->user);
    }
    if (tern__stream_life(s) != life || !tern__stream_is_over(s)) return;
    s->in_events->on_over(s, s->status == TERN_STATUS_OK && cut ? TERN_STATUS_INTERNAL : s->status);
}

/* What waits to be read is read no more: the call was not ended by the server, whose word comes behind its bytes; or
 * nobody is left to read, as whoever would waits for the end. */
static bool is_given_up(const tern__stream_record *s) {
    bool has_reader = s->method || s->events.on_data;
    return tern__stream_is_over(s) && (!s->answered || (s->ep->awaited_stream == s && !has_reader));
}

void tern__stream_in_release(tern__stream_record *s) {
    if (s->waits && !tern__stream_is_over(s)) return;
    while (!tern__list_empty(&s->pieces) && wants_more(s))
        if (!release_piece(s)) return;
    if (is_given_up(s)) {
        bool is_cut = !tern__list_empty(&s->pieces) || s->n_prefix;
        tern__stream_in_fini(s);
        if (is_cut && s->read == TERN__READ_DATA_RECVD) s->read = TERN__READ_DATA_READ; /* on_end alone says so */
    }
    if (!tern__list_empty(&s->pieces)) return;
    if (s->st && wants_more(s) && !s->manual) tern__stream_set_manual(s->st, false);
    tell_ends(s);
}

void tern__stream_in(tern__stream_record *s, const void *data, uint32_t len) {
    uint64_t life = tern__stream_life(s);
    uint32_t n = 0;
    if (s->read == TERN__READ_DISCARD) return;
    bool prepaid = !tern__stream_is_manual(s->st);
    if (tern__list_empty(&s->pieces) && wants_more(s)) n = give_bytes(s, data, len);
    if (n && !prepaid && tern__stream_life(s) == life) consumed(s, n); /* it was resumed, and is still manual */
    if (tern__stream_life(s) != life || n == len || is_cancelled(s)) return;
    if (prepaid) s->prepaid += len - n;
    if (!keep_bytes(s, (const uint8_t *)data + n, len - n))
        s->in_events->on_bad(s, TERN_STATUS_RESOURCE_EXHAUSTED, "there is no memory for what waits to be read");
    else if (s->waits)
        tern__stream_set_manual(s->st, true); /* from the next packet on */
}

int64_t tern__stream_in_read(tern__stream_record *s, void *to, size_t cap) {
    size_t got = 0;
    while (got < cap && !tern__list_empty(&s->pieces)) {
        piece *p = TERN__CONTAINER(s->pieces.next, piece, node);
        size_t n = p->end - p->begin < cap - got ? p->end - p->begin : cap - got;
        memcpy((uint8_t *)to + got, p->bytes + p->begin, n);
        p->begin += (uint32_t)n;
        got += n;
        consumed(s, (uint32_t)n);
        if (p->begin == p->end) drop_piece(s, p);
    }
    if (got == 0 && cap > 0 && (s->read >= TERN__READ_DATA_RECVD || tern__stream_is_over(s))) return TERN_ERR_CLOSED;
    return (int64_t)got;
}

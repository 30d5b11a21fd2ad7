/* Messages on their way out (message.h). */
#include "engine/message.h"

#include "engine/tracing.h"
#include "mem/pool.h"

/* Values of at least this keep a full packet within max_posts (link.h). Its ends may cut two values, of which a byte
 * each is enough to make a piece. */
static size_t multi_threshold(const tern__path *path, uint32_t payload_bytes, uint32_t pieces_per_value) {
    size_t threshold = 512, room = payload_bytes > 2 ? payload_bytes - 2 : 0;
    while (pieces_per_value * (room / threshold) + pieces_per_value + 1 > path->max_posts) {
        if (threshold > room) return SIZE_MAX; /* not even what lies between two values has an entry */
        threshold *= 2;
    }
    return threshold;
}

static int plan_raw(const tern__body *body, size_t threshold, tern__plan *plan) {
    if (body->len > INT32_MAX) return TERN_ERR_LIMIT;
    plan->size = (uint32_t)body->len;
    plan->format = TERN_FORMAT_RAW;
    plan->encoder = NULL;
    bool inplace = body->len && body->len >= threshold && tern__is_known(body->data);
    plan->n_segs = plan->n_inplace = inplace;
    plan->inplace_bytes = inplace ? plan->size : 0;
    plan->head_bytes = plan->copied_bytes = inplace ? 0 : plan->size;
    return 0;
}

static int plan_object(const tern__format *format, const tern__body *body, size_t threshold, const tern__path *path,
                       uint32_t payload_bytes, tern__plan *plan) {
    tern__format_plan *p = &plan->encoding;
    int err = format->plan(body->type, body->data, threshold, p);
    if (err) return err;
    uint32_t pieces = format->pieces_per_value;
    if (p->n_inplace) {
        bool crowded = (uint64_t)pieces * p->n_inplace + 1 > path->max_posts ||
                       (uint64_t)p->head_bytes + p->inplace_bytes > payload_bytes;
        size_t sparse = crowded ? multi_threshold(path, payload_bytes, pieces) : 0;
        if (threshold < sparse) err = format->plan(body->type, body->data, sparse, p);
        if (err) return err;
    }
    plan->size = p->head_bytes + p->inplace_bytes;
    plan->head_bytes = p->head_bytes;
    plan->copied_bytes = p->copied_bytes;
    plan->n_inplace = p->n_inplace;
    plan->inplace_bytes = p->inplace_bytes;
    plan->n_segs = pieces * p->n_inplace;
    plan->format = format->number;
    plan->encoder = format;
    return 0;
}

int tern__plan_within(const tern__plan_limits *limits, const tern__path *path, const tern__body *body,
                      const tern__format *best, uint32_t payload_bytes, tern__plan *plan) {
    static const tern__body empty = {0};
    int err;
    if (!body) body = &empty;
    plan->body = body;
    size_t threshold = limits->threshold;
    uint32_t meta_bytes = body->format & TERN__BEHIND ? ((const tern__behind *)body)->block_bytes : 0;
    uint32_t stated = (uint32_t)body->format & ~(uint32_t)TERN__BEHIND;
    bool ours = stated == TERN_FORMAT_RAW; /* the choice of format */
    if (meta_bytes > TERN__MAX_META_BYTES) return TERN_ERR_LIMIT;
    if (!body->type) {
        err = plan_raw(body, threshold, plan);
    } else {
        const tern__format *format = ours ? best : tern__formats_find(limits->formats, stated);
        if (!format) return TERN_ERR_INVALID;
        err = plan_object(format, body, threshold, path, payload_bytes, plan);
        /* Types that the best format cannot write, as those with field numbers beyond what hybrid has bits for. */
        if (err == TERN_ERR_UNSUPPORTED && ours)
            err = plan_object(tern__formats_universal(limits->formats), body, threshold, path, payload_bytes, plan);
    }
    if (err) return err;
    if ((uint64_t)plan->size + meta_bytes > limits->max_bytes) return TERN_ERR_LIMIT;
    plan->meta_bytes = meta_bytes;
    plan->size += meta_bytes;
    plan->head_bytes += meta_bytes;
    return 0;
}

/* The setup says what both ends make of packets: a peer with less than our own path has in mind has less of both. */
uint32_t tern__large_cut(const tern__session *s, uint32_t n_segs, uint32_t head_bytes) {
    const tern__path *path = s->path;
    bool in_place = n_segs && n_segs < path->max_posts / 2 && head_bytes <= TERN__SHORT_HEAD;
    if (!in_place || path->max_inplace <= path->max_packet || s->sealed) return s->payload_bytes;
    if (s->payload_bytes + TERN__PKT_MAX_HEADER_BYTES < path->max_packet) return s->payload_bytes;
    return path->max_inplace - TERN__PKT_MAX_HEADER_BYTES;
}

tern__plan_limits tern__plan_limits_of(const tern__engine *engine, const tern__path *path) {
    return (tern__plan_limits){tern__threshold(&engine->config, path), engine->max_tx_bytes, engine->config.formats};
}

int tern__plan_make(const tern__engine *engine, const tern__path *path, const tern__body *body,
                    const tern__format *best, uint32_t payload_bytes, tern__plan *plan) {
    tern__plan_limits limits = tern__plan_limits_of(engine, path);
    return tern__plan_within(&limits, path, body, best, payload_bytes, plan);
}

int tern__plan_write(const tern__plan *plan, uint8_t *head, const tern__format_sink *sink) {
    const tern__body *body = plan->body;
    uint32_t size = plan->size - plan->meta_bytes;
    if (plan->meta_bytes) {
        memcpy(head, ((const tern__behind *)body)->block, plan->meta_bytes);
        head += plan->meta_bytes;
    }
    if (plan->encoder) return plan->encoder->write(body->type, body->data, &plan->encoding, head, sink);
    if (plan->n_segs) return sink->post(sink->ctx, &(tern_bytes){body->data, size}, 1);
    if (size) memcpy(head, body->data, size);
    return 0;
}

void tern__count_message(tern__engine *e, const tern__plan *plan) {
    e->stats.tx_messages++;
    e->stats.copied_bytes += plan->copied_bytes;
    e->stats.inplace_values += plan->n_inplace;
    e->stats.inplace_bytes += plan->inplace_bytes;
}

/* Adds a stretch to the pieces, with a reference on its buffer. */
static int add_piece(tern__out *out, const void *data, uint32_t len, uint32_t start) {
    int err = tern_ref(data);
    if (!err) out->segs[out->n_segs++] = (tern__seg){data, len, start};
    return err;
}

static int post_to_out(void *ctx, const tern_bytes *values, size_t n) {
    tern__out *out = ctx;
    uint32_t start = out->head_len;
    if (out->n_segs) start = out->segs[out->n_segs - 1].start + out->segs[out->n_segs - 1].len;
    for (const tern_bytes *end = values + n; values < end; values++) {
        int err = add_piece(out, values->data, (uint32_t)values->len, start);
        if (err) return err;
        start += (uint32_t)values->len;
    }
    return 0;
}

/* Where the format says what values lie between the bytes of the head: in the second half of the pieces, from where
 * scatter() reads each value before it writes anything there. */
static tern__format_value *values_of(tern__out *out, const tern__plan *plan) {
    _Static_assert(sizeof(tern__format_value) == sizeof(tern__seg), "they have one place");
    return (tern__format_value *)(void *)(out->segs + plan->n_inplace);
}

/* The values and the stretches of the head behind each of them, where there is one, become pieces. `head` is what the
 * format wrote, head_bytes long. */
static int scatter(tern__out *out, const tern__plan *plan, const uint8_t *head, uint32_t head_bytes) {
    const tern__format_value *values = values_of(out, plan);
    uint32_t n = plan->n_inplace, before = out->head_len - head_bytes, inplace = 0;
    out->head_len = before + values[0].at;
    for (uint32_t i = 0; i < n; i++) {
        tern__format_value value = values[i];
        uint32_t next = i + 1 < n ? values[i + 1].at : head_bytes, gap = next - value.at;
        int err = add_piece(out, value.data, value.len, before + value.at + inplace);
        inplace += value.len;
        if (!err && gap) err = add_piece(out, head + value.at, gap, before + value.at + inplace);
        if (err) return err;
    }
    while (out->n_segs < plan->n_segs) out->segs[out->n_segs++] = (tern__seg){NULL, 0, out->size};
    return 0;
}

void tern__out_free(tern__out *out) {
    for (uint32_t i = 0; i < out->n_segs; i++) tern_unref(out->segs[i].data);
    tern_unref(out);
}

/* Memory for a message that waits to be sent over the link. */
static void *alloc_out(const tern__link *link, size_t bytes) {
    return link->shows ? tern_alloc(bytes) : tern_alloc_private(bytes);
}

/* The head bytes follow the pieces; when there are none they start the variable part. */
static int make(tern__link *link, const tern__plan *plan, const void *prefix, uint32_t prefix_bytes,
                tern__out **result) {
    uint32_t head_bytes = prefix_bytes + plan->head_bytes;
    tern__out *out = alloc_out(link, sizeof *out + plan->n_segs * sizeof(tern__seg) + head_bytes);
    if (!out) return TERN_ERR_NOMEM;
    *out = (tern__out){.link = link,
                       .size = prefix_bytes + plan->size,
                       .head_len = head_bytes,
                       .format = plan->format,
                       .meta_words = (uint16_t)(plan->meta_bytes / TERN__META_ALIGN)};
    tern__list_init(&out->node);
    uint8_t *head = (uint8_t *)(out->segs + plan->n_segs);
    if (prefix_bytes) memcpy(head, prefix, prefix_bytes);
    tern__format_sink sink = {.post = post_to_out, .ctx = out};
    bool scattered = tern__plan_is_scattered(plan);
    if (scattered) sink.values = values_of(out, plan);
    int err = tern__plan_write(plan, head + prefix_bytes, &sink);
    uint32_t before = prefix_bytes + plan->meta_bytes;
    if (!err && scattered) err = scatter(out, plan, head + before, head_bytes - before);
    if (!err && out->n_segs != plan->n_segs) err = TERN_ERR_INVALID;
    if (err) {
        tern__out_free(out);
        return err;
    }
    *result = out;
    return 0;
}

int tern__out_make(tern__link *link, const tern__plan *plan, tern__out **result) {
    return make(link, plan, NULL, 0, result);
}

int tern__out_new_behind(tern__engine *engine, tern__link *link, const tern__plan *plan, const void *prefix,
                         uint32_t prefix_bytes, tern__out **result) {
    int err = make(link, plan, prefix, prefix_bytes, result);
    if (!err) tern__count_message(engine, plan);
    return err;
}

int tern__out_new(tern__engine *engine, tern__link *link, const tern__plan *plan, tern__out **result) {
    return tern__out_new_behind(engine, link, plan, NULL, 0, result);
}

int tern__plan_copy(tern__engine *engine, const tern__plan *plan, void *to) {
    int err = tern__plan_write(plan, to, NULL);
    if (!err) tern__count_message(engine, plan);
    return err;
}

tern__out *tern__out_room(tern__link *link, uint32_t room) {
    tern__out *out = alloc_out(link, sizeof *out + room);
    if (!out) return NULL;
    *out = (tern__out){.link = link};
    tern__list_init(&out->node);
    return out;
}

int tern__out_piece(tern__link *link, const void *data, uint32_t len, tern__out **result) {
    int err = tern_ref(data);
    if (err) return err;
    tern__out *out = tern__out_room(link, sizeof(tern__seg));
    if (!out) {
        tern_unref(data);
        return TERN_ERR_NOMEM;
    }
    out->segs[0] = (tern__seg){data, len, 0};
    out->n_segs = 1;
    out->size = len;
    *result = out;
    return 0;
}

/* A block of them, each with a reference on it. */
__attribute__((noinline)) tern__out *tern__spare_make(tern__engine *e, tern__spare_kind kind) {
    unsigned n = kind == TERN__LONG_SPARE ? TERN__LONG_SPARES_PER_BLOCK : TERN__SPARES_PER_BLOCK;
    size_t bytes = tern__spare_bytes(kind);
    uint8_t *block = tern_alloc_private(TERN__SPARE_OFFSET + n * bytes);
    if (!block) return NULL;
    tern__spares *spares = &e->spares[kind];
    for (unsigned i = 0; i < n; i++) {
        tern__out *out = (tern__out *)(void *)(block + TERN__SPARE_OFFSET + i * bytes);
        *out = (tern__out){.spare = kind & 3};
        tern__list_init(&out->node);
        if (i && tern_ref(block)) break;
        out->call = spares->first;
        spares->first = out;
        spares->room--;
    }
    return tern__spare_take(e, kind);
}

static void free_spares(tern__spares *spares) {
    while (spares->first) {
        tern__out *out = spares->first;
        spares->first = out->call;
        tern_unref(out);
    }
}

void tern__spares_free(tern__engine *e) {
    for (unsigned kind = 0; kind < TERN__SPARE_KINDS; kind++) free_spares(&e->spares[kind]);
}

tern__out *tern__out_keep(tern__session *s, const void *data, uint32_t len) {
    tern__out *out;
    if (len <= TERN__SPARE_MESSAGE) {
        out = tern__spare_take(s->engine, TERN__SHORT_SPARE);
        if (!out) return NULL;
    } else if (len <= TERN__LONG_SPARE_MESSAGE && !s->link->shows) {
        out = tern__spare_take(s->engine, TERN__LONG_SPARE);
        if (!out) return NULL;
    } else {
        out = alloc_out(s->link, sizeof *out + len);
        if (!out) return NULL;
        *out = (tern__out){0};
        tern__list_init(&out->node);
    }
    out->link = s->link;
    out->size = out->head_len = len;
    out->format = TERN_FORMAT_RAW;
    tern__copy_short(out->segs, data, len);
    return out;
}

void tern__out_release(tern__engine *engine, tern__out *out) {
    if (!out || tern__spare_give(engine, out)) return;
    tern__list_remove(&out->node);
    if (out->link->holds_refs || !out->posted)
        tern__out_free(out);
    else
        tern__wait_in(engine, &engine->deferred_frees, &out->node);
}

void tern__deferred_free(tern__engine *engine) {
    tern__link *flushed = NULL;
    for (tern__node *n = engine->deferred_frees.next; n != &engine->deferred_frees; n = n->next) {
        tern__link *link = TERN__CONTAINER(n, tern__out, node)->link;
        if (link == flushed) continue;
        link->ops->tx_flush(link);
        flushed = link;
    }
    while (!tern__list_empty(&engine->deferred_frees)) {
        tern__out *out = TERN__CONTAINER(engine->deferred_frees.next, tern__out, node);
        tern__list_remove(&out->node);
        tern__out_free(out);
    }
}

/* In steps that fit the second cache: for longer ones glibc's memcpy leaves the processor's own way of copying, which
 * on an EPYC is a fifth faster (54 and 45 GB/s). */
static void copy_in_steps(uint8_t *to, const uint8_t *from, size_t n) {
    enum { STEP_BYTES = 256 << 10 };
    for (; n > STEP_BYTES; n -= STEP_BYTES, to += STEP_BYTES, from += STEP_BYTES) memcpy(to, from, STEP_BYTES);
    memcpy(to, from, n);
}

void tern__payload_copy(const tern__rx_packet *pkt, uint32_t header_bytes, uint8_t *to) {
    uint32_t n = pkt->head_len - header_bytes;
    if (n) memcpy(to, pkt->head + header_bytes, n);
    to += n;
    for (uint32_t i = 0; i < pkt->n_spans; i++) {
        bool there = pkt->spans[i].data == to; /* the link has put it there: link.h, tern__expected */
        if (pkt->spans[i].len && !there) copy_in_steps(to, pkt->spans[i].data, pkt->spans[i].len);
        to += pkt->spans[i].len;
    }
}

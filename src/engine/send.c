/* Sending messages: those that are encoded straight into a packet, and packets of those that are retained. */
#include "engine/send.h"

#include "engine/tracing.h"

static int post_to_packet(void *ctx, const tern_bytes *values, size_t n) {
    int err = 0;
    for (const tern_bytes *end = values + n; values < end && !err; values++)
        err = tern__tx_add(ctx, values->data, (uint32_t)values->len);
    return err;
}

/* What a plan has in its packet. Raw bytes that go in place are all of it, and the commonest large message. */
static int put_in_packet(const tern__plan *plan, uint8_t *head, tern__tx *tx) {
    if (!plan->encoder && plan->n_segs && !plan->head_bytes) return tern__tx_add(tx, plan->body->data, plan->size);
    return tern__plan_write(plan, head, &(tern__format_sink){.post = post_to_packet, .ctx = tx});
}

int tern__plan_send(tern__session *s, const tern__plan *plan, const tern__pkt_header *h) {
    tern__tx tx;
    if (tern__pkt_header_bytes(h) + plan->head_bytes > s->link->max_inline || tern__plan_is_scattered(plan)) return 0;
    uint8_t *p = tern__tx_begin(&tx, s, h, plan->head_bytes, plan->size, plan->n_segs);
    if (!p) return tern__trace_blocked(s->engine, s, &s->route, h, plan->size);
    int err = put_in_packet(plan, p, &tx);
    if (err) {
        tern__tx_abort(&tx);
        return err;
    }
    if (!tern__tx_end(&tx, h)) return 0;
    tern__count_message(s->engine, plan);
    tern__trace_sent(s->engine, s, &s->route, h, plan->size);
    return 1;
}

/* The segment that holds byte `at` of the message, which is past the head. */
static uint32_t find_seg(const tern__out *out, uint32_t at) {
    uint32_t i = out->hint;
    if (i < out->n_segs && at >= out->segs[i].start) {
        if (at - out->segs[i].start < out->segs[i].len) return i;
        if (i + 1 < out->n_segs && at - out->segs[i + 1].start < out->segs[i + 1].len) return i + 1;
    }
    uint32_t lo = 0, hi = out->n_segs - 1;
    while (lo < hi) {
        uint32_t mid = (lo + hi + 1) / 2;
        if (out->segs[mid].start <= at)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

int64_t tern__out_post(tern__tx *tx, tern__out *out, uint32_t at, uint32_t len, uint32_t *budget) {
    uint32_t end = at + len;
    int err = 0;
    if (len && *budget && at < out->head_len) {
        uint32_t n = out->head_len - at < len ? out->head_len - at : len;
        err = tern__tx_add(tx, tern__out_head(out) + at, n);
        --*budget;
        at += n;
    }
    if (at < end && *budget && !err) {
        for (uint32_t i = find_seg(out, at); !err && at < end && *budget; i++) {
            const tern__seg *seg = &out->segs[i];
            uint32_t skip = at - seg->start;
            uint32_t n = seg->len - skip < end - at ? seg->len - skip : end - at;
            err = tern__tx_add(tx, (const uint8_t *)seg->data + skip, n);
            --*budget;
            at += n;
            out->hint = i;
        }
    }
    return err ? err : (int64_t)len - (end - at);
}

bool tern__out_send(tern__session *s, tern__out *out, const tern__pkt_header *h) {
    tern__tx tx;
    uint32_t cut = tern__out_cut(s, out), len = tern__pkt_bytes(out->size, cut, h->pkt);
    if (!tern__tx_begin(&tx, s, h, 0, len, s->link->max_posts))
        return tern__trace_blocked(s->engine, s, &s->route, h, len);
    uint32_t budget = tern__tx_max_pieces(&tx);
    if (tern__out_post(&tx, out, h->pkt * cut, len, &budget) != len) {
        tern__tx_abort(&tx);
        return false;
    }
    if (!tern__tx_end(&tx, h)) return false;
    out->posted = true;
    tern__trace_sent(s->engine, s, &s->route, h, len);
    return true;
}

uint32_t tern__out_send_several(tern__session *s, tern__out *out, const tern__pkt_header *first, uint32_t n) {
    tern__link *link = s->link;
    tern__pkt_header h = *first;
    uint8_t *heads[TERN__TX_BATCH];
    uint32_t n_pieces = out->n_segs < link->max_posts ? out->n_segs + 1 : link->max_posts, cut = tern__out_cut(s, out);
    if (s->sealed) return tern__out_send(s, out, first);
    n = link->ops->tx_reserve(link, &s->route, n, tern__pkt_header_bytes(&h), n_pieces, heads);
    if (!n) {
        tern__trace_blocked(s->engine, s, &s->route, &h, tern__pkt_bytes(out->size, cut, h.pkt));
        return 0;
    }
    tern__tx tx = {.s = s, .link = link};
    for (; tx.nth < n; tx.nth++) {
        uint32_t len = tern__pkt_bytes(out->size, cut, h.pkt), budget = n_pieces;
        tern__pkt_write(&h, heads[tx.nth]);
        if (tern__out_post(&tx, out, h.pkt * cut, len, &budget) != len) break;
        tern__trace_sent(s->engine, s, &s->route, &h, len);
        if (tx.nth + 1 < n) h.number = tern__next_number(s);
        h.pkt++;
    }
    link->ops->tx_commit(link, tx.nth);
    if (tx.nth) out->posted = true;
    return tx.nth;
}

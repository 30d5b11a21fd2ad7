/* Short packets of streams in runs (stream_run.h). */
#include "engine/stream_run.h"

#include "engine/message.h"

/* len bytes from start on where they lie side by side in a chunk, before its pieces; else NULL. */
static const uint8_t *find_copied(tern__stream *st, uint64_t start, uint32_t len) {
    bool from_cursor = st->cursor && st->cursor->start <= start;
    tern__out *out = TERN__CONTAINER(from_cursor ? &st->cursor->node : st->queue.next, tern__out, node);
    uint64_t skip = start - out->start;
    if (skip == out->size && out->node.next != &st->queue) {
        out = TERN__CONTAINER(out->node.next, tern__out, node);
        skip = 0;
    }
    if (skip + len > out->head_len) return NULL;
    if (start == st->tx_sent) st->cursor = out;
    return tern__out_head(out) + skip;
}

bool tern__stream_send_in_run(tern__stream *st, const tern__pkt_header *h, uint64_t start, uint32_t len) {
    tern__session *s = st->session;
    tern__tx_run *run = s->run;
    uint32_t header_bytes = tern__pkt_header_bytes(h), bytes = header_bytes + len;
    if (run == &s->engine->no_run) return false; /* nor may it be opened: a sealed packet is never made in place */
    if (run->kind == TERN__RUN_EQUAL || len == 0 || bytes > TERN__RUN_MAX_PACKET) return false;
    const uint8_t *from = find_copied(st, start, len);
    if (!from) return false;
    bool may_open = run->at || run->kind != TERN__RUN_LINES;
    uint8_t *place = tern__run_take_measured(run, bytes);
    if (!place && may_open) place = s->link->ops->tx_open(s->link, &s->route, bytes);
    if (!place) return false;
    tern__pkt_write(h, place);
    memcpy(place + header_bytes, from, len);
    run->n_parts++;
    run->uncopied_bytes += bytes - TERN__PKT_HEADER_BYTES; /* append_copy() has counted the copies */
    return true;
}

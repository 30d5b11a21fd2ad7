/* Metadata blocks of streams (stream_meta.h). */
#include "engine/stream_meta.h"

#include "engine/account.h"
#include "engine/message.h"
#include "engine/tracing.h"

enum { FIRST_BYTES = 256 }; /* buffer of a block of which little has come */

/* The buffer of a block of which so many bytes are to fit. */
static uint32_t buffer_bytes(const tern__stream_block *block, uint32_t fit) {
    uint32_t wanted = (uint32_t)tern__buffer_bytes((uint32_t)sizeof *block + fit);
    return wanted > FIRST_BYTES ? wanted : FIRST_BYTES;
}

int tern__stream_put_block(tern__stream *st, tern_bytes block) {
    if (block.len % TERN__META_ALIGN) return TERN_ERR_INVALID;
    if (block.len > TERN__MAX_META_BYTES) return TERN_ERR_LIMIT;
    if (!block.len) return 0;
    tern__out *out = tern__out_room(st->session->link, (uint32_t)block.len);
    if (!out) return TERN_ERR_NOMEM;
    memcpy(tern__out_head(out), block.data, block.len);
    out->size = out->head_len = (uint32_t)block.len;
    out->start = st->tx_meta_at = st->tx_end;
    st->tx_meta_bytes = out->size;
    tern__list_append(&st->queue, &out->node);
    st->growing = NULL;
    st->tx_flushed = st->tx_end += out->size;
    return 0;
}

tern__stream_block *tern__stream_take_block(tern__stream *st) {
    tern__stream_block *block = st->rx_meta;
    if (!block || block->got < block->bytes) return NULL;
    st->rx_meta = NULL;
    return block;
}

void tern__stream_block_free(tern__engine *engine, tern__stream_block *block) {
    if (!block) return;
    tern__undebit(engine, &block->debit);
    tern_unref(block);
}

/* ---- The block that arrives ----------------------------------------------------------------------- */

void tern__stream_refuse(tern__stream *st, uint8_t status) {
    tern__stream_states_step(&st->states, TERN__EV_NOT_TAKEN);
    tern__trace_stream(st);
    st->rx_refusal = status;
}

/* The peer breaks the rules. */
static bool refuse_malformed(tern__stream *st) {
    tern__drop(st->session->engine, TERN__DROP_INCONSISTENT);
    tern__stream_refuse(st, st->request ? TERN_STATUS_INVALID_ARGUMENT : TERN_STATUS_INTERNAL);
    return false;
}

/* Room for the first `fit` bytes: a block has memory for what has come, and as much again at most. False: none now. */
static bool make_room(tern__stream *st, uint32_t bytes, uint32_t fit) {
    tern__stream_block *old = st->rx_meta, *block;
    if (old && old->room >= fit) return true;
    uint32_t buffer = buffer_bytes(old, fit);
    tern__debit debit = {0};
    if (!tern__charge_debit(st->session, buffer, &debit)) return false;
    block = tern_alloc_private(buffer);
    if (!block) {
        tern__undebit(st->session->engine, &debit);
        return false;
    }
    *block = (tern__stream_block){.bytes = bytes, .room = buffer - (uint32_t)sizeof *block, .debit = debit};
    if (old) {
        memcpy(block->data, old->data, old->got);
        block->got = old->got;
    }
    tern__stream_block_free(st->session->engine, old);
    st->rx_meta = block;
    return true;
}

static bool refuse_exhausted(tern__stream *st) {
    tern__drop(st->session->engine, TERN__DROP_NO_ROOM);
    tern__stream_refuse(st, TERN_STATUS_RESOURCE_EXHAUSTED);
    return false;
}

bool tern__stream_meta_expect(tern__stream *st, const tern__pkt_header *h) {
    bool is_new = h->pkt - st->rx_pkt < TERN__WIN_PKTS && st->states.recv <= TERN__RECV_SIZE_KNOWN;
    if (!is_new) return true;
    if (st->rx_meta) return st->rx_meta->bytes == h->meta_bytes || refuse_malformed(st);
    bool fits = h->meta_bytes <= st->session->engine->config.max_meta_bytes && make_room(st, h->meta_bytes, 0);
    return fits || refuse_exhausted(st);
}

/* A request begins with its block, and a response ends with it. */
bool tern__stream_meta_take(tern__stream *st, bool is_meta, const void *data, uint32_t len) {
    tern__stream_block *block = st->rx_meta;
    bool has_begun = block && block->got, is_whole = has_begun && block->got == block->bytes;
    if (!is_meta) return !has_begun || (is_whole && st->request) || refuse_malformed(st);
    bool may_begin = !st->request || st->rx_pkt == 0;
    if (!block || !(has_begun || may_begin) || len > block->bytes - block->got) return refuse_malformed(st);
    if (!make_room(st, block->bytes, block->got + len)) return refuse_exhausted(st);
    block = st->rx_meta;
    memcpy(block->data + block->got, data, len);
    block->got += len;
    return true;
}

bool tern__stream_meta_finish(tern__stream *st) { return !tern__stream_meta_is_cut(st) || refuse_malformed(st); }

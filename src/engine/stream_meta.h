/* The metadata block of a half of a stream: which of the packets that are sent carry the block, and its bytes as they
 * arrive (docs/protocol.md, Metadata).
 *
 * A block that is sent lies in the stream's queue among the other bytes, first in a request and last in a response, so
 * it is cut, acknowledged and sent again as they are. A packet has bytes of the block or of the body, never of both,
 * and grants speak of the body alone. A block that arrives is put together in a buffer of its own. */
#ifndef TERN_ENGINE_STREAM_META_H
#define TERN_ENGINE_STREAM_META_H

#include "engine/stream_record.h"

/* ---- For the engine's user ------------------------------------------------------------------------ */

/* In on_open or later, at the client in on_end: the metadata block of the peer's half, which becomes the caller's.
 * NULL: there is none, or it was taken before. */
tern__stream_block *tern__stream_take_block(tern__stream *stream);

/* Gives back a block's memory and takes it off the account. NULL is ignored. */
void tern__stream_block_free(tern__engine *engine, tern__stream_block *block);

/* ---- The block that is sent ----------------------------------------------------------------------- */

/* Whether the byte at this offset of the half that is sent belongs to the block. */
static inline bool tern__stream_is_meta(const tern__stream *st, uint64_t at) {
    return at - st->tx_meta_at < st->tx_meta_bytes;
}

/* Where the next packet ends at the latest: where the block begins or ends, or with the last byte. */
static inline uint64_t tern__stream_part_end(const tern__stream *st) {
    uint64_t begin = st->tx_meta_at, end = begin + st->tx_meta_bytes;
    if (!st->tx_meta_bytes || st->tx_sent >= end) return st->tx_end;
    return st->tx_sent < begin ? begin : end;
}

/* How many bytes of the part that is sent now the peer's grant leaves room for. */
static inline uint64_t tern__stream_granted(const tern__stream *st) {
    if (tern__stream_is_meta(st, st->tx_sent)) return UINT64_MAX;
    bool is_past = st->tx_sent > st->tx_meta_at;
    return st->tx_limit - (st->tx_sent - (is_past ? st->tx_meta_bytes : 0));
}

/* Bytes of the block among those that were not sent so far, or not acknowledged. */
static inline uint64_t tern__stream_meta_waiting(const tern__stream *st) {
    uint64_t end = st->tx_meta_at + st->tx_meta_bytes;
    uint64_t left = end > st->tx_front ? end - st->tx_front : 0;
    return left < st->tx_meta_bytes ? left : st->tx_meta_bytes;
}

/* Put a block, copied, behind what was written: before anything else in a request, at the end in a response. Returns 0;
 * TERN_ERR_INVALID for a length that is no multiple of TERN__META_ALIGN; TERN_ERR_LIMIT, _NOMEM. */
int tern__stream_put_block(tern__stream *st, tern_bytes block);

/* ---- The block that arrives ----------------------------------------------------------------------- */

/* The block has begun and is not whole. */
static inline bool tern__stream_meta_is_cut(const tern__stream *st) {
    return st->rx_meta && st->rx_meta->got && st->rx_meta->got < st->rx_meta->bytes;
}

/* The half is REFUSED, and whoever handed the packet in ends the call with this status. */
void tern__stream_refuse(tern__stream *st, uint8_t status);

/* These return false when the peer breaks the rules, or its block is beyond a limit: the packet is counted as dropped,
 * and the half REFUSED. */

/* A packet with the flag META has come, and says how long its block is: from now on there is a buffer for the block.
 * False also where config.max_meta_bytes, the account or memory has no room for it. */
bool tern__stream_meta_expect(tern__stream *st, const tern__pkt_header *h);

/* Takes the next packet of the half in order, of `len` bytes; is_meta: with the flag META. */
bool tern__stream_meta_take(tern__stream *st, bool is_meta, const void *data, uint32_t len);

/* The last packet has been taken. */
bool tern__stream_meta_finish(tern__stream *st);

#endif

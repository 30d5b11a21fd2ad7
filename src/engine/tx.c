/* Building one packet of a session (tx.h). */
#include "engine/tx.h"
#include "engine/sealed.h"

uint8_t *tern__tx_begin_sealed(tern__tx *tx, const tern__pkt_header *h, uint32_t head_bytes, uint32_t payload_bytes,
                               uint32_t max_pieces) {
    tern__session *s = tx->s;
    if (!tern__is_sealed_type(h->type)) return tern__tx_begin_plain(tx, h, head_bytes, max_pieces);
    uint32_t header_bytes = tern__pkt_header_bytes(h), sealed_bytes = payload_bytes + tern__sealed_overhead(s);
    bool inlined = header_bytes + sealed_bytes <= tx->link->max_inline;
    tx->own = inlined ? NULL : tern__out_room(tx->link, sealed_bytes);
    if (!inlined && !tx->own) return NULL;
    tx->header = tern__tx_one(tx->link, &s->route, header_bytes + (inlined ? sealed_bytes : 0), !inlined);
    if (!tx->header) {
        tern__out_release(s->engine, tx->own);
        return NULL;
    }
    tx->sealed = inlined ? tx->header + header_bytes : tern__out_head(tx->own);
    tx->payload_bytes = payload_bytes;
    tx->added_bytes = head_bytes;
    tx->n_spans = head_bytes != 0;
    tx->spans[0] = (tern__span){tx->sealed, head_bytes};
    return tx->sealed;
}

/* One stretch instead of many, where its ciphertext goes. */
static void flatten(tern__tx *tx) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < tx->n_spans; i++) {
        const tern__span *span = &tx->spans[i];
        if (span->data != tx->sealed + at) memcpy(tx->sealed + at, span->data, span->len);
        at += span->len;
    }
    tx->spans[0] = (tern__span){tx->sealed, at};
    tx->n_spans = 1;
}

int tern__tx_add_sealed(tern__tx *tx, const void *data, uint32_t len) {
    if (len > tx->payload_bytes - tx->added_bytes || tern_ref(data)) return TERN_ERR_INVALID;
    tern_unref(data); /* whoever sends the value holds it until the packet ends */
    if (tx->n_spans == TERN__TX_SPANS) flatten(tx);
    tx->spans[tx->n_spans++] = (tern__span){data, len};
    tx->added_bytes += len;
    return 0;
}

void tern__tx_abort(tern__tx *tx) {
    tx->link->ops->tx_commit(tx->link, 0);
    if (tx->sealed) tern__out_release(tx->s->engine, tx->own);
}

static bool seal(tern__tx *tx, const tern__pkt_header *h) {
    tern__session *s = tx->s;
    if (tx->added_bytes != tx->payload_bytes ||
        !tern__sealed_seal(s, h, tx->header, tx->spans, tx->n_spans, tx->sealed))
        return false;
    return !tx->own || !tx->link->ops->tx_add(tx->link, 0, tx->sealed, tx->payload_bytes + tern__sealed_overhead(s));
}

bool tern__tx_end_sealed(tern__tx *tx, const tern__pkt_header *h) {
    if (!seal(tx, h)) {
        tern__tx_abort(tx);
        return false;
    }
    tx->link->ops->tx_commit(tx->link, 1);
    if (tx->own) {
        tx->own->posted = true;
        tern__out_release(tx->s->engine, tx->own);
    }
    tern__sealed_sent(tx->s);
    return true;
}

uint32_t tern__tx_flat(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len,
                       uint8_t *packet) {
    uint32_t header_bytes = tern__pkt_header_bytes(h);
    tern__span span = {payload, len};
    if (s && s->sealed && tern__is_sealed_type(h->type)) {
        if (!tern__sealed_seal(s, h, packet, &span, len != 0, packet + header_bytes)) return 0;
        return header_bytes + len + tern__sealed_overhead(s);
    }
    tern__pkt_write(h, packet);
    if (len) memcpy(packet + header_bytes, payload, len);
    return header_bytes + len;
}

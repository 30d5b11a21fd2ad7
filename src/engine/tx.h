/* Building one packet of a session: begin, add pieces, end. Outside of runs all packets of sessions that the general
 * way sends pass through here, those of long messages that are sent several at a time excepted. Sealed sessions have
 * neither, so that their packets are sealed in this file.
 *
 * Of a session that is not sealed this is the link's tx_reserve, tx_add and tx_commit, and pieces stay where they are.
 * Of a sealed session the pieces are read when the packet ends, and the sealed payload is one stretch of memory: the
 * link's own, or a pool buffer where a packet is longer than the link's heads. */
#ifndef TERN_ENGINE_TX_H
#define TERN_ENGINE_TX_H

#include "engine/message.h"
#include "engine/session_record.h"

enum { TERN__TX_SPANS = 16 };

/* A packet that is being built; on the stack of whoever builds it. Nothing is set but by these functions. */
typedef struct tern__tx {
    tern__session *s;
    tern__link *link;
    uint32_t nth;           /* of the packets that are being built; not 0 only in tern__out_send_several() */
    uint8_t *header;        /* where the header goes */
    uint8_t *sealed;        /* where the sealed payload goes; NULL: the packet is not sealed */
    tern__out *own;         /* the pool buffer that holds the sealed payload, or NULL */
    uint32_t payload_bytes; /* sealed: of the whole payload ... */
    uint32_t added_bytes;   /* ... and of the stretches so far */
    uint32_t n_spans;
    tern__span spans[TERN__TX_SPANS]; /* sealed: the payload so far */
} tern__tx;

/* Begins a packet to the session's peer with a header of this type and these flags (LAST may be added later) and
 * payload_bytes bytes of payload, of which the first head_bytes are written by the caller to where the return value
 * points and the others are added in at most max_pieces pieces. Without a seal the pieces may turn out to have fewer
 * bytes. NULL: the link is full (or, of a sealed packet, memory is out), and nothing has begun. */
static inline uint8_t *tern__tx_begin(tern__tx *tx, tern__session *s, const tern__pkt_header *h, uint32_t head_bytes,
                                      uint32_t payload_bytes, uint32_t max_pieces);

/* Adds bytes of a pool buffer, which stay where they are until the packet ends (sealed), or as link.h says of tx_add.
 * Returns 0, or TERN_ERR_INVALID for a pointer whose buffer is not live: the caller then gives the packet up. */
static inline int tern__tx_add(tern__tx *tx, const void *data, uint32_t len);

/* How many pieces a packet may have. */
static inline uint32_t tern__tx_max_pieces(const tern__tx *tx);

/* The packet is complete, and this is its header. False: it could not be sealed, and is given up. */
static inline bool tern__tx_end(tern__tx *tx, const tern__pkt_header *h);

/* The packet is given up. Its number is not used again. */
void tern__tx_abort(tern__tx *tx);

/* Writes a whole packet of a few bytes to `packet`, sealed if the session's packets are; s: whose packet it is, or
 * NULL. Returns its length: header, payload, and TERN__SEAL_MAX_OVERHEAD at most; or 0 where the cipher cannot. */
uint32_t tern__tx_flat(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len, uint8_t *packet);

/* ---- Of sessions that have a cipher, out of line -------------------------------------------------- */

uint8_t *tern__tx_begin_sealed(tern__tx *tx, const tern__pkt_header *h, uint32_t head_bytes, uint32_t payload_bytes,
                               uint32_t max_pieces);
int tern__tx_add_sealed(tern__tx *tx, const void *data, uint32_t len);
bool tern__tx_end_sealed(tern__tx *tx, const tern__pkt_header *h);

static inline uint8_t *tern__tx_begin_plain(tern__tx *tx, const tern__pkt_header *h, uint32_t head_bytes,
                                            uint32_t max_pieces) {
    uint32_t header_bytes = tern__pkt_header_bytes(h);
    tx->sealed = NULL;
    tx->header = tern__tx_one(tx->link, &tx->s->route, header_bytes + head_bytes, max_pieces);
    return tx->header ? tx->header + header_bytes : NULL;
}

static inline uint8_t *tern__tx_begin(tern__tx *tx, tern__session *s, const tern__pkt_header *h, uint32_t head_bytes,
                                      uint32_t payload_bytes, uint32_t max_pieces) {
    tx->s = s;
    tx->link = s->link;
    tx->nth = 0;
    if (s->sealed) return tern__tx_begin_sealed(tx, h, head_bytes, payload_bytes, max_pieces);
    return tern__tx_begin_plain(tx, h, head_bytes, max_pieces);
}

static inline int tern__tx_add(tern__tx *tx, const void *data, uint32_t len) {
    return tx->sealed ? tern__tx_add_sealed(tx, data, len) : tx->link->ops->tx_add(tx->link, tx->nth, data, len);
}

static inline uint32_t tern__tx_max_pieces(const tern__tx *tx) { return tx->sealed ? UINT32_MAX : tx->link->max_posts; }

static inline bool tern__tx_end(tern__tx *tx, const tern__pkt_header *h) {
    if (tx->sealed) return tern__tx_end_sealed(tx, h);
    tern__pkt_write(h, tx->header);
    tx->link->ops->tx_commit(tx->link, 1);
    return true;
}

#endif

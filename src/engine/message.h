/* A message on its way out: how it will be encoded (the plan), its retained form (tern__out), and how it
 * is cut into packets. Value bytes are copied at most once, into the retained buffer or straight into the
 * link's packet; values sent in place are never touched, and hold one reference each while retained. */
#ifndef TERN_ENGINE_MESSAGE_H
#define TERN_ENGINE_MESSAGE_H

#include "engine/engine.h"
#include "engine/ready.h"

struct tern__session;
typedef struct tern__tx tern__tx; /* tx.h */

/* A stretch of a message that is sent from where it lies. */
typedef struct tern__seg {
    const void *data;
    uint32_t len;
    uint32_t start; /* offset in the message */
} tern__seg;

/* A retained message, in a pool buffer of its own: this, then the segments, then the head bytes. Of a small message
 * only the second half of this is touched, and what follows it. */
typedef struct tern__out {
    tern__node node; /* in a backlog or in limbo, else alone */
    union {
        tern_time deadline; /* of a request in the backlog; 0: none */
        uint64_t start;     /* in a stream: offset of the first byte */
    };
    uint32_t method; /* of a request in the backlog */
    uint32_t hint;   /* the segment where the last packet ended */
    tern__link *link;
    void *call;    /* of a request in the backlog */
    uint32_t size; /* of the message */
    uint32_t head_len;
    uint32_t n_segs;
    uint8_t format;
    bool posted : 1;     /* the link may refer to it until its next flush */
    bool spare : 1;      /* a piece of a block, kept for the next message like it; such a message has no metadata */
    bool stream : 1;     /* in a backlog: the place of a stream, which is `call` */
    uint16_t meta_words; /* of TERN__META_ALIGN bytes: the metadata block with which the message begins */
    tern__seg segs[];
} tern__out;

/* Spares lie side by side in blocks, each of an odd number of cache lines, so that those in use are spread over the
 * whole cache: of buffers of 256 bytes all would begin in a quarter of it. A small message is in one line of its
 * spare. */
enum {
    TERN__SPARE_BYTES = 320,
    TERN__SPARE_MESSAGE = 192, /* the longest that is kept in one */
    TERN__SPARE_OFFSET = 32,
    TERN__SPARES_PER_BLOCK = 12,
    TERN__MAX_SPARES = 256,
};
_Static_assert(sizeof(tern__out) == 64 && offsetof(tern__out, link) == 32, "halves of a cache line");
_Static_assert(TERN__SPARE_OFFSET + sizeof(tern__out) + TERN__SPARE_MESSAGE <= TERN__SPARE_BYTES,
               "room for the message");

/* What tern__out.meta_words can say. */
enum { TERN__MAX_META_BYTES = UINT16_MAX * TERN__META_ALIGN };

typedef struct tern__plan {
    const tern__body *body;
    uint32_t size, head_bytes, n_segs; /* size, head_bytes: of the message, its metadata block included */
    uint32_t meta_bytes;
    uint32_t copied_bytes; /* value bytes among head_bytes */
    uint8_t format;
    tern_hybrid_plan hybrid;
} tern__plan;

/* From which length on values go in place. */
static inline size_t tern__threshold(const tern__engine_config *config, const tern__path *path) {
    uint32_t threshold = config->threshold ? config->threshold : path->threshold;
    return threshold == UINT32_MAX ? SIZE_MAX : threshold;
}

tern__plan_limits tern__plan_limits_of(const tern__engine *engine, const tern__path *path);

/* Decide how to send a body. `best` is the format of a body that leaves the choice to us; payload_bytes,
 * of a packet. body may be NULL: empty. The second needs no engine, and may run on any thread. Returns 0,
 * TERN_ERR_LIMIT (also for a metadata block beyond TERN__MAX_META_BYTES) or _INVALID. */
int tern__plan_make(const tern__engine *engine, const tern__path *path, const tern__body *body, uint8_t best,
                    uint32_t payload_bytes, tern__plan *plan);
int tern__plan_within(const tern__plan_limits *limits, const tern__path *path, const tern__body *body, uint8_t best,
                      uint32_t payload_bytes, tern__plan *plan);

/* A single-packet message straight into the link. 1: sent; 0: the link is full or the head too long for
 * it; negative: TERN_ERR_* and nothing was sent. */
int tern__plan_send(struct tern__session *s, const tern__plan *plan, const tern__pkt_header *h);

/* Encode and retain, and give back what was never sent. Any thread. Returns 0, TERN_ERR_NOMEM, _INVALID. */
int tern__out_make(tern__link *link, const tern__plan *plan, tern__out **result);
void tern__out_free(tern__out *out);

/* The first, and count the message. */
int tern__out_new(tern__engine *engine, tern__link *link, const tern__plan *plan, tern__out **result);

/* The same behind prefix_bytes bytes, which count as head bytes of the result. */
int tern__out_new_behind(tern__engine *engine, tern__link *link, const tern__plan *plan, const void *prefix,
                         uint32_t prefix_bytes, tern__out **result);

/* A plan without segments: its bytes. Returns 0, TERN_ERR_INVALID. */
int tern__plan_copy(tern__engine *engine, const tern__plan *plan, void *to);

/* A stretch of pool memory, by reference. NULL when memory is out or data is in no live buffer. */
tern__out *tern__out_piece(tern__link *link, const void *data, uint32_t len);

/* An empty one with room for `room` head bytes behind it. NULL when memory is out. */
tern__out *tern__out_room(tern__link *link, uint32_t room);

static inline uint32_t tern__out_meta_bytes(const tern__out *out) { return out->meta_words * TERN__META_ALIGN; }

static inline uint8_t *tern__out_head(tern__out *out) { return (uint8_t *)(out->segs + out->n_segs); }

/* Post bytes [at, at + len) to the packet that is being built, with at most *budget posts, which are taken from it.
 * Returns the number of bytes posted, less than len only when the budget is spent; or TERN_ERR_INVALID. */
int64_t tern__out_post(tern__tx *tx, tern__out *out, uint32_t at, uint32_t len, uint32_t *budget);

/* Send packet h->pkt of a retained message. False: the link is full. */
bool tern__out_send(struct tern__session *s, tern__out *out, const tern__pkt_header *h);

/* Raw bytes for this session's peer, retained. NULL when memory is out. */
tern__out *tern__out_keep(struct tern__session *s, const void *data, uint32_t len);

/* Give a retained message back: at once when the link holds references or has none to it, else after the next flush,
 * because packets that were ended but not flushed may point into it (eRPC 4.2.2). NULL is ignored. */
void tern__out_release(tern__engine *engine, tern__out *out);

/* Flush the links of what is in limbo, and free it. */
void tern__limbo_empty(tern__engine *engine);

/* Memory for a small message, that of the last one given back if there is any; and give it back. False: it is not such
 * a message, or there are enough. engine_record.h has the bodies. */
static inline tern__out *tern__spare_take(tern__engine *engine);
static inline bool tern__spare_give(tern__engine *engine, tern__out *out);
tern__out *tern__spare_make(tern__engine *engine);

/* Free the spares. */
void tern__spares_free(tern__engine *engine);

/* The bytes of a packet's payload, and a copy of them. */
static inline uint64_t tern__payload_bytes(const tern__rx_packet *pkt, uint32_t header_bytes) {
    return (uint64_t)pkt->head_len - header_bytes + pkt->spans_len;
}
void tern__payload_copy(const tern__rx_packet *pkt, uint32_t header_bytes, uint8_t *to);

#endif

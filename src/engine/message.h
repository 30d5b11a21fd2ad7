/* A message on its way out: how it will be encoded (the plan), its retained form (tern__out), and how it
 * is cut into packets. Value bytes are copied at most once, into the retained buffer or straight into the
 * link's packet; values sent in place are never touched, and hold one reference each while retained. */
#ifndef TERN_ENGINE_MESSAGE_H
#define TERN_ENGINE_MESSAGE_H

#include "engine/engine_record.h"

typedef struct tern__plan {
    const tern__body *body;
    uint32_t size, head_bytes; /* of the message, its metadata block included */
    uint32_t n_segs;           /* segments of the retained message, empty ones included */
    uint32_t meta_bytes;
    uint32_t copied_bytes; /* value bytes among head_bytes */
    uint32_t n_inplace, inplace_bytes;
    uint8_t format;
    const tern__format *encoder; /* NULL: raw bytes */
    tern__format_plan encoding;  /* of the encoder */
} tern__plan;

/* Whether bytes of the head lie between values in place. Such a message is retained before it is sent. */
static inline bool tern__plan_is_scattered(const tern__plan *plan) {
    return plan->n_inplace && plan->encoder && plan->encoder->pieces_per_value > 1;
}

/* From which length on values go in place. */
static inline size_t tern__threshold(const tern__engine_config *config, const tern__path *path) {
    uint32_t threshold = config->threshold ? config->threshold : path->threshold;
    return threshold == UINT32_MAX ? SIZE_MAX : threshold;
}

/* What a message is cut into: packets with so many of its bytes each. What goes in place, but for a short head, goes in
 * larger packets where the path has such. A plan tells only whether one packet will do: of a message with copied bytes
 * between its values the head is shorter once it is retained. */
uint32_t tern__large_cut(const tern__session *s, uint32_t n_segs, uint32_t head_bytes);
static inline uint32_t tern__cut(const tern__session *s, uint32_t size, uint32_t n_segs, uint32_t head_bytes) {
    return size <= s->payload_bytes ? s->payload_bytes : tern__large_cut(s, n_segs, head_bytes);
}
static inline uint32_t tern__plan_cut(const tern__session *s, const tern__plan *plan) {
    return tern__cut(s, plan->size, plan->n_segs, plan->head_bytes);
}
static inline uint32_t tern__out_cut(const tern__session *s, const tern__out *out) {
    return tern__cut(s, out->size, out->n_segs, out->head_len);
}

tern__plan_limits tern__plan_limits_of(const tern__engine *engine, const tern__path *path);

/* Decide how to send a body. `best` is the format of a body that leaves the choice to us; payload_bytes,
 * of a packet. body may be NULL: empty. The second needs no engine, and may run on any thread. Returns 0,
 * TERN_ERR_LIMIT (also for a metadata block beyond TERN__MAX_META_BYTES) or _INVALID. */
int tern__plan_make(const tern__engine *engine, const tern__path *path, const tern__body *body,
                    const tern__format *best, uint32_t payload_bytes, tern__plan *plan);
int tern__plan_within(const tern__plan_limits *limits, const tern__path *path, const tern__body *body,
                      const tern__format *best, uint32_t payload_bytes, tern__plan *plan);

/* Write what a plan copies to `head`, and hand the values that stay where they are to the sink. Returns 0, or what the
 * sink returned. */
int tern__plan_write(const tern__plan *plan, uint8_t *head, const tern__format_sink *sink);

/* A message of this plan has left, or is retained. */
void tern__count_message(tern__engine *engine, const tern__plan *plan);

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

/* A stretch of memory that is found by its address, by reference. TERN_ERR_NOMEM; TERN_ERR_INVALID when data is in no
 * live buffer; or what its owner says. */
int tern__out_piece(tern__link *link, const void *data, uint32_t len, tern__out **result);

/* An empty one with room for `room` head bytes behind it. NULL when memory is out. */
tern__out *tern__out_room(tern__link *link, uint32_t room);

static inline uint32_t tern__out_meta_bytes(const tern__out *out) { return out->meta_words * TERN__META_ALIGN; }

static inline uint8_t *tern__out_head(tern__out *out) { return (uint8_t *)(out->segs + out->n_segs); }

/* Raw bytes for this session's peer, retained. NULL when memory is out. */
tern__out *tern__out_keep(struct tern__session *s, const void *data, uint32_t len);

/* Give a retained message back: at once when the link holds references or has none to it, else after the next flush,
 * because packets that were ended but not flushed may point into it (eRPC 4.2.2). NULL is ignored. */
void tern__out_release(tern__engine *engine, tern__out *out);

/* Flush the links of the messages whose free is deferred, and free those. */
void tern__deferred_free(tern__engine *engine);

/* Memory for a message of a kind, that of the last one given back if there is any; and give it back. False: it is not
 * such a message, or there are enough. */
static inline tern__out *tern__spare_take(tern__engine *engine, tern__spare_kind kind);
static inline bool tern__spare_give(tern__engine *engine, tern__out *out);
tern__out *tern__spare_make(tern__engine *engine, tern__spare_kind kind);

/* Free the spares. */
void tern__spares_free(tern__engine *engine);

/* A copy of a packet's payload, of tern__payload_bytes() bytes. */
void tern__payload_copy(const tern__rx_packet *pkt, uint32_t header_bytes, uint8_t *to);

/* Small messages come and go with every call over a link that loses packets: their memory is used again at once, which
 * takes a tenth of the instructions of a small call. */
static inline tern__out *tern__spare_take(tern__engine *e, tern__spare_kind kind) {
    tern__spares *spares = &e->spares[kind];
    tern__out *out = spares->first;
    if (!out) return tern__spare_make(e, kind);
    spares->first = out->call;
    spares->room++;
    return out;
}

static inline bool tern__spare_give(tern__engine *e, tern__out *out) {
    tern__spares *spares = &e->spares[out->spare];
    if (!spares->room || out->posted || TERN__IS_OFF(REUSE)) return false;
    out->call = spares->first;
    spares->first = out;
    spares->room--;
    return true;
}

#endif

/* Marks of the network (ecn.c). */
#ifndef TERN_ENGINE_ECN_H
#define TERN_ENGINE_ECN_H

#include "engine/engine_record.h"

/* A packet of the session is about to be handled; end: it has been. */
void tern__ecn_begin(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h);
static inline void tern__ecn_end(tern__engine *engine);
/* Of n packets that the packet being handled acknowledges, how many were marked. */
static inline uint32_t tern__ecn_marked(const tern__session *s, uint32_t n);
/* The packet being handled will be acknowledged: count it in *n_marked, if it was marked, until its echo leaves. */
static inline void tern__ecn_count(const tern__session *s, uint8_t *n_marked);
/* A packet that acknowledges those counted is about to leave: it says how many were marked, and they are forgotten. */
void tern__ecn_echo(uint8_t *n_marked, tern__pkt_header *h);

static inline void tern__ecn_end(tern__engine *e) {
    e->rx_marked = false;
    e->rx_n_echoed = 0;
}

static inline uint32_t tern__ecn_marked(const tern__session *s, uint32_t n) {
    return s->engine->rx_n_echoed < n ? s->engine->rx_n_echoed : n;
}

static inline void tern__ecn_count(const tern__session *s, uint8_t *n_marked) {
    *n_marked = (uint8_t)(*n_marked + (s->engine->rx_marked && *n_marked < UINT8_MAX));
}

#endif

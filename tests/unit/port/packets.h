/* For tests of ports: small packets sent as the engine sends them, and packets received one by one. */
#ifndef TERN_TESTS_PACKETS_H
#define TERN_TESTS_PACKETS_H

#include "engine/link.h"

/* Which way a packet went. */
typedef enum put_way { PUT_NOT, PUT_IN_RUN, PUT_IN_NEW_RUN, PUT_ALONE } put_way;

/* A packet of these bytes into the run if it has a place, else into one that is opened for it, else by itself. */
static inline put_way put_packet(tern__link *link, const tern__route *to, const void *bytes, uint32_t len) {
    tern__tx_run *run = link->ops->run ? link->ops->run(link, to) : NULL;
    uint8_t *place = run ? tern__run_take(run, to, len) : NULL;
    put_way way = PUT_IN_RUN;
    if (!place && run && (place = link->ops->tx_open(link, to, len)) != NULL) way = PUT_IN_NEW_RUN;
    if (!place) {
        way = PUT_ALONE;
        place = tern__tx_one(link, to, len, 0);
    }
    if (!place) return PUT_NOT;
    memcpy(place, bytes, len);
    if (way == PUT_ALONE) link->ops->tx_commit(link, 1);
    return way;
}

typedef void one_packet_fn(void *ctx, const tern__rx_packet *pkt);

/* Descriptors of several packets are taken apart. */
static inline void each_packet(one_packet_fn *fn, void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    for (const tern__rx_packet *pkt = pkts; pkt < pkts + n; pkt++) {
        tern__rx_packet one = *pkt;
        one.n = 1;
        for (uint32_t k = 0; k < pkt->n; k++) {
            if (!pkt->head_len) one.head_len = (uint32_t)tern__run_length(one.head);
            fn(ctx, &one);
            one.head += pkt->head_len ? pkt->stride : tern__run_lines_bytes(one.head_len);
        }
    }
}

#define EACH_PACKET(name, one)                                                                                         \
    static inline void name(void *ctx, const tern__rx_packet *pkts, uint32_t n) { each_packet(one, ctx, pkts, n); }

#endif

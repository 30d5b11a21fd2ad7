/* Direct placement: receiving a long message straight to where it is put together (udp_place.c). */
#ifndef TERN_PORT_UDP_PLACE_H
#define TERN_PORT_UDP_PLACE_H

#include "port/udp.h"

/* The pieces of a receive of packets that are expected. */
typedef struct tern__udp_places {
    uint32_t n, n_iovs;                              /* packets, at least 1; pieces */
    struct iovec iovs[2 * TERN__UDP_MAX_PLACES + 1]; /* of each its header and its payload; then the rest */
    tern__placement *placement;                      /* the message, until the packets are handed over */
    const void *memory;                              /* a reference of ours on the message's memory */
} tern__udp_places;

/* How the next receive is done. */
typedef enum tern__udp_placing {
    TERN__UDP_ANYWHERE, /* no message that is expected goes on here, as far as is known */
    TERN__UDP_PLACED,   /* with the pieces that were made */
    TERN__UDP_NOTHING,  /* not at all: there is nothing to receive, errno says why */
} tern__udp_placing;

/* The link's operations: */
void tern__udp_rx_expect(tern__link *link, const tern__expected *expected);
void tern__udp_rx_forget(tern__link *link, const void *message);

/* How the next receive on this socket is to be done, if any message is expected. Of TERN__UDP_PLACED the pieces are in
 * `places`, the last of them in `space`, which has TERN__UDP_RX_ROOM bytes. Then, when something has come, deliver: the
 * number of packets handed over; 0: it was something else, and lies in `space` now. In the end drop. */
tern__udp_placing tern__udp_place_next(tern__udp_port *udp, uint32_t index, uint8_t *space, tern__udp_places *places);
unsigned tern__udp_place_deliver(tern__udp_port *udp, const tern__udp_places *places, uint8_t *space,
                                 const tern__rx_packet *pkt, uint32_t len, uint32_t seg_bytes, tern__rx_fn *fn,
                                 void *ctx);
void tern__udp_place_drop(tern__udp_places *places);

#endif

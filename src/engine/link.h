/* What the engine sees of a port: where packets go out, and what a packet coming in looks like.
 *
 * The engine builds a packet in the port's own memory: tx_begin() gives room for the header and what is
 * copied, tx_post() adds what is sent in place, tx_end() closes it. Nothing is collected in between, so
 * an object is serialized straight into the packet (Cornflakes 3.2.3, serialize-and-send). */
#ifndef TERN_ENGINE_LINK_H
#define TERN_ENGINE_LINK_H

#include "base/base.h"

/* Where a peer is, in the port's own terms: a socket address, a ring, a simulated node. Routes compare by
 * bytes; unused bytes are zero. Of a route of up to TERN__ROUTE_SHORT bytes only the first twelve are used. */
enum { TERN__ROUTE_SHORT = 16 };

typedef struct tern__route {
    uint32_t len;
    uint8_t bytes[28];
} tern__route;

static inline bool tern__route_eq(const tern__route *a, const tern__route *b) {
    enum { USED = 12 };
    if (tern__load64(a) != tern__load64(b) || tern__load64(a->bytes + 4) != tern__load64(b->bytes + 4)) return false;
    return a->len <= TERN__ROUTE_SHORT || memcmp(a->bytes + USED, b->bytes + USED, sizeof a->bytes - USED) == 0;
}

typedef struct tern__link tern__link;

/* What a path to a peer is like: a snapshot that never changes and stays valid as long as its link. A session takes the
 * snapshot that is good when it opens, and keeps it; when the path changes, sessions that open later get another. Any
 * thread may read one. */
typedef struct tern__path {
    uint32_t max_packet; /* bytes of a packet, header included */
    uint32_t max_posts;  /* tx_post calls per packet; at least 2 + max_packet / 1024 */
    uint32_t
        rx_packets; /* full ones that this end holds until they are received; 0: any number. No session may send more */
    uint32_t threshold; /* values at least this long go in place by default; UINT32_MAX: none */
    uint32_t noise_ns;  /* what hosts at both ends may add to a round trip: less than that is no congestion */
    uint64_t rate_bps;  /* of the hardware, bits per second; 0: unknown */
} tern__path;

/* A lane: places side by side in a link's memory for small packets to one peer, which the sender fills by itself
 * (tern__lane_send) until it comes to the end. A place is 64 bytes: the packet's length, then the packet. What is in
 * the lane leaves with a flush, or sooner. */
enum { TERN__LANE_PLACE_BYTES = 64, TERN__LANE_MAX_PACKET = 56 };

typedef struct tern__lane {
    uint8_t *at;  /* the next place */
    uint8_t *end; /* at == end: closed; tx_small knows further */
} tern__lane;

/* A row: packets of one length to one route, side by side at the end of what a link has collected. The sender adds to
 * it by itself (tern__row_place) until it comes to the end. Whatever the link is asked for ends it. */
typedef struct tern__row {
    uint8_t *at;  /* the next packet */
    uint8_t *end; /* at == end: there is no row; tx_small may begin one */
    uint32_t packet_bytes;
    uint32_t made_bytes; /* of what the sender has added: neither headers nor copies of values */
    tern__route route;
} tern__row;

typedef struct tern__link_ops {
    /* Begin a packet to `route` whose first n_bytes (<= max_inline) the caller writes to the memory
     * returned. That memory is the port's; it is valid until tx_end. NULL when the packet cannot be taken
     * now (ring full, route gone): nothing has begun then. */
    void *(*tx_begin)(tern__link *link, const tern__route *route, uint32_t n_bytes);

    /* Add `len` bytes that stay where they are. At most max_posts per packet. On return the port has
     * copied them, or holds a reference on their pool buffer until it is done with them
     * (holds_refs links), or relies on the engine to keep them until tx_flush has returned (others).
     * Never fails within the limits, except with TERN_ERR_INVALID for a pool pointer whose buffer is not live;
     * the caller then ends the packet with tx_abort. */
    int (*tx_post)(tern__link *link, const void *data, uint32_t len);

    /* The packet is complete. It may leave now or at the next tx_flush. */
    void (*tx_end)(tern__link *link);

    /* Forget the packet begun. */
    void (*tx_abort)(tern__link *link);

    /* Everything ended leaves now, or is dropped (a lossy link may). */
    void (*tx_flush)(tern__link *link);

    /* A small packet in one call: a header of 16 to 32 bytes, then len bytes of data, all copied. False, and nothing
     * has happened, when it cannot go now or not in this way: then try tx_begin. May be NULL. */
    bool (*tx_small)(tern__link *link, const tern__route *route, const void *header, uint32_t header_bytes,
                     const void *data, uint32_t len);

    /* What routes of one network have in common (udp: the first 24 bits of an IPv4 address, 64 of an IPv6 one): who
     * floods us comes from few of those. NULL: each route is a network of its own. */
    uint64_t (*network)(const tern__route *route);

    /* The lane to this route's peer, closed or open; valid until the route is lost or disconnected. NULL: there is
     * none. May be NULL. */
    tern__lane *(*lane)(tern__link *link, const tern__route *route);

    /* The snapshot of the path to this route, as it is now. NULL: all routes have link->path. */
    const tern__path *(*path)(tern__link *link, const tern__route *route);

    /* Reliable links: whether the peer has sent or taken anything since the call that left this mark, and a new mark.
     * It may be alive although packets to it, or its answers, have to wait behind others. May be NULL. */
    bool (*has_moved)(tern__link *link, const tern__route *route, uint64_t *mark);
} tern__link_ops;

/* Where the next packets of a long message belong, by what the receiver knows of it: the link may receive them there,
 * behind headers that go elsewhere, and hand each over with its payload as the only span. It has to make sure before
 * that that all packets of a receive are the expected ones, by the beginnings of their headers. */
typedef struct tern__rx_ahead {
    uint8_t *to;            /* NULL: nothing is expected */
    uint32_t len;           /* of the message from there on, as far as there is memory: nothing of this has come */
    uint32_t header_bytes;  /* of each packet, TERN__AHEAD_MAX_HEADER at most */
    uint32_t payload_bytes; /* of a full packet */
    uint32_t pkt;           /* the number of the first, which each header has, little-endian, behind `start` */
    uint8_t start[12];      /* what the headers begin with */
    tern__route route;      /* they come from here */
    const void *message;    /* the receiver's own: the message that was looked at last, if it goes on, */
    bool trusted;           /* and whether the last guess was right */
} tern__rx_ahead;

enum { TERN__AHEAD_MAX_HEADER = 64 };

struct tern__link {
    const tern__link_ops *ops;
    const tern__path *path; /* of routes without one of their own */
    uint32_t max_inline;    /* largest n_bytes of tx_begin; at least 4096 or max_packet */
    uint32_t max_posts;     /* tx_post calls per packet: the most of any path */
    uint32_t credits; /* that this link's sessions offer and ask for, where it has a flow control of its own; else 0 */
    bool reliable;    /* packets that tx_end took arrive once and in order, or the route is lost: the
                             engine keeps nothing for retransmission and sends no tags */
    bool holds_refs;  /* tx_post takes its own references; always with reliable */
    bool ecn;         /* it has the network mark packets instead of dropping them, and reads marks (ECN) */
    bool lumps;       /* set by the receiver: it takes several packets at once (tern__rx_packet.n_more) */
    tern__row row;
    uint64_t unaided_packets, unaided_bytes; /* that senders have put into lanes and rows by themselves ... */
    uint64_t made_bytes;                     /* ... and of these, neither headers nor copies of values */
    bool takes_ahead;                        /* it looks at `ahead` */
    tern__rx_ahead ahead;
};

static inline const tern__path *tern__link_path(tern__link *link, const tern__route *route) {
    return link->ops->path ? link->ops->path(link, route) : link->path;
}

/* A piece of foreign memory. */
typedef struct tern__span {
    const void *data;
    uint32_t len;
} tern__span;

/* A packet as a port hands it to its receiver; valid during the call. The head (header and first payload
 * bytes) is in a pool buffer of ours that the port holds a reference on: whoever wants it longer takes
 * another. What follows may lie in memory that the peer can still change, checked to be readable: it is
 * copied out once, then looked at. */
typedef struct tern__rx_packet {
    const uint8_t *head;
    uint32_t head_len;
    uint32_t n_spans;
    const tern__span *spans;
    uint32_t spans_len; /* sum of the spans' lengths */
    tern__link *link;   /* it came in here */
    tern__route route;  /* from there */
    bool ecn_ce;        /* it was marked on its way; so was each of n_more. Only on links with `ecn` */

    /* More packets of one piece each from the same place, `stride` bytes apart behind head: what costs once per lump is
     * not paid per packet. Only on links with `lumps`. */
    uint32_t n_more;
    uint32_t stride;

    /* The lane to where they came from: each, the first included, lies in a place of its own, behind its length
     * (tern__lane_length). NULL: all are as long as the first. */
    const tern__lane *lane;
    uint64_t lane_bytes; /* the sum of these lengths */
} tern__rx_packet;

/* Receives packets from a port. */
typedef void tern__rx_fn(void *ctx, const tern__rx_packet *pkt);

/* The place of one more packet in the row, which the caller fills; NULL: there is no such row, or no place in it. */
static inline uint8_t *tern__row_place(tern__row *row, const tern__route *route, uint32_t packet_bytes) {
    uint8_t *place = row->at;
    if (place == row->end || row->packet_bytes != packet_bytes || !tern__route_eq(&row->route, route)) return NULL;
    row->at = place + packet_bytes;
    return place;
}

/* Of the packet in a place. */
static inline uint64_t tern__lane_length(const uint8_t *packet) { return tern__load64(packet - 8); }

static inline bool tern__lane_is_open(const tern__lane *lane) { return lane->at != lane->end; }

/* A small packet into its peer's lane, which is open: a header of three words, then len bytes, 16 to 32. */
static inline void tern__lane_send(tern__lane *lane, uint64_t first, uint64_t second, uint64_t third, const void *data,
                                   uint32_t len) {
    enum { HEADER_BYTES = 24 };
    uint8_t *place = lane->at;
    lane->at = place + TERN__LANE_PLACE_BYTES;
    tern__store64(place, HEADER_BYTES + (uint64_t)len);
    tern__store64(place + 8, first);
    tern__store64(place + 16, second);
    tern__store64(place + 24, third);
    tern__copy_16_to_32(place + 8 + HEADER_BYTES, data, len);
}

#endif

/* What the engine sees of a port: where packets go out, and what packets coming in look like.
 *
 * The engine builds packets in the port's own memory: tx_reserve() gives room for the headers and what is copied,
 * tx_add() adds what is sent in place, tx_commit() completes the packets. Nothing is collected in between, so an object
 * is serialized straight into the packet (Cornflakes 3.2.3, serialize-and-send). */
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
typedef struct tern__rx_packet tern__rx_packet;

/* Pieces of a peer's memory that its packets have named and that stay readable until they are let go of, whatever
 * becomes of the peer, the route and the link. Its functions may be called from any thread. */
typedef struct tern__kept {
    void (*let_go)(struct tern__kept *kept); /* of all of them; frees what `kept` points to */
    /* Whether none of them has changed by the peer's taking it back: since it was kept, and before this call. What was
     * read before the call is then what the peer sent, unless the peer itself has written there. */
    bool (*is_intact)(const struct tern__kept *kept);
} tern__kept;

enum {
    TERN__TX_BATCH = 32,
    TERN__TX_MANY = 1 << 16,   /* pieces: as many as the path takes */
    TERN__SHORT_HEAD = 4 << 10 /* bytes that are copied, beside the header, in a packet of max_inplace */
};

/* What a path to a peer is like: a snapshot that never changes and stays valid as long as its link. A session takes the
 * snapshot that is good when it opens, and keeps it; when the path changes, sessions that open later get another. Any
 * thread may read one. */
typedef struct tern__path {
    uint32_t max_packet; /* bytes of a packet, header included */
    /* The same of a packet that goes in place but for a short head (TERN__SHORT_HEAD). If it is no more than
     * max_packet, such packets are no longer than others. */
    uint32_t max_inplace;
    uint32_t max_posts; /* tx_add calls per packet; at least 2 + max_packet / 1024 */
    uint32_t
        rx_packets; /* full ones that this end holds until they are received; 0: any number. No session may send more */
    uint32_t threshold; /* values at least this long go in place by default; UINT32_MAX: none */
    uint32_t noise_ns;  /* what hosts at both ends may add to a round trip: less than that is no congestion */
    uint64_t rate_bps;  /* of the hardware, bits per second; 0: unknown */
} tern__path;

/* A run that is open: memory of the link's own for packets to one route, side by side, which the sender fills by
 * itself (tern__run_take) until the run is full. A run stays open between calls. What is in it leaves with a flush,
 * or sooner, and before any packet that is sent to the route in another way. */
typedef enum tern__run_kind {
    TERN__RUN_LINES,  /* a place is whole lines of 64 bytes: the packet's length in 8 bytes, then the packet */
    TERN__RUN_PACKED, /* a place is the packet's length in 4 bytes, then the packet */
    TERN__RUN_EQUAL,  /* packets of one length, nothing between them: on links that lose packets */
} tern__run_kind;

enum { TERN__RUN_LINE_BYTES = 64, TERN__RUN_LENGTH_BYTES = 8, TERN__RUN_MAX_LINES = 4 };
enum {
    TERN__RUN_MAX_PACKET = TERN__RUN_MAX_LINES * TERN__RUN_LINE_BYTES - TERN__RUN_LENGTH_BYTES, /* in LINES */
    TERN__RUN_LINE_LEAST = 24, /* of packets received in one line each: see tern__rx_packet */
};

typedef struct tern__tx_run {
    uint8_t *at;  /* the next place */
    uint8_t *end; /* at == end: closed (NULL), or full; tx_open knows further */
    tern__run_kind kind;
    uint32_t packet_bytes; /* EQUAL: of each packet */
    tern__route route;     /* EQUAL: such a run serves all routes of its link in turn; the others belong to one route */
    /* Since the link took packets from the run: those that are a part of a message, not a whole one, ... */
    uint32_t n_parts, uncopied_bytes; /* ... and their bytes that are no copies of values, beyond a short header */
} tern__tx_run;

/* What a link has sent. */
typedef struct tern__link_sent {
    uint64_t packets, bytes; /* committed */
    uint64_t run_packets, run_bytes;
    uint64_t run_parts, run_uncopied_bytes; /* as the run says of them */
    uint64_t bounced_bytes;                 /* shm: of pieces that the peer cannot read where they are */
} tern__link_sent;

/* Direct placement: the receiver says where the next packets of a long message belong, and the link may receive them
 * there, so that no byte of them is copied once more. The payloads of packets pkt, pkt + 1, ... lie side by side from
 * `to` on, each payload_bytes long, the one that reaches the end of `len` perhaps shorter. [to, to + len) is memory of
 * one pool buffer, and no packet with bytes of it has come. */
typedef struct tern__expected {
    tern__route route;      /* the packets come from here */
    const void *message;    /* the receiver's own name of the message among those of its links; never read from */
    uint8_t *to;            /* where the payload of packet `pkt` belongs */
    uint32_t len;           /* bytes from there on, at least 1 */
    uint32_t header_bytes;  /* of each packet, TERN__EXPECTED_MAX_HEADER at most */
    uint32_t payload_bytes; /* of a full packet, at least 1 */
    uint32_t pkt;           /* the number of the first packet, which each header has, little-endian, ... */
    uint32_t pkt_at;        /* ... at this offset */
    uint8_t start[12];      /* the first bytes of each header */
} tern__expected;

enum { TERN__EXPECTED_MAX_HEADER = 64 };

typedef struct tern__link_ops {
    /* Reserve places for up to n packets to `route`, n being at least 1 and at most TERN__TX_BATCH. Each begins with
     * head_bytes (<= max_inline) that the caller writes to the memory in heads[], which is the port's and valid until
     * tx_commit, and goes on with at most max_pieces pieces (a value above the path's max_posts means that). Returns
     * how many places there are, which may be fewer; 0 when no packet can be taken now (ring full, route gone). Until
     * tx_commit nothing else may be asked of the link. */
    uint32_t (*tx_reserve)(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                           uint32_t max_pieces, uint8_t **heads);

    /* Add `len` bytes that stay where they are to packet i of those reserved. The packets are filled in their order.
     * On return the port has copied the bytes, or holds a reference on their pool buffer until it is done with them
     * (holds_refs links), or relies on the engine to keep them until tx_flush has returned (others).
     * Never fails within the limits, except with TERN_ERR_INVALID for a pool pointer whose buffer is not live;
     * the caller then gives the packet up. */
    int (*tx_add)(tern__link *link, uint32_t i, const void *data, uint32_t len);

    /* The first n of the packets reserved are complete, and may leave now or at the next tx_flush. The others are given
     * up, as if they had not been reserved. */
    void (*tx_commit)(tern__link *link, uint32_t n);

    /* Everything committed leaves now, or is dropped (a lossy link may). */
    void (*tx_flush)(tern__link *link);

    /* The run of this route, open or closed; valid until the route is lost or disconnected. NULL: there is none. May be
     * NULL. */
    tern__tx_run *(*run)(tern__link *link, const tern__route *route);

    /* Take a place for a packet of so many bytes in the route's run, which has none as it is (not for LINES that are
     * closed: those open behind a packet that goes by itself): what is in the run may leave, and the run be another
     * one of the kind. The caller fills the place, as one of tern__run_take(). NULL: there is no such place now, and
     * tx_reserve is the way. Goes with `run`. */
    uint8_t *(*tx_open)(tern__link *link, const tern__route *route, uint32_t packet_bytes);

    /* What routes of one network have in common (an address: its first 24 bits, of IPv6 64; on this host: the user):
     * who floods us comes from few of those. NULL: each route is a network of its own. */
    uint64_t (*network)(tern__link *link, const tern__route *route);

    /* The snapshot of the path to this route, as it is now. NULL: all routes have link->path. */
    const tern__path *(*path)(tern__link *link, const tern__route *route);

    /* Reliable links: whether the peer has sent or taken anything since the call that left this mark, and a new mark.
     * It may be alive although packets to it, or its answers, have to wait behind others. May be NULL. */
    bool (*has_moved)(tern__link *link, const tern__route *route, uint64_t *mark);

    /* Direct placement. The next packets of this message, from this route, belong where `expected` says; of an earlier
     * call for the same route and message only this holds on. The link may hold many expectations at a time, and bounds
     * and replaces them as it likes: an expectation is an offer, which the link need not take. A link that receives
     * before it knows which packet comes has to guess among them; a link with a buffer for each flow (RDMA, io_uring
     * with provided buffers) can serve all of them at once. Either way the link may write anything to the expected
     * memory before a packet has come. A packet is handed over with its payload there as the only span, behind a head
     * of header_bytes bytes elsewhere, if all packets of its receive begin as `start` and have the numbers that belong
     * to their places; every other packet is handed over as if nothing were expected. The link does not compare
     * secrets: the receiver tests each packet as ever. May be called at any time, also while packets are handed over.
     * NULL: the link does no direct placement. */
    void (*rx_expect)(tern__link *link, const tern__expected *expected);

    /* Nothing is expected for this message any more. Once this has returned the link writes nothing to the message's
     * memory, so that the receiver may put other bytes there, or free the memory: a link whose receives are under way
     * in hardware ends them first. A message that the link does not know is ignored. Goes with rx_expect. */
    void (*rx_forget)(tern__link *link, const void *message);

    /* From now on rx_keep may be called. Before, peers need not make anything ready for it. May be NULL, as rx_keep. */
    void (*rx_will_keep)(tern__link *link);

    /* While a packet is handed over: keep its span i beyond that, among those that are `kept` already; NULL: as the
     * first. False: that span cannot be kept, and is the receiver's to copy. */
    bool (*rx_keep)(tern__link *link, const tern__rx_packet *packet, uint32_t i, tern__kept **kept);

    /* The first session over this route has begun, or (not `used`) the last one has ended. A link with connections
     * keeps those that nobody uses for a short time only. It asks nothing of the engine here. May be NULL. */
    void (*use)(tern__link *link, const tern__route *route, bool used);
} tern__link_ops;

/* What counts on a peer's account although its session may have ended. Zero: nothing. */
typedef struct tern__debit {
    struct tern__peer *peer;
    uint64_t bytes;
} tern__debit;

/* What the engine says to a link that holds something for a route beyond the packets that it hands over: the beginning
 * of a frame, bytes that the peer does not take. */
typedef enum tern__hold {
    TERN__HOLD_WELL,
    TERN__HOLD_NO_MORE, /* it is more than the peer's share: the link takes no more of what can wait */
    TERN__HOLD_GIVE_UP  /* all together is beyond the endpoint's bound, and the peer has the most: it has to go */
} tern__hold;

struct tern__link {
    const tern__link_ops *ops;
    const tern__path *path; /* of routes without one of their own */
    uint32_t max_inline;    /* largest head_bytes of tx_reserve; at least 4096 or max_packet */
    uint32_t max_posts;     /* tx_add calls per packet: the most of any path */
    uint32_t credits; /* that this link's sessions offer and ask for, where it has a flow control of its own; else 0 */
    bool reliable;    /* packets that tx_commit took arrive once and in order, or the route is lost: the
                             engine keeps nothing for retransmission and sends no tags */
    bool tells_room;  /* who has refused packets to a route says when it may take some: tern__engine_has_room() */
    bool holds_refs;  /* tx_add takes its own references; always with reliable */
    bool shows;       /* its peers may read the pool's memory, though not what is private: copies that are made to be
                             sent are made where the link need not copy them again */
    bool ecn;         /* it has the network mark packets instead of dropping them, and reads marks (ECN) */
    bool hung_up;     /* while it tells that a route is lost: there was a connection, which the peer has ended */
    uint64_t waited_ns;    /* what it hands over has waited so long at this host; 0: the link does not know */
    uint64_t queues_until; /* packets wait at the peer anyway, as the engine says; 0: they do not. The owner may let
                              those of gather_ns leave together then */
    uint64_t gather_ns;
    tern__link_sent sent;  /* the link counts what was committed, and what was in a run once the run leaves */
    uint32_t expect_bytes; /* rx_expect pays for payloads of at least this many bytes; UINT32_MAX: for none */
    /* On links that lose packets the engine counts here those that spoke for the peer of a session of ours: that came
     * from its route, with its tag. The link has a sender's word for any other packet. */
    uint64_t heard;
    uint64_t n_given_up; /* connections that the link has ended as their account said TERN__HOLD_GIVE_UP */
};

/* Packets wait for so many ns where they go, and will for a while. */
static inline void tern__link_queues(tern__link *link, uint64_t wait, uint64_t until) {
    enum { PART = 8, MOST = 100000 }; /* of the wait, that they may wait here to leave together */
    link->gather_ns = wait / PART < MOST ? wait / PART : MOST;
    if (until > link->queues_until) link->queues_until = until;
}

/* One packet of head_bytes and up to max_pieces pieces. NULL: it cannot be taken now. */
static inline uint8_t *tern__tx_one(tern__link *link, const tern__route *route, uint32_t head_bytes,
                                    uint32_t max_pieces) {
    uint8_t *head;
    return link->ops->tx_reserve(link, route, 1, head_bytes, max_pieces, &head) ? head : NULL;
}

static inline const tern__path *tern__link_path(tern__link *link, const tern__route *route) {
    return link->ops->path ? link->ops->path(link, route) : link->path;
}

/* A piece of foreign memory. */
typedef struct tern__span {
    const void *data;
    uint32_t len;
} tern__span;

/* A packet as a port hands it to its receiver, or several of them; valid during the call. The head (header and first
 * payload bytes) is in a pool buffer of ours that the port holds a reference on, unless `fleeting` says otherwise:
 * whoever wants it longer takes another reference. What follows may lie in memory that the peer can still change,
 * checked to be readable: it is copied out once, then looked at. */
struct tern__rx_packet {
    const uint8_t *head;
    uint32_t head_len;
    uint32_t n_spans;
    const tern__span *spans;
    uint32_t spans_len; /* sum of the spans' lengths */
    tern__link *link;   /* it came in here */
    tern__route route;  /* from there */
    bool ecn_ce;        /* it was marked on its way; so was each of n. Only on links with `ecn` */
    bool fleeting;      /* the memory is not the pool's, or scarce: the receiver copies it before anybody may keep it */

    /* n packets of one piece each, at least one, from one route. head_len is not 0: the packets are of this length and
     * lie `stride` bytes apart. head_len is 0: each packet lies behind its length, as in a run of LINES, and all have
     * lines_bytes bytes together; stride is then the length of a line if each packet has one line and at least
     * TERN__RUN_LINE_LEAST bytes, else 0. */
    uint32_t n;
    uint32_t stride;
    uint64_t lines_bytes;

    /* The run that leads back to where the packets came from, which proves the route: only one peer can have sent them.
     * NULL: the route says it. */
    const tern__tx_run *back;
};

/* A descriptor of one packet, all of whose fields but the route are set: one by one, as that costs less than to clear
 * the whole structure. */
static inline void tern__rx_packet_init(tern__rx_packet *packet, tern__link *link, const uint8_t *head,
                                        uint32_t head_len) {
    packet->head = head;
    packet->head_len = head_len;
    packet->n_spans = 0;
    packet->spans = NULL;
    packet->spans_len = 0;
    packet->link = link;
    packet->ecn_ce = packet->fleeting = false;
    packet->n = 1;
    packet->stride = 0;
    packet->lines_bytes = 0;
    packet->back = NULL;
}

/* Receives from a port: n descriptors, in the order in which their packets came. */
typedef void tern__rx_fn(void *ctx, const tern__rx_packet *pkts, uint32_t n);

/* The link has taken what is in the run: of the packets, those that are parts. */
static inline void tern__run_count_parts(tern__tx_run *run, tern__link_sent *sent) {
    if (__builtin_expect(run->n_parts == 0, true)) return;
    sent->run_parts += run->n_parts;
    sent->run_uncopied_bytes += run->uncopied_bytes;
    run->n_parts = run->uncopied_bytes = 0;
}

static inline bool tern__run_is_open(const tern__tx_run *run) { return run->at != run->end; }

/* Bytes of a place of LINES. */
static inline uint64_t tern__run_lines_bytes(uint64_t packet_bytes) {
    enum { LINE = TERN__RUN_LINE_BYTES };
    return (packet_bytes + TERN__RUN_LENGTH_BYTES + LINE - 1) & ~(uint64_t)(LINE - 1);
}

/* The place of one more packet of so many bytes in the run, which the caller fills; NULL: the run is closed, or has no
 * such place. Of EQUAL runs, all those of links that lose packets: */
static inline uint8_t *tern__run_take_equal(tern__tx_run *run, const tern__route *route, uint32_t packet_bytes) {
    uint8_t *place = run->at;
    if (place == run->end || run->packet_bytes != packet_bytes || !tern__route_eq(&run->route, route)) return NULL;
    run->at = place + packet_bytes;
    return place;
}

/* Of the others: */
static inline uint8_t *tern__run_take_measured(tern__tx_run *run, uint32_t packet_bytes) {
    uint8_t *place = run->at;
    uint64_t room = (uint64_t)(run->end - place);
    if (run->kind == TERN__RUN_LINES) {
        uint64_t bytes = tern__run_lines_bytes(packet_bytes);
        if (bytes > room || packet_bytes > TERN__RUN_MAX_PACKET) return NULL;
        run->at = place + bytes;
        tern__store64(place, packet_bytes);
        return place + TERN__RUN_LENGTH_BYTES;
    }
    if (packet_bytes + sizeof(uint32_t) > room) return NULL;
    run->at = place + sizeof(uint32_t) + packet_bytes;
    tern__store32(place, packet_bytes);
    return place + sizeof(uint32_t);
}

static inline uint8_t *tern__run_take(tern__tx_run *run, const tern__route *route, uint32_t packet_bytes) {
    return run->kind == TERN__RUN_EQUAL ? tern__run_take_equal(run, route, packet_bytes)
                                        : tern__run_take_measured(run, packet_bytes);
}

/* Of the packet in a place of LINES. */
static inline uint64_t tern__run_length(const uint8_t *packet) { return tern__load64(packet - TERN__RUN_LENGTH_BYTES); }

/* A small packet into a run of LINES that is open: a header of three words, then len bytes, LEAST to MOST. */
enum { TERN__RUN_PUT_LEAST = 16, TERN__RUN_PUT_MOST = 32 };
static inline void tern__run_put(tern__tx_run *run, uint64_t first, uint64_t second, uint64_t third, const void *data,
                                 uint32_t len) {
    enum { HEADER_BYTES = 24 };
    uint8_t *place = run->at;
    run->at = place + TERN__RUN_LINE_BYTES;
    tern__store64(place, HEADER_BYTES + (uint64_t)len);
    tern__store64(place + 8, first);
    tern__store64(place + 16, second);
    tern__store64(place + 24, third);
    tern__copy_16_to_32(place + 8 + HEADER_BYTES, data, len);
}

#endif

/* Two engines and the wire between them, all in one thread and under the test's control: packets wait in two
 * queues until the test delivers, drops, repeats or reorders them. The clock is a number.
 *
 * The link comes in both kinds of link.h. Reliable: pieces are kept by reference and arrive as spans. Not
 * reliable: pieces are read at the flush, as late as the contract allows, so that a piece that the engine gave
 * back too early shows (its memory is poisoned or overwritten). */
#ifndef TERN_TESTS_LOOP_H
#define TERN_TESTS_LOOP_H

#include "engine/engine.h"
#include "tap.h"

enum { LOOP_MAX_PIECES = 300, LOOP_MAX_CALLS = 4096, LOOP_MAX_SERVED = 256 };

typedef struct loop_packet {
    struct loop_packet *next;
    uint32_t n_inline, n_pieces, max_pieces;
    bool flushed;
    tern__span *pieces;
    uint8_t *inlined; /* header and what was copied; after a flush of a lossy link, everything */
    uint32_t inline_room, pieces_room;
    tern__route to;
} loop_packet;

/* What a test may want other than usual; zero means the usual. */
typedef struct loop_config {
    bool reliable;
    uint32_t max_packet; /* of both sides; 1060, so that a payload is 1024 bytes */
    uint32_t max_packet_server;
    uint32_t capacity;
    bool ecn, ecn_server; /* the link of the client, of the server reads marks */
    tern__engine_config engine;
} loop_config;

struct loop;

typedef struct loop_side {
    tern__link link;
    tern__path path;
    struct loop *loop;
    tern__engine *engine;
    loop_packet *first, *last;   /* sent by this side, oldest first */
    uint32_t n_queued, capacity; /* tx_reserve has no places when that many are queued */
    loop_packet *open[TERN__TX_BATCH];
    uint32_t n_open;
} loop_side;

/* A call as the client's test sees it. */
typedef struct loop_call {
    unsigned n_done;
    int status;
    bool not_run; /* the server has certainly not begun it */
    uint32_t len;
    uint8_t format;
    uint8_t *data; /* a copy; freed by loop_fini. Its first meta_bytes are the metadata block */
    uint32_t meta_bytes;
} loop_call;

typedef struct loop {
    loop_side side[2]; /* 0: client, 1: server */
    tern_time now;
    tern__csession *session;
    unsigned n_up, n_lost, n_draining;
    loop_call calls[LOOP_MAX_CALLS];
    unsigned n_calls, n_done;
    void (*on_done)(struct loop *l, loop_call *call); /* may be NULL */

    void (*on_gone)(struct loop *l); /* may be NULL */

    bool marks;        /* the network marks what is delivered */
    uint64_t n_handed; /* packets that an engine got */

    /* The server: echoes, metadata included, unless `defer` is set; then requests are collected. */
    bool defer;
    uint32_t echoed; /* requests for this method are echoed in any case; 0: for none */
    int reply_status;
    const tern__body *reply; /* instead of the echo */
    struct {
        tern__request *request;
        uint32_t method, len;
        const void *data;
        uint32_t meta_bytes; /* they end where data begins */
        uint8_t format;
        bool gone, answered; /* answered: for the test's own use */
        int why;             /* its client no longer waits; 0: it does */
    } request[LOOP_MAX_SERVED];
    unsigned n_served, n_gone, n_abandoned;
    bool quits; /* what is abandoned is answered at once, by CANCELLED */
    uint64_t random;
    uint64_t live_before;
    loop_config config;
} loop;

void loop_init(loop *l, const loop_config *config);
/* A session to the server; connected when this returns. */
void loop_connect(loop *l);
/* The engine of one side dies without a word; a new one starts there. */
void loop_kill(loop *l, int side);
void loop_start(loop *l, int side);
/* Frees both engines; CHECKs that every buffer came back. */
void loop_fini(loop *l);

/* A raw request of len bytes, byte i being (uint8_t)(i * 7 + len). Returns the call's number, or the error. */
int loop_request(loop *l, uint32_t len, tern_dur timeout);
/* The same behind a metadata block of meta_bytes bytes with a pattern of its own. */
int loop_request_behind(loop *l, uint32_t meta_bytes, uint32_t len, tern_dur timeout);
bool loop_is_pattern(const void *data, uint32_t len);

/* Deliver the nth packet that `side` sent (0: the oldest) to the other side; drop it; deliver a copy of it and
 * leave it. False if there is none. */
bool loop_deliver(loop *l, int side, unsigned n);
bool loop_drop(loop *l, int side, unsigned n);
bool loop_repeat(loop *l, int side, unsigned n);
/* Deliver the n oldest packets that `side` sent as one batch, or as many of these as are as long as the first. Returns
 * how many. Not on a reliable link. */
unsigned loop_deliver_batch(loop *l, int side, unsigned n);
/* Hand bytes to a side, as if the other had sent them. */
void loop_inject(loop *l, int to, const void *bytes, uint32_t len);
/* The same, as if somebody else had: whose network is byte 3 of the route (that of the two sides: 0). */
void loop_inject_from(loop *l, int to, const tern__route *from, const void *bytes, uint32_t len);

/* Deliver everything, in order, until nothing moves any more. Time passes only until full links that have room again
 * are tried again. */
void loop_settle(loop *l);
/* The same, with time passing to the next timer whenever nothing moves, until `until`. drop: percent of packets
 * lost; they are also reordered and repeated at that rate. */
void loop_run(loop *l, tern_time until, unsigned drop);
void loop_tick(loop *l);

/* The bytes of the nth packet that side sent, to be spoilt; NULL if there is none. On a reliable link without
 * what is sent by reference. */
uint8_t *loop_bytes(loop *l, int side, unsigned n, uint32_t *len);
/* Whom the nth packet that side sent is for; NULL if there is none. It would be delivered to the other side in any
 * case. */
const tern__route *loop_route(const loop *l, int side, unsigned n);
/* The header of the nth packet that side sent. False if there is none. */
bool loop_peek(const loop *l, int side, unsigned n, tern__pkt_header *h);

/* Makes a REQ or RESP whose pkt and size are set the packet of a message that is cut into `cut` bytes, also where no
 * sender would make such a packet. */
void loop_cut(tern__pkt_header *h, uint32_t cut);
tern__engine_stats loop_stats(const loop *l, int side);
uint64_t loop_live_buffers(void);
uint32_t loop_random(loop *l, uint32_t below);

#endif

/* Metadata blocks of streaming calls: before the body of a request, behind that of a response. They arrive whole,
 * whatever their size and whatever gets lost, and a peer that breaks the rules ends the call. */
#include "engine/engine_record.h"
#include "engine/stream_client.h"
#include "engine/stream_meta.h"
#include "loop.h"

enum { P = 1024, METHOD = 5, MAX_STREAMS = 16, LIMIT = 64 << 10, OTHER_PLACE = 5 };

typedef struct end {
    tern__stream *stream;
    unsigned n_opens, n_finished, n_ends;
    int status;
    uint64_t n_read;
    uint32_t meta_bytes; /* of the peer's block */
    bool is_meta_right;
} end;

static loop l;
static end client[MAX_STREAMS], server[MAX_STREAMS];
static uint8_t block[LIMIT + P], body[128 << 10];

/* What the server does. */
static int reply_status;
static uint32_t reply_bytes, reply_meta_bytes;
static bool is_manual, defers, replies_at_once;
static bool is_noise; /* what arrives is not of `body` */

static void note_block(end *at, tern__stream *st) {
    tern__stream_block *b = tern__stream_take_block(st);
    at->meta_bytes = b ? b->bytes : 0;
    at->is_meta_right = !b || (b->got == b->bytes && memcmp(b->data, block, b->bytes) == 0);
    tern__stream_block_free(l.side[at >= server && at < server + MAX_STREAMS].engine, b);
}

static void reply(end *at) {
    tern__stream *st = at->stream;
    at->stream = NULL;
    CHECK_EQ(tern__stream_write(st, &(tern__body){.data = body, .len = reply_bytes}, l.now), 0);
    CHECK_EQ(tern__stream_finish_with(st, reply_status, (tern_bytes){block, reply_meta_bytes}, replies_at_once, l.now),
             0);
}

static void on_open(void *user, tern__stream *st, uint32_t method) {
    (void)user;
    end *at = &server[method - METHOD];
    at->stream = st;
    at->n_opens++;
    *tern__stream_user(st) = at;
    tern__stream_configure(st, &(tern__stream_opts){.manual = is_manual, .window_bytes = TERN__STREAM_MIN_WINDOW});
    note_block(at, st);
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user;
    end *at = *tern__stream_user(st);
    CHECK(is_noise || (at->n_read + len <= sizeof body && memcmp(data, body + at->n_read, len) == 0));
    at->n_read += len;
}

static void on_finished(void *user, tern__stream *st) {
    (void)user;
    end *at = *tern__stream_user(st);
    at->n_finished++;
    if (!defers) reply(at);
}

static void on_writable(void *user, tern__stream *st) { (void)user, (void)st; }

static void on_end(void *user, tern__stream *st, int status) {
    (void)user;
    end *at = *tern__stream_user(st);
    at->n_ends++;
    at->status = status;
    at->stream = NULL;
    if (at < server || at >= server + MAX_STREAMS) note_block(at, st);
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void start_with(loop_config config) {
    config.engine.streams = &callbacks;
    config.engine.max_meta_bytes = LIMIT;
    for (uint32_t i = 0; i < sizeof block; i++) block[i] = (uint8_t)(i * 5 + 1);
    for (uint32_t i = 0; i < sizeof body; i++) body[i] = (uint8_t)(i * 3 + i / 256);
    memset(client, 0, sizeof client);
    memset(server, 0, sizeof server);
    reply_status = TERN_STATUS_OK;
    reply_bytes = reply_meta_bytes = 0;
    is_manual = defers = replies_at_once = is_noise = false;
    loop_init(&l, &config);
    loop_connect(&l);
}

static void start(bool reliable) { start_with((loop_config){.reliable = reliable}); }

static void stop(void) {
    loop_fini(&l);
    CHECK_OK();
}

static void open_stream(unsigned i, uint32_t meta_bytes) {
    tern__stream_opts opts = {.block = {block, meta_bytes}};
    CHECK_EQ(tern__stream_open(l.session, METHOD + i, &opts, &client[i], l.now, &client[i].stream), 0);
}

static void send_request(unsigned i, uint32_t meta_bytes, uint32_t len) {
    open_stream(i, meta_bytes);
    if (len) CHECK_EQ(tern__stream_write(client[i].stream, &(tern__body){.data = body, .len = len}, l.now), 0);
    tern__stream_finish(client[i].stream, 0, l.now);
}

static void check_request(unsigned i, uint32_t meta_bytes, uint32_t len) {
    CHECK_EQ(server[i].n_opens, 1);
    CHECK_EQ(server[i].meta_bytes, meta_bytes);
    CHECK(server[i].is_meta_right);
    CHECK_EQ(server[i].n_read, len);
    CHECK_EQ(server[i].n_finished, 1);
}

static void check_response(unsigned i, int status, uint32_t meta_bytes, uint32_t len) {
    CHECK_EQ(client[i].n_ends, 1);
    CHECK_EQ(client[i].status, status);
    CHECK_EQ(client[i].meta_bytes, meta_bytes);
    CHECK(client[i].is_meta_right);
    CHECK_EQ(client[i].n_read, len);
}

static uint64_t n_dropped(void) { return loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped; }

static uint64_t n_charged(int side) { return l.side[side].engine->held; }

/* ---- Blocks that arrive --------------------------------------------------------------------------- */

static const uint32_t metas[] = {0, 8, 504, 1016, 1024, 1032, 4096, 20000, LIMIT};
static const uint32_t lens[] = {0, 1, 1024, 5000};

static void blocks__arrive_with_their_bodies(void) {
    for (unsigned how = 0; how < 2 * TERN__COUNT(metas) * TERN__COUNT(lens); how++) {
        uint32_t meta_bytes = metas[how / 2 % TERN__COUNT(metas)];
        uint32_t len = lens[how / 2 / TERN__COUNT(metas)];
        start(how % 2);
        reply_status = len % 2 ? TERN_STATUS_ABORTED : TERN_STATUS_OK;
        reply_bytes = len;
        reply_meta_bytes = meta_bytes;
        send_request(0, meta_bytes, len);
        loop_settle(&l);
        check_request(0, meta_bytes, len);
        check_response(0, reply_status, meta_bytes, len);
        /* No packet more than the two parts need, and none that anybody drops. */
        uint32_t n_pkts = (meta_bytes + P - 1) / P + (len + P - 1) / P;
        if (how % 2) CHECK(loop_stats(&l, 0).tx_packets <= (n_pkts ? n_pkts : 1) + 1 + len / P + 2);
        if (how % 2) CHECK_EQ(n_dropped(), 0); /* else RFR with LAST finds the call ended */
        CHECK_EQ(n_charged(0) + n_charged(1), 0);
        stop();
    }
}

static void blocks__survive_loss_and_reordering(void) {
    for (unsigned round = 0; round < 20; round++) {
        start(false);
        l.random += round;
        reply_status = TERN_STATUS_NOT_FOUND;
        reply_bytes = lens[round % TERN__COUNT(lens)];
        reply_meta_bytes = metas[round % TERN__COUNT(metas)];
        for (unsigned i = 0; i < MAX_STREAMS; i++)
            send_request(i, metas[i % TERN__COUNT(metas)], lens[i % TERN__COUNT(lens)]);
        loop_run(&l, l.now + 60 * (tern_time)TERN_SEC, 20);
        CHECK(loop_stats(&l, 0).retransmits > 10);
        for (unsigned i = 0; i < MAX_STREAMS; i++) {
            check_request(i, metas[i % TERN__COUNT(metas)], lens[i % TERN__COUNT(lens)]);
            check_response(i, reply_status, reply_meta_bytes, reply_bytes);
        }
        stop();
    }
}

/* All that may be sent before the first grant leaves beside the block, to a reader that grants nothing. */
static void block__needs_no_grant(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        is_manual = true;
        send_request(0, LIMIT, TERN__STREAM_MIN_WINDOW);
        loop_settle(&l);
        check_request(0, LIMIT, TERN__STREAM_MIN_WINDOW);
        stop();
    }
}

/* Nor does it count as written: a short buffer takes a message behind it. */
static void block__takes_no_room_of_the_buffer(void) {
    start(false);
    tern__stream_opts opts = {.block = {block, 20000}, .buffer_bytes = 1000};
    CHECK_EQ(tern__stream_open(l.session, METHOD, &opts, &client[0], l.now, &client[0].stream), 0);
    CHECK_EQ(tern__stream_waiting_bytes(client[0].stream), 0);
    CHECK_EQ(tern__stream_write(client[0].stream, &(tern__body){.data = body, .len = 500}, l.now), 0);
    CHECK_EQ(tern__stream_waiting_bytes(client[0].stream), 500);
    CHECK_EQ(tern__stream_write(client[0].stream, &(tern__body){.data = body + 500, .len = 500}, l.now), 0);
    CHECK_EQ(tern__stream_write(client[0].stream, &(tern__body){.data = body, .len = 1}, l.now), TERN_ERR_FULL);
    loop_settle(&l);
    CHECK_EQ(tern__stream_waiting_bytes(client[0].stream), 0);
    tern__stream_finish(client[0].stream, 0, l.now);
    loop_settle(&l);
    check_request(0, 20000, 1000);
    stop();
}

/* The handler is told with the last packet of the block, not before; and what comes before packet 0 waits. */
static void call__opens_once_its_block_is_whole(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        send_request(0, 3 * P, 100);
        tern__engine_tick(l.side[0].engine, l.now);
        CHECK_EQ(l.side[0].n_queued, 4);
        CHECK(loop_deliver(&l, 0, 0));
        uint64_t charged = n_charged(1);
        CHECK(charged > P);
        if (!reliable) CHECK(loop_deliver(&l, 0, 2)); /* the body */
        CHECK(loop_deliver(&l, 0, 0));
        CHECK(n_charged(1) >= charged + P); /* it grows with what has come */
        CHECK_EQ(server[0].n_opens, 0);
        CHECK_EQ(loop_stats(&l, 1).calls_served, 0);
        CHECK(loop_deliver(&l, 0, 0));
        CHECK_EQ(server[0].n_opens, 1);
        CHECK_EQ(loop_stats(&l, 1).calls_served, 1);
        loop_settle(&l);
        check_request(0, 3 * P, 100);
        stop();
    }
}

/* Until then no more is granted than a handler that wants little would. */
static void call__opens_with_packet_0(void) {
    tern__pkt_header h;
    start(false);
    is_manual = true;
    send_request(0, 0, 3 * P);
    CHECK(loop_deliver(&l, 0, 1));
    CHECK_EQ(server[0].n_opens, 0);
    CHECK(loop_peek(&l, 1, 0, &h));
    CHECK_EQ(h.type, TERN__PKT_CR);
    CHECK_EQ(h.grant, TERN__STREAM_MIN_WINDOW);
    CHECK(loop_deliver(&l, 0, 0));
    CHECK_EQ(server[0].n_opens, 1);
    CHECK_EQ(server[0].n_read, 2 * P);
    loop_settle(&l);
    check_request(0, 0, 3 * P);
    stop();
}

/* A call that ends before its handler was told of it: nobody is told of its end either, but the client. */
static void call__that_never_opens_ends_unheard(void) {
    for (int how = 0; how < 4; how++) {
        start(how & 1);
        tern__stream_opts opts = {.block = {block, 3 * P}, .deadline = l.now + (tern_time)TERN_SEC};
        CHECK_EQ(tern__stream_open(l.session, METHOD, &opts, &client[0], l.now, &client[0].stream), 0);
        tern__stream_flush(client[0].stream, l.now);
        tern__engine_tick(l.side[0].engine, l.now);
        CHECK(loop_deliver(&l, 0, 0));
        while (loop_drop(&l, 0, 0)) continue;
        CHECK(n_charged(1) > 0);
        if (how & 2) {
            tern__stream_abort(client[0].stream, 0, l.now);
            loop_settle(&l);
            if (how & 1) CHECK_EQ(n_charged(1), 0);
        }
        l.now += 2 * (tern_time)TERN_SEC;
        tern__engine_tick(l.side[1].engine, l.now);
        loop_run(&l, l.now + 3 * (tern_time)TERN_SEC, 0);
        CHECK_EQ(server[0].n_opens + server[0].n_ends, 0);
        CHECK_EQ(client[0].n_ends, !(how & 2));
        CHECK_EQ(n_charged(1), 0);
        stop();
    }
}

/* ---- Ends ----------------------------------------------------------------------------------------- */

/* What has left arrives, then the block; what has not is dropped. */
static void end_at_once__brings_its_block(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start_with((loop_config){.reliable = reliable, .capacity = 20});
        replies_at_once = true;
        reply_bytes = sizeof body;
        reply_status = TERN_STATUS_ABORTED;
        reply_meta_bytes = 3000;
        send_request(0, 0, 10);
        loop_settle(&l);
        CHECK_EQ(client[0].n_ends, 1);
        CHECK_EQ(client[0].status, TERN_STATUS_ABORTED);
        CHECK_EQ(client[0].meta_bytes, 3000);
        CHECK(client[0].is_meta_right);
        CHECK(client[0].n_read > 0 && client[0].n_read < sizeof body);
        stop();
    }
}

static void block__that_cannot_be_sent_is_refused(void) {
    static uint8_t large[TERN__MAX_META_BYTES + TERN__META_ALIGN];
    start(true);
    tern__stream *st;
    tern__stream_opts odd = {.block = {block, 12}}, beyond = {.block = {large, sizeof large}};
    CHECK_EQ(tern__stream_open(l.session, METHOD, &odd, &client[0], l.now, &st), TERN_ERR_INVALID);
    CHECK_EQ(tern__stream_open(l.session, METHOD, &beyond, &client[0], l.now, &st), TERN_ERR_LIMIT);
    defers = true;
    send_request(0, 8, 8);
    loop_settle(&l);
    CHECK(server[0].stream != NULL);
    int err = tern__stream_finish_with(server[0].stream, TERN_STATUS_ABORTED, (tern_bytes){large, sizeof large}, false,
                                       l.now);
    CHECK_EQ(err, TERN_ERR_LIMIT);
    loop_settle(&l);
    check_response(0, TERN_STATUS_ABORTED, 0, 0);
    stop();
}

/* ---- Limits --------------------------------------------------------------------------------------- */

static void block__beyond_the_limit_ends_the_call(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        send_request(0, LIMIT + TERN__META_ALIGN, 10);
        tern__engine_tick(l.side[0].engine, l.now);
        uint64_t live = loop_live_buffers();
        CHECK(loop_deliver(&l, 0, 0));
        CHECK(loop_live_buffers() < live + 6); /* the stream's record, and no block */
        loop_settle(&l);
        CHECK_EQ(server[0].n_opens, 0);
        check_response(0, TERN_STATUS_RESOURCE_EXHAUSTED, 0, 0);
        defers = true;
        send_request(1, 8, 10);
        loop_settle(&l);
        tern_bytes beyond = {block, LIMIT + TERN__META_ALIGN};
        CHECK_EQ(tern__stream_finish_with(server[1].stream, TERN_STATUS_OK, beyond, false, l.now), 0);
        loop_settle(&l);
        check_response(1, TERN_STATUS_RESOURCE_EXHAUSTED, 0, 0);
        CHECK_EQ(n_charged(0) + n_charged(1), 0);
        stop();
    }
}

/* As for a single call whose request finds no memory. */
static void block__without_room_on_the_account(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        uint64_t usual = l.side[1].engine->config.max_rx_bytes;
        l.side[1].engine->config.max_rx_bytes = 16 << 10;
        send_request(0, 40000, 10);
        loop_settle(&l);
        CHECK_EQ(server[0].n_opens, 0);
        check_response(0, TERN_STATUS_RESOURCE_EXHAUSTED, 0, 0);
        CHECK_EQ(n_charged(1), 0);
        l.side[1].engine->config.max_rx_bytes = usual;
        send_request(1, 40000, 10);
        loop_settle(&l);
        check_request(1, 40000, 10);
        stop();
    }
}

/* ---- Peers that break the rules ------------------------------------------------------------------- */

typedef struct told {
    uint32_t pkt, meta_bytes, len; /* meta_bytes: 0 for a packet without META */
    uint32_t last;                 /* or 0 */
} told;

typedef struct lie {
    told packets[4];
    unsigned n;
    bool dropped; /* as malformed, and the call goes on; else the last packet ends the call */
    bool lossy;   /* only there */
} lie;

static void inject(int to, uint32_t req, const told *t) {
    uint8_t p[TERN__PKT_MAX_HEADER_BYTES + 2 * P] = {0};
    tern__session *s = &l.session->s;
    tern__session *peer = tern__session_find(l.side[1].engine, s->peer_number);
    tern__pkt_header h = {.type = to ? TERN__PKT_REQ : TERN__PKT_RESP,
                          .flags = TERN__PKT_STREAM | s->tx_flags,
                          .session = to ? s->peer_number : s->number,
                          .tag = to ? s->tx_tag : peer->tx_tag,
                          .req = req,
                          .pkt = t->pkt,
                          .method = METHOD,
                          .meta_bytes = t->meta_bytes};
    is_noise = true;
    if (t->meta_bytes || !t->len) h.flags |= TERN__PKT_META;
    if (t->last) h.flags |= TERN__PKT_LAST;
    tern__pkt_write(&h, p);
    loop_inject(&l, to, p, tern__pkt_header_bytes(&h) + t->len);
}

static bool applies(const lie *told_lie, bool reliable) { return !(reliable && told_lie->lossy); }

static void request__that_lies_ends_with_invalid_argument(void) {
    static const lie lies[] = {
        {.packets = {{0, 0, 0, 0}}, .n = 1, .dropped = true},  /* no bytes, and of no length */
        {.packets = {{0, 16, 0, 0}}, .n = 1, .dropped = true}, /* no bytes */
        {.packets = {{0, 12, 8, 0}}, .n = 1, .dropped = true}, /* no multiple of 8 */
        {.packets = {{0, 8, 16, 0}}, .n = 1, .dropped = true}, /* more bytes than it has */
        {.packets = {{0, 16, 8, 0}, {1, 24, 8, 0}}, .n = 2},   /* another length */
        {.packets = {{0, 16, 8, 0}, {1, 16, 16, 0}}, .n = 2},  /* more than is missing */
        {.packets = {{0, 16, 8, 0}, {1, 0, 8, 0}}, .n = 2},    /* the body too soon */
        {.packets = {{0, 16, 8, 1}}, .n = 1},                  /* over before it is whole */
        {.packets = {{0, 16, 8, 0}, {1, 16, 4, 1}}, .n = 2},   /* likewise */
        {.packets = {{1, 16, 8, 0}, {2, 0, 8, 0}, {3, 24, 8, 0}}, .n = 3, .lossy = true}, /* another length, early */
        {.packets = {{1, 0, 8, 0}, {0, 16, 8, 0}}, .n = 2, .lossy = true},                /* the body too soon, early */
        {.packets = {{2, 16, 8, 1}, {1, 16, 4, 0}, {0, 16, 2, 0}},
         .n = 3,
         .lossy = true}, /* over before it is whole, early */
    };
    for (unsigned i = 0; i < 2 * TERN__COUNT(lies); i++) {
        const lie *what = &lies[i / 2];
        if (!applies(what, i % 2)) continue;
        start(i % 2);
        uint64_t dropped = loop_stats(&l, 1).rx_dropped;
        for (unsigned k = 0; k < what->n; k++) {
            CHECK_EQ(loop_stats(&l, 1).rx_dropped, dropped);
            inject(1, OTHER_PLACE, &what->packets[k]);
        }
        if (loop_stats(&l, 1).rx_dropped != dropped + 1) printf("# lie %u\n", i / 2);
        CHECK_EQ(loop_stats(&l, 1).rx_dropped, dropped + 1);
        CHECK_EQ(server[0].n_opens + server[0].n_ends, 0);
        tern__pkt_header h = {0};
        for (unsigned k = 0; loop_peek(&l, 1, k, &h);) k++;
        CHECK_EQ(h.type == TERN__PKT_RESP ? h.status : 0, what->dropped ? 0 : TERN_STATUS_INVALID_ARGUMENT);
        CHECK(what->dropped || h.flags & TERN__PKT_LAST);
        while (loop_drop(&l, 1, 0)) continue;
        is_noise = false;
        send_request(1, 64, 64); /* and all goes on */
        loop_settle(&l);
        check_request(1, 64, 64);
        stop();
    }
}

/* Once the handler runs, it is told. */
static void request__that_lies_later_ends_its_handler(void) {
    static const lie lies[] = {
        {.packets = {{0, 0, 8, 0}, {1, 16, 8, 0}}, .n = 2},                 /* the block behind the body */
        {.packets = {{0, 16, 16, 0}, {1, 16, 8, 0}}, .n = 2},               /* more of a block that is whole */
        {.packets = {{0, 16, 16, 0}, {1, 0, 8, 0}, {2, 16, 8, 0}}, .n = 3}, /* likewise, behind the body */
    };
    for (unsigned i = 0; i < 2 * TERN__COUNT(lies); i++) {
        start(i % 2);
        for (unsigned k = 0; k < lies[i / 2].n; k++) {
            CHECK_EQ(server[0].n_ends, 0);
            inject(1, 0, &lies[i / 2].packets[k]);
            CHECK_EQ(server[0].n_opens, 1);
        }
        CHECK_EQ(server[0].n_ends, 1);
        CHECK_EQ(server[0].status, TERN_STATUS_INVALID_ARGUMENT);
        stop();
    }
}

static void response__that_lies_ends_with_internal(void) {
    static const lie lies[] = {
        {.packets = {{0, 0, 0, 0}}, .n = 1, .dropped = true},
        {.packets = {{0, 12, 8, 0}}, .n = 1, .dropped = true},
        {.packets = {{0, 8, 16, 0}}, .n = 1, .dropped = true},
        {.packets = {{0, 0, 8, 0}, {1, 16, 8, 0}, {2, 24, 8, 0}}, .n = 3},  /* another length */
        {.packets = {{0, 16, 8, 0}, {1, 16, 16, 0}}, .n = 2},               /* more than is missing */
        {.packets = {{0, 16, 8, 0}, {1, 0, 8, 0}}, .n = 2},                 /* the body behind it begins */
        {.packets = {{0, 16, 16, 0}, {1, 0, 8, 0}}, .n = 2},                /* the body behind it */
        {.packets = {{0, 16, 16, 0}, {1, 16, 8, 0}}, .n = 2},               /* more of a block that is whole */
        {.packets = {{0, 0, 8, 0}, {1, 16, 8, 1}}, .n = 2},                 /* over before it is whole */
        {.packets = {{1, 16, 8, 1}, {0, 16, 4, 0}}, .n = 2, .lossy = true}, /* likewise, early */
        {.packets = {{2, 0, 8, 0}, {1, 16, 8, 0}, {0, 0, 8, 0}}, .n = 3, .lossy = true}, /* the same, early */
    };
    for (unsigned i = 0; i < 2 * TERN__COUNT(lies); i++) {
        const lie *what = &lies[i / 2];
        if (!applies(what, i % 2)) continue;
        start(i % 2);
        send_request(0, 0, 10);
        tern__engine_tick(l.side[0].engine, l.now);
        while (loop_drop(&l, 0, 0)) continue;
        uint64_t dropped = loop_stats(&l, 0).rx_dropped;
        for (unsigned k = 0; k < what->n; k++) {
            CHECK_EQ(client[0].n_ends, 0);
            inject(0, 0, &what->packets[k]);
        }
        if (client[0].n_ends == what->dropped) printf("# lie %u\n", i / 2);
        CHECK_EQ(loop_stats(&l, 0).rx_dropped, dropped + 1);
        CHECK_EQ(client[0].n_ends, !what->dropped);
        if (!what->dropped) CHECK_EQ(client[0].status, TERN_STATUS_INTERNAL);
        stop();
    }
}

TAP_MAIN(TEST(blocks__arrive_with_their_bodies), TEST(blocks__survive_loss_and_reordering), TEST(block__needs_no_grant),
         TEST(block__takes_no_room_of_the_buffer), TEST(call__opens_once_its_block_is_whole),
         TEST(call__opens_with_packet_0), TEST(call__that_never_opens_ends_unheard),
         TEST(end_at_once__brings_its_block), TEST(block__that_cannot_be_sent_is_refused),
         TEST(block__beyond_the_limit_ends_the_call), TEST(block__without_room_on_the_account),
         TEST(request__that_lies_ends_with_invalid_argument), TEST(request__that_lies_later_ends_its_handler),
         TEST(response__that_lies_ends_with_internal))

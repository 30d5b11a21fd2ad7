/* Metadata blocks before the bodies of requests and responses, and with errors: they arrive whole beside their bodies,
 * whatever their size, and packets that lie about them are dropped. */
#include "engine/engine_record.h"
#include "loop.h"

enum { P = 1024, FIRST_REQ = 0 };

static loop l;
static uint8_t block[64 << 10];

static void start_with(loop_config config) {
    for (uint32_t i = 0; i < sizeof block; i++) block[i] = (uint8_t)(i * 5 + 1);
    loop_init(&l, &config);
    loop_connect(&l);
}

static void start(bool reliable) { start_with((loop_config){.reliable = reliable}); }

static void check_echo(int n, uint32_t meta_bytes, uint32_t len) {
    const loop_call *call = &l.calls[n];
    CHECK_EQ(call->n_done, 1);
    CHECK_EQ(call->status, TERN_STATUS_OK);
    CHECK_EQ(call->len, len);
    CHECK_EQ(call->meta_bytes, meta_bytes);
    CHECK_OK();
    CHECK(loop_is_pattern(call->data, meta_bytes));
    CHECK(loop_is_pattern(call->data + meta_bytes, len));
}

static const uint32_t metas[] = {8, 16, 504, 1016, 1024, 1032, 4096, 20000};
static const uint32_t lens[] = {0, 1, 32, 600, 1024, 5000};

static void sizes(bool reliable) {
    start(reliable);
    CHECK_OK();
    for (unsigned i = 0; i < TERN__COUNT(metas); i++)
        for (unsigned k = 0; k < TERN__COUNT(lens); k++) {
            int n = loop_request_behind(&l, metas[i], lens[k], 0);
            loop_settle(&l);
            check_echo(n, metas[i], lens[k]);
            CHECK_OK();
        }
    /* No packet more than the bytes need, and none that anybody drops. */
    CHECK_EQ(loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped, 0);
    loop_fini(&l);
}

static void block__arrives_with_its_body_over_a_reliable_link(void) { sizes(true); }
static void block__arrives_with_its_body_over_a_lossy_link(void) { sizes(false); }

static void block__survives_loss_and_reordering(void) {
    start(false);
    CHECK_OK();
    for (unsigned i = 0; i < 100; i++)
        loop_request_behind(&l, metas[i % TERN__COUNT(metas)], lens[i % TERN__COUNT(lens)], 0);
    loop_run(&l, l.now + 60 * (tern_time)TERN_SEC, 20);
    CHECK(loop_stats(&l, 0).retransmits > 10);
    for (unsigned i = 0; i < 100; i++) check_echo((int)i, metas[i % TERN__COUNT(metas)], lens[i % TERN__COUNT(lens)]);
    loop_fini(&l);
}

/* A request whose handler answers later is held by its first byte, also where its body is empty. */
static void block__stays_until_the_reply(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.defer = true;
        loop_request_behind(&l, 224, 0, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(l.request[0].meta_bytes, 224);
        CHECK_EQ(l.request[0].len, 0);
        CHECK(loop_is_pattern((const uint8_t *)l.request[0].data - 224, 224));
        tern__engine_respond(l.request[0].request, TERN_STATUS_OK, NULL, l.now);
        loop_settle(&l);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
        loop_fini(&l);
    }
}

static void check_error(int n, int status, uint32_t meta_bytes) {
    CHECK_EQ(l.calls[n].n_done, 1);
    CHECK_EQ(l.calls[n].status, status);
    CHECK_EQ(l.calls[n].len, 0);
    CHECK_EQ(l.calls[n].meta_bytes, meta_bytes);
    CHECK(!meta_bytes || memcmp(l.calls[n].data, block, meta_bytes) == 0);
}

/* Of one packet and of several; the body of the answer does not go with it. */
static void error__brings_its_block(void) {
    static const tern__body ignored = {.data = "ignored", .len = 7};
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.reply_status = TERN_STATUS_ABORTED;
        for (unsigned i = 0; i < TERN__COUNT(metas); i++) {
            tern__behind behind = tern__body_behind(&ignored, block, metas[i]);
            l.reply = &behind.body;
            int n = loop_request(&l, 3 * P * (i % 2), 0);
            loop_settle(&l);
            check_error(n, TERN_STATUS_ABORTED, metas[i]);
            CHECK_OK();
        }
        CHECK_EQ(loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped, 0);
        loop_fini(&l);
    }
}

static void error__arrives_whatever_gets_lost(void) {
    start(false);
    CHECK_OK();
    tern__behind behind = tern__body_behind(NULL, block, 20000);
    l.reply_status = TERN_STATUS_NOT_FOUND;
    l.reply = &behind.body;
    for (unsigned i = 0; i < 40; i++) loop_request(&l, 100, 0);
    loop_run(&l, l.now + 60 * (tern_time)TERN_SEC, 20);
    for (unsigned i = 0; i < 40; i++) check_error((int)i, TERN_STATUS_NOT_FOUND, 20000);
    loop_fini(&l);
}

/* A block that cannot be sent: the status goes without it, and the caller is told. */
static void error__of_too_many_bytes_goes_without_them(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 10, 0);
    loop_settle(&l);
    tern__behind behind = tern__body_behind(NULL, block, TERN__MAX_META_BYTES + TERN__META_ALIGN);
    CHECK_EQ(tern__engine_respond_behind(l.request[0].request, TERN_STATUS_ABORTED, &behind, l.now), TERN_ERR_LIMIT);
    loop_settle(&l);
    check_error(0, TERN_STATUS_ABORTED, 0);
    loop_fini(&l);
}

/* The server has given up an error of several packets: what its client gets is another error. */
static void error__given_up_half_way(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start_with((loop_config){.reliable = reliable, .engine = {.max_kept_bytes = 20000}});
        CHECK_OK();
        tern__behind behind = tern__body_behind(NULL, block, 16000);
        l.reply_status = TERN_STATUS_ABORTED;
        l.reply = &behind.body;
        loop_request(&l, 10, 0);
        loop_deliver(&l, 0, 0);
        loop_deliver(&l, 1, 0); /* packet 0 of the response is here */
        l.now += (tern_time)TERN_SEC;
        loop_request(&l, 10, 0);
        while (loop_deliver(&l, 0, l.side[0].n_queued - 1) && loop_stats(&l, 1).evicted == 0) continue;
        CHECK_EQ(loop_stats(&l, 1).evicted, 1);
        loop_run(&l, l.now + 10 * (tern_time)TERN_SEC, 0);
        check_error(0, TERN_STATUS_DATA_LOSS, 0);
        check_error(1, TERN_STATUS_ABORTED, 16000);
        loop_fini(&l);
    }
}

/* A packet that says OK is none of an error's; the right one is asked for again. */
static void error__takes_no_packet_of_a_response(void) {
    start(false);
    CHECK_OK();
    tern__behind behind = tern__body_behind(NULL, block, 8000);
    l.reply_status = TERN_STATUS_ABORTED;
    l.reply = &behind.body;
    loop_request(&l, 10, 0);
    loop_deliver(&l, 0, 0);
    loop_deliver(&l, 1, 0);
    loop_deliver(&l, 0, 0); /* RFR 1 */
    uint32_t len;
    uint8_t *packet = loop_bytes(&l, 1, 0, &len);
    CHECK(packet && packet[3] == TERN_STATUS_ABORTED);
    packet[3] = TERN_STATUS_OK;
    uint64_t dropped = loop_stats(&l, 0).rx_dropped;
    loop_deliver(&l, 1, 0);
    CHECK_EQ(loop_stats(&l, 0).rx_dropped, dropped + 1);
    loop_run(&l, l.now + 10 * (tern_time)TERN_SEC, 0);
    check_error(0, TERN_STATUS_ABORTED, 8000);
    loop_fini(&l);
}

/* ---- Packets that make no sense -------------------------------------------------------------------- */

typedef struct lie {
    uint8_t type;
    uint32_t meta_bytes, size, pkt_bytes;
} lie;

/* A packet with META from the peer itself; one of several if it has not the whole message. */
static void inject(int to, const lie *told, uint8_t status) {
    uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P] = {0};
    tern__session *s = &l.session->s;
    tern__pkt_header h = {.type = told->type,
                          .flags = TERN__PKT_META,
                          .status = status,
                          .session = to ? s->peer_number : s->number,
                          .req = FIRST_REQ,
                          .method = 77,
                          .meta_bytes = told->meta_bytes,
                          .size = told->size};
    if (told->size != told->pkt_bytes) {
        h.flags |= TERN__PKT_MULTI;
        h.cut = P;
    }
    tern__pkt_write(&h, p);
    loop_inject(&l, to, p, tern__pkt_header_bytes(&h) + told->pkt_bytes);
}

static void request__that_lies_is_dropped(void) {
    static const lie lies[] = {
        {TERN__PKT_REQ, 4, 64, 64},          {TERN__PKT_REQ, 72, 64, 64}, {TERN__PKT_REQ, UINT32_MAX, 64, 64},
        {TERN__PKT_REQ, 0xfffffff8, 64, 64}, {TERN__PKT_REQ, 8, 0, 0},    {TERN__PKT_REQ, 8192, 4096, P},
        {TERN__PKT_REQ, 16, 64, 16},         {TERN__PKT_CR, 16, 64, 64},  {TERN__PKT_PING, 16, 64, 64},
        {TERN__PKT_RFR, 16, 0, 0},           {TERN__PKT_REQ, 0, 64, 64},
    };
    for (unsigned i = 0; i < TERN__COUNT(lies); i++) {
        start(true);
        CHECK_OK();
        uint64_t dropped = loop_stats(&l, 1).rx_dropped;
        inject(1, &lies[i], 0);
        if (loop_stats(&l, 1).rx_dropped == dropped) printf("# lie %u\n", i);
        CHECK_EQ(loop_stats(&l, 1).rx_dropped, dropped + 1);
        CHECK_EQ(loop_stats(&l, 1).calls_served, 0);
        int n = loop_request_behind(&l, 64, 64, 0); /* and all goes on */
        loop_settle(&l);
        check_echo(n, 64, 64);
        loop_fini(&l);
    }
}

static void response__that_lies_is_dropped(void) {
    static const lie lies[] = {
        {TERN__PKT_RESP, 0, 64, 64},          {TERN__PKT_RESP, 12, 64, 64},    {TERN__PKT_RESP, 72, 64, 64},
        {TERN__PKT_RESP, 0xfffffff8, 64, 64}, {TERN__PKT_RESP, 8192, 4096, P},
    };
    /* An error with a body; the last is no lie. */
    static const lie errors[] = {{TERN__PKT_RESP, 64, 72, 72}, {TERN__PKT_RESP, 64, 64, 64}};
    for (unsigned i = 0; i < TERN__COUNT(lies) + TERN__COUNT(errors); i++) {
        bool is_error = i >= TERN__COUNT(lies), honest = i + 1 == TERN__COUNT(lies) + TERN__COUNT(errors);
        start(true);
        CHECK_OK();
        l.defer = true;
        loop_request(&l, 10, 0);
        loop_settle(&l);
        uint64_t dropped = loop_stats(&l, 0).rx_dropped;
        inject(0, is_error ? &errors[i - TERN__COUNT(lies)] : &lies[i], is_error ? TERN_STATUS_ABORTED : 0);
        CHECK_EQ(loop_stats(&l, 0).rx_dropped, dropped + !honest);
        CHECK_EQ(l.n_done, honest);
        CHECK(!honest || l.calls[0].status == TERN_STATUS_ABORTED);
        tern__engine_respond(l.request[0].request, TERN_STATUS_OK, NULL, l.now);
        loop_settle(&l);
        CHECK_EQ(l.calls[0].status, honest ? TERN_STATUS_ABORTED : TERN_STATUS_OK);
        loop_fini(&l);
    }
}

/* An error that comes while packets of the request have not left: one packet of it is enough, more is not awaited. */
static void error__before_the_whole_request_fits_a_packet(void) {
    static const lie early = {TERN__PKT_RESP, 512, 512, 512}, large = {TERN__PKT_RESP, 2048, 2048, P};
    for (int i = 0; i < 2; i++) {
        start_with((loop_config){.reliable = true, .engine = {.credits = 2}});
        CHECK_OK();
        l.defer = true;
        loop_request(&l, 8 * P, 0);
        inject(0, i ? &large : &early, TERN_STATUS_RESOURCE_EXHAUSTED);
        CHECK_EQ(l.n_done, !i);
        CHECK(i || (l.calls[0].status == TERN_STATUS_RESOURCE_EXHAUSTED && l.calls[0].meta_bytes == 512));
        loop_settle(&l);
        CHECK_EQ(l.n_served, i);
        loop_fini(&l);
    }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(block__arrives_with_its_body_over_a_reliable_link),
                                     TEST(block__arrives_with_its_body_over_a_lossy_link),
                                     TEST(block__survives_loss_and_reordering),
                                     TEST(block__stays_until_the_reply),
                                     TEST(error__brings_its_block),
                                     TEST(error__arrives_whatever_gets_lost),
                                     TEST(error__of_too_many_bytes_goes_without_them),
                                     TEST(error__given_up_half_way),
                                     TEST(error__takes_no_packet_of_a_response),
                                     TEST(request__that_lies_is_dropped),
                                     TEST(response__that_lies_is_dropped),
                                     TEST(error__before_the_whole_request_fits_a_packet)};
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

/* What a peer that means ill can make an engine keep, in memory and in work: no more than it has sent, or a limit that
 * is the engine's. */
#include "engine/arriving.h"
#include "engine/engine_record.h"
#include "loop.h"
#include "mem/pool.h"

enum { P = 1024, METHOD = 77, MB = 1 << 20, LARGE = 64 * MB, RESPONSE = 100000 /* takes a buffer of 128 KB */ };

static loop l;
static bool reliable;
static uint32_t number; /* of the session at the server */
static uint64_t tag;

/* Learn from a call how to speak for the client. */
static void start(tern__engine_config engine) {
    tern__pkt_header h;
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = engine});
    loop_connect(&l);
    CHECK_OK();
    loop_request(&l, 10, 0);
    CHECK(loop_peek(&l, 0, 0, &h));
    number = h.session;
    tag = h.tag;
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
}

/* Hand the server a packet in the client's name, with `payload` bytes. */
static void inject(tern__pkt_header h, uint32_t payload) {
    static uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P];
    h.flags = reliable ? 0 : TERN__PKT_TAG;
    h.session = number;
    h.tag = tag;
    loop_cut(&h, P);
    tern__pkt_write(&h, p);
    loop_inject(&l, 1, p, tern__pkt_header_bytes(&h) + payload);
}

static void inject_first(uint32_t req, uint32_t size) {
    inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = req, .size = size, .method = METHOD}, P);
}

/* The last packet that the server has sent; all are forgotten. False: none. */
static bool last_sent(tern__pkt_header *h) {
    bool any = false;
    tern__engine_tick(l.side[1].engine, l.now);
    while (loop_peek(&l, 1, 0, h)) {
        any = true;
        loop_drop(&l, 1, 0);
    }
    return any;
}

static uint64_t committed_bytes(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.committed_bytes;
}

static uint64_t traffic(void) {
    tern__pool_traffic t = tern__pool_get_traffic();
    return t.populated_bytes + t.decommitted_bytes;
}

#define FOR_BOTH_LINKS for (int kind_ = 0; kind_ < 2 && (reliable = kind_ != 0, true); kind_++)

/* ---- Requests ------------------------------------------------------------------------------------- */

static void request__takes_no_memory_for_what_has_not_come(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        uint64_t before = committed_bytes();
        for (uint32_t i = 0; i < 8; i++) inject_first(80 + i, LARGE);
        CHECK_EQ(l.side[1].engine->held, TERN__ARRIVING_ALONE_BYTES + 7 * TERN__ARRIVING_BESIDE_BYTES);
        CHECK(committed_bytes() <= before + 8 * (128 << 10));
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Memory follows the packets of a request: a part as long as what is here and one packet, up to 2 MB, lies ahead. */
static void request__memory_follows_what_has_come(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        l.defer = true;
        uint64_t before = committed_bytes();
        const uint32_t size = 5 * MB, n_pkts = size / P;
        for (uint32_t k = 0; k < n_pkts && !tap_failed; k++) {
            inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 80, .pkt = k, .size = size, .method = METHOD}, P);
            uint64_t here = (uint64_t)(k + 1) * P, ahead = here < 64 << 10 ? 64 << 10 : here;
            if (ahead > 2 * MB) ahead = 2 * MB;
            CHECK(committed_bytes() <= before + here + ahead + (128 << 10));
            tern__pkt_header h;
            last_sent(&h);
        }
        CHECK_EQ(l.n_served, 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* What counts is what has come, and what lies ready for more; not what was declared. */
static void request__counts_as_its_packets_come(void) {
    FOR_BOTH_LINKS {
        const uint32_t n_pkts = LARGE / P;
        start((tern__engine_config){.max_rx_bytes = 4 * MB});
        CHECK_OK();
        l.defer = true;
        for (uint32_t k = 0; k < n_pkts && !tap_failed; k++) {
            tern__pkt_header h = {.type = TERN__PKT_REQ, .req = 80, .pkt = k, .size = LARGE, .method = METHOD};
            inject(h, P);
            CHECK(last_sent(&h));
            if (h.type == TERN__PKT_CR) {
                CHECK(l.side[1].engine->held >= (uint64_t)(k + 1) * P);
                continue;
            }
            CHECK_EQ(h.status, TERN_STATUS_RESOURCE_EXHAUSTED);
            CHECK((uint64_t)k * P >= 2 * MB);
            break;
        }
        CHECK_EQ(l.side[1].engine->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The first packet of a large request and its CANCEL in turn, of sizes that take turns, while the pool keeps all the
 * memory that it may: it gets next to none for them and gives next to none back. */
static void request__begun_and_cancelled_in_turn_is_little_work(void) {
    enum { N = 1000 };
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        void *bufs[200];
        for (int i = 0; i < 200; i++) CHECK((bufs[i] = tern_alloc(2 * MB)) != NULL);
        for (int i = 0; i < 200; i++) tern_unref(bufs[i]);
        uint64_t before = traffic();
        for (uint32_t i = 0; i < N; i++) {
            tern__pkt_header h;
            inject_first(80 + i, LARGE >> i % 4);
            inject((tern__pkt_header){.type = TERN__PKT_CANCEL, .req = 80 + i}, 0);
            last_sent(&h);
        }
        CHECK(traffic() <= before + 4 * MB);
        CHECK_EQ(l.side[1].engine->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A server that says that its response is long. */
static void response__takes_no_memory_for_what_has_not_come(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        tern__pkt_header h;
        loop_request(&l, 10, 0);
        CHECK(loop_peek(&l, 0, 0, &h));
        uint64_t before = committed_bytes();
        static uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P];
        loop_deliver(&l, 0, 0);
        CHECK(loop_peek(&l, 1, 0, &h));
        loop_drop(&l, 1, 0);
        h.size = LARGE;
        loop_cut(&h, P);
        tern__pkt_write(&h, p);
        loop_inject(&l, 0, p, tern__pkt_header_bytes(&h) + P);
        CHECK_EQ(l.n_done, 1);
        CHECK_EQ(l.side[0].engine->held, TERN__ARRIVING_ALONE_BYTES);
        CHECK(committed_bytes() <= before + (128 << 10));
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- Responses ------------------------------------------------------------------------------------ */

enum { N_KEPT = 3, MAX_KEPT = N_KEPT * (128 << 10) };

/* All eight slots have been answered, by a response each whose packet 0 has left; some are given up. */
static void answer_eight(tern_dur apart) {
    static uint8_t bytes[RESPONSE];
    static const tern__body body = {.data = bytes, .len = RESPONSE};
    tern__pkt_header h;
    start((tern__engine_config){.max_kept_bytes = MAX_KEPT});
    CHECK_OK();
    l.reply = &body;
    for (uint32_t i = 0; i < 8; i++) {
        l.now += apart;
        inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 80 + i, .size = 10, .method = METHOD}, 10);
    }
    CHECK(last_sent(&h));
    CHECK_EQ(l.side[1].engine->stats.calls_served, 9);
    CHECK_EQ(l.side[1].engine->kept_bytes, MAX_KEPT);
    CHECK_EQ(loop_stats(&l, 1).evicted, 8 - N_KEPT);
}

static void response__kept_ones_are_bounded(void) {
    FOR_BOTH_LINKS {
        answer_eight(kind_ ? 0 : TERN__KEPT_GRACE);
        CHECK_OK();
        for (uint32_t i = 0; i < 8; i++) inject((tern__pkt_header){.type = TERN__PKT_CANCEL, .req = 80 + i}, 0);
        CHECK_EQ(l.side[1].engine->kept_bytes, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Whoever asks for one that has been given up is told that, whatever he asks with, and no handler runs again. */
static void response__given_up_ends_as_lost(void) {
    static const tern__pkt_header asks[] = {{.type = TERN__PKT_RFR, .req = 80, .pkt = 0},
                                            {.type = TERN__PKT_RFR, .req = 81, .pkt = 1},
                                            {.type = TERN__PKT_RFR, .req = 81, .pkt = 90},
                                            {.type = TERN__PKT_REQ, .req = 80, .size = 10, .method = METHOD}};
    reliable = false;
    answer_eight(TERN__KEPT_GRACE);
    for (unsigned i = 0; i < TERN__COUNT(asks) && !tap_failed; i++) {
        tern__pkt_header h;
        inject(asks[i], (uint32_t)asks[i].size);
        CHECK(last_sent(&h));
        CHECK_EQ(h.type, TERN__PKT_RESP);
        CHECK_EQ(h.req, asks[i].req);
        CHECK_EQ(h.status, TERN_STATUS_DATA_LOSS);
        CHECK_EQ(h.pkt, 0);
        CHECK_EQ(h.size, 0);
    }
    CHECK_EQ(l.side[1].engine->stats.calls_served, 9);
    loop_fini(&l);
}

/* Where all are young those that came first stay, and the client of a new one is told at once. */
static void response__new_ones_are_refused_while_others_are_fetched(void) {
    FOR_BOTH_LINKS {
        answer_eight(1);
        CHECK_OK();
        tern__pkt_header h;
        inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 88 + N_KEPT, .size = 10, .method = METHOD}, 10);
        CHECK(last_sent(&h));
        CHECK_EQ(h.req, 88 + N_KEPT);
        CHECK_EQ(h.status, TERN_STATUS_DATA_LOSS);
        for (uint32_t i = 0; i < N_KEPT; i++) {
            inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 80 + i, .pkt = 1}, 0);
            CHECK(last_sent(&h));
            CHECK_EQ(h.status, TERN_STATUS_OK);
            CHECK_EQ(h.pkt, 1);
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A response that its client is fetching stays, one that nobody asks for goes, although it is newer. */
static void response__asked_for_stays(void) {
    FOR_BOTH_LINKS {
        answer_eight(TERN__KEPT_GRACE);
        CHECK_OK();
        tern__pkt_header h;
        inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 85, .pkt = 1}, 0);
        CHECK(last_sent(&h));
        CHECK_EQ(h.status, TERN_STATUS_OK);
        l.now += TERN__KEPT_GRACE;
        inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 88, .size = 10, .method = METHOD}, 10);
        inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 89, .size = 10, .method = METHOD}, 10);
        last_sent(&h);
        inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 85, .pkt = 2}, 0);
        CHECK(last_sent(&h));
        CHECK_EQ(h.req, 85);
        CHECK_EQ(h.pkt, 2);
        CHECK_EQ(h.status, TERN_STATUS_OK);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A link that loses nothing brings each RFR once. One that comes again, or too early, is dropped, and the response
 * gives way as if nobody had asked. */
static void response__asked_for_out_of_turn_goes(void) {
    tern__pkt_header h;
    reliable = true;
    answer_eight(TERN__KEPT_GRACE);
    CHECK_OK();
    for (uint32_t i = 8 - N_KEPT; i < 8; i++)
        inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 80 + i, .pkt = 1}, 0);
    last_sent(&h);
    l.now += TERN__KEPT_GRACE;
    for (uint32_t i = 8 - N_KEPT; i < 8; i++) {
        inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 80 + i, .pkt = 1}, 0);
        inject((tern__pkt_header){.type = TERN__PKT_RFR, .req = 80 + i, .pkt = 90}, 0);
    }
    CHECK(!last_sent(&h));
    inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 88, .size = 10, .method = METHOD}, 10);
    CHECK(last_sent(&h));
    CHECK_EQ(h.req, 88);
    CHECK_EQ(h.status, TERN_STATUS_OK);
    CHECK_EQ(loop_stats(&l, 1).evicted, 8 - N_KEPT + 1);
    loop_fini(&l);
}

/* A client that has a part of its response when the rest is given up. */
static void response__given_up_while_its_client_fetches_it(void) {
    FOR_BOTH_LINKS {
        static uint8_t bytes[RESPONSE];
        static const tern__body body = {.data = bytes, .len = RESPONSE};
        start((tern__engine_config){.max_kept_bytes = MAX_KEPT, .peer_timeout = 100 * TERN_SEC});
        CHECK_OK();
        l.reply = &body;
        int slow = loop_request(&l, 10, 0);
        CHECK(loop_deliver(&l, 0, 0) && loop_deliver(&l, 1, 0));
        CHECK_EQ(l.calls[slow].n_done, 0);
        for (uint32_t i = 0; i < N_KEPT; i++) {
            l.now += TERN__KEPT_GRACE;
            inject((tern__pkt_header){.type = TERN__PKT_REQ, .req = 81 + i, .size = 10, .method = METHOD}, 10);
        }
        CHECK_EQ(loop_stats(&l, 1).evicted, 1);
        loop_run(&l, l.now + TERN_SEC, 0);
        CHECK_EQ(l.calls[slow].n_done, 1);
        CHECK_EQ(l.calls[slow].status, TERN_STATUS_DATA_LOSS);
        CHECK_EQ(l.side[0].engine->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* One that is larger than the limit is kept while it is the newest. */
static void response__larger_than_the_limit(void) {
    FOR_BOTH_LINKS {
        static uint8_t bytes[8 * RESPONSE];
        static const tern__body body = {.data = bytes, .len = sizeof bytes};
        start((tern__engine_config){.max_kept_bytes = MAX_KEPT});
        CHECK_OK();
        l.reply = &body;
        loop_request(&l, 10, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 2);
        CHECK_EQ(l.calls[1].status, TERN_STATUS_OK);
        CHECK_EQ(l.calls[1].len, sizeof bytes);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A response that lies in the buffer of its request counts as the memory of that buffer, not as its addresses, of which
 * a large request takes 2 MB. */
static void response__counts_as_memory_not_as_addresses(void) {
    FOR_BOTH_LINKS {
        enum { N = 4, KEPT = N * (256 << 10) };
        start((tern__engine_config){.max_kept_bytes = KEPT});
        CHECK_OK();
        for (uint32_t i = 0; i < N; i++) loop_request(&l, RESPONSE, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_done, N + 1);
        for (uint32_t i = 1; i <= N; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        CHECK_EQ(loop_stats(&l, 1).evicted, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A client with more calls than the server keeps responses for: each ends once, some with DATA_LOSS, on a bad
 * network too. */
static void response__every_call_ends(void) {
    FOR_BOTH_LINKS {
        for (unsigned drop = 0; drop <= (reliable ? 0u : 20u); drop += 20) {
            static uint8_t bytes[RESPONSE];
            static const tern__body body = {.data = bytes, .len = RESPONSE};
            enum { N = 40 };
            unsigned n_ok = 0, n_lost = 0;
            start((tern__engine_config){.max_kept_bytes = MAX_KEPT, .peer_timeout = 100 * TERN_SEC});
            CHECK_OK();
            l.reply = &body;
            for (int i = 0; i < N; i++) loop_request(&l, 10, 0);
            loop_run(&l, l.now + 50 * TERN_SEC, drop);
            CHECK_EQ(l.n_done, N + 1);
            for (int i = 1; i <= N; i++) {
                CHECK_EQ(l.calls[i].n_done, 1);
                n_ok += l.calls[i].status == TERN_STATUS_OK && l.calls[i].len == RESPONSE;
                n_lost += l.calls[i].status == TERN_STATUS_DATA_LOSS;
            }
            printf("# %u OK, %u given up\n", n_ok, n_lost);
            CHECK_EQ(n_ok + n_lost, N);
            CHECK(n_ok > 0 && n_lost > 0);
            CHECK_EQ(l.side[1].engine->stats.calls_served, N + 1);
            CHECK(l.side[1].engine->kept_bytes <= MAX_KEPT);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* The first test is the first user of the pool, whose buffers keep the memory that they got. */
TAP_MAIN(TEST(response__counts_as_memory_not_as_addresses), TEST(request__begun_and_cancelled_in_turn_is_little_work),
         TEST(request__takes_no_memory_for_what_has_not_come), TEST(request__memory_follows_what_has_come),
         TEST(request__counts_as_its_packets_come), TEST(response__takes_no_memory_for_what_has_not_come),
         TEST(response__kept_ones_are_bounded), TEST(response__given_up_ends_as_lost), TEST(response__asked_for_stays),
         TEST(response__asked_for_out_of_turn_goes), TEST(response__new_ones_are_refused_while_others_are_fetched),
         TEST(response__given_up_while_its_client_fetches_it), TEST(response__larger_than_the_limit),
         TEST(response__every_call_ends))

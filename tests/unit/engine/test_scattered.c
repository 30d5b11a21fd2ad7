/* Messages with copied bytes between the values that are sent from where they lie, as protobuf's: each byte arrives in
 * its place, each value is held as long as somebody may need it, and the counters say what was copied. */
#include "engine/engine_record.h"
#include "engine/kept_responses.h"
#include "engine/ready.h"
#include "loop.h"

typedef struct mixed {
    uint32_t id;
    tern_list_bytes parts;
    tern_bytes tail;
    tern_unknown unknown;
} mixed;

static const tern_field fields[] = {
    TERN_FIELD(1, offsetof(mixed, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(mixed, parts), 0, 0, TERN_BYTES, TERN_FIELD_REPEATED, sizeof(tern_bytes)),
    TERN_FIELD(3, offsetof(mixed, tail), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};
static const char *const names[] = {"id", "parts", "tail"};
static const tern_type mixed_type = {.name = "test.Mixed",
                                     .fields = fields,
                                     .field_names = names,
                                     .n_fields = 3,
                                     .n_dense = 3,
                                     .size_bytes = sizeof(mixed),
                                     .unknown_offset = offsetof(mixed, unknown),
                                     .max_number = 3};

enum { MAX_PARTS = 300, SMALL = 20 };

static loop l;

/* A message, its values in memory of their own, and its encoding. */
typedef struct sample {
    mixed m;
    tern_bytes parts[MAX_PARTS];
    unsigned n_large; /* values in the pool that are large */
    uint64_t large_bytes, small_bytes;
    uint8_t *bytes;
    size_t len;
} sample;

static sample s;

static uint8_t *value(uint32_t len, unsigned salt) {
    uint8_t *p = tern_alloc(len);
    for (uint32_t i = 0; i < len; i++) p[i] = (uint8_t)(i * 7 + len + salt);
    return p;
}

/* n parts, every third of them small, the others of `len` bytes; and a small value behind them all if `tail` is set. */
static void sample_make(unsigned n, uint32_t len, bool tail) {
    memset(&s, 0, sizeof s);
    for (unsigned i = 0; i < n; i++) {
        uint32_t size = i % 3 == 1 ? SMALL : len;
        s.parts[i] = tern_bytes_of(value(size, i), size);
        s.n_large += size == len;
        s.large_bytes += size == len ? size : 0;
        s.small_bytes += size == len ? 0 : size;
    }
    s.m = (mixed){.id = 300, .parts = {s.parts, n, 0}};
    if (tail) s.m.tail = tern_bytes_of("the end", 7);
    if (tail) s.small_bytes += 7;
    s.len = (size_t)tern_protobuf_size(&mixed_type, &s.m);
    s.bytes = malloc(s.len);
    CHECK_EQ(tern_protobuf_encode(&mixed_type, &s.m, s.bytes, s.len), s.len);
}

/* The sender's references go, and what was freed gets another owner. */
static void sample_drop(void) {
    void *next[64];
    for (size_t i = 0; i < s.m.parts.len; i++) tern_unref(s.parts[i].data);
    for (int i = 0; i < 64; i++) memset(next[i] = tern_alloc(s.parts[0].len), 0xdd, s.parts[0].len);
    for (int i = 0; i < 64; i++) tern_unref(next[i]);
}

static void sample_fini(void) {
    free(s.bytes);
    s.bytes = NULL;
}

static tern__body body_of(void) {
    return (tern__body){.type = &mixed_type, .data = &s.m, .format = TERN_FORMAT_PROTOBUF};
}

static int send(const tern__body *body) {
    loop_call *call = &l.calls[l.n_calls];
    memset(call, 0, sizeof *call);
    int err = tern__engine_request(l.session, 1, body, 0, call, l.now);
    return err ? err : (int)l.n_calls++;
}

static void start(loop_config config) {
    loop_init(&l, &config);
    loop_connect(&l);
    l.defer = true;
}

/* One message was sent. all: the large values in place, else none of them. */
static void check_sent(int side, bool all) {
    tern__engine_stats stats = loop_stats(&l, side);
    CHECK_EQ(stats.tx_messages, 1);
    CHECK_EQ(stats.inplace_values, all ? s.n_large : 0);
    CHECK_EQ(stats.inplace_bytes, all ? s.large_bytes : 0);
    CHECK_EQ(stats.copied_bytes, s.small_bytes + (all ? 0 : s.large_bytes));
}

/* Of a message of several packets, these have too few entries for shorter values. */
enum { LEAST_OF_SEVERAL = 1024 };

static void check_released(void) {
    for (size_t i = 0; i < s.m.parts.len; i++)
        if (s.parts[i].len != SMALL) CHECK_EQ(tern_refcount(s.parts[i].data), 0);
}

/* ---- Requests -------------------------------------------------------------------------------------- */

static void request__freed_after_the_send(void) {
    static const uint32_t lens[] = {512, 600, 1024, 3000};
    unsigned n_all = 0;
    for (unsigned i = 0; i < 4 * 2 * 2 * 3; i++) {
        bool reliable = i & 1, tail = i & 2;
        unsigned n = (const unsigned[]){1, 2, 40}[i / 4 % 3];
        uint32_t len = lens[i / 12 % 4];
        start((loop_config){.reliable = reliable, .max_packet = i & 1 ? 4096 : 1060});
        CHECK_OK();
        sample_make(n, len, tail);
        bool all = len >= LEAST_OF_SEVERAL || s.len <= l.session->s.payload_bytes;
        tern__body body = body_of();
        CHECK_EQ(send(&body), 0);
        for (size_t k = 0; k < n; k++)
            if (all && s.parts[k].len != SMALL) CHECK(tern_refcount(s.parts[k].data) > 1);
        sample_drop();
        if (!reliable) { /* lost, and sent again */
            loop_tick(&l);
            while (loop_drop(&l, 0, 0)) continue;
            loop_run(&l, l.now + 200 * TERN_MS, 0);
        } else {
            loop_settle(&l);
        }
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(l.request[0].format, TERN_FORMAT_PROTOBUF);
        CHECK_EQ(l.request[0].len, s.len);
        CHECK_MEM(l.request[0].data, s.bytes, s.len);
        check_sent(0, all);
        n_all += all;
        CHECK_OK();
        tern__engine_respond(l.request[0].request, 0, NULL, l.now);
        loop_settle(&l);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
        check_released();
        CHECK_OK();
        sample_fini();
        loop_fini(&l);
        CHECK_OK();
    }
    CHECK_EQ(n_all, 40);
}

/* Packets of all kinds of cuts are sent again, in any order. */
static void request__sent_again_from_the_middle(void) {
    static const uint32_t lens[] = {1024, 1025, 1700, 2048, 5000};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        start((loop_config){0});
        CHECK_OK();
        sample_make(60, lens[i], i & 1);
        tern__body body = body_of();
        CHECK_EQ(send(&body), 0);
        sample_drop();
        tern_time end = l.now + 60 * (tern_time)TERN_SEC;
        while (!l.n_served && l.now < end) loop_run(&l, l.now + TERN_MS, 30);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(l.request[0].len, s.len);
        CHECK_MEM(l.request[0].data, s.bytes, s.len);
        CHECK(loop_stats(&l, 0).retransmits > 5);
        check_sent(0, true);
        CHECK_OK();
        sample_fini();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Behind a metadata block, whose bytes begin the message. */
static void request__behind_metadata(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start((loop_config){.reliable = reliable});
        CHECK_OK();
        sample_make(10, 1800, true);
        uint8_t block[64];
        memset(block, 0x77, sizeof block);
        tern__body body = body_of();
        tern__behind behind = tern__body_behind(&body, block, sizeof block);
        CHECK_EQ(send(&behind.body), 0);
        sample_drop();
        loop_run(&l, l.now + 100 * TERN_MS, 0);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(l.request[0].meta_bytes, sizeof block);
        CHECK_MEM((const uint8_t *)l.request[0].data - sizeof block, block, sizeof block);
        CHECK_EQ(l.request[0].len, s.len);
        CHECK_MEM(l.request[0].data, s.bytes, s.len);
        check_sent(0, true);
        CHECK_OK();
        sample_fini();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* More values than a packet has entries for: of a message of several packets only those stay in place that leave each
 * packet entries enough, and of one packet all if they fit. */
static void threshold__raised_when_entries_run_out(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint32_t len = 64; len <= 4096; len *= 2) {
            start((loop_config){.reliable = reliable, .max_packet = 8192, .engine.threshold = 64});
            CHECK_OK();
            sample_make(200, len, true);
            tern__body body = body_of();
            CHECK_EQ(send(&body), 0);
            sample_drop();
            loop_run(&l, l.now + 200 * TERN_MS, 0);
            CHECK_EQ(l.n_served, 1);
            CHECK_EQ(l.request[0].len, s.len);
            CHECK_MEM(l.request[0].data, s.bytes, s.len);
            check_sent(0, len >= LEAST_OF_SEVERAL);
            CHECK_OK();
            sample_fini();
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* A pointer to memory that was freed, behind others that were not: the caller is told, and no reference stays. */
static void request__dead_value(void) {
#ifdef __SANITIZE_ADDRESS__
    SKIP("the address sanitizer does not like the use of freed memory that is tested here");
#endif
    for (int reliable = 0; reliable < 2; reliable++) {
        start((loop_config){.reliable = reliable});
        CHECK_OK();
        sample_make(6, 3000, true);
        tern_unref(s.parts[3].data);
        tern__body body = body_of();
        CHECK_EQ(send(&body), TERN_ERR_INVALID);
        CHECK_EQ(l.side[0].n_queued, 0);
        CHECK_EQ(tern_refcount(s.parts[0].data), 1);
        CHECK_EQ(tern_refcount(s.parts[5].data), 1);
        for (unsigned i = 0; i < 6; i++)
            if (i != 3) tern_unref(s.parts[i].data);
        sample_fini();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- Responses ------------------------------------------------------------------------------------- */

/* What a kept response keeps from others: its own buffer once, and those of the values. */
static void response__is_on_the_account(void) {
    start((loop_config){0});
    CHECK_OK();
    CHECK_EQ(loop_request(&l, 10, 0), 0);
    loop_settle(&l);
    sample_make(3, 5000, true);
    tern__body body = body_of();
    CHECK_EQ(tern__engine_respond(l.request[0].request, 0, &body, l.now), 0);
    check_sent(1, true);
    CHECK_OK();
    CHECK_EQ(tern_refcount(s.parts[0].data), 2);
    CHECK_EQ(tern_refcount(s.parts[1].data), 1);
    uint64_t kept = l.side[1].engine->kept_bytes;
    CHECK(kept > 2 * 8192 && kept <= 2 * 8192 + 512);
    sample_drop();
    loop_settle(&l);
    CHECK_EQ(l.calls[0].len, s.len);
    CHECK_MEM(l.calls[0].data, s.bytes, s.len);
    CHECK_EQ(l.side[1].engine->kept_bytes, kept);
    loop_run(&l, l.now + 10 * (tern_time)TERN_SEC, 0); /* until the client has said that it has the response */
    CHECK_EQ(l.side[1].engine->kept_bytes, 0);
    check_released();
    CHECK_OK();
    sample_fini();
    loop_fini(&l);
}

/* As a worker makes it: encoded away from the engine, and counted when it is sent. */
static void response__made_by_a_worker(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start((loop_config){.reliable = reliable});
        CHECK_OK();
        CHECK_EQ(loop_request(&l, 10, 0), 0);
        loop_settle(&l);
        sample_make(7, 2000, false);
        tern__body body = body_of();
        tern__terms terms;
        tern__ready ready = {0};
        tern__request_terms(l.request[0].request, &terms);
        CHECK_EQ(tern__ready_make(&terms, &body, &ready), 0);
        sample_drop();
        CHECK_EQ(tern__engine_respond_ready(l.request[0].request, 0, &ready, l.now), 0);
        loop_settle(&l);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
        CHECK_EQ(l.calls[0].len, s.len);
        CHECK_MEM(l.calls[0].data, s.bytes, s.len);
        check_sent(1, true);
        CHECK_OK();
        sample_fini();
        loop_fini(&l);
        CHECK_OK();
    }
}

TAP_MAIN(TEST(request__freed_after_the_send), TEST(request__sent_again_from_the_middle), TEST(request__behind_metadata),
         TEST(threshold__raised_when_entries_run_out), TEST(request__dead_value), TEST(response__is_on_the_account),
         TEST(response__made_by_a_worker))

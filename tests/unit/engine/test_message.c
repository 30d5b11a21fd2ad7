/* Messages on their way out: what is copied, what is sent from where it is, and how long it is kept. */
#include "loop.h"

typedef struct vals {
    tern_list_bytes vals;
    tern_unknown unknown;
} vals;

static const tern_field fields[] = {
    {.number = 1, .kind = TERN_BYTES, .flags = TERN_FIELD_REPEATED, .elem_bytes = sizeof(tern_bytes)}};
static const char *const names[] = {"vals"};
static const tern_type vals_type = {.name = "test.Vals",
                                    .fields = fields,
                                    .field_names = names,
                                    .n_fields = 1,
                                    .n_dense = 1,
                                    .size_bytes = sizeof(vals),
                                    .unknown_offset = offsetof(vals, unknown),
                                    .max_number = 1};

enum { MAX_VALS = 600 };

static loop l;
static tern_bytes list[MAX_VALS];

static void start(loop_config config) {
    loop_init(&l, &config);
    loop_connect(&l);
}

/* A pool buffer with a pattern. */
static uint8_t *value(uint32_t len) {
    uint8_t *p = tern_alloc(len);
    for (uint32_t i = 0; i < len; i++) p[i] = (uint8_t)(i * 7 + len);
    return p;
}

/* What the next owner of freed memory would do to it. */
static void scribble(uint32_t len) {
    void *p[64];
    for (int i = 0; i < 64; i++) memset(p[i] = tern_alloc(len), 0xdd, len);
    for (int i = 0; i < 64; i++) tern_unref(p[i]);
}

static tern__body typed(vals *v, unsigned n) {
    *v = (vals){.vals = {.data = list, .len = n}};
    return (tern__body){.type = &vals_type, .data = v};
}

static int send(const tern__body *body) {
    loop_call *call = &l.calls[l.n_calls];
    memset(call, 0, sizeof *call);
    int err = tern__engine_request(l.session, 1, body, 0, call, l.now);
    return err ? err : (int)l.n_calls++;
}

/* The message is n values, the ith `len` bytes of the pattern. */
static void check_vals(const void *data, uint32_t bytes, unsigned n, uint32_t len) {
    tern_arena arena;
    vals v;
    tern_arena_init(&arena, 0, 0);
    int err = tern_hybrid_decode(&vals_type, data, bytes, &arena, NULL, &v);
    bool right = err == 0 && v.vals.len == n;
    for (unsigned i = 0; right && i < n; i++)
        right = v.vals.data[i].len == len && loop_is_pattern(v.vals.data[i].data, len);
    tern_arena_fini(&arena);
    CHECK(right);
}

/* Values that are freed as soon as they are sent arrive whole, over both links, in one packet and in many. */
static void inplace__freed_after_the_send(unsigned n, uint32_t len, bool reliable) {
    vals v;
    start((loop_config){.reliable = reliable});
    CHECK_OK();
    l.defer = true;
    for (unsigned i = 0; i < n; i++) list[i] = tern_bytes_of(value(len), len);
    tern__body body = typed(&v, n);
    CHECK_EQ(send(&body), 0);
    for (unsigned i = 0; i < n; i++) {
        CHECK(tern_refcount(list[i].data) > 1); /* the retained message, the link, or both */
        tern_unref(list[i].data);
    }
    scribble(len);
    if (!reliable) { /* lost, and sent again */
        loop_tick(&l);
        while (loop_drop(&l, 0, 0)) continue;
        loop_run(&l, l.now + 100 * TERN_MS, 0);
    } else {
        loop_settle(&l);
    }
    CHECK_EQ(l.n_served, 1);
    check_vals(l.request[0].data, l.request[0].len, n, len);
    CHECK_OK();
    tern__engine_stats stats = loop_stats(&l, 0);
    CHECK_EQ(stats.inplace_values, n);
    CHECK_EQ(stats.inplace_bytes, (uint64_t)n * len);
    CHECK_EQ(stats.copied_bytes, 0);
    CHECK_EQ(stats.tx_messages, 1);
    tern__engine_respond(l.request[0].request, 0, NULL, l.now);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
    for (unsigned i = 0; i < n; i++) CHECK_EQ(tern_refcount(list[i].data), 0);
    loop_fini(&l);
}

static void inplace__one_packet_reliable(void) { inplace__freed_after_the_send(1, 600, true); }
static void inplace__one_packet_lossy(void) { inplace__freed_after_the_send(1, 600, false); }
static void inplace__many_packets_reliable(void) { inplace__freed_after_the_send(20, 3000, true); }
static void inplace__many_packets_lossy(void) { inplace__freed_after_the_send(20, 3000, false); }

/* Packets of all kinds of cuts through the values are sent again, in any order. */
static void inplace__sent_again_from_the_middle(void) {
    static const uint32_t lens[] = {512, 700, 1024, 2048, 5000};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        vals v;
        start((loop_config){0});
        CHECK_OK();
        l.defer = true;
        for (unsigned k = 0; k < 60; k++) list[k] = tern_bytes_of(value(lens[i]), lens[i]);
        tern__body body = typed(&v, 60);
        CHECK_EQ(send(&body), 0);
        for (unsigned k = 0; k < 60; k++) tern_unref(list[k].data);
        tern_time end = l.now + 60 * (tern_time)TERN_SEC;
        while (!l.n_served && l.now < end) loop_run(&l, l.now + TERN_MS, 30);
        CHECK_EQ(l.n_served, 1);
        check_vals(l.request[0].data, l.request[0].len, 60, lens[i]);
        CHECK_OK();
        CHECK(loop_stats(&l, 0).retransmits > 5);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The response's values stay pinned until the client's next request on the slot, or until the client, idle,
 * has said that it has them. */
static void inplace__response_is_unpinned_when_the_client_is_idle(void) {
    vals v;
    start((loop_config){0});
    CHECK_OK();
    uint8_t *p = value(5000);
    list[0] = tern_bytes_of(p, 5000);
    tern__body body = typed(&v, 1);
    l.reply = &body;
    CHECK_EQ(loop_request(&l, 10, 0), 0);
    loop_settle(&l);
    check_vals(l.calls[0].data, l.calls[0].len, 1, 5000);
    CHECK_OK();
    CHECK_EQ(tern_refcount(p), 2);
    l.reply = NULL;
    CHECK_EQ(loop_request(&l, 10, 0), 1);
    loop_settle(&l);
    CHECK_EQ(tern_refcount(p), 1);
    l.reply = &body;
    CHECK_EQ(loop_request(&l, 10, 0), 2);
    loop_settle(&l);
    CHECK_EQ(tern_refcount(p), 2);
    l.reply = NULL;
    loop_run(&l, l.now + 1100 * TERN_MS, 0);
    CHECK_EQ(tern_refcount(p), 1);
    loop_run(&l, l.now + 10 * (tern_time)TERN_SEC, 0);
    CHECK(tern__engine_next_due(l.side[0].engine) == UINT64_MAX);
    tern_unref(p);
    loop_fini(&l);
}

/* On a reliable link nothing is kept at all. */
static void reliable__retains_nothing(void) {
    start((loop_config){.reliable = true});
    CHECK_OK();
    loop_request(&l, 1000, 0);
    loop_settle(&l);
    uint64_t live = loop_live_buffers(); /* the slots are here by now */
    loop_request(&l, 1000, 0);
    CHECK_EQ(loop_live_buffers(), live);
    CHECK_EQ(loop_stats(&l, 0).copied_bytes, 2000);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 2);
    loop_fini(&l);
}

/* A threshold that makes more values than a packet has entries is raised for that message. */
static void threshold__raised_when_entries_run_out(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        vals v;
        start((loop_config){.reliable = reliable, .max_packet = 16000, .engine.threshold = 1});
        CHECK_OK();
        l.defer = true;
        uint8_t *p = value(16);
        for (unsigned i = 0; i < MAX_VALS; i++) list[i] = tern_bytes_of(p, 16);
        tern__body body = typed(&v, 20);
        CHECK_EQ(send(&body), 0);
        CHECK_EQ(loop_stats(&l, 0).inplace_values, 20);
        body = typed(&v, 100);
        CHECK_EQ(send(&body), 1);
        CHECK_EQ(loop_stats(&l, 0).inplace_values, 20);
        CHECK_EQ(loop_stats(&l, 0).copied_bytes, 1600);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 2);
        check_vals(l.request[0].data, l.request[0].len, 20, 16);
        check_vals(l.request[1].data, l.request[1].len, 100, 16);
        CHECK_OK();
        tern_unref(p);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void threshold__never_in_place(void) {
    vals v;
    start((loop_config){.engine.threshold = UINT32_MAX});
    CHECK_OK();
    uint8_t *p = value(3000);
    list[0] = tern_bytes_of(p, 3000);
    tern__body body = typed(&v, 1);
    CHECK_EQ(send(&body), 0);
    CHECK_EQ(loop_stats(&l, 0).inplace_values, 0);
    CHECK_EQ(loop_stats(&l, 0).copied_bytes, 3000);
    CHECK_EQ(tern_refcount(p), 1);
    tern_unref(p);
    loop_fini(&l);
}

static void raw__in_place_or_copied(void) {
    start((loop_config){.reliable = true});
    CHECK_OK();
    uint8_t *p = value(900);
    tern__body body = {.data = p, .len = 900};
    CHECK_EQ(send(&body), 0);
    CHECK_EQ(loop_stats(&l, 0).inplace_bytes, 900);
    body.len = 400;
    CHECK_EQ(send(&body), 1);
    CHECK_EQ(loop_stats(&l, 0).inplace_bytes, 900);
    CHECK_EQ(loop_stats(&l, 0).copied_bytes, 400);
    tern_unref(p);
    loop_settle(&l);
    CHECK(loop_is_pattern(l.calls[0].data, 900));
    CHECK_EQ(l.calls[1].len, 400);
    loop_fini(&l);
}

/* A packet larger than the link takes inline is retained and posted from there. */
static void raw__larger_than_max_inline(void) {
    start((loop_config){.reliable = true, .max_packet = 60000});
    CHECK_OK();
    l.side[0].link.max_inline = l.side[1].link.max_inline = 4096;
    CHECK_EQ(loop_request(&l, 50000, 0), 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].len, 50000);
    CHECK(loop_is_pattern(l.calls[0].data, 50000));
    CHECK_EQ(loop_stats(&l, 0).tx_packets, 2); /* CONNECT and this */
    loop_fini(&l);
}

static void protobuf__when_asked(void) {
    vals v;
    start((loop_config){0});
    CHECK_OK();
    l.defer = true;
    uint8_t *p = value(2000);
    list[0] = tern_bytes_of(p, 2000);
    tern__body body = typed(&v, 1);
    body.format = TERN_FORMAT_PROTOBUF;
    CHECK_EQ(send(&body), 0);
    tern_unref(p);
    loop_settle(&l);
    CHECK_EQ(l.request[0].format, TERN_FORMAT_PROTOBUF);
    CHECK_EQ(l.request[0].len, 2003);
    CHECK(loop_is_pattern((const uint8_t *)l.request[0].data + 3, 2000));
    loop_fini(&l);
}

/* The choice left to us, and a field number that hybrid has no bit for. */
static void protobuf__where_hybrid_cannot(void) {
    struct {
        tern_bytes far;
        tern_unknown unknown;
    } msg = {.far = tern_bytes_of("abc", 3)};
    static const tern_field far_field[] = {{.number = 70000, .kind = TERN_BYTES, .elem_bytes = sizeof(tern_bytes)}};
    static const tern_type far_type = {.name = "test.Far",
                                       .fields = far_field,
                                       .field_names = names,
                                       .n_fields = 1,
                                       .size_bytes = sizeof msg,
                                       .unknown_offset = sizeof(tern_bytes),
                                       .max_number = 70000};
    tern__body body = {.type = &far_type, .data = &msg};
    start((loop_config){0});
    CHECK_OK();
    l.defer = true;
    CHECK_EQ(send(&body), 0);
    loop_settle(&l);
    CHECK_EQ(l.request[0].format, TERN_FORMAT_PROTOBUF);
    CHECK_EQ(l.request[0].len, 7); /* a key of 3 bytes, a length, the value */
    body.format = TERN_FORMAT_HYBRID;
    CHECK_EQ(send(&body), TERN_ERR_UNSUPPORTED);
    loop_fini(&l);
}

/* A pointer to memory that was freed: the caller is told, nothing is sent. */
static void inplace__dead_value(void) {
#ifdef __SANITIZE_ADDRESS__
    SKIP("the address sanitizer does not like the use of freed memory that is tested here");
#endif
    for (int reliable = 0; reliable < 2; reliable++) {
        vals v;
        start((loop_config){.reliable = reliable});
        CHECK_OK();
        uint8_t *p = value(3000);
        list[0] = tern_bytes_of(p, 3000);
        tern__body body = typed(&v, 1);
        tern_unref(p);
        CHECK_EQ(send(&body), TERN_ERR_INVALID);
        CHECK_EQ(l.side[0].n_queued, 0);
        l.defer = true;
        CHECK_EQ(loop_request(&l, 10, 0), 0);
        loop_settle(&l);
        CHECK_EQ(tern__engine_respond(l.request[0].request, 0, &body, l.now), TERN_ERR_INVALID);
        loop_settle(&l);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_INTERNAL);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void respond__too_large(void) {
    start((loop_config){0});
    CHECK_OK();
    l.defer = true;
    CHECK_EQ(loop_request(&l, 10, 0), 0);
    loop_settle(&l);
    tern__body body = {.data = list, .len = (64u << 20) + 1};
    CHECK_EQ(tern__engine_respond(l.request[0].request, 0, &body, l.now), TERN_ERR_LIMIT);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_RESOURCE_EXHAUSTED);
    loop_fini(&l);
}

/* A server that answers before it can have the request: the packet that waits for its flush still has its
 * bytes when it leaves (eRPC 4.2.2). */
static void limbo__answered_before_the_flush(void) {
    start((loop_config){0});
    CHECK_OK();
    tern__pkt_header h, forged = {.type = TERN__PKT_RESP, .flags = TERN__PKT_TAG};
    uint8_t p[32];
    CHECK_EQ(loop_request(&l, 10, 0), 0);
    loop_deliver(&l, 0, 0);
    CHECK(loop_peek(&l, 1, 0, &h));
    forged.session = h.session;
    forged.tag = h.tag;
    forged.req = h.req + 8;
    loop_settle(&l);
    uint8_t *big = value(900);
    tern__body body = {.data = big, .len = 900};
    CHECK_EQ(send(&body), 1);
    tern_unref(big);
    tern__pkt_write(&forged, p);
    loop_inject(&l, 0, p, sizeof p);
    CHECK_EQ(l.calls[1].n_done, 1);
    scribble(900);
    l.defer = true;
    loop_settle(&l);
    CHECK_EQ(l.n_served, 1);
    CHECK(loop_is_pattern(l.request[0].data, 900));
    loop_fini(&l);
}

TAP_MAIN(TEST(inplace__one_packet_reliable), TEST(inplace__one_packet_lossy), TEST(inplace__many_packets_reliable),
         TEST(inplace__many_packets_lossy), TEST(inplace__sent_again_from_the_middle),
         TEST(inplace__response_is_unpinned_when_the_client_is_idle), TEST(reliable__retains_nothing),
         TEST(threshold__raised_when_entries_run_out), TEST(threshold__never_in_place), TEST(raw__in_place_or_copied),
         TEST(raw__larger_than_max_inline), TEST(protobuf__when_asked), TEST(protobuf__where_hybrid_cannot),
         TEST(inplace__dead_value), TEST(respond__too_large), TEST(limbo__answered_before_the_flush))

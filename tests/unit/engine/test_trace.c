/* The events that one engine makes of packets that it cannot use, and what a trace does to the short ways. */
#include "engine/engine_record.h"
#include "loop.h"

enum { P = 1024 };

static loop l;
static unsigned n_dropped, n_events;
static uint8_t reason, kind_last;

static void on_event(void *user, const tern__trace_event *event) {
    (void)user;
    n_events++;
    kind_last = event->kind;
    if (event->kind != TERN__TRACE_DROPPED) return;
    n_dropped++;
    reason = event->packet.reason;
}

static void start(bool traced) {
    loop_config config = {0};
    if (traced) config.engine.trace = on_event;
    loop_init(&l, &config);
    loop_connect(&l);
    n_dropped = n_events = 0;
}

/* ---- Why a packet is dropped ---------------------------------------------------------------------- */

/* What is wrong with a packet to a side. */
typedef struct row {
    const char *what;
    int to; /* 0: the client; 1: the server */
    uint8_t expected;
    tern__pkt_header h; /* session 0: the right one */
    uint32_t payload;
    bool other_tag;
} row;

static const row rows[] = {
    {"an unknown session", 1, TERN__DROP_UNKNOWN_SESSION, {.type = TERN__PKT_REQ, .session = 0xfff00001}, 0, false},
    {"another tag", 1, TERN__DROP_FORGED, {.type = TERN__PKT_PING}, 0, true},
    {"a RESP to the server", 1, TERN__DROP_WRONG_SIDE, {.type = TERN__PKT_RESP}, 0, false},
    {"a REQ to the client", 0, TERN__DROP_WRONG_SIDE, {.type = TERN__PKT_REQ}, 0, false},
    {"a RESP that nobody waits for", 0, TERN__DROP_NO_SUCH_CALL, {.type = TERN__PKT_RESP, .req = 8}, 0, false},
    {"a CR that nobody waits for", 0, TERN__DROP_NO_SUCH_CALL, {.type = TERN__PKT_CR, .req = 8}, 0, false},
    {"too little payload", 1, TERN__DROP_MALFORMED, {.type = TERN__PKT_REQ, .req = 8, .size = 99 * P}, 10, false},
    {"a packet far ahead",
     1,
     TERN__DROP_OUT_OF_WINDOW,
     {.type = TERN__PKT_REQ, .req = 8, .pkt = 64, .size = 99 * P},
     P,
     false},
    {"an RFR for no response", 1, TERN__DROP_NO_SUCH_CALL, {.type = TERN__PKT_RFR, .req = 8}, 0, false},
    {"a CANCEL of the past", 1, TERN__DROP_NO_SUCH_CALL, {.type = TERN__PKT_CANCEL, .req = -16u}, 0, false},
    {"a CONNECT without a payload", 1, TERN__DROP_MALFORMED, {.type = TERN__PKT_CONNECT}, 0, false},
    {"an ACCEPT without a payload", 0, TERN__DROP_MALFORMED, {.type = TERN__PKT_ACCEPT}, 0, false},
    {"a REFUSE of nothing", 0, TERN__DROP_UNASKED, {.type = TERN__PKT_REFUSE}, 0, false},
    {"a RETRY of nothing", 0, TERN__DROP_UNASKED, {.type = TERN__PKT_RETRY}, 0, false},
};

static void inject(const row *r) {
    static uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P];
    const tern__session *client = &l.session->s;
    tern__pkt_header h = r->h;
    h.flags |= TERN__PKT_TAG;
    if (!h.session) h.session = r->to ? client->peer_number : client->number;
    h.tag = (r->to ? client->tx_tag : client->rx_tag) + r->other_tag;
    loop_cut(&h, P);
    tern__pkt_write(&h, p);
    loop_inject(&l, r->to, p, tern__pkt_header_bytes(&h) + r->payload);
}

static void trace__says_why_a_packet_is_dropped(void) {
    for (size_t i = 0; i < TERN__COUNT(rows); i++) {
        start(true);
        CHECK_OK();
        uint64_t before = loop_stats(&l, rows[i].to).rx_dropped;
        inject(&rows[i]);
        if (n_dropped != 1 || reason != rows[i].expected)
            printf("# %s: %u drops, the last for being %s\n", rows[i].what, n_dropped, tern__drop_name(reason));
        CHECK_EQ(n_dropped, 1);
        CHECK_EQ(reason, rows[i].expected);
        CHECK_EQ(loop_stats(&l, rows[i].to).rx_dropped, before + 1);
        loop_fini(&l);
    }
}

static void trace__of_bytes_that_are_no_packet(void) {
    start(true);
    loop_inject(&l, 1, "no packet", 9);
    CHECK_EQ(n_events, 1);
    CHECK_EQ(reason, TERN__DROP_MALFORMED);
    loop_fini(&l);
}

/* The second copy of a request that runs. */
static void trace__of_a_duplicate(void) {
    start(true);
    l.defer = true;
    loop_request(&l, 10, 0);
    CHECK(loop_repeat(&l, 0, 0));
    CHECK_EQ(n_dropped, 0);
    CHECK(loop_deliver(&l, 0, 0));
    CHECK_EQ(n_dropped, 1);
    CHECK_EQ(reason, TERN__DROP_DUPLICATE);
    loop_fini(&l);
}

/* ---- The short ways ------------------------------------------------------------------------------- */

static bool is_open(void) { return l.session->s.tx_usual || l.session->s.rx_usual; }

static void call(void) {
    unsigned before = l.n_done;
    loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, before + 1);
}

static void trace__closes_the_short_ways_while_it_is_set(void) {
    start(false);
    CHECK_OK();
    CHECK(is_open());
    call();
    CHECK_EQ(n_events, 0);
    for (int side = 0; side < 2; side++) tern__engine_set_trace(l.side[side].engine, on_event, NULL);
    CHECK(!is_open());
    call();
    CHECK(n_events >= 8); /* sent, received and two transitions at least, at either side */
    for (int side = 0; side < 2; side++) tern__engine_set_trace(l.side[side].engine, NULL, NULL);
    CHECK(is_open());
    unsigned n = n_events;
    call();
    CHECK_EQ(n_events, n);
    loop_fini(&l);
}

/* What the short ways have begun ends in the general one, and the other way round. */
static void trace__may_begin_and_end_while_calls_run(void) {
    start(false);
    l.defer = true;
    for (unsigned i = 0; i < 6; i++) {
        for (int side = 0; side < 2; side++)
            tern__engine_set_trace(l.side[side].engine, (i + (unsigned)side) % 3 ? on_event : NULL, NULL);
        loop_request(&l, 10 + i, 0);
        loop_settle(&l);
    }
    CHECK_EQ(l.n_served, 6);
    for (unsigned i = 0; i < 6; i++) {
        const tern__body body = {.data = l.request[i].data, .len = l.request[i].len};
        for (int side = 0; side < 2; side++)
            tern__engine_set_trace(l.side[side].engine, (i + (unsigned)side) % 2 ? on_event : NULL, NULL);
        l.request[i].answered = true;
        CHECK_EQ(tern__engine_respond(l.request[i].request, TERN_STATUS_OK, &body, l.now), 0);
        loop_settle(&l);
        CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        CHECK_EQ(l.calls[i].len, 10 + i);
    }
    loop_run(&l, l.now + (tern_time)(3 * TERN_SEC), 0);
    loop_fini(&l);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(trace__says_why_a_packet_is_dropped),
                                     TEST(trace__of_bytes_that_are_no_packet), TEST(trace__of_a_duplicate),
                                     TEST(trace__closes_the_short_ways_while_it_is_set),
                                     TEST(trace__may_begin_and_end_while_calls_run)};
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}

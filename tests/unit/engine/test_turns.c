/* A server that is behind: requests wait, and those whose turn it is run. */
#include "engine/account.h"
#include "engine/engine_record.h"
#include "engine/peers.h"
#include "engine/stream_server.h"
#include "stranger.h"

enum { A = 10, B = 20, C = 30, MB = 1 << 20 }; /* bytes of a request say whose it is */

static loop l;
static bool reliable;
static tern_dur costs[40]; /* of a request, by its bytes */

#define FOR_BOTH_LINKS for (int kind_ = 0; kind_ < 2 && (reliable = kind_ != 0, true); kind_++)

static tern__engine *server(void) { return l.side[1].engine; }

static void start(tern__engine_config engine) {
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = engine});
    loop_connect(&l);
    l.defer = true;
    memset(costs, 0, sizeof costs);
    tern__engine_set_turns(server(), true);
}

/* Each request takes what its client's take. */
static tern_time clock_of(void *ctx) {
    unsigned *n_seen = ctx;
    for (; *n_seen < l.n_served; ++*n_seen) {
        uint32_t len = l.request[*n_seen].len;
        if (len < TERN__COUNT(costs)) l.now += (tern_time)costs[len];
    }
    return l.now;
}

static unsigned run(uint32_t most, tern_dur span) {
    unsigned n_seen = l.n_served;
    return tern__engine_run_waiting(server(), most, span, clock_of, &n_seen);
}

static void ask(const stranger *s, uint32_t first, uint32_t n, uint32_t len) {
    for (uint32_t i = 0; i < n; i++) stranger_put(s, first + i, 0, len, NULL);
}

static unsigned n_of(unsigned first, unsigned end, uint32_t len) {
    unsigned n = 0;
    for (unsigned i = first; i < end && i < l.n_served; i++) n += l.request[i].len == len;
    return n;
}

static void leave(const stranger *s) { stranger_send(s, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL); }

/* ---- Whose turn it is ----------------------------------------------------------------------------- */

static void turns__run_all_that_waits(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        stranger a = stranger_connect(&l, 1, 5);
        ask(&a, 8, 8, A);
        CHECK_EQ(l.n_served, 0);
        CHECK(tern__engine_has_waiting(server()));
        CHECK(server()->held > 0);
        CHECK_EQ(run(3, TERN_SEC), 3);
        CHECK_EQ(run(100, TERN_SEC), 5);
        CHECK_EQ(l.n_served, 8);
        for (unsigned i = 0; i < 8; i++) CHECK_EQ(l.request[i].len, A);
        CHECK(!tern__engine_has_waiting(server()));
        CHECK_EQ(run(100, TERN_SEC), 0);
        leave(&a);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* One client has asked for a thousand times as much time, and first. */
static void turns__who_asks_for_little_waits_for_one_handler(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        costs[A] = 10 * TERN_MS;
        costs[B] = 10 * TERN_US;
        stranger a[4], b = stranger_connect(&l, 2, 6);
        for (uint32_t i = 0; i < 4; i++) {
            a[i] = stranger_connect(&l, 1, 5); /* four sessions of one route */
            ask(&a[i], 8, 8, A);
        }
        ask(&b, 8, 8, B);
        CHECK_EQ(run(3, TERN_SEC), 3);
        CHECK_EQ(n_of(0, 3, B), 2);
        CHECK_EQ(run(37, TERN_SEC), 37);
        CHECK_EQ(n_of(0, 9, B), 8);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* By time, not by number. */
static void turns__networks_have_equal_time(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        costs[A] = 4 * TERN_MS;
        costs[B] = 2 * TERN_MS;
        for (uint32_t i = 0; i < 6; i++) {
            stranger a = stranger_connect(&l, 1 + i, 5), b = stranger_connect(&l, 10, 6);
            ask(&a, 8, 8, A); /* of six routes */
            ask(&b, 8, 8, B); /* of one */
        }
        CHECK_EQ(run(60, TERN_SEC), 60);
        unsigned n_a = n_of(0, 60, A), n_b = n_of(0, 60, B);
        CHECK(n_a >= 19 && n_a <= 21);
        CHECK_EQ(n_a + n_b, 60);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void turns__routes_of_a_network_have_equal_time(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        costs[A] = 5 * TERN_MS;
        costs[B] = costs[C] = TERN_MS;
        for (uint32_t i = 0; i < 4; i++) {
            stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 5), c = stranger_connect(&l, 3, 5);
            ask(&a, 8, 8, A);
            ask(&b, 8, 8, B);
            ask(&c, 8, 8, C);
        }
        CHECK_EQ(run(55, TERN_SEC), 55);
        unsigned n_a = n_of(0, 55, A), n_b = n_of(0, 55, B);
        CHECK(n_a >= 4 && n_a <= 6);
        CHECK(n_b >= 23 && n_b <= 27);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A debt is not forgotten by being away for a moment; nor is it paid to nobody. */
static void turns__debts_stay_while_others_wait(void) {
    start((tern__engine_config){0});
    costs[A] = 10 * TERN_MS;
    costs[B] = TERN_MS / 2;
    stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 6);
    ask(&a, 8, 1, A);
    ask(&b, 8, 8, B);
    CHECK_EQ(run(1, TERN_SEC), 1);
    CHECK_EQ(n_of(0, 1, A), 1);
    ask(&a, 16, 1, A);
    CHECK_EQ(run(8, TERN_SEC), 8);
    CHECK_EQ(n_of(1, 9, B), 8);
    CHECK_EQ(run(8, TERN_SEC), 1);
    ask(&a, 24, 1, A); /* nobody else is there */
    ask(&b, 16, 1, B);
    CHECK_EQ(run(1, TERN_SEC), 1);
    CHECK_EQ(l.request[10].len, A);
    loop_fini(&l);
    CHECK_OK();
}

/* What was owed to those who waited then is owed to nobody once the server has been in time. */
static void turns__debts_end_when_turns_do(void) {
    start((tern__engine_config){0});
    costs[A] = 100 * TERN_MS;
    costs[B] = TERN_MS;
    costs[C] = 10 * TERN_US;
    stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 6);
    ask(&a, 8, 1, A);
    ask(&b, 8, 4, B);
    CHECK_EQ(run(100, TERN_SEC), 5);
    tern__engine_set_turns(server(), true); /* they go on */
    ask(&b, 16, 4, B);
    ask(&a, 16, 1, C);
    CHECK_EQ(run(4, TERN_SEC), 4);
    CHECK_EQ(n_of(5, 9, B), 4);
    CHECK_EQ(run(4, TERN_SEC), 1);
    ask(&b, 24, 1, B);
    ask(&a, 24, 1, A);
    CHECK_EQ(run(4, TERN_SEC), 2);
    tern__engine_set_turns(server(), false);
    tern__engine_set_turns(server(), true);
    ask(&b, 32, 4, B);
    ask(&a, 32, 1, C);
    CHECK_EQ(run(2, TERN_SEC), 2);
    CHECK_EQ(n_of(12, 14, C), 1);
    loop_fini(&l);
    CHECK_OK();
}

static void turns__no_handler_begins_past_the_span(void) {
    start((tern__engine_config){0});
    costs[A] = 300 * TERN_US;
    stranger a = stranger_connect(&l, 1, 5);
    ask(&a, 8, 8, A);
    CHECK_EQ(run(100, TERN_MS), 4);
    CHECK_EQ(run(100, TERN_MS), 4);
    loop_fini(&l);
    CHECK_OK();
}

/* What came in turns is answered as if nothing had been. */
static void turns__calls_end_as_ever(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        l.defer = false;
        uint32_t lens[] = {0, 10, 3000, 70000};
        unsigned n_seen = 0;
        for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
            loop_request(&l, lens[i], 0);
            loop_request_behind(&l, 40, lens[i], 0);
        }
        for (unsigned i = 0; i < 200; i++) {
            loop_settle(&l);
            tern__engine_run_waiting(server(), 1, TERN_SEC, clock_of, &n_seen);
        }
        CHECK_EQ(l.n_done, 8);
        for (unsigned i = 0; i < l.n_calls; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        for (unsigned i = 0; i < l.n_calls; i++) CHECK_EQ(l.calls[i].len, lens[i / 2]);
        for (unsigned i = 0; i < l.n_calls; i++) CHECK_EQ(l.calls[i].meta_bytes, i % 2 ? 40 : 0);
        CHECK_EQ(server()->stats.put_off, 8);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- What waits ends otherwise -------------------------------------------------------------------- */

static void waiting__ends_with_its_client(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 5);
        ask(&a, 8, 8, A);
        ask(&b, 8, 2, B);
        stranger_send(&b, (tern__pkt_header){.type = TERN__PKT_CANCEL, .req = 8}, 0, NULL);
        CHECK_EQ(server()->n_waiting, 9);
        leave(&a);
        CHECK_EQ(server()->n_waiting, 1);
        CHECK_EQ(run(100, TERN_SEC), 1);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(l.n_gone, 0);
        leave(&b);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void waiting__ends_at_its_deadline(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        stranger a = stranger_connect(&l, 1, 5);
        tern__pkt_header h = {.type = TERN__PKT_REQ, .req = 8, .size = A, .method = 7, .deadline_us = 5000}, answer;
        stranger_send(&a, h, A, NULL);
        CHECK_EQ(server()->n_waiting, 1);
        l.now += 6 * TERN_MS;
        loop_tick(&l);
        CHECK(loop_peek(&l, 1, 0, &answer));
        CHECK_EQ(answer.type, TERN__PKT_RESP);
        CHECK_EQ(answer.status, TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK_EQ(run(100, TERN_SEC), 0);
        CHECK_EQ(l.n_abandoned, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The packets of a request that come in one run are answered together, also if the request is not. */
static void waiting__is_acknowledged_at_once(void) {
    for (int turns = 0; turns < 2; turns++) {
        reliable = false;
        start((tern__engine_config){0});
        tern__engine_set_turns(server(), turns);
        loop_request(&l, 4 * 1024, 0);
        loop_tick(&l);
        unsigned n = 0;
        tern__pkt_header h;
        while (loop_peek(&l, 0, n, &h)) n++;
        loop_deliver_batch(&l, 0, n);
        unsigned n_crs = 0;
        for (unsigned i = 0; loop_peek(&l, 1, i, &h); i++) n_crs += h.type == TERN__PKT_CR;
        CHECK_EQ(n_crs, 1);
        CHECK_EQ(server()->n_waiting, turns);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* All that waits is on its client's account, however it came: also in pieces of the client's memory. */
static void waiting__counts(void) {
    enum { BYTES = 900 };
    FOR_BOTH_LINKS {
        start((tern__engine_config){.threshold = 64});
        uint8_t *bytes = tern_alloc(BYTES);
        memset(bytes, 0, BYTES);
        tern__body body = {.data = bytes, .len = BYTES};
        CHECK_EQ(tern__engine_request(l.session, 77, &body, 0, &l.calls[l.n_calls++], l.now), 0);
        tern_unref(bytes);
        loop_settle(&l);
        CHECK_EQ(server()->n_waiting, 1);
        CHECK(server()->held >= BYTES);
        CHECK_EQ(run(1, TERN_SEC), 1);
        CHECK(server()->held >= BYTES);
        CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_ABORTED, NULL, l.now), 0);
        l.request[0].answered = true;
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The heaviest gives what waits, the last of it first. */
static void waiting__gives_way_when_room_is_short(void) {
    start((tern__engine_config){.max_rx_bytes = 4 * MB, .max_message_bytes = MB});
    stranger a[8], b = stranger_connect(&l, 2, 6);
    for (uint32_t i = 0; i < 8; i++) {
        a[i] = stranger_connect(&l, 1, 5);
        for (uint32_t k = 0; k < 8; k++)
            for (uint32_t pkt = 0; pkt * STRANGER_PAYLOAD < 60000; pkt++) stranger_put(&a[i], 8 + k, pkt, 60000, NULL);
    }
    uint32_t n_before = server()->n_waiting;
    CHECK(n_before > 32);
    for (uint32_t pkt = 0; pkt * STRANGER_PAYLOAD < MB; pkt++) stranger_put(&b, 8, pkt, MB, NULL);
    CHECK(server()->n_waiting < n_before);
    CHECK(server()->held <= 4 * MB);
    uint32_t n_waiting = server()->n_waiting;
    CHECK_EQ(run(1000, TERN_SEC), n_waiting);
    CHECK_EQ(n_of(0, l.n_served, MB), 1);
    loop_fini(&l);
    CHECK_OK();
}

/* Whoever is told of a lost client needs room for others, and the link is full. */
static void need_room(loop *at) {
    at->side[1].capacity = 0;
    tern__request_hold(at->request[1].request, NULL, 2 * MB);
}

/* What a lost client has left gives nobody room any more, as it goes in any case, and is answered no more. */
static void waiting__ends_before_others_hear_of_it(void) {
    FOR_BOTH_LINKS for (int turns = 0; turns < 2; turns++) {
        start((tern__engine_config){.max_rx_bytes = 4 * MB, .max_message_bytes = MB});
        l.on_gone = need_room;
        stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 6);
        ask(&a, 8, 1, A);
        ask(&b, 8, 1, B);
        CHECK_EQ(run(2, TERN_SEC), 2);
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t pkt = 0; (pkt + !turns) * STRANGER_PAYLOAD < MB; pkt++)
                stranger_put(&a, 9 + i, pkt, MB, NULL);
        CHECK_EQ(server()->n_waiting, turns ? 3 : 0);
        leave(&a);
        CHECK_EQ(l.n_gone, 1);
        CHECK_EQ(server()->n_waiting, 0);
        CHECK_EQ(server()->stats.evicted_requests, 0);
        l.side[1].capacity = 100;
        l.now += TERN_SEC;
        loop_tick(&l);
        leave(&b);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* One holds all that there is, in handlers that run. Who asks for little waits for his turn nevertheless. */
static void waiting__has_room_for_who_holds_little(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){.max_rx_bytes = 4 * MB, .max_message_bytes = MB});
        stranger a[9], b = stranger_connect(&l, 2, 6);
        for (uint32_t i = 0; i < 9; i++) {
            a[i] = stranger_connect(&l, 1, 5);
            for (uint32_t k = 0; k < 8; k++)
                for (uint32_t pkt = 0; pkt * STRANGER_PAYLOAD < 64000; pkt++)
                    stranger_put(&a[i], 8 + k, pkt, 64000, NULL);
        }
        run(100, TERN_SEC);
        CHECK(server()->held > 4 * MB - 64000);
        uint64_t idle = 4 * MB - server()->held;
        CHECK(tern__request_hold(l.request[0].request, NULL, idle));
        CHECK_EQ(server()->held, 4 * MB);
        ask(&b, 8, 8, B);
        CHECK_EQ(server()->n_waiting, 8);
        CHECK_EQ(run(100, TERN_SEC), 8);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* What has passed its deadline by its turn does not run: others would wait for what nobody waits for. */
static void waiting__past_its_deadline_takes_no_turn(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        costs[A] = 10 * TERN_MS;
        stranger a = stranger_connect(&l, 1, 5);
        for (uint32_t i = 0; i < 8; i++) {
            tern__pkt_header h = {
                .type = TERN__PKT_REQ, .req = 8 + i, .size = A, .method = 7, .deadline_us = i ? 5000 : 0};
            stranger_send(&a, h, A, NULL);
        }
        CHECK_EQ(server()->n_waiting, 8);
        run(8, TERN_SEC);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(server()->n_waiting, 0);
        CHECK_EQ(l.n_abandoned, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void waiting__runs_after_turns_are_over(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        stranger a = stranger_connect(&l, 1, 5);
        ask(&a, 8, 2, A);
        tern__engine_set_turns(server(), false);
        ask(&a, 10, 1, B);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(run(100, TERN_SEC), 2);
        CHECK_EQ(l.n_served, 3);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Who takes 20 ms for each call, beside one who takes 1 ms. */
static unsigned n_of_hog(bool comes_back) {
    start((tern__engine_config){0});
    costs[A] = 20 * TERN_MS;
    costs[B] = TERN_MS;
    for (unsigned i = 0; i < 30; i++) {
        stranger b = stranger_connect(&l, 2, 6);
        ask(&b, 8, 8, B);
    }
    stranger a = stranger_connect(&l, 1, 5);
    uint32_t req = 8;
    unsigned n_seen = 0;
    ask(&a, req, 1, A);
    for (tern_time begun = l.now; l.now - begun < 400 * TERN_MS && run(1, TERN_SEC) == 1;) {
        if (n_of(0, l.n_served, A) == n_seen) continue;
        n_seen++;
        tern__engine_respond(l.request[l.n_served - 1].request, TERN_STATUS_OK, &(tern__body){0}, l.now);
        l.request[l.n_served - 1].answered = true;
        if (comes_back) {
            leave(&a);
            loop_settle(&l);
            a = stranger_connect(&l, 1, 5);
        }
        ask(&a, comes_back ? 8 : ++req, 1, A);
    }
    loop_fini(&l);
    return n_seen;
}

/* A debt is a network's, whose connections come and go. */
static void turns__debts_outlast_connections(void) {
    reliable = true;
    unsigned stays = n_of_hog(false), comes_back = n_of_hog(true);
    CHECK(stays >= 9 && stays <= 11);
    CHECK(comes_back >= 9 && comes_back <= 12);
}

static void on_stream(void *user, tern__stream *stream, uint32_t method) { (void)user, (void)stream, (void)method; }
static void on_turn(void *user, tern__stream *stream) { (void)user, (void)stream; }
static void on_end(void *user, tern__stream *stream, int status) { (void)user, (void)stream, (void)status; }

static void put_stream_off(void *user, tern__stream *stream, const void *data, uint32_t len) {
    (void)user, (void)data, (void)len;
    tern__stream_put_off(stream);
}

/* A stream that waits behind a peer's requests does not keep these from giving way. */
static void waiting__gives_way_before_a_stream(void) {
    static const tern__stream_callbacks callbacks = {.on_open = on_stream,
                                                     .on_data = put_stream_off,
                                                     .on_turn = on_turn,
                                                     .on_finished = on_turn,
                                                     .on_writable = on_turn,
                                                     .on_end = on_end};
    const tern__pkt_header open = {
        .type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .method = 7, .grant = 65536};
    enum { LEN = 60000 };
    reliable = false;
    start((tern__engine_config){.max_rx_bytes = 4 * MB, .max_message_bytes = MB, .streams = &callbacks});
    stranger a[8], b = stranger_connect(&l, 2, 6);
    for (uint32_t i = 0; i < 8; i++) {
        a[i] = stranger_connect(&l, 1, 5);
        if (i == 0) stranger_send(&a[0], open, 0, NULL);
        for (uint32_t k = 0; k < 8; k++)
            for (uint32_t pkt = 0; pkt * STRANGER_PAYLOAD < LEN; pkt++) stranger_put(&a[i], 8 + k, pkt, LEN, NULL);
    }
    tern__pkt_header more = open;
    more.pkt = 1;
    stranger_send(&a[0], more, 10, NULL);
    for (uint32_t pkt = 0; pkt * STRANGER_PAYLOAD < MB; pkt++) stranger_put(&b, 8, pkt, MB, NULL);
    run(1000, TERN_SEC);
    CHECK_EQ(n_of(0, l.n_served, MB), 1);
    for (unsigned i = 0; i < 8; i++) leave(&a[i]);
    leave(&b);
    CHECK_EQ(server()->held, 0);
    loop_fini(&l);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(turns__debts_outlast_connections),
        TEST(waiting__gives_way_before_a_stream),
        TEST(turns__run_all_that_waits),
        TEST(turns__who_asks_for_little_waits_for_one_handler),
        TEST(turns__networks_have_equal_time),
        TEST(turns__routes_of_a_network_have_equal_time),
        TEST(turns__debts_stay_while_others_wait),
        TEST(turns__debts_end_when_turns_do),
        TEST(turns__no_handler_begins_past_the_span),
        TEST(turns__calls_end_as_ever),
        TEST(waiting__ends_with_its_client),
        TEST(waiting__ends_at_its_deadline),
        TEST(waiting__is_acknowledged_at_once),
        TEST(waiting__counts),
        TEST(waiting__gives_way_when_room_is_short),
        TEST(waiting__ends_before_others_hear_of_it),
        TEST(waiting__has_room_for_who_holds_little),
        TEST(waiting__past_its_deadline_takes_no_turn),
        TEST(waiting__runs_after_turns_are_over),
    };
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

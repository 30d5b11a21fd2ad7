/* Places of streaming calls, which are no slots: streams take nothing from single calls, whatever either does, and what
 * a peer can make of them is bounded. */
#include "engine/server_record.h"
#include "engine/setup.h"
#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "loop.h"
#include "setup_packet.h"

enum { METHOD = 5, N_PLACES = TERN__MAX_STREAMS, N_WAITING = 3, N_ALL = N_PLACES + N_WAITING, NOT_ENDED = -1 };

static loop l;
static tern__stream *client[N_ALL], *server[2 * N_ALL];
static int status_of[N_ALL];
static bool had_not_run; /* of the client's stream that ended last */
static unsigned n_opened, n_ended, n_server_ended;
static int server_status;

static void on_open(void *user, tern__stream *st, uint32_t method) {
    (void)user, (void)method;
    server[n_opened++ % TERN__COUNT(server)] = st;
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st, (void)data, (void)len;
}

static void on_nothing(void *user, tern__stream *st) { (void)user, (void)st; }

static void on_end(void *user, tern__stream *st, int status) {
    (void)user;
    for (unsigned i = 0; i < N_ALL; i++) {
        if (client[i] != st) continue;
        client[i] = NULL;
        status_of[i] = status;
        had_not_run = tern__engine_has_not_run(l.side[0].engine);
        n_ended++;
        return;
    }
    n_server_ended++;
    server_status = status;
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_nothing, .on_writable = on_nothing, .on_end = on_end};

static void begin(const tern__engine_config *engine, bool reliable) {
    loop_config config = {.reliable = reliable, .engine = *engine};
    config.engine.streams = &callbacks;
    loop_init(&l, &config);
    l.defer = true;
    memset(client, 0, sizeof client);
    for (unsigned i = 0; i < N_ALL; i++) status_of[i] = NOT_ENDED;
    n_opened = n_ended = n_server_ended = 0;
}

static void start(const tern__engine_config *engine, bool reliable) {
    begin(engine, reliable);
    loop_connect(&l);
    CHECK_OK();
}

static const tern__engine_config usual = {0};

static void open_streams(unsigned n) {
    for (unsigned i = 0; i < n; i++) CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[i]), 0);
    loop_settle(&l);
}

static tern__ssession *server_session(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) return (tern__ssession *)e->sessions[i];
    return NULL;
}

static void stop(void) {
    for (unsigned i = 0; i < N_ALL; i++)
        if (client[i]) tern__stream_abort(client[i], 0, l.now);
    for (unsigned i = 0; i < l.n_served; i++)
        if (!l.request[i].answered && !l.request[i].gone)
            tern__engine_respond(l.request[i].request, TERN_STATUS_OK, NULL, l.now);
    loop_settle(&l);
    loop_fini(&l);
}

/* With all places taken, and more streams waiting, eight calls are in flight and are answered. */
static void places__leave_all_slots_to_calls(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(&usual, reliable);
        open_streams(N_ALL);
        CHECK_EQ(n_opened, N_PLACES);
        for (unsigned i = 0; i < TERN__N_SLOTS; i++) CHECK(loop_request(&l, 10, 0) >= 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, TERN__N_SLOTS);
        CHECK_EQ(l.session->n_backlog, N_WAITING);
        CHECK_EQ(server_session()->n_running, TERN__N_SLOTS + N_PLACES);
        for (unsigned i = 0; i < N_WAITING; i++) { /* a place that is given back goes to one that waits */
            tern__stream_finish(server[i], TERN_STATUS_OK, l.now);
            loop_settle(&l);
            CHECK_EQ(n_opened, N_PLACES + i + 1);
            CHECK_EQ(status_of[i], TERN_STATUS_OK);
        }
        CHECK_EQ(l.session->n_backlog, 0);
        stop();
        CHECK_OK();
    }
}

/* All slots taken by calls that take long: streams begin nevertheless. */
static void slots__leave_all_places_to_streams(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(&usual, reliable);
        for (unsigned i = 0; i < TERN__N_SLOTS + 1; i++) CHECK(loop_request(&l, 10, 0) >= 0);
        open_streams(N_PLACES);
        CHECK_EQ(n_opened, N_PLACES);
        CHECK_EQ(l.n_served, TERN__N_SLOTS);
        CHECK_EQ(l.session->n_backlog, 1);
        stop();
        CHECK_OK();
    }
}

/* The smaller offer counts, rounded down to a power of two. */
static void offers__are_rounded_down(void) {
    static const struct {
        uint32_t offered, n;
    } rows[] = {{1, 1}, {2, 2}, {3, 2}, {5, 4}, {31, 16}, {32, 32}, {33, 32}, {0, 32}};
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        start(&(tern__engine_config){.max_streams = rows[i].offered}, true);
        open_streams(N_ALL);
        CHECK_EQ(n_opened, rows[i].n);
        stop();
        CHECK_OK();
    }
}

/* Connects; the setup that this side sends says so many streams. 0: nothing of them. */
static void connect_with(int side, uint32_t n) {
    tern__route to = {.len = 1, .bytes = {2}};
    uint32_t len;
    begin(&usual, true);
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[0]), 0);
    if (side == 1) CHECK(loop_deliver(&l, 0, 0));
    uint8_t *bytes = loop_bytes(&l, side, 0, &len);
    uint8_t *record = setup_record(bytes + TERN__PKT_HEADER_BYTES, len - TERN__PKT_HEADER_BYTES, TERN__SETUP_STREAMS);
    if (n)
        tern__store32(record + 4, n);
    else
        tern__store16(record, 0x7abc); /* not known */
    loop_settle(&l);
    CHECK_EQ(l.n_up, 1);
}

static void offers__of_none_end_streams(void) {
    connect_with(1, 0);
    CHECK_EQ(n_ended, 1);
    CHECK_EQ(status_of[0], TERN_STATUS_UNIMPLEMENTED);
    CHECK(had_not_run); /* nothing of it has left */
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[1]), TERN_ERR_UNSUPPORTED);
    CHECK(loop_request(&l, 10, 0) >= 0);
    loop_settle(&l);
    CHECK_EQ(l.n_served, 1);
    stop();
}

static void offers__of_fewer_count(void) {
    connect_with(1, 7);
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[1]), 0);
    for (unsigned i = 2; i < 8; i++) CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[i]), 0);
    loop_settle(&l);
    CHECK_EQ(n_opened, 4);
    stop();
}

/* Streams of a client that has said nothing of them are dropped. */
static void packets__without_places_are_dropped(void) {
    connect_with(0, 0);
    CHECK(loop_stats(&l, 1).rx_dropped > 0);
    CHECK_EQ(n_opened, 0);
    CHECK(!server_session()->s.scold->requests->places);
    stop();
}

/* The next packet of the client, with another number. */
static void deliver_as(uint32_t req) {
    tern__pkt_header h;
    uint32_t len;
    CHECK(loop_peek(&l, 0, 0, &h));
    h.req = req;
    tern__pkt_write(&h, loop_bytes(&l, 0, 0, &len));
    CHECK(loop_repeat(&l, 0, 0));
}

/* Numbers that jump: each place has one stream at most, its numbers go up, and all memory comes back. */
static void numbers__that_jump(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        uint32_t last[N_PLACES];
        start(&usual, reliable);
        for (uint32_t i = 0; i < N_PLACES; i++) last[i] = i - N_PLACES;
        CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[0]), 0);
        tern__engine_tick(l.side[0].engine, l.now);
        for (unsigned i = 0; i < 2000; i++) {
            uint32_t req = loop_random(&l, 4) ? loop_random(&l, 1000)
                                              : (loop_random(&l, 1 << 16) << 16 | loop_random(&l, 1 << 16));
            unsigned before = n_opened;
            bool newer = (int32_t)(req - last[req % N_PLACES]) > 0;
            deliver_as(req);
            CHECK_EQ(n_opened, before + newer);
            if (newer) last[req % N_PLACES] = req;
            CHECK(server_session()->n_streams <= N_PLACES);
            CHECK_EQ(n_opened - n_server_ended, server_session()->n_streams);
            while (loop_drop(&l, 1, 0)) continue;
            CHECK_OK();
        }
        CHECK_EQ(server_status, TERN_STATUS_CANCELLED);
        while (loop_drop(&l, 0, 0)) continue;
        tern__engine_session_close(l.session, l.now);
        client[0] = NULL;
        loop_settle(&l);
        CHECK_EQ(l.side[1].engine->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A client that opens streams and sends nothing takes no more than max_rx_bytes; what does not fit is refused. */
static void memory__is_bounded(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        enum { ROOM = 8 << 10 };
        start(&(tern__engine_config){.max_rx_bytes = ROOM, .max_message_bytes = 1000}, reliable);
        open_streams(N_PLACES);
        CHECK(n_opened > 1);
        CHECK(n_opened < N_PLACES);
        CHECK_EQ(n_opened + n_ended, N_PLACES);
        CHECK(l.side[1].engine->held <= ROOM);
        for (unsigned i = 0; i < N_PLACES; i++) CHECK(client[i] || status_of[i] == TERN_STATUS_RESOURCE_EXHAUSTED);
        for (unsigned i = 0; i < N_ALL; i++)
            if (client[i]) tern__stream_abort(client[i], 0, l.now);
        memset(client, 0, sizeof client);
        loop_settle(&l);
        CHECK_EQ(l.side[1].engine->held, 0);
        stop();
        CHECK_OK();
    }
}

/* The word that a stream has ended gets lost, and a report makes it good. */
static void report__ends_streams(void) {
    start(&usual, false);
    open_streams(2);
    CHECK_EQ(n_opened, 2);
    tern__stream_abort(client[1], 0, l.now);
    client[1] = NULL;
    while (loop_drop(&l, 0, 0)) continue;
    CHECK_EQ(n_server_ended, 0);
    loop_run(&l, l.now + 3 * TERN_SEC, 0);
    CHECK_EQ(n_server_ended, 1);
    CHECK_EQ(server_status, TERN_STATUS_CANCELLED);
    CHECK(client[0] != NULL);
    CHECK_EQ(tern__places_of(l.session)->unreported, 0);
    stop();
}

/* A stream that its server does not take ends also where the first word of that gets lost. */
static void rejection__is_said_again(void) {
    start(&(tern__engine_config){.max_rx_bytes = 1000, .max_message_bytes = 1000}, false);
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client[0]), 0);
    tern__engine_tick(l.side[0].engine, l.now);
    CHECK(loop_deliver(&l, 0, 0));
    CHECK(loop_drop(&l, 1, 0));
    CHECK_EQ(n_ended, 0);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(status_of[0], TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK_EQ(n_opened, 0);
    stop();
}

/* On a link that is full the word waits. */
static void rejection__waits_for_room(void) {
    start(&(tern__engine_config){.max_rx_bytes = 1, .max_message_bytes = 1000}, true);
    l.side[1].capacity = 0;
    open_streams(2);
    CHECK_EQ(n_ended, 0);
    l.side[1].capacity = 4096;
    loop_run(&l, l.now + 10 * TERN_MS, 0);
    loop_settle(&l);
    CHECK_EQ(n_ended, 2);
    CHECK_EQ(status_of[1], TERN_STATUS_RESOURCE_EXHAUSTED);
    stop();
}

TAP_MAIN(TEST(places__leave_all_slots_to_calls), TEST(slots__leave_all_places_to_streams),
         TEST(offers__are_rounded_down), TEST(offers__of_none_end_streams), TEST(offers__of_fewer_count),
         TEST(packets__without_places_are_dropped), TEST(numbers__that_jump), TEST(memory__is_bounded),
         TEST(report__ends_streams), TEST(rejection__is_said_again), TEST(rejection__waits_for_room))

/* What a full link, or a moment too late, must not leave behind: a packet that nobody would send again, half a message,
 * a session without a client. */
#include "engine/engine_record.h"
#include "loop.h"

static loop l;

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
    CHECK_OK();
    l.defer = true;
}

static const tern__session *server(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) return e->sessions[i];
    return NULL;
}

static void answer(uint32_t bytes) {
    static uint8_t data[8000];
    tern__body body = {.data = data, .len = bytes};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
    loop_tick(&l);
}

/* The RFRs find the link full, for longer than the timer runs; then they leave and are lost. */
static void lossy__what_waited_is_sent_again_when_lost(void) {
    start(false);
    loop_request(&l, 10, 0);
    loop_settle(&l);
    answer(3000);
    CHECK_OK();
    l.side[0].capacity = 0;
    CHECK(loop_deliver(&l, 1, 0));
    for (int i = 0; i < 30; i++) {
        l.now += TERN_MS;
        loop_tick(&l);
    }
    l.side[0].capacity = 100;
    l.now += TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.side[0].n_queued, 2);
    while (loop_drop(&l, 0, 0)) continue;
    CHECK(tern__engine_next_due(l.side[0].engine) != UINT64_MAX);
    loop_run(&l, l.now + 100 * TERN_MS, 0);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
    loop_fini(&l);
}

/* The client gives up before the response comes, and the word of it finds the link full. */
static void reliable__a_response_that_nobody_asks_for_is_let_go(void) {
    start(true);
    loop_request(&l, 10, 5 * TERN_MS);
    loop_settle(&l);
    answer(3000);
    CHECK_OK();
    while (loop_drop(&l, 1, 0)) continue;
    const tern__request *request = tern__request_at((const tern__ssession *)server(), 0);
    CHECK_EQ(request->state, TERN__REQUEST_RESPONDED);
    l.side[0].capacity = 0;
    l.now += 5 * TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_DEADLINE_EXCEEDED);
    l.side[0].capacity = 100;
    loop_run(&l, l.now + 2 * TERN_SEC, 0);
    CHECK_EQ(request->state, TERN__REQUEST_DONE);
    CHECK(request->out == NULL);
    CHECK(tern__engine_next_due(l.side[0].engine) == UINT64_MAX);
    loop_fini(&l);
}

/* The client's patience ends before the server's ACCEPT comes. */
static void give_up_before_accept(bool reliable) {
    tern__route to = {.len = 1, .bytes = {2}};
    loop_init(&l, &(loop_config){.reliable = reliable});
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    while (!server()) {
        CHECK(loop_deliver(&l, 0, 0));
        if (!server()) CHECK(loop_deliver(&l, 1, 0));
    }
    l.now = tern__engine_next_due(l.side[0].engine);
    while (!l.n_lost) {
        loop_tick(&l);
        l.now += 10 * TERN_MS;
    }
    while (l.side[0].first) loop_drop(&l, 0, 0);
}

static void late_accept__makes_the_server_forget(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        give_up_before_accept(reliable);
        CHECK_OK();
        CHECK(server() != NULL);
        loop_settle(&l);
        CHECK(server() == NULL);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void late_accept__whose_refusal_is_lost(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        give_up_before_accept(reliable);
        CHECK_OK();
        l.side[0].capacity = 0;
        CHECK(loop_deliver(&l, 1, 0));
        CHECK(server() != NULL);
        l.side[0].capacity = 100;
        loop_run(&l, l.now + 60 * TERN_SEC, 0);
        CHECK(server() == NULL);
        loop_fini(&l);
        CHECK_OK();
    }
}

static unsigned n_sessions(int side) {
    const tern__engine *e = l.side[side].engine;
    unsigned n = 0;
    for (uint32_t i = 0; i < e->n_table; i++) n += e->sessions[i] != NULL;
    return n;
}

static void connect_another(tern__csession **out) {
    tern__route to = {.len = 1, .bytes = {2}};
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, out), 0);
    loop_settle(&l);
    CHECK_EQ(l.n_up, 2);
}

/* Another session keeps the route, so that nothing but the DISCONNECT tells the server. */
static void close__is_told_once_there_is_room(void) {
    start(true);
    tern__csession *other;
    connect_another(&other);
    CHECK_OK();
    loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.n_served, 1);
    l.side[0].capacity = 0;
    tern__engine_session_close(l.session, l.now);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_UNAVAILABLE);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(l.n_gone, 0);
    CHECK_EQ(n_sessions(1), 2);
    l.side[0].capacity = 100;
    l.now += TERN_MS;
    loop_settle(&l);
    CHECK_EQ(l.n_gone, 1);
    CHECK_EQ(n_sessions(0), 1);
    CHECK_EQ(n_sessions(1), 1);
    CHECK(tern__engine_next_due(l.side[0].engine) == UINT64_MAX);
    CHECK_EQ(tern__engine_session_state(other), TERN_SESSION_OPEN);
    loop_fini(&l);
}

/* The port drops the route with its last session: there is nothing to wait for. */
static void close__of_the_last_session_waits_for_nothing(void) {
    for (int lost = 0; lost < 3; lost++) { /* 0: there is no other; 1: it is closed later; 2: the route is lost */
        start(true);
        tern__csession *other = NULL;
        if (lost) connect_another(&other);
        CHECK_OK();
        l.side[0].capacity = 0;
        tern__engine_session_close(l.session, l.now);
        CHECK_EQ(n_sessions(0), lost ? 2 : 0);
        tern__route to = {.len = 1, .bytes = {2}};
        if (lost == 1) tern__engine_session_close(other, l.now);
        if (lost == 2) tern__engine_route_lost(l.side[0].engine, &l.side[0].link, &to, l.now);
        l.now += TERN_MS;
        loop_tick(&l);
        CHECK_EQ(n_sessions(0), lost == 2); /* it is down, and its user's */
        CHECK(tern__engine_next_due(l.side[0].engine) == UINT64_MAX);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- How often a full link is tried ---------------------------------------------------------------- */

static const tern__link_ops *plain_ops;
static unsigned n_tries, n_through;
static uint8_t shut_route; /* refuses everything; 0: none does */

static uint32_t counted_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                                uint32_t n_posts, uint8_t **heads) {
    n_tries++;
    uint32_t got =
        route->bytes[0] == shut_route ? 0 : plain_ops->tx_reserve(link, route, n, head_bytes, n_posts, heads);
    n_through += got > 0;
    return got;
}

/* A client with n sessions, whose CONNECTs find the link full; each of the routes from first_route on has n/n_routes of
 * them. */
static void many_stalled(unsigned n, uint8_t first_route, unsigned n_routes) {
    static tern__link_ops counted;
    loop_init(&l, &(loop_config){.reliable = true});
    plain_ops = l.side[0].link.ops;
    counted = *plain_ops;
    counted.tx_reserve = counted_reserve;
    l.side[0].link.ops = &counted;
    l.side[0].capacity = 0;
    shut_route = 0;
    n_tries = n_through = 0;
    for (unsigned i = 0; i < n; i++) {
        tern__route to = {.len = 1, .bytes = {(uint8_t)(first_route + i % n_routes)}};
        tern__csession *s;
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &s), 0);
    }
    CHECK_EQ(n_tries, n);
    n_tries = 0;
}

static void ticks(unsigned n, tern_dur gap) {
    for (unsigned i = 0; i < n; i++) {
        l.now += (tern_time)gap;
        loop_tick(&l);
    }
}

static void retry__one_try_speaks_for_the_route(void) {
    many_stalled(200, 2, 1);
    CHECK_OK();
    loop_tick(&l);
    CHECK_EQ(n_tries, 1); /* at once: a flush may have made room */
    ticks(19, TERN_US);
    CHECK_EQ(n_tries, 1);
    ticks(1000, 10 * TERN_US);
    CHECK(n_tries > 10 && n_tries < 60);
    ticks(1000, 10 * TERN_US);
    unsigned before = n_tries;
    ticks(1000, 10 * TERN_US); /* 10 ms of a link that has long been full */
    CHECK(n_tries - before >= 9 && n_tries - before <= 11);
    l.side[0].capacity = 1000;
    ticks(100, 10 * TERN_US);
    CHECK_EQ(n_through, 200);
    loop_fini(&l);
}

/* The refused take turns at being the first that is tried, and room is used in the tick after room was found. */
static void retry__room_is_used_at_once(void) {
    many_stalled(50, 2, 1);
    CHECK_OK();
    ticks(100, TERN_MS);
    CHECK_EQ(n_through, 0);
    for (unsigned i = 1; i <= 50; i++) {
        l.side[0].capacity = i;
        l.now = tern__engine_next_due(l.side[0].engine);
        loop_tick(&l);
        CHECK_EQ(n_through, i);
        CHECK(i == 50 || tern__engine_next_due(l.side[0].engine) - l.now <= (48 + 8) * TERN__STALL_EACH);
    }
    loop_fini(&l);
}

/* A route that takes nothing neither holds up another one nor makes a try of each of its sessions. */
static void retry__another_route_goes_on(void) {
    many_stalled(200, 2, 2);
    CHECK_OK();
    loop_tick(&l);
    CHECK_EQ(n_tries, 2);
    shut_route = 3;
    l.side[0].capacity = 1000;
    n_tries = 0;
    ticks(2, TERN_MS);
    CHECK_EQ(n_through, 100);
    n_tries = 0;
    ticks(10, TERN_MS);
    CHECK_EQ(n_tries, 10);
    loop_fini(&l);
}

/* Where the link says when there is room, who was refused for long waits for that, and is tried rarely all the same. */
static void retry__waits_for_a_link_that_tells(void) {
    tern__route full = {.len = 1, .bytes = {2}}, other = {.len = 1, .bytes = {3}};
    many_stalled(200, 2, 2);
    CHECK_OK();
    l.side[0].link.tells_room = true;
    ticks(10, TERN_MS);
    n_tries = 0;
    ticks(1000, TERN_MS);
    CHECK(n_tries >= 2 * 15 && n_tries <= 2 * 17);
    CHECK(tern__engine_next_due(l.side[0].engine) > l.now);
    l.side[0].capacity = 1000;
    tern__engine_has_room(l.side[0].engine, &l.side[0].link, &full);
    CHECK(tern__engine_next_due(l.side[0].engine) <= l.now);
    loop_tick(&l);
    CHECK_EQ(n_through, 100);
    tern__engine_has_room(l.side[0].engine, &l.side[0].link, &full); /* nobody waits any more */
    loop_tick(&l);
    CHECK_EQ(n_through, 100);
    tern__engine_has_room(l.side[0].engine, &l.side[0].link, &other);
    loop_tick(&l);
    CHECK_EQ(n_through, 200);
    loop_fini(&l);
}

/* Who finds no room left, or none at all, waits for the next. */
static void retry__one_after_the_other_as_there_is_room(void) {
    tern__route full = {.len = 1, .bytes = {2}};
    many_stalled(50, 2, 1);
    CHECK_OK();
    l.side[0].link.tells_room = true;
    ticks(10, TERN_MS);
    for (unsigned i = 1; i <= 50; i++) {
        l.side[0].capacity = i;
        tern__engine_has_room(l.side[0].engine, &l.side[0].link, &full);
        loop_tick(&l);
        CHECK_EQ(n_through, i);
    }
    loop_fini(&l);
}

/* Two sessions that have a lot to say share a link that has room for one packet at a time, by one route or by two. */
static void share_of_a_full_link(unsigned n_routes) {
    enum { ROOM = 8 };
    unsigned n_first = 0;
    tern__csession *other;
    start(true);
    connect_another(&other);
    CHECK_OK();
    l.side[0].capacity = 0;
    loop_request(&l, 20000, 0);
    tern__csession *first = l.session;
    l.session = other;
    loop_request(&l, 20000, 0);
    l.session = first;
    const tern__route route = other->s.route;
    if (n_routes == 2) other->s.route.bytes[0]++; /* nothing is delivered meanwhile */
    for (uint32_t i = 1; i <= ROOM; i++) {
        l.side[0].capacity = i;
        l.now = tern__engine_next_due(l.side[0].engine);
        loop_tick(&l);
        CHECK_EQ(l.side[0].n_queued, i);
    }
    for (unsigned i = 0; i < ROOM; i++) {
        uint32_t len;
        const uint8_t *packet = loop_bytes(&l, 0, i, &len);
        n_first += packet && tern__load32(packet + 4) == first->s.peer_number;
    }
    CHECK_EQ(n_first, ROOM / 2);
    other->s.route = route; /* by which the session is found */
    loop_fini(&l);
}

static void retry__those_who_got_through_wait_behind_the_others(void) {
    for (unsigned n_routes = 1; n_routes <= 2; n_routes++) {
        share_of_a_full_link(n_routes);
        CHECK_OK();
    }
}

/* Many that wait in vain are tried less often than few. */
static void retry__many_are_tried_less_often(void) {
    enum { MANY = 30000 };
    many_stalled(MANY, 2, 1);
    CHECK_OK();
    loop_tick(&l);
    CHECK_EQ(n_tries, 1);
    CHECK_EQ(tern__engine_next_due(l.side[0].engine), l.now + (MANY + 7) * TERN__STALL_EACH);
    ticks(1000, 10 * TERN_US);
    CHECK(n_tries <= 5);
    loop_fini(&l);
}

TAP_MAIN(TEST(lossy__what_waited_is_sent_again_when_lost), TEST(reliable__a_response_that_nobody_asks_for_is_let_go),
         TEST(late_accept__makes_the_server_forget), TEST(late_accept__whose_refusal_is_lost),
         TEST(close__is_told_once_there_is_room), TEST(close__of_the_last_session_waits_for_nothing),
         TEST(retry__one_try_speaks_for_the_route), TEST(retry__room_is_used_at_once),
         TEST(retry__another_route_goes_on), TEST(retry__those_who_got_through_wait_behind_the_others),
         TEST(retry__many_are_tried_less_often), TEST(retry__waits_for_a_link_that_tells),
         TEST(retry__one_after_the_other_as_there_is_room))

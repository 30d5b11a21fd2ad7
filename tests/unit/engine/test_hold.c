/* What links hold for routes, on the accounts of these: with sessions and without, and what is said of it. */
#include "engine/account.h"
#include "engine/engine_record.h"
#include "engine/peers.h"
#include "stranger.h"

enum { KB = 1 << 10, MB = 1 << 20, OTHER = 101 | 1 << 24 /* of another network */ };

static loop l;
static const tern__route to_client = {.len = 1, .bytes = {1}};

static tern__engine *server(void) { return l.side[1].engine; }

static tern__route route_of(uint64_t number) {
    tern__route route = {.len = 8};
    tern__store64(route.bytes, number);
    return route;
}

static tern__hold hold(uint64_t number, uint64_t bytes, tern__debit *debit) {
    tern__route route = route_of(number);
    return tern__account_hold(server(), &l.side[1].link, &route, bytes, debit);
}

static const tern__peer *peer_of(uint64_t number) {
    tern__route route = route_of(number);
    return tern__peer_find(server(), &l.side[1].link, &route);
}

static void start(uint64_t max_rx_bytes) {
    loop_init(&l, &(loop_config){.reliable = true, .engine = {.max_rx_bytes = max_rx_bytes}});
    loop_connect(&l);
}

static void hold__counts_for_a_route_without_sessions(void) {
    tern__debit a = {0}, b = {0};
    start(64 * MB);
    CHECK_EQ(hold(100, 0, &a), TERN__HOLD_WELL);
    CHECK(!peer_of(100));
    CHECK_EQ(hold(100, 5000, &a), TERN__HOLD_WELL);
    CHECK_EQ(hold(OTHER, 300, &b), TERN__HOLD_WELL);
    CHECK_EQ(server()->held, 5300);
    CHECK_EQ(peer_of(100)->account.held, 5000);
    CHECK_EQ(hold(100, 700, &a), TERN__HOLD_WELL); /* in all, not more */
    CHECK_EQ(server()->held, 1000);
    CHECK_EQ(hold(100, 0, &a), TERN__HOLD_WELL);
    CHECK(!a.peer && !a.bytes && !peer_of(100));
    CHECK_EQ(hold(OTHER, 0, &b), TERN__HOLD_WELL);
    CHECK_EQ(server()->held, 0);
    CHECK_EQ(server()->n_holders, 0);
    loop_fini(&l);
}

/* One alone may have all; beside another it is told to take no more; and to give up when all together is too much. */
static void hold__says_when_it_is_enough(void) {
    tern__debit a = {0}, b = {0};
    start(8 * MB);
    CHECK_EQ(hold(100, 8 * MB, &a), TERN__HOLD_WELL);
    CHECK_EQ(hold(OTHER, 64 * KB, &b), TERN__HOLD_WELL); /* within what is anybody's */
    CHECK_EQ(hold(100, 8 * MB, &a), TERN__HOLD_NO_MORE);
    CHECK_EQ(hold(100, 9 * MB + 1, &a), TERN__HOLD_GIVE_UP);
    CHECK_EQ(server()->held, 9 * MB + 1 + 64 * KB);        /* it counts in any case */
    CHECK(hold(OTHER, 64 * KB, &b) != TERN__HOLD_GIVE_UP); /* who has less does not pay for it */
    CHECK_EQ(hold(100, 3 * MB, &a), TERN__HOLD_WELL);
    hold(100, 0, &a);
    hold(OTHER, 0, &b);
    CHECK_EQ(server()->held, 0);
    loop_fini(&l);
}

/* The account outlives the sessions of its route, and ends with what is held. */
static void hold__outlives_sessions(void) {
    tern__debit a = {0};
    start(8 * MB);
    const tern__session *s = NULL;
    for (uint32_t i = 0; i < server()->n_table && !s; i++) s = server()->sessions[i];
    CHECK(s);
    tern__route route = s->route;
    tern__link *link = s->link;
    CHECK_EQ(tern__account_hold(server(), link, &route, 1000, &a), TERN__HOLD_WELL);
    CHECK_EQ(a.peer, s->cold->peer);
    tern__engine_route_lost(server(), link, &route, l.now);
    CHECK(tern__peer_find(server(), link, &route));
    CHECK_EQ(server()->held, 1000);
    tern__account_hold(server(), link, &route, 0, &a);
    CHECK(!tern__peer_find(server(), link, &route));
    loop_fini(&l);
}

static uint32_t n_used, n_unused;

static void note_use(tern__link *link, const tern__route *route, bool used) {
    (void)link, (void)route;
    n_used += used;
    n_unused += !used;
}

/* The link hears of the first session of a route, and of the last one's end. */
static void use__of_the_first_session_and_the_last(void) {
    loop_init(&l, &(loop_config){.reliable = true});
    tern__link_ops ops = *l.side[1].link.ops;
    ops.use = note_use;
    l.side[1].link.ops = &ops;
    n_used = n_unused = 0;
    loop_connect(&l);
    CHECK_EQ(n_used, 1);
    stranger other = stranger_connect(&l, 1, 5); /* by a route of its own */
    CHECK_EQ(n_used, 2);
    CHECK_EQ(n_unused, 0);
    stranger_send(&other, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
    CHECK_EQ(n_unused, 1);
    tern__engine_route_lost(server(), &l.side[1].link, &to_client, l.now);
    CHECK_EQ(n_unused, 2);
    CHECK_EQ(n_used, 2);
    loop_fini(&l);
}

static bool client_is_idle(void) { return tern__engine_is_idle(server(), &l.side[1].link, &to_client); }

/* A call is here from its first packet to its response. */
static void idle__is_who_has_no_call(void) {
    start(8 * MB);
    tern__route nobody = route_of(100);
    l.defer = true;
    CHECK(client_is_idle());
    loop_request(&l, 3000, 0);
    CHECK(loop_deliver(&l, 0, 0));
    CHECK_EQ(l.n_served, 0);
    CHECK(!client_is_idle());
    loop_settle(&l);
    CHECK_EQ(l.n_served, 1);
    CHECK(!client_is_idle());
    CHECK(tern__engine_is_idle(server(), &l.side[1].link, &nobody));
    tern__body body = {.data = l.request[0].data, .len = l.request[0].len};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    CHECK(client_is_idle());
    loop_fini(&l);
}

TAP_MAIN(TEST(hold__counts_for_a_route_without_sessions), TEST(hold__says_when_it_is_enough),
         TEST(hold__outlives_sessions), TEST(use__of_the_first_session_and_the_last), TEST(idle__is_who_has_no_call))

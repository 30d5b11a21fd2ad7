/* Packets of a long request that leave together: how many places are asked for at once, what becomes of places that the
 * link does not give or the engine gives up, and whose turn it is. */
#include "loop.h"

enum { PAYLOAD = 1024, FIRST_WINDOW = 64 };

static loop l;

/* What the client's link is asked, and how it answers. */
static struct {
    const tern__link_ops *real;
    tern__link_ops ops;
    uint32_t most_places; /* that it gives at a time */
    uint32_t fails_at;    /* 0, or the addition that fails, counted from 1 */
    uint32_t n_reserved, n_several, most_wanted, n_added, n_given_up, n_open, most_committed;
} link_of;

static uint32_t spying_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                               uint32_t max_pieces, uint8_t **heads) {
    link_of.n_reserved++;
    link_of.n_several += n > 1;
    if (n > link_of.most_wanted) link_of.most_wanted = n;
    if (n > link_of.most_places) n = link_of.most_places;
    link_of.n_open = link_of.real->tx_reserve(link, route, n, head_bytes, max_pieces, heads);
    return link_of.n_open;
}

static int spying_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    if (++link_of.n_added == link_of.fails_at) return TERN_ERR_INVALID;
    return link_of.real->tx_add(link, i, data, len);
}

static void spying_commit(tern__link *link, uint32_t n) {
    link_of.n_given_up += link_of.n_open - n;
    if (n > link_of.most_committed) link_of.most_committed = n;
    link_of.real->tx_commit(link, n);
}

static void start(bool reliable, uint32_t credits, uint32_t most_places) {
    loop_init(&l, &(loop_config){.reliable = reliable, .engine.credits = credits});
    loop_connect(&l);
    CHECK_OK();
    memset(&link_of, 0, sizeof link_of);
    link_of.most_places = most_places;
    link_of.real = l.side[0].link.ops;
    link_of.ops = *link_of.real;
    link_of.ops.tx_reserve = spying_reserve;
    link_of.ops.tx_add = spying_add;
    link_of.ops.tx_commit = spying_commit;
    l.side[0].link.ops = &link_of.ops;
}

static void finish(int n_calls) {
    loop_settle(&l);
    for (int i = 0; i < n_calls; i++) {
        CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        CHECK(loop_is_pattern(l.calls[i].data, l.calls[i].len));
    }
    CHECK_EQ(l.n_done, n_calls);
    CHECK_OK();
    loop_fini(&l);
}

static uint32_t pkt_of(unsigned nth) {
    tern__pkt_header h;
    return loop_peek(&l, 0, nth, &h) ? h.pkt : UINT32_MAX;
}

/* All that the window lets behind packet 0, by as few reservations as there are batches in it; no packet number is used
 * twice, and the order is that of the message. */
static void together__of_one_message(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 128, TERN__TX_BATCH);
        CHECK_OK();
        CHECK_EQ(loop_request(&l, 100 * PAYLOAD, 0), 0);
        CHECK_EQ(l.side[0].n_queued, FIRST_WINDOW);
        CHECK_EQ(link_of.n_reserved, 3); /* packet 0, 32, and 31 */
        CHECK_EQ(link_of.most_committed, TERN__TX_BATCH);
        uint32_t number = 0;
        for (unsigned i = 0; i < FIRST_WINDOW; i++) {
            tern__pkt_header h;
            CHECK(loop_peek(&l, 0, i, &h));
            CHECK_EQ(h.pkt, i);
            CHECK_EQ(h.attempt, 0);
            CHECK(i == 0 || reliable || h.number == number + 1);
            number = h.number;
        }
        finish(1);
    }
}

/* The credits that are left bound how many are asked for. */
static void together__within_the_credits(void) {
    start(false, 7, TERN__TX_BATCH);
    CHECK_OK();
    CHECK_EQ(loop_request(&l, 40 * PAYLOAD, 0), 0);
    CHECK_EQ(l.side[0].n_queued, 7);
    CHECK_EQ(link_of.most_wanted, 6);
    while (l.n_done == 0) {
        CHECK(l.side[0].n_queued <= 7);
        loop_deliver(&l, 0, 0);
        loop_deliver(&l, 1, 0);
        loop_tick(&l);
        CHECK_OK();
    }
    finish(1);
}

/* Of large packets fewer are on their way at a time. */
static void together__within_the_window(void) {
    loop_init(&l, &(loop_config){.max_packet = 33000, .engine.credits = 64});
    loop_connect(&l);
    CHECK_EQ(loop_request(&l, 40 * 32000, 0), 0);
    CHECK_EQ(l.side[0].n_queued, 15);
    finish(1);
}

/* A link that gives fewer places than wanted, down to one. */
static void together__with_fewer_places(void) {
    for (uint32_t places = 1; places < 6; places++) {
        start(false, 64, places);
        CHECK_OK();
        CHECK_EQ(loop_request(&l, 50 * PAYLOAD, 0), 0);
        CHECK_EQ(l.side[0].n_queued, 50);
        CHECK_EQ(link_of.most_committed, places);
        for (unsigned i = 0; i < 50; i++) CHECK_EQ(pkt_of(i), i);
        finish(1);
    }
}

/* A packet whose piece the link does not take is given up with those behind it; those before it leave, and the rest is
 * sent when the session tries again. */
static void together__given_up_halfway(void) {
    for (uint32_t at = 2; at < 12; at++) {
        start(false, 64, TERN__TX_BATCH);
        CHECK_OK();
        link_of.fails_at = at;
        CHECK_EQ(loop_request(&l, 20 * PAYLOAD, 0), 0);
        CHECK(link_of.n_given_up > 0);
        while (l.side[0].n_queued < 20) loop_tick(&l);
        for (unsigned i = 0; i < 20; i++) CHECK_EQ(pkt_of(i), i);
        finish(1);
    }
}

/* Two long messages take turns packet by packet, also when one answer lets several packets leave. */
static void together__not_where_two_take_turns(void) {
    enum { CREDITS = 6 };
    start(false, CREDITS, TERN__TX_BATCH);
    CHECK_OK();
    CHECK_EQ(loop_request(&l, 30 * PAYLOAD, 0), 0);
    CHECK_EQ(loop_request(&l, 30 * PAYLOAD, 0), 1);
    CHECK_EQ(l.side[0].n_queued, CREDITS);
    CHECK_EQ(loop_deliver_batch(&l, 0, CREDITS), CREDITS);
    while (l.side[1].n_queued) loop_deliver(&l, 1, 0);
    loop_tick(&l);
    CHECK_EQ(l.side[0].n_queued, CREDITS);
    CHECK_OK();
    for (unsigned i = 1; i < CREDITS; i++) {
        tern__pkt_header before, h;
        CHECK(loop_peek(&l, 0, i - 1, &before) && loop_peek(&l, 0, i, &h));
        CHECK(h.req != before.req);
    }
    finish(2);
}

static void together__with_losses(void) {
    start(false, 64, 5);
    CHECK_OK();
    for (int i = 0; i < 3; i++) CHECK_EQ(loop_request(&l, 90 * PAYLOAD, 0), i);
    loop_run(&l, l.now + (tern_time)(20 * TERN_SEC), 20);
    CHECK(link_of.n_several > 0);
    finish(3);
}

TAP_MAIN(TEST(together__of_one_message), TEST(together__within_the_credits), TEST(together__within_the_window),
         TEST(together__with_fewer_places), TEST(together__given_up_halfway), TEST(together__not_where_two_take_turns),
         TEST(together__with_losses))

/* Packets that leave together while others wait at their receiver, and at once otherwise. */
#include "rpc/ports.h"
#include "tap.h"
#include "world.h"

enum { METHOD = 1 };

static world w;
static tern_session *session;
static unsigned n_done;

static void answer(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void done(void *user, int status, const void *response) {
    (void)user, (void)response;
    CHECK_EQ(status, TERN_STATUS_OK);
    n_done++;
}

static void call_once(void) {
    CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("a call", 6), NULL, done, NULL), 0);
}

/* Flushes of the client's link, whose other functions are as ever. */
static unsigned n_flushes;
static const tern__link_ops *real;
static tern__link_ops counting;

static void count_flush(tern__link *link) {
    n_flushes++;
    real->tx_flush(link);
}

static bool wait_for(unsigned n) {
    bool never = false;
    while (n_done < n && tern__sim_now(w.sim) < 10 * (tern_time)TERN_SEC) world_run(&w, &never, 10 * TERN_US);
    return n_done == n;
}

static void start(bool reliable) {
    n_done = 0;
    CHECK(world_init(&w, reliable, 0));
    CHECK_EQ(tern_serve_raw(w.ep[SERVER], METHOD, answer, NULL), 0);
    CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &session), 0);
    call_once();
    CHECK(wait_for(1));
    tern__link *link = &w.ep[CLIENT]->ports->link;
    real = link->ops;
    counting = *real;
    counting.tx_flush = count_flush;
    link->ops = &counting;
}

/* Of 8 calls, one each 10 us, how many times packets have left. */
static unsigned n_departures(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned before = n_flushes;
        call_once();
        for (int k = 0; k < 20; k++) tern_poll(w.ep[CLIENT]);
        n += n_flushes != before;
        tern__sim_advance(w.sim, tern__sim_now(w.sim) + 10 * TERN_US);
    }
    return n;
}

static void gather__only_while_packets_wait(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        tern__link *link = &w.ep[CLIENT]->ports->link;
        CHECK_EQ(n_departures(), 8);
        CHECK(wait_for(9));
        link->queues_until = 0;
        tern__link_queues(link, 8 * 35 * TERN_US, tern__sim_now(w.sim) + TERN_MS);
        CHECK_EQ(n_departures(), 2);
        CHECK(wait_for(17));
        tern__sim_advance(w.sim, tern__sim_now(w.sim) + 2 * TERN_MS);
        CHECK_EQ(n_departures(), 8);
        CHECK(wait_for(25));
        world_fini(&w);
        CHECK_OK();
    }
}

/* The server is busy elsewhere for 0.6 ms; nothing is sent again so soon. */
static void gather__begins_with_answers_that_come_late(void) {
    start(false);
    CHECK_OK();
    tern__link *link = &w.ep[CLIENT]->ports->link;
    CHECK_EQ(link->queues_until, 0);
    call_once();
    tern_poll(w.ep[CLIENT]);
    tern__sim_advance(w.sim, tern__sim_now(w.sim) + 600 * TERN_US);
    CHECK(wait_for(2));
    CHECK(link->queues_until > tern__sim_now(w.sim));
    CHECK(link->gather_ns >= 70 * TERN_US && link->gather_ns <= 80 * TERN_US);
    world_fini(&w);
    CHECK_OK();
}

/* Who goes to sleep leaves nothing behind. */
static void gather__not_before_sleep(void) {
    start(false);
    CHECK_OK();
    tern__link_queues(&w.ep[CLIENT]->ports->link, TERN_SEC, tern__sim_now(w.sim) + TERN_SEC);
    w.ep[CLIENT]->ports->flushed_at = tern__sim_now(w.sim);
    unsigned before = n_flushes;
    call_once();
    tern_poll(w.ep[CLIENT]);
    CHECK_EQ(n_flushes, before);
    tern_next_timeout(w.ep[CLIENT]);
    CHECK_EQ(n_flushes, before + 1);
    CHECK(wait_for(2));
    world_fini(&w);
    CHECK_OK();
}

TAP_MAIN(TEST(gather__only_while_packets_wait), TEST(gather__begins_with_answers_that_come_late),
         TEST(gather__not_before_sleep))

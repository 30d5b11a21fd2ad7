/* Packet numbers: each end of a session on a link that loses packets counts what it sends there, whichever way that is
 * sent; on a reliable link nobody counts. */
#include "engine/engine_record.h"
#include "loop.h"

enum { P = 1024 };

static loop l;
static uint64_t last[2]; /* number of each side's last packet, as if it had 64 bits */
static unsigned n_seen[2], n_gaps[2];

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
    for (int side = 0; side < 2; side++) {
        last[side] = 0;
        n_seen[side] = n_gaps[side] = 0;
    }
}

static void note(int side, const tern__pkt_header *h, bool reliable) {
    if (reliable) {
        CHECK_EQ(h->number, 0);
    } else if (n_seen[side]) {
        uint32_t step = h->number - (uint32_t)last[side];
        CHECK(step > 0 && step < 100);
        n_gaps[side] += step > 1;
        last[side] += step;
    } else {
        last[side] = h->number;
    }
    n_seen[side]++;
}

/* Looks at a side's oldest packet, and delivers it. False: there is none. */
static bool deliver_one(int side, bool reliable) {
    tern__pkt_header h;
    if (!loop_peek(&l, side, 0, &h)) return false;
    note(side, &h, reliable);
    return loop_deliver(&l, side, 0);
}

static void deliver_all(bool reliable) {
    bool any = true;
    while (any && !tap_failed) {
        loop_tick(&l);
        any = false;
        for (int side = 0; side < 2; side++)
            while (deliver_one(side, reliable)) any = true;
    }
}

static void short_request(void) {
    static const uint8_t bytes[32];
    loop_call *call = &l.calls[l.n_calls++];
    memset(call, 0, sizeof *call);
    CHECK(tern__engine_request_now(l.session, 77, (tern_bytes){bytes, sizeof bytes}, call, l.now));
}

/* By the short ways, in packets of one message, with a deadline, and calls that are cancelled. */
static void make_calls(bool reliable) {
    for (int i = 0; i < 5 && !tap_failed; i++) {
        short_request();
        deliver_all(reliable);
        loop_request(&l, 10 * P, 0);
        short_request();
        loop_request(&l, 100, TERN_SEC);
        deliver_all(reliable);
        loop_request(&l, 10, 0);
        tern__engine_cancel(l.session, &l.calls[l.n_calls - 1], l.now);
        l.n_calls--;
        deliver_all(reliable);
    }
}

static void number__counts_up_whichever_way_a_packet_goes(void) {
    start(false);
    CHECK_OK();
    make_calls(false);
    CHECK_EQ(l.n_done, 20);
    CHECK(n_seen[0] > 100 && n_seen[1] > 100);
    CHECK_EQ(n_gaps[0] + n_gaps[1], 0);
    CHECK_EQ(l.session->s.tx_number, (uint32_t)last[0]);
    loop_fini(&l);
}

static void number__is_0_on_a_reliable_link(void) {
    start(true);
    CHECK_OK();
    make_calls(true);
    CHECK_EQ(l.n_done, 20);
    CHECK(n_seen[0] > 100 && n_seen[1] > 100);
    CHECK_EQ(l.session->s.tx_number, 0);
    loop_fini(&l);
}

/* A packet that is sent again is another packet; one that finds the link full has used its number up. */
static void number__is_never_used_twice(void) {
    start(false);
    CHECK_OK();
    tern__pkt_header first, again;
    loop_request(&l, 10, 0);
    CHECK(loop_peek(&l, 0, 0, &first));
    loop_drop(&l, 0, 0);
    for (int i = 0; i < 1000 && !loop_peek(&l, 0, 0, &again); i++) {
        l.now += (tern_time)TERN_MS;
        loop_tick(&l);
    }
    CHECK_EQ(again.req, first.req);
    CHECK_EQ(again.number, first.number + 1);
    deliver_all(false);
    l.side[0].capacity = 0;
    uint32_t before = l.session->s.tx_number;
    loop_request(&l, 10, 0);
    CHECK(l.session->s.tx_number > before);
    l.side[0].capacity = 4096;
    l.now += (tern_time)TERN_SEC / 10;
    deliver_all(false);
    CHECK_EQ(n_gaps[0], 1);
    CHECK_EQ(l.n_done, 2);
    loop_fini(&l);
}

static void number__goes_on_past_32_bits(void) {
    start(false);
    CHECK_OK();
    l.session->s.tx_number = UINT32_MAX - 2;
    for (int i = 0; i < 3; i++) {
        short_request();
        loop_request(&l, 3 * P, 0);
        deliver_all(false);
    }
    CHECK_EQ(l.n_done, 6);
    CHECK_EQ(n_gaps[0], 0);
    CHECK(l.session->s.tx_number < 100);
    loop_fini(&l);
}

TAP_MAIN(TEST(number__counts_up_whichever_way_a_packet_goes), TEST(number__is_0_on_a_reliable_link),
         TEST(number__is_never_used_twice), TEST(number__goes_on_past_32_bits))

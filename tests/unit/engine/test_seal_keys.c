/* The numbers of sealed packets, and the keys that they are sealed with (engine/sealed.h). */
#include "engine/control.h"
#include "engine/session.h"
#include "seal_loop.h"

/* ---- Numbers -------------------------------------------------------------------------------------- */

static void numbers__go_on_beyond_32_bits(void) {
    start(false, 0);
    tern__session *s = &l.session->s;
    s->tx_number = UINT32_MAX - 20;
    uint8_t kept[ANY_BYTES] = {0};
    uint32_t kept_len = 0;
    for (unsigned n = 0; n < 60; n++) {
        tern__session_send_ping(s);
        if (n == 10) { /* the last one but nine with high bits 0 comes late */
            kept_len = copy_of(0, 0, kept);
            loop_drop(&l, 0, 0);
        }
        loop_settle(&l);
    }
    CHECK_EQ(tern__sealed_of(s)->tx_last >> 32, 1);
    CHECK_EQ(loop_stats(&l, 1).opened, 59);
    loop_inject(&l, 1, kept, kept_len);
    CHECK_EQ(loop_stats(&l, 1).opened, 60);
    CHECK_EQ(n_dropped(1), 0);
    loop_inject(&l, 1, kept, kept_len);
    CHECK_EQ(loop_stats(&l, 1).rx_replayed, 1);
    tern__sealed_of(s)->tx_last = 1ull << 32 | (UINT32_MAX - 1);
    s->tx_number = UINT32_MAX - 1; /* half a lap and more at once is too far */
    tern__session_send_ping(s);
    loop_settle(&l);
    CHECK(n_dropped(1) > 1);
    end();
}

/* The last packet with high bits 0 gets lost: the next one has a number beyond all that came. */
static void numbers__go_on_where_the_last_of_32_bits_is_lost(void) {
    start(false, 0);
    tern__session *s = &l.session->s;
    s->tx_number = UINT32_MAX - 5;
    for (unsigned n = 0; n < 20; n++) {
        uint32_t len;
        tern__session_send_ping(s);
        const uint8_t *packet = loop_bytes(&l, 0, 0, &len);
        CHECK(packet != NULL);
        if (tern__load32(packet + NUMBER_AT) == UINT32_MAX) CHECK(loop_drop(&l, 0, 0));
        loop_settle(&l);
    }
    CHECK_EQ(tern__sealed_of(s)->tx_last >> 32, 1);
    CHECK_EQ(loop_stats(&l, 1).opened, 19);
    CHECK_EQ(n_dropped(1), 0);
    expect_call(10);
    end();
}

/* More packets in a row get lost than the window has numbers; some of them come late, and are no replays. */
static void late__packets_behind_a_long_gap_are_taken(void) {
    enum { GAP = 100, WINDOW = 63 };
    static uint8_t late[GAP][ANY_BYTES];
    uint32_t len[GAP];
    start(false, 0);
    tern__session *s = &l.session->s;
    for (unsigned n = 0; n < 70; n++) { /* the window is full of what has been seen */
        tern__session_send_ping(s);
        loop_deliver(&l, 0, 0);
    }
    for (unsigned n = 0; n < GAP; n++) {
        tern__session_send_ping(s);
        len[n] = copy_of(0, 0, late[n]);
        CHECK(loop_drop(&l, 0, 0));
    }
    tern__session_send_ping(s);
    CHECK(loop_deliver(&l, 0, 0));
    uint64_t opened = loop_stats(&l, 1).opened;
    for (unsigned n = GAP - WINDOW; n < GAP; n++) loop_inject(&l, 1, late[n], len[n]);
    CHECK_EQ(loop_stats(&l, 1).opened, opened + WINDOW);
    CHECK_EQ(loop_stats(&l, 1).rx_replayed, 0);
    end();
}

/* A place that was not to be had, or was given up, costs its number; nothing is sealed twice. */
static void numbers__of_packets_that_do_not_leave_are_not_used_again(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        expect_call(10);
        uint32_t before = l.session->s.tx_number;
        l.side[0].capacity = 0;
        loop_request(&l, 3000, 0);
        for (unsigned n = 0; n < 5; n++) {
            l.now += TERN_MS;
            loop_tick(&l);
        }
        CHECK_EQ(l.side[0].n_queued, 0);
        CHECK(l.session->s.tx_number > before + 2);
        l.side[0].capacity = 1; /* room for one at a time */
        loop_run(&l, l.now + 200 * TERN_MS, 0);
        CHECK_EQ(l.n_done, 2);
        CHECK_EQ(l.calls[1].status, TERN_STATUS_OK);
        check.refuses_seal = true;
        uint64_t sealed = check.n_sealed;
        before = l.session->s.tx_number;
        l.side[0].capacity = 100;
        loop_request(&l, 30, 0);
        l.now += TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.side[0].n_queued, 0);
        CHECK_EQ(check.n_sealed, sealed);
        CHECK(l.session->s.tx_number > before);
        check.refuses_seal = false;
        loop_run(&l, l.now + 200 * TERN_MS, 0);
        CHECK_EQ(l.n_done, 3);
        CHECK_EQ(l.calls[2].status, TERN_STATUS_OK);
        CHECK_EQ(n_dropped(0) + n_dropped(1), 0);
        end();
        CHECK_OK();
    }
}

/* ---- Key phases ----------------------------------------------------------------------------------- */

static void keys__change_in_both_directions(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 4);
        for (unsigned n = 0; n < 200; n++) expect_call(n % 5 ? 10 : 2000);
        CHECK(loop_stats(&l, 0).key_phases > 20);
        CHECK(loop_stats(&l, 1).key_phases > 20);
        CHECK_EQ(n_dropped(0) + n_dropped(1), 0);
        end();
        CHECK_OK();
    }
}

/* A packet that comes after the first ones of the next phase. */
static void keys__of_the_phase_before_open_late_packets(void) {
    start(false, 4);
    tern__session *s = &l.session->s;
    uint8_t late[ANY_BYTES];
    tern__session_send_ping(s);
    uint32_t len = copy_of(0, 0, late);
    loop_drop(&l, 0, 0);
    CHECK_EQ(late[FLAGS_AT] & TERN__PKT_KEY, 0);
    for (unsigned n = 0; n < 5; n++) {
        tern__session_send_ping(s);
        loop_settle(&l);
    }
    CHECK_EQ(loop_stats(&l, 0).key_phases, 1);
    uint64_t opened = loop_stats(&l, 1).opened;
    loop_inject(&l, 1, late, len);
    CHECK_EQ(loop_stats(&l, 1).opened, opened + 1);
    expect_call(10);
    end();
}

/* A sender whose PONG gets lost stays in its phase, and asks again. */
static void keys__wait_for_the_receiver(void) {
    start(false, 4);
    tern__session *s = &l.session->s;
    for (unsigned n = 0; n < 100; n++) {
        tern__session_send_ping(s);
        while (loop_deliver(&l, 0, 0)) continue;
        while (loop_drop(&l, 1, 0)) continue;
    }
    CHECK_EQ(loop_stats(&l, 0).key_phases, 1);
    CHECK_EQ(n_dropped(1), 0);
    for (unsigned n = 0; n < 10; n++) expect_call(10);
    CHECK(loop_stats(&l, 0).key_phases > 1);
    end();
}

/* Whether a packet of the server is its answer to a client that asks whether it may move on. */
static bool is_leave_to_move(const uint8_t *packet) {
    return (packet[0] & 15) == TERN__PKT_PONG && (tern__load32(packet + 8) & TERN__SEALED_PING);
}

/* So many PINGs reach the server, whose answers get lost. */
static void speak_unheard(unsigned n) {
    for (; n > 0; n--) {
        tern__session_send_ping(&l.session->s);
        loop_tick(&l);
        while (loop_deliver(&l, 0, 0)) continue;
        while (loop_drop(&l, 1, 0)) continue;
    }
}

/* The sender asked twice in one phase. The second answer comes when it is in the next, of which it says nothing. */
static void keys__do_not_move_by_an_answer_of_the_phase_before(void) {
    start(false, 4);
    uint8_t answer[2][ANY_BYTES];
    uint32_t len[2] = {0}, n_answers = 0;
    for (unsigned n = 0; n < 100 && n_answers < 2; n++) {
        tern__session_send_ping(&l.session->s);
        loop_tick(&l);
        while (loop_deliver(&l, 0, 0)) continue;
        for (; l.side[1].first; loop_drop(&l, 1, 0)) {
            uint8_t packet[ANY_BYTES];
            uint32_t bytes = copy_of(1, 0, packet);
            if (!is_leave_to_move(packet) || n_answers == 2) continue;
            memcpy(answer[n_answers], packet, bytes);
            len[n_answers++] = bytes;
        }
    }
    CHECK_EQ(n_answers, 2);
    CHECK_EQ(loop_stats(&l, 0).key_phases, 1);
    loop_inject(&l, 0, answer[0], len[0]);
    speak_unheard(1);
    CHECK_EQ(loop_stats(&l, 0).key_phases, 2);
    uint64_t opened = loop_stats(&l, 0).opened;
    loop_inject(&l, 0, answer[1], len[1]);
    CHECK_EQ(loop_stats(&l, 0).opened, opened + 1);
    speak_unheard(20);
    CHECK_EQ(loop_stats(&l, 0).key_phases, 2);
    expect_call(10);
    end();
}

/* A packet with the bit turned over, of the current phase or of any number: nobody moves. */
static void keys__are_not_moved_by_forgers(void) {
    start(false, 0);
    for (unsigned n = 0; n < 3; n++) expect_call(10);
    for (unsigned n = 0; n < 50; n++) {
        tern__session_send_ping(&l.session->s);
        uint8_t packet[ANY_BYTES];
        uint32_t len = copy_of(0, 0, packet);
        packet[FLAGS_AT] ^= TERN__PKT_KEY;
        tern__store32(packet + NUMBER_AT, tern__load32(packet + NUMBER_AT) + n % 3);
        loop_inject(&l, 1, packet, len);
        CHECK_EQ(loop_stats(&l, 1).rx_unopened, n + 1);
        loop_settle(&l);
        CHECK_EQ(loop_stats(&l, 1).opened, 4 + n);
    }
    expect_call(10);
    end();
}

/* Without memory for the next key both ends stay where they are until there is some. */
static void keys__that_cannot_be_made_now_are_made_later(void) {
    start(false, 4);
    check.refuses_next = true;
    for (unsigned n = 0; n < 10; n++) expect_call(10);
    CHECK_EQ(loop_stats(&l, 0).key_phases, 0);
    check.refuses_next = false;
    for (unsigned n = 0; n < 10; n++) expect_call(10);
    CHECK(loop_stats(&l, 0).key_phases > 0);
    CHECK_EQ(n_dropped(0) + n_dropped(1), 0);
    end();
}

TAP_MAIN(TEST(numbers__go_on_beyond_32_bits), TEST(numbers__go_on_where_the_last_of_32_bits_is_lost),
         TEST(late__packets_behind_a_long_gap_are_taken),
         TEST(numbers__of_packets_that_do_not_leave_are_not_used_again), TEST(keys__change_in_both_directions),
         TEST(keys__of_the_phase_before_open_late_packets), TEST(keys__wait_for_the_receiver),
         TEST(keys__do_not_move_by_an_answer_of_the_phase_before), TEST(keys__are_not_moved_by_forgers),
         TEST(keys__that_cannot_be_made_now_are_made_later))

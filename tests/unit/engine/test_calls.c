/* Calls over both kinds of link: sizes, order, backlog, deadlines, limits. */
#include "loop.h"

static loop l;

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
}

static void one_call(bool reliable, uint32_t len) {
    start(reliable);
    CHECK_OK();
    CHECK_EQ(loop_request(&l, len, 0), 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].n_done, 1);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
    CHECK_EQ(l.calls[0].len, len);
    CHECK(loop_is_pattern(l.calls[0].data, len));
    CHECK_EQ(loop_stats(&l, 0).retransmits, 0);
    CHECK_EQ(loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped, 0);
    loop_fini(&l);
}

static void request__small_on_a_reliable_link(void) { one_call(true, 32); }
static void request__small_on_a_lossy_link(void) { one_call(false, 32); }

TAP_MAIN(TEST(request__small_on_a_reliable_link), TEST(request__small_on_a_lossy_link))

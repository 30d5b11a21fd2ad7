/* Congestion control on a simulated switch: what an incast does to round trips, how long a session takes to get back to
 * full speed, and that nothing which waits to be sent keeps a message from being let go. */
#include "engine/internal.h"
#include "talk.h"

#include "tap.h"

enum { N_CLIENTS = 20, VICTIM = 0, BYTES = 1 << 20 };

static const uint64_t RATE_BPS = 25000000000u;

static talk t;
static tern__csession *sessions[N_CLIENTS + 1];

static bool open_incast(const tern__cc_ops *cc, double loss) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = N_CLIENTS + 1;
    config.sim.max_packet = 1060;
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){.rate_bps = RATE_BPS};
    config.sim.path.delay = 2650;
    config.sim.path.loss = loss;
    config.sim.switch_buffer_bytes = 12 << 20;
    config.engine.cc = cc;
    if (talk_init(&t, 1, &config) != 0) return false;
    for (uint32_t i = 1; i <= N_CLIENTS; i++)
        if (cluster_connect(&t.c, i, VICTIM, NULL, &sessions[i]) != 0) return false;
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    return t.n_up == N_CLIENTS;
}

static tern__engine_stats sum_of_clients(void) {
    tern__engine_stats sum = {0};
    for (uint32_t i = 1; i <= N_CLIENTS; i++) {
        tern__engine_stats stats;
        tern__engine_get_stats(t.c.nodes[i].engine, &stats);
        sum.congested += stats.congested;
        sum.paced += stats.paced;
        sum.retransmits += stats.retransmits;
    }
    return sum;
}

static double mean_round_trip_us(void) {
    double sum = 0;
    for (uint32_t i = 1; i <= N_CLIENTS; i++) sum += (double)sessions[i]->s.rtt.srtt / 1e3;
    return sum / N_CLIENTS;
}

#define CLOSE_TALK()                                                                                                   \
    do {                                                                                                               \
        const char *error_ = talk_fini(&t);                                                                            \
        if (error_) printf("# %s\n", error_);                                                                          \
        CHECK(error_ == NULL);                                                                                         \
    } while (0)

/* Twenty senders of one packet window each queue 650 KB, 210 us, where nobody holds back. */
static void incast__is_a_matter_of_the_algorithm(void) {
    static const struct {
        const tern__cc_ops *cc;
        double least_us, most_us;
    } rows[] = {{&tern__cc_none, 180, 240}, {&tern__cc_timely, 0, 120}, {&tern__cc_swift, 10, 30}};
    for (size_t k = 0; k < TERN__COUNT(rows); k++) {
        CHECK(open_incast(rows[k].cc, 0));
        for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], 2 * BYTES, 32, 0), 0);
        cluster_run(&t.c, cluster_now(&t.c) + 4 * (tern_time)TERN_MS);
        double us = mean_round_trip_us();
        printf("# %s: %.1f us\n", rows[k].cc->name, us);
        CHECK(us >= rows[k].least_us && us <= rows[k].most_us);
        talk_finish(&t, TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], N_CLIENTS);
        tern__engine_stats sum = sum_of_clients();
        CHECK((sum.congested > 0) == (rows[k].cc != &tern__cc_none));
        tern__sim_stats sim;
        tern__sim_get_stats(t.c.sim, &sim);
        CHECK_EQ(sim.queue_drops, 0);
        CLOSE_TALK();
    }
}

/* The responses come from twenty servers to one client, which asks for their packets. */
static void incast__of_responses(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    tern__csession *back[N_CLIENTS + 1];
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(cluster_connect(&t.c, VICTIM, i, NULL, &back[i]), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, VICTIM, back[i], 32, 2 * BYTES, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + 4 * (tern_time)TERN_MS);
    double sum = 0;
    for (uint32_t i = 1; i <= N_CLIENTS; i++) sum += (double)back[i]->s.rtt.srtt / 1e3;
    printf("# %.1f us\n", sum / N_CLIENTS);
    CHECK(sum / N_CLIENTS < 40);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], N_CLIENTS);
    CLOSE_TALK();
}

/* Once the others are done, the one that is left is at line rate again, and uncongested, within half a millisecond. */
static void recovery__to_line_rate(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    CHECK_EQ(talk_call(&t, 1, sessions[1], 8 * BYTES, 32, 0), 0);
    for (uint32_t i = 2; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], BYTES / 4, 32, 0), 0);
    while (t.n_done < N_CLIENTS - 1 && cluster_step(&t.c, 2 * (tern_time)TERN_SEC)) continue;
    CHECK_EQ(t.n_done, N_CLIENTS - 1);
    CHECK(sessions[1]->pace != NULL);
    tern_time alone_at = cluster_now(&t.c);
    while (sessions[1]->pace && cluster_step(&t.c, 2 * (tern_time)TERN_SEC)) continue;
    double us = (double)(cluster_now(&t.c) - alone_at) / 1e3;
    tern__engine_stats before, after;
    tern__engine_get_stats(t.c.nodes[VICTIM].engine, &before);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    tern__engine_get_stats(t.c.nodes[VICTIM].engine, &after);
    double gbps = (double)(after.rx_bytes - before.rx_bytes) * 8 / (double)TERN_MS;
    printf("# uncongested after %.1f us, then %.1f Gbit/s\n", us, gbps);
    CHECK(us < 500);
    CHECK(gbps > 0.95 * 25);
    CHECK(!sessions[1]->pace);
    talk_finish(&t, TERN_SEC);
    CLOSE_TALK();
}

/* Sessions wait in the wheel while packets get lost and are sent again, calls end by deadlines, and sessions close; what
 * the callers gave up is overwritten at once (talk, body_drop), so the simulator would see a packet that still refers
 * to it. */
static void wheel__holds_nothing_that_is_let_go(void) {
    CHECK(open_incast(&tern__cc_timely, 0.01));
    for (uint32_t i = 1; i <= N_CLIENTS; i++) {
        CHECK_EQ(talk_call(&t, i, sessions[i], BYTES / 2, 32, i % 4 == 0 ? 2 * TERN_MS : 0), 0);
        CHECK_EQ(talk_call(&t, i, sessions[i], 32, BYTES / 8, 0), 0);
    }
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    CHECK(!tern__wheel_empty(t.c.nodes[1].engine->wheel));
    for (uint32_t i = 3; i <= N_CLIENTS; i += 5) tern__engine_session_close(sessions[i], cluster_now(&t.c));
    talk_finish(&t, 10 * TERN_SEC);
    tern__engine_stats sum = sum_of_clients();
    CHECK(sum.paced > 100);
    CHECK(sum.retransmits > 10);
    CHECK(t.n_status[TERN_STATUS_UNAVAILABLE] > 0);
    CHECK(t.n_status[TERN_STATUS_DEADLINE_EXCEEDED] > 0);
    CHECK(t.n_status[TERN_STATUS_OK] > N_CLIENTS);
    for (uint32_t i = 1; i <= N_CLIENTS; i++) {
        const tern__wheel *wheel = t.c.nodes[i].engine->wheel;
        CHECK(!wheel || tern__wheel_empty(wheel));
    }
    CLOSE_TALK();
}

/* Small calls of a congested session take no part in it. */
static void light__calls_pass_a_congested_session(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], 2 * BYTES, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + 2 * (tern_time)TERN_MS);
    CHECK(sessions[1]->pace != NULL);
    tern_time began = cluster_now(&t.c);
    uint32_t n_before = t.n_done;
    for (int i = 0; i < 7; i++) CHECK_EQ(talk_call(&t, 1, sessions[1], 100, 100, 0), 0);
    while (t.n_done < n_before + 7 && cluster_step(&t.c, 2 * (tern_time)TERN_SEC)) continue;
    double us = (double)(cluster_now(&t.c) - began) / 1e3;
    printf("# seven calls in %.1f us\n", us);
    CHECK(us < 60);
    talk_finish(&t, TERN_SEC);
    CLOSE_TALK();
}

/* The path has become ten times as long: no queue, as a session that had a pause finds out. */
static void idle__sessions_learn_a_longer_path(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    CHECK_EQ(talk_call(&t, 1, sessions[1], BYTES, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    tern__sim_set_default_path(t.c.sim, &(tern__sim_path){.delay = 50 * TERN_US});
    cluster_run(&t.c, cluster_now(&t.c) + 6 * (tern_time)TERN_SEC);
    tern_time began = cluster_now(&t.c);
    CHECK_EQ(talk_call(&t, 1, sessions[1], BYTES, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    double ms = (double)(t.last_done - began) / 1e6;
    printf("# %.2f ms\n", ms);
    CHECK(ms < 5); /* 1024 packets, 32 in each 101 us: 3.3 ms */
    CLOSE_TALK();
}

/* A second without calls, and the memory that congestion takes is given back. */
static void idle__sessions_keep_no_state(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], BYTES / 4, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    uint32_t n_congested = 0;
    for (uint32_t i = 1; i <= N_CLIENTS; i++) n_congested += sessions[i]->pace != NULL;
    CHECK(n_congested > 0);
    cluster_run(&t.c, cluster_now(&t.c) + 2 * (tern_time)TERN_SEC);
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK(!sessions[i]->pace);
    CLOSE_TALK();
}

TAP_MAIN(TEST(incast__is_a_matter_of_the_algorithm), TEST(incast__of_responses), TEST(recovery__to_line_rate),
         TEST(wheel__holds_nothing_that_is_let_go), TEST(light__calls_pass_a_congested_session),
         TEST(idle__sessions_keep_no_state), TEST(idle__sessions_learn_a_longer_path))

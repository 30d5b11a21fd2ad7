/* What engines achieve on a given network: bounds on time and goodput, and what clients see of dead servers. */
#include "talk.h"

#include "tap.h"

static talk t;
static tern__csession *session;

static void open_talk(uint64_t seed, cluster_config *config) {
    if (talk_init(&t, seed, config) != 0) abort();
    if (cluster_connect(&t.c, 0, 1, NULL, &session) != 0) abort();
}

#define CLOSE_TALK()                                                                                                   \
    do {                                                                                                               \
        const char *error_ = talk_fini(&t);                                                                            \
        if (error_) printf("# %s\n", error_);                                                                          \
        CHECK(error_ == NULL);                                                                                         \
    } while (0)

static tern__engine_stats stats_of(uint32_t node) {
    tern__engine_stats stats;
    tern__engine_get_stats(t.c.nodes[node].engine, &stats);
    tern__engine_add_sent(&stats, &t.c.nodes[node].port->link);
    return stats;
}

static double ms_since_start(tern_time at) { return (double)(at - (tern_time)TERN_SEC) / 1e6; }

static void loss30__one_megabyte_each_way_in_bounded_time(void) {
    double worst = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cluster_config config;
        cluster_config_init(&config);
        config.sim.path.loss = 0.3;
        config.engine.peer_timeout = 10 * TERN_SEC;
        open_talk(seed, &config);
        CHECK_EQ(talk_call(&t, 0, session, 1 << 20, 1 << 20, 0), 0);
        talk_finish(&t, 30 * TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
        CHECK(stats_of(0).retransmits > 0);
        if (ms_since_start(t.last_done) > worst) worst = ms_since_start(t.last_done);
        CLOSE_TALK();
    }
    printf("# worst of 5: %.1f ms\n", worst);
    CHECK(worst < 10000);
}

static void loss30__small_calls_end_in_bounded_time(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.path.loss = 0.3;
    config.engine.peer_timeout = 10 * TERN_SEC;
    open_talk(3, &config);
    for (unsigned i = 0; i < 1000; i++) CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, 30 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1000);
    CHECK_EQ(t.n_served, 1000);
    printf("# 1000 calls in %.1f ms\n", ms_since_start(t.last_done));
    CHECK(t.last_done - (tern_time)TERN_SEC < (tern_time)(5 * TERN_SEC));
    CLOSE_TALK();
}

/* Half of all round trips fail, and still nobody takes a living server for dead within the default second. */
static void loss30__a_living_server_is_not_given_up(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cluster_config config;
        cluster_config_init(&config);
        config.sim.path.loss = 0.3;
        open_talk(seed, &config);
        for (unsigned i = 0; i < 200; i++) CHECK_EQ(talk_call(&t, 0, session, 32 + 20 * i, 32 + 20 * i, 0), 0);
        talk_finish(&t, 60 * TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], 200);
        CHECK_EQ(t.n_lost, 0);
        CLOSE_TALK();
    }
}

static struct credits {
    int out, most;
    uint64_t n_answers;
} credits;

static void count_credits(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    tern__pkt_header h;
    if (!tern__pkt_read(&h, seen->head, seen->head_len, seen->bytes)) return;
    bool takes = h.type == TERN__PKT_REQ || h.type == TERN__PKT_RFR;
    bool gives = h.type == TERN__PKT_CR || h.type == TERN__PKT_RESP;
    if (seen->fate == TERN__SIM_SENT && takes) credits.out++;
    if (seen->fate == TERN__SIM_DELIVERED && gives) credits.out--;
    credits.n_answers += seen->fate == TERN__SIM_DELIVERED && gives;
    if (credits.out > credits.most) credits.most = credits.out;
}

/* eRPC 4.3.1: no more than the credits are in flight, and all of them are used. */
static void credits__bound_what_is_in_flight(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config;
        cluster_config_init(&config);
        config.sim.reliable = reliable;
        config.engine.credits = 7;
        memset(&credits, 0, sizeof credits);
        open_talk(1, &config);
        tern__sim_watch(t.c.sim, count_credits, NULL);
        for (unsigned i = 0; i < 20; i++) CHECK_EQ(talk_call(&t, 0, session, 10000, 50000 - 2000 * i, 0), 0);
        talk_finish(&t, TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], 20);
        CHECK_EQ(credits.most, 7);
        CHECK_EQ(credits.out, 0);
        CHECK(credits.n_answers > 500);
        CLOSE_TALK();
    }
}

static void scale__of_a_thousand_clients(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = 1000;
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 256 << 10};
    config.engine.max_sessions = 1000;
    if (talk_init(&t, 1, &config) != 0) abort();
    for (uint32_t i = 1; i < 1000; i++) {
        tern__csession *s;
        CHECK_EQ(cluster_connect(&t.c, i, 0, NULL, &s), 0);
        CHECK_EQ(talk_call(&t, i, s, 1000, 1000, 0), 0);
    }
    talk_finish(&t, 20 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 999);
    CHECK_EQ(t.n_served, 999);
    CHECK_EQ(stats_of(0).sessions_open, 999);
    printf("# all ended after %.2f ms\n", ms_since_start(t.last_done));
    CHECK(t.last_done - (tern_time)TERN_SEC < (tern_time)TERN_SEC);
    CLOSE_TALK();
}

/* 32 credits of 1 kB over a round trip of 10 us and 10 Gbps: the credits cover the path. */
static void goodput__of_a_large_request_is_near_the_line_rate(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 0};
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 8 << 20, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    double gbps = (double)(8 << 20) * 8 / (double)(t.last_done - (tern_time)TERN_SEC);
    printf("# %.2f of 10 Gbps\n", gbps);
    CHECK(gbps > 8.5);
    CHECK_EQ(stats_of(0).retransmits, 0);
    CLOSE_TALK();
}

static void goodput__of_a_large_response_is_near_the_line_rate(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 0};
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 32, 8 << 20, 0), 0);
    talk_finish(&t, TERN_SEC);
    double gbps = (double)(8 << 20) * 8 / (double)(t.last_done - (tern_time)TERN_SEC);
    printf("# %.2f of 10 Gbps\n", gbps);
    CHECK(gbps > 8.5);
    CHECK_EQ(stats_of(0).retransmits, 0);
    CLOSE_TALK();
}

/* eRPC's go-back-N falls from 73 to 2.5 Gbps at this loss (its Table 4). */
static void goodput__at_one_packet_in_a_thousand_lost_is_near_the_line_rate(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 0};
    config.sim.path.loss = 1e-3;
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 8 << 20, 8 << 20, 0), 0);
    talk_finish(&t, TERN_SEC);
    double gbps = (double)(16 << 20) * 8 / (double)(t.last_done - (tern_time)TERN_SEC);
    printf("# %.2f of 10 Gbps, %llu retransmits\n", gbps, (unsigned long long)stats_of(0).retransmits);
    CHECK(gbps > 8);
    CHECK(stats_of(0).retransmits < 60);
    CLOSE_TALK();
}

/* One packet in ten is late by up to three packets' time: no reason to send it again. */
static void reordering__of_near_packets_costs_nothing(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 0};
    config.sim.path.reorder = 0.1;
    config.sim.path.reorder_delay = 2400;
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 8 << 20, 8 << 20, 0), 0);
    talk_finish(&t, TERN_SEC);
    double gbps = (double)(16 << 20) * 8 / (double)(t.last_done - (tern_time)TERN_SEC);
    tern__sim_stats sim;
    tern__sim_get_stats(t.c.sim, &sim);
    printf("# %.2f of 10 Gbps, %llu of %llu packets late, %llu retransmits\n", gbps, (unsigned long long)sim.reordered,
           (unsigned long long)sim.sent, (unsigned long long)stats_of(0).retransmits);
    CHECK(sim.reordered > 1000);
    CHECK(gbps > 8);
    CHECK(stats_of(0).retransmits < sim.reordered / 20);
    CLOSE_TALK();
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* The server keeps a response for retransmission, but not for as long as nobody calls. */
static void idle__servers_let_go_of_the_last_response(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(5 * TERN_SEC));
    uint64_t live = live_buffers();
    CHECK_EQ(talk_call(&t, 0, session, 32, 1 << 20, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK(live_buffers() > live + 1);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(5 * TERN_SEC));
    CHECK(live_buffers() <= live + 1); /* the record of the request waits for the next */
    CLOSE_TALK();
}

static void latency__of_a_small_call_is_one_round_trip(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    tern_time start = cluster_now(&t.c);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.last_done - start, 10 * TERN_US);
    CLOSE_TALK();
}

/* Ten clients and one server behind a queue of 64 kB: all ends well, and not by waiting for the last timeout. */
static void incast__of_ten_ends_in_bounded_time(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = 11;
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 64 << 10};
    if (talk_init(&t, 1, &config) != 0) abort();
    for (uint32_t i = 1; i <= 10; i++) {
        tern__csession *s;
        CHECK_EQ(cluster_connect(&t.c, i, 0, NULL, &s), 0);
        for (unsigned k = 0; k < 4; k++) CHECK_EQ(talk_call(&t, i, s, 200000, 32, 0), 0);
    }
    talk_finish(&t, 20 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 40);
    tern__sim_stats sim;
    tern__sim_get_stats(t.c.sim, &sim);
    printf("# 8 MB in %.2f ms, %llu packets dropped\n", ms_since_start(t.last_done),
           (unsigned long long)sim.queue_drops);
    CHECK(sim.queue_drops > 0);
    CHECK(t.last_done - (tern_time)TERN_SEC < (tern_time)(2 * TERN_SEC));
    CLOSE_TALK();
}

/* A length whose body lies in the pool. */
static size_t pool_body_bytes(size_t bytes) {
    for (;; bytes++) {
        body b;
        body_spec spec = talk_spec(bytes);
        if (!body_make(&b, &spec)) abort();
        bool in_pool = tern_in_pool(b.values[0]);
        body_drop(&b, false);
        if (in_pool) return bytes;
    }
}

static void inplace__values_are_sent_from_where_they_are(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (size_t bytes = 4000; bytes < 100000; bytes *= 5) {
            cluster_config config;
            cluster_config_init(&config);
            config.sim.reliable = config.sim.spans = reliable;
            config.sim.max_packet = 8192;
            open_talk(1, &config);
            bytes = pool_body_bytes(bytes);
            CHECK_EQ(talk_call(&t, 0, session, bytes, 0, 0), 0);
            talk_finish(&t, TERN_SEC);
            tern__sim_stats sim;
            tern__sim_get_stats(t.c.sim, &sim);
            CHECK_EQ(stats_of(0).inplace_values, 1);
            CHECK_EQ(stats_of(0).inplace_bytes, bytes);
            CHECK_EQ(stats_of(0).copied_bytes, 0);
            CHECK(sim.inplace_pieces > 0);
            CHECK(reliable || sim.placed > 0 || bytes < 20000);
            CLOSE_TALK();
        }
    }
}

/* Long messages of several clients at a time, to one server and back, take turns packet by packet, and most packets of
 * all of them are received where their message is put together. guesses: as by a port that does not know which packet
 * comes next, and is wrong for a quarter of the packets and more. */
static void place_several(uint32_t n_clients, bool guesses, uint32_t n_places, double least) {
    enum { BYTES = 400000 };
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = n_clients + 1;
    config.sim.max_packet = 8192;
    config.sim.guesses = guesses;
    config.sim.placements = n_places;
    if (talk_init(&t, 1, &config) != 0) abort();
    tern__csession *sessions[8];
    for (uint32_t i = 1; i <= n_clients; i++) CHECK_EQ(cluster_connect(&t.c, i, 0, NULL, &sessions[i - 1]), 0);
    for (uint32_t i = 1; i <= n_clients; i++) CHECK_EQ(talk_call(&t, i, sessions[i - 1], 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    for (uint32_t i = 1; i <= n_clients; i++) CHECK_EQ(talk_call(&t, i, sessions[i - 1], BYTES, BYTES, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 2 * n_clients);
    tern__sim_stats sim;
    tern__sim_get_stats(t.c.sim, &sim);
    double n_pkts = 2.0 * n_clients * BYTES / config.sim.max_packet;
    printf("# %u clients%s: %.2f of the packets placed, %llu misplaced\n", n_clients, guesses ? ", guesses" : "",
           (double)sim.placed / n_pkts, (unsigned long long)sim.misplaced);
    CHECK((double)sim.placed >= least * n_pkts);
    CHECK_EQ(sim.misuse, 0);
    CLOSE_TALK();
}

static void inplace__several_messages_at_a_time(void) {
    for (uint32_t n = 1; n <= 4; n *= 2) {
        place_several(n, false, 0, 0.9);
        place_several(n, true, 0, 0.5);
    }
    place_several(4, false, 2, 0.8); /* with a table of one it is 0.7 */
}

static void death__of_a_silent_server_is_noticed_within_the_peer_timeout(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_MS));
    CHECK_EQ(t.n_held, 1);
    tern_time killed = cluster_now(&t.c);
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(t.n_gone, 1);
    talk_finish(&t, 10 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK_EQ(t.n_lost, 1);
    CHECK(t.last_done - killed < (tern_time)(1500 * TERN_MS));
    CHECK_EQ(stats_of(0).peers_lost, 1);
    CLOSE_TALK();
}

static void death__of_a_reliable_peer_is_noticed_at_once(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    open_talk(1, &config);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_MS));
    tern_time killed = cluster_now(&t.c);
    cluster_node_kill(&t.c, 1);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK(t.last_done - killed < (tern_time)TERN_MS);
    CLOSE_TALK();
}

static void death__of_a_client_tells_the_handler(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    open_talk(1, &config);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_MS));
    cluster_node_kill(&t.c, 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_MS));
    CHECK_EQ(t.n_gone, 1);
    CLOSE_TALK();
}

/* The restarted server says that it does not know the session; nobody waits for a timeout. */
static void restart__of_a_server_is_noticed_by_the_next_packet(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(cluster_node_start(&t.c, 1), 0);
    tern_time start = cluster_now(&t.c);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, 10 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK(t.last_done - start < (tern_time)(20 * TERN_MS));
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 2);
    CHECK_EQ(tern__engine_session_state(session), TERN_SESSION_OPEN);
    CLOSE_TALK();
}

static void connect__to_nobody_fails_at_its_timeout(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.engine.connect_timeout = 2 * TERN_SEC;
    if (talk_init(&t, 1, &config) != 0) abort();
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 100 * TERN_MS), 0);
    talk_finish(&t, 10 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK_EQ(t.n_status[TERN_STATUS_DEADLINE_EXCEEDED], 1);
    CHECK(ms_since_start(t.first_done) > 99 && ms_since_start(t.first_done) < 110);
    CHECK(ms_since_start(t.last_done) > 1990 && ms_since_start(t.last_done) < 2200);
    CHECK_EQ(t.n_served, 0);
    CLOSE_TALK();
}

static void order__of_completion_is_that_of_the_answers(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    t.hold = true;
    for (unsigned i = 0; i < 8; i++) CHECK_EQ(talk_call(&t, 0, session, 100 + i, 100 + i, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_MS));
    CHECK_EQ(t.n_held, 8);
    for (uint32_t i = 8; i-- > 0;) {
        CHECK_EQ(talk_answer(&t, 1, i), 0);
        cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    }
    CHECK_EQ(t.n_done, 8);
    for (uint32_t i = 0; i < 8; i++) CHECK_EQ(t.calls[t.done_order[i]].bytes_back, t.held_bytes[7 - i]);
    CLOSE_TALK();
}

/* A handler that takes long is not repeated, and its client does not give up on it. */
static void handler__that_runs_for_a_minute_is_waited_for(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_talk(1, &config);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 5000, 5000, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(60 * TERN_SEC));
    CHECK_EQ(t.n_served, 1);
    CHECK_EQ(t.n_done, 0);
    CHECK_EQ(talk_answer(&t, 1, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
    CHECK(stats_of(0).tx_packets < 2000);
    CLOSE_TALK();
}

TAP_MAIN(TEST(loss30__one_megabyte_each_way_in_bounded_time), TEST(loss30__small_calls_end_in_bounded_time),
         TEST(loss30__a_living_server_is_not_given_up), TEST(credits__bound_what_is_in_flight),
         TEST(scale__of_a_thousand_clients), TEST(goodput__of_a_large_request_is_near_the_line_rate),
         TEST(goodput__of_a_large_response_is_near_the_line_rate),
         TEST(goodput__at_one_packet_in_a_thousand_lost_is_near_the_line_rate),
         TEST(reordering__of_near_packets_costs_nothing), TEST(idle__servers_let_go_of_the_last_response),
         TEST(latency__of_a_small_call_is_one_round_trip), TEST(incast__of_ten_ends_in_bounded_time),
         TEST(inplace__values_are_sent_from_where_they_are), TEST(inplace__several_messages_at_a_time),
         TEST(death__of_a_silent_server_is_noticed_within_the_peer_timeout),
         TEST(death__of_a_reliable_peer_is_noticed_at_once), TEST(death__of_a_client_tells_the_handler),
         TEST(restart__of_a_server_is_noticed_by_the_next_packet), TEST(connect__to_nobody_fails_at_its_timeout),
         TEST(order__of_completion_is_that_of_the_answers), TEST(handler__that_runs_for_a_minute_is_waited_for))

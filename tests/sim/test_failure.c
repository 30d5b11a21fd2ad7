/* What happens to sessions and calls when something fails, or somebody means ill. */
#include "talk.h"

#include "tap.h"
#include "tern/mem.h"

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
    return stats;
}

static void run_for(tern_dur span) { cluster_run(&t.c, cluster_now(&t.c) + (tern_time)span); }

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* ---- Floods of CONNECTs ------------------------------------------------------------------------- */

enum { CONNECT_BYTES = 24 + 40 };

/* Hand the server a CONNECT that seems to come from this node. */
static void spoof_connect(uint32_t from, uint32_t number, uint64_t cookie) {
    uint8_t *p = tern_alloc(CONNECT_BYTES);
    tern__pkt_header h = {.type = TERN__PKT_CONNECT, .size = CONNECT_BYTES - 24};
    memset(p, 0, CONNECT_BYTES);
    tern__pkt_write(&h, p);
    tern__store64(p + 24, tern__mix64(number));
    tern__store32(p + 24 + 16, number);
    tern__store32(p + 24 + 20, 1024);
    tern__store32(p + 24 + 24, 32);
    p[24 + 28] = 7;
    p[24 + 29] = 8;
    tern__store64(p + 24 + 32, cookie);
    cluster_node *server = &t.c.nodes[1];
    tern__rx_packet pkt = {
        .head = p, .head_len = CONNECT_BYTES, .link = &server->port->link, .route = tern__sim_route(from)};
    tern__engine_rx(server->engine, &pkt, cluster_now(&t.c));
    tern_unref(p);
}

/* 100,000 CONNECTs in a second, from addresses that are not the sender's and half of them with a guessed cookie, take no
 * memory and no session; who is really there connects meanwhile as fast as ever. */
static void flood__of_spoofed_connects_costs_nothing(void) {
    enum { N = 100000, N_CLIENTS = 10, N_OTHERS = 500 };
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = 2 + N_CLIENTS + N_OTHERS;
    open_talk(1, &config);
    run_for(TERN_MS);
    CHECK_EQ(t.n_up, 1);
    uint64_t live = live_buffers();
    uint64_t tx_bytes = stats_of(1).tx_bytes;
    for (uint32_t i = 0; i < N; i++) {
        spoof_connect(2 + N_CLIENTS + i % N_OTHERS, i, i % 2 ? tern__mix64(~i) : 0);
        if (i % 100 == 99) run_for(TERN_MS);
        if (i == N / 4) CHECK(live_buffers() <= live + 200); /* what the simulated network carries */
    }
    CHECK_EQ(stats_of(1).sessions_open, 1);
    CHECK_EQ(stats_of(1).retries + stats_of(1).limited, N + 1);
    CHECK(stats_of(1).tx_bytes - tx_bytes <= (uint64_t)N * CONNECT_BYTES);
    for (uint32_t i = 0; i < N_CLIENTS * 1000; i++) {
        spoof_connect(2 + N_CLIENTS + i % N_OTHERS, i, 0);
        tern__csession *real;
        if (i % 1000 == 500) CHECK_EQ(cluster_connect(&t.c, 2 + i / 1000, 1, NULL, &real), 0);
        if (i % 100 == 99) run_for(TERN_MS);
    }
    run_for(TERN_MS);
    CHECK_EQ(t.n_up, 1 + N_CLIENTS);
    CHECK_EQ(stats_of(1).sessions_open, 1 + N_CLIENTS);
    CLOSE_TALK();
}

/* Ten million CONNECTs a second from one network: it gets what one network may have, and others
 * connect at their first try. */
static void flood__from_one_network_does_not_lock_out_others(void) {
    enum { N = 200000 };
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = 4;
    open_talk(1, &config);
    run_for(TERN_MS);
    for (uint32_t i = 0; i < N; i++) {
        spoof_connect(3, i, 0);
        tern__csession *real;
        if (i == N / 2) CHECK_EQ(cluster_connect(&t.c, 2, 1, NULL, &real), 0);
        if (i % 100 == 99) run_for(10 * TERN_US);
    }
    CHECK_EQ(t.n_up, 2);
    CHECK(stats_of(1).retries < 4096 + 500);
    CHECK(stats_of(1).limited > N - 5000);
    CHECK_EQ(stats_of(2).tx_packets, 2); /* CONNECT, and once more with its cookie */
    CLOSE_TALK();
}

TAP_MAIN(TEST(flood__of_spoofed_connects_costs_nothing), TEST(flood__from_one_network_does_not_lock_out_others))

/* What happens to sessions and calls when something fails, or somebody means ill. */
#include "engine/shortest.h"
#include "talk.h"

#include "setup_packet.h"
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
    tern__engine_add_sent(&stats, &t.c.nodes[node].port->link);
    return stats;
}

static void run_for(tern_dur span) { cluster_run(&t.c, cluster_now(&t.c) + (tern_time)span); }

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* ---- Floods of CONNECTs ------------------------------------------------------------------------- */

enum { CONNECT_BYTES = TERN__CONNECT_BYTES };

/* Hand the server a CONNECT that seems to come from this node. */
static void spoof_connect(uint32_t from, uint32_t number, uint64_t cookie) {
    uint8_t *p = tern_alloc(CONNECT_BYTES);
    tern__setup setup = setup_usual(tern__mix64(number), number, cookie);
    setup_connect(&setup, p);
    cluster_node *server = &t.c.nodes[1];
    tern__rx_packet pkt = {
        .n = 1, .head = p, .head_len = CONNECT_BYTES, .link = &server->port->link, .route = tern__sim_route(from)};
    tern__engine_rx(server->engine, &pkt, 1, cluster_now(&t.c));
    tern_unref(p);
}

/* 100,000 CONNECTs in a second, from addresses that are not the sender's and half of them with a guessed cookie, take
 * no memory and no session; who is really there connects meanwhile as fast as ever. */
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

/* ---- Packets that come again, late -------------------------------------------------------------- */

enum { MAX_RECORDED = 256 };

/* The last packet of each type that each of the two nodes sent. */
static struct recorded {
    uint32_t len;
    uint8_t bytes[MAX_RECORDED];
} recorded[2][16];

static void record(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    if (seen->fate != TERN__SIM_SENT || seen->src > 1 || seen->head_len > MAX_RECORDED || !seen->head_len) return;
    struct recorded *r = &recorded[seen->src][seen->head[0] & 15];
    r->len = seen->head_len;
    memcpy(r->bytes, seen->head, seen->head_len);
}

static void open_recorded(cluster_config *config) {
    memset(recorded, 0, sizeof recorded);
    if (talk_init(&t, 1, config) != 0) abort();
    tern__sim_watch(t.c.sim, record, NULL);
    if (cluster_connect(&t.c, 0, 1, NULL, &session) != 0) abort();
    run_for(TERN_MS);
}

/* The last packet of this type that node `src` sent reaches the other once more. */
static void replay(uint32_t src, uint8_t type) {
    const struct recorded *r = &recorded[src][type];
    cluster_node *node = &t.c.nodes[!src];
    CHECK(r->len > 0);
    uint8_t *p = tern_alloc(r->len);
    memcpy(p, r->bytes, r->len);
    tern__rx_packet pkt = {
        .n = 1, .head = p, .head_len = r->len, .link = &node->port->link, .route = tern__sim_route(src)};
    tern__engine_rx(node->engine, &pkt, 1, cluster_now(&t.c));
    tern_unref(p);
    cluster_flush(&t.c, !src);
}

static void call_ok(void) {
    uint32_t n_ok = t.n_status[TERN_STATUS_OK];
    CHECK_EQ(talk_call(&t, 0, session, 100, 200, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], n_ok + 1);
}

static void connect__repeated_while_the_session_lives(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_recorded(&config);
    call_ok();
    for (int i = 0; i < 5; i++) replay(0, TERN__PKT_CONNECT);
    run_for(TERN_MS);
    CHECK_EQ(stats_of(1).sessions_open, 1);
    CHECK_EQ(t.n_up, 1);
    call_ok();
    CHECK_EQ(t.n_lost, 0);
    CLOSE_TALK();
}

/* The client has closed the session, and a CONNECT comes again: while its cookie is good it makes a session that nobody
 * speaks for and that goes as soon as the client is asked; later it makes nothing. */
static void connect__delayed_past_the_end(void) {
    for (int old = 0; old < 2; old++) {
        cluster_config config;
        cluster_config_init(&config);
        open_recorded(&config);
        call_ok();
        tern__engine_session_close(session, cluster_now(&t.c));
        cluster_flush(&t.c, 0);
        run_for(old ? 20 * TERN_SEC : 10 * TERN_MS);
        CHECK_EQ(stats_of(1).sessions_open, 0);
        uint64_t retries = stats_of(1).retries;
        replay(0, TERN__PKT_CONNECT);
        run_for(TERN_MS); /* its ACCEPT is refused by the client, which has no such session */
        CHECK_EQ(stats_of(1).sessions_open, 0);
        CHECK_EQ(stats_of(1).retries - retries, old);
        CHECK_EQ(t.n_up, 1);
        CLOSE_TALK();
        CHECK_OK();
    }
}

static void accept__repeated_or_delayed(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_recorded(&config);
    replay(1, TERN__PKT_ACCEPT);
    call_ok();
    CHECK_EQ(t.n_up, 1);
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(cluster_node_start(&t.c, 1), 0);
    struct recorded old = recorded[1][TERN__PKT_ACCEPT];
    CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0); /* which finds the new server */
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_lost, 1);
    CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0); /* connects; the old ACCEPT is quicker */
    recorded[1][TERN__PKT_ACCEPT] = old;
    replay(1, TERN__PKT_ACCEPT);
    CHECK_EQ(t.n_up, 1);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_up, 2);
    call_ok();
    CLOSE_TALK();
}

/* A DISCONNECT of a session's former life does not end the present one. */
static void disconnect__repeated_or_delayed(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_recorded(&config);
    call_ok();
    tern__engine_session_close(session, cluster_now(&t.c));
    cluster_flush(&t.c, 0);
    run_for(TERN_MS);
    CHECK_EQ(stats_of(1).sessions_open, 0);
    replay(0, TERN__PKT_DISCONNECT);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    run_for(TERN_MS);
    CHECK_EQ(t.n_up, 2);
    replay(0, TERN__PKT_DISCONNECT);
    run_for(TERN_MS);
    CHECK_EQ(stats_of(1).sessions_open, 1);
    call_ok();
    CHECK_EQ(t.n_lost, 0);
    CLOSE_TALK();
}

/* ---- Restarts and halves of sessions ------------------------------------------------------------ */

/* The client is told by the incarnation whether the server is the one that it knew. */
static void restart__is_told_by_the_incarnation(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_recorded(&config);
    uint64_t first = tern__engine_session_incarnation(session);
    CHECK(first != 0);
    CHECK_EQ(tern__sim_cut(t.c.sim, 0, 1, true), 0);
    CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0);
    talk_finish(&t, 3 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK_EQ(tern__engine_session_why(session), TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(tern__sim_cut(t.c.sim, 0, 1, false), 0);
    call_ok();
    CHECK(tern__engine_session_incarnation(session) == first);
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(cluster_node_start(&t.c, 1), 0);
    CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0);
    talk_finish(&t, 3 * TERN_SEC);
    call_ok();
    CHECK(tern__engine_session_incarnation(session) != first);
    CLOSE_TALK();
}

/* A client dies and another comes from its very address and port, before the server has noticed anything. The new one
 * is served at once; what the dead one held is given back within peer_timeout of silence and as much of asking if it
 * had calls, else within 30 s and that. */
static void port_reuse__by_a_new_client(void) {
    for (int busy = 0; busy < 2; busy++) {
        cluster_config config;
        cluster_config_init(&config);
        open_recorded(&config);
        call_ok();
        t.hold = busy;
        if (busy) CHECK_EQ(talk_call(&t, 0, session, 5000, 5000, 0), 0);
        run_for(TERN_MS);
        CHECK_EQ(t.n_held, busy);
        cluster_node_kill(&t.c, 0);
        CHECK_EQ(cluster_node_start(&t.c, 0), 0);
        t.hold = false;
        CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
        call_ok();
        CHECK_EQ(t.n_up, 2);
        CHECK_EQ(stats_of(1).sessions_open, 2);
        run_for(busy ? 2500 * TERN_MS : 32 * TERN_SEC);
        CHECK_EQ(stats_of(1).sessions_open, 1);
        CHECK_EQ(t.n_gone, busy);
        call_ok();
        CLOSE_TALK();
        CHECK_OK();
    }
}

/* The server has forgotten the session and the client has not: its next packet tells. */
static void half_open__at_the_client(void) {
    cluster_config config;
    cluster_config_init(&config);
    open_recorded(&config);
    call_ok();
    CHECK_EQ(tern__sim_cut(t.c.sim, 0, 1, true), 0);
    run_for(40 * TERN_SEC); /* the server asks, and hears nothing */
    CHECK_EQ(stats_of(1).sessions_open, 0);
    CHECK_EQ(stats_of(0).sessions_open, 1);
    CHECK_EQ(tern__sim_cut(t.c.sim, 0, 1, false), 0);
    tern_time start = cluster_now(&t.c);
    CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK(t.last_done - start < (tern_time)TERN_MS);
    call_ok();
    CLOSE_TALK();
}

/* ---- Silence on reliable links ------------------------------------------------------------------ */

/* A server that stands still, or behind a path that is cut without a word, is noticed by a call that waits; one that
 * only takes long to answer is not; and one that comes back in time is forgiven. */
static void silence__of_a_reliable_peer_with_a_call(void) {
    static const tern_dur stops[] = {0, 600 * TERN_MS, 3 * TERN_SEC};
    for (size_t k = 0; k < TERN__COUNT(stops); k++) {
        cluster_config config;
        cluster_config_init(&config);
        config.sim.reliable = true;
        open_talk(1, &config);
        run_for(TERN_MS);
        t.hold = true;
        CHECK_EQ(talk_call(&t, 0, session, 100, 100, 0), 0);
        run_for(10 * TERN_SEC); /* it takes long */
        CHECK_EQ(t.n_held, 1);
        CHECK_EQ(t.n_done, 0);
        tern_time began = cluster_now(&t.c);
        cluster_node_suspend(&t.c, 1, began + (tern_time)stops[k]);
        while (!t.n_done && cluster_step(&t.c, began + 2 * (tern_time)TERN_SEC)) continue;
        double ms = (double)(cluster_now(&t.c) - began) / 1e6;
        bool is_lost = stops[k] > TERN_SEC;
        CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], is_lost);
        if (is_lost) CHECK(ms > 700 && ms < 1200);
        run_for(3 * TERN_SEC);
        CHECK_EQ(t.n_gone, is_lost); /* its DISCONNECT has told the server */
        if (!is_lost) CHECK_EQ(talk_answer(&t, 1, 0), 0);
        talk_finish(&t, TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], !is_lost);
        CLOSE_TALK();
        CHECK_OK();
    }
}

/* Over links of both kinds the loss comes when peer_timeout is over, whenever the session's other timers are due. */
static void silence__ends_when_peer_timeout_is_over(void) {
    for (int k = 0; k < 20; k++) {
        cluster_config config;
        cluster_config_init(&config);
        config.sim.reliable = k % 2 == 0;
        open_talk(1, &config);
        CHECK_EQ(talk_call(&t, 0, session, 100, 100, 0), 0);
        run_for(TERN_MS + k * 17 * TERN_MS);
        CHECK_EQ(t.n_done, 1);
        tern_time began = cluster_now(&t.c);
        cluster_node_suspend(&t.c, 1, began + 5 * (tern_time)TERN_SEC);
        CHECK_EQ(talk_call(&t, 0, session, 100, 100, 0), 0);
        while (t.n_done < 2 && cluster_step(&t.c, began + 2 * (tern_time)TERN_SEC)) continue;
        double ms = (double)(cluster_now(&t.c) - began) / 1e6;
        CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
        CHECK(ms >= 1000 && ms < 1010);
        talk_finish(&t, 10 * TERN_SEC);
        CLOSE_TALK();
        CHECK_OK();
    }
}

/* A link that is full nine times of ten that somebody looks makes no peer dead: question and answer wait for room. */
static void silence__is_not_a_link_that_is_often_full(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    config.tx_refusal = 0.9;
    open_talk(1, &config);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 100, 100, 0), 0);
    run_for(600 * (tern_dur)TERN_SEC);
    CHECK_EQ(t.n_held, 1);
    CHECK_EQ(t.n_lost, 0);
    CHECK(t.c.n_refused > 1000);
    CHECK_EQ(talk_answer(&t, 1, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
    CLOSE_TALK();
}

/* Room for one packet at a time: long messages leave some of it to the small calls of other sessions. */
static void full_link__serves_each_session_in_turn(void) {
    enum { N_OTHERS = 3 };
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    config.sim.ring_packets = 1;
    config.sim.path.delay = 2 * TERN_MS;
    open_talk(1, &config);
    tern__csession *others[N_OTHERS];
    for (uint32_t i = 0; i < N_OTHERS; i++) CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &others[i]), 0);
    run_for(100 * TERN_MS);
    CHECK_EQ(t.n_up, 1 + N_OTHERS);
    for (int i = 0; i < 4; i++) CHECK_EQ(talk_call(&t, 0, session, 4 << 20, 10, 0), 0);
    run_for(10 * TERN_MS);
    for (uint32_t i = 0; i < N_OTHERS; i++) CHECK_EQ(talk_call(&t, 0, others[i], 100, 100, 0), 0);
    run_for(200 * TERN_MS);
    CHECK_EQ(t.n_done, N_OTHERS);
    talk_finish(&t, 300 * (tern_dur)TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 4 + N_OTHERS);
    CLOSE_TALK();
}

/* Nobody is asked anything while no call waits. */
static void silence__without_calls_costs_nothing(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    open_talk(1, &config);
    CHECK_EQ(talk_call(&t, 0, session, 100, 100, 0), 0);
    talk_finish(&t, TERN_SEC);
    uint64_t n_packets = stats_of(0).tx_packets, n_ticks = t.c.nodes[0].n_ticks;
    run_for(60 * TERN_SEC);
    CHECK_EQ(stats_of(0).tx_packets, n_packets);
    CHECK(t.c.nodes[0].n_ticks - n_ticks < 5);
    CLOSE_TALK();
}

/* A server that leaves refuses them all, though there are more answers than its ring takes, and than a storm of stray
 * packets would get. */
static void refusal__of_many_over_a_full_link(void) {
    enum { N = 600 };
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    config.sim.ring_packets = 16;
    config.engine.max_sessions = N + 1;
    open_talk(1, &config);
    run_for(TERN_MS);
    CHECK_EQ(t.n_up, 1);
    tern__engine_drain(t.c.nodes[1].engine, cluster_now(&t.c) + 10 * (tern_time)TERN_SEC, cluster_now(&t.c));
    tern__csession *others[N];
    for (uint32_t i = 0; i < N; i++) CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &others[i]), 0);
    run_for(100 * TERN_MS);
    tern__sim_stats sim;
    tern__sim_get_stats(t.c.sim, &sim);
    CHECK(sim.ring_full > 0);
    CHECK_EQ(t.n_lost, N);
    CHECK_EQ(t.c.nodes[1].engine->n_waiting_control, 0);
    CLOSE_TALK();
}

/* The client stands still, its ring is full, and the server's patience is at its end: it says so as soon as there is
 * room. */
static void farewell__over_a_full_link(void) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = true;
    config.sim.ring_packets = 16;
    config.engine.peer_timeout = 10 * TERN_SEC;
    open_talk(1, &config);
    run_for(TERN_MS);
    t.hold = true;
    for (int i = 0; i < 20; i++) CHECK_EQ(talk_call(&t, 0, session, 10, 10, 0), 0);
    run_for(TERN_MS);
    CHECK_EQ(t.n_held, 8);
    cluster_node_suspend(&t.c, 0, cluster_now(&t.c) + 300 * (tern_time)TERN_MS);
    /* Whatever else the server has to tell this client. */
    tern__link *link = &t.c.nodes[1].port->link;
    tern__route client = tern__sim_route(0);
    while (tern__tx_one(link, &client, 1, TERN__TX_MANY)) link->ops->tx_commit(link, 1);
    link->ops->tx_flush(link);
    tern__engine_drain(t.c.nodes[1].engine, cluster_now(&t.c) + 50 * (tern_time)TERN_MS, cluster_now(&t.c));
    cluster_flush(&t.c, 1);
    run_for(200 * TERN_MS);
    CHECK(tern__engine_is_drained(t.c.nodes[1].engine));
    CHECK_EQ(t.n_gone, 8);
    CHECK_EQ(t.c.nodes[1].engine->n_waiting_control, 1);
    CHECK_EQ(t.n_done, 0);
    run_for(105 * TERN_MS);
    CHECK_EQ(t.c.nodes[1].engine->n_waiting_control, 0);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 20);
    CLOSE_TALK();
}

/* A session whose server goes away has no run that takes requests, although the link's is open. */
/* A raw call that the short way takes. */
static void call_short(tern__csession *to) {
    struct talk_call *call = &t.calls[t.n_calls++];
    body_spec spec = talk_spec(16);
    body b;
    call->bytes_back = 16;
    if (!body_make(&b, &spec)) abort();
    CHECK(tern__engine_request_now(to, 16, (tern_bytes){b.body.data, b.body.len}, call, cluster_now(&t.c)));
    body_drop(&b, true);
}

/* Equal small packets to two peers in turns: each gets its own, with the tag of its session, the first time. */
static void run__takes_the_packets_of_one_peer(void) {
    cluster_config config;
    tern__csession *second;
    if (TERN__IS_OFF(SHORT_WAY)) return;
    cluster_config_init(&config);
    config.sim.n_nodes = 3;
    config.sim.run_packets = 16;
    open_talk(78, &config);
    CHECK_EQ(cluster_connect(&t.c, 0, 2, NULL, &second), 0);
    run_for(TERN_MS);
    static const uint8_t turns[] = {1, 1, 1, 2, 2, 2, 1, 2, 1, 1, 2, 2, 2, 2, 1, 1};
    for (unsigned round = 0; round < 8; round++) {
        for (unsigned i = 0; i < sizeof turns; i++) call_short(turns[i] == 1 ? session : second);
        cluster_flush(&t.c, 0);
        talk_finish(&t, TERN_SEC);
    }
    tern__sim_stats sim;
    tern__sim_get_stats(t.c.sim, &sim);
    CHECK(sim.equal_packets > 8);
    for (uint32_t node = 0; node < 3; node++) {
        tern__engine_stats stats = stats_of(node);
        CHECK_EQ(stats.rx_forged, 0);
        CHECK_EQ(stats.retransmits, 0);
        CHECK_EQ(stats.rx_dropped, 0);
        if (node > 0) CHECK_EQ(stats.calls_served, 8 * sizeof turns / 2);
    }
    CLOSE_TALK();
}

/* A request for the client session's server, 16 bytes, in a line or by itself, as if it came back along `back`. */
static void hand_request(uint32_t from, const tern__tx_run *back, bool in_line, uint32_t req) {
    cluster_node *server = &t.c.nodes[1];
    body_spec spec = talk_spec(16);
    body b;
    uint8_t *line = tern_alloc(TERN__RUN_LINE_BYTES), *p = line + TERN__RUN_LENGTH_BYTES;
    if (!line || !body_make(&b, &spec)) abort();
    tern__pkt_header h = {.type = TERN__PKT_REQ, .session = session->s.peer_number, .req = req, .method = 16};
    h.size = b.body.len;
    uint32_t header_bytes = tern__pkt_header_bytes(&h), len = header_bytes + (uint32_t)b.body.len;
    tern__pkt_write(&h, p);
    memcpy(p + header_bytes, b.body.data, b.body.len);
    tern__store64(line, len);
    tern__rx_packet pkt = {.n = 1,
                           .head = p,
                           .head_len = in_line ? 0 : len,
                           .stride = in_line ? TERN__RUN_LINE_BYTES : 0,
                           .lines_bytes = len,
                           .link = &server->port->link,
                           .route = tern__sim_route(from),
                           .back = back};
    tern__engine_rx(server->engine, &pkt, 1, cluster_now(&t.c));
    body_drop(&b, true);
    tern_unref(line);
}

/* Another client of the server, on a link without tags, knows the number of a session that is not its own. The run that
 * leads back to a client is the proof of who it is. */
static void run__speaks_for_its_own_peer(void) {
    cluster_config config;
    tern__csession *second;
    cluster_config_init(&config);
    config.sim.n_nodes = 3;
    config.sim.reliable = true;
    config.sim.run_lines = 8;
    open_talk(79, &config);
    CHECK_EQ(cluster_connect(&t.c, 2, 1, NULL, &second), 0);
    run_for(TERN_MS);
    tern__link *link = &t.c.nodes[1].port->link;
    tern__route theirs = tern__sim_route(2), ours = tern__sim_route(0);
    for (int in_line = 0; in_line < 2; in_line++) {
        tern__engine_stats before = stats_of(1);
        uint32_t req = session->s.reqs[0] + TERN__N_SLOTS * (1 + (uint32_t)in_line);
        hand_request(2, link->ops->run(link, &theirs), in_line, req);
        CHECK_EQ(stats_of(1).calls_served, before.calls_served);
        CHECK_EQ(stats_of(1).rx_forged, before.rx_forged + 1);
        hand_request(0, link->ops->run(link, &ours), in_line, req);
        CHECK_EQ(stats_of(1).calls_served, before.calls_served + 1);
        cluster_flush(&t.c, 1);
        run_for(TERN_MS);
    }
    CLOSE_TALK();
}

static void drain__closes_the_run(void) {
    static const uint8_t data[16];
    cluster_config config;
    if (TERN__IS_OFF(SHORT_WAY)) return;
    cluster_config_init(&config);
    config.sim.reliable = true;
    config.sim.run_lines = 8;
    open_talk(77, &config);
    run_for(TERN_MS);
    tern_bytes raw = {data, sizeof data};
    struct talk_call *call = &t.calls[t.n_calls++];
    call->bytes_back = 16;
    body_spec spec = talk_spec(16);
    body b;
    if (!body_make(&b, &spec)) abort();
    CHECK(tern__engine_request_now(session, 16, (tern_bytes){b.body.data, b.body.len}, call, cluster_now(&t.c)));
    body_drop(&b, true);
    CHECK(tern__is_direct(session, raw)); /* one small packet has opened the run */
    tern__engine_drain(t.c.nodes[1].engine, cluster_now(&t.c) + (tern_time)TERN_SEC, cluster_now(&t.c));
    tern__engine_tick(t.c.nodes[1].engine, cluster_now(&t.c));
    cluster_flush(&t.c, 1);
    run_for(10 * TERN_US);
    CHECK(session->draining);
    tern__tx_run *run = t.c.nodes[0].port->link.ops->run(&t.c.nodes[0].port->link, &session->s.route);
    CHECK(tern__run_is_open(run));
    CHECK(!tern__is_direct(session, raw));
    CHECK(!tern__engine_request_now(session, 16, raw, call, cluster_now(&t.c)));
    CHECK_EQ(talk_call(&t, 0, session, 16, 16, 0), TERN_ERR_CLOSED);
    cluster_flush(&t.c, 0);
    talk_finish(&t, TERN_SEC);
    CLOSE_TALK();
}

TAP_MAIN(TEST(farewell__over_a_full_link), TEST(silence__of_a_reliable_peer_with_a_call),
         TEST(silence__ends_when_peer_timeout_is_over), TEST(silence__is_not_a_link_that_is_often_full),
         TEST(full_link__serves_each_session_in_turn), TEST(silence__without_calls_costs_nothing),
         TEST(refusal__of_many_over_a_full_link), TEST(flood__of_spoofed_connects_costs_nothing),
         TEST(flood__from_one_network_does_not_lock_out_others), TEST(connect__repeated_while_the_session_lives),
         TEST(connect__delayed_past_the_end), TEST(accept__repeated_or_delayed), TEST(disconnect__repeated_or_delayed),
         TEST(restart__is_told_by_the_incarnation), TEST(port_reuse__by_a_new_client), TEST(half_open__at_the_client),
         TEST(run__takes_the_packets_of_one_peer), TEST(run__speaks_for_its_own_peer), TEST(drain__closes_the_run))

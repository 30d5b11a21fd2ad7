/* Congestion control on a simulated switch: what an incast does to round trips, how long a session takes to get back to
 * full speed, and that nothing which waits to be sent keeps a message from being let go. */
#include "engine/pace.h"
#include "flow.h"
#include "talk.h"

#include "tap.h"

enum { N_CLIENTS = 20, VICTIM = 0, BYTES = 1 << 20, MARK_BYTES = 20 << 10 };

static const uint64_t RATE_BPS = 25000000000u;

static talk t;
static tern__csession *sessions[N_CLIENTS + 1];

static cluster_config switch_config(const tern__cc_ops *cc, double loss) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = N_CLIENTS + 1;
    config.sim.max_packet = 1024 + TERN__PKT_MAX_HEADER_BYTES;
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){.rate_bps = RATE_BPS};
    config.sim.path.delay = 2650;
    config.sim.path.loss = loss;
    config.sim.switch_buffer_bytes = 12 << 20;
    config.sim.ecn = cc->wants_marks;
    config.sim.mark_bytes = MARK_BYTES;
    config.engine.cc = cc;
    return config;
}

static bool open_incast(const tern__cc_ops *cc, double loss) {
    cluster_config config = switch_config(cc, loss);
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
        tern__engine_add_sent(&stats, &t.c.nodes[i].port->link);
        sum.congested += stats.congested;
        sum.paced += stats.paced;
        sum.retransmits += stats.retransmits;
        sum.marked += stats.marked;
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
    } rows[] = {
        {&tern__cc_none, 180, 240}, {&tern__cc_timely, 0, 120}, {&tern__cc_swift, 10, 30}, {&tern__cc_dctcp, 6, 20}};
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
    tern__engine_add_sent(&before, &t.c.nodes[VICTIM].port->link);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    tern__engine_get_stats(t.c.nodes[VICTIM].engine, &after);
    tern__engine_add_sent(&after, &t.c.nodes[VICTIM].port->link);
    double gbps = (double)(after.rx_bytes - before.rx_bytes) * 8 / (double)TERN_MS;
    printf("# uncongested after %.1f us, then %.1f Gbit/s\n", us, gbps);
    CHECK(us < 500);
    CHECK(gbps > 0.95 * 25);
    CHECK(!sessions[1]->pace);
    talk_finish(&t, TERN_SEC);
    CLOSE_TALK();
}

/* The only session that a client has at this node. */
static const tern__ssession *served_by(const cluster *c, uint32_t node) {
    const tern__engine *e = c->nodes[node].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i] && e->sessions[i]->role == TERN__SERVER) return (const tern__ssession *)e->sessions[i];
    return NULL;
}

/* Twenty streams from as many servers to one client, whose readers take all that comes. */
static void incast__of_streamed_responses(void) {
    static flow f;
    static const struct {
        const tern__cc_ops *cc;
        double least_us, most_us;
    } rows[] = {{&tern__cc_none, 150, 240}, {&tern__cc_swift, 10, 40}, {&tern__cc_dctcp, 6, 40}};
    for (size_t k = 0; k < TERN__COUNT(rows); k++) {
        cluster_config config = switch_config(rows[k].cc, 0);
        CHECK_EQ(flow_init(&f, 1, &config), 0);
        f.opts.max_write = 60000;
        for (uint32_t i = 1; i <= N_CLIENTS; i++) {
            CHECK_EQ(cluster_connect(&f.c, VICTIM, i, NULL, &sessions[i]), 0);
            flow_begin(&f, VICTIM, sessions[i], 0, 2 * BYTES);
        }
        flow_pass(&f, 5 * TERN_MS);
        double sum = 0;
        uint64_t n_congested = 0;
        for (uint32_t i = 1; i <= N_CLIENTS; i++) {
            const tern__ssession *ss = served_by(&f.c, i);
            sum += (double)ss->s.rtt.srtt / 1e3;
            n_congested += ss->s.engine->stats.congested;
        }
        tern_time began = cluster_now(&f.c);
        CHECK(flow_run(&f, TERN_SEC));
        double us = sum / N_CLIENTS, ms = (double)(cluster_now(&f.c) - began) / 1e6 + 5;
        printf("# %s: %.1f us, all in %.1f ms\n", rows[k].cc->name, us, ms);
        CHECK(us >= rows[k].least_us && us <= rows[k].most_us);
        CHECK(ms < 16); /* 42 MB and their headers: 14.4 ms */
        CHECK((n_congested > 0) == (rows[k].cc != &tern__cc_none));
        flow_pass(&f, 3 * TERN_SEC);
        for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK(!served_by(&f.c, i)->s.scold->pace);
        CHECK(flow_fini(&f) == NULL);
    }
}

/* A port of 1 Gbit/s with room for thirteen packets on the way of a stream: the server finds out how much that
 * takes. */
static void streams__fit_a_slow_link(void) {
    static flow f;
    uint64_t drops[2];
    for (int controlled = 0; controlled < 2; controlled++) {
        cluster_config config = switch_config(controlled ? &tern__cc_swift : &tern__cc_none, 0);
        config.sim.n_nodes = 2;
        CHECK_EQ(flow_init(&f, 1, &config), 0);
        tern__sim_set_downlink(f.c.sim, 0, &(tern__sim_nic){.rate_bps = 1000000000u, .queue_bytes = 14 << 10});
        CHECK_EQ(cluster_connect(&f.c, 0, 1, NULL, &sessions[1]), 0);
        f.opts.max_write = 60000;
        tern_time began = cluster_now(&f.c);
        flow_begin(&f, 0, sessions[1], 0, 2 * BYTES);
        CHECK(flow_run(&f, TERN_SEC));
        tern__sim_stats sim;
        tern__sim_get_stats(f.c.sim, &sim);
        drops[controlled] = sim.queue_drops;
        double ms = (double)(cluster_now(&f.c) - began) / 1e6;
        printf("# %s: %.1f ms, %llu drops\n", controlled ? "swift" : "none", ms, (unsigned long long)sim.queue_drops);
        CHECK(ms < 20); /* 17.4 ms is line rate */
        CHECK(flow_fini(&f) == NULL);
    }
    CHECK(drops[1] * 10 < drops[0]);
}

/* Sessions wait in the wheel while packets get lost and are sent again, calls end by deadlines, and sessions close;
 * what the callers gave up is overwritten at once (talk, body_drop), so the simulator would see a packet that still
 * refers to it. */
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

static bool call_again(uint32_t n_before, tern_time until) {
    while (t.n_done == n_before && cluster_step(&t.c, until)) continue;
    return t.n_done > n_before && t.n_calls < TALK_MAX_CALLS && talk_call(&t, 1, sessions[1], BYTES / 8, 32, 0) == 0;
}

/* The same for one that has no pause: it sends slowly for a while, and then as fast as the path lets it. */
static void busy__sessions_learn_a_longer_path(void) {
    static const tern_dur delays[] = {50 * TERN_US, TERN_MS, 20 * TERN_MS};
    for (size_t k = 0; k < TERN__COUNT(delays); k++) {
        CHECK(open_incast(&tern__cc_swift, 0));
        for (int i = 0; i < 4; i++) CHECK_EQ(talk_call(&t, 1, sessions[1], BYTES / 8, 32, 0), 0);
        tern__sim_set_default_path(t.c.sim, &(tern__sim_path){.delay = delays[k]});
        tern_time began = cluster_now(&t.c), until = began + 5 * (tern_time)TERN_SEC;
        while (sessions[1]->s.rtt.min < 2 * delays[k] && call_again(t.n_done, until)) continue;
        tern_time learnt = cluster_now(&t.c);
        while (sessions[1]->pace && call_again(t.n_done, until)) continue;
        tern_time calm = cluster_now(&t.c);
        printf("# %.1f ms: learnt after %.1f ms, calm after %.1f ms\n", (double)delays[k] * 2 / 1e6,
               (double)(learnt - began) / 1e6, (double)(calm - began) / 1e6);
        CHECK(!sessions[1]->pace);
        CHECK(sessions[1]->s.rtt.min >= 2 * delays[k]);
        CHECK(calm - began < 400 * (tern_time)TERN_MS + 160 * (tern_time)delays[k]);
        talk_finish(&t, 10 * TERN_SEC);
        CLOSE_TALK();
    }
}

/* Twenty flows that share 1 Gbit/s never see their queue empty, and do not take it for a part of the path. */
static void busy__sessions_take_no_queue_for_the_path(void) {
    CHECK(open_incast(&tern__cc_swift, 0));
    tern__sim_set_downlink(t.c.sim, VICTIM, &(tern__sim_nic){.rate_bps = RATE_BPS / 25});
    CHECK_EQ(talk_call(&t, 1, sessions[1], BYTES / 8, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    tern_dur min = sessions[1]->s.rtt.min, most = 0;
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], 3 * BYTES, 32, 0), 0);
    for (int i = 0; i < 100; i++) {
        cluster_run(&t.c, cluster_now(&t.c) + 5 * (tern_time)TERN_MS);
        for (uint32_t k = 1; k <= N_CLIENTS; k++)
            if (sessions[k]->s.rtt.min > most) most = sessions[k]->s.rtt.min;
    }
    CHECK(t.n_done < t.n_calls);
    printf("# %.1f us, %.1f us at most, round trips of %.1f us\n", (double)min / 1e3, (double)most / 1e3,
           mean_round_trip_us());
    CHECK(most < 3 * min);
    talk_finish(&t, 5 * TERN_SEC);
    CLOSE_TALK();
}

/* Of half of the round trips nothing comes back, which is no congestion: calls of a packet are not held up by each
 * other's losses, and a small one never waits. */
static void loss__stalls_no_calls(void) {
    static const tern__cc_ops *const ccs[] = {&tern__cc_none, &tern__cc_timely, &tern__cc_swift, &tern__cc_dctcp};
    enum { N_SEEDS = 20 }; /* a few timeouts in a row make one run several times as long as another */
    double seconds[TERN__COUNT(ccs)];
    for (size_t k = 0; k < TERN__COUNT(ccs); k++) {
        tern_dur sum = 0;
        for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
            cluster_config config = switch_config(ccs[k], 0.3);
            config.sim.n_nodes = 2;
            config.engine.peer_timeout = 20 * TERN_SEC;
            CHECK_EQ(talk_init(&t, seed, &config), 0);
            CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &sessions[1]), 0);
            tern_time began = cluster_now(&t.c);
            for (int i = 0; i < 400; i++) {
                CHECK_EQ(talk_call(&t, 0, sessions[1], i % 3 ? (size_t)(i * 37 % 900) : (size_t)(i * 499), 32, 0), 0);
                while (t.n_calls - t.n_done > 12 && cluster_step(&t.c, began + 100 * (tern_time)TERN_SEC)) continue;
            }
            talk_finish(&t, 100 * TERN_SEC);
            CHECK_EQ(t.n_status[TERN_STATUS_OK], 400);
            sum += (tern_dur)(t.last_done - began);
            CLOSE_TALK();
        }
        seconds[k] = (double)sum / 1e9 / N_SEEDS;
        printf("# %s: 400 calls in %.2f s\n", ccs[k]->name, seconds[k]);
    }
    CHECK(seconds[0] < 0.6 && seconds[2] < 3 * seconds[0]);
}

/* ---- Marks ---------------------------------------------------------------------------------------- */

static tern__sim_stats sim_stats(void) {
    tern__sim_stats stats;
    tern__sim_get_stats(t.c.sim, &stats);
    return stats;
}

/* An incast of 2 MB from each client, after a millisecond; in Gbit/s what arrives at the victim in two more. */
static double goodput_of_incast(void) {
    tern__engine_stats before, after;
    for (uint32_t i = 1; i <= N_CLIENTS; i++)
        if (talk_call(&t, i, sessions[i], 2 * BYTES, 32, 0) != 0) return 0;
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    tern__engine_get_stats(t.c.nodes[VICTIM].engine, &before);
    tern__engine_add_sent(&before, &t.c.nodes[VICTIM].port->link);
    cluster_run(&t.c, cluster_now(&t.c) + 2 * (tern_time)TERN_MS);
    tern__engine_get_stats(t.c.nodes[VICTIM].engine, &after);
    tern__engine_add_sent(&after, &t.c.nodes[VICTIM].port->link);
    return (double)(after.rx_bytes - before.rx_bytes) * 8 / (2 * (double)TERN_MS);
}

/* The queue stays near the length that is marked from, and nothing is lost to that. */
static void marks__keep_an_incast_short(void) {
    CHECK(open_incast(&tern__cc_dctcp, 0));
    double gbps = goodput_of_incast(), us = mean_round_trip_us();
    printf("# %.1f Gbit/s, %.1f us, %llu marks\n", gbps, us, (unsigned long long)sim_stats().marked);
    CHECK(gbps > 0.95 * 25);
    CHECK(us > 6 && us < 18);
    CHECK(sim_stats().marked > 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], N_CLIENTS);
    CHECK_EQ(sim_stats().queue_drops, 0);
    CHECK_EQ(sum_of_clients().retransmits, 0);
    CLOSE_TALK();
}

static bool is_echo(const tern__sim_seen *seen) { return seen->head_len > 1 && seen->head[1] & TERN__PKT_ECE; }

static void count_echoes(void *ctx, const tern__sim_seen *seen) {
    *(uint64_t *)ctx += seen->fate == TERN__SIM_SENT && is_echo(seen);
}

/* All but one in four. */
static bool drop_echoes(void *ctx, const tern__sim_seen *seen) { return is_echo(seen) && ++*(uint64_t *)ctx % 4; }

/* Where marks are wiped out on the way, or the server knows nothing of them, losses alone tell of queues: the switch
 * has room for less than what the credits allow. */
static void marks__that_do_not_come_back(void) {
    for (int deaf = 0; deaf < 2; deaf++) {
        cluster_config config = switch_config(&tern__cc_dctcp, 0);
        config.sim.path.bleach = !deaf;
        config.sim.switch_buffer_bytes = 400 << 10;
        uint64_t n_echoes = 0;
        CHECK_EQ(talk_init(&t, 1, &config), 0);
        tern__sim_watch(t.c.sim, count_echoes, &n_echoes);
        t.c.nodes[VICTIM].port->link.ecn = !deaf;
        for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(cluster_connect(&t.c, i, VICTIM, NULL, &sessions[i]), 0);
        cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
        CHECK_EQ(sessions[1]->s.ecn, !deaf);
        double gbps = goodput_of_incast();
        printf("# %s: %.1f Gbit/s, %llu drops\n", deaf ? "deaf server" : "bleached", gbps,
               (unsigned long long)sim_stats().queue_drops);
        CHECK(gbps > 0.8 * 25);
        CHECK(sim_stats().queue_drops > 0);
        CHECK_EQ(sim_stats().marked > 0, deaf);
        talk_finish(&t, TERN_SEC);
        CHECK_EQ(t.n_status[TERN_STATUS_OK], N_CLIENTS);
        CHECK_EQ(n_echoes, 0);
        CLOSE_TALK();
    }
}

/* A report that is lost is not repeated; the others do. */
static void marks__whose_reports_get_lost(void) {
    uint64_t n_dropped = 0;
    CHECK(open_incast(&tern__cc_dctcp, 0));
    tern__sim_drop_if(t.c.sim, drop_echoes, &n_dropped);
    double gbps = goodput_of_incast(), us = mean_round_trip_us();
    printf("# %.1f Gbit/s, %.1f us, %llu reports\n", gbps, us, (unsigned long long)n_dropped);
    CHECK(n_dropped > 100);
    CHECK(gbps > 0.8 * 25);
    CHECK(us < 60); /* 210 where nobody holds back */
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], N_CLIENTS);
    CLOSE_TALK();
}

/* Of small requests, whose responses go the short way unless they have a mark to report. */
static void marks__of_requests_of_one_packet(void) {
    uint64_t n_echoes = 0;
    CHECK(open_incast(&tern__cc_dctcp, 0));
    tern__sim_watch(t.c.sim, count_echoes, &n_echoes);
    for (uint32_t i = 1; i <= N_CLIENTS; i++)
        for (int k = 0; k < 8; k++) CHECK_EQ(talk_call(&t, i, sessions[i], 1000, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    printf("# %llu marks, %llu reports\n", (unsigned long long)sim_stats().marked, (unsigned long long)n_echoes);
    CHECK(n_echoes > 50);
    CHECK_EQ(n_echoes, sim_stats().marked);
    CHECK_EQ(sum_of_clients().marked, n_echoes);
    for (int i = 0; i < 5; i++) { /* alone, and so without marks: those before do not count again */
        CHECK_EQ(talk_call(&t, 1, sessions[1], 1000, 32, 0), 0);
        talk_finish(&t, TERN_SEC);
    }
    CHECK_EQ(sim_stats().marked, n_echoes);
    CHECK_EQ(sum_of_clients().marked, n_echoes);
    CHECK(sum_of_clients().congested > 10);
    CLOSE_TALK();
}

static double window_of(const tern__csession *cs) {
    const tern__cc *cc = tern__pace_control(&cs->s);
    return cc ? cc->window_bytes / cc->path.packet_bytes : 0;
}

static void one_after_another(size_t bytes, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t n_before = t.n_done;
        CHECK_EQ(talk_call(&t, 1, sessions[1], bytes, 32, 0), 0);
        while (t.n_done == n_before && cluster_step(&t.c, 10 * (tern_time)TERN_SEC)) continue;
    }
}

/* Two packets at a time say nothing about what more would do. */
static void app_limited__sessions_do_not_grow(void) {
    CHECK(open_incast(&tern__cc_dctcp, 0));
    for (uint32_t i = 1; i <= N_CLIENTS; i++) CHECK_EQ(talk_call(&t, i, sessions[i], BYTES / 2, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + 2 * (tern_time)TERN_MS);
    talk_finish(&t, TERN_SEC);
    one_after_another(40000, 1); /* a window that more than two packets fit */
    double before = window_of(sessions[1]);
    one_after_another(2000, 200);
    double small = window_of(sessions[1]);
    one_after_another(60000, 3);
    double large = window_of(sessions[1]);
    printf("# a window of %.2f, then %.2f, then %.2f\n", before, small, large);
    CHECK(before > 3 && before < 24);
    CHECK(small == before);
    CHECK(large > before + 2);
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

TAP_MAIN(TEST(incast__is_a_matter_of_the_algorithm), TEST(incast__of_responses), TEST(incast__of_streamed_responses),
         TEST(streams__fit_a_slow_link), TEST(recovery__to_line_rate), TEST(wheel__holds_nothing_that_is_let_go),
         TEST(light__calls_pass_a_congested_session), TEST(idle__sessions_keep_no_state),
         TEST(idle__sessions_learn_a_longer_path), TEST(busy__sessions_learn_a_longer_path),
         TEST(busy__sessions_take_no_queue_for_the_path), TEST(loss__stalls_no_calls),
         TEST(marks__keep_an_incast_short), TEST(marks__that_do_not_come_back), TEST(marks__whose_reports_get_lost),
         TEST(marks__of_requests_of_one_packet), TEST(app_limited__sessions_do_not_grow))

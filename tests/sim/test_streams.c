/* Streaming calls between engines on a simulated network: bytes arrive in order and whole, whatever the network does;
 * readers set the pace; memory is bounded; and each call ends once at each end, for the reason that there was. */
#include "engine/packet.h"
#include "flow.h"

#include "tap.h"

static flow f;
static tern__csession *session;

static void open_flow(uint64_t seed, cluster_config *config) {
    if (flow_init(&f, seed, config) != 0) abort();
    if (cluster_connect(&f.c, 0, 1, NULL, &session) != 0) abort();
}

#define CLOSE_FLOW()                                                                                                   \
    do {                                                                                                               \
        const char *error_ = flow_fini(&f);                                                                            \
        if (error_) printf("# %s\n", error_);                                                                          \
        CHECK(error_ == NULL);                                                                                         \
    } while (0)

static tern__engine_stats stats_of(uint32_t node) {
    tern__engine_stats stats;
    tern__engine_get_stats(f.c.nodes[node].engine, &stats);
    tern__engine_add_sent(&stats, &f.c.nodes[node].port->link);
    return stats;
}

static cluster_config usual(bool reliable) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = reliable;
    config.sim.spans = reliable;
    return config;
}

/* A call of so many bytes each way ends with OK at both ends. */
static void check_whole(const flow_call *call) {
    CHECK_EQ(call->client.status, TERN_STATUS_OK);
    CHECK(call->served);
    CHECK_EQ(call->server.read, call->client.to_write);
    CHECK_EQ(call->client.read, call->server.to_write);
    CHECK(call->server.finished);
    CHECK_EQ(call->server.n_ends, 0);
}

static void stream__of_any_size_arrives_whole(void) {
    static const uint32_t sizes[] = {0, 1, 100, 987, 988, 989, 65535, 65536, 65537, 300000};
    for (int reliable = 0; reliable < 2; reliable++) {
        for (unsigned i = 0; i < TERN__COUNT(sizes); i++) {
            cluster_config config = usual(reliable);
            open_flow(i + 1, &config);
            flow_begin(&f, 0, session, sizes[i], sizes[TERN__COUNT(sizes) - 1 - i]);
            CHECK(flow_run(&f, TERN_SEC));
            check_whole(&f.calls[0]);
            CHECK_OK();
            CHECK_EQ(stats_of(0).retransmits + stats_of(1).retransmits, 0);
            CLOSE_FLOW();
        }
    }
}

static void stream__both_ways_at_once_and_many_beside_each_other(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(7, &config);
        for (unsigned i = 0; i < 20; i++) flow_begin(&f, 0, session, 100000 + i, 150000 - i);
        CHECK(flow_run(&f, 5 * TERN_SEC));
        for (unsigned i = 0; i < 20; i++) check_whole(&f.calls[i]);
        CHECK_OK();
        CLOSE_FLOW();
    }
}

static void stream__the_server_answers_after_the_end_of_the_request(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(7, &config);
        f.opts.server_waits = true;
        flow_begin(&f, 0, session, 200000, 200000);
        CHECK(flow_run(&f, 5 * TERN_SEC));
        check_whole(&f.calls[0]);
        CHECK_OK();
        CLOSE_FLOW();
    }
}

static void loss__reordering_and_duplication_change_nothing(void) {
    uint64_t retransmits = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        cluster_config config = usual(false);
        config.sim.path.loss = 0.01 * (double)(seed % 31);
        config.sim.path.duplicate = 0.1;
        config.sim.path.reorder = 0.2;
        config.sim.path.reorder_delay = 50 * TERN_US;
        config.sim.holds_refs = seed & 1;
        config.engine.peer_timeout = 10 * TERN_SEC;
        open_flow(seed, &config);
        f.opts.server_waits = seed & 2;
        for (unsigned i = 0; i < 3; i++) flow_begin(&f, 0, session, 20000 * i + seed, 70000 - 20000 * i);
        CHECK(flow_run(&f, 60 * TERN_SEC));
        for (unsigned i = 0; i < 3; i++) check_whole(&f.calls[i]);
        CHECK_OK();
        retransmits += stats_of(0).retransmits + stats_of(1).retransmits;
        flow_pass(&f, TERN_SEC);
        CLOSE_FLOW();
    }
    printf("# %llu retransmissions\n", (unsigned long long)retransmits);
    CHECK(retransmits > 1000);
}

/* The reader consumes 20 kB per ms; the writer is held back, and nobody holds more than window and buffer. */
static void back_pressure__a_slow_reader_sets_the_pace(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (int loss = 0; loss < (reliable ? 1 : 2); loss++) {
            cluster_config config = usual(reliable);
            config.sim.path.loss = loss ? 0.1 : 0;
            config.engine.peer_timeout = 5 * TERN_SEC;
            open_flow(5, &config);
            f.opts.stream = (tern__stream_opts){.window_bytes = 64 << 10, .buffer_bytes = 32 << 10, .manual = true};
            f.opts.consume_every = TERN_MS;
            f.opts.consume_bytes = 20000;
            tern_time start = cluster_now(&f.c);
            flow_begin(&f, 0, session, 2000000, 2000000);
            CHECK(flow_run(&f, 20 * TERN_SEC));
            check_whole(&f.calls[0]);
            CHECK_OK();
            const flow_call *call = &f.calls[0];
            CHECK(call->client.n_full > 10 && call->server.n_full > 10);
            CHECK(call->client.n_writable > 10 && call->server.n_writable > 10);
            CHECK(call->client.most_waiting <= (32 << 10) + 3000);
            CHECK(call->server.most_waiting <= (32 << 10) + 3000);
            CHECK(cluster_now(&f.c) - start > 90 * (tern_time)TERN_MS);
            printf("# %.0f ms, at most %llu buffers\n", (double)(cluster_now(&f.c) - start) / 1e6,
                   (unsigned long long)f.most_buffers);
            CHECK(f.most_buffers < 1000);
            CLOSE_FLOW();
        }
    }
}

static void status__of_the_server_comes_behind_its_bytes(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(3, &config);
        f.opts.server_status = TERN_STATUS_DATA_LOSS;
        flow_begin(&f, 0, session, 10, 100000);
        CHECK(flow_run(&f, TERN_SEC));
        CHECK_EQ(f.calls[0].client.status, TERN_STATUS_DATA_LOSS);
        CHECK_EQ(f.calls[0].client.read, 100000);
        CLOSE_FLOW();
    }
}

static void deadline__ends_the_call_at_both_ends(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(3, &config);
        f.opts.server_hangs = true;
        f.opts.timeout = 20 * TERN_MS;
        flow_begin(&f, 0, session, 100000, 1000);
        CHECK(flow_run(&f, TERN_SEC));
        CHECK_EQ(f.calls[0].client.status, TERN_STATUS_DEADLINE_EXCEEDED);
        flow_pass(&f, 50 * TERN_MS);
        CHECK_EQ(f.calls[0].server.n_ends, 1);
        CHECK(f.calls[0].server.status == TERN_STATUS_DEADLINE_EXCEEDED ||
              f.calls[0].server.status == TERN_STATUS_CANCELLED);
        CLOSE_FLOW();
    }
}

/* Also when a path that lost everything at that time mends. */
static void cancel__reaches_the_server(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            cluster_config config = usual(reliable);
            config.sim.path.loss = reliable ? 0 : 0.3;
            config.engine.peer_timeout = 10 * TERN_SEC;
            open_flow(seed, &config);
            f.opts.server_hangs = true;
            flow_call *call = flow_begin(&f, 0, session, 1000000, 1000000);
            flow_pass(&f, (tern_dur)seed * TERN_MS);
            CHECK(call->client.stream != NULL);
            tern__stream_abort(call->client.stream, TERN_STATUS_CANCELLED, cluster_now(&f.c));
            call->client.stream = NULL;
            f.n_ended++;
            cluster_flush(&f.c, 0);
            flow_pass(&f, 6 * TERN_SEC);
            CHECK_EQ(call->client.n_ends, 0);
            if (call->served) CHECK_EQ(call->server.status, TERN_STATUS_CANCELLED);
            CHECK_EQ(stats_of(0).calls_completed, 1);
            /* The slot is as good as new. */
            f.opts.server_hangs = false;
            flow_begin(&f, 0, session, 5000, 5000);
            CHECK(flow_run(&f, 10 * TERN_SEC));
            check_whole(&f.calls[1]);
            CHECK_OK();
            CLOSE_FLOW();
        }
    }
}

static void abort__by_the_server_drops_what_was_not_sent(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(9, &config);
        f.opts.server_hangs = true;
        f.opts.stream = (tern__stream_opts){.window_bytes = 64 << 10, .manual = true};
        flow_call *call = flow_begin(&f, 0, session, 1000, 200000);
        flow_pass(&f, 10 * TERN_MS);
        tern__stream *st = call->server.stream;
        CHECK(st != NULL);
        call->server.finished = true;
        call->server.stream = NULL;
        tern__stream_abort(st, TERN_STATUS_ABORTED, cluster_now(&f.c));
        cluster_flush(&f.c, 1);
        CHECK(flow_run(&f, TERN_SEC));
        CHECK_EQ(call->client.status, TERN_STATUS_ABORTED);
        CHECK(call->client.read <= 64 << 10);
        CHECK_EQ(call->server.n_ends, 0);
        CLOSE_FLOW();
    }
}

static void death__of_the_server_in_the_middle(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (int hanging = 0; hanging < 2; hanging++) {
            cluster_config config = usual(reliable);
            open_flow(9, &config);
            f.opts.server_hangs = true;
            flow_begin(&f, 0, session, hanging ? 1000 : 60000000, hanging ? 1000 : 60000000);
            flow_pass(&f, 5 * TERN_MS);
            CHECK_EQ(f.n_served, 1);
            f.calls[0].server.finished = true;
            f.calls[0].server.stream = NULL;
            cluster_node_kill(&f.c, 1);
            CHECK(flow_run(&f, 3 * TERN_SEC));
            CHECK_EQ(f.calls[0].client.status, TERN_STATUS_UNAVAILABLE);
            CLOSE_FLOW();
        }
    }
}

static void death__of_the_client_in_the_middle(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (int hanging = 0; hanging < 2; hanging++) {
            cluster_config config = usual(reliable);
            open_flow(9, &config);
            f.opts.server_hangs = true;
            flow_begin(&f, 0, session, hanging ? 1000 : 60000000, hanging ? 1000 : 60000000);
            flow_pass(&f, 5 * TERN_MS);
            CHECK_EQ(f.n_served, 1);
            cluster_node_kill(&f.c, 0);
            flow_pass(&f, 4 * TERN_SEC);
            CHECK_EQ(f.calls[0].server.status, TERN_STATUS_UNAVAILABLE);
            CHECK_EQ(stats_of(1).sessions_open, 0);
            CLOSE_FLOW();
        }
    }
}

/* Nobody says anything for a while, and nobody is taken for dead. */
static void silence__is_no_death(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        cluster_config config = usual(reliable);
        open_flow(9, &config);
        f.opts.server_hangs = true;
        flow_call *call = flow_begin(&f, 0, session, 1000, 1000);
        flow_pass(&f, 60 * TERN_SEC);
        CHECK_EQ(f.n_ended, 0);
        CHECK(call->server.stream != NULL);
        call->server.finished = true;
        tern__stream_finish(call->server.stream, TERN_STATUS_OK, cluster_now(&f.c));
        cluster_flush(&f.c, 1);
        CHECK(flow_run(&f, TERN_SEC));
        CHECK_EQ(call->client.status, TERN_STATUS_OK);
        CLOSE_FLOW();
    }
}

/* A ring of 16 packets is full most of the time. */
static void full_link__loses_nothing(void) {
    cluster_config config = usual(true);
    config.sim.ring_packets = 16;
    open_flow(2, &config);
    for (unsigned i = 0; i < 6; i++) flow_begin(&f, 0, session, 300000, 300000);
    CHECK(flow_run(&f, 10 * TERN_SEC));
    for (unsigned i = 0; i < 6; i++) check_whole(&f.calls[i]);
    CHECK_OK();
    tern__sim_stats stats;
    tern__sim_get_stats(f.c.sim, &stats);
    CHECK(stats.ring_full > 10);
    CLOSE_FLOW();
}

/* Drops the first packet with LAST of one type. */
typedef struct last_drop {
    uint8_t type;
    unsigned n;
} last_drop;

static bool drop_last(void *ctx, const tern__sim_seen *seen) {
    last_drop *d = ctx;
    tern__pkt_header h;
    if (!tern__pkt_read(&h, seen->head, seen->head_len, seen->bytes)) return false;
    bool last = h.type == d->type && (h.flags & TERN__PKT_STREAM) && (h.flags & TERN__PKT_LAST);
    return last && d->n++ == 0;
}

/* Either writer notices that its last packet got lost sooner than its timeout, which is a millisecond at least. */
static void loss__of_the_last_packet_is_probed_for(void) {
    for (int down = 0; down < 2; down++) {
        cluster_config config = usual(false);
        last_drop drop = {.type = down ? TERN__PKT_RESP : TERN__PKT_REQ};
        open_flow(1, &config);
        f.opts.server_waits = true;
        flow_begin(&f, 0, session, 60000, 60000); /* round trips are known now */
        CHECK(flow_run(&f, TERN_SEC));
        tern__sim_drop_if(f.c.sim, drop_last, &drop);
        tern_time start = cluster_now(&f.c);
        flow_begin(&f, 0, session, down ? 100 : 20000, down ? 20000 : 100);
        CHECK(flow_run(&f, TERN_SEC));
        check_whole(&f.calls[1]);
        double us = (double)(cluster_now(&f.c) - start) / 1e3;
        printf("# %s: %.1f us\n", down ? "down" : "up", us);
        CHECK_EQ(drop.n, 2);
        CHECK(us < 300);
        CHECK_EQ(stats_of((uint32_t)down).tail_probes, 1);
        CHECK_EQ(stats_of(0).retransmits + stats_of(1).retransmits, 1);
        CLOSE_FLOW();
    }
}

/* Drops what the server writes, except its first packet, as long as it has not finished. */
typedef struct early_drop {
    bool finished;
    unsigned n;
    uint32_t last; /* of the packets with LAST; UINT32_MAX: none so far */
    bool two_last;
} early_drop;

static bool drop_early(void *ctx, const tern__sim_seen *seen) {
    early_drop *d = ctx;
    tern__pkt_header h;
    if (!tern__pkt_read(&h, seen->head, seen->head_len, seen->bytes) || h.type != TERN__PKT_RESP) return false;
    if (h.flags & TERN__PKT_LAST) {
        d->two_last |= d->last != UINT32_MAX && d->last != h.pkt;
        d->last = h.pkt;
    }
    return !d->finished && h.pkt > 0 && ++d->n;
}

/* A packet that left before the stream was finished is not the last one when it is sent again after that, though its
 * bytes are the last: an empty packet behind it is. */
static void loss__of_what_left_before_the_end_makes_no_second_end(void) {
    cluster_config config = usual(false);
    early_drop drop = {.last = UINT32_MAX};
    open_flow(3, &config);
    f.opts.server_hangs = true;
    flow_call *call = flow_begin(&f, 0, session, 10, 1500);
    tern__sim_drop_if(f.c.sim, drop_early, &drop);
    flow_pass(&f, TERN_MS / 2);
    CHECK(call->served);
    CHECK(drop.n > 0);
    drop.finished = call->server.finished = true;
    tern__stream_finish(call->server.stream, TERN_STATUS_OK, cluster_now(&f.c));
    cluster_flush(&f.c, 1);
    CHECK(flow_run(&f, TERN_SEC));
    check_whole(call);
    CHECK(drop.last > 1);
    CHECK(!drop.two_last);
    CLOSE_FLOW();
}

/* A stream on which nothing has moved for long is watched as closely as any when something does. */
static void loss__after_a_pause_is_noticed_at_once(void) {
    cluster_config config = usual(false);
    last_drop drop = {.type = TERN__PKT_REQ};
    open_flow(1, &config);
    f.opts.server_waits = true;
    f.opts.stream.buffer_bytes = 1 << 20;
    flow_begin(&f, 0, session, 60000, 60000);
    CHECK(flow_run(&f, TERN_SEC));
    tern__stream *st;
    flow_call *call = &f.calls[f.n_calls];
    *call = (flow_call){.client = {.flow = &f, .call = call, .status = FLOW_NOT_ENDED},
                        .server = {.flow = &f, .call = call, .status = FLOW_NOT_ENDED}};
    CHECK_EQ(tern__stream_open(session, f.n_calls++ << 26, NULL, &call->client, cluster_now(&f.c), &st), 0);
    call->client.stream = st;
    tern__stream_flush(st, cluster_now(&f.c));
    cluster_flush(&f.c, 0);
    flow_pass(&f, 3 * TERN_SEC);
    tern__sim_drop_if(f.c.sim, drop_last, &drop);
    tern_time start = cluster_now(&f.c);
    call->client.finished = true;
    tern__stream_finish(st, 0, start);
    cluster_flush(&f.c, 0);
    CHECK(flow_run(&f, TERN_SEC));
    double us = (double)(cluster_now(&f.c) - start) / 1e3;
    printf("# %.1f us\n", us);
    CHECK_EQ(drop.n, 2);
    CHECK(us < 300);
    CHECK_OK();
    CLOSE_FLOW();
}

/* The goodput of one stream over a path that the credits cover. */
static void goodput__is_near_the_line_rate(void) {
    cluster_config config = usual(false);
    config.sim.uplink = config.sim.downlink = (tern__sim_nic){10000000000, 0};
    for (int down = 0; down < 2; down++) {
        open_flow(1, &config);
        f.opts.max_write = 60000;
        tern_time start = cluster_now(&f.c);
        flow_begin(&f, 0, session, down ? 0 : 20000000, down ? 20000000 : 0);
        CHECK(flow_run(&f, TERN_SEC));
        double gbps = 20e6 * 8 / (double)(cluster_now(&f.c) - start);
        printf("# %s: %.2f of 10 Gbps\n", down ? "down" : "up", gbps);
        CHECK(gbps > 8.5);
        CLOSE_FLOW();
    }
}

TAP_MAIN(TEST(stream__of_any_size_arrives_whole), TEST(stream__both_ways_at_once_and_many_beside_each_other),
         TEST(stream__the_server_answers_after_the_end_of_the_request),
         TEST(loss__reordering_and_duplication_change_nothing), TEST(back_pressure__a_slow_reader_sets_the_pace),
         TEST(status__of_the_server_comes_behind_its_bytes), TEST(deadline__ends_the_call_at_both_ends),
         TEST(cancel__reaches_the_server), TEST(abort__by_the_server_drops_what_was_not_sent),
         TEST(death__of_the_server_in_the_middle), TEST(death__of_the_client_in_the_middle), TEST(silence__is_no_death),
         TEST(full_link__loses_nothing), TEST(loss__of_the_last_packet_is_probed_for),
         TEST(loss__of_what_left_before_the_end_makes_no_second_end), TEST(loss__after_a_pause_is_noticed_at_once),
         TEST(goodput__is_near_the_line_rate))

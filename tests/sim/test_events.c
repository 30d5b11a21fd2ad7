/* The engines' events (engine/trace.h) in simulated clusters: each kind occurs, they agree with the statistics, and the
 * same seed makes the same ones. */
#include "engine/engine_record.h"
#include "flow.h"
#include "talk.h"

#include "tap.h"

/* Of all engines of a scenario. */
static struct seen {
    uint64_t n_kinds[TERN__N_TRACE_KINDS], n;
    uint64_t hash;
    tern_time last;
    bool went_back;
} seen;

static void on_event(void *user, uint32_t node, const tern__trace_event *event) {
    (void)user;
    char text[256] = "";
    tern__trace_format(event, text, sizeof text);
    seen.n++;
    seen.n_kinds[event->kind]++;
    seen.went_back |= event->at < seen.last;
    seen.last = event->at;
    uint64_t h = seen.hash ^ event->at ^ (uint64_t)node << 40 ^ (uint64_t)event->kind << 48;
    for (const char *c = text; *c; c++) h = tern__mix64(h ^ (uint8_t)*c);
    seen.hash = tern__mix64(h);
}

static cluster_config config_of(bool traced) {
    cluster_config config;
    cluster_config_init(&config);
    if (traced) config.on_event = on_event;
    memset(&seen, 0, sizeof seen);
    return config;
}

typedef struct totals {
    tern__engine_stats stats;
} totals;

static void add_stats(totals *sum, const cluster *c) {
    for (uint32_t i = 0; i < c->config.sim.n_nodes; i++) {
        tern__engine_stats s;
        tern__engine_get_stats(c->nodes[i].engine, &s);
        tern__engine_add_sent(&s, &c->nodes[i].port->link);
        sum->stats.tx_packets += s.tx_packets;
        sum->stats.rx_packets += s.rx_packets;
        sum->stats.rx_dropped += s.rx_dropped;
        sum->stats.retransmits += s.retransmits;
        sum->stats.tail_probes += s.tail_probes;
        sum->stats.congested += s.congested;
    }
}

/* Calls of many sizes over a bad and slow network whose links refuse now and then. */
static void talk_badly(uint64_t seed, bool traced, totals *sum) {
    static talk t;
    tern__csession *session;
    cluster_config config = config_of(traced);
    config.sim.path = (tern__sim_path){
        .delay = 20 * TERN_US, .loss = 0.05, .duplicate = 0.02, .reorder = 0.02, .reorder_delay = 50 * TERN_US};
    config.sim.uplink.rate_bps = config.sim.downlink.rate_bps = 100000000;
    config.tx_refusal = 0.05;
    CHECK_EQ(talk_init(&t, seed, &config), 0);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    for (uint32_t i = 0; i < 40; i++) CHECK_EQ(talk_call(&t, 0, session, 20 + i * 977, 20 + (40 - i) * 977, 0), 0);
    talk_finish(&t, 60 * TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 40);
    add_stats(sum, &t.c);
    CHECK(talk_fini(&t) == NULL);
}

static void events__agree_with_the_statistics(void) {
    totals sum = {0};
    talk_badly(1, true, &sum);
    CHECK_OK();
    CHECK(!seen.went_back);
    CHECK(sum.stats.rx_dropped > 10 && sum.stats.retransmits > 10);
    CHECK_EQ(seen.n_kinds[TERN__TRACE_DROPPED], sum.stats.rx_dropped);
    CHECK_EQ(seen.n_kinds[TERN__TRACE_RETRANSMIT], sum.stats.retransmits);
    CHECK_EQ(seen.n_kinds[TERN__TRACE_TAIL_PROBE], sum.stats.tail_probes);
    CHECK(seen.n_kinds[TERN__TRACE_RECEIVED] == sum.stats.rx_packets);
    CHECK(seen.n_kinds[TERN__TRACE_SENT] >= sum.stats.tx_packets); /* the engines said goodbye afterwards */
    CHECK(seen.n_kinds[TERN__TRACE_SENT] <= sum.stats.tx_packets + 2);
}

static void events__of_every_kind_occur(void) {
    uint64_t n_kinds[TERN__N_TRACE_KINDS] = {0};
    static flow f;
    tern__csession *session;
    totals sum = {0};
    talk_badly(2, true, &sum);
    CHECK_OK();
    memcpy(n_kinds, seen.n_kinds, sizeof n_kinds);
    cluster_config config = config_of(true);
    CHECK_EQ(flow_init(&f, 1, &config), 0);
    CHECK_EQ(cluster_connect(&f.c, 0, 1, NULL, &session), 0);
    CHECK(flow_begin(&f, 0, session, 6000, 3000) != NULL);
    CHECK(flow_run(&f, TERN_SEC));
    CHECK(flow_fini(&f) == NULL);
    for (unsigned kind = 0; kind < TERN__N_TRACE_KINDS; kind++) {
        if (!(n_kinds[kind] + seen.n_kinds[kind])) printf("# no %s\n", tern__trace_kind_name(kind));
        CHECK(n_kinds[kind] + seen.n_kinds[kind] > 0);
    }
}

static void events__same_seed_same_events(void) {
    totals sum = {0};
    uint64_t hash[3], n[3];
    for (uint64_t i = 0; i < 3; i++) {
        talk_badly(i == 2 ? 8 : 7, true, &sum);
        CHECK_OK();
        hash[i] = seen.hash;
        n[i] = seen.n;
    }
    CHECK(n[0] > 1000);
    CHECK_EQ(n[0], n[1]);
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] != hash[2]);
}

static void events__none_without_a_trace(void) {
    totals sum = {0};
    talk_badly(1, false, &sum);
    CHECK_OK();
    CHECK_EQ(seen.n, 0);
}

/* The last events, oldest first, behind the error. */
static void events__are_printed_when_a_cluster_fails(void) {
    static talk t;
    tern__csession *session;
    char *text = NULL;
    size_t len = 0;
    cluster_config config = config_of(false);
    config.keeps_events = true;
    CHECK_EQ(talk_init(&t, 1, &config), 0);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    for (uint32_t i = 0; i < 50; i++) CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    FILE *out = open_memstream(&text, &len);
    CHECK(out != NULL);
    events_print(&t.c.events, (tern_time)TERN_SEC, out);
    fclose(out);
    unsigned n_lines = 0;
    for (const char *c = text; *c; c++) n_lines += *c == '\n';
    bool names_both = strstr(text, "node 0  client") && strstr(text, "node 1  server");
    bool has_end = strstr(text, "call     ") && strstr(text, "-> free OK");
    free(text);
    CHECK(talk_fini(&t) == NULL);
    CHECK_EQ(n_lines, EVENTS_KEPT + 1);
    CHECK(names_both);
    CHECK(has_end);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(events__agree_with_the_statistics), TEST(events__of_every_kind_occur),
                                     TEST(events__same_seed_same_events), TEST(events__none_without_a_trace),
                                     TEST(events__are_printed_when_a_cluster_fails)};
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}

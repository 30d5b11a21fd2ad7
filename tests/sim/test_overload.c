/* Servers that are offered more than they can do: engines on a simulated network, and a server whose time is a number.
 * Node 0 is the server. Each packet that it receives takes it 1 us, each handler 9 us more, so its peak is 100,000
 * calls a second. Its clients call in open loops, whatever became of the calls before. */
#include "tap.h"

#include "cluster.h"
#include "engine/engine_record.h"

enum {
    SERVER = 0,
    METHOD = 1,
    BYTES = 32,
    MAX_SESSIONS = 4096,
    MAX_SAMPLES = 1 << 20,
    PACKET_NS = 1000,
    HANDLER_NS = 9000,
    PEAK = 100000, /* calls a second */
};
#define TARGET TERN_MS

/* The calls of a node, which it spreads over its sessions. */
typedef struct load {
    double rate;      /* calls a second */
    tern_dur timeout; /* of each; 0: none */
    tern_time due;    /* the next one */
    uint32_t turn;
    uint64_t n_offered, n_ok, n_refused, n_rejected, n_late; /* refused by the client itself, rejected by the server */
} load;

/* One call. */
typedef struct record {
    struct record *next;
    tern_time due;
    uint32_t node;
} record;

static struct {
    cluster c;
    tern__csession *sessions[MAX_SESSIONS];
    uint32_t n_sessions, per_node, n_clients, n_up;
    load loads[32];
    tern__rng rng;
    record *free, *records;
    uint64_t rx_before;
    double *latencies; /* ns; of calls that ended with OK */
    size_t n_latencies;
    uint64_t n_run;
} fx;

/* ---- Server and clients --------------------------------------------------------------------------- */

static void spend(tern_dur ns) {
    cluster_node *node = &fx.c.nodes[SERVER];
    tern_time now = cluster_now(&fx.c), from = node->stopped_until > now ? node->stopped_until : now;
    cluster_node_suspend(&fx.c, SERVER, from + (tern_time)ns);
}

static void on_request(void *user, tern__request *request, uint32_t method, const tern__arrived *msg) {
    (void)user, (void)method;
    static uint8_t answer[BYTES];
    tern__body body = {.data = answer, .len = msg->len < BYTES ? msg->len : BYTES};
    fx.n_run++;
    spend(HANDLER_NS);
    tern__engine_respond(request, TERN_STATUS_OK, &body, cluster_now(&fx.c));
}

static void on_gone(void *user, tern__request *request) { (void)user, (void)request; }

static void on_polled(void *user, uint32_t node) {
    (void)user;
    if (node != SERVER) return;
    tern__engine_stats stats;
    tern__engine_get_stats(fx.c.nodes[SERVER].engine, &stats);
    spend((tern_dur)(stats.rx_packets - fx.rx_before) * PACKET_NS);
    fx.rx_before = stats.rx_packets;
}

static void give(record *r) {
    r->next = fx.free;
    fx.free = r;
}

static void on_done(void *user, void *call, int status, const tern__arrived *msg) {
    (void)user, (void)msg;
    record *r = call;
    load *l = &fx.loads[r->node];
    l->n_ok += status == TERN_STATUS_OK;
    l->n_rejected += status == TERN_STATUS_RESOURCE_EXHAUSTED;
    l->n_late += status == TERN_STATUS_DEADLINE_EXCEEDED;
    if (status == TERN_STATUS_OK && fx.n_latencies < MAX_SAMPLES)
        fx.latencies[fx.n_latencies++] = (double)(cluster_now(&fx.c) - r->due);
    give(r);
}

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event event) {
    (void)user, (void)session, (void)session_user;
    fx.n_up += event == TERN__SESSION_UP;
}

/* Clients are the nodes from 1 on. */
static bool begin_with(uint32_t n_clients, uint32_t per_node, bool reliable, tern_dur target) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.n_nodes = 1 + n_clients;
    config.sim.reliable = reliable;
    config.engine.max_sessions = MAX_SESSIONS;
    config.engine.queue_target = target;
    config.engine.callbacks = (tern__engine_callbacks){on_request, on_gone, on_done, on_session, NULL, NULL};
    config.on_polled = on_polled;
    memset(&fx, 0, sizeof fx);
    tern__rng_seed(&fx.rng, 11);
    fx.records = calloc(MAX_SAMPLES, sizeof *fx.records);
    fx.latencies = calloc(MAX_SAMPLES, sizeof *fx.latencies);
    if (!fx.records || !fx.latencies || cluster_init(&fx.c, 11, &config) != 0) return false;
    for (size_t i = 0; i < MAX_SAMPLES; i++) give(&fx.records[i]);
    fx.n_clients = n_clients;
    fx.per_node = per_node;
    fx.n_sessions = n_clients * per_node;
    for (uint32_t i = 0; i < fx.n_sessions; i++)
        if (cluster_connect(&fx.c, 1 + i / per_node, SERVER, NULL, &fx.sessions[i]) != 0) return false;
    cluster_run(&fx.c, cluster_now(&fx.c) + (tern_time)TERN_SEC);
    for (uint32_t i = 1; i <= n_clients; i++) fx.loads[i].due = UINT64_MAX;
    return fx.n_up == fx.n_sessions;
}

static void end(void) {
    cluster_fini(&fx.c);
    if (fx.c.error[0]) printf("# %s\n", fx.c.error);
    CHECK(!fx.c.error[0]);
    free(fx.records);
    free(fx.latencies);
}

static void offer(uint32_t node) {
    load *l = &fx.loads[node];
    record *r = fx.free;
    if (!r) abort();
    tern__csession *session = fx.sessions[(node - 1) * fx.per_node + l->turn++ % fx.per_node];
    static const uint8_t bytes[BYTES];
    tern__body body = {.data = bytes, .len = BYTES};
    fx.free = r->next;
    *r = (record){NULL, cluster_now(&fx.c), node};
    l->n_offered++;
    tern_time deadline = l->timeout ? cluster_now(&fx.c) + (tern_time)l->timeout : 0;
    int err = tern__engine_request(session, METHOD, &body, deadline, r, cluster_now(&fx.c));
    if (err) {
        l->n_refused += err == TERN__NOT_ADMITTED || err == TERN_ERR_FULL;
        give(r);
    }
    cluster_flush(&fx.c, node);
}

static double gap_of(double rate) {
    double u = (double)(tern__rng_next(&fx.rng) >> 11) * 0x1p-53, x = 0;
    /* -ln(1 - u): halvings, and a series for the rest. */
    double rest = 1 - u;
    for (; rest < 0.5; rest *= 2) x += 0.69314718055994530942;
    double y = (1 - rest) / (1 + rest);
    x += 2 * (y + y * y * y / 3 + y * y * y * y * y / 5 + y * y * y * y * y * y * y / 7);
    return x * 1e9 / rate;
}

/* A node calls so often from now on. */
static void set_rate(uint32_t node, double rate) {
    load *l = &fx.loads[node];
    l->rate = rate;
    l->due = rate > 0 ? cluster_now(&fx.c) + (tern_time)gap_of(rate) : UINT64_MAX;
}

static void set_rates(double all) {
    for (uint32_t i = 1; i <= fx.n_clients; i++) set_rate(i, all / fx.n_clients);
}

static void forget_counts(void) {
    for (uint32_t i = 1; i <= fx.n_clients; i++) {
        load *l = &fx.loads[i];
        l->n_offered = l->n_ok = l->n_refused = l->n_rejected = l->n_late = 0;
    }
    fx.n_latencies = 0;
    fx.n_run = 0;
}

static void pass(tern_dur span) {
    tern_time until = cluster_now(&fx.c) + (tern_time)span;
    while (!fx.c.error[0]) {
        uint32_t node = 1;
        for (uint32_t i = 2; i <= fx.n_clients; i++)
            if (fx.loads[i].due < fx.loads[node].due) node = i;
        tern_time due = fx.loads[node].due < until ? fx.loads[node].due : until;
        while (cluster_step(&fx.c, due) && !fx.c.error[0]) continue;
        if (due == until) return;
        offer(node);
        fx.loads[node].due = due + 1 + (tern_time)gap_of(fx.loads[node].rate);
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In ms. */
static double percentile(double percent) {
    if (!fx.n_latencies) return 0;
    qsort(fx.latencies, fx.n_latencies, sizeof *fx.latencies, by_value);
    return fx.latencies[(size_t)((double)(fx.n_latencies - 1) * percent / 100)] / 1e6;
}

static uint64_t all_of(uint64_t (*count)(const load *l)) {
    uint64_t n = 0;
    for (uint32_t i = 1; i <= fx.n_clients; i++) n += count(&fx.loads[i]);
    return n;
}
static uint64_t ok_of(const load *l) { return l->n_ok; }
static uint64_t offered_of(const load *l) { return l->n_offered; }
static uint64_t refused_of(const load *l) { return l->n_refused; }
static uint64_t rejected_of(const load *l) { return l->n_rejected; }
static uint64_t late_of(const load *l) { return l->n_late; }

/* What came of `span`, as a part of what the peak would be. */
static double goodput(tern_dur span) { return (double)all_of(ok_of) * 1e9 / (double)span / PEAK; }

static void print_counts(const char *what, tern_dur span) {
    printf(
        "# %s: goodput %.3f of the peak, p50 %.3f ms, p99 %.3f ms, max %.3f ms; offered %llu, refused %llu, rejected "
        "%llu, late %llu\n",
        what, goodput(span), percentile(50), percentile(99), percentile(100), (unsigned long long)all_of(offered_of),
        (unsigned long long)all_of(refused_of), (unsigned long long)all_of(rejected_of),
        (unsigned long long)all_of(late_of));
}

/* ---- Tests ---------------------------------------------------------------------------------------- */

/* So much of the peak is offered for a while. */
static void run_load(double load_, tern_dur span) {
    char what[64];
    set_rates(load_ * PEAK);
    pass(200 * TERN_MS);
    forget_counts();
    pass(span);
    snprintf(what, sizeof what, "%u sessions of %u clients, load %.2f", fx.n_sessions, fx.n_clients, load_);
    print_counts(what, span);
}

static void check_overload(uint32_t n_clients, uint32_t per_node, bool reliable, double most_ms) {
    static const double loads[] = {1.5, 2};
    CHECK(begin_with(n_clients, per_node, reliable, TARGET));
    CHECK_OK();
    for (size_t i = 0; i < TERN__COUNT(loads); i++) {
        run_load(loads[i], TERN_SEC / 2);
        CHECK(goodput(TERN_SEC / 2) >= 0.95);
        CHECK(percentile(99) <= most_ms);
        /* Refusing costs the server nothing: nearly all of it happens at the clients. */
        CHECK(all_of(rejected_of) * 50 <= all_of(ok_of));
        CHECK(all_of(refused_of) > 0);
    }
    end();
}

static void overload__few_sessions_keep_the_goodput(void) {
    for (int reliable = 0; reliable < 2; reliable++) check_overload(2, 4, reliable, 3);
}

static void overload__many_sessions_keep_the_goodput(void) {
    for (int reliable = 0; reliable < 2; reliable++) check_overload(4, 50, reliable, 4);
}

/* More than have a call at a time within the target: they pause. */
static void overload__crowds_pause(void) {
    for (int reliable = 0; reliable < 2; reliable++) check_overload(4, 500, reliable, 8);
}

/* The same without a target, for comparison: what it is about. */
static void overload__without_a_target_waits_for_ever(void) {
    CHECK(begin_with(2, 4, true, 0));
    CHECK_OK();
    run_load(2, TERN_SEC / 2);
    CHECK(percentile(50) > 100);
    end();
}

static void load__below_the_peak_is_left_alone(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin_with(2, 4, reliable, TARGET));
        CHECK_OK();
        run_load(0.8, TERN_SEC);
        CHECK_EQ(all_of(refused_of) + all_of(rejected_of), 0);
        CHECK(!fx.c.nodes[SERVER].engine->overload.active);
        end();
    }
}

/* One client wants twice the peak, seven others a thirtieth each: these get what they want, and the one the rest. */
static void fairness__of_clients(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin_with(8, 1, reliable, TARGET));
        CHECK_OK();
        set_rate(1, 2 * PEAK);
        for (uint32_t i = 2; i <= 8; i++) set_rate(i, PEAK / 30.0);
        pass(200 * TERN_MS);
        forget_counts();
        pass(TERN_SEC / 2);
        print_counts("one client wants all", TERN_SEC / 2);
        CHECK(goodput(TERN_SEC / 2) >= 0.95);
        for (uint32_t i = 2; i <= 8; i++) CHECK(100 * fx.loads[i].n_ok >= 95 * fx.loads[i].n_offered);
        CHECK((double)fx.loads[1].n_ok >= 0.6 * PEAK / 2);
        end();
    }
}

/* All want the same, of which there is half: nobody gets less than two thirds of what the others get. */
static void fairness__of_equals(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin_with(16, 4, reliable, TARGET));
        CHECK_OK();
        run_load(2, TERN_SEC);
        uint64_t least = UINT64_MAX, most = 0;
        for (uint32_t i = 1; i <= 16; i++) {
            if (fx.loads[i].n_ok < least) least = fx.loads[i].n_ok;
            if (fx.loads[i].n_ok > most) most = fx.loads[i].n_ok;
        }
        CHECK(3 * least >= 2 * most);
        end();
    }
}

/* A tenth of a second after the load has gone nothing is left of the overload, and the short ways are taken again. */
static void recovery__when_load_goes(void) {
    static const uint32_t per_node[] = {4, 500};
    for (int i = 0; i < 4; i++) {
        CHECK(begin_with(2, per_node[i / 2], i % 2, TARGET));
        CHECK_OK();
        run_load(2, TERN_SEC / 5);
        CHECK(fx.c.nodes[SERVER].engine->overload.active);
        set_rates(0.5 * PEAK);
        pass(TERN_SEC / 10);
        forget_counts();
        pass(TERN_SEC / 5);
        print_counts("afterwards", TERN_SEC / 5);
        CHECK(!fx.c.nodes[SERVER].engine->overload.active);
        CHECK_EQ(all_of(refused_of) + all_of(rejected_of), 0);
        CHECK(goodput(TERN_SEC / 5) >= 0.45);
        if (per_node[i / 2] == 4)
            for (uint32_t k = 0; k < fx.n_sessions; k++) CHECK(!fx.sessions[k]->bounded && fx.sessions[k]->s.tx_usual);
        end();
    }
}

/* The server stands still for a while, and finds more than it can do in time: what waited too long is rejected. */
static void overload__rejects_what_has_waited_too_long(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin_with(4, 200, reliable, TARGET));
        CHECK_OK();
        run_load(1.5, TERN_SEC / 5);
        forget_counts();
        cluster_node_suspend(&fx.c, SERVER, cluster_now(&fx.c) + (tern_time)(20 * TERN_MS));
        pass(TERN_SEC / 5);
        print_counts("the server stood still for 20 ms", TERN_SEC / 5);
        CHECK(all_of(rejected_of) > 0);
        CHECK(percentile(99) < 25);
        CHECK(goodput(TERN_SEC / 5) >= 0.85);
        tern__engine_stats stats;
        tern__engine_get_stats(fx.c.nodes[SERVER].engine, &stats);
        CHECK(stats.overload_rejects > 0 && stats.overloads > 0);
        end();
    }
}

/* Calls whose time would be over are refused when they are made: few of them end late. */
static void deadlines__that_cannot_be_met_are_refused(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin_with(2, 4, reliable, 20 * TERN_MS));
        CHECK_OK();
        for (uint32_t i = 1; i <= 2; i++) fx.loads[i].timeout = 2 * TERN_MS;
        run_load(2, TERN_SEC / 2);
        CHECK(goodput(TERN_SEC / 2) >= 0.9);
        CHECK(all_of(late_of) * 20 <= all_of(ok_of));
        end();
    }
}

TAP_MAIN(TEST(load__below_the_peak_is_left_alone), TEST(overload__without_a_target_waits_for_ever),
         TEST(overload__few_sessions_keep_the_goodput), TEST(overload__many_sessions_keep_the_goodput),
         TEST(overload__crowds_pause), TEST(fairness__of_clients), TEST(fairness__of_equals),
         TEST(recovery__when_load_goes), TEST(overload__rejects_what_has_waited_too_long),
         TEST(deadlines__that_cannot_be_met_are_refused))

/* Every allocation of the pool fails once, in turn, while two nodes connect, call and answer: nothing crashes or
 * leaks, and every call that was accepted ends. On a lossy network, where it can be repeated, that is with OK. */
#include "talk.h"

#include "mem/pool.h"
#include "tap.h"

/* What happens in each run: a small call, a call of several packets each way, a late answer, a second session, a
 * deadline, a close with a call pending, and a client that comes back after its server restarted. */
static talk t;

struct outcome {
    uint64_t left;   /* of the countdown: 0 when the failure happened */
    uint32_t n_made; /* calls accepted */
    uint32_t n_ok;
};

static bool open_session(uint32_t node, uint32_t peer, tern__csession **out) {
    *out = NULL;
    return cluster_connect(&t.c, node, peer, NULL, out) == 0;
}

static void call(uint32_t node, tern__csession *session, size_t bytes, uint32_t bytes_back, tern_dur timeout) {
    if (session) talk_call(&t, node, session, bytes, bytes_back, timeout);
}

static void run_ms(tern_dur ms) { cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(ms * TERN_MS)); }

static void live(void) {
    tern__csession *a, *b, *back;
    open_session(0, 1, &a);
    call(0, a, 32, 32, 0);
    call(0, a, 10000, 20000, 0);
    open_session(0, 1, &b);
    call(0, b, 700, 700, 0);
    talk_finish(&t, 60 * TERN_SEC);
    t.hold = true;
    call(0, a, 3000, 3000, 0);
    call(0, b, 100, 100, 5 * TERN_MS);
    run_ms(20);
    t.hold = false;
    for (uint32_t i = 0; i < t.n_held; i++) talk_answer(&t, 1, i);
    talk_finish(&t, 60 * TERN_SEC);
    t.hold = true;
    call(0, b, 5000, 100, 0);
    run_ms(1);
    if (b) tern__engine_session_close(b, cluster_now(&t.c));
    cluster_flush(&t.c, 0);
    t.hold = false;
    run_ms(5);
    cluster_node_kill(&t.c, 1);
    if (cluster_node_start(&t.c, 1) != 0) return;
    call(0, a, 32, 2000, 0);
    talk_finish(&t, 60 * TERN_SEC);
    call(0, a, 2000, 32, 0);
    if (open_session(1, 0, &back)) call(1, back, 6000, 6000, 0);
    talk_finish(&t, 60 * TERN_SEC);
}

/* Run with the nth allocation from now failing; 0: none. */
static void run_failing(uint64_t n, bool reliable, struct outcome *out) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = config.sim.spans = reliable;
    config.sim.path.loss = 0.02;
    tern__pool_fail_after(n);
    if (talk_init(&t, 7, &config) == 0) live();
    out->left = tern__pool_fail_after(0);
    out->n_made = t.n_calls;
    out->n_ok = t.n_status[TERN_STATUS_OK];
    const char *error = talk_fini(&t);
    if (error) {
        printf("# %sallocation %llu: %s\n", reliable ? "reliable-" : "", (unsigned long long)n, error);
        tap_failed = true;
    }
}

static void fail_each(bool reliable) {
    struct outcome whole, one;
    run_failing(0, reliable, &whole);
    CHECK_OK();
    CHECK_EQ(whole.n_made, 9);
    CHECK(whole.n_ok >= 5);
    uint64_t n = 1, n_ok = 0;
    for (;; n++) {
        run_failing(n, reliable, &one);
        if (one.left > 0) break;
        n_ok += one.n_ok;
    }
    printf("# %llu allocations failed, %.2f of %u calls were OK on average\n", (unsigned long long)n - 1,
           (double)n_ok / (double)(n - 1), whole.n_ok);
    CHECK(n > 50);
}

static void allocation__each_fails_once_on_a_lossy_link(void) { fail_each(false); }
static void allocation__each_fails_once_on_a_reliable_link(void) { fail_each(true); }

/* `--allocation N` or `--reliable-allocation N`: that one only, for a debugger. */
int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(allocation__each_fails_once_on_a_lossy_link),
                                     TEST(allocation__each_fails_once_on_a_reliable_link)};
    bool reliable = argc == 3 && strcmp(argv[1], "--reliable-allocation") == 0;
    if (reliable || (argc == 3 && strcmp(argv[1], "--allocation") == 0)) {
        struct outcome out;
        run_failing(strtoull(argv[2], NULL, 10), reliable, &out);
        return tap_failed;
    }
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}

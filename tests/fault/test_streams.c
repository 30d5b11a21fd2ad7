/* Every allocation of the pool fails once, in turn, while streams are opened, written, read slowly, ended by both sides
 * and cut, some with metadata: nothing crashes or leaks, every call that began ends, and what was read is right. */
#include "flow.h"
#include "mem/pool.h"
#include "tap.h"

static flow f;

struct outcome {
    uint64_t left; /* of the countdown: 0 when the failure happened */
    uint32_t n_begun, n_ok;
};

static void live(void) {
    static const uint8_t block[3000];
    tern__csession *session;
    if (cluster_connect(&f.c, 0, 1, NULL, &session) != 0) return;
    flow_begin(&f, 0, session, 30000, 30000);
    flow_begin(&f, 0, session, 10, 5000);
    flow_run(&f, 30 * TERN_SEC);
    f.opts.stream.manual = true;
    f.opts.stream.block = (tern_bytes){block, sizeof block}; /* of several packets */
    flow_begin(&f, 0, session, 90000, 90000);
    flow_run(&f, 30 * TERN_SEC);
    f.opts.server_hangs = true;
    f.opts.timeout = 5 * TERN_MS;
    flow_begin(&f, 0, session, 20000, 200);
    flow_run(&f, 30 * TERN_SEC);
    f.opts.timeout = 0;
    flow_begin(&f, 0, session, 20000, 200);
    flow_pass(&f, 2 * TERN_MS);
    cluster_node_kill(&f.c, 1);
    flow_run(&f, 30 * TERN_SEC);
}

static void run_failing(uint64_t n, bool reliable, struct outcome *out) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.reliable = config.sim.spans = reliable;
    config.sim.path.loss = reliable ? 0 : 0.05;
    tern__pool_fail_after(n);
    if (flow_init(&f, 7, &config) == 0) {
        f.opts.stream = (tern__stream_opts){.window_bytes = 64 << 10, .buffer_bytes = 16 << 10};
        f.opts.consume_every = TERN_MS;
        f.opts.consume_bytes = 20000;
        f.opts.may_lack = true;
        live();
    }
    *out = (struct outcome){.left = tern__pool_fail_after(0), .n_begun = f.n_calls};
    for (unsigned i = 0; i < f.n_calls; i++) out->n_ok += f.calls[i].client.status == TERN_STATUS_OK;
    const char *error = flow_fini(&f);
    if (error) {
        printf("# %sallocation %llu: %s\n", reliable ? "reliable-" : "", (unsigned long long)n, error);
        tap_failed = true;
    }
}

static void fail_each(bool reliable) {
    struct outcome whole, one;
    run_failing(0, reliable, &whole);
    CHECK_OK();
    CHECK_EQ(whole.n_begun, 5);
    CHECK_EQ(whole.n_ok, 3);
    uint64_t n = 1, n_ok = 0;
    for (;; n++) {
        run_failing(n, reliable, &one);
        CHECK_OK();
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

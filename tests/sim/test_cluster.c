/* Random lives of clusters (model.h). By default a few hundred seeds; more with `--seeds N`, from `--from N`;
 * one of them, told step by step, with `--seed N`. */
#include "model.h"

#include "tap.h"

static uint64_t first_seed = 1, n_seeds = 300;
static model_totals totals;
static bool is_default = true;

static void print_totals(void) {
    printf("# %" PRIu64 " seeds, %" PRIu64 " calls: %" PRIu64 " ok, %" PRIu64 " app errors, %" PRIu64
           " deadlines, %" PRIu64 " unavailable, %" PRIu64 " exhausted; %" PRIu64 " refused\n",
           n_seeds, totals.calls, totals.ok, totals.app_errors, totals.deadlines, totals.unavailable, totals.exhausted,
           totals.refused);
    printf("# %" PRIu64 " packets, %" PRIu64 " retransmits, %" PRIu64 " kills, %" PRIu64 " cuts, %" PRIu64
           " closes, %" PRIu64 " gone, %" PRIu64 " multi-packet requests, %" PRIu64 " in-place values\n",
           totals.packets, totals.retransmits, totals.kills, totals.cuts, totals.closes, totals.gone,
           totals.multi_packet, totals.inplace_values);
}

static void cluster__keeps_its_promises_whatever_happens(void) {
    for (uint64_t seed = first_seed; seed < first_seed + n_seeds; seed++) {
        char error[256];
        if (model_run(seed, false, &totals, error, sizeof error)) continue;
        printf("# seed %" PRIu64 ": %s\n# replay: build/tests/sim/test_cluster --seed %" PRIu64 "\n", seed, error,
               seed);
        tap_failed = true;
    }
    print_totals();
    CHECK_OK();
    if (!is_default) return;
    CHECK(totals.ok > 1000);
    CHECK(totals.app_errors > 0);
    CHECK(totals.deadlines > 0);
    CHECK(totals.unavailable > 0);
    CHECK(totals.refused > 0);
    CHECK(totals.gone > 0);
    CHECK(totals.retransmits > 0);
    CHECK(totals.forged > 1000);
    CHECK(totals.multi_packet > 100);
    CHECK(totals.inplace_values > 100);
}

static void cluster__same_seed_same_bytes(void) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        model_totals a = {0}, b = {0};
        char error[256];
        CHECK(model_run(seed, false, &a, error, sizeof error));
        CHECK(model_run(seed, false, &b, error, sizeof error));
        CHECK(a.hash == b.hash);
        CHECK_EQ(a.steps, b.steps);
    }
}

static int replay(uint64_t seed) {
    char error[256];
    bool ok = model_run(seed, true, &totals, error, sizeof error);
    n_seeds = 1;
    print_totals();
    if (!ok) printf("# seed %" PRIu64 ": %s\n", seed, error);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    int n_names = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) return replay(strtoull(argv[i + 1], NULL, 10));
        if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0) {
            n_seeds = strtoull(argv[++i], NULL, 10);
            is_default = n_seeds >= 300;
        } else if (i + 1 < argc && strcmp(argv[i], "--from") == 0) {
            first_seed = strtoull(argv[++i], NULL, 10);
        } else {
            argv[n_names++] = argv[i];
        }
    }
    static const tap_test tests[] = {TEST(cluster__keeps_its_promises_whatever_happens),
                                     TEST(cluster__same_seed_same_bytes)};
    return tap_run(tests, sizeof tests / sizeof *tests, n_names, argv);
}

/* The short ways hold no semantics of their own: a cluster's random life with them and without them is the same, byte
 * for byte and nanosecond for nanosecond, as the packets that are delivered show. `--seeds N` and `--from N` choose
 * others than the usual seeds, and `--seal on` and `--seal off` seal all lives or none; `--short SEED`,
 * `--general SEED` and `--single SEED` (without batches) tell one life step by step. */
#include "base/factor.h"
#include "model.h"

#include "tap.h"

unsigned tern__factors_off;

enum { USUAL_SEEDS = 400 };

static uint64_t first_seed = 1, n_seeds = USUAL_SEEDS;
static unsigned seal; /* MODEL_SEAL, MODEL_NO_SEAL or 0 */

/* Lives one seed, with or without the short ways, and tells it step by step. */
static int tell(uint64_t seed, unsigned factors_off) {
    model_totals totals = {0};
    char error[256] = "";
    tern__factors_off = factors_off;
    return model_run(seed, MODEL_SAY | seal, &totals, error, sizeof error) ? 0 : 1;
}

static bool live(uint64_t seed, unsigned factors_off, model_totals *totals) {
    char error[256] = "";
    *totals = (model_totals){0};
    tern__factors_off = factors_off;
    if (model_run(seed, seal, totals, error, sizeof error)) return true;
    printf("# seed %" PRIu64 ", factors off %#x: %s\n", seed, factors_off, error);
    return false;
}

static bool is_same(uint64_t seed, const model_totals *with, const model_totals *without, const char *what) {
    /* The hash is of what arrived; packets also counts those to a peer that is gone. */
    bool same = with->hash == without->hash && with->packets == without->packets && with->ok == without->ok &&
                with->unavailable == without->unavailable && with->retransmits == without->retransmits;
    if (!same)
        printf("# seed %" PRIu64 ": %" PRIu64 " packets with %s, %" PRIu64 " without\n", seed, with->packets, what,
               without->packets);
    return same;
}

/* Two kinds of lives are lived, but not compared, because they differ by more than the way: where a link refuses
 * packets at random, it draws again when the short way was refused and the general way tries; and where allocations
 * fail, they fail by number, and the ways allocate differently. Open runs are a short way: where packets that go into
 * several runs leave in another order, the lives differ, too. */
static void ways__same_packets_at_the_same_time(void) {
    uint64_t n_compared = 0, n_packets = 0;
    for (uint64_t seed = first_seed; seed < first_seed + n_seeds; seed++) {
        model_totals with, without;
        CHECK(live(seed, 0, &with));
        CHECK(live(seed, 1u << TERN__FACTOR_SHORT_WAY, &without));
        if (with.tx_refused || without.tx_refused || with.starved || without.starved || with.unordered) continue;
        CHECK(is_same(seed, &with, &without, "the short ways"));
        n_compared++;
        n_packets += with.packets;
    }
    printf("# %" PRIu64 " lives compared, %" PRIu64 " packets\n", n_compared, n_packets);
    CHECK(n_compared > n_seeds / 3);
}

/* Packets that are sent and received in batches are those that are sent and received one by one. Not compared are, for
 * the same reasons, the lives above; and lives in which a server returned the credits of several packets of a run at
 * once (tern__engine_stats.delayed), which saves packets. */
static void batches__same_packets_at_the_same_time(void) {
    const unsigned off = 1u << TERN__FACTOR_RUNS | 1u << TERN__FACTOR_COALESCING;
    uint64_t n_compared = 0, n_delayed = 0, n_unordered = 0, n_lines = 0, n_equal = 0, n_runs = 0;
    for (uint64_t seed = first_seed; seed < first_seed + n_seeds; seed++) {
        model_totals with, without;
        CHECK(live(seed, 0, &with));
        CHECK(live(seed, off, &without));
        CHECK_EQ(without.lines_packets + without.lines_rx_packets + without.equal_packets + without.runs, 0);
        if (with.tx_refused || without.tx_refused || with.starved || without.starved) continue;
        n_delayed += with.delayed > 0;
        n_unordered += with.unordered > 0;
        if (with.delayed || with.unordered) continue;
        CHECK(is_same(seed, &with, &without, "batches"));
        n_compared++;
        n_lines += with.lines_packets > 0;
        n_equal += with.equal_packets > 0;
        n_runs += with.runs > 0;
    }
    printf("# %" PRIu64 " lives compared, of them %" PRIu64 " with runs of lines, %" PRIu64
           " of equal packets, %" PRIu64 " received in runs; not compared: %" PRIu64
           " where credits were delayed, %" PRIu64 " with several runs\n",
           n_compared, n_lines, n_equal, n_runs, n_delayed, n_unordered);
    CHECK(n_compared > n_seeds / 5);
    if (seal == MODEL_SEAL) return; /* what is sealed goes into no run */
    CHECK(n_lines > n_seeds / 40);
    CHECK(n_equal > n_seeds / 80);
    CHECK(n_runs > n_seeds / 20);
}

int main(int argc, char **argv) {
    int n_names = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--short") == 0) return tell(strtoull(argv[i + 1], NULL, 10), 0);
        if (i + 1 < argc && strcmp(argv[i], "--general") == 0)
            return tell(strtoull(argv[i + 1], NULL, 10), 1u << TERN__FACTOR_SHORT_WAY);
        if (i + 1 < argc && strcmp(argv[i], "--single") == 0)
            return tell(strtoull(argv[i + 1], NULL, 10), 1u << TERN__FACTOR_RUNS | 1u << TERN__FACTOR_COALESCING);
        if (i + 1 < argc && strcmp(argv[i], "--seal") == 0 && model_seal_option(argv[i + 1]) >= 0)
            seal = (unsigned)model_seal_option(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0)
            n_seeds = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--from") == 0)
            first_seed = strtoull(argv[++i], NULL, 10);
        else
            argv[n_names++] = argv[i];
    }
    static const tap_test tests[] = {TEST(ways__same_packets_at_the_same_time),
                                     TEST(batches__same_packets_at_the_same_time)};
    return tap_run(tests, sizeof tests / sizeof *tests, n_names, argv);
}

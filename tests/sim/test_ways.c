/* The short ways hold no semantics of their own: a cluster's random life with them and without them is the same, byte
 * for byte and nanosecond for nanosecond, as the packets that are delivered show. `--seeds N` and `--from N` choose
 * others than the usual seeds; `--short SEED` and `--general SEED` tell one life step by step. */
#include "base/factor.h"
#include "model.h"

#include "tap.h"

unsigned tern__factors_off;

enum { USUAL_SEEDS = 400 };

static uint64_t first_seed = 1, n_seeds = USUAL_SEEDS;

/* Lives one seed, with or without the short ways, and tells it step by step. */
static int tell(uint64_t seed, unsigned factors_off) {
    model_totals totals = {0};
    char error[256] = "";
    tern__factors_off = factors_off;
    return model_run(seed, true, &totals, error, sizeof error) ? 0 : 1;
}

static bool live(uint64_t seed, unsigned factors_off, model_totals *totals) {
    char error[256] = "";
    *totals = (model_totals){0};
    tern__factors_off = factors_off;
    if (model_run(seed, false, totals, error, sizeof error)) return true;
    printf("# seed %" PRIu64 ", factors off %#x: %s\n", seed, factors_off, error);
    return false;
}

/* Two kinds of lives are lived, but not compared, because they differ by more than the way: where a link refuses
 * packets at random, it draws again when the short way was refused and the general way tries; and where allocations
 * fail, they fail by number, and the ways allocate differently. */
static void ways__same_packets_at_the_same_time(void) {
    uint64_t n_compared = 0, n_packets = 0;
    for (uint64_t seed = first_seed; seed < first_seed + n_seeds; seed++) {
        model_totals with, without;
        CHECK(live(seed, 0, &with));
        CHECK(live(seed, 1u << TERN__FACTOR_SHORT_WAY, &without));
        if (with.tx_refused || without.tx_refused || with.starved || without.starved) continue;
        /* The hash is of what arrived; packets also counts those to a peer that is gone. */
        bool same = with.hash == without.hash && with.packets == without.packets;
        if (!same) {
            printf("# seed %" PRIu64 ": %" PRIu64 " packets with the short ways, %" PRIu64 " without\n", seed,
                   with.packets, without.packets);
            CHECK(same);
        }
        CHECK_EQ(with.ok, without.ok);
        CHECK_EQ(with.unavailable, without.unavailable);
        CHECK_EQ(with.retransmits, without.retransmits);
        n_compared++;
        n_packets += with.packets;
    }
    printf("# %" PRIu64 " lives compared, %" PRIu64 " packets\n", n_compared, n_packets);
    CHECK(n_compared > n_seeds / 3);
}

int main(int argc, char **argv) {
    int n_names = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--short") == 0) return tell(strtoull(argv[i + 1], NULL, 10), 0);
        if (i + 1 < argc && strcmp(argv[i], "--general") == 0)
            return tell(strtoull(argv[i + 1], NULL, 10), 1u << TERN__FACTOR_SHORT_WAY);
        if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0)
            n_seeds = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--from") == 0)
            first_seed = strtoull(argv[++i], NULL, 10);
        else
            argv[n_names++] = argv[i];
    }
    static const tap_test tests[] = {TEST(ways__same_packets_at_the_same_time)};
    return tap_run(tests, sizeof tests / sizeof *tests, n_names, argv);
}

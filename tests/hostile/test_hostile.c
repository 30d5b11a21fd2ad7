/* Each attack (attacks.h) on a default server beside an honest client, over one port: PORT [NAMES]. The server and its
 * client live; every honest call ends well, newcomers find a place; what the server holds and the time that it takes
 * are in proportion to what the attacker has sent; and all is given back when he is gone. */
#include "attacks.h"
#include "mem/poison.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    MB = 1 << 20,
    BYTES_PER_BYTE = 4, /* of memory, for each that the attacker has sent */
    BYTES_PER_SESSION = 64 << 10,
    NOISE_BYTES = 4 * MB, /* the honest client's own, which come and go */
    MS_PER_KB = 1,        /* of the server's thread */
    NOISE_MS_PER_S = 60,  /* the honest client's calls take more or less of it */
    P99_RATIO = 5,
    P99_NOISE_MS = 60,   /* other tests run on the same processors */
    REST_BYTES = 3 * MB, /* held for the honest client at any time */
    PATIENCE_S = 9,      /* until what has been begun ends by itself */
    TRIES = 3,           /* of an attack whose times are too long: others may have had the processors */
};

static wire_port port;
static bool was_quick;
static const attack *now;

static void report(const scene_seen *calm, const scene_seen *seen, const spoils *had) {
    printf("# %s: %.1f KB and %llu sessions in %.1f s: %.2f MB more, %.2f held, %.1f ms of the server; %llu calls "
           "(%llu failed: %d), "
           "%llu of 1 MB (%llu), %llu newcomers (%llu); p99 %.2f ms, before %.2f\n",
           now->name, (double)seen->sent_bytes / 1e3, (unsigned long long)had->n_sessions, seen->seconds,
           (double)seen->grown_bytes / MB, (double)seen->held_bytes / MB, seen->server_ms,
           (unsigned long long)seen->n_calls, (unsigned long long)seen->n_failed, seen->first_failure,
           (unsigned long long)seen->n_puts, (unsigned long long)seen->n_puts_failed,
           (unsigned long long)seen->n_newcomers, (unsigned long long)seen->n_newcomers_failed, seen->p99_ms,
           calm->p99_ms);
}

/* Everything is given back. */
static void check_rest(scene *s) {
    scene_begin(s);
    while (scene_held_bytes(s) > REST_BYTES && scene_pause(s, PATIENCE_S, 20)) continue;
    CHECK(scene_held_bytes(s) <= REST_BYTES);
    scene_seen after = scene_end(s);
    CHECK_EQ(after.n_failed + after.n_puts_failed + after.n_newcomers_failed, 0);
}

/* Whether the times were within their bounds is left in was_quick; all else is checked. */
static void check(scene *s, const scene_seen *calm) {
    was_quick = true;
    spoils had = {0};
    CHECK(calm->n_calls > 20 && calm->n_puts > 1 && calm->n_newcomers > 1);
    CHECK_EQ(calm->n_failed + calm->n_puts_failed + calm->n_newcomers_failed, 0);
    scene_begin(s);
    CHECK(now->run(s, now->seconds, &had));
    scene_seen seen = scene_end(s);
    report(calm, &seen, &had);
    CHECK(scene_lives(s));
    CHECK_EQ(seen.n_failed, 0);
    CHECK_EQ(seen.n_puts_failed, 0);
    CHECK_EQ(seen.n_newcomers_failed, 0);
    CHECK(seen.n_calls > 20 && seen.n_puts > 1 && seen.n_newcomers > 1);
    if (!TERN__SANITIZED) {
        uint64_t due_bytes = BYTES_PER_BYTE * seen.sent_bytes + BYTES_PER_SESSION * had.n_sessions;
        double most_ms = MS_PER_KB * (double)seen.sent_bytes / 1e3 + due_ms(&had);
        CHECK(seen.grown_bytes <= due_bytes + made_bytes(&seen, &had) + NOISE_BYTES);
        was_quick = seen.server_ms <= most_ms + NOISE_MS_PER_S * seen.seconds &&
                    seen.p99_ms <= P99_RATIO * calm->p99_ms + P99_NOISE_MS;
    }
    check_rest(s);
}

static void attack_it(void) {
    scene_seen calm;
    if (now->needs_root && geteuid()) SKIP("needs root, to be another user");
    was_quick = false;
    for (int tries = 0; !was_quick && !tap_failed && tries < TRIES; tries++) {
        if (tries) printf("# %s: too slow, once more\n", now->name);
        scene *s = scene_open(port, true, &calm);
        CHECK(s);
        check(s, &calm);
        scene_close(s);
    }
    CHECK(was_quick);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    while (port < N_WIRES && strcmp(argv[1], wire_names[port]) != 0) port++;
    if (port == N_WIRES) return 2;
    int n_failed = 0, n_run = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (unsigned i = 0; i < n_attacks; i++) {
        bool wanted = argc < 3;
        for (int a = 2; a < argc; a++) wanted |= strstr(attacks[i].name, argv[a]) != NULL;
        if (!wanted || !(attacks[i].ports & 1u << port)) continue;
        now = &attacks[i];
        tap_failed = false;
        tap_skipped = NULL;
        attack_it();
        n_run++;
        n_failed += tap_failed;
        printf("%s %d - %s__%s%s%s\n", tap_failed ? "not ok" : "ok", n_run, wire_names[port], now->name,
               tap_skipped ? " # SKIP " : "", tap_skipped ? tap_skipped : "");
    }
    printf("1..%d\n", n_run);
    return n_failed != 0;
}

/* The test harness: each test is a function, its name says function__case, results are TAP on stdout.
 * A failed CHECK prints where and what and ends the test; SKIP says why. `prog NAME...` runs only the
 * tests whose names contain one of the arguments. */
#ifndef TERN_TESTS_TAP_H
#define TERN_TESTS_TAP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tap_test {
    const char *name;
    void (*run)(void);
} tap_test;

/* One of each in a test program, whatever files it is made of: a CHECK in a helper's file fails the test, too. */
__attribute__((weak)) bool tap_failed;
__attribute__((weak)) const char *tap_skipped; /* reason, or NULL */

#define TEST(function)                                                                                                 \
    { #function, function }

#define CHECK(cond)                                                                                                    \
    do {                                                                                                               \
        if (!(cond)) {                                                                                                 \
            printf("# %s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #cond);                                          \
            tap_failed = true;                                                                                         \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

/* Integers of any type; both values are printed when they differ. */
#define CHECK_EQ(a, b)                                                                                                 \
    do {                                                                                                               \
        long long tap_a = (long long)(a), tap_b = (long long)(b);                                                      \
        if (tap_a != tap_b) {                                                                                          \
            printf("# %s:%d: %s is %lld, %s is %lld\n", __FILE__, __LINE__, #a, tap_a, #b, tap_b);                     \
            tap_failed = true;                                                                                         \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#define CHECK_MEM(a, b, len)                                                                                           \
    do {                                                                                                               \
        const unsigned char *tap_a = (const void *)(a), *tap_b = (const void *)(b);                                    \
        for (size_t tap_i = 0; tap_i < (size_t)(len); tap_i++)                                                         \
            if (tap_a[tap_i] != tap_b[tap_i]) {                                                                        \
                printf("# %s:%d: %s and %s differ at byte %zu: %02x, %02x\n", __FILE__, __LINE__, #a, #b, tap_i,       \
                       tap_a[tap_i], tap_b[tap_i]);                                                                    \
                tap_failed = true;                                                                                     \
                return;                                                                                                \
            }                                                                                                          \
    } while (0)

/* In a helper's caller: stop if the helper failed. */
#define CHECK_OK()                                                                                                     \
    do {                                                                                                               \
        if (tap_failed) return;                                                                                        \
    } while (0)

#define SKIP(reason)                                                                                                   \
    do {                                                                                                               \
        tap_skipped = (reason);                                                                                        \
        return;                                                                                                        \
    } while (0)

static inline int tap_run(const tap_test *tests, size_t n, int argc, char **argv) {
    int n_failed = 0, n_run = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < n; i++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++) wanted |= strstr(tests[i].name, argv[a]) != NULL;
        if (!wanted) continue;
        tap_failed = false;
        tap_skipped = NULL;
        tests[i].run();
        n_run++;
        if (tap_failed) n_failed++;
        printf("%s %d - %s", tap_failed ? "not ok" : "ok", n_run, tests[i].name);
        if (tap_skipped && !tap_failed) printf(" # SKIP %s", tap_skipped);
        printf("\n");
    }
    printf("1..%d\n", n_run);
    return n_failed ? 1 : 0;
}

#define TAP_MAIN(...)                                                                                                  \
    int main(int argc, char **argv) {                                                                                  \
        static const tap_test tap_tests[] = {__VA_ARGS__};                                                             \
        return tap_run(tap_tests, sizeof tap_tests / sizeof *tap_tests, argc, argv);                                   \
    }

#endif

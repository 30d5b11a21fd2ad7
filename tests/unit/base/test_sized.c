/* Structs that begin with their size, between versions that know more or fewer members. */
#include "base/sized.h"

#include <stdlib.h>

#include "base/base.h"
#include "tap.h"

/* This library's version. */
typedef struct own {
    size_t size;
    uint32_t a, b;
    void *p;
    uint64_t q;
} own;

static own defaults_of(void) { return (own){.size = sizeof(own), .a = 11, .b = 12, .p = NULL, .q = 14}; }

/* A struct of so many bytes that end where its memory ends: the first members are those of `own` that fit, the rest is
 * zero. Sizes that no struct has get memory for the size alone. */
static uint8_t *given_of(size_t size) {
    static uint8_t target;
    const own all = {.size = size, .a = 1, .b = 2, .p = &target, .q = 4};
    size_t bytes = size > TERN__SIZED_MOST || size < sizeof size ? sizeof size : size;
    uint8_t *p = calloc(1, bytes);
    if (!p) abort();
    memcpy(p, &all, bytes < sizeof all ? bytes : sizeof all);
    return p;
}

static tern__sized_fault read_given(const uint8_t *given, own *out) {
    *out = defaults_of();
    return tern__sized_read(out, sizeof *out, given);
}

static void check_untouched(const own *out) {
    own defaults = defaults_of();
    CHECK_MEM(out, &defaults, sizeof defaults);
}

static void sized_read__takes_what_is_given(void) {
    for (size_t size = 2 * sizeof(size_t); size <= sizeof(own); size += sizeof(size_t)) {
        uint8_t *given = given_of(size);
        own out, want = defaults_of();
        CHECK_EQ(read_given(given, &out), TERN__SIZED_FINE);
        memcpy(&want, given, size);
        want.size = sizeof(own);
        CHECK_MEM(&out, &want, sizeof want);
        CHECK_EQ(out.size, sizeof(own));
        CHECK(out.q == (size == sizeof(own) ? 4 : 14));
        CHECK(tern__sized_is_own(given, sizeof(own)) == (size == sizeof(own)));
        CHECK(tern__sized_is_whole(given, sizeof(own)) == (size == sizeof(own)));
        free(given);
    }
}

static void sized_read__takes_a_larger_one_whose_rest_is_zero(void) {
    for (size_t size = sizeof(own) + sizeof(size_t); size <= TERN__SIZED_MOST; size += sizeof(size_t)) {
        uint8_t *given = given_of(size);
        own out, want;
        CHECK_EQ(read_given(given, &out), TERN__SIZED_FINE);
        memcpy(&want, given, sizeof want);
        want.size = sizeof(own);
        CHECK_MEM(&out, &want, sizeof want);
        CHECK(tern__sized_is_whole(given, sizeof(own)));
        free(given);
    }
}

static void sized_read__refuses_what_it_does_not_know(void) {
    const size_t size = sizeof(own) + 3 * sizeof(size_t);
    for (size_t at = sizeof(own); at < size; at++) {
        uint8_t *given = given_of(size);
        own out;
        given[at] = 0x80;
        CHECK_EQ(read_given(given, &out), TERN__SIZED_NEWER);
        CHECK(!tern__sized_is_whole(given, sizeof(own)));
        check_untouched(&out);
        free(given);
    }
}

static void sized_read__refuses_sizes_of_no_version(void) {
    static const size_t sizes[] = {1, 7, 8, 9, 15, 17, 20, 31, TERN__SIZED_MOST + 8, 0xa5a5a5a5a5a5a5a5, SIZE_MAX};
    own out;
    for (size_t i = 0; i < TERN__COUNT(sizes); i++) {
        uint8_t *given = given_of(sizes[i]);
        CHECK_EQ(read_given(given, &out), TERN__SIZED_WRONG);
        CHECK(!tern__sized_is_whole(given, sizeof(own)));
        check_untouched(&out);
        free(given);
    }
    uint8_t *given = given_of(0);
    CHECK_EQ(read_given(given, &out), TERN__SIZED_UNSET);
    CHECK(!tern__sized_is_whole(given, sizeof(own)) && !tern__sized_is_whole(NULL, sizeof(own)));
    check_untouched(&out);
    free(given);
}

/* What a program with room for `size` bytes gets, and that nothing is written behind them. */
static void check_written(size_t size, bool init) {
    const own from = defaults_of();
    uint8_t room[2 * sizeof(own)], want[sizeof room];
    memset(room, 0xa5, sizeof room);
    memset(want, 0xa5, sizeof want);
    memset(want, 0, size);
    memcpy(want, &from, size < sizeof from ? size : sizeof from);
    if (init && size >= sizeof size) memcpy(want, &size, sizeof size);
    if (init)
        tern__sized_init(room, size, &from, sizeof from);
    else
        tern__sized_write(room, size, &from, sizeof from);
    CHECK_MEM(room, want, sizeof want);
}

static void sized_write__fills_the_room_that_there_is(void) {
    for (size_t size = 0; size <= 2 * sizeof(own) - 4; size++) check_written(size, false);
}

static void sized_init__says_the_size_of_the_program(void) {
    for (size_t size = 0; size <= 2 * sizeof(own) - 4; size++) check_written(size, true);
}

TAP_MAIN(TEST(sized_read__takes_what_is_given), TEST(sized_read__takes_a_larger_one_whose_rest_is_zero),
         TEST(sized_read__refuses_what_it_does_not_know), TEST(sized_read__refuses_sizes_of_no_version),
         TEST(sized_write__fills_the_room_that_there_is), TEST(sized_init__says_the_size_of_the_program))

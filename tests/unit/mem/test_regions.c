/* Memory of other owners: registering it at any alignment, references that are the owner's, and forgetting it. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "mem/pool.h"
#include "tap.h"

enum { MB = 1 << 20 };

/* What an owner was told. */
typedef struct owner {
    uint64_t refs, unrefs;
    const void *last;
    int answer;
} owner;

static int on_ref(void *user, const void *ptr) {
    owner *o = user;
    o->last = ptr;
    if (o->answer) return o->answer;
    o->refs++;
    return 0;
}

static void on_unref(void *user, const void *ptr) {
    owner *o = user;
    o->last = ptr;
    o->unrefs++;
}

static const tern_region_ops ops = {.size = sizeof ops, .ref = on_ref, .unref = on_unref};

static uint8_t *map_pages(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void register__references_are_the_owners(void) {
    uint8_t *memory = map_pages(20 * MB);
    owner o = {0};
    tern_region *region = NULL;
    CHECK(!tern_in_pool(memory));
    CHECK_EQ(tern_ref(memory), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(memory, 20 * MB, &ops, &o, &region), 0);
    for (size_t at = 0; at < 20 * MB; at += 12345) {
        uint32_t *counter;
        CHECK(tern_in_pool(memory + at));
        CHECK_EQ(tern_ref(memory + at), 0);
        CHECK(o.last == memory + at);
        CHECK(tern__ref_locate(memory + at, 20 * MB - at, &counter));
        CHECK(!tern__ref_locate(memory + at, 20 * MB - at + 1, &counter));
        CHECK_EQ(tern__ref_take(counter, memory + at), 0);
        CHECK_EQ(tern_region_in_flight(region), 2);
        CHECK(!tern_recover(memory + at, NULL));
        CHECK_EQ(tern_refcount(memory + at), 0);
        CHECK(!tern__pool_shared_segment(memory + at));
        CHECK_EQ(tern_region_unregister(region), TERN_ERR_AGAIN);
        tern__ref_drop(counter, memory + at);
        tern_unref(memory + at);
        CHECK_OK();
    }
    CHECK_EQ(o.refs, o.unrefs);
    CHECK(o.refs > 3000);
    o.answer = TERN_ERR_CLOSED;
    CHECK_EQ(tern_ref(memory + 5), TERN_ERR_CLOSED);
    CHECK_EQ(tern_region_in_flight(region), 0);
    CHECK_EQ(tern_region_unregister(region), 0);
    CHECK(!tern_in_pool(memory) && !tern_in_pool(memory + 10 * MB));
    tern_unref(memory); /* foreign again, and ignored */
    munmap(memory, 20 * MB);
}

static void register__arguments(void) {
    uint8_t *memory = map_pages(8 * MB), *buf = tern_alloc(64), *large = tern_alloc(100 * MB);
    tern_region *region = NULL, *other = NULL;
    tern_region_ops newer = ops;
    newer.size++;
    CHECK_EQ(tern_region_register(NULL, 1, NULL, NULL, &region), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(memory, 0, NULL, NULL, &region), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(memory, SIZE_MAX, NULL, NULL, &region), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(memory, 1, NULL, NULL, NULL), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(memory, 1, &newer, NULL, &region), TERN_ERR_INVALID);
    CHECK_EQ(tern_region_register(buf, 64, NULL, NULL, &region), TERN_ERR_EXISTS);
    CHECK_EQ(tern_region_register(large + 50 * MB, 1, NULL, NULL, &region), TERN_ERR_EXISTS);
    CHECK_EQ(tern_region_register(memory + 100, 5 * MB, NULL, NULL, &region), 0);
    CHECK_EQ(tern_region_register(memory, 101, NULL, NULL, &other), TERN_ERR_EXISTS);
    CHECK_EQ(tern_region_register(memory + 99 + 5 * MB, 10, NULL, NULL, &other), TERN_ERR_EXISTS);
    CHECK_EQ(tern_region_register(memory + 3 * MB, 10, NULL, NULL, &other), TERN_ERR_EXISTS);
    CHECK_EQ(tern_region_register(memory, 100, NULL, NULL, &other), 0); /* side by side */
    CHECK_EQ(tern_ref(memory + 99) + tern_ref(memory + 100), 0);
    CHECK_EQ(tern_region_in_flight(region) * 10 + tern_region_in_flight(other), 11);
    tern_unref(memory + 99);
    tern_unref(memory + 100);
    CHECK_EQ(tern_region_unregister(region) + tern_region_unregister(other) + tern_region_unregister(NULL), 0);
    tern_unref(buf);
    tern_unref(large);
    munmap(memory, 8 * MB);
}

/* The members of ops may be missing, and a region too. */
static void region__null(void) {
    static char memory[64];
    const tern_region_ops none = {.size = sizeof none};
    tern_region *region = NULL;
    CHECK_EQ(tern_region_in_flight(NULL), 0);
    CHECK_EQ(tern_region_unregister(NULL), 0);
    CHECK_EQ(tern_region_register(memory, sizeof memory, &none, NULL, &region), 0);
    CHECK_EQ(tern_ref(memory), 0);
    CHECK_EQ(tern_region_in_flight(region), 1);
    tern_unref(memory);
    CHECK_EQ(tern_region_unregister(region), 0);
}

/* Pieces of all sizes and alignments, more than have numbers, come and go; a plain array says whose each byte is. */
static void register__random_pieces(void) {
    enum { BYTES = 600 * MB, N = 400, ROUNDS = 4000 };
    static struct {
        tern_region *region;
        size_t start, bytes;
        owner owner;
    } pieces[N];
    uint8_t *memory = map_pages(BYTES);
    tern__rng rng;
    tern__rng_seed(&rng, 13);
    unsigned n_here = 0, most = 0;
    CHECK(memory);
    for (int round = 0; round < ROUNDS; round++) {
        size_t k = tern__rng_below(&rng, N);
        if (pieces[k].region) {
            CHECK_EQ(tern_region_unregister(pieces[k].region), 0);
            pieces[k].region = NULL;
            n_here--;
        } else {
            size_t bytes = 1 + tern__rng_below(&rng, tern__rng_below(&rng, 2) ? 5000 : 6 * MB);
            size_t start = tern__rng_below(&rng, BYTES - bytes);
            if (tern__rng_below(&rng, 3) == 0) start &= ~(size_t)(4 * MB - 1);
            bool free = true;
            for (size_t i = 0; i < N; i++)
                free &=
                    !pieces[i].region || start + bytes <= pieces[i].start || pieces[i].start + pieces[i].bytes <= start;
            int err = tern_region_register(memory + start, bytes, &ops, &pieces[k].owner, &pieces[k].region);
            CHECK_EQ(err, free ? 0 : TERN_ERR_EXISTS);
            if (!err) {
                pieces[k].start = start;
                pieces[k].bytes = bytes;
                n_here++;
            }
        }
        if (n_here > most) most = n_here;
        /* Somebody else's piece, and the bytes around it. */
        k = tern__rng_below(&rng, N);
        if (!pieces[k].region) continue;
        const uint8_t *first = memory + pieces[k].start, *last = first + pieces[k].bytes - 1;
        CHECK_EQ(tern_ref(first) + tern_ref(last), 0);
        CHECK_EQ(tern_region_in_flight(pieces[k].region), 2);
        CHECK(pieces[k].owner.last == last);
        tern_unref(last);
        tern_unref(first);
        CHECK_EQ(pieces[k].owner.refs, pieces[k].owner.unrefs);
        CHECK_OK();
    }
    CHECK(most > 127);
    for (size_t i = 0; i < N; i++) CHECK_EQ(tern_region_unregister(pieces[i].region), 0);
    for (size_t at = 0; at < BYTES; at += MB / 2) CHECK(!tern_in_pool(memory + at));
    munmap(memory, BYTES);
}

/* One reference too many is given back: it is reported, and the region can go. */
static void region__unref_too_many(void) {
    static char memory[1 << 16];
    tern_region *region;
    CHECK_EQ(tern_region_register(memory, sizeof memory, NULL, NULL, &region), 0);
    CHECK_EQ(tern_ref(memory + 5), 0);
    tern_unref(memory + 6);
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        tern_unref(memory);
        tern_mem_stats stats;
        tern_mem_get_stats(&stats);
        _exit(stats.bad_unrefs == 1 && tern_region_in_flight(region) == 0 ? 42 : 1);
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
#ifdef NDEBUG
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
#else
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#endif
    CHECK_EQ(tern_region_unregister(region), 0);
}

TAP_MAIN(TEST(region__unref_too_many), TEST(register__references_are_the_owners), TEST(register__arguments),
         TEST(region__null), TEST(register__random_pieces))

/* Each allocation fails once, for every one there is: the function says so, nothing is lost, and the next try works. */
#include <unistd.h>

#include "base/base.h"
#include "links.h"
#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

static const tern_type *const known[] = {&link_type, &link_entry_type};
static const tern_registry registry = {known, 2};
static char path[64];

enum { N = 60 };

static bool grow(tern_heap *heap, tern_root root) {
    for (uint32_t i = 0; i < N; i++) {
        link_msg *first = tern_root_get(heap, root), *link = link_new(heap, i);
        if (!link || !link_add_peer(heap, first, link) || !link_name(heap, first, i, link)) return false;
        link->next = first;
    }
    return true;
}

static bool add_large(tern_heap *heap, tern_root root) {
    link_msg *first = tern_root_get(heap, root);
    tern_bytes large;
    if (tern_heap_bytes(heap, NULL, 600 << 10, &large) != 0) return false;
    first->extra = large;
    first->has.extra = 1;
    return true;
}

/* All that a program does with a heap. Counts in *refused the calls that failed for want of memory. */
static bool scenario(bool move_always, int *refused) {
    tern_heap_config config;
    tern_heap *heap = NULL, *mapped = NULL;
    tern_root root;
    int err;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    config.move_always = move_always;
    for (; (err = tern_heap_new(&config, &heap)) != 0; ++*refused)
        if (err != TERN_ERR_NOMEM) return false;
    for (link_msg *first = NULL; !first || tern_root_new(heap, first, &root) != 0; first = link_new(heap, 1000))
        if (first) ++*refused;
    for (; !grow(heap, root); ++*refused)
        if (tern_heap_check(heap) != 0) return false;
    for (; !add_large(heap, root); ++*refused)
        if (tern_heap_check(heap) != 0) return false;
    for (int i = 0; i < 3; i++) {
        if (tern_heap_collect(heap) != 0 || tern_heap_check(heap) != 0) return false;
        if (tern_heap_compact(heap) != 0 || tern_heap_check(heap) != 0) return false;
    }
    const link_msg *first = tern_root_get(heap, root);
    for (uint32_t i = 0; i < N; i++) {
        const link_entry *entry = tern_map_find(&link_entry_type, &first->named, &i);
        if (!entry || entry->value->id != i || entry->value->next != first) return false;
    }
    for (; (err = tern_heap_save(heap, path)) != 0; ++*refused)
        if (err != TERN_ERR_NOMEM) return false;
    for (int trusted = 0; trusted < 2; trusted++) {
        tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = trusted, .heap = &config};
        for (; (err = tern_heap_map(path, &opts, &mapped, NULL, 0)) != 0; ++*refused)
            if (err != TERN_ERR_NOMEM) return false;
        if (tern_heap_check(mapped) != 0 || tern_heap_free(mapped) != 0) return false;
    }
    return tern_heap_free(heap) == 0;
}

static void fail_each(bool move_always, uint64_t (*fail_after)(uint64_t)) {
    int n_runs = 0, n_refused = 0, ignored = 0;
    snprintf(path, sizeof path, "/tmp/tern-heap-nomem-%d", (int)getpid());
    CHECK(scenario(move_always, &ignored)); /* what a process makes once is made */
    CHECK_EQ(ignored, 0);
    uint64_t before = live_buffers();
    for (uint64_t n = 1;; n++) {
        fail_after(n);
        bool ok = scenario(move_always, &n_refused);
        bool is_done = fail_after(0) != 0;
        if (!ok) printf("# allocation %llu\n", (unsigned long long)n);
        CHECK(ok);
        CHECK_EQ(live_buffers(), before);
        if (is_done) break;
        n_runs++;
    }
    printf("# %d failures, %d of them seen by the program\n", n_runs, n_refused);
    CHECK(n_runs > 3 && n_refused > 3);
    unlink(path);
}

static void nomem__objects_and_tables(void) { fail_each(false, tern__pool_fail_after); }
static void nomem__when_all_moves(void) { fail_each(true, tern__pool_fail_after); }
static void nomem__pages(void) { fail_each(false, tern__segment_fail_after); }
static void nomem__pages_when_all_moves(void) { fail_each(true, tern__segment_fail_after); }

TAP_MAIN(TEST(nomem__objects_and_tables), TEST(nomem__when_all_moves), TEST(nomem__pages),
         TEST(nomem__pages_when_all_moves))

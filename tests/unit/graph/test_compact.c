/* Moving: pointers follow, pins hold, stale pointers fault where that is wanted. */
#include <setjmp.h>
#include <signal.h>

#include "base/base.h"
#include "links.h"
#include "tap.h"
#include "type/map.h"

static tern_heap *make(bool move_always, bool shared) {
    tern_heap_config config;
    tern_heap *heap = NULL;
    tern_heap_config_init(&config);
    config.max_bytes = 256 << 20;
    config.move_always = move_always;
    config.shared = shared;
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

/* Every 16th of many links stays. */
static bool scatter(tern_heap *heap, tern_root *root, uint32_t n) {
    link_msg *first = link_new(heap, 0);
    if (!first || tern_root_new(heap, first, root) != 0) return false;
    for (uint32_t i = 1; i < n; i++) {
        link_msg *link = link_new(heap, i);
        if (!link) return false;
        if (i % 16) continue;
        if (!link_add_peer(heap, first, link) || !link_name(heap, first, i, link)) return false;
        link->other = first;
        link->extra = tern_bytes_of(link->label.data + 5, 6); /* "number" */
        link->has.extra = 1;
    }
    return true;
}

static bool is_intact(const tern_heap *heap, tern_root root, uint32_t n) {
    const link_msg *first = tern_root_get(heap, root);
    for (uint32_t i = 16; i < n; i += 16) {
        const link_msg *link = first->peers.data[i / 16 - 1];
        const link_entry *entry = tern_map_find(&link_entry_type, &first->named, &i);
        char text[32];
        snprintf(text, sizeof text, "link number %u", i);
        if (link->id != i || link->other != first || !tern_str_eq(link->label, tern_str_of(text))) return false;
        if (link->extra.data != link->label.data + 5 || !entry || entry->value != link) return false;
    }
    return tern__map_is_fast((const tern_map *)(const void *)&first->named);
}

static void compact__makes_regions_free(void) {
    enum { N = 100000 };
    for (int shared = 0; shared < 2; shared++) {
        tern_heap *heap = make(false, shared);
        tern_root root;
        CHECK(scatter(heap, &root, N));
        CHECK_EQ(tern_heap_collect(heap), 0);
        tern_heap_stats before = stats_of(heap);
        CHECK(before.region_bytes > 20 << 20);
        CHECK_EQ(tern_heap_compact(heap), 0);
        tern_heap_stats after = stats_of(heap);
        CHECK_EQ(after.objects, before.objects);
        CHECK_EQ(after.object_bytes, before.object_bytes);
        CHECK(after.region_bytes <= after.object_bytes + (4 << 20));
        CHECK(after.moved_objects > N / 16);
        CHECK(is_intact(heap, root, N));
        CHECK_EQ(tern_heap_check(heap), 0);
        link_msg *first = tern_root_get(heap, root);
        CHECK(link_name(heap, first, 1, first) && is_intact(heap, root, N));
        CHECK_EQ(tern_heap_free(heap), 0);
    }
}

static void compact__leaves_pinned_regions(void) {
    enum { N = 50000 };
    tern_heap *heap = make(false, false);
    tern_root root;
    CHECK(scatter(heap, &root, N));
    link_msg *first = tern_root_get(heap, root), *pinned = first->peers.data[20],
             *free = first->peers.data[N / 16 - 10];
    CHECK_EQ(tern_heap_pin(heap, pinned, sizeof *pinned), 0);
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(is_intact(heap, root, N));
    first = tern_root_get(heap, root);
    CHECK(first->peers.data[20] == pinned && first->peers.data[N / 16 - 10] != free);
    CHECK_EQ(tern_heap_unpin(heap, pinned, sizeof *pinned), 0);
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(is_intact(heap, root, N));
    first = tern_root_get(heap, root);
    CHECK(first->peers.data[20] != pinned);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static sigjmp_buf after_fault;
static void on_fault(int signal_number) {
    (void)signal_number;
    siglongjmp(after_fault, 1);
}

__attribute__((noinline, no_sanitize_address)) static bool faults(const volatile char *at) {
    struct sigaction action = {.sa_handler = on_fault}, segv, bus;
    sigaction(SIGSEGV, &action, &segv);
    sigaction(SIGBUS, &action, &bus);
    bool faulted = true;
    if (sigsetjmp(after_fault, 1) == 0) {
        (void)*at;
        faulted = false;
    }
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
    return faulted;
}

static void move_always__stale_pointers_fault(void) {
    enum { N = 5000 };
    for (int shared = 0; shared < 2; shared++) {
        tern_heap *heap = make(true, shared);
        tern_root root;
        CHECK(scatter(heap, &root, N));
        link_msg *first = tern_root_get(heap, root);
        CHECK_EQ(tern_heap_bytes(heap, "long", 4, &first->extra), 0);
        CHECK_EQ(tern_heap_bytes(heap, NULL, 3 << 20, &first->extra), 0);
        first->has.extra = 1;
        for (int i = 0; i < 10; i++) {
            link_msg *old = tern_root_get(heap, root), *old_peer = old->peers.data[3];
            const char *old_label = old_peer->label.data, *old_extra = old->extra.data;
            CHECK_EQ(tern_heap_collect(heap), 0);
            CHECK(faults((const char *)old) && faults((const char *)old_peer) && faults(old_label));
            CHECK(faults(old_extra) && faults(old_extra + (2 << 20)));
            CHECK(is_intact(heap, root, N));
        }
        CHECK_EQ(tern_heap_check(heap), 0);
        tern_heap_stats stats = stats_of(heap);
        CHECK(stats.moved_objects >= 10 * stats.objects);
        CHECK_EQ(tern_heap_free(heap), 0);
    }
}

/* More is moved than there are addresses: places are used again. */
static void move_always__for_long(void) {
    enum { N = 20000 };
    tern_heap *heap = make(true, false);
    tern_root root;
    CHECK(scatter(heap, &root, N));
    for (int i = 0; i < 400; i++) CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK(is_intact(heap, root, N));
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void move_always__pins_hold(void) {
    tern_heap *heap = make(true, false);
    tern_root root;
    link_msg *a = link_new(heap, 1);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    CHECK_EQ(tern_heap_pin(heap, a, sizeof *a), 0);
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(tern_root_get(heap, root) == a && a->id == 1);
    CHECK_EQ(tern_heap_unpin(heap, a, sizeof *a), 0);
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(tern_root_get(heap, root) != a);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Where memory is out before all has moved, what has not moved stays good. */
static void compact__with_little_room(void) {
    enum { N = 30000 };
    tern_heap_config config;
    tern_heap *heap;
    tern_root root;
    tern_heap_config_init(&config);
    config.max_bytes = 12 << 20;
    CHECK_EQ(tern_heap_new(&config, &heap), 0);
    CHECK(scatter(heap, &root, N));
    while (link_new(heap, 1)) continue;
    CHECK_EQ(tern_heap_collect(heap), 0);
    /* Long-lived objects in every region, so that no region is free. */
    link_msg *first = tern_root_get(heap, root);
    for (link_msg *link; (link = link_new(heap, 5));) {
        if (link->id % 3) continue;
        link->next = first->next;
        first->next = link;
    }
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(is_intact(heap, root, N));
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK(is_intact(heap, root, N));
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(compact__makes_regions_free), TEST(compact__leaves_pinned_regions),
         TEST(move_always__stale_pointers_fault), TEST(move_always__for_long), TEST(move_always__pins_hold),
         TEST(compact__with_little_room))

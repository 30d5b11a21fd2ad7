/* Heaps: objects, lists, maps, roots, pins, limits, threads. */
#include <pthread.h>

#include "base/base.h"
#include "links.h"
#include "pool_stats.h"
#include "shapes.h"
#include "tap.h"

static tern_heap *make(size_t max_bytes) {
    tern_heap_config config;
    tern_heap *heap = NULL;
    tern_heap_config_init(&config);
    config.max_bytes = max_bytes;
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

static bool is_zero(const void *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (((const uint8_t *)p)[i]) return false;
    return true;
}

static void new__and_free_leaves_nothing(void) {
    uint64_t before;
    tern_heap *heap = make(64 << 20);
    CHECK(heap);
    CHECK_EQ(tern_heap_free(heap), 0);
    before = live_buffers();
    for (int i = 0; i < 3; i++) {
        heap = make(64 << 20);
        CHECK(heap && tern_heap_alloc(heap, &shape_type));
        CHECK_EQ(stats_of(heap).reserved_bytes, 64 << 20);
        CHECK_EQ(tern_heap_free(heap), 0);
    }
    CHECK_EQ(live_buffers(), before);
    CHECK_EQ(tern_heap_free(NULL), 0);
}

static void new__refuses_configs_that_were_not_initialised(void) {
    tern_heap_config config = {0};
    tern_heap *heap;
    CHECK_EQ(tern_heap_new(&config, &heap), TERN_ERR_INVALID);
    tern_heap_config_init(&config);
    config.max_bytes = SIZE_MAX;
    CHECK_EQ(tern_heap_new(&config, &heap), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    CHECK(stats_of(heap).reserved_bytes >= 1 << 30);
    CHECK_EQ(stats_of(heap).committed_bytes, 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void alloc__gives_zeroed_messages_of_known_type(void) {
    tern_heap *heap = make(256 << 20);
    shape *last = NULL;
    for (int i = 0; i < 100000; i++) {
        shape *s = tern_heap_alloc(heap, &shape_type);
        CHECK(s && (uintptr_t)s % 8 == 0 && is_zero(s, sizeof *s));
        memset(s, 0xab, sizeof *s);
        CHECK(s != last);
        last = s;
    }
    CHECK(tern_heap_type_of(heap, last) == &shape_type);
    CHECK(tern_heap_type_of(heap, (char *)last + 8) == NULL);
    CHECK(tern_heap_type_of(heap, (char *)last + 1) == NULL);
    CHECK(tern_heap_type_of(heap, &heap) == NULL && tern_heap_type_of(heap, NULL) == NULL);
    CHECK(tern_heap_contains(heap, last) && !tern_heap_contains(heap, &heap));
    tern_heap_stats stats = stats_of(heap);
    CHECK_EQ(stats.objects, 100000);
    CHECK_EQ(stats.object_bytes, 100000 * (sizeof(shape) + 8));
    CHECK_EQ(stats.types, 5);
    CHECK(stats.region_bytes >= stats.object_bytes && stats.committed_bytes >= stats.object_bytes);
    CHECK(stats.committed_bytes < stats.object_bytes + (2 << 20));
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void alloc__takes_little_memory_for_few_objects(void) {
    tern_heap *heap = make(256 << 20);
    CHECK(link_new(heap, 1));
    CHECK(stats_of(heap).committed_bytes <= 64 << 10);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void alloc__refuses_tables_of_another_version(void) {
    tern_heap *heap = make(64 << 20);
    tern_type other = link_type;
    other.version = TERN_TYPE_VERSION + 1;
    CHECK(tern_heap_alloc(heap, &other) == NULL);
    CHECK(strstr(tern_heap_problem(heap), "test.Link"));
    CHECK_EQ(stats_of(heap).types, 0);
    CHECK(tern_heap_alloc(heap, &link_type));
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void alloc__stops_at_the_limit_and_goes_on_after_collecting(void) {
    tern_heap *heap = make(8 << 20);
    tern_root root;
    link_msg *first = link_new(heap, 7);
    CHECK_EQ(tern_root_new(heap, first, &root), 0);
    size_t n = 0;
    while (link_new(heap, 1)) n++;
    CHECK(n > 10000 && strstr(tern_heap_problem(heap), "limit"));
    CHECK(stats_of(heap).committed_bytes <= 8 << 20);
    tern_bytes bytes;
    CHECK_EQ(tern_heap_bytes(heap, NULL, 4 << 20, &bytes), TERN_ERR_NOMEM);
    CHECK_EQ(first->id, 7);
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(stats_of(heap).objects, 2);
    CHECK_EQ(tern_heap_bytes(heap, NULL, 4 << 20, &bytes), 0);
    CHECK(is_zero(bytes.data, bytes.len));
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void bytes__of_all_sizes(void) {
    static const size_t sizes[] = {1,      7,      8,      9,       100,           4096,    70000,
                                   524280, 524281, 600000, 1 << 20, (1 << 20) + 1, 10 << 20};
    tern_heap *heap = make(256 << 20);
    tern_bytes kept[TERN__COUNT(sizes)];
    char *data = malloc(10 << 20);
    for (size_t i = 0; i < 10 << 20; i++) data[i] = (char)(i * 31 >> 3);
    for (size_t i = 0; i < TERN__COUNT(sizes); i++) CHECK_EQ(tern_heap_bytes(heap, data, sizes[i], &kept[i]), 0);
    for (size_t i = 0; i < TERN__COUNT(sizes); i++) CHECK(memcmp(kept[i].data, data, sizes[i]) == 0);
    tern_str none = {"x", 1};
    CHECK_EQ(tern_heap_str(heap, "y", 0, &none), 0);
    CHECK(none.data == NULL && none.len == 0);
    CHECK_EQ(tern_heap_bytes(heap, NULL, TERN_HEAP_OBJECT_MAX_BYTES + 1, &kept[0]), TERN_ERR_LIMIT);
    CHECK_EQ(tern_heap_check(heap), 0);
    free(data);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void reserve__grows_lists_of_all_kinds(void) {
    tern_heap *heap = make(256 << 20);
    link_msg *link = link_new(heap, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(link_add_peer(heap, link, link));
        CHECK_EQ(tern_heap_reserve(heap, &link_type, link, LINK_INSIDE, i + 1), 0);
        CHECK(is_zero(&link->inside.data[i], sizeof(link_msg)));
        link->inside.data[link->inside.len++].id = i;
        CHECK_EQ(tern_heap_reserve(heap, &link_type, link, LINK_TAGS, i + 1), 0);
        link->tags.data[link->tags.len++] = link->label;
        CHECK_EQ(tern_heap_reserve(heap, &link_type, link, LINK_BITS, i + 1), 0);
        link->bits.data[link->bits.len++] = i % 2;
        CHECK_EQ(tern_heap_reserve(heap, &link_type, link, LINK_VALUES, i + 1), 0);
        link->values.data[link->values.len++] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        CHECK(link->peers.data[i] == link && link->inside.data[i].id == i && link->bits.data[i] == i % 2 &&
              link->values.data[i] == i && tern_str_eq(link->tags.data[i], link->label));
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_reserve(heap, &link_type, link, 1, 10), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_reserve(heap, &link_type, link, 99, 10), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "99"));
    CHECK_EQ(tern_heap_reserve(heap, &link_type, link, LINK_VALUES, (size_t)1 << 40), TERN_ERR_LIMIT);
    CHECK_EQ(link->values.len, 1000);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void put__makes_maps_that_are_found_by_key(void) {
    tern_heap *heap = make(256 << 20);
    link_msg *link = link_new(heap, 0);
    for (uint32_t i = 0; i < 5000; i++) CHECK(link_name(heap, link, i * 7, link));
    for (uint32_t i = 0; i < 5000; i++) CHECK(link_name(heap, link, i * 7, link));
    CHECK_EQ(link->named.len, 5000);
    CHECK(tern_heap_contains(heap, link->named.data) && tern_heap_contains(heap, link->named.index));
    for (uint32_t i = 0; i < 5000; i++) {
        link_entry *entry = tern_map_find(&link_entry_type, &link->named, &(uint32_t){i * 7});
        CHECK(entry && entry->key == i * 7 && entry->value == link);
    }
    CHECK(tern_heap_put(heap, &link_type, link, LINK_PEERS, &(uint32_t){1}) == NULL);
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void root__handles_go_stale(void) {
    tern_heap *heap = make(64 << 20);
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2);
    tern_root first, second, none = {0};
    CHECK_EQ(tern_root_new(heap, a, &first), 0);
    CHECK(tern_root_get(heap, first) == a && tern_root_get(heap, none) == NULL);
    CHECK_EQ(tern_root_set(heap, first, b), 0);
    CHECK(tern_root_get(heap, first) == b);
    CHECK_EQ(tern_root_drop(heap, first), 0);
    CHECK(tern_root_get(heap, first) == NULL);
    CHECK_EQ(tern_root_drop(heap, first), TERN_ERR_STALE);
    CHECK_EQ(tern_root_set(heap, first, b), TERN_ERR_STALE);
    CHECK_EQ(tern_root_new(heap, b, &second), 0);
    CHECK(second.index == first.index && second.generation != first.generation);
    CHECK(tern_root_get(heap, first) == NULL && tern_root_get(heap, second) == b);
    CHECK_EQ(tern_root_new(heap, (char *)a + 8, &first), TERN_ERR_INVALID);
    CHECK_EQ(tern_root_new(heap, &first, &first), TERN_ERR_INVALID);
    CHECK_EQ(tern_root_new(heap, NULL, &first), TERN_ERR_INVALID);
    CHECK_EQ(tern_root_set(heap, second, &first), TERN_ERR_INVALID);
    CHECK(tern_root_get(heap, second) == b);
    CHECK_EQ(stats_of(heap).roots, 1);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void root__many(void) {
    enum { N = 3000 };
    static tern_root roots[N];
    tern_heap *heap = make(64 << 20);
    for (uint32_t i = 0; i < N; i++) CHECK_EQ(tern_root_new(heap, link_new(heap, i), &roots[i]), 0);
    for (uint32_t i = 0; i < N; i += 2) CHECK_EQ(tern_root_drop(heap, roots[i]), 0);
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(stats_of(heap).objects, N); /* each with a label */
    for (uint32_t i = 1; i < N; i += 2) CHECK_EQ(((link_msg *)tern_root_get(heap, roots[i]))->id, i);
    for (uint32_t i = 0; i < N; i += 2) CHECK(tern_root_get(heap, roots[i]) == NULL);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void pin__counts_and_keeps_the_heap(void) {
    tern_heap *heap = make(64 << 20);
    link_msg *a = link_new(heap, 1);
    CHECK_EQ(tern_heap_pin(heap, a, sizeof *a), 0);
    CHECK_EQ(tern_heap_pin(heap, &a->id, 4), 0);
    CHECK_EQ(stats_of(heap).pins, 2);
    CHECK_EQ(tern_heap_free(heap), TERN_ERR_AGAIN);
    CHECK_EQ(tern_heap_unpin(heap, &a->id, 4), 0);
    CHECK_EQ(tern_heap_unpin(heap, a, sizeof *a), 0);
    CHECK_EQ(tern_heap_unpin(heap, a, sizeof *a), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "not pinned"));
    CHECK_EQ(tern_heap_pin(heap, &a, 8), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_pin(heap, a, 0), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_pin(heap, a, SIZE_MAX / 2), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void *try_from_another_thread(void *heap_) {
    tern_heap *heap = heap_;
    tern_root root;
    bool refused = tern_heap_collect(heap) == TERN_ERR_THREAD && tern_heap_compact(heap) == TERN_ERR_THREAD &&
                   tern_heap_check(heap) == TERN_ERR_THREAD && tern_heap_free(heap) == TERN_ERR_THREAD &&
                   tern_root_new(heap, heap, &root) == TERN_ERR_THREAD &&
                   tern_heap_save(heap, "/nowhere") == TERN_ERR_THREAD &&
                   tern_heap_pin(heap, heap, 1) == TERN_ERR_THREAD && tern_heap_dot(heap, 1, stdout) == TERN_ERR_THREAD;
    if (!refused) return NULL;
    tern_heap_adopt(heap);
    return link_new(heap, 2) && tern_heap_collect(heap) == 0 && tern_heap_free(heap) == 0 ? heap : NULL;
}

static void adopt__hands_a_heap_over(void) {
    tern_heap *heap = make(64 << 20);
    pthread_t thread;
    void *result = NULL;
    CHECK(link_new(heap, 1));
    CHECK_EQ(pthread_create(&thread, NULL, try_from_another_thread, heap), 0);
    CHECK_EQ(pthread_join(thread, &result), 0);
    CHECK(result);
}

static void shared__heaps_work_alike(void) {
    tern_heap_config config;
    tern_heap *heap;
    tern_root root;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    config.shared = true;
    CHECK_EQ(tern_heap_new(&config, &heap), 0);
    link_msg *first = link_new(heap, 0);
    CHECK_EQ(tern_root_new(heap, first, &root), 0);
    for (uint32_t i = 1; i < 20000; i++) {
        link_msg *link = link_new(heap, i);
        CHECK(link);
        link->next = first->next;
        if (i % 4 == 0) first->next = link;
    }
    CHECK_EQ(tern_heap_compact(heap), 0);
    CHECK_EQ(stats_of(heap).objects, 2 * (1 + 4999));
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(new__and_free_leaves_nothing), TEST(new__refuses_configs_that_were_not_initialised),
         TEST(alloc__gives_zeroed_messages_of_known_type), TEST(alloc__takes_little_memory_for_few_objects),
         TEST(alloc__refuses_tables_of_another_version), TEST(alloc__stops_at_the_limit_and_goes_on_after_collecting),
         TEST(bytes__of_all_sizes), TEST(reserve__grows_lists_of_all_kinds),
         TEST(put__makes_maps_that_are_found_by_key), TEST(root__handles_go_stale), TEST(root__many),
         TEST(pin__counts_and_keeps_the_heap), TEST(adopt__hands_a_heap_over), TEST(shared__heaps_work_alike))

/* Heaps with objects of types that have no unknown fields, some of them without any pointer. */
#include <unistd.h>

#include "base/base.h"
#include "lean.tern.h"
#include "tap.h"

typedef test_lean_Lean lean;

enum { N = 300 };

static const tern_type *const known[] = {&test_lean_Lean_type,
                                         &test_lean_Point_type,
                                         &test_lean_Flag_type,
                                         &test_lean_Flags_type,
                                         &test_lean_None_type,
                                         &test_lean_Choice_type,
                                         &test_lean_Maybe_type,
                                         &test_lean_Lean_NamedEntry_type,
                                         &test_lean_Lean_ByNumberEntry_type};
static const tern_registry registry = {known, TERN__COUNT(known)};

/* A ring of messages, each with all that a message may point to. NULL: memory is out. */
static lean *make_ring(tern_heap *heap) {
    lean *first = test_lean_Lean_new(heap), *last = first;
    for (uint32_t i = 0; i < N && last; i++) {
        lean *next = test_lean_Lean_heap_make_next(last, heap), *inside = test_lean_Lean_heap_add_inside(last, heap);
        test_lean_Point *point = test_lean_Lean_heap_make_point(last, heap),
                        *in_list = test_lean_Lean_heap_add_points(last, heap);
        test_lean_Flag *flag = test_lean_Lean_heap_make_flag(last, heap),
                       *named = test_lean_Lean_heap_put_by_number(last, i, heap);
        bool *bit = test_lean_Lean_heap_add_bits(last, heap);
        if (!next || !inside || !point || !in_list || !flag || !named || !bit) return NULL;
        if (test_lean_Lean_heap_put_beside(inside, first, heap) != 0) return NULL;
        if (!test_lean_Lean_heap_make_none(last, heap) || !test_lean_Lean_heap_add_nones(last, heap)) return NULL;
        if (!test_lean_Lean_heap_make_maybe(last, heap)) return NULL;
        if (test_lean_Lean_heap_set_name(last, tern_str_of("name"), heap) != 0) return NULL;
        last->id = i;
        point->x = in_list->x = (float)i;
        flag->on = named->on = *bit = true;
        last = next;
    }
    if (last) last->next = first;
    return last ? first : NULL;
}

static bool is_ring(const lean *first) {
    const lean *m = first;
    for (uint32_t i = 0; i < N; i++, m = m->next) {
        test_lean_Flag *named = test_lean_Lean_get_by_number(m, i);
        if (m->id != i || m->point->x != (float)i || m->points.len != 1 || m->points.data[0].x != (float)i)
            return false;
        if (!m->flag->on || !named || !named->on || !m->bits.data[0] || m->nones.len != 1 || !m->none) return false;
        if (m->inside.data[0].beside.data[0] != first || !tern_str_eq(m->name, tern_str_of("name"))) return false;
    }
    return m->next == first;
}

static bool is_sound(tern_heap *heap, tern_root root) {
    bool ok = tern_heap_check(heap) == 0;
    if (!ok) printf("# %s\n", tern_heap_problem(heap));
    return ok && is_ring(tern_root_get(heap, root));
}

static void lean__is_collected_moved_and_saved(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/tern-heap-lean-%d", (int)getpid());
    for (int moves = 0; moves < 2; moves++) {
        tern_heap_config config;
        tern_heap *heap, *mapped;
        tern_root root;
        tern_heap_config_init(&config);
        config.move_always = moves;
        config.max_bytes = 64 << 20;
        CHECK_EQ(tern_heap_new(&config, &heap), 0);
        CHECK(make_ring(heap) != NULL); /* this one goes */
        lean *first = make_ring(heap);
        CHECK(first && tern_root_new(heap, first, &root) == 0);
        CHECK_EQ(tern_heap_collect(heap), 0);
        CHECK(is_sound(heap, root));
        CHECK_EQ(tern_heap_compact(heap), 0);
        CHECK(is_sound(heap, root));
        CHECK_EQ(tern_heap_save(heap, path), 0);
        for (int trusted = 0; trusted < 2; trusted++) {
            char problem[200] = "";
            tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = trusted, .heap = &config};
            int err = tern_heap_map(path, &opts, &mapped, problem, sizeof problem);
            if (err) printf("# %s\n", problem);
            CHECK_EQ(err, 0);
            CHECK(is_sound(mapped, root));
            CHECK_EQ(tern_heap_free(mapped), 0);
        }
        CHECK_EQ(tern_heap_free(heap), 0);
        unlink(path);
    }
}

/* Eight bytes of a message are eight bytes of the heap, and its header. */
static void lean__takes_what_its_members_take(void) {
    tern_heap *heap;
    tern_heap_stats stats;
    tern_root root;
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    test_lean_Point *point = test_lean_Point_new(heap);
    CHECK(point && tern_root_new(heap, point, &root) == 0);
    CHECK_EQ(tern_heap_collect(heap), 0);
    tern_heap_get_stats(heap, &stats);
    CHECK_EQ(stats.objects, 1);
    CHECK_EQ(stats.object_bytes, 16);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* A file of messages with unknown fields is none of messages without. */
static void lean__is_another_layout(void) {
    char path[64];
    tern_heap *heap, *mapped;
    tern_root root;
    snprintf(path, sizeof path, "/tmp/tern-heap-lean-%d", (int)getpid());
    tern_type other = test_lean_FullPoint_type;
    other.name = test_lean_Point_type.name;
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    void *point = tern_heap_alloc(heap, &other);
    CHECK(point && tern_root_new(heap, point, &root) == 0);
    CHECK_EQ(tern_heap_save(heap, path), 0);
    tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = true};
    CHECK_EQ(tern_heap_map(path, &opts, &mapped, NULL, 0), TERN_ERR_VERSION);
    CHECK_EQ(tern_heap_free(heap), 0);
    unlink(path);
}

/* Tables that say where there is no word are refused before an encoder looks there. */
static void lean__tables_are_checked(void) {
    tern_heap *heap;
    tern_type wrong = test_lean_Point_type;
    wrong.unknown_offset = TERN_NO_UNKNOWN(5);
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    CHECK(!tern_heap_alloc(heap, &wrong));
    CHECK(strlen(tern_heap_problem(heap)) > 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(lean__is_collected_moved_and_saved), TEST(lean__takes_what_its_members_take),
         TEST(lean__is_another_layout), TEST(lean__tables_are_checked))

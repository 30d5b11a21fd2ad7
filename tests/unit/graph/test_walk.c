/* Walks: what leaves, in which order, in how much memory, and what is refused. */
#include <stdlib.h>

#include "graph/fragment.h"
#include "graphs.h"
#include "tap.h"

static tern_heap *heap;
static tern__walker *walker;

static void begin(void) {
    heap = NULL;
    walker = NULL;
    if (tern_heap_new(NULL, &heap) == 0) tern__walker_new(heap, &walker);
}

static void end(void) {
    tern__walker_free(walker);
    CHECK_EQ(stats_of(heap).pins, 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static link_msg *plain(uint32_t id) {
    link_msg *link = tern_heap_alloc(heap, &link_type);
    link->id = id;
    return link;
}

/* All of it, in one fragment. */
static int walk(const void *root, tern__walk_config config, tern__walk_stats *stats) {
    tern__fragment f;
    int err = tern__walk_begin(walker, &link_type, root, &config);
    while (!err && (err = tern__walk_next(walker, &f)) == 1) err = 0;
    tern__walker_get_stats(walker, stats);
    tern__walk_end(walker);
    return err;
}

/* ---- Order --------------------------------------------------------------------------------------- */

static void walk__strings_come_first_and_lists_need_no_stack(void) {
    tern__walk_stats stats;
    begin();
    link_msg *first = link_new(heap, 0), *last = first;
    for (uint32_t i = 1; i < 1000000; i++) {
        link_msg *link = link_new(heap, i);
        CHECK(link);
        last->next = link;
        last = link;
    }
    CHECK_EQ(walk(first, (tern__walk_config){0}, &stats), 0);
    CHECK_EQ(stats.objects, 2000000);
    const uint64_t n_regions = stats_of(heap).region_bytes / TERN_HEAP_REGION_BYTES;
    CHECK(stats.blocks <= n_regions); /* as they were allocated */
    CHECK_EQ(stats.most_stack, 0);
    CHECK_EQ(walk(first, (tern__walk_config){.set = TERN__WALK_INTERVALS}, &stats), 0);
    CHECK(stats.blocks <= n_regions);
    CHECK_EQ(stats.objects, 2000000);
    end();
}

static void walk__depth_first_by_numbers(void) {
    tern__fragment f;
    begin();
    link_msg *links[5];
    for (uint32_t i = 0; i < 5; i++) links[i] = plain(i);
    links[0]->next = links[3];
    links[0]->other = links[1];
    links[3]->other = links[2];
    links[3]->next = links[4];
    CHECK_EQ(tern__walk_begin(walker, &link_type, links[0], NULL), 0);
    CHECK_EQ(tern__walk_next(walker, &f), 1);
    CHECK(f.is_last && f.n_pieces == 1);
    static const uint32_t wanted[] = {0, 3, 4, 2, 1};
    for (size_t i = 0; i < 5; i++) {
        const link_msg *link = (const void *)((const uint8_t *)f.pieces[0].data + i * (sizeof *link + 8) + 8);
        CHECK_EQ(link->id, wanted[i]);
    }
    CHECK_EQ(tern__walk_next(walker, &f), 0);
    end();
}

static void walk__a_stack_that_is_full_is_a_limit(void) {
    tern__walk_stats stats;
    begin();
    link_msg *first = plain(0), *last = first;
    for (uint32_t i = 1; i < 100000; i++) { /* each waits for its `other`, which is the one before */
        link_msg *link = plain(i);
        last->next = link;
        link->other = last;
        last = link;
    }
    CHECK_EQ(walk(first, (tern__walk_config){.max_stack_bytes = 4096}, &stats), TERN_ERR_LIMIT);
    CHECK(strstr(tern__walker_problem(walker), "wait"));
    CHECK_EQ(walk(first, (tern__walk_config){0}, &stats), 0);
    CHECK_EQ(stats.objects, 100000);
    CHECK_EQ(stats.backs, 99999);
    end();
}

static void walk__cycles_and_diamonds_end_without_a_set(void) {
    tern__walk_stats stats;
    begin();
    link_msg *cycle = plain(0), *diamond = plain(1);
    cycle->next = plain(2);
    cycle->next->next = cycle;
    CHECK_EQ(walk(cycle, (tern__walk_config){.set = TERN__WALK_NOTHING, .max_objects = 1000}, &stats), TERN_ERR_LIMIT);
    for (int i = 0; i < 60; i++) {
        link_msg *above = plain(3);
        above->next = above->other = diamond;
        diamond = above;
    }
    CHECK_EQ(walk(diamond, (tern__walk_config){.set = TERN__WALK_NOTHING}, &stats), TERN_ERR_LIMIT);
    CHECK_EQ(walk(diamond, (tern__walk_config){0}, &stats), 0);
    CHECK_EQ(stats.objects, 61);
    CHECK_EQ(stats.backs, 60);
    CHECK_EQ(walk(diamond, (tern__walk_config){.max_bytes = 1000}, &stats), TERN_ERR_LIMIT);
    end();
}

/* ---- Pieces -------------------------------------------------------------------------------------- */

static bool has_address(const tern__fragment *f) {
    for (size_t i = 0; i < f->n_pieces; i++)
        for (size_t k = 0; k + 8 <= f->pieces[i].bytes; k += 8)
            if (tern_heap_contains(heap, (void *)(uintptr_t)tern__load64((const uint8_t *)f->pieces[i].data + k)))
                return true;
    return false;
}

static void walk__gathered_blocks_have_no_addresses_and_no_padding(void) {
    tern__fragment f;
    begin();
    link_msg *first = link_new(heap, 1);
    CHECK(link_name(heap, first, 1, link_new(heap, 2)) && link_name(heap, first, 2, NULL));
    for (uint32_t i = 3; i < 20; i++) CHECK(link_name(heap, first, i, NULL));
    memset((uint8_t *)first + 5, 0xaa, 3); /* between `on` and `label` */
    memset(&first->word, 0xbb, sizeof first->word);
    first->one_case = 0;
    first->extra = tern_bytes_of((void *)(uintptr_t)0xccccccccccccccccu, 0xcccccccccccc);
    ((uint8_t *)&first->has)[3] = 0xdd;
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, NULL), 0);
    CHECK_EQ(tern__walk_next(walker, &f), 1);
    CHECK_EQ(f.copied_bytes, f.data_bytes);
    CHECK(!has_address(&f));
    for (size_t k = 0; k < f.pieces[0].bytes; k++) {
        uint8_t byte = ((const uint8_t *)f.pieces[0].data)[k];
        CHECK(byte != 0xaa && byte != 0xbb && byte != 0xcc && byte != 0xdd);
    }
    end();
}

/* Also where the memory for copies has been used before. */
static void walk__what_rounds_an_object_up_is_zero(void) {
    tern__fragment f;
    tern_bytes ones;
    begin();
    link_msg *first = plain(0);
    CHECK_EQ(tern_heap_bytes(heap, NULL, 2000, &ones), 0);
    memset((void *)(uintptr_t)ones.data, 0xff, ones.len);
    first->extra = ones;
    first->has.extra = 1;
    for (int i = 0; i < 2; i++) {
        tern__walk_end(walker);
        CHECK_EQ(tern__walk_begin(walker, &link_type, first, NULL), 0);
        CHECK_EQ(tern__walk_next(walker, &f), 1);
        if (i == 0) CHECK_EQ(tern_heap_bytes(heap, "123456789", 9, &first->extra), 0);
    }
    CHECK_EQ(f.n_pieces, 1);
    const uint8_t *bytes = (const uint8_t *)f.pieces[0].data + sizeof *first + 16;
    CHECK_MEM(bytes, "123456789\0\0\0\0\0\0\0", 16);
    end();
}

static void walk__long_blocks_stay_where_they_are(void) {
    tern__fragment f;
    tern_bytes large;
    begin();
    link_msg *first = plain(0);
    CHECK_EQ(tern_heap_bytes(heap, NULL, 100001, &large), 0);
    first->extra = large;
    first->has.extra = 1;
    const tern__walk_config config = {.inplace_bytes = 4096, .piece_bytes = 1 << 16};
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, &config), 0);
    CHECK_EQ(tern__walk_next(walker, &f), 1);
    CHECK_EQ(f.n_pieces, 3); /* the message, and the bytes, which are longer than a piece */
    CHECK_EQ(f.copied_bytes, sizeof *first + 8);
    CHECK(f.pieces[1].data == (const uint8_t *)large.data - 8 && f.pieces[1].bytes == 1 << 16);
    CHECK_EQ(f.pieces[2].bytes, 8 + 100008 - (1 << 16));
    CHECK_EQ(stats_of(heap).pins, 1);
    CHECK_EQ(tern_heap_compact(heap), 0); /* pinned: without a root it is all there still */
    CHECK(tern_heap_type_of(heap, first) == &link_type);
    tern__walk_end(walker);
    end();
}

static void walk__blocks_are_split_between_objects(void) {
    tern__fragment f;
    begin();
    link_msg *first = plain(0), *last = first;
    for (uint32_t i = 1; i < 100; i++) last = last->next = plain(i);
    const size_t one = sizeof *first + 8;
    const tern__walk_config config = {.piece_bytes = 10 * one + 16};
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, &config), 0);
    CHECK_EQ(tern__walk_next(walker, &f), 1);
    CHECK_EQ(f.n_pieces, 10);
    for (size_t i = 0; i < 10; i++) CHECK_EQ(f.pieces[i].bytes, 10 * one);
    CHECK_EQ(f.copied_bytes, 0);
    tern__walk_end(walker);
    end();
}

static void walk__fragments_have_a_soft_minimum(void) {
    tern__fragment f;
    begin();
    link_msg *first = plain(0), *last = first;
    for (uint32_t i = 1; i < 100; i++) last = last->next = plain(i);
    last->next = first;
    const size_t one = sizeof *first + 8;
    const tern__walk_config config = {.fragment_bytes = 9 * one + 1};
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, &config), 0);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(tern__walk_next(walker, &f), 1);
        CHECK_EQ(f.data_bytes, 10 * one);
        CHECK_EQ(f.is_last, false);
        if (i == 4) CHECK_EQ(tern_heap_compact(heap), 0);
    }
    CHECK_EQ(tern__walk_next(walker, &f), 1); /* nothing but the pointer back */
    CHECK(f.is_last && f.data_bytes == 0 && f.n_pieces == 0);
    CHECK_EQ(tern__walk_next(walker, &f), 0);
    tern__walk_end(walker);
    end();
}

/* ---- What is refused ----------------------------------------------------------------------------- */

static void walk__pointers_that_are_not_legal_are_named(void) {
    tern__walk_stats stats;
    tern_root root;
    begin();
    link_msg *first = link_new(heap, 0);
    CHECK(link_add_peer(heap, first, link_new(heap, 1)));
    CHECK_EQ(tern_root_new(heap, first, &root), 0);
    first->peers.data[0]->next = (link_msg *)(void *)((uint8_t *)first + 16);
    CHECK_EQ(walk(first, (tern__walk_config){0}, &stats), TERN_ERR_INVALID);
    CHECK(strstr(tern__walker_problem(walker), "root 0.peers[0].next of test.Link"));
    first->peers.data[0]->next = NULL;
    first->peers.data[0]->label = (tern_str){NULL, 3};
    CHECK_EQ(walk(first, (tern__walk_config){0}, &stats), TERN_ERR_INVALID);
    CHECK(strstr(tern__walker_problem(walker), "leads nowhere"));
    CHECK_EQ(tern__walk_begin(walker, &link_type, NULL, NULL), TERN_ERR_INVALID);
    CHECK_EQ(tern__walk_begin(walker, &link_entry_type, first, NULL), TERN_ERR_INVALID);
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, NULL), 0);
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, NULL), TERN_ERR_AGAIN);
    end();
}

/* A pointer that goes between two fragments is an error, not a crash. */
static void walk__changes_between_fragments(void) {
    tern__fragment f;
    begin();
    link_msg *first = plain(0);
    for (uint32_t i = 0; i < 8; i++) CHECK(link_add_peer(heap, first, plain(i)));
    const tern__walk_config config = {.fragment_bytes = 1};
    CHECK_EQ(tern__walk_begin(walker, &link_type, first, &config), 0);
    for (int i = 0; i < 4; i++) CHECK_EQ(tern__walk_next(walker, &f), 1);
    for (uint32_t i = 0; i < 8; i++) first->peers.data[i] = (link_msg *)(void *)((uint8_t *)first + 8);
    CHECK_EQ(tern__walk_next(walker, &f), TERN_ERR_INVALID);
    CHECK_EQ(tern__walk_next(walker, &f), 0);
    end();
}

TAP_MAIN(TEST(walk__strings_come_first_and_lists_need_no_stack), TEST(walk__depth_first_by_numbers),
         TEST(walk__a_stack_that_is_full_is_a_limit), TEST(walk__cycles_and_diamonds_end_without_a_set),
         TEST(walk__gathered_blocks_have_no_addresses_and_no_padding), TEST(walk__what_rounds_an_object_up_is_zero),
         TEST(walk__long_blocks_stay_where_they_are), TEST(walk__blocks_are_split_between_objects),
         TEST(walk__fragments_have_a_soft_minimum), TEST(walk__pointers_that_are_not_legal_are_named),
         TEST(walk__changes_between_fragments))

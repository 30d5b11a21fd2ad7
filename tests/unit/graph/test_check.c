/* The verifier: each kind of damage is found and named. */
#include "base/base.h"
#include "links.h"
#include "shapes.h"
#include "tap.h"

static tern_heap *heap;
static tern_root root;
static link_msg *first, *second;

/* root 0 is `first`, whose second peer is `second`. */
static bool set_up(void) {
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    if (tern_heap_new(&config, &heap) != 0) return false;
    first = link_new(heap, 1), second = link_new(heap, 2);
    return link_add_peer(heap, first, first) && link_add_peer(heap, first, second) &&
           tern_root_new(heap, first, &root) == 0 && tern_heap_check(heap) == 0;
}

/* What the verifier says of the heap as it is. */
static bool finds(int err, const char *path, const char *words) {
    int found = tern_heap_check(heap);
    const char *problem = tern_heap_problem(heap);
    if (found == err && strstr(problem, path) && strstr(problem, words)) return true;
    printf("# %d: %s\n", found, problem);
    return false;
}

static uint64_t *header_of(void *object) { return (uint64_t *)object - 1; }

static void check__headers(void) {
    static const uint64_t spoilt[] = {0,
                                      UINT64_MAX,
                                      (uint64_t)1 << 56 | (uint64_t)6 << 32 | 2,      /* two messages at once */
                                      (uint64_t)1 << 56 | (uint64_t)7 << 32 | 1,      /* a message of pointers */
                                      (uint64_t)1 << 56 | (uint64_t)1 << 32 | 1,      /* a message of bytes */
                                      (uint64_t)2 << 56 | (uint64_t)1 << 32 | 200000, /* too long */
                                      (uint64_t)2 << 56 | (uint64_t)99 << 32 | 1,     /* an unknown type */
                                      (uint64_t)3 << 56 | 1};
    CHECK(set_up());
    uint64_t good = *header_of(second);
    for (size_t i = 0; i < TERN__COUNT(spoilt); i++) {
        *header_of(second) = spoilt[i];
        CHECK(finds(TERN_ERR_INVALID, "object 0x", ""));
    }
    *header_of(second) = good;
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void check__lists(void) {
    CHECK(set_up());
    list_link_ref peers = first->peers;
    second->values = (tern_list_f64){NULL, 3, 0};
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].values of test.Link", "no storage"));
    second->values = (tern_list_f64){NULL, 0, 3};
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].values of test.Link", "no storage"));
    second->values = (tern_list_f64){0};
    first->peers.len = first->peers.cap + 1;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers of", "more elements than room"));
    first->peers.cap = first->peers.len;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers of", "no object"));
    first->peers = peers;
    second->values = (tern_list_f64){(double *)(void *)first->peers.data, 1, 1};
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].values", "no object"));
    second->values = (tern_list_f64){0};
    second->label.data = NULL;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].label", "no bytes"));
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Room that is not there, which the next unknown field would be written to. */
static void check__unknown(void) {
    tern_bytes bytes;
    CHECK(set_up());
    CHECK_EQ(tern_heap_bytes(heap, "abcdefgh", 8, &bytes), 0);
    second->unknown = (tern_unknown){(const uint8_t *)bytes.data, 3, 8};
    CHECK_EQ(tern_heap_check(heap), 0);
    second->unknown.cap = 1 << 20;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].unknown", "no object"));
    second->unknown = (tern_unknown){NULL, 0, 8};
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].unknown", "no bytes"));
    second->unknown = (tern_unknown){(const uint8_t *)bytes.data, 0, 8}; /* keeps its room */
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(memcmp(second->unknown.data, "abcdefgh", 8), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Behind the regions that there are, within what the heap may have. */
static void check__pointers_beyond(void) {
    CHECK(set_up());
    second->next = (link_msg *)(void *)((uint8_t *)(void *)second + (32 << 20));
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].next", "no object"));
    CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_compact(heap), TERN_ERR_INVALID);
    second->next = NULL;
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void check__values(void) {
    uint8_t two = 2;
    CHECK(set_up());
    memcpy(&second->on, &two, 1);
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].on", "value"));
    second->on = true;
    CHECK_EQ(tern_heap_reserve(heap, &link_type, second, LINK_BITS, 5), 0);
    second->bits.len = 5;
    memcpy(&second->bits.data[4], &two, 1);
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].bits", "value"));
    second->bits.data[4] = false;
    second->one_case = 8;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].friend", "value"));
    second->one_case = 0;
    ((char *)(uintptr_t)second->label.data)[2] = (char)0xff;
    CHECK(finds(TERN_ERR_UTF8, "root 0.peers[1].label", "UTF-8"));
    CHECK_EQ(tern_heap_reserve(heap, &link_type, second, LINK_TAGS, 2), 0);
    second->tags.len = 2;
    second->tags.data[1] = (tern_str){second->label.data + 2, 1};
    second->label = (tern_str){0};
    CHECK(finds(TERN_ERR_UTF8, "root 0.peers[1].tags", "UTF-8"));
    second->tags.data[1].len = 3000;
    CHECK(tern_heap_check(heap) == TERN_ERR_INVALID);
    second->tags.data[1].len = 0;
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* What no root leads to is looked at, too. */
static void check__unreachable(void) {
    CHECK(set_up());
    link_msg *third = link_new(heap, 3);
    third->next = (link_msg *)(void *)((char *)second + 8);
    CHECK(finds(TERN_ERR_INVALID, "(no root leads here).next of test.Link", "no object"));
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Paths are the shortest ones, and of bounded length. */
static void check__long_paths(void) {
    CHECK(set_up());
    link_msg *last = second;
    for (uint32_t i = 0; i < 5000; i++) last = last->next = link_new(heap, i);
    last->other = (link_msg *)(void *)((char *)second + 8);
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].next.next", "more.other of test.Link"));
    second->other = last;
    CHECK(finds(TERN_ERR_INVALID, "root 0.peers[1].other.other of", ""));
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Another schema, with groups, and maps of all kinds. */
static void check__shapes(void) {
    tern_heap *h;
    tern_root r;
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    config.move_always = true;
    CHECK_EQ(tern_heap_new(&config, &h), 0);
    shape *s = tern_heap_alloc(h, &shape_type);
    CHECK_EQ(tern_root_new(h, s, &r), 0);
    s->extra = tern_heap_alloc(h, &shape_type);
    s->extra->next = s;
    for (uint64_t i = 0; i < 100; i++) {
        char text[20];
        snprintf(text, sizeof text, "%llu", (unsigned long long)i);
        wide_entry *wide = tern_heap_put(h, &shape_type, s, 17, &i);
        CHECK(wide && tern_heap_str(h, text, strlen(text), &wide->value) == 0);
        tern_str key;
        CHECK_EQ(tern_heap_str(h, text, strlen(text), &key), 0);
        named_entry *named = tern_heap_put(h, &shape_type, s->extra, 8, &key);
        CHECK(named);
        named->value = s;
        counts_entry *count = tern_heap_put(h, &shape_type, s, 9, &(int32_t){(int32_t)i});
        CHECK(count);
    }
    bool yes = true;
    flags_entry *flag = tern_heap_put(h, &shape_type, s, 16, &yes);
    CHECK(flag && tern_heap_bytes(h, "\xff", 1, &flag->value) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(tern_heap_check(h), 0);
        CHECK_EQ(tern_heap_collect(h), 0);
    }
    s = tern_root_get(h, r);
    named_entry *named = tern_map_find(&named_entry_type, &s->extra->named, &(tern_str){"77", 2});
    wide_entry *wide = tern_map_find(&wide_entry_type, &s->wide, &(uint64_t){77});
    CHECK(named && named->value == s && s->extra->next == s && wide && tern_str_eq(wide->value, tern_str_of("77")));
    CHECK_EQ(tern_heap_free(h), 0);
}

TAP_MAIN(TEST(check__headers), TEST(check__lists), TEST(check__unknown), TEST(check__pointers_beyond),
         TEST(check__values), TEST(check__unreachable), TEST(check__long_paths), TEST(check__shapes))

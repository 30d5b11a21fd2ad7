/* Hybrid with the kinds of fields that are not just values: oneofs, maps, groups, closed enums, unknown fields; on
 * generated types, and on the outside vectors of protobuf's conformance tests where they are. */
#include <dirent.h>

#include "base/base.h"
#include "codec/hybrid.h"
#include "compound.tern.h"
#include "hybrid_types.h"
#include "legacy.tern.h"
#include "tap.h"
#include "test_messages_proto2.tern.h"
#include "test_messages_proto3.tern.h"

static tern_arena arena;

static void arena_begin(void) { tern_arena_init(&arena, 1 << 16, 0); }

/* What a receiver gets of a message; NULL when it does not come through. From the arena, except f->data. */
static void *send_message(const tern_type *type, const void *msg, size_t threshold, flat *f) {
    void *back = tern_arena_alloc(&arena, type->size_bytes);
    *f = flat_encode(type, msg, threshold);
    if (f->rc) return NULL;
    memset(back, 0x55, type->size_bytes);
    f->rc = tern_hybrid_decode(type, f->data, f->len, &arena, NULL, back);
    return f->rc ? NULL : back;
}

static void check_round_trip(const tern_type *type, const void *msg, size_t threshold) {
    flat f, again;
    void *back = send_message(type, msg, threshold, &f);
    CHECK_EQ(f.rc, 0);
    CHECK(back);
    CHECK(message_equal(type, msg, back));
    send_message(type, back, SIZE_MAX, &again);
    CHECK_EQ(again.rc, 0);
    CHECK_EQ(again.len, f.len);
    free(f.data);
    free(again.data);
}

static void round_trip__random_messages(void) {
    static const tern_type *const types[] = {&test_compound_Holder_type,
                                             &test_compound_Maps_type,
                                             &test_compound_Choice_type,
                                             &test_legacy_Groups_type,
                                             &test_legacy_Closed_type,
                                             &test_legacy_Deep_type,
                                             &protobuf_test_messages_proto2_TestAllTypesProto2_type,
                                             &protobuf_test_messages_proto3_TestAllTypesProto3_type};
    static const size_t thresholds[] = {0, 16, 512, SIZE_MAX};
    for (size_t t = 0; t < TERN__COUNT(types); t++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            uint64_t s = seed;
            arena_begin();
            void *msg = tern_arena_zalloc(&arena, types[t]->size_bytes);
            message_fill(types[t], msg, &arena, &s, 3);
            check_round_trip(types[t], msg, thresholds[seed % TERN__COUNT(thresholds)]);
            CHECK_OK();
            tern_arena_fini(&arena);
        }
}

/* ---- Oneofs */

/* Also when it is zero or empty, which the case word alone tells. */
static void oneof__each_member(void) {
    const tern_type *type = &test_compound_Choice_type;
    unsigned n_members = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        if (!(field->flags & TERN_FIELD_ONEOF)) continue;
        arena_begin();
        test_compound_Choice m = {0}, *back;
        test_compound_Leaf nothing = {0};
        tern__store32((uint8_t *)&m + field->has * 4u, field->number);
        if (field->kind == TERN_MESSAGE) {
            void *sub = field->number == 18 ? (void *)&nothing : tern_arena_zalloc(&arena, 1024);
            memcpy((uint8_t *)&m + field->offset, &sub, sizeof sub);
        }
        flat f;
        back = send_message(type, &m, 0, &f);
        CHECK(back);
        CHECK(message_equal(type, &m, back));
        CHECK_EQ(tern__load32((uint8_t *)back + field->has * 4u), field->number);
        n_members++;
        free(f.data);
        tern_arena_fini(&arena);
    }
    CHECK_EQ(n_members, 21);
}

/* Set, but without memory for it: as good as not set. */
static void oneof__message_without_memory(void) {
    test_compound_Choice m = {.before = 7}, *back;
    m.pick_case = test_compound_Choice_pick_f_leaf;
    flat f;
    arena_begin();
    back = send_message(&test_compound_Choice_type, &m, 0, &f);
    CHECK(back);
    CHECK_EQ(back->before, 7);
    CHECK_EQ(back->pick_case, 0);
    free(f.data);
    tern_arena_fini(&arena);
}

static void oneof__two_members_are_refused(void) {
    enum { N_WORDS = 10, F_INT32 = 6, F_UINT32 = 12, TEXT = 22 };
    uint8_t bytes[4 + 4 * N_WORDS + 8] = {N_WORDS};
    test_compound_Choice m;
    arena_begin();
    tern__store32(bytes + 4, 1u << (F_INT32 - 1) | 1u << (F_UINT32 - 1));
    CHECK_EQ(tern_hybrid_decode(&test_compound_Choice_type, bytes, sizeof bytes, &arena, NULL, &m), TERN_ERR_MALFORMED);
    tern__store32(bytes + 4, 1u << (F_INT32 - 1));
    CHECK_EQ(tern_hybrid_decode(&test_compound_Choice_type, bytes, sizeof bytes, &arena, NULL, &m), 0);
    CHECK_EQ(m.pick_case, F_INT32);
    tern_arena_fini(&arena);
}

/* ---- Maps */

static void map__equal_keys_as_they_stand(void) {
    test_compound_Maps_ByInt32Entry entries[] = {{1, 10}, {2, 20}, {1, 30}};
    test_compound_Maps m = {.by_int32 = {entries, 3, 0, NULL}}, *back;
    int32_t key = 1;
    flat f;
    arena_begin();
    back = send_message(&test_compound_Maps_type, &m, 0, &f);
    CHECK(back);
    CHECK_EQ(back->by_int32.len, 3);
    CHECK(!back->by_int32.index);
    CHECK(back->by_int32.data[0].value == 10 && back->by_int32.data[2].value == 30);
    test_compound_Maps_ByInt32Entry *found =
        tern_map_find(&test_compound_Maps_ByInt32Entry_type, &back->by_int32, &key);
    CHECK(found);
    CHECK_EQ(found->value, 30);
    free(f.data);
    tern_arena_fini(&arena);
}

static void map__zero_keys_and_values(void) {
    test_compound_Maps_ByStringEntry strings[] = {{{NULL, 0}, {NULL, 0}}};
    test_compound_Maps_ByBoolEntry bools[] = {{false, true}, {true, false}};
    test_compound_Maps m = {.by_string = {strings, 1, 0, NULL}, .by_bool = {bools, 2, 0, NULL}}, *back;
    flat f;
    arena_begin();
    back = send_message(&test_compound_Maps_type, &m, 0, &f);
    CHECK(back);
    CHECK(tern_message_equal(&test_compound_Maps_type, &m, back));
    free(f.data);
    tern_arena_fini(&arena);
}

/* Whoever walks over a map of messages need not look for NULL. */
static void map__message_that_is_missing_is_empty(void) {
    test_compound_Maps_ToLeafEntry leaves[] = {{{"a", 1}, NULL}};
    test_compound_Maps m = {.to_leaf = {leaves, 1, 0, NULL}}, *back;
    flat f;
    arena_begin();
    back = send_message(&test_compound_Maps_type, &m, 0, &f);
    CHECK(back);
    CHECK_EQ(back->to_leaf.len, 1);
    CHECK(back->to_leaf.data[0].value);
    CHECK_EQ(back->to_leaf.data[0].value->id, 0);
    tern_limits limits;
    tern_limits_init(&limits);
    limits.max_elements = 2;
    CHECK_EQ(tern_hybrid_decode(&test_compound_Maps_type, f.data, f.len, &arena, &limits, back), 0);
    limits.max_elements = 1;
    CHECK_EQ(tern_hybrid_decode(&test_compound_Maps_type, f.data, f.len, &arena, &limits, back), TERN_ERR_LIMIT);
    free(f.data);
    tern_arena_fini(&arena);
}

/* ... unless it cannot be empty. */
static void map__message_that_must_have_fields(void) {
    test_legacy_Deep_ClosedEntry entries[] = {{1, NULL}};
    test_legacy_Deep m = {.closed = {entries, 1, 0, NULL}};
    flat f;
    arena_begin();
    CHECK(!send_message(&test_legacy_Deep_type, &m, 0, &f));
    CHECK_EQ(f.rc, TERN_ERR_MALFORMED);
    free(f.data);
    tern_arena_fini(&arena);
}

/* ---- Enums, unknown fields */

static void closed_enum__other_numbers_as_they_stand(void) {
    int32_t many[] = {9, 77, -5};
    test_legacy_Closed m = {.many = {many, 3, 0}, .needed = 1234}, *back;
    m.has.needed = 1;
    flat f;
    arena_begin();
    back = send_message(&test_legacy_Closed_type, &m, 0, &f);
    CHECK(back);
    CHECK_EQ(back->needed, 1234);
    CHECK(back->many.len == 3 && back->many.data[1] == 77);
    free(f.data);
    tern_arena_fini(&arena);
}

static void unknown_fields__are_not_carried(void) {
    static const uint8_t field_999[] = {0xb8, 0x3e, 1};
    test_compound_Leaf m = {.id = 5}, *back;
    flat f;
    arena_begin();
    CHECK_EQ(tern_unknown_append(&m.unknown, field_999, sizeof field_999, &arena), 0);
    back = send_message(&test_compound_Leaf_type, &m, 0, &f);
    CHECK(back);
    CHECK_EQ(back->id, 5);
    CHECK_EQ(back->unknown.len, 0);
    free(f.data);
    tern_arena_fini(&arena);
}

/* ---- What goes wrong */

static void malformed__random_mutations(void) {
    static const tern_type *const types[] = {&test_compound_Holder_type, &test_legacy_Groups_type,
                                             &test_legacy_Deep_type};
    unsigned n_accepted = 0, n_refused = 0;
    uint64_t seed = 11;
    for (unsigned i = 0; i < 60; i++) {
        const tern_type *type = types[i % TERN__COUNT(types)];
        arena_begin();
        void *msg = tern_arena_zalloc(&arena, type->size_bytes), *back = tern_arena_alloc(&arena, type->size_bytes);
        message_fill(type, msg, &arena, &seed, 3);
        flat f = flat_encode(type, msg, 512);
        CHECK_EQ(f.rc, 0);
        for (unsigned k = 0; k < 200; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(seed >> 33) % (f.len < 512 ? f.len : 512);
            uint8_t was = f.data[at];
            f.data[at] ^= (uint8_t)(1u << (seed >> 20) % 8);
            if (tern_hybrid_decode(type, f.data, f.len, &arena, NULL, back) == 0)
                n_accepted++;
            else
                n_refused++;
            f.data[at] = was;
        }
        free(f.data);
        tern_arena_fini(&arena);
    }
    printf("# %u mutations accepted, %u refused\n", n_accepted, n_refused);
    CHECK(n_accepted > 100 && n_refused > 100);
}

static void limits__every_failed_allocation_is_reported(void) {
    uint64_t seed = 3, n_failed = 0;
    arena_begin();
    test_compound_Maps_ToLeafEntry leaf = {{"a", 1}, NULL};
    test_compound_Maps *m = tern_arena_zalloc(&arena, sizeof *m);
    message_fill(&test_compound_Maps_type, m, &arena, &seed, 3);
    if (!m->to_leaf.len) m->to_leaf = (test_compound_Maps_ToLeafEntry_map){&leaf, 1, 0, NULL};
    flat f = flat_encode(&test_compound_Maps_type, m, 0);
    CHECK_EQ(f.rc, 0);
    for (int rc = TERN_ERR_NOMEM; rc; n_failed++) {
        tern_arena in;
        test_compound_Maps back;
        tern_arena_init(&in, 0, 0);
        in.fail_countdown = n_failed + 1;
        rc = tern_hybrid_decode(&test_compound_Maps_type, f.data, f.len, &in, NULL, &back);
        CHECK(rc == 0 || rc == TERN_ERR_NOMEM);
        tern_arena_fini(&in);
    }
    CHECK(n_failed > 5);
    free(f.data);
    tern_arena_fini(&arena);
}

/* ---- The outside vectors: protobuf -> struct -> hybrid -> struct */

static const char *data_folder(void) {
    const char *folder = getenv("TERN_TEST_DATA");
    return folder ? folder : DATA_DIR;
}

static size_t read_file(const char *path, uint8_t *out, size_t cap) {
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(out, 1, cap, file) : 0;
    if (file) fclose(file);
    return n;
}

static void check_vector(const tern_type *type, const char *path, unsigned *n_valid) {
    enum { MAX_BYTES = 1 << 20 };
    uint8_t *data = malloc(MAX_BYTES);
    size_t n = read_file(path, data, MAX_BYTES);
    arena_begin();
    void *msg = tern_arena_alloc(&arena, type->size_bytes);
    int mode = TERN_DECODE_ALIAS | TERN_DECODE_DROP_UNKNOWN;
    if (tern_protobuf_decode(type, data, n, &arena, mode, NULL, msg) == 0) {
        flat f;
        void *back = send_message(type, msg, 16, &f);
        if (!back || !tern_message_equal(type, msg, back)) {
            printf("# %s\n", path);
            tap_failed = true;
        }
        ++*n_valid;
        free(f.data);
    }
    tern_arena_fini(&arena);
    free(data);
}

static void check_vectors(const char *folder, const tern_type *type, unsigned least) {
    char path[4096];
    snprintf(path, sizeof path, "%s/conformance/%s", data_folder(), folder);
    unsigned n_valid = 0;
    DIR *dir = opendir(path);
    if (!dir) SKIP("the vectors are not here (TERN_TEST_DATA names their folder)");
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".req") != 0) continue;
        snprintf(path, sizeof path, "%s/conformance/%s/%s", data_folder(), folder, entry->d_name);
        check_vector(type, path, &n_valid);
    }
    closedir(dir);
    printf("# %s: %u messages came through\n", folder, n_valid);
    CHECK(n_valid >= least);
}

static void vectors__proto2(void) {
    check_vectors("proto2", &protobuf_test_messages_proto2_TestAllTypesProto2_type, 338);
}

static void vectors__proto3(void) {
    check_vectors("proto3", &protobuf_test_messages_proto3_TestAllTypesProto3_type, 338);
}

TAP_MAIN(TEST(round_trip__random_messages), TEST(oneof__each_member), TEST(oneof__message_without_memory),
         TEST(oneof__two_members_are_refused), TEST(map__equal_keys_as_they_stand), TEST(map__zero_keys_and_values),
         TEST(map__message_that_is_missing_is_empty), TEST(map__message_that_must_have_fields),
         TEST(closed_enum__other_numbers_as_they_stand), TEST(unknown_fields__are_not_carried),
         TEST(malformed__random_mutations), TEST(limits__every_failed_allocation_is_reported), TEST(vectors__proto2),
         TEST(vectors__proto3))

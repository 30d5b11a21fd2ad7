/* Metadata blocks: made, read back, and refused where they break a rule. */
#include "tap.h"

#include "rpc/metadata.h"

enum { LIMIT = 1024 };

static tern_arena arena;

static tern_metadata block_of(const tern__meta *meta) { return (tern_metadata){meta->block, meta->n_bytes}; }

static tern_pair pair_of(const char *key, const char *value) { return (tern_pair){key, {value, strlen(value)}}; }

static bool is(tern_bytes value, const char *text) {
    return value.data && value.len == strlen(text) && memcmp(value.data, text, value.len) == 0;
}

static void meta__pairs_come_back_in_order(void) {
    static const char *const keys[] = {"traceparent", "a", "x-9_.", "a", "empty"};
    static const char *const values[] = {"00-4bf92f3577b34da6", "1", "12345678", "2", ""};
    tern__meta meta = {0};
    tern_arena_init(&arena, 0, 0);
    for (int i = 0; i < 5; i++) {
        tern_pair pair = pair_of(keys[i], values[i]);
        CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &pair), 0);
    }
    tern_metadata block = block_of(&meta);
    CHECK_EQ(block.n_bytes % 8, 0);
    CHECK_EQ(tern__meta_check(block, LIMIT), 0);
    tern_str key;
    tern_bytes value;
    size_t at = 0;
    for (int i = 0; i < 5; i++) {
        CHECK(tern_metadata_next(block, &at, &key, &value));
        CHECK(key.len == strlen(keys[i]) && memcmp(key.data, keys[i], key.len) == 0);
        CHECK(is(value, values[i]));
    }
    CHECK(!tern_metadata_next(block, &at, &key, &value));
    CHECK(is(tern_metadata_find(block, "a"), "1"));
    CHECK(is(tern_metadata_find(block, "empty"), ""));
    CHECK(tern_metadata_find(block, "absent").data == NULL);
    CHECK(tern_metadata_find((tern_metadata){0}, "a").data == NULL);
    tern_arena_fini(&arena);
}

static void meta__keys_that_are_refused(void) {
    static char longest[TERN__META_MAX_KEY + 2];
    memset(longest, 'k', TERN__META_MAX_KEY);
    static const char *const bad[] = {"", "Upper", "sp ace", "\xc3\xa4", "a:b", "a\n"};
    tern__meta meta = {0};
    tern_arena_init(&arena, 0, 0);
    tern_pair pair = pair_of(longest, "v");
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &pair), 0);
    uint32_t n_bytes = meta.n_bytes;
    longest[TERN__META_MAX_KEY] = 'k';
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &pair), TERN_ERR_INVALID);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        pair = pair_of(bad[i], "v");
        CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &pair), TERN_ERR_INVALID);
    }
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &(tern_pair){NULL, {"v", 1}}), TERN_ERR_INVALID);
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &(tern_pair){"k", {NULL, 1}}), TERN_ERR_INVALID);
    CHECK_EQ(meta.n_bytes, n_bytes);
    tern_arena_fini(&arena);
}

static void meta__limits(void) {
    tern__meta meta = {0};
    tern_arena_init(&arena, 0, 0);
    static char value[LIMIT + 1];
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &(tern_pair){"12345678", {value, LIMIT - 15}}), TERN_ERR_LIMIT);
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &(tern_pair){"12345678", {value, SIZE_MAX}}), TERN_ERR_LIMIT);
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &(tern_pair){"12345678", {value, LIMIT - 16}}), 0);
    CHECK_EQ(meta.n_bytes, LIMIT);
    CHECK_EQ(tern__meta_check(block_of(&meta), LIMIT), 0);
    CHECK_EQ(tern__meta_check(block_of(&meta), LIMIT - 1), TERN_ERR_LIMIT);
    tern__meta many = {0};
    tern_pair pair = pair_of("k", "");
    for (int i = 0; i < TERN__META_MAX_ENTRIES; i++) CHECK_EQ(tern__meta_add(&many, &arena, 1 << 20, &pair), 0);
    CHECK_EQ(tern__meta_add(&many, &arena, 1 << 20, &pair), TERN_ERR_LIMIT);
    CHECK_EQ(tern__meta_append(&many, &arena, 1 << 20, &meta), TERN_ERR_LIMIT);
    CHECK_EQ(tern__meta_check(block_of(&many), 1 << 20), 0);
    many.n_entries = 0; /* as a peer may: one entry more */
    CHECK_EQ(tern__meta_add(&many, &arena, 1 << 20, &pair), 0);
    CHECK_EQ(tern__meta_check(block_of(&many), 1 << 20), TERN_ERR_LIMIT);
    tern_arena_fini(&arena);
}

/* The message does not count against the limit, and is cut between characters. */
static void meta__messages(void) {
    static char text[TERN__META_MAX_MESSAGE + 8];
    tern__meta meta = {0};
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, LIMIT, &(tern__meta_error){.message = NULL}), 0);
    CHECK_EQ(meta.n_bytes, 0);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, LIMIT, &(tern__meta_error){.message = "four"}), 0);
    CHECK_EQ(tern__meta_find_kind(block_of(&meta), TERN__META_MESSAGE).len, 4);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, LIMIT, &(tern__meta_error){.message = "\xff"}), TERN_ERR_UTF8);
    CHECK_EQ(meta.n_bytes, 0);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, LIMIT, &(tern__meta_error){.details = {NULL, 1}}), TERN_ERR_INVALID);
    memset(text, 'm', TERN__META_MAX_MESSAGE);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, 0, &(tern__meta_error){.message = text}), 0);
    CHECK_EQ(tern__meta_find_kind(block_of(&meta), TERN__META_MESSAGE).len, TERN__META_MAX_MESSAGE);
    memcpy(text + TERN__META_MAX_MESSAGE - 2, "\xe2\x82\xac", 3);
    CHECK_EQ(tern__meta_make_error(&meta, &arena, 0, &(tern__meta_error){.message = text}), 0);
    CHECK_EQ(tern__meta_check(block_of(&meta), 0), 0);
    CHECK_EQ(tern__meta_find_kind(block_of(&meta), TERN__META_MESSAGE).len, TERN__META_MAX_MESSAGE - 2);
    CHECK(tern__meta_find_kind(block_of(&meta), TERN__META_DETAILS).data == NULL);
    tern__meta two = meta;
    two.room = two.n_bytes; /* or both would grow in one place */
    CHECK_EQ(tern__meta_append(&two, &arena, 1 << 20, &meta), 0);
    CHECK_EQ(tern__meta_check(block_of(&two), 1 << 20), TERN_ERR_MALFORMED); /* two messages */
    tern__meta wild = {0};
    CHECK_EQ(tern__meta_add_kind(&wild, &arena, LIMIT, TERN__META_MESSAGE, (tern_bytes){"\xff", 1}), 0);
    CHECK_EQ(tern__meta_check(block_of(&wild), LIMIT), TERN_ERR_MALFORMED);
    tern_arena_fini(&arena);
}

/* What a newer peer may send is passed over. */
static void meta__unknown_kinds_are_skipped(void) {
    tern__meta meta = {0};
    tern_pair pair = pair_of("k", "v");
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern__meta_add_kind(&meta, &arena, LIMIT, (tern__meta_kind)9, (tern_bytes){"future", 6}), 0);
    CHECK_EQ(tern__meta_add(&meta, &arena, LIMIT, &pair), 0);
    CHECK_EQ(tern__meta_check(block_of(&meta), LIMIT), 0);
    CHECK(is(tern_metadata_find(block_of(&meta), "k"), "v"));
    CHECK(tern_metadata_find(block_of(&meta), "").data == NULL);
    tern_arena_fini(&arena);
}

/* Each row: an entry's first eight bytes, and so many bytes of block. */
static void meta__blocks_that_are_refused(void) {
    static const struct {
        uint32_t key_bytes, kind, value_bytes, block_bytes;
    } rows[] = {
        {1, 0, 0, 8},           /* the key beyond the end */
        {1, 0, 8, 16},          /* the value beyond the end */
        {1, 0, UINT32_MAX, 16}, /* by far */
        {0xffff, 0, 0, 64},     /* a key longer than the block */
        {0, 0, 0, 8},           /* a pair without key */
        {4, 1, 0, 16},          /* a message with a key */
        {4, 9, 0, 16},          /* an unknown kind with one */
        {1, 0, 0, 20},          /* a rest that is no entry */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t *block = malloc(rows[i].block_bytes); /* so that a sanitizer sees its end */
        memset(block, 'k', rows[i].block_bytes);
        tern__store32(block, rows[i].key_bytes | rows[i].kind << 16);
        tern__store32(block + 4, rows[i].value_bytes);
        tern_metadata m = {block, rows[i].block_bytes};
        tern_str key;
        tern_bytes value;
        if (tern__meta_check(m, LIMIT) != TERN_ERR_MALFORMED) printf("# row %u\n", i);
        CHECK_EQ(tern__meta_check(m, LIMIT), TERN_ERR_MALFORMED);
        for (size_t at = 0; tern_metadata_next(m, &at, &key, &value);) CHECK(at <= m.n_bytes);
        free(block);
    }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(meta__pairs_come_back_in_order),
                                     TEST(meta__keys_that_are_refused),
                                     TEST(meta__limits),
                                     TEST(meta__messages),
                                     TEST(meta__unknown_kinds_are_skipped),
                                     TEST(meta__blocks_that_are_refused)};
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

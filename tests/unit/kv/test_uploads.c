/* Uploads: nobody sees one before its commit, its bytes count meanwhile, and its lease ends. */
#include "../../../apps/kv/uploads.h"

#include "tap.h"

enum { LEASE = 10 };

static store *st;
static uploads us;
static store_stats empty;

static void begin_test(uint64_t max_bytes) {
    store_config config = {.max_bytes = max_bytes, .seed = {1, 2}};
    CHECK_EQ(store_new(&config, &st), 0);
    us = (uploads){.store = st, .lease = LEASE, .seed = {3, 4}};
    store_get_stats(st, &empty);
}

static void end_test(void) {
    store_stats stats;
    uploads_discard_all(&us);
    store_get_stats(st, &stats);
    CHECK_EQ(stats.n_drafts, 0);
    CHECK_EQ(stats.draft_bytes, 0);
    if (!stats.n_keys) CHECK_EQ(stats.memory_bytes, empty.memory_bytes);
    store_free(st);
}

static void put_text(const char *key, const char *text) {
    tern_bytes segment = tern_bytes_of(text, strlen(text));
    CHECK_EQ(store_put(st, tern_str_of(key), &segment, 1, false), 1);
}

static int add_text(upload *up, const char *text) {
    tern_bytes segment = tern_bytes_of(text, strlen(text));
    return store_draft_add(st, up->draft, &segment, 1);
}

/* The segments, each in brackets. */
static bool value_is(const char *key, const char *want) {
    char text[256] = "";
    store_value v;
    if (!store_get(st, tern_str_of(key), &v)) return false;
    for (uint32_t i = 0; i < v.n_segments; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "[%.*s]", (int)v.segments[i].len, (const char *)v.segments[i].data);
    }
    return strcmp(text, want) == 0;
}

static void commit__replaces_at_once(void) {
    upload *up;
    store_value before, after;
    store_stats stats;
    begin_test(1 << 20);
    put_text("k", "old");
    CHECK(store_get(st, tern_str_of("k"), &before));
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    uint64_t number = up->number;
    for (int i = 1; i <= 9; i++) CHECK_EQ(add_text(up, "part"), i);
    CHECK(value_is("k", "[old]"));
    store_get_stats(st, &stats);
    CHECK_EQ(stats.value_bytes, 3);
    CHECK_EQ(stats.n_drafts, 1);
    CHECK_EQ(uploads_commit(&us, up), 9);
    CHECK(value_is("k", "[part][part][part][part][part][part][part][part][part]"));
    CHECK(store_get(st, tern_str_of("k"), &after));
    CHECK(after.version != before.version);
    store_get_stats(st, &stats);
    CHECK_EQ(stats.value_bytes, 36);
    CHECK_EQ(stats.n_keys, 1);
    CHECK(!uploads_find(&us, number, 1));
    CHECK(store_delete(st, tern_str_of("k")));
    end_test();
}

static void commit__makes_a_key(void) {
    upload *up;
    tern_str found;
    store_value v;
    begin_test(1 << 20);
    CHECK_EQ(uploads_begin(&us, tern_str_of("new"), 0, &up), 0);
    CHECK_EQ(add_text(up, "one"), 1);
    CHECK(!store_get(st, tern_str_of("new"), &v));
    CHECK(!store_seek(st, (tern_str){0}, false, &found, &v));
    CHECK_EQ(uploads_commit(&us, up), 1);
    CHECK(value_is("new", "[one]"));
    CHECK(store_seek(st, (tern_str){0}, false, &found, &v) && tern_str_eq(found, tern_str_of("new")));
    CHECK(store_delete(st, tern_str_of("new")));
    end_test();
}

/* The key may come and go meanwhile, and two uploads of it may end in either order: the last commit holds. */
static void commit__after_others(void) {
    upload *a, *b;
    begin_test(1 << 20);
    put_text("k", "old");
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &a), 0);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &b), 0);
    CHECK_EQ(add_text(a, "a"), 1);
    CHECK_EQ(add_text(b, "b"), 1);
    CHECK_EQ(add_text(b, "b"), 2);
    CHECK(store_delete(st, tern_str_of("k")));
    CHECK_EQ(uploads_commit(&us, b), 2);
    CHECK(value_is("k", "[b][b]"));
    CHECK_EQ(uploads_commit(&us, a), 1);
    CHECK(value_is("k", "[a]"));
    CHECK(store_delete(st, tern_str_of("k")));
    end_test();
}

static void commit__of_nothing(void) {
    upload *up;
    begin_test(1 << 20);
    put_text("k", "old");
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    CHECK_EQ(uploads_commit(&us, up), TERN_ERR_INVALID);
    CHECK(value_is("k", "[old]"));
    uploads_discard(&us, up);
    CHECK(store_delete(st, tern_str_of("k")));
    end_test();
}

/* A new key may want a larger table, for which there is no room: the upload stands. */
static void commit__without_room_for_the_key(void) {
    upload *up;
    char key[16];
    begin_test(300 << 10);
    for (int i = 0; i < 768; i++) {
        snprintf(key, sizeof key, "%d", i);
        put_text(key, "");
    }
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    static char kilobyte[1024];
    tern_bytes segment = tern_bytes_of(kilobyte, sizeof kilobyte);
    store_stats stats;
    int n = 0;
    do {
        CHECK_EQ(store_draft_add(st, up->draft, &segment, 1), n + 1);
        n++;
        store_get_stats(st, &stats);
    } while (stats.max_bytes - stats.memory_bytes >= 16 << 10);
    CHECK_EQ(uploads_commit(&us, up), TERN_ERR_LIMIT);
    store_value v;
    CHECK(!store_get(st, tern_str_of("k"), &v));
    for (int i = 0; i < 768; i++) {
        snprintf(key, sizeof key, "%d", i);
        CHECK(store_delete(st, tern_str_of(key)));
    }
    CHECK_EQ(uploads_commit(&us, up), n);
    CHECK(store_delete(st, tern_str_of("k")));
    end_test();
}

/* What has come counts, and is given back; the old value stays. */
static void add__counts_in_the_bound(void) {
    upload *up;
    store_stats stats;
    int n = 1, i = 0;
    begin_test(1 << 20);
    put_text("k", "old");
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    for (; n > 0; i++) {
        char *buffer = tern_alloc(64 << 10);
        CHECK(buffer);
        tern_bytes segment = tern_bytes_of(memset(buffer, i, 64 << 10), 64 << 10);
        n = store_draft_add(st, up->draft, &segment, 1);
        tern_unref(buffer);
        CHECK(i < 20);
    }
    CHECK_EQ(n, TERN_ERR_LIMIT);
    CHECK(i > 10);
    store_get_stats(st, &stats);
    CHECK(stats.memory_bytes <= stats.max_bytes);
    CHECK(stats.draft_bytes > (uint64_t)(i - 1) * (64 << 10));
    CHECK(value_is("k", "[old]"));
    uploads_discard(&us, up);
    CHECK(value_is("k", "[old]"));
    CHECK(store_delete(st, tern_str_of("k")));
    end_test();
}

static void expire__ends_what_stood_still(void) {
    upload *up, *other;
    begin_test(1 << 20);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 100, &up), 0);
    CHECK_EQ(uploads_begin(&us, tern_str_of("l"), 100, &other), 0);
    uint64_t number = up->number, late = other->number;
    CHECK_EQ(add_text(up, "x"), 1);
    uploads_expire(&us, 100 + LEASE - 1);
    CHECK_EQ(us.n, 2);
    CHECK(uploads_find(&us, number, 100 + LEASE - 1) == up); /* a lease from now on */
    uploads_expire(&us, 100 + LEASE);
    CHECK_EQ(us.n, 1);
    CHECK(!uploads_find(&us, late, 100 + LEASE));
    CHECK(!uploads_find(&us, number, 100 + 2 * LEASE)); /* too late, though nobody has looked */
    CHECK_EQ(us.n, 0);
    end_test();
}

static void find__only_what_was_given_out(void) {
    upload *up;
    begin_test(1 << 20);
    CHECK(!uploads_find(&us, 0, 0));
    CHECK(!uploads_find(&us, 1, 0));
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    uint64_t number = up->number;
    CHECK(!uploads_find(&us, number + UPLOADS_MAX, 0));
    CHECK(uploads_find(&us, number, 0) == up);
    uploads_discard(&us, up);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0); /* in the same slot */
    CHECK(up->number != number);
    CHECK(!uploads_find(&us, number, 0));
    end_test();
}

static void begin__as_many_as_there_may_be(void) {
    upload *up;
    begin_test(1 << 20);
    for (int i = 0; i < UPLOADS_MAX; i++) CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), TERN_ERR_LIMIT);
    CHECK_EQ(us.n, UPLOADS_MAX);
    uploads_discard(&us, &us.slots[77]);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), 0);
    CHECK_EQ(uploads_begin(&us, (tern_str){"", 0}, 0, &up), TERN_ERR_LIMIT);
    end_test();
    begin_test(16 << 10);
    CHECK_EQ(uploads_begin(&us, tern_str_of("k"), 0, &up), TERN_ERR_LIMIT);
    CHECK_EQ(uploads_begin(&us, (tern_str){"", 0}, 0, &up), TERN_ERR_INVALID);
    CHECK_EQ(us.n, 0);
    end_test();
}

TAP_MAIN(TEST(commit__replaces_at_once), TEST(commit__makes_a_key), TEST(commit__after_others),
         TEST(commit__of_nothing), TEST(commit__without_room_for_the_key), TEST(add__counts_in_the_bound),
         TEST(expire__ends_what_stood_still), TEST(find__only_what_was_given_out), TEST(begin__as_many_as_there_may_be))

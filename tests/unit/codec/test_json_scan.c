/* The JSON tokenizer: what it takes, what it refuses, and where it says so. */
#include "codec/json_scan.h"
#include "tap.h"

static tern_arena arena;

/* The text lies in memory of exactly its size, so that a sanitizer sees a read past it. */
static json_scan scan_of(const char *text, size_t len) {
    char *copy = malloc(len ? len : 1);
    if (len) memcpy(copy, text, len);
    return (json_scan){.begin = copy, .p = copy, .end = copy + len, .arena = &arena, .depth_left = 10};
}

static void done(const json_scan *s) { free((void *)(uintptr_t)s->begin); }

static int skip(const char *text, size_t len) {
    json_scan s = scan_of(text, len);
    bool ok = tern__json_skip(&s) && tern__json_end(&s);
    done(&s);
    return ok ? 0 : s.err;
}

static void skip__takes_json(void) {
    static const char *const texts[] = {"{}",
                                        "[]",
                                        " [ ] ",
                                        "null",
                                        "true",
                                        "false",
                                        "0",
                                        "-1.5e+3",
                                        "\"\"",
                                        "\t\n\r 1 ",
                                        "{\"a\":1,\"b\":[1,2,{\"c\":null}]}",
                                        "\"\\u00e9\\ud83d\\ude01\\/\"",
                                        "[[[[[[[[[1]]]]]]]]]",
                                        "\"\x7f\xc3\xa9\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) CHECK_EQ(skip(texts[i], strlen(texts[i])), 0);
}

static void skip__refuses_what_is_not(void) {
    static const struct {
        const char *text;
        int err;
    } cases[] = {
        {"", TERN_ERR_TRUNCATED},
        {"{", TERN_ERR_TRUNCATED},
        {"[1", TERN_ERR_TRUNCATED},
        {"[1,", TERN_ERR_TRUNCATED},
        {"\"abc", TERN_ERR_TRUNCATED},
        {"\"abc\\", TERN_ERR_TRUNCATED},
        {"{\"a\"", TERN_ERR_TRUNCATED},
        {"-", TERN_ERR_TRUNCATED},
        {"1e", TERN_ERR_TRUNCATED},
        {"[1,]", TERN_ERR_MALFORMED},
        {"{\"a\":1,}", TERN_ERR_MALFORMED},
        {"{,}", TERN_ERR_MALFORMED},
        {"{a:1}", TERN_ERR_MALFORMED},
        {"{'a':1}", TERN_ERR_MALFORMED},
        {"{1:1}", TERN_ERR_MALFORMED},
        {"[1 2]", TERN_ERR_MALFORMED},
        {"1 2", TERN_ERR_MALFORMED},
        {"01", TERN_ERR_MALFORMED},
        {"+1", TERN_ERR_MALFORMED},
        {"True", TERN_ERR_MALFORMED},
        {"nul", TERN_ERR_MALFORMED},
        {"NaN", TERN_ERR_MALFORMED},
        {"[}", TERN_ERR_MALFORMED},
        {"{]", TERN_ERR_MALFORMED},
        {"]", TERN_ERR_MALFORMED},
        {"/* */ 1", TERN_ERR_MALFORMED},
        {"\"\\u12\"", TERN_ERR_MALFORMED},
        {"\"\\uXXXX\"", TERN_ERR_MALFORMED},
        {"\"\\U00e9\"", TERN_ERR_MALFORMED},
        {"\"\\x\"", TERN_ERR_MALFORMED},
        {"\"\\ud800\"", TERN_ERR_MALFORMED},
        {"\"\\udc00\"", TERN_ERR_MALFORMED},
        {"\"\\ude01\\ud83d\"", TERN_ERR_MALFORMED},
        {"\"\\ud83dx\"", TERN_ERR_MALFORMED},
        {"\"\\ud83d\\n\"", TERN_ERR_MALFORMED},
        {"\"\\ud83d\\ud83d\"", TERN_ERR_MALFORMED},
        {"\"a\nb\"", TERN_ERR_MALFORMED},
        {"\"\xff\"", TERN_ERR_UTF8},
        {"\"\xed\xa0\x80\"", TERN_ERR_UTF8},
        {"\"\xc3\"", TERN_ERR_UTF8},
        {"[[[[[[[[[[[1]]]]]]]]]]]", TERN_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int err = skip(cases[i].text, strlen(cases[i].text));
        if (err != cases[i].err) printf("# %s\n", cases[i].text);
        CHECK_EQ(err, cases[i].err);
    }
    CHECK_EQ(skip("1\0", 2), TERN_ERR_MALFORMED);
    CHECK_EQ(skip("\0", 1), TERN_ERR_MALFORMED);
}

static void string__resolves_escapes(void) {
    static const char text[] = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u0041\\u00E9\\u20ac\\uD83D\\uDE01\xe2\x82\xac\"";
    static const char want[] = "\"\\/\b\f\n\r\t\0A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x81\xe2\x82\xac";
    json_scan s = scan_of(text, sizeof text - 1);
    tern_str out;
    CHECK(tern__json_string(&s, false, &out));
    done(&s);
    CHECK_EQ(out.len, sizeof want - 1);
    CHECK_MEM(out.data, want, out.len);
}

static void string__is_copied_to_be_kept(void) {
    json_scan s = scan_of("\"plain\" \"plain\" \"\"", 18);
    tern_str view, kept, empty;
    CHECK(tern__json_string(&s, false, &view) && tern__json_string(&s, true, &kept));
    CHECK(tern__json_string(&s, true, &empty) && tern__json_end(&s));
    CHECK(view.data == s.begin + 1);
    CHECK(kept.data < s.begin || kept.data >= s.end);
    CHECK(tern_str_eq(view, kept));
    CHECK_EQ(empty.len, 0);
    done(&s);
    s = scan_of("\"plain\"", 7);
    arena.fail_countdown = 1;
    CHECK(!tern__json_string(&s, true, &kept));
    CHECK_EQ(s.err, TERN_ERR_NOMEM);
    done(&s);
}

static void error__says_where(void) {
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {{"[1, 2, x]", 7}, {"{\"a\" 1}", 5}, {"[1 2]", 3}, {"[\"a\\qb\"]", 4}, {"1 x", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_scan s = scan_of(cases[i].text, strlen(cases[i].text));
        CHECK(!(tern__json_skip(&s) && tern__json_end(&s)));
        CHECK_EQ(s.at - s.begin, cases[i].at);
        CHECK(s.why && *s.why);
        done(&s);
    }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(skip__takes_json), TEST(skip__refuses_what_is_not),
                                     TEST(string__resolves_escapes), TEST(string__is_copied_to_be_kept),
                                     TEST(error__says_where)};
    tern_arena_init(&arena, 0, 0);
    int rc = tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
    tern_arena_fini(&arena);
    return rc;
}

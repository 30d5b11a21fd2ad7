/* The trace parser on good lines, odd ones and hostile ones. */
#include "../../../apps/kv/trace.h"
#include "../../../apps/kv/utf8.h"

#include "tap.h"

static int parse(const char *line, trace_op *op) { return trace_parse_line(line, strlen(line), op); }

static void parse_line__get(void) {
    trace_op op;
    CHECK_EQ(parse("17,abc,67,2439,12,get,0", &op), 0);
    CHECK_EQ(op.at_ns, 17000000000);
    CHECK(tern_str_eq(op.key, tern_str_of("abc")));
    CHECK_EQ(op.key_bytes, 67);
    CHECK_EQ(op.value_bytes, 2439);
    CHECK_EQ(op.verb, TRACE_GET);
}

static void parse_line__verbs(void) {
    static const struct {
        const char *line;
        int err;
        trace_verb verb;
    } cases[] = {
        {"0,k,1,1,1,gets,0", 0, TRACE_GET},
        {"0,k,1,1,1,set,60", 0, TRACE_PUT},
        {"0,k,1,1,1,add,60", 0, TRACE_PUT},
        {"0,k,1,1,1,incr,60", 0, TRACE_PUT},
        {"0,k,1,0,1,delete,0", 0, TRACE_DELETE},
        {"0,k,1,0,1,flush_all,0", TERN_ERR_UNSUPPORTED, TRACE_GET},
        {"0,k,1,0,1,,0", TERN_ERR_UNSUPPORTED, TRACE_GET},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trace_op op;
        int err = parse(cases[i].line, &op);
        CHECK_EQ(err, cases[i].err);
        if (!err) CHECK_EQ(op.verb, cases[i].verb);
    }
}

static void parse_line__key_with_commas(void) {
    trace_op op;
    CHECK_EQ(parse("3,a,b,,c,7,8,9,set,60", &op), 0);
    CHECK(tern_str_eq(op.key, tern_str_of("a,b,,c")));
    CHECK_EQ(op.key_bytes, 7);
}

static void parse_line__fraction_and_carriage_return(void) {
    trace_op op;
    CHECK_EQ(parse("1.25,k,1,1,1,get,0\r", &op), 0);
    CHECK_EQ(op.at_ns, 1250000000);
}

static void parse_line__hostile(void) {
    static const char *const lines[] = {
        "",
        ",",
        ",,,,,,",
        "time,key,ksize,vsize,client,op,ttl",
        "1,k,1,1,1,get",
        "1,,1,1,1,get,0",
        "-1,k,1,1,1,get,0",
        "1e9,k,1,1,1,get,0",
        "1.,k,1,1,1,get,0",
        "1.0000000001,k,1,1,1,get,0",
        "99999999999999999999999,k,1,1,1,get,0",
        "1,k,1025,1,1,get,0",
        "1,k,1,33554433,1,get,0",
        "1,k,1,18446744073709551617,1,get,0",
        "1,k,1, 5,1,get,0",
        "1,k,1,5,x,get,0",
        "1,k,1,5,1,get,never",
        "1,\xff\xfe,1,5,1,get,0",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        trace_op op;
        CHECK_EQ(parse(lines[i], &op), TERN_ERR_MALFORMED);
    }
}

static int load(trace *t, const char *text, size_t len, size_t max_ops) {
    FILE *in = fmemopen((void *)(uintptr_t)text, len, "r");
    if (!in) return TERN_ERR_NOMEM;
    int err = trace_load(t, in, max_ops);
    fclose(in);
    return err;
}

static void load__counts_and_spreads(void) {
    static const char text[] = "time,key,ksize,vsize,client,op,ttl\n"
                               "100,a,1,10,1,get,0\n100,b,4,10,1,set,0\n\n100,c,1,10,1,wat,0\n"
                               "101,d,1,10,1,get,0\n100,e,1,10,1,get,0\n105,f,1,10,1,get,0";
    trace t;
    CHECK_EQ(load(&t, text, strlen(text), 100), 0);
    CHECK_EQ(t.n_ops, 5);
    CHECK_EQ(t.n_malformed, 1);
    CHECK_EQ(t.n_unsupported, 1);
    CHECK(!t.cut);
    static const uint64_t at[] = {0, 500000000, 1000000000, 1500000000, 5000000000};
    for (size_t i = 0; i < t.n_ops; i++) CHECK_EQ(t.ops[i].at_ns, at[i]);
    CHECK(tern_str_eq(t.ops[1].key, tern_str_of("b...")));
    trace_fini(&t);
}

static void load__stops_at_max_ops(void) {
    static const char text[] = "1,a,1,1,1,get,0\n1,a,1,1,1,get,0\n1,a,1,1,1,get,0\n";
    trace t;
    CHECK_EQ(load(&t, text, strlen(text), 2), 0);
    CHECK_EQ(t.n_ops, 2);
    CHECK(t.cut);
    trace_fini(&t);
}

static void load__overlong_line_and_nul_bytes(void) {
    static const char tail[] = "\n1,a\0b,1,1,1,get,0\n\0\n2,z,1,1,1,get,0\n";
    size_t head_len = TRACE_MAX_LINE_BYTES + 1, len = head_len + sizeof tail - 1;
    char *text = malloc(len);
    CHECK(text);
    memset(text, 'x', head_len);
    memcpy(text + head_len, tail, sizeof tail - 1);
    trace t;
    int err = load(&t, text, len, 100);
    free(text);
    CHECK_EQ(err, 0);
    CHECK_EQ(t.n_malformed, 2);
    CHECK_EQ(t.n_ops, 2);
    CHECK_EQ(t.ops[0].key.len, 3);
    trace_fini(&t);
}

/* Input that never comes to an end, or to an op: a device, a pipe from `yes`. */
static void load__no_trace_at_all(void) {
    size_t len = (size_t)TRACE_MAX_SKIP_BYTES + 16;
    char *text = calloc(1, len);
    CHECK(text);
    trace t;
    CHECK_EQ(load(&t, text, len, 100), TERN_ERR_LIMIT);
    trace_fini(&t);
    text[TRACE_MAX_SKIP_BYTES] = '\n'; /* just within */
    CHECK_EQ(load(&t, text, len, 100), 0);
    CHECK_EQ(t.n_malformed, 2);
    trace_fini(&t);
    free(text);
    static const char *const devices[] = {"/dev/zero", "/dev/full"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        FILE *in = fopen(devices[i], "r");
        if (!in) continue;
        CHECK_EQ(trace_load(&t, in, 100), TERN_ERR_LIMIT);
        fclose(in);
        trace_fini(&t);
    }
}

static void load__lines_without_an_op(void) {
    size_t len = (size_t)TRACE_MAX_SKIP_LINES + 1;
    char *text = malloc(len);
    CHECK(text);
    memset(text, '\n', len);
    trace t;
    CHECK_EQ(load(&t, text, len - 1, 100), 0);
    trace_fini(&t);
    CHECK_EQ(load(&t, text, len, 100), TERN_ERR_LIMIT);
    trace_fini(&t);
    free(text);
}

static void load__empty(void) {
    trace t;
    CHECK_EQ(load(&t, "\n", 1, 100), 0);
    CHECK_EQ(t.n_ops, 0);
    trace_fini(&t);
}

static void utf8__accepts_and_refuses(void) {
    static const struct {
        const char *text;
        bool valid;
    } cases[] = {
        {"", true},
        {"plain", true},
        {"\xc3\xa9", true},
        {"\xf0\x9f\x90\xa6", true},
        {"\xc3", false},
        {"\xc0\xaf", false},
        {"\xe0\x80\x80", false},
        {"\xed\xa0\x80", false},
        {"\x80", false},
        {"\xf4\x90\x80\x80", false},
        {"a\xff", false},
        {"\xed\x9f\xbf", true},
        {"\xf5\x80\x80\x80", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_EQ(utf8_valid(cases[i].text, strlen(cases[i].text)), cases[i].valid);
}

TAP_MAIN(TEST(parse_line__get), TEST(parse_line__verbs), TEST(parse_line__key_with_commas),
         TEST(parse_line__fraction_and_carriage_return), TEST(parse_line__hostile), TEST(load__counts_and_spreads),
         TEST(load__stops_at_max_ops), TEST(load__overlong_line_and_nul_bytes), TEST(load__empty),
         TEST(load__no_trace_at_all), TEST(load__lines_without_an_op), TEST(utf8__accepts_and_refuses))

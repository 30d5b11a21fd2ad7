/* Metadata of streaming calls and what their errors bring, as a user of tern sees them: over every port, of every kind
 * of stream, for who waits and for who is told. */
#include "tap.h"

#include "engine/engine_record.h"
#include "engine/stream_client.h"
#include "rpc/client.h"
#include "rpc/metadata.h"
#include "rpc/stream_record.h"
#include "server_thread.h"
#include "streaming.tern.h"
#include "tern/call_stream.h"

enum { RAW_METHOD = 0x77, ABSENT_METHOD = 0x1234, LARGE = 6000, LIMIT = 8 << 10, KINDS = 4 };

static const char trace_id[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
static uint8_t large[LARGE];

static tern_bytes text(const char *s) { return (tern_bytes){s, strlen(s)}; }
static bool is(tern_bytes got, const void *data, size_t len) {
    return got.data && got.len == len && memcmp(got.data, data, len) == 0;
}
static bool is_text(tern_bytes got, const char *want) { return is(got, want, strlen(want)); }
static bool says(const tern_result *r, const char *want) {
    tern_str message = tern_result_message(r);
    return is_text((tern_bytes){message.data, message.len}, want);
}

/* ---- The server ---------------------------------------------------------------------------------- */

/* What the client sent comes back: its metadata as trailing metadata, in order. */
static void send_back(tern_stream s) {
    tern_metadata metadata = tern_stream_metadata(s);
    tern_str key;
    tern_bytes value;
    for (size_t at = 0; tern_metadata_next(metadata, &at, &key, &value);) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)key.len, key.data);
        CHECK_EQ(tern_stream_add_trailing(s, name, value), 0);
    }
    CHECK_EQ(tern_stream_add_trailing(s, "K", text("v")), TERN_ERR_INVALID);
}

static bool is_wanted(tern_stream s, const char *end) {
    return is_text(tern_metadata_find(tern_stream_metadata(s), "end"), end);
}

/* In the way that the call's metadata ask for. */
static void end_as_wanted(tern_stream s) {
    tern_pair pairs[] = {{"retry", text("soon")}, {"b", {large, 10}}};
    tern_pair bad = {"K", text("v")};
    if (is_wanted(s, "end"))
        CHECK_EQ(tern_stream_end(s, TERN_STATUS_ABORTED), 0);
    else if (is_wanted(s, "fail"))
        CHECK_EQ(tern_stream_fail(s, TERN_STATUS_ABORTED), 0);
    else if (is_wanted(s, "end_with"))
        CHECK_EQ(tern_stream_end_with(s, TERN_STATUS_NOT_FOUND, "no such key", text("details\n"), pairs, 2), 0);
    else if (is_wanted(s, "fail_with"))
        CHECK_EQ(tern_stream_fail_with(s, TERN_STATUS_NOT_FOUND, "no such key", text("details\n"), pairs, 2), 0);
    else if (is_wanted(s, "too_large"))
        CHECK_EQ(tern_stream_end_with(s, TERN_STATUS_OK, "kept", (tern_bytes){large, LARGE}, pairs, 2), TERN_ERR_LIMIT);
    else if (is_wanted(s, "no_text"))
        CHECK_EQ(tern_stream_end_with(s, TERN_STATUS_NOT_FOUND, "\xe9", text("details\n"), pairs, 2), TERN_ERR_UTF8);
    else if (is_wanted(s, "alone"))
        CHECK_EQ(tern_stream_fail(s, TERN_STATUS_CANCELLED), 0);
    else
        CHECK_EQ(tern_stream_end_with(s, TERN_STATUS_ABORTED, "kept", (tern_bytes){0}, &bad, 1), TERN_ERR_INVALID);
}

/* Whether metadata ask for an end; what came goes back in either case. */
static bool ends_otherwise(tern_stream s) {
    bool replies = !tern_metadata_find(tern_stream_metadata(s), "end").data;
    if (!is_wanted(s, "alone")) send_back(s);
    if (!replies) end_as_wanted(s);
    return !replies;
}

static void down(tern_stream s, const test_streaming_Piece *request, void *user) {
    (void)user;
    static const test_streaming_Mixed_Down_server_events events;
    CHECK_EQ(test_streaming_Mixed_Down_accept(s, NULL, &events, NULL), 0);
    for (int i = 0; i < 3; i++) CHECK_EQ(test_streaming_Mixed_Down_write_response(s, request), 0);
    if (!ends_otherwise(s)) CHECK_EQ(tern_stream_end(s, TERN_STATUS_OK), 0);
}

static void up_finished(tern_stream s, void *user) {
    (void)user;
    test_streaming_Piece response = {.data = text("all")};
    if (!ends_otherwise(s)) CHECK_EQ(test_streaming_Mixed_Up_reply(s, &response), 0);
}

static void up(tern_stream s, void *user) {
    (void)user;
    static const test_streaming_Mixed_Up_server_events events = {.on_finished = up_finished};
    CHECK_EQ(test_streaming_Mixed_Up_accept(s, NULL, &events, NULL), 0);
}

static void both_message(tern_stream s, const test_streaming_Piece *request, void *user) {
    (void)user;
    CHECK_EQ(test_streaming_Mixed_Both_write_response(s, request), 0);
}

static void both_finished(tern_stream s, void *user) {
    (void)user;
    if (!ends_otherwise(s)) CHECK_EQ(tern_stream_end(s, TERN_STATUS_OK), 0);
}

static void both(tern_stream s, void *user) {
    (void)user;
    static const test_streaming_Mixed_Both_server_events events = {.on_message = both_message,
                                                                   .on_finished = both_finished};
    CHECK_EQ(test_streaming_Mixed_Both_accept(s, NULL, &events, NULL), 0);
}

static void raw_data(tern_stream s, const void *data, size_t len, void *user) {
    (void)user;
    CHECK_EQ(tern_stream_write(s, (tern_bytes){data, len}), 0);
}

static void raw(tern_stream s, void *user) {
    (void)user;
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = raw_data, .on_finished = both_finished);
    CHECK_EQ(tern_stream_accept(s, NULL, &events, NULL), 0);
}

static int set_up(tern_endpoint *ep, void *user) {
    (void)user;
    test_streaming_Mixed_handlers handlers = {.Up = up, .Down = down, .Both = both};
    int err = test_streaming_Mixed_serve(ep, &handlers, NULL);
    return err ? err : tern_serve_stream(ep, RAW_METHOD, raw, NULL);
}

/* ---- The client ---------------------------------------------------------------------------------- */

typedef struct bench {
    server s;
    tern_endpoint *ep;
    tern_session *session;
    uint64_t live_before;
} bench;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static bool begin(bench *b, const char *address, const tern_endpoint_config *config) {
    *b = (bench){.s = {.listen_at = address, .set_up = set_up}, .live_before = live_buffers()};
    for (size_t i = 0; i < sizeof large; i++) large[i] = (uint8_t)(i * 3);
    return server_start(&b->s) && tern_endpoint_new(config, &b->ep) == 0 &&
           tern_connect(b->ep, b->s.address, &b->session) == 0;
}

static void end(bench *b) {
    tern_endpoint_free(b->ep);
    CHECK_EQ(server_stop(&b->s), 0);
    CHECK_EQ(live_buffers(), b->live_before);
}

/* What the on_end of a call saw. */
typedef struct outcome {
    tern_endpoint *ep;
    unsigned n_ends, n_messages;
    int status;
    char message[64];
    bool has_result, has_trace, has_large;
} outcome;

static void on_message(tern_stream s, const test_streaming_Piece *response, void *user) {
    (void)s, (void)response;
    outcome *o = user;
    o->n_messages++;
    CHECK(tern_call_result(o->ep) == NULL);
}

static void on_data(tern_stream s, const void *data, size_t len, void *user) {
    (void)s, (void)data, (void)len;
    CHECK(tern_call_result(((outcome *)user)->ep) == NULL);
}

static void on_end(tern_stream s, int status, void *user) {
    outcome *o = user;
    const tern_result *r = tern_call_result(o->ep);
    tern_metadata m = tern_result_metadata(r);
    tern_str message = tern_result_message(r);
    o->n_ends++;
    o->status = status;
    o->has_result = r != NULL;
    o->has_trace = is_text(tern_metadata_find(m, "traceparent"), trace_id);
    o->has_large = is(tern_metadata_find(m, "large"), large, LARGE);
    snprintf(o->message, sizeof o->message, "%.*s", (int)message.len, message.len ? message.data : "");
    CHECK_EQ(tern_result_status(r), status);
    CHECK(tern_stream_metadata(s).n_bytes == 0);
    CHECK_EQ(tern_stream_add_trailing(s, "k", text("v")), TERN_ERR_STATE);
}

/* One call of each kind: client-, server-, bidi-streaming and raw. */
static int start(bench *b, int kind, const tern_stream_opts *opts, outcome *o, tern_stream *s) {
    static const test_streaming_Piece piece = {.data = {large, 100}};
    static const test_streaming_Mixed_Up_events of_up = {.on_message = on_message, .on_end = on_end};
    static const test_streaming_Mixed_Down_events of_down = {.on_message = on_message, .on_end = on_end};
    static const test_streaming_Mixed_Both_events of_both = {.on_message = on_message, .on_end = on_end};
    const tern_stream_events of_raw = TERN_STREAM_EVENTS(.on_data = on_data, .on_end = on_end);
    *o = (outcome){.ep = b->ep};
    int err = kind == 0   ? test_streaming_Mixed_Up(b->session, opts, &of_up, o, s)
              : kind == 1 ? test_streaming_Mixed_Down(b->session, &piece, opts, &of_down, o, s)
              : kind == 2 ? test_streaming_Mixed_Both(b->session, opts, &of_both, o, s)
                          : tern_stream_start(b->session, RAW_METHOD, opts, &of_raw, o, s);
    if (err || kind == 1) return err;
    err = kind == 0   ? test_streaming_Mixed_Up_write_request(*s, &piece)
          : kind == 2 ? test_streaming_Mixed_Both_write_request(*s, &piece)
                      : tern_stream_write(*s, (tern_bytes){large, 100});
    return err ? err : tern_stream_finish(*s);
}

static int call(bench *b, int kind, const tern_pair *pairs, size_t n, outcome *o, const tern_result **result) {
    tern_stream s = {0};
    tern_stream_opts opts = TERN_STREAM_OPTS(.metadata = pairs, .n_metadata = n, .timeout = 20 * TERN_SEC);
    int err = start(b, kind, &opts, o, &s);
    if (err) return err;
    int status = tern_stream_wait_result(s, result);
    bool right = o->n_ends == 1 && o->status == status && (!result || o->has_result == (*result != NULL));
    return right ? status : -100;
}

static const tern_pair trace = {"traceparent", {trace_id, sizeof trace_id - 1}};

static void check_replies(bench *b, int kind) {
    tern_pair pairs[] = {trace, {"large", {large, LARGE}}};
    const tern_result *r;
    outcome o;
    CHECK_EQ(call(b, kind, NULL, 0, &o, &r), TERN_STATUS_OK);
    CHECK(!r);
    for (size_t n = 1; n <= 2; n++) {
        CHECK_EQ(call(b, kind, pairs, n, &o, &r), TERN_STATUS_OK);
        CHECK_EQ(tern_result_status(r), TERN_STATUS_OK);
        CHECK(tern_result_message(r).len == 0 && tern_result_details(r).data == NULL);
        CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id) && o.has_trace);
        CHECK(is(tern_metadata_find(tern_result_metadata(r), "large"), large, LARGE) == (n == 2));
        CHECK(o.has_large == (n == 2));
        CHECK_EQ(o.n_messages, kind == 3 ? 0 : kind == 1 ? 3 : 1);
        tern_result_free(r);
        CHECK_EQ(call(b, kind, pairs, n, &o, NULL), TERN_STATUS_OK);
    }
}

static void check_errors(bench *b, int kind) {
    static const struct {
        const char *end, *message;
        int status;
        bool has_details, has_trace;
    } rows[] = {{"end", "", TERN_STATUS_ABORTED, false, true},
                {"fail", "", TERN_STATUS_ABORTED, false, true},
                {"end_with", "no such key", TERN_STATUS_NOT_FOUND, true, true},
                {"fail_with", "no such key", TERN_STATUS_NOT_FOUND, true, true},
                {"no_text", "", TERN_STATUS_NOT_FOUND, true, true},
                {"too_large", "kept", TERN_STATUS_UNKNOWN, false, false},
                {"alone", "", TERN_STATUS_CANCELLED, false, false},
                {"bad_key", "kept", TERN_STATUS_ABORTED, false, false}};
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        tern_pair pairs[] = {{"end", text(rows[i].end)}, trace, {"large", {large, 2400}}};
        const tern_result *r;
        outcome o;
        CHECK_EQ(call(b, kind, pairs, 3, &o, &r), rows[i].status);
        CHECK_EQ(tern_result_status(r), rows[i].status);
        CHECK(says(r, rows[i].message) || (!rows[i].message[0] && !tern_result_message(r).len));
        CHECK(strcmp(o.message, rows[i].message) == 0);
        CHECK(is_text(tern_result_details(r), "details\n") == rows[i].has_details);
        CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "retry"), "soon") == rows[i].has_details);
        CHECK_EQ(o.has_trace, rows[i].has_trace);
        tern_result_free(r);
        if (tap_failed) printf("# kind %d, %s\n", kind, rows[i].end);
        CHECK_OK();
    }
}

static void streams__over_every_port(void) {
    for (int port = 0; port < 4; port++) {
        bench b;
        CHECK(begin(&b, server_addresses()[port], NULL));
        CHECK_OK();
        for (int kind = 0; kind < KINDS; kind++) {
            check_replies(&b, kind);
            check_errors(&b, kind);
            CHECK_OK();
        }
        end(&b);
        CHECK_OK();
    }
}

static void streams__metadata_that_is_not_sent(void) {
    static const tern_pair bad = {"Key", {"v", 1}}, twice[] = {{"k", {large, LARGE}}, {"k", {large, LARGE}}};
    bench b;
    CHECK(begin(&b, server_addresses()[2], NULL));
    CHECK_OK();
    for (int kind = 0; kind < KINDS; kind++) {
        outcome o;
        CHECK_EQ(call(&b, kind, &bad, 1, &o, NULL), TERN_ERR_INVALID);
        CHECK_EQ(call(&b, kind, NULL, 1, &o, NULL), TERN_ERR_INVALID);
        CHECK_EQ(call(&b, kind, twice, 2, &o, NULL), TERN_ERR_LIMIT);
        CHECK_EQ(o.n_ends, 0);
        CHECK_EQ(call(&b, kind, &trace, 1, &o, NULL), TERN_STATUS_OK);
    }
    end(&b);
}

/* The client takes more than its server: the call ends before its handler; and the other way round. */
static void streams__metadata_beyond_the_peers_limit(void) {
    for (int is_less = 0; is_less < 2; is_less++) {
        bench b;
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.max_metadata_bytes = is_less ? 64 : 4 * LIMIT;
        CHECK(begin(&b, server_addresses()[0], &config));
        CHECK_OK();
        tern_pair pairs[] = {{"end", text("end_with")}, {"x", {large, LARGE}}, {"y", {large, LARGE}}};
        const tern_result *r;
        outcome o;
        size_t n = is_less ? 1 : 3;
        CHECK_EQ(call(&b, 3, pairs, n, &o, &r), is_less ? TERN_STATUS_NOT_FOUND : TERN_STATUS_RESOURCE_EXHAUSTED);
        CHECK(says(r, is_less ? "the metadata of the server's answer is beyond the limit"
                              : "the request's metadata is beyond the server's limit"));
        CHECK(tern_metadata_find(tern_result_metadata(r), "retry").data == NULL);
        tern_result_free(r);
        CHECK_EQ(call(&b, 3, &trace, 0, &o, &r), TERN_STATUS_OK);
        end(&b);
        CHECK_OK();
    }
}

/* Ends that the server has not brought about, or not its handler. */
static void streams__that_tern_ends_say_why(void) {
    bench b;
    tern_stream s;
    const tern_result *r;
    outcome o;
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
    CHECK(begin(&b, server_addresses()[1], NULL));
    CHECK_OK();
    o = (outcome){.ep = b.ep};
    CHECK_EQ(tern_stream_start(b.session, ABSENT_METHOD, NULL, &events, &o, &s), 0);
    CHECK_EQ(tern_stream_wait_result(s, &r), TERN_STATUS_UNIMPLEMENTED);
    CHECK(says(r, "the server serves no such method"));
    tern_result_free(r);

    o = (outcome){.ep = b.ep};
    CHECK_EQ(tern_stream_start(b.session, RAW_METHOD, NULL, &events, &o, &s), 0);
    CHECK_EQ(tern_stream_cancel(s), 0);
    CHECK_EQ(tern_stream_wait_result(s, &r), TERN_STATUS_CANCELLED);
    CHECK(says(r, "the caller cancelled the call"));
    tern_result_free(r);

    tern_stream_opts opts = TERN_STREAM_OPTS(.timeout = 5 * TERN_MS);
    o = (outcome){.ep = b.ep};
    CHECK_EQ(tern_stream_start(b.session, RAW_METHOD, &opts, &events, &o, &s), 0);
    CHECK_EQ(tern_stream_wait_result(s, &r), TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(says(r, "the deadline passed before the response came"));
    tern_result_free(r);

    /* What is no message of the method. */
    o = (outcome){.ep = b.ep};
    CHECK_EQ(tern_stream_start(b.session, test_streaming_Mixed_Down_method.id, NULL, &events, &o, &s), 0);
    CHECK_EQ(tern_stream_write(s, (tern_bytes){"\1\0\0\0\2\377", 6}), 0);
    CHECK_EQ(tern_stream_finish(s), 0);
    CHECK_EQ(tern_stream_wait_result(s, &r), TERN_STATUS_INVALID_ARGUMENT);
    CHECK(says(r, "the message does not decode: the types differ, or the bytes are damaged"));
    tern_result_free(r);
    CHECK_EQ(tern_stream_wait_result(s, &r), TERN_ERR_STALE);
    CHECK(r == NULL);
    end(&b);
}

/* The call has ended, and its response waits for its reader: the result does, too, also until the endpoint goes. */
static tern__stream_record *record_of(tern_stream stream) {
    return (tern__stream_record *)tern__handles_find(&stream.ep->stream_handles, stream.id);
}

static void result__waits_for_the_reader(void) {
    for (int resumes = 0; resumes < 2; resumes++) {
        bench b;
        tern_stream s;
        const tern_result *r;
        outcome o;
        tern_pair pairs[] = {{"end", text("end_with")}, trace, {"x", {large, 2400}}};
        tern_stream_opts opts = TERN_STREAM_OPTS(.metadata = pairs, .n_metadata = 3);
        CHECK(begin(&b, server_addresses()[1], NULL));
        CHECK_OK();
        CHECK_EQ(start(&b, 2, &opts, &o, &s), 0);
        CHECK_EQ(tern_stream_pause(s), 0);
        for (tern_time until = b.ep->now + 10 * (tern_time)TERN_SEC; record_of(s)->st && b.ep->now < until;)
            tern_poll(b.ep);
        CHECK(!record_of(s)->st && record_of(s)->block);
        CHECK_EQ(o.n_ends, 0);
        if (resumes) {
            CHECK_EQ(tern_stream_resume(s), 0);
            CHECK_EQ(tern_stream_wait_result(s, &r), TERN_STATUS_NOT_FOUND);
            CHECK(says(r, "no such key"));
            tern_result_free(r);
        }
        CHECK_EQ(b.ep->engine->held > 0, !resumes);
        end(&b);
        CHECK_EQ(o.n_ends, 1);
        CHECK_EQ(o.status, TERN_STATUS_NOT_FOUND);
        CHECK(o.has_trace && strcmp(o.message, "no such key") == 0);
        CHECK_OK();
    }
}

/* What comes in the block of a hostile client reaches no handler. */
static void hostile__metadata_reaches_no_handler(void) {
    static const struct {
        uint32_t first, value_bytes;
        int status;
    } rows[] = {
        {1, 0, TERN_STATUS_OK},
        {0, 0, TERN_STATUS_INVALID_ARGUMENT},
        {1, 0xfffffff0, TERN_STATUS_INVALID_ARGUMENT},
        {40, 0, TERN_STATUS_INVALID_ARGUMENT},
        {1 | 1 << 16, 0, TERN_STATUS_INVALID_ARGUMENT},
    };
    bench b;
    outcome o;
    CHECK(begin(&b, server_addresses()[2], NULL));
    CHECK_OK();
    CHECK_EQ(call(&b, 3, NULL, 0, &o, NULL), TERN_STATUS_OK);
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        uint64_t block[2] = {rows[i].first | (uint64_t)rows[i].value_bytes << 32, 'k'};
        tern_stream s;
        const tern_result *r;
        const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
        o = (outcome){.ep = b.ep};
        CHECK_EQ(tern_stream_start(b.session, RAW_METHOD, NULL, &events, &o, &s), 0);
        tern__stream_record *record = record_of(s);
        tern__stream_abort(record->st, 0, b.ep->now);
        tern__stream_opts opts = {.block = {block, sizeof block}};
        CHECK_EQ(tern__stream_open(b.session->cs, RAW_METHOD, &opts, record, b.ep->now, &record->st), 0);
        CHECK_EQ(tern_stream_finish(s), 0);
        CHECK_EQ(tern_stream_wait_result(s, &r), rows[i].status);
        CHECK(rows[i].status == TERN_STATUS_OK || says(r, "the request's metadata is malformed"));
        tern_result_free(r);
        CHECK_OK();
    }
    end(&b);
}

TAP_MAIN(TEST(streams__over_every_port), TEST(streams__metadata_that_is_not_sent),
         TEST(streams__metadata_beyond_the_peers_limit), TEST(streams__that_tern_ends_say_why),
         TEST(result__waits_for_the_reader), TEST(hostile__metadata_reaches_no_handler))

/* Metadata of calls and what errors bring, as a user of tern sees them: over every port, from the endpoint's thread and
 * from workers, in calls that wait and in continuations. */
#include "tap.h"

#include <errno.h>

#include "echo.tern.h"
#include "rpc/client.h"
#include "rpc/metadata.h"
#include "server_thread.h"

enum { ABSENT_METHOD = 0x1234, RAW_METHOD = 0x77, LARGE = 6000, LIMIT = 8 << 10 };

static const char trace_id[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
static uint8_t large[LARGE];

typedef struct bench {
    tern_workers *pool;
    server s;
    tern_endpoint *ep; /* the client */
    tern_session *session, *to_self;
    tern_endpoint_config config;
    uint64_t live_before;
} bench;

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
static void send_back(tern_call call) {
    tern_metadata metadata = tern_call_metadata(call);
    tern_str key;
    tern_bytes value;
    for (size_t at = 0; tern_metadata_next(metadata, &at, &key, &value);) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)key.len, key.data);
        CHECK_EQ(tern_call_add_trailing(call, name, value), 0);
    }
}

/* By the request's id: how it ends. */
enum { REPLY, FAIL_WITH, FAIL, NO_RESPONSE, FAIL_LARGE, FAIL_TOO_LARGE, FAIL_BAD_KEY, FAIL_NO_TEXT, NEST, NO_TEXT };

static void fail_as(tern_call call, uint32_t id) {
    tern_pair pairs[] = {{"retry", text("soon")}, {"b", {large, id == FAIL_LARGE ? 2000 : 10}}};
    char long_message[5000];
    memset(long_message, 'w', sizeof long_message - 1);
    if (id == FAIL_WITH)
        CHECK_EQ(tern_fail_with(call, TERN_STATUS_NOT_FOUND, "no such key", text("details\n"), pairs, 2), 0);
    else if (id == FAIL_LARGE)
        CHECK_EQ(tern_fail_with(call, TERN_STATUS_ABORTED, long_message, (tern_bytes){large, 5000}, pairs, 2), 0);
    else if (id == FAIL_TOO_LARGE)
        CHECK_EQ(tern_fail_with(call, TERN_STATUS_ABORTED, "kept", (tern_bytes){large, LIMIT}, pairs, 2),
                 TERN_ERR_LIMIT);
    else if (id == FAIL_NO_TEXT)
        CHECK_EQ(tern_fail_with(call, TERN_STATUS_ABORTED, "caf\xe9", text("details\n"), pairs, 2), TERN_ERR_UTF8);
    else
        CHECK_EQ(tern_fail_with(call, TERN_STATUS_ABORTED, "kept", (tern_bytes){0}, &(tern_pair){"K", text("v")}, 1),
                 TERN_ERR_INVALID);
}

static void nest(tern_call call, const echo_Blob *request, bench *b) {
    const tern_result *result;
    const echo_Blob *inner;
    tern_pair pair = {"traceparent", tern_metadata_find(tern_call_metadata(call), "traceparent")};
    tern_call_opts opts = TERN_CALL_OPTS(.metadata = &pair, .n_metadata = 1, .result = &result);
    echo_Blob ask = {.id = request->data.len ? FAIL_WITH : REPLY};
    int status = echo_Echo_Echo_wait(b->to_self, &ask, &opts, &inner);
    CHECK_EQ(status, ask.id == REPLY ? TERN_STATUS_OK : TERN_STATUS_NOT_FOUND);
    CHECK(is_text(tern_metadata_find(tern_result_metadata(result), "traceparent"), trace_id) == (ask.id == REPLY));
    CHECK(ask.id == REPLY || says(result, "no such key"));
    tern_result_free(result);
    tern_release(inner);
    echo_Echo_Later_reply(call, request);
}

static void echo(tern_call call, const echo_Blob *request, void *user) {
    if (request->id == NEST) {
        nest(call, request, user);
        return;
    }
    if (request->id != FAIL_WITH) send_back(call);
    if (request->id == REPLY)
        CHECK_EQ(echo_Echo_Echo_reply(call, request), 0);
    else if (request->id == FAIL)
        CHECK_EQ(tern_fail(call, TERN_STATUS_ABORTED), 0);
    else if (request->id == NO_TEXT)
        CHECK_EQ(echo_Echo_Echo_reply(call, &(echo_Blob){.name = {"caf\xe9", 4}}), 0);
    else if (request->id == NO_RESPONSE)
        CHECK_EQ(tern_reply(call, NULL), TERN_ERR_INVALID);
    else
        fail_as(call, request->id);
}

static void raw(tern_call call, const void *request, void *user) {
    (void)user;
    send_back(call);
    CHECK_EQ(tern_reply_raw(call, *(const tern_bytes *)request), 0);
}

static void silent(tern_call call, const echo_Blob *request, void *user) { (void)call, (void)request, (void)user; }

static int set_up(tern_endpoint *ep, void *user) {
    bench *b = user;
    echo_Echo_handlers handlers = {.Echo = echo};
    int err = b->pool ? echo_Echo_serve_on(ep, &handlers, b, b->pool) : echo_Echo_serve(ep, &handlers, b);
    echo_Echo_handlers later = {.Later = b->pool ? silent : NULL};
    if (!err && b->pool) err = echo_Echo_serve_on(ep, &later, b, b->pool);
    if (!err) err = tern_serve_raw_on(ep, RAW_METHOD, raw, b, b->pool);
    return err;
}

static void connect_to_self(void *user) {
    bench *b = user;
    CHECK_EQ(tern_connect(b->s.ep, b->s.address, &b->to_self), 0);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static bool begin(bench *b, const char *address, bool workers) {
    *b = (bench){.s = {.listen_at = address, .set_up = set_up, .user = b}, .live_before = live_buffers()};
    tern_endpoint_config_init(&b->config);
    for (size_t i = 0; i < sizeof large; i++) large[i] = (uint8_t)(i * 3);
    if (workers && tern_workers_new(NULL, &b->pool) != 0) return false;
    return server_start(&b->s) && tern_endpoint_new(&b->config, &b->ep) == 0 &&
           tern_connect(b->ep, b->s.address, &b->session) == 0;
}

static void end(bench *b) {
    tern_endpoint_free(b->ep);
    CHECK_EQ(server_stop(&b->s), 0);
    CHECK_EQ(tern_workers_free(b->pool), 0);
    CHECK_EQ(live_buffers(), b->live_before);
}

/* ---- Calls that wait ----------------------------------------------------------------------------- */

static const tern_pair some[] = {
    {"traceparent", {trace_id, sizeof trace_id - 1}}, {"large", {large, LARGE}}, {"empty", {"", 0}}};

static int call(bench *b, uint32_t id, size_t bytes, const tern_pair *pairs, size_t n, const tern_result **result) {
    const echo_Blob *response;
    echo_Blob request = {.id = id, .data = {large, bytes}};
    tern_call_opts opts =
        TERN_CALL_OPTS(.metadata = pairs, .n_metadata = n, .result = result, .timeout = 20 * TERN_SEC);
    int status = echo_Echo_Echo_wait(b->session, &request, &opts, &response);
    bool right = response ? response->data.len == bytes && (!bytes || is(response->data, large, bytes))
                          : status != TERN_STATUS_OK;
    tern_release(response);
    return right ? status : -100;
}

static void check_some(const tern_result *r) {
    tern_metadata m = tern_result_metadata(r);
    CHECK(is_text(tern_metadata_find(m, "traceparent"), trace_id));
    CHECK(is(tern_metadata_find(m, "large"), large, LARGE));
    CHECK(is_text(tern_metadata_find(m, "empty"), ""));
}

/* Every end of a call, each with metadata of one packet and of several. */
static void check_ends(bench *b) {
    const tern_result *r;
    CHECK_EQ(call(b, REPLY, 10, NULL, 0, &r), TERN_STATUS_OK);
    CHECK(r == NULL);
    for (size_t bytes = 0; bytes <= LARGE; bytes += LARGE / 2) {
        CHECK_EQ(call(b, REPLY, bytes, some, 3, &r), TERN_STATUS_OK);
        CHECK_EQ(tern_result_status(r), TERN_STATUS_OK);
        CHECK(tern_result_message(r).len == 0 && tern_result_details(r).data == NULL);
        check_some(r);
        tern_result_free(r);
        CHECK_EQ(call(b, REPLY, bytes, some, 1, NULL), TERN_STATUS_OK);
        CHECK_EQ(call(b, FAIL, bytes, some, 3, &r), TERN_STATUS_ABORTED);
        check_some(r);
        tern_result_free(r);
    }
    CHECK_EQ(call(b, FAIL_WITH, 0, some, 1, &r), TERN_STATUS_NOT_FOUND);
    CHECK_EQ(tern_result_status(r), TERN_STATUS_NOT_FOUND);
    CHECK(says(r, "no such key") && is_text(tern_result_details(r), "details\n"));
    CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "retry"), "soon"));
    CHECK(tern_metadata_find(tern_result_metadata(r), "traceparent").data == NULL);
    tern_result_free(r);
    CHECK_EQ(call(b, FAIL_LARGE, 0, some, 1, &r), TERN_STATUS_ABORTED);
    CHECK_EQ(tern_result_message(r).len, TERN__META_MAX_MESSAGE);
    CHECK(is(tern_result_details(r), large, 5000));
    CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id));
    tern_result_free(r);
}

/* What the handler asked for goes wrong: the status arrives all the same. */
static void check_misfits(bench *b) {
    const tern_result *r;
    for (uint32_t id = FAIL_TOO_LARGE; id <= FAIL_BAD_KEY; id++) {
        CHECK_EQ(call(b, id, 0, NULL, 0, &r), TERN_STATUS_ABORTED);
        CHECK(says(r, "kept") && tern_result_details(r).data == NULL);
        tern_result_free(r);
    }
    CHECK_EQ(call(b, FAIL_NO_TEXT, 0, some, 1, &r), TERN_STATUS_ABORTED); /* all but the message */
    CHECK(tern_result_message(r).len == 0 && is_text(tern_result_details(r), "details\n"));
    CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "retry"), "soon"));
    CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id));
    tern_result_free(r);
    CHECK_EQ(call(b, NO_RESPONSE, 0, some, 1, &r), TERN_STATUS_INTERNAL);
    CHECK(is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id));
    tern_result_free(r);
}

/* A string that is not UTF-8 is found where it is decoded, and that end says so. */
static void check_strings(bench *b) {
    const tern_result *r;
    const echo_Blob *response;
    tern_call_opts opts = TERN_CALL_OPTS(.result = &r, .timeout = 10 * TERN_SEC);
    echo_Blob wrong = {.id = REPLY, .name = {"caf\xe9", 4}};
    for (int format = TERN_FORMAT_HYBRID; format <= TERN_FORMAT_PROTOBUF; format++) {
        opts.format = (tern_format)format;
        CHECK_EQ(echo_Echo_Echo_wait(b->session, &wrong, &opts, &response), TERN_STATUS_INVALID_ARGUMENT);
        CHECK(says(r, "a string field of the message is not valid UTF-8"));
        CHECK(tern_result_has_not_run(r));
        tern_result_free(r);
        echo_Blob ask = {.id = NO_TEXT};
        CHECK_EQ(echo_Echo_Echo_wait(b->session, &ask, &opts, &response), TERN_STATUS_INTERNAL);
        CHECK(says(r, "a string field of the message is not valid UTF-8"));
        tern_result_free(r);
    }
}

static void calls__over_every_port(void) {
    for (int workers = 0; workers < 2; workers++)
        for (int i = 0; i < 4; i++) {
            bench b;
            CHECK(begin(&b, server_addresses()[i], workers));
            CHECK_OK();
            check_ends(&b);
            check_misfits(&b);
            check_strings(&b);
            end(&b);
            CHECK_OK();
        }
}

static void calls__metadata_that_is_not_sent(void) {
    bench b;
    const tern_result *r = (const tern_result *)&b;
    CHECK(begin(&b, server_addresses()[1], false));
    CHECK_OK();
    tern_pair bad = {"Trace", text("1")}, big[] = {{"a", {large, LARGE}}, {"b", {large, LARGE}}};
    CHECK_EQ(call(&b, REPLY, 0, &bad, 1, &r), TERN_ERR_INVALID);
    CHECK(r == NULL);
    CHECK_EQ(call(&b, REPLY, 0, NULL, 1, NULL), TERN_ERR_INVALID);
    CHECK_EQ(call(&b, REPLY, 0, big, 2, NULL), TERN_ERR_LIMIT);
    CHECK_EQ(call(&b, REPLY, 0, big, 1, NULL), TERN_STATUS_OK); /* the first call's types are known now */
    CHECK_EQ(call(&b, REPLY, 0, &bad, 1, &r), TERN_ERR_INVALID);
    CHECK_EQ(call(&b, REPLY, 0, big, 2, NULL), TERN_ERR_LIMIT);
    end(&b);
}

/* A client with a wider limit than its server's, and the other way round. */
static void calls__metadata_beyond_the_peers_limit(void) {
    bench b;
    const tern_result *r;
    tern_endpoint *wide, *narrow;
    tern_session *session;
    CHECK(begin(&b, server_addresses()[0], false));
    CHECK_OK();
    b.config.max_metadata_bytes = 64 << 10;
    CHECK_EQ(tern_endpoint_new(&b.config, &wide), 0);
    CHECK_EQ(tern_connect(wide, b.s.address, &session), 0);
    tern_session *before = b.session;
    b.session = session;
    tern_pair big[] = {{"a", {large, LARGE}}, {"b", {large, LARGE}}};
    CHECK_EQ(call(&b, REPLY, 0, big, 2, &r), TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK(says(r, "the request's metadata is beyond the server's limit"));
    tern_result_free(r);
    tern_endpoint_free(wide);
    b.config.max_metadata_bytes = 100;
    CHECK_EQ(tern_endpoint_new(&b.config, &narrow), 0);
    CHECK_EQ(tern_connect(narrow, b.s.address, &b.session), 0);
    CHECK_EQ(call(&b, FAIL_LARGE, 0, NULL, 0, &r), TERN_STATUS_ABORTED); /* an error keeps its status */
    CHECK(says(r, "the metadata of the server's answer is beyond the limit"));
    CHECK(tern_result_details(r).data == NULL);
    tern_result_free(r);
    CHECK_EQ(call(&b, FAIL_WITH, 0, some, 1, &r), TERN_STATUS_NOT_FOUND);
    CHECK(says(r, "no such key"));
    tern_result_free(r);
    tern_endpoint_free(narrow);
    b.session = before;
    b.config.max_metadata_bytes = (256 << 10) + 1;
    CHECK_EQ(tern_endpoint_new(&b.config, &narrow), TERN_ERR_INVALID);
    end(&b);
}

static void calls__of_a_worker_carry_metadata_on(void) {
    bench b;
    CHECK(begin(&b, server_addresses()[0], true));
    CHECK_OK();
    CHECK_EQ(server_do(&b.s, connect_to_self, &b), 0);
    CHECK_EQ(call(&b, NEST, 0, some, 1, NULL), TERN_STATUS_OK);
    CHECK_EQ(call(&b, NEST, 10, some, 1, NULL), TERN_STATUS_OK);
    end(&b);
}

/* ---- Continuations, and what tern itself says ---------------------------------------------------- */

typedef struct outcome {
    tern_endpoint *ep;
    bool done;
    int status;
    size_t bytes;
    char message[256];
    bool has_result, has_trace;
} outcome;

static void note(void *user, int status, const void *response) {
    outcome *o = user;
    const tern_result *r = tern_call_result(o->ep);
    tern_str message = tern_result_message(r);
    o->done = true;
    o->status = status;
    o->bytes = response ? ((const tern_bytes *)response)->len : 0;
    o->has_result = r != NULL;
    CHECK(!r || (int)tern_result_status(r) == status);
    o->has_trace = is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id);
    snprintf(o->message, sizeof o->message, "%.*s", (int)message.len, message.data ? message.data : "");
}

static void run(outcome *o) {
    for (int i = 0; i < 10000000 && !o->done; i++) tern_poll(o->ep);
    CHECK(o->done);
    CHECK(tern_call_result(o->ep) == NULL);
}

static outcome raw_call(bench *b, uint32_t method, const tern_call_opts *opts, size_t bytes) {
    outcome o = {.ep = b->ep};
    o.status = tern_call_start_raw(b->session, method, (tern_bytes){large, bytes}, opts, note, &o);
    if (o.status == 0) run(&o);
    return o;
}

static void continuation__asks_for_the_result(void) {
    for (int workers = 0; workers < 2; workers++)
        for (int i = 0; i < 4; i++) {
            bench b;
            CHECK(begin(&b, server_addresses()[i], workers));
            CHECK_OK();
            tern_call_opts opts = TERN_CALL_OPTS(.metadata = some, .n_metadata = 1);
            outcome o = raw_call(&b, RAW_METHOD, &opts, 32);
            CHECK(o.status == TERN_STATUS_OK && o.bytes == 32 && o.has_trace);
            o = raw_call(&b, RAW_METHOD, &opts, 0);
            CHECK(o.status == TERN_STATUS_OK && o.bytes == 0 && o.has_trace);
            opts.n_metadata = 3;
            o = raw_call(&b, RAW_METHOD, &opts, LARGE);
            CHECK(o.status == TERN_STATUS_OK && o.bytes == LARGE && o.has_trace);
            o = raw_call(&b, RAW_METHOD, NULL, 32);
            CHECK(o.status == TERN_STATUS_OK && o.bytes == 32 && !o.has_result);
            o = raw_call(&b, ABSENT_METHOD, NULL, 32);
            CHECK_EQ(o.status, TERN_STATUS_UNIMPLEMENTED);
            CHECK(strcmp(o.message, "the server serves no such method") == 0);
            o = raw_call(&b, echo_Echo_Echo_method.id, NULL, 32);
            CHECK_EQ(o.status, TERN_STATUS_INVALID_ARGUMENT);
            CHECK(strcmp(o.message, "the request is of bytes, and the method takes messages") == 0);
            end(&b);
            CHECK_OK();
        }
}

/* Many calls at a time: workers read metadata, set trailing metadata and fail while the endpoint's thread goes on. */
typedef struct crowd {
    tern_endpoint *ep;
    unsigned n_done, n_wrong;
} crowd;

static void count_reply(void *user, int status, const echo_Blob *response) {
    crowd *c = user;
    const tern_result *r = tern_call_result(c->ep);
    c->n_done++;
    bool replied = status == TERN_STATUS_OK && response && response->id == REPLY &&
                   is_text(tern_metadata_find(tern_result_metadata(r), "traceparent"), trace_id);
    bool failed = status == TERN_STATUS_NOT_FOUND && says(r, "no such key") &&
                  is_text(tern_result_details(r), "details\n") && tern_call_has_not_run(c->ep) == 0;
    c->n_wrong += !replied && !failed;
}

static void workers__many_calls_with_metadata_at_a_time(void) {
    enum { N = 300, AT_ONCE = 20 };
    for (int i = 0; i < 4; i++) {
        bench b;
        CHECK(begin(&b, server_addresses()[i], true));
        CHECK_OK();
        crowd c = {.ep = b.ep};
        for (unsigned k = 0; k < N; k++) {
            echo_Blob request = {.id = k % 3 ? REPLY : FAIL_WITH, .data = {large, k * 20 % LARGE}};
            tern_call_opts opts =
                TERN_CALL_OPTS(.metadata = some, .n_metadata = 1 + k % 2, .block = true, .timeout = 20 * TERN_SEC);
            CHECK_EQ(echo_Echo_Echo(b.session, &request, &opts, count_reply, &c), 0);
            while (c.n_done + AT_ONCE <= k) tern_poll(b.ep);
        }
        while (c.n_done < N) tern_poll(b.ep);
        CHECK_EQ(c.n_wrong, 0);
        end(&b);
        CHECK_OK();
    }
}

static void count_end(void *user, int status, const echo_Blob *response) {
    (void)status, (void)response;
    ((crowd *)user)->n_done++;
}

/* The endpoint's thread hears of it while the worker adds its trailing metadata (the thread sanitizer looks on). */
static void workers__calls_are_cancelled_meanwhile(void) {
    enum { N = 400 };
    bench b;
    CHECK(begin(&b, server_addresses()[0], true));
    CHECK_OK();
    crowd c = {.ep = b.ep};
    for (unsigned k = 0; k < N; k++) {
        tern_call_ref ref;
        echo_Blob request = {.id = k % 3 ? REPLY : FAIL_WITH, .data = {large, 100}};
        tern_call_opts opts =
            TERN_CALL_OPTS(.metadata = some, .n_metadata = 3, .block = true, .ref = &ref, .timeout = 20 * TERN_SEC);
        CHECK_EQ(echo_Echo_Echo(b.session, &request, &opts, count_end, &c), 0);
        for (unsigned i = 0; i < k % 7; i++) tern_poll(b.ep);
        if (k % 2) tern_call_cancel(b.ep, ref);
    }
    while (c.n_done < N) tern_poll(b.ep);
    end(&b);
}

static void continuation__is_told_why_the_call_ended_here(void) {
    bench b;
    CHECK(begin(&b, server_addresses()[0], true));
    CHECK_OK();
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 1);
    outcome o = raw_call(&b, RAW_METHOD, &opts, 32);
    CHECK_EQ(o.status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(strstr(o.message, "deadline") != NULL);
    const tern_result *r;
    const echo_Blob *response;
    opts = TERN_CALL_OPTS(.result = &r, .timeout = 20 * TERN_SEC);
    CHECK_EQ(echo_Echo_Later_wait(b.session, &(echo_Blob){.id = 1}, &opts, &response), TERN_STATUS_INTERNAL);
    CHECK(says(r, "the handler returned without a reply"));
    tern_result_free(r);
    tern_call_ref ref;
    opts = TERN_CALL_OPTS(.ref = &ref);
    o = (outcome){.ep = b.ep};
    CHECK_EQ(tern_call_start_raw(b.session, RAW_METHOD, (tern_bytes){large, 9}, &opts, note, &o), 0);
    CHECK_EQ(tern_call_cancel(b.ep, ref), 0);
    run(&o);
    CHECK(o.status == TERN_STATUS_CANCELLED && strstr(o.message, "cancelled") != NULL);
    end(&b);
}

/* A time that is over is no time without end: nothing is sent, over any way to start a call. */
static void timeout__that_is_over_ends_the_call_unsent(void) {
    static const char *const ports[] = {"udp://127.0.0.1:0", "shm:///tmp/tern-test-too-late.sock"};
    for (size_t i = 0; i < TERN__COUNT(ports); i++) {
        bench b;
        CHECK(begin(&b, ports[i], false));
        CHECK_OK();
        const tern_result *r;
        CHECK_EQ(call(&b, REPLY, 8, NULL, 0, &r), TERN_STATUS_OK);
        tern_result_free(r);
        tern_call_opts opts = TERN_CALL_OPTS(.timeout = -1, .result = &r);
        echo_Blob request = {.id = REPLY};
        CHECK_EQ(echo_Echo_Echo_wait(b.session, &request, &opts, NULL), TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK(tern_result_has_not_run(r) && tern_result_message(r).len > 0);
        tern_result_free(r);
        tern_call_ref ref;
        opts = TERN_CALL_OPTS(.timeout = INT64_MIN, .ref = &ref, .metadata = some, .n_metadata = 3);
        outcome o = raw_call(&b, RAW_METHOD, &opts, 32);
        CHECK_EQ(o.status, TERN_STATUS_DEADLINE_EXCEEDED);
        opts = TERN_CALL_OPTS(.timeout = INT64_MAX);
        CHECK_EQ(echo_Echo_Echo_wait(b.session, &request, &opts, NULL), TERN_STATUS_OK);
        end(&b);
    }
}

/* Of a call that waits: whether it may be made again. */
static void result__tells_whether_the_call_has_run(void) {
    bench b;
    CHECK(begin(&b, server_addresses()[0], false));
    CHECK_OK();
    const tern_result *r = NULL;
    CHECK_EQ(call(&b, FAIL_WITH, 8, NULL, 0, &r), TERN_STATUS_NOT_FOUND);
    CHECK(r != NULL && !tern_result_has_not_run(r));
    tern_result_free(r);
    tern_session *nobody;
    tern_call_opts opts = TERN_CALL_OPTS(.result = &r, .timeout = 20 * TERN_SEC);
    CHECK_EQ(tern_connect(b.ep, "shm:///tmp/tern-test-nobody-here.sock", &nobody), 0);
    CHECK_EQ(echo_Echo_Echo_wait(nobody, &(echo_Blob){.id = REPLY}, &opts, NULL), TERN_STATUS_UNAVAILABLE);
    CHECK(tern_result_has_not_run(r) && says(r, "the peer cannot be reached or has died"));
    tern_result_free(r);
    CHECK(!tern_result_has_not_run(NULL));
    end(&b);
}

/* ---- What the log says of addresses -------------------------------------------------------------- */

static char last_line[512];
static unsigned n_lines;

static void keep_line(void *user, tern_log_level level, const char *line) {
    (void)user, (void)level;
    snprintf(last_line, sizeof last_line, "%s", line);
    n_lines++;
}

/* How often `what` is in the text. */
static unsigned n_times(const char *text, const char *what) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) n++;
    return n;
}

static void check_listen(tern_endpoint *ep, const char *address, int err, const char *why) {
    char line[512];
    n_lines = 0;
    last_line[0] = '\0';
    CHECK_EQ(tern_listen(ep, address), err);
    snprintf(line, sizeof line, "cannot listen at %s: %s", address ? address : "NULL", why);
    if (strcmp(last_line, line) != 0) printf("# \"%s\", not \"%s\"\n", last_line, line);
    CHECK(strcmp(last_line, line) == 0);
    CHECK_EQ(n_times(last_line, why), 1);
}

static void check_connect(tern_endpoint *ep, const char *address, int err, const char *why) {
    char line[512];
    tern_session *session;
    last_line[0] = '\0';
    CHECK_EQ(tern_connect(ep, address, &session), err);
    snprintf(line, sizeof line, "cannot connect to %s: %s", address ? address : "NULL", why);
    if (strcmp(last_line, line) != 0) printf("# \"%s\", not \"%s\"\n", last_line, line);
    CHECK(strcmp(last_line, line) == 0);
}

static const char no_scheme[] = "it has no scheme: shm://, udp://, tcp:// or unix://",
                  other_scheme[] = "its scheme is none of shm, udp, tcp and unix",
                  capitals[] = "its scheme is written in small letters", no_port[] = "the port is missing: host:port",
                  bad_port[] = "the port is no number from 0 to 65535",
                  no_host[] = "the host is neither a number nor a name that this machine knows without DNS",
                  long_path[] = "the path is longer than 107 bytes", no_path[] = "the path is missing";

static void check_listen_texts(tern_endpoint *ep) {
    static const struct {
        const char *address, *why;
    } cases[] = {{"nowhere", no_scheme},
                 {NULL, "there is no address"},
                 {"gopher://x", other_scheme},
                 {"UDP://127.0.0.1:0", capitals},
                 {"Unix:///tmp/x", capitals},
                 {"udp://127.0.0.1", no_port},
                 {"udp://[::1]", no_port},
                 {"tcp://localhost", no_port},
                 {"tcp://127.0.0.1:http", bad_port},
                 {"tcp://127.0.0.1:65536", bad_port},
                 {"udp://127.0.0.1:", bad_port},
                 {"udp://::1:7000", "the host is too long, or an IPv6 address without brackets"},
                 {"tcp://no-such-name.invalid:0", no_host},
                 {"shm://", no_path},
                 {"unix://", no_path}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_listen(ep, cases[i].address, TERN_ERR_ADDRESS, cases[i].why);
    char path[200] = "unix:///tmp/";
    memset(path + strlen(path), 'x', 120);
    check_listen(ep, path, TERN_ERR_ADDRESS, long_path);
}

static void log__says_why_an_address_cannot_be_listened_at(void) {
    char taken[64];
    tern_endpoint_config config;
    tern_endpoint *ep, *other;
    tern_endpoint_config_init(&config);
    config.log = keep_line;
    CHECK_EQ(tern_endpoint_new(NULL, &other), 0);
    CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
    CHECK_OK();
    check_listen_texts(ep);
    check_listen(ep, "udp://192.0.2.77:0", TERN_ERR_ADDRESS, strerror(EADDRNOTAVAIL));
    check_listen(ep, "tcp://192.0.2.77:0", TERN_ERR_ADDRESS, strerror(EADDRNOTAVAIL));
    check_listen(ep, "unix:///tmp/no-such-folder/x", TERN_ERR_ADDRESS, strerror(ENOENT));
    check_listen(ep, "shm:///tmp/no-such-folder/x", TERN_ERR_ADDRESS, strerror(ENOENT));
    check_listen(ep, "shm:///dev/null/x", TERN_ERR_ADDRESS, strerror(ENOTDIR));
    check_listen(ep, "unix:///dev/null", TERN_ERR_EXISTS, "a file that is no socket is there");
    static const char *const schemes[] = {"udp://127.0.0.1:0", "tcp://127.0.0.1:0", "unix:///tmp/tern-test-taken.sock",
                                          "shm:///tmp/tern-test-taken.shm"};
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQ(tern_listen(other, schemes[i]), 0);
        CHECK_OK();
        snprintf(taken, sizeof taken, "%s", tern_listen_address(other, i));
        check_listen(ep, taken, TERN_ERR_EXISTS, "the address is taken");
    }
    tern_endpoint_free(other);
    tern_endpoint_free(ep);
}

static void log__says_why_an_address_cannot_be_connected_to(void) {
    static char too_long[400], shown[300], path[200] = "unix:///tmp/";
    tern_endpoint_config config;
    tern_endpoint *ep;
    tern_session *session;
    tern_endpoint_config_init(&config);
    config.log = keep_line;
    CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
    CHECK_OK();
    check_connect(ep, NULL, TERN_ERR_ADDRESS, "there is no address");
    check_connect(ep, "udp://127.0.0.1", TERN_ERR_ADDRESS, no_port);
    check_connect(ep, "udp://127.0.0.1:0", TERN_ERR_ADDRESS, "nobody can be reached at port 0");
    check_connect(ep, "tcp://:80", TERN_ERR_ADDRESS, "the host is missing");
    check_connect(ep, "tcp://a..b:80", TERN_ERR_ADDRESS, "the host is neither a number nor a name");
    check_connect(ep, "gopher://x", TERN_ERR_ADDRESS, other_scheme);
    check_connect(ep, "TCP://127.0.0.1:80", TERN_ERR_ADDRESS, capitals);
    check_connect(ep, "shm://", TERN_ERR_ADDRESS, no_path);
    memset(path + strlen(path), 'x', 120);
    check_connect(ep, path, TERN_ERR_ADDRESS, long_path);
    memset(too_long, 'y', sizeof too_long - 1);
    n_lines = 0;
    CHECK_EQ(tern_connect(ep, too_long, &session), TERN_ERR_ADDRESS);
    snprintf(shown, sizeof shown, "%.255s...: ", too_long);
    CHECK(n_lines == 1 && strstr(last_line, shown) && strstr(last_line, "the address is longer than 255 bytes"));
    n_lines = 0;
    CHECK_EQ(tern_connect(ep, "unix:///tmp/tern-test-nobody-here.sock", &session), 0);
    CHECK(n_lines == 1 && strstr(last_line, "nobody listens there") != NULL);
    n_lines = 0;
    CHECK_EQ(tern_connect(ep, "shm:///tmp/tern-test-nobody-here.sock", &session), 0);
    CHECK(n_lines == 1 && strstr(last_line, "nobody listens there") != NULL);
    tern_endpoint_free(ep);
}

/* ---- A client that goes away --------------------------------------------------------------------- */

static tern_call kept_call;
static bool kept_is_gone;

static void on_gone(tern_call call, tern_status why, void *user) {
    (void)call, (void)user;
    kept_is_gone = why == TERN_STATUS_UNAVAILABLE;
}

static void keep(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    kept_call = call;
    tern_call_on_cancel(call, on_gone, NULL);
}

/* The metadata of a request without a body stays until its call ends, also when nobody waits any more. */
static void handler__has_metadata_when_its_client_is_gone(void) {
    for (int i = 0; i < 4; i++) {
        uint64_t live_before = live_buffers();
        tern_endpoint *ep, *client;
        tern_session *session;
        outcome o = {0};
        kept_call = (tern_call){0};
        kept_is_gone = false;
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_serve_raw(ep, RAW_METHOD, keep, NULL), 0);
        CHECK_EQ(tern_listen(ep, server_addresses()[i]), 0);
        CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
        CHECK_EQ(tern_connect(client, tern_listen_address(ep, 0), &session), 0);
        o.ep = client;
        tern_call_opts opts = TERN_CALL_OPTS(.metadata = some, .n_metadata = 2);
        CHECK_EQ(tern_call_start_raw(session, RAW_METHOD, (tern_bytes){"", 0}, &opts, note, &o), 0);
        for (int n = 0; n < 10000000 && !kept_call.id; n++) tern_poll(client), tern_poll(ep);
        CHECK(tern_call_is_open(kept_call));
        tern_endpoint_free(client);
        CHECK(o.done && o.status == TERN_STATUS_UNAVAILABLE);
        for (int n = 0; n < 10000000 && !kept_is_gone; n++) tern_poll(ep);
        CHECK(kept_is_gone);
        CHECK(is_text(tern_metadata_find(tern_call_metadata(kept_call), "traceparent"), trace_id));
        CHECK(is(tern_metadata_find(tern_call_metadata(kept_call), "large"), large, LARGE));
        CHECK_EQ(tern_fail_with(kept_call, TERN_STATUS_ABORTED, "to nobody", text("d"), some, 2), 0);
        tern_endpoint_free(ep);
        CHECK_EQ(live_buffers(), live_before);
        CHECK_OK();
    }
}

/* ---- A peer that does not keep to the rules ------------------------------------------------------- */

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
    CHECK(begin(&b, server_addresses()[2], false));
    CHECK_OK();
    raw_call(&b, RAW_METHOD, NULL, 1); /* the session is open */
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t block[2] = {rows[i].first | (uint64_t)rows[i].value_bytes << 32, 'k'};
        outcome o = {.ep = b.ep};
        tern__body body = {.data = large, .len = 20};
        tern__behind behind = tern__body_behind(&body, block, sizeof block);
        tern__pending how = tern__pending_raw(note, &o), *record;
        CHECK_EQ(tern__client_begin(b.session, &how, RAW_METHOD, &behind.body, NULL, &record), 0);
        run(&o);
        CHECK_EQ(o.status, rows[i].status);
        CHECK(o.status == TERN_STATUS_OK || strcmp(o.message, "the request's metadata is malformed") == 0);
        CHECK_OK();
    }
    end(&b);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(calls__over_every_port),
                                     TEST(calls__metadata_that_is_not_sent),
                                     TEST(calls__metadata_beyond_the_peers_limit),
                                     TEST(calls__of_a_worker_carry_metadata_on),
                                     TEST(continuation__asks_for_the_result),
                                     TEST(workers__many_calls_with_metadata_at_a_time),
                                     TEST(workers__calls_are_cancelled_meanwhile),
                                     TEST(continuation__is_told_why_the_call_ended_here),
                                     TEST(timeout__that_is_over_ends_the_call_unsent),
                                     TEST(result__tells_whether_the_call_has_run),
                                     TEST(log__says_why_an_address_cannot_be_listened_at),
                                     TEST(log__says_why_an_address_cannot_be_connected_to),
                                     TEST(handler__has_metadata_when_its_client_is_gone),
                                     TEST(hostile__metadata_reaches_no_handler)};
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

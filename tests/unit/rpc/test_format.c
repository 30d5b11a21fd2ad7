/* A third format, in this file alone: JSON, as the engine and the endpoints know nothing of it. Sessions between ends
 * that have it speak it, others fall back on what both have; calls of all sizes, errors and streams are the same. And
 * the formats that tern has itself, by what their calls copy. */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"
#include "codec/formats.h"
#include "engine/engine_record.h"
#include "rpc/server.h"
#include "rpc/stream_record.h"
#include "schema.tern.h"
#include "tern/json.h"
#include "world.h"

/* ---- JSON as a format: all is copied, and members have names --------------------------------------- */

enum { FORMAT_JSON = 3 };

static unsigned n_written, n_read; /* messages in JSON */

static int plan_json(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan) {
    (void)threshold;
    int64_t len = tern_json_encode(type, msg, NULL, NULL, 0);
    if (len > INT32_MAX) return TERN_ERR_LIMIT;
    if (len < 0) return (int)len;
    *plan = (tern__format_plan){.head_bytes = (uint32_t)len, .copied_bytes = (uint32_t)len};
    return 0;
}

/* The encoder ends a text by a NUL, for which the head has no room. */
static int write_json(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                      const tern__format_sink *sink) {
    (void)sink;
    char *text = malloc((size_t)plan->head_bytes + 1);
    if (!text) return TERN_ERR_NOMEM;
    int64_t len = tern_json_encode(type, msg, NULL, text, (size_t)plan->head_bytes + 1);
    bool fits = len == plan->head_bytes;
    if (fits) memcpy(head, text, plan->head_bytes);
    free(text);
    n_written++;
    return fits ? 0 : TERN_ERR_INVALID;
}

static int decode_json(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                       const tern_limits *limits, void *msg) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.limits = limits;
    options.ignore_unknown = true;
    n_read++;
    return n == 1 ? tern_json_decode(type, pieces->data, pieces->len, &options, arena, msg) : TERN_ERR_UNSUPPORTED;
}

static const tern__format json = {.name = "json",
                                  .number = FORMAT_JSON,
                                  .pieces_per_value = 0,
                                  .plan = plan_json,
                                  .write = write_json,
                                  .decode = decode_json};
static const tern__format *const json_first[] = {&json, &tern__format_hybrid, &tern__format_protobuf, NULL};
static const tern__format *const json_last[] = {&tern__format_hybrid, &tern__format_protobuf, &json, NULL};
static const tern__format *const no_protobuf[] = {&json, &tern__format_hybrid, NULL};

/* ---- A client and a server ------------------------------------------------------------------------- */

enum { METHOD = 91, FLOW = 92 };

static const tern_method method = {
    .name = "test.Format/Call", .request = &schema_First_type, .response = &schema_First_type, .id = METHOD};
static const tern_method flow = {
    .name = "test.Format/Flow", .request = &schema_First_type, .response = &schema_First_type, .id = FLOW};

typedef struct fixture {
    world w;
    tern_session *session;
    uint32_t n_handled;
    tern_format request, response, in_stream; /* formats of what came last */
    unsigned n_streamed;
    uint32_t id;
    size_t data_bytes;
    bool intact, done;
    int status;
    uint64_t live_before;
} fixture;

static fixture fx;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static uint8_t pattern(size_t i) { return (uint8_t)(i * 11 + 3); }

static bool is_pattern(tern_bytes data) {
    for (size_t i = 0; i < data.len; i++)
        if (((const uint8_t *)data.data)[i] != pattern(i)) return false;
    return true;
}

static void serve(tern_call call, const void *request, void *user) {
    const schema_First *in = request;
    (void)user;
    fx.n_handled++;
    fx.request = tern__call_find(call.ep, call.id)->format;
    schema_First out = {.id = in->id + 1, .name = in->name, .data = in->data};
    tern_reply(call, &out);
}

static void on_done(void *user, int status, const void *response) {
    const schema_First *out = response;
    (void)user;
    fx.done = true;
    fx.status = status;
    fx.id = out ? out->id : 0;
    fx.data_bytes = out ? out->data.len : 0;
    fx.intact = out && is_pattern(out->data);
}

static bool begin(bool reliable, double loss, const tern__format *const *client, const tern__format *const *server) {
    n_written = n_read = 0;
    fx = (fixture){.live_before = live_buffers()};
    if (!world_init(&fx.w, reliable, loss)) return false;
    for (int i = 0; i < N_NODES; i++) tern_endpoint_free(fx.w.ep[i]);
    fx.w.formats[CLIENT] = client;
    fx.w.formats[SERVER] = server;
    return world_boot(&fx.w, CLIENT, NULL) && world_boot(&fx.w, SERVER, NULL) &&
           tern_serve(fx.w.ep[SERVER], &method, serve, NULL) == 0 &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session) == 0;
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

/* A call whose value is given back at once. Returns the status, or an error. */
static int call(uint32_t id, size_t bytes, tern_format format) {
    uint8_t *data = bytes ? tern_alloc(bytes) : NULL;
    for (size_t i = 0; i < bytes; i++) data[i] = pattern(i);
    schema_First request = {.id = id, .name = tern_str_of("caf\xc3\xa9"), .data = {data, bytes}};
    fx.done = false;
    int err = tern_call_start(fx.session, &method, &request, &TERN_CALL_OPTS(.format = format), on_done, NULL);
    tern_unref(data);
    void *spoiler = bytes ? tern_alloc(bytes) : NULL;
    if (spoiler) memset(spoiler, 0xdd, bytes);
    tern_unref(spoiler);
    if (err) return err;
    return world_run(&fx.w, &fx.done, 60 * TERN_SEC) ? fx.status : -100;
}

static tern_endpoint_stats stats_of(int node) {
    tern_endpoint_stats stats = {0};
    tern_endpoint_get_stats(fx.w.ep[node], &stats);
    return stats;
}

/* A call that opens the session, so that each side knows what the other reads. */
static void open_session(void) {
    CHECK_EQ(call(1, 0, TERN_FORMAT_RAW), TERN_STATUS_OK);
    n_written = n_read = 0;
}

/* ---- The third format ------------------------------------------------------------------------------ */

static const size_t sizes[] = {0, 10, 500, 1500, 5000, 300000}; /* the last ones in several packets */

static void third__spoken_where_both_have_it(void) {
    for (int i = 0; i < 6; i++) {
        bool reliable = i & 1;
        CHECK(begin(reliable, reliable ? 0 : (i / 2) * 0.1, json_first, i < 4 ? json_first : json_last));
        open_session();
        CHECK_OK();
        uint64_t served = stats_of(SERVER).calls_served;
        for (unsigned k = 0; k < TERN__COUNT(sizes); k++) {
            CHECK_EQ(call(k, sizes[k], TERN_FORMAT_RAW), TERN_STATUS_OK);
            CHECK_EQ(fx.request, FORMAT_JSON);
            CHECK_EQ(fx.id, k + 1);
            CHECK_EQ(fx.data_bytes, sizes[k]);
            CHECK(fx.intact);
        }
        CHECK_EQ(stats_of(SERVER).calls_served - served, TERN__COUNT(sizes));
        CHECK_EQ(n_written, 2 * TERN__COUNT(sizes)); /* the response is in the request's format */
        CHECK_EQ(n_read, 2 * TERN__COUNT(sizes));
        CHECK_EQ(stats_of(CLIENT).inplace_values, 0);
        end();
        CHECK_OK();
    }
}

/* What a caller states goes before what the session likes best. */
static void third__and_the_others_when_asked(void) {
    CHECK(begin(false, 0.1, json_first, json_first));
    open_session();
    CHECK_OK();
    for (tern_format f = TERN_FORMAT_HYBRID; f <= (tern_format)FORMAT_JSON; f++) {
        CHECK_EQ(call(5, 5000, f), TERN_STATUS_OK);
        CHECK_EQ(fx.request, f);
        CHECK(fx.intact);
    }
    CHECK_EQ(n_written, 2);
    CHECK_EQ(call(5, 10, (tern_format)4), TERN_ERR_INVALID);
    CHECK_EQ(call(5, 10, (tern_format)300), TERN_ERR_INVALID);
    end();
}

/* Before the server has named what it reads nothing is written in a format that it may not have. */
static void third__not_before_the_server_names_it(void) {
    CHECK(begin(false, 0, json_first, json_first));
    fx.w.ep[CLIENT]->config.check_schema = false;
    CHECK_EQ(call(5, 10, TERN_FORMAT_RAW), TERN_STATUS_OK);
    CHECK_EQ(fx.request, TERN_FORMAT_HYBRID);
    CHECK_EQ(call(5, 10, TERN_FORMAT_RAW), TERN_STATUS_OK);
    CHECK_EQ(fx.request, FORMAT_JSON);
    end();
}

static void third__falls_back_where_one_side_lacks_it(void) {
    for (int i = 0; i < 8; i++) {
        bool has = i & 1;
        const tern__format *const *mine = has ? json_first : NULL, *const *theirs = has ? NULL : json_first;
        CHECK(begin(i & 2, i & 4 ? 0.1 * !(i & 2) : 0, mine, theirs));
        open_session();
        CHECK_OK();
        for (unsigned k = 0; k < TERN__COUNT(sizes); k++) {
            CHECK_EQ(call(k, sizes[k], TERN_FORMAT_RAW), TERN_STATUS_OK);
            CHECK_EQ(fx.request, TERN_FORMAT_HYBRID);
            CHECK_EQ(fx.id, k + 1);
            CHECK(fx.intact && fx.data_bytes == sizes[k]);
        }
        CHECK_EQ(n_written + n_read, 0);
        uint32_t n_handled = fx.n_handled;
        if (has) { /* who states it nevertheless is told so, and no handler runs */
            CHECK_EQ(call(5, 10, (tern_format)FORMAT_JSON), TERN_STATUS_UNIMPLEMENTED);
            CHECK_EQ(call(5, 5000, (tern_format)FORMAT_JSON), TERN_STATUS_UNIMPLEMENTED);
        } else {
            CHECK_EQ(call(5, 10, (tern_format)FORMAT_JSON), TERN_ERR_INVALID);
        }
        CHECK_EQ(fx.n_handled, n_handled);
        CHECK_EQ(call(6, 10, TERN_FORMAT_RAW), TERN_STATUS_OK);
        end();
        CHECK_OK();
    }
}

/* The server comes back without the format, and then with it. What is called meanwhile is not asked about types first,
 * and is encoded before the session is open again. */
static void third__server_restarts_without_it(void) {
    CHECK(begin(false, 0, json_first, json_first));
    fx.w.ep[CLIENT]->config.check_schema = false;
    open_session();
    CHECK_OK();
    CHECK_EQ(call(5, 5000, TERN_FORMAT_RAW), TERN_STATUS_OK);
    CHECK_EQ(fx.request, FORMAT_JSON);
    for (int has = 0; has < 2; has++) {
        tern_endpoint_free(fx.w.ep[SERVER]);
        fx.w.formats[SERVER] = has ? json_first : NULL;
        CHECK(world_boot(&fx.w, SERVER, NULL));
        CHECK_EQ(tern_serve(fx.w.ep[SERVER], &method, serve, NULL), 0);
        int status = TERN_STATUS_UNAVAILABLE;
        for (int i = 0; i < 10 && status == TERN_STATUS_UNAVAILABLE; i++) status = call(5, 5000, TERN_FORMAT_RAW);
        CHECK_EQ(status, TERN_STATUS_OK);
        CHECK_EQ(call(5, 5000, TERN_FORMAT_RAW), TERN_STATUS_OK);
        CHECK_EQ(fx.request, has ? FORMAT_JSON : TERN_FORMAT_HYBRID);
    }
    end();
}

static void endpoint__refuses_a_list_that_is_not_sound(void) {
    world w = {0};
    tern_endpoint *ep = NULL;
    tern__endpoint_env env = {world_now, world_random, &w, no_protobuf};
    tern__rng_seed(&w.rng, 7);
    tern__sim_config config = {.n_nodes = 1, .path = {.delay = TERN_US}, .max_packet = 1500};
    CHECK_EQ(tern__sim_new(1, &config, &w.sim), 0);
    CHECK_EQ(tern__endpoint_new_with(NULL, &env, &ep), TERN_ERR_INVALID);
    tern__sim_free(w.sim);
}

/* ---- Streams in it --------------------------------------------------------------------------------- */

static void nothing(void) {}

static tern__stream_record *record_of(tern_stream stream) {
    return (tern__stream_record *)tern__handles_find(&stream.ep->stream_handles, stream.id);
}

static void at_server(tern__any_fn *fn, tern_stream stream, const void *message, void *user) {
    const schema_First *in = message;
    (void)fn, (void)user;
    fx.n_streamed++;
    fx.in_stream = record_of(stream)->prefix[4];
    fx.intact &= is_pattern(in->data);
    CHECK_EQ(tern__stream_put_response(stream, &flow, message), 0);
}

static void at_client(tern__any_fn *fn, tern_stream stream, const void *message, void *user) {
    const schema_First *in = message;
    (void)fn, (void)user;
    fx.n_streamed++;
    fx.response = record_of(stream)->prefix[4];
    fx.intact &= is_pattern(in->data);
}

static void on_finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void accept(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    tern__message_events events = {
        .size = sizeof(tern__message_events), .thunk = at_server, .on_message = nothing, .on_finished = on_finished};
    (void)handler, (void)request, (void)user;
    CHECK_EQ(tern__stream_accept(stream, &flow, NULL, &events, NULL), 0);
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    fx.done = true;
    fx.status = status;
}

static void third__streams(void) {
    for (int i = 0; i < 4; i++) {
        const bool both = i & 1;
        CHECK(begin(i & 2, i & 2 ? 0 : 0.1, json_first, both ? json_first : NULL));
        CHECK_EQ(tern__serve_stream(fx.w.ep[SERVER], &flow, false, accept, nothing, NULL), 0);
        fx.w.ep[CLIENT]->config.check_schema = false;
        open_session();
        CHECK_OK();
        tern__message_events events = {
            .size = sizeof events, .thunk = at_client, .on_message = nothing, .on_end = on_end};
        tern_stream stream;
        fx.done = false;
        fx.intact = true;
        CHECK_EQ(tern__stream_start(fx.session, &flow, NULL, NULL, &events, NULL, &stream), 0);
        for (unsigned k = 0; k < TERN__COUNT(sizes) - 1; k++) {
            uint8_t *data = tern_alloc(sizes[k] + 1);
            for (size_t at = 0; at < sizes[k]; at++) data[at] = pattern(at);
            CHECK_EQ(tern__stream_put_request(stream, &flow, &(schema_First){.id = k, .data = {data, sizes[k]}}), 0);
            tern_unref(data);
        }
        CHECK_EQ(tern_stream_finish(stream), 0);
        CHECK(world_run(&fx.w, &fx.done, 60 * TERN_SEC));
        CHECK_EQ(fx.status, TERN_STATUS_OK);
        CHECK_EQ(fx.n_streamed, 2 * (TERN__COUNT(sizes) - 1));
        CHECK(fx.intact);
        CHECK_EQ(fx.in_stream, both ? FORMAT_JSON : TERN_FORMAT_HYBRID);
        CHECK_EQ(fx.response, both ? FORMAT_JSON : TERN_FORMAT_HYBRID);
        end();
        CHECK_OK();
    }
}

/* ---- What is copied -------------------------------------------------------------------------------- */

enum { LARGE = 20000, N_CALLS = 10 };

/* Calls in protobuf copy nothing of a large value, on either side, whatever the network loses. */
static void protobuf__copies_no_large_value(void) {
    for (int i = 0; i < 4; i++) {
        CHECK(begin(i & 1, i & 1 ? 0 : 0.15 * (i / 2), NULL, NULL));
        for (int k = 0; k < N_CALLS; k++) {
            CHECK_EQ(call(5, LARGE, TERN_FORMAT_PROTOBUF), TERN_STATUS_OK);
            CHECK_EQ(fx.request, TERN_FORMAT_PROTOBUF);
            CHECK(fx.intact && fx.data_bytes == LARGE);
        }
        for (int node = 0; node < N_NODES; node++) {
            CHECK_EQ(stats_of(node).inplace_values, N_CALLS);
            CHECK_EQ(stats_of(node).inplace_bytes, (uint64_t)N_CALLS * LARGE);
            CHECK_EQ(stats_of(node).copied_bytes, (uint64_t)N_CALLS * strlen("caf\xc3\xa9"));
        }
        if (i == 2) CHECK(stats_of(CLIENT).retransmits > 0);
        end();
        CHECK_OK();
    }
}

/* The same over shared memory, where the receiver reads each value in the sender's pool. */
static void protobuf__copies_no_large_value_over_shm(void) {
    char directory[] = "/tmp/tern-format-XXXXXX", address[96];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(address, sizeof address, "shm://%s/s", directory);
    fx = (fixture){.live_before = 0};
    CHECK_EQ(tern_endpoint_new(NULL, &fx.w.ep[SERVER]), 0);
    CHECK_EQ(tern_listen(fx.w.ep[SERVER], address), 0);
    CHECK_EQ(tern_serve(fx.w.ep[SERVER], &method, serve, NULL), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &fx.w.ep[CLIENT]), 0);
    CHECK_EQ(tern_connect(fx.w.ep[CLIENT], address, &fx.session), 0);
    static const size_t lens[] = {LARGE, 1 << 20}; /* in one packet, and in several */
    uint64_t sum = 0;
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        for (int k = 0; k < N_CALLS; k++) {
            uint8_t *data = tern_alloc(lens[i]);
            for (size_t at = 0; at < lens[i]; at++) data[at] = pattern(at);
            schema_First request = {.id = 7, .name = tern_str_of("caf\xc3\xa9"), .data = {data, lens[i]}};
            fx.done = false;
            CHECK_EQ(tern_call_start(fx.session, &method, &request, &TERN_CALL_OPTS(.format = TERN_FORMAT_PROTOBUF),
                                     on_done, NULL),
                     0);
            tern_unref(data);
            for (int turn = 0; !fx.done && turn < 10000000; turn++)
                for (int node = 0; node < N_NODES; node++) CHECK(tern_poll(fx.w.ep[node]) >= 0);
            CHECK_EQ(fx.status, TERN_STATUS_OK);
            CHECK_EQ(fx.request, TERN_FORMAT_PROTOBUF);
            CHECK(fx.intact && fx.data_bytes == lens[i] && fx.id == 8);
            sum += lens[i];
        }
        for (int node = 0; node < N_NODES; node++) {
            CHECK_EQ(stats_of(node).inplace_values, (i + 1) * N_CALLS);
            CHECK_EQ(stats_of(node).inplace_bytes, sum);
            CHECK_EQ(stats_of(node).copied_bytes, (i + 1) * N_CALLS * strlen("caf\xc3\xa9"));
        }
    }
    tern_endpoint_free(fx.w.ep[CLIENT]);
    tern_endpoint_free(fx.w.ep[SERVER]);
    rmdir(directory);
}

TAP_MAIN(TEST(third__spoken_where_both_have_it), TEST(third__and_the_others_when_asked),
         TEST(third__not_before_the_server_names_it), TEST(third__falls_back_where_one_side_lacks_it),
         TEST(third__server_restarts_without_it), TEST(endpoint__refuses_a_list_that_is_not_sound),
         TEST(third__streams), TEST(protobuf__copies_no_large_value), TEST(protobuf__copies_no_large_value_over_shm))

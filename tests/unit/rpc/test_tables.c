/* Methods with tables that this library cannot read are neither served nor called, and the log says why. */
#include "tap.h"

#include "schema.tern.h"
#include "tern/call_stream.h"
#include "world.h"

enum { METHOD = 79 };

typedef struct fixture {
    world w;
    tern_session *session;
    int n_log;
    char line[600];
    tern_type nested, outer; /* copies that a case spoils; the outer one refers to the nested one */
    tern_field fields[3];
    const tern_type *subs[1];
    tern_method method;
} fixture;

static fixture fx;

static void on_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level > TERN_LOG_WARN) return;
    fx.n_log++;
    snprintf(fx.line, sizeof fx.line, "%s", line);
}

/* message outer { First nested = 1; } is the response of the method, and First the request. */
static void make_tables(void) {
    fx.nested = schema_First_type;
    memcpy(fx.fields, schema_First_type.fields, sizeof fx.fields);
    fx.nested.fields = fx.fields;
    static const tern_field field[] = {TERN_FIELD(1, 0, 0, 0, TERN_MESSAGE, 0, 8)};
    static const char *const name[] = {"nested"};
    fx.subs[0] = &fx.nested;
    fx.outer = (tern_type){.version = TERN_TYPE_VERSION,
                           .name = "test.Outer",
                           .fields = field,
                           .field_names = name,
                           .subs = fx.subs,
                           .n_fields = 1,
                           .n_dense = 1,
                           .size_bytes = 8 + sizeof(tern_unknown),
                           .max_number = 1,
                           .unknown_offset = 8};
    fx.method = (tern_method){"test.Tables/Call", &schema_First_type, &fx.outer, METHOD, 0, NULL};
}

static bool begin(bool check_schema) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = on_log;
    config.check_schema = check_schema;
    fx = (fixture){0};
    make_tables();
    if (!world_init(&fx.w, true, 0)) return false;
    tern_endpoint_free(fx.w.ep[CLIENT]);
    tern_endpoint_free(fx.w.ep[SERVER]);
    return world_boot(&fx.w, CLIENT, &config) && world_boot(&fx.w, SERVER, &config) &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session) == 0;
}

static void serve(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    tern_reply(call, &(const uint8_t[64]){0});
}

static void on_done(void *user, int status, const void *response) {
    (void)response;
    CHECK_EQ(status, TERN_STATUS_OK);
    *(bool *)user = true;
}

static void nothing(void) {}

static void on_stream(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)handler, (void)stream, (void)request, (void)user;
}

static int serve_on_workers(tern_endpoint *ep) {
    tern_workers_config config;
    tern_workers *pool;
    tern_workers_config_init(&config);
    config.n_threads = 1;
    int err = tern_workers_new(&config, &pool);
    if (err) return err;
    err = tern_serve_on(ep, &fx.method, serve, NULL, pool);
    return tern_workers_free(pool) ? TERN_ERR_STATE : err;
}

static int start_call(tern_format format) {
    static bool done;
    schema_First request = {.id = 1};
    return tern_call_start(fx.session, &fx.method, &request, &TERN_CALL_OPTS(.format = format), on_done, &done);
}

static int start_stream(void) {
    tern__message_events events = TERN__SIZED(tern__message_events, );
    tern_stream stream;
    return tern__stream_start(fx.session, &fx.method, NULL, NULL, &events, NULL, &stream);
}

/* Every way in refuses the method. At the client the log has one line, however often the method is called. */
static void check_refused(const char *said) {
    tern_endpoint *server = fx.w.ep[SERVER];
    CHECK_EQ(tern_serve(server, &fx.method, serve, NULL), TERN_ERR_VERSION);
    CHECK_EQ(fx.n_log, 1);
    CHECK_EQ(serve_on_workers(server), TERN_ERR_VERSION);
    CHECK_EQ(tern__serve_stream(server, &fx.method, false, on_stream, nothing, NULL), TERN_ERR_VERSION);
    CHECK_EQ(fx.n_log, 3);
    CHECK(strstr(fx.line, "test.Tables/Call") && strstr(fx.line, said));
    CHECK_EQ(start_stream(), TERN_ERR_VERSION);
    CHECK_EQ(fx.n_log, 4);
    CHECK(strstr(fx.line, "test.Tables/Call") && strstr(fx.line, said));
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(start_call(TERN_FORMAT_RAW), TERN_ERR_VERSION);
        CHECK_EQ(start_call(TERN_FORMAT_PROTOBUF), TERN_ERR_VERSION);
        CHECK_EQ(start_stream(), TERN_ERR_VERSION);
    }
    CHECK_EQ(fx.n_log, 4);
}

static void versions__neither_served_nor_called(void) {
    static const uint32_t others[] = {0, TERN_TYPE_VERSION + 1};
    for (size_t i = 0; i < TERN__COUNT(others) * 4; i++) {
        char said[64];
        CHECK(begin(i & 1));
        if (i & 2)
            fx.nested.version = others[i / 4];
        else
            fx.outer.version = others[i / 4];
        snprintf(said, sizeof said, "a table of its response has version %u", others[i / 4]);
        check_refused(said);
        world_fini(&fx.w);
        CHECK_OK();
    }
}

static void versions__of_the_request(void) {
    tern_type request = schema_First_type;
    CHECK(begin(true));
    request.version++;
    fx.method.request = &request;
    check_refused("a table of its request has version 2 and flags 0x0; this library knows version 1");
    world_fini(&fx.w);
}

static void flags_of_fields__neither_served_nor_called(void) {
    CHECK(begin(true));
    fx.fields[2].flags |= TERN_FIELD_DEVICE;
    check_refused("field 3 of type schema.First, which its response has");
    CHECK(strstr(fx.line, "0x400"));
    world_fini(&fx.w);
}

/* The method is refused alone, and what nobody refuses works. */
static void known_tables__served_and_called(void) {
    for (int i = 0; i < 4; i++) {
        bool done = false;
        schema_First request = {.id = 1};
        tern_call_opts opts = TERN_CALL_OPTS(.format = i & 1 ? TERN_FORMAT_PROTOBUF : TERN_FORMAT_RAW);
        CHECK(begin(i & 2));
        tern_method other = fx.method;
        tern_type old = schema_First_type;
        old.version = 0;
        other.response = &old;
        other.id++;
        CHECK_EQ(tern_serve(fx.w.ep[SERVER], &other, serve, NULL), TERN_ERR_VERSION);
        CHECK_EQ(tern_serve(fx.w.ep[SERVER], &fx.method, serve, NULL), 0);
        CHECK_EQ(tern_call_start(fx.session, &other, &request, &opts, on_done, &done), TERN_ERR_VERSION);
        CHECK_EQ(tern_call_start(fx.session, &fx.method, &request, &opts, on_done, &done), 0);
        CHECK(world_run(&fx.w, &done, TERN_SEC));
        CHECK_EQ(fx.n_log, 2);
        world_fini(&fx.w);
    }
}

TAP_MAIN(TEST(versions__neither_served_nor_called), TEST(versions__of_the_request),
         TEST(flags_of_fields__neither_served_nor_called), TEST(known_tables__served_and_called))

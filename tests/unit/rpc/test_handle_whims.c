/* Handles of all kinds, kept for ever and used at any time: against a model that knows which of them have ended. What
 * is sent by one reaches the call or stream that it names, or nobody.
 *
 * usage: test_handle_whims [SEED [LIVES]]: other lives than those of the test. */
#include "tap.h"

#include "tern/call_stream.h"
#include "world.h"

enum { HOLD = 1, FLOW = 2, N_SESSIONS = 3, N_OLD = 4096, N_STEPS = 600 };

typedef enum use { OPEN, OVER, FORGOTTEN } use; /* FORGOTTEN: its endpoint is gone */

/* A call or stream, and all the handles that name it. */
typedef struct thing {
    uint32_t number; /* its place */
    bool is_stream, has_ref;
    use at_server, at_client;
    tern_call call;
    tern_call_ref ref;
    tern_stream client, server;
    uint32_t n_ends, n_got;
} thing;

static world w;
static tern__rng rng;
static thing things[N_OLD];
static uint32_t n_things;
static tern_session *sessions[N_SESSIONS];
static tern_session *closed[N_SESSIONS]; /* the latest that were closed */
static uint32_t n_stale, n_fresh, n_wrong;

static uint32_t any(uint32_t n) { return (uint32_t)(tern__rng_next(&rng) % n); }
static bool one_in(uint32_t n) { return any(n) == 0; }

static void expect(bool right, const char *what) {
    if (right) return;
    if (!n_wrong++) printf("# %s\n", what);
}

/* ---- Callbacks ------------------------------------------------------------------------------------- */

/* The bytes of a request, a response or a stream are the number of what they belong to. */
static tern_bytes bytes_of(const thing *t) { return tern_bytes_of(&t->number, sizeof t->number); }

static void check_bytes(thing *t, const void *data, size_t len) {
    for (size_t i = 0; i + sizeof t->number <= len; i += sizeof t->number) {
        uint32_t number;
        memcpy(&number, (const uint8_t *)data + i, sizeof number);
        expect(number == t->number, "what was sent to one has reached another");
        t->n_got++;
    }
}

static void hold(tern_call call, const void *request, void *user) {
    uint32_t number;
    (void)user;
    memcpy(&number, ((const tern_bytes *)request)->data, sizeof number);
    thing *t = &things[number];
    expect(!t->call.id, "a handler has run twice");
    t->call = call;
    t->at_server = OPEN;
    if (!one_in(4)) return;
    expect(tern_reply_raw(call, bytes_of(t)) == 0, "a reply from the handler");
    t->at_server = OVER;
}

static void on_done(void *user, int status, const void *response) {
    thing *t = user;
    expect(t->n_ends++ == 0, "a call has ended twice");
    t->at_client = OVER;
    if (status == TERN_STATUS_OK) check_bytes(t, ((const tern_bytes *)response)->data, sizeof t->number);
}

static void on_client_end(tern_stream stream, int status, void *user) {
    thing *t = user;
    (void)stream, (void)status;
    expect(t->n_ends++ == 0, "a stream has ended twice");
    t->at_client = OVER;
}

static void on_client_data(tern_stream stream, const void *data, size_t len, void *user) {
    thing *t = user;
    expect(stream.id == t->client.id, "a stream has another's data");
    check_bytes(t, data, len);
}

/* The server's end learns from the first bytes which one it is. */
static thing *thing_of(tern_stream stream) {
    for (uint32_t i = n_things; i-- > 0;)
        if (things[i].server.id == stream.id && things[i].at_server != FORGOTTEN) return &things[i];
    return NULL;
}

static void on_server_data(tern_stream stream, const void *data, size_t len, void *user) {
    thing *t = thing_of(stream);
    (void)user;
    if (t) {
        check_bytes(t, data, len);
        return;
    }
    uint32_t number;
    memcpy(&number, data, sizeof number);
    expect(len >= sizeof number && number < n_things && !things[number].server.id, "a stream without a number");
    things[number].server = stream;
    things[number].at_server = OPEN;
}

static void on_server_end(tern_stream stream, int status, void *user) {
    thing *t = thing_of(stream);
    (void)status, (void)user;
    if (!t) return;
    expect(t->at_server == OPEN, "the end of a stream that had ended");
    t->at_server = OVER;
}

static void accept_flow(tern_stream stream, void *user) {
    (void)user;
    tern_stream_accept(stream, NULL, &TERN_STREAM_EVENTS(.on_data = on_server_data, .on_end = on_server_end), NULL);
}

/* ---- What is done ---------------------------------------------------------------------------------- */

static void start_call(thing *t, tern_session *session) {
    tern_dur timeouts[] = {0, 0, -1, 50 * TERN_US, TERN_MS, 20 * TERN_MS};
    t->has_ref = one_in(2);
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = timeouts[any(TERN__COUNT(timeouts))]);
    if (t->has_ref) opts.ref = &t->ref;
    if (tern_call_start_raw(session, HOLD, bytes_of(t), &opts, on_done, t) == 0) t->at_client = OPEN;
}

static void start_flow(thing *t, tern_session *session) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = on_client_data, .on_end = on_client_end);
    tern_stream_opts opts = TERN_STREAM_OPTS(.timeout = one_in(3) ? 2 * TERN_MS : 0);
    if (tern_stream_start(session, FLOW, &opts, &events, t, &t->client) != 0) return;
    t->at_client = OPEN;
    tern_stream_send(t->client, bytes_of(t));
}

static void start_thing(tern_session *session) {
    if (n_things == N_OLD) return;
    thing *t = &things[n_things];
    *t = (thing){.number = n_things, .is_stream = one_in(3), .at_server = OVER, .at_client = OVER};
    n_things++;
    if (t->is_stream)
        start_flow(t, session);
    else
        start_call(t, session);
}

static void note(use is, int err) {
    expect(is == OPEN ? err != TERN_ERR_STALE : err == TERN_ERR_STALE, "a handle is stale, or it is not, wrongly");
    n_stale += err == TERN_ERR_STALE;
    n_fresh += err != TERN_ERR_STALE;
}

static void use_call(thing *t) {
    expect(tern_call_is_open(t->call) == (t->at_server == OPEN), "tern_call_is_open()");
    switch (any(6)) {
    case 0: expect((tern_call_arena(t->call) != NULL) == (t->at_server == OPEN), "tern_call_arena()"); return;
    case 1: note(t->at_server, tern_call_on_cancel(t->call, NULL, NULL)); return;
    case 2: note(t->at_server, tern_call_add_trailing(t->call, "key", tern_bytes_of("v", 1))); return;
    case 3: note(t->at_server, tern_fail(t->call, TERN_STATUS_ABORTED)); break;
    default: note(t->at_server, tern_reply_raw(t->call, bytes_of(t))); break;
    }
    t->at_server = OVER;
}

static void use_ref(thing *t) {
    int err = tern_call_cancel(w.ep[CLIENT], t->ref);
    if (t->at_client == OVER) note(OVER, err);
    expect(err == 0 || err == TERN_ERR_STALE, "tern_call_cancel()"); /* stale, too, where the end is due */
}

static void use_client_stream(thing *t) {
    expect(tern_stream_is_open(t->client) == (t->at_client == OPEN), "tern_stream_is_open()");
    switch (any(5)) {
    case 0: note(t->at_client, tern_stream_cancel(t->client)); break;
    case 1: note(t->at_client, tern_stream_finish(t->client)); break;
    case 2: note(t->at_client, tern_stream_pause(t->client)); break;
    case 3: note(t->at_client, tern_stream_resume(t->client)); break;
    default: note(t->at_client, tern_stream_send(t->client, bytes_of(t))); break;
    }
}

static void use_server_stream(thing *t) {
    expect(tern_stream_is_open(t->server) == (t->at_server == OPEN), "tern_stream_is_open()");
    switch (any(5)) {
    case 0: note(t->at_server, tern_stream_end(t->server, TERN_STATUS_OK)); break;
    case 1: note(t->at_server, tern_stream_fail(t->server, TERN_STATUS_ABORTED)); break;
    case 2: note(t->at_server, tern_stream_flush(t->server)); return;
    default: note(t->at_server, tern_stream_send(t->server, bytes_of(t))); return;
    }
    t->at_server = OVER;
}

/* The latest are used most, and all sometimes. */
static void use_thing(void) {
    uint32_t recent = n_things < 40 ? n_things : 40;
    thing *t = &things[one_in(3) ? any(n_things) : n_things - 1 - any(recent)];
    if (t->call.id && t->at_server != FORGOTTEN && one_in(2)) use_call(t);
    if (t->has_ref && t->at_client != FORGOTTEN && one_in(4)) use_ref(t);
    if (t->client.id && t->at_client != FORGOTTEN && one_in(2)) use_client_stream(t);
    if (t->server.id && t->at_server != FORGOTTEN && one_in(2)) use_server_stream(t);
}

static void use_session(uint32_t i) {
    if (closed[i]) {
        note(OVER, (int)tern_session_get_state(closed[i]));
        note(OVER, tern_session_close(closed[i]));
        note(OVER, tern_call_start_raw(closed[i], HOLD, tern_bytes_of("x", 1), NULL, on_done, NULL));
    }
    if (!sessions[i]) {
        expect(tern_connect(w.ep[CLIENT], "sim://0", &sessions[i]) == 0, "tern_connect()");
    } else if (one_in(40)) {
        closed[i] = sessions[i];
        sessions[i] = NULL;
        expect(tern_session_close(closed[i]) == 0, "tern_session_close()");
    } else {
        start_thing(sessions[i]);
    }
}

/* ---- Lives ----------------------------------------------------------------------------------------- */

static bool boot(unsigned node) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 50 * TERN_MS;
    if (!world_boot(&w, node, &config)) return false;
    return node == CLIENT || (tern_serve_raw(w.ep[node], HOLD, hold, NULL) == 0 &&
                              tern_serve_stream(w.ep[node], FLOW, accept_flow, NULL) == 0);
}

static void kill_node(unsigned node) {
    tern_endpoint_free(w.ep[node]);
    w.ep[node] = NULL;
    for (uint32_t i = 0; i < n_things; i++) {
        if (node == SERVER) things[i].at_server = FORGOTTEN;
        if (node == CLIENT) things[i].at_client = FORGOTTEN;
    }
    if (node == CLIENT) memset(sessions, 0, sizeof sessions);
    if (node == CLIENT) memset(closed, 0, sizeof closed);
}

static void live(uint64_t seed) {
    tern__rng_seed(&rng, seed);
    n_things = 0;
    memset(sessions, 0, sizeof sessions);
    memset(closed, 0, sizeof closed);
    CHECK(world_init(&w, seed & 1, seed & 1 ? 0 : any(3) * 0.1));
    for (unsigned node = 0; node < N_NODES; node++) {
        kill_node(node);
        CHECK(boot(node));
    }
    const bool never = false;
    for (int step = 0; step < N_STEPS; step++) {
        for (uint32_t n = any(4); n; n--) use_session(any(N_SESSIONS));
        for (uint32_t n = any(8); n && n_things; n--) use_thing();
        for (uint32_t n = any(4); n; n--) world_turn(&w);
        if (one_in(50)) world_run(&w, &never, any(60) * TERN_MS);
        if (!one_in(150)) continue;
        unsigned node = any(N_NODES);
        kill_node(node);
        CHECK(boot(node));
    }
    for (unsigned node = 0; node < N_NODES; node++) kill_node(node);
    world_fini(&w);
    CHECK_EQ(n_wrong, 0);
}

static uint64_t first_seed = 1;
static uint32_t n_lives = 24;

static void handles__used_at_any_time(void) {
    n_stale = n_fresh = n_wrong = 0;
    for (uint64_t seed = first_seed; seed < first_seed + n_lives; seed++) {
        live(seed);
        if (tap_failed) printf("# seed %" PRIu64 "\n", seed);
        CHECK_OK();
    }
    CHECK(n_stale > 1000 * (uint64_t)n_lives / 4 && n_fresh > 1000 * (uint64_t)n_lives / 4);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(handles__used_at_any_time)};
    if (argc > 1) first_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2) n_lives = (uint32_t)strtoul(argv[2], NULL, 0);
    return tap_run(tests, 1, 1, argv);
}

/* Streams whose callbacks do whatever comes to mind, to their own stream, to others, to sessions, or to the server:
 * write, end, cancel, pause, read, start more, close. Nothing is touched that is gone (the sanitizers look), every
 * stream ends once, and no buffer is left. Random, but the same for the same seed: `test_stream_whims FROM TO` runs
 * those. */
#include "tap.h"

#include "schema.tern.h"
#include "tern/call_stream.h"
#include "world.h"

enum { RAW = 5, TYPED = 78, CALL = 9, N_STREAMS = 24, N_SESSIONS = 3, MAX_DEPTH = 4, LARGE = 60000, N_SEEDS = 150 };

static const tern_method typed = {"test.Whims/Flow", &schema_First_type, &schema_First_type, TYPED, 0, NULL};

static world w;
static tern__rng rng;
static tern_session *sessions[N_SESSIONS];
static tern_stream of_client[N_STREAMS], of_server[N_STREAMS]; /* the latest, many of them over */
static unsigned n_of_client, n_of_server, depth;
static uint64_t n_started, n_ended;
static uint8_t *large; /* in the pool */

static uint32_t any(uint32_t below) { return (uint32_t)(tern__rng_next(&rng) % below); }

static bool one_in(uint32_t n) { return any(n) == 0; }

static void act(void);

static void act_perhaps(void) {
    if (depth == MAX_DEPTH || !one_in(3)) return;
    depth++;
    act();
    depth--;
}

/* ---- What is told ---------------------------------------------------------------------------------- */

static void on_data(tern_stream stream, const void *data, size_t len, void *user) {
    static volatile uint8_t seen;
    (void)stream, (void)user;
    act_perhaps();
    for (size_t i = 0; i < len; i += 97) seen = ((const uint8_t *)data)[i]; /* still valid, whatever was done */
    seen = ((const uint8_t *)data)[len - 1];
    (void)seen;
}

static void on_message(tern__any_fn *fn, tern_stream stream, const void *message, void *user) {
    (void)fn, (void)stream, (void)message, (void)user;
    act_perhaps();
}

static void on_finished(tern_stream stream, void *user) {
    (void)user;
    if (one_in(2)) tern_stream_end(stream, TERN_STATUS_OK);
    act_perhaps();
}

static void on_writable(tern_stream stream, void *user) {
    (void)stream, (void)user;
    act_perhaps();
}

/* user: not NULL at the client. */
static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)status;
    n_ended += user != NULL;
    act_perhaps();
    act_perhaps();
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)status, (void)response;
    act_perhaps();
}

static void nothing(void) {}

static const tern_stream_events pushed = {sizeof(tern_stream_events), on_data, on_finished, on_writable, on_end};
static const tern_stream_events pulled = {sizeof(tern_stream_events), NULL, on_finished, on_writable, on_end};
static const tern__message_events messages = {
    sizeof(tern__message_events), on_message, nothing, on_finished, on_writable, on_end};

static const tern_stream_events *any_events(void) { return one_in(3) ? &pulled : &pushed; }

static tern_stream_opts any_opts(void) {
    return TERN_STREAM_OPTS(.window_bytes = one_in(2) ? 64 << 10 : 0, .buffer_bytes = one_in(3) ? 0 : 1 + any(5000),
                            .manual = one_in(4), .timeout = one_in(4) ? any(3000000) : 0);
}

/* ---- The server ------------------------------------------------------------------------------------ */

static void serve_raw(tern_stream stream, void *user) {
    tern_stream_opts opts = any_opts();
    of_server[n_of_server++ % N_STREAMS] = stream;
    act_perhaps();
    if (one_in(8))
        tern_stream_end(stream, (tern_status)any(3));
    else if (!one_in(10)) /* else it is not accepted */
        tern_stream_accept(stream, &opts, any_events(), user);
    act_perhaps();
}

static void serve_typed(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    tern_stream_opts opts = any_opts();
    (void)handler, (void)request;
    of_server[n_of_server++ % N_STREAMS] = stream;
    if (one_in(8))
        tern_stream_fail(stream, (tern_status)any(3));
    else
        tern__stream_accept(stream, &typed, &opts, &messages, user);
    act_perhaps();
}

static void serve_call(tern_call call, const void *request, void *user) {
    tern_bytes bytes = *(const tern_bytes *)request;
    (void)user;
    act_perhaps();
    tern_reply_raw(call, bytes);
}

static bool boot(unsigned node) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 50 * TERN_MS;
    config.max_backlog = 12;
    if (!world_boot(&w, node, &config)) return false;
    tern_endpoint *ep = w.ep[node];
    return node == CLIENT ||
           (!tern_serve_stream(ep, RAW, serve_raw, NULL) && !tern_serve_raw(ep, CALL, serve_call, NULL) &&
            !tern__serve_stream(ep, &typed, false, serve_typed, nothing, NULL));
}

static void kill_node(unsigned node) {
    tern_endpoint_free(w.ep[node]);
    w.ep[node] = NULL;
    memset(node == SERVER ? of_server : of_client, 0, sizeof of_client);
    if (node == CLIENT) memset(sessions, 0, sizeof sessions);
}

/* ---- What comes to mind ---------------------------------------------------------------------------- */

static void start_stream(tern_session *session) {
    tern_stream_opts opts = any_opts();
    schema_First request = {.id = 1};
    uint32_t method = one_in(20) ? RAW + 1 : RAW;
    tern_stream stream;
    int err = one_in(3)
                  ? tern__stream_start(session, &typed, one_in(2) ? &request : NULL, &opts, &messages, &rng, &stream)
                  : tern_stream_start(session, method, &opts, any_events(), &rng, &stream);
    if (err) return;
    of_client[n_of_client++ % N_STREAMS] = stream;
    n_started++;
}

static void act_on_session(tern_session **session) {
    switch (any(6)) {
    case 0: tern_call_start_raw(*session, CALL, tern_bytes_of("x", 1), NULL, on_done, NULL); break;
    case 1:
        if (!one_in(4)) break;
        tern_session_close(*session);
        *session = NULL;
        break;
    case 2: tern_session_get_state(*session); break;
    default: start_stream(*session); break;
    }
}

static void act_on_stream(tern_stream s) {
    static uint8_t bytes[3000];
    size_t n = one_in(2) ? any(100) : any(sizeof bytes);
    schema_First message = {.id = 2, .data = {bytes, n}};
    switch (any(16)) {
    case 0: tern_stream_write(s, tern_bytes_of(large, any(LARGE))); break;
    case 1: tern_stream_flush(s); break;
    case 2: tern_stream_finish(s); break;
    case 3: tern_stream_cancel(s); break;
    case 4: tern_stream_end(s, (tern_status)any(5)); break;
    case 5: tern_stream_fail(s, (tern_status)any(5)); break;
    case 6: tern_stream_pause(s); break;
    case 7:
    case 8: tern_stream_resume(s); break;
    case 9: tern_stream_read(s, bytes, n); break;
    case 10: tern_stream_consume(s, n * 20); break;
    case 11:
    case 12: (one_in(2) ? tern__stream_put_request : tern__stream_put_response)(s, &typed, &message); break;
    case 13: tern_stream_send(s, tern_bytes_of(bytes, n)); break;
    default: tern_stream_write(s, tern_bytes_of(bytes, n)); break;
    }
}

static void act(void) {
    tern_session **session = &sessions[any(N_SESSIONS)];
    tern_stream stream = one_in(2) ? of_client[any(N_STREAMS)] : of_server[any(N_STREAMS)];
    if (one_in(300) && w.ep[SERVER]) tern_endpoint_drain(w.ep[SERVER], any(2) * 5 * TERN_MS, NULL, NULL);
    if (one_in(3) && *session)
        act_on_session(session);
    else if (stream.id)
        act_on_stream(stream);
}

/* ---- Lives ------------------------------------------------------------------------------------------ */

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void live(uint64_t seed) {
    const bool never = false;
    tern__rng_seed(&rng, seed);
    n_of_client = n_of_server = 0;
    n_started = n_ended = 0;
    CHECK(world_init(&w, seed & 1, seed & 1 ? 0 : any(3) * 0.1));
    for (unsigned node = 0; node < N_NODES; node++) {
        kill_node(node);
        CHECK(boot(node));
    }
    large = tern_alloc(LARGE);
    memset(large, 3, LARGE);
    for (int step = 0; step < 400; step++) {
        for (int i = 0; i < N_SESSIONS; i++)
            if (!sessions[i] && one_in(3)) CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &sessions[i]), 0);
        for (uint32_t n = any(6); n; n--) act();
        if (one_in(60)) {
            unsigned node = any(N_NODES);
            kill_node(node);
            world_run(&w, &never, any(3) * TERN_MS);
            CHECK(boot(node));
        }
        for (uint32_t n = any(4); n; n--) world_turn(&w);
    }
    for (unsigned node = 0; node < N_NODES; node++) kill_node(node);
    world_fini(&w);
    tern_unref(large);
    CHECK_EQ(n_ended, n_started);
    CHECK_EQ(live_buffers(), 0);
}

static void live_all(uint64_t from, uint64_t to) {
    for (uint64_t seed = from; seed < to && !tap_failed; seed++) {
        live(seed);
        if (tap_failed) printf("# again: test_stream_whims %" PRIu64 " %" PRIu64 "\n", seed, seed + 1);
    }
}

static void callbacks__may_do_anything(void) { live_all(1, 1 + N_SEEDS); }

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(callbacks__may_do_anything)};
    if (argc != 3) return tap_run(tests, 1, argc, argv);
    live_all(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    return tap_failed;
}

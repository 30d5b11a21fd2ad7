/* Programs and libraries of different versions: structs that are smaller or larger than this library's, or whose size
 * was never set (tern/sized.h). */
#include "tap.h"

#include <stdlib.h>

#include "base/sized.h"
#include "old_program.h"
#include "rpc/endpoint.h"
#include "schema.tern.h"
#include "tern/call_stream.h"
#include "tern/graph.h"
#include "tern/json.h"
#include "tern/stream.h"
#include "world.h"

enum { METHOD = 7, STREAM = 8, MESSAGES = 9, ROOM = 512 };

static const tern_method typed = {"test.Sizes/Flow", &schema_First_type, &schema_First_type, MESSAGES, 0, NULL};
static const tern_method absent = {"test.Sizes/Absent", &schema_First_type, &schema_First_type, 100, 0, NULL};

static world w;
static tern_session *session;
static unsigned n_errors;
static char last_error[512];

static void keep_error(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level != TERN_LOG_ERROR) return;
    n_errors++;
    snprintf(last_error, sizeof last_error, "%s", line);
}

static void must(bool good) { CHECK(good); }

static void never(tern_call call, const void *request, void *user) { (void)call, (void)request, (void)user; }
static void on_done(void *user, int status, const void *response) { (void)user, (void)status, (void)response; }
static void nothing(void) {}

/* ---- Where a struct is given ----------------------------------------------------------------------- */

static int call_raw(const void *given) {
    return tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), given, on_done, NULL);
}

static int call_typed(const void *given) {
    const schema_First request = {.id = 1};
    return tern_call_start(session, &typed, &request, given, on_done, NULL);
}

static const void *waiting_opts;
static int wait_err;

static void wait_in_callback(void *user) {
    const schema_First request = {.id = 1};
    (void)user;
    wait_err = tern_call_wait(session, &typed, &request, waiting_opts, NULL);
}

/* In a callback nothing can be waited for: the opts are read, and no more. */
static int call_wait(const void *given) {
    waiting_opts = given;
    must(tern_post(w.ep[CLIENT], wait_in_callback, NULL) == 0);
    world_settle(&w);
    return wait_err == TERN_ERR_STATE ? 0 : wait_err;
}

static int start_with(const tern_stream_opts *opts, const tern_stream_events *events, uint32_t method) {
    tern_stream stream;
    int err = tern_stream_start(session, method, opts, events, NULL, &stream);
    if (err) return err;
    return tern_stream_send(stream, tern_bytes_of("x", 1));
}

static const tern_stream_events no_events = {.size = sizeof no_events};

static int start_opts(const void *given) { return start_with(given, &no_events, STREAM + 100); }
static int start_events(const void *given) { return start_with(NULL, given, STREAM + 100); }

static int start_messages(const void *given) {
    tern_stream stream;
    return tern__stream_start(session, &absent, NULL, NULL, given, NULL, &stream);
}

static const tern_stream_opts *accept_opts;
static const tern_stream_events *accept_events;
static int accept_err;
static bool has_accepted;

static void accept_one(tern_stream stream, void *user) {
    (void)user;
    accept_err = tern_stream_accept(stream, accept_opts, accept_events, NULL);
    tern_stream_end(stream, TERN_STATUS_OK);
    has_accepted = true;
}

static int accept_with(const tern_stream_opts *opts, const tern_stream_events *events) {
    accept_opts = opts;
    accept_events = events;
    has_accepted = false;
    must(start_with(NULL, &no_events, STREAM) == 0 && world_run(&w, &has_accepted, TERN_SEC));
    return accept_err;
}

static int take_opts(const void *given) { return accept_with(given, &no_events); }
static int take_events(const void *given) { return accept_with(NULL, given); }

static const tern__message_events *message_events;

static void accept_messages(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)handler, (void)request, (void)user;
    accept_err = tern__stream_accept(stream, &typed, NULL, message_events, NULL);
    tern_stream_end(stream, TERN_STATUS_OK);
    has_accepted = true;
}

static int take_messages(const void *given) {
    const tern__message_events none = TERN__SIZED(tern__message_events, .thunk = NULL);
    tern_stream stream;
    message_events = given;
    has_accepted = false;
    must(tern__stream_start(session, &typed, NULL, NULL, &none, NULL, &stream) == 0);
    must(tern_stream_finish(stream) == 0 && world_run(&w, &has_accepted, TERN_SEC));
    return accept_err;
}

static int new_endpoint(const void *given) {
    tern_endpoint *ep;
    int err = tern_endpoint_new(given, &ep);
    return err ? err : tern_endpoint_free(ep);
}

static int new_workers(const void *given) {
    tern_workers *pool;
    int err = tern_workers_new(given, &pool);
    return err ? err : tern_workers_free(pool);
}

/* The pool is up already. */
static int set_up_pool(const void *given) {
    int err = tern_mem_init(given);
    return err == TERN_ERR_EXISTS ? 0 : err;
}

static int register_region(const void *given) {
    static uint8_t memory[64];
    tern_region *region;
    int err = tern_region_register(memory, sizeof memory, given, NULL, &region);
    return err ? err : tern_region_unregister(region);
}

static int new_heap(const void *given) {
    tern_heap *heap;
    int err = tern_heap_new(given, &heap);
    return err ? err : tern_heap_free(heap);
}

/* The options are read before the file is looked for. */
static int map_heap(const void *given) {
    tern_heap *heap;
    int err = tern_heap_map("/nowhere", given, &heap, NULL, 0);
    return err == TERN_ERR_IO ? 0 : err;
}

static int decode_with(const tern_limits *limits, int how) {
    tern_json_options options;
    tern_arena arena = {0};
    schema_First msg, empty = {0};
    uint8_t hybrid[64];
    tern_json_options_init(&options);
    options.limits = limits;
    int64_t len = tern_hybrid_encode(&schema_First_type, &empty, hybrid, sizeof hybrid);
    tern_arena_init(&arena, 0, 0);
    int err = how == 0   ? tern_protobuf_decode(&schema_First_type, "", 0, &arena, 0, limits, &msg)
              : how == 1 ? tern_hybrid_decode(&schema_First_type, hybrid, (size_t)len, &arena, limits, &msg)
                         : tern_json_decode(&schema_First_type, "{}", 2, &options, &arena, &msg);
    tern_arena_fini(&arena);
    return err;
}

static int limits_of_protobuf(const void *given) { return decode_with(given, 0); }
static int limits_of_hybrid(const void *given) { return decode_with(given, 1); }
static int limits_of_json(const void *given) { return decode_with(given, 2); }

static int encode_json(const void *given) {
    const schema_First msg = {0};
    int64_t len = tern_json_encode(&schema_First_type, &msg, given, NULL, 0);
    return len < 0 ? (int)len : 0;
}

static int decode_json(const void *given) {
    tern_arena arena;
    schema_First msg;
    tern_arena_init(&arena, 0, 0);
    int err = tern_json_decode(&schema_First_type, "{}", 2, given, &arena, &msg);
    tern_arena_fini(&arena);
    return err;
}

static int encode_text(const void *given) {
    const schema_First msg = {0};
    int64_t len = tern_text_encode(&schema_First_type, &msg, given, NULL, 0);
    return len < 0 ? (int)len : 0;
}

static int64_t flush_away(void *user, const uint8_t *data, size_t n, size_t min) {
    (void)user, (void)data, (void)min;
    return (int64_t)n;
}

static int64_t fill_nothing(void *user, uint8_t *to, size_t cap, size_t min) {
    (void)user, (void)to, (void)cap, (void)min;
    return 0;
}

/* The table is used where it is, and no longer than until fini. */
static int write_to(const void *given) {
    tern_writer writer;
    int err = tern_writer_init(&writer, (tern_sink){given, NULL}, 64);
    must(tern_writer_fini(&writer) == err);
    return err;
}

static int read_from(const void *given) {
    tern_reader reader;
    int err = tern_reader_init(&reader, (tern_source){given, NULL}, 64);
    must(tern_reader_fini(&reader) == err);
    return err;
}

/* ---- What is given --------------------------------------------------------------------------------- */

static void fill_config(void *p) {
    tern_endpoint_config_init(p);
    ((tern_endpoint_config *)p)->log = keep_error;
}

static void fill_workers(void *p) {
    tern_workers_config_init(p);
    ((tern_workers_config *)p)->log = keep_error;
}

static void fill_mem(void *p) { tern_mem_config_init(p); }
static void fill_heap(void *p) { tern_heap_config_init(p); }
static void fill_limits(void *p) { tern_limits_init(p); }
static void fill_json(void *p) { tern_json_options_init(p); }
static void fill_text(void *p) { tern_text_options_init(p); }
static void fill_sink(void *p) { ((tern_sink_ops *)p)->flush = flush_away; }
static void fill_source(void *p) { ((tern_source_ops *)p)->fill = fill_nothing; }

typedef enum logs { NO_LOG, LOG_OF_ENDPOINT, LOG_OF_ITS_OWN } logs;

static const struct {
    const char *name, *set_by;
    int (*take)(const void *given);
    size_t size, least; /* of this version; of the oldest that is taken */
    logs logs;
    void (*fill)(void *p); /* NULL: all zero */
} places[] = {
    {"call_raw", "TERN_CALL_OPTS() or tern_call_opts_init()", call_raw, sizeof(tern_call_opts), 16, LOG_OF_ENDPOINT, 0},
    {"call_typed", "TERN_CALL_OPTS() or", call_typed, sizeof(tern_call_opts), 16, LOG_OF_ENDPOINT, 0},
    {"call_wait", "TERN_CALL_OPTS() or", call_wait, sizeof(tern_call_opts), 16, LOG_OF_ENDPOINT, 0},
    {"start_opts", "TERN_STREAM_OPTS() or", start_opts, sizeof(tern_stream_opts), 16, LOG_OF_ENDPOINT, 0},
    {"start_events", "TERN_STREAM_EVENTS() or", start_events, sizeof(tern_stream_events), 16, LOG_OF_ENDPOINT, 0},
    {"start_messages", "protoc-gen-tern", start_messages, sizeof(tern__message_events), 16, LOG_OF_ENDPOINT, 0},
    {"take_opts", "tern_stream_opts_init()", take_opts, sizeof(tern_stream_opts), 16, LOG_OF_ENDPOINT, 0},
    {"take_events", "tern_stream_events_init()", take_events, sizeof(tern_stream_events), 16, LOG_OF_ENDPOINT, 0},
    {"take_messages", "protoc-gen-tern", take_messages, sizeof(tern__message_events), 16, LOG_OF_ENDPOINT, 0},
    {"endpoint", "tern_endpoint_config_init()", new_endpoint, sizeof(tern_endpoint_config), 24, LOG_OF_ITS_OWN,
     fill_config},
    {"workers", "tern_workers_config_init()", new_workers, sizeof(tern_workers_config), 24, LOG_OF_ITS_OWN,
     fill_workers},
    {"mem", "", set_up_pool, sizeof(tern_mem_config), 16, NO_LOG, fill_mem},
    {"heap", "", new_heap, sizeof(tern_heap_config), 16, NO_LOG, fill_heap},
    {"heap file", "", map_heap, sizeof(tern_heap_map_opts), 16, NO_LOG, 0},
    {"region", "", register_region, sizeof(tern_region_ops), 16, NO_LOG, 0},
    {"protobuf", "", limits_of_protobuf, sizeof(tern_limits), 16, NO_LOG, fill_limits},
    {"hybrid", "", limits_of_hybrid, sizeof(tern_limits), 16, NO_LOG, fill_limits},
    {"json limits", "", limits_of_json, sizeof(tern_limits), 16, NO_LOG, fill_limits},
    {"json", "", encode_json, sizeof(tern_json_options), 16, NO_LOG, fill_json},
    {"json", "", decode_json, sizeof(tern_json_options), 16, NO_LOG, fill_json},
    {"text", "", encode_text, sizeof(tern_text_options), 16, NO_LOG, fill_text},
    {"sink", "", write_to, sizeof(tern_sink_ops), sizeof(tern_sink_ops), NO_LOG, fill_sink},
    {"source", "", read_from, sizeof(tern_source_ops), sizeof(tern_source_ops), NO_LOG, fill_source},
};

static unsigned place; /* among them */

static void check_place(bool good) {
    if (!good) printf("# at %s: %u errors, the last \"%s\"\n", places[place].name, n_errors, last_error);
    CHECK(good);
}

/* A struct of this size, which ends where its memory ends, is given; the byte at `dirty` of it is not 0. */
static int give(size_t size, size_t stated, size_t dirty) {
    union {
        uint64_t aligned[ROOM / 8];
        uint8_t bytes[ROOM];
    } all = {0};
    if (places[place].fill) places[place].fill(all.bytes);
    memcpy(all.bytes, &stated, sizeof stated);
    if (dirty) all.bytes[dirty] = 1;
    uint8_t *given = malloc(size);
    if (!given) abort();
    memcpy(given, all.bytes, size);
    n_errors = 0;
    int err = places[place].take(given);
    free(given);
    return err;
}

static void check_taken(size_t size) {
    check_place(give(size, size, 0) == 0);
    check_place(n_errors == 0);
}

static void check_refused(size_t size, size_t stated, size_t dirty, bool log_is_known, const char *why) {
    check_place(give(size, stated, dirty) == TERN_ERR_INVALID);
    bool is_logged = places[place].logs == LOG_OF_ENDPOINT || (places[place].logs == LOG_OF_ITS_OWN && log_is_known);
    check_place(n_errors == is_logged);
    if (is_logged) check_place(strstr(last_error, why) != NULL);
}

/* Enough backlog and memory for all. */
static bool begin(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = keep_error;
    config.check_schema = false;
    if (!world_init(&w, true, 0)) return false;
    for (uint32_t i = 0; i < N_NODES; i++) {
        tern_endpoint_free(w.ep[i]);
        if (!world_boot(&w, i, &config)) return false;
    }
    return tern_serve_raw(w.ep[SERVER], METHOD, never, NULL) == 0 &&
           tern_serve_stream(w.ep[SERVER], STREAM, accept_one, NULL) == 0 &&
           tern__serve_stream(w.ep[SERVER], &typed, false, accept_messages, nothing, NULL) == 0 &&
           tern_connect(w.ep[CLIENT], "sim://0", &session) == 0;
}

static void older__structs_are_taken(void) {
    CHECK(begin());
    for (place = 0; place < TERN__COUNT(places); place++)
        for (size_t size = places[place].least; size <= places[place].size; size += 8) check_taken(size);
    world_fini(&w);
}

static void newer__structs_are_taken_if_they_ask_for_nothing_new(void) {
    CHECK(begin());
    for (place = 0; place < TERN__COUNT(places); place++) {
        size_t own = places[place].size, newer = own + 24;
        check_taken(newer);
        for (size_t dirty = own; dirty < newer; dirty++)
            check_refused(newer, newer, dirty, true, "the program is for a newer tern");
    }
    world_fini(&w);
}

static void unset__sizes_are_refused(void) {
    CHECK(begin());
    for (place = 0; place < TERN__COUNT(places); place++) {
        size_t own = places[place].size;
        check_refused(own, 0, 0, true, "size is 0: ");
        if (places[place].logs != NO_LOG) check_place(strstr(last_error, places[place].set_by) != NULL);
        check_refused(own, 4, 0, false, "which no version of the struct has");
        check_refused(own, own - 4, 0, false, "which no version of the struct has");
        check_refused(own, 8, 0, false, "which no version of the struct has");
        check_refused(own, (size_t)-1, 0, false, "which no version of the struct has");
    }
    world_fini(&w);
}

/* ---- Members that a smaller struct lacks, and room that a larger one has ---------------------------- */

static void old_program__goes_on(void) {
    old_program_outcome o = old_program_run();
    CHECK_EQ(o.err, 0);
    CHECK_EQ(o.call_status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK_EQ(o.accept_status, 0);
    CHECK_EQ(o.n_received, 1);
    CHECK(o.tx_packets > 0);
    const tern_endpoint_config *config = &((const tern_endpoint *)o.server)->config;
    CHECK_EQ(config->max_message_bytes, 1 << 20);
    CHECK_EQ(config->session_credits, 32);
    CHECK_EQ(config->retry_after, 10 * TERN_MS);
    old_program_end(&o);
}

static void call_opts__members_that_are_there_count(void) {
    CHECK(begin());
    tern_call_ref ref = {0};
    struct {
        tern_call_opts known;
        uint64_t unknown[2];
    } newer = {.known = {.size = sizeof newer, .timeout = TERN_SEC, .ref = &ref}};
    CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), &newer.known, on_done, NULL), 0);
    CHECK(ref.id != 0);
    CHECK_EQ(tern_call_cancel(w.ep[CLIENT], ref), 0);
    const schema_First request = {.id = 1};
    ref = (tern_call_ref){0};
    CHECK_EQ(tern_call_start(session, &typed, &request, &newer.known, on_done, NULL), 0);
    CHECK(ref.id != 0);
    newer.known.timeout = -1;
    CHECK_EQ(tern_call_start(session, &typed, &request, &newer.known, on_done, NULL), 0);
    CHECK(ref.id == 0);
    world_fini(&w);
}

static void stream_opts__windows_out_of_bounds_are_refused(void) {
    static const uint32_t bad[] = {1, (64 << 10) - 1, (1 << 30) + 1, UINT32_MAX};
    CHECK(begin());
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        tern_stream_opts opts = TERN_STREAM_OPTS(.window_bytes = bad[i]);
        n_errors = 0;
        CHECK_EQ(start_opts(&opts), TERN_ERR_INVALID);
        CHECK_EQ(n_errors, 1);
        CHECK(strstr(last_error, "it goes from 65536 to 1073741824, or is 0") != NULL);
        CHECK_EQ(take_opts(&opts), TERN_ERR_INVALID);
        CHECK_EQ(n_errors, 2);
    }
    CHECK_EQ(start_opts(&TERN_STREAM_OPTS(.window_bytes = 64 << 10)), 0);
    CHECK_EQ(start_opts(&TERN_STREAM_OPTS(.window_bytes = 1 << 30)), 0);
    world_fini(&w);
}

/* Of so much room as the library is told of the first bytes are filled, and no others. */
#define CHECK_FILLED(type, fill)                                                                                       \
    do {                                                                                                               \
        union {                                                                                                        \
            type all;                                                                                                  \
            uint8_t bytes[ROOM];                                                                                       \
        } whole, part;                                                                                                 \
        size_t own = sizeof(type);                                                                                     \
        memset(&whole, 0xa5, sizeof whole);                                                                            \
        fill(&whole.all, own + 16);                                                                                    \
        for (size_t i = 0; i < 16; i++) CHECK_EQ(whole.bytes[own + i], 0);                                             \
        CHECK_EQ(whole.bytes[own + 16], 0xa5);                                                                         \
        for (size_t size = 8; size < own; size += 8) {                                                                 \
            memset(&part, 0xa5, sizeof part);                                                                          \
            fill(&part.all, size);                                                                                     \
            for (size_t i = size; i < sizeof part; i++) CHECK_EQ(part.bytes[i], 0xa5);                                 \
            CHECK(memcmp(part.bytes + FIRST_SAME, whole.bytes + FIRST_SAME, size - FIRST_SAME) == 0);                  \
        }                                                                                                              \
    } while (0)

static void get_heap_stats(tern_heap_stats *stats, size_t size) {
    tern_heap *heap;
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    tern_heap_get_stats_sized(heap, stats, size);
    tern_heap_free(heap);
}

static void get_endpoint_stats(tern_endpoint_stats *stats, size_t size) {
    CHECK_EQ(tern_endpoint_get_stats_sized(w.ep[CLIENT], stats, size), 0);
}

static void compare_types(tern_type_conflict *conflict, size_t size) {
    uint8_t outline[256];
    size_t len = tern_type_outline(&schema_Other_type, outline, sizeof outline);
    CHECK_EQ(tern_type_compare_sized(&schema_First_type, outline, len, conflict, size), TERN_SCHEMA_CONFLICT);
}

static void decode_error(tern_json_error *error, size_t size) {
    tern_json_options options;
    tern_arena arena;
    schema_First msg;
    tern_json_options_init(&options);
    CHECK_EQ(options.error_size, sizeof *error);
    options.error = error;
    options.error_size = size;
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern_json_decode(&schema_First_type, "\n{]", 3, &options, &arena, &msg), TERN_ERR_MALFORMED);
    tern_arena_fini(&arena);
}

static void results__fill_the_room_that_there_is(void) {
    CHECK(begin());
    CHECK_EQ(call_raw(NULL), 0);
    world_settle(&w);
#define FIRST_SAME 0
    CHECK_FILLED(tern_endpoint_stats, get_endpoint_stats);
    CHECK_FILLED(tern_mem_stats, tern_mem_get_stats_sized);
    CHECK_FILLED(tern_heap_stats, get_heap_stats);
    CHECK_FILLED(tern_type_conflict, compare_types);
    CHECK_FILLED(tern_json_error, decode_error);
#undef FIRST_SAME
#define FIRST_SAME sizeof(size_t)
    CHECK_FILLED(tern_endpoint_config, tern_endpoint_config_init_sized);
    CHECK_FILLED(tern_workers_config, tern_workers_config_init_sized);
    CHECK_FILLED(tern_heap_config, tern_heap_config_init_sized);
    CHECK_FILLED(tern_mem_config, tern_mem_config_init_sized);
    CHECK_FILLED(tern_limits, tern_limits_init_sized);
#undef FIRST_SAME
    tern_endpoint_config config;
    tern_endpoint_config_init_sized(&config, 24);
    CHECK_EQ(config.size, 24);
    world_fini(&w);
}

/* ---- Layout ---------------------------------------------------------------------------------------- */

/* A new member of a struct comes behind all others. It would be mistaken for the padding of an older version if there
 * were any at the end, whose bytes may be anything: the last member ends where the struct ends. */
#define ENDS_WITH(type, last)                                                                                          \
    _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " ends with padding")
#define BEGINS_WITH_SIZE(type) _Static_assert(offsetof(type, size) == 0, #type " begins with its size")
#define LAYOUT(type, last)                                                                                             \
    BEGINS_WITH_SIZE(type);                                                                                            \
    ENDS_WITH(type, last)
LAYOUT(tern_call_opts, result);
LAYOUT(tern_endpoint_config, queue_target);
LAYOUT(tern_heap_config, max_bytes);
LAYOUT(tern_heap_map_opts, heap);
LAYOUT(tern_json_options, error_size);
LAYOUT(tern_limits, max_elements);
LAYOUT(tern_mem_config, max_bytes);
LAYOUT(tern_region_ops, unref);
LAYOUT(tern_sink_ops, fini);
LAYOUT(tern_source_ops, fini);
LAYOUT(tern_stream_events, on_end);
LAYOUT(tern_stream_opts, n_metadata);
LAYOUT(tern_text_options, scratch);
LAYOUT(tern_workers_config, cpus);
LAYOUT(tern__message_events, on_end);
ENDS_WITH(tern_endpoint_stats, calls_put_off);
ENDS_WITH(tern_heap_stats, types);
ENDS_WITH(tern_json_error, text);
ENDS_WITH(tern_mem_stats, bad_unrefs);

TAP_MAIN(TEST(older__structs_are_taken), TEST(newer__structs_are_taken_if_they_ask_for_nothing_new),
         TEST(unset__sizes_are_refused), TEST(old_program__goes_on), TEST(call_opts__members_that_are_there_count),
         TEST(stream_opts__windows_out_of_bounds_are_refused), TEST(results__fill_the_room_that_there_is))

/* kv serve: the store behind the Store service. Replies point at stored values; nothing is copied here. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "client.h"
#include "commands.h"
#include "kv.tern.h"
#include "quota.h"
#include "serve_stream.h"
#include "store.h"

/* A List response carries about this much, so that many of them can be in flight. */
enum { LIST_BYTES = 32 << 20 };

/* Keys of one request: bounds how long others wait for it. */
enum { MAX_KEYS = 1 << 16 };

static void fail(tern_call call, tern_status status, const char *message) {
    tern_fail_with(call, status, message, (tern_bytes){0}, NULL, 0);
}

static void get(tern_call call, const kv_GetRequest *req, void *user) {
    server *srv = user;
    tern_arena *arena = tern_call_arena(call);
    kv_GetResponse rsp = {.id = req->id};
    if (req->keys.len > MAX_KEYS) {
        fail(call, TERN_STATUS_INVALID_ARGUMENT, "a request has 65536 keys at most");
        return;
    }
    if (kv_GetResponse_reserve_vals(&rsp, req->keys.len, arena) != 0) {
        fail(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the server has no memory for the response");
        return;
    }
    for (size_t i = 0; i < req->keys.len; i++) {
        store_value value;
        tern_bytes *slot = &rsp.vals.data[rsp.vals.len++];
        *slot = (tern_bytes){0};
        if (store_get(srv->store, req->keys.data[i], &value) && req->segment < value.n_segments) {
            *slot = value.segments[req->segment];
            continue;
        }
        uint32_t *missing = kv_GetResponse_add_missing(&rsp, arena);
        if (!missing) {
            fail(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the server has no memory for the response");
            return;
        }
        *missing = (uint32_t)i;
    }
    kv_Store_Get_reply(call, &rsp);
}

static void list(tern_call call, const kv_ListRequest *req, void *user) {
    server *srv = user;
    store_value value;
    if (!store_get(srv->store, req->key, &value)) {
        fail(call, TERN_STATUS_NOT_FOUND, "the server has no such key");
        return;
    }
    if (req->first >= value.n_segments) {
        char message[64];
        snprintf(message, sizeof message, "the value has %u segments", value.n_segments);
        fail(call, TERN_STATUS_OUT_OF_RANGE, message);
        return;
    }
    /* The list borrows the store's own array of segments. */
    kv_ListResponse rsp = {.id = req->id, .n_segments = value.n_segments, .version = value.version};
    rsp.vals.data = value.segments + req->first;
    rsp.vals.len = store_some(&value, req->first, LIST_BYTES);
    kv_Store_List_reply(call, &rsp);
}

static void put(tern_call call, const kv_PutRequest *req, void *user) {
    server *srv = user;
    int n = store_put(srv->store, req->key, req->vals.data, req->vals.len, req->append);
    if (n < 0) {
        if (n == TERN_ERR_INVALID)
            fail(call, TERN_STATUS_INVALID_ARGUMENT, "the key or a segment is empty, or too long");
        else
            fail(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the store is full");
        return;
    }
    kv_PutResponse rsp = {.id = req->id, .n_segments = (uint32_t)n};
    kv_Store_Put_reply(call, &rsp);
}

static void upload_part(tern_call call, const kv_UploadRequest *req, void *user) {
    server *srv = user;
    serve_upload(&srv->uploads, call, req);
}

static void del(tern_call call, const kv_DeleteRequest *req, void *user) {
    server *srv = user;
    kv_DeleteResponse rsp = {.id = req->id};
    if (req->keys.len > MAX_KEYS) {
        fail(call, TERN_STATUS_INVALID_ARGUMENT, "a request has 65536 keys at most");
        return;
    }
    for (size_t i = 0; i < req->keys.len; i++) rsp.n_deleted += store_delete(srv->store, req->keys.data[i]);
    kv_Store_Delete_reply(call, &rsp);
}

static void stats(tern_call call, const kv_StatsRequest *req, void *user) {
    server *srv = user;
    store_stats s;
    tern_endpoint_stats e;
    store_get_stats(srv->store, &s);
    if (tern_endpoint_get_stats(srv->ep, &e) != 0) {
        tern_fail(call, TERN_STATUS_INTERNAL);
        return;
    }
    kv_StatsResponse rsp = {
        .id = req->id,
        .n_keys = s.n_keys,
        .value_bytes = s.value_bytes,
        .memory_bytes = s.memory_bytes,
        .max_bytes = s.max_bytes,
        .hits = s.hits,
        .misses = s.misses,
        .puts = s.puts,
        .deletes = s.deletes,
        .held_segments = s.held_segments,
        .copied_segments = s.copied_segments,
        .tx_messages = e.tx_messages,
        .copied_bytes = e.copied_bytes,
        .inplace_values = e.inplace_values,
        .inplace_bytes = e.inplace_bytes,
        .tx_packets = e.tx_packets,
        .rx_packets = e.rx_packets,
        .retransmits = e.retransmits,
        .uploads = s.n_drafts,
        .upload_bytes = s.draft_bytes,
    };
    kv_Store_Stats_reply(call, &rsp);
}

/* The endpoint that a signal stops: for good, or for a look at the uploads. */
static tern_endpoint *serving;
static volatile sig_atomic_t is_over;

static void on_signal(int signal_number) {
    if (signal_number != SIGALRM) is_over = 1;
    tern_stop(serving);
}

static void look_in_a_second(void) { alarm(1); }

static int serve_until_over(server *srv) {
    int err;
    do {
        err = tern_run(srv->ep);
        if (serve_upload_expire(&srv->uploads)) look_in_a_second();
    } while (!err && !is_over);
    return err;
}

/* Listen everywhere, say where, and serve until a signal comes. */
static int run(server *srv, int n_addresses, char **addresses) {
    for (int i = 0; i < n_addresses; i++) {
        int err = tern_listen(srv->ep, addresses[i]);
        if (!err) continue; /* else the log has said why */
        return err == TERN_ERR_ADDRESS ? CLI_USAGE : CLI_SERVER;
    }
    kv_Store_handlers handlers = {.Get = get,
                                  .List = list,
                                  .Put = put,
                                  .Upload = upload_part,
                                  .Delete = del,
                                  .Stats = stats,
                                  .Scan = serve_scan,
                                  .Import = serve_import};
    int err = kv_Store_serve(srv->ep, &handlers, srv);
    if (err) {
        cli_complain("cannot serve: %s", tern_strerror(err));
        return CLI_LOCAL;
    }
    struct sigaction action = {.sa_handler = on_signal};
    serving = srv->ep;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    const char *address;
    for (unsigned i = 0; (address = tern_listen_address(srv->ep, i)) != NULL; i++) printf("serving %s\n", address);
    fflush(stdout); /* whoever started us waits for this */
    err = serve_until_over(srv);
    if (err) cli_complain("stopped: %s", tern_strerror(err));
    return err ? CLI_SERVER : CLI_OK;
}

static int make_store(uint64_t max_bytes, tern_dur upload_time, server *srv) {
    store_config config = {.max_bytes = max_bytes};
    hash_seed seeds[2];
    if (getrandom(seeds, sizeof seeds, 0) != sizeof seeds) {
        cli_complain("no random numbers: %s", cli_errno_text(errno));
        return CLI_LOCAL;
    }
    config.seed = seeds[0];
    int err = store_new(&config, &srv->store);
    srv->uploads.begun = look_in_a_second;
    srv->uploads.uploads.store = srv->store;
    srv->uploads.uploads.lease = upload_time;
    srv->uploads.uploads.seed = seeds[1];
    if (!err) return 0;
    cli_complain("cannot make a store of %" PRIu64 " bytes: %s", max_bytes, tern_strerror(err));
    return err == TERN_ERR_LIMIT ? CLI_USAGE : CLI_LOCAL;
}

/* Told to whoever started us, who may want another bound. */
static uint64_t choose_quota(void) {
    tern__memory_limit limit = tern__memory_limit_read("");
    char why[QUOTA_WHY_BYTES];
    uint64_t bytes = quota_default(&limit, why);
    cli_complain("%s (--max-bytes)", why);
    return bytes;
}

int serve_main(int argc, char **argv) {
    uint64_t max_bytes = 0, threshold = 0, spin_us = 50, target_us = 0, upload_s = 60;
    bool copy = false;
    const cli_option options[] = {
        {"--max-bytes", CLI_BYTES, &max_bytes,
         "memory for keys and values, padding included\n"
         "                         (default: half of what this process may use, 4G at most)"},
        {"--threshold", CLI_BYTES, &threshold, "send values this long in place (default: the port's own)"},
        {"--spin", CLI_COUNT, &spin_us, "microseconds to poll after the last work before sleeping (default 50)"},
        {"--queue-target", CLI_COUNT, &target_us,
         "microseconds that requests may wait before others are refused (default 0: any time)"},
        {"--upload-time", CLI_COUNT, &upload_s,
         "seconds that an unfinished upload may stand still before its bytes are given back (default 60)"},
        {"--copy", CLI_FLAG, &copy, "send no value in place, for comparison"},
    };
    const cli_command command = {"serve",
                                 "ADDRESS...",
                                 "Serves a store until SIGINT or SIGTERM. Prints `serving ADDRESS` for each address\n"
                                 "once it accepts clients; UDP port 0 picks a free port.",
                                 1,
                                 INT_MAX,
                                 options,
                                 sizeof options / sizeof *options};
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    if (threshold >= UINT32_MAX) return cli_usage_error("--threshold: too large");
    if (spin_us > 1000000) return cli_usage_error("--spin: at most a second");
    if (target_us > 1000000000) return cli_usage_error("--queue-target: at most 1000 s");
    if (upload_s == 0 || upload_s > 86400) return cli_usage_error("--upload-time: a second to a day");
    if (!max_bytes) max_bytes = choose_quota();
    static server srv;
    code = make_store(max_bytes, (tern_dur)upload_s * TERN_SEC, &srv);
    if (code) return code;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = client_log;
    config.inplace_threshold = copy ? UINT32_MAX : (uint32_t)threshold;
    config.idle_spin = (tern_dur)spin_us * TERN_US;
    config.queue_target = (tern_dur)target_us * TERN_US;
    int err = tern_endpoint_new(&config, &srv.ep);
    if (err) {
        cli_complain("cannot make an endpoint: %s", tern_strerror(err));
        code = CLI_LOCAL;
    } else {
        code = client_trace(srv.ep);
        if (!code) code = run(&srv, argc - 1, argv + 1);
        tern_endpoint_free(srv.ep);
    }
    uploads_discard_all(&srv.uploads.uploads);
    store_free(srv.store);
    return code;
}

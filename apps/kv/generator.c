/* One thread, one endpoint, sessions taken in turn. A request that a session will not take now (its backlog is
 * full) stays at the head of the line with the time at which it was due. */
#include "generator.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "kv.tern.h"
#include "progress.h"

enum {
    PRELOAD_WINDOW = 256,
    BURST = 32, /* requests between polls: bounds how long answers wait for us to look */
    YIELD_NS = 20000,
};

/* One request in flight. */
typedef struct record {
    generator *g;
    struct record *next; /* free ones */
    tern_time due;
} record;

struct generator {
    client client; /* its session is sessions[0] */
    tern_session *sessions[GENERATOR_MAX_SESSIONS];
    unsigned n_sessions, turn;
    tern_call_opts opts;
    workload *workload;
    workload_op op;
    record *free;
    record *records;
    unsigned n_in_flight;
    /* Of the run under way. */
    tern_time measure_from, measure_to; /* the part of the time that counts */
    uint64_t n_done;                    /* answered with OK while it lasted */
    generator_result *result;           /* NULL: not measured */
    int failed;                         /* status of a failure that ends the run, or an error */
};

/* ---- Answers ------------------------------------------------------------------------------------ */

static bool counts(const generator *g, tern_time due) { return due >= g->measure_from && due < g->measure_to; }

static void finish(record *r, int status, size_t n_missing) {
    generator *g = r->g;
    generator_result *result = g->result;
    tern_time now = progress_now(), due = r->due;
    r->next = g->free;
    g->free = r;
    g->n_in_flight--;
    if (status == TERN_STATUS_NOT_FOUND) {
        status = TERN_STATUS_OK;
        n_missing = 1;
    }
    if (status == TERN_STATUS_OK && counts(g, now)) g->n_done++;
    /* A load on a server that is gone measures nothing; before a load, every value must arrive. */
    if (status == TERN_STATUS_UNAVAILABLE || (!result && status != TERN_STATUS_OK))
        if (!g->failed) g->failed = status;
    if (!result) return;
    if (!counts(g, due)) return;
    result->n_missing += n_missing;
    if (status == TERN_STATUS_OK) {
        result->n_ok++;
        histogram_record(&result->latency, now > due ? now - due : 0);
    } else if (result->n_errors++ == 0) {
        result->first_error = status;
    }
}

static void on_get(void *user, int status, const kv_GetResponse *rsp) {
    finish(user, status, rsp ? rsp->missing.len : 0);
}

static void on_list(void *user, int status, const kv_ListResponse *rsp) {
    (void)rsp;
    finish(user, status, 0);
}

static void on_put(void *user, int status, const kv_PutResponse *rsp) {
    (void)rsp;
    finish(user, status, 0);
}

static void on_delete(void *user, int status, const kv_DeleteResponse *rsp) {
    finish(user, status, rsp ? !rsp->n_deleted : 0);
}

/* ---- Requests ----------------------------------------------------------------------------------- */

static int start(generator *g, const workload_op *op, record *r) {
    tern_session *session = g->sessions[g->turn];
    union {
        kv_GetRequest get;
        kv_ListRequest list;
        kv_PutRequest put;
        kv_DeleteRequest del;
    } req;
    tern_list_str keys = {.data = g->op.keys, .len = op->n_keys};
    switch (op->verb) {
    case WORKLOAD_GET:
        req.get = (kv_GetRequest){.keys = keys};
        return kv_Store_Get(session, &req.get, &g->opts, on_get, r);
    case WORKLOAD_LIST:
        req.list = (kv_ListRequest){.key = op->keys[0]};
        return kv_Store_List(session, &req.list, &g->opts, on_list, r);
    case WORKLOAD_PUT:
        req.put = (kv_PutRequest){.key = op->keys[0], .vals = {.data = g->op.values, .len = op->n_values}};
        return kv_Store_Put(session, &req.put, &g->opts, on_put, r);
    case WORKLOAD_DELETE:
        req.del = (kv_DeleteRequest){.keys = keys};
        return kv_Store_Delete(session, &req.del, &g->opts, on_delete, r);
    }
    return TERN_ERR_INVALID;
}

/* Send g->op. Returns 0; TERN_ERR_FULL: not now; or another error. */
static int send_op(generator *g, tern_time due) {
    record *r = g->free;
    if (!r) return TERN_ERR_FULL;
    g->free = r->next;
    r->due = due;
    g->n_in_flight++;
    int err = start(g, &g->op, r);
    g->turn = (g->turn + 1) % g->n_sessions;
    if (err) {
        r->next = g->free;
        g->free = r;
        g->n_in_flight--;
    }
    return err;
}

/* ---- Making ------------------------------------------------------------------------------------- */

int generator_new(const char *address, unsigned n_sessions, tern_dur timeout, workload *w, generator **out) {
    generator *g = calloc(1, sizeof *g);
    record *records = calloc(GENERATOR_RECORDS, sizeof *records);
    if (!g || !records) {
        free(g);
        free(records);
        cli_complain("out of memory");
        return CLI_LOCAL;
    }
    g->records = records;
    for (unsigned i = 0; i < GENERATOR_RECORDS; i++) {
        records[i] = (record){g, g->free, 0};
        g->free = &records[i];
    }
    g->workload = w;
    g->opts = TERN_CALL_OPTS(.timeout = timeout);
    g->n_sessions = n_sessions;
    int code = client_open(&g->client, address);
    if (code) {
        free(records);
        free(g);
        return code;
    }
    g->sessions[0] = g->client.session;
    for (unsigned i = 1; i < n_sessions; i++) {
        int err = tern_connect(g->client.ep, address, &g->sessions[i]);
        if (!err) continue;
        code = client_complain(&g->client, "connect", err);
        generator_free(g);
        return code;
    }
    *out = g;
    return 0;
}

void generator_free(generator *g) {
    if (!g) return;
    g->result = NULL;
    g->failed = TERN_STATUS_CANCELLED;
    client_close(&g->client); /* the other sessions go with the endpoint */
    free(g->records);
    free(g);
}

/* ---- Closed loops ------------------------------------------------------------------------------- */

/* Where processors are scarce, a server that we wait for needs ours. */
static int poll_or_complain(generator *g, const char *what) {
    int n = tern_poll(g->client.ep);
    if (n < 0) g->failed = n;
    if (n == 0) sched_yield();
    if (g->failed) return client_complain(&g->client, what, g->failed);
    return 0;
}

static int drain(generator *g, const char *what) {
    int code = 0;
    while (g->n_in_flight > 0 && !code) code = poll_or_complain(g, what);
    return code;
}

int generator_preload(generator *g) {
    progress p;
    int code = 0;
    progress_begin(&p, "preloaded");
    g->failed = 0;
    g->result = NULL;
    for (uint64_t i = 0; i < g->workload->n_preload && !code;) {
        for (; i < g->workload->n_preload && g->n_in_flight < PRELOAD_WINDOW && !code; i++) {
            workload_preload(g->workload, i, &g->op);
            int err = send_op(g, 0);
            if (err == TERN_ERR_FULL) break;
            if (err) code = client_complain(&g->client, "put", err);
        }
        if (!code) code = poll_or_complain(g, "put");
        progress_show(&p, i, "values", 0);
    }
    if (!code) code = drain(g, "put");
    progress_end(&p);
    return code;
}

int generator_capacity(generator *g, unsigned window, double seconds, double *per_second) {
    tern_time begin = progress_now(), now = begin, end = begin + (tern_time)(seconds * 1e9);
    int code = 0;
    bool held = false; /* g->op is still to be sent */
    g->failed = 0;
    g->result = NULL;
    g->n_done = 0;
    g->measure_from = begin + (end - begin) / 10;
    g->measure_to = end;
    for (; now < end && !code; now = progress_now()) {
        for (unsigned i = 0; i < BURST && g->n_in_flight < window && !code; i++) {
            if (!held && !workload_next(g->workload, &g->op)) workload_rewind(g->workload);
            int err = send_op(g, 0);
            held = err == TERN_ERR_FULL;
            if (held) break;
            if (err) code = client_complain(&g->client, "request", err);
        }
        if (!code) code = poll_or_complain(g, "request");
    }
    if (!code) code = drain(g, "request");
    workload_rewind(g->workload);
    *per_second = (double)g->n_done / (seconds * 0.9);
    return code;
}

/* ---- The open loop ------------------------------------------------------------------------------ */

/* When the requests are due. */
typedef struct arrivals {
    tern_time begin, next; /* next: when g->op is due */
    double clock;          /* ns from begin, as exact as doubles are */
    double mean_gap;       /* ns; 0: the workload says when */
    bool over;             /* nothing is due any more */
    tern__rng rng;
} arrivals;

/* Draw the next request and its time. */
static void advance(generator *g, arrivals *a, tern_time end) {
    if (!workload_next(g->workload, &g->op)) a->over = true;
    if (a->mean_gap > 0)
        a->clock += draw_exponential(&a->rng, a->mean_gap);
    else
        a->clock = (double)g->op.at_ns;
    a->next = a->begin + (tern_time)a->clock;
    if (a->next >= end) a->over = true;
}

/* Send what is due by now. Returns 0 or an exit code. *idle: nothing is to be done before an answer comes or
 * some time passes. */
static int send_due(generator *g, arrivals *a, tern_time now, tern_time end, bool *idle) {
    *idle = a->over || a->next > now + YIELD_NS;
    for (unsigned i = 0; i < BURST && !a->over && a->next <= now; i++) {
        int err = send_op(g, a->next);
        *idle = err == TERN_ERR_FULL;
        if (*idle) return 0;
        if (err) return client_complain(&g->client, "request", err);
        advance(g, a, end);
    }
    return 0;
}

/* What was due and has not been sent counts as if answered now. */
static void count_late(generator *g, arrivals *a, tern_time end) {
    tern_time now = progress_now();
    for (; !a->over; advance(g, a, end)) {
        if (!counts(g, a->next)) continue;
        g->result->n_late++;
        histogram_record(&g->result->latency, now - a->next);
    }
}

static int read_stats(generator *g, tern_endpoint_stats *client_side, tern_endpoint_stats *server_side) {
    const kv_StatsResponse *rsp;
    kv_StatsRequest req = {0};
    int status = kv_Store_Stats_wait(g->client.session, &req, &client_call_opts, &rsp);
    if (status != TERN_STATUS_OK) return client_complain(&g->client, "stats", status);
    *server_side = (tern_endpoint_stats){.tx_messages = rsp->tx_messages,
                                         .copied_bytes = rsp->copied_bytes,
                                         .inplace_values = rsp->inplace_values,
                                         .inplace_bytes = rsp->inplace_bytes,
                                         .retransmits = rsp->retransmits};
    tern_release(rsp);
    tern_endpoint_get_stats(g->client.ep, client_side);
    return 0;
}

static tern_endpoint_stats added(tern_endpoint_stats after, tern_endpoint_stats before) {
    return (tern_endpoint_stats){.tx_messages = after.tx_messages - before.tx_messages,
                                 .copied_bytes = after.copied_bytes - before.copied_bytes,
                                 .inplace_values = after.inplace_values - before.inplace_values,
                                 .inplace_bytes = after.inplace_bytes - before.inplace_bytes,
                                 .retransmits = after.retransmits - before.retransmits};
}

/* The loop itself: until the end of the time, then until everything in flight has ended, which the calls' own
 * deadlines see to. */
static int loop(generator *g, arrivals *a, tern_time end) {
    int code = 0;
    while (!code) {
        tern_time now = progress_now();
        if (g->n_in_flight == 0 && (now >= end || a->over)) break;
        bool idle = true;
        if (now < end) code = send_due(g, a, now, end, &idle);
        int n = tern_poll(g->client.ep);
        if (n < 0) g->failed = n;
        if (g->failed && !code) code = client_complain(&g->client, "request", g->failed);
        if (n == 0 && idle) sched_yield();
    }
    return code;
}

int generator_run(generator *g, double rate, double seconds, generator_result *result) {
    tern_endpoint_stats client_before, server_before, client_after, server_after;
    int code = read_stats(g, &client_before, &server_before);
    if (code) return code;
    arrivals a = {.begin = progress_now(), .mean_gap = rate > 0 ? 1e9 / rate : 0};
    tern__rng_seed(&a.rng, g->workload->config.seed ^ (uint64_t)rate);
    tern_time end = a.begin + (tern_time)(seconds * 1e9);
    *result = (generator_result){.seconds = seconds * 0.9};
    g->result = result;
    g->failed = 0;
    g->n_done = 0;
    g->measure_from = a.begin + (tern_time)(seconds * 1e8);
    g->measure_to = end;
    workload_rewind(g->workload);
    advance(g, &a, end);
    code = loop(g, &a, end);
    if (!code) {
        count_late(g, &a, end);
        g->result = NULL;
        code = read_stats(g, &client_after, &server_after);
    }
    g->result = NULL;
    if (code) return code;
    result->client = added(client_after, client_before);
    result->server = added(server_after, server_before);
    result->offered = (double)(result->n_ok + result->n_errors + result->n_late) / result->seconds;
    result->achieved = (double)g->n_done / result->seconds;
    return 0;
}

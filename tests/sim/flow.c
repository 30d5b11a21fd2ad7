#include "flow.h"

#include <stdlib.h>

static uint8_t byte_at(uint64_t key, uint64_t at) { return (uint8_t)(at * 7 + (at >> 8) * 3 + key); }

static uint64_t key_of(const flow_end *end) {
    return (uint64_t)(end->call - end->flow->calls) * 2 + (end == &end->call->server);
}

static flow *flow_of(void *user) { return ((cluster_node *)user)->cluster->config.user; }

static tern_time now_of(const flow *f) { return cluster_now(&f->c); }

static uint32_t below(flow *f, uint32_t n) { return (uint32_t)tern__rng_below(&f->c.rng, n); }

/* ---- Writing ------------------------------------------------------------------------------------ */

/* The next len bytes. The memory is given back, and spoilt where it was copied, at once. */
static int write_piece(flow_end *end, uint32_t len) {
    flow *f = end->flow;
    bool pooled = f->opts.inplace && below(f, 2);
    uint8_t *bytes = pooled ? tern_alloc(len) : malloc(len);
    if (!bytes) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < len; i++) bytes[i] = byte_at(key_of(end), end->written + i);
    tern__body body = {.data = bytes, .len = len};
    int err = tern__stream_write(end->stream, &body, now_of(f));
    if (pooled) {
        tern_unref(bytes);
    } else {
        memset(bytes, 0xee, len);
        free(bytes);
    }
    return err;
}

static void note_waiting(flow_end *end) {
    uint64_t waiting = tern__stream_waiting_bytes(end->stream);
    if (waiting > end->most_waiting) end->most_waiting = waiting;
}

static void finish(flow_end *end) {
    tern__stream *stream = end->stream;
    flow *f = end->flow;
    end->finished = true;
    if (end != &end->call->server) {
        tern__stream_finish(stream, 0, now_of(f));
        return;
    }
    end->stream = NULL;
    int err = tern__stream_finish_with(stream, f->opts.server_status, f->opts.stream.block, false, now_of(f));
    if (err && !f->opts.may_lack) cluster_fail(&f->c, "metadata at the end: %s", tern_strerror(err));
}

/* Write until the buffer is full or all is written. */
static void write_on(flow_end *end) {
    flow *f = end->flow;
    bool server = end == &end->call->server;
    if (!end->stream || end->finished || (server && f->opts.server_waits && !end->peer_finished)) return;
    while (end->written < end->to_write) {
        uint64_t left = end->to_write - end->written;
        uint32_t len = 1 + below(f, f->opts.max_write);
        if (len > left) len = (uint32_t)left;
        int err = write_piece(end, len);
        if (err == TERN_ERR_FULL) {
            end->n_full++;
            return;
        }
        if (err == TERN_ERR_NOMEM && f->opts.may_lack) continue;
        if (err) {
            cluster_fail(&f->c, "write: %s", tern_strerror(err));
            return;
        }
        end->written += len;
        note_waiting(end);
        if (f->opts.flush && below(f, 2)) tern__stream_flush(end->stream, now_of(f));
    }
    if (server && (f->opts.server_hangs || !end->peer_finished)) {
        tern__stream_flush(end->stream, now_of(f));
        return;
    }
    finish(end);
}

/* ---- Callbacks ---------------------------------------------------------------------------------- */

static void on_open(void *user, tern__stream *stream, uint32_t method) {
    flow *f = flow_of(user);
    flow_call *call = &f->calls[method >> 26];
    if (call->served) cluster_fail(&f->c, "a call was served twice");
    call->served = true;
    f->n_served++;
    call->server.stream = stream;
    call->server.node = ((cluster_node *)user)->number;
    call->server.to_write = method & 0x3ffffff;
    *tern__stream_user(stream) = &call->server;
    tern__stream_configure(stream, &f->opts.stream);
    write_on(&call->server);
}

static void on_data(void *user, tern__stream *stream, const void *data, uint32_t len) {
    flow *f = flow_of(user);
    flow_end *end = *tern__stream_user(stream);
    flow_end *peer = end == &end->call->client ? &end->call->server : &end->call->client;
    const uint8_t *bytes = data;
    if (!tern_in_pool(data)) cluster_fail(&f->c, "data outside the pool");
    for (uint32_t i = 0; i < len; i++) {
        if (bytes[i] == byte_at(key_of(peer), end->read + i)) continue;
        cluster_fail(&f->c, "byte %llu is wrong", (unsigned long long)(end->read + i));
        break;
    }
    end->read += len;
    end->unconsumed += len;
    if (end->unconsumed > f->opts.stream.window_bytes && f->opts.stream.manual)
        cluster_fail(&f->c, "the window is not kept");
}

static void on_finished(void *user, tern__stream *stream) {
    (void)user;
    flow_end *end = *tern__stream_user(stream);
    end->peer_finished = true;
    if (end->read != end->call->client.to_write) cluster_fail(&end->flow->c, "the request is not whole");
    write_on(end);
}

static void on_writable(void *user, tern__stream *stream) {
    (void)user;
    flow_end *end = *tern__stream_user(stream);
    end->n_writable++;
    write_on(end);
}

static void on_end(void *user, tern__stream *stream, int status) {
    flow *f = flow_of(user);
    flow_end *end = *tern__stream_user(stream);
    if (end->n_ends++) cluster_fail(&f->c, "a call ended twice");
    end->status = status;
    end->stream = NULL;
    if (end == &end->call->client) f->n_ended++;
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void no_request(void *user, tern__request *served, uint32_t method, const tern__arrived *msg) {
    (void)user, (void)method;
    tern__engine_respond(served, TERN_STATUS_OK, &(tern__body){.data = msg->data, .len = msg->len},
                         now_of(flow_of(user)));
}
static void no_gone(void *user, tern__request *served) { (void)user, (void)served; }
static void no_done(void *user, void *call, int status, const tern__arrived *msg) {
    (void)user, (void)call, (void)status, (void)msg;
}
static void no_session(void *user, tern__csession *s, void *session_user, tern__session_event event) {
    (void)user, (void)s, (void)session_user, (void)event;
}

/* ---- Running ------------------------------------------------------------------------------------ */

int flow_init(flow *f, uint64_t seed, cluster_config *config) {
    memset(f, 0, sizeof *f);
    f->opts = (flow_opts){.max_write = 3000, .inplace = true, .flush = true};
    config->engine.callbacks = (tern__engine_callbacks){
        .on_request = no_request, .on_gone = no_gone, .on_done = no_done, .on_session = no_session};
    config->engine.streams = &callbacks;
    config->user = f;
    return cluster_init(&f->c, seed, config);
}

const char *flow_fini(flow *f) {
    cluster_fini(&f->c);
    if (f->n_ended != f->n_calls) cluster_fail(&f->c, "%u calls, %u ends", f->n_calls, f->n_ended);
    for (unsigned i = 0; i < f->n_calls; i++) {
        const flow_call *call = &f->calls[i];
        if (call->served && call->server.n_ends + call->server.finished == 0)
            cluster_fail(&f->c, "call %u did not end at its server", i);
    }
    return f->c.error[0] ? f->c.error : NULL;
}

flow_call *flow_begin(flow *f, uint32_t node, tern__csession *session, uint64_t up, uint32_t down) {
    flow_call *call = &f->calls[f->n_calls];
    tern__stream_opts opts = f->opts.stream;
    if (f->opts.timeout) opts.deadline = now_of(f) + (tern_time)f->opts.timeout;
    *call = (flow_call){.client = {.flow = f, .call = call, .node = node, .to_write = up, .status = FLOW_NOT_ENDED},
                        .server = {.flow = f, .call = call, .status = FLOW_NOT_ENDED}};
    int err =
        tern__stream_open(session, f->n_calls << 26 | down, &opts, &call->client, now_of(f), &call->client.stream);
    if (err == TERN_ERR_NOMEM && f->opts.may_lack) return NULL;
    if (err) {
        cluster_fail(&f->c, "open: %s", tern_strerror(err));
        return NULL;
    }
    f->n_calls++;
    write_on(&call->client);
    cluster_flush(&f->c, node);
    return call;
}

static void consume(flow *f, flow_end *end) {
    uint32_t n = f->opts.consume_bytes;
    if (!end->stream) return;
    if (n > end->unconsumed) n = (uint32_t)end->unconsumed;
    end->unconsumed -= n;
    tern__stream_consume(end->stream, n, now_of(f));
    cluster_flush(&f->c, end->node);
}

static void note_memory(flow *f) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    if (stats.live_buffers - f->c.live_buffers > f->most_buffers)
        f->most_buffers = stats.live_buffers - f->c.live_buffers;
}

static void step(flow *f, tern_time until) {
    tern_time pause = f->opts.consume_every ? f->consume_at : until;
    if (pause > until) pause = until;
    bool moved = cluster_step(&f->c, pause);
    note_memory(f);
    if (moved || !f->opts.consume_every || now_of(f) < f->consume_at) return;
    for (unsigned i = 0; i < f->n_calls; i++) {
        consume(f, &f->calls[i].client);
        consume(f, &f->calls[i].server);
    }
    f->consume_at = now_of(f) + (tern_time)f->opts.consume_every;
}

bool flow_run(flow *f, tern_dur bound) {
    tern_time end = now_of(f) + (tern_time)bound;
    while (!f->c.error[0] && f->n_ended < f->n_calls && now_of(f) < end) step(f, end);
    return f->n_ended == f->n_calls;
}

void flow_pass(flow *f, tern_dur time) {
    tern_time end = now_of(f) + (tern_time)time;
    while (!f->c.error[0] && now_of(f) < end) step(f, end);
}

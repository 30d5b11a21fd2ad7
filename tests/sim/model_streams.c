/* The streaming calls of a model: what each end writes and reads, and what must hold of it. A byte's place in its half
 * decides its value. */
#include <string.h>

#include "engine/progress.h"
#include "engine/stream_client.h"
#include "engine/stream_meta.h"
#include "engine/stream_wait.h"
#include "model_state.h"
#include "tern/mem.h"

enum { METHOD_BASE = 1 << 20, MAX_TRIES = 12, INPLACE_BYTES = 600, BLOCK_SIDE = 2, MAX_BLOCK = 8192 };

#define RETRY_PAUSE TERN_MS

/* The byte at a place of the half that side (0: client) writes; of its metadata block the side is BLOCK_SIDE more. */
static uint8_t byte_at(const flow_state *f, unsigned side, uint64_t at) {
    return (uint8_t)(tern__mix64((f->key ^ side) + at / 8) >> at % 8 * 8);
}

static flow_end *end_of(tern__stream *stream) { return *tern__stream_user(stream); }
static flow_state *flow_of(flow_end *end) { return (flow_state *)(void *)(end - end->side); }

static uint32_t node_of(const model *m, const flow_state *f, unsigned side) {
    return side == 0 ? m->sessions[f->session].client : m->sessions[f->session].server;
}

uint32_t model_flow_node(const model *m, uint32_t i, uint32_t side) { return node_of(m, &m->flows[i], side); }

/* ---- Writing -------------------------------------------------------------------------------------- */

/* One piece. Long ones lie in a pool buffer that is given back at once. */
static int write_piece(model *m, flow_end *end, uint32_t len) {
    const flow_state *f = flow_of(end);
    uint8_t small[INPLACE_BYTES], *bytes = len >= sizeof small ? tern_alloc(len) : small;
    if (!bytes) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < len; i++) bytes[i] = byte_at(f, end->side, end->written + i);
    int err = tern__stream_write(end->stream, &(tern__body){.data = bytes, .len = len}, cluster_now(&m->c));
    if (bytes != small) {
        tern_unref(bytes);
        void *next = tern_alloc(len);
        if (next) memset(next, 0xee, len);
        tern_unref(next);
    }
    return err;
}

/* ---- Metadata blocks ------------------------------------------------------------------------------ */

/* By the flow's key, so that what else a seed decides stays what it was: half of the blocks need several packets. */
static void plan_blocks(flow_state *f) {
    enum { FEW = 16, MANY = MAX_BLOCK / TERN__META_ALIGN };
    for (unsigned side = 0; side < 2; side++) {
        uint64_t r = tern__mix64(f->key ^ (0x6d657461 + side));
        f->meta_bytes[side] = r % 3 ? 0 : TERN__META_ALIGN * (uint32_t)(1 + (r >> 8) % (r >> 3 & 1 ? FEW : MANY));
    }
}

static tern_bytes block_of(const flow_state *f, unsigned side, uint8_t room[MAX_BLOCK]) {
    for (uint32_t i = 0; i < f->meta_bytes[side]; i++) room[i] = byte_at(f, BLOCK_SIDE + side, i);
    return (tern_bytes){room, f->meta_bytes[side]};
}

/* The peer's block is what the peer was given, and not there if that is not wanted. */
static void check_block(model *m, flow_end *end, tern__stream *stream, bool wanted) {
    flow_state *f = flow_of(end);
    uint8_t room[MAX_BLOCK];
    tern_bytes right = block_of(f, !end->side, room);
    tern__stream_block *block = tern__stream_take_block(stream);
    bool is_right = block && block->bytes == right.len && memcmp(block->data, right.data, right.len) == 0;
    if (wanted ? !is_right : block != NULL)
        cluster_fail(&m->c, "flow %u: metadata of %u bytes at its %s are not right", (unsigned)(f - m->flows),
                     block ? block->bytes : 0, end->side ? "server" : "client");
    if (wanted) *(end->side ? &m->totals->flow_blocks : &m->totals->flow_end_blocks) += 1;
    tern__stream_block_free(m->c.nodes[node_of(m, f, end->side)].engine, block);
}

/* The server's end, which a lack of memory may leave without its block. */
static void end_server(model *m, flow_end *end, tern__stream *stream, int status, bool at_once) {
    flow_state *f = flow_of(end);
    uint8_t room[MAX_BLOCK];
    int err = tern__stream_finish_with(stream, status, block_of(f, 1, room), at_once, cluster_now(&m->c));
    if (err && !m->is_starved) cluster_fail(&m->c, "metadata at an end: %s", tern_strerror(err));
    f->has_block = !err && f->meta_bytes[1] > 0;
}

/* ---- Ending a half -------------------------------------------------------------------------------- */

static void finish(model *m, flow_end *end) {
    flow_state *f = flow_of(end);
    tern__stream *stream = end->stream;
    end->finished = true;
    if (end->side == 1) end->stream = NULL;
    SAY(m, "flow %u: %s finishes", (unsigned)(f - m->flows), end->side ? "server" : "client");
    if (end->side == 1)
        end_server(m, end, stream, f->app_status, false);
    else
        tern__stream_finish(stream, 0, cluster_now(&m->c));
}

/* As much as the stream takes. The server ends only after its client has. */
static void push(model *m, flow_end *end) {
    flow_state *f = flow_of(end);
    if (!end->stream || end->finished) return;
    while (end->written < end->to_write) {
        uint64_t left = end->to_write - end->written;
        uint32_t len = (uint32_t)(1 + below(m, f->max_write));
        if (len > left) len = (uint32_t)left;
        int err = write_piece(m, end, len);
        if (err == TERN_ERR_FULL) return;
        if (err) {
            if (err != TERN_ERR_NOMEM || !(m->is_starved || m->is_tight))
                cluster_fail(&m->c, "a write: %s", tern_strerror(err));
            model_event_add(m, cluster_now(&m->c) + (tern_time)RETRY_PAUSE, EV_FLOW_PUSH, (uint32_t)(f - m->flows),
                            end->side);
            return;
        }
        end->written += len;
        if (chance(m, f->flushes)) tern__stream_flush(end->stream, cluster_now(&m->c));
    }
    if (end->side == 0 || end->peer_finished)
        finish(m, end);
    else
        tern__stream_flush(end->stream, cluster_now(&m->c));
}

void model_flow_push(model *m, uint32_t i, uint32_t side) {
    push(m, &m->flows[i].ends[side]);
    cluster_flush(&m->c, model_flow_node(m, i, side));
}

void model_flow_start(model *m, uint32_t i) {
    flow_state *f = &m->flows[i];
    session_state *s = &m->sessions[f->session];
    tern_time now = cluster_now(&m->c);
    if (!m->c.nodes[s->client].port) return;
    int err = s->handle ? 0 : cluster_connect(&m->c, s->client, s->server, s, &s->handle);
    f->deadline = f->timeout ? now + (tern_time)f->timeout : 0;
    tern__stream_opts opts = f->opts;
    opts.deadline = f->deadline;
    uint8_t room[MAX_BLOCK];
    opts.block = block_of(f, 0, room);
    if (!err) err = tern__stream_open(s->handle, METHOD_BASE + i, &opts, &f->ends[0], now, &f->ends[0].stream);
    SAY(m, "flow %u %u->%u %llu B up, %llu B down: %d", i, s->client, s->server,
        (unsigned long long)f->ends[0].to_write, (unsigned long long)f->ends[1].to_write, err);
    if (err) {
        bool passes = err == TERN_ERR_FULL || (err == TERN_ERR_NOMEM && m->is_starved) ||
                      (err == TERN_ERR_LIMIT && m->is_crowded) || (err == TERN_ERR_CLOSED && s->is_leaving);
        if (!passes) cluster_fail(&m->c, "flow %u: refused with %s", i, tern_strerror(err));
        if (++f->n_tries < MAX_TRIES) model_event_add(m, now + (tern_time)(2 * TERN_MS), EV_FLOW, i, 0);
        return;
    }
    f->is_made = f->is_open = true;
    f->accepted_at = now;
    m->n_open++;
    m->totals->flows++;
    push(m, &f->ends[0]);
    cluster_flush(&m->c, s->client);
}

/* One end gives the call up. */
void model_flow_abort(model *m, uint32_t i, uint32_t side) {
    flow_state *f = &m->flows[i];
    flow_end *end = &f->ends[side];
    tern__stream *stream = end->stream;
    if (!stream) return;
    SAY(m, "flow %u: %s aborts", i, side ? "server" : "client");
    end->stream = NULL;
    end->aborted = true;
    if (side == 0) {
        f->is_open = false;
        m->n_open--;
    }
    if (side == 1)
        end_server(m, end, stream, TERN_STATUS_ABORTED, true);
    else
        tern__stream_abort(stream, TERN_STATUS_ABORTED, cluster_now(&m->c));
    cluster_flush(&m->c, node_of(m, f, side));
}

/* ---- Reading -------------------------------------------------------------------------------------- */

void model_flow_consume(model *m, uint32_t i, uint32_t side) {
    flow_end *end = &m->flows[i].ends[side];
    end->consume_planned = false;
    if (!end->stream || !end->unconsumed) return;
    uint32_t n = (uint32_t)end->unconsumed;
    end->unconsumed = 0;
    tern__stream_consume(end->stream, n, cluster_now(&m->c));
    cluster_flush(&m->c, model_flow_node(m, i, side));
}

static void on_open(void *user, tern__stream *stream, uint32_t method) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    uint32_t i = method - METHOD_BASE;
    if (method < METHOD_BASE || i >= m->n_flows || node_of(m, &m->flows[i], 1) != node->number) {
        cluster_fail(&m->c, "a stream for method %u at node %u", method, node->number);
        return;
    }
    flow_state *f = &m->flows[i];
    SAY(m, "flow %u is served", i);
    if (!f->is_made) cluster_fail(&m->c, "flow %u: served before it was made", i);
    if (f->n_runs++ > 0) cluster_fail(&m->c, "flow %u: its handler ran %u times", i, f->n_runs);
    f->ends[1].stream = stream;
    f->served_at = cluster_now(&m->c);
    *tern__stream_user(stream) = &f->ends[1];
    tern__stream_configure(stream, &f->opts);
    check_block(m, &f->ends[1], stream, f->meta_bytes[0] > 0);
    if (f->server_is_eager) push(m, &f->ends[1]);
}

static void on_data(void *user, tern__stream *stream, const void *data, uint32_t len) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    flow_end *end = end_of(stream);
    flow_state *f = flow_of(end);
    uint32_t i = (uint32_t)(f - m->flows);
    const flow_end *peer = &f->ends[!end->side];
    const uint8_t *bytes = data;
    if (end->stream != stream) cluster_fail(&m->c, "flow %u: data for an end that is over", i);
    if (len == 0 || end->read + len > peer->written) cluster_fail(&m->c, "flow %u: %u bytes too many", i, len);
    for (uint32_t k = 0; k < len; k++) {
        if (bytes[k] == byte_at(f, !end->side, end->read + k)) continue;
        cluster_fail(&m->c, "flow %u: byte %llu is wrong", i, (unsigned long long)(end->read + k));
        break;
    }
    end->read += len;
    m->totals->flow_bytes += len;
    if (!f->opts.manual) return;
    end->unconsumed += len;
    if (end->unconsumed > f->opts.window_bytes) cluster_fail(&m->c, "flow %u: the window is not kept", i);
    if (end->consume_planned) return;
    end->consume_planned = true;
    model_event_add(m, cluster_now(&m->c) + 1 + below(m, (uint64_t)f->read_pause), EV_FLOW_CONSUME, i, end->side);
}

static void on_finished(void *user, tern__stream *stream) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    flow_end *end = end_of(stream);
    flow_state *f = flow_of(end);
    if (end->side != 1 || end->peer_finished || !f->ends[0].finished || end->read != f->ends[0].to_write)
        cluster_fail(&m->c, "flow %u: its request is not whole, but finished", (unsigned)(f - m->flows));
    end->peer_finished = true;
    push(m, end);
}

static void on_writable(void *user, tern__stream *stream) {
    cluster_node *node = user;
    push(node->cluster->config.user, end_of(stream));
}

/* ---- The end -------------------------------------------------------------------------------------- */

/* The server waits so long for what a call opens with, or for the client to grant room. */
static bool was_waited_for(const model *m, const flow_state *f) {
    tern_time now = cluster_now(&m->c);
    return f->n_runs ? now - f->served_at >= TERN__UNGRANTED : now - f->accepted_at >= TERN__STILL;
}

static bool client_may_end(model *m, flow_state *f, int status) {
    const session_state *s = &m->sessions[f->session];
    switch (status) {
    case TERN_STATUS_DEADLINE_EXCEEDED: m->totals->deadlines++; return f->deadline && cluster_now(&m->c) >= f->deadline;
    case TERN_STATUS_UNAVAILABLE: m->totals->unavailable++; return model_may_fail(m, s, s->up_at);
    case TERN_STATUS_RESOURCE_EXHAUSTED: return m->is_tight || m->is_starved || m->is_crowded || was_waited_for(m, f);
    case TERN_STATUS_ABORTED:
        if (f->ends[1].aborted) return true;
        break;
    default: break;
    }
    m->totals->flows_whole++;
    return status == f->app_status && f->n_runs == 1 && f->ends[1].finished && f->ends[0].read == f->ends[1].to_write &&
           f->ends[1].read == f->ends[0].to_write;
}

static bool server_may_end(model *m, flow_state *f, int status) {
    switch (status) {
    case TERN_STATUS_CANCELLED: return !f->is_open;
    case TERN_STATUS_DEADLINE_EXCEEDED: return f->deadline && cluster_now(&m->c) >= f->deadline;
    case TERN_STATUS_UNAVAILABLE: return model_may_fail(m, &m->sessions[f->session], f->served_at);
    default: return m->is_starved || m->is_tight || was_waited_for(m, f);
    }
}

static void on_end(void *user, tern__stream *stream, int status) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    flow_end *end = end_of(stream);
    flow_state *f = flow_of(end);
    uint32_t i = (uint32_t)(f - m->flows);
    const char *who = end->side ? "server" : "client";
    SAY(m, "flow %u: ends at its %s: %s", i, who, tern_status_name(status));
    if (end->stream != stream) {
        cluster_fail(&m->c, "flow %u: ended again at its %s", i, who);
        return;
    }
    end->stream = NULL;
    if (end->side == 0) {
        f->is_open = false;
        m->n_open--;
    }
    bool by_server =
        f->ends[1].aborted ? status == TERN_STATUS_ABORTED : f->ends[1].finished && status == f->app_status;
    if (end->side == 0) check_block(m, end, stream, f->has_block && by_server);
    if (!(end->side == 0 ? client_may_end(m, f, status) : server_may_end(m, f, status)))
        cluster_fail(&m->c, "flow %u: ended at its %s with %s for no reason", i, who, tern_status_name(status));
}

const tern__stream_callbacks model_stream_callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

/* ---- The plan ------------------------------------------------------------------------------------- */

static uint64_t random_length(model *m) {
    switch (below(m, 6)) {
    case 0: return 0;
    case 1: return below(m, 100);
    case 2: return below(m, 4 * m->c.config.sim.max_packet);
    case 3: return below(m, 200000);
    default: return below(m, 20000);
    }
}

void model_plan_flows(model *m, tern_dur span) {
    static const int statuses[] = {TERN_STATUS_OK, TERN_STATUS_OK, TERN_STATUS_OK, TERN_STATUS_NOT_FOUND};
    m->n_flows = (uint32_t)(1 + below(m, MODEL_MAX_SPREAD));
    for (uint32_t i = 0; i < m->n_flows; i++) {
        flow_state *f = &m->flows[i];
        *f = (flow_state){.key = tern__rng_next(&m->rng), .session = (uint32_t)below(m, m->n_sessions)};
        f->ends[1].side = 1;
        f->ends[0].to_write = random_length(m);
        f->ends[1].to_write = random_length(m);
        f->max_write = (uint32_t)(1 + below(m, chance(m, 0.5) ? 200 : 20000));
        f->flushes = chance(m, 0.5) ? 0 : 0.5;
        f->server_is_eager = chance(m, 0.5);
        f->app_status = statuses[below(m, TERN__COUNT(statuses))];
        plan_blocks(f);
        f->opts.manual = chance(m, 0.4);
        f->opts.window_bytes = TERN__STREAM_MIN_WINDOW << below(m, 3);
        f->opts.buffer_bytes = (uint32_t)(1000 + below(m, 200000));
        f->read_pause = chance(m, 0.2) ? 50 * TERN_MS : 200 * TERN_US;
        if (chance(m, 0.15)) f->timeout = 1 + dur_below(m, TERN_SEC);
        tern_time at = cluster_now(&m->c) + below(m, (uint64_t)span);
        model_event_add(m, at, EV_FLOW, i, 0);
        if (chance(m, 0.15))
            model_event_add(m, at + below(m, (uint64_t)(chance(m, 0.5) ? TERN_MS : 50 * TERN_MS)), EV_FLOW_ABORT, i,
                            (uint32_t)below(m, 2));
    }
}

/* Streams of one session, more than it has places for, beside what else there is: by a generator of their own, so that
 * what else a seed decides stays what it was. */
void model_plan_crowd(model *m, uint64_t seed) {
    enum { CROWD = MODEL_MAX_FLOWS - MODEL_MAX_SPREAD, MAX_BYTES = 5000 };
    tern__rng rng;
    tern__rng_seed(&rng, tern__mix64(seed) + 4);
    if (tern__rng_chance(&rng, 0.8)) return;
    uint32_t session = (uint32_t)tern__rng_below(&rng, m->n_sessions);
    tern_time at = cluster_now(&m->c) + tern__rng_below(&rng, (uint64_t)(100 * TERN_MS));
    for (uint32_t k = 0; k < CROWD; k++) {
        uint32_t i = m->n_flows++;
        flow_state *f = &m->flows[i];
        *f = (flow_state){.key = tern__rng_next(&rng), .session = session, .max_write = 1000, .flushes = 0.5};
        f->ends[1].side = 1;
        plan_blocks(f);
        f->ends[0].to_write = tern__rng_below(&rng, MAX_BYTES);
        f->ends[1].to_write = tern__rng_below(&rng, MAX_BYTES);
        f->server_is_eager = tern__rng_chance(&rng, 0.5);
        f->opts.window_bytes = TERN__STREAM_MIN_WINDOW;
        f->opts.buffer_bytes = 2 * MAX_BYTES;
        f->read_pause = 200 * TERN_US;
        if (tern__rng_chance(&rng, 0.1)) f->timeout = 1 + (tern_dur)tern__rng_below(&rng, (uint64_t)TERN_SEC);
        model_event_add(m, at + tern__rng_below(&rng, (uint64_t)TERN_MS), EV_FLOW, i, 0);
        if (!tern__rng_chance(&rng, 0.1)) continue;
        model_event_add(m, at + tern__rng_below(&rng, (uint64_t)(50 * TERN_MS)), EV_FLOW_ABORT, i, k % 2);
    }
}

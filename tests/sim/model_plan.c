/* What a seed decides: the network, the engines' limits, the calls and the troubles. */
#include "model_state.h"

#include "dump_format.h"
#include "port/placement.h"

/* The statuses that handlers answer with; no engine makes them up. */
static const int app_statuses[] = {TERN_STATUS_NOT_FOUND, TERN_STATUS_ABORTED, TERN_STATUS_PERMISSION_DENIED};

/* ---- Calls -------------------------------------------------------------------------------------- */

static size_t random_bytes(model *m, size_t big) {
    size_t packet = m->c.config.sim.max_packet;
    switch (below(m, 10)) {
    case 0: return 0;
    case 1:
    case 2:
    case 3: return below(m, 128);
    case 4: return below(m, packet);
    case 5: /* around one packet, whatever the header takes */ return packet - below(m, 80);
    case 6: return packet * (1 + below(m, 4)) - below(m, 120);
    case 7:
    case 8: return below(m, 8 * packet);
    default: return chance(m, 0.3) ? below(m, big) : below(m, 20 * packet);
    }
}

/* By the body's key, so that what else a seed decides stays what it was: every eighth has some, few have much. */
static uint32_t random_meta_bytes(uint64_t key) {
    enum { FEW = 16, MANY = 1024 };
    uint64_t r = tern__mix64(key ^ 0x6d657461);
    if (r % 8) return 0;
    return TERN__META_ALIGN * (uint32_t)(1 + (r >> 8) % (r >> 3 & 3 ? FEW : MANY));
}

static body_spec random_body(model *m, size_t big) {
    body_spec spec = {.key = tern__rng_next(&m->rng), .bytes = random_bytes(m, big)};
    spec.meta_bytes = random_meta_bytes(spec.key);
    spec.typed = chance(m, 0.5);
    if (!spec.typed) return spec;
    static const tern_format formats[] = {TERN_FORMAT_RAW, TERN_FORMAT_HYBRID, TERN_FORMAT_PROTOBUF};
    spec.format = formats[below(m, 3)];
    spec.n_parts = (uint32_t)(chance(m, 0.5) ? below(m, 3) : below(m, BODY_MAX_PARTS + 1));
    return spec;
}

static tern_dur random_delay(model *m) {
    if (chance(m, 0.02)) return 1 + dur_below(m, 15 * TERN_SEC); /* longer than a peer may be silent */
    return 1 + dur_below(m, chance(m, 0.2) ? 100 * TERN_MS : 100 * TERN_US);
}

static void plan_call(model *m, uint32_t i, size_t big, bool has_deadlines) {
    call_state *call = &m->calls[i];
    *call = (call_state){.session = (uint32_t)below(m, m->n_sessions),
                         .next = MODEL_NOBODY,
                         .inner = MODEL_NOBODY,
                         .outer = MODEL_NOBODY};
    call->request = random_body(m, big);
    call->response = random_body(m, big);
    call->keep = chance(m, 0.2);
    if (chance(m, 0.4)) call->reply_delay = random_delay(m);
    if (chance(m, 0.1)) call->app_status = app_statuses[below(m, TERN__COUNT(app_statuses))];
    if (has_deadlines && chance(m, 0.5)) call->timeout = 1 + dur_below(m, chance(m, 0.5) ? 20 * TERN_MS : TERN_SEC);
    if (!call->request.typed && chance(m, 0.2)) {
        call->echo = true;
        call->response = call->request;
    }
}

/* Handlers that call on: to a session of their node with a higher number, so that no two wait for each other. */
static bool plan_inner(model *m, uint32_t i) {
    for (uint32_t try = 0; try < 8; try++) {
        uint32_t k = (uint32_t)below(m, m->n_calls);
        call_state *inner = &m->calls[k];
        if (inner->session <= m->calls[i].session || inner->outer >= 0) continue;
        if (m->sessions[inner->session].client != server_of(m, &m->calls[i])) continue;
        inner->outer = (int32_t)i;
        m->calls[i].inner = (int32_t)k;
        return true;
    }
    return false;
}

static void plan_calls(model *m, uint64_t n, tern_dur span) {
    /* With few credits a megabyte takes minutes, which is right but teaches nothing. */
    size_t big = chance(m, 0.1) && m->c.config.engine.credits >= 8 ? 2 << 20 : 100000;
    bool has_deadlines = chance(m, 0.4);
    double nested = chance(m, 0.4) ? 0.3 : 0;
    m->n_calls = (uint32_t)n;
    for (uint32_t i = 0; i < m->n_calls; i++) plan_call(m, i, big, has_deadlines);
    for (uint32_t i = 0; i < m->n_calls; i++)
        if (chance(m, nested)) plan_inner(m, i);
    for (uint32_t i = 0; i < m->n_calls; i++) {
        bool follows = i > 0 && chance(m, 0.3) && m->calls[i - 1].next < 0 && m->calls[i].outer < 0;
        if (follows) m->calls[i - 1].next = (int32_t)i;
        /* One that another should start gets its turn anyhow, in case that one is never accepted. */
        bool has_turn = !follows && m->calls[i].outer < 0;
        tern_dur at = has_turn ? dur_below(m, span) : 2 * span;
        model_event_add(m, cluster_now(&m->c) + (tern_time)at, EV_CALL, i, 0);
    }
}

static void plan_sessions(model *m) {
    uint32_t n_nodes = m->c.config.sim.n_nodes;
    m->n_sessions = (uint32_t)(1 + below(m, 2 * n_nodes));
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        uint32_t client = (uint32_t)below(m, n_nodes);
        uint32_t server = (client + 1 + (uint32_t)below(m, n_nodes - 1)) % n_nodes;
        m->sessions[i] = (session_state){.client = client, .server = server};
    }
}

/* ---- Troubles ----------------------------------------------------------------------------------- */

static void plan_trouble(model *m, tern_dur span) {
    uint32_t n_nodes = m->c.config.sim.n_nodes;
    tern_time at = cluster_now(&m->c) + below(m, (uint64_t)span);
    tern_time end = at + 1 + below(m, (uint64_t)(chance(m, 0.5) ? 3 * TERN_SEC : 10 * TERN_MS));
    uint32_t a = (uint32_t)below(m, n_nodes), b = (a + 1 + (uint32_t)below(m, n_nodes - 1)) % n_nodes;
    switch (below(m, 7)) {
    case 0:
    case 1:
        model_event_add(m, at, EV_KILL, a, chance(m, 0.3));
        model_event_add(m, end, EV_START, a, 0);
        break;
    case 2:
        model_event_add(m, at, EV_CUT, a, b);
        model_event_add(m, end, EV_MEND, a, b);
        break;
    case 3:
        if (chance(m, 0.3)) end += (tern_time)(15 * TERN_SEC); /* longer than a peer may be silent */
        if (chance(m, 0.5)) b |= (uint32_t)(50 + below(m, m->c.config.sim.max_packet)) << 8;
        model_event_add(m, at, b > 0xff ? EV_NARROW : EV_DEAFEN, a, b);
        model_event_add(m, end, b > 0xff ? EV_WIDEN : EV_HEAR, a, b);
        break;
    case 4:
        model_event_add(m, at, EV_STOP, a, (uint32_t)(below(m, (uint64_t)MODEL_LONG_STOP) / (uint64_t)TERN_US));
        break;
    case 5:
        model_event_add(m, at, EV_DRAIN, a,
                        (uint32_t)(below(m, (uint64_t)(chance(m, 0.5) ? TERN_SEC : 5 * TERN_MS)) / 1000));
        break;
    default: model_event_add(m, at, EV_CLOSE, (uint32_t)below(m, m->n_sessions), 0);
    }
}

static void plan_troubles(model *m, tern_dur span) {
    for (uint64_t n = 1 + below(m, 4); n > 0; n--) plan_trouble(m, span);
    if (chance(m, 0.1))
        for (uint64_t n = below(m, 40); n > 0; n--)
            model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_CLOSE,
                            (uint32_t)below(m, m->n_sessions), 0);
}

/* Nodes that stand still for less time than makes them dead: nobody may notice. Two at most, since silence adds up. */
static void plan_stops(model *m, tern_dur span) {
    for (uint64_t n = 1 + below(m, 2); n > 0; n--) {
        tern_dur length = chance(m, 0.5) ? dur_below(m, MODEL_SHORT_STOP) : dur_below(m, 5 * TERN_MS);
        model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_STOP,
                        (uint32_t)below(m, m->c.config.sim.n_nodes), (uint32_t)(length / TERN_US));
    }
}

static void plan_hunger(model *m, tern_dur span) {
    m->is_starved = true;
    m->totals->starved++;
    model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_STARVE, (uint32_t)(1 + below(m, 100)), 0);
}

static void plan_forger(model *m, tern_dur span) {
    if (m->c.config.sim.reliable) return; /* there nobody else can send in a peer's name */
    model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_FORGE, (uint32_t)(1 + below(m, 500)), 0);
}

/* Callers who change their minds: soon after the start of a call, or whenever. */
static void plan_cancels(model *m, tern_dur span) {
    for (uint32_t i = 0; i < m->n_calls; i++) {
        if (!chance(m, 0.2)) continue;
        tern_time start = m->events[i].at;
        model_event_add(m, start + below(m, (uint64_t)(chance(m, 0.7) ? 100 * TERN_US : span)), EV_CANCEL, i, 0);
    }
}

void model_plan_life(model *m) {
    tern_dur span = chance(m, 0.5) ? 20 * TERN_MS : chance(m, 0.2) ? 100 * TERN_US : TERN_SEC;
    plan_calls(m, 10 + below(m, MODEL_MAX_CALLS - 10), span);
    if (chance(m, 0.3)) plan_cancels(m, span);
    if (chance(m, 0.4)) model_plan_flows(m, span);
    if (chance(m, 0.4)) plan_troubles(m, span);
    if (chance(m, 0.2)) plan_stops(m, span);
    if (chance(m, 0.15)) plan_hunger(m, span);
    if (chance(m, 0.2)) plan_forger(m, span);
    if (chance(m, 0.2))
        model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_LOSS, (uint32_t)below(m, 101), 0);
}

/* ---- Network and engines ------------------------------------------------------------------------ */

static void plan_network(model *m, cluster_config *config) {
    static const uint32_t packets[] = {512, 1024, 1472, 4096, 8192};
    config->sim.n_nodes = (uint32_t)(2 + below(m, 4));
    config->sim.max_packet = packets[below(m, TERN__COUNT(packets))];
    config->sim.reliable = chance(m, 0.25);
    config->sim.holds_refs = chance(m, 0.3);
    config->sim.spans = chance(m, 0.6);
    if (chance(m, 0.3)) config->sim.ring_packets = (uint32_t)(1 + below(m, 32));
    config->sim.path.delay = chance(m, 0.5) ? 2 * TERN_US : dur_below(m, 2 * TERN_MS);
    if (chance(m, 0.7)) {
        config->sim.path.loss = 0.3 * (double)below(m, 101) / 100;
        config->sim.path.duplicate = chance(m, 0.5) ? 0.1 : 0;
        config->sim.path.reorder = chance(m, 0.5) ? 0.2 : 0;
        config->sim.path.reorder_delay = 1 + config->sim.path.delay * (tern_dur)below(m, 4);
        if (chance(m, 0.15)) { /* packets that come when their session may have ended */
            config->sim.path.duplicate = 0.05;
            config->sim.path.reorder = 0.02;
            config->sim.path.reorder_delay = MODEL_VERY_LATE;
        }
    }
    if (chance(m, 0.5)) {
        uint64_t queue_bytes = chance(m, 0.2) ? 4 * config->sim.max_packet : 64 << 10;
        config->sim.uplink = config->sim.downlink = (tern__sim_nic){10000000000, queue_bytes};
    }
    if (chance(m, 0.3)) config->poll_jitter = dur_below(m, 50 * TERN_US);
    if (chance(m, 0.15)) config->tx_refusal = 0.3 * (double)below(m, 101) / 100;
    m->path = config->sim.path;
}

/* As many as the busiest node needs, so that what a dead peer leaves behind is in the way until it is cleared up. */
static uint32_t sessions_needed(const model *m) {
    uint32_t most = 0;
    for (uint32_t node = 0; node < m->c.config.sim.n_nodes; node++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < m->n_sessions; i++)
            n += m->sessions[i].client == node || m->sessions[i].server == node;
        if (n > most) most = n;
    }
    return most;
}

static void plan_engines(model *m, cluster_config *config) {
    static const uint32_t credits[] = {1, 2, 8, 32};
    config->engine.callbacks = model_callbacks;
    config->engine.streams = &model_stream_callbacks;
    if (chance(m, 0.5)) config->engine.credits = credits[below(m, TERN__COUNT(credits))];
    if (chance(m, 0.2)) config->engine.max_backlog = (uint32_t)(1 + below(m, 8));
    if (chance(m, 0.1)) {
        config->engine.max_rx_bytes = 200000;
        m->is_tight = true;
    }
    /* Over a reliable link that is full a DISCONNECT may be lost; real ports then drop the route, which is shared
     * here. */
    bool loses_goodbyes = config->sim.reliable && (config->sim.ring_packets || config->tx_refusal > 0);
    if (chance(m, 0.1) && !loses_goodbyes) {
        config->engine.max_sessions = sessions_needed(m);
        m->is_crowded = true;
    }
    /* 30 % loss both ways loses half of all round trips: twenty in a row within this time are no death. */
    config->engine.peer_timeout = 10 * TERN_SEC;
    config->engine.connect_timeout = 20 * TERN_SEC;
    if (chance(m, 0.3)) config->engine.threshold = chance(m, 0.5) ? UINT32_MAX : 64;
    static const tern__cc_ops *const controls[] = {&tern__cc_none, &tern__cc_timely, &tern__cc_swift, NULL};
    config->engine.cc = controls[below(m, TERN__COUNT(controls))];
    config->user = m;
}

void model_plan_cluster(model *m, cluster_config *config) {
    plan_network(m, config);
    m->c.config = *config;
    plan_sessions(m);
    plan_engines(m, config);
}

/* ---- Batches ------------------------------------------------------------------------------------ */

static tern__rng batch_rng(uint64_t seed, uint64_t what) {
    tern__rng rng;
    tern__rng_seed(&rng, tern__mix64(seed) + what);
    return rng;
}

void model_plan_batches(cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 3);
    if (tern__rng_chance(&rng, 0.5)) config->engine.max_streams = 1 + (uint32_t)tern__rng_below(&rng, 64);
    rng = batch_rng(seed, 5);
    if (tern__rng_chance(&rng, 0.6))
        config->sim.max_inplace = config->sim.max_packet * (2 + (uint32_t)tern__rng_below(&rng, 6));
    rng = batch_rng(seed, 1);
    config->engine.crowd_sessions = (uint32_t)tern__rng_below(&rng, 5);
    if (tern__rng_chance(&rng, 0.2)) return;
    config->sim.run_lines = (uint32_t)tern__rng_below(&rng, 17);
    config->sim.one_run = tern__rng_chance(&rng, 0.7);
    config->sim.run_packets = (uint32_t)tern__rng_below(&rng, 17);
    config->sim.batch_packets = (uint32_t)tern__rng_below(&rng, 33);
    config->sim.packed = tern__rng_chance(&rng, 0.3);
    config->sim.fleeting = tern__rng_chance(&rng, 0.5);
}

/* How links place long messages directly. */
void model_plan_placement(cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 3);
    config->sim.placements = (uint32_t)tern__rng_below(&rng, TERN__MAX_PLACEMENTS + 1);
    if (tern__rng_chance(&rng, 0.5)) config->sim.placements = 1 + (uint32_t)tern__rng_below(&rng, 3);
    config->sim.guesses = tern__rng_chance(&rng, 0.5);
}

/* Some calls get long messages, one way or both, and begin together, so that several are put together at a time. */
void model_plan_long(model *m, uint64_t seed) {
    enum { MOST = 6, LONG_PKTS = 12 };
    tern__rng rng = batch_rng(seed, 4);
    if (m->n_calls == 0 || tern__rng_chance(&rng, 0.6)) return;
    uint32_t first = (uint32_t)tern__rng_below(&rng, m->n_calls), n = 2 + (uint32_t)tern__rng_below(&rng, MOST - 1);
    size_t packet = m->c.config.sim.max_packet;
    for (uint32_t i = first; i < first + n && i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        if (call->inner >= 0 || call->outer >= 0) continue;
        bool request = tern__rng_chance(&rng, 0.6), response = !request || tern__rng_chance(&rng, 0.5);
        if (request) call->request.bytes = packet * (2 + tern__rng_below(&rng, LONG_PKTS));
        if (response) call->response.bytes = packet * (2 + tern__rng_below(&rng, LONG_PKTS));
        if (call->echo) call->response = call->request;
        m->events[i].at = m->events[first].at + tern__rng_below(&rng, (uint64_t)(20 * TERN_US));
    }
}

void model_plan_bounds(model *m, cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 5);
    m->is_bounded = tern__rng_chance(&rng, 0.2);
    if (!m->is_bounded) return;
    config->engine.max_running_calls = (uint32_t)(1 + tern__rng_below(&rng, 8));
    config->engine.retry_after = (tern_dur)(1 + tern__rng_below(&rng, (uint64_t)(50 * TERN_MS)));
}

/* Not those that handlers wait for: two servers at their bounds, each waiting for the other, would wait for ever. */
void model_plan_insistence(model *m, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 6);
    for (uint32_t i = 0; m->is_bounded && i < m->n_calls; i++)
        m->calls[i].insists = m->calls[i].outer < 0 && tern__rng_chance(&rng, 0.5);
}

void model_plan_seal(cluster_config *config, uint64_t seed, unsigned how) {
    tern__rng rng = batch_rng(seed, 7);
    bool drawn = tern__rng_chance(&rng, 0.15);
    if ((how & MODEL_NO_SEAL) || (!drawn && !(how & MODEL_SEAL))) return;
    config->engine.cipher = &seal_check_cipher;
    config->engine.key_packets = tern__rng_chance(&rng, 0.3) ? 0 : 4 + tern__rng_below(&rng, 60);
    if (tern__rng_chance(&rng, 0.2)) config->unsealed_nodes = 1u << tern__rng_below(&rng, config->sim.n_nodes);
    config->engine.seal_required = !config->unsealed_nodes && tern__rng_chance(&rng, 0.5);
}

/* Which nodes have another format. */
void model_plan_formats(cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 8);
    if (tern__rng_chance(&rng, 0.7)) return;
    for (uint32_t i = 0; i < config->sim.n_nodes; i++)
        if (tern__rng_chance(&rng, 0.7)) config->dump_nodes |= 1u << i;
    config->prefers_dump = tern__rng_chance(&rng, 0.7);
    config->forgets_dump = tern__rng_chance(&rng, 0.5);
}

/* Of some clusters, servers fall behind now and then. */
void model_plan_turns(cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 12);
    if (tern__rng_chance(&rng, 0.2)) config->turns = 0.02 + (double)tern__rng_below(&rng, 200) / 1000;
}

void model_plan_keeping(cluster_config *config, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 10);
    config->sim.keeps = tern__rng_chance(&rng, 0.8);
    model_set_borrowing(config);
    if (tern__rng_chance(&rng, 0.5)) config->sim.keep_time = 1 + (tern_dur)tern__rng_below(&rng, (uint64_t)TERN_SEC);
}

/* Echoes borrow nothing. What is borrowed and then sent on has a test of its own (tests/unit/rpc/test_borrow.c). */
void model_plan_borrowing(model *m, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 11);
    for (uint32_t i = 0; m->c.config.sim.keeps && i < m->n_calls; i++) {
        for (uint32_t which = 0; which < 2; which++) {
            bool borrows = tern__rng_chance(&rng, 0.5), holds = tern__rng_chance(&rng, 0.4);
            uint64_t time = tern__rng_below(&rng, (uint64_t)(2 * TERN_SEC));
            m->calls[i].borrows[which] = borrows && !m->calls[i].echo;
            if (holds) m->calls[i].hold_time[which] = 1 + (tern_dur)time;
        }
    }
}

/* Some of their calls state the format; between other nodes none may. */
void model_plan_stated(model *m, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 9);
    uint32_t nodes = m->c.config.forgets_dump ? 0 : m->c.config.dump_nodes;
    for (uint32_t i = 0; nodes && i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        const session_state *s = &m->sessions[call->session];
        bool both = nodes >> s->client & 1 && nodes >> s->server & 1;
        bool request = tern__rng_chance(&rng, 0.2), response = tern__rng_chance(&rng, 0.2);
        if (both && request && call->request.typed) call->request.format = (tern_format)FORMAT_DUMP;
        if (both && response && call->response.typed) call->response.format = (tern_format)FORMAT_DUMP;
        if (call->echo) call->response = call->request;
    }
}

/* A call that fits a lane, answered by another such message at once. */
static void make_small(call_state *call, tern__rng *rng, size_t bytes, uint32_t session) {
    call->session = session;
    call->request.typed = call->response.typed = false;
    call->request.bytes = bytes;
    call->response.bytes = tern__rng_chance(rng, 0.8) ? bytes : 16 + tern__rng_below(rng, 17);
    call->response.key = call->echo ? call->request.key : call->response.key;
    if (call->echo) call->response.bytes = bytes;
    if (tern__rng_chance(rng, 0.8)) call->reply_delay = call->timeout = 0;
}

/* Now and then another session of the same client. */
static uint32_t session_beside(const model *m, tern__rng *rng, uint32_t session) {
    if (!tern__rng_chance(rng, 0.2)) return session;
    uint32_t other = (uint32_t)tern__rng_below(rng, m->n_sessions);
    return m->sessions[other].client == m->sessions[session].client ? other : session;
}

/* Some calls become such ones, and those next to each other are made at once: as many as a session has slots for, or a
 * few more. */
void model_plan_bursts(model *m, uint64_t seed) {
    tern__rng rng = batch_rng(seed, 2);
    if (tern__rng_chance(&rng, 0.4)) return;
    for (uint32_t i = 0; i < m->n_calls;) {
        uint32_t most = 2 + (uint32_t)tern__rng_below(&rng, 9), n = 0, session = m->calls[i].session;
        size_t bytes = tern__rng_chance(&rng, 0.9) ? 16 + tern__rng_below(&rng, 17) : tern__rng_below(&rng, 200);
        bool is_burst = tern__rng_chance(&rng, 0.2);
        for (; is_burst && n < most && i + n < m->n_calls; n++) {
            call_state *call = &m->calls[i + n];
            if (call->inner >= 0 || call->outer >= 0) break;
            make_small(call, &rng, bytes, session_beside(m, &rng, session));
        }
        tern_time at = m->events[i].at + tern__rng_below(&rng, (uint64_t)(10 * TERN_MS)); /* once it is open */
        for (uint32_t k = 1; k < n; k++) m->events[i + k].at = at + 1; /* in case that the burst finds its node down */
        if (n > 1) model_event_add(m, at, EV_BURST, i, n);
        i += n ? n : 1;
    }
}

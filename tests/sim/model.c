#include "model.h"

#include <stdlib.h>

#include "body.h"
#include "mem/pool.h"
#include "tern/mem.h"

static const tern_dur VERY_LATE = 2 * TERN_SEC; /* what a reordered packet may take beyond the others */

enum { MAX_CALLS = 200, MAX_SESSIONS = 24, MAX_EVENTS = 4 * MAX_CALLS + 64, MAX_TRIES = 12, N_SAMPLES = 64 };

/* The statuses that handlers answer with; no engine makes them up. */
static const int app_statuses[] = {TERN_STATUS_NOT_FOUND, TERN_STATUS_ABORTED, TERN_STATUS_PERMISSION_DENIED};

typedef struct call_state {
    /* The plan. */
    uint32_t session;
    body_spec request, response;
    tern_dur reply_delay; /* 0: inside the handler */
    tern_dur timeout;     /* 0: none */
    int app_status;
    bool echo;    /* a raw response that is the request's own memory */
    bool keep;    /* the client keeps the response's buffer to the end */
    int32_t next; /* call started from this one's on_done; -1: none */
    /* What happened. */
    bool is_made, accepted, replied;
    uint32_t n_runs, n_done, n_tries;
    int status;
    tern_time deadline;
    tern__served *served;
    tern__arrived request_msg;
    const void *kept;
    uint32_t kept_len;
    uint8_t kept_format;
} call_state;

typedef struct session_state {
    uint32_t client, server;
    tern__csession *handle; /* NULL: closed, or the client is down */
} session_state;

typedef enum event_kind {
    EV_CALL,
    EV_REPLY,
    EV_KILL,
    EV_START,
    EV_CUT,
    EV_MEND,
    EV_LOSS,
    EV_CLOSE,
    EV_STARVE,
    EV_FORGE
} event_kind;

typedef struct event {
    tern_time at;
    event_kind kind;
    uint32_t a, b;
} event;

/* The start of a packet that was sent, for the forger. */
typedef struct sample {
    uint32_t src, dst, len;
    uint8_t bytes[96];
} sample;

typedef struct model {
    cluster c;
    tern__rng rng;
    bool verbose;
    call_state calls[MAX_CALLS + 2 * MAX_SESSIONS];
    uint32_t n_calls, n_open; /* accepted and not yet ended */
    session_state sessions[MAX_SESSIONS];
    uint32_t n_sessions;
    event events[MAX_EVENTS];
    uint32_t n_events;
    bool has_trouble; /* kills, cuts or closes: calls may become UNAVAILABLE */
    bool is_tight;    /* reassembly memory is short: calls may become RESOURCE_EXHAUSTED */
    bool is_starved;  /* allocations fail now and then: both, and functions may return NOMEM */
    tern__sim_path path;
    sample samples[N_SAMPLES];
    uint32_t n_samples;
    model_totals *totals;
} model;

#define SAY(m, ...)                                                                                                    \
    do {                                                                                                               \
        if ((m)->verbose) {                                                                                            \
            printf("# %12.6f ", (double)(cluster_now(&(m)->c) - (tern_time)TERN_SEC) / 1e9);                           \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

static uint64_t below(model *m, uint64_t n) { return tern__rng_below(&m->rng, n); }
static bool chance(model *m, double p) { return tern__rng_chance(&m->rng, p); }
static tern_dur dur_below(model *m, tern_dur n) { return (tern_dur)below(m, (uint64_t)n); }

static void event_add(model *m, tern_time at, event_kind kind, uint32_t a, uint32_t b) {
    if (m->n_events == MAX_EVENTS) {
        cluster_fail(&m->c, "the model has too many events");
        return;
    }
    m->events[m->n_events++] = (event){at, kind, a, b};
}

/* The earliest event, the first made among equals; NULL for none. */
static event *event_first(model *m) {
    event *first = NULL;
    for (uint32_t i = 0; i < m->n_events; i++)
        if (!first || m->events[i].at < first->at) first = &m->events[i];
    return first;
}

static event event_take(model *m, event *e) {
    event taken = *e;
    size_t rest = (size_t)(m->events + m->n_events - (e + 1));
    memmove(e, e + 1, rest * sizeof *e);
    m->n_events--;
    return taken;
}

/* ---- The client --------------------------------------------------------------------------------- */

/* The call was refused: it is tried again later, if it was for a reason that passes. */
static void call_refused(model *m, uint32_t i, int err) {
    call_state *call = &m->calls[i];
    m->totals->refused++;
    if (err != TERN_ERR_FULL && !(err == TERN_ERR_NOMEM && m->is_starved))
        cluster_fail(&m->c, "call %u: refused with %s", i, tern_strerror(err));
    else if (++call->n_tries < MAX_TRIES)
        event_add(m, cluster_now(&m->c) + (tern_time)(2 * TERN_MS) + below(m, (uint64_t)TERN_MS), EV_CALL, i, 0);
}

/* From inside a callback the engine's own caller flushes. */
static void call_start(model *m, uint32_t i, bool in_callback) {
    call_state *call = &m->calls[i];
    session_state *s = &m->sessions[call->session];
    cluster_node *node = &m->c.nodes[s->client];
    if (!node->port || call->accepted) return;
    if (!s->handle && in_callback) return;
    int err = s->handle ? 0 : cluster_connect(&m->c, s->client, s->server, s, &s->handle);
    body b;
    if (!err && !body_make(&b, &call->request)) err = TERN_ERR_NOMEM;
    if (err) {
        call_refused(m, i, err);
        return;
    }
    tern_time now = cluster_now(&m->c);
    call->deadline = call->timeout ? now + (tern_time)call->timeout : 0;
    call->is_made = true;
    err = tern__engine_request(s->handle, i + 1, &b.body, call->deadline, call, now);
    body_drop(&b, true);
    SAY(m, "call %u %u->%u %zu B %s: %d", i, s->client, s->server, call->request.bytes,
        call->request.typed ? "typed" : "raw", err);
    if (err == 0) {
        call->accepted = true;
        m->n_open++;
        m->totals->calls++;
    } else {
        call_refused(m, i, err);
    }
    if (!in_callback) cluster_flush(&m->c, s->client);
}

static void check_ok(model *m, uint32_t i, const tern__arrived *msg) {
    call_state *call = &m->calls[i];
    m->totals->ok++;
    if (!msg)
        cluster_fail(&m->c, "call %u: OK without a message", i);
    else if (call->n_runs != 1 || !call->replied || call->app_status)
        cluster_fail(&m->c, "call %u: OK, but its handler ran %u times and replied %d", i, call->n_runs, call->replied);
    else {
        const char *wrong = body_check(&call->response, msg);
        if (wrong) cluster_fail(&m->c, "call %u: response: %s", i, wrong);
        if (call->keep && msg->len && tern_ref(msg->data) == 0) {
            call->kept = msg->data;
            call->kept_len = msg->len;
            call->kept_format = msg->format;
        }
    }
}

static void check_failed(model *m, uint32_t i, int status, const tern__arrived *msg) {
    call_state *call = &m->calls[i];
    tern_time now = cluster_now(&m->c);
    bool allowed = false;
    if (msg) cluster_fail(&m->c, "call %u: a message with status %d", i, status);
    if (status == TERN_STATUS_DEADLINE_EXCEEDED) {
        m->totals->deadlines++;
        allowed = call->deadline && now >= call->deadline;
    } else if (status == TERN_STATUS_UNAVAILABLE) {
        m->totals->unavailable++;
        allowed = m->has_trouble || m->is_starved;
    } else if (status == TERN_STATUS_RESOURCE_EXHAUSTED) {
        m->totals->exhausted++;
        allowed = m->is_tight || m->is_starved;
    } else {
        m->totals->app_errors++;
        allowed = status == call->app_status && call->replied && call->n_runs == 1;
    }
    if (!allowed) cluster_fail(&m->c, "call %u: ended with %s for no reason", i, tern_status_name(status));
}

static void on_done(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    call_state *call = call_ptr;
    uint32_t i = (uint32_t)(call - m->calls);
    SAY(m, "done %u: %s", i, tern_status_name(status));
    if (!call->accepted || call->n_done++ > 0) {
        cluster_fail(&m->c, "call %u: ended %u times", i, call->n_done);
        return;
    }
    m->n_open--;
    call->status = status;
    if (status == TERN_STATUS_OK)
        check_ok(m, i, msg);
    else
        check_failed(m, i, status, msg);
    if (call->deadline && cluster_now(&m->c) > call->deadline + (tern_time)(5 * TERN_MS))
        cluster_fail(&m->c, "call %u: ended %.3f ms after its deadline", i,
                     (double)(cluster_now(&m->c) - call->deadline) / 1e6);
    if (call->next >= 0 && m->sessions[m->calls[call->next].session].client == node->number)
        call_start(m, (uint32_t)call->next, true);
}

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event ev) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    session_state *s = session_user;
    SAY(m, "session %u->%u %s", s->client, s->server, ev == TERN__SESSION_UP ? "up" : "lost");
    if (s->handle && s->handle != session) cluster_fail(&m->c, "an event for a session that is closed");
    tern_session_state state = tern__engine_session_state(session);
    if (ev == TERN__SESSION_UP && state != TERN_SESSION_OPEN) cluster_fail(&m->c, "UP, but in state %d", (int)state);
    if (ev == TERN__SESSION_LOST && !m->has_trouble && !m->is_starved)
        cluster_fail(&m->c, "a session was lost for no reason");
}

/* ---- The server --------------------------------------------------------------------------------- */

static void reply(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    tern__served *served = call->served;
    tern_time now = cluster_now(&m->c);
    const char *wrong = body_check(&call->request, &call->request_msg);
    if (wrong) cluster_fail(&m->c, "call %u: request before the reply: %s", i, wrong);
    SAY(m, "reply %u: %zu B%s", i, call->response.bytes, call->echo ? " echo" : "");
    call->served = NULL;
    call->replied = true;
    int err;
    body b;
    if (call->app_status) {
        err = tern__engine_respond(served, call->app_status, NULL, now);
    } else if (call->echo) {
        tern__body same = {.data = call->request_msg.data, .len = call->request_msg.len};
        err = tern__engine_respond(served, TERN_STATUS_OK, &same, now);
    } else if (body_make(&b, &call->response)) {
        err = tern__engine_respond(served, TERN_STATUS_OK, &b.body, now);
        body_drop(&b, true);
    } else {
        err = tern__engine_respond(served, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, now);
    }
    if (err && !(err == TERN_ERR_NOMEM && m->is_starved))
        cluster_fail(&m->c, "call %u: respond returned %s", i, tern_strerror(err));
}

static void check_deadline(model *m, uint32_t i, tern__served *served) {
    call_state *call = &m->calls[i];
    tern_time seen = tern__served_deadline(served);
    if (!call->deadline) {
        if (seen != UINT64_MAX) cluster_fail(&m->c, "call %u: a deadline from nowhere", i);
        return;
    }
    /* The time left travels; what the packet took is not known, so the server's point is the later one. */
    if (seen + 2000 < call->deadline || seen > call->deadline + (tern_time)(VERY_LATE + TERN_SEC))
        cluster_fail(&m->c, "call %u: the server sees its deadline %lld ns off", i, (long long)(seen - call->deadline));
}

static void on_request(void *user, tern__served *served, uint32_t method, const tern__arrived *msg) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    uint32_t i = method - 1;
    if (i >= m->n_calls || m->sessions[m->calls[i].session].server != node->number) {
        cluster_fail(&m->c, "a request for method %u at node %u", method, node->number);
        return;
    }
    call_state *call = &m->calls[i];
    SAY(m, "serve %u", i);
    if (!call->is_made) cluster_fail(&m->c, "call %u: served before it was made", i);
    if (call->n_runs++ > 0) cluster_fail(&m->c, "call %u: its handler ran %u times", i, call->n_runs);
    const char *wrong = body_check(&call->request, msg);
    if (wrong) cluster_fail(&m->c, "call %u: request: %s", i, wrong);
    check_deadline(m, i, served);
    if (*tern__served_user(served)) cluster_fail(&m->c, "call %u: its user word is not NULL", i);
    *tern__served_user(served) = call;
    call->served = served;
    call->request_msg = *msg;
    if (call->reply_delay == 0)
        reply(m, i);
    else
        event_add(m, cluster_now(&m->c) + (tern_time)call->reply_delay, EV_REPLY, i, 0);
}

static void on_gone(void *user, tern__served *served) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    call_state *call = *tern__served_user(served);
    uint32_t i = (uint32_t)(call - m->calls);
    SAY(m, "gone %u", i);
    m->totals->gone++;
    if (call->served != served) cluster_fail(&m->c, "call %u: gone, but not being served", i);
    if (!m->has_trouble && !m->is_starved) cluster_fail(&m->c, "call %u: its client is gone for no reason", i);
    call->served = NULL;
}

/* ---- A forger -----------------------------------------------------------------------------------
 * It knows everything about the packets that were sent but the secrets in them: the tags, and what a REFUSE
 * proves. What it sends in a node's name must change nothing. CONNECTs are left out: anyone may connect. */

static void watch_samples(void *ctx, const tern__sim_seen *seen) {
    model *m = ctx;
    tern__pkt_header h;
    if (seen->fate != TERN__SIM_SENT || !tern__pkt_read(&h, seen->head, seen->head_len)) return;
    if (h.type == TERN__PKT_CONNECT) return;
    sample *s = &m->samples[m->n_samples++ % N_SAMPLES];
    s->src = seen->src;
    s->dst = seen->dst;
    s->len = seen->head_len < sizeof s->bytes ? seen->head_len : sizeof s->bytes;
    memcpy(s->bytes, seen->head, s->len);
}

/* "The session of yours that the sampled packet belongs to is not here", without the proof. */
static void forge_refuse(model *m, sample *s, tern__pkt_header *h) {
    uint8_t *payload = s->bytes + TERN__PKT_HEADER_BYTES;
    *h = (tern__pkt_header){.type = TERN__PKT_REFUSE, .status = h->status, .session = h->session, .size = 12};
    tern__pkt_write(h, s->bytes);
    tern__store64(payload, tern__rng_next(&m->rng));
    tern__store32(payload + 8, h->session);
    s->len = TERN__PKT_HEADER_BYTES + h->size;
}

static void forge_bytes(model *m, sample *s) {
    static const uint8_t types[] = {TERN__PKT_REQ,        TERN__PKT_CR,   TERN__PKT_RFR, TERN__PKT_RESP,
                                    TERN__PKT_DISCONNECT, TERN__PKT_PING, TERN__PKT_PONG};
    tern__pkt_header h = {0};
    tern__pkt_read(&h, s->bytes, s->len);
    if (h.type == TERN__PKT_REFUSE || chance(m, 0.1)) {
        forge_refuse(m, s, &h);
        return;
    }
    h.tag ^= 1 + below(m, UINT64_MAX);
    if (chance(m, 0.3)) h.type = types[below(m, TERN__COUNT(types))];
    if (chance(m, 0.3)) h.req += (uint32_t)below(m, 32);
    if (chance(m, 0.3)) h.pkt = (uint32_t)below(m, 8);
    if (chance(m, 0.3)) h.size = (uint32_t)below(m, 100);
    if (chance(m, 0.3)) h.aux = (uint32_t)below(m, 100);
    tern__pkt_write(&h, s->bytes);
}

static void forge(model *m) {
    if (m->n_samples == 0) return;
    sample s = m->samples[below(m, m->n_samples < N_SAMPLES ? m->n_samples : N_SAMPLES)];
    tern__port *port = m->c.nodes[s.src].port;
    if (!port) return;
    forge_bytes(m, &s);
    tern__route route = tern__sim_route(s.dst);
    void *p = port->link.ops->tx_begin(&port->link, &route, s.len);
    if (!p) return;
    memcpy(p, s.bytes, s.len);
    port->link.ops->tx_end(&port->link);
    cluster_flush(&m->c, s.src);
    m->totals->forged++;
}

/* ---- The plan ----------------------------------------------------------------------------------- */

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

static body_spec random_body(model *m, size_t big) {
    body_spec spec = {.key = tern__rng_next(&m->rng), .bytes = random_bytes(m, big)};
    spec.typed = chance(m, 0.5);
    if (!spec.typed) return spec;
    static const tern_format formats[] = {TERN_FORMAT_RAW, TERN_FORMAT_HYBRID, TERN_FORMAT_PROTOBUF};
    spec.format = formats[below(m, 3)];
    spec.n_parts = (uint32_t)(chance(m, 0.5) ? below(m, 3) : below(m, BODY_MAX_PARTS + 1));
    return spec;
}

static void plan_call(model *m, uint32_t i, size_t big, bool has_deadlines) {
    call_state *call = &m->calls[i];
    *call = (call_state){.session = (uint32_t)below(m, m->n_sessions), .next = -1};
    call->request = random_body(m, big);
    call->response = random_body(m, big);
    call->keep = chance(m, 0.2);
    if (chance(m, 0.4)) call->reply_delay = 1 + dur_below(m, chance(m, 0.2) ? 100 * TERN_MS : 100 * TERN_US);
    if (chance(m, 0.1)) call->app_status = app_statuses[below(m, TERN__COUNT(app_statuses))];
    if (has_deadlines && chance(m, 0.5)) call->timeout = 1 + dur_below(m, chance(m, 0.5) ? 20 * TERN_MS : TERN_SEC);
    if (!call->request.typed && chance(m, 0.2)) {
        call->echo = true;
        call->response = call->request;
    }
}

static void plan_calls(model *m, uint64_t n, tern_dur span) {
    /* With few credits a megabyte takes minutes, which is right but teaches nothing. */
    size_t big = chance(m, 0.1) && m->c.config.engine.credits >= 8 ? 2 << 20 : 100000;
    bool has_deadlines = chance(m, 0.4);
    m->n_calls = (uint32_t)n;
    for (uint32_t i = 0; i < m->n_calls; i++) {
        plan_call(m, i, big, has_deadlines);
        bool follows = i > 0 && chance(m, 0.3) && m->calls[i - 1].next < 0;
        if (follows) m->calls[i - 1].next = (int32_t)i;
        /* A follower gets its turn anyhow, in case the call before it was never accepted. */
        event_add(m, cluster_now(&m->c) + (tern_time)(follows ? 2 * span : dur_below(m, span)), EV_CALL, i, 0);
    }
}

static void plan_sessions(model *m) {
    uint32_t n_nodes = m->c.config.sim.n_nodes;
    m->n_sessions = (uint32_t)(1 + below(m, 2 * n_nodes));
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        uint32_t client = (uint32_t)below(m, n_nodes);
        uint32_t server = (client + 1 + (uint32_t)below(m, n_nodes - 1)) % n_nodes;
        m->sessions[i] = (session_state){client, server, NULL};
    }
}

static void plan_troubles(model *m, tern_dur span) {
    uint64_t n = 1 + below(m, 4);
    uint32_t n_nodes = m->c.config.sim.n_nodes;
    m->has_trouble = true;
    for (uint64_t i = 0; i < n; i++) {
        tern_time at = cluster_now(&m->c) + below(m, (uint64_t)span);
        tern_time end = at + 1 + below(m, (uint64_t)(chance(m, 0.5) ? 3 * TERN_SEC : 10 * TERN_MS));
        uint32_t a = (uint32_t)below(m, n_nodes), b = (a + 1) % n_nodes;
        switch (below(m, 4)) {
        case 0:
        case 1:
            event_add(m, at, EV_KILL, a, chance(m, 0.3));
            event_add(m, end, EV_START, a, 0);
            break;
        case 2:
            event_add(m, at, EV_CUT, a, b);
            event_add(m, end, EV_MEND, a, b);
            break;
        default: event_add(m, at, EV_CLOSE, (uint32_t)below(m, m->n_sessions), 0);
        }
    }
}

static void plan_hunger(model *m, tern_dur span) {
    m->is_starved = true;
    event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_STARVE, (uint32_t)(1 + below(m, 100)), 0);
}

static void plan_forger(model *m, tern_dur span) {
    if (m->c.config.sim.reliable) return; /* there nobody else can send in a peer's name */
    tern__sim_watch(m->c.sim, watch_samples, m);
    event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_FORGE, (uint32_t)(1 + below(m, 500)), 0);
}

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
            config->sim.path.reorder_delay = VERY_LATE;
        }
    }
    if (chance(m, 0.5)) config->sim.uplink = config->sim.downlink = (tern__sim_nic){10000000000, 64 << 10};
    if (chance(m, 0.3)) config->poll_jitter = dur_below(m, 50 * TERN_US);
    m->path = config->sim.path;
}

static void plan_engines(model *m, cluster_config *config) {
    static const uint32_t credits[] = {1, 2, 8, 32};
    config->engine.callbacks = (tern__engine_callbacks){on_request, on_gone, on_done, on_session};
    if (chance(m, 0.5)) config->engine.credits = credits[below(m, TERN__COUNT(credits))];
    if (chance(m, 0.2)) config->engine.max_backlog = (uint32_t)(1 + below(m, 8));
    if (chance(m, 0.1)) {
        config->engine.max_rx_bytes = 200000;
        m->is_tight = true;
    }
    /* 30 % loss both ways loses half of all round trips: twenty in a row within this time are no death. */
    config->engine.peer_timeout = 10 * TERN_SEC;
    config->engine.connect_timeout = 20 * TERN_SEC;
    if (chance(m, 0.3)) config->engine.threshold = chance(m, 0.5) ? UINT32_MAX : 64;
    config->user = m;
}

/* ---- Running ------------------------------------------------------------------------------------ */

static void node_ends(model *m, uint32_t node, bool gracefully) {
    SAY(m, "node %u %s", node, gracefully ? "stops" : "is killed");
    m->totals->kills++;
    tern__engine_stats stats;
    if (m->c.nodes[node].port) {
        tern__engine_get_stats(m->c.nodes[node].engine, &stats);
        m->totals->retransmits += stats.retransmits;
    }
    for (uint32_t i = 0; i < m->n_sessions; i++)
        if (m->sessions[i].client == node) m->sessions[i].handle = NULL;
    if (gracefully)
        cluster_node_stop(&m->c, node);
    else
        cluster_node_kill(&m->c, node);
    for (uint32_t i = 0; i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        if (call->served && m->sessions[call->session].server == node)
            cluster_fail(&m->c, "call %u: its server ended without on_gone", i);
        if (call->accepted && !call->n_done && m->sessions[call->session].client == node)
            cluster_fail(&m->c, "call %u: its client ended without on_done", i);
    }
}

static void session_close(model *m, uint32_t i) {
    session_state *s = &m->sessions[i];
    if (!s->handle) return;
    SAY(m, "close session %u->%u", s->client, s->server);
    m->totals->closes++;
    tern__csession *handle = s->handle;
    s->handle = NULL;
    tern__engine_session_close(handle, cluster_now(&m->c));
    cluster_flush(&m->c, s->client);
    for (uint32_t k = 0; k < m->n_calls; k++)
        if (m->calls[k].session == i && m->calls[k].accepted && !m->calls[k].n_done)
            cluster_fail(&m->c, "call %u: its session was closed without on_done", k);
}

static void event_do(model *m, const event *e) {
    switch (e->kind) {
    case EV_CALL: call_start(m, e->a, false); break;
    case EV_REPLY:
        if (!m->calls[e->a].served) break;
        reply(m, e->a);
        cluster_flush(&m->c, m->sessions[m->calls[e->a].session].server);
        break;
    case EV_KILL:
        if (m->c.nodes[e->a].port) node_ends(m, e->a, e->b);
        break;
    case EV_START:
        if (m->c.nodes[e->a].port || cluster_node_start(&m->c, e->a) == 0) break;
        if (!m->is_starved) cluster_fail(&m->c, "node %u cannot start", e->a);
        event_add(m, cluster_now(&m->c) + (tern_time)TERN_MS, EV_START, e->a, 0);
        break;
    case EV_CUT:
    case EV_MEND:
        SAY(m, "%s %u %u", e->kind == EV_CUT ? "cut" : "mend", e->a, e->b);
        m->totals->cuts += e->kind == EV_CUT;
        tern__sim_cut(m->c.sim, e->a, e->b, e->kind == EV_CUT);
        break;
    case EV_LOSS:
        m->path.loss = 0.3 * e->a / 100;
        tern__sim_set_default_path(m->c.sim, &m->path);
        break;
    case EV_CLOSE: session_close(m, e->a); break;
    case EV_FORGE:
        forge(m);
        if (e->a) event_add(m, cluster_now(&m->c) + below(m, (uint64_t)(100 * TERN_US)), EV_FORGE, e->a - 1, 0);
        break;
    case EV_STARVE:
        tern__pool_fail_after(e->a ? 1 + below(m, 40) : 0);
        if (e->a) event_add(m, cluster_now(&m->c) + below(m, (uint64_t)(200 * TERN_US)), EV_STARVE, e->a - 1, 0);
        break;
    }
}

/* Until all events are done and all calls have ended. */
static void run_to_rest(model *m, tern_dur bound, const char *what) {
    tern_time end = cluster_now(&m->c) + (tern_time)bound;
    while (!m->c.error[0]) {
        event *e = event_first(m);
        if (!e && m->n_open == 0) return;
        if (cluster_now(&m->c) >= end) {
            cluster_fail(&m->c, "%s: %u calls did not end within %lld s", what, m->n_open,
                         (long long)(bound / TERN_SEC));
            return;
        }
        if (m->c.n_steps > 20000000) cluster_fail(&m->c, "%s: too many steps", what);
        if (cluster_step(&m->c, e && e->at < end ? e->at : end)) continue;
        if (e && e->at <= cluster_now(&m->c)) {
            event taken = event_take(m, e);
            event_do(m, &taken);
        }
    }
}

static void plan_health(model *m, uint32_t session) {
    call_state *call = &m->calls[m->n_calls++];
    *call = (call_state){.session = session, .next = -1};
    call->request = (body_spec){.key = session, .bytes = 100};
    call->response = (body_spec){.key = ~session, .bytes = 3000};
}

/* After the last trouble each session must work: at the second call, since the first may learn of a death. */
static void run_health(model *m) {
    for (uint32_t try = 0; try < 2; try++) {
        uint32_t first = m->n_calls;
        for (uint32_t i = 0; i < m->n_sessions; i++) plan_health(m, i);
        for (uint32_t i = first; i < m->n_calls; i++) call_start(m, i, false);
        run_to_rest(m, 60 * TERN_SEC, "health");
        for (uint32_t i = first; try == 1 && i < m->n_calls; i++) {
            const session_state *s = &m->sessions[m->calls[i].session];
            if (m->calls[i].status != TERN_STATUS_OK || !m->calls[i].accepted)
                cluster_fail(&m->c, "session %u->%u does not work after the last trouble", s->client, s->server);
        }
    }
}

static void run_quiet(model *m) {
    if (m->c.error[0]) return;
    cluster_run(&m->c, cluster_now(&m->c) + (tern_time)(5 * TERN_SEC));
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) m->c.nodes[i].n_ticks = 0;
    cluster_run(&m->c, cluster_now(&m->c) + (tern_time)TERN_SEC);
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) ticks += m->c.nodes[i].n_ticks;
    if (ticks > 100 * m->n_sessions) cluster_fail(&m->c, "idle, but %llu ticks in a second", (unsigned long long)ticks);
}

static void drop_kept(model *m) {
    for (uint32_t i = 0; i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        if (!call->kept) continue;
        tern__arrived msg = {call->kept, call->kept_len, call->kept_format};
        const char *wrong = body_check(&call->response, &msg);
        if (wrong) cluster_fail(&m->c, "call %u: a response that was kept: %s", i, wrong);
        tern_unref(call->kept);
    }
}

static void add_totals(model *m) {
    tern__sim_stats sim;
    tern__sim_get_stats(m->c.sim, &sim);
    m->totals->packets += sim.delivered;
    m->totals->steps += m->c.n_steps;
    m->totals->hash = m->totals->hash * 31 + tern__sim_hash(m->c.sim);
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) {
        if (!m->c.nodes[i].port) continue;
        tern__engine_stats stats;
        tern__engine_get_stats(m->c.nodes[i].engine, &stats);
        m->totals->inplace_values += stats.inplace_values;
        m->totals->retransmits += stats.retransmits;
    }
    for (uint32_t i = 0; i < m->n_calls; i++)
        m->totals->multi_packet += m->calls[i].n_runs && m->calls[i].request.bytes > m->c.config.sim.max_packet;
}

static void say_plan(const model *m) {
    const tern__sim_config *sim = &m->c.config.sim;
    const tern__engine_config *engine = &m->c.config.engine;
    printf("# %u nodes, %u sessions, %u calls; %s%s%s, packets of %u B, ring %u, delay %lld ns, jitter %lld ns\n",
           sim->n_nodes, m->n_sessions, m->n_calls, sim->reliable ? "reliable" : "lossy",
           sim->holds_refs ? ", holds references" : "", sim->spans ? ", spans" : "", sim->max_packet, sim->ring_packets,
           (long long)sim->path.delay, (long long)m->c.config.poll_jitter);
    printf("# loss %.3f, duplicates %.1f, reordering %.1f up to %lld ns, %llu bps; %u credits, backlog %u, %llu B rx\n",
           sim->path.loss, sim->path.duplicate, sim->path.reorder, (long long)sim->path.reorder_delay,
           (unsigned long long)sim->uplink.rate_bps, engine->credits, engine->max_backlog,
           (unsigned long long)engine->max_rx_bytes);
}

bool model_run(uint64_t seed, bool verbose, model_totals *totals, char *error, size_t cap) {
    model *m = calloc(1, sizeof *m);
    if (!m) return false;
    m->verbose = verbose;
    m->totals = totals;
    tern__rng_seed(&m->rng, seed);
    cluster_config config;
    cluster_config_init(&config);
    plan_network(m, &config);
    plan_engines(m, &config);
    if (cluster_init(&m->c, seed, &config) == 0) {
        tern_dur span = chance(m, 0.5) ? 20 * TERN_MS : TERN_SEC;
        plan_sessions(m);
        plan_calls(m, 10 + below(m, MAX_CALLS - 10), span);
        if (chance(m, 0.4)) plan_troubles(m, span);
        if (chance(m, 0.2)) plan_hunger(m, span);
        if (chance(m, 0.2)) plan_forger(m, span);
        if (chance(m, 0.2))
            event_add(m, cluster_now(&m->c) + below(m, (uint64_t)span), EV_LOSS, (uint32_t)below(m, 101), 0);
        if (verbose) say_plan(m);
        run_to_rest(m, 180 * TERN_SEC, "calls");
        if (!m->c.error[0]) run_health(m);
        run_quiet(m);
        drop_kept(m);
        add_totals(m);
    } else {
        snprintf(m->c.error, sizeof m->c.error, "the cluster cannot start");
    }
    tern__pool_fail_after(0);
    /* Teardown calls back: what is open then ends UNAVAILABLE and what is served is gone. */
    m->has_trouble = true;
    cluster_fini(&m->c);
    bool ok = m->c.error[0] == 0;
    if (!ok) snprintf(error, cap, "%s", m->c.error);
    free(m);
    return ok;
}

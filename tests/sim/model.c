#include "model_state.h"

#include <stdlib.h>

#include "engine/engine_record.h"
#include "mem/pool.h"
#include "tern/mem.h"

enum { MAX_STEPS = 20000000 };

/* ---- Events ------------------------------------------------------------------------------------- */

void model_event_add(model *m, tern_time at, event_kind kind, uint32_t a, uint32_t b) {
    if (m->n_events == MODEL_MAX_EVENTS) {
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

/* ---- Trouble ------------------------------------------------------------------------------------ */

static bool is_unwell(const model *m, uint32_t node) { return !m->c.nodes[node].port || m->is_lame[node]; }

static void harm(model *m, session_state *s) { s->trouble_at = cluster_now(&m->c); }

static void harm_node(model *m, uint32_t node) {
    for (uint32_t i = 0; i < m->n_sessions; i++)
        if (m->sessions[i].client == node || m->sessions[i].server == node) harm(m, &m->sessions[i]);
}

/* How long doubt may last: a few of the longest RTOs. */
#define DOUBT (5 * TERN_SEC)

void model_doubted(model *m, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        session_state *s = &m->sessions[i];
        bool between = (s->client == a && s->server == b) || (s->client == b && s->server == a);
        if (between && s->trouble_at != UINT64_MAX) s->trouble_at = cluster_now(&m->c) + (tern_time)DOUBT;
    }
}

static bool is_troubled(const model *m, uint32_t from, uint32_t to) {
    return m->n_cuts[from][to] || m->n_narrow[from][to];
}

/* After whatever may have begun or ended a trouble that lasts. */
static void update_troubles(model *m) {
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        session_state *s = &m->sessions[i];
        bool lasts = m->is_draining[s->server] || is_unwell(m, s->client) || is_unwell(m, s->server) ||
                     is_troubled(m, s->client, s->server) || is_troubled(m, s->server, s->client);
        if (lasts)
            s->trouble_at = UINT64_MAX;
        else if (s->trouble_at == UINT64_MAX)
            harm(m, s);
    }
}

/* Every stream of the node has ended. */
static void check_flows_ended(model *m, uint32_t node) {
    for (uint32_t i = 0; i < m->n_flows; i++)
        for (uint32_t side = 0; side < 2; side++)
            if (m->flows[i].ends[side].stream && model_flow_node(m, i, side) == node)
                cluster_fail(&m->c, "flow %u: its %s ended without on_end", i, side ? "server" : "client");
}

static void add_sealed(model *m, const tern__engine_stats *stats) {
    m->totals->sealed += stats->sealed;
    m->totals->opened += stats->opened;
    m->totals->unopened += stats->rx_unopened;
    m->totals->replayed += stats->rx_replayed;
    m->totals->key_phases += stats->key_phases;
}

static void node_ends(model *m, uint32_t node, bool gracefully) {
    SAY(m, "node %u %s", node, gracefully ? "stops" : "is killed");
    m->totals->kills++;
    tern__engine_stats stats;
    tern__engine_get_stats(m->c.nodes[node].engine, &stats);
    tern__engine_add_sent(&stats, &m->c.nodes[node].port->link);
    m->totals->retransmits += stats.retransmits;
    add_sealed(m, &stats);
    harm_node(m, node);
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        if (m->sessions[i].client != node) continue;
        m->sessions[i].handle = NULL;
        m->sessions[i].is_up = m->sessions[i].is_leaving = false;
    }
    if (gracefully)
        cluster_node_stop(&m->c, node);
    else
        cluster_node_kill(&m->c, node);
    m->is_lame[node] = m->is_draining[node] = false;
    for (uint32_t i = 0; i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        if (call->served && server_of(m, call) == node)
            cluster_fail(&m->c, "call %u: its server ended without on_gone", i);
        if (call->accepted && !call->n_done && client_of(m, call)->number == node)
            cluster_fail(&m->c, "call %u: its client ended without on_done", i);
    }
    check_flows_ended(m, node);
}

static void node_starts(model *m, uint32_t node) {
    if (m->c.nodes[node].port || cluster_node_start(&m->c, node) == 0) return;
    if (!m->is_starved) cluster_fail(&m->c, "node %u cannot start", node);
    model_event_add(m, cluster_now(&m->c) + (tern_time)TERN_MS, EV_START, node, 0);
}

static void node_is_suspended(model *m, uint32_t node, uint32_t us) {
    tern_time until = cluster_now(&m->c) + us * (tern_time)TERN_US;
    bool longer = m->c.nodes[node].stopped_until > cluster_now(&m->c); /* two short times may make a long one */
    if (!m->c.nodes[node].port) return;
    SAY(m, "node %u is suspended for %.3f ms", node, us / 1e3);
    m->totals->stops++;
    cluster_node_suspend(&m->c, node, until);
    if (us * TERN_US <= MODEL_SHORT_STOP && !longer) return;
    m->is_lame[node] = true;
    model_event_add(m, until + 1, EV_WAKE, node, 0);
}

/* What one direction of a path does from now on. */
static void set_path(model *m, uint32_t from, uint32_t to, int cuts) {
    m->n_cuts[from][to] += (uint32_t)cuts;
    tern__sim_path path = m->path;
    path.cut = m->n_cuts[from][to] > 0;
    path.narrow_bytes = m->n_narrow[from][to] ? m->narrow_bytes[from][to] : 0;
    if (tern__sim_set_path(m->c.sim, from, to, &path)) cluster_fail(&m->c, "no memory for a path");
}

static void set_all_paths(model *m) {
    uint32_t n_nodes = m->c.config.sim.n_nodes;
    if (m->c.config.sim.reliable) return; /* no loss there, and no need to lose a route */
    for (uint32_t from = 0; from < n_nodes; from++)
        for (uint32_t to = 0; to < n_nodes; to++)
            if (from != to) set_path(m, from, to, 0);
}

static void session_close(model *m, uint32_t i) {
    session_state *s = &m->sessions[i];
    if (!s->handle) return;
    SAY(m, "close session %u->%u", s->client, s->server);
    m->totals->closes++;
    tern__csession *handle = s->handle;
    s->handle = NULL;
    s->is_up = s->is_leaving = false;
    harm(m, s);
    tern__engine_session_close(handle, cluster_now(&m->c));
    cluster_flush(&m->c, s->client);
    for (uint32_t k = 0; k < m->n_calls; k++)
        if (m->calls[k].session == i && m->calls[k].accepted && !m->calls[k].n_done)
            cluster_fail(&m->c, "call %u: its session was closed without on_done", k);
    for (uint32_t k = 0; k < m->n_flows; k++)
        if (m->flows[k].session == i && m->flows[k].ends[0].stream)
            cluster_fail(&m->c, "flow %u: its session was closed without on_end", k);
}

static void drain(model *m, uint32_t node, uint32_t us) {
    tern_time now = cluster_now(&m->c), deadline = now + us * (tern_time)TERN_US;
    if (!m->c.nodes[node].port || m->is_draining[node]) return;
    SAY(m, "node %u drains for %.3f ms", node, us / 1e3);
    m->totals->drains++;
    m->is_draining[node] = true;
    tern__engine_drain(m->c.nodes[node].engine, deadline, now);
    m->c.nodes[node].polled = true;
    model_event_add(m, deadline + (tern_time)TERN_MS, EV_DRAINED, node, m->c.nodes[node].life);
}

/* Whatever its clients have done, it has no session left when its time is up. */
static void drained(model *m, uint32_t node, uint32_t life) {
    if (!m->c.nodes[node].port || m->c.nodes[node].life != life) return;
    if (!tern__engine_is_drained(m->c.nodes[node].engine)) cluster_fail(&m->c, "node %u is not drained in time", node);
    for (uint32_t i = 0; i < m->n_calls; i++)
        if (m->calls[i].served && server_of(m, &m->calls[i]) == node)
            cluster_fail(&m->c, "call %u: its server is drained, but its handler not told", i);
    node_ends(m, node, true);
    model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)(10 * TERN_MS)), EV_START, node, 0);
}

/* As tern_session does: nothing new is sent, and the session is closed when nothing is left of the old. */
static void leave(model *m, uint32_t i) {
    session_state *s = &m->sessions[i];
    if (!s->handle || !s->is_leaving) return;
    if (tern__engine_session_is_idle(s->handle))
        session_close(m, i);
    else
        model_event_add(m, cluster_now(&m->c) + (tern_time)TERN_MS, EV_LEAVE, i, 0);
}

/* The node that must be awake for an event to happen, or MODEL_NOBODY. */
static int actor_of(const model *m, const event *e) {
    switch (e->kind) {
    case EV_CALL:
    case EV_BURST:
    case EV_CANCEL: return (int)m->sessions[m->calls[e->a].session].client;
    case EV_REPLY: return (int)server_of(m, &m->calls[e->a]);
    case EV_LEAVE:
    case EV_CLOSE: return (int)m->sessions[e->a].client;
    case EV_DRAIN:
    case EV_DRAINED: return (int)e->a;
    case EV_FLOW:
    case EV_FLOW_PUSH:
    case EV_FLOW_CONSUME:
    case EV_FLOW_ABORT: return (int)model_flow_node(m, e->a, e->b);
    default: return MODEL_NOBODY;
    }
}

static void cut(model *m, const event *e, int cuts) {
    bool both = e->kind == EV_CUT || e->kind == EV_MEND;
    SAY(m, "%s %u %u%s", cuts > 0 ? "cut" : "mend", e->a, e->b, both ? "" : ", one way");
    if (cuts > 0) *(both ? &m->totals->cuts : &m->totals->one_way_cuts) += 1;
    set_path(m, e->a, e->b, cuts);
    if (both) set_path(m, e->b, e->a, cuts);
}

static void narrow(model *m, const event *e) {
    uint32_t from = e->a, to = e->b & 0xff, bytes = e->b >> 8;
    bool begins = e->kind == EV_NARROW;
    SAY(m, "%s %u->%u, %u bytes", begins ? "narrow" : "widen", from, to, bytes);
    if (begins) m->totals->narrows++;
    m->n_narrow[from][to] += begins ? 1 : -1u;
    if (begins) m->narrow_bytes[from][to] = bytes;
    set_path(m, from, to, 0);
}

static void event_do(model *m, const event *e) {
    int actor = actor_of(m, e);
    if (actor >= 0 && m->c.nodes[actor].stopped_until > cluster_now(&m->c)) {
        model_event_add(m, m->c.nodes[actor].stopped_until, e->kind, e->a, e->b);
        return;
    }
    switch (e->kind) {
    case EV_CALL: model_call_start(m, e->a, false); break;
    case EV_BURST: model_burst_start(m, e->a, e->b); break;
    case EV_REPLY:
        if (!m->calls[e->a].served) break;
        model_reply(m, e->a);
        cluster_flush(&m->c, server_of(m, &m->calls[e->a]));
        break;
    case EV_CANCEL: model_call_cancel(m, e->a); break;
    case EV_KILL:
        if (m->c.nodes[e->a].port) node_ends(m, e->a, e->b);
        break;
    case EV_START: node_starts(m, e->a); break;
    case EV_CUT:
    case EV_DEAFEN: cut(m, e, 1); break;
    case EV_MEND:
    case EV_HEAR: cut(m, e, -1); break;
    case EV_NARROW:
    case EV_WIDEN: narrow(m, e); break;
    case EV_STOP: node_is_suspended(m, e->a, e->b); break;
    case EV_WAKE:
        m->is_lame[e->a] = m->c.nodes[e->a].stopped_until > cluster_now(&m->c);
        if (m->is_lame[e->a]) model_event_add(m, m->c.nodes[e->a].stopped_until + 1, EV_WAKE, e->a, 0);
        break;
    case EV_LOSS:
        m->path.loss = 0.3 * e->a / 100;
        set_all_paths(m);
        break;
    case EV_CLOSE: session_close(m, e->a); break;
    case EV_DRAIN: drain(m, e->a, e->b); break;
    case EV_DRAINED: drained(m, e->a, e->b); break;
    case EV_LEAVE: leave(m, e->a); break;
    case EV_FLOW: model_flow_start(m, e->a); break;
    case EV_FLOW_PUSH: model_flow_push(m, e->a, e->b); break;
    case EV_FLOW_CONSUME: model_flow_consume(m, e->a, e->b); break;
    case EV_FLOW_ABORT: model_flow_abort(m, e->a, e->b); break;
    case EV_LET_GO: model_let_go(m, e->a, e->b); break;
    case EV_FORGE:
        model_forge(m);
        if (e->a) model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)(100 * TERN_US)), EV_FORGE, e->a - 1, 0);
        break;
    case EV_STARVE:
        tern__pool_fail_after(e->a ? 1 + below(m, 40) : 0);
        if (e->a) model_event_add(m, cluster_now(&m->c) + below(m, (uint64_t)(200 * TERN_US)), EV_STARVE, e->a - 1, 0);
        break;
    }
    update_troubles(m);
}

/* ---- Running ------------------------------------------------------------------------------------ */

/* One step of the cluster, or the next event; no further than `end`. */
static void step(model *m, tern_time end) {
    event *e = event_first(m);
    if (m->c.n_steps > MAX_STEPS) cluster_fail(&m->c, "too many steps");
    if (cluster_step(&m->c, e && e->at < end ? e->at : end) || !e || e->at > cluster_now(&m->c)) return;
    event taken = event_take(m, e);
    event_do(m, &taken);
}

static void run_for(model *m, tern_dur span) {
    tern_time end = cluster_now(&m->c) + (tern_time)span;
    while (!m->c.error[0] && cluster_now(&m->c) < end) step(m, end);
}

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3; }

/* How far all calls are: it changes when one begins, is served or ends, when the front of a long message moves, or
 * bytes of a stream arrive; never because a packet is merely sent again. */
static uint64_t progress(const model *m) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < m->n_calls; i++)
        hash = mix(hash, m->calls[i].n_runs + 2 * m->calls[i].replied + 4 * m->calls[i].accepted +
                             8 * (uint64_t)m->calls[i].n_done);
    for (uint32_t i = 0; i < m->n_flows; i++) {
        hash = mix(hash, m->flows[i].n_runs + 2 * m->flows[i].is_open);
        for (uint32_t side = 0; side < 2; side++) hash = mix(hash, m->flows[i].ends[side].read);
    }
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        const tern__csession *cs = m->sessions[i].handle;
        for (uint32_t k = 0; cs && cs->slots && k < TERN__N_SLOTS; k++)
            hash = mix(hash, cs->slots[k].win ? cs->slots[k].win->base : UINT32_MAX);
    }
    return hash;
}

/* Where links lose a fifth of all packets, or lose and refuse them, two of three round trips may come to nothing: with
 * one credit, or at the smallest window, a packet then takes 50 to 500 ms, and a thousand of them many minutes. */
static bool may_be_slow(const model *m) {
    return !m->c.config.sim.reliable && (m->c.config.tx_refusal > 0 || m->path.loss > 0.2);
}

/* Until all events are done and all calls have ended, within `bound`; in a slow network also later, as long as
 * something has moved since: a call that waits for nothing shows when all else has ended. */
static void run_to_rest(model *m, tern_dur bound, const char *what) {
    tern_time end = cluster_now(&m->c) + (tern_time)bound;
    uint64_t before = progress(m);
    while (!m->c.error[0] && (m->n_events || m->n_open)) {
        if (cluster_now(&m->c) >= end) {
            uint64_t now = progress(m);
            if (now == before || !may_be_slow(m))
                cluster_fail(&m->c, "%s: %u calls did not end within %lld s", what, m->n_open,
                             (long long)(bound / TERN_SEC));
            before = now;
            end += (tern_time)bound;
        }
        step(m, end);
    }
}

static void plan_health(model *m, uint32_t session) {
    call_state *call = &m->calls[m->n_calls++];
    *call = (call_state){.session = session, .next = MODEL_NOBODY, .inner = MODEL_NOBODY, .outer = MODEL_NOBODY};
    call->insists = m->is_bounded;
    call->request = (body_spec){.key = session, .bytes = 100};
    call->response = (body_spec){.key = ~session, .bytes = 3000};
}

/* After the last trouble each session must work: at the second call, since the first may learn of a death. Where no
 * more sessions fit, those of dead peers must be gone first; where memory is short, so must what their streams hold. */
static void run_health(model *m) {
    if (m->is_healed) set_all_paths(m);
    if (m->is_crowded || m->is_tight) run_for(m, 60 * TERN_SEC);
    for (uint32_t try = 0; try < 2; try++) {
        uint32_t first = m->n_calls;
        for (uint32_t i = 0; i < m->n_sessions; i++) plan_health(m, i);
        for (uint32_t i = first; i < m->n_calls; i++) model_call_start(m, i, false);
        run_to_rest(m, 60 * TERN_SEC, "health");
        for (uint32_t i = first; try == 1 && i < m->n_calls; i++) {
            const session_state *s = &m->sessions[m->calls[i].session];
            if (m->calls[i].status != TERN_STATUS_OK || !m->calls[i].accepted)
                cluster_fail(&m->c, "session %u->%u does not work after the last trouble", s->client, s->server);
        }
    }
}

/* ---- Rest --------------------------------------------------------------------------------------- */

/* What an idle client's session holds on to; NULL for nothing. */
static const char *client_holds(const tern__csession *cs) {
    if (cs->free_slots != UINT8_MAX || cs->unsent || cs->in_flight) return "slots or credits";
    if (cs->n_backlog || !tern__list_empty(&cs->s.ccold->backlog)) return "a backlog";
    for (uint32_t i = 0; cs->slots && i < TERN__N_SLOTS; i++)
        if (cs->slots[i].out || cs->slots[i].win || cs->slots[i].in) return "a message";
    return NULL;
}

/* Without a working network a server may not have heard that it can let go. */
static const char *server_holds(tern__ssession *ss, bool is_healed) {
    if (ss->s.scold->n_orphans || !tern__list_empty(&ss->s.scold->orphans)) return "orphans";
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        const tern__request *served = tern__request_at(ss, i);
        if (is_healed && *tern__cached_reply_of(ss, i)) return "an answer";
        if (!served) continue;
        if (served->state == TERN__REQUEST_RUNNING) return "a running request";
        if (is_healed && (served->buffer || served->charged_bytes)) return "a request";
        if (is_healed && served->out) return "a response";
    }
    return NULL;
}

/* Over a reliable link that is full a DISCONNECT may fail, and is not repeated for a route's last session. */
static bool loses_goodbyes(const model *m) {
    return m->c.config.sim.reliable && (m->c.n_refused || m->c.config.sim.ring_packets);
}

/* Whether a client still has the session that this one serves. */
static bool has_client(const model *m, const cluster_node *node, const tern__ssession *ss) {
    for (uint32_t i = 0; i < m->n_sessions; i++) {
        const session_state *s = &m->sessions[i];
        if (s->server != node->number || !s->handle) continue;
        if (s->handle->s.number == ss->s.peer_number && s->handle->s.peer_number == ss->s.number) return true;
    }
    return false;
}

/* A server's session whose client has left by a DISCONNECT that failed, on a link on which nobody else tells of that:
 * what it serves ends with the route. Ports drop that when its last client leaves (port.h); these nodes share theirs,
 * and it lasts. */
static bool is_widowed(const model *m, const cluster_node *node, const tern__session *s) {
    return s->role == TERN__SERVER && loses_goodbyes(m) && !has_client(m, node, (const tern__ssession *)s);
}

/* An engine whose calls have all ended keeps sessions, and nothing else. */
static void check_nothing_held(model *m, const cluster_node *node) {
    const tern__engine *e = node->engine;
    bool any_widowed = false;
    for (uint32_t i = 0; i < e->n_table; i++) {
        tern__session *s = e->sessions[i];
        if (!s) continue;
        if (is_widowed(m, node, s)) {
            any_widowed = true;
            continue;
        }
        const char *what = s->role == TERN__CLIENT ? client_holds((const tern__csession *)s)
                                                   : server_holds((tern__ssession *)s, m->is_healed);
        if (what) cluster_fail(&m->c, "node %u is idle, but a session holds %s", node->number, what);
    }
    if (!tern__list_empty(&e->deferred_frees))
        cluster_fail(&m->c, "node %u is idle, but has messages in limbo", node->number);
    if (m->is_healed && !any_widowed && e->held)
        cluster_fail(&m->c, "node %u is idle, but owes %llu bytes", node->number, (unsigned long long)e->held);
}

/* Each client's session is open and has one counterpart, and nobody keeps one for a client that has gone. (Where
 * packets come very late one may be down: a DISCONNECT that the server said before it was killed ends the next
 * session.) */
static void check_sessions(model *m) {
    uint32_t n_clients = 0, n_open = 0, n_servers = 0;
    if (loses_goodbyes(m)) return;
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) {
        const tern__engine *e = m->c.nodes[i].engine;
        for (uint32_t k = 0; e && k < e->n_table; k++) {
            if (!e->sessions[k]) continue;
            if (e->sessions[k]->role == TERN__SERVER) n_servers++;
            if (e->sessions[k]->role == TERN__CLIENT) n_clients++;
            n_open += e->sessions[k]->role == TERN__CLIENT && e->sessions[k]->state == TERN__STATE_OPEN;
        }
    }
    /* Where packets go on getting lost, all pings may in the end. */
    bool is_lossy = !m->is_healed && !m->c.config.sim.reliable;
    bool may_be_fewer = is_lossy && n_servers < n_open;
    bool may_be_down = is_lossy || m->c.config.sim.path.reorder_delay == MODEL_VERY_LATE;
    if (n_clients != m->n_sessions || (n_servers != n_open && !may_be_fewer) || (n_open != n_clients && !may_be_down))
        cluster_fail(&m->c, "%u sessions, of which clients have %u, %u of them open, and servers %u", m->n_sessions,
                     n_clients, n_open, n_servers);
}

/* A minute, so that servers have let go of clients that went without a word. */
static void run_quiet(model *m) {
    if (m->c.error[0]) return;
    run_for(m, 60 * TERN_SEC);
    check_sessions(m);
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) m->c.nodes[i].n_ticks = 0;
    run_for(m, TERN_SEC);
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) {
        ticks += m->c.nodes[i].n_ticks;
        if (m->c.nodes[i].port) check_nothing_held(m, &m->c.nodes[i]);
    }
    if (ticks > 100 * m->n_sessions) cluster_fail(&m->c, "idle, but %llu ticks in a second", (unsigned long long)ticks);
}

static void drop_kept(model *m) {
    for (uint32_t i = 0; i < m->n_calls; i++) {
        call_state *call = &m->calls[i];
        model_let_go(m, i, 0);
        model_let_go(m, i, 1);
        if (!call->kept.data) continue;
        const char *wrong = body_check(&call->response, &call->kept);
        if (wrong) cluster_fail(&m->c, "call %u: a response that was kept: %s", i, wrong);
        tern_unref(call->kept.data);
    }
}

static void add_totals(model *m) {
    tern__sim_stats sim;
    tern__sim_get_stats(m->c.sim, &sim);
    m->totals->packets += sim.delivered;
    m->totals->steps += m->c.n_steps;
    m->totals->tx_refused += m->c.n_refused;
    m->totals->crowded += m->is_crowded;
    m->totals->bounded += m->is_bounded;
    m->totals->lines_packets += sim.lines_packets;
    m->totals->lines_rx_packets += sim.lines_rx_packets;
    m->totals->equal_packets += sim.equal_packets;
    m->totals->kept += sim.kept;
    m->totals->kept_expired += sim.kept_expired;
    m->totals->runs += sim.runs;
    m->totals->run_packets += sim.run_packets;
    m->totals->delayed += m->c.n_delayed;
    m->totals->put_off += m->c.n_put_off;
    m->totals->crowd_runs += m->c.n_crowd_runs;
    m->totals->unordered += sim.lines_packets && !m->c.config.sim.one_run && m->c.config.sim.n_nodes > 2;
    m->totals->sealed_lives += m->c.config.engine.cipher != NULL;
    m->totals->hash = m->totals->hash * 31 + tern__sim_hash(m->c.sim);
    for (uint32_t i = 0; i < m->c.config.sim.n_nodes; i++) {
        if (!m->c.nodes[i].port) continue;
        tern__engine_stats stats;
        tern__engine_get_stats(m->c.nodes[i].engine, &stats);
        tern__engine_add_sent(&stats, &m->c.nodes[i].port->link);
        m->totals->inplace_values += stats.inplace_values;
        m->totals->retransmits += stats.retransmits;
        m->totals->delayed += stats.delayed;
        m->totals->put_off += stats.put_off;
        add_sealed(m, &stats);
    }
    for (uint32_t i = 0; i < m->n_calls; i++)
        m->totals->multi_packet += m->calls[i].n_runs && m->calls[i].request.bytes > m->c.config.sim.max_packet;
}

static void say_plan(const model *m) {
    const tern__sim_config *sim = &m->c.config.sim;
    const tern__engine_config *engine = &m->c.config.engine;
    printf("# %u nodes, %u sessions (%u at most), %u calls; %s%s%s, packets of %u B, ring %u, delay %lld ns, "
           "jitter %lld ns, link refuses %.2f\n",
           sim->n_nodes, m->n_sessions, engine->max_sessions, m->n_calls, sim->reliable ? "reliable" : "lossy",
           sim->holds_refs ? ", holds references" : "", sim->spans ? ", spans" : "", sim->max_packet, sim->ring_packets,
           (long long)sim->path.delay, (long long)m->c.config.poll_jitter, m->c.config.tx_refusal);
    printf("# loss %.3f, duplicates %.1f, reordering %.1f up to %lld ns, %llu bps; %u credits, backlog %u, %llu B rx\n",
           sim->path.loss, sim->path.duplicate, sim->path.reorder, (long long)sim->path.reorder_delay,
           (unsigned long long)sim->uplink.rate_bps, engine->credits, engine->max_backlog,
           (unsigned long long)engine->max_rx_bytes);
    if (m->c.config.dump_nodes)
        printf("# nodes %#x have the dump format%s%s\n", m->c.config.dump_nodes,
               m->c.config.prefers_dump ? ", and prefer it" : "",
               m->c.config.forgets_dump ? ", in every other life" : "");
    if (engine->cipher)
        printf("# sealed%s but for nodes %#x, a new key after %llu packets\n", engine->seal_required ? ", all" : "",
               m->c.config.unsealed_nodes, (unsigned long long)engine->key_packets);
}

static void live(model *m, uint64_t seed, unsigned how) {
    cluster_config config;
    cluster_config_init(&config);
    model_plan_cluster(m, &config);
    model_plan_batches(&config, seed);
    model_plan_placement(&config, seed);
    model_plan_bounds(m, &config, seed);
    model_plan_seal(&config, seed, how);
    model_plan_formats(&config, seed);
    model_plan_keeping(&config, seed);
    model_plan_turns(&config, seed);
    config.keeps_events = m->is_traced;
    if (cluster_init(&m->c, seed, &config) != 0) {
        snprintf(m->c.error, sizeof m->c.error, "the cluster cannot start");
        return;
    }
    model_plan_life(m);
    model_watch(m);
    model_plan_long(m, seed);
    model_plan_bursts(m, seed);
    model_plan_crowd(m, seed);
    model_plan_insistence(m, seed);
    model_plan_stated(m, seed);
    model_plan_borrowing(m, seed);
    if (m->verbose) say_plan(m);
    run_to_rest(m, 240 * TERN_SEC, "calls");
    tern__pool_fail_after(0);
    m->is_healed = chance(m, 0.7);
    if (m->is_healed) {
        m->path = (tern__sim_path){.delay = m->path.delay};
        m->c.config.tx_refusal = 0;
    }
    if (!m->c.error[0]) run_health(m);
    run_quiet(m);
    drop_kept(m);
    add_totals(m);
}

int model_seal_option(const char *value) {
    if (strcmp(value, "on") == 0) return MODEL_SEAL;
    if (strcmp(value, "off") == 0) return MODEL_NO_SEAL;
    return strcmp(value, "drawn") == 0 ? 0 : -1;
}

/* A kept response counts with all the memory of its buffer, which may have more than its message needed from the life
 * before: no memory of that stays. */
static void begin_with_cold_memory(void) {
    static uint64_t looked_at;
    for (int i = 0; i < 2; i++) tern__pool_age(looked_at += TERN__POOL_AGE_NS);
}

bool model_run(uint64_t seed, unsigned how, model_totals *totals, char *error, size_t cap) {
    model *m = calloc(1, sizeof *m);
    if (!m) return false;
    m->verbose = how & MODEL_SAY;
    m->is_traced = (how & MODEL_TRACE) || seed % MODEL_TRACED_SEED == 0;
    m->totals = totals;
    tern__rng_seed(&m->rng, seed);
    begin_with_cold_memory();
    live(m, seed, how);
    tern__pool_fail_after(0);
    m->is_over = true; /* what is open ends UNAVAILABLE, and what is served is gone */
    cluster_fini(&m->c);
    bool ok = m->c.error[0] == 0;
    if (!ok) snprintf(error, cap, "%s", m->c.error);
    free(m);
    return ok;
}

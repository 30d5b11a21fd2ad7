/* The engine's outside: configuration, what is due, the end. */
#include "engine/engine.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/client.h"
#include "engine/connect.h"
#include "engine/control.h"
#include "engine/pace.h"
#include "engine/peers.h"
#include "engine/placement.h"
#include "engine/sealed.h"
#include "engine/server.h"
#include "engine/session.h"
#include "engine/stream_client.h"
#include "engine/stream_server.h"
#include "engine/table.h"
#include "engine/trace_text.h"
#include "engine/tracing.h"
#include "engine/turns.h"

static void set_defaults(tern__engine_config *c) {
    if (!c->formats) c->formats = tern__formats_default;
    if (!c->max_sessions) c->max_sessions = 32768;
    if (c->max_sessions > 1u << TERN__INDEX_BITS) c->max_sessions = 1u << TERN__INDEX_BITS;
    if (!c->crowd_sessions) c->crowd_sessions = TERN__CROWD;
    if (!c->max_message_bytes) c->max_message_bytes = 64u << 20;
    if (c->max_message_bytes > TERN_BUF_MAX_BYTES) c->max_message_bytes = TERN_BUF_MAX_BYTES;
    if (!c->max_rx_bytes) c->max_rx_bytes = 1ull << 30;
    if (!c->max_kept_bytes) {
        c->max_kept_bytes = c->max_rx_bytes / 4;
        if (c->max_kept_bytes < c->max_message_bytes) c->max_kept_bytes = c->max_message_bytes;
    }
    if (!c->credits) c->credits = 32;
    if (c->credits > TERN__MAX_CREDITS) c->credits = TERN__MAX_CREDITS;
    if (c->connect_timeout <= 0) c->connect_timeout = 5 * TERN_SEC;
    if (c->peer_timeout <= 0) c->peer_timeout = TERN_SEC;
    if (c->rto_min <= 0) c->rto_min = TERN_MS;
    if (c->rto_max <= 0) c->rto_max = 500 * TERN_MS;
    if (c->rto_max < c->rto_min) c->rto_max = c->rto_min;
    if (c->retry_after <= 0) c->retry_after = 10 * TERN_MS;
    if (!c->max_meta_bytes) c->max_meta_bytes = 64 << 10;
    if (!c->cc) c->cc = &tern__cc_swift;
}

/* A cipher within the seam's bounds; or none, and nobody insists on one. */
static bool is_cipher_sane(const tern__engine_config *c) {
    if (!c->cipher) return !c->seal_required;
    return c->cipher->id && !(c->cipher->id & TERN__SETUP_SEAL_REQUIRED) &&
           c->cipher->overhead_bytes <= TERN__SEAL_MAX_OVERHEAD && c->cipher->key_bytes <= TERN__SEAL_MAX_KEY;
}

/* The slabs, in no order. */
enum { N_KINDS = sizeof(tern__kinds) / sizeof(tern__slab) };

static void init_kinds(tern__engine *e) {
    tern__kinds *kinds = &e->kinds;
    tern__slab_init(&kinds->sessions, TERN__HOT_BYTES);
    tern__slab_init(&kinds->colds[TERN__CLIENT], tern__sealed_cold_bytes(e, sizeof(tern__ccold)));
    tern__slab_init(&kinds->colds[TERN__SERVER], tern__sealed_cold_bytes(e, sizeof(tern__scold)));
    tern__slab_init(&kinds->request_slots, sizeof(tern__request_slots));
    tern__slab_init(&kinds->slots, sizeof(tern__slots));
    tern__slab_init(&kinds->wins, sizeof(tern__win));
    tern__slab_init(&kinds->requests, sizeof(tern__request));
    tern__slab_init(&kinds->streams, sizeof(tern__stream));
    tern__slab_init(&kinds->stream_losses, sizeof(tern__stream_loss));
    tern__slab_init(&kinds->places, sizeof(tern__places));
    tern__slab_init(&kinds->stream_places, sizeof(tern__stream_places));
    tern__slab_init(&kinds->peers, sizeof(tern__peer));
    tern__slab_init(&kinds->networks, sizeof(tern__network));
}

static void free_engine(tern__engine *e) {
    tern__slab *kinds = (tern__slab *)&e->kinds;
    tern__slab_drop(&e->kinds.peers); /* ports may still hold something for them (tern__account_hold()) */
    tern__slab_drop(&e->kinds.networks);
    for (unsigned i = 0; i < N_KINDS; i++) tern__slab_fini(&kinds[i]);
    tern_unref(e);
}

int tern__engine_new(const tern__engine_config *config, tern__engine **out) {
    if (!is_cipher_sane(config)) return TERN_ERR_INVALID;
    if (config->formats && !tern__formats_are_sound(config->formats)) return TERN_ERR_INVALID;
    tern__engine *e = tern_alloc_private(sizeof *e);
    if (!e) return TERN_ERR_NOMEM;
    *e = (tern__engine){
        .config = *config,
        .roles = {[TERN__CLIENT] = &tern__client_role, [TERN__SERVER] = &tern__server_role},
        .spares =
            {[TERN__SHORT_SPARE] = {.room = TERN__MAX_SPARES}, [TERN__LONG_SPARE] = {.room = TERN__MAX_LONG_SPARES}},
        .client_streams = &tern__client_stream_calls,
        .server_streams = &tern__server_stream_calls};
    set_defaults(&e->config);
    init_kinds(e);
    for (const tern__format *const *f = e->config.formats; *f; f++) e->formats[(*f)->number] = *f;
    for (uint32_t i = 0; i < TERN__COUNT(e->longest_pause); i++) {
        tern_dur pause = e->config.peer_timeout / (i == 0 ? 8 : 32);
        e->longest_pause[i] = pause < e->config.rto_max ? pause : e->config.rto_max;
    }
    uint32_t sendable = 64u << 20;
    e->max_tx_bytes = e->config.max_message_bytes > sendable ? e->config.max_message_bytes : sendable;
    e->hash_seed = e->config.random(e->config.user);
    e->incarnation = e->config.random(e->config.user) | 1;
    if (e->config.queue_target)
        tern__overload_init(&e->overload, e->config.queue_target, e->config.random(e->config.user));
    tern__validation_init(&e->validation, e->config.random, e->config.user);
    tern__list_init(&e->stalled);
    tern__list_init(&e->parked);
    tern__list_init(&e->soon);
    tern__list_init(&e->waiting_control);
    tern__list_init(&e->deferred_frees);
    tern__list_init(&e->turns);
    tern__list_init(&e->debtors);
    for (uint32_t i = 0; i < TERN__COUNT(e->weights); i++) tern__list_init(&e->weights[i]);
    int err = tern__sessions_grow(e);
    if (err) {
        free_engine(e);
        return err;
    }
    *out = e;
    return 0;
}

static bool send_goodbye(tern__session *s) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_DISCONNECT);
    return tern__send_control(s, &h, NULL, 0);
}

/* Whether another session of ours needs this one's route. If none does, the port drops the route (port.h). */
static bool is_route_shared(const tern__session *s) {
    for (uint32_t i = s->cold->peer->first; i;) {
        const tern__session *other = s->engine->sessions[i - 1];
        if (other->role == TERN__CLIENT && other->state != TERN__STATE_CLOSED) return true;
        i = other->cold->peer_next;
    }
    return false;
}

static void leave_for_good(tern__csession *cs) {
    tern__session_leave(&cs->s);
    tern__session_free(&cs->s);
}

/* A session that has been closed while its link was full: on a reliable link nobody but its DISCONNECT, or the end of
 * the route, tells the server. */
static void depart(tern__csession *cs) {
    if (is_route_shared(&cs->s) && !send_goodbye(&cs->s))
        tern__session_stall(&cs->s);
    else
        leave_for_good(cs);
}

static void pump(tern__session *s, tern_time now) {
    if (s->state == TERN__STATE_CLOSED) {
        depart((tern__csession *)s);
        return;
    }
    if (s->unsent_control && !tern__session_send_unsent(s)) return;
    s->engine->roles[s->role]->pump(s, now);
}

static void move_all(tern__node *from, tern__node *to) {
    while (!tern__list_empty(from)) {
        tern__node *node = from->next;
        tern__list_remove(node);
        tern__list_append(to, node);
    }
}

/* The routes that refused a packet lately, each in the place that its first eight bytes say. */
enum { FULL_ROUTES = 64, TRY_COST = 8 /* as against a look at a session that is left untried */ };

typedef struct full_route {
    const tern__link *link; /* NULL: none */
    tern__route route;
} full_route;

static full_route *place_of_route(full_route *places, const tern__route *route) {
    return &places[(tern__load64(route->bytes) * 0x9e3779b97f4a7c15u >> 32) % FULL_ROUTES];
}

/* Try the sessions that found their link full, each once, but for those of a route that has just refused another: each
 * would make a packet to learn the same. Those that got something through and want more wait behind those that did not,
 * or one alone could use all the room that there ever is; and the refused wait behind those that were not tried, or are
 * parked. Returns what it cost that sessions got nothing through, in looks. */
static uint32_t retry_stalled(tern__engine *e, tern_time now, bool *moved) {
    tern__node again, untried, behind;
    full_route places[FULL_ROUTES] = {{.link = NULL}};
    uint32_t n = 0;
    tern__list_init(&again);
    tern__list_init(&untried);
    tern__list_init(&behind);
    move_all(&e->stalled, &again);
    while (!tern__list_empty(&again)) {
        tern__node *node = again.next;
        tern__session *s = TERN__CONTAINER(node, tern__cold, stalled)->session;
        const tern__link *link = s->link;
        uint64_t n_sent = link->sent.packets;
        tern__list_remove(node);
        full_route *full = place_of_route(places, &s->route);
        if (link == full->link && tern__route_eq(&s->route, &full->route)) {
            if (!tern__session_park(s)) tern__list_append(&untried, node);
            n++;
            continue;
        }
        tern__route route = s->route;
        pump(s, now);
        bool sent = link->sent.packets != n_sent;
        *moved |= sent;
        if (e->stalled.prev != node) continue; /* it may not be there any more */
        *full = (full_route){link, route};
        if (!sent) {
            n += TRY_COST;
            tern__session_park(s);
            continue;
        }
        s->cold->peer->full_since = 0;
        tern__list_remove(node);
        tern__list_append(&behind, node);
    }
    move_all(&e->stalled, &untried);
    move_all(&untried, &e->stalled);
    move_all(&behind, &e->stalled);
    return n;
}

static bool has_stalled(const tern__engine *e) {
    return !tern__list_empty(&e->stalled) || !tern__list_empty(&e->waiting_control);
}

/* What found its link full, when it is time to try again. */
static void retry(tern__engine *e, tern_time now) {
    uint32_t n_waiting = e->n_waiting_control;
    if (!tern__list_empty(&e->parked) && now >= e->park_at) tern__unpark_all(e);
    if (now < e->stall_at) return;
    tern__waiting_control_send(e, now);
    bool moved = e->n_waiting_control < n_waiting;
    uint32_t n = tern__list_empty(&e->stalled) ? 0 : retry_stalled(e, now, &moved);
    tern__set_retry(e, n + e->n_waiting_control, moved);
}

/* Once each: those that have more to say then say it in the next tick. */
static void send_soon(tern__engine *e, tern_time now) {
    tern__node sessions;
    tern__list_init(&sessions);
    move_all(&e->soon, &sessions);
    while (!tern__list_empty(&sessions)) {
        tern__node *node = sessions.next;
        tern__list_remove(node);
        pump(TERN__CONTAINER(node, tern__cold, stalled)->session, now);
    }
}

/* The timer of some slots is due, whoever has them now. */
static void slots_timer(tern__engine *e, tern__timer *timer, tern_time now) {
    tern__slots *block = TERN__CONTAINER(timer, tern__slots, timer);
    if (block->cs)
        tern__client_timer(block->cs, now);
    else
        tern__heap_set(&e->work, timer, TERN__NEVER);
}

static void session_timer(tern__session *s, tern_time now) { s->engine->roles[s->role]->timer(s, now); }

static tern_time first_due(const tern__heap *heap) { return heap->n ? heap->dues[0].at : TERN__NEVER; }

static tern_time next_timer(const tern__engine *e) {
    return tern__min_time(first_due(&e->timers), first_due(&e->work));
}

static bool has_waiting(const tern__engine *e) {
    return has_stalled(e) || !tern__list_empty(&e->parked) || !tern__list_empty(&e->soon) ||
           !tern__list_empty(&e->deferred_frees) || e->wheel;
}

static __attribute__((noinline)) void run_due(tern__engine *e, tern_time now) {
    if (has_stalled(e) || !tern__list_empty(&e->parked)) retry(e, now);
    if (!tern__list_empty(&e->soon)) send_soon(e, now);
    if (e->wheel) tern__pace_run_wheel(e, now);
    /* Callbacks may make more work that is due at once: what is left waits for the next tick. */
    for (uint32_t budget = 2 * (e->timers.n + e->work.n) + 16; budget && next_timer(e) <= now; budget--) {
        if (first_due(&e->work) <= now)
            slots_timer(e, e->work.dues[0].timer, now);
        else
            session_timer(TERN__CONTAINER(e->timers.dues[0].timer, tern__cold, timer)->session, now);
    }
    if (!tern__list_empty(&e->deferred_frees)) tern__deferred_free(e);
    e->has_waiting = has_waiting(e);
}

/* Nothing is due, as nearly always: after a few loads. */
void tern__engine_tick(tern__engine *e, tern_time now) {
    e->now = now;
    e->n_ticks++;
    e->tick_bytes = 0;
    if (e->has_waiting || next_timer(e) <= now) run_due(e, now);
}

tern_time tern__engine_next_due(const tern__engine *e) {
    tern_time due = next_timer(e);
    if (has_stalled(e)) due = tern__min_time(due, e->stall_at);
    if (!tern__list_empty(&e->parked)) due = tern__min_time(due, e->park_at);
    if (!tern__list_empty(&e->soon)) due = tern__min_time(due, e->soon_at);
    if (!tern__list_empty(&e->deferred_frees)) due = tern__min_time(due, e->now);
    if (e->wheel) due = tern__min_time(due, tern__wheel_next(e->wheel));
    return due;
}

/* A server with too many strangers hangs up on some before it has heard them. Whoever it was may try again. */
static bool connects_again(tern__session *s, tern_time now) {
    if (s->state != TERN__STATE_CONNECTING || !s->link->hung_up || s->cold->connect_shift >= TERN__CONNECT_TRIES)
        return false;
    tern__connect_later((tern__csession *)s, now);
    return true;
}

void tern__engine_has_room(tern__engine *e, const tern__link *link, const tern__route *route) {
    tern__unpark_route(e, link, route);
}

void tern__engine_route_lost(tern__engine *e, tern__link *link, const tern__route *route, tern_time now) {
    e->now = now;
    tern__waiting_control_drop(e, link, route);
    tern__peer *peer = tern__peer_find(e, link, route);
    if (!peer) return;
    tern__peer_keep(peer);
    for (tern__session *s = tern__peer_walk(e, peer); s; s = tern__peer_next(e, peer)) {
        if (connects_again(s, now)) continue;
        if (s->state == TERN__STATE_OPEN || s->state == TERN__STATE_CONNECTING)
            tern__session_lose_for(s, TERN__WHY_ROUTE_LOST);
        else if (s->state == TERN__STATE_CLOSED)
            leave_for_good((tern__csession *)s);
    }
    tern__peer_let_go(e, peer);
}

bool tern__engine_is_idle(const tern__engine *e, const tern__link *link, const tern__route *route) {
    enum { MAX_LOOKS = 8 /* sessions */ };
    tern__peer *peer = tern__peer_find(e, link, route);
    unsigned n = 0;
    for (tern__session *s = peer ? tern__peer_walk(e, peer) : NULL; s && n < MAX_LOOKS;
         s = tern__peer_next(e, peer), n++) {
        const tern__ssession *ss = (const tern__ssession *)s;
        if (s->role == TERN__SERVER && (ss->n_running || ss->n_streams || s->scold->n_orphans)) return false;
    }
    return true;
}

int tern__engine_connect(tern__engine *e, tern__link *link, const tern__route *route, void *session_user, tern_time now,
                         tern__csession **out) {
    e->now = now;
    if (e->freeing) return TERN_ERR_CLOSED;
    tern__csession *cs = (tern__csession *)tern__session_make(e, TERN__CLIENT);
    if (!cs) return TERN_ERR_NOMEM;
    tern__session *s = &cs->s;
    s->link = link;
    s->route = *route;
    s->state = TERN__STATE_DOWN;
    s->ccold->user = session_user;
    s->path = tern__link_path(link, route);
    s->ccold->backlog_deadline = cs->report_at = TERN__NEVER;
    tern__list_init(&s->ccold->backlog);
    cs->free_slots = UINT8_MAX;
    cs->keepalive = e->config.keepalive;
    int err = tern__session_enter(e, s);
    if (err) {
        tern__session_free(s);
        return err;
    }
    tern__session_assume_format(s);
    tern__session_connect(cs, now);
    *out = cs;
    return 0;
}

const tern__format *const *tern__engine_formats(const tern__engine *e) { return e->formats; }

const tern__format *tern__engine_universal_format(const tern__engine *e) {
    return tern__formats_universal(e->config.formats);
}

uint64_t tern__engine_session_incarnation(const tern__csession *cs) { return cs->s.ccold->incarnation; }

int tern__engine_session_why(const tern__csession *cs) { return cs->why; }

tern__why tern__engine_session_loss(const tern__csession *cs, uint16_t *code, uint16_t *detail) {
    *code = cs->s.cold->lost_code;
    *detail = cs->s.cold->lost_detail;
    return (tern__why)cs->s.cold->lost_why;
}

bool tern__engine_has_not_run(const tern__engine *e) { return e->ending.not_run; }

tern_dur tern__engine_retry_after(const tern__csession *cs, tern_time now) {
    return tern__admission_retry_after(cs, now);
}

void tern__engine_report_load(tern__engine *e, bool idle, tern_time now) { tern__admission_report(e, idle, now); }

void tern__engine_waited(tern__engine *e, tern_dur waited) {
    tern__overload_waited(&e->overload, waited);
    e->checks_waits = e->overload.active && waited > e->overload.target;
}

const tern__engine_stats *tern__engine_counters(const tern__engine *e) { return &e->stats; }

void tern__engine_set_turns(tern__engine *e, bool on) {
    if (on == e->takes_turns) return;
    e->takes_turns = on;
    e->nth_turns += on;
    if (on) e->deferring_then = e->deferring;
    e->deferring = on ? UINT64_MAX : e->deferring_then; /* no short way */
    if (!on) tern__peers_forgive(e);
}

bool tern__engine_has_waiting(const tern__engine *e) { return e->n_waiting > 0; }

/* What has waited here counts as the packets that waited at this host. */
static void run_next(tern__engine *e, const tern__peer *peer) {
    tern__request *request = tern__turns_first(peer);
    if (e->config.queue_target) tern__engine_waited(e, (tern_dur)(e->now - request->arrived));
    if (request->stream)
        e->server_streams->take_turn(request, e->now);
    else
        tern__server_run_waiting(request);
}

uint32_t tern__engine_run_waiting(tern__engine *e, uint32_t most, tern_dur span, tern_time (*time_now)(void *ctx),
                                  void *ctx) {
    tern_time begun = e->now = time_now(ctx);
    tern__peer *peer;
    uint32_t n = 0;
    for (; n < most && e->now - begun < (tern_time)span && (peer = tern__turns_next(e)) != NULL; n++) {
        tern_time before = e->now;
        tern__peer_keep(peer);
        run_next(e, peer);
        e->now = time_now(ctx);
        tern__turns_pay(peer, (tern_dur)(e->now - before));
        tern__peer_let_go(e, peer);
    }
    return n;
}

bool tern__engine_admits_wait(tern__engine *e, tern_dur wait, tern_time deadline, tern_time now) {
    return tern__overload_admits_wait(&e->overload, wait, deadline, now);
}

tern_dur tern__engine_told_retry(const tern__engine *e) { return e->ending.retry_after; }

const char *tern__engine_told_loss(const tern__engine *e) {
    if (!e->losing) return NULL;
    if (e->freeing && e->losing->s.state == TERN__STATE_CLOSED) return "this program freed the endpoint";
    const tern__cold *cold = e->losing->s.cold;
    return cold->lost_code == TERN__REFUSE_NONE ? tern__why_meaning(cold->lost_why)
                                                : tern__refuse_meaning(cold->lost_code);
}

void tern__engine_session_close(tern__csession *cs, tern_time now) {
    tern__engine *e = cs->s.engine;
    e->now = now;
    bool told = cs->s.state != TERN__STATE_OPEN || send_goodbye(&cs->s) || !cs->s.link->reliable || e->freeing;
    if (cs->s.state == TERN__STATE_OPEN) e->stats.sessions_open--;
    tern__session_set_state(&cs->s, TERN__STATE_CLOSED, TERN__WHY_ASKED);
    cs->s.cold->lost_why = TERN__WHY_ASKED;
    cs->s.cold->lost_code = TERN__REFUSE_NONE;
    const tern__csession *outer = e->losing; /* one whose calls' ends are being told, and make this one end */
    e->losing = cs;
    tern__client_fail_all(cs, TERN_STATUS_UNAVAILABLE, NULL);
    e->losing = outer;
    tern__session_unhash(&cs->s);
    tern__timer_set(&cs->s, TERN__NEVER);
    if (told)
        leave_for_good(cs);
    else
        depart(cs);
}

void tern__engine_free(tern__engine *e, tern_time now) {
    if (!e) return;
    e->now = now;
    e->freeing = true;
    for (uint32_t i = 0; i < e->n_table; i++) {
        tern__session *s = e->sessions[i];
        if (!s) continue;
        if (s->role == TERN__CLIENT) {
            tern__engine_session_close((tern__csession *)s, now);
        } else {
            tern__session_say_goodbye(s);
            tern__server_drop((tern__ssession *)s, TERN__WHY_ASKED);
        }
    }
    tern__waiting_control_drop(e, NULL, NULL);
    tern__deferred_free(e);
    tern__spares_free(e);
    tern__client_free_spares(e);
    tern__server_trim_spares(e, 0);
    tern__peers_forgive(e);
    tern_unref(e->wheel);
    tern_unref(e->sessions);
    tern_unref(e->entries);
    tern_unref(e->timers.dues);
    tern_unref(e->work.dues);
    tern_unref(e->buckets);
    tern_unref(e->peers);
    tern_unref(e->networks);
    free_engine(e);
}

tern_session_state tern__engine_session_state(const tern__csession *cs) {
    switch (cs->s.state) {
    case TERN__STATE_CONNECTING: return TERN_SESSION_CONNECTING;
    case TERN__STATE_OPEN: return TERN_SESSION_OPEN;
    default: return TERN_SESSION_DOWN;
    }
}

void tern__engine_set_wishes(tern__engine *e, uint32_t (*wishes)(void *user, uint32_t method)) { e->wishes = wishes; }

void tern__engine_set_borrows(tern__engine *e, bool (*borrows)(void *user, const void *call)) { e->borrows = borrows; }

void tern__engine_set_trace(tern__engine *e, tern__trace_fn *trace, void *user) {
    e->config.trace = trace;
    e->config.trace_user = user;
    for (uint32_t i = 0; i < e->n_table; i++) {
        tern__session *s = e->sessions[i];
        if (!s) continue;
        tern__session_set_ways(s);
    }
}

void tern__engine_watch_clients(tern__engine *e, tern__client_fn *fn) { e->on_client = fn; }

uint32_t tern__engine_session_number(const tern__csession *cs) { return cs->s.number; }

void tern__engine_set_shard(tern__engine *e, uint32_t shard) {
    e->sharded = true;
    e->shard = shard;
}

tern_time tern__request_deadline(const tern__request *request) { return request->deadline; }

uint64_t tern__engine_room(const tern__engine *e) {
    uint64_t limit = e->config.max_rx_bytes, share = limit / (e->n_holders + 1);
    uint64_t idle = e->held < limit ? limit - e->held : 0;
    return idle > share ? idle : share;
}

bool tern__request_hold(tern__request *request, const void *data, uint64_t bytes) {
    if (request->is_transient) tern__server_attach(request);
    if (!request->charged_bytes) tern__request_pin(request, data);
    if (!request->buffer) request->buffer = tern_alloc_private(1); /* whose release ends the charge */
    if (!request->buffer || bytes > UINT32_MAX - request->charged_bytes) return false;
    if (!tern__charge(&request->session->s, bytes)) return false;
    request->charged_bytes += (uint32_t)bytes;
    return true;
}

tern__legacy tern__request_hand_over(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    tern__session *s = &request->session->s;
    tern__legacy legacy = {.admitted = request->admitted};
    if (request->charged_bytes) tern__placement_forget(s->link, request->buffer);
    tern__charge_becomes(s, request->charged_bytes, &legacy.debit);
    request->charged_bytes = 0;
    e->n_admitted += request->admitted;
    request->admitted = false;
    return legacy;
}

void tern__engine_undebit(tern__engine *e, tern__debit *debit) { tern__undebit(e, debit); }

void tern__engine_settle(tern__engine *e, tern__legacy legacy) {
    tern__undebit(e, &legacy.debit);
    e->n_admitted -= legacy.admitted;
}

/* What is in runs the links count (link.h): but for parts of streams, each packet is a whole message there, and all of
 * it but its header and what was made for it is copies of values. */
void tern__engine_get_stats(const tern__engine *e, tern__engine_stats *stats) {
    *stats = e->stats;
    stats->copied_bytes -= e->made_bytes;
    stats->held_bytes = e->held;
}

void tern__engine_add_sent(tern__engine_stats *stats, const tern__link *link) {
    uint64_t header_bytes = TERN__PKT_HEADER_BYTES + (link->reliable ? 0 : TERN__PKT_TAG_BYTES);
    stats->tx_packets += link->sent.packets + link->sent.run_packets;
    stats->tx_bytes += link->sent.bytes + link->sent.run_bytes;
    stats->tx_messages += link->sent.run_packets - link->sent.run_parts;
    stats->copied_bytes += link->sent.run_bytes - link->sent.run_packets * header_bytes - link->sent.run_uncopied_bytes;
}

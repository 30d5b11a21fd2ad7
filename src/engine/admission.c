/* Admission at both ends (admission.h). */
#include "engine/admission.h"

#define GRANT_LASTS TERN_SEC
#define HOLD_LASTS (100 * TERN_MS) /* of what is said by some responses and not by others: some turns */
#define MOST_TURN (20 * TERN_MS)

enum { COUNTED_PER_POLL = 256 /* sessions that leave the short ways */ };

/* ---- The server ----------------------------------------------------------------------------------- */

/* The server is overloaded, or was when the session left the short ways. False: the call cannot end in time. */
static bool enter_measured(tern__request *request) {
    tern__ssession *ss = request->session;
    tern__engine *e = ss->s.engine;
    if (!tern__session_is_to_hear(&ss->s) && !ss->s.rx_usual) tern__session_set_ways(&ss->s);
    if (!e->overload.active) return true;
    tern__overload_count(&e->overload, &ss->s.scold->overload_round);
    ss->s.scold->heard_turn = e->turn_of_all; /* by the response to this call, which goes the general way as it does */
    if (!tern__overload_rejects(&e->overload, request->deadline, e->now)) return true;
    e->overload.refuse_for = e->overload.target;
    e->stats.overload_rejects++;
    return false;
}

bool tern__admission_enter_counted(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    if (e->config.queue_target && !enter_measured(request)) return false;
    if (!e->config.max_running_calls) return true;
    if (tern__admission_is_full(e)) return false;
    request->admitted = true;
    e->n_admitted++;
    if (request->session->s.scold->n_admitted++ == 0) e->n_admitted_sessions++;
    return true;
}

void tern__admission_leave(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    request->admitted = false;
    e->n_admitted--;
    if (--request->session->s.scold->n_admitted == 0) e->n_admitted_sessions--;
}

/* The bound shared out among the sessions that have calls here, once half of it is used; 0: more than a session can
 * use. Each session may have one call, or it would never hear of a better time. */
static uint32_t grant(const tern__ssession *ss) {
    const tern__engine *e = ss->s.engine;
    uint32_t bound = e->config.max_running_calls;
    if (e->n_admitted < bound - bound / 2) return 0;
    uint32_t n_sessions = e->n_admitted_sessions + (ss->s.scold->n_admitted == 0);
    uint32_t share = bound / n_sessions;
    return share >= TERN__N_SLOTS ? 0 : share ? share : 1;
}

/* Not the same for all: those who are rejected at one time come back one after the other. */
static uint32_t retry_ms(const tern__engine *e) {
    uint64_t least = (uint64_t)(e->config.retry_after + TERN_MS - 1) / TERN_MS;
    uint64_t ms = least + e->config.random(e->config.user) % (least + 1);
    return ms < TERN__MAX_RETRY_MS ? (uint32_t)ms : TERN__MAX_RETRY_MS;
}

/* The smaller of two grants, of which 0 says nothing. */
static uint32_t less(uint32_t a, uint32_t b) { return a && (!b || a < b) ? a : b; }

static uint32_t at_most(uint32_t ms) { return ms < TERN__MAX_RETRY_MS ? ms : TERN__MAX_RETRY_MS; }

/* Grant and pause while the server is overloaded, and the pause of a call that is rejected because it, or a worker of
 * its method, is. */
static uint32_t measured_word(tern__overload *o, bool rejected) {
    tern_dur least = rejected ? o->refuse_for : 0;
    if (!o->active && !least) return 0;
    uint32_t ms = tern__overload_pause_ms(o, least);
    if (least && ms == 0) ms = 1;
    o->refuse_for = 0;
    uint32_t calls = tern__overload_grant(o), most = TERN__ADMISSION_GRANT;
    uint32_t holds = o->active ? TERN__ADMISSION_HOLDS : 0;
    return (calls < most ? calls : most) | holds | at_most(ms) << TERN__ADMISSION_RETRY_AT;
}

uint32_t tern__admission_say(const tern__ssession *ss, uint8_t status) {
    tern__engine *e = ss->s.engine;
    uint32_t word = status & TERN__STATUS_NOT_RUN ? TERN__ADMISSION_NOT_RUN : 0;
    bool rejected = status == (TERN__STATUS_NOT_RUN | TERN_STATUS_RESOURCE_EXHAUSTED);
    uint32_t measured = e->config.queue_target ? measured_word(&e->overload, rejected) : 0;
    if (!e->config.max_running_calls) return word | measured;
    uint32_t bounded = rejected && tern__admission_is_full(e) ? retry_ms(e) << TERN__ADMISSION_RETRY_AT : 0;
    word |= less(grant(ss), measured & TERN__ADMISSION_GRANT);
    measured &= ~(uint32_t)(TERN__ADMISSION_GRANT | TERN__ADMISSION_HOLDS);
    return word | (bounded > measured ? bounded : measured);
}

/* All sessions are told once more, by the next response to each. In between they take the short ways: what is said
 * holds for a while. */
static void begin_turn(tern__engine *e, tern_time now) {
    e->turn_of_all++;
    e->turn_began = now;
    e->n_counted = 0;
}

/* A turn costs some time for each session there is, and takes so long that this is little. */
static tern_dur turn_length(const tern__engine *e) {
    tern_dur wanted = e->overload.target, least = e->n_table * TERN_US;
    if (wanted > MOST_TURN) wanted = MOST_TURN;
    if (wanted < TERN_MS) wanted = TERN_MS;
    return wanted > least ? wanted : least;
}

/* Some of the sessions that still take the short ways leave them. */
static void count_sessions(tern__engine *e) {
    uint32_t end = e->n_counted + COUNTED_PER_POLL;
    if (end > e->n_table) end = e->n_table;
    for (; e->n_counted < end; e->n_counted++) {
        tern__session *s = e->sessions[e->n_counted];
        if (s && s->role == TERN__SERVER) tern__session_set_ways(s);
    }
}

void tern__admission_report(tern__engine *e, bool idle, tern_time now) {
    if (tern__overload_report(&e->overload, idle, e->stats.calls_served, now)) {
        begin_turn(e, now);
        e->stats.overloads++;
    }
    if (!e->overload.active) return;
    if (now - e->turn_began >= (tern_time)turn_length(e)) begin_turn(e, now);
    e->overload.turn = turn_length(e);
    if (e->n_counted < e->n_table) count_sessions(e);
}

/* ---- The client ----------------------------------------------------------------------------------- */

static uint32_t in_us(tern_time now) { return (uint32_t)(now / TERN_US); }

/* How long the grant still holds. It is renewed before the microseconds come round, or a call more begins too late. */
static tern_dur grant_left(const tern__csession *cs, tern_time now) {
    tern_dur age = (tern_dur)(uint32_t)(in_us(now) - cs->s.ccold->granted_us) * TERN_US;
    return age < GRANT_LASTS ? GRANT_LASTS - age : 0;
}

/* The calls that the session may have at once, those in its backlog included. A server that has not been heard for a
 * while may grant more by now: then one more begins. */
static uint32_t most(const tern__csession *cs, tern_time now) {
    uint32_t granted = cs->s.ccold->granted & TERN__ADMISSION_GRANT;
    if (grant_left(cs, now) == 0) return UINT32_MAX;
    return granted ? granted : UINT32_MAX;
}

static uint32_t n_single_calls(const tern__csession *cs) {
    return (uint32_t)__builtin_popcount((uint8_t)~cs->free_slots);
}

static void hear_bounds(tern__csession *cs, uint32_t word, tern_time now) {
    tern__ccold *cold = cs->s.ccold;
    uint32_t ms = word >> TERN__ADMISSION_RETRY_AT & TERN__ADMISSION_RETRY;
    if (!cs->bounded) {
        cold->retry_at = 0;
        cs->probes_admission = cs->has_probed = false;
    }
    if (word & TERN__ADMISSION_HOLDS && !cs->s.link->shows)
        tern__link_queues(cs->s.link, TERN_MS, now + (tern_time)HOLD_LASTS);
    cold->granted_us = in_us(now);
    cold->granted = (uint16_t)(word & (TERN__ADMISSION_GRANT | TERN__ADMISSION_HOLDS));
    if (ms) {
        cold->retry_ms = (uint16_t)(ms < TERN__MAX_RETRY_MS ? ms : TERN__MAX_RETRY_MS);
        cold->retry_at = now + cold->retry_ms * (tern_time)TERN_MS;
        cs->probes_admission = true;
        cs->has_probed = false;
    } else if (cs->has_probed || cold->retry_at <= now) {
        cold->retry_at = 0;
        cs->probes_admission = cs->has_probed = false;
    }
    bool bounded = (cold->granted & TERN__ADMISSION_GRANT) || cs->probes_admission;
    if (cs->bounded == bounded) return;
    cs->bounded = bounded;
    tern__session_set_ways(&cs->s);
}

/* What was said last holds although this response says nothing. Only of sessions that are bounded. */
static bool still_holds(const tern__csession *cs, tern_time now) {
    return cs->s.ccold->granted & TERN__ADMISSION_HOLDS && grant_left(cs, now) > GRANT_LASTS - HOLD_LASTS;
}

void tern__admission_hear(tern__csession *cs, uint32_t i, const tern__pkt_header *h, tern_time now) {
    bool says = h->admission & ~TERN__ADMISSION_NOT_RUN;
    if (says || (cs->bounded && !still_holds(cs, now))) hear_bounds(cs, h->admission, now);
    if (h->status == TERN_STATUS_OK || !(h->admission & TERN__ADMISSION_NOT_RUN)) return;
    tern__slots_of(cs)->not_run |= (uint8_t)(1u << i);
}

tern_time tern__admission_due(const tern__csession *cs) {
    const tern__ccold *cold = cs->s.ccold;
    tern_time now = cs->s.engine->now;
    tern_dur left = grant_left(cs, now);
    if (!cs->n_backlog) return TERN__NEVER;
    return cold->retry_at > now ? cold->retry_at : left ? now + (tern_time)left : TERN__NEVER;
}

bool tern__admission_refuses(const tern__csession *cs, tern_time now) {
    const tern__node *backlog = &cs->s.ccold->backlog;
    if (cs->s.ccold->retry_at > now) return true;
    uint32_t n = n_single_calls(cs), limit = most(cs, now);
    if (limit == UINT32_MAX) return false;
    if (!cs->streams_wait) return n + cs->n_backlog >= limit;
    for (tern__node *node = backlog->next; node != backlog && n < limit; node = node->next)
        n += !TERN__CONTAINER(node, tern__out, node)->stream;
    return n >= limit;
}

bool tern__admission_lets_wait_end(tern__csession *cs, tern_time now) {
    bool may = cs->s.ccold->retry_at <= now && n_single_calls(cs) < most(cs, now);
    if (!may) tern__timer_lower(&cs->s, tern__admission_due(cs));
    return may;
}

void tern__admission_begun(tern__csession *cs, tern_time now) {
    tern__ccold *cold = cs->s.ccold;
    if (grant_left(cs, now) == 0) cold->granted_us = in_us(now);
    if (!cs->probes_admission) return;
    cs->has_probed = true;
    cold->retry_at = now + cold->retry_ms * (tern_time)TERN_MS;
}

/* How long a call would wait in the backlog that begins to wait now; 0: that is not known, or not asked for. */
static tern_dur wait_in_backlog(const tern__csession *cs) {
    if (!cs->s.engine->config.queue_target || !cs->n_backlog || !cs->slots) return 0;
    return (tern_dur)(tern__slots_of(cs)->gap_ns * (cs->n_backlog + 1));
}

bool tern__admission_would_wait(const tern__csession *cs, tern_time deadline, tern_time now) {
    tern_dur wait = wait_in_backlog(cs);
    if (wait > cs->s.engine->config.queue_target) return true;
    if (!wait || !deadline) return false;
    /* From its slot on a call takes as long as all slots take to be used once; and a quarter more, lest calls end just
     * too late, all of them. */
    uint64_t whole = (uint64_t)wait + tern__slots_of(cs)->gap_ns * n_single_calls(cs);
    return now + whole + whole / 4 > deadline;
}

void tern__admission_waited(tern__csession *cs, tern_time now) {
    tern__slots *slots = tern__slots_of(cs);
    uint64_t gap = now - slots->left_at, before = slots->gap_ns;
    if (slots->left_at) slots->gap_ns = before ? before - before / 8 + gap / 8 : gap;
    slots->left_at = cs->n_backlog ? now : 0;
}

tern_dur tern__admission_retry_after(const tern__csession *cs, tern_time now) {
    if (cs->bounded && cs->s.ccold->retry_at > now) return (tern_dur)(cs->s.ccold->retry_at - now);
    tern_dur wait = wait_in_backlog(cs), target = cs->s.engine->config.queue_target;
    return wait > target ? wait - target : wait;
}

/* The controller of a server's load (overload.h). */
#include "engine/overload.h"

enum {
    ONE = 1 << 16, /* a factor of 1 */
    LEAST_FACTOR = ONE / 16,
    MOST_FACTOR = 16 * ONE, /* who admits so many, and is still idle, is not overloaded */
    FULL_SHARE = 64,        /* full: idle for less than this part of the time ... */
    IDLE_SHARE = 8,         /* ... and idle: for more than this part */
    MIN_CALLS = 16,         /* an interval with fewer calls goes on ... */
    MAX_STRETCH = 16,       /* ... for so many times its length at most */
    WORKERS_SHARE = 4,      /* workers are full: calls wait for them for more than this part of the target */
    MAX_WAITS = 4,          /* calls that have waited for so many times the target are rejected */
};
#define MIN_INTERVAL TERN_MS
#define MIN_ROUND (10 * TERN_MS)

void tern__overload_init(tern__overload *o, tern_dur target, uint64_t seed) {
    *o = (tern__overload){
        .target = target, .factor = ONE, .round = 1, .least_waited = INT64_MAX, .random = seed ? seed : 1};
}

/* xorshift64 */
static uint64_t next_random(tern__overload *o) {
    o->random ^= o->random << 13;
    o->random ^= o->random >> 7;
    return o->random ^= o->random << 17;
}

static tern_dur interval_of(const tern__overload *o) { return o->target > MIN_INTERVAL ? o->target : MIN_INTERVAL; }

/* The calls that each session may have, in 1/ONE; 0: as many as it likes. */
static uint64_t share(const tern__overload *o) {
    uint32_t n = o->n_sessions > o->n_sessions_before ? o->n_sessions : o->n_sessions_before;
    if (!o->active || !o->call_ns) return 0;
    uint64_t calls = (uint64_t)((double)o->target * o->factor / (double)o->call_ns);
    uint64_t part = calls / (n ? n : 1);
    return part ? part : 1;
}

/* How long a session pauses after each call, so that it has its share with one call at a time. */
static tern_dur pause_of(const tern__overload *o) {
    uint64_t part = share(o);
    if (part == 0 || part >= ONE) return 0;
    return (tern_dur)((uint64_t)o->target * (ONE - part) / part);
}

/* An interval is over in which the server was full, idle or neither. Sessions that pause have not heard of the last
 * change before their pause is over. */
static void adapt(tern__overload *o, bool full, tern_dur spent, tern_time now) {
    if (now - o->adapted < (tern_time)pause_of(o)) return;
    o->adapted = now;
    bool idle = o->idle > spent / IDLE_SHARE;
    bool standing = full && o->least_waited != INT64_MAX && o->least_waited > o->target;
    if (standing)
        o->factor -= o->factor / 8;
    else if (full)
        o->factor += o->factor < ONE ? o->factor / 16 : 0;
    else
        o->factor += idle ? (uint32_t)((double)o->factor * (double)o->idle / (double)spent) : o->factor / 32;
    if (full && !standing && o->factor > ONE) o->factor -= (o->factor - ONE + 15) / 16;
    if (o->factor < LEAST_FACTOR) o->factor = LEAST_FACTOR;
    if (o->factor < MOST_FACTOR) return;
    o->factor = MOST_FACTOR;
    o->active = !idle;
}

/* The time that a call takes is taken in full where it is not known, and else little by little: a server that stood
 * still once is as fast as before. */
static void learn_call(tern__overload *o, tern_dur busy, uint64_t n) {
    uint64_t sample = (uint64_t)busy / n;
    if (o->call_ns && sample > 2 * o->call_ns) sample = 2 * o->call_ns;
    if (!o->call_ns)
        o->call_ns = sample;
    else
        o->call_ns += ((int64_t)(sample - o->call_ns)) / 4;
    if (!o->call_ns) o->call_ns = 1;
}

static void end_round(tern__overload *o, tern_time now) {
    tern_dur length = 2 * pause_of(o) + 4 * interval_of(o) + 2 * o->turn;
    if (length < MIN_ROUND) length = MIN_ROUND;
    if (now - o->round_begun < (tern_time)length) return;
    o->n_sessions_before = o->n_sessions;
    o->n_sessions = 0;
    o->round++;
    o->round_begun = now;
}

static void begin_interval(tern__overload *o, uint64_t n_run, tern_time now) {
    o->begun = now;
    o->n_run = n_run;
    o->idle = 0;
    o->least_waited = INT64_MAX;
    o->workers_are_full = false;
}

static void enter(tern__overload *o, tern_time now) {
    o->active = true;
    o->factor = ONE;
    o->n_sessions = o->n_sessions_before = 0;
    o->round++;
    o->round_begun = now;
}

bool tern__overload_report(tern__overload *o, bool idle, uint64_t n_begun, tern_time now) {
    uint64_t n_run = n_begun - o->n_turned_away;
    if (!o->reported) begin_interval(o, n_run, now);
    if (idle && o->reported) o->idle += (tern_dur)(now - o->reported);
    o->reported = now;
    tern_dur length = interval_of(o), spent = (tern_dur)(now - o->begun);
    uint64_t n = n_run - o->n_run;
    if (spent < length || (n < MIN_CALLS && spent < MAX_STRETCH * length)) return false;
    if (o->workers_are_full) o->idle = 0;
    bool full = n > 0 && o->idle < spent / FULL_SHARE, was_full = o->was_full;
    if (n > 0) learn_call(o, spent - o->idle, n);
    o->was_full = full;
    bool enters = full && was_full && !o->active;
    if (o->active) adapt(o, full, spent, now);
    if (enters) enter(o, now);
    if (o->active) end_round(o, now);
    begin_interval(o, n_run, now);
    return enters;
}

void tern__overload_waited(tern__overload *o, tern_dur waited) {
    o->waited = waited;
    if (waited < o->least_waited) o->least_waited = waited;
}

bool tern__overload_rejects(const tern__overload *o, tern_time deadline, tern_time now) {
    if (!o->active || o->waited <= o->target) return false;
    return o->waited > MAX_WAITS * o->target || deadline <= now + (tern_time)o->waited;
}

bool tern__overload_admits_wait(tern__overload *o, tern_dur wait, tern_time deadline, tern_time now) {
    if (wait > o->target / WORKERS_SHARE) o->workers_are_full = true;
    bool late = wait && deadline <= now + (tern_time)wait;
    if (wait <= o->target && !late) return true;
    o->n_turned_away++;
    o->refuse_for = wait > o->target ? wait - o->target : wait;
    return false;
}

uint32_t tern__overload_grant(tern__overload *o) {
    uint64_t part = share(o);
    if (part == 0) return 0;
    if (part < ONE) return 1;
    uint64_t calls = (part + next_random(o) % ONE) / ONE;
    return calls < UINT16_MAX ? (uint32_t)calls : UINT16_MAX;
}

uint32_t tern__overload_pause_ms(tern__overload *o, tern_dur least) {
    tern_dur pause = pause_of(o);
    if (pause < least) pause = least;
    if (pause == 0) return 0;
    uint64_t ns = (uint64_t)pause / 2 + next_random(o) % (uint64_t)pause;
    uint64_t ms = (ns + next_random(o) % TERN_MS) / TERN_MS;
    return ms < UINT16_MAX ? (uint32_t)ms : UINT16_MAX;
}

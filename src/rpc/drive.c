/* Making an endpoint out of ports and engine, and the three ways to drive it (drive.h).
 *
 * Invariant: user code runs only with in_callback set, and what must not happen under the engine's feet
 * (closing sessions) is put off until the poll that runs it has ended. */
#include "rpc/drive.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/factor.h"
#include "mem/pool.h"
#include "rpc/borrow.h"
#include "rpc/by_name.h"
#include "rpc/client.h"
#include "rpc/config.h"
#include "rpc/decode.h"
#include "rpc/drain.h"
#include "rpc/entropy.h"
#include "rpc/fork.h"
#include "rpc/futex.h"
#include "rpc/metadata.h"
#include "rpc/ports.h"
#include "rpc/response.h"
#include "rpc/schema.h"
#include "rpc/server.h"
#include "rpc/stream.h"
#include "rpc/trace.h"
#include "rpc/worker.h"

enum {
    POLL_BUDGET = 64, /* packets per port and poll: bounds how long the others wait */
    MANY_CALLS = 32,  /* without a look at the clock */
    FEW_CALLS = 4,    /* the same where calls have been slow */
};

/* ---- The time of the system ---------------------------------------------------------- */

static tern_time system_now(void *ctx) {
    (void)ctx;
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static const tern__endpoint_env system_env = {.now = system_now};

/* ---- Making and freeing ------------------------------------------------------------------------- */

static const tern__config_kind config_kind = {"tern_endpoint_config_init()", sizeof(tern_endpoint_config)};

void tern_endpoint_config_init_sized(tern_endpoint_config *config, size_t size) {
    const tern_endpoint_config defaults = {
        .size = sizeof defaults,
        .max_sessions = 32768,
        .max_message_bytes = 64 << 20,
        .session_credits = 32,
        .max_backlog = 4096,
        .connect_timeout = 5 * TERN_SEC,
        .peer_timeout = TERN_SEC,
        .idle_spin = 50 * TERN_US,
        .shm_share_region = true,
        .check_schema = true,
        .max_metadata_bytes = 8 << 10,
        .retry_after = 10 * TERN_MS,
        .shm_lend_bytes = 256 << 20,
        .shm_lend_time = 10 * TERN_SEC,
    };
    tern__sized_init(config, size, &defaults, sizeof defaults);
}

/* Sums of a few of these, and of the time, are within 64 bits. */
static void cap_durations(tern_endpoint_config *c) {
    tern_dur *const spans[] = {&c->connect_timeout, &c->peer_timeout,  &c->keepalive,
                               &c->idle_spin,       &c->shm_lend_time, &c->queue_target};
    for (size_t i = 0; i < TERN__COUNT(spans); i++)
        if (*spans[i] > TERN__LONGEST_SPAN) *spans[i] = TERN__LONGEST_SPAN;
}

static const tern__upward upward = {.poll = tern_poll,
                                    .idle = tern__endpoint_idle_until,
                                    .call_from_thread = tern__worker_call,
                                    .admit = tern__schema_admit,
                                    .forget = tern__schema_forget,
                                    .named = tern__streams_move,
                                    .serve_unknown = tern__schema_serve};

static uint64_t engine_random(void *user) { return tern__endpoint_random(user); }

static int make_engine(tern_endpoint *ep) {
    tern__engine_config config = {
        .callbacks = {.on_request = tern__server_on_request,
                      .on_gone = tern__server_on_gone,
                      .on_done = tern__client_on_done,
                      .on_session = tern__client_on_session,
                      .on_abandoned = tern__server_on_abandoned,
                      .on_answer = tern__client_on_answer},
        .streams = &tern__stream_events,
        .user = ep,
        .random = engine_random,
        .max_sessions = ep->config.max_sessions,
        .max_message_bytes = ep->config.max_message_bytes,
        .max_rx_bytes = ep->config.max_rx_bytes,
        .max_kept_bytes = ep->config.max_kept_bytes,
        .credits = ep->config.session_credits,
        .max_backlog = ep->config.max_backlog,
        .max_running_calls = ep->config.max_running_calls,
        .retry_after = ep->config.retry_after,
        .queue_target = ep->config.queue_target,
        .max_meta_bytes = ep->config.max_metadata_bytes + TERN__META_MESSAGE_ROOM,
        .threshold = ep->config.inplace_threshold,
        .connect_timeout = ep->config.connect_timeout,
        .peer_timeout = ep->config.peer_timeout,
        .cc = tern__congestion_ops(ep->config.congestion),
        .keepalive = ep->config.keepalive,
        .formats = ep->env.formats,
    };
    int err = tern__engine_new(&config, &ep->engine);
    if (!err) ep->counters = tern__engine_counters(ep->engine);
    if (!err) tern__decoder_init(&ep->decoder, ep->engine, ep->config.max_message_bytes);
    if (!err && ep->config.log) tern__engine_watch_clients(ep->engine, tern__server_on_client);
    return err;
}

static int make_descriptors(tern_endpoint *ep) {
    ep->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    ep->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int err = ep->epoll_fd < 0 || ep->event_fd < 0 ? tern__port_lack() : tern__endpoint_watch(ep, ep->event_fd);
    if (err) {
        char line[160];
        snprintf(line, sizeof line, "the endpoint cannot be made: %s", tern__port_reason(err));
        tern__endpoint_log(ep, TERN_LOG_ERROR, line);
    }
    return err;
}

static void close_fds(tern_endpoint *ep) {
    if (ep->epoll_fd >= 0) close(ep->epoll_fd);
    if (ep->event_fd >= 0) close(ep->event_fd);
}

static void init_kinds(tern__endpoint_kinds *kinds) {
    tern__slab_init(&kinds->sessions, sizeof(tern_session));
    tern__slab_init(&kinds->pending, sizeof(tern__pending));
    tern__slab_init(&kinds->calls, sizeof(tern__call));
    tern__slab_init(&kinds->streams, sizeof(tern__stream_record));
}

static int make_handles(tern_endpoint *ep) {
    int err = tern__handles_init(&ep->call_handles);
    return err ? err : tern__handles_init(&ep->stream_handles);
}

static void fini_handles(tern_endpoint *ep) {
    tern__handles_fini(&ep->call_handles);
    tern__handles_fini(&ep->stream_handles);
}

static void fini_kinds(tern__endpoint_kinds *kinds) {
    tern__slab_drop(&kinds->sessions);
    tern__slab_drop(&kinds->pending);
    tern__slab_drop(&kinds->calls);
    tern__slab_drop(&kinds->streams);
}

int tern__endpoint_new_with(const tern_endpoint_config *given, const tern__endpoint_env *env, tern_endpoint **out) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    int err = given ? tern__config_read(&config_kind, &config, given) : 0;
    if (!err) err = tern__config_check_endpoint(&config);
    if (err) return err;
    if (tern__pool_is_inherited()) return TERN_ERR_STATE;
    tern_endpoint *ep = calloc(1, sizeof *ep);
    if (!ep) return TERN_ERR_NOMEM;
    tern__config_follow_machine(&config);
    ep->config = config;
    if (!env->random) err = tern__entropy_take(ep);
    if (err) {
        free(ep);
        return err;
    }
    ep->is_measured = config.queue_target > 0;
    ep->look_at_served = ep->look_after = MANY_CALLS;
    cap_durations(&ep->config);
    ep->env = *env;
    ep->up = &upward;
    ep->owner = &tern__this_thread;
    ep->epoll_fd = ep->event_fd = -1;
    ep->place = TERN__SHARE_ANY;
    init_kinds(&ep->kinds);
    tern__list_init(&ep->sessions);
    tern__list_init(&ep->names);
    tern__list_init(&ep->due_streams);
    tern__handlers_init(&ep->handlers);
    tern__handlers_init(&ep->stream_services);
    tern_arena_init_private(&ep->scratch, 0, tern__decode_ceiling(&config));
    pthread_mutex_init(&ep->mailbox.lock, NULL);
    err = make_descriptors(ep);
    if (!err) err = make_handles(ep);
    if (!err) err = make_engine(ep);
    if (err) {
        fini_handles(ep);
        close_fds(ep);
        pthread_mutex_destroy(&ep->mailbox.lock);
        free(ep);
        return err;
    }
    if (config.borrow) {
        tern__borrow_needed(ep);
        tern__server_heed_flags(ep);
    }
    tern__endpoint_read_clock(ep);
    ep->age_at = ep->now + TERN__POOL_AGE_NS;
    tern__fork_watch(ep);
    *out = ep;
    return 0;
}

int tern_endpoint_new(const tern_endpoint_config *config, tern_endpoint **out) {
    return tern__endpoint_new_with(config, &system_env, out);
}

int tern_endpoint_free(tern_endpoint *ep) {
    if (!ep) return 0;
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->in_callback) return TERN_ERR_STATE;
    tern__endpoint_read_clock(ep);
    ep->in_callback = true;
    ep->freeing = true;
    tern__client_complete_ended(ep);
    tern__streams_run_due(ep);
    tern__streams_leave(ep);
    tern__engine_free(ep->engine, ep->now);
    ep->telling_ended = true; /* what ends from now on ends without the engine, which knows nothing more of it */
    ep->told_not_run = false;
    ep->told_loss = "this program freed the endpoint";
    ep->told_retry = 0;
    tern__endpoint_trace_fini(ep);
    tern__ports_flush(ep);
    /* A visit may be what made the owner free the endpoint, while the visitor still writes to the eventfd. */
    tern__workers_leave(ep);
    tern__streams_fini(ep);
    tern__client_fini(ep);
    tern__server_fini(ep);
    tern__ports_fini(ep);
    tern_arena_fini(&ep->scratch);
    tern__handlers_fini(&ep->handlers);
    tern__schema_fini(ep);
    fini_kinds(&ep->kinds);
    fini_handles(ep);
    close_fds(ep);
    pthread_mutex_destroy(&ep->mailbox.lock);
    tern__fork_forget(ep); /* last, as the callbacks above may fork */
    tern_time now = ep->now;
    free(ep);
    tern__pool_age(now); /* for programs whose endpoints are too short-lived to look */
    return 0;
}

/* ---- Driving ------------------------------------------------------------------------------------ */

/* A thread that posts after `alerted` is cleared sets it again. */
static int run_alerts(tern_endpoint *ep) {
    atomic_exchange(&ep->alerted, false);
    return tern__endpoint_run_posts(ep) + tern__workers_collect(ep);
}

/* A poll begins. */
static void report_load(tern_endpoint *ep) {
    ep->polled_before = ep->now;
    tern__endpoint_read_clock(ep);
    tern__engine_report_load(ep->engine, ep->was_idle, ep->now);
}

/* What the last poll has not brought had not come by then; where more had come than a poll takes, that is too short. */
static void note_wait(tern_endpoint *ep, const tern__link *link) {
    tern__engine_waited(ep->engine,
                        link->waited_ns ? (tern_dur)link->waited_ns : (tern_dur)(ep->now - ep->polled_before));
}

/* ---- Behind ------------------------------------------------------------------------------------- */
/* Packets that wait for handlers to end are everybody's: also those of clients who ask for little, or only whether we
 * live. So where handlers take long, requests are received first, and run in turns. */

enum { POLLS_PER_LOOK = 4 * TERN__POLLS_PER_CLOCK, FEW_POLLS = 2 * POLLS_PER_LOOK, N_LOOKS = 3 };
#define SLOW (3 * TERN_MS)        /* for so many calls, or polls */
#define MOST_OF_A_LOOK (4 * SLOW) /* other programs may have had the processor */
#define MOST_EXCESS (6 * SLOW)
#define BEHIND_LASTS (100 * TERN_MS)
#define ANSWERS_WAIT (100 * TERN_US)
#define BETWEEN_LOOKS TERN_MS /* at what has come, while requests run; and for so long */

/* Ports look at new peers every so many polls, which may be seconds now. */
static void hurry_ports(tern_endpoint *ep) {
    for (tern__port *port = ep->ports; port; port = port->next) port->look_soon = true;
}

static __attribute__((noinline)) void fall_behind(tern_endpoint *ep) {
    ep->is_behind = true;
    ep->behind_until = ep->now + (tern_time)BEHIND_LASTS;
    tern__engine_set_turns(ep->engine, true);
    hurry_ports(ep);
}

static inline void look_next_after(tern_endpoint *ep, uint32_t n_calls) {
    ep->look_after = n_calls;
    ep->look_at_served = ep->counters->calls_served + n_calls;
}

/* How many calls have been served since the last look. */
static inline uint64_t count_calls(const tern_endpoint *ep) {
    return ep->n_called + ep->counters->calls_served + ep->look_after - ep->look_at_served;
}

/* The time that handlers took beyond what is quick, less what they took less than that: a slow call among many quick
 * ones tells, too, as long as it is not alone. */
static inline int64_t excess_after(int64_t excess, int64_t over) {
    excess += over < MOST_OF_A_LOOK ? over : MOST_OF_A_LOOK;
    return excess < 0 ? 0 : excess < MOST_EXCESS ? excess : MOST_EXCESS;
}

/* The clock has been read. Where it has gone far for the calls that were served in a few polls, their handlers took
 * long: idle polls take next to no time. Or other programs had the processor meanwhile, but hardly in every one of
 * N_LOOKS; a look that finds them very slow counts as two. */
static inline void look_at_pace(tern_endpoint *ep) {
    uint64_t n_calls = count_calls(ep), took = ep->now - ep->looked_at;
    uint64_t slow = SLOW / MANY_CALLS * (n_calls < MANY_CALLS ? MANY_CALLS : n_calls);
    bool counts = n_calls && ep->n_polls - ep->looked_poll <= FEW_POLLS && !ep->slept_from,
         is_slow = counts && took >= slow;
    ep->n_slow = !is_slow ? 0 : took < N_LOOKS * slow ? ep->n_slow + 1 : ep->n_slow + 2;
    ep->excess = counts ? excess_after(ep->excess, (int64_t)(took - slow)) : 0;
    if (__builtin_expect(ep->n_slow >= N_LOOKS || ep->excess == MOST_EXCESS, false)) fall_behind(ep);
    ep->looked_at = ep->now;
    ep->looked_poll = ep->n_polls;
    ep->n_called = 0;
    ep->slept_from = 0;
    look_next_after(ep, is_slow ? FEW_CALLS : MANY_CALLS);
}

/* The endpoint may sleep now. */
static tern_dur sleep_for(tern_endpoint *ep, tern_dur timeout) {
    if (!timeout) return 0;
    tern__endpoint_read_clock(ep);
    ep->slept_from = ep->now;
    return timeout;
}

/* The clock has been read before any handler has run. */
static inline void note_wake(tern_endpoint *ep) {
    if (ep->slept_from) ep->looked_at += ep->now - ep->slept_from;
    ep->slept_from = 0;
}

/* Calls have been served, many or, after a look that found that they take long, a few: then the look is over as soon as
 * they have taken long again. If they take long, their answers leave now: where all of a batch leave together, so do
 * the calls that follow, and there is nothing to do in between. */
static __attribute__((noinline)) void look_after_calls(tern_endpoint *ep) {
    tern__endpoint_read_clock(ep);
    uint64_t n_calls = count_calls(ep), took = ep->now - ep->looked_at;
    if (n_calls < MANY_CALLS && took < (tern_time)SLOW) {
        ep->n_called = (uint32_t)n_calls;
        look_next_after(ep, FEW_CALLS);
    } else {
        look_at_pace(ep);
    }
    if (took >= (tern_time)ANSWERS_WAIT) tern__ports_flush(ep);
}

static __attribute__((noinline)) void read_clock_for_packets(tern_endpoint *ep) {
    tern__endpoint_read_clock(ep);
    note_wake(ep);
}

/* Reliable links measure no round trips and suspect nobody: the time as of some polls ago will do. */
static void on_packets(void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    tern_endpoint *ep = ctx;
    if (TERN__IS_OFF(TIME) || (!ep->clock_is_fresh && !pkts->link->reliable)) read_clock_for_packets(ep);
    tern__engine_rx(ep->engine, pkts, n, ep->now);
    int64_t beyond = (int64_t)(ep->counters->calls_served - ep->look_at_served); /* the latter may be below zero */
    if (__builtin_expect(beyond >= 0, false)) look_after_calls(ep);
}

static void on_measured_packets(void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    note_wait(ctx, pkts->link);
    on_packets(ctx, pkts, n);
}

/* A broken port does not keep the others, nor the timers that fail its calls, from their work. */
static inline int poll_ports(tern_endpoint *ep, tern__rx_fn *fn, int *err) {
    int n = 0;
    for (tern__port *port = ep->ports; port; port = port->next) {
        int got = port->ops->poll(port, POLL_BUDGET, fn, ep);
        if (got < 0)
            *err = got;
        else
            n += got;
    }
    return n;
}

static tern_time read_clock(void *ctx) {
    tern__endpoint_read_clock(ctx);
    return ((tern_endpoint *)ctx)->now;
}

/* All that has come, as far as that ends soon: ports hand over little at a time. */
static int receive_most(tern_endpoint *ep, tern__rx_fn *fn, int *err) {
    tern_time begun = read_clock(ep);
    int n = 0, got;
    do n += got = poll_ports(ep, fn, err);
    while (got && read_clock(ep) - begun < (tern_time)BETWEEN_LOOKS);
    return n;
}

/* Requests in turns, as many as a poll would have run or for some ms, and between them whatever comes. */
static __attribute__((noinline)) int work_off(tern_endpoint *ep, tern__rx_fn *fn, int *err) {
    const tern_dur longest = 2 * SLOW;
    tern_time begun = read_clock(ep);
    int n = receive_most(ep, fn, err), n_run = 0;
    while (tern__engine_has_waiting(ep->engine) && (n_run < POLL_BUDGET || ep->now - begun < (tern_time)longest)) {
        n_run += (int)tern__engine_run_waiting(ep->engine, POLL_BUDGET, BETWEEN_LOOKS, read_clock, ep);
        tern__ports_flush(ep);
        hurry_ports(ep);
        n += receive_most(ep, fn, err);
    }
    look_at_pace(ep);
    bool is_over = ep->now >= ep->behind_until;
    if (is_over) tern__engine_set_turns(ep->engine, false);
    ep->is_behind = !is_over || tern__engine_has_waiting(ep->engine);
    return n + n_run;
}

static void age_memory(tern_endpoint *ep) {
    ep->age_at = ep->now + TERN__POOL_AGE_NS;
    tern__pool_age(ep->now);
}

/* measured: the endpoint has a queue_target. The constant leaves all of that out for others. */
static inline __attribute__((always_inline)) int poll_once(tern_endpoint *ep, bool measured) {
    ep->in_callback = true;
    ep->clock_is_fresh = ep->burst_timed = false;
    if (measured) report_load(ep);
    if (TERN__IS_OFF(AT_ONCE)) fall_behind(ep);
    int err = 0;
    int n = poll_ports(ep, measured ? on_measured_packets : on_packets, &err);
    if (__builtin_expect(ep->is_behind, false)) n += work_off(ep, measured ? on_measured_packets : on_packets, &err);
    if (atomic_load_explicit(&ep->alerted, memory_order_relaxed)) n += run_alerts(ep);
    if (measured) ep->was_idle = n == 0;
    if (ep->ended) tern__client_complete_ended(ep);
    if (!tern__list_empty(&ep->due_streams)) tern__streams_run_due(ep);
    bool look_at_clock = ++ep->n_polls % TERN__POLLS_PER_CLOCK == 0;
    if (look_at_clock && !ep->clock_is_fresh) tern__endpoint_read_clock(ep);
    if (look_at_clock && ep->n_polls % POLLS_PER_LOOK == 0) look_at_pace(ep);
    if (look_at_clock && !tern__list_empty(&ep->names)) tern__names_poll(ep);
    if (look_at_clock && ep->now >= ep->age_at) age_memory(ep);
    if (n != 0 || ep->tx_dirty || look_at_clock) {
        tern__engine_tick(ep->engine, ep->now);
        tern__ports_flush_some(ep);
        if (ep->draining && tern__endpoint_drain_is_news(ep)) tern__endpoint_tell_drained(ep);
    }
    ep->in_callback = false;
    if (ep->session_closing) tern__client_close_deferred(ep);
    return err ? err : n;
}

static __attribute__((noinline)) int poll_measured(tern_endpoint *ep) { return poll_once(ep, true); }

int tern_poll(tern_endpoint *ep) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->in_callback) return TERN_ERR_STATE;
    if (ep->tx_dirty) tern__ports_flush_some(ep);
    return ep->is_measured ? poll_measured(ep) : poll_once(ep, false);
}

int tern_fd(tern_endpoint *ep) { return tern__endpoint_is_mine(ep) ? ep->epoll_fd : tern__endpoint_not_mine(ep); }

static tern_time earlier(tern_time a, tern_time b) { return a < b ? a : b; }

tern_dur tern_next_timeout(tern_endpoint *ep) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->tx_dirty) tern__ports_flush(ep);
    if (ep->qlog) tern__endpoint_trace_flush(ep);
    uint64_t drained;
    while (read(ep->event_fd, &drained, sizeof drained) < 0 && errno == EINTR) continue;
    atomic_store(&ep->asleep, true);
    if (atomic_load(&ep->alerted) || ep->ended || tern__engine_has_waiting(ep->engine) ||
        !tern__list_empty(&ep->due_streams) ||
        (ep->is_running && atomic_load_explicit(&ep->stop, memory_order_acquire)))
        return 0;
    if (tern__endpoint_drain_is_news(ep)) {
        tern__endpoint_look_soon(ep); /* and tell */
        return 0;
    }
    for (tern__port *port = ep->ports; port; port = port->next)
        if (!port->ops->arm(port)) return 0;
    tern_time due = tern__engine_next_due(ep->engine);
    if (!tern__list_empty(&ep->names)) {
        due = earlier(due, tern__names_due(ep));
        tern__endpoint_look_soon(ep); /* at what the resolver's descriptor tells, too */
    }
    if (tern__pool_is_warm()) due = earlier(due, ep->age_at);
    if (due == UINT64_MAX) return sleep_for(ep, -1);
    tern__endpoint_read_clock(ep);
    /* Polls look at the clock only now and then; the next one is to. */
    tern__endpoint_look_soon(ep);
    return sleep_for(ep, due > ep->now ? (tern_dur)(due - ep->now) : 0);
}

/* Sleep until the next timer or packet, but not past `end`; 0: no end. */
static void sleep_until_due(tern_endpoint *ep, tern_time end) {
    tern_dur timeout = tern_next_timeout(ep);
    if (timeout == 0) return;
    if (end) {
        tern_time now = tern__endpoint_now(ep);
        tern_dur left = end > now ? (tern_dur)(end - now) : 0;
        if (timeout < 0 || left < timeout) timeout = left;
    }
    struct timespec ts = {.tv_sec = timeout / TERN_SEC, .tv_nsec = timeout % TERN_SEC};
    struct pollfd pfd = {.fd = ep->epoll_fd, .events = POLLIN};
    ppoll(&pfd, 1, timeout < 0 ? NULL : &ts, NULL);
}

void tern__endpoint_idle_until(tern_endpoint *ep, int n_polled, tern_time *busy_until, tern_time end) {
    if (n_polled > 0)
        *busy_until = ep->now + (tern_time)ep->config.idle_spin;
    else if (ep->now >= *busy_until && tern__endpoint_now(ep) >= *busy_until)
        sleep_until_due(ep, end);
    else
        tern__cpu_relax();
}

int tern_run(tern_endpoint *ep) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->in_callback) return TERN_ERR_STATE;
    tern_time busy_until = tern__endpoint_now(ep) + (tern_time)ep->config.idle_spin;
    int n = 0;
    ep->is_running = true;
    while (n >= 0 && !atomic_load_explicit(&ep->stop, memory_order_acquire)) {
        n = tern_poll(ep);
        if (n >= 0) tern__endpoint_idle_until(ep, n, &busy_until, 0);
    }
    ep->is_running = false;
    if (n < 0) return n;
    atomic_store_explicit(&ep->stop, false, memory_order_relaxed);
    return 0;
}

/* The threads of a pool (worker_pool.h).
 *
 * The queue is a ring whose cells count turns, after Vyukov: a producer and a consumer meet only in their cell, so a
 * preempted worker never keeps an endpoint's thread waiting. `balance` counts the jobs that are queued, less the
 * workers that wait. A thread that adds a job and finds `balance` negative owes a waiting worker a token; a worker that
 * finds it positive may take a job without a token. The endpoint's thread makes a system call only when a worker
 * sleeps. */
#include "rpc/worker_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rpc/config.h"
#include "rpc/futex.h"

enum { MAX_THREADS = 1024, MAX_QUEUED = 1 << 20, SPINS_PER_CLOCK = 32, SPINS_PER_YIELD = 256 };

typedef struct cell {
    _Atomic uint64_t turn; /* position: free for it; position + 1: filled */
    tern__job *job;
} cell;

struct tern_workers {
    cell *cells;
    uint64_t mask;
    tern_dur spin;
    uint32_t max_queued;
    uint32_t n_threads;
    _Atomic uint32_t n_users;
    _Atomic bool stopping;
    _Atomic bool timed;                /* somebody asks tern__workers_wait() */
    _Atomic uint64_t job_ns;           /* what a job takes on average; 0: not known. Written by whoever has run one */
    alignas(64) _Atomic uint64_t tail; /* the next position to fill */
    alignas(64) _Atomic uint64_t head; /* the next to take */
    alignas(64) _Atomic int32_t balance;
    alignas(64) _Atomic uint32_t tokens; /* a futex */
    _Atomic uint32_t n_asleep;
    pthread_t threads[];
};

/* ---- The ring ------------------------------------------------------------------------------------ */

static bool push_job(tern_workers *pool, tern__job *job) {
    uint64_t at = atomic_load_explicit(&pool->tail, memory_order_relaxed);
    for (;;) {
        cell *c = &pool->cells[at & pool->mask];
        int64_t ahead = (int64_t)(atomic_load_explicit(&c->turn, memory_order_acquire) - at);
        if (ahead < 0) return false;
        if (ahead > 0) {
            at = atomic_load_explicit(&pool->tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&pool->tail, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            c->job = job;
            atomic_store_explicit(&c->turn, at + 1, memory_order_release);
            return true;
        }
    }
}

static tern__job *pop_job(tern_workers *pool) {
    uint64_t at = atomic_load_explicit(&pool->head, memory_order_relaxed);
    for (;;) {
        cell *c = &pool->cells[at & pool->mask];
        int64_t ahead = (int64_t)(atomic_load_explicit(&c->turn, memory_order_acquire) - (at + 1));
        if (ahead < 0) return NULL;
        if (ahead > 0) {
            at = atomic_load_explicit(&pool->head, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&pool->head, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            tern__job *job = c->job;
            atomic_store_explicit(&c->turn, at + pool->mask + 1, memory_order_release);
            return job;
        }
    }
}

/* ---- Tokens -------------------------------------------------------------------------------------- */

static void give_token(tern_workers *pool) {
    atomic_fetch_add(&pool->tokens, 1);
    if (atomic_load(&pool->n_asleep) > 0) tern__futex_wake(&pool->tokens);
}

static bool take_token(tern_workers *pool) {
    uint32_t n = atomic_load(&pool->tokens);
    while (n > 0)
        if (atomic_compare_exchange_weak(&pool->tokens, &n, n - 1)) return true;
    return false;
}

static tern_time clock_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static bool spin_for_token(tern_workers *pool) {
    if (pool->spin == 0) return take_token(pool);
    tern_time start = clock_now();
    for (uint32_t n = 1;; n++) {
        if (take_token(pool)) return true;
        tern__cpu_relax();
        if (n % SPINS_PER_CLOCK == 0 && clock_now() - start >= (tern_time)pool->spin) return false;
    }
}

static void wait_for_token(tern_workers *pool) {
    if (spin_for_token(pool)) return;
    atomic_fetch_add(&pool->n_asleep, 1);
    while (!take_token(pool)) tern__futex_wait(&pool->tokens, 0);
    atomic_fetch_sub(&pool->n_asleep, 1);
}

/* ---- Threads ------------------------------------------------------------------------------------- */

bool tern__workers_submit(tern_workers *pool, tern__job *job) {
    int32_t balance = atomic_load_explicit(&pool->balance, memory_order_relaxed);
    if (balance >= (int32_t)pool->max_queued || !push_job(pool, job)) return false;
    if (atomic_fetch_add(&pool->balance, 1) < 0) give_token(pool);
    return true;
}

/* A job is there, but the one before it may still be on its way into its cell. */
static tern__job *take_job(tern_workers *pool) {
    tern__job *job;
    for (uint32_t n = 1; !(job = pop_job(pool)); n++) {
        if (n % SPINS_PER_YIELD == 0)
            sched_yield();
        else
            tern__cpu_relax();
    }
    return job;
}

/* An average of which a sample may be lost where two workers end at once. */
static void run_timed(tern_workers *pool, tern__job *job) {
    tern_time begun = clock_now();
    job->run(job);
    uint64_t took = clock_now() - begun, before = atomic_load_explicit(&pool->job_ns, memory_order_relaxed);
    uint64_t now = before ? before - before / 8 + took / 8 : took;
    atomic_store_explicit(&pool->job_ns, now ? now : 1, memory_order_relaxed);
}

static void *run_jobs(void *user) {
    tern_workers *pool = user;
    for (;;) {
        if (atomic_fetch_sub(&pool->balance, 1) <= 0) wait_for_token(pool);
        if (atomic_load_explicit(&pool->stopping, memory_order_relaxed)) return NULL;
        tern__job *job = take_job(pool);
        if (atomic_load_explicit(&pool->timed, memory_order_relaxed))
            run_timed(pool, job);
        else
            job->run(job);
    }
}

/* The program's signals are for its own threads. */
static int start_thread(tern_workers *pool, const tern_workers_config *config) {
    pthread_attr_t attr;
    sigset_t all, before;
    char name[16];
    uint32_t i = pool->n_threads;
    if (pthread_attr_init(&attr) != 0) return TERN_ERR_NOMEM;
    int err = 0;
    if (config->n_cpus > 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)config->cpus[i % config->n_cpus], &set);
        err = pthread_attr_setaffinity_np(&attr, sizeof set, &set);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!err) err = pthread_create(&pool->threads[i], &attr, run_jobs, pool);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (err == EINVAL && config->n_cpus > 0)
        return tern__config_refuse(config->log, config->log_user, "cpus has %d, and there is no such processor here",
                                   config->cpus[i % config->n_cpus]);
    if (err) return TERN_ERR_NOMEM;
    snprintf(name, sizeof name, "tern-work-%u", i % 10000);
    pthread_setname_np(pool->threads[i], name);
    pool->n_threads++;
    return 0;
}

static void stop_threads(tern_workers *pool) {
    atomic_store(&pool->stopping, true);
    for (uint32_t i = 0; i < pool->n_threads; i++)
        if (atomic_fetch_add(&pool->balance, 1) < 0) give_token(pool);
    for (uint32_t i = 0; i < pool->n_threads; i++) pthread_join(pool->threads[i], NULL);
    free(pool->cells);
    free(pool);
}

/* ---- Public -------------------------------------------------------------------------------------- */

static const tern__config_kind config_kind = {"tern_workers_config_init()", sizeof(tern_workers_config)};

void tern_workers_config_init_sized(tern_workers_config *config, size_t size) {
    const tern_workers_config defaults = {
        .size = sizeof defaults, .n_threads = 2, .max_queued = 1024, .spin = 50 * TERN_US};
    tern__sized_init(config, size, &defaults, sizeof defaults);
}

static int check_cpus(const tern_workers_config *c) {
    if (c->n_cpus > 0 && !c->cpus) return tern__config_refuse(c->log, c->log_user, "cpus is NULL, and n_cpus is not 0");
    for (uint32_t i = 0; i < c->n_cpus; i++) {
        const tern__config_bound bound = {"a number of cpus", c->cpus[i], 0, CPU_SETSIZE - 1};
        int err = tern__config_check_bounds(c->log, c->log_user, &bound, 1);
        if (err) return err;
    }
    return 0;
}

static int check_pool_config(const tern_workers_config *c) {
    const tern__config_bound bounds[] = {{"n_threads", c->n_threads, 1, MAX_THREADS},
                                         {"max_queued", c->max_queued, 1, MAX_QUEUED},
                                         {"spin", c->spin, 0, INT64_MAX}};
    int err = tern__config_check_bounds(c->log, c->log_user, bounds, TERN__COUNT(bounds));
    return err ? err : check_cpus(c);
}

/* No thread yet. Room for what may wait, and for what is on its way to waiting workers. */
static tern_workers *new_pool(const tern_workers_config *config) {
    uint64_t n_cells = 64;
    while (n_cells < (uint64_t)config->max_queued + config->n_threads) n_cells *= 2;
    size_t bytes = sizeof(tern_workers) + config->n_threads * sizeof(pthread_t);
    tern_workers *pool = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    if (!pool) return NULL;
    memset(pool, 0, bytes);
    pool->cells = calloc(n_cells, sizeof *pool->cells);
    if (!pool->cells) {
        free(pool);
        return NULL;
    }
    for (uint64_t i = 0; i < n_cells; i++) atomic_init(&pool->cells[i].turn, i);
    pool->mask = n_cells - 1;
    pool->spin = config->spin;
    pool->max_queued = config->max_queued;
    return pool;
}

int tern_workers_new(const tern_workers_config *given, tern_workers **out) {
    tern_workers_config config;
    tern_workers_config_init(&config);
    int err = given ? tern__config_read(&config_kind, &config, given) : 0;
    if (!err) err = check_pool_config(&config);
    if (err) return err;
    tern_workers *pool = new_pool(&config);
    if (!pool) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < config.n_threads; i++) {
        err = start_thread(pool, &config);
        if (err) {
            stop_threads(pool);
            return err;
        }
    }
    *out = pool;
    return 0;
}

int tern_workers_free(tern_workers *pool) {
    if (!pool) return 0;
    if (atomic_load(&pool->n_users) > 0) return TERN_ERR_STATE;
    stop_threads(pool);
    return 0;
}

void tern__workers_time(tern_workers *pool) { atomic_store_explicit(&pool->timed, true, memory_order_relaxed); }

tern_dur tern__workers_wait(const tern_workers *pool) {
    int32_t n_queued = atomic_load_explicit(&pool->balance, memory_order_relaxed);
    uint64_t job_ns = atomic_load_explicit(&pool->job_ns, memory_order_relaxed);
    return n_queued > 0 ? (tern_dur)((uint64_t)n_queued * job_ns / pool->n_threads) : 0;
}

void tern__workers_use(tern_workers *pool) { atomic_fetch_add(&pool->n_users, 1); }
void tern__workers_unuse(tern_workers *pool) { atomic_fetch_sub(&pool->n_users, 1); }

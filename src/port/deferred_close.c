/* Ends beside the thread that serves (deferred_close.h).
 *
 * Each helper has a list under a lock that nobody keeps for longer than a few instructions. What cannot be listed, as
 * memory is out, ends at once. Where no thread can be started, the list waits for the next call. */
#include "port/deferred_close.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct ending {
    int fd; /* -1: a mapping */
    const void *base;
    size_t bytes;
    void (*gone)(uint64_t bytes);
} ending;

typedef struct helper {
    pthread_mutex_t lock;
    pthread_cond_t more; /* tells the helper, while it lingers */
    ending *waiting;
    size_t n, room;
    size_t n_not_done; /* atomic: of those that wait, and the one under way */
    bool runs, lingers;
} helper;

/* To start a thread takes longer than to refuse a channel of shm does otherwise (bench/rpc_hostile). */
enum { STACK_BYTES = 256 << 10, FIRST_ROOM = 64, LINGERS_MS = 200 };

static helper of_descriptors = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static helper of_memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What lingers by itself need not even wait. The option is set here, as whoever shares the socket may hold its lock. */
static void close_foreign(int fd) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once); /* of anything but a socket: ENOTSOCK */
    close(fd);
}

static void bring_about(const ending *what) {
    if (what->fd >= 0) {
        close_foreign(what->fd);
        return;
    }
    munmap((void *)(uintptr_t)what->base, what->bytes);
    what->gone(what->bytes);
}

/* Under the lock. */
static void linger(helper *h) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LINGERS_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    h->lingers = true;
    while (h->n == 0 && pthread_cond_timedwait(&h->more, &h->lock, &until) == 0) continue;
    h->lingers = false;
}

/* False: nothing waits, and the thread counts as ended. */
static bool take_next(helper *h, ending *next) {
    pthread_mutex_lock(&h->lock);
    if (h->n == 0) linger(h);
    bool any = h->n > 0;
    if (any) {
        *next = h->waiting[--h->n];
    } else {
        h->runs = false;
        free(h->waiting);
        h->waiting = NULL;
        h->room = 0;
    }
    pthread_mutex_unlock(&h->lock);
    return any;
}

static void *run_helper(void *user) {
    ending next;
    helper *h = user == &of_memory ? &of_memory : &of_descriptors; /* or gcc, with sanitizers, takes it for NULL */
    while (take_next(h, &next)) {
        bring_about(&next);
        __atomic_sub_fetch(&h->n_not_done, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

/* ---- fork() -------------------------------------------------------------------------------------- */

static void before_fork(void) {
    pthread_mutex_lock(&of_descriptors.lock);
    pthread_mutex_lock(&of_memory.lock);
}

static void in_parent(void) {
    pthread_mutex_unlock(&of_memory.lock);
    pthread_mutex_unlock(&of_descriptors.lock);
}

/* The helpers are the parent's. A descriptor that was just being closed may stay open here. */
static void in_child(void) {
    of_descriptors.runs = of_memory.runs = of_descriptors.lingers = of_memory.lingers = false;
    of_descriptors.more = of_memory.more = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    of_descriptors.n_not_done = of_descriptors.n;
    of_memory.n_not_done = of_memory.n;
    in_parent();
}

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

/* ---- The list ------------------------------------------------------------------------------------ */

/* Under the lock. The program's signals are for its own threads. */
static void start_helper(helper *h) {
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, before;
    if (h->lingers) pthread_cond_signal(&h->more);
    if (h->runs || h->n == 0 || pthread_attr_init(&attr)) return;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    h->runs = pthread_create(&thread, &attr, run_helper, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
}

static bool has_room(helper *h) {
    if (h->n < h->room) return true;
    size_t room = h->room ? 2 * h->room : FIRST_ROOM;
    ending *waiting = realloc(h->waiting, room * sizeof *waiting);
    if (!waiting) return false;
    h->waiting = waiting;
    h->room = room;
    return true;
}

static void put_off(helper *h, const ending *what) {
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&h->lock);
    bool listed = has_room(h);
    if (listed) {
        h->waiting[h->n++] = *what;
        __atomic_add_fetch(&h->n_not_done, 1, __ATOMIC_RELAXED);
    }
    start_helper(h);
    pthread_mutex_unlock(&h->lock);
    if (!listed) bring_about(what);
}

/* A child of fork() has no helper yet, and once there may have been no memory for one. */
static __attribute__((noinline)) void go_on(helper *h) {
    pthread_mutex_lock(&h->lock);
    start_helper(h);
    pthread_mutex_unlock(&h->lock);
}

static size_t count(helper *h) {
    size_t n = __atomic_load_n(&h->n_not_done, __ATOMIC_ACQUIRE);
    if (n) go_on(h);
    return n;
}

void tern__deferred_close(int fd) { put_off(&of_descriptors, &(ending){.fd = fd}); }

void tern__deferred_unmap(const void *base, size_t bytes, void (*gone)(uint64_t bytes)) {
    put_off(&of_memory, &(ending){.fd = -1, .base = base, .bytes = bytes, .gone = gone});
}

bool tern__deferred_unmap_is_full(void) { return count(&of_memory) >= TERN__DEFERRED_UNMAP_MAX; }

bool tern__deferred_close_is_full(void) { return count(&of_descriptors) >= TERN__DEFERRED_CLOSE_MAX; }

size_t tern__deferred_close_count(void) { return count(&of_descriptors) + count(&of_memory); }

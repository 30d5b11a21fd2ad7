/* What may hang in the kernel hangs a helper thread, and nobody else. The close() of this program stands for the
 * kernel's: it holds the helper until the test lets go. test_shm_hostile.c and test_tcp_hostile.c have real ones. */
#include "port/deferred_close.h"
#include "tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The descriptor whose close hangs. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int fd; /* -1: none */
    pthread_t caller;
    bool by_caller, begun, may_end;
} hanging = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .fd = -1};

static struct {
    int fd;
    struct linger linger; /* when it was closed */
} watched = {.fd = -1};

static void hang(void) {
    pthread_mutex_lock(&hanging.lock);
    hanging.by_caller = pthread_equal(pthread_self(), hanging.caller) != 0;
    hanging.begun = true;
    pthread_cond_broadcast(&hanging.changed);
    while (!hanging.by_caller && !hanging.may_end) pthread_cond_wait(&hanging.changed, &hanging.lock);
    hanging.fd = -1;
    pthread_mutex_unlock(&hanging.lock);
}

int close(int fd) {
    socklen_t len = sizeof watched.linger;
    if (fd >= 0 && fd == hanging.fd) hang();
    if (fd >= 0 && fd == watched.fd) getsockopt(fd, SOL_SOCKET, SO_LINGER, &watched.linger, &len);
    return (int)syscall(SYS_close, fd);
}

static void wait_for_count(size_t n) {
    while (tern__deferred_close_count() > n) usleep(500);
}

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

/* Hand over what hangs, and see the helper begin. Returns the descriptor. */
static int hang_helper(void) {
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pthread_mutex_lock(&hanging.lock);
    hanging.caller = pthread_self();
    hanging.by_caller = hanging.begun = hanging.may_end = false;
    hanging.fd = fd;
    pthread_mutex_unlock(&hanging.lock);
    tern__deferred_close(fd);
    pthread_mutex_lock(&hanging.lock);
    while (!hanging.begun) pthread_cond_wait(&hanging.changed, &hanging.lock);
    pthread_mutex_unlock(&hanging.lock);
    return hanging.by_caller ? -1 : fd;
}

static void let_go(void) {
    pthread_mutex_lock(&hanging.lock);
    hanging.may_end = true;
    pthread_cond_broadcast(&hanging.changed);
    pthread_mutex_unlock(&hanging.lock);
    wait_for_count(0);
}

static void close__does_not_wait(void) {
    int fd = hang_helper();
    CHECK(fd >= 0);
    CHECK_EQ(tern__deferred_close_count(), 1);
    CHECK(is_open(fd));
    let_go();
    CHECK(!is_open(fd));
}

/* A socket that lingers by itself does not even keep the helper. */
static void close__a_lingering_socket_lingers_no_longer(void) {
    struct linger wait = {.l_onoff = 1, .l_linger = 4};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(setsockopt(fd, SOL_SOCKET, SO_LINGER, &wait, sizeof wait), 0);
    watched.fd = fd;
    watched.linger = wait;
    tern__deferred_close(fd);
    wait_for_count(0);
    watched.fd = -1;
    CHECK(!is_open(fd));
    CHECK(watched.linger.l_onoff == 1 && watched.linger.l_linger == 0);
}

static void close__is_full_while_many_wait(void) {
    CHECK(hang_helper() >= 0);
    for (int i = 1; i < TERN__DEFERRED_CLOSE_MAX; i++) {
        CHECK(!tern__deferred_close_is_full());
        tern__deferred_close(open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    CHECK(tern__deferred_close_is_full());
    for (int i = 0; i < 1000; i++)
        tern__deferred_close(open("/dev/null", O_RDONLY | O_CLOEXEC)); /* taken all the same */
    CHECK_EQ(tern__deferred_close_count(), TERN__DEFERRED_CLOSE_MAX + 1000);
    let_go();
    CHECK(!tern__deferred_close_is_full());
}

static uint64_t n_gone; /* atomic */

static void on_gone(uint64_t bytes) { __atomic_add_fetch(&n_gone, bytes, __ATOMIC_RELAXED); }

/* Memory has a helper of its own. */
static void unmap__beside_what_hangs(void) {
    enum { BYTES = 1 << 16 };
    CHECK(hang_helper() >= 0);
    void *base = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(base != MAP_FAILED);
    tern__deferred_unmap(base, BYTES, on_gone);
    wait_for_count(1);
    CHECK_EQ(tern__deferred_close_count(), 1);
    CHECK_EQ(__atomic_load_n(&n_gone, __ATOMIC_RELAXED), BYTES);
    CHECK(mmap(base, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == base);
    munmap(base, BYTES);
    let_go();
}

/* While the helper is held up in its report of the first, many wait. */
static void on_gone_slowly(uint64_t bytes) {
    while (__atomic_load_n(&n_gone, __ATOMIC_RELAXED) == 0) usleep(200);
    on_gone(bytes);
}

static void unmap__is_full_while_many_wait(void) {
    enum { BYTES = 4096 };
    n_gone = 0;
    for (int i = 0; i < TERN__DEFERRED_UNMAP_MAX; i++) {
        CHECK(!tern__deferred_unmap_is_full());
        void *base = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(base != MAP_FAILED);
        tern__deferred_unmap(base, BYTES, on_gone_slowly);
    }
    CHECK(tern__deferred_unmap_is_full() && !tern__deferred_close_is_full());
    on_gone(1);
    wait_for_count(0);
    CHECK(!tern__deferred_unmap_is_full());
    CHECK_EQ(__atomic_load_n(&n_gone, __ATOMIC_RELAXED), 1 + BYTES * TERN__DEFERRED_UNMAP_MAX);
}

static int result_of(pid_t child) {
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child has a copy of the list, and no helper. */
static void fork__child_closes_its_own(void) {
#ifdef __SANITIZE_THREAD__
    SKIP("the thread sanitizer follows no fork() of a process with threads");
#endif
    int waiting = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(hang_helper() >= 0);
    tern__deferred_close(waiting);
    pid_t child = fork();
    if (child == 0) {
        wait_for_count(0);
        _exit(is_open(waiting) ? 1 : 0);
    }
    CHECK_EQ(result_of(child), 0);
    CHECK(is_open(waiting)); /* here it waits on */
    let_go();
    CHECK(!is_open(waiting));
}

static void exit__while_a_helper_hangs(void) {
#ifdef __SANITIZE_THREAD__
    SKIP("the thread sanitizer follows no fork() of a process with threads");
#endif
    pid_t child = fork();
    if (child == 0) exit(hang_helper() >= 0 && tern__deferred_close_count() == 1 ? 0 : 1);
    CHECK_EQ(result_of(child), 0);
}

TAP_MAIN(TEST(close__does_not_wait), TEST(close__a_lingering_socket_lingers_no_longer),
         TEST(close__is_full_while_many_wait), TEST(unmap__beside_what_hangs), TEST(unmap__is_full_while_many_wait),
         TEST(fork__child_closes_its_own), TEST(exit__while_a_helper_hangs))

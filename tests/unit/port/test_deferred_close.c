/* What may hang in the kernel hangs a helper thread, and nobody else. */
#include "lingering.h"
#include "port/deferred_close.h"
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { ENOUGH = LINGER_S / 2 /* seconds, for what is not to wait */ };

static bool all_have_ended(void) {
    double until = seconds_now() + LINGER_S + 6;
    while (tern__deferred_close_count() && seconds_now() < until) usleep(500);
    return tern__deferred_close_count() == 0;
}

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

/* Hand over what waits until the peer's end is closed, and see the helper begin. */
static void hang_helper(int *far) {
    int fd = nested_socket(lingering_socket(far));
    CHECK(fd >= 0);
    double before = seconds_now();
    tern__deferred_close(fd);
    while (is_open(fd) && seconds_now() - before < ENOUGH) usleep(500);
    CHECK(seconds_now() - before < ENOUGH);
    CHECK_EQ(tern__deferred_close_count(), 1);
}

static void close__does_not_wait(void) {
    int far;
    hang_helper(&far);
    CHECK_OK();
    usleep(100000);
    CHECK_EQ(tern__deferred_close_count(), 1); /* it would have */
    close(far);                                /* resets */
    CHECK(all_have_ended());
}

/* A socket that lingers by itself does not even keep the helper. */
static void close__a_lingering_socket_ends_at_once(void) {
    int far, fd = lingering_socket(&far);
    double before = seconds_now();
    tern__deferred_close(fd);
    CHECK(all_have_ended());
    CHECK(!is_open(fd) && seconds_now() - before < ENOUGH);
    close(far);
}

static void close__is_full_while_many_wait(void) {
    int far;
    hang_helper(&far);
    CHECK_OK();
    for (int i = 1; i < TERN__DEFERRED_CLOSE_MAX; i++) {
        CHECK(!tern__deferred_close_is_full());
        tern__deferred_close(open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    CHECK(tern__deferred_close_is_full());
    for (int i = 0; i < 1000; i++)
        tern__deferred_close(open("/dev/null", O_RDONLY | O_CLOEXEC)); /* taken all the same */
    CHECK_EQ(tern__deferred_close_count(), TERN__DEFERRED_CLOSE_MAX + 1000);
    close(far);
    CHECK(all_have_ended() && !tern__deferred_close_is_full());
}

static uint64_t n_gone; /* atomic */

static void on_gone(uint64_t bytes) { __atomic_add_fetch(&n_gone, bytes, __ATOMIC_RELAXED); }

/* Memory has a helper of its own. */
static void unmap__beside_what_hangs(void) {
    enum { BYTES = 1 << 16 };
    int far;
    hang_helper(&far);
    CHECK_OK();
    void *base = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(base != MAP_FAILED);
    tern__deferred_unmap(base, BYTES, on_gone);
    for (int i = 0; i < 4000 && tern__deferred_close_count() > 1; i++) usleep(500);
    CHECK_EQ(tern__deferred_close_count(), 1);
    CHECK_EQ(__atomic_load_n(&n_gone, __ATOMIC_RELAXED), BYTES);
    CHECK(msync(base, BYTES, MS_ASYNC) != 0);
    close(far);
    CHECK(all_have_ended());
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
    CHECK(all_have_ended() && !tern__deferred_unmap_is_full());
    CHECK_EQ(__atomic_load_n(&n_gone, __ATOMIC_RELAXED), 1 + BYTES * TERN__DEFERRED_UNMAP_MAX);
}

/* Returns what the child says, or -1 when it takes too long. */
static int result_of(pid_t child) {
    int status;
    for (double until = seconds_now() + ENOUGH; seconds_now() < until; usleep(1000))
        if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return -1;
}

/* The child has a copy of the list, and no helper. */
static void fork__child_closes_its_own(void) {
#ifdef __SANITIZE_THREAD__
    SKIP("the thread sanitizer follows no fork() of a process with threads");
#endif
    int far, waiting = open("/dev/null", O_RDONLY | O_CLOEXEC);
    hang_helper(&far);
    CHECK_OK();
    tern__deferred_close(waiting);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 2000 && tern__deferred_close_count(); i++) usleep(500);
        _exit(tern__deferred_close_count() == 0 && !is_open(waiting) ? 0 : 1);
    }
    CHECK_EQ(result_of(child), 0);
    CHECK(is_open(waiting)); /* here it waits on */
    close(far);
    CHECK(all_have_ended() && !is_open(waiting));
}

static void exit__while_a_helper_hangs(void) {
#ifdef __SANITIZE_THREAD__
    SKIP("the thread sanitizer follows no fork() of a process with threads");
#endif
    pid_t child = fork();
    if (child == 0) {
        int far;
        hang_helper(&far);
        exit(tern__deferred_close_count() == 1 ? 0 : 1);
    }
    CHECK_EQ(result_of(child), 0);
}

TAP_MAIN(TEST(close__does_not_wait), TEST(close__a_lingering_socket_ends_at_once), TEST(close__is_full_while_many_wait),
         TEST(unmap__beside_what_hangs), TEST(unmap__is_full_while_many_wait), TEST(fork__child_closes_its_own),
         TEST(exit__while_a_helper_hangs))

/* Segments come as they are needed and go when nothing in them is in use; what happens when addresses are used up. What
 * needs a limit of its own runs in a child. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem/observe.h"
#include "mem/poison.h"
#include "mem/pool.h"
#include "tap.h"

static tern_mem_stats stats_now(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats;
}

static uint64_t committed_bytes(void) { return stats_now().committed_bytes - stats_now().huge_bytes; }

static void in_pool__before_set_up(void) {
    int x = 0;
    CHECK(!tern_in_pool(&x));
    CHECK(!tern_in_pool(NULL));
    CHECK(!tern_recover(&x, NULL));
    tern_unref(&x);
    CHECK_EQ(stats_now().reserved_bytes + stats_now().live_buffers, 0);
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), 0);
    tern__pool_flush_thread();
}

#define CHILD_CHECK(cond)                                                                                              \
    if (!(cond)) return __LINE__

/* The line where the child stopped, or 0. */
static int in_child(int (*run)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(run());
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* All buffers of a size and kind that there are addresses for: then NULL, and after a free one more. */
static int exhaust(void *alloc(size_t), size_t size, size_t least) {
    enum { MAX = 8192 };
    static void *bufs[MAX + 1];
    size_t n = 0;
    while (n <= MAX && (bufs[n] = alloc(size))) n++;
    CHILD_CHECK(n >= least && n <= MAX);
    tern_unref(bufs[n / 2]);
    void *again = alloc(size);
    CHILD_CHECK(again && !alloc(size));
    for (size_t i = 0; i < n; i++) tern_unref(bufs[i] == bufs[n / 2] ? again : bufs[i]);
    CHILD_CHECK(tern__pool_report_leaks(NULL, NULL) == 0);
    return 0;
}

static int run_with_few_addresses(void) {
    CHILD_CHECK(setrlimit(RLIMIT_AS, &(struct rlimit){512 << 20, 512 << 20}) == 0);
    void *first = tern_alloc(100);
    CHILD_CHECK(first);
    tern_unref(first);
    int line = exhaust(tern_alloc, 64 << 20, 3);
    if (!line) line = exhaust(tern_alloc_private, 64 << 20, 3);
    if (!line) line = exhaust(tern_alloc, 8 << 20, 28);
    CHILD_CHECK(stats_now().reserved_bytes <= 512 << 20);
    /* Nothing is in use but what ordinary sizes keep, so that the other kind finds room, too. */
    if (!line) line = exhaust(tern_alloc_private, 8 << 20, 28);
    if (!line) line = exhaust(tern_alloc, 256 << 10, 600);
    return line;
}

static void alloc__addresses_used_up(void) {
    if (TERN__SANITIZED || TERN__ON_VALGRIND) SKIP("the sanitizer's own addresses are above any limit");
    CHECK_EQ(in_child(run_with_few_addresses), 0);
}

/* Buffers of all sizes are there, and can be shown to nobody. */
static int use_without_files(void) {
    for (size_t bytes = 64; bytes <= (size_t)64 << 20; bytes *= 4) {
        char *buf = tern_alloc(bytes), *hidden = tern_alloc_private(bytes);
        CHILD_CHECK(buf && hidden && tern_in_pool(buf));
        memset(buf, 1, bytes);
        memset(hidden, 1, bytes);
        tern__segment *segment = tern__pool_shared_segment(buf);
        CHILD_CHECK(segment && !tern__pool_shared_segment(hidden));
        CHILD_CHECK(tern__segment_share(segment) == TERN_ERR_ACCESS);
        tern_unref(buf);
        tern_unref(hidden);
    }
    return 0;
}

static int run_with_few_files(void) {
    struct rlimit before;
    CHILD_CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, before.rlim_max}) == 0);
    int line = use_without_files();
    if (line) return line;
    CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    void *buf = tern_alloc(16 << 20); /* of a size that has no segment so far */
    CHILD_CHECK(buf && tern__segment_share(tern__pool_shared_segment(buf)) >= 0);
    return 0;
}

/* The number that the next descriptor gets. */
static int next_descriptor(void) {
    int fd = dup(STDOUT_FILENO);
    if (fd >= 0) close(fd);
    return fd;
}

/* What large buffers keep for reuse has descriptors, which others get before they do without. */
static int run_with_a_descriptor_kept(void) {
    void *large = tern_alloc(32 << 20);
    CHILD_CHECK(large && tern__segment_share(tern__pool_shared_segment(large)) >= 0);
    tern_unref(large);
    CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){5, 5}) == 0); /* three, and the two of that segment */
    void *small = tern_alloc(64);
    CHILD_CHECK(small && tern__segment_share(tern__pool_shared_segment(small)) >= 0);
    return 0;
}

/* A file beyond the limit would bring a signal. */
static int run_with_small_files(void) {
    CHILD_CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 16, 1 << 16}) == 0);
    return use_without_files();
}

/* A sandbox without memfds: memfd_create() fails with this error. */
static int forbid_memfds(unsigned error) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { CANNOT_FORBID = 255 };

static int run_without_memfds(void) { return forbid_memfds(ENOSYS) ? CANNOT_FORBID : use_without_files(); }
static int run_with_memfds_denied(void) { return forbid_memfds(EPERM) ? CANNOT_FORBID : use_without_files(); }

static void alloc__files_are_limited(void) { CHECK_EQ(in_child(run_with_small_files), 0); }

static void alloc__no_descriptor_left(void) { CHECK_EQ(in_child(run_with_few_files), 0); }

static void alloc__descriptors_that_are_kept_go_first(void) {
    if (next_descriptor() != 3) SKIP("the program was started with more than three descriptors");
    CHECK_EQ(in_child(run_with_a_descriptor_kept), 0);
}

static void alloc__memfds_are_forbidden(void) {
    int line = in_child(run_without_memfds);
    if (line == CANNOT_FORBID) SKIP("no seccomp");
    CHECK_EQ(line, 0);
    CHECK_EQ(in_child(run_with_memfds_denied), 0);
}

static void init__reserves_little(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.huge_pages = false;
    CHECK_EQ(tern_mem_init(&config), 0);
    CHECK_EQ(stats_now().reserved_bytes + stats_now().committed_bytes, 0);
    for (size_t bytes = 64; bytes <= 1 << 20; bytes *= 2) tern_unref(tern_alloc(bytes));
    CHECK_EQ(stats_now().reserved_bytes, 64 << 20);
}

/* What observers were told, in sums. */
static struct {
    tern__observer observer; /* first */
    uint64_t committed, given_back;
    unsigned n_gone;
} told;

static void on_committed(tern__observer *o, const tern__segment *s, uintptr_t at, size_t len) {
    CHECK(o == &told.observer && at >= s->start && at + len <= s->start + s->bytes);
    told.committed += len;
}
static void on_decommit(tern__observer *o, const tern__segment *s, uintptr_t at, size_t len) {
    CHECK(o == &told.observer && at >= s->start && at + len <= s->start + s->bytes);
    told.given_back += len;
}
static void on_gone(tern__observer *o, const tern__segment *s) {
    CHECK(o == &told.observer && tern__segment_generation(s->index) != s->generation);
    told.n_gone++;
}

static void check_giants_go(void *alloc(size_t)) {
    uint64_t before = committed_bytes(), reserved = stats_now().reserved_bytes;
    memset(&told, 0, sizeof told);
    told.observer.committed = on_committed;
    told.observer.decommit = on_decommit;
    told.observer.gone = on_gone;
    tern__observe(&told.observer);
    uint8_t *a = alloc(512 << 20);
    CHECK(a);
    CHECK_EQ(committed_bytes(), before + (512u << 20));
    CHECK_EQ(told.committed, 512u << 20);
    a[0] = 1, a[(512 << 20) - 1] = 2;
    tern_unref(a);
    CHECK_EQ(committed_bytes(), before);
    CHECK_EQ(stats_now().reserved_bytes, reserved);
    CHECK_EQ(told.given_back, 512u << 20);
    CHECK_EQ(told.n_gone, 1);
    CHECK(!tern_in_pool(a));
    uint8_t *b = alloc(512 << 20);
    CHECK(b);
    CHECK_EQ(b[0] + b[(512 << 20) - 1], 0);
    tern__unobserve(&told.observer);
    tern_unref(b);
    CHECK_EQ(told.n_gone, 1);
}

static void unref__giants_go(void) { check_giants_go(tern_alloc); }
static void unref__private_giants_go(void) { check_giants_go(tern_alloc_private); }

/* Memory that a peer may look at cannot be taken away in parts: only all of a segment goes, when nothing of it is in
 * use and more is kept than may be. */
static void share__segments_go_as_a_whole(void) {
    enum { BYTES = 4 << 20, PER_SEGMENT = 15, N_SEGMENTS = 6 }; /* 360 MB, of which 256 may be kept */
    static uint8_t *bufs[N_SEGMENTS][PER_SEGMENT];
    uint32_t indices[N_SEGMENTS], generations[N_SEGMENTS];
    for (int k = 0; k < N_SEGMENTS; k++) {
        for (int i = 0; i < PER_SEGMENT; i++) CHECK((bufs[k][i] = tern_alloc(BYTES)) != NULL);
        tern__segment *s = tern__pool_shared_segment(bufs[k][0]);
        for (int i = 1; i < PER_SEGMENT; i++) CHECK(tern__pool_shared_segment(bufs[k][i]) == s);
        CHECK(tern__segment_share(s) >= 0);
        indices[k] = s->index;
        generations[k] = s->generation;
    }
    uint64_t before = committed_bytes();
    bufs[0][0][7] = 7;
    for (int k = 0; k < N_SEGMENTS; k++)
        for (int i = k == 0; i < PER_SEGMENT; i++) tern_unref(bufs[k][i]);
    unsigned n_gone = 0;
    for (int k = 0; k < N_SEGMENTS; k++) n_gone += tern__segment_generation(indices[k]) != generations[k];
    CHECK(n_gone >= 1 && n_gone <= 2);
    CHECK_EQ(committed_bytes(), before - n_gone * (uint64_t)PER_SEGMENT * BYTES);
    CHECK_EQ(tern__segment_generation(indices[0]), generations[0]); /* the oldest, but in use */
    CHECK_EQ(bufs[0][0][7], 7);
    tern_unref(bufs[0][0]);
    CHECK_EQ(stats_now().live_buffers, 0);
}

typedef void *alloc_fn(size_t bytes);

/* A few buffers of every size, of which some cannot be had; what is had can be written. */
static int take_some(alloc_fn *alloc, bool also_sparse) {
    enum { PER_SIZE = 3 };
    void *bufs[TERN__MEM_N_CLASSES * PER_SIZE];
    int n = 0, n_failed = 0;
    for (size_t bytes = 64; bytes <= 8 << 20; bytes *= 2)
        for (int i = 0; i < PER_SIZE; i++) {
            uint8_t *buf = i == 2 && also_sparse ? tern__sparse_alloc(bytes, TERN__SPARSE_LEAST_BYTES) : alloc(bytes);
            if (!buf) {
                n_failed++;
                continue;
            }
            size_t reach = i == 2 && also_sparse ? tern__sparse_reach(buf, bytes / 2, bytes) : bytes;
            if (reach == 0) n_failed++;
            if (reach) buf[0] = buf[reach - 1] = 1;
            bufs[n++] = buf;
        }
    while (n > 0) tern_unref(bufs[--n]);
    return n_failed;
}

static alloc_fn *failing_alloc;
static uint64_t failing_commit;

/* 1: no so many commits were needed. */
static int run_with_a_failing_commit(void) {
    bool is_private = failing_alloc == tern_alloc_private;
    tern__segment_fail_after(failing_commit);
    /* A smaller step, another place or normal pages may do instead of what failed. */
    CHILD_CHECK(take_some(failing_alloc, is_private) <= 1);
    bool fired = tern__segment_fail_after(0) == 0;
    CHILD_CHECK(stats_now().live_buffers == 0);
    CHILD_CHECK(tern__pool_report_leaks(NULL, NULL) == 0);
    CHILD_CHECK(take_some(failing_alloc, is_private) == 0);
    return fired ? 0 : 1;
}

/* The nth commit of memory fails, over both kinds: the program is told, nothing is lost, and the next one works. */
static void alloc__nth_commit_fails(void) {
    static alloc_fn *const allocs[] = {tern_alloc, tern_alloc_private};
    for (int kind = 0; kind < 2; kind++) {
        int line = 0;
        failing_alloc = allocs[kind];
        for (failing_commit = 1; line == 0; failing_commit++) line = in_child(run_with_a_failing_commit);
        CHECK_EQ(line, 1);
        CHECK(failing_commit > 20);
    }
}

TAP_MAIN(TEST(in_pool__before_set_up), TEST(alloc__addresses_used_up), TEST(alloc__nth_commit_fails),
         TEST(alloc__no_descriptor_left), TEST(alloc__descriptors_that_are_kept_go_first),
         TEST(alloc__files_are_limited), TEST(alloc__memfds_are_forbidden), TEST(init__reserves_little),
         TEST(unref__giants_go), TEST(unref__private_giants_go), TEST(share__segments_go_as_a_whole))

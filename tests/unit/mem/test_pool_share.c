/* Segments shown to another process: it sees every buffer at its offset, and can write none. Huge pages. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem/pool.h"
#include "tap.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

static void share__descriptor_of_a_segment(void) {
    for (size_t bytes = 64; bytes <= 256 << 20; bytes *= 16) {
        uint8_t *buf = tern_alloc(bytes), *hidden = tern_alloc_private(bytes);
        CHECK(buf && hidden);
        tern__segment *s = tern__pool_shared_segment(buf);
        CHECK(s && !tern__pool_shared_segment(hidden) && !tern__pool_shared_segment(&s));
        int fd = tern__segment_share(s);
        CHECK(fd >= 0);
        CHECK_EQ(tern__segment_share(s), fd);
        CHECK_EQ(tern__segment_share(tern__segment_around((uintptr_t)hidden)), TERN_ERR_ACCESS);
        tern_unref(buf);
        tern_unref(hidden);
    }
}

static void share__files_are_sealed(void) {
    const int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE;
    void *buf = tern_alloc(64);
    int fd = tern__segment_share(tern__pool_shared_segment(buf));
    CHECK_EQ(fcntl(fd, F_GET_SEALS) & wanted, wanted);
    CHECK_EQ(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    tern_unref(buf);
}

/* What a hostile peer would try, with the descriptor it got and with one it opens anew. */
static const char *attack(int shared_fd) {
    char path[64];
    size_t len = 2 << 20;
    snprintf(path, sizeof path, "/proc/self/fd/%d", shared_fd);
    int rw = open(path, O_RDWR);
    const int fds[] = {shared_fd, rw};
    for (int i = 0; i < 2; i++) {
        if (fds[i] < 0) continue; /* not even opened: as good */
        if (mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fds[i], 0) != MAP_FAILED) return "writable mapping";
        if (pwrite(fds[i], "x", 1, 0) > 0) return "pwrite";
        if (ftruncate(fds[i], 0) == 0) return "ftruncate";
        if (fallocate(fds[i], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)len) == 0) return "punch hole";
        void *ro = mmap(NULL, len, PROT_READ, MAP_SHARED | MAP_NORESERVE, fds[i], 0);
        if (ro == MAP_FAILED) continue; /* no huge page to look at */
        if (mprotect(ro, len, PROT_READ | PROT_WRITE) == 0) return "mprotect";
        munmap(ro, len);
    }
    if (rw >= 0) close(rw);
    return NULL;
}

/* Map the segment and look for the buffer's text at its offset. */
static const char *look(int fd, size_t bytes, size_t offset, const char *text) {
    char *base = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (base == MAP_FAILED) return "segment cannot be mapped";
    size_t piece = offset & ~(((size_t)2 << 20) - 1);
    if (madvise(base + piece, 2 << 20, MADV_POPULATE_READ) != 0 && errno != EINVAL) return "piece cannot be read";
    return strcmp(base + offset, text) == 0 ? NULL : "text differs";
}

static void share__peer_reads_and_cannot_write(void) {
    int status;
    char *bufs[4] = {tern_alloc(64), tern_alloc(100000), tern_alloc(8 << 20), tern_alloc(100 << 20)};
    for (int i = 0; i < 4; i++) {
        CHECK(bufs[i]);
        char *text = bufs[i] + 40;
        snprintf(text, 24, "buffer %d", i);
        tern__segment *s = tern__pool_shared_segment(bufs[i]);
        int fd = tern__segment_share(s);
        CHECK(fd >= 0);
        pid_t pid = fork();
        if (pid == 0) {
            const char *failed = look(fd, s->bytes, (size_t)((uintptr_t)text - s->start), text);
            if (!failed) failed = attack(fd);
            if (failed) printf("# %s\n", failed);
            fflush(stdout);
            _exit(failed ? 1 : 42);
        }
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    }
    for (int i = 0; i < 4; i++) tern_unref(bufs[i]);
}

static int free_huge_pages(void) {
    FILE *f = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "r");
    int n = 0;
    if (!f) return 0;
    if (fscanf(f, "%d", &n) != 1) n = 0;
    fclose(f);
    return n;
}

static void huge_pages__used_while_there_are_any(void) {
    enum { MAX = 64 };
    static uint8_t *bufs[MAX];
    tern_mem_stats stats;
    int n_free = free_huge_pages(), n = 0;
    if (n_free < 2 || n_free > MAX - 8) SKIP("needs 2 to 56 free huge pages (vm.nr_hugepages)");
    for (; n < n_free + 4; n++) {
        bufs[n] = tern_alloc(2 << 20);
        CHECK(bufs[n]);
        memset(bufs[n], n, 2 << 20);
    }
    CHECK_EQ(free_huge_pages(), 0);
    tern_mem_get_stats(&stats);
    CHECK(stats.huge_bytes >= (uint64_t)n_free << 21);
    CHECK(stats.committed_bytes >= stats.huge_bytes + ((uint64_t)4 << 21));
    for (int i = 0; i < n; i++) {
        CHECK_EQ(bufs[i][12345], i);
        CHECK(tern_recover(bufs[i] + (2 << 20) - 1, NULL) == bufs[i]);
        tern_unref(bufs[i]);
    }
    void *small = tern_alloc(64 << 10);
    CHECK(small);
    tern_unref(small);
}

static void huge_pages__none_free(void) {
    tern_mem_stats before, after;
    if (free_huge_pages() > 0) SKIP("needs a machine with no free huge page");
    tern_mem_get_stats(&before);
    void *buf = tern_alloc(16 << 20);
    CHECK(buf);
    memset(buf, 1, 16 << 20);
    tern_mem_get_stats(&after);
    CHECK_EQ(after.huge_bytes, before.huge_bytes);
    tern_unref(buf);
}

/* The huge pages first: an attempt that found too few, of a large buffer, puts off the next ones. */
TAP_MAIN(TEST(huge_pages__used_while_there_are_any), TEST(huge_pages__none_free), TEST(share__descriptor_of_a_segment),
         TEST(share__files_are_sealed), TEST(share__peer_reads_and_cannot_write))

/* Making, filling and sharing segments; see segment.h. */
#include "mem/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_limit.h"
#include "mem/observe.h"
#include "tern/err.h"

/* Kernel constants that C library headers of the supported systems may lack. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MFD_HUGE_2MB
#define MFD_HUGE_2MB (21U << 26)
#endif
#ifndef MAP_HUGE_2MB
#define MAP_HUGE_2MB (21 << 26)
#endif

/* All segments. Places are read without the lock: a reader who has no pointer into the segment holds the lock of the
 * segment's class. */
static struct {
    pthread_mutex_t lock;
    tern__segment *at[TERN__MEM_MAX_SEGMENTS];
    uint32_t n; /* places that were ever used; atomic */
    uint32_t generation;
    uint64_t reserved_bytes; /* atomic */
    uintptr_t hint;          /* where the next one may fit */
} segments = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A sparse memfd of a fixed size, or -1. Its mode keeps other users from opening it again through /proc. */
static int memfd_of(const char *name, size_t bytes, bool huge) {
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING | (huge ? MFD_HUGETLB | MFD_HUGE_2MB : 0U);
    int fd = memfd_create(name, flags | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd_create(name, flags); /* before Linux 6.3 */
    if (fd < 0) return -1;
    if (fchmod(fd, 0600) != 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static void *map_nothing(uintptr_t at, size_t bytes) {
    void *p = mmap((void *)at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Addresses with nothing behind them, a multiple of the segments' alignment; 0 when there are none. Below the one
 * before, if they are free, so that no more than that need be asked for. */
static uintptr_t reserve_aligned(size_t bytes) {
    const uintptr_t align = (uintptr_t)1 << TERN__SEGMENT_SHIFT;
    uintptr_t hint = __atomic_load_n(&segments.hint, __ATOMIC_RELAXED);
    if (hint > bytes) {
        uintptr_t wanted = (hint - bytes) & ~(align - 1);
        void *p = map_nothing(wanted, bytes);
        if (p == (void *)wanted) return wanted;
        if (p) munmap(p, bytes);
    }
    void *p = map_nothing(0, bytes + align);
    if (!p) return 0;
    uintptr_t start = (uintptr_t)p, base = (start + align - 1) & ~(align - 1);
    if (base > start) munmap(p, base - start);
    if (start + align > base) munmap((void *)(base + bytes), start + align - base);
    return base;
}

/* What map_buffers() returns besides a descriptor. */
enum { NO_FILE = -1, NOT_MAPPED = -2 };

/* Whether the process has no descriptor left: one may come back. */
static bool lacks_descriptors(void) { return errno == EMFILE || errno == ENFILE; }

/* Map the buffers at their place. Returns their memfd; NO_FILE for memory that nobody can be shown, which stays as it
 * was reserved; or NOT_MAPPED. Shared memory is without a file where there can be none: files of this size or memfds
 * are forbidden, or, if the caller does without one, descriptors are out. */
static int map_buffers(uintptr_t start, size_t bytes, unsigned kind, bool needs_file) {
    bool huge = kind & TERN__SEGMENT_HUGE;
    if (kind & TERN__SEGMENT_PRIVATE) {
        if (!huge) return NO_FILE;
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED | MAP_HUGETLB | MAP_HUGE_2MB;
        return mmap((void *)start, bytes, PROT_NONE, flags, -1, 0) == MAP_FAILED ? NOT_MAPPED : NO_FILE;
    }
    if (!tern__file_may_have(bytes)) return huge ? NOT_MAPPED : NO_FILE;
    int fd = memfd_of(huge ? "tern-pool-huge" : "tern-pool", bytes, huge);
    if (fd < 0) return huge || (needs_file && lacks_descriptors()) ? NOT_MAPPED : NO_FILE;
    if (mmap((void *)start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) ==
        MAP_FAILED) {
        close(fd);
        return NOT_MAPPED;
    }
    return fd;
}

/* A place in the table. False when there is none. */
static bool enlist(tern__segment *s) {
    uint32_t i = 0;
    pthread_mutex_lock(&segments.lock);
    while (i < segments.n && segments.at[i]) i++;
    bool found = i < TERN__MEM_MAX_SEGMENTS;
    if (found) {
        s->index = i;
        s->generation = ++segments.generation;
        __atomic_store_n(&segments.at[i], s, __ATOMIC_RELEASE);
        if (i == segments.n) __atomic_store_n(&segments.n, i + 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&segments.lock);
    return found;
}

static size_t reserved_of(const tern__segment *s) { return TERN__SEGMENT_HEAD_BYTES + s->bytes; }

static void unmap_segment(const tern__segment *s) {
    int fd = s->fd, shared_fd = s->shared_fd;
    munmap((void *)(s->start - TERN__SEGMENT_HEAD_BYTES), reserved_of(s)); /* the record, too */
    if (fd >= 0) close(fd);
    if (shared_fd >= 0) close(shared_fd);
}

tern__segment *tern__segment_new(unsigned kind, size_t bytes, bool needs_file) {
    size_t all = TERN__SEGMENT_HEAD_BYTES + bytes;
    uintptr_t base = reserve_aligned(all);
    if (!base) return NULL;
    tern__segment *s = (tern__segment *)base;
    int fd = map_buffers(base + TERN__SEGMENT_HEAD_BYTES, bytes, kind, needs_file);
    bool ok = fd != NOT_MAPPED && mprotect((void *)base, TERN__SEGMENT_HEAD_BYTES, PROT_READ) == 0 &&
              mprotect(s, sizeof *s, PROT_READ | PROT_WRITE) == 0;
    if (ok) {
        *s = (tern__segment){.start = base + TERN__SEGMENT_HEAD_BYTES, .bytes = bytes, .kind = (uint8_t)kind};
        s->fd = fd;
        s->shared_fd = -1;
        ok = enlist(s);
    }
    if (!ok) {
        munmap((void *)base, all);
        if (fd >= 0) close(fd);
        return NULL;
    }
    /* A core dump would walk all of it, mostly holes; tern__segment_admit() lets in what is in use. */
    madvise((void *)s->start, bytes, MADV_DONTDUMP);
    __atomic_fetch_add(&segments.reserved_bytes, all, __ATOMIC_RELAXED);
    __atomic_store_n(&segments.hint, base, __ATOMIC_RELAXED);
    return s;
}

void tern__segment_free(tern__segment *s) {
    __atomic_fetch_sub(&segments.reserved_bytes, reserved_of(s), __ATOMIC_RELAXED);
    pthread_mutex_lock(&segments.lock);
    __atomic_store_n(&segments.at[s->index], NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&segments.lock);
    tern__observe_gone(s);
    /* What comes next may fit here. */
    __atomic_store_n(&segments.hint, s->start - TERN__SEGMENT_HEAD_BYTES + reserved_of(s), __ATOMIC_RELAXED);
    unmap_segment(s);
}

tern__segment *tern__segment_at(uint32_t index) { return __atomic_load_n(&segments.at[index], __ATOMIC_ACQUIRE); }
uint32_t tern__segment_count(void) { return __atomic_load_n(&segments.n, __ATOMIC_ACQUIRE); }

uint32_t tern__segment_generation(uint32_t index) {
    pthread_mutex_lock(&segments.lock);
    uint32_t generation = segments.at[index] ? segments.at[index]->generation : 0;
    pthread_mutex_unlock(&segments.lock);
    return generation;
}

uint64_t tern__segment_reserved_bytes(void) { return __atomic_load_n(&segments.reserved_bytes, __ATOMIC_RELAXED); }

static uintptr_t counts_of(const tern__segment *s, unsigned chunk) {
    return (uintptr_t)s + TERN__COUNTS_AT + (uintptr_t)(chunk - 1) * TERN__COUNTS_BYTES;
}

void tern__segment_divide(tern__segment *s, unsigned chunk, unsigned shift) {
    if (chunk) {
        uintptr_t offset = (uintptr_t)chunk << TERN__CHUNK_SHIFT;
        s->origins[chunk] = counts_of(s, chunk) - (offset >> shift) * sizeof(uint32_t);
        return;
    }
    for (unsigned i = 1; i < TERN__SEGMENT_CHUNKS; i++) s->origins[i] = counts_of(s, 1);
}

/* In steps that make the calls rare. The counts of a whole chunk at once: a part of them would be a mapping of its own
 * for the kernel, which has only so many for a process. */
bool tern__segment_admit(const tern__segment *s, uintptr_t at, size_t len, unsigned shift) {
    const uintptr_t step = 64 << 10, area = (uintptr_t)s + TERN__COUNTS_AT;
    uintptr_t first = (uintptr_t)tern__count_at(at, shift);
    uintptr_t last = (uintptr_t)(tern__count_at(at, shift) + ((len - 1) >> shift));
    uintptr_t from = (area + (first - area) / TERN__COUNTS_BYTES * TERN__COUNTS_BYTES) & ~(step - 1);
    uintptr_t to = area + ((last - area) / TERN__COUNTS_BYTES + 1) * TERN__COUNTS_BYTES;
    if (s->fd < 0 && mprotect((void *)at, len, PROT_READ | PROT_WRITE) != 0) return false;
    madvise((void *)at, len, MADV_DODUMP);
    return mprotect((void *)from, ((to + step - 1) & ~(step - 1)) - from, PROT_READ | PROT_WRITE) == 0;
}

bool tern__segment_open(const tern__segment *s, uintptr_t at, size_t len) {
    (void)s;
    madvise((void *)at, len, MADV_DODUMP);
    return mprotect((void *)at, len, PROT_READ | PROT_WRITE) == 0;
}

bool tern__segment_shut(const tern__segment *s, uintptr_t at, size_t len) {
    (void)s;
    return mprotect((void *)at, len, PROT_NONE) == 0;
}

static uint64_t populate_countdown; /* atomic */

uint64_t tern__segment_fail_after(uint64_t n) { return __atomic_exchange_n(&populate_countdown, n, __ATOMIC_RELAXED); }

/* Whether this one is to fail. */
static bool is_injected(void) {
    uint64_t left = __atomic_load_n(&populate_countdown, __ATOMIC_RELAXED);
    while (left && !__atomic_compare_exchange_n(&populate_countdown, &left, left - 1, false, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
        continue;
    return left == 1;
}

bool tern__segment_can_populate(void) {
    /* Nothing is ever mapped at the second page: whoever says that it has memory now has not looked. */
    enum { PAGE_BYTES = 4096 };
    return madvise((void *)(uintptr_t)PAGE_BYTES, PAGE_BYTES, MADV_POPULATE_WRITE) != 0 && errno == ENOMEM;
}

bool tern__segment_populate(const tern__segment *s, uintptr_t at, size_t len) {
    bool done = false;
    if (is_injected()) return false;
    for (int tries = 0; tries < 8 && !done; tries++) {
        done = madvise((void *)at, len, MADV_POPULATE_WRITE) == 0;
        if (!done && errno != EAGAIN && errno != EINTR) break;
    }
    /* Before Linux 5.14: allocate the pages in the file, which serves as well; only the first touch of each is slower.
     * Private pages are there when they are touched. */
    if (!done && errno == EINVAL)
        done = s->fd < 0 || fallocate(s->fd, FALLOC_FL_KEEP_SIZE, (off_t)(at - s->start), (off_t)len) == 0;
    if (done) tern__observe_committed(s, at, len);
    return done;
}

bool tern__segment_decommit(const tern__segment *s, uintptr_t at, size_t len) {
    if (__atomic_load_n(&s->is_sealed, __ATOMIC_RELAXED)) return false;
    tern__observe_decommit(s, at, len);
    if (s->fd < 0) return madvise((void *)at, len, MADV_DONTNEED) == 0;
    return fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(at - s->start), (off_t)len) == 0;
}

void tern__segment_forget_counts(const tern__segment *s, unsigned chunk) {
    const uintptr_t page = 4096, from = (counts_of(s, chunk) + page - 1) & ~(page - 1);
    madvise((void *)from, ((counts_of(s, chunk) + TERN__COUNTS_BYTES) & ~(page - 1)) - from, MADV_DONTNEED);
}

int tern__segment_share(tern__segment *s) {
    if (s->fd < 0) return TERN_ERR_ACCESS;
    pthread_mutex_lock(&segments.lock);
    int fd = s->shared_fd;
    if (fd < 0) {
        fd = TERN_ERR_IO;
        __atomic_store_n(&s->is_sealed, true, __ATOMIC_RELAXED);
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", s->fd);
        if (fcntl(s->fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0)
            s->shared_fd = fd = open(path, O_RDONLY | O_CLOEXEC);
        else
            __atomic_store_n(&s->is_sealed, false, __ATOMIC_RELAXED);
        if (fd < 0) fd = TERN_ERR_IO;
    }
    pthread_mutex_unlock(&segments.lock);
    return fd;
}

/* Where the pool's memory comes from; see region.h. All system calls of the layer are here. */
#include "mem/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void *map_private(size_t bytes, int prot) {
    void *p = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    madvise(p, bytes, MADV_DONTDUMP);
    return p;
}

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

static int map_half(uintptr_t base, size_t bytes, bool huge) {
    int fd = memfd_of(huge ? "tern-pool-huge" : "tern-pool", bytes, huge);
    if (fd < 0) return -1;
    void *p = mmap((void *)base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
    if (p == MAP_FAILED) {
        close(fd);
        return -1;
    }
    /* A core dump would walk the whole range, terabytes of holes; tern__region_admit() lets in what is in use. */
    madvise(p, bytes, MADV_DONTDUMP);
    return fd;
}

/* Address space for all halves with nothing behind it yet. */
static uintptr_t reserve_range(size_t bytes, size_t align) {
    void *p = map_private(bytes + align, PROT_NONE);
    if (!p) return 0;
    uintptr_t start = (uintptr_t)p, base = (start + align - 1) & ~(uintptr_t)(align - 1);
    if (base > start) munmap(p, base - start);
    munmap((void *)(base + bytes), start + align - base);
    return base;
}

/* Of the counts and of the stacks: a u32 for each 64 B of two halves. Classes of larger buffers use less of their
 * part. */
static size_t array_bytes(const tern__region *r) { return 2 * tern__region_half_bytes(r) >> TERN__MEM_MIN_SHIFT << 2; }

/* Of the u32 for each large buffer of the normal half: twice as many as a share has buffers of 2 MB. */
static size_t fill_table_bytes(const tern__region *r) {
    return sizeof *r->filled << (r->share_shift - TERN__MEM_HUGE_SHIFT + 1);
}

/* One attempt with shares of this size. */
static bool try_init(tern__region *region, unsigned share_shift, bool huge) {
    tern__region r = {.share_shift = share_shift, .n_halves = huge ? 2 : 1, .fds = {-1, -1}, .shared_fds = {-1, -1}};
    size_t half = tern__region_half_bytes(&r);
    size_t counts_bytes = array_bytes(&r);
    /* Aligned to the largest buffer that a share holds, so that buffers are aligned to their sizes. */
    unsigned align_shift = share_shift < TERN__MEM_MAX_SHIFT ? share_shift : TERN__MEM_MAX_SHIFT;
    r.base = reserve_range(half * r.n_halves, (size_t)1 << align_shift);
    if (!r.base) return false;
    r.counts = map_private(counts_bytes, PROT_READ);
    if (!r.counts) goto fail_range;
    r.stacks = map_private(counts_bytes, PROT_READ);
    if (!r.stacks) goto fail_counts;
    r.filled = map_private(fill_table_bytes(&r), PROT_READ | PROT_WRITE);
    if (!r.filled) goto fail_stacks;
    r.fds[0] = map_half(r.base, half, false);
    if (r.fds[0] < 0) goto fail_filled;
    if (huge) r.fds[1] = map_half(r.base + half, half, true);
    if (huge && r.fds[1] < 0) {
        munmap((void *)(r.base + half), half);
        r.n_halves = 1;
    }
    r.bytes = half * r.n_halves;
    *region = r;
    return true;
fail_filled:
    munmap(r.filled, fill_table_bytes(&r));
fail_stacks:
    munmap(r.stacks, counts_bytes);
fail_counts:
    munmap(r.counts, counts_bytes);
fail_range:
    munmap((void *)r.base, half * r.n_halves);
    return false;
}

int tern__region_init(tern__region *region, unsigned share_shift, bool huge) {
    if (share_shift > TERN__MEM_MAX_SHARE_SHIFT) share_shift = TERN__MEM_MAX_SHARE_SHIFT;
    if (share_shift < TERN__MEM_MIN_SHARE_SHIFT) share_shift = TERN__MEM_MIN_SHARE_SHIFT;
    for (; share_shift >= TERN__MEM_MIN_SHARE_SHIFT; share_shift--)
        if (try_init(region, share_shift, huge)) return 0;
    return TERN_ERR_NOMEM;
}

bool tern__region_populate(const tern__region *region, size_t offset, size_t len) {
    for (int tries = 0; tries < 8; tries++) {
        if (madvise((void *)(region->base + offset), len, MADV_POPULATE_WRITE) == 0) return true;
        if (errno != EAGAIN && errno != EINTR) break;
    }
    if (errno != EINVAL) return false;
    /* Before Linux 5.14: allocate the pages in the file, which serves as well; only the first touch of each
     * is slower. */
    size_t half = tern__region_half_bytes(region);
    int fd = region->fds[offset >= half];
    return fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)(offset % half), (off_t)len) == 0;
}

/* In steps that make the calls rare; the arrays are multiples of the step. */
static bool make_writable(uint32_t *array, size_t first, size_t n) {
    const size_t step = 64 << 10;
    size_t start = first * sizeof *array / step * step, end = ((first + n) * sizeof *array + step - 1) / step * step;
    return mprotect((uint8_t *)array + start, end - start, PROT_READ | PROT_WRITE) == 0;
}

/* The halves share a stack: when either has come to buffer i, there are at most 2 i in it as far as that half goes. */
bool tern__region_admit(const tern__region *region, size_t offset, size_t len) {
    size_t slot = offset >> region->share_shift, slot_start = slot << region->share_shift;
    unsigned cls = slot % TERN__MEM_N_SLOTS, shift = TERN__MEM_MIN_SHIFT + cls;
    size_t first = (offset - slot_start) >> shift, n = len >> shift;
    size_t stack = (size_t)(tern__region_stack(region, cls) - region->stacks);
    madvise((void *)(region->base + offset), len, MADV_DODUMP);
    return make_writable(region->counts, (slot_start >> TERN__MEM_MIN_SHIFT) + first, n) &&
           make_writable(region->stacks, stack + 2 * first, 2 * n);
}

bool tern__region_commit(const tern__region *region, size_t offset, size_t len) {
    return tern__region_admit(region, offset, len) && tern__region_populate(region, offset, len);
}

bool tern__region_decommit(const tern__region *region, size_t offset, size_t len) {
    if (region->sealed) return false;
    return fallocate(region->fds[0], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)len) == 0;
}

int tern__region_share(tern__region *region) {
    for (unsigned half = 0; half < region->n_halves; half++) {
        if (region->shared_fds[half] >= 0) continue;
        if (fcntl(region->fds[half], F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0) return TERN_ERR_IO;
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", region->fds[half]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) return TERN_ERR_IO;
        region->shared_fds[half] = fd;
    }
    region->sealed = true;
    return 0;
}

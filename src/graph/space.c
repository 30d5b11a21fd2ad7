/* Addresses and memory of heaps; see space.h. */
#include "graph/space.h"

#include <errno.h>
#include <sys/mman.h>

#include "mem/poison.h"
#include "mem/pool.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE_BYTES = 4096 };

static size_t to_pages(size_t bytes) { return (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1); }

static size_t records_bytes(size_t bytes) { return to_pages((bytes >> TERN__REGION_SHIFT) * sizeof(tern__region)); }
static size_t tables_bytes(size_t bytes) {
    return records_bytes(bytes) + (bytes >> TERN__REGION_SHIFT) * TERN__REGION_WORDS * sizeof(tern__bits);
}

static uint8_t *map_nothing(uintptr_t at, size_t bytes, int flags) {
    void *p = mmap((void *)at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Put pages behind addresses that may be written to. */
static bool populate(void *at, size_t len) {
    bool done = false;
    for (int tries = 0; tries < 8 && !done; tries++) {
        done = madvise(at, len, MADV_POPULATE_WRITE) == 0;
        if (!done && errno != EAGAIN && errno != EINTR) break;
    }
    return done || errno == EINVAL; /* before Linux 5.14 pages come when they are touched */
}

static bool open_tables(tern__space *s) {
    uint8_t *tables = map_nothing(0, tables_bytes(s->bytes), 0);
    if (!tables) return false;
    s->regions = (tern__region *)(void *)tables;
    s->bits = (tern__bits *)(void *)(tables + records_bytes(s->bytes));
    return true;
}

int tern__space_open(tern__space *s, size_t bytes, bool shared) {
    const size_t chunk = (size_t)1 << TERN__CHUNK_SHIFT;
    *s = (tern__space){.bytes = (bytes + chunk - 1) & ~(chunk - 1)};
    if (tern__pool_refuses() || !open_tables(s)) return TERN_ERR_NOMEM;
    s->segment = tern__segment_new(shared ? 0 : TERN__SEGMENT_PRIVATE, s->bytes, false);
    if (!s->segment) {
        munmap(s->regions, tables_bytes(s->bytes));
        return TERN_ERR_NOMEM;
    }
    s->base = (uint8_t *)s->segment->start;
    return 0;
}

int tern__space_open_at(tern__space *s, uintptr_t base, size_t bytes, int fd, uint64_t offset, size_t file_bytes) {
    *s = (tern__space){.bytes = bytes, .file_bytes = file_bytes};
    if (tern__pool_refuses() || !open_tables(s)) return TERN_ERR_NOMEM;
    int err = TERN_ERR_EXISTS;
    s->base = map_nothing(base, bytes, MAP_FIXED_NOREPLACE);
    if ((uintptr_t)s->base != base) goto fail_map; /* a kernel before 4.17 takes the address for a wish */
    err = TERN_ERR_NOMEM;
    if (file_bytes && mmap(s->base, file_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, fd,
                           (off_t)offset) == MAP_FAILED)
        goto fail_map;
    s->committed_bytes = file_bytes;
    return 0;

fail_map:
    if (s->base) munmap(s->base, bytes);
    munmap(s->regions, tables_bytes(bytes));
    *s = (tern__space){0};
    return err;
}

void tern__space_close(tern__space *s) {
    for (size_t i = 0; i < s->n_ready; i++)
        tern__unpoison(s->base + (i << TERN__REGION_SHIFT), s->regions[i].committed_bytes);
    munmap(s->regions, tables_bytes(s->bytes));
    if (s->segment)
        tern__segment_free(s->segment);
    else
        munmap(s->base, s->bytes);
}

/* In steps that make the calls rare. */
bool tern__space_prepare(tern__space *s, size_t end) {
    const size_t n_all = s->bytes >> TERN__REGION_SHIFT, word_bytes = TERN__REGION_WORDS * sizeof(tern__bits);
    if (end <= s->n_ready) return true;
    if (end > n_all || tern__pool_refuses()) return false;
    size_t grown = s->n_ready / 4 + s->n_ready;
    end = grown > end ? grown < n_all ? grown : n_all : end;
    uint8_t *records = (uint8_t *)s->regions, *bits = (uint8_t *)s->bits;
    size_t from = s->n_ready * sizeof(tern__region) & ~(size_t)(PAGE_BYTES - 1);
    size_t len = to_pages(end * sizeof(tern__region)) - from;
    if (mprotect(records + from, len, PROT_READ | PROT_WRITE) != 0 || !populate(records + from, len)) return false;
    from = s->n_ready * word_bytes;
    len = end * word_bytes - from;
    if (mprotect(bits + from, len, PROT_READ | PROT_WRITE) != 0 || !populate(bits + from, len)) return false;
    s->n_ready = end;
    return true;
}

bool tern__space_commit(tern__space *s, size_t at, size_t len) {
    uint8_t *start = s->base + at;
    if (tern__pool_refuses()) return false;
    if (s->segment) {
        if (!tern__segment_open(s->segment, (uintptr_t)start, len)) return false;
        if (!tern__segment_populate(s->segment, (uintptr_t)start, len)) return false;
    } else if (mprotect(start, len, PROT_READ | PROT_WRITE) != 0 || !populate(start, len)) {
        return false;
    }
    s->committed_bytes += len;
    tern__poison(start, len);
    return true;
}

bool tern__space_commit_huge(tern__space *s, size_t at) {
    const size_t bytes = (size_t)1 << TERN__MEM_HUGE_SHIFT;
    if (mprotect(s->base + at, bytes, PROT_READ | PROT_WRITE) == 0) madvise(s->base + at, bytes, MADV_HUGEPAGE);
    return tern__space_commit(s, at, bytes);
}

/* Of a file's heap the pages are replaced, those of the file, too. */
static bool decommit_mapped(uint8_t *start, size_t len) {
    return map_nothing((uintptr_t)start, len, MAP_FIXED) != NULL;
}

bool tern__space_decommit(tern__space *s, size_t at, size_t len, bool faults) {
    uint8_t *start = s->base + at;
    bool done = s->segment ? tern__segment_decommit(s->segment, (uintptr_t)start, len) : decommit_mapped(start, len);
    if (s->segment && faults) tern__segment_shut(s->segment, (uintptr_t)start, len);
    if (!done && !faults) return false;
    tern__unpoison(start, len);
    s->committed_bytes -= len;
    return true;
}

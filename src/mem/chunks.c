/* Writing the map of memory, and the list of extents; see chunks.h. */
#include "mem/chunks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tern/err.h"

enum { PAGE_BYTES = 4096 };

static const uintptr_t CHUNK_MASK = ((uintptr_t)1 << TERN__CHUNK_SHIFT) - 1;
static const size_t N_CODES = (size_t)1 << (TERN__ADDRESS_BITS - TERN__CHUNK_SHIFT);

tern__map tern__pool __attribute__((aligned(64)));

tern__extent tern__numbered[TERN__N_EXTENTS];

/* All extents by address. */
static struct {
    /* Guards the list, and writing the codes of extents. Not on the line of tern__pool, which every thread reads. */
    _Alignas(64) pthread_rwlock_t lock;
    tern__extent *list; /* ascending by start, without overlaps */
    size_t n, cap;
} extents = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static bool make_map(void) {
    if (tern__pool.codes) return true;
    /* Writable in parts, where it is written: the kernel counts only those. */
    void *p = mmap(NULL, N_CODES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    madvise(p, N_CODES, MADV_DONTDUMP);
    tern__pool.codes = p;
    __atomic_store_n(&tern__pool.n_codes, N_CODES, __ATOMIC_RELEASE);
    return true;
}

/* The first use may be by two threads at once. */
bool tern__map_init(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool made = make_map();
    pthread_mutex_unlock(&lock);
    return made;
}

/* The chunks that a piece of memory touches. */
typedef struct chunk_range {
    size_t first, last;
} chunk_range;

static chunk_range chunks_of(uintptr_t start, size_t bytes) {
    return (chunk_range){start >> TERN__CHUNK_SHIFT, (start + bytes - 1) >> TERN__CHUNK_SHIFT};
}

static bool may_write(chunk_range chunks) {
    uintptr_t from = (uintptr_t)(tern__pool.codes + chunks.first) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t to = (uintptr_t)(tern__pool.codes + chunks.last + 1);
    return mprotect((void *)from, to - from, PROT_READ | PROT_WRITE) == 0;
}

bool tern__map_set(uintptr_t start, size_t bytes, unsigned code) {
    chunk_range chunks = chunks_of(start, bytes);
    if (chunks.last >= N_CODES || (code != 0 && !may_write(chunks))) return false;
    for (size_t i = chunks.first; i <= chunks.last; i++)
        __atomic_store_n(&tern__pool.codes[i], (uint8_t)code, __ATOMIC_RELAXED);
    return true;
}

/* ---- Extents ------------------------------------------------------------------------------------ */

/* How many extents of the list begin at or before this address. */
static size_t n_before(uintptr_t at) {
    size_t low = 0, high = extents.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (extents.list[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool grow_list(void) {
    if (extents.n < extents.cap) return true;
    size_t cap = extents.cap ? 2 * extents.cap : 16;
    tern__extent *list = realloc(extents.list, cap * sizeof *list);
    if (!list) return false;
    extents.list = list;
    extents.cap = cap;
    return true;
}

/* Whether pool buffers that are found by arithmetic lie in one of these chunks. */
static bool has_small_buffers(uintptr_t start, size_t bytes) {
    chunk_range chunks = chunks_of(start, bytes);
    for (size_t i = chunks.first; i <= chunks.last; i++)
        if (tern__pool.codes[i] && tern__pool.codes[i] < TERN__CODE_EXTENTS) return true;
    return false;
}

static bool overlaps_listed(const tern__extent *e) {
    size_t i = n_before(e->start + e->bytes - 1);
    return i > 0 && extents.list[i - 1].start + extents.list[i - 1].bytes > e->start;
}

/* The number of an entry that is not in use, or TERN__N_EXTENTS. */
static unsigned free_number(void) {
    unsigned i = 0;
    while (i < TERN__N_EXTENTS && tern__numbered[i].bytes) i++;
    return i;
}

/* Whether an extent touches the chunk that this address lies in. */
static bool chunk_is_listed(uintptr_t at) {
    uintptr_t first = at & ~CHUNK_MASK;
    size_t i = n_before(at | CHUNK_MASK);
    return i > 0 && extents.list[i - 1].start + extents.list[i - 1].bytes > first;
}

/* The code of a chunk that an extent has a part of, or had. */
static void mark_edge(uintptr_t at) { tern__map_set(at, 1, chunk_is_listed(at) ? TERN__CODE_LISTED : 0); }

/* The chunks that are wholly the extent's own have its number, if there is one left. */
static void mark_extent(const tern__extent *e) {
    uintptr_t end = e->start + e->bytes, inner = (e->start + CHUNK_MASK) & ~CHUNK_MASK, inner_end = end & ~CHUNK_MASK;
    unsigned number = inner < inner_end ? free_number() : (unsigned)TERN__N_EXTENTS;
    if (number < TERN__N_EXTENTS) tern__numbered[number] = *e;
    if (inner < inner_end) tern__map_set(inner, inner_end - inner, TERN__CODE_EXTENTS + number);
    if (inner != e->start) mark_edge(e->start);
    if (inner_end != end) mark_edge(end - 1);
}

static void unmark_extent(const tern__extent *e) {
    uintptr_t end = e->start + e->bytes, inner = (e->start + CHUNK_MASK) & ~CHUNK_MASK, inner_end = end & ~CHUNK_MASK;
    if (inner < inner_end) tern__map_set(inner, inner_end - inner, 0);
    if (inner != e->start) mark_edge(e->start);
    if (inner_end != end) mark_edge(end - 1);
    for (unsigned i = 0; i < TERN__N_EXTENTS; i++)
        if (tern__numbered[i].start == e->start) tern__numbered[i] = (tern__extent){0};
}

static int add_locked(const tern__extent *e) {
    uintptr_t end = e->start + e->bytes;
    if (e->bytes == 0 || end < e->start || chunks_of(e->start, e->bytes).last >= N_CODES) return TERN_ERR_INVALID;
    if (has_small_buffers(e->start, e->bytes) || overlaps_listed(e)) return TERN_ERR_EXISTS;
    if (!grow_list() || !may_write(chunks_of(e->start, e->bytes))) return TERN_ERR_NOMEM;
    size_t at = n_before(e->start);
    memmove(extents.list + at + 1, extents.list + at, (extents.n - at) * sizeof *extents.list);
    extents.list[at] = *e;
    if (e->segment) extents.list[at].count = tern__count_at(e->start, TERN__CHUNK_SHIFT);
    extents.n++;
    mark_extent(&extents.list[at]);
    return 0;
}

int tern__extent_add(const tern__extent *extent) {
    if (!tern__map_init()) return TERN_ERR_NOMEM;
    pthread_rwlock_wrlock(&extents.lock);
    int err = add_locked(extent);
    pthread_rwlock_unlock(&extents.lock);
    return err;
}

void tern__extent_remove(uintptr_t start) {
    pthread_rwlock_wrlock(&extents.lock);
    size_t at = n_before(start);
    if (at > 0 && extents.list[at - 1].start == start) {
        tern__extent e = extents.list[--at];
        extents.n--;
        memmove(extents.list + at, extents.list + at + 1, (extents.n - at) * sizeof *extents.list);
        unmark_extent(&e);
    }
    pthread_rwlock_unlock(&extents.lock);
}

tern__extent tern__extent_find(uintptr_t at, unsigned code) {
    if (code < TERN__CODE_LISTED) return tern__numbered[code - TERN__CODE_EXTENTS];
    tern__extent found = {0};
    pthread_rwlock_rdlock(&extents.lock);
    size_t i = n_before(at);
    if (i > 0 && at - extents.list[i - 1].start < extents.list[i - 1].bytes) found = extents.list[i - 1];
    pthread_rwlock_unlock(&extents.lock);
    return found;
}

bool tern__extent_is_at(uintptr_t at) { return tern__extent_find(at, TERN__CODE_LISTED).bytes != 0; }

/* Registered memory: extents whose owner is the program. */
#include "mem/regions.h"

#include <stdlib.h>

#include "base/sized.h"
#include "tern/mem.h"

struct tern_region {
    uintptr_t start;
    size_t bytes;
    tern_region_ops ops;
    void *user;
    uint64_t in_flight; /* references that we hold; atomic */
};

static uint32_t foreign_count = TERN__REFS_FOREIGN;

static tern_region *region_of(const void *ptr) {
    unsigned code = tern__code_of(ptr);
    if (code < TERN__CODE_EXTENTS) return NULL;
    return tern__extent_find((uintptr_t)ptr, code).region;
}

bool tern__region_locate(const void *ptr, size_t len, uint32_t **counter) {
    const tern_region *r = region_of(ptr);
    if (!r || len > r->bytes - ((uintptr_t)ptr - r->start)) return false;
    *counter = &foreign_count;
    return true;
}

int tern__region_ref(const void *ptr) {
    tern_region *r = region_of(ptr);
    if (!r) return TERN_ERR_INVALID;
    /* The region is still there, because no other thread may unregister it while this one is about to send a value in
     * it (mem.h). The count must include the reference before the owner's function runs: from here on
     * tern_region_unregister() returns TERN_ERR_AGAIN. */
    __atomic_fetch_add(&r->in_flight, 1, __ATOMIC_RELAXED);
    int err = r->ops.ref ? r->ops.ref(r->user, ptr) : 0;
    if (err) __atomic_fetch_sub(&r->in_flight, 1, __ATOMIC_RELEASE);
    return err;
}

bool tern__region_unref(const void *ptr) {
    tern_region *r = region_of(ptr);
    if (!r) return true;
    if (tern_region_in_flight(r) == 0) return false;
    if (r->ops.unref) r->ops.unref(r->user, ptr);
    __atomic_fetch_sub(&r->in_flight, 1, __ATOMIC_RELEASE);
    return true;
}

int tern_region_register(const void *start, size_t bytes, const tern_region_ops *ops, void *user, tern_region **out) {
    if (!start || bytes == 0 || !out) return TERN_ERR_INVALID;
    tern_region_ops own_ops = {0};
    if (ops && tern__sized_read(&own_ops, sizeof own_ops, ops) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    tern_region *r = calloc(1, sizeof *r);
    if (!r) return TERN_ERR_NOMEM;
    r->start = (uintptr_t)start;
    r->bytes = bytes;
    r->ops = own_ops;
    r->user = user;
    int err = tern__extent_add(&(tern__extent){.start = r->start, .bytes = bytes, .region = r});
    if (err) {
        free(r);
        return err;
    }
    *out = r;
    return 0;
}

uint64_t tern_region_in_flight(const tern_region *region) {
    return region ? __atomic_load_n(&region->in_flight, __ATOMIC_ACQUIRE) : 0;
}

int tern_region_unregister(tern_region *region) {
    if (!region) return 0;
    if (tern_region_in_flight(region)) return TERN_ERR_AGAIN;
    tern__extent_remove(region->start);
    free(region);
    return 0;
}

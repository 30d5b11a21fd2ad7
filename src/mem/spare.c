/* Chunks without a class; see spare.h. */
#include "mem/spare.h"

#include "mem/poison.h"

enum { N_KINDS = 4 };

static const uint16_t ALL_CHUNKS = (uint16_t)~1u; /* but the head */

static tern__segment *segment_of(const tern__chunk *k) { return tern__segment_around((uintptr_t)k); }
static uint16_t bit_of(const tern__chunk *k) { return (uint16_t)(1u << (k - segment_of(k)->chunks)); }

void tern__spare_init(tern__spare *spare) {
    pthread_mutex_init(&spare->lock, NULL);
    for (unsigned kind = 0; kind < N_KINDS; kind++) tern__list_init(&spare->kept[kind]);
}

/* ---- With the lock held -------------------------------------------------------------------------- */

static uint32_t *n_kept_of(tern__spare *spare, const tern__segment *s) {
    return &spare->n_kept[(s->kind & TERN__SEGMENT_PRIVATE) != 0];
}

/* Whether memory of a part of the segment can go to the system. */
static bool may_decommit(const tern__segment *s) {
    return !(s->kind & TERN__SEGMENT_HUGE) && !__atomic_load_n(&s->is_sealed, __ATOMIC_RELAXED);
}

static void uncount(tern__spare *spare, tern__chunk *k) {
    if (k->is_counted) __atomic_fetch_sub(n_kept_of(spare, segment_of(k)), 1, __ATOMIC_RELAXED);
    k->is_counted = false;
}

static void unlist_kept(tern__spare *spare, tern__chunk *k) {
    tern__list_remove(&k->node);
    uncount(spare, k);
}

static void list_kept(tern__spare *spare, tern__chunk *k) {
    tern__segment *s = segment_of(k);
    tern__list_append(&spare->kept[s->kind], &k->node);
    k->is_counted = may_decommit(s);
    if (k->is_counted) __atomic_fetch_add(n_kept_of(spare, s), 1, __ATOMIC_RELAXED);
}

static void unlink_segment(tern__spare *spare, tern__segment *s) {
    tern__segment **link = &spare->with_chunks[s->kind];
    while (*link != s) link = &(*link)->next;
    *link = s->next;
}

static void link_segment(tern__spare *spare, tern__segment *s) {
    s->next = spare->with_chunks[s->kind];
    spare->with_chunks[s->kind] = s;
}

static void remove_chunk(tern__spare *spare, tern__chunk *k) {
    tern__segment *s = segment_of(k);
    if (k->filled_bytes) unlist_kept(spare, k);
    s->free_chunks &= (uint16_t)~bit_of(k);
    if (s->free_chunks == 0) unlink_segment(spare, s);
}

static uint64_t kept_bytes_of(const tern__segment *s) {
    uint64_t bytes = 0;
    for (unsigned i = 1; i < TERN__SEGMENT_CHUNKS; i++) bytes += s->chunks[i].filled_bytes;
    return bytes;
}

/* Returns the chunk's segment if it is to be freed, which is in no list any more; else NULL. */
static tern__segment *add_chunk(tern__spare *spare, tern__chunk *k) {
    tern__segment *s = segment_of(k);
    if (s->free_chunks == 0) link_segment(spare, s);
    s->free_chunks |= bit_of(k);
    if (k->filled_bytes) list_kept(spare, k);
    if (s->free_chunks != ALL_CHUNKS || kept_bytes_of(s)) return NULL;
    unlink_segment(spare, s);
    return s;
}

static tern__chunk *last_kept(tern__spare *spare, unsigned kind) {
    tern__node *head = &spare->kept[kind];
    return tern__list_empty(head) ? NULL : TERN__CONTAINER(head->prev, tern__chunk, node);
}

static tern__chunk *without_memory(tern__spare *spare, unsigned kind, bool needs_file) {
    tern__segment *s = spare->with_chunks[kind];
    if (!s) {
        s = tern__segment_new(kind, TERN__SEGMENT_BODY_BYTES, needs_file);
        if (!s) return NULL;
        for (unsigned i = 0; i < TERN__SEGMENT_CHUNKS; i++) tern__list_init(&s->chunks[i].node);
        s->free_chunks = ALL_CHUNKS;
        link_segment(spare, s);
    }
    return &s->chunks[__builtin_ctz(s->free_chunks)];
}

/* ---- Taking and giving back ---------------------------------------------------------------------- */

static tern__chunk *take(tern__spare *spare, unsigned kind, unsigned code, bool kept_only, bool needs_file) {
    pthread_mutex_lock(&spare->lock);
    tern__chunk *k = last_kept(spare, kind);
    if (!k && !kept_only) k = without_memory(spare, kind, needs_file);
    if (k) {
        tern__segment_divide(segment_of(k), (unsigned)(k - segment_of(k)->chunks), tern__code_shift(code));
        if (tern__map_set(tern__chunk_start(k), 1, code)) {
            remove_chunk(spare, k);
            k->is_idle = false;
        } else {
            k = NULL;
        }
    }
    pthread_mutex_unlock(&spare->lock);
    return k;
}

tern__chunk *tern__spare_take(tern__spare *spare, unsigned kind, unsigned code, bool needs_file) {
    return take(spare, kind, code, false, needs_file);
}

tern__chunk *tern__spare_take_kept(tern__spare *spare, unsigned kind, unsigned code) {
    return take(spare, kind, code, true, false);
}

bool tern__spare_is_kept(tern__spare *spare, unsigned kind) {
    pthread_mutex_lock(&spare->lock);
    bool is_kept = last_kept(spare, kind) != NULL;
    pthread_mutex_unlock(&spare->lock);
    return is_kept;
}

static void free_segment(tern__segment *s) {
    if (!s) return;
    tern__unpoison((void *)s->start, s->bytes);
    tern__segment_free(s);
}

void tern__spare_give(tern__spare *spare, tern__chunk *k) {
    tern__map_set(tern__chunk_start(k), 1, 0);
    pthread_mutex_lock(&spare->lock);
    tern__segment *s = add_chunk(spare, k);
    pthread_mutex_unlock(&spare->lock);
    free_segment(s);
}

/* ---- Giving memory to the system ------------------------------------------------------------------ */

static bool all_idle(const tern__segment *s) {
    for (unsigned i = 1; i < TERN__SEGMENT_CHUNKS; i++)
        if (s->chunks[i].filled_bytes && !s->chunks[i].is_idle) return false;
    return true;
}

/* Take segments that are wholly free out, with at least n chunks if there are as many. Returns their list, and how many
 * chunks it has. With the lock held. */
static tern__segment *take_segments(tern__spare *spare, unsigned kind, uint32_t n, bool idle_only, uint32_t *n_taken) {
    tern__segment *taken = NULL, **link = &spare->with_chunks[kind];
    while (*link && *n_taken < n) {
        tern__segment *s = *link;
        if (s->free_chunks != ALL_CHUNKS || (idle_only && !all_idle(s))) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        s->next = taken;
        taken = s;
        for (unsigned i = 1; i < TERN__SEGMENT_CHUNKS; i++) {
            if (!s->chunks[i].filled_bytes) continue;
            unlist_kept(spare, &s->chunks[i]);
            ++*n_taken;
        }
    }
    return taken;
}

/* Take up to n chunks whose memory can go to the system out, into a list. With idle_only those that are not idle are
 * from now on. With the lock held. */
static void take_chunks(tern__spare *spare, unsigned kind, uint32_t n, bool idle_only, tern__node *out) {
    for (tern__node *node = spare->kept[kind].next, *next; node != &spare->kept[kind]; node = next) {
        tern__chunk *k = TERN__CONTAINER(node, tern__chunk, node);
        next = node->next;
        bool may_go = !idle_only || k->is_idle;
        k->is_idle = k->is_idle || idle_only;
        if (!may_decommit(segment_of(k))) {
            uncount(spare, k); /* a peer was shown the segment meanwhile */
        } else if (may_go && n > 0) {
            remove_chunk(spare, k);
            tern__list_append(out, node);
            n--;
        }
    }
}

/* The chunk is in no list. Returns the bytes given back. */
static uint64_t decommit(tern__chunk *k) {
    const tern__segment *s = segment_of(k);
    uint64_t bytes = k->filled_bytes;
    if (!tern__segment_decommit(s, tern__chunk_start(k), bytes)) return 0;
    tern__segment_forget_counts(s, (unsigned)(k - s->chunks));
    k->filled_bytes = 0;
    return bytes;
}

/* System calls are made without the lock. */
uint64_t tern__spare_release(tern__spare *spare, bool is_private, uint32_t n, bool idle_only) {
    const unsigned kind = is_private ? TERN__SEGMENT_PRIVATE : 0;
    uint32_t n_taken = 0;
    uint64_t bytes = 0;
    tern__node chunks;
    tern__list_init(&chunks);
    pthread_mutex_lock(&spare->lock);
    tern__segment *segments = take_segments(spare, kind, n, idle_only, &n_taken);
    take_chunks(spare, kind, n_taken < n ? n - n_taken : 0, idle_only, &chunks);
    pthread_mutex_unlock(&spare->lock);
    for (tern__segment *s = segments, *next; s; s = next) {
        next = s->next;
        bytes += kept_bytes_of(s);
        free_segment(s);
    }
    while (!tern__list_empty(&chunks)) {
        tern__chunk *k = TERN__CONTAINER(chunks.next, tern__chunk, node);
        tern__list_remove(&k->node);
        bytes += decommit(k);
        pthread_mutex_lock(&spare->lock);
        tern__segment *s = add_chunk(spare, k);
        pthread_mutex_unlock(&spare->lock);
        free_segment(s);
    }
    return bytes;
}

/* Open addressing with linear probing over {hash, entry} slots; deletion shifts the followers back, so that
 * there are no tombstones and a miss ends at the first empty slot. Invariant: at most 3/4 of the slots are
 * in use, and from an entry's home slot to its own there is no empty one. */
#include "store.h"

#include <stdlib.h>

#include "order.h"

/* A value with its key. One that stands in no slot is a draft. */
typedef struct store_draft entry;

struct store_draft {
    order_node *node; /* its place among the keys */
    uint64_t version;
    uint64_t buffer_bytes; /* pool memory behind the segments, padding included */
    uint64_t value_bytes;
    uint32_t n_segments, key_len;
    union {
        tern_bytes one;   /* n_segments == 1, which saves the common case a cache line */
        tern_bytes *many; /* room for list_cap(n_segments) */
    } segments;
    char key[];
};

typedef struct slot {
    uint64_t hash;
    entry *entry; /* NULL: empty */
} slot;

struct store {
    slot *slots;
    size_t mask; /* slots - 1 */
    uint64_t last_version;
    hash_seed seed;
    order order; /* of the entries, by key */
    store_stats stats;
};

enum { MIN_SLOTS = 1024 };

/* Segments on their way into the store. */
typedef struct batch {
    tern_bytes *segments;
    uint32_t n;
    uint32_t n_held;
    uint64_t buffer_bytes, value_bytes;
} batch;

static tern_bytes *entry_segments(entry *e) { return e->n_segments == 1 ? &e->segments.one : e->segments.many; }

/* Lists grow by doubling, so that appending n times costs O(n). */
static size_t list_cap(size_t n) {
    size_t cap = 2;
    while (cap < n) cap *= 2;
    return cap;
}

static uint64_t list_bytes(size_t n) { return n > 1 ? list_cap(n) * sizeof(tern_bytes) : 0; }

static uint64_t entry_bytes(const entry *e) {
    return sizeof *e + order_node_bytes(e->node) + e->key_len + list_bytes(e->n_segments) + e->buffer_bytes;
}

int store_new(const store_config *config, store **out) {
    if (config->max_bytes < MIN_SLOTS * sizeof(slot)) return TERN_ERR_LIMIT;
    store *st = calloc(1, sizeof *st);
    if (!st) return TERN_ERR_NOMEM;
    st->slots = calloc(MIN_SLOTS, sizeof(slot));
    if (!st->slots) {
        free(st);
        return TERN_ERR_NOMEM;
    }
    st->mask = MIN_SLOTS - 1;
    st->seed = config->seed;
    order_init(&st->order, config->seed.k0 ^ config->seed.k1);
    st->stats.max_bytes = config->max_bytes;
    st->stats.memory_bytes = MIN_SLOTS * sizeof(slot);
    *out = st;
    return 0;
}

static void unref_all(const tern_bytes *segments, size_t n) {
    for (size_t i = 0; i < n; i++) tern_unref(segments[i].data);
}

static void entry_free(entry *e) {
    unref_all(entry_segments(e), e->n_segments);
    if (e->n_segments != 1) free(e->segments.many);
    free(e);
}

void store_free(store *st) {
    if (!st) return;
    for (size_t i = 0; i <= st->mask; i++)
        if (st->slots[i].entry) entry_free(st->slots[i].entry);
    order_fini(&st->order);
    free(st->slots);
    free(st);
}

/* The key's slot, or the empty one where it belongs. */
static slot *find(const store *st, tern_str key, uint64_t hash) {
    for (size_t i = hash & st->mask;; i = (i + 1) & st->mask) {
        slot *s = &st->slots[i];
        if (!s->entry) return s;
        if (s->hash == hash && s->entry->key_len == key.len && memcmp(s->entry->key, key.data, key.len) == 0) return s;
    }
}

bool store_get(store *st, tern_str key, store_value *value) {
    entry *e = find(st, key, hash_bytes(st->seed, key.data, key.len))->entry;
    if (!e) {
        st->stats.misses++;
        return false;
    }
    st->stats.hits++;
    value->segments = entry_segments(e);
    value->n_segments = e->n_segments;
    value->n_bytes = e->value_bytes;
    value->version = e->version;
    return true;
}

/* Double the table when one more entry would pass 3/4. */
static int make_room(store *st) {
    size_t n_slots = st->mask + 1;
    if (st->stats.n_keys + 1 <= n_slots - n_slots / 4) return 0;
    if (n_slots * sizeof(slot) > st->stats.max_bytes - st->stats.memory_bytes) return TERN_ERR_LIMIT;
    slot *old = st->slots, *slots = calloc(2 * n_slots, sizeof(slot));
    if (!slots) return TERN_ERR_NOMEM;
    st->slots = slots;
    st->mask = 2 * n_slots - 1;
    st->stats.memory_bytes += n_slots * sizeof(slot);
    for (size_t i = 0; i < n_slots; i++) {
        if (!old[i].entry) continue;
        size_t at = old[i].hash & st->mask;
        while (slots[at].entry) at = (at + 1) & st->mask;
        slots[at] = old[i];
    }
    free(old);
    return 0;
}

/* Make one received segment ours: by a reference where the buffer is mostly the segment, else by a copy. */
static int keep(tern_bytes in, tern_bytes *out, batch *b) {
    *out = tern_bytes_of(NULL, in.len);
    if (in.len == 0) return 0;
    size_t buffer_bytes = 0;
    if (in.len >= STORE_HOLD_MIN_BYTES && tern_recover(in.data, &buffer_bytes) && in.len >= buffer_bytes / 2 &&
        tern_ref(in.data) == 0) {
        out->data = in.data;
        b->n_held++;
    } else {
        void *copy = tern_alloc(in.len);
        if (!copy) return TERN_ERR_NOMEM;
        memcpy(copy, in.data, in.len);
        tern_recover(copy, &buffer_bytes);
        out->data = copy;
    }
    b->buffer_bytes += buffer_bytes;
    b->value_bytes += in.len;
    return 0;
}

static int batch_take(batch *b, const tern_bytes *segments, size_t n) {
    int err = 0;
    for (; b->n < n; b->n++) {
        if (segments[b->n].len > STORE_MAX_SEGMENT_BYTES) err = TERN_ERR_INVALID;
        if (!err) err = keep(segments[b->n], &b->segments[b->n], b);
        if (err) break;
    }
    return err;
}

/* Give the entry the batch's segments, after those it has (append) or in their place. Room has been
 * checked; fails only for want of memory, and then changes nothing. */
static int entry_swap(entry *e, const batch *b, bool append) {
    size_t kept = append ? e->n_segments : 0, n = kept + b->n;
    tern_bytes *many = NULL;
    if (n > 1) {
        if (append && kept > 1)
            many = realloc(e->segments.many, list_cap(n) * sizeof *many);
        else
            many = malloc(list_cap(n) * sizeof *many);
        if (!many) return TERN_ERR_NOMEM;
        if (kept == 1) many[0] = e->segments.one;
        memcpy(many + kept, b->segments, b->n * sizeof *many);
    }
    if (!append) {
        unref_all(entry_segments(e), e->n_segments);
        if (e->n_segments != 1) free(e->segments.many);
        e->buffer_bytes = e->value_bytes = 0;
    }
    if (n > 1)
        e->segments.many = many;
    else
        e->segments.one = b->segments[0];
    e->n_segments = (uint32_t)n;
    e->buffer_bytes += b->buffer_bytes;
    e->value_bytes += b->value_bytes;
    return 0;
}

/* Whether max_bytes allows `e`, which is in the store (or fresh), to take the batch. */
static bool fits(const store *st, const entry *e, bool fresh, const batch *b, bool append) {
    uint64_t before = fresh ? 0 : entry_bytes(e);
    uint64_t after = sizeof *e + order_node_bytes(e->node) + e->key_len + b->buffer_bytes;
    if (append)
        after += e->buffer_bytes + list_bytes(e->n_segments + b->n);
    else
        after += list_bytes(b->n);
    return after <= before || after - before <= st->stats.max_bytes - st->stats.memory_bytes;
}

static entry *entry_new(store *st, tern_str key) {
    entry *e = calloc(1, sizeof *e + key.len);
    if (!e) return NULL;
    e->key_len = (uint32_t)key.len;
    memcpy(e->key, key.data, key.len);
    e->node = order_node_new(&st->order, (tern_str){e->key, key.len}, e);
    if (e->node) return e;
    free(e);
    return NULL;
}

/* The batch into an entry, which is fresh or stands in its slot. */
static int fill_entry(store *st, entry *e, bool fresh, const batch *b, bool append) {
    if (!fits(st, e, fresh, b, append)) return TERN_ERR_LIMIT;
    uint64_t memory_before = fresh ? 0 : entry_bytes(e), value_before = e->value_bytes;
    if (entry_swap(e, b, append)) return TERN_ERR_NOMEM;
    e->version = ++st->last_version;
    st->stats.memory_bytes += entry_bytes(e) - memory_before;
    st->stats.value_bytes += e->value_bytes - value_before;
    return (int)e->n_segments;
}

/* An entry whose node is linked nowhere. */
static void loose_entry_free(entry *e) {
    free(e->node);
    entry_free(e);
}

static void link_entry(store *st, entry *e, uint64_t hash) {
    *find(st, (tern_str){e->key, e->key_len}, hash) = (slot){hash, e};
    order_link(&st->order, e->node);
    st->stats.n_keys++;
}

static int put_batch(store *st, tern_str key, const batch *b, bool append) {
    uint64_t hash = hash_bytes(st->seed, key.data, key.len);
    entry *e = find(st, key, hash)->entry;
    if (e) {
        if (append && e->n_segments + b->n > STORE_MAX_SEGMENTS) return TERN_ERR_INVALID;
        return fill_entry(st, e, false, b, append);
    }
    int n = make_room(st);
    if (n) return n;
    if (!(e = entry_new(st, key))) return TERN_ERR_NOMEM;
    n = fill_entry(st, e, true, b, false);
    if (n < 0)
        loose_entry_free(e);
    else
        link_entry(st, e, hash);
    return n;
}

static bool is_key(tern_str key) { return key.len > 0 && key.len <= STORE_MAX_KEY_BYTES; }

enum { FEW = 8 }; /* segments that need no list of their own on their way */

/* Returns 0 or an error; batch_close() either way. */
static int batch_open(batch *b, tern_bytes few[FEW], const tern_bytes *segments, size_t n) {
    *b = (batch){.segments = n <= FEW ? few : malloc(n * sizeof *b->segments)};
    return b->segments ? batch_take(b, segments, n) : TERN_ERR_NOMEM;
}

/* err: why the store has not taken the segments, or nothing negative. */
static void batch_close(store *st, batch *b, tern_bytes few[FEW], int err) {
    if (err < 0) {
        unref_all(b->segments, b->n);
    } else {
        st->stats.held_segments += b->n_held;
        st->stats.copied_segments += b->n - b->n_held;
    }
    if (b->segments != few) free(b->segments);
}

int store_put(store *st, tern_str key, const tern_bytes *segments, size_t n_segments, bool append) {
    if (!is_key(key) || n_segments == 0 || n_segments > STORE_MAX_SEGMENTS) return TERN_ERR_INVALID;
    tern_bytes few[FEW];
    batch b;
    int n = batch_open(&b, few, segments, n_segments);
    if (n == 0) n = put_batch(st, key, &b, append);
    if (n >= 0) st->stats.puts++;
    batch_close(st, &b, few, n);
    return n;
}

/* ---- Drafts: entries that stand in no slot ---------------------------------------------------------- */

static void count_draft(store *st, const entry *e) {
    st->stats.n_drafts++;
    st->stats.draft_bytes += entry_bytes(e);
}

static void uncount_draft(store *st, const entry *e) {
    st->stats.n_drafts--;
    st->stats.draft_bytes -= entry_bytes(e);
}

int store_draft_new(store *st, tern_str key, store_draft **out) {
    if (!is_key(key)) return TERN_ERR_INVALID;
    entry *e = entry_new(st, key);
    if (!e) return TERN_ERR_NOMEM;
    if (entry_bytes(e) > st->stats.max_bytes - st->stats.memory_bytes) {
        loose_entry_free(e);
        return TERN_ERR_LIMIT;
    }
    st->stats.memory_bytes += entry_bytes(e);
    count_draft(st, e);
    *out = e;
    return 0;
}

tern_str store_draft_key(const store_draft *d) { return (tern_str){d->key, d->key_len}; }

int store_draft_add(store *st, store_draft *d, const tern_bytes *segments, size_t n_segments) {
    if (n_segments > STORE_MAX_SEGMENTS - d->n_segments) return TERN_ERR_INVALID;
    if (n_segments == 0) return (int)d->n_segments;
    tern_bytes few[FEW];
    batch b;
    uint64_t before = entry_bytes(d);
    int n = batch_open(&b, few, segments, n_segments);
    if (n == 0 && !fits(st, d, false, &b, true)) n = TERN_ERR_LIMIT;
    if (n == 0) n = entry_swap(d, &b, true);
    if (n == 0) {
        n = (int)d->n_segments;
        st->stats.memory_bytes += entry_bytes(d) - before;
        st->stats.draft_bytes += entry_bytes(d) - before;
    }
    batch_close(st, &b, few, n);
    return n;
}

static void exchange_values(entry *a, entry *b) {
    entry was = *a;
    a->buffer_bytes = b->buffer_bytes, b->buffer_bytes = was.buffer_bytes;
    a->value_bytes = b->value_bytes, b->value_bytes = was.value_bytes;
    a->n_segments = b->n_segments, b->n_segments = was.n_segments;
    a->segments = b->segments, b->segments = was.segments;
}

int store_draft_commit(store *st, store_draft *d) {
    tern_str key = store_draft_key(d);
    uint64_t hash = hash_bytes(st->seed, key.data, key.len);
    entry *e = find(st, key, hash)->entry;
    int n = (int)d->n_segments, err = n == 0 ? TERN_ERR_INVALID : e ? 0 : make_room(st);
    if (err) return err;
    st->stats.puts++;
    st->stats.value_bytes += d->value_bytes;
    if (e) {
        st->stats.value_bytes -= e->value_bytes;
        uncount_draft(st, d);
        exchange_values(e, d);
        count_draft(st, d);
        store_draft_discard(st, d);
    } else {
        uncount_draft(st, d);
        link_entry(st, d, hash);
        e = d;
    }
    e->version = ++st->last_version;
    return n;
}

void store_draft_discard(store *st, store_draft *d) {
    if (!d) return;
    uncount_draft(st, d);
    st->stats.memory_bytes -= entry_bytes(d);
    loose_entry_free(d);
}

/* Empty a slot and move back every follower that may not stand behind a gap. */
static void remove_slot(store *st, size_t hole) {
    for (size_t i = (hole + 1) & st->mask; st->slots[i].entry; i = (i + 1) & st->mask) {
        size_t home = st->slots[i].hash & st->mask;
        if (((i - home) & st->mask) < ((i - hole) & st->mask)) continue;
        st->slots[hole] = st->slots[i];
        hole = i;
    }
    st->slots[hole].entry = NULL;
}

bool store_delete(store *st, tern_str key) {
    slot *s = find(st, key, hash_bytes(st->seed, key.data, key.len));
    entry *e = s->entry;
    if (!e) return false;
    remove_slot(st, (size_t)(s - st->slots));
    st->stats.n_keys--;
    st->stats.deletes++;
    st->stats.memory_bytes -= entry_bytes(e);
    st->stats.value_bytes -= e->value_bytes;
    free(order_unlink(&st->order, key));
    entry_free(e);
    return true;
}

bool store_seek(const store *st, tern_str key, bool after, tern_str *found, store_value *value) {
    const order_node *node = order_seek(&st->order, key, after);
    if (!node) return false;
    entry *e = node->value;
    *found = node->key;
    *value = (store_value){entry_segments(e), e->n_segments, e->value_bytes, e->version};
    return true;
}

void store_get_stats(const store *st, store_stats *stats) { *stats = st->stats; }

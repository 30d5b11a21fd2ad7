/* The store: keys are bytes, a value is a list of segments that lie in refcounted pool buffers, so that a
 * reply can send them from where they are.
 *
 * Invariant: a stored segment is never written to. A Put brings new buffers and swaps them in; a
 * transmission of the old ones that is still under way keeps them alive through its own references.
 * Everything that the store holds on to counts against max_bytes, padding and tables included.
 * One thread. */
#ifndef KV_STORE_H
#define KV_STORE_H

#include "hash.h"
#include "tern/mem.h"
#include "tern/type.h"

enum {
    STORE_MAX_KEY_BYTES = 16 << 10,
    STORE_MAX_SEGMENTS = 1 << 16,                      /* of one value */
    STORE_MAX_SEGMENT_BYTES = (64 << 20) - (64 << 10), /* fits a message, with room for the rest of it */
    /* A received value shorter than this is copied: as it would be copied again to be sent, keeping the
     * packet buys nothing. */
    STORE_HOLD_MIN_BYTES = 512,
};

typedef struct store store;

typedef struct store_config {
    uint64_t max_bytes;
    hash_seed seed; /* unpredictable where peers choose the keys */
} store_config;

typedef struct store_value {
    tern_bytes *segments; /* the store's own, to be put into a response; not to be written */
    uint32_t n_segments;
    uint64_t n_bytes; /* of all of them */
    uint64_t version; /* unique to this content, over all keys of the store */
} store_value;

/* How many of a value's segments go into one message, from `first` on: max_bytes of them, and STORE_MAX_AT_ONCE, or
 * there is no end to what a short question costs; but one in any case. */
enum { STORE_MAX_AT_ONCE = 256 };
static inline uint32_t store_some(const store_value *value, uint32_t first, size_t max_bytes) {
    uint32_t n = 1, most = value->n_segments - first;
    size_t bytes = value->segments[first].len;
    if (most > STORE_MAX_AT_ONCE) most = STORE_MAX_AT_ONCE;
    while (n < most && bytes + value->segments[first + n].len <= max_bytes) bytes += value->segments[first + n++].len;
    return n;
}

typedef struct store_stats {
    uint64_t n_keys, value_bytes, memory_bytes, max_bytes; /* now */
    uint64_t n_drafts, draft_bytes;                        /* now; the bytes are some of memory_bytes */
    uint64_t hits, misses, puts, deletes;
    uint64_t held_segments, copied_segments;
} store_stats;

/* Returns 0 or TERN_ERR_NOMEM, TERN_ERR_LIMIT (max_bytes is too small for an empty table). */
int store_new(const store_config *config, store **out);
void store_free(store *st);

/* Look a key up. True: *value is valid until the next put or delete. */
bool store_get(store *st, tern_str key, store_value *value);

/* Replace the key's value with these segments, or add them to it. A segment that fills at least half of the
 * pool buffer around it is kept there (one more reference); others are copied. Returns the number of segments that the
 * value has now; TERN_ERR_INVALID (empty or too long key, no or too many segments, segment too long); TERN_ERR_LIMIT
 * (max_bytes would be passed); TERN_ERR_NOMEM. After an error the old value stands. */
int store_put(store *st, tern_str key, const tern_bytes *segments, size_t n_segments, bool append);

/* A value that comes in parts, and that nobody sees before it is whole. It counts against max_bytes beside the value
 * that its key has. Whoever makes a draft commits or discards it before the store is freed. */
typedef struct store_draft store_draft;

/* Returns 0; TERN_ERR_INVALID (empty or too long key), _LIMIT (max_bytes), _NOMEM. */
int store_draft_new(store *st, tern_str key, store_draft **out);
tern_str store_draft_key(const store_draft *d);

/* Add segments to its end, kept or copied as store_put() does. Returns how many it has now, or as store_put(); after an
 * error the draft is as before. */
int store_draft_add(store *st, store_draft *d, const tern_bytes *segments, size_t n_segments);

/* Make it the value of its key, in place of the one there. Returns the number of segments, and the draft is gone;
 * TERN_ERR_INVALID (it has no segment), _LIMIT, _NOMEM (the table cannot grow for a new key): it stands, and so does
 * the old value. */
int store_draft_commit(store *st, store_draft *d);
void store_draft_discard(store *st, store_draft *d); /* may be NULL */

/* Returns whether the key was there. */
bool store_delete(store *st, tern_str key);

/* The first key at or after this one in the order of bytes, or only after it, and its value; both valid until the next
 * put or delete. False past the last. Keys come each once, in order, when each is sought after the one before; those
 * put or deleted meanwhile may or may not come. */
bool store_seek(const store *st, tern_str key, bool after, tern_str *found, store_value *value);

void store_get_stats(const store *st, store_stats *stats);

#endif

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
    uint64_t version; /* unique to this content, over all keys of the store */
} store_value;

typedef struct store_stats {
    uint64_t n_keys, value_bytes, memory_bytes, max_bytes; /* now */
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

/* Returns whether the key was there. */
bool store_delete(store *st, tern_str key);

/* The first key at or after this one in the order of bytes, or only after it, and its value; both valid until the next
 * put or delete. False past the last. Keys come each once, in order, when each is sought after the one before; those
 * put or deleted meanwhile may or may not come. */
bool store_seek(const store *st, tern_str key, bool after, tern_str *found, store_value *value);

void store_get_stats(const store *st, store_stats *stats);

#endif

/* Maps: a list of entries, and behind it a hash table of their numbers.
 *
 * The table is open-addressed and never more than three quarters full. A slot is 0 when free; else its low bits are
 * the number of an entry, plus one, and the bits above them come from the key's hash, so that most probes that miss
 * touch no entry:
 *
 *   slot = [ 32 - k bits of the hash | entry + 1: k bits ]      2^k slots
 *
 * Invariant: every key among the first n_entries entries has one slot, which names its last entry. A table counts only
 * for the storage that it was made for (`data`), so a map whose storage somebody has replaced is searched linearly, and
 * entries that somebody has appended are searched before the table. What the table names is still checked
 * against the map's length and compared by key: a stale table makes a search fail, and never read what is not there. */
#include "type/map.h"

#include "base/base.h"
#include "base/rng.h"
#include "type/field.h"

/* More slots than the greatest buffer holds, behind the rest of the table, cannot be had. */
enum { SLOTS_MIN = 16, SLOTS_MAX = 1 << 27 };

struct tern_map_index {
    const void *data;   /* the map's storage */
    uint64_t seed;      /* no peer knows it, so none can choose keys that collide */
    uint32_t mask;      /* slots - 1 */
    uint32_t n_entries; /* covered, from the first */
    uint32_t slots[];
};

/* ---- Keys ---------------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

/* A polynomial over the prime field of 2^61 - 1, of the text's 7-byte words, at a secret point: two texts collide for
 * no more points than they have words. */
static uint64_t hash_text(const tern_str *text, uint64_t seed) {
    const uint64_t prime = ((uint64_t)1 << 61) - 1, point = tern__mix64(seed) & prime;
    uint64_t hash = text->len;
    const char *p = text->data;
    for (size_t left = text->len; left > 0;) {
        uint64_t word = 0;
        size_t n = left < 7 ? left : 7;
        if (left >= 8)
            word = tern__load64(p) & (((uint64_t)1 << 56) - 1);
        else
            memcpy(&word, p, n);
        wide product = (wide)(hash + word) * point;
        hash = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
        hash = (hash & prime) + (hash >> 61);
        p += n;
        left -= n;
    }
    return tern__mix64(hash ^ seed);
}

static uint64_t hash_key(const tern_field *field, const void *key, uint64_t seed) {
    switch (field->elem_bytes) {
    case 1: return tern__mix64(seed ^ *(const uint8_t *)key);
    case 4: return tern__mix64(seed ^ tern__load32(key));
    case 8: return tern__mix64(seed ^ tern__load64(key));
    default: return hash_text(key, seed);
    }
}

static inline bool key_equal(const tern_field *field, const void *a, const void *b) {
    switch (field->elem_bytes) {
    case 1: return *(const uint8_t *)a == *(const uint8_t *)b;
    case 4: return tern__load32(a) == tern__load32(b);
    case 8: return tern__load64(a) == tern__load64(b);
    default: return tern_str_eq(*(const tern_str *)a, *(const tern_str *)b);
    }
}

bool tern__map_keys_equal(const tern_type *entry, const void *a, const void *b) {
    const tern_field *key = &entry->fields[0];
    return key_equal(key, field_member(key, a), field_member(key, b));
}

/* ---- The table ----------------------------------------------------------------------------------- */

static inline uint8_t *entry_at(const tern_type *entry, const tern_map *map, size_t i) {
    return (uint8_t *)map->data + i * entry->size_bytes;
}

static inline const void *key_at(const tern_type *entry, const tern_map *map, size_t i) {
    return field_member(&entry->fields[0], entry_at(entry, map, i));
}

static inline bool index_counts(const tern_map *map) {
    const struct tern_map_index *index = map->index;
    return index && index->data == map->data && index->n_entries <= map->len;
}

bool tern__map_is_fast(const tern_map *map) { return index_counts(map) && map->index->n_entries == map->len; }

/* The key's slot, or the free one where it would go. */
static uint32_t *find_slot(const tern_type *entry, const tern_map *map, struct tern_map_index *index, const void *key,
                           uint64_t hash) {
    const uint32_t mask = index->mask, tag = (uint32_t)(hash >> 32) & ~mask;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t slot = index->slots[i];
        if (slot == 0) return &index->slots[i];
        size_t n = (slot & mask) - 1;
        if ((slot & ~mask) == tag && n < map->len && key_equal(&entry->fields[0], key_at(entry, map, n), key))
            return &index->slots[i];
    }
}

static inline uint32_t slot_of(const struct tern_map_index *index, uint64_t hash, size_t i) {
    return ((uint32_t)(hash >> 32) & ~index->mask) | ((uint32_t)i + 1);
}

/* The table takes in the entries before `end` that it does not cover yet. There is room. */
static void cover(const tern_type *entry, const tern_map *map, struct tern_map_index *index, size_t end) {
    for (size_t i = index->n_entries; i < end; i++) {
        const void *key = key_at(entry, map, i);
        uint64_t hash = hash_key(&entry->fields[0], key, index->seed);
        *find_slot(entry, map, index, key, hash) = slot_of(index, hash, i);
    }
    index->n_entries = (uint32_t)end;
}

static bool fits(uint64_t n_slots, size_t n_entries) { return n_entries <= n_slots / 4 * 3; }

static void *index_in_arena(void *arena, size_t bytes) { return tern_arena_zalloc(arena, bytes); }

static struct tern_map_index *new_index(const tern_map *map, size_t n_entries, const tern__map_memory *memory) {
    uint64_t n_slots = SLOTS_MIN;
    while (n_slots <= SLOTS_MAX && !fits(n_slots, n_entries)) n_slots *= 2;
    if (n_slots > SLOTS_MAX) return NULL;
    struct tern_map_index *index =
        memory->alloc_index(memory->user, sizeof *index + (size_t)n_slots * sizeof(uint32_t));
    if (!index) return NULL;
    /* Where the heap, the stack and the code lie is random in each process. */
    uint64_t seed = tern__mix64((uintptr_t)index) ^ tern__mix64((uintptr_t)&n_slots + 1) ^ (uintptr_t)&new_index;
    index->data = map->data;
    index->seed = tern__mix64(seed);
    index->mask = (uint32_t)n_slots - 1;
    return index;
}

bool tern__map_make_index(const tern_type *entry, tern_map *map, tern_arena *arena) {
    return tern__map_make_index_in(entry, map, &(tern__map_memory){NULL, index_in_arena, arena});
}

bool tern__map_make_index_in(const tern_type *entry, tern_map *map, const tern__map_memory *memory) {
    if (map->len <= MAP_LINEAR_ENTRIES || tern__map_is_fast(map)) return true;
    struct tern_map_index *index = new_index(map, map->len, memory);
    if (!index) return false;
    cover(entry, map, index, map->len);
    map->index = index;
    return true;
}

/* ---- The public functions ------------------------------------------------------------------------ */

/* Backwards, so that of equal keys the last is found. */
static void *find_linear(const tern_type *entry, const tern_map *map, size_t from, const void *key) {
    for (size_t i = map->len; i > from; i--)
        if (key_equal(&entry->fields[0], key_at(entry, map, i - 1), key)) return entry_at(entry, map, i - 1);
    return NULL;
}

void *tern_map_find(const tern_type *entry, const void *map_, const void *key) {
    const tern_map *map = map_;
    if (!index_counts(map)) return find_linear(entry, map, 0, key);
    struct tern_map_index *index = map->index;
    if (index->n_entries < map->len) {
        void *found = find_linear(entry, map, index->n_entries, key);
        if (found) return found;
    }
    uint32_t slot = *find_slot(entry, map, index, key, hash_key(&entry->fields[0], key, index->seed));
    return slot ? entry_at(entry, map, (slot & index->mask) - 1) : NULL;
}

/* Room for one more entry in the storage and in the table, which is made when it is needed. */
static bool make_room(tern_map *map, const tern__map_memory *memory) {
    bool counts = index_counts(map);
    size_t n = map->len + 1;
    if (memory->reserve(memory->user, map, n) != 0) return false;
    if (counts)
        map->index->data = map->data;
    else
        map->index = NULL;
    if (map->index ? fits((uint64_t)map->index->mask + 1, n) : n <= MAP_LINEAR_ENTRIES) return true;
    struct tern_map_index *index = new_index(map, n, memory);
    if (index) map->index = index;
    return index != NULL;
}

/* The usual way in: the table covers everything and nothing has to grow, so one probe finds the key or its place. */
static void *find_or_place(const tern_type *entry, tern_map *map, const void *key) {
    struct tern_map_index *index = map->index;
    const tern_field *field = &entry->fields[0];
    uint64_t hash = hash_key(field, key, index->seed);
    uint32_t *slot = find_slot(entry, map, index, key, hash);
    if (*slot) return entry_at(entry, map, (*slot & index->mask) - 1);
    uint8_t *made = memset(entry_at(entry, map, map->len), 0, entry->size_bytes);
    memcpy(made + field->offset, key, field->elem_bytes);
    index->n_entries = (uint32_t)++map->len;
    *slot = slot_of(index, hash, map->len - 1);
    return made;
}

/* What adding an entry needs is at hand. */
static inline bool has_room(const tern_map *map) {
    return tern__map_is_fast(map) && map->len < map->cap && fits((uint64_t)map->index->mask + 1, map->len + 1);
}

static void *insert_slow(const tern_type *entry, tern_map *map, const void *key, const tern__map_memory *memory) {
    void *made = tern_map_find(entry, map, key);
    if (made) return made;
    if (!make_room(map, memory)) return NULL;
    const tern_field *field = &entry->fields[0];
    made = entry_at(entry, map, map->len);
    memcpy((uint8_t *)made + field->offset, key, field->elem_bytes);
    map->len++;
    if (map->index) cover(entry, map, map->index, map->len);
    return made;
}

typedef struct arena_user {
    tern_arena *arena;
    size_t elem_bytes;
} arena_user;

static int reserve_from_user(void *user_, void *map, size_t n) {
    arena_user *user = user_;
    return tern_list_reserve(map, n, user->elem_bytes, user->arena);
}

static void *index_from_user(void *user_, size_t bytes) {
    arena_user *user = user_;
    return tern_arena_zalloc(user->arena, bytes);
}

void *tern_map_insert(const tern_type *entry, void *map_, const void *key, tern_arena *arena) {
    tern_map *map = map_;
    if (has_room(map)) return find_or_place(entry, map, key);
    arena_user user = {arena, entry->size_bytes};
    return insert_slow(entry, map, key, &(tern__map_memory){reserve_from_user, index_from_user, &user});
}

void *tern__map_insert_in(const tern_type *entry, void *map_, const void *key, const tern__map_memory *memory) {
    tern_map *map = map_;
    return has_room(map) ? find_or_place(entry, map, key) : insert_slow(entry, map, key, memory);
}

void tern__map_index_follow(struct tern_map_index *index, const void *from, const void *to) {
    if (index->data == from) index->data = to;
}

bool tern_map_remove(const tern_type *entry, void *map_, const void *key) {
    tern_map *map = map_;
    tern_str local; /* the key may lie in an entry that moves */
    const tern_field *field = &entry->fields[0];
    if (!tern_map_find(entry, map, key)) return false;
    memcpy(&local, key, field->elem_bytes);
    bool counts = index_counts(map);
    size_t kept = 0;
    for (size_t i = 0; i < map->len; i++) {
        if (key_equal(field, key_at(entry, map, i), &local)) continue;
        if (kept != i) memcpy(entry_at(entry, map, kept), entry_at(entry, map, i), entry->size_bytes);
        kept++;
    }
    map->len = kept;
    if (!counts) {
        map->index = NULL;
        return true;
    }
    size_t covered = map->index->n_entries < kept ? map->index->n_entries : kept;
    memset(map->index->slots, 0, ((size_t)map->index->mask + 1) * sizeof(uint32_t));
    map->index->n_entries = 0;
    cover(entry, map, map->index, covered);
    return true;
}

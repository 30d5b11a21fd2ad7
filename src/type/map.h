/* Maps, for the rest of the layer. */
#ifndef TERN_TYPE_MAP_H
#define TERN_TYPE_MAP_H

#include "tern/mem.h"
#include "tern/type.h"

/* Up to this many entries a search without an index is as fast. */
enum { MAP_LINEAR_ENTRIES = 8 };

/* Gives the map an index over all its entries, unless it has one or is small. False when memory is out; the map is
 * then unchanged. */
bool tern__map_make_index(const tern_type *entry, tern_map *map, tern_arena *arena);

/* Whether finding any key takes constant time. */
bool tern__map_is_fast(const tern_map *map);

/* Where a map's entries and its index come from, for maps that lie in no arena. */
typedef struct tern__map_memory {
    int (*reserve)(void *user, void *map, size_t n); /* as tern_list_reserve() */
    void *(*alloc_index)(void *user, size_t bytes);  /* zeroed, aligned to 8; NULL: memory is out */
    void *user;
} tern__map_memory;

/* tern__map_make_index() and tern_map_insert() with that memory. */
bool tern__map_make_index_in(const tern_type *entry, tern_map *map, const tern__map_memory *memory);
void *tern__map_insert_in(const tern_type *entry, void *map, const void *key, const tern__map_memory *memory);

/* An index is one piece of memory that points to nothing but the storage of its map. Whoever has moved the storage says
 * so; an index that was made for other storage stays as it is. */
void tern__map_index_follow(struct tern_map_index *index, const void *from, const void *to);

bool tern__map_keys_equal(const tern_type *entry, const void *a, const void *b);

#endif

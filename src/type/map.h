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

bool tern__map_keys_equal(const tern_type *entry, const void *a, const void *b);

#endif

/* Open addressing; the map doubles when it is half full. */
#include "gen/hash_map.h"

#include "gen/text.h"

uint64_t hash_text(uint64_t hash, const char *string) {
    for (; *string; string++) hash = (hash ^ (unsigned char)*string) * UINT64_C(1099511628211);
    return hash;
}

/* The entry with this hash, or the free one where it belongs. */
static struct hash_entry *hash_map_slot(const hash_map *map, uint64_t hash) {
    size_t i = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->cap - 1);
    while (map->entries[i].hash != 0 && map->entries[i].hash != hash) i = (i + 1) & (map->cap - 1);
    return &map->entries[i];
}

const void *hash_map_get(const hash_map *map, uint64_t hash) {
    return map->cap ? hash_map_slot(map, hash | 1)->value : NULL;
}

void hash_map_put(hash_map *map, uint64_t hash, const void *value, tern_arena *arena) {
    if (map->n * 2 >= map->cap) {
        hash_map old = *map;
        map->cap = old.cap ? old.cap * 2 : 32;
        map->entries = gen_alloc(arena, map->cap * sizeof *map->entries);
        for (size_t i = 0; i < old.cap; i++)
            if (old.entries[i].hash) *hash_map_slot(map, old.entries[i].hash) = old.entries[i];
    }
    struct hash_entry *entry = hash_map_slot(map, hash | 1);
    if (entry->hash == 0) map->n++;
    entry->hash = hash | 1;
    entry->value = value;
}

/* What is known by a name: a map from hashes. */
#ifndef TERN_GEN_HASH_MAP_H
#define TERN_GEN_HASH_MAP_H

#include "base/base.h"
#include "tern/mem.h"
#include "tern/type.h"

/* A map from 64-bit hashes of names to pointers. Hashes stand for the names themselves. */
typedef struct hash_map {
    struct hash_entry {
        uint64_t hash; /* 0: free */
        const void *value;
    } * entries;
    size_t n, cap;
} hash_map;

const void *hash_map_get(const hash_map *map, uint64_t hash);

/* Adds or replaces. */
void hash_map_put(hash_map *map, uint64_t hash, const void *value, tern_arena *arena);

/* FNV-1a, 64 bit, continued from `hash`; HASH_START begins. */
#define HASH_START UINT64_C(14695981039346656037)
uint64_t hash_text(uint64_t hash, const char *string);

#endif

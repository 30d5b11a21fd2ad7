/* A message type with a field of every kind, and what the hybrid tests do with any type: fill a struct at
 * random, compare two, encode with in-place values laid behind the head as a receiver sees them. The tables are
 * written by hand, so that they can be wrong on purpose and shaped as no schema would be. */
#ifndef TERN_TESTS_UNIT_CODEC_HYBRID_TYPES_H
#define TERN_TESTS_UNIT_CODEC_HYBRID_TYPES_H

#include "tern/codec.h"

typedef struct tree {
    int32_t id;
    tern_str name;
    struct tree *next;
    struct {
        struct tree *data;
        size_t len, cap;
    } kids;
} tree;

extern const tern_type tree_type; /* id = 1, name = 2, next = 3, kids = 4 */

typedef struct every {
    double f64;
    float f32;
    int64_t i64;
    uint64_t u64;
    int32_t i32;
    uint64_t x64;
    uint32_t x32;
    bool flag;
    tern_str text;
    tern_bytes blob;
    tree *sub;
    uint32_t u32;
    int32_t choice;
    int32_t sx32;
    int64_t sx64;
    int32_t s32;
    int64_t s64;
    tern_list_f64 f64s;
    tern_list_f32 f32s;
    tern_list_i64 i64s;
    tern_list_bool flags;
    tern_list_str texts;
    tern_list_bytes blobs;
    struct {
        tree *data;
        size_t len, cap;
    } subs;
    tern_list_i32 choices;
    struct {
        uint32_t i32 : 1;
        uint32_t flag : 1;
        uint32_t f64 : 1;
        uint32_t text : 1;
        uint32_t blob : 1;
    } has; /* of the opt_ fields */
    int32_t opt_i32;
    bool opt_flag;
    double opt_f64;
    tern_str opt_text;
    tern_bytes opt_blob;
    int64_t far; /* field 1000 */
} every;

extern const tern_type every_type;

/* kv.GetResponse of the paper's Figure 4. */
typedef struct getm_response {
    uint32_t id;
    tern_list_bytes vals;
} getm_response;

extern const tern_type getm_response_type;

/* A map and a oneof. */
typedef struct setting_limit {
    tern_str key;
    int32_t value;
} setting_limit;

TERN__MAP(setting_limit_map, setting_limit);

typedef struct setting {
    uint32_t value_case;
    uint32_t id;
    setting_limit_map limits;
    union {
        tern_str text;
        int64_t number;
    };
} setting;

extern const tern_type setting_type;

/* Fill msg (zeroed) at random; memory from the arena, so that values lie in the pool. */
void message_fill(const tern_type *type, void *msg, tern_arena *arena, uint64_t *seed, unsigned depth);

/* Same presence, same values, all the way down. */
bool message_equal(const tern_type *type, const void *a, const void *b);

/* An encoding as a receiver has it, in memory of exactly its size. */
typedef struct flat {
    int rc; /* of measure or write */
    tern_hybrid_plan plan;
    uint8_t *data; /* free() it */
    size_t len;
    unsigned n_posts;
    const void *posts[64]; /* the first of them */
    size_t posted;
} flat;

flat flat_encode(const tern_type *type, const void *msg, size_t threshold);

#endif

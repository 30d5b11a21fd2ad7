/* Type tables made by hand, with a field of every shape, as the generator would emit them:
 *
 *   message Shape {
 *     optional int32 id = 1;  string name = 2;  optional bytes raw = 3;  optional Shape next = 4;
 *     repeated Shape kids = 5;  repeated int64 nums = 6;  repeated string tags = 7;
 *     map<string, Shape> named = 8;  map<int32, int32> counts = 9;
 *     oneof choice { int64 big = 10; string text = 11; Shape inner = 12; }
 *     group Extra = 13 { ... as Shape }  double ratio = 14;  map<bool, bytes> flags = 16;
 *     map<uint64, string> wide = 17;  bool on = 20;
 *   } */
#ifndef TERN_TESTS_SHAPES_H
#define TERN_TESTS_SHAPES_H

#include "tern/mem.h"
#include "tern/type.h"

typedef struct shape shape;
TERN__LIST(list_shape, struct shape);

typedef struct named_entry {
    tern_str key;
    shape *value;
} named_entry;
typedef struct counts_entry {
    int32_t key, value;
} counts_entry;
typedef struct flags_entry {
    bool key;
    tern_bytes value;
} flags_entry;
typedef struct wide_entry {
    uint64_t key;
    tern_str value;
} wide_entry;
TERN__MAP(map_named, named_entry);
TERN__MAP(map_counts, counts_entry);
TERN__MAP(map_flags, flags_entry);
TERN__MAP(map_wide, wide_entry);

struct shape {
    int32_t id;
    bool on;
    tern_str name;
    tern_bytes raw;
    shape *next;
    list_shape kids;
    tern_list_i64 nums;
    tern_list_str tags;
    map_named named;
    map_counts counts;
    uint32_t choice_case;
    union {
        int64_t big;
        tern_str text;
        shape *inner;
    };
    shape *extra;
    double ratio;
    map_flags flags;
    map_wide wide;
    struct {
        uint32_t id : 1;
        uint32_t raw : 1;
    } has;
    tern_unknown unknown;
};

extern const tern_type shape_type, named_entry_type, counts_entry_type, flags_entry_type, wide_entry_type;

/* A shape in which everything is set, in `arena`; depth says how many more levels hang below it. */
shape *shape_full(tern_arena *arena, int depth);

tern_str text_of(tern_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

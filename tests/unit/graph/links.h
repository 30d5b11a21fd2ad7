/* A type made by hand for graphs, as the generator would emit it, and what tests of graphs share:
 *
 *   message Link {
 *     uint32 id = 1;  string label = 2;  Link next = 3;  Link other = 4;
 *     repeated Link peers = 5 [(tern.ref) = true];  repeated Link inside = 6;  map<uint32, Link> named = 7;
 *     optional bytes extra = 8;  oneof one { Link friend = 9; string word = 10; uint32 number = 11; }
 *     repeated string tags = 12;  repeated bool bits = 13;  repeated double values = 14;  bool on = 15;
 *   } */
#ifndef TERN_TESTS_LINKS_H
#define TERN_TESTS_LINKS_H

#include "tern/graph.h"

typedef struct link_msg link_msg;
TERN__LIST(list_link, struct link_msg);
TERN__LIST(list_link_ref, struct link_msg *);
typedef struct link_entry {
    uint32_t key;
    link_msg *value;
} link_entry;
TERN__MAP(map_link, link_entry);

struct link_msg {
    uint32_t id;
    bool on;
    tern_str label;
    link_msg *next, *other;
    list_link_ref peers;
    list_link inside;
    map_link named;
    tern_bytes extra;
    uint32_t one_case;
    union {
        link_msg *friend;
        tern_str word;
        uint32_t number;
    };
    tern_list_str tags;
    tern_list_bool bits;
    tern_list_f64 values;
    struct {
        uint32_t extra : 1;
    } has;
    tern_unknown unknown;
};

enum {
    LINK_PEERS = 5,
    LINK_INSIDE = 6,
    LINK_NAMED = 7,
    LINK_FRIEND = 9,
    LINK_WORD = 10,
    LINK_TAGS = 12,
    LINK_BITS = 13,
    LINK_VALUES = 14
};

extern const tern_type link_type, link_entry_type;

/* A link with this number and a label that says it; NULL when memory is out. */
link_msg *link_new(tern_heap *heap, uint32_t id);

/* Appends to a list of references. False when memory is out. */
bool link_add_peer(tern_heap *heap, link_msg *link, link_msg *peer);

/* The entry of `named`; false when memory is out. */
bool link_name(tern_heap *heap, link_msg *link, uint32_t key, link_msg *value);

static inline tern_heap_stats stats_of(const tern_heap *heap) {
    tern_heap_stats stats;
    tern_heap_get_stats(heap, &stats);
    return stats;
}

#endif

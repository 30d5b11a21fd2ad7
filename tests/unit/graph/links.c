/* The hand-made tables of links. */
#include "links.h"

#include <stdio.h>

#include "base/base.h"

static const char *const entry_names[] = {"key", "value"};
static const tern_field entry_fields[] = {
    TERN_FIELD(1, offsetof(link_entry, key), 0, 0, TERN_UINT32, 0, 4),
    TERN_FIELD(2, offsetof(link_entry, value), 0, 0, TERN_MESSAGE, 0, sizeof(link_msg *))};
static const tern_type *const entry_subs[] = {&link_type};
const tern_type link_entry_type = {.version = TERN_TYPE_VERSION,
                                   .name = "test.Link.NamedEntry",
                                   .fields = entry_fields,
                                   .field_names = entry_names,
                                   .subs = entry_subs,
                                   .n_fields = 2,
                                   .n_dense = 2,
                                   .max_number = 2,
                                   .size_bytes = sizeof(link_entry),
                                   .flags = TERN_TYPE_MAP_ENTRY};

#define AT(member) offsetof(link_msg, member)
#define CASE (offsetof(link_msg, one_case) / 4)

static const tern_field link_fields[] = {
    TERN_FIELD(1, AT(id), 0, 0, TERN_UINT32, 0, 4),
    TERN_FIELD(2, AT(label), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, AT(next), 0, 0, TERN_MESSAGE, 0, sizeof(link_msg *)),
    TERN_FIELD(4, AT(other), 0, 0, TERN_MESSAGE, 0, sizeof(link_msg *)),
    TERN_FIELD(5, AT(peers), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(link_msg *)),
    TERN_FIELD(6, AT(inside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(link_msg)),
    TERN_FIELD(7, AT(named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(link_entry)),
    TERN_FIELD(8, AT(extra), 0, 0, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(9, AT(friend), 0, CASE, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(link_msg *)),
    TERN_FIELD(10, AT(word), 0, CASE, TERN_STRING, TERN_FIELD_ONEOF | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(11, AT(number), 0, CASE, TERN_UINT32, TERN_FIELD_ONEOF, 4),
    TERN_FIELD(12, AT(tags), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(13, AT(bits), 0, 0, TERN_BOOL, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, 1),
    TERN_FIELD(14, AT(values), 0, 0, TERN_DOUBLE, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, 8),
    TERN_FIELD(15, AT(on), 0, 0, TERN_BOOL, 0, 1),
};
static const char *const link_names[] = {"id",     "label", "next",   "other", "peers", "inside", "named", "extra",
                                         "friend", "word",  "number", "tags",  "bits",  "values", "on"};
static const tern_type *const link_subs[] = {&link_type, &link_entry_type};
const tern_type link_type = {
    .version = TERN_TYPE_VERSION,
    .name = "test.Link",
    .fields = link_fields,
    .field_names = link_names,
    .subs = link_subs,
    .n_fields = TERN__COUNT(link_fields),
    .n_dense = TERN__COUNT(link_fields),
    .size_bytes = sizeof(link_msg),
    .has_offset = offsetof(link_msg, has),
    .n_has = 1,
    .max_number = 15,
    .unknown_offset = offsetof(link_msg, unknown),
};

link_msg *link_new(tern_heap *heap, uint32_t id) {
    char text[32];
    int len = snprintf(text, sizeof text, "link number %u", id);
    link_msg *link = tern_heap_alloc(heap, &link_type);
    if (!link || tern_heap_str(heap, text, (size_t)len, &link->label) != 0) return NULL;
    link->id = id;
    return link;
}

bool link_add_peer(tern_heap *heap, link_msg *link, link_msg *peer) {
    if (tern_heap_reserve(heap, &link_type, link, LINK_PEERS, link->peers.len + 1) != 0) return false;
    link->peers.data[link->peers.len++] = peer;
    return true;
}

bool link_name(tern_heap *heap, link_msg *link, uint32_t key, link_msg *value) {
    link_entry *entry = tern_heap_put(heap, &link_type, link, LINK_NAMED, &key);
    if (entry) entry->value = value;
    return entry != NULL;
}

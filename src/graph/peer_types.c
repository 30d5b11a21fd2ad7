/* A peer's numbers of types; see peer_types.h. */
#include "graph/peer_types.h"

#include <stdio.h>

#include "graph/fragment.h"
#include "graph/grow.h"
#include "graph/layout.h"

void tern__peer_types_init(tern__peer_types *p, tern__types *types, const tern_registry *registry) {
    *p = (tern__peer_types){.types = types, .registry = registry};
    tern_arena_init_private(&p->memory, 0, 0);
}

void tern__peer_types_fini(tern__peer_types *p) {
    tern_unref(p->taken);
    tern_arena_fini(&p->memory);
}

/* Our number of the type with this name; 0: there is none. */
static int find_by_name(tern__peer_types *p, tern_str name, uint32_t *id) {
    for (*id = TERN__TYPE_FIRST; *id < p->types->n; *id += 2)
        if (tern_str_eq(tern_str_of(p->types->walks[*id].type->name), name)) return 0;
    const tern_type *type = p->registry ? tern_registry_find(p->registry, name) : NULL;
    return type ? tern__types_learn(p->types, type, id) : TERN_ERR_NOT_FOUND;
}

static int enter(tern__peer_types *p, uint32_t theirs, uint32_t ours) {
    size_t cap = p->taken_cap;
    if (!tern__grow(&p->taken, &cap, ours / 2 + 1, 1)) return TERN_ERR_NOMEM;
    memset(p->taken + p->taken_cap, 0, cap - p->taken_cap);
    p->taken_cap = cap;
    uint32_t **page = &p->pages[theirs / TERN__PEER_PAGE];
    if (!*page) *page = tern_arena_zalloc(&p->memory, TERN__PEER_PAGE * sizeof **page);
    if (!*page) return TERN_ERR_NOMEM;
    if ((*page)[theirs % TERN__PEER_PAGE] || p->taken[ours / 2]) return TERN_ERR_MALFORMED;
    (*page)[theirs % TERN__PEER_PAGE] = ours;
    p->taken[ours / 2] = 1;
    return 0;
}

static int read_type(tern__peer_types *p, const tern__fragment_type *record, tern_str name, char *words, size_t cap) {
    uint32_t ours;
    int err = find_by_name(p, name, &ours);
    if (!err && tern__layout_hash(p->types->walks[ours].type) != record->layout) err = TERN_ERR_VERSION;
    if (!err) err = enter(p, record->id, ours);
    if (!err) return 0;
    const char *what = err == TERN_ERR_NOT_FOUND   ? "is not known here"
                       : err == TERN_ERR_VERSION   ? "has another layout here than at the sender"
                       : err == TERN_ERR_MALFORMED ? "is announced twice"
                                                   : tern_strerror(err);
    snprintf(words, cap, "type %.*s %s", name.len < 200 ? (int)name.len : 200, name.data, what);
    return err;
}

int tern__peer_types_read(tern__peer_types *p, const uint8_t *records, uint32_t bytes, char *words, size_t cap) {
    tern__fragment_type record;
    snprintf(words, cap, "the types of a fragment make no sense");
    for (const uint8_t *end = records + bytes; records < end;) {
        if ((size_t)(end - records) < sizeof record) return TERN_ERR_MALFORMED;
        memcpy(&record, records, sizeof record);
        const uint64_t all = tern__fragment_type_bytes(record.name_len);
        if (all > (size_t)(end - records)) return TERN_ERR_MALFORMED;
        if (record.id < TERN__TYPE_FIRST || record.id >= TERN__TYPES_MAX || record.id % 2) return TERN_ERR_MALFORMED;
        int err = read_type(p, &record, (tern_str){(const char *)records + sizeof record, record.name_len}, words, cap);
        if (err) return err;
        records += all;
    }
    words[0] = 0;
    return 0;
}

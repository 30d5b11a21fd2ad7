/* FNV-1a, 64 bit, of all that a reader of the struct relies on. */
#include "graph/layout.h"

#include "type/walk.h"

static uint64_t add_bytes(uint64_t hash, const void *data, size_t len) {
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i++) hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}

static uint64_t add_number(uint64_t hash, uint32_t number) { return add_bytes(hash, &number, sizeof number); }

static uint64_t add_field(uint64_t hash, const tern_type *type, const tern_field *field) {
    hash = add_number(hash, field->number);
    hash = add_number(hash, field->offset);
    hash = add_number(hash, field->kind);
    hash = add_number(hash, field->flags);
    hash = add_number(hash, field->has);
    hash = add_number(hash, field->elem_bytes);
    if (field->kind != TERN_MESSAGE && field->kind != TERN_GROUP) return hash;
    const char *name = type->subs[field->sub]->name;
    return add_bytes(hash, name, strlen(name) + 1);
}

uint64_t tern__layout_hash(const tern_type *type) {
    bool has_unknown = !(type->flags & TYPE_WITHOUT_UNKNOWN);
    uint64_t hash = add_number(14695981039346656037u, sizeof(void *));
    hash = add_number(hash, type->flags);
    hash = add_number(hash, type->size_bytes);
    hash = add_number(hash, type->n_has ? type->has_offset : 0);
    hash = add_number(hash, type->n_has);
    hash = add_number(hash, has_unknown ? type->unknown_offset : 0);
    hash = add_number(hash, type->n_fields);
    for (uint32_t i = 0; i < type->n_fields; i++) hash = add_field(hash, type, &type->fields[i]);
    return hash;
}

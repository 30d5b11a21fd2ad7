/* The outline of a type: the numbers and kinds of its fields and of all types that it reaches, breadth first, without
 * names. Its hash is the type's fingerprint. */
#include "type/outline.h"

#include "base/base.h"

typedef struct writer {
    reach reached;
    uint64_t hash; /* FNV-1a of what was written */
    uint8_t *out;
    size_t len, cap; /* bytes; len goes on counting beyond cap */
} writer;

static void put_byte(writer *w, uint8_t byte) {
    w->hash = (w->hash ^ byte) * 1099511628211u;
    if (w->len < w->cap) w->out[w->len] = byte;
    w->len++;
}

static void put_outline_number(writer *w, uint32_t value) {
    for (; value >= 0x80; value >>= 7) put_byte(w, (uint8_t)(value | 0x80));
    put_byte(w, (uint8_t)value);
}

static void put_type(writer *w, const tern_type *type) {
    uint32_t previous = 0;
    put_outline_number(w, type->n_fields);
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        uint8_t what = outline_byte(field);
        put_outline_number(w, field->number - previous);
        put_byte(w, what);
        if (outline_has_sub(what)) put_outline_number(w, reach_place(&w->reached, type->subs[field->sub]));
        previous = field->number;
    }
}

static void put_all(writer *w, const tern_type *type, void *out, size_t cap) {
    reach_begin(&w->reached, type);
    w->hash = 14695981039346656037u;
    w->out = out;
    w->len = 0;
    w->cap = cap;
    for (uint32_t i = 0; i < w->reached.n_types; i++) put_type(w, w->reached.types[i]);
}

size_t tern_type_outline(const tern_type *type, void *out, size_t cap) {
    writer w;
    put_all(&w, type, out, cap);
    return w.len;
}

uint64_t tern_type_fingerprint(const tern_type *type) {
    writer w;
    put_all(&w, type, NULL, 0);
    return w.hash;
}

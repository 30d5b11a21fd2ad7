/* Random messages, for tests that compare two ways of saying the same. */
#include "random_message.h"

#include "base/base.h"

static uint64_t random_bits(tern__rng *rng) {
    uint64_t value = tern__rng_next(rng) >> tern__rng_below(rng, 64);
    return tern__rng_chance(rng, 0.3) ? 0 - value : value;
}

static void random_float(const tern_field *field, void *out, tern__rng *rng) {
    double value = (double)(int64_t)random_bits(rng) / 1024;
    if (tern__rng_chance(rng, 0.1)) value = -0.0;
    float narrow = (float)value;
    if (field->kind == TERN_DOUBLE)
        memcpy(out, &value, sizeof value);
    else
        memcpy(out, &narrow, sizeof narrow);
}

static void random_view(const tern_field *field, void *out, tern_arena *arena, tern__rng *rng) {
    static const char *const characters[] = {"a",  "Z",        "\"",           "\\",
                                             "\n", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x85"};
    size_t n = tern__rng_below(rng, tern__rng_chance(rng, 0.1) ? 300 : 12), len = 0;
    char *data = tern_arena_alloc(arena, n * 4 + 1);
    for (size_t i = 0; i < n; i++) {
        const char *c = characters[tern__rng_below(rng, TERN__COUNT(characters))];
        if (field->kind == TERN_BYTES) {
            data[len++] = (char)tern__rng_next(rng);
        } else {
            memcpy(data + len, c, strlen(c));
            len += strlen(c);
        }
    }
    *(tern_bytes *)out = tern_bytes_of(data, len);
}

static void random_scalar(const tern_field *field, void *out, tern_arena *arena, tern__rng *rng) {
    uint64_t bits = random_bits(rng);
    switch (field->kind) {
    case TERN_DOUBLE:
    case TERN_FLOAT: random_float(field, out, rng); break;
    case TERN_STRING:
    case TERN_BYTES: random_view(field, out, arena, rng); break;
    case TERN_BOOL: *(bool *)out = bits & 1; break;
    default: memcpy(out, &bits, field->elem_bytes); break;
    }
}

static void *random_child(const tern_type *type, tern_arena *arena, tern__rng *rng, unsigned depth) {
    void *child = tern_arena_zalloc(arena, type->size_bytes);
    random_message(type, child, arena, rng, depth);
    return child;
}

static void random_list(const tern_type *type, const tern_field *field, tern_list *list, tern_arena *arena,
                        tern__rng *rng, unsigned depth) {
    size_t n = tern__rng_below(rng, tern__rng_chance(rng, 0.1) ? 100 : 4);
    if (field->kind == TERN_MESSAGE) n = depth == 0 ? 0 : n % 4;
    if (field->flags & TERN_FIELD_MAP && depth < 2) n = 0; /* a value of an entry is one level below it */
    if (tern_list_reserve(list, n, field->elem_bytes, arena)) return;
    for (; list->len < n; list->len++) {
        void *element = (uint8_t *)list->data + list->len * field->elem_bytes;
        if (field->flags & TERN_FIELD_POINTERS)
            *(void **)element = random_child(type->subs[field->sub], arena, rng, depth - 1);
        else if (field->kind == TERN_MESSAGE)
            random_message(type->subs[field->sub], element, arena, rng, depth - 1);
        else
            random_scalar(field, element, arena, rng);
    }
}

static void random_field(const tern_type *type, const tern_field *field, void *msg, tern_arena *arena, tern__rng *rng,
                         unsigned depth) {
    void *member = (uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) {
        random_list(type, field, member, arena, rng, depth);
    } else if (field->kind == TERN_MESSAGE) {
        if (depth == 0) return;
        void *child = random_child(type->subs[field->sub], arena, rng, depth - 1);
        memcpy(member, &child, sizeof child);
        if (field->flags & TERN_FIELD_ONEOF) tern__store32((uint8_t *)msg + field->has * 4u, field->number);
    } else {
        random_scalar(field, member, arena, rng);
        if (field->flags & TERN_FIELD_ONEOF) tern__store32((uint8_t *)msg + field->has * 4u, field->number);
        if (field->flags & TERN_FIELD_HAS)
            ((uint32_t *)(void *)((uint8_t *)msg + type->has_offset))[field->has / 32] |= 1u << field->has % 32;
    }
}

void random_message(const tern_type *type, void *msg, tern_arena *arena, tern__rng *rng, unsigned depth) {
    double density = (double)(1 + tern__rng_below(rng, 10)) / 10;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        bool there = tern__rng_chance(rng, density), needed = type->flags & TERN_TYPE_MAP_ENTRY;
        if (there || needed || type->fields[i].flags & TERN_FIELD_REQUIRED)
            random_field(type, &type->fields[i], msg, arena, rng, depth);
    }
}

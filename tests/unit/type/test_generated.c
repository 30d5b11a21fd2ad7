/* Random messages of generated types, with everything that a schema can hold: copied, encoded and decoded they stay
 * equal to themselves; and shaken maps, too. */
#include "base/base.h"
#include "base/rng.h"
#include "compound.tern.h"
#include "everything.tern.h"
#include "legacy.tern.h"
#include "tap.h"
#include "tern/codec.h"

enum { ROUNDS = 60, MAX_DEPTH = 3 };

static const tern_type *const types[] = {
    &test_all_Everything_type,  &test_all_Lists_type,     &test_all_Optionals_type,
    &test_compound_Choice_type, &test_compound_Maps_type, &test_compound_Holder_type,
    &test_legacy_Groups_type,   &test_legacy_Closed_type, &test_legacy_Deep_type};

static tern_arena arena;
static tern__rng rng;
static size_t n_fields, n_indexed, n_oneofs, n_groups;

static void fill(const tern_type *type, void *msg, unsigned depth);

static uint64_t below(uint64_t n) { return tern__rng_below(&rng, n); }

static tern_bytes random_text(size_t max) {
    size_t len = below(max + 1);
    char *data = tern_arena_alloc(&arena, len);
    for (size_t i = 0; i < len; i++) data[i] = (char)('a' + below(26));
    return tern_bytes_of(data, len);
}

static void fill_value(const tern_type *type, const tern_field *field, void *out, unsigned depth) {
    uint64_t bits = tern__rng_next(&rng);
    bits >>= below(64);
    switch (field->kind) {
    case TERN_STRING:
    case TERN_BYTES: *(tern_bytes *)out = random_text(20); break;
    case TERN_BOOL: *(bool *)out = bits & 1; break;
    case TERN_ENUM: {
        const tern_enum *listed = type->enums[field->sub];
        memcpy(out, &listed->values[below(listed->n_values)].number, 4);
        break;
    }
    case TERN_MESSAGE:
    case TERN_GROUP: fill(type->subs[field->sub], out, depth - 1); break;
    default: memcpy(out, &bits, field->elem_bytes); break;
    }
}

static bool is_message(const tern_field *field) { return field->kind == TERN_MESSAGE || field->kind == TERN_GROUP; }

static void *fill_child(const tern_type *type, const tern_field *field, unsigned depth) {
    void *child = tern_arena_zalloc(&arena, type->subs[field->sub]->size_bytes);
    n_groups += field->kind == TERN_GROUP;
    fill_value(type, field, child, depth);
    return child;
}

static void fill_map(const tern_type *entry, tern_map *map, unsigned depth) {
    const tern_field *value = &entry->fields[1];
    size_t n = below(tern__rng_chance(&rng, 0.2) ? 200 : 12);
    if (is_message(value) && n > 3) n = 9;
    for (size_t i = 0; i < n; i++) {
        tern_str key = {0};
        fill_value(entry, &entry->fields[0], &key, depth);
        uint8_t *at = tern_map_insert(entry, map, &key, &arena);
        if (is_message(value))
            *(void **)(void *)(at + value->offset) = fill_child(entry, value, depth);
        else
            fill_value(entry, value, at + value->offset, depth);
    }
    n_indexed += map->index != NULL;
}

static void fill_list(const tern_type *type, const tern_field *field, tern_list *list, unsigned depth) {
    size_t n = below(is_message(field) ? 3 : 20);
    (void)tern_list_reserve(list, n, field->elem_bytes, &arena);
    for (; list->len < n; list->len++)
        fill_value(type, field, (uint8_t *)list->data + list->len * field->elem_bytes, depth);
}

static void fill_field(const tern_type *type, const tern_field *field, uint8_t *msg, unsigned depth) {
    void *member = msg + field->offset;
    n_fields++;
    if (field->flags & TERN_FIELD_MAP) {
        fill_map(type->subs[field->sub], member, depth);
        return;
    }
    if (field->flags & TERN_FIELD_REPEATED) {
        fill_list(type, field, member, depth);
        return;
    }
    if (field->flags & TERN_FIELD_ONEOF) {
        uint32_t *which = (uint32_t *)(void *)msg + field->has;
        if (*which) return;
        *which = field->number;
        n_oneofs++;
    }
    if (field->flags & TERN_FIELD_HAS)
        ((uint32_t *)(void *)(msg + type->has_offset))[field->has / 32] |= 1u << field->has % 32;
    if (is_message(field))
        *(void **)member = fill_child(type, field, depth);
    else
        fill_value(type, field, member, depth);
}

static void fill(const tern_type *type, void *msg, unsigned depth) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        bool needed = field->flags & TERN_FIELD_REQUIRED;
        bool deep = is_message(field) && !(field->flags & TERN_FIELD_MAP);
        if (field->flags & TERN_FIELD_MAP) deep = is_message(&type->subs[field->sub]->fields[1]);
        if (needed || (tern__rng_chance(&rng, 0.6) && (depth > 0 || !deep))) fill_field(type, field, msg, depth);
    }
    if (!(type->flags & TERN_TYPE_MAP_ENTRY) && tern__rng_chance(&rng, 0.3))
        (void)tern_unknown_append((tern_unknown *)(void *)((uint8_t *)msg + type->unknown_offset),
                                  "\xf8\xff\xff\xff\x0f\x05", 6, &arena);
}

static void *decoded(const tern_type *type, const void *src, int mode) {
    int64_t size = tern_protobuf_size(type, src);
    void *wire = size < 0 ? NULL : tern_arena_alloc(&arena, (size_t)size),
         *msg = tern_arena_alloc(&arena, type->size_bytes);
    if (!wire || !msg || tern_protobuf_encode(type, src, wire, (size_t)size) != size) return NULL;
    return tern_protobuf_decode(type, wire, (size_t)size, &arena, mode, NULL, msg) ? NULL : msg;
}

/* Every map of the message in another order, without its index half of the time. */
static void shake(const tern_type *type, void *msg) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        if (!(field->flags & TERN_FIELD_MAP)) continue;
        tern_map *map = (tern_map *)(void *)((uint8_t *)msg + field->offset), shaken = {0};
        const tern_type *entry = type->subs[field->sub];
        while (map->len > 0) {
            uint8_t *from = (uint8_t *)map->data + below(map->len) * entry->size_bytes;
            const void *key = from + entry->fields[0].offset;
            memcpy(tern_map_insert(entry, &shaken, key, &arena), from, entry->size_bytes);
            (void)tern_map_remove(entry, map, key);
        }
        *map = shaken;
        if (tern__rng_chance(&rng, 0.5)) map->index = NULL;
    }
}

static void random__copies_encodings_and_shaken_maps_are_equal(void) {
    tern__rng_seed(&rng, 20);
    for (size_t i = 0; i < ROUNDS * TERN__COUNT(types); i++) {
        const tern_type *type = types[i % TERN__COUNT(types)];
        tern_arena_init(&arena, 0, 0);
        void *src = tern_arena_zalloc(&arena, type->size_bytes), *copy = tern_arena_alloc(&arena, type->size_bytes);
        fill(type, src, MAX_DEPTH);
        CHECK_EQ(tern_message_copy(type, src, &arena, copy), 0);
        CHECK(tern_message_equal(type, src, copy) && tern_message_equal(type, copy, src));
        void *alias = decoded(type, copy, TERN_DECODE_ALIAS), *back = decoded(type, src, TERN_DECODE_COPY);
        CHECK(alias && back);
        CHECK(tern_message_equal(type, src, alias) && tern_message_equal(type, back, copy));
        shake(type, copy);
        CHECK(tern_message_equal(type, src, copy) && tern_message_equal(type, copy, alias));
        tern_arena_fini(&arena);
    }
    printf("# %zu fields, %zu oneofs, %zu groups, %zu maps with an index\n", n_fields, n_oneofs, n_groups, n_indexed);
    CHECK(n_indexed > 1000 && n_oneofs > 500 && n_groups > 100);
}

/* A type with what another one lacks is told apart, whoever looks. */
static void fingerprint__of_generated_types(void) {
    static uint8_t outline[1 << 16];
    for (size_t i = 0; i < TERN__COUNT(types); i++)
        for (size_t k = 0; k < TERN__COUNT(types); k++) {
            size_t len = tern_type_outline(types[k], outline, sizeof outline);
            CHECK(len < sizeof outline);
            int verdict = tern_type_compare(types[i], outline, len, NULL);
            CHECK_EQ(verdict == TERN_SCHEMA_FITS, i == k);
            CHECK_EQ(tern_type_fingerprint(types[i]) == tern_type_fingerprint(types[k]), i == k);
        }
}

TAP_MAIN(TEST(random__copies_encodings_and_shaken_maps_are_equal), TEST(fingerprint__of_generated_types))

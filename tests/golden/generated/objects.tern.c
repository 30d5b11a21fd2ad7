/* Made by protoc-gen-tern from objects.proto; changes here are lost. */
#include "objects.tern.h"

#include <stddef.h>

TERN_TABLES_1_OBJECTS(test_objects_Circle);

static const tern_field test_objects_Circle__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Circle, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_objects_Circle, radius), 0, 0, TERN_DOUBLE, 0, sizeof(double)),
};

static const char *const test_objects_Circle__names[] = {
    "name",
    "radius",
};

const tern_type test_objects_Circle_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.objects.Circle",
    test_objects_Circle__fields,
    test_objects_Circle__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_objects_Circle),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_objects_Circle, unknown),
};

static const tern_field test_objects_Square__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Square, side), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_objects_Square__names[] = {
    "side",
};

const tern_type test_objects_Square_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.objects.Square",
    test_objects_Square__fields,
    test_objects_Square__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_objects_Square),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_objects_Square, side)),
};

static const tern_field test_objects_Holder__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Holder, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_objects_Holder, one), 0, 0, TERN_MESSAGE, TERN_FIELD_OBJECT, sizeof(void *)),
    TERN_FIELD(3, offsetof(test_objects_Holder, many), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS | TERN_FIELD_OBJECT, sizeof(void *)),
    TERN_FIELD(4, offsetof(test_objects_Holder, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_objects_Holder_NamedEntry)),
    TERN_FIELD(5, offsetof(test_objects_Holder, picked), 0, offsetof(test_objects_Holder, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF | TERN_FIELD_OBJECT, sizeof(void *)),
    TERN_FIELD(6, offsetof(test_objects_Holder, number), 0, offsetof(test_objects_Holder, pick_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(7, offsetof(test_objects_Holder, inner), 2, offsetof(test_objects_Holder, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_objects_Holder *)),
    TERN_FIELD(8, offsetof(test_objects_Holder, next), 2, 0, TERN_MESSAGE, 0, sizeof(test_objects_Holder *)),
};

static const char *const test_objects_Holder__names[] = {
    "id",
    "one",
    "many",
    "named",
    "picked",
    "number",
    "inner",
    "next",
};

static const tern_type *const test_objects_Holder__subs[] = {
    &tern_Object_type,
    &test_objects_Holder_NamedEntry_type,
    &test_objects_Holder_type,
};

const tern_type test_objects_Holder_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.objects.Holder",
    test_objects_Holder__fields,
    test_objects_Holder__names,
    NULL, /* json */
    test_objects_Holder__subs,
    NULL, /* enums */
    8, /* n_fields */
    8, /* n_dense */
    sizeof(test_objects_Holder),
    0, /* has_offset */
    0, /* n_has */
    8, /* max_number */
    0, /* n_required */
    offsetof(test_objects_Holder, unknown),
};

static const tern_field test_objects_Holder_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Holder_NamedEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_objects_Holder_NamedEntry, value), 0, 0, TERN_MESSAGE, TERN_FIELD_OBJECT, sizeof(void *)),
};

static const char *const test_objects_Holder_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_objects_Holder_NamedEntry__subs[] = {
    &tern_Object_type,
};

const tern_type test_objects_Holder_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.objects.Holder.NamedEntry",
    test_objects_Holder_NamedEntry__fields,
    test_objects_Holder_NamedEntry__names,
    NULL, /* json */
    test_objects_Holder_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_objects_Holder_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_objects_Plain__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Plain, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_objects_Plain, one), 0, 0, TERN_MESSAGE, 0, sizeof(test_objects_Any *)),
    TERN_FIELD(3, offsetof(test_objects_Plain, many), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_objects_Any)),
    TERN_FIELD(4, offsetof(test_objects_Plain, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_objects_Plain_NamedEntry)),
    TERN_FIELD(5, offsetof(test_objects_Plain, picked), 0, offsetof(test_objects_Plain, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_objects_Any *)),
    TERN_FIELD(6, offsetof(test_objects_Plain, number), 0, offsetof(test_objects_Plain, pick_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(7, offsetof(test_objects_Plain, inner), 2, offsetof(test_objects_Plain, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_objects_Plain *)),
    TERN_FIELD(8, offsetof(test_objects_Plain, next), 2, 0, TERN_MESSAGE, 0, sizeof(test_objects_Plain *)),
};

static const char *const test_objects_Plain__names[] = {
    "id",
    "one",
    "many",
    "named",
    "picked",
    "number",
    "inner",
    "next",
};

static const tern_type *const test_objects_Plain__subs[] = {
    &test_objects_Any_type,
    &test_objects_Plain_NamedEntry_type,
    &test_objects_Plain_type,
};

const tern_type test_objects_Plain_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.objects.Plain",
    test_objects_Plain__fields,
    test_objects_Plain__names,
    NULL, /* json */
    test_objects_Plain__subs,
    NULL, /* enums */
    8, /* n_fields */
    8, /* n_dense */
    sizeof(test_objects_Plain),
    0, /* has_offset */
    0, /* n_has */
    8, /* max_number */
    0, /* n_required */
    offsetof(test_objects_Plain, unknown),
};

static const tern_field test_objects_Plain_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Plain_NamedEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_objects_Plain_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_objects_Any *)),
};

static const char *const test_objects_Plain_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_objects_Plain_NamedEntry__subs[] = {
    &test_objects_Any_type,
};

const tern_type test_objects_Plain_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.objects.Plain.NamedEntry",
    test_objects_Plain_NamedEntry__fields,
    test_objects_Plain_NamedEntry__names,
    NULL, /* json */
    test_objects_Plain_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_objects_Plain_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_objects_Any__fields[] = {
    TERN_FIELD(1, offsetof(test_objects_Any, type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_objects_Any, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_objects_Any__names[] = {
    "type_url",
    "value",
};

const tern_type test_objects_Any_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.objects.Any",
    test_objects_Any__fields,
    test_objects_Any__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_objects_Any),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_objects_Any, unknown),
};


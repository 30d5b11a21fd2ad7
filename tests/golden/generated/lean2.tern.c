/* Made by protoc-gen-tern from lean2.proto; changes here are lost. */
#include "lean2.tern.h"

#include <stddef.h>

TERN_TABLES_1_NO_UNKNOWN(test_lean2_Lean);

static const tern_enum_value test_lean2_Color__values[] = {
    {0, "RED"},
    {5, "GREEN"},
};

const tern_enum test_lean2_Color_enum = {
    "test.lean2.Color",
    test_lean2_Color__values,
    2,
    true, /* closed */
};

static const tern_field test_lean2_Lean__fields[] = {
    TERN_FIELD(1, offsetof(test_lean2_Lean, color), 0, 0, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_lean2_Lean, colors), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(test_lean2_Lean, named), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_lean2_Lean_NamedEntry)),
    TERN_FIELD(4, offsetof(test_lean2_Lean, id), 0, 1, TERN_UINT32, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(uint32_t)),
    TERN_FIELD(5, offsetof(test_lean2_Lean, part), 1, 0, TERN_GROUP, 0, sizeof(test_lean2_Lean_Part *)),
};

static const char *const test_lean2_Lean__names[] = {
    "color",
    "colors",
    "named",
    "id",
    "part",
};

static const tern_type *const test_lean2_Lean__subs[] = {
    &test_lean2_Lean_NamedEntry_type,
    &test_lean2_Lean_Part_type,
};

static const tern_enum *const test_lean2_Lean__enums[] = {
    &test_lean2_Color_enum,
};

const tern_type test_lean2_Lean_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED | TERN_TYPE_NO_UNKNOWN,
    "test.lean2.Lean",
    test_lean2_Lean__fields,
    test_lean2_Lean__names,
    NULL, /* json */
    test_lean2_Lean__subs,
    test_lean2_Lean__enums,
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_lean2_Lean),
    offsetof(test_lean2_Lean, has),
    2, /* n_has */
    5, /* max_number */
    1, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_lean2_Lean, color)),
};

static const tern_field test_lean2_Lean_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_lean2_Lean_NamedEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_lean2_Lean_NamedEntry, value), 0, 0, TERN_ENUM, TERN_FIELD_CLOSED, sizeof(int32_t)),
};

static const char *const test_lean2_Lean_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_enum *const test_lean2_Lean_NamedEntry__enums[] = {
    &test_lean2_Color_enum,
};

const tern_type test_lean2_Lean_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.lean2.Lean.NamedEntry",
    test_lean2_Lean_NamedEntry__fields,
    test_lean2_Lean_NamedEntry__names,
    NULL, /* json */
    NULL, /* subs */
    test_lean2_Lean_NamedEntry__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean2_Lean_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_lean2_Lean_Part__fields[] = {
    TERN_FIELD(1, offsetof(test_lean2_Lean_Part, x), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const test_lean2_Lean_Part__names[] = {
    "x",
};

const tern_type test_lean2_Lean_Part_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean2.Lean.Part",
    test_lean2_Lean_Part__fields,
    test_lean2_Lean_Part__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_lean2_Lean_Part),
    offsetof(test_lean2_Lean_Part, has),
    1, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_lean2_Lean_Part, unknown),
};


/* Made by protoc-gen-tern from old.proto; changes here are lost. */
#include "old.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_old_Defaults);

static const tern_enum_value test_old_Mode__values[] = {
    {1, "SLOW"},
    {2, "FAST"},
};

const tern_enum test_old_Mode_enum = {
    "test.old.Mode",
    test_old_Mode__values,
    2,
    true, /* closed */
};

static const tern_field test_old_Defaults__fields[] = {
    TERN_FIELD(1, offsetof(test_old_Defaults, i), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_old_Defaults, lowest), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(test_old_Defaults, l), 0, 2, TERN_INT64, TERN_FIELD_HAS, sizeof(int64_t)),
    TERN_FIELD(4, offsetof(test_old_Defaults, u), 0, 3, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(5, offsetof(test_old_Defaults, m), 0, 4, TERN_UINT64, TERN_FIELD_HAS, sizeof(uint64_t)),
    TERN_FIELD(6, offsetof(test_old_Defaults, f), 0, 5, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(7, offsetof(test_old_Defaults, d), 0, 6, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(8, offsetof(test_old_Defaults, infinite), 0, 7, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(9, offsetof(test_old_Defaults, minus_infinite), 0, 8, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(10, offsetof(test_old_Defaults, none), 0, 9, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(11, offsetof(test_old_Defaults, b), 0, 10, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(12, offsetof(test_old_Defaults, s), 0, 11, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(13, offsetof(test_old_Defaults, raw), 0, 12, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(14, offsetof(test_old_Defaults, mode), 0, 13, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(15, offsetof(test_old_Defaults, plain), 0, 14, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(16, offsetof(test_old_Defaults, tiny), 0, 15, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(17, offsetof(test_old_Defaults, z), 0, 16, TERN_SINT64, TERN_FIELD_HAS, sizeof(int64_t)),
};

static const char *const test_old_Defaults__names[] = {
    "i",
    "lowest",
    "l",
    "u",
    "m",
    "f",
    "d",
    "infinite",
    "minus_infinite",
    "none",
    "b",
    "s",
    "raw",
    "mode",
    "plain",
    "tiny",
    "z",
};

static const tern_enum *const test_old_Defaults__enums[] = {
    &test_old_Mode_enum,
};

const tern_type test_old_Defaults_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.old.Defaults",
    test_old_Defaults__fields,
    test_old_Defaults__names,
    NULL, /* json */
    NULL, /* subs */
    test_old_Defaults__enums,
    17, /* n_fields */
    17, /* n_dense */
    sizeof(test_old_Defaults),
    offsetof(test_old_Defaults, has),
    17, /* n_has */
    17, /* max_number */
    0, /* n_required */
    offsetof(test_old_Defaults, unknown),
};

static const tern_field test_old_Required__fields[] = {
    TERN_FIELD(1, offsetof(test_old_Required, id), 0, 0, TERN_UINT32, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_old_Required, name), 0, 1, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_old_Required, child), 0, 0, TERN_MESSAGE, 0, sizeof(test_old_Required *)),
    TERN_FIELD(4, offsetof(test_old_Required, children), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_old_Required)),
};

static const char *const test_old_Required__names[] = {
    "id",
    "name",
    "child",
    "children",
};

static const tern_type *const test_old_Required__subs[] = {
    &test_old_Required_type,
};

const tern_type test_old_Required_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.old.Required",
    test_old_Required__fields,
    test_old_Required__names,
    NULL, /* json */
    test_old_Required__subs,
    NULL, /* enums */
    4, /* n_fields */
    4, /* n_dense */
    sizeof(test_old_Required),
    offsetof(test_old_Required, has),
    2, /* n_has */
    4, /* max_number */
    2, /* n_required */
    offsetof(test_old_Required, unknown),
};

static const tern_field test_old_HoldsRequired__fields[] = {
    TERN_FIELD(1, offsetof(test_old_HoldsRequired, held), 0, 0, TERN_MESSAGE, 0, sizeof(test_old_Required *)),
    TERN_FIELD(2, offsetof(test_old_HoldsRequired, needed), 0, 0, TERN_MESSAGE, TERN_FIELD_REQUIRED, sizeof(test_old_Required *)),
};

static const char *const test_old_HoldsRequired__names[] = {
    "held",
    "needed",
};

static const tern_type *const test_old_HoldsRequired__subs[] = {
    &test_old_Required_type,
};

const tern_type test_old_HoldsRequired_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.old.HoldsRequired",
    test_old_HoldsRequired__fields,
    test_old_HoldsRequired__names,
    NULL, /* json */
    test_old_HoldsRequired__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_old_HoldsRequired),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    1, /* n_required */
    offsetof(test_old_HoldsRequired, unknown),
};

static const tern_field test_old_Extensible__fields[] = {
    TERN_FIELD(1, offsetof(test_old_Extensible, a), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_old_Extensible, packed), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(test_old_Extensible, loose), 0, 0, TERN_INT32, TERN_FIELD_REPEATED, sizeof(int32_t)),
};

static const char *const test_old_Extensible__names[] = {
    "a",
    "packed",
    "loose",
};

const tern_type test_old_Extensible_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.old.Extensible",
    test_old_Extensible__fields,
    test_old_Extensible__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(test_old_Extensible),
    offsetof(test_old_Extensible, has),
    1, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(test_old_Extensible, unknown),
};


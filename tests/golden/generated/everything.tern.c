/* Made by protoc-gen-tern from everything.proto; changes here are lost. */
#include "everything.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_all_Scalars);

static const tern_enum_value test_all_Color__values[] = {
    {-2147483647 - 1, "LOWEST"},
    {-1, "BELOW"},
    {0, "COLOR_UNSPECIFIED"},
    {1, "RED"},
    {2147483647, "HIGHEST"},
};

const tern_enum test_all_Color_enum = {
    "test.all.Color",
    test_all_Color__values,
    5,
    false, /* closed */
};

static const tern_enum_value test_all_Outer_Inner_Size__values[] = {
    {0, "SMALL"},
    {1, "LARGE"},
};

const tern_enum test_all_Outer_Inner_Size_enum = {
    "test.all.Outer.Inner.Size",
    test_all_Outer_Inner_Size__values,
    2,
    false, /* closed */
};

static const tern_field test_all_Scalars__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Scalars, f_double), 0, 0, TERN_DOUBLE, 0, sizeof(double)),
    TERN_FIELD(2, offsetof(test_all_Scalars, f_float), 0, 0, TERN_FLOAT, 0, sizeof(float)),
    TERN_FIELD(3, offsetof(test_all_Scalars, f_int64), 0, 0, TERN_INT64, 0, sizeof(int64_t)),
    TERN_FIELD(4, offsetof(test_all_Scalars, f_uint64), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)),
    TERN_FIELD(5, offsetof(test_all_Scalars, f_int32), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(6, offsetof(test_all_Scalars, f_fixed64), 0, 0, TERN_FIXED64, 0, sizeof(uint64_t)),
    TERN_FIELD(7, offsetof(test_all_Scalars, f_fixed32), 0, 0, TERN_FIXED32, 0, sizeof(uint32_t)),
    TERN_FIELD(8, offsetof(test_all_Scalars, f_bool), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(9, offsetof(test_all_Scalars, f_string), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(10, offsetof(test_all_Scalars, f_bytes), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
    TERN_FIELD(11, offsetof(test_all_Scalars, f_uint32), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(12, offsetof(test_all_Scalars, f_enum), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(13, offsetof(test_all_Scalars, f_sfixed32), 0, 0, TERN_SFIXED32, 0, sizeof(int32_t)),
    TERN_FIELD(14, offsetof(test_all_Scalars, f_sfixed64), 0, 0, TERN_SFIXED64, 0, sizeof(int64_t)),
    TERN_FIELD(15, offsetof(test_all_Scalars, f_sint32), 0, 0, TERN_SINT32, 0, sizeof(int32_t)),
    TERN_FIELD(16, offsetof(test_all_Scalars, f_sint64), 0, 0, TERN_SINT64, 0, sizeof(int64_t)),
};

static const char *const test_all_Scalars__names[] = {
    "f_double",
    "f_float",
    "f_int64",
    "f_uint64",
    "f_int32",
    "f_fixed64",
    "f_fixed32",
    "f_bool",
    "f_string",
    "f_bytes",
    "f_uint32",
    "f_enum",
    "f_sfixed32",
    "f_sfixed64",
    "f_sint32",
    "f_sint64",
};

static const tern_enum *const test_all_Scalars__enums[] = {
    &test_all_Color_enum,
};

const tern_type test_all_Scalars_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Scalars",
    test_all_Scalars__fields,
    test_all_Scalars__names,
    NULL, /* json */
    NULL, /* subs */
    test_all_Scalars__enums,
    16, /* n_fields */
    16, /* n_dense */
    sizeof(test_all_Scalars),
    0, /* has_offset */
    0, /* n_has */
    16, /* max_number */
    0, /* n_required */
    offsetof(test_all_Scalars, unknown),
};

static const tern_field test_all_Optionals__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Optionals, f_double), 0, 0, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(2, offsetof(test_all_Optionals, f_float), 0, 1, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(3, offsetof(test_all_Optionals, f_int64), 0, 2, TERN_INT64, TERN_FIELD_HAS, sizeof(int64_t)),
    TERN_FIELD(4, offsetof(test_all_Optionals, f_uint64), 0, 3, TERN_UINT64, TERN_FIELD_HAS, sizeof(uint64_t)),
    TERN_FIELD(5, offsetof(test_all_Optionals, f_int32), 0, 4, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(6, offsetof(test_all_Optionals, f_fixed64), 0, 5, TERN_FIXED64, TERN_FIELD_HAS, sizeof(uint64_t)),
    TERN_FIELD(7, offsetof(test_all_Optionals, f_fixed32), 0, 6, TERN_FIXED32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(8, offsetof(test_all_Optionals, f_bool), 0, 7, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(9, offsetof(test_all_Optionals, f_string), 0, 8, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(10, offsetof(test_all_Optionals, f_bytes), 0, 9, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(11, offsetof(test_all_Optionals, f_uint32), 0, 10, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(12, offsetof(test_all_Optionals, f_enum), 0, 11, TERN_ENUM, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(13, offsetof(test_all_Optionals, f_sfixed32), 0, 12, TERN_SFIXED32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(14, offsetof(test_all_Optionals, f_sfixed64), 0, 13, TERN_SFIXED64, TERN_FIELD_HAS, sizeof(int64_t)),
    TERN_FIELD(15, offsetof(test_all_Optionals, f_sint32), 0, 14, TERN_SINT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(16, offsetof(test_all_Optionals, f_sint64), 0, 15, TERN_SINT64, TERN_FIELD_HAS, sizeof(int64_t)),
};

static const char *const test_all_Optionals__names[] = {
    "f_double",
    "f_float",
    "f_int64",
    "f_uint64",
    "f_int32",
    "f_fixed64",
    "f_fixed32",
    "f_bool",
    "f_string",
    "f_bytes",
    "f_uint32",
    "f_enum",
    "f_sfixed32",
    "f_sfixed64",
    "f_sint32",
    "f_sint64",
};

static const tern_enum *const test_all_Optionals__enums[] = {
    &test_all_Color_enum,
};

const tern_type test_all_Optionals_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Optionals",
    test_all_Optionals__fields,
    test_all_Optionals__names,
    NULL, /* json */
    NULL, /* subs */
    test_all_Optionals__enums,
    16, /* n_fields */
    16, /* n_dense */
    sizeof(test_all_Optionals),
    offsetof(test_all_Optionals, has),
    16, /* n_has */
    16, /* max_number */
    0, /* n_required */
    offsetof(test_all_Optionals, unknown),
};

static const tern_field test_all_Lists__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Lists, f_double), 0, 0, TERN_DOUBLE, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(double)),
    TERN_FIELD(2, offsetof(test_all_Lists, f_float), 0, 0, TERN_FLOAT, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(float)),
    TERN_FIELD(3, offsetof(test_all_Lists, f_int64), 0, 0, TERN_INT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)),
    TERN_FIELD(4, offsetof(test_all_Lists, f_uint64), 0, 0, TERN_UINT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint64_t)),
    TERN_FIELD(5, offsetof(test_all_Lists, f_int32), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(6, offsetof(test_all_Lists, f_fixed64), 0, 0, TERN_FIXED64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint64_t)),
    TERN_FIELD(7, offsetof(test_all_Lists, f_fixed32), 0, 0, TERN_FIXED32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint32_t)),
    TERN_FIELD(8, offsetof(test_all_Lists, f_bool), 0, 0, TERN_BOOL, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(bool)),
    TERN_FIELD(9, offsetof(test_all_Lists, f_string), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(10, offsetof(test_all_Lists, f_bytes), 0, 0, TERN_BYTES, TERN_FIELD_REPEATED, sizeof(tern_bytes)),
    TERN_FIELD(11, offsetof(test_all_Lists, f_uint32), 0, 0, TERN_UINT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint32_t)),
    TERN_FIELD(12, offsetof(test_all_Lists, f_enum), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(13, offsetof(test_all_Lists, f_sfixed32), 0, 0, TERN_SFIXED32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(14, offsetof(test_all_Lists, f_sfixed64), 0, 0, TERN_SFIXED64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)),
    TERN_FIELD(15, offsetof(test_all_Lists, f_sint32), 0, 0, TERN_SINT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(16, offsetof(test_all_Lists, f_sint64), 0, 0, TERN_SINT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)),
    TERN_FIELD(17, offsetof(test_all_Lists, unpacked), 0, 0, TERN_INT32, TERN_FIELD_REPEATED, sizeof(int32_t)),
    TERN_FIELD(18, offsetof(test_all_Lists, scalars), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Scalars)),
};

static const char *const test_all_Lists__names[] = {
    "f_double",
    "f_float",
    "f_int64",
    "f_uint64",
    "f_int32",
    "f_fixed64",
    "f_fixed32",
    "f_bool",
    "f_string",
    "f_bytes",
    "f_uint32",
    "f_enum",
    "f_sfixed32",
    "f_sfixed64",
    "f_sint32",
    "f_sint64",
    "unpacked",
    "scalars",
};

static const tern_type *const test_all_Lists__subs[] = {
    &test_all_Scalars_type,
};

static const tern_enum *const test_all_Lists__enums[] = {
    &test_all_Color_enum,
};

const tern_type test_all_Lists_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Lists",
    test_all_Lists__fields,
    test_all_Lists__names,
    NULL, /* json */
    test_all_Lists__subs,
    test_all_Lists__enums,
    18, /* n_fields */
    18, /* n_dense */
    sizeof(test_all_Lists),
    0, /* has_offset */
    0, /* n_has */
    18, /* max_number */
    0, /* n_required */
    offsetof(test_all_Lists, unknown),
};

static const tern_field test_all_Tree__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Tree, label), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_all_Tree, left), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)),
    TERN_FIELD(3, offsetof(test_all_Tree, right), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)),
    TERN_FIELD(4, offsetof(test_all_Tree, children), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Tree)),
    TERN_FIELD(5, offsetof(test_all_Tree, weight), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
};

static const char *const test_all_Tree__names[] = {
    "label",
    "left",
    "right",
    "children",
    "weight",
};

static const tern_type *const test_all_Tree__subs[] = {
    &test_all_Tree_type,
};

const tern_type test_all_Tree_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Tree",
    test_all_Tree__fields,
    test_all_Tree__names,
    NULL, /* json */
    test_all_Tree__subs,
    NULL, /* enums */
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_all_Tree),
    offsetof(test_all_Tree, has),
    1, /* n_has */
    5, /* max_number */
    0, /* n_required */
    offsetof(test_all_Tree, unknown),
};

static const tern_field test_all_Everything__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Everything, scalars), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Scalars *)),
    TERN_FIELD(2, offsetof(test_all_Everything, optionals), 1, 0, TERN_MESSAGE, 0, sizeof(test_all_Optionals *)),
    TERN_FIELD(3, offsetof(test_all_Everything, lists), 2, 0, TERN_MESSAGE, 0, sizeof(test_all_Lists *)),
    TERN_FIELD(4, offsetof(test_all_Everything, tree), 3, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)),
    TERN_FIELD(5, offsetof(test_all_Everything, deepest), 4, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner_Deepest *)),
    TERN_FIELD(6, offsetof(test_all_Everything, imported), 5, 0, TERN_MESSAGE, 0, sizeof(test_other_Imported *)),
    TERN_FIELD(7, offsetof(test_all_Everything, many_imported), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_other_Imported)),
    TERN_FIELD(8, offsetof(test_all_Everything, kind), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(1000, offsetof(test_all_Everything, far), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(536870911, offsetof(test_all_Everything, farthest), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_all_Everything__names[] = {
    "scalars",
    "optionals",
    "lists",
    "tree",
    "deepest",
    "imported",
    "many_imported",
    "kind",
    "far",
    "farthest",
};

static const tern_type *const test_all_Everything__subs[] = {
    &test_all_Scalars_type,
    &test_all_Optionals_type,
    &test_all_Lists_type,
    &test_all_Tree_type,
    &test_all_Outer_Inner_Deepest_type,
    &test_other_Imported_type,
};

static const tern_enum *const test_all_Everything__enums[] = {
    &test_other_Kind_enum,
};

const tern_type test_all_Everything_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Everything",
    test_all_Everything__fields,
    test_all_Everything__names,
    NULL, /* json */
    test_all_Everything__subs,
    test_all_Everything__enums,
    10, /* n_fields */
    8, /* n_dense */
    sizeof(test_all_Everything),
    0, /* has_offset */
    0, /* n_has */
    536870911, /* max_number */
    0, /* n_required */
    offsetof(test_all_Everything, unknown),
};

static const tern_field test_all_Outer__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Outer, inner), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner *)),
};

static const char *const test_all_Outer__names[] = {
    "inner",
};

static const tern_type *const test_all_Outer__subs[] = {
    &test_all_Outer_Inner_type,
};

const tern_type test_all_Outer_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Outer",
    test_all_Outer__fields,
    test_all_Outer__names,
    NULL, /* json */
    test_all_Outer__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Outer),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_all_Outer, unknown),
};

static const tern_field test_all_Outer_Inner__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Outer_Inner, deepest), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner_Deepest *)),
};

static const char *const test_all_Outer_Inner__names[] = {
    "deepest",
};

static const tern_type *const test_all_Outer_Inner__subs[] = {
    &test_all_Outer_Inner_Deepest_type,
};

const tern_type test_all_Outer_Inner_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Outer.Inner",
    test_all_Outer_Inner__fields,
    test_all_Outer_Inner__names,
    NULL, /* json */
    test_all_Outer_Inner__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Outer_Inner),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_all_Outer_Inner, unknown),
};

static const tern_field test_all_Outer_Inner_Deepest__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Outer_Inner_Deepest, size), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_all_Outer_Inner_Deepest, sizes), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
};

static const char *const test_all_Outer_Inner_Deepest__names[] = {
    "size",
    "sizes",
};

static const tern_enum *const test_all_Outer_Inner_Deepest__enums[] = {
    &test_all_Outer_Inner_Size_enum,
};

const tern_type test_all_Outer_Inner_Deepest_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Outer.Inner.Deepest",
    test_all_Outer_Inner_Deepest__fields,
    test_all_Outer_Inner_Deepest__names,
    NULL, /* json */
    NULL, /* subs */
    test_all_Outer_Inner_Deepest__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_all_Outer_Inner_Deepest),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_all_Outer_Inner_Deepest, unknown),
};

const tern_type test_all_Empty_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Empty",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_all_Empty),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_all_Empty, unknown),
};

static const tern_field test_all_Sparse__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Sparse, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_all_Sparse, b), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(3, offsetof(test_all_Sparse, c), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(17, offsetof(test_all_Sparse, k), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(300, offsetof(test_all_Sparse, z), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_all_Sparse__names[] = {
    "a",
    "b",
    "c",
    "k",
    "z",
};

const tern_type test_all_Sparse_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Sparse",
    test_all_Sparse__fields,
    test_all_Sparse__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    5, /* n_fields */
    3, /* n_dense */
    sizeof(test_all_Sparse),
    0, /* has_offset */
    0, /* n_has */
    300, /* max_number */
    0, /* n_required */
    offsetof(test_all_Sparse, unknown),
};

static const tern_field test_all_Batch__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Batch, items), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Everything)),
};

static const char *const test_all_Batch__names[] = {
    "items",
};

static const tern_type *const test_all_Batch__subs[] = {
    &test_all_Everything_type,
};

const tern_type test_all_Batch_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Batch",
    test_all_Batch__fields,
    test_all_Batch__names,
    NULL, /* json */
    test_all_Batch__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Batch),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_all_Batch, unknown),
};

static const tern_field test_all_Wide__fields[] = {
    TERN_FIELD(1, offsetof(test_all_Wide, b1), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_all_Wide, b2), 0, 1, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(3, offsetof(test_all_Wide, b3), 0, 2, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(4, offsetof(test_all_Wide, b4), 0, 3, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(5, offsetof(test_all_Wide, b5), 0, 4, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(6, offsetof(test_all_Wide, b6), 0, 5, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(7, offsetof(test_all_Wide, b7), 0, 6, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(8, offsetof(test_all_Wide, b8), 0, 7, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(9, offsetof(test_all_Wide, b9), 0, 8, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(10, offsetof(test_all_Wide, b10), 0, 9, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(11, offsetof(test_all_Wide, b11), 0, 10, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(12, offsetof(test_all_Wide, b12), 0, 11, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(13, offsetof(test_all_Wide, b13), 0, 12, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(14, offsetof(test_all_Wide, b14), 0, 13, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(15, offsetof(test_all_Wide, b15), 0, 14, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(16, offsetof(test_all_Wide, b16), 0, 15, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(17, offsetof(test_all_Wide, b17), 0, 16, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(18, offsetof(test_all_Wide, b18), 0, 17, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(19, offsetof(test_all_Wide, b19), 0, 18, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(20, offsetof(test_all_Wide, b20), 0, 19, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(21, offsetof(test_all_Wide, b21), 0, 20, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(22, offsetof(test_all_Wide, b22), 0, 21, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(23, offsetof(test_all_Wide, b23), 0, 22, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(24, offsetof(test_all_Wide, b24), 0, 23, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(25, offsetof(test_all_Wide, b25), 0, 24, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(26, offsetof(test_all_Wide, b26), 0, 25, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(27, offsetof(test_all_Wide, b27), 0, 26, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(28, offsetof(test_all_Wide, b28), 0, 27, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(29, offsetof(test_all_Wide, b29), 0, 28, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(30, offsetof(test_all_Wide, b30), 0, 29, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(31, offsetof(test_all_Wide, b31), 0, 30, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(32, offsetof(test_all_Wide, b32), 0, 31, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(33, offsetof(test_all_Wide, b33), 0, 32, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(34, offsetof(test_all_Wide, b34), 0, 33, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(35, offsetof(test_all_Wide, b35), 0, 34, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(36, offsetof(test_all_Wide, b36), 0, 35, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(37, offsetof(test_all_Wide, b37), 0, 36, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(38, offsetof(test_all_Wide, b38), 0, 37, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(39, offsetof(test_all_Wide, b39), 0, 38, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(40, offsetof(test_all_Wide, b40), 0, 39, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(41, offsetof(test_all_Wide, b41), 0, 40, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(42, offsetof(test_all_Wide, b42), 0, 41, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(43, offsetof(test_all_Wide, b43), 0, 42, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(44, offsetof(test_all_Wide, b44), 0, 43, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(45, offsetof(test_all_Wide, b45), 0, 44, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(46, offsetof(test_all_Wide, b46), 0, 45, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(47, offsetof(test_all_Wide, b47), 0, 46, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(48, offsetof(test_all_Wide, b48), 0, 47, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(49, offsetof(test_all_Wide, b49), 0, 48, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(50, offsetof(test_all_Wide, b50), 0, 49, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(51, offsetof(test_all_Wide, b51), 0, 50, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(52, offsetof(test_all_Wide, b52), 0, 51, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(53, offsetof(test_all_Wide, b53), 0, 52, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(54, offsetof(test_all_Wide, b54), 0, 53, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(55, offsetof(test_all_Wide, b55), 0, 54, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(56, offsetof(test_all_Wide, b56), 0, 55, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(57, offsetof(test_all_Wide, b57), 0, 56, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(58, offsetof(test_all_Wide, b58), 0, 57, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(59, offsetof(test_all_Wide, b59), 0, 58, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(60, offsetof(test_all_Wide, b60), 0, 59, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(61, offsetof(test_all_Wide, b61), 0, 60, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(62, offsetof(test_all_Wide, b62), 0, 61, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(63, offsetof(test_all_Wide, b63), 0, 62, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(64, offsetof(test_all_Wide, b64), 0, 63, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(65, offsetof(test_all_Wide, b65), 0, 64, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(66, offsetof(test_all_Wide, b66), 0, 65, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(67, offsetof(test_all_Wide, b67), 0, 66, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(68, offsetof(test_all_Wide, b68), 0, 67, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(69, offsetof(test_all_Wide, b69), 0, 68, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(70, offsetof(test_all_Wide, b70), 0, 69, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const test_all_Wide__names[] = {
    "b1",
    "b2",
    "b3",
    "b4",
    "b5",
    "b6",
    "b7",
    "b8",
    "b9",
    "b10",
    "b11",
    "b12",
    "b13",
    "b14",
    "b15",
    "b16",
    "b17",
    "b18",
    "b19",
    "b20",
    "b21",
    "b22",
    "b23",
    "b24",
    "b25",
    "b26",
    "b27",
    "b28",
    "b29",
    "b30",
    "b31",
    "b32",
    "b33",
    "b34",
    "b35",
    "b36",
    "b37",
    "b38",
    "b39",
    "b40",
    "b41",
    "b42",
    "b43",
    "b44",
    "b45",
    "b46",
    "b47",
    "b48",
    "b49",
    "b50",
    "b51",
    "b52",
    "b53",
    "b54",
    "b55",
    "b56",
    "b57",
    "b58",
    "b59",
    "b60",
    "b61",
    "b62",
    "b63",
    "b64",
    "b65",
    "b66",
    "b67",
    "b68",
    "b69",
    "b70",
};

const tern_type test_all_Wide_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.all.Wide",
    test_all_Wide__fields,
    test_all_Wide__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    70, /* n_fields */
    70, /* n_dense */
    sizeof(test_all_Wide),
    offsetof(test_all_Wide, has),
    70, /* n_has */
    70, /* max_number */
    0, /* n_required */
    offsetof(test_all_Wide, unknown),
};


/* Made by protoc-gen-tern from everything.proto; changes here are lost. */
#include "everything.tern.h"

#include <stddef.h>

static const tern_field test_all_Scalars__fields[] = {
    {1, offsetof(test_all_Scalars, f_double), 0, 0, TERN_DOUBLE, 0, sizeof(double)},
    {2, offsetof(test_all_Scalars, f_float), 0, 0, TERN_FLOAT, 0, sizeof(float)},
    {3, offsetof(test_all_Scalars, f_int64), 0, 0, TERN_INT64, 0, sizeof(int64_t)},
    {4, offsetof(test_all_Scalars, f_uint64), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)},
    {5, offsetof(test_all_Scalars, f_int32), 0, 0, TERN_INT32, 0, sizeof(int32_t)},
    {6, offsetof(test_all_Scalars, f_fixed64), 0, 0, TERN_FIXED64, 0, sizeof(uint64_t)},
    {7, offsetof(test_all_Scalars, f_fixed32), 0, 0, TERN_FIXED32, 0, sizeof(uint32_t)},
    {8, offsetof(test_all_Scalars, f_bool), 0, 0, TERN_BOOL, 0, sizeof(bool)},
    {9, offsetof(test_all_Scalars, f_string), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)},
    {10, offsetof(test_all_Scalars, f_bytes), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)},
    {11, offsetof(test_all_Scalars, f_uint32), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {12, offsetof(test_all_Scalars, f_enum), 0, 0, TERN_ENUM, 0, sizeof(int32_t)},
    {13, offsetof(test_all_Scalars, f_sfixed32), 0, 0, TERN_SFIXED32, 0, sizeof(int32_t)},
    {14, offsetof(test_all_Scalars, f_sfixed64), 0, 0, TERN_SFIXED64, 0, sizeof(int64_t)},
    {15, offsetof(test_all_Scalars, f_sint32), 0, 0, TERN_SINT32, 0, sizeof(int32_t)},
    {16, offsetof(test_all_Scalars, f_sint64), 0, 0, TERN_SINT64, 0, sizeof(int64_t)},
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

const tern_type test_all_Scalars_type = {
    "test.all.Scalars",
    test_all_Scalars__fields,
    test_all_Scalars__names,
    NULL, /* subs */
    16, /* n_fields */
    16, /* n_dense */
    sizeof(test_all_Scalars),
    0, /* has_offset */
    0, /* n_has */
    16, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Optionals__fields[] = {
    {1, offsetof(test_all_Optionals, f_double), 0, 0, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)},
    {2, offsetof(test_all_Optionals, f_float), 0, 1, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)},
    {3, offsetof(test_all_Optionals, f_int64), 0, 2, TERN_INT64, TERN_FIELD_HAS, sizeof(int64_t)},
    {4, offsetof(test_all_Optionals, f_uint64), 0, 3, TERN_UINT64, TERN_FIELD_HAS, sizeof(uint64_t)},
    {5, offsetof(test_all_Optionals, f_int32), 0, 4, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)},
    {6, offsetof(test_all_Optionals, f_fixed64), 0, 5, TERN_FIXED64, TERN_FIELD_HAS, sizeof(uint64_t)},
    {7, offsetof(test_all_Optionals, f_fixed32), 0, 6, TERN_FIXED32, TERN_FIELD_HAS, sizeof(uint32_t)},
    {8, offsetof(test_all_Optionals, f_bool), 0, 7, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)},
    {9, offsetof(test_all_Optionals, f_string), 0, 8, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_UTF8, sizeof(tern_str)},
    {10, offsetof(test_all_Optionals, f_bytes), 0, 9, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)},
    {11, offsetof(test_all_Optionals, f_uint32), 0, 10, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)},
    {12, offsetof(test_all_Optionals, f_enum), 0, 11, TERN_ENUM, TERN_FIELD_HAS, sizeof(int32_t)},
    {13, offsetof(test_all_Optionals, f_sfixed32), 0, 12, TERN_SFIXED32, TERN_FIELD_HAS, sizeof(int32_t)},
    {14, offsetof(test_all_Optionals, f_sfixed64), 0, 13, TERN_SFIXED64, TERN_FIELD_HAS, sizeof(int64_t)},
    {15, offsetof(test_all_Optionals, f_sint32), 0, 14, TERN_SINT32, TERN_FIELD_HAS, sizeof(int32_t)},
    {16, offsetof(test_all_Optionals, f_sint64), 0, 15, TERN_SINT64, TERN_FIELD_HAS, sizeof(int64_t)},
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

const tern_type test_all_Optionals_type = {
    "test.all.Optionals",
    test_all_Optionals__fields,
    test_all_Optionals__names,
    NULL, /* subs */
    16, /* n_fields */
    16, /* n_dense */
    sizeof(test_all_Optionals),
    offsetof(test_all_Optionals, has),
    16, /* n_has */
    16, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Lists__fields[] = {
    {1, offsetof(test_all_Lists, f_double), 0, 0, TERN_DOUBLE, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(double)},
    {2, offsetof(test_all_Lists, f_float), 0, 0, TERN_FLOAT, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(float)},
    {3, offsetof(test_all_Lists, f_int64), 0, 0, TERN_INT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)},
    {4, offsetof(test_all_Lists, f_uint64), 0, 0, TERN_UINT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint64_t)},
    {5, offsetof(test_all_Lists, f_int32), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)},
    {6, offsetof(test_all_Lists, f_fixed64), 0, 0, TERN_FIXED64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint64_t)},
    {7, offsetof(test_all_Lists, f_fixed32), 0, 0, TERN_FIXED32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint32_t)},
    {8, offsetof(test_all_Lists, f_bool), 0, 0, TERN_BOOL, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(bool)},
    {9, offsetof(test_all_Lists, f_string), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)},
    {10, offsetof(test_all_Lists, f_bytes), 0, 0, TERN_BYTES, TERN_FIELD_REPEATED, sizeof(tern_bytes)},
    {11, offsetof(test_all_Lists, f_uint32), 0, 0, TERN_UINT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(uint32_t)},
    {12, offsetof(test_all_Lists, f_enum), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)},
    {13, offsetof(test_all_Lists, f_sfixed32), 0, 0, TERN_SFIXED32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)},
    {14, offsetof(test_all_Lists, f_sfixed64), 0, 0, TERN_SFIXED64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)},
    {15, offsetof(test_all_Lists, f_sint32), 0, 0, TERN_SINT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)},
    {16, offsetof(test_all_Lists, f_sint64), 0, 0, TERN_SINT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int64_t)},
    {17, offsetof(test_all_Lists, unpacked), 0, 0, TERN_INT32, TERN_FIELD_REPEATED, sizeof(int32_t)},
    {18, offsetof(test_all_Lists, scalars), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Scalars)},
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

const tern_type test_all_Lists_type = {
    "test.all.Lists",
    test_all_Lists__fields,
    test_all_Lists__names,
    test_all_Lists__subs,
    18, /* n_fields */
    18, /* n_dense */
    sizeof(test_all_Lists),
    0, /* has_offset */
    0, /* n_has */
    18, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Tree__fields[] = {
    {1, offsetof(test_all_Tree, label), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)},
    {2, offsetof(test_all_Tree, left), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)},
    {3, offsetof(test_all_Tree, right), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)},
    {4, offsetof(test_all_Tree, children), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Tree)},
    {5, offsetof(test_all_Tree, weight), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)},
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
    "test.all.Tree",
    test_all_Tree__fields,
    test_all_Tree__names,
    test_all_Tree__subs,
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_all_Tree),
    offsetof(test_all_Tree, has),
    1, /* n_has */
    5, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Everything__fields[] = {
    {1, offsetof(test_all_Everything, scalars), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Scalars *)},
    {2, offsetof(test_all_Everything, optionals), 1, 0, TERN_MESSAGE, 0, sizeof(test_all_Optionals *)},
    {3, offsetof(test_all_Everything, lists), 2, 0, TERN_MESSAGE, 0, sizeof(test_all_Lists *)},
    {4, offsetof(test_all_Everything, tree), 3, 0, TERN_MESSAGE, 0, sizeof(test_all_Tree *)},
    {5, offsetof(test_all_Everything, deepest), 4, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner_Deepest *)},
    {6, offsetof(test_all_Everything, imported), 5, 0, TERN_MESSAGE, 0, sizeof(test_other_Imported *)},
    {7, offsetof(test_all_Everything, many_imported), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_other_Imported)},
    {8, offsetof(test_all_Everything, kind), 0, 0, TERN_ENUM, 0, sizeof(int32_t)},
    {1000, offsetof(test_all_Everything, far), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {536870911, offsetof(test_all_Everything, farthest), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)},
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

const tern_type test_all_Everything_type = {
    "test.all.Everything",
    test_all_Everything__fields,
    test_all_Everything__names,
    test_all_Everything__subs,
    10, /* n_fields */
    8, /* n_dense */
    sizeof(test_all_Everything),
    0, /* has_offset */
    0, /* n_has */
    536870911, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Outer__fields[] = {
    {1, offsetof(test_all_Outer, inner), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner *)},
};

static const char *const test_all_Outer__names[] = {
    "inner",
};

static const tern_type *const test_all_Outer__subs[] = {
    &test_all_Outer_Inner_type,
};

const tern_type test_all_Outer_type = {
    "test.all.Outer",
    test_all_Outer__fields,
    test_all_Outer__names,
    test_all_Outer__subs,
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Outer),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Outer_Inner__fields[] = {
    {1, offsetof(test_all_Outer_Inner, deepest), 0, 0, TERN_MESSAGE, 0, sizeof(test_all_Outer_Inner_Deepest *)},
};

static const char *const test_all_Outer_Inner__names[] = {
    "deepest",
};

static const tern_type *const test_all_Outer_Inner__subs[] = {
    &test_all_Outer_Inner_Deepest_type,
};

const tern_type test_all_Outer_Inner_type = {
    "test.all.Outer.Inner",
    test_all_Outer_Inner__fields,
    test_all_Outer_Inner__names,
    test_all_Outer_Inner__subs,
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Outer_Inner),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Outer_Inner_Deepest__fields[] = {
    {1, offsetof(test_all_Outer_Inner_Deepest, size), 0, 0, TERN_ENUM, 0, sizeof(int32_t)},
    {2, offsetof(test_all_Outer_Inner_Deepest, sizes), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)},
};

static const char *const test_all_Outer_Inner_Deepest__names[] = {
    "size",
    "sizes",
};

const tern_type test_all_Outer_Inner_Deepest_type = {
    "test.all.Outer.Inner.Deepest",
    test_all_Outer_Inner_Deepest__fields,
    test_all_Outer_Inner_Deepest__names,
    NULL, /* subs */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_all_Outer_Inner_Deepest),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
};

const tern_type test_all_Empty_type = {
    "test.all.Empty",
    NULL, /* fields */
    NULL, /* field_names */
    NULL, /* subs */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_all_Empty),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Sparse__fields[] = {
    {1, offsetof(test_all_Sparse, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {2, offsetof(test_all_Sparse, b), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {3, offsetof(test_all_Sparse, c), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {17, offsetof(test_all_Sparse, k), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
    {300, offsetof(test_all_Sparse, z), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)},
};

static const char *const test_all_Sparse__names[] = {
    "a",
    "b",
    "c",
    "k",
    "z",
};

const tern_type test_all_Sparse_type = {
    "test.all.Sparse",
    test_all_Sparse__fields,
    test_all_Sparse__names,
    NULL, /* subs */
    5, /* n_fields */
    3, /* n_dense */
    sizeof(test_all_Sparse),
    0, /* has_offset */
    0, /* n_has */
    300, /* max_number */
    0, /* n_required */
};

static const tern_field test_all_Batch__fields[] = {
    {1, offsetof(test_all_Batch, items), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_all_Everything)},
};

static const char *const test_all_Batch__names[] = {
    "items",
};

static const tern_type *const test_all_Batch__subs[] = {
    &test_all_Everything_type,
};

const tern_type test_all_Batch_type = {
    "test.all.Batch",
    test_all_Batch__fields,
    test_all_Batch__names,
    test_all_Batch__subs,
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_all_Batch),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
};


/* Made by protoc-gen-tern from compound.proto; changes here are lost. */
#include "compound.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_compound_Leaf);

static const tern_enum_value test_compound_Mood__values[] = {
    {-1, "MOOD_BAD"},
    {0, "MOOD_NONE"},
    {2, "MOOD_GOOD"},
    {2, "MOOD_WELL"},
};

const tern_enum test_compound_Mood_enum = {
    "test.compound.Mood",
    test_compound_Mood__values,
    4,
    false, /* closed */
};

static const tern_field test_compound_Leaf__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Leaf, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Leaf, label), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_compound_Leaf__names[] = {
    "id",
    "label",
};

const tern_type test_compound_Leaf_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.compound.Leaf",
    test_compound_Leaf__fields,
    test_compound_Leaf__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Leaf),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_compound_Leaf, unknown),
};

static const tern_field test_compound_Choice__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Choice, before), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Choice, f_double), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_DOUBLE, TERN_FIELD_ONEOF, sizeof(double)),
    TERN_FIELD(3, offsetof(test_compound_Choice, f_float), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_FLOAT, TERN_FIELD_ONEOF, sizeof(float)),
    TERN_FIELD(4, offsetof(test_compound_Choice, f_int64), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_INT64, TERN_FIELD_ONEOF, sizeof(int64_t)),
    TERN_FIELD(5, offsetof(test_compound_Choice, f_uint64), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_UINT64, TERN_FIELD_ONEOF, sizeof(uint64_t)),
    TERN_FIELD(6, offsetof(test_compound_Choice, f_int32), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_INT32, TERN_FIELD_ONEOF, sizeof(int32_t)),
    TERN_FIELD(7, offsetof(test_compound_Choice, f_fixed64), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_FIXED64, TERN_FIELD_ONEOF, sizeof(uint64_t)),
    TERN_FIELD(8, offsetof(test_compound_Choice, f_fixed32), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_FIXED32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(9, offsetof(test_compound_Choice, f_bool), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(10, offsetof(test_compound_Choice, f_string), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(11, offsetof(test_compound_Choice, f_bytes), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_BYTES, TERN_FIELD_ONEOF, sizeof(tern_bytes)),
    TERN_FIELD(12, offsetof(test_compound_Choice, f_uint32), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(13, offsetof(test_compound_Choice, f_enum), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_ENUM, TERN_FIELD_ONEOF, sizeof(int32_t)),
    TERN_FIELD(14, offsetof(test_compound_Choice, f_sfixed32), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_SFIXED32, TERN_FIELD_ONEOF, sizeof(int32_t)),
    TERN_FIELD(15, offsetof(test_compound_Choice, f_sfixed64), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_SFIXED64, TERN_FIELD_ONEOF, sizeof(int64_t)),
    TERN_FIELD(16, offsetof(test_compound_Choice, f_sint32), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_SINT32, TERN_FIELD_ONEOF, sizeof(int32_t)),
    TERN_FIELD(17, offsetof(test_compound_Choice, f_sint64), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_SINT64, TERN_FIELD_ONEOF, sizeof(int64_t)),
    TERN_FIELD(18, offsetof(test_compound_Choice, f_leaf), 0, offsetof(test_compound_Choice, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_compound_Leaf *)),
    TERN_FIELD(19, offsetof(test_compound_Choice, f_choice), 1, offsetof(test_compound_Choice, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_compound_Choice *)),
    TERN_FIELD(20, offsetof(test_compound_Choice, f_imported), 2, offsetof(test_compound_Choice, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_other_Imported *)),
    TERN_FIELD(21, offsetof(test_compound_Choice, between), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(22, offsetof(test_compound_Choice, text), 0, offsetof(test_compound_Choice, second_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(23, offsetof(test_compound_Choice, after), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(300, offsetof(test_compound_Choice, number), 0, offsetof(test_compound_Choice, second_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
};

static const char *const test_compound_Choice__names[] = {
    "before",
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
    "f_leaf",
    "f_choice",
    "f_imported",
    "between",
    "text",
    "after",
    "number",
};

static const tern_type *const test_compound_Choice__subs[] = {
    &test_compound_Leaf_type,
    &test_compound_Choice_type,
    &test_other_Imported_type,
};

static const tern_enum *const test_compound_Choice__enums[] = {
    &test_compound_Mood_enum,
};

const tern_type test_compound_Choice_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.compound.Choice",
    test_compound_Choice__fields,
    test_compound_Choice__names,
    NULL, /* json */
    test_compound_Choice__subs,
    test_compound_Choice__enums,
    24, /* n_fields */
    23, /* n_dense */
    sizeof(test_compound_Choice),
    offsetof(test_compound_Choice, has),
    1, /* n_has */
    300, /* max_number */
    0, /* n_required */
    offsetof(test_compound_Choice, unknown),
};

static const tern_field test_compound_Maps__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps, by_int32), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByInt32Entry)),
    TERN_FIELD(2, offsetof(test_compound_Maps, by_int64), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByInt64Entry)),
    TERN_FIELD(3, offsetof(test_compound_Maps, by_uint32), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByUint32Entry)),
    TERN_FIELD(4, offsetof(test_compound_Maps, by_uint64), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByUint64Entry)),
    TERN_FIELD(5, offsetof(test_compound_Maps, by_sint32), 4, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_BySint32Entry)),
    TERN_FIELD(6, offsetof(test_compound_Maps, by_sint64), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_BySint64Entry)),
    TERN_FIELD(7, offsetof(test_compound_Maps, by_fixed32), 6, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByFixed32Entry)),
    TERN_FIELD(8, offsetof(test_compound_Maps, by_fixed64), 7, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByFixed64Entry)),
    TERN_FIELD(9, offsetof(test_compound_Maps, by_sfixed32), 8, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_BySfixed32Entry)),
    TERN_FIELD(10, offsetof(test_compound_Maps, by_sfixed64), 9, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_BySfixed64Entry)),
    TERN_FIELD(11, offsetof(test_compound_Maps, by_bool), 10, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByBoolEntry)),
    TERN_FIELD(12, offsetof(test_compound_Maps, by_string), 11, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ByStringEntry)),
    TERN_FIELD(13, offsetof(test_compound_Maps, to_bytes), 12, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToBytesEntry)),
    TERN_FIELD(14, offsetof(test_compound_Maps, to_float), 13, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToFloatEntry)),
    TERN_FIELD(15, offsetof(test_compound_Maps, to_double), 14, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToDoubleEntry)),
    TERN_FIELD(16, offsetof(test_compound_Maps, to_mood), 15, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToMoodEntry)),
    TERN_FIELD(17, offsetof(test_compound_Maps, to_leaf), 16, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToLeafEntry)),
    TERN_FIELD(18, offsetof(test_compound_Maps, to_maps), 17, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToMapsEntry)),
    TERN_FIELD(19, offsetof(test_compound_Maps, to_imported), 18, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToImportedEntry)),
    TERN_FIELD(20, offsetof(test_compound_Maps, to_kind), 19, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_compound_Maps_ToKindEntry)),
};

static const char *const test_compound_Maps__names[] = {
    "by_int32",
    "by_int64",
    "by_uint32",
    "by_uint64",
    "by_sint32",
    "by_sint64",
    "by_fixed32",
    "by_fixed64",
    "by_sfixed32",
    "by_sfixed64",
    "by_bool",
    "by_string",
    "to_bytes",
    "to_float",
    "to_double",
    "to_mood",
    "to_leaf",
    "to_maps",
    "to_imported",
    "to_kind",
};

static const tern_type *const test_compound_Maps__subs[] = {
    &test_compound_Maps_ByInt32Entry_type,
    &test_compound_Maps_ByInt64Entry_type,
    &test_compound_Maps_ByUint32Entry_type,
    &test_compound_Maps_ByUint64Entry_type,
    &test_compound_Maps_BySint32Entry_type,
    &test_compound_Maps_BySint64Entry_type,
    &test_compound_Maps_ByFixed32Entry_type,
    &test_compound_Maps_ByFixed64Entry_type,
    &test_compound_Maps_BySfixed32Entry_type,
    &test_compound_Maps_BySfixed64Entry_type,
    &test_compound_Maps_ByBoolEntry_type,
    &test_compound_Maps_ByStringEntry_type,
    &test_compound_Maps_ToBytesEntry_type,
    &test_compound_Maps_ToFloatEntry_type,
    &test_compound_Maps_ToDoubleEntry_type,
    &test_compound_Maps_ToMoodEntry_type,
    &test_compound_Maps_ToLeafEntry_type,
    &test_compound_Maps_ToMapsEntry_type,
    &test_compound_Maps_ToImportedEntry_type,
    &test_compound_Maps_ToKindEntry_type,
};

const tern_type test_compound_Maps_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.compound.Maps",
    test_compound_Maps__fields,
    test_compound_Maps__names,
    NULL, /* json */
    test_compound_Maps__subs,
    NULL, /* enums */
    20, /* n_fields */
    20, /* n_dense */
    sizeof(test_compound_Maps),
    0, /* has_offset */
    0, /* n_has */
    20, /* max_number */
    0, /* n_required */
    offsetof(test_compound_Maps, unknown),
};

static const tern_field test_compound_Maps_ByInt32Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByInt32Entry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByInt32Entry, value), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
};

static const char *const test_compound_Maps_ByInt32Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByInt32Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByInt32Entry",
    test_compound_Maps_ByInt32Entry__fields,
    test_compound_Maps_ByInt32Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByInt32Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByInt64Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByInt64Entry, key), 0, 0, TERN_INT64, 0, sizeof(int64_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByInt64Entry, value), 0, 0, TERN_INT64, 0, sizeof(int64_t)),
};

static const char *const test_compound_Maps_ByInt64Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByInt64Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByInt64Entry",
    test_compound_Maps_ByInt64Entry__fields,
    test_compound_Maps_ByInt64Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByInt64Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByUint32Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByUint32Entry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByUint32Entry, value), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_compound_Maps_ByUint32Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByUint32Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByUint32Entry",
    test_compound_Maps_ByUint32Entry__fields,
    test_compound_Maps_ByUint32Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByUint32Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByUint64Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByUint64Entry, key), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByUint64Entry, value), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)),
};

static const char *const test_compound_Maps_ByUint64Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByUint64Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByUint64Entry",
    test_compound_Maps_ByUint64Entry__fields,
    test_compound_Maps_ByUint64Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByUint64Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_BySint32Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_BySint32Entry, key), 0, 0, TERN_SINT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_BySint32Entry, value), 0, 0, TERN_SINT32, 0, sizeof(int32_t)),
};

static const char *const test_compound_Maps_BySint32Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_BySint32Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.BySint32Entry",
    test_compound_Maps_BySint32Entry__fields,
    test_compound_Maps_BySint32Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_BySint32Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_BySint64Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_BySint64Entry, key), 0, 0, TERN_SINT64, 0, sizeof(int64_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_BySint64Entry, value), 0, 0, TERN_SINT64, 0, sizeof(int64_t)),
};

static const char *const test_compound_Maps_BySint64Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_BySint64Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.BySint64Entry",
    test_compound_Maps_BySint64Entry__fields,
    test_compound_Maps_BySint64Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_BySint64Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByFixed32Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByFixed32Entry, key), 0, 0, TERN_FIXED32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByFixed32Entry, value), 0, 0, TERN_FIXED32, 0, sizeof(uint32_t)),
};

static const char *const test_compound_Maps_ByFixed32Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByFixed32Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByFixed32Entry",
    test_compound_Maps_ByFixed32Entry__fields,
    test_compound_Maps_ByFixed32Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByFixed32Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByFixed64Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByFixed64Entry, key), 0, 0, TERN_FIXED64, 0, sizeof(uint64_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByFixed64Entry, value), 0, 0, TERN_FIXED64, 0, sizeof(uint64_t)),
};

static const char *const test_compound_Maps_ByFixed64Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByFixed64Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByFixed64Entry",
    test_compound_Maps_ByFixed64Entry__fields,
    test_compound_Maps_ByFixed64Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByFixed64Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_BySfixed32Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_BySfixed32Entry, key), 0, 0, TERN_SFIXED32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_BySfixed32Entry, value), 0, 0, TERN_SFIXED32, 0, sizeof(int32_t)),
};

static const char *const test_compound_Maps_BySfixed32Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_BySfixed32Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.BySfixed32Entry",
    test_compound_Maps_BySfixed32Entry__fields,
    test_compound_Maps_BySfixed32Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_BySfixed32Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_BySfixed64Entry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_BySfixed64Entry, key), 0, 0, TERN_SFIXED64, 0, sizeof(int64_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_BySfixed64Entry, value), 0, 0, TERN_SFIXED64, 0, sizeof(int64_t)),
};

static const char *const test_compound_Maps_BySfixed64Entry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_BySfixed64Entry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.BySfixed64Entry",
    test_compound_Maps_BySfixed64Entry__fields,
    test_compound_Maps_BySfixed64Entry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_BySfixed64Entry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByBoolEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByBoolEntry, key), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByBoolEntry, value), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_compound_Maps_ByBoolEntry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByBoolEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByBoolEntry",
    test_compound_Maps_ByBoolEntry__fields,
    test_compound_Maps_ByBoolEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByBoolEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ByStringEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ByStringEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ByStringEntry, value), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_compound_Maps_ByStringEntry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ByStringEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ByStringEntry",
    test_compound_Maps_ByStringEntry__fields,
    test_compound_Maps_ByStringEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ByStringEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToBytesEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToBytesEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToBytesEntry, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_compound_Maps_ToBytesEntry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ToBytesEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToBytesEntry",
    test_compound_Maps_ToBytesEntry__fields,
    test_compound_Maps_ToBytesEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToBytesEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToFloatEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToFloatEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToFloatEntry, value), 0, 0, TERN_FLOAT, 0, sizeof(float)),
};

static const char *const test_compound_Maps_ToFloatEntry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ToFloatEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToFloatEntry",
    test_compound_Maps_ToFloatEntry__fields,
    test_compound_Maps_ToFloatEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToFloatEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToDoubleEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToDoubleEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToDoubleEntry, value), 0, 0, TERN_DOUBLE, 0, sizeof(double)),
};

static const char *const test_compound_Maps_ToDoubleEntry__names[] = {
    "key",
    "value",
};

const tern_type test_compound_Maps_ToDoubleEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToDoubleEntry",
    test_compound_Maps_ToDoubleEntry__fields,
    test_compound_Maps_ToDoubleEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToDoubleEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToMoodEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToMoodEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToMoodEntry, value), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const test_compound_Maps_ToMoodEntry__names[] = {
    "key",
    "value",
};

static const tern_enum *const test_compound_Maps_ToMoodEntry__enums[] = {
    &test_compound_Mood_enum,
};

const tern_type test_compound_Maps_ToMoodEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToMoodEntry",
    test_compound_Maps_ToMoodEntry__fields,
    test_compound_Maps_ToMoodEntry__names,
    NULL, /* json */
    NULL, /* subs */
    test_compound_Maps_ToMoodEntry__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToMoodEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToLeafEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToLeafEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToLeafEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_compound_Leaf *)),
};

static const char *const test_compound_Maps_ToLeafEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_compound_Maps_ToLeafEntry__subs[] = {
    &test_compound_Leaf_type,
};

const tern_type test_compound_Maps_ToLeafEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToLeafEntry",
    test_compound_Maps_ToLeafEntry__fields,
    test_compound_Maps_ToLeafEntry__names,
    NULL, /* json */
    test_compound_Maps_ToLeafEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToLeafEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToMapsEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToMapsEntry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToMapsEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_compound_Maps *)),
};

static const char *const test_compound_Maps_ToMapsEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_compound_Maps_ToMapsEntry__subs[] = {
    &test_compound_Maps_type,
};

const tern_type test_compound_Maps_ToMapsEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToMapsEntry",
    test_compound_Maps_ToMapsEntry__fields,
    test_compound_Maps_ToMapsEntry__names,
    NULL, /* json */
    test_compound_Maps_ToMapsEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToMapsEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToImportedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToImportedEntry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToImportedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_other_Imported *)),
};

static const char *const test_compound_Maps_ToImportedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_compound_Maps_ToImportedEntry__subs[] = {
    &test_other_Imported_type,
};

const tern_type test_compound_Maps_ToImportedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToImportedEntry",
    test_compound_Maps_ToImportedEntry__fields,
    test_compound_Maps_ToImportedEntry__names,
    NULL, /* json */
    test_compound_Maps_ToImportedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToImportedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_Maps_ToKindEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Maps_ToKindEntry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_compound_Maps_ToKindEntry, value), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const test_compound_Maps_ToKindEntry__names[] = {
    "key",
    "value",
};

static const tern_enum *const test_compound_Maps_ToKindEntry__enums[] = {
    &test_other_Kind_enum,
};

const tern_type test_compound_Maps_ToKindEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.compound.Maps.ToKindEntry",
    test_compound_Maps_ToKindEntry__fields,
    test_compound_Maps_ToKindEntry__names,
    NULL, /* json */
    NULL, /* subs */
    test_compound_Maps_ToKindEntry__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_compound_Maps_ToKindEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_compound_JsonNames__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_JsonNames, plain_name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_compound_JsonNames, other_name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_compound_JsonNames, quoted), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(test_compound_JsonNames, fieldname2), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(5, offsetof(test_compound_JsonNames, _field_name3), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(6, offsetof(test_compound_JsonNames, field__name4_), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(7, offsetof(test_compound_JsonNames, Upper_case), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_compound_JsonNames__names[] = {
    "plain_name",
    "other_name",
    "quoted",
    "fieldname2",
    "_field_name3",
    "field__name4_",
    "Upper_case",
};

static const char *const test_compound_JsonNames__json[] = {
    NULL,
    "renamed",
    "a \"b\" \\ \?\?= \303\244",
    NULL,
    NULL,
    NULL,
    NULL,
};

const tern_type test_compound_JsonNames_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.compound.JsonNames",
    test_compound_JsonNames__fields,
    test_compound_JsonNames__names,
    test_compound_JsonNames__json,
    NULL, /* subs */
    NULL, /* enums */
    7, /* n_fields */
    7, /* n_dense */
    sizeof(test_compound_JsonNames),
    0, /* has_offset */
    0, /* n_has */
    7, /* max_number */
    0, /* n_required */
    offsetof(test_compound_JsonNames, unknown),
};

static const tern_field test_compound_Holder__fields[] = {
    TERN_FIELD(1, offsetof(test_compound_Holder, choice), 0, 0, TERN_MESSAGE, 0, sizeof(test_compound_Choice *)),
    TERN_FIELD(2, offsetof(test_compound_Holder, choices), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_compound_Choice)),
    TERN_FIELD(3, offsetof(test_compound_Holder, maps), 1, 0, TERN_MESSAGE, 0, sizeof(test_compound_Maps *)),
    TERN_FIELD(4, offsetof(test_compound_Holder, moods), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
};

static const char *const test_compound_Holder__names[] = {
    "choice",
    "choices",
    "maps",
    "moods",
};

static const tern_type *const test_compound_Holder__subs[] = {
    &test_compound_Choice_type,
    &test_compound_Maps_type,
};

static const tern_enum *const test_compound_Holder__enums[] = {
    &test_compound_Mood_enum,
};

const tern_type test_compound_Holder_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.compound.Holder",
    test_compound_Holder__fields,
    test_compound_Holder__names,
    NULL, /* json */
    test_compound_Holder__subs,
    test_compound_Holder__enums,
    4, /* n_fields */
    4, /* n_dense */
    sizeof(test_compound_Holder),
    0, /* has_offset */
    0, /* n_has */
    4, /* max_number */
    0, /* n_required */
    offsetof(test_compound_Holder, unknown),
};


/* Made by protoc-gen-tern from legacy.proto; changes here are lost. */
#include "legacy.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_legacy_Groups);

static const tern_enum_value test_legacy_Level__values[] = {
    {-5, "NEGATIVE"},
    {1, "LOW"},
    {1, "LEAST"},
    {9, "HIGH"},
};

const tern_enum test_legacy_Level_enum = {
    "test.legacy.Level",
    test_legacy_Level__values,
    4,
    true, /* closed */
};

static const tern_enum_value test_legacy_Degree__values[] = {
    {0, "NONE"},
    {3, "SOME"},
    {7, "ALL"},
};

const tern_enum test_legacy_Degree_enum = {
    "test.legacy.Degree",
    test_legacy_Degree__values,
    3,
    true, /* closed */
};

static const tern_field test_legacy_Groups__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Groups, single), 0, 0, TERN_GROUP, 0, sizeof(test_legacy_Groups_Single *)),
    TERN_FIELD(4, offsetof(test_legacy_Groups, many), 1, 0, TERN_GROUP, TERN_FIELD_REPEATED, sizeof(test_legacy_Groups_Many)),
    TERN_FIELD(5, offsetof(test_legacy_Groups, needed), 2, 0, TERN_GROUP, TERN_FIELD_REQUIRED, sizeof(test_legacy_Groups_Needed *)),
    TERN_FIELD(6, offsetof(test_legacy_Groups, chosen), 3, offsetof(test_legacy_Groups, pick_case) / 4, TERN_GROUP, TERN_FIELD_ONEOF, sizeof(test_legacy_Groups_Chosen *)),
    TERN_FIELD(7, offsetof(test_legacy_Groups, number), 0, offsetof(test_legacy_Groups, pick_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(8, offsetof(test_legacy_Groups, text), 0, offsetof(test_legacy_Groups, pick_case) / 4, TERN_STRING, TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(9, offsetof(test_legacy_Groups, level), 0, offsetof(test_legacy_Groups, pick_case) / 4, TERN_ENUM, TERN_FIELD_ONEOF | TERN_FIELD_CLOSED, sizeof(int32_t)),
};

static const char *const test_legacy_Groups__names[] = {
    "single",
    "many",
    "needed",
    "chosen",
    "number",
    "text",
    "level",
};

static const tern_type *const test_legacy_Groups__subs[] = {
    &test_legacy_Groups_Single_type,
    &test_legacy_Groups_Many_type,
    &test_legacy_Groups_Needed_type,
    &test_legacy_Groups_Chosen_type,
};

static const tern_enum *const test_legacy_Groups__enums[] = {
    &test_legacy_Level_enum,
};

const tern_type test_legacy_Groups_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.legacy.Groups",
    test_legacy_Groups__fields,
    test_legacy_Groups__names,
    NULL, /* json */
    test_legacy_Groups__subs,
    test_legacy_Groups__enums,
    7, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Groups),
    0, /* has_offset */
    0, /* n_has */
    9, /* max_number */
    1, /* n_required */
    offsetof(test_legacy_Groups, unknown),
};

static const tern_field test_legacy_Groups_Single__fields[] = {
    TERN_FIELD(2, offsetof(test_legacy_Groups_Single, id), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(3, offsetof(test_legacy_Groups_Single, inner), 0, 0, TERN_GROUP, 0, sizeof(test_legacy_Groups_Single_Inner *)),
};

static const char *const test_legacy_Groups_Single__names[] = {
    "id",
    "inner",
};

static const tern_type *const test_legacy_Groups_Single__subs[] = {
    &test_legacy_Groups_Single_Inner_type,
};

const tern_type test_legacy_Groups_Single_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Groups.Single",
    test_legacy_Groups_Single__fields,
    test_legacy_Groups_Single__names,
    NULL, /* json */
    test_legacy_Groups_Single__subs,
    NULL, /* enums */
    2, /* n_fields */
    0, /* n_dense */
    sizeof(test_legacy_Groups_Single),
    offsetof(test_legacy_Groups_Single, has),
    1, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Groups_Single, unknown),
};

static const tern_field test_legacy_Groups_Single_Inner__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Groups_Single_Inner, names), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
};

static const char *const test_legacy_Groups_Single_Inner__names[] = {
    "names",
};

const tern_type test_legacy_Groups_Single_Inner_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Groups.Single.Inner",
    test_legacy_Groups_Single_Inner__fields,
    test_legacy_Groups_Single_Inner__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Groups_Single_Inner),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Groups_Single_Inner, unknown),
};

static const tern_field test_legacy_Groups_Many__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Groups_Many, n), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_legacy_Groups_Many, again), 0, 0, TERN_MESSAGE, 0, sizeof(test_legacy_Groups *)),
};

static const char *const test_legacy_Groups_Many__names[] = {
    "n",
    "again",
};

static const tern_type *const test_legacy_Groups_Many__subs[] = {
    &test_legacy_Groups_type,
};

const tern_type test_legacy_Groups_Many_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.legacy.Groups.Many",
    test_legacy_Groups_Many__fields,
    test_legacy_Groups_Many__names,
    NULL, /* json */
    test_legacy_Groups_Many__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_legacy_Groups_Many),
    offsetof(test_legacy_Groups_Many, has),
    1, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Groups_Many, unknown),
};

static const tern_field test_legacy_Groups_Needed__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Groups_Needed, b), 0, 0, TERN_BOOL, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(bool)),
};

static const char *const test_legacy_Groups_Needed__names[] = {
    "b",
};

const tern_type test_legacy_Groups_Needed_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.legacy.Groups.Needed",
    test_legacy_Groups_Needed__fields,
    test_legacy_Groups_Needed__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Groups_Needed),
    offsetof(test_legacy_Groups_Needed, has),
    1, /* n_has */
    1, /* max_number */
    1, /* n_required */
    offsetof(test_legacy_Groups_Needed, unknown),
};

static const tern_field test_legacy_Groups_Chosen__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Groups_Chosen, s), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const test_legacy_Groups_Chosen__names[] = {
    "s",
};

const tern_type test_legacy_Groups_Chosen_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Groups.Chosen",
    test_legacy_Groups_Chosen__fields,
    test_legacy_Groups_Chosen__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Groups_Chosen),
    offsetof(test_legacy_Groups_Chosen, has),
    1, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Groups_Chosen, unknown),
};

static const tern_field test_legacy_Closed__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Closed, one), 0, 0, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_legacy_Closed, many), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(test_legacy_Closed, packed), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(4, offsetof(test_legacy_Closed, by_name), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_legacy_Closed_ByNameEntry)),
    TERN_FIELD(5, offsetof(test_legacy_Closed, needed), 0, 1, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_REQUIRED | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(6, offsetof(test_legacy_Closed, defaulted), 0, 2, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(7, offsetof(test_legacy_Closed, chosen), 0, offsetof(test_legacy_Closed, pick_case) / 4, TERN_ENUM, TERN_FIELD_ONEOF | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(8, offsetof(test_legacy_Closed, other), 0, offsetof(test_legacy_Closed, pick_case) / 4, TERN_INT32, TERN_FIELD_ONEOF, sizeof(int32_t)),
};

static const char *const test_legacy_Closed__names[] = {
    "one",
    "many",
    "packed",
    "by_name",
    "needed",
    "defaulted",
    "chosen",
    "other",
};

static const tern_type *const test_legacy_Closed__subs[] = {
    &test_legacy_Closed_ByNameEntry_type,
};

static const tern_enum *const test_legacy_Closed__enums[] = {
    &test_legacy_Level_enum,
};

const tern_type test_legacy_Closed_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.legacy.Closed",
    test_legacy_Closed__fields,
    test_legacy_Closed__names,
    NULL, /* json */
    test_legacy_Closed__subs,
    test_legacy_Closed__enums,
    8, /* n_fields */
    8, /* n_dense */
    sizeof(test_legacy_Closed),
    offsetof(test_legacy_Closed, has),
    3, /* n_has */
    8, /* max_number */
    1, /* n_required */
    offsetof(test_legacy_Closed, unknown),
};

static const tern_field test_legacy_Closed_ByNameEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Closed_ByNameEntry, key), 0, 0, TERN_STRING, 0, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_legacy_Closed_ByNameEntry, value), 0, 0, TERN_ENUM, TERN_FIELD_CLOSED, sizeof(int32_t)),
};

static const char *const test_legacy_Closed_ByNameEntry__names[] = {
    "key",
    "value",
};

static const tern_enum *const test_legacy_Closed_ByNameEntry__enums[] = {
    &test_legacy_Degree_enum,
};

const tern_type test_legacy_Closed_ByNameEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.legacy.Closed.ByNameEntry",
    test_legacy_Closed_ByNameEntry__fields,
    test_legacy_Closed_ByNameEntry__names,
    NULL, /* json */
    NULL, /* subs */
    test_legacy_Closed_ByNameEntry__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_legacy_Closed_ByNameEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_legacy_Deep__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Deep, closed), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_legacy_Deep_ClosedEntry)),
    TERN_FIELD(2, offsetof(test_legacy_Deep, deep), 1, offsetof(test_legacy_Deep, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_legacy_Deep *)),
    TERN_FIELD(3, offsetof(test_legacy_Deep, free), 2, offsetof(test_legacy_Deep, pick_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_legacy_Free *)),
};

static const char *const test_legacy_Deep__names[] = {
    "closed",
    "deep",
    "free",
};

static const tern_type *const test_legacy_Deep__subs[] = {
    &test_legacy_Deep_ClosedEntry_type,
    &test_legacy_Deep_type,
    &test_legacy_Free_type,
};

const tern_type test_legacy_Deep_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.legacy.Deep",
    test_legacy_Deep__fields,
    test_legacy_Deep__names,
    NULL, /* json */
    test_legacy_Deep__subs,
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(test_legacy_Deep),
    0, /* has_offset */
    0, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Deep, unknown),
};

static const tern_field test_legacy_Deep_ClosedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Deep_ClosedEntry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_legacy_Deep_ClosedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_legacy_Closed *)),
};

static const char *const test_legacy_Deep_ClosedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_legacy_Deep_ClosedEntry__subs[] = {
    &test_legacy_Closed_type,
};

const tern_type test_legacy_Deep_ClosedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED,
    "test.legacy.Deep.ClosedEntry",
    test_legacy_Deep_ClosedEntry__fields,
    test_legacy_Deep_ClosedEntry__names,
    NULL, /* json */
    test_legacy_Deep_ClosedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_legacy_Deep_ClosedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_legacy_Free__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Free, next), 0, 0, TERN_MESSAGE, 0, sizeof(test_legacy_Free *)),
    TERN_FIELD(2, offsetof(test_legacy_Free, levels), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_CLOSED, sizeof(int32_t)),
};

static const char *const test_legacy_Free__names[] = {
    "next",
    "levels",
};

static const tern_type *const test_legacy_Free__subs[] = {
    &test_legacy_Free_type,
};

static const tern_enum *const test_legacy_Free__enums[] = {
    &test_legacy_Level_enum,
};

const tern_type test_legacy_Free_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Free",
    test_legacy_Free__fields,
    test_legacy_Free__names,
    NULL, /* json */
    test_legacy_Free__subs,
    test_legacy_Free__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_legacy_Free),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Free, unknown),
};

static const tern_field test_legacy_Extended__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Extended, a), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
};

static const char *const test_legacy_Extended__names[] = {
    "a",
};

const tern_type test_legacy_Extended_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Extended",
    test_legacy_Extended__fields,
    test_legacy_Extended__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Extended),
    offsetof(test_legacy_Extended, has),
    1, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Extended, unknown),
};

static const tern_field test_legacy_Grouped__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Grouped, g), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
};

static const char *const test_legacy_Grouped__names[] = {
    "g",
};

const tern_type test_legacy_Grouped_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Grouped",
    test_legacy_Grouped__fields,
    test_legacy_Grouped__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_Grouped),
    offsetof(test_legacy_Grouped, has),
    1, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Grouped, unknown),
};

const tern_type test_legacy_Set_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Set",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_legacy_Set),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Set, unknown),
};

static const tern_field test_legacy_InSet__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_InSet, text), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const test_legacy_InSet__names[] = {
    "text",
};

const tern_type test_legacy_InSet_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.InSet",
    test_legacy_InSet__fields,
    test_legacy_InSet__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_legacy_InSet),
    offsetof(test_legacy_InSet, has),
    1, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_InSet, unknown),
};

static const tern_field test_legacy_Numbers__fields[] = {
    TERN_FIELD(1, offsetof(test_legacy_Numbers, i), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_legacy_Numbers, o), 0, 1, TERN_INT64, TERN_FIELD_HAS, sizeof(int64_t)),
    TERN_FIELD(3, offsetof(test_legacy_Numbers, plus), 0, 2, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(4, offsetof(test_legacy_Numbers, tiny), 0, 3, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(5, offsetof(test_legacy_Numbers, big), 0, 4, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(6, offsetof(test_legacy_Numbers, nothing), 0, 5, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(7, offsetof(test_legacy_Numbers, minus_zero), 0, 6, TERN_FLOAT, TERN_FIELD_HAS, sizeof(float)),
    TERN_FIELD(8, offsetof(test_legacy_Numbers, text), 0, 7, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(9, offsetof(test_legacy_Numbers, raw), 0, 8, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(10, offsetof(test_legacy_Numbers, empty), 0, 9, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(11, offsetof(test_legacy_Numbers, no), 0, 10, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(12, offsetof(test_legacy_Numbers, split), 0, 11, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const test_legacy_Numbers__names[] = {
    "i",
    "o",
    "plus",
    "tiny",
    "big",
    "nothing",
    "minus_zero",
    "text",
    "raw",
    "empty",
    "no",
    "split",
};

const tern_type test_legacy_Numbers_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.legacy.Numbers",
    test_legacy_Numbers__fields,
    test_legacy_Numbers__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    12, /* n_fields */
    12, /* n_dense */
    sizeof(test_legacy_Numbers),
    offsetof(test_legacy_Numbers, has),
    12, /* n_has */
    12, /* max_number */
    0, /* n_required */
    offsetof(test_legacy_Numbers, unknown),
};


/* Made by protoc-gen-tern from lean.proto; changes here are lost. */
#include "lean.tern.h"

#include <stddef.h>

TERN_TABLES_1_NO_UNKNOWN(test_lean_Point);

static const tern_field test_lean_Point__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Point, x), 0, 0, TERN_FLOAT, 0, sizeof(float)),
    TERN_FIELD(2, offsetof(test_lean_Point, y), 0, 0, TERN_FLOAT, 0, sizeof(float)),
};

static const char *const test_lean_Point__names[] = {
    "x",
    "y",
};

const tern_type test_lean_Point_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Point",
    test_lean_Point__fields,
    test_lean_Point__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Point),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_lean_Point, x)),
};

static const tern_field test_lean_FullPoint__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_FullPoint, x), 0, 0, TERN_FLOAT, 0, sizeof(float)),
    TERN_FIELD(2, offsetof(test_lean_FullPoint, y), 0, 0, TERN_FLOAT, 0, sizeof(float)),
};

static const char *const test_lean_FullPoint__names[] = {
    "x",
    "y",
};

const tern_type test_lean_FullPoint_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullPoint",
    test_lean_FullPoint__fields,
    test_lean_FullPoint__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_FullPoint),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullPoint, unknown),
};

static const tern_field test_lean_Lean__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Lean, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_lean_Lean, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_lean_Lean, data), 0, 0, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(4, offsetof(test_lean_Lean, next), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_Lean *)),
    TERN_FIELD(5, offsetof(test_lean_Lean, inside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_Lean)),
    TERN_FIELD(6, offsetof(test_lean_Lean, beside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_lean_Lean *)),
    TERN_FIELD(7, offsetof(test_lean_Lean, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_lean_Lean_NamedEntry)),
    TERN_FIELD(8, offsetof(test_lean_Lean, mate), 0, offsetof(test_lean_Lean, one_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_lean_Lean *)),
    TERN_FIELD(9, offsetof(test_lean_Lean, number), 0, offsetof(test_lean_Lean, one_case) / 4, TERN_SINT64, TERN_FIELD_ONEOF, sizeof(int64_t)),
    TERN_FIELD(10, offsetof(test_lean_Lean, point), 2, 0, TERN_MESSAGE, 0, sizeof(test_lean_Point *)),
    TERN_FIELD(11, offsetof(test_lean_Lean, points), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_Point)),
    TERN_FIELD(12, offsetof(test_lean_Lean, bits), 0, 0, TERN_BOOL, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(bool)),
    TERN_FIELD(13, offsetof(test_lean_Lean, flag), 3, 0, TERN_MESSAGE, 0, sizeof(test_lean_Flag *)),
    TERN_FIELD(14, offsetof(test_lean_Lean, flags), 4, 0, TERN_MESSAGE, 0, sizeof(test_lean_Flags *)),
    TERN_FIELD(15, offsetof(test_lean_Lean, flag_list), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_Flag)),
    TERN_FIELD(16, offsetof(test_lean_Lean, none), 5, 0, TERN_MESSAGE, 0, sizeof(test_lean_None *)),
    TERN_FIELD(17, offsetof(test_lean_Lean, nones), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_None)),
    TERN_FIELD(18, offsetof(test_lean_Lean, choice), 6, 0, TERN_MESSAGE, 0, sizeof(test_lean_Choice *)),
    TERN_FIELD(19, offsetof(test_lean_Lean, maybe), 7, 0, TERN_MESSAGE, 0, sizeof(test_lean_Maybe *)),
    TERN_FIELD(20, offsetof(test_lean_Lean, on), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(21, offsetof(test_lean_Lean, by_number), 8, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_lean_Lean_ByNumberEntry)),
};

static const char *const test_lean_Lean__names[] = {
    "id",
    "name",
    "data",
    "next",
    "inside",
    "beside",
    "named",
    "mate",
    "number",
    "point",
    "points",
    "bits",
    "flag",
    "flags",
    "flag_list",
    "none",
    "nones",
    "choice",
    "maybe",
    "on",
    "by_number",
};

static const tern_type *const test_lean_Lean__subs[] = {
    &test_lean_Lean_type,
    &test_lean_Lean_NamedEntry_type,
    &test_lean_Point_type,
    &test_lean_Flag_type,
    &test_lean_Flags_type,
    &test_lean_None_type,
    &test_lean_Choice_type,
    &test_lean_Maybe_type,
    &test_lean_Lean_ByNumberEntry_type,
};

const tern_type test_lean_Lean_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Lean",
    test_lean_Lean__fields,
    test_lean_Lean__names,
    NULL, /* json */
    test_lean_Lean__subs,
    NULL, /* enums */
    21, /* n_fields */
    21, /* n_dense */
    sizeof(test_lean_Lean),
    offsetof(test_lean_Lean, has),
    1, /* n_has */
    21, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_lean_Lean, id)),
};

static const tern_field test_lean_Lean_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Lean_NamedEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_lean_Lean_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_Lean *)),
};

static const char *const test_lean_Lean_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_lean_Lean_NamedEntry__subs[] = {
    &test_lean_Lean_type,
};

const tern_type test_lean_Lean_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.lean.Lean.NamedEntry",
    test_lean_Lean_NamedEntry__fields,
    test_lean_Lean_NamedEntry__names,
    NULL, /* json */
    test_lean_Lean_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Lean_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_lean_Lean_ByNumberEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Lean_ByNumberEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_lean_Lean_ByNumberEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_Flag *)),
};

static const char *const test_lean_Lean_ByNumberEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_lean_Lean_ByNumberEntry__subs[] = {
    &test_lean_Flag_type,
};

const tern_type test_lean_Lean_ByNumberEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.lean.Lean.ByNumberEntry",
    test_lean_Lean_ByNumberEntry__fields,
    test_lean_Lean_ByNumberEntry__names,
    NULL, /* json */
    test_lean_Lean_ByNumberEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Lean_ByNumberEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_lean_Full__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Full, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_lean_Full, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_lean_Full, data), 0, 0, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(4, offsetof(test_lean_Full, next), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_Full *)),
    TERN_FIELD(5, offsetof(test_lean_Full, inside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_Full)),
    TERN_FIELD(6, offsetof(test_lean_Full, beside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_lean_Full *)),
    TERN_FIELD(7, offsetof(test_lean_Full, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_lean_Full_NamedEntry)),
    TERN_FIELD(8, offsetof(test_lean_Full, mate), 0, offsetof(test_lean_Full, one_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_lean_Full *)),
    TERN_FIELD(9, offsetof(test_lean_Full, number), 0, offsetof(test_lean_Full, one_case) / 4, TERN_SINT64, TERN_FIELD_ONEOF, sizeof(int64_t)),
    TERN_FIELD(10, offsetof(test_lean_Full, point), 2, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullPoint *)),
    TERN_FIELD(11, offsetof(test_lean_Full, points), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_FullPoint)),
    TERN_FIELD(12, offsetof(test_lean_Full, bits), 0, 0, TERN_BOOL, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(bool)),
    TERN_FIELD(13, offsetof(test_lean_Full, flag), 3, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullFlag *)),
    TERN_FIELD(14, offsetof(test_lean_Full, flags), 4, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullFlags *)),
    TERN_FIELD(15, offsetof(test_lean_Full, flag_list), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_FullFlag)),
    TERN_FIELD(16, offsetof(test_lean_Full, none), 5, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullNone *)),
    TERN_FIELD(17, offsetof(test_lean_Full, nones), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_lean_FullNone)),
    TERN_FIELD(18, offsetof(test_lean_Full, choice), 6, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullChoice *)),
    TERN_FIELD(19, offsetof(test_lean_Full, maybe), 7, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullMaybe *)),
    TERN_FIELD(20, offsetof(test_lean_Full, on), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(21, offsetof(test_lean_Full, by_number), 8, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_lean_Full_ByNumberEntry)),
};

static const char *const test_lean_Full__names[] = {
    "id",
    "name",
    "data",
    "next",
    "inside",
    "beside",
    "named",
    "mate",
    "number",
    "point",
    "points",
    "bits",
    "flag",
    "flags",
    "flag_list",
    "none",
    "nones",
    "choice",
    "maybe",
    "on",
    "by_number",
};

static const tern_type *const test_lean_Full__subs[] = {
    &test_lean_Full_type,
    &test_lean_Full_NamedEntry_type,
    &test_lean_FullPoint_type,
    &test_lean_FullFlag_type,
    &test_lean_FullFlags_type,
    &test_lean_FullNone_type,
    &test_lean_FullChoice_type,
    &test_lean_FullMaybe_type,
    &test_lean_Full_ByNumberEntry_type,
};

const tern_type test_lean_Full_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.Full",
    test_lean_Full__fields,
    test_lean_Full__names,
    NULL, /* json */
    test_lean_Full__subs,
    NULL, /* enums */
    21, /* n_fields */
    21, /* n_dense */
    sizeof(test_lean_Full),
    offsetof(test_lean_Full, has),
    1, /* n_has */
    21, /* max_number */
    0, /* n_required */
    offsetof(test_lean_Full, unknown),
};

static const tern_field test_lean_Full_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Full_NamedEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_lean_Full_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_Full *)),
};

static const char *const test_lean_Full_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_lean_Full_NamedEntry__subs[] = {
    &test_lean_Full_type,
};

const tern_type test_lean_Full_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.lean.Full.NamedEntry",
    test_lean_Full_NamedEntry__fields,
    test_lean_Full_NamedEntry__names,
    NULL, /* json */
    test_lean_Full_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Full_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_lean_Full_ByNumberEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Full_ByNumberEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_lean_Full_ByNumberEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_lean_FullFlag *)),
};

static const char *const test_lean_Full_ByNumberEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_lean_Full_ByNumberEntry__subs[] = {
    &test_lean_FullFlag_type,
};

const tern_type test_lean_Full_ByNumberEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.lean.Full.ByNumberEntry",
    test_lean_Full_ByNumberEntry__fields,
    test_lean_Full_ByNumberEntry__names,
    NULL, /* json */
    test_lean_Full_ByNumberEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Full_ByNumberEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_lean_Flag__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Flag, on), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_lean_Flag__names[] = {
    "on",
};

const tern_type test_lean_Flag_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Flag",
    test_lean_Flag__fields,
    test_lean_Flag__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_lean_Flag),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(0),
};

static const tern_field test_lean_FullFlag__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_FullFlag, on), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_lean_FullFlag__names[] = {
    "on",
};

const tern_type test_lean_FullFlag_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullFlag",
    test_lean_FullFlag__fields,
    test_lean_FullFlag__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_lean_FullFlag),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullFlag, unknown),
};

static const tern_field test_lean_Flags__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Flags, a), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_Flags, b), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(3, offsetof(test_lean_Flags, c), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(4, offsetof(test_lean_Flags, d), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(5, offsetof(test_lean_Flags, e), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_lean_Flags__names[] = {
    "a",
    "b",
    "c",
    "d",
    "e",
};

const tern_type test_lean_Flags_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Flags",
    test_lean_Flags__fields,
    test_lean_Flags__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_lean_Flags),
    0, /* has_offset */
    0, /* n_has */
    5, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(0),
};

static const tern_field test_lean_FullFlags__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_FullFlags, a), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_FullFlags, b), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(3, offsetof(test_lean_FullFlags, c), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(4, offsetof(test_lean_FullFlags, d), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(5, offsetof(test_lean_FullFlags, e), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_lean_FullFlags__names[] = {
    "a",
    "b",
    "c",
    "d",
    "e",
};

const tern_type test_lean_FullFlags_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullFlags",
    test_lean_FullFlags__fields,
    test_lean_FullFlags__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_lean_FullFlags),
    0, /* has_offset */
    0, /* n_has */
    5, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullFlags, unknown),
};

const tern_type test_lean_None_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.None",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_lean_None),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(0),
};

const tern_type test_lean_FullNone_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullNone",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_lean_FullNone),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullNone, unknown),
};

static const tern_field test_lean_Choice__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Choice, yes), 0, offsetof(test_lean_Choice, one_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_Choice, no), 0, offsetof(test_lean_Choice, one_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
};

static const char *const test_lean_Choice__names[] = {
    "yes",
    "no",
};

const tern_type test_lean_Choice_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Choice",
    test_lean_Choice__fields,
    test_lean_Choice__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Choice),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_lean_Choice, one_case)),
};

static const tern_field test_lean_FullChoice__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_FullChoice, yes), 0, offsetof(test_lean_FullChoice, one_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_FullChoice, no), 0, offsetof(test_lean_FullChoice, one_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
};

static const char *const test_lean_FullChoice__names[] = {
    "yes",
    "no",
};

const tern_type test_lean_FullChoice_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullChoice",
    test_lean_FullChoice__fields,
    test_lean_FullChoice__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_FullChoice),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullChoice, unknown),
};

static const tern_field test_lean_Maybe__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_Maybe, a), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_Maybe, b), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const test_lean_Maybe__names[] = {
    "a",
    "b",
};

const tern_type test_lean_Maybe_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN,
    "test.lean.Maybe",
    test_lean_Maybe__fields,
    test_lean_Maybe__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_Maybe),
    offsetof(test_lean_Maybe, has),
    1, /* n_has */
    2, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(test_lean_Maybe, has)),
};

static const tern_field test_lean_FullMaybe__fields[] = {
    TERN_FIELD(1, offsetof(test_lean_FullMaybe, a), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_lean_FullMaybe, b), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const test_lean_FullMaybe__names[] = {
    "a",
    "b",
};

const tern_type test_lean_FullMaybe_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.lean.FullMaybe",
    test_lean_FullMaybe__fields,
    test_lean_FullMaybe__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_lean_FullMaybe),
    offsetof(test_lean_FullMaybe, has),
    1, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_lean_FullMaybe, unknown),
};


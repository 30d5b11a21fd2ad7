/* Made by protoc-gen-tern from odd.proto; changes here are lost. */
#include "odd.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_odd_Cases);

static const tern_enum_value test_odd_Values__values[] = {
    {0, "enum"},
    {0, "enum_"},
    {2, "_values"},
    {2, "values"},
    {4, "int"},
};

const tern_enum test_odd_Values_enum = {
    "test.odd.Values",
    test_odd_Values__values,
    5,
    false, /* closed */
};

static const tern_field test_odd_Cases__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Cases, x), 0, offsetof(test_odd_Cases, set_case_) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_odd_Cases, case_), 0, offsetof(test_odd_Cases, set_case_) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(4, offsetof(test_odd_Cases, NOT_SET), 0, offsetof(test_odd_Cases, set_case_) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(5, offsetof(test_odd_Cases, b_c), 0, offsetof(test_odd_Cases, a_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(6, offsetof(test_odd_Cases, c), 0, offsetof(test_odd_Cases, a_b_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(7, offsetof(test_odd_Cases, set_case), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(8, offsetof(test_odd_Cases, for_), 0, offsetof(test_odd_Cases, class_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(9, offsetof(test_odd_Cases, int_), 0, offsetof(test_odd_Cases, class_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(10, offsetof(test_odd_Cases, value), 0, offsetof(test_odd_Cases, get_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(11, offsetof(test_odd_Cases, has_), 0, offsetof(test_odd_Cases, unknown_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(12, offsetof(test_odd_Cases, unknown_), 0, offsetof(test_odd_Cases, unknown_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(13, offsetof(test_odd_Cases, d), 0, offsetof(test_odd_Cases, a__case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(14, offsetof(test_odd_Cases, which_), 0, offsetof(test_odd_Cases, which_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
};

static const char *const test_odd_Cases__names[] = {
    "x",
    "case",
    "NOT_SET",
    "b_c",
    "c",
    "set_case",
    "for",
    "int",
    "value",
    "has",
    "unknown_",
    "d",
    "which_",
};

const tern_type test_odd_Cases_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Cases",
    test_odd_Cases__fields,
    test_odd_Cases__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    13, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Cases),
    offsetof(test_odd_Cases, has),
    1, /* n_has */
    14, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Cases, unknown),
};

static const tern_field test_odd_Cases_set_case___fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Cases_set_case_, n), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Cases_set_case___names[] = {
    "n",
};

const tern_type test_odd_Cases_set_case__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Cases.set_case_",
    test_odd_Cases_set_case___fields,
    test_odd_Cases_set_case___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_odd_Cases_set_case_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Cases_set_case_, unknown),
};

static const tern_field test_odd_Cases_which_set___fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Cases_which_set_, n), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Cases_which_set___names[] = {
    "n",
};

const tern_type test_odd_Cases_which_set__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Cases.which_set",
    test_odd_Cases_which_set___fields,
    test_odd_Cases_which_set___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_odd_Cases_which_set_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Cases_which_set_, unknown),
};

static const tern_field test_odd_Entries__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries, class_), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_odd_Entries_ClassEntry)),
    TERN_FIELD(2, offsetof(test_odd_Entries, entry), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_odd_Entries_EntryEntry)),
    TERN_FIELD(3, offsetof(test_odd_Entries, values), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_odd_Entries_ValuesEntry)),
    TERN_FIELD(4, offsetof(test_odd_Entries, data), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_odd_Entries_DataEntry)),
};

static const char *const test_odd_Entries__names[] = {
    "class",
    "entry",
    "values",
    "data",
};

static const tern_type *const test_odd_Entries__subs[] = {
    &test_odd_Entries_ClassEntry_type,
    &test_odd_Entries_EntryEntry_type,
    &test_odd_Entries_ValuesEntry_type,
    &test_odd_Entries_DataEntry_type,
};

const tern_type test_odd_Entries_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Entries",
    test_odd_Entries__fields,
    test_odd_Entries__names,
    NULL, /* json */
    test_odd_Entries__subs,
    NULL, /* enums */
    4, /* n_fields */
    4, /* n_dense */
    sizeof(test_odd_Entries),
    0, /* has_offset */
    0, /* n_has */
    4, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Entries, unknown),
};

static const tern_field test_odd_Entries_ClassEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_ClassEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_odd_Entries_ClassEntry, value), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Entries_ClassEntry__names[] = {
    "key",
    "value",
};

const tern_type test_odd_Entries_ClassEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.odd.Entries.ClassEntry",
    test_odd_Entries_ClassEntry__fields,
    test_odd_Entries_ClassEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Entries_ClassEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_odd_Entries_EntryEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_EntryEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_odd_Entries_EntryEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_odd_Entries *)),
};

static const char *const test_odd_Entries_EntryEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_odd_Entries_EntryEntry__subs[] = {
    &test_odd_Entries_type,
};

const tern_type test_odd_Entries_EntryEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.odd.Entries.EntryEntry",
    test_odd_Entries_EntryEntry__fields,
    test_odd_Entries_EntryEntry__names,
    NULL, /* json */
    test_odd_Entries_EntryEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Entries_EntryEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_odd_Entries_ValuesEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_ValuesEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_odd_Entries_ValuesEntry, value), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const test_odd_Entries_ValuesEntry__names[] = {
    "key",
    "value",
};

static const tern_enum *const test_odd_Entries_ValuesEntry__enums[] = {
    &test_odd_Values_enum,
};

const tern_type test_odd_Entries_ValuesEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.odd.Entries.ValuesEntry",
    test_odd_Entries_ValuesEntry__fields,
    test_odd_Entries_ValuesEntry__names,
    NULL, /* json */
    NULL, /* subs */
    test_odd_Entries_ValuesEntry__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Entries_ValuesEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_odd_Entries_DataEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_DataEntry, key), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_odd_Entries_DataEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_odd_Entries_datum *)),
};

static const char *const test_odd_Entries_DataEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_odd_Entries_DataEntry__subs[] = {
    &test_odd_Entries_datum_type,
};

const tern_type test_odd_Entries_DataEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.odd.Entries.DataEntry",
    test_odd_Entries_DataEntry__fields,
    test_odd_Entries_DataEntry__names,
    NULL, /* json */
    test_odd_Entries_DataEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Entries_DataEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_odd_Entries_datum__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_datum, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_odd_Entries_datum, value), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Entries_datum__names[] = {
    "key",
    "value",
};

const tern_type test_odd_Entries_datum_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Entries.datum",
    test_odd_Entries_datum__fields,
    test_odd_Entries_datum__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_Entries_datum),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Entries_datum, unknown),
};

static const tern_field test_odd_Entries_EntryEntry_map___fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_EntryEntry_map_, n), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Entries_EntryEntry_map___names[] = {
    "n",
};

const tern_type test_odd_Entries_EntryEntry_map__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Entries.EntryEntry_map",
    test_odd_Entries_EntryEntry_map___fields,
    test_odd_Entries_EntryEntry_map___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_odd_Entries_EntryEntry_map_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Entries_EntryEntry_map_, unknown),
};

static const tern_field test_odd_Entries_put_class___fields[] = {
    TERN_FIELD(1, offsetof(test_odd_Entries_put_class_, n), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_odd_Entries_put_class___names[] = {
    "n",
};

const tern_type test_odd_Entries_put_class__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Entries.put_class",
    test_odd_Entries_put_class___fields,
    test_odd_Entries_put_class___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_odd_Entries_put_class_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Entries_put_class_, unknown),
};

static const tern_field test_odd_test_odd_Cases_set_case__fields[] = {
    TERN_FIELD(1, offsetof(test_odd_test_odd_Cases_set_case, test_odd_Cases_set_case), 0, 0, TERN_MESSAGE, 0, sizeof(test_odd_test_odd_Cases_set_case *)),
    TERN_FIELD(2, offsetof(test_odd_test_odd_Cases_set_case, y), 0, offsetof(test_odd_test_odd_Cases_set_case, x_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
};

static const char *const test_odd_test_odd_Cases_set_case__names[] = {
    "test_odd_Cases_set_case",
    "y",
};

static const tern_type *const test_odd_test_odd_Cases_set_case__subs[] = {
    &test_odd_test_odd_Cases_set_case_type,
};

const tern_type test_odd_test_odd_Cases_set_case_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.test_odd_Cases_set_case",
    test_odd_test_odd_Cases_set_case__fields,
    test_odd_test_odd_Cases_set_case__names,
    NULL, /* json */
    test_odd_test_odd_Cases_set_case__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_odd_test_odd_Cases_set_case),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_odd_test_odd_Cases_set_case, unknown),
};

const tern_type test_odd_Values_enum____type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.Values_enum",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_odd_Values_enum___),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_odd_Values_enum___, unknown),
};

const tern_type test_odd_copy_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.copy",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_odd_copy),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_odd_copy, unknown),
};

const tern_type test_odd_copy_copy__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.copy.copy",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_odd_copy_copy_),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_odd_copy_copy_, unknown),
};

const tern_type test_odd_copy_equal__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.odd.copy.equal",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(test_odd_copy_equal_),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(test_odd_copy_equal_, unknown),
};


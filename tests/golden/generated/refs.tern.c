/* Made by protoc-gen-tern from refs.proto; changes here are lost. */
#include "refs.tern.h"

#include <stddef.h>

TERN_TABLES_1_POINTERS(test_refs_Leaf);

static const tern_enum_value test_refs_Color__values[] = {
    {0, "RED"},
    {5, "GREEN"},
};

const tern_enum test_refs_Color_enum = {
    "test.refs.Color",
    test_refs_Color__values,
    2,
    true, /* closed */
};

static const tern_field test_refs_Leaf__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Leaf, id), 0, 0, TERN_INT32, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_refs_Leaf, data), 0, 1, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
};

static const char *const test_refs_Leaf__names[] = {
    "id",
    "data",
};

const tern_type test_refs_Leaf_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.refs.Leaf",
    test_refs_Leaf__fields,
    test_refs_Leaf__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Leaf),
    offsetof(test_refs_Leaf, has),
    2, /* n_has */
    2, /* max_number */
    1, /* n_required */
    offsetof(test_refs_Leaf, unknown),
};

static const tern_field test_refs_Node__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Node, id), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_refs_Node, name), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_refs_Node, kids), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_refs_Node *)),
    TERN_FIELD(4, offsetof(test_refs_Node, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_refs_Node_NamedEntry)),
    TERN_FIELD(5, offsetof(test_refs_Node, next), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Node *)),
    TERN_FIELD(6, offsetof(test_refs_Node, leaves), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_refs_Leaf *)),
    TERN_FIELD(7, offsetof(test_refs_Node, plain), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_refs_Node)),
    TERN_FIELD(8, offsetof(test_refs_Node, imported), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_other_Imported *)),
    TERN_FIELD(9, offsetof(test_refs_Node, colors), 0, 0, TERN_ENUM, TERN_FIELD_REPEATED | TERN_FIELD_PACKED | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(10, offsetof(test_refs_Node, numbers), 0, 0, TERN_SINT64, TERN_FIELD_REPEATED, sizeof(int64_t)),
    TERN_FIELD(11, offsetof(test_refs_Node, inner), 0, offsetof(test_refs_Node, choice_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_refs_Node *)),
    TERN_FIELD(12, offsetof(test_refs_Node, ratio), 0, offsetof(test_refs_Node, choice_case) / 4, TERN_DOUBLE, TERN_FIELD_ONEOF, sizeof(double)),
    TERN_FIELD(13, offsetof(test_refs_Node, numbered), 4, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_refs_Node_NumberedEntry)),
    TERN_FIELD(14, offsetof(test_refs_Node, wide), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_refs_Node_WideEntry)),
    TERN_FIELD(15, offsetof(test_refs_Node, flags), 6, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_refs_Node_FlagsEntry)),
};

static const char *const test_refs_Node__names[] = {
    "id",
    "name",
    "kids",
    "named",
    "next",
    "leaves",
    "plain",
    "imported",
    "colors",
    "numbers",
    "inner",
    "ratio",
    "numbered",
    "wide",
    "flags",
};

static const tern_type *const test_refs_Node__subs[] = {
    &test_refs_Node_type,
    &test_refs_Node_NamedEntry_type,
    &test_refs_Leaf_type,
    &test_other_Imported_type,
    &test_refs_Node_NumberedEntry_type,
    &test_refs_Node_WideEntry_type,
    &test_refs_Node_FlagsEntry_type,
};

static const tern_enum *const test_refs_Node__enums[] = {
    &test_refs_Color_enum,
};

const tern_type test_refs_Node_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.refs.Node",
    test_refs_Node__fields,
    test_refs_Node__names,
    NULL, /* json */
    test_refs_Node__subs,
    test_refs_Node__enums,
    15, /* n_fields */
    15, /* n_dense */
    sizeof(test_refs_Node),
    offsetof(test_refs_Node, has),
    2, /* n_has */
    15, /* max_number */
    0, /* n_required */
    offsetof(test_refs_Node, unknown),
};

static const tern_field test_refs_Node_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Node_NamedEntry, key), 0, 0, TERN_STRING, 0, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_refs_Node_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Node *)),
};

static const char *const test_refs_Node_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_refs_Node_NamedEntry__subs[] = {
    &test_refs_Node_type,
};

const tern_type test_refs_Node_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED,
    "test.refs.Node.NamedEntry",
    test_refs_Node_NamedEntry__fields,
    test_refs_Node_NamedEntry__names,
    NULL, /* json */
    test_refs_Node_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Node_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_refs_Node_NumberedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Node_NumberedEntry, key), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_refs_Node_NumberedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Leaf *)),
};

static const char *const test_refs_Node_NumberedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_refs_Node_NumberedEntry__subs[] = {
    &test_refs_Leaf_type,
};

const tern_type test_refs_Node_NumberedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED,
    "test.refs.Node.NumberedEntry",
    test_refs_Node_NumberedEntry__fields,
    test_refs_Node_NumberedEntry__names,
    NULL, /* json */
    test_refs_Node_NumberedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Node_NumberedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_refs_Node_WideEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Node_WideEntry, key), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)),
    TERN_FIELD(2, offsetof(test_refs_Node_WideEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Node *)),
};

static const char *const test_refs_Node_WideEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_refs_Node_WideEntry__subs[] = {
    &test_refs_Node_type,
};

const tern_type test_refs_Node_WideEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED,
    "test.refs.Node.WideEntry",
    test_refs_Node_WideEntry__fields,
    test_refs_Node_WideEntry__names,
    NULL, /* json */
    test_refs_Node_WideEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Node_WideEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_refs_Node_FlagsEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Node_FlagsEntry, key), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(test_refs_Node_FlagsEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Node *)),
};

static const char *const test_refs_Node_FlagsEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_refs_Node_FlagsEntry__subs[] = {
    &test_refs_Node_type,
};

const tern_type test_refs_Node_FlagsEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED,
    "test.refs.Node.FlagsEntry",
    test_refs_Node_FlagsEntry__fields,
    test_refs_Node_FlagsEntry__names,
    NULL, /* json */
    test_refs_Node_FlagsEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Node_FlagsEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_refs_Link__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Link, left), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Link *)),
    TERN_FIELD(2, offsetof(test_refs_Link, right), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Link *)),
    TERN_FIELD(3, offsetof(test_refs_Link, links), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_refs_Link *)),
    TERN_FIELD(4, offsetof(test_refs_Link, named), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_refs_Link_NamedEntry)),
    TERN_FIELD(5, offsetof(test_refs_Link, plain), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_refs_Link)),
};

static const char *const test_refs_Link__names[] = {
    "left",
    "right",
    "links",
    "named",
    "plain",
};

static const tern_type *const test_refs_Link__subs[] = {
    &test_refs_Link_type,
    &test_refs_Link_NamedEntry_type,
};

const tern_type test_refs_Link_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.refs.Link",
    test_refs_Link__fields,
    test_refs_Link__names,
    NULL, /* json */
    test_refs_Link__subs,
    NULL, /* enums */
    5, /* n_fields */
    5, /* n_dense */
    sizeof(test_refs_Link),
    0, /* has_offset */
    0, /* n_has */
    5, /* max_number */
    0, /* n_required */
    offsetof(test_refs_Link, unknown),
};

static const tern_field test_refs_Link_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_refs_Link_NamedEntry, key), 0, 0, TERN_STRING, 0, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_refs_Link_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_refs_Link *)),
};

static const char *const test_refs_Link_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_refs_Link_NamedEntry__subs[] = {
    &test_refs_Link_type,
};

const tern_type test_refs_Link_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.refs.Link.NamedEntry",
    test_refs_Link_NamedEntry__fields,
    test_refs_Link_NamedEntry__names,
    NULL, /* json */
    test_refs_Link_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_refs_Link_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_refs_Far__fields[] = {
    TERN_FIELD(3000, offsetof(test_refs_Far, nodes), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_refs_Node *)),
};

static const char *const test_refs_Far__names[] = {
    "nodes",
};

static const tern_type *const test_refs_Far__subs[] = {
    &test_refs_Node_type,
};

const tern_type test_refs_Far_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "test.refs.Far",
    test_refs_Far__fields,
    test_refs_Far__names,
    NULL, /* json */
    test_refs_Far__subs,
    NULL, /* enums */
    1, /* n_fields */
    0, /* n_dense */
    sizeof(test_refs_Far),
    0, /* has_offset */
    0, /* n_has */
    3000, /* max_number */
    0, /* n_required */
    offsetof(test_refs_Far, unknown),
};


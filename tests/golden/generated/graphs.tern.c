/* Made by protoc-gen-tern from graphs.proto; changes here are lost. */
#include "graphs.tern.h"

#include <stddef.h>

TERN_TABLES_1_POINTERS(test_graphs_Node);

static const tern_field test_graphs_Node__fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Node, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_graphs_Node, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_graphs_Node, data), 0, 0, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(4, offsetof(test_graphs_Node, next), 0, 0, TERN_MESSAGE, 0, sizeof(test_graphs_Node *)),
    TERN_FIELD(5, offsetof(test_graphs_Node, kids), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_graphs_Node *)),
    TERN_FIELD(6, offsetof(test_graphs_Node, inside), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(test_graphs_Node)),
    TERN_FIELD(7, offsetof(test_graphs_Node, tags), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(8, offsetof(test_graphs_Node, values), 0, 0, TERN_DOUBLE, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(double)),
    TERN_FIELD(9, offsetof(test_graphs_Node, words), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_graphs_Node_WordsEntry)),
    TERN_FIELD(10, offsetof(test_graphs_Node, made), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_graphs_Node_MadeEntry)),
    TERN_FIELD(11, offsetof(test_graphs_Node, named), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(test_graphs_Node_NamedEntry)),
    TERN_FIELD(12, offsetof(test_graphs_Node, mate), 0, offsetof(test_graphs_Node, one_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(test_graphs_Node *)),
    TERN_FIELD(13, offsetof(test_graphs_Node, word), 0, offsetof(test_graphs_Node, one_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(14, offsetof(test_graphs_Node, number), 0, offsetof(test_graphs_Node, one_case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
    TERN_FIELD(15, offsetof(test_graphs_Node, imported), 4, 0, TERN_MESSAGE, 0, sizeof(test_other_Imported *)),
    TERN_FIELD(16, offsetof(test_graphs_Node, many), 4, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(test_other_Imported *)),
};

static const char *const test_graphs_Node__names[] = {
    "id",
    "name",
    "data",
    "next",
    "kids",
    "inside",
    "tags",
    "values",
    "words",
    "made",
    "named",
    "mate",
    "word",
    "number",
    "imported",
    "many",
};

static const tern_type *const test_graphs_Node__subs[] = {
    &test_graphs_Node_type,
    &test_graphs_Node_WordsEntry_type,
    &test_graphs_Node_MadeEntry_type,
    &test_graphs_Node_NamedEntry_type,
    &test_other_Imported_type,
};

const tern_type test_graphs_Node_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.graphs.Node",
    test_graphs_Node__fields,
    test_graphs_Node__names,
    NULL, /* json */
    test_graphs_Node__subs,
    NULL, /* enums */
    16, /* n_fields */
    16, /* n_dense */
    sizeof(test_graphs_Node),
    offsetof(test_graphs_Node, has),
    1, /* n_has */
    16, /* max_number */
    0, /* n_required */
    offsetof(test_graphs_Node, unknown),
};

static const tern_field test_graphs_Node_WordsEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Node_WordsEntry, key), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_graphs_Node_WordsEntry, value), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_graphs_Node_WordsEntry__names[] = {
    "key",
    "value",
};

const tern_type test_graphs_Node_WordsEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.graphs.Node.WordsEntry",
    test_graphs_Node_WordsEntry__fields,
    test_graphs_Node_WordsEntry__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_graphs_Node_WordsEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_graphs_Node_MadeEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Node_MadeEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_graphs_Node_MadeEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_graphs_Node *)),
};

static const char *const test_graphs_Node_MadeEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_graphs_Node_MadeEntry__subs[] = {
    &test_graphs_Node_type,
};

const tern_type test_graphs_Node_MadeEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.graphs.Node.MadeEntry",
    test_graphs_Node_MadeEntry__fields,
    test_graphs_Node_MadeEntry__names,
    NULL, /* json */
    test_graphs_Node_MadeEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_graphs_Node_MadeEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_graphs_Node_NamedEntry__fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Node_NamedEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_graphs_Node_NamedEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(test_graphs_Node *)),
};

static const char *const test_graphs_Node_NamedEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const test_graphs_Node_NamedEntry__subs[] = {
    &test_graphs_Node_type,
};

const tern_type test_graphs_Node_NamedEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "test.graphs.Node.NamedEntry",
    test_graphs_Node_NamedEntry__fields,
    test_graphs_Node_NamedEntry__names,
    NULL, /* json */
    test_graphs_Node_NamedEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_graphs_Node_NamedEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field test_graphs_Taken__fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Taken, heap), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(test_graphs_Taken, heap_heap), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(test_graphs_Taken, first), 0, offsetof(test_graphs_Taken, heap_set_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(test_graphs_Taken, made), 0, offsetof(test_graphs_Taken, heap_set_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(5, offsetof(test_graphs_Taken, set_made), 0, offsetof(test_graphs_Taken, heap__case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(6, offsetof(test_graphs_Taken, last), 0, offsetof(test_graphs_Taken, heap__case) / 4, TERN_UINT32, TERN_FIELD_ONEOF, sizeof(uint32_t)),
};

static const char *const test_graphs_Taken__names[] = {
    "heap",
    "heap_heap",
    "first",
    "made",
    "set_made",
    "last",
};

const tern_type test_graphs_Taken_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.graphs.Taken",
    test_graphs_Taken__fields,
    test_graphs_Taken__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    6, /* n_fields */
    6, /* n_dense */
    sizeof(test_graphs_Taken),
    0, /* has_offset */
    0, /* n_has */
    6, /* max_number */
    0, /* n_required */
    offsetof(test_graphs_Taken, unknown),
};

static const tern_field test_graphs_Taken_new___fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Taken_new_, x), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_graphs_Taken_new___names[] = {
    "x",
};

const tern_type test_graphs_Taken_new__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.graphs.Taken.new",
    test_graphs_Taken_new___fields,
    test_graphs_Taken_new___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_graphs_Taken_new_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_graphs_Taken_new_, unknown),
};

static const tern_field test_graphs_Taken_heap_set_heap___fields[] = {
    TERN_FIELD(1, offsetof(test_graphs_Taken_heap_set_heap_, x), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const test_graphs_Taken_heap_set_heap___names[] = {
    "x",
};

const tern_type test_graphs_Taken_heap_set_heap__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.graphs.Taken.heap_set_heap",
    test_graphs_Taken_heap_set_heap___fields,
    test_graphs_Taken_heap_set_heap___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_graphs_Taken_heap_set_heap_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_graphs_Taken_heap_set_heap_, unknown),
};


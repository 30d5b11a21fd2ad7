/* Made by protoc-gen-tern from tern/options.proto; changes here are lost. */
#include "tern/options.tern.h"

#include <stddef.h>

TERN_TABLES_1(tern_FileOptions);

static const tern_field tern_FileOptions__fields[] = {
    TERN_FIELD(1, offsetof(tern_FileOptions, heap_functions), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const tern_FileOptions__names[] = {
    "heap_functions",
};

const tern_type tern_FileOptions_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "tern.FileOptions",
    tern_FileOptions__fields,
    tern_FileOptions__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(tern_FileOptions),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(tern_FileOptions, unknown),
};

static const tern_field tern_MessageOptions__fields[] = {
    TERN_FIELD(1, offsetof(tern_MessageOptions, no_unknown), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const tern_MessageOptions__names[] = {
    "no_unknown",
};

const tern_type tern_MessageOptions_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "tern.MessageOptions",
    tern_MessageOptions__fields,
    tern_MessageOptions__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(tern_MessageOptions),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(tern_MessageOptions, unknown),
};

static const tern_field tern_MethodOptions__fields[] = {
    TERN_FIELD(1, offsetof(tern_MethodOptions, receive_shared), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(2, offsetof(tern_MethodOptions, borrow), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const tern_MethodOptions__names[] = {
    "receive_shared",
    "borrow",
};

const tern_type tern_MethodOptions_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "tern.MethodOptions",
    tern_MethodOptions__fields,
    tern_MethodOptions__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(tern_MethodOptions),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(tern_MethodOptions, unknown),
};

const tern_type tern_FieldOptions_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "tern.FieldOptions",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(tern_FieldOptions),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(tern_FieldOptions, unknown),
};


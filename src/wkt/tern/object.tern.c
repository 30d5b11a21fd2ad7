/* Made by protoc-gen-tern from tern/object.proto; changes here are lost. */
#include "tern/object.tern.h"

#include <stddef.h>

TERN_TABLES_1_NO_UNKNOWN(tern_Object);

static const tern_field tern_Object__fields[] = {
    TERN_FIELD(1, offsetof(tern_Object, type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(tern_Object, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const tern_Object__names[] = {
    "type_url",
    "value",
};

const tern_type tern_Object_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_NO_UNKNOWN | TERN_TYPE_OBJECT,
    "tern.Object",
    tern_Object__fields,
    tern_Object__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(tern_Object),
    0, /* has_offset */
    0, /* n_has */
    2147483647, /* max_number */
    0, /* n_required */
    TERN_NO_UNKNOWN(offsetof(tern_Object, type_url)),
};


/* Made by protoc-gen-tern from imported.proto; changes here are lost. */
#include "imported.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_other_Imported);

static const tern_enum_value test_other_Kind__values[] = {
    {0, "KIND_NONE"},
    {1, "KIND_SOME"},
};

const tern_enum test_other_Kind_enum = {
    "test.other.Kind",
    test_other_Kind__values,
    2,
    false, /* closed */
};

static const tern_field test_other_Imported__fields[] = {
    TERN_FIELD(1, offsetof(test_other_Imported, kind), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(test_other_Imported, blob), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_other_Imported__names[] = {
    "kind",
    "blob",
};

static const tern_enum *const test_other_Imported__enums[] = {
    &test_other_Kind_enum,
};

const tern_type test_other_Imported_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.other.Imported",
    test_other_Imported__fields,
    test_other_Imported__names,
    NULL, /* json */
    NULL, /* subs */
    test_other_Imported__enums,
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_other_Imported),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_other_Imported, unknown),
};


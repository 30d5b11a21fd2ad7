/* Type tables, which are constant: search, names, method ids. */
#include "tern/type.h"
#include "base/base.h"

const char tern__tables_1 = TERN_TYPE_VERSION;
const char tern__tables_1_pointers = TERN_TYPE_VERSION;
const char tern__tables_1_no_unknown = TERN_TYPE_VERSION;
const char tern__tables_1_objects = TERN_TYPE_VERSION;

const tern_field *tern__type_field_search(const tern_type *type, uint32_t number) {
    uint32_t low = type->n_dense, high = type->n_fields;
    if (number > type->max_number) return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const tern_field *field = &type->fields[middle];
        if (field->number == number) return field;
        if (field->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const tern_field *tern_type_field_by_name(const tern_type *type, const char *name) {
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (strcmp(type->field_names[i], name) == 0) return &type->fields[i];
    return NULL;
}

uint32_t tern_method_id(const char *full_name) {
    uint32_t hash = 2166136261u;
    for (const unsigned char *p = (const unsigned char *)full_name; *p; p++) hash = (hash ^ *p) * 16777619u;
    return hash;
}

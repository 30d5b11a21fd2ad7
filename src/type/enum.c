/* Names and numbers of enum values. */
#include "tern/type.h"

const char *tern_enum_name(const tern_enum *enumeration, int32_t number) {
    uint32_t low = 0, high = enumeration->n_values;
    while (low < high) { /* the first that is not below: of aliases, the one declared first */
        uint32_t middle = low + (high - low) / 2;
        if (enumeration->values[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < enumeration->n_values && enumeration->values[low].number == number ? enumeration->values[low].name
                                                                                    : NULL;
}

int tern_enum_number(const tern_enum *enumeration, tern_str name, int32_t *number) {
    for (uint32_t i = 0; i < enumeration->n_values; i++) {
        if (!tern_str_eq(tern_str_of(enumeration->values[i].name), name)) continue;
        *number = enumeration->values[i].number;
        return 0;
    }
    return TERN_ERR_NOT_FOUND;
}

/* Whether a decoded message has all its required fields. It is asked after decoding, since a sub-message may be whole
 * only after several occurrences were merged, and only where a type has required fields or contains one that has.
 * The recursion is as deep as the decoder's was. */
#include "codec/complete.h"

#include "codec/wire.h"

static bool list_complete(const tern_type *sub, const tern_list *list, size_t elem_bytes) {
    for (size_t i = 0; i < list->len; i++)
        if (!tern__message_complete(sub, (const uint8_t *)list->data + i * elem_bytes)) return false;
    return true;
}

static bool field_complete(const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REQUIRED && !field_present(type, field, msg)) return false;
    if (!holds_message(field->kind)) return true;
    const tern_type *sub = type->subs[field->sub];
    if (field->flags & TERN_FIELD_REPEATED) return list_complete(sub, member, field->elem_bytes);
    if (!field_present(type, field, msg)) return true;
    return tern__message_complete(sub, (const void *)(uintptr_t)tern__load64(member));
}

bool tern__message_complete(const tern_type *type, const void *msg) {
    if (!(type->flags & TERN_TYPE_REQUIRED)) return true;
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (!field_complete(type, &type->fields[i], msg)) return false;
    return true;
}

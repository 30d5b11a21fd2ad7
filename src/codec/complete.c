/* Whether a decoded message has all its required fields. It is asked after decoding, since a sub-message may be whole
 * only after several occurrences were merged, and only where a type has required fields or contains one that has.
 * What was decoded is a tree within the decoder's limits. What it was merged into may be any graph: so there are
 * bounds. */
#include "codec/complete.h"

#include "codec/limits.h"
#include "codec/wire.h"
#include "type/walk.h"

typedef struct walker {
    size_t left;
    uint32_t depth_left;
} walker;

static int check_message(walker *w, const tern_type *type, const void *msg);

static int check_list(walker *w, const tern_type *sub, const tern_field *field, const tern_list *list) {
    if (!walk_take(&w->left, list->len)) return TERN_ERR_LIMIT;
    int err = 0;
    for (size_t i = 0; i < list->len && !err; i++) {
        const void *element = list_message(field, list, i);
        err = element ? check_message(w, sub, element) : TERN_ERR_INVALID;
    }
    return err;
}

static int check_field(walker *w, const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REQUIRED && !field_present(type, field, msg)) return TERN_ERR_MALFORMED;
    if (!holds_message(field->kind)) return 0;
    const tern_type *sub = type->subs[field->sub];
    if (field->flags & TERN_FIELD_REPEATED) return check_list(w, sub, field, member);
    if (!field_present(type, field, msg)) return 0;
    if (!walk_take(&w->left, 1)) return TERN_ERR_LIMIT;
    return check_message(w, sub, (const void *)(uintptr_t)tern__load64(member));
}

static int check_message(walker *w, const tern_type *type, const void *msg) {
    if (!(type->flags & TERN_TYPE_REQUIRED)) return 0;
    if (w->depth_left == 0) return TERN_ERR_LIMIT;
    w->depth_left--;
    int err = 0;
    for (uint32_t i = 0; i < type->n_fields && !err; i++) err = check_field(w, type, &type->fields[i], msg);
    w->depth_left++;
    return err;
}

int tern__message_check_complete(const tern_type *type, const void *msg, size_t max_elements) {
    walker w = {.left = TERN_MESSAGE_MAX_ELEMENTS, .depth_left = DECODE_DEPTH_CEILING + 1};
    w.left = max_elements < SIZE_MAX - w.left ? max_elements + w.left : SIZE_MAX;
    return check_message(&w, type, msg);
}

/* Whether this library knows all that a table and the tables below it say (version.h). */
#include "type/version.h"

#include "type/field.h"
#include "type/reach.h"

enum {
    TYPE_FLAGS = TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED | TERN_TYPE_NO_UNKNOWN | TERN_TYPE_OBJECT,
    FIELD_FLAGS = TERN_FIELD_REPEATED | TERN_FIELD_PACKED | TERN_FIELD_HAS | TERN_FIELD_UTF8 | TERN_FIELD_REQUIRED |
                  TERN_FIELD_ONEOF | TERN_FIELD_MAP | TERN_FIELD_CLOSED | TERN_FIELD_POINTERS | TERN_FIELD_OBJECT
};

/* Only lists of messages have pointers for elements. */
static bool pointers_make_sense(const tern_field *field) {
    if (!(field->flags & TERN_FIELD_POINTERS)) return true;
    return (field->flags & (TERN_FIELD_REPEATED | TERN_FIELD_MAP)) == TERN_FIELD_REPEATED && field_is_message(field) &&
           field->elem_bytes == sizeof(void *);
}

static bool field_is_readable(const tern_field *field) {
    return field->kind >= TERN_DOUBLE && field->kind <= TERN_SINT64 && !(field->flags & ~(uint32_t)FIELD_FLAGS) &&
           pointers_make_sense(field) && field->unused == 0;
}

/* Codecs read the two fields of a tern.Object, and nothing else of it. */
static bool object_is_sound(const tern_type *type) {
    if (!(type->flags & TERN_TYPE_OBJECT)) return true;
    return type->flags == (TERN_TYPE_OBJECT | TERN_TYPE_NO_UNKNOWN) && type->n_fields == 2 &&
           type->fields[0].number == 1 && type->fields[0].kind == TERN_STRING &&
           !(type->fields[0].flags & ~(uint32_t)TERN_FIELD_UTF8) && type->fields[1].number == 2 &&
           type->fields[1].kind == TERN_BYTES && type->fields[1].flags == 0;
}

static bool type_is_readable(const tern_type *type) {
    return type->version == TERN_TYPE_VERSION && !(type->flags & ~(uint32_t)TYPE_FLAGS) && type_omits_soundly(type) &&
           object_is_sound(type);
}

/* Fields of tern.Object say so, and no others; of lists only pointers can be objects. */
static bool objects_make_sense(const tern_field *field, const tern_type *sub) {
    if (sub->version != TERN_TYPE_VERSION) return true; /* which is found later */
    if (!(sub->flags & TERN_TYPE_OBJECT)) return !(field->flags & TERN_FIELD_OBJECT);
    return field->flags & TERN_FIELD_OBJECT && field->kind == TERN_MESSAGE && field->elem_bytes == sizeof(void *) &&
           (!(field->flags & TERN_FIELD_REPEATED) || field->flags & TERN_FIELD_POINTERS);
}

/* Puts what the fields refer to into the queue. False when one of them cannot be read, which *wrong then names. */
static bool take_fields(reach *r, const tern_type *type, const tern_field **wrong) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        *wrong = field;
        if (!field_is_readable(field)) return false;
        if (!field_is_message(field)) {
            if (field->flags & TERN_FIELD_OBJECT) return false;
            continue;
        }
        if (!objects_make_sense(field, type->subs[field->sub])) return false;
        reach_place(r, type->subs[field->sub]);
    }
    return true;
}

bool tern__type_find_unreadable(const tern_type *type, tern__unreadable *out) {
    reach r;
    reach_begin(&r, type);
    for (uint32_t i = 0; i < r.n_types; i++) {
        const tern_field *field = NULL;
        if (type_is_readable(r.types[i]) && take_fields(&r, r.types[i], &field)) continue;
        *out = (tern__unreadable){r.types[i], field};
        return true;
    }
    return false;
}

int tern_type_check(const tern_type *type) {
    tern__unreadable why;
    return tern__type_find_unreadable(type, &why) ? TERN_ERR_VERSION : 0;
}

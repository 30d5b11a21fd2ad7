/* Functions that the parts of the protobuf decoder share (protobuf_decode.c, _list.c, _map.c, _unknown.c). */
#ifndef TERN_CODEC_PROTOBUF_DECODE_H
#define TERN_CODEC_PROTOBUF_DECODE_H

#include "codec/protobuf_reader.h"

/* The fields of a message up to its limit, or to a group's end (r->end_tag). */
const uint8_t *tern__read_message(reader *r, const uint8_t *p, const tern_type *type, void *msg);

/* A sub-message behind its tag: a length and as many bytes, or a group up to the end that fits the tag. */
const uint8_t *tern__read_delimited(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type, void *msg);

/* A list's element or packed elements, an entry of a map. The wire type is one that the field takes. */
const uint8_t *tern__read_packed(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                 void *msg);
const uint8_t *tern__read_map_entry(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                    void *msg);

/* A field that the type does not have, or not with this wire type: `start` is where its tag is, p where the tag ended.
 * Kept or dropped; a group's end is an error here. */
const uint8_t *tern__read_unknown(reader *r, const uint8_t *start, const uint8_t *p, uint32_t tag,
                                  const tern_type *type, void *msg);

/* Keeps encoded fields, which the input may not hold in this form. */
bool tern__keep_unknown(reader *r, const tern_type *type, void *msg, const void *data, size_t len);

/* Keeps a closed enum's value that the enum does not list. */
bool tern__keep_number(reader *r, const tern_type *type, void *msg, uint32_t number, uint64_t value);

bool tern__enum_search(const tern_enum *enumeration, int32_t number);

/* A new sub-message for a member that is NULL; NULL when a limit is hit. */
void *tern__new_message(reader *r, const tern_type *type, void *member);

/* Room for n more elements behind the list's last, not zeroed; NULL when a limit is hit. */
void *tern__list_room(reader *r, tern_list *list, size_t n, size_t elem_bytes);

/* Whether every required field of a message is set, in all that it contains. */
bool tern__protobuf_complete(const tern_type *type, const void *msg);

static inline bool take_elements(reader *r, size_t n) {
    if (n > r->elements_left) {
        r->err = TERN_ERR_LIMIT;
        return false;
    }
    r->elements_left -= n;
    return true;
}

/* A varint as the struct holds it. Each case is a store of its own, which costs less than a store of a width looked
 * up. */
static inline void store_number(unsigned kind, uint64_t value, void *out) {
    switch (kind) {
    case TERN_INT64:
    case TERN_UINT64: tern__store64(out, value); break;
    case TERN_SINT64: tern__store64(out, (uint64_t)unzigzag(value)); break;
    case TERN_SINT32: tern__store32(out, (uint32_t)unzigzag((uint32_t)value)); break;
    case TERN_BOOL: *(uint8_t *)out = value != 0; break;
    default: tern__store32(out, (uint32_t)value); break;
    }
}

static inline bool enum_lists(const tern_type *type, const tern_field *field, int32_t number) {
    return tern__enum_search(type->enums[field->sub], number);
}

#endif

/* Map entries (protobuf_decode.h): each is read as a message {key, value} of its own and then put into the map, so that
 * of equal keys the last one counts, value and all. */
#include "codec/protobuf_decode.h"

/* A key and a value of at most 16 bytes each, with padding. */
enum { ENTRY_MAX_BYTES = 48 };

/* As protobuf C++ does: an entry whose value its closed enum does not list is kept as unknown field, written anew. */
static bool keep_entry(reader *r, const tern_type *type, const tern_field *field, const tern_type *entry_type,
                       const void *entry, void *msg) {
    uint8_t head[2 * VARINT_MAX_BYTES];
    int64_t len = tern_protobuf_size(entry_type, entry);
    if (len < 0) {
        r->err = (int)len;
        return false;
    }
    uint8_t *body = tern_arena_alloc(r->arena, (size_t)len);
    if (!body) {
        r->err = TERN_ERR_NOMEM;
        return false;
    }
    tern_protobuf_encode(entry_type, entry, body, (size_t)len);
    size_t n = write_varint(head, (uint64_t)field->number << 3 | WIRE_LEN);
    n += write_varint(head + n, (uint64_t)len);
    return tern__keep_unknown(r, type, msg, head, n) && tern__keep_unknown(r, type, msg, body, (size_t)len);
}

const uint8_t *tern__read_map_entry(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                    void *msg) {
    uint64_t storage[ENTRY_MAX_BYTES / 8] = {0};
    uint8_t *read = (uint8_t *)storage;
    const tern_type *entry_type = type->subs[field->sub];
    const tern_field *key = &entry_type->fields[0], *value = &entry_type->fields[1];
    if (entry_type->size_bytes > sizeof storage) return reader_fail(r, TERN_ERR_INVALID);
    if (!take_elements(r, 1)) return NULL;
    p = tern__read_delimited(r, p, WIRE_LEN, entry_type, read);
    if (!p) return NULL;
    if (value->flags & TERN_FIELD_CLOSED && !enum_lists(entry_type, value, (int32_t)tern__load32(read + value->offset)))
        return keep_entry(r, type, field, entry_type, read, msg) ? p : NULL;
    size_t value_bytes = value->elem_bytes;
    if (holds_message(value->kind)) {
        value_bytes = sizeof(void *);
        if (!tern__load64(read + value->offset) &&
            !tern__new_message(r, entry_type->subs[value->sub], read + value->offset))
            return NULL;
    }
    uint8_t *entry = tern_map_insert(entry_type, (uint8_t *)msg + field->offset, read + key->offset, r->arena);
    if (!entry) return reader_fail(r, TERN_ERR_NOMEM);
    memcpy(entry + value->offset, read + value->offset, value_bytes);
    return p;
}

/* Unknown fields: reading and collecting what a message's type does not know. The bytes may be anything; a length is
 * compared with what is left before it is followed. */
#include "type/list.h"

enum { VARINT = 0, EIGHT_BYTES = 1, LENGTH = 2, GROUP = 3, GROUP_END = 4, FOUR_BYTES = 5 };

/* As deep as a decoder can be allowed to go. */
enum { GROUPS_MAX = 1000 };

/* Each reader returns where reading goes on, or NULL. */
static const uint8_t *read_unknown_varint(const uint8_t *p, const uint8_t *end, uint64_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; p < end && shift < 70; shift += 7) {
        uint8_t byte = *p++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80) continue;
        *out = value;
        return p;
    }
    return NULL;
}

/* As decoders read a tag: the lower 32 bits of at most 5 bytes, with a field number. */
static const uint8_t *read_tag(const uint8_t *p, const uint8_t *end, uint32_t *tag) {
    uint64_t value;
    const uint8_t *next = read_unknown_varint(p, end, &value);
    if (!next || next - p > 5 || (uint32_t)value >> 3 == 0) return NULL;
    *tag = (uint32_t)value;
    return next;
}

/* And a length: at most 5 bytes. Returns where the bytes begin. */
static const uint8_t *read_length(const uint8_t *p, const uint8_t *end, size_t *len) {
    uint64_t value;
    const uint8_t *next = read_unknown_varint(p, end, &value);
    if (!next || next - p > 5 || value > (uint64_t)(end - next)) return NULL;
    *len = (size_t)value;
    return next;
}

/* The value of anything but a group. */
static const uint8_t *read_value(const uint8_t *p, const uint8_t *end, uint32_t wire, tern_unknown_field *field) {
    size_t left = (size_t)(end - p);
    switch (wire) {
    case VARINT: return read_unknown_varint(p, end, &field->value);
    case EIGHT_BYTES:
        if (left < 8) return NULL;
        field->value = tern__load64(p);
        return p + 8;
    case FOUR_BYTES:
        if (left < 4) return NULL;
        field->value = tern__load32(p);
        return p + 4;
    case LENGTH:
        p = read_length(p, end, &left);
        if (!p) return NULL;
        field->content = tern_bytes_of(p, left);
        return p + left;
    default: return NULL;
    }
}

/* The fields up to the end of the group `number`; each group in it ends by its own number. */
static const uint8_t *read_unknown_group(const uint8_t *start, const uint8_t *end, uint32_t number,
                                         tern_bytes *content) {
    uint32_t open[GROUPS_MAX], n_open = 1, tag;
    tern_unknown_field ignored;
    open[0] = number;
    for (const uint8_t *p = start; p;) {
        const uint8_t *before = p;
        p = read_tag(p, end, &tag);
        if (!p) return NULL;
        if ((tag & 7) == GROUP_END) {
            if (open[--n_open] != tag >> 3) return NULL;
            if (n_open > 0) continue;
            *content = tern_bytes_of(start, (size_t)(before - start));
            return p;
        }
        if ((tag & 7) != GROUP) {
            p = read_value(p, end, tag & 7, &ignored);
        } else {
            if (n_open == GROUPS_MAX) return NULL;
            open[n_open++] = tag >> 3;
        }
    }
    return NULL;
}

bool tern_unknown_next(const tern_unknown *unknown, size_t *at, tern_unknown_field *field) {
    uint32_t tag;
    if (*at >= unknown->len) return false;
    const uint8_t *start = unknown->data + *at, *end = unknown->data + unknown->len;
    const uint8_t *p = read_tag(start, end, &tag);
    if (!p) return false;
    *field = (tern_unknown_field){.number = tag >> 3, .wire = tag & 7};
    p = field->wire == GROUP ? read_unknown_group(p, end, field->number, &field->content)
                             : read_value(p, end, field->wire, field);
    if (!p) return false;
    field->encoded = tern_bytes_of(start, (size_t)(p - start));
    *at += field->encoded.len;
    return true;
}

int tern_unknown_append(tern_unknown *unknown, const void *data, size_t len, tern_arena *arena) {
    const size_t max = (size_t)1 << 31;
    if (len > max || unknown->len > max - len) return TERN_ERR_LIMIT;
    if (len == 0) return 0;
    tern_list list = {(void *)(uintptr_t)unknown->data, unknown->len, unknown->cap};
    if (list.len + len > list.cap) {
        int err = tern__list_grow(&list, list.len + len, 1, arena);
        if (err) return err;
    }
    memcpy((uint8_t *)list.data + list.len, data, len);
    unknown->data = list.data;
    unknown->len += (uint32_t)len;
    unknown->cap = list.cap < UINT32_MAX ? (uint32_t)list.cap : UINT32_MAX;
    return 0;
}

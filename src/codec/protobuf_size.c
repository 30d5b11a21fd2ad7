/* The encoded size of a message in protobuf, without writing it. Sizes add up
 * in 64 bits and are compared with the limit at each step, so they cannot
 * overflow. */
#include "codec/protobuf_size.h"

#include "codec/protobuf_writer.h"
#include "codec/wire.h"

/* Beside the size, what the encoding consists of is summed up. NULL, a constant in all that is laid into
 * size_message(): nobody asks, and nothing is spent on it. */
#define PARTS tern__protobuf_parts *parts

/* 64-bit sums of sizes; a negative one is an error and wins over everything. */
static int64_t size_message(const tern_type *type, const void *msg, uint32_t depth_left);
static int64_t measure_message(const tern_type *type, const void *msg, uint32_t depth_left, PARTS);

ALWAYS_INLINE int64_t size_within(const tern_type *type, const void *msg, uint32_t depth_left, PARTS) {
    return parts ? measure_message(type, msg, depth_left, parts) : size_message(type, msg, depth_left);
}

/* A value that the writer may leave where it is (put_long_bytes() in protobuf_encode.c decides alike). */
ALWAYS_INLINE void count_value(const void *data, size_t n, PARTS) {
    if (!parts) return;
    if (n >= parts->threshold && tern_in_pool(data)) {
        parts->n_inplace++;
        parts->inplace_bytes += n;
    } else {
        parts->copied_bytes += n;
    }
}

static inline int64_t checked(uint64_t bytes) { return bytes > INT32_MAX ? TERN_ERR_LIMIT : (int64_t)bytes; }

static inline uint32_t size_varint(unsigned kind, const void *value) { return varint_bytes(load_varint(kind, value)); }

static inline uint32_t size_tag(const tern_field *field) { return varint_bytes((uint64_t)field->number << 3); }

/* Length prefix and contents. */
static inline int64_t size_delimited(int64_t bytes) {
    if (bytes < 0) return bytes;
    return bytes > INT32_MAX - VARINT_MAX_BYTES ? TERN_ERR_LIMIT : bytes + varint_bytes((uint64_t)bytes);
}

/* One value without its tag. */
ALWAYS_INLINE int64_t size_value(const tern_type *type, const tern_field *field, const void *value, uint32_t depth_left,
                                 PARTS) {
    switch (kind_wire(field->kind)) {
    case WIRE_64: return 8;
    case WIRE_32: return 4;
    case WIRE_VARINT: return size_varint(field->kind, value);
    default: break;
    }
    if (!holds_message(field->kind)) {
        const tern_bytes *view = value;
        count_value(view->data, view->len, parts);
        return size_delimited(checked(view->len));
    }
    if (depth_left == 0) return TERN_ERR_LIMIT;
    int64_t bytes = size_within(type->subs[field->sub], value, depth_left - 1, parts);
    return field->kind == TERN_MESSAGE || bytes < 0 ? size_delimited(bytes) : bytes + size_tag(field); /* its end */
}

ALWAYS_INLINE int64_t size_packed(const tern_field *field, const tern_list *list, PARTS) {
    const uint8_t *data = list->data;
    uint64_t sum = 0;
    if (list->len == 0) return 0;
    if (list->len > INT32_MAX) return TERN_ERR_LIMIT;
    if (kind_wire(field->kind) != WIRE_VARINT) {
        sum = list->len * field->elem_bytes;
        count_value(data, sum, parts);
    } else {
        for (size_t i = 0; i < list->len; i++) sum += size_varint(field->kind, data + i * field->elem_bytes);
    }
    int64_t bytes = size_delimited(checked(sum));
    return bytes < 0 ? bytes : bytes + size_tag(field);
}

ALWAYS_INLINE int64_t size_repeated(const tern_type *type, const tern_field *field, const tern_list *list,
                                    uint32_t depth_left, PARTS) {
    const uint8_t *data = list->data;
    if (field->flags & TERN_FIELD_PACKED) return size_packed(field, list, parts);
    uint64_t sum = 0;
    for (size_t i = 0; i < list->len; i++) {
        int64_t bytes = size_value(type, field, data + i * field->elem_bytes, depth_left, parts);
        if (bytes < 0) return bytes;
        sum += (uint64_t)bytes + size_tag(field);
        if (sum > INT32_MAX) return TERN_ERR_LIMIT;
    }
    return (int64_t)sum;
}

ALWAYS_INLINE int64_t size_field(const tern_type *type, const tern_field *field, const void *msg, uint32_t depth_left,
                                 PARTS) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return size_repeated(type, field, member, depth_left, parts);
    if (!field_present(type, field, msg)) return field->flags & TERN_FIELD_REQUIRED ? TERN_ERR_INVALID : 0;
    if (holds_message(field->kind)) member = (const void *)(uintptr_t)tern__load64(member);
    /* an empty value of a map's entry at the greatest depth, which the encoder
   * leaves out */
    if (depth_left == 0 && type->flags & TERN_TYPE_MAP_ENTRY && holds_message(field->kind) &&
        size_message(type->subs[field->sub], member, 0) == 0)
        return 0;
    int64_t bytes = size_value(type, field, member, depth_left, parts);
    return bytes < 0 ? bytes : bytes + size_tag(field);
}

ALWAYS_INLINE int64_t size_fields(const tern_type *type, const void *msg, uint32_t depth_left, PARTS) {
    const tern_unknown *unknown = message_unknown(type, msg);
    uint64_t sum = unknown ? unknown->len : 0;
    if (sum > INT32_MAX) return TERN_ERR_LIMIT;
    if (unknown) count_value(unknown->data, unknown->len, parts);
    for (uint32_t i = 0; i < type->n_fields; i++) {
        int64_t bytes = size_field(type, &type->fields[i], msg, depth_left, parts);
        if (bytes < 0) return bytes;
        sum += (uint64_t)bytes;
        if (sum > INT32_MAX) return TERN_ERR_LIMIT;
    }
    return (int64_t)sum;
}

static int64_t size_message(const tern_type *type, const void *msg, uint32_t depth_left) {
    return size_fields(type, msg, depth_left, NULL);
}

static int64_t measure_message(const tern_type *type, const void *msg, uint32_t depth_left, PARTS) {
    return size_fields(type, msg, depth_left, parts);
}

int64_t tern_protobuf_size(const tern_type *type, const void *msg) {
    return size_message(type, msg, ENCODE_MAX_DEPTH - 1);
}

int64_t tern__protobuf_measure(const tern_type *type, const void *msg, tern__protobuf_parts *parts) {
    size_t threshold = parts->threshold;
    *parts = (tern__protobuf_parts){.threshold = threshold > SEGMENT_MIN_BYTES ? threshold : SEGMENT_MIN_BYTES};
    return measure_message(type, msg, ENCODE_MAX_DEPTH - 1, parts);
}

/* The encoded size of a message in protobuf, without writing it. Sizes add up
 * in 64 bits and are compared with the limit at each step, so they cannot
 * overflow. */
#include "codec/protobuf_size.h"

#include "codec/protobuf_writer.h"
#include "codec/wire.h"
#include "type/object.h"

/* Beside the size, what the encoding consists of may be summed up. */
typedef struct measuring {
    tern__protobuf_parts parts;
    walk_budget budget;
} measuring;

/* NULL, a constant in all that is laid into size_message(): nobody asks, and nothing is spent on it. */
#define MEASURING measuring *m

/* An encoding has two bytes at least for each message in it. So there are not too many messages in as many bytes as
 * size_message() counts; what is larger is measured, with its elements counted. */
enum { UNCOUNTED_MAX_BYTES = 2 << 20 };

ALWAYS_INLINE int64_t max_bytes(MEASURING) { return m ? INT32_MAX : UNCOUNTED_MAX_BYTES; }

ALWAYS_INLINE int count_elements(size_t n, MEASURING) { return m ? walk_spend(&m->budget, n) : 0; }

/* 64-bit sums of sizes; a negative one is an error and wins over everything. */
static int64_t size_message(const tern_type *type, const void *msg, uint32_t depth_left);
static int64_t measure_message(const tern_type *type, const void *msg, uint32_t depth_left, MEASURING);

ALWAYS_INLINE int64_t size_within(const tern_type *type, const void *msg, uint32_t depth_left, MEASURING) {
    return m ? measure_message(type, msg, depth_left, m) : size_message(type, msg, depth_left);
}

/* A value that the writer may leave where it is (put_long_bytes() in protobuf_encode.c decides alike). */
ALWAYS_INLINE void count_value(const void *data, size_t n, MEASURING) {
    if (!m) return;
    if (n >= m->parts.threshold && tern_in_pool(data)) {
        m->parts.n_inplace++;
        m->parts.inplace_bytes += n;
    } else {
        m->parts.copied_bytes += n;
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
                                 MEASURING) {
    switch (kind_wire(field->kind)) {
    case WIRE_64: return 8;
    case WIRE_32: return 4;
    case WIRE_VARINT: return size_varint(field->kind, value);
    default: break;
    }
    if (!holds_message(field->kind)) {
        const tern_bytes *view = value;
        count_value(view->data, view->len, m);
        return size_delimited(checked(view->len));
    }
    if (depth_left == 0) return TERN_ERR_LIMIT;
    int64_t bytes = size_within(type->subs[field->sub], value, depth_left - 1, m);
    return field->kind == TERN_MESSAGE || bytes < 0 ? size_delimited(bytes) : bytes + size_tag(field); /* its end */
}

ALWAYS_INLINE int64_t size_packed(const tern_field *field, const tern_list *list, MEASURING) {
    const uint8_t *data = list->data;
    uint64_t sum = 0;
    if (list->len == 0) return 0;
    if (list->len > INT32_MAX) return TERN_ERR_LIMIT;
    if (kind_wire(field->kind) != WIRE_VARINT) {
        sum = list->len * field->elem_bytes;
        count_value(data, sum, m);
    } else {
        for (size_t i = 0; i < list->len; i++) sum += size_varint(field->kind, data + i * field->elem_bytes);
    }
    int64_t bytes = size_delimited(checked(sum));
    return bytes < 0 ? bytes : bytes + size_tag(field);
}

OUT_OF_LINE static int64_t size_pointers(const tern_type *type, const tern_field *field, const tern_list *list,
                                         uint32_t depth_left, MEASURING) {
    uint64_t sum = 0;
    for (size_t i = 0; i < list->len; i++) {
        const void *msg = list_pointer(list, i);
        int64_t bytes = msg ? size_value(type, field, msg, depth_left, m) : TERN_ERR_INVALID;
        if (bytes < 0) return bytes;
        sum += (uint64_t)bytes + size_tag(field);
        if ((int64_t)sum > max_bytes(m)) return TERN_ERR_LIMIT;
    }
    return (int64_t)sum;
}

ALWAYS_INLINE int64_t size_repeated(const tern_type *type, const tern_field *field, const tern_list *list,
                                    uint32_t depth_left, MEASURING) {
    const uint8_t *data = list->data;
    if (field->flags & TERN_FIELD_PACKED) return size_packed(field, list, m);
    if (holds_message(field->kind)) {
        int err = count_elements(list->len, m);
        if (err) return err;
        if (holds_pointers(field)) return size_pointers(type, field, list, depth_left, m);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < list->len; i++) {
        int64_t bytes = size_value(type, field, data + i * field->elem_bytes, depth_left, m);
        if (bytes < 0) return bytes;
        sum += (uint64_t)bytes + size_tag(field);
        if ((int64_t)sum > max_bytes(m)) return TERN_ERR_LIMIT;
    }
    return (int64_t)sum;
}

ALWAYS_INLINE int64_t size_field(const tern_type *type, const tern_field *field, const void *msg, uint32_t depth_left,
                                 MEASURING) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return size_repeated(type, field, member, depth_left, m);
    if (!field_present(type, field, msg)) return field->flags & TERN_FIELD_REQUIRED ? TERN_ERR_INVALID : 0;
    if (holds_message(field->kind)) {
        int err = count_elements(1, m);
        if (err) return err;
        member = (const void *)(uintptr_t)tern__load64(member);
    }
    /* an empty value of a map's entry at the greatest depth, which the encoder
   * leaves out */
    if (depth_left == 0 && type->flags & TERN_TYPE_MAP_ENTRY && holds_message(field->kind) &&
        tern__protobuf_is_empty(type->subs[field->sub], member))
        return 0;
    int64_t bytes = size_value(type, field, member, depth_left, m);
    return bytes < 0 ? bytes : bytes + size_tag(field);
}

/* An object in a heap, as the tern.Object that is written for it: its type's URL, and itself. */
OUT_OF_LINE static int64_t size_typed(const tern_type *type, const void *msg, uint32_t depth_left, MEASURING) {
    const size_t url_bytes = sizeof object_url_prefix - 1 + strlen(type->name);
    if (depth_left == 0) return TERN_ERR_LIMIT;
    if (m) m->parts.copied_bytes += url_bytes;
    int64_t url = size_delimited(checked(url_bytes)), content = size_within(type, msg, depth_left - 1, m);
    if (content > 0) content = size_delimited(content);
    if (url < 0 || content < 0) return url < 0 ? url : content;
    return checked((uint64_t)url + 1 + (content ? (uint64_t)content + 1 : 0));
}

ALWAYS_INLINE int64_t size_fields(const tern_type *type, const void *msg, uint32_t depth_left, MEASURING) {
    const tern_unknown *unknown = message_unknown(type, msg);
    uint64_t sum = 0;
    if (unknown) {
        sum = unknown->len;
        if (sum > INT32_MAX) return TERN_ERR_LIMIT;
        count_value(unknown->data, unknown->len, m);
    } else if (UNLIKELY(type->flags & TERN_TYPE_OBJECT)) {
        object_form form = object_form_of(&type, msg);
        if (form != OBJECT_ENCODED)
            return form == OBJECT_TYPED ? size_typed(type, msg, depth_left, m) : TERN_ERR_INVALID;
    }
    for (uint32_t i = 0; i < type->n_fields; i++) {
        int64_t bytes = size_field(type, &type->fields[i], msg, depth_left, m);
        if (bytes < 0) return bytes;
        sum += (uint64_t)bytes;
        if ((int64_t)sum > max_bytes(m)) return TERN_ERR_LIMIT;
    }
    return (int64_t)sum;
}

static int64_t size_message(const tern_type *type, const void *msg, uint32_t depth_left) {
    return size_fields(type, msg, depth_left, NULL);
}

static int64_t measure_message(const tern_type *type, const void *msg, uint32_t depth_left, MEASURING) {
    return size_fields(type, msg, depth_left, m);
}

bool tern__protobuf_is_empty(const tern_type *type, const void *msg) { return size_message(type, msg, 0) == 0; }

int64_t tern_protobuf_size(const tern_type *type, const void *msg) {
    int64_t bytes = size_message(type, msg, ENCODE_MAX_DEPTH - 1);
    if (bytes != TERN_ERR_LIMIT) return bytes;
    tern__protobuf_parts parts = {.threshold = SIZE_MAX};
    return tern__protobuf_measure(type, msg, &parts);
}

int64_t tern__protobuf_measure(const tern_type *type, const void *msg, tern__protobuf_parts *parts) {
    size_t threshold = parts->threshold;
    measuring m = {.parts.threshold = threshold > SEGMENT_MIN_BYTES ? threshold : SEGMENT_MIN_BYTES};
    walk_budget_init(&m.budget, type, msg);
    int64_t bytes = measure_message(type, msg, ENCODE_MAX_DEPTH - 1, &m);
    *parts = m.parts;
    return bytes;
}

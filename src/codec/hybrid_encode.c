/* The hybrid encoder: one pass over the message for sizes, one to write (codec.h, docs/wire-format.md).
 *
 * Both passes visit the fields in the same order and decide alike which fields are present and which
 * values go in place. The writer therefore has nothing to check: the sizes it was
 * given are the sums of exactly the pieces that it writes. */
#include "codec/hybrid.h"
#include "tern/codec.h"

/* min_len is at least 1, so that an empty value never goes in place. */
static inline bool goes_in_place(const void *data, size_t len, uint32_t min_len) {
    return len >= min_len && tern_in_pool(data);
}

static inline uint32_t min_inplace_len(uint32_t threshold) { return threshold ? threshold : 1; }

/* ---- Sizes */

typedef struct sizes {
    uint64_t header, copied, inplace;
    uint64_t n_inplace;
    uint64_t last_object; /* the object that was finished last, alone */
    uint32_t min_len;
} sizes;

static inline int add_value(sizes *s, const void *data, size_t len) {
    if (len >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    if (goes_in_place(data, len, s->min_len)) {
        s->inplace += len;
        s->n_inplace++;
    } else {
        s->copied += len;
    }
    return 0;
}

static int add_blob_list(sizes *s, const tern_list *list) {
    const tern_bytes *values = list->data;
    uint64_t copied = 0, inplace = 0, n_inplace = 0;
    if (list->len >= TERN__HYBRID_MAX_BYTES / 8) return TERN_ERR_LIMIT;
    for (size_t i = 0; i < list->len; i++) {
        size_t len = values[i].len;
        if (len >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
        if (goes_in_place(values[i].data, len, s->min_len)) {
            inplace += len;
            n_inplace++;
        } else {
            copied += len;
        }
    }
    s->header += 8 * list->len;
    s->copied += copied;
    s->inplace += inplace;
    s->n_inplace += n_inplace;
    return 0;
}

static int add_object(sizes *s, const tern_type *type, const uint8_t *msg, unsigned depth);

static int add_object_list(sizes *s, const tern_type *type, const tern_list *list, unsigned depth) {
    const uint8_t *element = list->data;
    if (list->len >= TERN__HYBRID_MAX_BYTES / 8) return TERN_ERR_LIMIT;
    s->header += 8 * list->len;
    for (size_t i = 0; i < list->len; i++, element += type->size_bytes) {
        int rc = add_object(s, type, element, depth);
        if (rc) return rc;
    }
    return 0;
}

static int add_number_list(sizes *s, const tern_list *list, size_t width) {
    if (list->len >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    return add_value(s, list->data, list->len * width);
}

/* The switches of both passes test for presence in each case anew, where the class is a constant and the test
 * two instructions: a second switch, for presence, took a third of the time of small messages
 * (bench/serialize). */
static int add_object(sizes *s, const tern_type *type, const uint8_t *msg, unsigned depth) {
    if (depth > TERN__HYBRID_MAX_DEPTH) return TERN_ERR_LIMIT;
    if (type->max_number > TERN__HYBRID_MAX_NUMBER) return TERN_ERR_UNSUPPORTED;
    /* Checked here and not only at the end, so that a struct that contains itself many times ends soon. */
    if (s->header + s->copied + s->inplace >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    uint64_t own = 4 + 4 * tern__hybrid_words(type);
    for (const tern_field *field = type->fields, *end = field + type->n_fields; field < end; field++) {
        const tern_list *list = (const tern_list *)(const void *)(msg + field->offset);
        int rc = 0;
        switch (tern__hybrid_class_of(field)) {
#define CASE(class, entry_bytes, add)                                                                                  \
    case class:                                                                                                        \
        if (!tern__hybrid_present(field, class, type, msg)) break;                                                     \
        own += entry_bytes;                                                                                            \
        rc = add;                                                                                                      \
        if (rc) return rc;                                                                                             \
        continue;
            CASE(TERN__HYBRID_BOOL, 4, 0)
            CASE(TERN__HYBRID_32, 4, 0)
            CASE(TERN__HYBRID_64, 8, 0)
            CASE(TERN__HYBRID_BLOB, 8, add_value(s, list->data, list->len))
            CASE(TERN__HYBRID_MSG, 8, add_object(s, type->subs[field->sub], list->data, depth + 1))
            CASE(TERN__HYBRID_BOOL_LIST, 8, add_number_list(s, list, 1))
            CASE(TERN__HYBRID_32_LIST, 8, add_number_list(s, list, 4))
            CASE(TERN__HYBRID_64_LIST, 8, add_number_list(s, list, 8))
            CASE(TERN__HYBRID_BLOB_LIST, 8, add_blob_list(s, list))
            CASE(TERN__HYBRID_MSG_LIST, 8, add_object_list(s, type->subs[field->sub], list, depth + 1))
#undef CASE
        default: return TERN_ERR_UNSUPPORTED;
        }
        if (field->flags & TERN_FIELD_REQUIRED) return TERN_ERR_INVALID;
    }
    s->header += own;
    s->last_object = own;
    return 0;
}

int tern_hybrid_measure(const tern_type *type, const void *msg, size_t threshold, tern_hybrid_plan *plan) {
    plan->threshold = threshold < UINT32_MAX ? (uint32_t)threshold : UINT32_MAX;
    sizes s = {.min_len = min_inplace_len(plan->threshold)};
    int rc = add_object(&s, type, msg, 1);
    if (rc) return rc;
    if (s.header + s.copied + s.inplace >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    plan->head_bytes = (uint32_t)(s.header + s.copied);
    plan->header_bytes = (uint32_t)s.header;
    plan->object_bytes = (uint32_t)s.last_object;
    plan->inplace_bytes = (uint32_t)s.inplace;
    plan->n_inplace = (uint32_t)s.n_inplace;
    return 0;
}

/* ---- Writing */

typedef struct writer {
    uint8_t *head;
    uint32_t next_piece;   /* where the next table or sub-object goes */
    uint32_t next_copied;  /* where the next copied value goes */
    uint32_t next_inplace; /* where the next in-place value will be */
    uint32_t min_len;
    tern_hybrid_post_fn *post;
    void *ctx;
} writer;

static inline void put_entry(uint8_t *entry, uint32_t size, uint32_t offset) {
    tern__store64(entry, (uint64_t)offset << 32 | size);
}

/* Writes the value of an entry: `count` goes in the entry, `len` bytes in the data. */
static inline int put_value(writer *w, uint8_t *entry, uint32_t count, const void *data, size_t len) {
    if (goes_in_place(data, len, w->min_len)) {
        put_entry(entry, count, w->next_inplace);
        w->next_inplace += (uint32_t)len;
        return w->post(w->ctx, data, (uint32_t)len);
    }
    put_entry(entry, count, w->next_copied);
    if (len) memcpy(w->head + w->next_copied, data, len);
    w->next_copied += (uint32_t)len;
    return 0;
}

static int put_blob_list(writer *w, uint8_t *entry, const tern_list *list) {
    const tern_bytes *values = list->data;
    uint8_t *slot = w->head + w->next_piece;
    put_entry(entry, (uint32_t)list->len, w->next_piece);
    w->next_piece += (uint32_t)(8 * list->len);
    for (size_t i = 0; i < list->len; i++, slot += 8) {
        int rc = put_value(w, slot, (uint32_t)values[i].len, values[i].data, values[i].len);
        if (rc) return rc;
    }
    return 0;
}

static int put_object(writer *w, const tern_type *type, const uint8_t *msg, uint32_t object_bytes);

/* The bytes of an object without what lies below it. */
static uint32_t object_bytes_of(const tern_type *type, const uint8_t *msg) {
    uint32_t bytes = 4 + 4 * tern__hybrid_words(type);
    for (const tern_field *field = type->fields, *end = field + type->n_fields; field < end; field++) {
        unsigned class = tern__hybrid_class_of(field);
        if (tern__hybrid_present(field, class, type, msg)) bytes += tern__hybrid_entry_bytes(class);
    }
    return bytes;
}

static int put_sub_object(writer *w, uint8_t *entry, const tern_type *type, const uint8_t *msg) {
    put_entry(entry, 0, w->next_piece);
    return put_object(w, type, msg, object_bytes_of(type, msg));
}

static int put_object_list(writer *w, uint8_t *entry, const tern_type *type, const tern_list *list) {
    const uint8_t *element = list->data;
    uint8_t *slot = w->head + w->next_piece;
    put_entry(entry, (uint32_t)list->len, w->next_piece);
    w->next_piece += (uint32_t)(8 * list->len);
    for (size_t i = 0; i < list->len; i++, slot += 8, element += type->size_bytes) {
        uint32_t object_bytes = object_bytes_of(type, element);
        put_entry(slot, object_bytes, w->next_piece);
        int rc = put_object(w, type, element, object_bytes);
        if (rc) return rc;
    }
    return 0;
}

static int put_number_list(writer *w, uint8_t *entry, const tern_list *list, size_t width) {
    return put_value(w, entry, (uint32_t)list->len, list->data, list->len * width);
}

static inline int put_32(uint8_t *entry, uint32_t value) {
    tern__store32(entry, value);
    return 0;
}

static inline int put_64(uint8_t *entry, uint64_t value) {
    tern__store64(entry, value);
    return 0;
}

/* Writes an object of object_bytes bytes at next_piece, and everything below it behind. */
static int put_object(writer *w, const tern_type *type, const uint8_t *msg, uint32_t object_bytes) {
    uint32_t n_words = tern__hybrid_words(type);
    uint8_t *object = w->head + w->next_piece, *bitmap = object + 4, *entry = bitmap + 4 * n_words;
    w->next_piece += object_bytes;
    tern__store32(object, n_words);
    for (uint32_t i = 0; i < n_words; i++) tern__store32(bitmap + 4 * i, 0);
    for (const tern_field *field = type->fields, *end = field + type->n_fields; field < end; field++) {
        const uint8_t *member = msg + field->offset;
        const tern_list *list = (const tern_list *)(const void *)member;
        int rc = 0;
        switch (tern__hybrid_class_of(field)) {
#define CASE(class, entry_bytes, put)                                                                                  \
    case class:                                                                                                        \
        if (!tern__hybrid_present(field, class, type, msg)) continue;                                                  \
        rc = put;                                                                                                      \
        entry += entry_bytes;                                                                                          \
        break;
            CASE(TERN__HYBRID_BOOL, 4, put_32(entry, *member != 0))
            CASE(TERN__HYBRID_32, 4, put_32(entry, tern__load32(member)))
            CASE(TERN__HYBRID_64, 8, put_64(entry, tern__load64(member)))
            CASE(TERN__HYBRID_BLOB, 8, put_value(w, entry, (uint32_t)list->len, list->data, list->len))
            CASE(TERN__HYBRID_MSG, 8, put_sub_object(w, entry, type->subs[field->sub], list->data))
            CASE(TERN__HYBRID_BOOL_LIST, 8, put_number_list(w, entry, list, 1))
            CASE(TERN__HYBRID_32_LIST, 8, put_number_list(w, entry, list, 4))
            CASE(TERN__HYBRID_64_LIST, 8, put_number_list(w, entry, list, 8))
            CASE(TERN__HYBRID_BLOB_LIST, 8, put_blob_list(w, entry, list))
            CASE(TERN__HYBRID_MSG_LIST, 8, put_object_list(w, entry, type->subs[field->sub], list))
#undef CASE
        default: return TERN_ERR_UNSUPPORTED;
        }
        if (rc) return rc;
        uint32_t bit = field->number - 1;
        bitmap[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
    return 0;
}

int tern_hybrid_write(const tern_type *type, const void *msg, const tern_hybrid_plan *plan, void *head,
                      tern_hybrid_post_fn *post, void *ctx) {
    writer w = {.head = head,
                .next_copied = plan->header_bytes,
                .next_inplace = plan->head_bytes,
                .min_len = min_inplace_len(plan->threshold),
                .post = post,
                .ctx = ctx};
    return put_object(&w, type, msg, plan->object_bytes);
}

int64_t tern_hybrid_encode(const tern_type *type, const void *msg, void *out, size_t cap) {
    tern_hybrid_plan plan;
    int rc = tern_hybrid_measure(type, msg, SIZE_MAX, &plan);
    if (rc) return rc;
    if (plan.head_bytes > cap) return TERN_ERR_LIMIT;
    rc = tern_hybrid_write(type, msg, &plan, out, NULL, NULL);
    return rc ? rc : (int64_t)plan.head_bytes;
}

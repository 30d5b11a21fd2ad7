/* The hybrid encoder: one pass over the message for sizes, one to write (codec.h, docs/wire-format.md).
 *
 * Both passes visit the fields in the same order and decide alike which fields are present and which
 * values go in place. A message without messages in it, of a type with up to 32 fields without gaps, is written the
 * short way, which is told by the first pass which fields are present. The writer therefore has nothing to check: the sizes it was
 * given are the sums of exactly the pieces that it writes. */
#include "codec/hybrid.h"
#include "mem/pool.h"
#include "tern/codec.h"

/* The pool's range, read once for many values. */
typedef struct range {
    uintptr_t base;
    size_t bytes;
} range;

static inline range pool_range(void) {
    size_t bytes = tern__pool_bytes_now();
    return (range){__atomic_load_n(&tern__pool.base, __ATOMIC_RELAXED), bytes};
}

/* min_len is at least 1, so that an empty value never goes in place. */
static inline bool goes_in_place(range pool, const void *data, size_t len, size_t min_len) {
    return len >= min_len && (uintptr_t)data - pool.base < pool.bytes;
}

static inline uint32_t min_inplace_len(uint32_t threshold) { return threshold ? threshold : 1; }

/* ---- Sizes */

/* What an encoding takes. Sums cannot wrap: values are shorter than 2^31 bytes and lists than 2^28 elements, and
 * sums are looked at after each list and before each object. */
typedef struct sizes {
    uint64_t objects; /* bytes, without tables */
    uint64_t tables;
    uint64_t values;  /* both copied and in place */
    uint64_t inplace; /* number << 32 | bytes: half valid when values is not, which is then refused */
    uint32_t object;  /* the top object alone */
    uint32_t min_len;
    uint32_t present; /* bit i: the object's field number i, of the first 32, is there */
    bool has_subs;
} sizes;

/* Adds up values of one object. A struct of its own, small enough for registers. */
typedef struct value_sums {
    uint64_t values, inplace;
} value_sums;

static inline bool add_value(value_sums *v, const void *data, size_t len, uint32_t min_len) {
    if (len >= TERN__HYBRID_MAX_BYTES) return false;
    v->values += len;
    if (goes_in_place(pool_range(), data, len, min_len)) v->inplace += (uint64_t)1 << 32 | len;
    return true;
}

static inline bool add_number_list(value_sums *v, const tern_list *list, size_t width, uint32_t min_len) {
    return list->len < TERN__HYBRID_MAX_BYTES && add_value(v, list->data, list->len * width, min_len);
}

/* A function of its own: within count_object its sums would live on the stack. No element ends the loop early: whether
 * one was too long is looked at once, and then the sums, which may have wrapped, are not. */
static __attribute__((noinline)) value_sums sum_blobs(const tern_list *list, uint32_t min_len) {
    const range pool = pool_range();
    value_sums v = {0, 0};
    uint64_t all_lens = 0;
    for (const tern_bytes *value = list->data, *end = value + list->len; value < end; value++) {
        uint64_t len = value->len;
        all_lens |= len;
        v.values += len;
        if (goes_in_place(pool, value->data, len, min_len)) v.inplace += (uint64_t)1 << 32 | len;
    }
    if (all_lens >= TERN__HYBRID_MAX_BYTES) v.values = TERN__HYBRID_MAX_BYTES;
    return v;
}

static inline bool add_blob_list(value_sums *v, const tern_list *list, sizes *out) {
    if (list->len >= TERN__HYBRID_MAX_BYTES / 8) return false;
    value_sums sums = sum_blobs(list, out->min_len);
    out->tables += 8 * list->len;
    v->values += sums.values;
    v->inplace += sums.inplace;
    return v->values < TERN__HYBRID_MAX_BYTES;
}

static bool is_too_large(const sizes *s) { return s->objects + s->tables + s->values >= TERN__HYBRID_MAX_BYTES; }

static int add_object(sizes *sum, const tern_type *type, const uint8_t *msg, unsigned depth);

static int add_object_list(sizes *sum, const tern_type *type, const tern_list *list, unsigned depth) {
    const uint8_t *element = list->data;
    if (list->len >= TERN__HYBRID_MAX_BYTES / 8) return TERN_ERR_LIMIT;
    sum->tables += 8 * list->len;
    for (size_t i = 0; i < list->len; i++, element += type->size_bytes) {
        int rc = add_object(sum, type, element, depth);
        if (rc) return rc;
    }
    return 0;
}

/* What lies below an object at this depth. */
static __attribute__((noinline)) int add_sub_objects(sizes *sum, const tern_type *type, const uint8_t *msg,
                                                     unsigned depth) {
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
        unsigned class = tern__hybrid_class_of(field);
        if (class != TERN__HYBRID_MSG && class != TERN__HYBRID_MSG_LIST) continue;
        if (!tern__hybrid_present(field, class, type, msg)) continue;
        const tern_list *list = (const tern_list *)(const void *)(msg + field->offset);
        const tern_type *sub = type->subs[field->sub];
        int rc = class == TERN__HYBRID_MSG ? add_object(sum, sub, list->data, depth + 1)
                                           : add_object_list(sum, sub, list, depth + 1);
        if (rc) return rc;
    }
    return 0;
}

/* Adds an object without what lies below it, of which has_subs tells. Messages are small and their cost is
 * instructions (bench/serialize): nothing is called from here, so that what the loop needs stays in registers; and
 * each case tests for presence anew, because there the class is a constant and the test two instructions. */
static inline __attribute__((always_inline)) int count_object(sizes *out, const tern_type *type, const uint8_t *msg) {
    if (type->max_number > TERN__HYBRID_MAX_NUMBER) return TERN_ERR_UNSUPPORTED;
    value_sums v = {0, 0};
    uint32_t object = 4 + 4 * tern__hybrid_words(type), present = 0, bit = 1;
    out->has_subs = false;
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end;
         field++, bit <<= 1) {
        const tern_list *list = (const tern_list *)(const void *)(msg + field->offset);
        switch (tern__hybrid_class_of(field)) {
#define CASE(class, entry_bytes, add)                                                                                  \
    case class:                                                                                                        \
        if (!tern__hybrid_present(field, class, type, msg)) break;                                                     \
        object += entry_bytes;                                                                                         \
        present |= bit;                                                                                                \
        if (!(add)) return TERN_ERR_LIMIT;                                                                             \
        continue;
            CASE(TERN__HYBRID_BOOL, 4, true)
            CASE(TERN__HYBRID_32, 4, true)
            CASE(TERN__HYBRID_64, 8, true)
            CASE(TERN__HYBRID_BLOB, 8, add_value(&v, list->data, list->len, out->min_len))
            CASE(TERN__HYBRID_MSG, 8, out->has_subs = true)
            CASE(TERN__HYBRID_BOOL_LIST, 8, add_number_list(&v, list, 1, out->min_len))
            CASE(TERN__HYBRID_32_LIST, 8, add_number_list(&v, list, 4, out->min_len))
            CASE(TERN__HYBRID_64_LIST, 8, add_number_list(&v, list, 8, out->min_len))
            CASE(TERN__HYBRID_BLOB_LIST, 8, add_blob_list(&v, list, out))
            CASE(TERN__HYBRID_MSG_LIST, 8, out->has_subs = true)
#undef CASE
        default: return TERN_ERR_UNSUPPORTED;
        }
        if (field->flags & TERN_FIELD_REQUIRED) return TERN_ERR_INVALID;
    }
    out->objects += object;
    out->object = object;
    out->present = present;
    out->values += v.values;
    out->inplace += v.inplace;
    return 0;
}

static int add_object(sizes *sum, const tern_type *type, const uint8_t *msg, unsigned depth) {
    /* Checked here and not only at the end, so that a struct that contains itself many times ends soon. */
    if (depth > TERN__HYBRID_MAX_DEPTH || is_too_large(sum)) return TERN_ERR_LIMIT;
    int rc = count_object(sum, type, msg);
    return !rc && sum->has_subs ? add_sub_objects(sum, type, msg, depth) : rc;
}

/* Whether the fields are numbered from 1 without a gap and have one word of bitmap: then a field's place in the table
 * is its bit. */
static inline bool is_dense(const tern_type *type) { return type->n_fields <= 32 && type->n_dense == type->n_fields; }

int tern_hybrid_measure(const tern_type *type, const void *msg, size_t threshold, tern_hybrid_plan *plan) {
    sizes s;
    plan->threshold = threshold < UINT32_MAX ? (uint32_t)threshold : UINT32_MAX;
    s.objects = s.tables = s.values = s.inplace = 0;
    s.min_len = min_inplace_len(plan->threshold);
    int rc = count_object(&s, type, msg);
    if (rc) return rc;
    plan->object_bytes = s.object;
    plan->flat = is_dense(type) && !s.has_subs ? s.present : 0;
    if (s.has_subs) {
        sizes all = s; /* so that s, whose address is not taken, stays in registers */
        rc = add_sub_objects(&all, type, msg, 1);
        if (rc) return rc;
        s = all;
    }
    if (is_too_large(&s)) return TERN_ERR_LIMIT;
    plan->header_bytes = (uint32_t)(s.objects + s.tables);
    plan->inplace_bytes = (uint32_t)s.inplace;
    plan->n_inplace = (uint32_t)(s.inplace >> 32);
    plan->head_bytes = plan->header_bytes + (uint32_t)s.values - plan->inplace_bytes;
    return 0;
}

/* ---- Writing */

/* Positions and lengths below 2^32 in whole words, which need no conversions. */
typedef struct writer {
    uint8_t *head;
    size_t next_piece;  /* where the next table or sub-object goes */
    size_t next_copied; /* where the next copied value goes */
    size_t min_len;
    size_t next_inplace; /* where the next in-place value will be */
    range pool;
    tern_hybrid_post_fn *post;
    void *ctx;
} writer;

static inline void put_entry(uint8_t *entry, size_t size, size_t offset) { tern__store64(entry, offset << 32 | size); }

/* memcpy, without the call for 16 to 64 bytes: two or four loads and stores that may overlap. A quarter off a list of
 * 64-byte values (bench/serialize, 32x64). */
static inline void copy_value(uint8_t *to, const uint8_t *from, size_t len) {
    if (len - 16 > 48) {
        if (len) memcpy(to, from, len);
        return;
    }
    if (len > 32) {
        memcpy(to + 16, from + 16, 16);
        memcpy(to + len - 32, from + len - 32, 16);
    }
    memcpy(to, from, 16);
    memcpy(to + len - 16, from + len - 16, 16);
}

/* Writes the value of an entry: `count` goes in the entry, `len` bytes in the data. */
static inline __attribute__((always_inline)) int put_value(writer *w, uint8_t *entry, size_t count, const void *data,
                                                           size_t len) {
    if (goes_in_place(w->pool, data, len, w->min_len)) {
        put_entry(entry, count, w->next_inplace);
        w->next_inplace += len;
        return w->post(w->ctx, data, (uint32_t)len);
    }
    put_entry(entry, count, w->next_copied);
    copy_value(w->head + w->next_copied, data, len);
    w->next_copied += len;
    return 0;
}

static int put_blob_list(writer *w, uint8_t *entry, const tern_list *list) {
    uint8_t *slot = w->head + w->next_piece;
    put_entry(entry, list->len, w->next_piece);
    w->next_piece += 8 * list->len;
    for (const tern_bytes *value = list->data, *end = value + list->len; value < end; value++, slot += 8) {
        int rc = put_value(w, slot, value->len, value->data, value->len);
        if (rc) return rc;
    }
    return 0;
}

static int put_object(writer *w, const tern_type *type, const uint8_t *msg, uint32_t object_bytes);

/* The bytes of an object without what lies below it. */
static uint32_t object_bytes_of(const tern_type *type, const uint8_t *msg) {
    uint32_t bytes = 4 + 4 * tern__hybrid_words(type);
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
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
    put_entry(entry, list->len, w->next_piece);
    w->next_piece += 8 * list->len;
    for (size_t i = 0; i < list->len; i++, slot += 8, element += type->size_bytes) {
        uint32_t object_bytes = object_bytes_of(type, element);
        put_entry(slot, object_bytes, w->next_piece);
        int rc = put_object(w, type, element, object_bytes);
        if (rc) return rc;
    }
    return 0;
}

static int put_number_list(writer *w, uint8_t *entry, const tern_list *list, size_t width) {
    return put_value(w, entry, list->len, list->data, list->len * width);
}

/* Writes an object of object_bytes bytes at next_piece, and everything below it behind. */
static int put_object(writer *w, const tern_type *type, const uint8_t *msg, uint32_t object_bytes) {
    uint32_t n_words = tern__hybrid_words(type), n_written = 0, word = 0;
    uint8_t *object = w->head + w->next_piece, *bitmap = object + 4, *entry = bitmap + 4 * n_words;
    w->next_piece += object_bytes;
    tern__store32(object, n_words);
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
        const uint8_t *member = msg + field->offset;
        const tern_list *list = (const tern_list *)(const void *)member;
        int rc = 0;
        switch (tern__hybrid_class_of(field)) {
#define CASE(class, entry_bytes, put)                                                                                  \
    case class:                                                                                                        \
        if (!tern__hybrid_present(field, class, type, msg)) continue;                                                  \
        put;                                                                                                           \
        entry += entry_bytes;                                                                                          \
        break;
            CASE(TERN__HYBRID_BOOL, 4, tern__store32(entry, *member != 0))
            CASE(TERN__HYBRID_32, 4, tern__store32(entry, tern__load32(member)))
            CASE(TERN__HYBRID_64, 8, tern__store64(entry, tern__load64(member)))
            CASE(TERN__HYBRID_BLOB, 8, rc = put_value(w, entry, list->len, list->data, list->len))
            CASE(TERN__HYBRID_MSG, 8, rc = put_sub_object(w, entry, type->subs[field->sub], list->data))
            CASE(TERN__HYBRID_BOOL_LIST, 8, rc = put_number_list(w, entry, list, 1))
            CASE(TERN__HYBRID_32_LIST, 8, rc = put_number_list(w, entry, list, 4))
            CASE(TERN__HYBRID_64_LIST, 8, rc = put_number_list(w, entry, list, 8))
            CASE(TERN__HYBRID_BLOB_LIST, 8, rc = put_blob_list(w, entry, list))
            CASE(TERN__HYBRID_MSG_LIST, 8, rc = put_object_list(w, entry, type->subs[field->sub], list))
#undef CASE
        default: return TERN_ERR_UNSUPPORTED;
        }
        if (rc) return rc;
        uint32_t bit = field->number - 1;
        for (; n_written < bit / 32; n_written++, word = 0) tern__store32(bitmap + 4 * n_written, word);
        word |= (uint32_t)1 << bit % 32;
    }
    for (; n_written < n_words; n_written++, word = 0) tern__store32(bitmap + 4 * n_written, word);
    return 0;
}

/* ---- Writing the short way: one loop over what is present, and no function to call but post */

/* Where the next of each goes. Its address is given only to what is inlined, so that it lives in registers. */
typedef struct flat {
    uint8_t *head, *entry;
    size_t table, copied, inplace;
    size_t min_len;
    range pool;
    tern_hybrid_post_fn *post;
    void *ctx;
    bool copies_none; /* no value is copied, so all but empty ones go in place */
} flat;

static inline __attribute__((always_inline)) int flat_values(flat *f, uint8_t *slot, const tern_bytes *value,
                                                             const tern_bytes *end) {
    for (; value < end; value++, slot += 8) {
        const void *data = value->data;
        size_t len = value->len;
        if (goes_in_place(f->pool, data, len, f->min_len)) {
            put_entry(slot, len, f->inplace);
            f->inplace += len;
            int rc = f->post(f->ctx, data, (uint32_t)len);
            if (rc) return rc;
        } else {
            put_entry(slot, len, f->copied);
            copy_value(f->head + f->copied, data, len);
            f->copied += len;
        }
    }
    return 0;
}

/* A list of which all that is not empty goes in place; a function of its own, whose loop has all in registers. Empty
 * values are where copied ones would be. Returns where the next in-place value will be, or the sink's error. */
static __attribute__((noinline)) int64_t post_list(uint8_t *slot, const tern_list *list, size_t inplace,
                                                   tern_hybrid_post_fn *post, void *ctx, size_t copied) {
    const tern_bytes *value = list->data;
    for (uint8_t *end = slot + 8 * list->len; slot < end; slot += 8, value++) {
        size_t len = value->len;
        if (!len) {
            put_entry(slot, 0, copied);
            continue;
        }
        put_entry(slot, len, inplace);
        inplace += len;
        int rc = post(ctx, value->data, (uint32_t)len);
        if (rc) return rc;
    }
    return (int64_t)inplace;
}

/* A string, bytes, or a list: one value or many, so that one loop does for all. */
static inline __attribute__((always_inline)) int flat_list(flat *f, const tern_list *list, unsigned class) {
    tern_bytes numbers;
    const tern_bytes *value = (const tern_bytes *)(const void *)list, *end = value + 1;
    uint8_t *entry = f->entry, *slot = entry;
    f->entry += 8;
    if (class == TERN__HYBRID_BLOB_LIST) {
        put_entry(entry, list->len, f->table);
        slot = f->head + f->table;
        f->table += 8 * list->len;
        if (f->copies_none) {
            int64_t next = post_list(slot, list, f->inplace, f->post, f->ctx, f->copied);
            f->inplace = (size_t)next;
            return next < 0 ? (int)next : 0;
        }
        value = list->data;
        end = value + list->len;
    } else if (class != TERN__HYBRID_BLOB) {
        numbers = (tern_bytes){list->data, list->len * tern__hybrid_number_bytes(class)};
        value = &numbers;
        end = value + 1;
    }
    int rc = flat_values(f, slot, value, end);
    if (class != TERN__HYBRID_BLOB_LIST) tern__store32(entry, (uint32_t)list->len);
    return rc;
}

/* What is present is known from measuring, and the bitmap is one word. */
static inline int write_flat(const tern_type *type, const uint8_t *msg, uint32_t present, flat f) {
    tern__store64(f.head, (uint64_t)present << 32 | 1);
    for (; present; present &= present - 1) {
        const tern_field *field = &type->fields[__builtin_ctz(present)];
        const uint8_t *member = msg + field->offset;
        const unsigned class = tern__hybrid_class_of(field);
        if (class == TERN__HYBRID_32) {
            tern__store32(f.entry, tern__load32(member));
            f.entry += 4;
        } else if (class == TERN__HYBRID_64) {
            tern__store64(f.entry, tern__load64(member));
            f.entry += 8;
        } else if (class == TERN__HYBRID_BOOL) {
            tern__store32(f.entry, *member != 0);
            f.entry += 4;
        } else {
            int rc = flat_list(&f, (const tern_list *)(const void *)member, class);
            if (rc) return rc;
        }
    }
    return 0;
}

int tern_hybrid_write(const tern_type *type, const void *msg, const tern_hybrid_plan *plan, void *head,
                      tern_hybrid_post_fn *post, void *ctx) {
    const size_t min_len = min_inplace_len(plan->threshold);
    const range pool = pool_range();
    if (plan->flat) {
        flat f = {.head = head,
                  .entry = (uint8_t *)head + 8,
                  .table = plan->object_bytes,
                  .copied = plan->header_bytes,
                  .inplace = plan->head_bytes,
                  .min_len = min_len,
                  .pool = pool,
                  .post = post,
                  .ctx = ctx,
                  .copies_none = plan->head_bytes == plan->header_bytes};
        return write_flat(type, msg, plan->flat, f);
    }
    writer w = {.head = head,
                .next_copied = plan->header_bytes,
                .next_inplace = plan->head_bytes,
                .min_len = min_len,
                .pool = pool,
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

/* The hybrid encoder: one pass over the message for sizes, one to write, or both in one (codec.h, docs/wire-format.md).
 *
 * All passes visit the fields in the same order and decide alike which fields are present and which values go in place.
 * The writer of a measured message therefore has nothing to check: the sizes it was given are the sums of exactly the
 * pieces that it writes. Messages are small and their cost is instructions (bench/serialize), so there are two ways
 * through each pass. The short way is for a message without messages in it, of a type with up to 32 fields numbered
 * without gaps: one loop over what is present. The other way does for all.
 *
 * Where an outcome is marked as expected, the compiler else keeps what the loops need on the stack: a tenth of the time
 * of GetM with 4 values of 512 bytes. */
#include "codec/hybrid.h"
#include "mem/pool.h"
#include "tern/codec.h"
#include "type/bound.h"

/* The map of memory, read once for many values. */
typedef struct memory_map {
    const uint8_t *codes;
    size_t n_codes;
} memory_map;

static inline memory_map read_map(void) {
    size_t n = __atomic_load_n(&tern__pool.n_codes, __ATOMIC_ACQUIRE);
    return (memory_map){tern__pool.codes, n};
}

/* min_len, the plan's threshold, is at least 1, so that an empty value never goes in place. */
static inline bool goes_in_place(memory_map map, const void *data, size_t len, size_t min_len) {
    size_t chunk = (uintptr_t)data >> TERN__CHUNK_SHIFT;
    return len >= min_len && chunk < map.n_codes &&
           tern__code_is_known(__atomic_load_n(&map.codes[chunk], __ATOMIC_RELAXED), data);
}

/* ---- Sizes
 * They are summed up in the plan itself; head_bytes stands for the copied values alone until all is counted. None of
 * the sums passes 2^32: they are below 2^31 together after each list and before each object, a value is shorter than
 * that, and a list shorter than 2^28 elements. */

static inline bool is_too_large(const tern_hybrid_plan *plan) {
    return (uint64_t)plan->header_bytes + plan->head_bytes + plan->inplace_bytes >= TERN__HYBRID_MAX_BYTES;
}

typedef struct value_run {
    const tern_bytes *end;
    uint64_t bytes;
} value_run;

/* The values from here that go in place, or that do not. */
static inline value_run find_run(const tern_bytes *value, const tern_bytes *end, size_t min_len, bool inplace) {
    const memory_map pool = read_map();
    uint64_t bytes = 0, all_lens = 0;
    for (; value < end && goes_in_place(pool, value->data, value->len, min_len) == inplace; value++) {
        bytes += value->len;
        all_lens |= value->len;
    }
    return (value_run){value, all_lens < TERN__HYBRID_MAX_BYTES ? bytes : TERN__HYBRID_MAX_BYTES};
}

/* Functions of their own, whose loop has all in registers that nobody saves. */
static __attribute__((noinline)) value_run inplace_run(const tern_bytes *value, const tern_bytes *end, size_t min_len) {
    return find_run(value, end, min_len, true);
}

static __attribute__((noinline)) value_run copied_run(const tern_bytes *value, const tern_bytes *end, size_t min_len) {
    return find_run(value, end, min_len, false);
}

static __attribute__((noinline)) int add_values(tern_hybrid_plan *plan, const tern_bytes *value, size_t n) {
    const tern_bytes *const end = value + n;
    while (value < end) {
        value_run r = inplace_run(value, end, plan->threshold);
        plan->n_inplace += (uint32_t)(r.end - value);
        plan->inplace_bytes += (uint32_t)r.bytes;
        if (r.bytes >= TERN__HYBRID_MAX_BYTES || is_too_large(plan)) return TERN_ERR_LIMIT;
        if (r.end == end) break;
        value = r.end;
        r = copied_run(value, end, plan->threshold);
        plan->n_copied += (uint32_t)(r.end - value);
        plan->head_bytes += (uint32_t)r.bytes;
        if (r.bytes >= TERN__HYBRID_MAX_BYTES || is_too_large(plan)) return TERN_ERR_LIMIT;
        value = r.end;
    }
    return 0;
}

/* Counts a string, bytes, or a list of anything but messages. */
static inline int add_list(tern_hybrid_plan *plan, unsigned class, const tern_list *list) {
    if (class == TERN__HYBRID_BLOB_LIST) {
        if (list->len >= TERN__HYBRID_MAX_BYTES / 8) return TERN_ERR_LIMIT;
        plan->header_bytes += (uint32_t)(8 * list->len);
        const tern_bytes *values = list->data;
        value_run r = inplace_run(values, values + list->len, plan->threshold);
        if (r.end != values + list->len) return add_values(plan, values, list->len);
        plan->inplace_bytes += (uint32_t)r.bytes;
        plan->n_inplace += (uint32_t)list->len;
        return r.bytes >= TERN__HYBRID_MAX_BYTES || is_too_large(plan) ? TERN_ERR_LIMIT : 0;
    }
    if (class == TERN__HYBRID_BLOB) return add_values(plan, (const tern_bytes *)(const void *)list, 1);
    if (list->len >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    tern_bytes numbers = {list->data, list->len * tern__hybrid_number_bytes(class)};
    return add_values(plan, &numbers, 1);
}

/* ---- Sizes of any message */

typedef struct sizes {
    tern_hybrid_plan plan;
    walk_budget budget;
} sizes;

static int add_object(sizes *s, const tern_type *type, const uint8_t *msg, unsigned depth);

static __attribute__((noinline)) int add_pointers(sizes *s, const tern_type *type, const tern_list *list,
                                                  unsigned depth) {
    int rc = 0;
    for (size_t i = 0; i < list->len && !rc; i++) {
        const uint8_t *msg = list_pointer(list, i);
        rc = msg ? add_object(s, type, msg, depth) : TERN_ERR_INVALID;
    }
    return rc;
}

static int add_objects(sizes *s, const tern_type *type, const tern_field *field, const tern_list *list,
                       unsigned depth) {
    const uint8_t *element = list->data;
    if (is_too_large(&s->plan)) return TERN_ERR_LIMIT;
    int rc = walk_spend(&s->budget, list->len);
    if (rc) return rc;
    s->plan.header_bytes += (uint32_t)(8 * list->len);
    if (holds_pointers(field)) return add_pointers(s, type, list, depth);
    for (size_t i = 0; i < list->len && !rc; i++, element += type->size_bytes) rc = add_object(s, type, element, depth);
    return rc;
}

static int add_child(sizes *s, const tern_type *type, const uint8_t *msg, unsigned depth) {
    int rc = walk_spend(&s->budget, 1);
    return rc ? rc : add_object(s, type, msg, depth);
}

/* Leaves the object's own bytes in s->plan.object_bytes. */
static int add_object(sizes *s, const tern_type *type, const uint8_t *msg, unsigned depth) {
    /* Checked here and not only at the end, so that a struct that contains itself many times ends soon. */
    if (depth > TERN__HYBRID_MAX_DEPTH || is_too_large(&s->plan)) return TERN_ERR_LIMIT;
    if (type->max_number > TERN__HYBRID_MAX_NUMBER) return TERN_ERR_UNSUPPORTED;
    uint32_t object = 4 + 4 * tern__hybrid_words(type);
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
        const tern_list *list = (const tern_list *)(const void *)(msg + field->offset);
        unsigned class = tern__hybrid_class_of(field);
        int rc = 0;
        if (class == TERN__HYBRID_NONE) return TERN_ERR_UNSUPPORTED;
        if (!tern__hybrid_present(field, class, type, msg)) {
            if (field->flags & TERN_FIELD_REQUIRED) return TERN_ERR_INVALID;
            continue;
        }
        object += tern__hybrid_entry_bytes(class);
        if (class == TERN__HYBRID_MSG)
            rc = add_child(s, type->subs[field->sub], list->data, depth + 1);
        else if (class == TERN__HYBRID_MSG_LIST)
            rc = add_objects(s, type->subs[field->sub], field, list, depth + 1);
        else if (class >= TERN__HYBRID_BLOB)
            rc = add_list(&s->plan, class, list);
        if (rc) return rc;
    }
    s->plan.header_bytes += object;
    s->plan.object_bytes = object;
    return 0;
}

/* ---- Sizes the short way */

/* Whether the fields are numbered from 1 without a gap and have one word of bitmap, so that a field's place in the
 * table is its bit, and none is required. */
static inline bool may_be_flat(const tern_type *type) {
    return type->n_fields - 1 < 32 && type->n_dense == type->n_fields && type->n_required == 0;
}

/* Which fields a message has, without a look at its values. */
typedef struct shape {
    uint32_t present; /* bit i: field number i + 1 is there */
    uint32_t object_bytes;
    uint64_t n_slots; /* in tables */
} shape;

typedef enum presence { ABSENT, PRESENT, NOT_FLAT } presence;

/* Whether a field is there. NOT_FLAT when it holds messages, or a list more elements than can be. */
static inline __attribute__((always_inline)) presence
flat_presence(const tern_type *type, const tern_field *field, unsigned info, const uint8_t *msg, uint64_t *n_slots) {
    const uint8_t *member = msg + field->offset;
    const unsigned class = tern__hybrid_class_by(info);
    if (class > TERN__HYBRID_LIST) {
        uint64_t len = tern__load64(member + offsetof(tern_list, len));
        if (!len) return ABSENT;
        if (class == TERN__HYBRID_MSG_LIST || len >= TERN__HYBRID_MAX_BYTES / 8) return NOT_FLAT;
        if (class == TERN__HYBRID_BLOB_LIST) *n_slots += len;
        return PRESENT;
    }
    if (__builtin_expect(info & TERN__HYBRID_EXPLICIT, 0)) {
        if (!tern__hybrid_is_set(field, type, msg)) return ABSENT;
    } else if (!tern__hybrid_has_value(class, member)) {
        return ABSENT;
    }
    return class == TERN__HYBRID_MSG ? NOT_FLAT : PRESENT;
}

/* False when the message is not flat. */
static inline __attribute__((always_inline)) bool find_shape(const tern_type *type, const uint8_t *msg, shape *out) {
    const tern_field *field = type->fields, *const end = field + type->n_fields;
    uint32_t object = 8, present = 0;
    uint64_t n_slots = 0;
    for (uint32_t bit = 1; field < end; field++, bit <<= 1) {
        const unsigned info = tern__field_traits(field);
        presence there = flat_presence(type, field, info, msg, &n_slots);
        if (there == NOT_FLAT) return false;
        if (there == ABSENT) continue;
        object += tern__hybrid_class_by(info) <= TERN__HYBRID_32 ? 4 : 8;
        present |= bit;
    }
    *out = (shape){present, object, n_slots};
    return true;
}

/* Returns 0 or an error. */
static inline int measure_flat(tern_hybrid_plan *plan, const tern_type *type, const uint8_t *msg, const shape *found) {
    plan->flat = found->present;
    plan->object_bytes = found->object_bytes;
    plan->header_bytes = found->object_bytes;
    for (uint64_t present = found->present; present; present &= present - 1) {
        const tern_field *field = &type->fields[(unsigned)__builtin_ctzll(present)];
        const unsigned class = tern__hybrid_class_of(field);
        if (class < TERN__HYBRID_BLOB) continue;
        int rc = add_list(plan, class, (const tern_list *)(const void *)(msg + field->offset));
        if (rc) return rc;
    }
    if (is_too_large(plan)) return TERN_ERR_LIMIT;
    plan->head_bytes += plan->header_bytes;
    return 0;
}

static inline void plan_init(tern_hybrid_plan *plan, size_t threshold) {
    memset(plan, 0, sizeof *plan);
    if (threshold - 1 >= UINT32_MAX) threshold = threshold ? UINT32_MAX : 1;
    plan->threshold = (uint32_t)threshold;
}

static __attribute__((noinline)) int measure_any(tern_hybrid_plan *plan, const tern_type *type, const uint8_t *msg) {
    sizes s;
    plan_init(&s.plan, plan->threshold);
    walk_budget_init(&s.budget, type, msg);
    int rc = add_object(&s, type, msg, 1);
    if (rc) return rc;
    *plan = s.plan;
    if (is_too_large(plan)) return TERN_ERR_LIMIT;
    plan->head_bytes += plan->header_bytes;
    return 0;
}

int tern_hybrid_measure(const tern_type *type, const void *msg, size_t threshold, tern_hybrid_plan *plan) {
    shape found;
    plan_init(plan, threshold);
    if (may_be_flat(type) && find_shape(type, msg, &found)) return measure_flat(plan, type, msg, &found);
    return measure_any(plan, type, msg);
}

/* ---- Writing */

/* Positions and lengths below 2^32 in whole words, which need no conversions. */
typedef struct writer {
    uint8_t *head;
    size_t next_piece;   /* where the next table or sub-object goes */
    size_t next_copied;  /* where the next copied value goes */
    size_t next_inplace; /* where the next in-place value will be */
    size_t min_len;
    tern_hybrid_post_fn *post;
    void *ctx;
    size_t cap;      /* UNMEASURED: the head has no more bytes than this */
    size_t n_posted; /* UNMEASURED: values so far */
} writer;

/* Which values there are: those of one kind only need no second decision, and those not measured have their lengths
 * still to be checked. */
typedef enum value_mix { MIXED, ALL_COPIED, ALL_INPLACE, UNMEASURED } value_mix;

static inline void put_size_and_offset(uint8_t *entry, size_t size, size_t offset) {
    tern__store64(entry, offset << 32 | size);
}

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

static inline bool is_inplace(memory_map pool, size_t min_len, value_mix mix, const tern_bytes *value) {
    if (mix == ALL_COPIED || mix == ALL_INPLACE) return mix == ALL_INPLACE;
    return goes_in_place(pool, value->data, value->len, min_len);
}

/* Writes the values of [value, end), whose entries are the slots from `slot` on. What goes in place is posted in runs
 * that are as long as can be, because a call for each value costs as much as the rest. */
static inline __attribute__((always_inline)) int put_values(writer *w, value_mix mix, uint8_t *slot,
                                                            const tern_bytes *value, const tern_bytes *end) {
    const bool unmeasured = mix == UNMEASURED;
    for (;;) {
        const memory_map pool = read_map();
        const tern_bytes *const run = value;
        size_t all_lens = 0, next = w->next_inplace;
        for (; value < end && is_inplace(pool, w->min_len, mix, value); value++, slot += 8) {
            size_t len = value->len;
            put_size_and_offset(slot, len, next);
            next += len;
            all_lens |= len;
        }
        w->next_inplace = next;
        if (unmeasured && (all_lens | next) >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
        if (run < value) {
            if (unmeasured) w->n_posted += (size_t)(value - run);
            int rc = w->post(w->ctx, run, (size_t)(value - run));
            if (rc) return rc;
        }
        if (value == end) return 0;
        const memory_map pool_again = read_map(); /* so that nothing of it is kept over the call */
        for (;; value++, slot += 8) {
            if (value == end) return 0;
            if (is_inplace(pool_again, w->min_len, mix, value)) break;
            if (unmeasured && value->len > w->cap - w->next_copied) return TERN_ERR_LIMIT;
            put_size_and_offset(slot, value->len, w->next_copied);
            copy_value(w->head + w->next_copied, value->data, value->len);
            w->next_copied += value->len;
        }
    }
}

/* A string, bytes or a list: one value or many, so that one loop does for all. */
static inline __attribute__((always_inline)) int put_list_values(writer *w, value_mix mix, unsigned class,
                                                                 const tern_list *list, uint8_t *entry) {
    tern_bytes numbers;
    const tern_bytes *value = (const tern_bytes *)(const void *)list, *end = value + 1;
    uint8_t *slot = entry;
    if (class == TERN__HYBRID_BLOB_LIST) {
        put_size_and_offset(entry, list->len, w->next_piece);
        slot = w->head + w->next_piece;
        w->next_piece += 8 * list->len;
        value = list->data;
        end = value + list->len;
    } else if (class != TERN__HYBRID_BLOB) {
        numbers = (tern_bytes){list->data, list->len * tern__hybrid_number_bytes(class)};
        value = &numbers;
        end = value + 1;
    }
    int rc = put_values(w, mix, slot, value, end);
    if (class != TERN__HYBRID_BLOB_LIST) tern__store32(entry, (uint32_t)list->len);
    return rc;
}

/* ---- Writing any message */

static __attribute__((noinline)) int put_mixed(writer *w, uint8_t *slot, const tern_bytes *values, size_t n) {
    writer local = *w; /* whose address goes nowhere */
    int rc = put_values(&local, MIXED, slot, values, values + n);
    w->next_copied = local.next_copied;
    w->next_inplace = local.next_inplace;
    return rc;
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
    put_size_and_offset(entry, 0, w->next_piece);
    return put_object(w, type, msg, object_bytes_of(type, msg));
}

static int put_list_object(writer *w, uint8_t *slot, const tern_type *type, const uint8_t *msg) {
    uint32_t object_bytes = object_bytes_of(type, msg);
    put_size_and_offset(slot, object_bytes, w->next_piece);
    return put_object(w, type, msg, object_bytes);
}

static int put_object_list(writer *w, uint8_t *slot, const tern_type *type, const tern_list *list) {
    const uint8_t *element = list->data;
    int rc = 0;
    for (size_t i = 0; i < list->len && !rc; i++, slot += 8, element += type->size_bytes)
        rc = put_list_object(w, slot, type, element);
    return rc;
}

static __attribute__((noinline)) int put_pointer_list(writer *w, uint8_t *slot, const tern_type *type,
                                                      const tern_list *list) {
    int rc = 0;
    for (size_t i = 0; i < list->len && !rc; i++, slot += 8) rc = put_list_object(w, slot, type, list_pointer(list, i));
    return rc;
}

static int put_list(writer *w, const tern_type *type, const tern_field *field, unsigned class, uint8_t *entry,
                    const tern_list *list) {
    uint8_t *slot = w->head + w->next_piece;
    if (class != TERN__HYBRID_BLOB_LIST && class != TERN__HYBRID_MSG_LIST) {
        tern_bytes numbers = {list->data, list->len * tern__hybrid_number_bytes(class)};
        int rc = put_mixed(w, entry, &numbers, 1);
        tern__store32(entry, (uint32_t)list->len);
        return rc;
    }
    put_size_and_offset(entry, list->len, w->next_piece);
    w->next_piece += 8 * list->len;
    if (class == TERN__HYBRID_BLOB_LIST) return put_mixed(w, slot, list->data, list->len);
    if (holds_pointers(field)) return put_pointer_list(w, slot, type->subs[field->sub], list);
    return put_object_list(w, slot, type->subs[field->sub], list);
}

/* Writes the entry of a field and everything below it. */
static int put_field(writer *w, const tern_type *type, const tern_field *field, unsigned class, uint8_t *entry,
                     const uint8_t *member) {
    const tern_list *list = (const tern_list *)(const void *)member;
    switch (class) {
    case TERN__HYBRID_BOOL: tern__store32(entry, *member != 0); return 0;
    case TERN__HYBRID_32: tern__store32(entry, tern__load32(member)); return 0;
    case TERN__HYBRID_64: tern__store64(entry, tern__load64(member)); return 0;
    case TERN__HYBRID_BLOB: return put_mixed(w, entry, (const tern_bytes *)(const void *)member, 1);
    case TERN__HYBRID_MSG: return put_sub_object(w, entry, type->subs[field->sub], list->data);
    default: return put_list(w, type, field, class, entry, list);
    }
}

/* Writes an object of object_bytes bytes at next_piece, and everything below it behind. */
static int put_object(writer *w, const tern_type *type, const uint8_t *msg, uint32_t object_bytes) {
    uint32_t n_words = tern__hybrid_words(type), n_written = 0, word = 0;
    uint8_t *object = w->head + w->next_piece, *bitmap = object + 4, *entry = bitmap + 4 * n_words;
    w->next_piece += object_bytes;
    tern__store32(object, n_words);
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
        unsigned class = tern__hybrid_class_of(field);
        if (!tern__hybrid_present(field, class, type, msg)) continue;
        int rc = put_field(w, type, field, class, entry, msg + field->offset);
        if (rc) return rc;
        entry += tern__hybrid_entry_bytes(class);
        uint32_t bit = field->number - 1;
        for (; n_written < bit / 32; n_written++, word = 0) tern__store32(bitmap + 4 * n_written, word);
        word |= (uint32_t)1 << bit % 32;
    }
    for (; n_written < n_words; n_written++, word = 0) tern__store32(bitmap + 4 * n_written, word);
    return 0;
}

/* ---- Writing the short way */

/* What is present is known from measuring, and the bitmap is one word. w is only given to what is inlined, so that it
 * lives in registers. */
static inline __attribute__((always_inline)) int put_flat(writer *w, value_mix mix, const tern_type *type,
                                                          const uint8_t *msg, uint32_t flat) {
    uint8_t *entry = w->head + 8;
    tern__store64(w->head, (uint64_t)flat << 32 | 1);
    for (uint64_t present = flat; present; present &= present - 1) {
        const tern_field *field = &type->fields[(unsigned)__builtin_ctzll(present)];
        const uint8_t *member = msg + field->offset;
        const tern_list *list = (const tern_list *)(const void *)member;
        const unsigned class = tern__hybrid_class_of(field);
        if (class <= TERN__HYBRID_32) {
            tern__store32(entry, class == TERN__HYBRID_32 ? tern__load32(member) : *member != 0);
            entry += 4;
            continue;
        }
        if (__builtin_expect(class == TERN__HYBRID_64, 0)) {
            tern__store64(entry, tern__load64(member));
            entry += 8;
            continue;
        }
        int rc = put_list_values(w, mix, class, list, entry);
        if (rc) return rc;
        entry += 8;
    }
    return 0;
}

static inline writer writer_of(const tern_hybrid_plan *plan, void *head, tern_hybrid_post_fn *post, void *ctx) {
    return (writer){.head = head,
                    .next_piece = plan->object_bytes,
                    .next_copied = plan->header_bytes,
                    .next_inplace = plan->head_bytes,
                    .min_len = plan->threshold,
                    .post = post,
                    .ctx = ctx};
}

static __attribute__((noinline)) int write_any(const tern_type *type, const void *msg, const tern_hybrid_plan *plan,
                                               void *head, tern_hybrid_post_fn *post, void *ctx) {
    writer w = writer_of(plan, head, post, ctx);
    w.next_piece = 0;
    return put_object(&w, type, msg, plan->object_bytes);
}

static __attribute__((noinline)) int write_flat_mixed(const tern_type *type, const void *msg,
                                                      const tern_hybrid_plan *plan, void *head,
                                                      tern_hybrid_post_fn *post, void *ctx) {
    writer w = writer_of(plan, head, post, ctx);
    return put_flat(&w, MIXED, type, msg, plan->flat);
}

static __attribute__((noinline)) int write_flat_copied(const tern_type *type, const void *msg,
                                                       const tern_hybrid_plan *plan, void *head) {
    writer w = writer_of(plan, head, NULL, NULL);
    return put_flat(&w, ALL_COPIED, type, msg, plan->flat);
}

int tern_hybrid_write(const tern_type *type, const void *msg, const tern_hybrid_plan *plan, void *head,
                      tern_hybrid_post_fn *post, void *ctx) {
    if (!plan->flat) return write_any(type, msg, plan, head, post, ctx);
    if (!plan->n_inplace) return write_flat_copied(type, msg, plan, head);
    if (plan->n_copied) return write_flat_mixed(type, msg, plan, head, post, ctx);
    writer w = writer_of(plan, head, post, ctx);
    return put_flat(&w, ALL_INPLACE, type, msg, plan->flat);
}

/* ---- Both passes in one */

static __attribute__((noinline)) int emit_any(const tern_type *type, const void *msg, size_t threshold, void *head,
                                              size_t cap, tern_hybrid_post_fn *post, void *ctx,
                                              tern_hybrid_emitted *out) {
    tern_hybrid_plan plan;
    int rc = tern_hybrid_measure(type, msg, threshold, &plan);
    if (rc) return rc;
    if (plan.head_bytes > cap) return TERN_ERR_LIMIT;
    *out = (tern_hybrid_emitted){plan.head_bytes, plan.header_bytes, plan.inplace_bytes, plan.n_inplace};
    return tern_hybrid_write(type, msg, &plan, head, post, ctx);
}

/* In-place values were given places as if none were copied: moves them behind those that were. */
static __attribute__((noinline)) void move_inplace(const tern_type *type, const uint8_t *msg, uint32_t flat,
                                                   const writer *w, size_t by) {
    const memory_map pool = read_map();
    uint8_t *entry = w->head + 8;
    for (uint64_t present = flat; present; present &= present - 1) {
        const tern_field *field = &type->fields[(unsigned)__builtin_ctzll(present)];
        const tern_list *list = (const tern_list *)(const void *)(msg + field->offset);
        const unsigned class = tern__hybrid_class_of(field);
        if (class >= TERN__HYBRID_BLOB) {
            size_t width = class > TERN__HYBRID_LIST ? tern__hybrid_number_bytes(class) : 1;
            tern_bytes single = {list->data, list->len * width};
            bool table = class == TERN__HYBRID_BLOB_LIST;
            const tern_bytes *value = table ? list->data : &single, *end = value + (table ? list->len : 1);
            uint8_t *slot = table ? w->head + tern__load32(entry + 4) : entry;
            for (; value < end; value++, slot += 8)
                if (goes_in_place(pool, value->data, value->len, w->min_len))
                    tern__store32(slot + 4, tern__load32(slot + 4) + (uint32_t)by);
        }
        entry += tern__hybrid_entry_bytes(class);
    }
}

/* A field whose entry waits for its values' places. */
typedef struct pending {
    uint8_t *entry;
    const tern_list *list;
    unsigned class;
} pending;

typedef struct object {
    uint8_t *end; /* of the entries; NULL when the message does not go the short way */
    uint64_t n_slots;
    const pending *pending_end;
    uint32_t present;
} object;

enum { MAX_FLAT_BYTES = 8 + 32 * 8 }; /* of an object that may be flat */

/* Writes what needs no place, and lists the rest. */
static inline __attribute__((always_inline)) object put_plain_entries(const tern_type *type, const uint8_t *msg,
                                                                      uint8_t *entry, pending *list) {
    const tern_field *field = type->fields, *const end = field + type->n_fields;
    const object other = {NULL, 0, NULL, 0};
    pending *next = list;
    uint64_t n_slots = 0;
    uint32_t present = 0;
    for (uint32_t bit = 1; field < end; field++, bit <<= 1) {
        const uint8_t *member = msg + field->offset;
        const unsigned info = tern__field_traits(field), class = tern__hybrid_class_by(info);
        presence there = flat_presence(type, field, info, msg, &n_slots);
        if (there == NOT_FLAT) return other;
        if (there == ABSENT) continue;
        present |= bit;
        if (class <= TERN__HYBRID_32) {
            tern__store32(entry, class == TERN__HYBRID_32 ? tern__load32(member) : *member != 0);
            entry += 4;
            continue;
        }
        if (class == TERN__HYBRID_64)
            tern__store64(entry, tern__load64(member));
        else
            *next++ = (pending){entry, (const tern_list *)(const void *)member, class};
        entry += 8;
    }
    return (object){entry, n_slots, next, present};
}

int tern_hybrid_emit(const tern_type *type, const void *msg, size_t threshold, void *head, size_t cap,
                     tern_hybrid_post_fn *post, void *ctx, tern_hybrid_emitted *out) {
    pending values[32];
    object o = {NULL, 0, NULL, 0};
    if (may_be_flat(type) && cap >= MAX_FLAT_BYTES) o = put_plain_entries(type, msg, (uint8_t *)head + 8, values);
    if (!o.end) return emit_any(type, msg, threshold, head, cap, post, ctx, out);
    uint64_t object_bytes = (uint64_t)(o.end - (uint8_t *)head), header = object_bytes + 8 * o.n_slots;
    if (header > cap || header >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    tern__store64(head, (uint64_t)o.present << 32 | 1);
    writer w = {.head = head,
                .next_piece = object_bytes,
                .next_copied = header,
                .next_inplace = header,
                .min_len = threshold ? threshold : 1,
                .post = post,
                .ctx = ctx,
                .cap = cap};
    out->header_bytes = (uint32_t)header; /* apart from the others: all four at once would go by a vector register */
    for (const pending *p = values; p < o.pending_end; p++) {
        int rc = put_list_values(&w, UNMEASURED, p->class, p->list, p->entry);
        if (rc) return rc;
    }
    out->head_bytes = (uint32_t)w.next_copied;
    out->inplace_bytes = (uint32_t)(w.next_inplace - header);
    out->n_inplace = (uint32_t)w.n_posted;
    if (w.next_copied == header) return 0;
    size_t copied = w.next_copied - header;
    if (w.next_inplace + copied >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    if (w.n_posted == 0) return 0;
    writer written = w; /* so that w stays in registers */
    move_inplace(type, msg, o.present, &written, copied);
    return 0;
}

int64_t tern_hybrid_encode(const tern_type *type, const void *msg, void *out, size_t cap) {
    tern_hybrid_plan plan;
    int rc = tern_hybrid_measure(type, msg, SIZE_MAX, &plan);
    if (rc) return rc;
    if (plan.head_bytes > cap) return TERN_ERR_LIMIT;
    rc = tern_hybrid_write(type, msg, &plan, out, NULL, NULL);
    return rc ? rc : (int64_t)plan.head_bytes;
}

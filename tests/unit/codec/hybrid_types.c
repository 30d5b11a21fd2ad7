/* See hybrid_types.h. */
#include "hybrid_types.h"

#include <stdlib.h>

#include "codec/hybrid.h"

#define FIELD(number, type, member, kind, flags, sub)                                                                  \
    TERN_FIELD(number, offsetof(type, member), sub, 0, kind, flags, (uint16_t)sizeof(((type *)0)->member))
#define LIST(number, type, member, kind, flags, sub)                                                                   \
    TERN_FIELD(number, offsetof(type, member), sub, 0, kind, (flags) | TERN_FIELD_REPEATED,                            \
               (uint16_t)sizeof(*((type *)0)->member.data))
#define OPT(number, type, member, kind, flags, has)                                                                    \
    TERN_FIELD(number, offsetof(type, member), 0, has, kind, (flags) | TERN_FIELD_HAS,                                 \
               (uint16_t)sizeof(((type *)0)->member))

static const tern_type *const tree_subs[] = {&tree_type};

static const tern_field tree_fields[] = {
    FIELD(1, tree, id, TERN_INT32, 0, 0),
    FIELD(2, tree, name, TERN_STRING, TERN_FIELD_UTF8, 0),
    FIELD(3, tree, next, TERN_MESSAGE, 0, 0),
    LIST(4, tree, kids, TERN_MESSAGE, 0, 0),
};

static const char *const tree_names[] = {"id", "name", "next", "kids"};

const tern_type tree_type = {
    .name = "test.Tree",
    .fields = tree_fields,
    .field_names = tree_names,
    .subs = tree_subs,
    .n_fields = 4,
    .n_dense = 4,
    .size_bytes = sizeof(tree),
    .max_number = 4,
};

static const tern_field every_fields[] = {
    FIELD(1, every, f64, TERN_DOUBLE, 0, 0),
    FIELD(2, every, f32, TERN_FLOAT, 0, 0),
    FIELD(3, every, i64, TERN_INT64, 0, 0),
    FIELD(4, every, u64, TERN_UINT64, 0, 0),
    FIELD(5, every, i32, TERN_INT32, 0, 0),
    FIELD(6, every, x64, TERN_FIXED64, 0, 0),
    FIELD(7, every, x32, TERN_FIXED32, 0, 0),
    FIELD(8, every, flag, TERN_BOOL, 0, 0),
    FIELD(9, every, text, TERN_STRING, TERN_FIELD_UTF8, 0),
    FIELD(10, every, blob, TERN_BYTES, 0, 0),
    FIELD(11, every, sub, TERN_MESSAGE, 0, 0),
    FIELD(12, every, u32, TERN_UINT32, 0, 0),
    FIELD(13, every, choice, TERN_ENUM, 0, 0),
    FIELD(14, every, sx32, TERN_SFIXED32, 0, 0),
    FIELD(15, every, sx64, TERN_SFIXED64, 0, 0),
    FIELD(16, every, s32, TERN_SINT32, 0, 0),
    FIELD(17, every, s64, TERN_SINT64, 0, 0),
    LIST(31, every, f64s, TERN_DOUBLE, TERN_FIELD_PACKED, 0),
    LIST(32, every, f32s, TERN_FLOAT, TERN_FIELD_PACKED, 0),
    LIST(33, every, i64s, TERN_INT64, TERN_FIELD_PACKED, 0),
    LIST(34, every, flags, TERN_BOOL, TERN_FIELD_PACKED, 0),
    LIST(35, every, texts, TERN_STRING, TERN_FIELD_UTF8, 0),
    LIST(36, every, blobs, TERN_BYTES, 0, 0),
    LIST(37, every, subs, TERN_MESSAGE, 0, 0),
    LIST(38, every, choices, TERN_ENUM, TERN_FIELD_PACKED, 0),
    OPT(64, every, opt_i32, TERN_INT32, 0, 0),
    OPT(65, every, opt_flag, TERN_BOOL, 0, 1),
    OPT(66, every, opt_f64, TERN_DOUBLE, 0, 2),
    OPT(67, every, opt_text, TERN_STRING, TERN_FIELD_UTF8, 3),
    OPT(68, every, opt_blob, TERN_BYTES, 0, 4),
    FIELD(1000, every, far, TERN_INT64, 0, 0),
};

const tern_type every_type = {
    .name = "test.Every",
    .fields = every_fields,
    .subs = tree_subs,
    .n_fields = TERN__COUNT(every_fields),
    .n_dense = 17,
    .size_bytes = sizeof(every),
    .has_offset = offsetof(every, has),
    .n_has = 5,
    .max_number = 1000,
};

static const tern_field getm_response_fields[] = {
    FIELD(1, getm_response, id, TERN_UINT32, 0, 0),
    LIST(2, getm_response, vals, TERN_BYTES, 0, 0),
};

const tern_type getm_response_type = {
    .name = "kv.GetResponse",
    .fields = getm_response_fields,
    .n_fields = 2,
    .n_dense = 2,
    .size_bytes = sizeof(getm_response),
    .max_number = 2,
};

static const tern_field setting_limit_fields[] = {
    FIELD(1, setting_limit, key, TERN_STRING, TERN_FIELD_UTF8, 0),
    FIELD(2, setting_limit, value, TERN_INT32, 0, 0),
};

static const tern_type setting_limit_type = {
    .name = "test.Setting.LimitsEntry",
    .fields = setting_limit_fields,
    .n_fields = 2,
    .n_dense = 2,
    .size_bytes = sizeof(setting_limit),
    .max_number = 2,
    .flags = TERN_TYPE_MAP_ENTRY,
};

static const tern_type *const setting_subs[] = {&setting_limit_type};

/* The case word is the struct's first, hence `has` is 0. */
static const tern_field setting_fields[] = {
    FIELD(1, setting, id, TERN_UINT32, 0, 0),
    LIST(2, setting, limits, TERN_MESSAGE, TERN_FIELD_MAP, 0),
    FIELD(3, setting, text, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, 0),
    FIELD(4, setting, number, TERN_SINT64, TERN_FIELD_ONEOF, 0),
};

const tern_type setting_type = {
    .name = "test.Setting",
    .fields = setting_fields,
    .subs = setting_subs,
    .n_fields = 4,
    .n_dense = 4,
    .size_bytes = sizeof(setting),
    .max_number = 4,
};

/* ---- Filling */

static uint32_t draw(uint64_t *seed, uint32_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % below);
}

static void fill_number(uint8_t *at, unsigned class, uint64_t *seed) {
    for (unsigned i = 0; i < tern__hybrid_number_bytes(class); i++) at[i] = (uint8_t)(1 + draw(seed, 255));
    if (class == TERN__HYBRID_BOOL) *at = 1;
}

static void fill_blob(tern_bytes *value, tern_arena *arena, uint64_t *seed) {
    size_t len = draw(seed, 4) == 0 ? draw(seed, 1500) : draw(seed, 40);
    uint8_t *bytes = tern_arena_alloc(arena, len);
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)('a' + draw(seed, 26));
    *value = tern_bytes_of(bytes, len);
}

static void fill_list(const tern_type *type, const tern_field *field, unsigned class, tern_list *list,
                      tern_arena *arena, uint64_t *seed, unsigned depth) {
    const tern_type *sub = class == TERN__HYBRID_MSG ? type->subs[field->sub] : NULL;
    size_t n = sub && depth > 3 ? 0 : 1 + draw(seed, sub ? 3 : 40), width = sub ? sub->size_bytes : field->elem_bytes;
    uint8_t *at = tern_arena_zalloc(arena, n * width);
    *list = (tern_list){.data = at, .len = n, .cap = n};
    for (size_t i = 0; i < n; i++, at += width) {
        if (sub)
            message_fill(sub, at, arena, seed, depth + 1);
        else if (class == TERN__HYBRID_BLOB)
            fill_blob((tern_bytes *)(void *)at, arena, seed);
        else
            fill_number(at, class, seed);
    }
}

/* Whether the field gets a value: what must be there always does, of a oneof one member at most, and messages only
 * down to some depth. */
static bool wants_value(const tern_type *type, const tern_field *field, unsigned class, const uint8_t *msg,
                        uint64_t *seed, unsigned depth) {
    if (field->flags & TERN_FIELD_REQUIRED) return true;
    if (type->flags & TERN_TYPE_MAP_ENTRY && class == TERN__HYBRID_MSG) return true;
    if (field->flags & TERN_FIELD_ONEOF && tern__load32(msg + field->has * 4u)) return false;
    return draw(seed, 2) && !(class == TERN__HYBRID_MSG && depth > 4);
}

static void set_presence(const tern_type *type, const tern_field *field, uint8_t *msg) {
    if (field->flags & TERN_FIELD_ONEOF) tern__store32(msg + field->has * 4u, field->number);
    if (field->flags & TERN_FIELD_HAS) msg[type->has_offset + field->has / 8] |= (uint8_t)(1u << field->has % 8);
}

void message_fill(const tern_type *type, void *msg, tern_arena *arena, uint64_t *seed, unsigned depth) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        unsigned class = tern__hybrid_class_of(field);
        uint8_t *member = (uint8_t *)msg + field->offset;
        if (!wants_value(type, field, class, msg, seed, depth)) continue;
        if (class & TERN__HYBRID_LIST) {
            fill_list(type, field, class & 7, (tern_list *)(void *)member, arena, seed, depth);
        } else if (class == TERN__HYBRID_MSG) {
            void *sub = tern_arena_zalloc(arena, type->subs[field->sub]->size_bytes);
            message_fill(type->subs[field->sub], sub, arena, seed, depth + 1);
            memcpy(member, &sub, sizeof sub);
        } else if (class == TERN__HYBRID_BLOB) {
            fill_blob((tern_bytes *)(void *)member, arena, seed);
        } else {
            fill_number(member, class, seed);
        }
        set_presence(type, field, msg);
    }
}

/* ---- Comparing */

static bool value_equal(const tern_type *type, const tern_field *field, unsigned class, const uint8_t *a,
                        const uint8_t *b) {
    const tern_bytes *x = (const tern_bytes *)(const void *)a, *y = (const tern_bytes *)(const void *)b;
    if (class == TERN__HYBRID_BLOB) return tern_bytes_eq(*x, *y);
    if (class == TERN__HYBRID_MSG) return message_equal(type->subs[field->sub], a, b);
    return memcmp(a, b, tern__hybrid_number_bytes(class)) == 0;
}

static bool list_equal(const tern_type *type, const tern_field *field, unsigned class, const tern_list *a,
                       const tern_list *b) {
    size_t width = class == TERN__HYBRID_MSG ? type->subs[field->sub]->size_bytes : field->elem_bytes;
    if (a->len != b->len) return false;
    if (field->flags & TERN_FIELD_POINTERS) {
        void *const *p = a->data, *const *q = b->data;
        for (size_t i = 0; i < a->len; i++)
            if (!message_equal(type->subs[field->sub], p[i], q[i])) return false;
        return true;
    }
    for (size_t i = 0; i < a->len; i++)
        if (!value_equal(type, field, class, (const uint8_t *)a->data + i * width,
                         (const uint8_t *)b->data + i * width))
            return false;
    return true;
}

bool message_equal(const tern_type *type, const void *a, const void *b) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        unsigned class = tern__hybrid_class_of(field);
        const uint8_t *x = (const uint8_t *)a + field->offset, *y = (const uint8_t *)b + field->offset;
        if (field->flags & TERN_FIELD_HAS) {
            size_t has = type->has_offset + field->has / 8;
            if ((((const uint8_t *)a)[has] ^ ((const uint8_t *)b)[has]) >> field->has % 8 & 1) return false;
        }
        if (field->flags & TERN_FIELD_ONEOF) {
            uint32_t case_a = tern__load32((const uint8_t *)a + field->has * 4u);
            if (case_a != tern__load32((const uint8_t *)b + field->has * 4u)) return false;
            if (case_a != field->number) continue;
        }
        if (class & TERN__HYBRID_LIST) {
            if (!list_equal(type, field, class & 7, (const tern_list *)(const void *)x,
                            (const tern_list *)(const void *)y))
                return false;
        } else if (class == TERN__HYBRID_MSG) {
            const void *p, *q;
            memcpy(&p, x, sizeof p);
            memcpy(&q, y, sizeof q);
            if (!p != !q || (p && !message_equal(type->subs[field->sub], p, q))) return false;
        } else if (!value_equal(type, field, class, x, y)) {
            return false;
        }
    }
    return true;
}

/* ---- Encoding */

static int collect(void *ctx, const tern_bytes *values, size_t n) {
    flat *f = ctx;
    for (size_t i = 0; i < n; i++) {
        if (f->n_posts < TERN__COUNT(f->posts)) f->posts[f->n_posts] = values[i].data;
        f->n_posts++;
        memcpy(f->data + f->plan.head_bytes + f->posted, values[i].data, values[i].len);
        f->posted += values[i].len;
    }
    return 0;
}

flat flat_encode(const tern_type *type, const void *msg, size_t threshold) {
    flat f = {0};
    f.rc = tern_hybrid_measure(type, msg, threshold, &f.plan);
    if (f.rc) return f;
    f.len = (size_t)f.plan.head_bytes + f.plan.inplace_bytes;
    f.data = malloc(f.len);
    if (!f.data) abort();
    memset(f.data, 0xee, f.len);
    f.rc = tern_hybrid_write(type, msg, &f.plan, f.data, collect, &f);
    return f;
}

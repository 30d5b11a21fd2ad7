/* Deep copies. What the source says is set is copied, into a zeroed struct: nothing stale comes along, so nothing in
 * the copy points into the source. */
#include "type/bound.h"
#include "type/field.h"
#include "type/map.h"
#include "type/object.h"

typedef struct copier {
    tern_arena *arena;
    walk_budget budget;
} copier;

static int copy_message(copier *c, const tern_type *type, const void *src, uint32_t depth_left, void *dst);

static int copy_view(copier *c, const tern_bytes *src, tern_bytes *dst) {
    if (src->len == 0) return 0;
    void *data = tern_arena_alloc(c->arena, src->len);
    if (!data) return TERN_ERR_NOMEM;
    *dst = tern_bytes_of(memcpy(data, src->data, src->len), src->len);
    return 0;
}

/* One level down. The entry of a map is not one. */
static int copy_sub(copier *c, const tern_type *sub, const void *src, uint32_t depth_left, void *dst) {
    if (!(sub->flags & TERN_TYPE_MAP_ENTRY) && depth_left-- == 0) return TERN_ERR_LIMIT;
    return copy_message(c, sub, src, depth_left, dst);
}

static void *alloc_array(copier *c, size_t n, size_t bytes) {
    return n > SIZE_MAX / bytes ? NULL : tern_arena_alloc(c->arena, n * bytes);
}

/* What a list of pointers points to lies in one block. */
static int copy_pointers(copier *c, const tern_type *sub, const tern_list *src, uint32_t depth_left, void **dst) {
    uint8_t *to = alloc_array(c, src->len, sub->size_bytes);
    int err = to ? 0 : TERN_ERR_NOMEM;
    for (size_t i = 0; i < src->len && !err; i++, to += sub->size_bytes) {
        const void *from = list_pointer(src, i);
        dst[i] = to;
        err = from ? copy_sub(c, sub, from, depth_left, to) : TERN_ERR_INVALID;
    }
    return err;
}

static int copy_messages(copier *c, const tern_type *sub, const tern_field *field, const tern_list *src,
                         uint32_t depth_left, uint8_t *dst) {
    const uint8_t *from = src->data;
    const size_t step = field->elem_bytes;
    int err = walk_spend(&c->budget, src->len);
    if (!err && holds_pointers(field)) return copy_pointers(c, sub, src, depth_left, (void **)(void *)dst);
    for (size_t i = 0; i < src->len && !err; i++) err = copy_sub(c, sub, from + i * step, depth_left, dst + i * step);
    return err;
}

static int copy_elements(copier *c, const tern_type *type, const tern_field *field, const tern_list *src,
                         uint32_t depth_left, uint8_t *dst) {
    const uint8_t *from = src->data;
    const size_t step = field->elem_bytes;
    int err = 0;
    if (field_is_message(field)) return copy_messages(c, type->subs[field->sub], field, src, depth_left, dst);
    if (!field_is_view(field)) {
        memcpy(dst, from, src->len * step);
        return 0;
    }
    memset(dst, 0, src->len * step);
    for (size_t i = 0; i < src->len && !err; i++)
        err = copy_view(c, (const tern_bytes *)(const void *)(from + i * step), (tern_bytes *)(void *)(dst + i * step));
    return err;
}

static int copy_list(copier *c, const tern_type *type, const tern_field *field, const tern_list *src,
                     uint32_t depth_left, tern_list *dst) {
    if (src->len == 0) return 0;
    if (field_is_message(field) && src->len > TERN_MESSAGE_MAX_ELEMENTS) return TERN_ERR_LIMIT;
    dst->data = alloc_array(c, src->len, field->elem_bytes);
    if (!dst->data) return TERN_ERR_NOMEM;
    dst->len = dst->cap = src->len;
    int err = copy_elements(c, type, field, src, depth_left, dst->data);
    if (err || !(field->flags & TERN_FIELD_MAP)) return err;
    return tern__map_make_index(type->subs[field->sub], (tern_map *)(void *)dst, c->arena) ? 0 : TERN_ERR_NOMEM;
}

static int copy_child(copier *c, const tern_type *sub, const void *const *src, uint32_t depth_left, void **dst) {
    if (!*src) return 0;
    int err = walk_spend(&c->budget, 1);
    if (err) return err;
    *dst = tern_arena_alloc(c->arena, sub->size_bytes);
    return *dst ? copy_sub(c, sub, *src, depth_left, *dst) : TERN_ERR_NOMEM;
}

static int copy_field(copier *c, const tern_type *type, const tern_field *field, const void *msg, uint32_t depth_left,
                      void *msg_out) {
    const void *src = field_member(field, msg);
    void *dst = (uint8_t *)msg_out + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return copy_list(c, type, field, src, depth_left, dst);
    if (!field_set(type, field, msg)) return 0;
    if (field->flags & TERN_FIELD_ONEOF) tern__store32((uint8_t *)msg_out + field->has * 4, field->number);
    if (field_is_message(field)) return copy_child(c, type->subs[field->sub], src, depth_left, dst);
    if (field_is_view(field)) return copy_view(c, src, dst);
    memcpy(dst, src, field->elem_bytes);
    return 0;
}

static int copy_unknown(copier *c, const tern_unknown *src, tern_unknown *dst) {
    tern_bytes copy = {0};
    int err = copy_view(c, &(tern_bytes){src->data, src->len}, &copy);
    if (!err) *dst = (tern_unknown){.data = copy.data, .len = (uint32_t)copy.len, .cap = (uint32_t)copy.len};
    return err;
}

/* An object in a heap has no form outside it but an encoded one, which is not a copy's business. */
static int copy_message(copier *c, const tern_type *type, const void *src, uint32_t depth_left, void *dst) {
    if (type->flags & TERN_TYPE_OBJECT && object_form_of(&type, src) != OBJECT_ENCODED) return TERN_ERR_INVALID;
    memset(dst, 0, type->size_bytes);
    if (type->n_has)
        memcpy((uint8_t *)dst + type->has_offset, (const uint8_t *)src + type->has_offset,
               (type->n_has + 31) / 32 * sizeof(uint32_t));
    for (uint32_t i = 0; i < type->n_fields; i++) {
        int err = copy_field(c, type, &type->fields[i], src, depth_left, dst);
        if (err) return err;
    }
    if (type->flags & TYPE_WITHOUT_UNKNOWN) return 0;
    return copy_unknown(c, unknown_of(type, src), (tern_unknown *)(void *)((uint8_t *)dst + type->unknown_offset));
}

int tern_message_copy(const tern_type *type, const void *src, tern_arena *arena, void *dst) {
    copier c = {.arena = arena};
    walk_budget_init(&c.budget, type, src);
    return copy_message(&c, type, src, MESSAGE_MAX_DEPTH - 1, dst);
}

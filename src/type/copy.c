/* Deep copies. What the source says is set is copied, into a zeroed struct: nothing stale comes along, so nothing in
 * the copy points into the source. */
#include "type/field.h"
#include "type/map.h"

static int copy_message(const tern_type *type, const void *src, tern_arena *arena, uint32_t depth_left, void *dst);

static int copy_view(const tern_bytes *src, tern_arena *arena, tern_bytes *dst) {
    if (src->len == 0) return 0;
    void *data = tern_arena_alloc(arena, src->len);
    if (!data) return TERN_ERR_NOMEM;
    *dst = tern_bytes_of(memcpy(data, src->data, src->len), src->len);
    return 0;
}

/* One level down. The entry of a map is not one. */
static int copy_sub(const tern_type *sub, const void *src, tern_arena *arena, uint32_t depth_left, void *dst) {
    if (!(sub->flags & TERN_TYPE_MAP_ENTRY) && depth_left-- == 0) return TERN_ERR_LIMIT;
    return copy_message(sub, src, arena, depth_left, dst);
}

static int copy_elements(const tern_type *type, const tern_field *field, const tern_list *src, tern_arena *arena,
                         uint32_t depth_left, uint8_t *dst) {
    const uint8_t *from = src->data;
    const size_t step = field->elem_bytes;
    int err = 0;
    if (field_is_message(field)) {
        for (size_t i = 0; i < src->len && !err; i++)
            err = copy_sub(type->subs[field->sub], from + i * step, arena, depth_left, dst + i * step);
    } else if (field_is_view(field)) {
        memset(dst, 0, src->len * step);
        for (size_t i = 0; i < src->len && !err; i++)
            err = copy_view((const tern_bytes *)(const void *)(from + i * step), arena,
                            (tern_bytes *)(void *)(dst + i * step));
    } else {
        memcpy(dst, from, src->len * step);
    }
    return err;
}

static int copy_list(const tern_type *type, const tern_field *field, const tern_list *src, tern_arena *arena,
                     uint32_t depth_left, tern_list *dst) {
    if (src->len == 0) return 0;
    if (src->len > SIZE_MAX / field->elem_bytes) return TERN_ERR_NOMEM;
    dst->data = tern_arena_alloc(arena, src->len * field->elem_bytes);
    if (!dst->data) return TERN_ERR_NOMEM;
    dst->len = dst->cap = src->len;
    int err = copy_elements(type, field, src, arena, depth_left, dst->data);
    if (err || !(field->flags & TERN_FIELD_MAP)) return err;
    return tern__map_make_index(type->subs[field->sub], (tern_map *)(void *)dst, arena) ? 0 : TERN_ERR_NOMEM;
}

static int copy_child(const tern_type *sub, const void *const *src, tern_arena *arena, uint32_t depth_left,
                      void **dst) {
    if (!*src) return 0;
    *dst = tern_arena_alloc(arena, sub->size_bytes);
    return *dst ? copy_sub(sub, *src, arena, depth_left, *dst) : TERN_ERR_NOMEM;
}

static int copy_field(const tern_type *type, const tern_field *field, const void *msg, tern_arena *arena,
                      uint32_t depth_left, void *msg_out) {
    const void *src = field_member(field, msg);
    void *dst = (uint8_t *)msg_out + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return copy_list(type, field, src, arena, depth_left, dst);
    if (!field_set(type, field, msg)) return 0;
    if (field->flags & TERN_FIELD_ONEOF) tern__store32((uint8_t *)msg_out + field->has * 4, field->number);
    if (field_is_message(field)) return copy_child(type->subs[field->sub], src, arena, depth_left, dst);
    if (field_is_view(field)) return copy_view(src, arena, dst);
    memcpy(dst, src, field->elem_bytes);
    return 0;
}

static int copy_unknown(const tern_unknown *src, tern_arena *arena, tern_unknown *dst) {
    tern_bytes copy = {0};
    int err = copy_view(&(tern_bytes){src->data, src->len}, arena, &copy);
    if (!err) *dst = (tern_unknown){.data = copy.data, .len = (uint32_t)copy.len, .cap = (uint32_t)copy.len};
    return err;
}

static int copy_message(const tern_type *type, const void *src, tern_arena *arena, uint32_t depth_left, void *dst) {
    memset(dst, 0, type->size_bytes);
    if (type->n_has)
        memcpy((uint8_t *)dst + type->has_offset, (const uint8_t *)src + type->has_offset,
               (type->n_has + 31) / 32 * sizeof(uint32_t));
    for (uint32_t i = 0; i < type->n_fields; i++) {
        int err = copy_field(type, &type->fields[i], src, arena, depth_left, dst);
        if (err) return err;
    }
    if (type->flags & TERN_TYPE_MAP_ENTRY) return 0;
    return copy_unknown(unknown_of(type, src), arena, (tern_unknown *)(void *)((uint8_t *)dst + type->unknown_offset));
}

int tern_message_copy(const tern_type *type, const void *src, tern_arena *arena, void *dst) {
    return copy_message(type, src, arena, MESSAGE_MAX_DEPTH - 1, dst);
}

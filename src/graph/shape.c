/* Shapes of types; see shape.h. */
#include "graph/shape.h"

#include "type/walk.h"

static bool is_view(const tern__slot *slot) { return tern__slot_is_view(slot); }

/* Objects of this type have no pointers. */
static bool is_leaf(const tern__types *types, uint32_t what) {
    return types->walks[tern__what_type(what)].n_slots == 0;
}

/* ---- Edges --------------------------------------------------------------------------------------- */

static tern__content content_of(const tern__slot *slot) {
    const tern_field *field = slot->field;
    if (!field || tern__slot_is_message(slot)) return TERN__CONTENT_ANY;
    bool is_list = slot->kind == TERN__SLOT_LIST;
    if (field->flags & TERN_FIELD_UTF8) return is_list ? TERN__CONTENT_TEXTS : TERN__CONTENT_TEXT;
    if (is_list && field->kind == TERN_BOOL) return TERN__CONTENT_BOOLS;
    if (is_list && field->flags & TERN_FIELD_POINTERS) return TERN__CONTENT_POINTERS;
    return TERN__CONTENT_ANY;
}

static tern__edge edge_of(const tern__shapes *s, const tern__slot *slot) {
    const bool is_message = tern__slot_is_message(slot);
    return (tern__edge){.probe = is_message ? slot->offset : slot->offset + (uint32_t)offsetof(tern_list, len),
                        .probe_mask = slot->kind == TERN__SLOT_UNKNOWN ? UINT32_MAX : UINT64_MAX,
                        .offset = slot->offset,
                        .what = slot->what,
                        .test_offset = slot->test_offset,
                        .test_mask = slot->test_mask,
                        .test_value = slot->test_value,
                        .object_bytes = slot->object_bytes,
                        .kind = (uint8_t)slot->kind,
                        .content = (uint8_t)content_of(slot),
                        .is_view = is_view(slot),
                        .is_array_of_pointers = slot->is_element && is_message,
                        .target = s->by_id[tern__what_type(slot->what)],
                        .slot = slot};
}

/* Those to leaves first. */
static int add_edges(tern__shapes *s, tern__shape *shape, const tern__walk *walk) {
    tern__edge *edges = walk->n_slots ? tern_arena_alloc(&s->memory, walk->n_slots * sizeof *edges) : NULL;
    if (walk->n_slots && !edges) return TERN_ERR_NOMEM;
    shape->edges = edges;
    for (int leaves = 1; leaves >= 0; leaves--)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            if (slot->kind == TERN__SLOT_INDEX || is_leaf(s->types, slot->what) != leaves) continue;
            edges[shape->n_edges++] = edge_of(s, slot);
        }
    return 0;
}

/* ---- Chores -------------------------------------------------------------------------------------- */

typedef struct chores {
    tern__chore *list;
    size_t n;
    uint8_t *used; /* for each byte of the struct, whether a member has it */
} chores;

static tern__chore *add_chore(chores *c, tern__chore_kind kind, uint32_t offset, uint32_t bytes) {
    tern__chore *chore = &c->list[c->n++];
    *chore = (tern__chore){.kind = (uint8_t)kind, .offset = offset, .bytes = bytes, .when = true};
    return chore;
}

static uint32_t member_bytes(const tern_field *field) {
    if (field->flags & TERN_FIELD_MAP) return sizeof(tern_map);
    return field->flags & TERN_FIELD_REPEATED ? sizeof(tern_list) : field->elem_bytes;
}

static void use_bytes(chores *c, uint32_t offset, uint32_t bytes) { memset(c->used + offset, 1, bytes); }

/* From where to where the members of a oneof lie. */
static void union_of(const tern_type *type, const tern_field *member, uint32_t *start, uint32_t *end) {
    *start = UINT32_MAX, *end = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *f = &type->fields[i];
        if (!(f->flags & TERN_FIELD_ONEOF) || f->has != member->has) continue;
        if (f->offset < *start) *start = f->offset;
        if (f->offset + member_bytes(f) > *end) *end = f->offset + member_bytes(f);
    }
}

static bool is_first_member(const tern_type *type, const tern_field *member) {
    for (const tern_field *f = type->fields; f < member; f++)
        if (f->flags & TERN_FIELD_ONEOF && f->has == member->has) return false;
    return true;
}

static void test_case(tern__chore *chore, const tern_field *member, uint32_t number) {
    chore->test_offset = member->has * 4u;
    chore->test_mask = UINT32_MAX;
    chore->test_value = number;
    chore->field = member;
}

/* What the member that is set leaves of the union, or all of the union, becomes zero. */
static void add_member(chores *c, const tern_type *type, const tern_field *member) {
    uint32_t start, end, member_end = member->offset + member_bytes(member);
    union_of(type, member, &start, &end);
    if (is_first_member(type, member)) {
        add_chore(c, TERN__CHORE_CASE, member->has * 4u, 4)->field = member;
        test_case(add_chore(c, TERN__CHORE_ZERO, start, end - start), member, 0);
        use_bytes(c, member->has * 4u, 4);
        use_bytes(c, start, end - start);
    }
    if (start < member->offset)
        test_case(add_chore(c, TERN__CHORE_ZERO, start, member->offset - start), member, member->number);
    if (member_end < end)
        test_case(add_chore(c, TERN__CHORE_ZERO, member_end, end - member_end), member, member->number);
    if (member->kind == TERN_BOOL) test_case(add_chore(c, TERN__CHORE_BOOL, member->offset, 1), member, member->number);
}

static void add_field(chores *c, const tern_type *type, const tern_field *field) {
    bool has_bit = field->flags & TERN_FIELD_HAS && !(field->flags & TERN_FIELD_REPEATED);
    use_bytes(c, field->offset, member_bytes(field));
    if (field->flags & TERN_FIELD_MAP)
        add_chore(c, TERN__CHORE_ZERO, field->offset + (uint32_t)offsetof(tern_map, index), sizeof(void *));
    if (has_bit) {
        tern__chore *chore = add_chore(c, TERN__CHORE_ZERO, field->offset, member_bytes(field));
        chore->test_offset = type->has_offset + field->has / 32u * 4;
        chore->test_mask = chore->test_value = 1u << field->has % 32;
        chore->when = false;
    }
    if (field->kind == TERN_BOOL && !(field->flags & TERN_FIELD_REPEATED))
        add_chore(c, TERN__CHORE_BOOL, field->offset, 1)->field = field; /* not set, it is zero by now */
}

static void add_presence(chores *c, const tern_type *type) {
    uint32_t n_words = (type->n_has + 31) / 32;
    if (n_words == 0) return;
    use_bytes(c, type->has_offset, n_words * 4);
    if (type->n_has % 32)
        add_chore(c, TERN__CHORE_MASK, type->has_offset + (n_words - 1) * 4, (1u << type->n_has % 32) - 1);
}

static void add_padding(chores *c, uint32_t size) {
    for (uint32_t i = 0, start = 0; i <= size; i++) {
        if (i < size && !c->used[i]) continue;
        if (start < i) add_chore(c, TERN__CHORE_ZERO, start, i - start);
        start = i + 1;
    }
}

/* At most: three per field, four more for the first of a oneof, one per hole, of which each lies behind a member. */
static size_t most_chores(const tern_type *type) { return 7 * (size_t)type->n_fields + type->n_has / 32 + 8; }

static int find_chores(const tern_type *type, chores *c) {
    c->used = tern_alloc_private(type->size_bytes);
    c->list = tern_alloc_private(most_chores(type) * sizeof *c->list);
    if (!c->used || !c->list) return TERN_ERR_NOMEM;
    memset(c->used, 0, type->size_bytes);
    add_presence(c, type);
    if (!(type->flags & TYPE_WITHOUT_UNKNOWN)) use_bytes(c, type->unknown_offset, sizeof(tern_unknown));
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (type->fields[i].flags & TERN_FIELD_ONEOF)
            add_member(c, type, &type->fields[i]);
        else
            add_field(c, type, &type->fields[i]);
    add_padding(c, type->size_bytes);
    return 0;
}

static bool is_plain(const tern__chore *chore) {
    return chore->kind == TERN__CHORE_ZERO && !chore->test_mask && chore->when && chore->bytes == sizeof(uint32_t);
}

static int add_chores(tern__shapes *s, tern__shape *shape) {
    chores c = {0};
    int err = find_chores(shape->type, &c);
    tern__chore *kept = !err && c.n ? tern_arena_alloc(&s->memory, c.n * sizeof *kept) : NULL;
    if (!err && c.n && !kept) err = TERN_ERR_NOMEM;
    if (kept) memcpy(kept, c.list, c.n * sizeof *kept);
    while (!err && shape->n_plain < c.n && is_plain(&c.list[shape->n_plain])) shape->n_plain++;
    if (!err) shape->chores = kept, shape->n_chores = (uint32_t)c.n;
    tern_unref(c.used);
    tern_unref(c.list);
    return err;
}

static bool is_case_of(const tern_type *type, const tern_field *member, uint32_t number) {
    const tern_field *set = number ? tern_type_field(type, number) : NULL;
    return number == 0 || (set && set->flags & TERN_FIELD_ONEOF && set->has == member->has);
}

/* False: it refuses. */
static bool do_chore(const tern__shape *shape, const tern__chore *chore, uint8_t *elem) {
    bool holds = !chore->test_mask || (tern__load32(elem + chore->test_offset) & chore->test_mask) == chore->test_value;
    uint8_t *at = elem + chore->offset;
    switch (chore->kind) {
    case TERN__CHORE_ZERO:
        if (holds == chore->when) memset(at, 0, chore->bytes);
        return true;
    case TERN__CHORE_MASK: tern__store32(at, tern__load32(at) & chore->bytes); return true;
    case TERN__CHORE_CASE: return is_case_of(shape->type, chore->field, tern__load32(at));
    default: return !holds || *at <= 1;
    }
}

const tern__chore *tern__shape_tidy_from(const tern__shape *shape, uint32_t from, uint8_t *elem) {
    for (uint32_t i = from; i < shape->n_chores; i++)
        if (!do_chore(shape, &shape->chores[i], elem)) return &shape->chores[i];
    return NULL;
}

/* ---- All ----------------------------------------------------------------------------------------- */

void tern__shapes_init(tern__shapes *s, const tern__types *types) {
    *s = (tern__shapes){.types = types};
    tern_arena_init_private(&s->memory, 0, 0);
}

void tern__shapes_fini(tern__shapes *s) { tern_arena_fini(&s->memory); }

/* One for each number, still without edges, so that edges can lead to any of them. */
static int add_empty(tern__shapes *s, tern__shape **by_id) {
    for (uint32_t id = s->n; id < s->types->n; id++) {
        const tern__walk *walk = &s->types->walks[id];
        if (!(by_id[id] = tern_arena_zalloc(&s->memory, sizeof **by_id))) return TERN_ERR_NOMEM;
        by_id[id]->id = id;
        by_id[id]->type = walk->type;
        by_id[id]->elem_bytes = walk->elem_bytes;
    }
    return 0;
}

static int fill(tern__shapes *s, uint32_t from) {
    for (uint32_t id = from; id < s->types->n; id++) {
        bool is_struct = id >= TERN__TYPE_FIRST && (id - TERN__TYPE_FIRST) % 2 == 0;
        int err = add_edges(s, s->by_id[id], &s->types->walks[id]);
        if (!err && is_struct) err = add_chores(s, s->by_id[id]);
        if (err) return err;
    }
    return 0;
}

static int add_texts(tern__shapes *s) {
    tern__shape *texts = tern_arena_alloc(&s->memory, sizeof *texts);
    tern__edge *edge = tern_arena_alloc(&s->memory, sizeof *edge);
    if (!texts || !edge) return TERN_ERR_NOMEM;
    *texts = *s->by_id[TERN__TYPE_VIEWS];
    *edge = texts->edges[0];
    edge->content = TERN__CONTENT_TEXT;
    texts->edges = edge;
    s->texts = texts;
    return 0;
}

int tern__shapes_update(tern__shapes *s) {
    const uint32_t n = s->types->n, from = s->n;
    tern__shape **old = s->by_id, **by_id;
    if (n == s->n) return 0;
    by_id = tern_arena_alloc(&s->memory, n * sizeof *by_id);
    if (!by_id) return TERN_ERR_NOMEM;
    if (s->n) memcpy(by_id, s->by_id, s->n * sizeof *by_id);
    int err = add_empty(s, by_id);
    if (err) return err;
    s->by_id = by_id;
    err = fill(s, from);
    if (!err && !s->texts) err = add_texts(s);
    if (err)
        s->by_id = old;
    else
        s->n = n;
    return err;
}

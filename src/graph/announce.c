/* The metadata of fragments as they are made; see announce.h. */
#include "graph/announce.h"

#include "graph/grow.h"
#include "graph/layout.h"

void tern__announce_fini(tern__announce *a) {
    tern_unref(a->backs);
    tern_unref(a->types);
    tern_unref(a->bytes);
}

/* Of a type and the lists of pointers to it. */
static void set_state(const tern__announce *a, uint32_t id, uint8_t state) {
    a->shapes->by_id[id]->state = a->shapes->by_id[id + 1]->state = state;
}

void tern__announce_clear(tern__announce *a) {
    for (size_t i = 0; i < a->n_types; i++) set_state(a, a->types[i], TERN__TYPE_UNKNOWN);
    a->n_types = a->n_backs = 0;
}

int tern__announce_type(tern__announce *a, const tern__shape *shape) {
    if (!tern__grow(&a->types, &a->types_cap, a->n_types + 1, sizeof *a->types)) return TERN_ERR_NOMEM;
    a->types[a->n_types] = shape->id - (shape->id - TERN__TYPE_FIRST) % 2;
    set_state(a, a->types[a->n_types++], TERN__TYPE_PENDING);
    return 0;
}

int tern__announce_back(tern__announce *a, uint32_t ref, uint32_t place) {
    if (!tern__grow(&a->backs, &a->backs_cap, a->n_backs + 1, sizeof *a->backs)) return TERN_ERR_NOMEM;
    a->backs[a->n_backs++] = (tern__fragment_back){ref, place};
    return 0;
}

static uint8_t *put_type(uint8_t *to, const tern__shape *shape) {
    const tern__fragment_type record = {tern__layout_hash(shape->type), shape->id, (uint32_t)strlen(shape->type->name)};
    const size_t bytes = tern__fragment_type_bytes(record.name_len);
    memset(to, 0, bytes);
    memcpy(to, &record, sizeof record);
    memcpy(to + sizeof record, shape->type->name, record.name_len);
    return to + bytes;
}

int tern__announce_finish(tern__announce *a, tern__fragment_head *head) {
    uint64_t types_bytes = 0;
    for (size_t i = 0; i < a->n_types; i++)
        types_bytes += tern__fragment_type_bytes(strlen(a->shapes->by_id[a->types[i]]->type->name));
    const uint64_t all = sizeof *head + types_bytes + a->n_backs * sizeof *a->backs;
    if (all > UINT32_MAX) return TERN_ERR_LIMIT;
    if (!tern__grow(&a->bytes, &a->bytes_cap, all, 1)) return TERN_ERR_NOMEM;
    head->version = TERN__FRAGMENT_VERSION;
    head->meta_bytes = (uint32_t)all;
    head->types_bytes = (uint32_t)types_bytes;
    head->n_backs = (uint32_t)a->n_backs;
    memcpy(a->bytes, head, sizeof *head);
    uint8_t *to = a->bytes + sizeof *head;
    for (size_t i = 0; i < a->n_types; i++) {
        to = put_type(to, a->shapes->by_id[a->types[i]]);
        set_state(a, a->types[i], TERN__TYPE_TOLD);
    }
    if (a->n_backs) memcpy(to, a->backs, a->n_backs * sizeof *a->backs);
    a->n_types = 0;
    return 0;
}

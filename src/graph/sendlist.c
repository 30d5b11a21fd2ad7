/* Blocks and pieces; see sendlist.h. */
#include "graph/sendlist.h"

#include "graph/grow.h"

enum { COPY_BLOCK_BYTES = 64 << 10, MARKER = 1 };

void tern__sendlist_init(tern__sendlist *list, const tern__shapes *shapes) {
    *list = (tern__sendlist){.shapes = shapes, .inplace_bytes = SIZE_MAX, .max_bytes = SIZE_MAX};
    tern_arena_init_private(&list->copies, COPY_BLOCK_BYTES, 0);
}

void tern__sendlist_fini(tern__sendlist *list) {
    tern_unref(list->pieces);
    tern_arena_fini(&list->copies);
}

void tern__sendlist_clear(tern__sendlist *list) {
    list->start = list->end = NULL;
    list->n = 0;
    list->n_blocks = list->copied_bytes = 0;
    tern_arena_reset(&list->copies);
}

/* ---- Pieces -------------------------------------------------------------------------------------- */

static int add_piece(tern__sendlist *list, const void *data, size_t bytes) {
    tern__graph_piece *last = list->n ? &list->pieces[list->n - 1] : NULL;
    if (last && (const uint8_t *)last->data + last->bytes == data && last->bytes + bytes <= list->max_bytes) {
        last->bytes += bytes;
        return 0;
    }
    if (!tern__grow(&list->pieces, &list->cap, list->n + 1, sizeof *list->pieces)) return TERN_ERR_NOMEM;
    list->pieces[list->n++] = (tern__graph_piece){data, bytes};
    return 0;
}

/* In as many pieces as it takes: an object may be longer than a piece. */
static int add_pieces(tern__sendlist *list, const uint8_t *data, size_t bytes) {
    int err = 0;
    while (bytes > 0 && !err) {
        size_t n = bytes < list->max_bytes ? bytes : list->max_bytes;
        err = add_piece(list, data, n);
        data += n;
        bytes -= n;
    }
    return err;
}

/* ---- Copies -------------------------------------------------------------------------------------- */

/* What lies behind a pointer that is not followed does not matter, and where the others lead is nobody's business. */
static void hide_pointers(const tern__shape *shape, uint8_t *elem) {
    for (uint32_t i = 0; i < shape->n_edges; i++) {
        const tern__edge *edge = &shape->edges[i];
        if (!tern__edge_counts(edge, elem)) continue;
        tern__store64(elem + edge->offset, tern__edge_leads(edge, elem) ? MARKER : 0);
    }
}

/* The program is the owner of the values: a bool that is none is the receiver's to refuse. */
static void clean(const tern__shape *shape, uint8_t *elem, uint64_t n) {
    if (shape->n_edges == 0 && shape->n_chores == 0) return;
    for (; n > 0; n--, elem += shape->elem_bytes) {
        tern__shape_tidy(shape, elem);
        hide_pointers(shape, elem);
    }
}

/* An object as it leaves, header first, at `to`. */
static void copy_object(const tern__shape *shape, uint64_t header, const void *from, uint8_t *to) {
    const size_t bytes = (size_t)shape->elem_bytes * tern__header_count(header);
    tern__store64(to, header);
    to += TERN__HEADER_BYTES;
    if (bytes % 8) tern__store64(to + (bytes & ~(size_t)7), 0);
    memcpy(to, from, bytes);
    clean(shape, to, tern__header_count(header));
}

static const tern__shape *shape_of(const tern__sendlist *list, uint32_t what) {
    return list->shapes->by_id[tern__what_type(what)];
}

static int copy_block(tern__sendlist *list, size_t bytes) {
    uint8_t *to = tern_arena_alloc(&list->copies, bytes), *next = to;
    if (!to) return TERN_ERR_NOMEM;
    for (const uint8_t *at = list->start; at < list->end;) {
        const uint64_t header = tern__load64(at);
        const tern__shape *shape = shape_of(list, tern__header_what(header));
        const uint64_t object_bytes = tern__object_bytes(shape->elem_bytes, tern__header_count(header));
        copy_object(shape, header, at + TERN__HEADER_BYTES, next);
        at += object_bytes;
        next += object_bytes;
    }
    list->copied_bytes += bytes;
    return add_pieces(list, to, bytes);
}

/* ---- Blocks -------------------------------------------------------------------------------------- */

int tern__sendlist_close(tern__sendlist *list) {
    const size_t bytes = (size_t)(list->end - list->start);
    if (bytes == 0) return 0;
    int err = bytes >= list->inplace_bytes ? add_pieces(list, list->start, bytes) : copy_block(list, bytes);
    list->start = list->end = NULL;
    return err;
}

int tern__sendlist_begin(tern__sendlist *list, uint8_t *header, uint64_t bytes) {
    int err = tern__sendlist_close(list);
    if (err) return err;
    list->start = header;
    list->end = header + bytes;
    list->n_blocks++;
    return 0;
}

/* The header and what rounds the object up are made; the elements stay where they are. */
static int add_foreign_in_place(tern__sendlist *list, const void *from, uint64_t header, size_t bytes) {
    uint8_t *made = tern_arena_alloc(&list->copies, 2 * TERN__HEADER_BYTES);
    if (!made) return TERN_ERR_NOMEM;
    tern__store64(made, header);
    tern__store64(made + TERN__HEADER_BYTES, 0);
    int err = add_piece(list, made, TERN__HEADER_BYTES);
    if (!err) err = add_pieces(list, from, bytes);
    if (!err && bytes % 8) err = add_pieces(list, made + TERN__HEADER_BYTES, 8 - bytes % 8);
    return err;
}

int tern__sendlist_add_foreign(tern__sendlist *list, const void *from, uint32_t what, uint32_t count) {
    const tern__shape *shape = shape_of(list, what);
    const uint64_t header = tern__header(what, count), bytes = tern__object_bytes(shape->elem_bytes, count);
    int err = tern__sendlist_close(list);
    if (err) return err;
    list->n_blocks++;
    if (shape->n_edges == 0 && shape->n_chores == 0 && bytes >= list->inplace_bytes)
        return add_foreign_in_place(list, from, header, (size_t)shape->elem_bytes * count);
    uint8_t *to = tern_arena_alloc(&list->copies, bytes);
    if (!to) return TERN_ERR_NOMEM;
    copy_object(shape, header, from, to);
    list->copied_bytes += bytes;
    return add_pieces(list, to, bytes);
}

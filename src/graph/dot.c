/* Pictures of heaps, for Graphviz: a search breadth first from the roots. */
#include "graph/mark.h"
#include "graph/path.h"
#include "graph/problem.h"
#include "tern/mem.h"

typedef struct picture {
    tern_heap *heap;
    FILE *out;
    size_t *units; /* objects that are in the picture, in the order in which they were met */
    size_t n, cap;
} picture;

/* False when there is no place for another object. */
static bool meet(picture *p, size_t unit) {
    tern__bits *bits = &p->heap->space.bits[unit / 64];
    uint64_t bit = (uint64_t)1 << unit % 64;
    if (bits->mark & bit) return true;
    if (p->n == p->cap) return false;
    bits->mark |= bit;
    p->units[p->n++] = unit;
    return true;
}

static void draw_arrow(picture *p, size_t unit, bool is_array, uint64_t elem, const char *name, size_t to) {
    fprintf(p->out, "  n%zx -> n%zx [label=\"", unit, to);
    if (is_array) fprintf(p->out, "[%llu]", (unsigned long long)elem);
    fprintf(p->out, "%s%s\"];\n", is_array && *name ? "." : "", name);
}

static void draw_object(picture *p, size_t unit) {
    const uint8_t *elem = tern__space_at(&p->heap->space, unit) + TERN__HEADER_BYTES;
    uint64_t header = *tern__header_of(elem);
    const tern__walk *walk = tern__types_walk(&p->heap->types, tern__header_what(header));
    bool is_array = tern__what_kind(tern__header_what(header)) == TERN__OBJECT_ARRAY;
    char name[160];
    tern__path_object_name(p->heap, header, name, sizeof name);
    fprintf(p->out, "  n%zx [label=\"%s\\n%llu B\"];\n", unit, name,
            (unsigned long long)tern__header_bytes(p->heap, header));
    uint64_t n = walk->n_slots ? tern__header_count(header) : 0;
    for (uint64_t e = 0; e < n; e++, elem += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            size_t to;
            if (!tern__slot_counts(slot, elem) || !tern__mark_resolve(p->heap, slot, elem + slot->offset, &to))
                continue;
            if (to != SIZE_MAX && meet(p, to))
                draw_arrow(p, unit, is_array, e, tern__path_field_name(walk->type, slot), to);
        }
}

static void draw_roots(picture *p) {
    const tern__roots *roots = &p->heap->roots;
    for (uint32_t i = 0; i < roots->n; i++) {
        const uint8_t *object = roots->places[i].object;
        if (!object || !tern__heap_starts_at(p->heap, object)) continue;
        size_t unit = tern__space_unit(&p->heap->space, object) - 1;
        if (meet(p, unit)) fprintf(p->out, "  r%u [label=\"root %u\", shape=plain];\n  r%u -> n%zx;\n", i, i, i, unit);
    }
}

int tern_heap_dot(tern_heap *heap, size_t max_objects, FILE *out) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    picture p = {
        .heap = heap, .out = out, .cap = max_objects < heap->stats.objects ? max_objects : heap->stats.objects};
    p.units = tern_alloc_private(p.cap * sizeof *p.units + 1);
    if (!p.units) return TERN_ERR_NOMEM;
    fputs("digraph heap {\n  node [shape=box, fontname=monospace];\n", out);
    draw_roots(&p);
    for (size_t i = 0; i < p.n; i++) draw_object(&p, p.units[i]);
    for (size_t i = 0; i < p.n; i++) heap->space.bits[p.units[i] / 64].mark = 0;
    fputs("}\n", out);
    tern_unref(p.units);
    return fflush(out) == 0 && !ferror(out) ? 0 : TERN_ERR_IO;
}

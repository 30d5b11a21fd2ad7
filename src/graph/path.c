/* Names of places: a search breadth first, only when something is wrong. */
#include "graph/path.h"

#include <stdarg.h>

#include "graph/mark.h"
#include "graph/problem.h"
#include "tern/mem.h"

enum { FOUND_MIN = 1024, FOUND_MAX = 1 << 24, STEPS_SHOWN = 12, NONE = -1 };

/* An object that was found, and from where. */
typedef struct found {
    uint8_t *object;
    const tern__slot *slot; /* of the object before it */
    uint64_t elem;          /* likewise; of the first, the index of a root */
    int64_t before;         /* number of the object before it; NONE: a root */
} found;

typedef struct trail {
    tern_heap *heap;
    const uint8_t *wanted;
    found *found;
    size_t n, cap;
    int64_t at; /* the number of what is wanted; NONE so far */
    bool is_out_of_memory;
} trail;

static const tern__walk *walk_of(const tern_heap *heap, const uint8_t *object) {
    return tern__types_walk(&heap->types, tern__header_what(*tern__header_of(object)));
}

static bool grow(trail *t) {
    size_t cap = t->cap ? t->cap * 2 : FOUND_MIN;
    if (t->n < t->cap) return true;
    found *more = cap <= FOUND_MAX ? tern_alloc_private(cap * sizeof *more) : NULL;
    if (!more) return false;
    if (t->n) memcpy(more, t->found, t->n * sizeof *more);
    tern_unref(t->found);
    t->found = more;
    t->cap = cap;
    return true;
}

static void meet(trail *t, size_t unit, const found *from) {
    tern__bits *bits = &t->heap->space.bits[unit / 64];
    uint64_t bit = (uint64_t)1 << unit % 64;
    if (bits->mark & bit || t->is_out_of_memory) return;
    if (!grow(t)) {
        t->is_out_of_memory = true;
        return;
    }
    bits->mark |= bit;
    t->found[t->n] = *from;
    t->found[t->n].object = tern__space_at(&t->heap->space, unit) + TERN__HEADER_BYTES;
    if (t->found[t->n].object == t->wanted) t->at = (int64_t)t->n;
    t->n++;
}

static void meet_roots(trail *t) {
    const tern__roots *roots = &t->heap->roots;
    for (uint32_t i = 0; i < roots->n; i++) {
        const uint8_t *object = roots->places[i].object;
        if (!object || !tern__space_has(&t->heap->space, object) || !tern__heap_starts_at(t->heap, object)) continue;
        meet(t, tern__space_unit(&t->heap->space, object) - 1, &(found){.elem = i, .before = NONE});
    }
}

static void meet_what_it_has(trail *t, size_t number) {
    const uint8_t *object = t->found[number].object;
    const tern__walk *walk = walk_of(t->heap, object);
    if (walk->n_slots == 0) return;
    uint64_t n = tern__header_count(*tern__header_of(object));
    for (uint64_t elem = 0; elem < n && t->at == NONE; elem++, object += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            size_t unit;
            if (!tern__slot_counts(slot, object)) continue;
            if (!tern__mark_resolve(t->heap, slot, object + slot->offset, &unit) || unit == SIZE_MAX) continue;
            meet(t, unit, &(found){.slot = slot, .elem = elem, .before = (int64_t)number});
        }
}

static void follow(trail *t) {
    meet_roots(t);
    for (size_t i = 0; i < t->n && t->at == NONE && !t->is_out_of_memory; i++) meet_what_it_has(t, i);
    for (size_t i = 0; i < t->n; i++) {
        size_t unit = tern__space_unit(&t->heap->space, t->found[i].object) - 1;
        t->heap->space.bits[unit / 64].mark &= ~((uint64_t)1 << unit % 64);
    }
}

/* ---- Words --------------------------------------------------------------------------------------- */

typedef struct text {
    char *out;
    size_t len, cap;
} text;

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->out + t->len, t->cap - t->len, format, args);
    va_end(args);
    if (n > 0) t->len = t->len + (size_t)n < t->cap ? t->len + (size_t)n : t->cap - 1;
}

const char *tern__path_field_name(const tern_type *type, const tern__slot *slot) {
    if (slot->is_element) return "";
    if (!slot->field) return "unknown";
    return slot->kind == TERN__SLOT_INDEX ? "index" : type->field_names[slot->field - type->fields];
}

static void say_step(text *out, const tern_heap *heap, const uint8_t *object, uint64_t elem, const tern__slot *slot,
                     const tern_field *field) {
    const tern__walk *walk = walk_of(heap, object);
    if (tern__what_kind(tern__header_what(*tern__header_of(object))) == TERN__OBJECT_ARRAY)
        say(out, "[%llu]", (unsigned long long)elem);
    const char *name = slot ? tern__path_field_name(walk->type, slot) : "";
    if (field && walk->type) name = walk->type->field_names[field - walk->type->fields];
    if (*name) say(out, ".%s", name);
}

static void say_trail(text *out, const trail *t) {
    int64_t steps[STEPS_SHOWN], at = t->at;
    size_t n = 0;
    for (; t->found[at].before != NONE; at = t->found[at].before) steps[n++ % STEPS_SHOWN] = at;
    say(out, "root %llu", (unsigned long long)t->found[at].elem);
    /* The last steps that were noted are the first ones of the path. */
    size_t shown = n < STEPS_SHOWN ? n : STEPS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const found *f = &t->found[steps[(n - 1 - i) % STEPS_SHOWN]];
        say_step(out, t->heap, t->found[f->before].object, f->elem, f->slot, NULL);
    }
    if (n > shown) say(out, " and %zu more", n - shown);
}

void tern__path_object_name(const tern_heap *heap, uint64_t header, char *out, size_t cap) {
    static const char *const names[TERN__TYPE_FIRST] = {"nothing", "bytes", "words", "longs", "views", "index"};
    uint32_t what = tern__header_what(header), id = tern__what_type(what);
    if (id < TERN__TYPE_FIRST)
        snprintf(out, cap, "%s[%u]", names[id], tern__header_count(header));
    else if (tern__what_kind(what) == TERN__OBJECT_MESSAGE)
        snprintf(out, cap, "%s", heap->types.walks[id].type->name);
    else
        snprintf(out, cap, "%s%s[%u]", heap->types.walks[id].type->name, id % 2 ? "*" : "", tern__header_count(header));
}

static void say_spot(tern_heap *heap, const tern__spot *spot, text *out) {
    char name[160];
    trail t = {.heap = heap, .wanted = spot->object, .at = NONE};
    follow(&t);
    if (t.at != NONE)
        say_trail(out, &t);
    else
        say(out, t.is_out_of_memory ? "(no memory to find the path)" : "(no root leads here)");
    if (spot->slot || spot->field) say_step(out, heap, spot->object, spot->elem, spot->slot, spot->field);
    tern__path_object_name(heap, *tern__header_of(spot->object), name, sizeof name);
    say(out, " of %s %p", name, (const void *)spot->object);
    tern_unref(t.found);
}

void tern__path_say(tern_heap *heap, const tern__spot *spot, const char *what_is_wrong) {
    text out = {.out = heap->problem, .cap = sizeof heap->problem};
    if (spot->object)
        say_spot(heap, spot, &out);
    else
        say(&out, "root %llu", (unsigned long long)spot->elem);
    say(&out, ": %s", what_is_wrong);
}

/* Room for objects that arrive; see arrival.h. */
#include "graph/arrival.h"

#include "graph/grow.h"
#include "graph/room.h"

enum { ROOM_FIRST_BYTES = TERN__REGION_BYTES };

static tern__region *region_of(const tern__arrival *a, const uint8_t *at) {
    return &a->heap->space.regions[(size_t)(at - a->heap->space.base) >> TERN__REGION_SHIFT];
}

static void pin(tern__arrival *a, const uint8_t *at, int by) {
    region_of(a, at)->n_pins += (uint32_t)by;
    a->heap->n_pins += (uint64_t)(int64_t)by;
    a->heap->n_arriving += (uint64_t)(int64_t)by;
}

/* ---- Room ---------------------------------------------------------------------------------------- */

static bool grow_bits(tern__arrival *a) {
    size_t cap = a->bits_cap;
    if (a->units / 64 < cap) return true;
    if (!tern__grow(&a->bits, &cap, a->units / 64 + 1, sizeof *a->bits)) return false;
    memset(a->bits + a->bits_cap, 0, (cap - a->bits_cap) * sizeof *a->bits);
    a->bits_cap = cap;
    return true;
}

static bool add_stretch(tern__arrival *a, uint8_t *at) {
    if (!tern__grow(&a->stretches, &a->cap, a->n + 1, sizeof *a->stretches)) return false;
    a->stretches[a->n++] = (tern__stretch){.unit = a->units, .at = at};
    pin(a, at, 1);
    return true;
}

static uint8_t *find_room(tern__arrival *a, uint64_t bytes) {
    if (!tern__room_is_long(bytes)) return tern__room_reserve(a->heap, bytes);
    a->room_bytes = bytes < ROOM_FIRST_BYTES ? bytes : ROOM_FIRST_BYTES;
    return tern__room_begin_run(a->heap, bytes, a->room_bytes);
}

int tern__arrival_take_slowly(tern__arrival *a, uint64_t bytes, uint8_t **at) {
    if (!grow_bits(a)) return TERN_ERR_NOMEM;
    a->room_bytes = bytes;
    *at = find_room(a, bytes);
    if (!*at) return TERN_ERR_NOMEM;
    /* A pin holds for one region only. */
    const bool goes_on = *at == a->end && (size_t)(*at - a->heap->space.base) % TERN__REGION_BYTES != 0;
    if (!goes_on && !add_stretch(a, *at)) return TERN_ERR_NOMEM;
    a->stretches[a->n - 1].units += bytes / TERN__UNIT_BYTES;
    a->end = *at + bytes;
    a->bits[a->units / 64].start |= (uint64_t)1 << a->units % 64;
    a->units += bytes / TERN__UNIT_BYTES;
    a->objects++;
    return 0;
}

int tern__arrival_extend(tern__arrival *a, uint64_t used, uint8_t **at) {
    tern__stretch *last = &a->stretches[a->n - 1];
    const uint64_t all = last->units * TERN__UNIT_BYTES, more = a->room_bytes * 2 < all ? a->room_bytes * 2 : all;
    uint8_t *old = last->at, *now = tern__room_extend_run(a->heap, old, all, used, more);
    if (!now) return TERN_ERR_NOMEM;
    a->room_bytes = more;
    *at = last->at = now;
    a->end = NULL;
    if (now == old) return 0;
    pin(a, now, 1);
    pin(a, old, -1);
    if (region_of(a, old)->n_pins == 0)
        tern__room_free(a->heap, (size_t)(old - a->heap->space.base) >> TERN__REGION_SHIFT, false);
    return 0;
}

/* There may be no word yet where the last object is, behind its start. */
static uint64_t starts_in(const tern__arrival *a, uint64_t word) {
    return word < a->bits_cap ? a->bits[word].start : 0;
}

uint8_t *tern__arrival_find(const tern__arrival *a, uint64_t unit) {
    if (unit >= a->units || !(starts_in(a, unit / 64) >> unit % 64 & 1)) return NULL;
    size_t first = 0, end = a->n;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (a->stretches[middle].unit <= unit)
            first = middle;
        else
            end = middle;
    }
    return a->stretches[first].at + (unit - a->stretches[first].unit) * TERN__UNIT_BYTES;
}

/* ---- The end ------------------------------------------------------------------------------------- */

/* 64 bits of starts from this unit on. */
static uint64_t starts_from(const tern__arrival *a, uint64_t unit) {
    uint64_t bits = starts_in(a, unit / 64) >> unit % 64;
    return unit % 64 ? bits | starts_in(a, unit / 64 + 1) << (64 - unit % 64) : bits;
}

static void publish_stretch(const tern__arrival *a, const tern__stretch *stretch) {
    tern__bits *bits = a->heap->space.bits;
    size_t unit = tern__space_unit(&a->heap->space, stretch->at);
    if (region_of(a, stretch->at)->state == TERN__REGION_RUN) {
        bits[unit / 64].start |= 1;
        return;
    }
    for (uint64_t i = 0; i < stretch->units; i += 64, unit += 64) {
        uint64_t word = starts_from(a, stretch->unit + i), left = stretch->units - i;
        if (left < 64) word &= ((uint64_t)1 << left) - 1;
        bits[unit / 64].start |= word << unit % 64;
        if (unit % 64 && word >> (64 - unit % 64)) bits[unit / 64 + 1].start |= word >> (64 - unit % 64);
    }
}

void tern__arrival_publish(tern__arrival *a) {
    for (size_t i = 0; i < a->n; i++) publish_stretch(a, &a->stretches[i]);
    a->heap->stats.objects += a->objects;
    a->heap->stats.object_bytes += a->units * TERN__UNIT_BYTES;
    a->objects = 0;
}

void tern__arrival_clear(tern__arrival *a) {
    for (size_t i = 0; i < a->n; i++) pin(a, a->stretches[i].at, -1);
    size_t words = (size_t)(a->units / 64 + 1);
    if (a->bits) memset(a->bits, 0, (words < a->bits_cap ? words : a->bits_cap) * sizeof *a->bits);
    a->n = 0;
    a->end = NULL;
    a->units = a->objects = 0;
}

void tern__arrival_fini(tern__arrival *a) {
    tern__arrival_clear(a);
    tern_unref(a->stretches);
    tern_unref(a->bits);
    *a = (tern__arrival){0};
}

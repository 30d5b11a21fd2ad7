/* The timing wheel (wheel.h). Slot s since time 0 is slots[s modulo their number]; two levels of bits find the next
 * one that is used. */
#include "engine/wheel.h"

void tern__wheel_init(tern__wheel *wheel, tern_time now) {
    wheel->at = now / TERN__WHEEL_SLOT_NS;
    wheel->words = 0;
    memset(wheel->used, 0, sizeof wheel->used);
    for (uint32_t i = 0; i < TERN__WHEEL_SLOTS; i++) tern__list_init(&wheel->slots[i]);
}

void tern__wheel_put(tern__wheel *wheel, tern__wheel_entry *entry, tern_time due, tern_time now) {
    if (tern__wheel_empty(wheel) && now / TERN__WHEEL_SLOT_NS > wheel->at) wheel->at = now / TERN__WHEEL_SLOT_NS;
    uint64_t s = due / TERN__WHEEL_SLOT_NS + (due % TERN__WHEEL_SLOT_NS != 0);
    if (s < wheel->at) s = wheel->at;
    if (s >= wheel->at + TERN__WHEEL_SLOTS) s = wheel->at + TERN__WHEEL_SLOTS - 1;
    entry->slot = (uint32_t)(s % TERN__WHEEL_SLOTS);
    tern__list_append(&wheel->slots[entry->slot], &entry->node);
    wheel->used[entry->slot / 64] |= 1ull << entry->slot % 64;
    wheel->words |= 1ull << entry->slot / 64;
}

void tern__wheel_remove(tern__wheel *wheel, tern__wheel_entry *entry) {
    if (tern__list_empty(&entry->node)) return;
    tern__list_remove(&entry->node);
    if (!tern__list_empty(&wheel->slots[entry->slot])) return;
    wheel->used[entry->slot / 64] &= ~(1ull << entry->slot % 64);
    if (!wheel->used[entry->slot / 64]) wheel->words &= ~(1ull << entry->slot / 64);
}

/* The first used slot from `at` on, round the wheel. There is one. */
static uint64_t first_used(const tern__wheel *wheel) {
    uint32_t from = (uint32_t)(wheel->at % TERN__WHEEL_SLOTS), word = from / 64;
    uint64_t here = wheel->used[word] & UINT64_MAX << from % 64;
    uint64_t later = wheel->words & ~((2ull << word) - 1);
    uint32_t slot;
    if (here) {
        slot = word * 64 + (uint32_t)__builtin_ctzll(here);
    } else {
        word = (uint32_t)__builtin_ctzll(later ? later : wheel->words);
        slot = word * 64 + (uint32_t)__builtin_ctzll(wheel->used[word]);
    }
    return wheel->at + (slot >= from ? slot - from : slot + TERN__WHEEL_SLOTS - from);
}

tern__wheel_entry *tern__wheel_take(tern__wheel *wheel, tern_time now) {
    uint64_t reached = now / TERN__WHEEL_SLOT_NS;
    if (tern__wheel_empty(wheel)) return NULL;
    uint64_t first = first_used(wheel);
    if (first > reached) {
        if (reached > wheel->at) wheel->at = reached;
        return NULL;
    }
    wheel->at = first;
    tern__node *node = wheel->slots[first % TERN__WHEEL_SLOTS].next;
    tern__wheel_entry *entry = TERN__CONTAINER(node, tern__wheel_entry, node);
    tern__wheel_remove(wheel, entry);
    return entry;
}

tern_time tern__wheel_next(const tern__wheel *wheel) {
    return tern__wheel_empty(wheel) ? UINT64_MAX : first_used(wheel) * TERN__WHEEL_SLOT_NS;
}

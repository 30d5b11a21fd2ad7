/* A timing wheel (Carousel, SIGCOMM 2017): what is to happen within the next two milliseconds, in slots of half a
 * microsecond. Putting in, taking out and removing take constant time, whatever the number of entries.
 *
 * An entry comes out at the first slot boundary that is not before its time, slot after slot, within a slot in the
 * order in which they were put in. What is further away than the horizon comes out at the horizon; its owner then
 * puts it in again. */
#ifndef TERN_ENGINE_WHEEL_H
#define TERN_ENGINE_WHEEL_H

#include "base/base.h"
#include "tern/rpc.h"

enum {
    TERN__WHEEL_SLOT_NS = 512,
    TERN__WHEEL_WORDS = 63,                     /* so that the whole fits 64 KB */
    TERN__WHEEL_SLOTS = TERN__WHEEL_WORDS * 64, /* the horizon is 2064 us */
};

/* In its owner; in no wheel while its node is alone. */
typedef struct tern__wheel_entry {
    tern__node node;
    uint32_t slot;
} tern__wheel_entry;

typedef struct tern__wheel {
    uint64_t at;                      /* slots since time 0: every entry is in [at, at + TERN__WHEEL_SLOTS) */
    uint64_t words;                   /* bit i: used[i] is not 0 */
    uint64_t used[TERN__WHEEL_WORDS]; /* a bit for each slot that has entries */
    tern__node slots[TERN__WHEEL_SLOTS];
} tern__wheel;

void tern__wheel_init(tern__wheel *wheel, tern_time now);

static inline bool tern__wheel_empty(const tern__wheel *wheel) { return !wheel->words; }

/* The entry is in no wheel. `now` never decreases. */
void tern__wheel_put(tern__wheel *wheel, tern__wheel_entry *entry, tern_time due, tern_time now);

/* An entry that is in no wheel is left alone. */
void tern__wheel_remove(tern__wheel *wheel, tern__wheel_entry *entry);

/* Takes out the first of those that are due; NULL when none is. */
tern__wheel_entry *tern__wheel_take(tern__wheel *wheel, tern_time now);

/* When the next entry will come out; UINT64_MAX for none. */
tern_time tern__wheel_next(const tern__wheel *wheel);

#endif

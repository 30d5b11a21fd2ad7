/* A list to which any thread adds without waiting, and which one thread takes whole, oldest first. */
#ifndef TERN_RPC_INBOX_H
#define TERN_RPC_INBOX_H

#include <stdatomic.h>
#include <stddef.h>

typedef struct tern__inbox_entry {
    struct tern__inbox_entry *next;
} tern__inbox_entry;

typedef struct tern__inbox {
    tern__inbox_entry *_Atomic newest;
} tern__inbox;

/* From then on the entry is its taker's. */
static inline void tern__inbox_add(tern__inbox *inbox, tern__inbox_entry *entry) {
    tern__inbox_entry *before = atomic_load_explicit(&inbox->newest, memory_order_relaxed);
    do entry->next = before;
    while (!atomic_compare_exchange_weak_explicit(&inbox->newest, &before, entry, memory_order_release,
                                                  memory_order_relaxed));
}

/* The oldest entry, from which `next` leads to the newest; NULL: none. */
static inline tern__inbox_entry *tern__inbox_take(tern__inbox *inbox) {
    tern__inbox_entry *newest = atomic_exchange_explicit(&inbox->newest, NULL, memory_order_acquire), *oldest = NULL;
    while (newest) {
        tern__inbox_entry *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

#endif

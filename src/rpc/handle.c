/* The table of records by index (handle.h). */
#include "rpc/handle.h"

#include <stdlib.h>

#include "tern/err.h"

enum { FIRST_PLACES = 16 };

/* Stand at even and odd places that no record has. The id of each leads to a place of the other kind, so that whatever
 * id leads to it, even one that was made up, does not fit. */
static tern__named nobody[2] = {{1}, {0}};

static tern__place *new_places(tern__place *before, uint32_t n) {
    tern__handle_table *table = malloc(sizeof *table + n * sizeof table->at[0]);
    if (!table) return NULL;
    uint32_t n_before = before ? tern__handle_table_of(before)->mask + 1 : 0;
    table->before = before;
    table->mask = n - 1;
    for (uint32_t i = 0; i < n; i++)
        atomic_init(&table->at[i],
                    i < n_before ? atomic_load_explicit(&before[i], memory_order_relaxed) : &nobody[i & 1]);
    return table->at;
}

int tern__handles_init(tern__handles *handles) {
    tern__place *places = new_places(NULL, FIRST_PLACES);
    handles->n = 0;
    atomic_init(&handles->places, places);
    return places ? 0 : TERN_ERR_NOMEM;
}

void tern__handles_fini(tern__handles *handles) {
    tern__place *places = atomic_load_explicit(&handles->places, memory_order_relaxed);
    while (places) {
        tern__handle_table *table = tern__handle_table_of(places);
        places = table->before;
        free(table);
    }
    atomic_store_explicit(&handles->places, NULL, memory_order_relaxed);
}

int tern__handles_add(tern__handles *handles, tern__named *named) {
    tern__place *places = atomic_load_explicit(&handles->places, memory_order_relaxed);
    uint32_t index = handles->n, n_places = tern__handle_table_of(places)->mask + 1;
    if (index == TERN__HANDLE_MAX_RECORDS) return TERN_ERR_LIMIT;
    if (index == n_places) {
        tern__place *larger = new_places(places, 2 * n_places);
        if (!larger) return TERN_ERR_NOMEM;
        atomic_store_explicit(&handles->places, larger, memory_order_release);
        places = larger;
    }
    atomic_init(&named->id, TERN__HANDLE_GENERATION | index);
    atomic_store_explicit(&places[index], named, memory_order_release);
    handles->n++;
    return 0;
}

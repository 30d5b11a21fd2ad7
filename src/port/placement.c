/* The table of expectations that ports with direct placement share (placement.h). It is small, so everything is a walk
 * through the table; with no expectation there is nothing to walk through. */
#include "port/placement.h"

static tern__placement *find_message(tern__placements *table, const void *message) {
    for (uint32_t i = 0; i < table->n; i++)
        if (table->items[i].expected.message == message) return &table->items[i];
    return NULL;
}

static uint32_t count_route(const tern__placements *table, const tern__route *route) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < table->n; i++) n += tern__route_eq(&table->items[i].expected.route, route);
    return n;
}

/* The expectation of a full table that one of this route replaces, or NULL. */
static tern__placement *find_victim(tern__placements *table, const tern__route *route) {
    uint32_t n_own = count_route(table, route), n_most = 0;
    tern__placement *oldest = &table->items[0], *victim = NULL;
    for (uint32_t i = 0; i < table->n; i++) {
        tern__placement *item = &table->items[i];
        uint32_t n = count_route(table, &item->expected.route);
        if (item->moved_at < oldest->moved_at) oldest = item;
        if (n < n_own + 2 || n < n_most || (n == n_most && item->moved_at > victim->moved_at)) continue;
        n_most = n;
        victim = item;
    }
    return table->n_calls - oldest->moved_at > TERN__PLACEMENT_STALE ? oldest : victim;
}

void tern__placements_expect(tern__placements *table, const tern__expected *expected) {
    tern__placement *item = find_message(table, expected->message);
    table->n_calls++;
    if (item && !tern__route_eq(&item->expected.route, &expected->route)) {
        item->trusted = true; /* the memory has become another peer's message */
    } else if (!item) {
        item = table->n < table->max ? &table->items[table->n++] : find_victim(table, &expected->route);
        if (!item) {
            table->n_refused++;
            return;
        }
        table->n_replaced += item->expected.message != NULL;
        item->trusted = true;
    }
    item->expected = *expected;
    item->moved_at = table->n_calls;
}

void tern__placements_forget(tern__placements *table, const void *message) {
    tern__placement *item = find_message(table, message);
    if (!item) return;
    *item = table->items[--table->n];
    table->items[table->n] = (tern__placement){0};
}

bool tern__expected_is_next(const tern__expected *expected, const uint8_t *header, uint32_t nth) {
    return memcmp(header, expected->start, sizeof expected->start) == 0 &&
           tern__load32(header + expected->pkt_at) == expected->pkt + nth;
}

tern__placement *tern__placements_find(tern__placements *table, const uint8_t *header, uint32_t len) {
    for (uint32_t i = 0; i < table->n; i++) {
        const tern__expected *expected = &table->items[i].expected;
        if (len >= expected->header_bytes && tern__expected_is_next(expected, header, 0)) return &table->items[i];
    }
    return NULL;
}

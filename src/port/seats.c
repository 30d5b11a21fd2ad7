/* Seats of a port (seats.h). */
#include "port/seats.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { MOST_RESERVED = 1024 };
enum { DRAWS = 8, OF_NETWORK = 64 /* draws, until one is of a certain network */, NEWEST = 8 };
enum { SILENT_DRAWS = 16 };

/* A network, or an address in one. */
struct tern__seats_group {
    uint64_t key;
    uint32_t n, n_strangers; /* n_strangers: of a network */
    tern__seats_group *next; /* in its bucket */
};

static uint32_t n_taken; /* atomic: of the budget, by all ports of the process */

static uint32_t budget_now(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > INT32_MAX) return INT32_MAX;
    uint32_t n = (uint32_t)files.rlim_cur, reserve = n / 4 < MOST_RESERVED ? n / 4 : MOST_RESERVED;
    return n - reserve;
}

void tern__seats_init(tern__seats *seats, uint32_t max, uint32_t max_strangers, uint64_t seed) {
    *seats = (tern__seats){.max = max, .max_strangers = max_strangers, .budget = budget_now(), .seed = seed};
    tern__rng_seed(&seats->rng, seed);
}

void tern__seats_fini(tern__seats *seats) {
    for (uint32_t i = 0; i < TERN__SEATS_BUCKETS; i++)
        for (tern__seats_group *group = seats->groups[i], *next; group; group = next) {
            next = group->next;
            free(group);
        }
    free(seats->strangers);
    free(seats->placed);
    __atomic_sub_fetch(&n_taken, seats->n, __ATOMIC_RELAXED);
    *seats = (tern__seats){0};
}

static uint32_t bucket_of_key(const tern__seats *seats, uint64_t key) {
    return (uint32_t)(tern__mix64(key ^ seats->seed) % TERN__SEATS_BUCKETS);
}

static tern__seats_group *find_key(const tern__seats *seats, uint64_t key) {
    tern__seats_group *group = seats->groups[bucket_of_key(seats, key)];
    while (group && group->key != key) group = group->next;
    return group;
}

uint32_t tern__seats_free(const tern__seats *seats) {
    uint32_t taken = __atomic_load_n(&n_taken, __ATOMIC_RELAXED);
    uint32_t here = seats->n < seats->max ? seats->max - seats->n : 0;
    uint32_t all = taken < seats->budget ? seats->budget - taken : 0;
    return here < all ? here : all;
}

bool tern__seats_may_enter(const tern__seats *seats, uint64_t key) {
    if (!key) return seats->n < seats->max;
    uint32_t n_free = tern__seats_free(seats);
    const tern__seats_group *network = find_key(seats, key);
    return n_free && (!network || network->n < TERN__SEATS_FLOOR + 2 * (uint64_t)n_free);
}

static tern__seats_group *take_key(tern__seats *seats, uint64_t key) {
    tern__seats_group *group = find_key(seats, key), **head = &seats->groups[bucket_of_key(seats, key)];
    if (!group) {
        group = malloc(sizeof *group);
        if (!group) return NULL;
        *group = (tern__seats_group){.key = key, .next = *head};
        *head = group;
    }
    group->n++;
    return group;
}

static void give_key(tern__seats *seats, tern__seats_group *group) {
    if (!group || --group->n) return;
    tern__seats_group **at = &seats->groups[bucket_of_key(seats, group->key)];
    while (*at != group) at = &(*at)->next;
    *at = group->next;
    free(group);
}

static bool grow_array(tern__seat ***array, uint32_t room) {
    tern__seat **grown = realloc(*array, room * sizeof(tern__seat *));
    if (grown) *array = grown;
    return grown != NULL;
}

/* As many strangers as there are seats, so that each may become one; and as many with addresses. */
static bool has_room(tern__seats *seats) {
    if (seats->n < seats->room) return true;
    uint32_t room = seats->room ? 2 * seats->room : 16;
    if (!grow_array(&seats->strangers, room) || !grow_array(&seats->placed, room)) return false;
    seats->room = room;
    return true;
}

bool tern__seats_enter(tern__seats *seats, tern__seat *seat, const tern__guest *guest) {
    *seat = (tern__seat){.rx_bytes = guest->rx_bytes, .rx_at = guest->rx_at};
    tern__seats_group *network = has_room(seats) ? take_key(seats, guest->network) : NULL;
    if (!network) return false;
    if (guest->address && !(seat->address = take_key(seats, guest->address))) {
        give_key(seats, network);
        return false;
    }
    seat->network = network;
    seat->nth = seats->n_came++;
    seats->n++;
    __atomic_add_fetch(&n_taken, 1, __ATOMIC_RELAXED);
    if (seat->address) seats->placed[seats->n_placed++] = seat, seat->place = seats->n_placed;
    if (guest->network) tern__seats_set_stranger(seats, seat, true);
    return true;
}

static void leave_place(tern__seats *seats, tern__seat *seat) {
    if (!seat->place) return;
    tern__seat *last = seats->placed[--seats->n_placed];
    seats->placed[seat->place - 1] = last;
    last->place = seat->place;
    seat->place = 0;
}

void tern__seats_leave(tern__seats *seats, tern__seat *seat) {
    if (!seat->network) return;
    tern__seats_set_stranger(seats, seat, false);
    leave_place(seats, seat);
    seats->n--;
    __atomic_sub_fetch(&n_taken, 1, __ATOMIC_RELAXED);
    give_key(seats, seat->address);
    give_key(seats, seat->network);
    seat->network = seat->address = NULL;
}

void tern__seats_set_stranger(tern__seats *seats, tern__seat *seat, bool is_stranger) {
    if (!seat->network || is_stranger == (seat->stranger != 0)) return;
    if (is_stranger) {
        seats->strangers[seats->n_strangers++] = seat;
        seat->stranger = seats->n_strangers;
        seat->network->n_strangers++;
        return;
    }
    tern__seat *last = seats->strangers[--seats->n_strangers];
    seats->strangers[seat->stranger - 1] = last;
    last->stranger = seat->stranger;
    seat->stranger = 0;
    seat->network->n_strangers--;
}

/* One in so many of the strangers are the newest. */
static bool is_new(const tern__seats *seats, const tern__seat *seat) {
    return seats->n_came - seat->nth <= seats->max_strangers / NEWEST;
}

/* Whether this one gives way rather than the other. */
static bool goes_before(const tern__seats *seats, const tern__seat *seat, const tern__seat *other) {
    if (seat->network->n_strangers != other->network->n_strangers)
        return seat->network->n_strangers > other->network->n_strangers;
    if (is_new(seats, seat) != is_new(seats, other)) return is_new(seats, other);
    return *seat->rx_bytes < *other->rx_bytes;
}

tern__seat *tern__seats_victim(tern__seats *seats, uint64_t key) {
    tern__seat *victim = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < OF_NETWORK && n < DRAWS && seats->n_strangers; i++) {
        tern__seat *seat = seats->strangers[tern__rng_below(&seats->rng, seats->n_strangers)];
        if (key && seat->network->key != key) continue;
        n++;
        if (!victim || goes_before(seats, seat, victim)) victim = seat;
    }
    return victim;
}

static bool is_heavier(const tern__seat *seat, const tern__seat *other) {
    if (seat->address->n != other->address->n) return seat->address->n > other->address->n;
    return *seat->rx_at < *other->rx_at;
}

/* Whether a seat is free once somebody has left. */
static bool has_no_more_than_all(const tern__seats *seats) {
    return seats->n <= seats->max && __atomic_load_n(&n_taken, __ATOMIC_RELAXED) <= seats->budget;
}

tern__seat *tern__seats_heaviest(tern__seats *seats, uint64_t key, uint64_t address) {
    const tern__seats_group *own = address ? find_key(seats, address) : NULL;
    tern__seat *heaviest = NULL;
    uint32_t n = 0, n_own = own ? own->n : 0;
    if (!address || !seats->n_placed || !has_no_more_than_all(seats)) return NULL;
    for (uint32_t i = 0; i < OF_NETWORK && n < SILENT_DRAWS; i++) {
        tern__seat *seat = seats->placed[tern__rng_below(&seats->rng, seats->n_placed)];
        if (seat->network->key != key) continue;
        n++;
        if (!heaviest || is_heavier(seat, heaviest)) heaviest = seat;
    }
    return heaviest && heaviest->address->n > n_own + 1 ? heaviest : NULL;
}

/* Seats of a port (seats.h). */
#include "port/seats.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { MOST_RESERVED = 1024 };
enum { DRAWS = 8, OF_NETWORK = 64 /* draws, until one is of a certain network */, NEWEST = 8 };

struct tern__seats_network {
    uint64_t key;
    uint32_t n, n_strangers;
    tern__seats_network *next; /* in its bucket */
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
        for (tern__seats_network *network = seats->networks[i], *next; network; network = next) {
            next = network->next;
            free(network);
        }
    free(seats->strangers);
    __atomic_sub_fetch(&n_taken, seats->n, __ATOMIC_RELAXED);
    *seats = (tern__seats){0};
}

static uint32_t bucket_of_key(const tern__seats *seats, uint64_t key) {
    return (uint32_t)(tern__mix64(key ^ seats->seed) % TERN__SEATS_BUCKETS);
}

static tern__seats_network *find_key(const tern__seats *seats, uint64_t key) {
    tern__seats_network *network = seats->networks[bucket_of_key(seats, key)];
    while (network && network->key != key) network = network->next;
    return network;
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
    const tern__seats_network *network = find_key(seats, key);
    return n_free && (!network || network->n < TERN__SEATS_FLOOR + 2 * (uint64_t)n_free);
}

static tern__seats_network *take_key(tern__seats *seats, uint64_t key) {
    tern__seats_network *network = find_key(seats, key), **head = &seats->networks[bucket_of_key(seats, key)];
    if (network) return network;
    network = malloc(sizeof *network);
    if (!network) return NULL;
    *network = (tern__seats_network){.key = key, .next = *head};
    return *head = network;
}

/* As many strangers as there are seats, so that each may become one. */
static bool has_stranger_room(tern__seats *seats) {
    if (seats->n < seats->room) return true;
    uint32_t room = seats->room ? 2 * seats->room : 16;
    tern__seat **strangers = realloc(seats->strangers, room * sizeof(tern__seat *));
    if (!strangers) return false;
    seats->strangers = strangers;
    seats->room = room;
    return true;
}

bool tern__seats_enter(tern__seats *seats, tern__seat *seat, uint64_t key, const uint64_t *rx_bytes) {
    tern__seats_network *network = has_stranger_room(seats) ? take_key(seats, key) : NULL;
    if (!network) return false;
    network->n++;
    seats->n++;
    __atomic_add_fetch(&n_taken, 1, __ATOMIC_RELAXED);
    *seat = (tern__seat){.network = network, .rx_bytes = rx_bytes, .nth = seats->n_came++};
    if (key) tern__seats_set_stranger(seats, seat, true);
    return true;
}

void tern__seats_leave(tern__seats *seats, tern__seat *seat) {
    tern__seats_network *network = seat->network;
    if (!network) return;
    tern__seats_set_stranger(seats, seat, false);
    seats->n--;
    __atomic_sub_fetch(&n_taken, 1, __ATOMIC_RELAXED);
    seat->network = NULL;
    if (--network->n) return;
    tern__seats_network **at = &seats->networks[bucket_of_key(seats, network->key)];
    while (*at != network) at = &(*at)->next;
    *at = network->next;
    free(network);
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

/* Seats of a port (seats.h). */
#include "port/seats.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { DRAWS = 8, OF_NETWORK = 64 /* draws, until one is of a certain network */ };

struct tern__seats_network {
    uint64_t key;
    uint32_t n, n_strangers;
    tern__seats_network *next; /* in its bucket */
};

void tern__seats_init(tern__seats *seats, uint32_t max, uint32_t max_strangers, uint64_t seed) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < max) max = (uint32_t)files.rlim_cur;
    *seats = (tern__seats){.max = max, .max_strangers = max_strangers, .seed = seed};
    tern__rng_seed(&seats->rng, seed);
}

void tern__seats_fini(tern__seats *seats) {
    for (uint32_t i = 0; i < TERN__SEATS_BUCKETS; i++)
        for (tern__seats_network *network = seats->networks[i], *next; network; network = next) {
            next = network->next;
            free(network);
        }
    free(seats->strangers);
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

bool tern__seats_may_enter(const tern__seats *seats, uint64_t key) {
    if (seats->n >= seats->max) return false;
    const tern__seats_network *network = find_key(seats, key);
    return !key || !network || network->n < TERN__SEATS_FLOOR + 2 * (uint64_t)(seats->max - seats->n);
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
    *seat = (tern__seat){.network = network, .rx_bytes = rx_bytes};
    if (key) tern__seats_set_stranger(seats, seat, true);
    return true;
}

void tern__seats_leave(tern__seats *seats, tern__seat *seat) {
    tern__seats_network *network = seat->network;
    if (!network) return;
    tern__seats_set_stranger(seats, seat, false);
    seats->n--;
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

/* Whether this one gives way rather than the other. */
static bool goes_before(const tern__seat *seat, const tern__seat *other) {
    if (seat->network->n_strangers != other->network->n_strangers)
        return seat->network->n_strangers > other->network->n_strangers;
    return *seat->rx_bytes < *other->rx_bytes;
}

tern__seat *tern__seats_victim(tern__seats *seats, uint64_t key) {
    tern__seat *victim = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < OF_NETWORK && n < DRAWS && seats->n_strangers; i++) {
        tern__seat *seat = seats->strangers[tern__rng_below(&seats->rng, seats->n_strangers)];
        if (key && seat->network->key != key) continue;
        n++;
        if (!victim || goes_before(seat, victim)) victim = seat;
    }
    return victim;
}

/* Places of a port (places.h). */
#include "port/places.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { DRAWS = 8, OF_NETWORK = 64 /* draws, until one is of a certain network */ };

struct tern__places_network {
    uint64_t key;
    uint32_t n, n_strangers;
    tern__places_network *next; /* in its bucket */
};

void tern__places_init(tern__places *places, uint32_t max, uint32_t max_strangers, uint64_t seed) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < max) max = (uint32_t)files.rlim_cur;
    *places = (tern__places){.max = max, .max_strangers = max_strangers, .seed = seed};
    tern__rng_seed(&places->rng, seed);
}

void tern__places_fini(tern__places *places) {
    for (uint32_t i = 0; i < TERN__PLACES_BUCKETS; i++)
        for (tern__places_network *network = places->networks[i], *next; network; network = next) {
            next = network->next;
            free(network);
        }
    free(places->strangers);
    *places = (tern__places){0};
}

static uint32_t bucket_of_key(const tern__places *places, uint64_t key) {
    return (uint32_t)(tern__mix64(key ^ places->seed) % TERN__PLACES_BUCKETS);
}

static tern__places_network *find_key(const tern__places *places, uint64_t key) {
    tern__places_network *network = places->networks[bucket_of_key(places, key)];
    while (network && network->key != key) network = network->next;
    return network;
}

bool tern__places_may_enter(const tern__places *places, uint64_t key) {
    if (places->n >= places->max) return false;
    const tern__places_network *network = find_key(places, key);
    return !key || !network || network->n < TERN__PLACES_FLOOR + 2 * (uint64_t)(places->max - places->n);
}

static tern__places_network *take_key(tern__places *places, uint64_t key) {
    tern__places_network *network = find_key(places, key), **head = &places->networks[bucket_of_key(places, key)];
    if (network) return network;
    network = malloc(sizeof *network);
    if (!network) return NULL;
    *network = (tern__places_network){.key = key, .next = *head};
    return *head = network;
}

/* As many strangers as there are places, so that each may become one. */
static bool has_stranger_room(tern__places *places) {
    if (places->n < places->room) return true;
    uint32_t room = places->room ? 2 * places->room : 16;
    tern__place **strangers = realloc(places->strangers, room * sizeof(tern__place *));
    if (!strangers) return false;
    places->strangers = strangers;
    places->room = room;
    return true;
}

bool tern__places_enter(tern__places *places, tern__place *place, uint64_t key, const uint64_t *rx_bytes) {
    tern__places_network *network = has_stranger_room(places) ? take_key(places, key) : NULL;
    if (!network) return false;
    network->n++;
    places->n++;
    *place = (tern__place){.network = network, .rx_bytes = rx_bytes};
    if (key) tern__places_set_stranger(places, place, true);
    return true;
}

void tern__places_leave(tern__places *places, tern__place *place) {
    tern__places_network *network = place->network;
    if (!network) return;
    tern__places_set_stranger(places, place, false);
    places->n--;
    place->network = NULL;
    if (--network->n) return;
    tern__places_network **at = &places->networks[bucket_of_key(places, network->key)];
    while (*at != network) at = &(*at)->next;
    *at = network->next;
    free(network);
}

void tern__places_set_stranger(tern__places *places, tern__place *place, bool is_stranger) {
    if (!place->network || is_stranger == (place->stranger != 0)) return;
    if (is_stranger) {
        places->strangers[places->n_strangers++] = place;
        place->stranger = places->n_strangers;
        place->network->n_strangers++;
        return;
    }
    tern__place *last = places->strangers[--places->n_strangers];
    places->strangers[place->stranger - 1] = last;
    last->stranger = place->stranger;
    place->stranger = 0;
    place->network->n_strangers--;
}

/* Whether this one gives way rather than the other. */
static bool goes_before(const tern__place *place, const tern__place *other) {
    if (place->network->n_strangers != other->network->n_strangers)
        return place->network->n_strangers > other->network->n_strangers;
    return *place->rx_bytes < *other->rx_bytes;
}

tern__place *tern__places_victim(tern__places *places, uint64_t key) {
    tern__place *victim = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < OF_NETWORK && n < DRAWS && places->n_strangers; i++) {
        tern__place *place = places->strangers[tern__rng_below(&places->rng, places->n_strangers)];
        if (key && place->network->key != key) continue;
        n++;
        if (!victim || goes_before(place, victim)) victim = place;
    }
    return victim;
}

/* Who gets the seats of a port, and who gives way. */
#include <stdlib.h>
#include <sys/resource.h>

#include "tap.h"

#include "port/seats.h"

enum { MAX = 300, STRANGERS = 40, FOE = 7, FRIEND = 8 };

typedef struct guest {
    tern__seat seat;
    uint64_t rx_bytes, rx_at, address;
    bool is_gone;
} guest;

static tern__seats seats;
static guest guests[20000];
static uint32_t n_guests;

static void start(uint32_t max) {
    tern__seats_init(&seats, max, STRANGERS, 5);
    memset(guests, 0, sizeof guests);
    n_guests = 0;
}

static guest *come_from(uint64_t network, uint64_t address) {
    guest *g = &guests[n_guests++];
    tern__guest who = {network, address, .rx_bytes = &g->rx_bytes, .rx_at = &g->rx_at};
    if (!tern__seats_enter(&seats, &g->seat, &who)) abort();
    g->address = address;
    return g;
}

static guest *come(uint64_t network) { return come_from(network, 0); }

static guest *guest_at(tern__seat *seat) { return TERN__CONTAINER(seat, guest, seat); }

static void leave(guest *g) {
    tern__seats_leave(&seats, &g->seat);
    g->is_gone = true;
}

static void leave_all(void) {
    for (uint32_t i = 0; i < n_guests; i++) leave(&guests[i]);
    CHECK_EQ(seats.n, 0);
    CHECK_EQ(seats.n_strangers, 0);
    for (uint32_t i = 0; i < TERN__SEATS_BUCKETS; i++) CHECK(!seats.groups[i]);
    tern__seats_fini(&seats);
}

/* As many as the network may have, all with sessions. */
static uint32_t fill(uint64_t network) {
    uint32_t n = 0;
    for (; tern__seats_may_enter(&seats, network); n++) tern__seats_set_stranger(&seats, &come(network)->seat, false);
    return n;
}

static void enter__one_network_gets_two_thirds(void) {
    start(MAX);
    uint32_t first = fill(FOE), second, third;
    CHECK(first >= MAX * 2 / 3 && first <= MAX * 2 / 3 + TERN__SEATS_FLOOR);
    second = fill(FRIEND);
    CHECK(second >= (MAX - first) * 2 / 3);
    third = fill(FRIEND + 1);
    CHECK(third > 0);
    CHECK(!tern__seats_may_enter(&seats, FOE)); /* nobody takes what others have left, either */
    leave_all();
}

static void enter__never_more_than_there_are(void) {
    start(50);
    for (uint64_t network = 1; network < 100; network++) fill(network);
    CHECK_EQ(seats.n, 50);
    CHECK(!tern__seats_may_enter(&seats, 0)); /* nor by us */
    leave(&guests[3]);
    CHECK(tern__seats_may_enter(&seats, 0) && tern__seats_may_enter(&seats, 1000));
    leave_all();
}

/* A foe connects again and again; a friend takes the time in which twice as many strangers come as there may be. */
static void victim__who_churns_drives_nobody_out(void) {
    enum { ROUNDS = 400 };
    uint32_t n_lost = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        start(MAX);
        guest *friend = NULL;
        for (uint32_t i = 0; i < 4 * STRANGERS; i++) {
            if (seats.n_strangers >= STRANGERS) leave(guest_at(tern__seats_victim(&seats, 0)));
            guest *g = come(i == 2 * STRANGERS ? FRIEND : FOE);
            if (i == 2 * STRANGERS) friend = g;
        }
        n_lost += friend->is_gone;
        leave_all();
    }
    CHECK_EQ(n_lost, 0);
}

/* Both of one network: who has sent more stays, ... */
static void victim__has_sent_the_least(void) {
    start(MAX);
    guest *friend = come(FOE);
    friend->rx_bytes = 8;
    for (uint32_t i = 0; i < 5000; i++) {
        if (seats.n_strangers >= STRANGERS) leave(guest_at(tern__seats_victim(&seats, FOE)));
        come(FOE);
    }
    CHECK(!friend->is_gone);
    leave_all();
}

/* ... and who has sent as little goes when it is drawn, not because it came first: on average after as many others as
 * there may be strangers. */
static void victim__is_not_the_oldest(void) {
    enum { ROUNDS = 400 };
    uint64_t n_survived = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        start(MAX);
        seats.rng.s[0] ^= round;
        guest *friend = come(FOE);
        uint32_t n = 0;
        for (; !friend->is_gone && n < 10 * STRANGERS; n++) {
            if (seats.n_strangers >= STRANGERS) leave(guest_at(tern__seats_victim(&seats, 0)));
            come(FOE);
        }
        n_survived += n > 2 * STRANGERS; /* the oldest would be gone by then */
        leave_all();
    }
    CHECK(n_survived > ROUNDS / 5);
}

static void victim__is_of_the_network_asked_for(void) {
    start(MAX);
    for (uint32_t i = 0; i < 10; i++) come(i % 2 ? FOE : FRIEND);
    for (uint32_t i = 0; i < 100; i++) CHECK(guest_at(tern__seats_victim(&seats, FRIEND)) - guests < 10);
    for (uint32_t i = 0; i < 100; i++) CHECK_EQ((guest_at(tern__seats_victim(&seats, FRIEND)) - guests) % 2, 0);
    for (uint32_t i = 0; i < 10; i++) tern__seats_set_stranger(&seats, &guests[i].seat, false);
    CHECK(!tern__seats_victim(&seats, FRIEND) && !tern__seats_victim(&seats, 0));
    leave_all();
}

/* What a network has at one port, it leaves others at all ports: there is one budget of descriptors. */
static void enter__ports_share_the_descriptors(void) {
    enum { LIMIT = 400, BUDGET = LIMIT * 3 / 4 };
    struct rlimit before, limit;
    tern__seats other;
    uint32_t n_other = 0;
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = LIMIT;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    start(10 * MAX);
    tern__seats_init(&other, 10 * MAX, STRANGERS, 6);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    CHECK_EQ(tern__seats_free(&seats), BUDGET);
    uint32_t first = fill(FOE);
    CHECK(first >= BUDGET * 2 / 3 && first <= BUDGET * 2 / 3 + TERN__SEATS_FLOOR);
    CHECK_EQ(tern__seats_free(&other), BUDGET - first);
    static guest others[BUDGET];
    for (; tern__seats_may_enter(&other, FOE); n_other++)
        CHECK(tern__seats_enter(&other, &others[n_other].seat,
                                &(tern__guest){.network = FOE, .rx_bytes = &others[n_other].rx_bytes}));
    CHECK(n_other >= (BUDGET - first) * 2 / 3 && n_other < BUDGET - first);
    CHECK(tern__seats_may_enter(&other, FRIEND) && tern__seats_may_enter(&seats, FRIEND));
    CHECK(tern__seats_may_enter(&seats, 0)); /* what we dial is the program's own affair */
    while (tern__seats_free(&seats)) come(FRIEND + n_guests);
    CHECK(!tern__seats_may_enter(&other, FRIEND) && tern__seats_may_enter(&other, 0));
    tern__seats_fini(&other); /* with all that sit there */
    CHECK(tern__seats_may_enter(&seats, FRIEND));
    leave_all();
    start(10 * MAX);
    CHECK(tern__seats_free(&seats) > BUDGET || before.rlim_cur <= LIMIT);
    leave_all();
}

/* ---- Addresses ------------------------------------------------------------------------------------ */

enum { HEAVY = 1001, LIGHT, OTHER };

/* A network that is full of one address's, none of them a stranger, and another network with some. */
static uint32_t fill_by_one(void) {
    uint32_t n = 0;
    for (; tern__seats_may_enter(&seats, FOE); n++)
        tern__seats_set_stranger(&seats, &come_from(FOE, HEAVY)->seat, false);
    for (uint32_t i = 0; i < 10; i++) tern__seats_set_stranger(&seats, &come_from(FRIEND, OTHER)->seat, false);
    return n;
}

static uint32_t count_of(uint64_t address) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_guests; i++) n += guests[i].address == address && !guests[i].is_gone;
    return n;
}

/* Seat by seat, up to as many for each; nobody else's. */
static void heaviest__gives_way_to_who_has_few(void) {
    start(MAX);
    uint32_t n = fill_by_one(), n_swaps = 0;
    CHECK(!tern__seats_may_enter(&seats, FOE));
    for (tern__seat *seat; (seat = tern__seats_heaviest(&seats, FOE, LIGHT)); n_swaps++) {
        CHECK_EQ(guest_at(seat)->address, HEAVY);
        leave(guest_at(seat));
        come_from(FOE, LIGHT);
    }
    CHECK(n_swaps >= n / 2 - 1 && n_swaps <= n / 2);
    CHECK_EQ(count_of(LIGHT), n_swaps);
    CHECK_EQ(count_of(HEAVY), n - n_swaps);
    CHECK_EQ(count_of(OTHER), 10);
    CHECK(!tern__seats_heaviest(&seats, FOE, HEAVY));
    CHECK(tern__seats_heaviest(&seats, FOE, LIGHT + 100)); /* a third one may have some of both */
    leave_all();
}

/* Who has brought something lately stays. */
static void heaviest__is_silent(void) {
    start(MAX);
    uint32_t n = fill_by_one();
    for (uint32_t i = 0; i < n_guests; i++) guests[i].rx_at = i;
    for (uint32_t i = 0; i < 100; i++) CHECK(guest_at(tern__seats_heaviest(&seats, FOE, LIGHT))->rx_at < n / 2);
    leave_all();
}

static void heaviest__is_nobody(void) {
    start(MAX);
    CHECK(!tern__seats_heaviest(&seats, FOE, LIGHT));
    fill_by_one();
    CHECK(!tern__seats_heaviest(&seats, FOE, 0));        /* its addresses do not matter */
    CHECK(!tern__seats_heaviest(&seats, FOE + 5, 1234)); /* nobody is there */
    seats.max = seats.n - 1;                             /* no seat for who comes if one goes */
    CHECK(!tern__seats_heaviest(&seats, FOE, LIGHT));
    seats.max = MAX;
    leave_all();
}

TAP_MAIN(TEST(enter__ports_share_the_descriptors), TEST(enter__one_network_gets_two_thirds),
         TEST(enter__never_more_than_there_are), TEST(victim__who_churns_drives_nobody_out),
         TEST(victim__has_sent_the_least), TEST(victim__is_not_the_oldest), TEST(victim__is_of_the_network_asked_for),
         TEST(heaviest__gives_way_to_who_has_few), TEST(heaviest__is_silent), TEST(heaviest__is_nobody))

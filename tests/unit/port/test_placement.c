/* The table of expectations of a link with direct placement. */
#include "port/placement.h"
#include "tap.h"

static tern__placements table;
static uint8_t memory[64][64];

static void start(uint32_t max) { table = (tern__placements){.max = max}; }

static tern__expected expected_of(uint32_t peer, uint32_t message, uint32_t pkt) {
    tern__expected expected = {.message = memory[message],
                               .to = memory[message],
                               .len = 64,
                               .header_bytes = 24,
                               .payload_bytes = 16,
                               .pkt = pkt,
                               .pkt_at = 16,
                               .route.len = 4,
                               .start = {1, 2, (uint8_t)message}};
    tern__store32(expected.route.bytes, peer);
    return expected;
}

static void expect(uint32_t peer, uint32_t message, uint32_t pkt) {
    tern__expected expected = expected_of(peer, message, pkt);
    tern__placements_expect(&table, &expected);
}

static tern__placement *find(uint32_t message, uint32_t pkt) {
    uint8_t header[24] = {1, 2, (uint8_t)message};
    tern__store32(header + 16, pkt);
    return tern__placements_find(&table, header, sizeof header);
}

static uint32_t count_peer(uint32_t peer) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < table.n; i++) n += tern__load32(table.items[i].expected.route.bytes) == peer;
    return n;
}

static void table__finds_the_next_packet_of_each_message(void) {
    start(16);
    for (uint32_t m = 0; m < 5; m++) expect(m % 2, m, 10 + m);
    for (uint32_t m = 0; m < 5; m++) {
        CHECK(find(m, 10 + m) != NULL && find(m, 10 + m)->expected.message == memory[m]);
        CHECK(find(m, 11 + m) == NULL && find(m, 9 + m) == NULL);
    }
    CHECK(find(5, 10) == NULL);
    uint8_t cut[23] = {1, 2, 0};
    tern__store32(cut + 16, 10);
    CHECK(tern__placements_find(&table, cut, sizeof cut) == NULL);
}

static void table__moves_an_expectation(void) {
    start(4);
    expect(1, 3, 1);
    find(3, 1)->trusted = false;
    expect(1, 3, 2);
    CHECK_EQ(table.n, 1);
    CHECK(find(3, 1) == NULL && find(3, 2) != NULL);
    CHECK(!find(3, 2)->trusted); /* what is known of the message stays known, */
    expect(2, 3, 5);
    CHECK_EQ(table.n, 1);
    CHECK(find(3, 5)->trusted); /* but not if it is another peer's */
}

static void table__forgets(void) {
    start(4);
    for (uint32_t m = 0; m < 4; m++) expect(1, m, m);
    tern__placements_forget(&table, memory[1]);
    tern__placements_forget(&table, memory[1]);
    tern__placements_forget(&table, memory[60]);
    CHECK_EQ(table.n, 3);
    CHECK(find(1, 1) == NULL && find(0, 0) && find(2, 2) && find(3, 3));
    expect(1, 9, 9);
    CHECK(table.n == 4 && find(9, 9));
    CHECK_EQ(table.n_replaced, 0);
    for (uint32_t m = 0; m < 10; m++) tern__placements_forget(&table, memory[m]);
    CHECK_EQ(table.n, 0);
}

/* One peer with many messages leaves the others their places, and shares evenly with who comes later. */
static void full__peers_share(void) {
    start(8);
    for (uint32_t m = 0; m < 20; m++) expect(1, m, m);
    CHECK_EQ(table.n, 8);
    CHECK_EQ(table.n_refused, 12);
    for (uint32_t m = 20; m < 26; m++) expect(2, m, m);
    CHECK_EQ(count_peer(1), 4);
    CHECK_EQ(count_peer(2), 4);
    CHECK(!find(0, 0) && !find(3, 3) && find(4, 4)); /* the least recently moved gave way */
    for (uint32_t m = 30; m < 32; m++) expect(3, m, m);
    CHECK_EQ(count_peer(3), 2);
    CHECK_EQ(count_peer(1) + count_peer(2), 6);
    uint64_t n_replaced = table.n_replaced;
    for (uint32_t m = 0; m < 20; m++) expect(1, m, m);
    CHECK_EQ(count_peer(3), 2);
    CHECK_EQ(table.n_replaced, n_replaced);
}

/* More messages than places, each in its turn: those that are there stay, instead of all pushing each other out. */
static void full__turns_do_not_push_out(void) {
    start(4);
    for (uint32_t round = 0; round < 20; round++)
        for (uint32_t m = 0; m < 6; m++) expect(m, m, round);
    for (uint32_t m = 0; m < 4; m++) CHECK(find(m, 19) != NULL);
    CHECK_EQ(table.n_replaced, 0);
}

/* What does not move any more gives way, whoever's it is. */
static void full__the_stale_give_way(void) {
    start(3);
    for (uint32_t m = 0; m < 3; m++) expect(m, m, 0);
    for (uint32_t i = 1; i <= TERN__PLACEMENT_STALE; i++) {
        expect(1, 1, i);
        expect(2, 2, i);
    }
    expect(7, 7, 1);
    CHECK(find(7, 1) && !find(0, 0) && find(1, TERN__PLACEMENT_STALE) && find(2, TERN__PLACEMENT_STALE));
    CHECK_EQ(table.n_replaced, 1);
    CHECK(find(7, 1)->trusted);
}

TAP_MAIN(TEST(table__finds_the_next_packet_of_each_message), TEST(table__moves_an_expectation), TEST(table__forgets),
         TEST(full__peers_share), TEST(full__turns_do_not_push_out), TEST(full__the_stale_give_way))

/* Lending and keeping against a peer that keeps to no rule: odd tickets, segments that go, and references that
 * never come back. */
#include "shm_foe.h"

/* Keeps all spans of what comes, as long as kept. */
static tern__kept *hoard;
static uint32_t n_hoarded;

static void hoard_packets(void *ctx, const tern__rx_packet *packets, uint32_t n) {
    (void)ctx;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < packets[k].n_spans; i++)
            n_hoarded += packets[k].link->ops->rx_keep(packets[k].link, &packets[k], i, &hoard);
}

/* What the victim keeps of a peer with odd tickets: one named twice, one that is none, and what is behind them. */
static void keep__odd_tickets(void) {
    victim_open("tickets");
    CHECK_OK();
    victim.port->link.ops->rx_will_keep(&victim.port->link);
    foe_shows_its_segment();
    CHECK_OK();
    CHECK(foe.view.control->flags & TERN__SHM_KEEPS);
    const uint32_t good = tern__shm_name(SEGMENT, 7), last = tern__shm_name(SEGMENT, TERN__SHM_TICKETS);
    foe_writes((tern__ring_entry[]){{good, GENERATION, 0, 4096},
                                    {good, GENERATION, 4096, 4096},
                                    {last, GENERATION, 8192, 64},
                                    {tern__shm_name(SEGMENT, 0), GENERATION, 0, 64}},
               4);
    n_hoarded = 0;
    for (int i = 0; i < 100; i++) victim.port->ops->poll(victim.port, 64, hoard_packets, NULL);
    CHECK_EQ(n_hoarded, 3);
    CHECK_EQ(foe.view.control->held[6], 1);
    CHECK_EQ(foe.view.control->held[TERN__SHM_TICKETS - 1], 1);
    CHECK(hoard->is_intact(hoard));
    /* It retires the segment, says that all has expired, and goes. */
    memset(foe.channel.control->expired, 1, TERN__SHM_TICKETS);
    CHECK(!hoard->is_intact(hoard));
    CHECK_EQ(foe_says(TERN__SHM_RETIRE, SEGMENT, GENERATION, REGION_BYTES, -1), 0);
    victim_polls(1100);
    foe_leave();
    victim_polls(1100);
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    end_close(&victim);
    CHECK(!hoard->is_intact(hoard)); /* still there to be looked at */
    hoard->let_go(hoard);
    hoard = NULL;
}

static void keep__ticket_beyond_all_ends_the_route(void) {
    victim_open("beyond");
    CHECK_OK();
    victim.port->link.ops->rx_will_keep(&victim.port->link);
    foe_shows_its_segment();
    CHECK_OK();
    foe_writes((tern__ring_entry[]){{tern__shm_name(SEGMENT, TERN__SHM_TICKETS + 1), GENERATION, 0, 64}}, 1);
    victim_polls(1100);
    CHECK_EQ(end_stats(&victim)->rx_malformed, 1);
    foe_leave();
    end_close(&victim);
}

/* What is kept together lies in one connection's channels: a piece that comes over another is not added. */
static void keep__of_two_connections_is_apart(void) {
    victim_open("apart");
    CHECK_OK();
    victim.port->link.ops->rx_will_keep(&victim.port->link);
    n_hoarded = 0;
    for (unsigned i = 0; i < 2; i++) {
        foe_shows_its_segment();
        CHECK_OK();
        foe_writes((tern__ring_entry[]){{tern__shm_name(SEGMENT, 7), GENERATION, 0, 4096}}, 1);
        uint64_t received = end_stats(&victim)->rx_packets;
        for (int k = 0; k < 100; k++) victim.port->ops->poll(victim.port, 64, hoard_packets, NULL);
        CHECK_EQ(end_stats(&victim)->rx_packets, received + 1);
        CHECK_EQ(n_hoarded, 1);
        foe_leave();
        victim_polls(1100);
    }
    hoard->let_go(hoard);
    hoard = NULL;
    end_close(&victim);
}

/* A peer that says of every ticket that it keeps it, for ever, and counts all the time what it has let go of: it has so
 * many bytes, for so long, and then nothing. */
static void lend__to_who_never_lets_go(void) {
    enum { BYTES = 100000, BOUND = 10 };
    NEEDS_SHARED_POOL();
    victim_open("hoarder");
    CHECK_OK();
    tern__shm_port *port = (tern__shm_port *)(void *)victim.port;
    port->lend_bytes = BOUND * BYTES;
    port->lend_time = 50 * TERN_MS;
    foe_comes_up();
    CHECK_OK();
    foe.channel.control->flags |= TERN__SHM_TAKES_REFS | TERN__SHM_KEEPS;
    memset(foe.channel.control->held, 1, TERN__SHM_TICKETS);
    foe_writes(NULL, 0); /* so that the victim knows the route */
    victim_polls(100);
    CHECK_EQ(victim.n, 1);
    tern__link *link = &victim.port->link;
    link->ops->use(link, &victim.route, true);
    uint64_t before = live_buffers();
    uint8_t *value = tern_alloc(BYTES);
    for (int i = 0; i < 3 * BOUND; i++) {
        CHECK(tern__tx_one(link, &victim.route, 32, 4));
        CHECK_EQ(link->ops->tx_add(link, 0, value, BYTES), 0);
        link->ops->tx_commit(link, 1);
        foe.channel.control->consumed = port->active[0]->tx.tail;
        foe.channel.control->let_go += 5;
        victim_polls(3);
    }
    CHECK_EQ(end_stats(&victim)->tx_lent, BOUND);
    CHECK_EQ(tern_refcount(value), 1 + BOUND);
    for (int i = 0; i < 200 && tern_refcount(value) > 1; i++) {
        usleep(20000);
        victim_polls(1100);
    }
    CHECK_EQ(tern_refcount(value), 1);
    CHECK_EQ(end_stats(&victim)->tx_expired, BOUND);
    uint32_t n_expired = 0;
    for (uint32_t i = 0; i < TERN__SHM_TICKETS; i++) n_expired += foe.view.control->expired[i];
    CHECK_EQ(n_expired, BOUND);
    /* Those tickets are the peer's until it lets go; others it may have. */
    CHECK(tern__tx_one(link, &victim.route, 32, 4));
    CHECK_EQ(link->ops->tx_add(link, 0, value, BYTES), 0);
    link->ops->tx_commit(link, 1);
    CHECK_EQ(port->active[0]->lending.bytes, BYTES);
    CHECK_EQ(port->active[0]->n_lent, BOUND);
    memset(foe.channel.control->held, 0, TERN__SHM_TICKETS);
    foe.channel.control->consumed = port->active[0]->tx.tail;
    foe.channel.control->let_go += 1;
    victim_polls(100);
    CHECK_EQ(port->active[0]->n_lent, 0);
    CHECK_EQ(port->active[0]->lending.bytes, 0);
    CHECK_EQ(port->n_timed, 0);
    foe_leave();
    victim_polls(1100);
    tern_unref(value);
    CHECK(live_buffers() <= before);
    end_close(&victim);
}

TAP_MAIN(TEST(keep__odd_tickets), TEST(keep__ticket_beyond_all_ends_the_route), TEST(keep__of_two_connections_is_apart),
         TEST(lend__to_who_never_lets_go))

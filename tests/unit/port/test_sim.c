/* The simulator against its own contract: what the clock shows when a packet arrives, which packets do not, and
 * that a seed is all there is to it. */
#include "packets.h"
#include "port/sim.h"

#include "tap.h"

enum { MAX_GOT = 4096 };

struct got {
    tern_time at;
    uint32_t len, head_len, n_spans, src, number;
    bool marked;
};

struct net {
    tern__sim *sim;
    tern__port *ports[4];
    struct got got[MAX_GOT];
    unsigned n_got, n_lost_routes;
    uint32_t lost_route;
    unsigned n_got_at_loss;
};

static struct net net;

static void on_lost(void *ctx, tern__link *link, const tern__route *route) {
    (void)ctx;
    (void)link;
    net.n_lost_routes++;
    net.n_got_at_loss = net.n_got;
    net.lost_route = tern__load32(route->bytes);
}

static void on_one(void *ctx, const tern__rx_packet *pkt) {
    (void)ctx;
    if (net.n_got == MAX_GOT) return;
    net.got[net.n_got++] =
        (struct got){tern__sim_now(net.sim),         pkt->head_len + pkt->spans_len, pkt->head_len, pkt->n_spans,
                     tern__load32(pkt->route.bytes), tern__load32(pkt->head),        pkt->ecn_ce};
}
EACH_PACKET(on_packets, on_one)

static void open_node(uint32_t node) {
    tern__port_env env = {.route_lost = on_lost};
    if (tern__sim_port_new(net.sim, node, &env, &net.ports[node]) != 0) abort();
}

static void open_net(uint64_t seed, const tern__sim_config *config) {
    memset(&net, 0, sizeof net);
    if (tern__sim_new(seed, config, &net.sim) != 0) abort();
    for (uint32_t i = 0; i < config->n_nodes; i++) open_node(i);
}

static void close_net(void) {
    for (unsigned i = 0; i < 4; i++)
        if (net.ports[i]) net.ports[i]->ops->free(net.ports[i]);
    tern__sim_free(net.sim);
}

static bool begin(uint32_t src, uint32_t dst, uint32_t number, uint32_t len) {
    tern__link *link = &net.ports[src]->link;
    tern__route route = tern__sim_route(dst);
    uint8_t *p = tern__tx_one(link, &route, len, TERN__TX_MANY);
    if (!p) return false;
    memset(p, 0x5a, len);
    tern__store32(p, number);
    return true;
}

static bool send_packet(uint32_t src, uint32_t dst, uint32_t number, uint32_t len) {
    tern__link *link = &net.ports[src]->link;
    if (!begin(src, dst, number, len)) return false;
    link->ops->tx_commit(link, 1);
    link->ops->tx_flush(link);
    return true;
}

static void run(tern_time until) {
    uint32_t node;
    while (tern__sim_step(net.sim, until, &node))
        if (node != UINT32_MAX) net.ports[node]->ops->poll(net.ports[node], 64, on_packets, NULL);
    tern__sim_advance(net.sim, until);
}

static tern__sim_config base_config(void) {
    return (tern__sim_config){.n_nodes = 2, .path = {.delay = 1000}, .max_packet = 1024, .threshold = 512};
}

static tern__sim_stats stats(void) {
    tern__sim_stats s;
    tern__sim_get_stats(net.sim, &s);
    return s;
}

static const tern_time START = (tern_time)TERN_SEC;

static void delay__is_propagation_plus_both_serializations(void) {
    tern__sim_config config = base_config();
    config.uplink.rate_bps = 8000000000;   /* 1 ns per byte */
    config.downlink.rate_bps = 4000000000; /* 2 ns per byte */
    open_net(1, &config);
    send_packet(0, 1, 7, 100);
    send_packet(0, 1, 8, 100);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 2);
    CHECK_EQ(net.got[0].at - START, 100 + 1000 + 200);
    CHECK_EQ(net.got[1].at - START, 100 + 1000 + 400);
    CHECK_EQ(net.got[0].number, 7);
    CHECK_EQ(net.got[0].len, 100);
    CHECK_EQ(net.got[0].src, 0);
    CHECK_EQ(tern__sim_now(net.sim) - START, 1000000);
    CHECK_EQ(tern__sim_next(net.sim) == UINT64_MAX, true);
    close_net();
}

static void rate__rounding_does_not_add_up(void) {
    tern__sim_config config = base_config();
    config.uplink.rate_bps = 100000000000; /* 64 B take 5.12 ns */
    open_net(1, &config);
    for (unsigned i = 0; i < 1000; i++) send_packet(0, 1, i, 64);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 1000);
    CHECK_EQ(net.got[999].at - START, 5120 + 1000);
    close_net();
}

static void queue__drops_at_its_tail(void) {
    tern__sim_config config = base_config();
    config.uplink = (tern__sim_nic){8000000000, 1000};
    open_net(1, &config);
    for (unsigned i = 0; i < 12; i++) send_packet(0, 1, i, 100);
    run(START + 550); /* five packets are out */
    for (unsigned i = 12; i < 20; i++) send_packet(0, 1, i, 100);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 15);
    CHECK_EQ(net.got[9].number, 9);
    CHECK_EQ(net.got[10].number, 12);
    CHECK_EQ(stats().queue_drops, 5);
    close_net();
}

static void queue__of_a_downlink_is_where_senders_meet(void) {
    tern__sim_config config = base_config();
    config.n_nodes = 4;
    config.uplink.rate_bps = config.downlink.rate_bps = 8000000000;
    config.downlink.queue_bytes = 1000;
    open_net(1, &config);
    for (unsigned i = 0; i < 10; i++)
        for (uint32_t src = 1; src < 4; src++) send_packet(src, 0, i, 100);
    run(START + 1000000);
    /* 30 arrive in 1000 ns while 10 leave, and the queue holds 10. */
    CHECK(net.n_got >= 18 && net.n_got <= 20);
    CHECK_EQ(stats().queue_drops + net.n_got, 30);
    close_net();
}

/* One queue may be as long as what is left of the switch's buffer; and so the next one finds room. */
static void queue__of_a_switch_is_shared(void) {
    tern__sim_config config = base_config();
    config.n_nodes = 3;
    config.downlink.rate_bps = 8000000000;
    config.switch_buffer_bytes = 3000;
    open_net(1, &config);
    for (unsigned i = 0; i < 40; i++) send_packet(0, 1, i, 100);
    for (unsigned i = 40; i < 60; i++) send_packet(0, 2, i, 100);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 15 + 8); /* 1500 bytes of 3000, then 800 of the other 1500 */
    CHECK_EQ(stats().queue_drops, 25 + 12);
    CHECK_EQ(stats().switch_peak, 2300);
    send_packet(0, 1, 60, 100);
    run(START + 2000000);
    CHECK_EQ(net.n_got, 24);
    close_net();
}

/* From the tenth on a thousand bytes wait: those are marked that say that they may be, unless the path unsays it. */
static void ecn__marks_from_a_length_of_the_queue_on(void) {
    for (int bleached = 0; bleached < 2; bleached++) {
        tern__sim_config config = base_config();
        config.downlink.rate_bps = 8000000000;
        config.path.bleach = bleached;
        config.ecn = true;
        config.mark_bytes = 999;
        open_net(1, &config);
        for (unsigned i = 0; i < 20; i++) send_packet(0, 1, i, 100);
        net.ports[0]->link.ecn = false;
        for (unsigned i = 20; i < 25; i++) send_packet(0, 1, i, 100);
        run(START + 1000000);
        CHECK_EQ(net.n_got, 25);
        CHECK_EQ(stats().marked, bleached ? 0 : 10);
        for (unsigned i = 0; i < 25; i++) CHECK_EQ(net.got[i].marked, !bleached && i >= 10 && i < 20);
        close_net();
    }
}

static void loss__is_as_frequent_as_asked(void) {
    tern__sim_config config = base_config();
    config.path.loss = 0.3;
    config.path.duplicate = 0.1;
    open_net(5, &config);
    for (unsigned i = 0; i < 4000; i++) send_packet(0, 1, i, 64);
    run(START + 1000000);
    CHECK(stats().lost > 1100 && stats().lost < 1300);
    CHECK(stats().duplicated > 230 && stats().duplicated < 330);
    CHECK_EQ(net.n_got, 4000 - stats().lost + stats().duplicated);
    close_net();
}

static void reorder__delays_some_and_only_some(void) {
    tern__sim_config config = base_config();
    config.uplink.rate_bps = 8000000000;
    config.path.reorder = 0.2;
    config.path.reorder_delay = 5000;
    open_net(5, &config);
    for (unsigned i = 0; i < 1000; i++) send_packet(0, 1, i, 64);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 1000);
    unsigned n_back = 0;
    for (unsigned i = 1; i < 1000; i++) n_back += net.got[i].number < net.got[i - 1].number;
    CHECK(n_back > 100 && n_back < 250);
    CHECK(stats().reordered > 150 && stats().reordered < 250);
    close_net();
}

static uint64_t hash_of_run(uint64_t seed) {
    tern__sim_config config = base_config();
    config.path = (tern__sim_path){.delay = 1000, .loss = 0.2, .duplicate = 0.1, .reorder = 0.1, .reorder_delay = 9000};
    open_net(seed, &config);
    for (unsigned i = 0; i < 500; i++) {
        send_packet(i & 1, ~i & 1, i, 64 + i);
        run(tern__sim_now(net.sim) + 100);
    }
    run(START + 1000000);
    uint64_t hash = tern__sim_hash(net.sim);
    close_net();
    return hash;
}

static void seed__decides_everything(void) {
    CHECK(hash_of_run(1) == hash_of_run(1));
    CHECK(hash_of_run(1) != hash_of_run(2));
}

static void inplace__is_read_at_flush_or_at_departure(void) {
    for (int holds = 0; holds < 2; holds++) {
        tern__sim_config config = base_config();
        config.holds_refs = holds;
        config.uplink.rate_bps = 8000000000;
        open_net(1, &config);
        uint8_t *value = tern_alloc(600);
        memset(value, 0x11, 600);
        tern__link *link = &net.ports[0]->link;
        CHECK(begin(0, 1, 1, 24));
        CHECK_EQ(link->ops->tx_add(link, 0, value, 600), 0);
        link->ops->tx_commit(link, 1);
        CHECK_EQ(tern_refcount(value), holds ? 2 : 1);
        link->ops->tx_flush(link);
        value[599] = 0x22; /* after the flush: too early only for a link that still holds its reference */
        run(START + 623);
        CHECK_EQ(tern_refcount(value), holds ? 2 : 1);
        run(START + 624);
        CHECK_EQ(tern_refcount(value), 1);
        run(START + 1000000);
        CHECK_EQ(net.n_got, 1);
        CHECK_EQ(net.got[0].len, 624);
        CHECK_EQ(stats().misuse, holds);
        CHECK_EQ(stats().inplace_pieces, 1);
        tern_unref(value);
        close_net();
    }
}

static void misuse__is_counted(void) {
    tern__sim_config config = base_config();
    open_net(1, &config);
    tern__link *link = &net.ports[0]->link;
    tern__route nowhere = tern__sim_route(9);
    CHECK(tern__tx_one(link, &nowhere, 24, TERN__TX_MANY) == NULL);
    CHECK(!begin(0, 1, 1, 1025));
    CHECK(begin(0, 1, 1, 1024));
    CHECK(!begin(0, 1, 1, 24));
    CHECK_EQ(link->ops->tx_add(link, 0, "x", 1), TERN_ERR_INVALID); /* beyond max_packet */
    link->ops->tx_commit(link, 0);
    CHECK_EQ(stats().misuse, 4);
    CHECK(begin(0, 1, 1, 24));
    uint8_t *dead = tern_alloc(64);
    tern_unref(dead);
    CHECK_EQ(link->ops->tx_add(link, 0, dead, 64), TERN_ERR_INVALID);
    link->ops->tx_commit(link, 0);
    CHECK_EQ(stats().misuse, 4);
    run(START + 1000000);
    CHECK_EQ(net.n_got, 0);
    close_net();
}

static void node_down__swallows_packets(void) {
    tern__sim_config config = base_config();
    open_net(1, &config);
    send_packet(0, 1, 1, 64);
    send_packet(1, 0, 2, 64);
    tern__sim_node_down(net.sim, 1);
    run(START + 5000);
    CHECK_EQ(net.n_got, 0); /* packet 1 found nobody, packet 2 had not left */
    CHECK(send_packet(1, 0, 3, 64));
    net.ports[1]->ops->free(net.ports[1]);
    open_node(1);
    send_packet(0, 1, 4, 64);
    run(START + 10000);
    CHECK_EQ(net.n_got, 1);
    CHECK_EQ(net.got[0].number, 4);
    CHECK_EQ(stats().unreachable, 3);
    close_net();
}

static void cut__stops_packets_until_mended(void) {
    tern__sim_config config = base_config();
    open_net(1, &config);
    CHECK_EQ(tern__sim_cut(net.sim, 0, 1, true), 0);
    send_packet(0, 1, 1, 64);
    send_packet(1, 0, 2, 64);
    run(START + 5000);
    CHECK_EQ(net.n_got, 0);
    CHECK_EQ(tern__sim_cut(net.sim, 0, 1, false), 0);
    send_packet(0, 1, 3, 64);
    run(START + 10000);
    CHECK_EQ(net.n_got, 1);
    CHECK_EQ(net.n_lost_routes, 0);
    close_net();
}

static void reliable__delivers_all_in_order_with_spans(void) {
    tern__sim_config config = base_config();
    config.reliable = config.spans = true;
    config.path.loss = config.path.duplicate = config.path.reorder = 0.5;
    config.ring_packets = 8;
    open_net(1, &config);
    CHECK(net.ports[0]->link.reliable && net.ports[0]->link.holds_refs);
    uint8_t *value = tern_alloc(512);
    memset(value, 3, 512);
    tern__link *link = &net.ports[0]->link;
    for (unsigned i = 0; i < 8; i++) {
        CHECK(begin(0, 1, i, 24));
        CHECK_EQ(link->ops->tx_add(link, 0, value, 512), 0);
        link->ops->tx_commit(link, 1);
    }
    CHECK(!begin(0, 1, 8, 24));
    link->ops->tx_flush(link);
    CHECK_EQ(stats().ring_full, 1);
    CHECK_EQ(tern_refcount(value), 9);
    run(START + 5000);
    CHECK_EQ(net.n_got, 8);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQ(net.got[i].number, i);
        CHECK_EQ(net.got[i].n_spans, 1);
        CHECK_EQ(net.got[i].head_len, 24);
    }
    CHECK_EQ(tern_refcount(value), 1);
    CHECK_EQ(stats().misuse, 0);
    tern_unref(value);
    CHECK(send_packet(0, 1, 8, 24));
    close_net();
}

static void reliable__a_death_is_told_once_and_after_it_nothing_old_arrives(void) {
    tern__sim_config config = base_config();
    config.n_nodes = 3;
    config.reliable = true;
    open_net(1, &config);
    CHECK(send_packet(0, 1, 1, 64));
    run(START + 2000);
    CHECK(send_packet(0, 1, 2, 64));
    CHECK(send_packet(1, 0, 3, 64));
    tern__sim_node_down(net.sim, 1);
    CHECK(!send_packet(0, 1, 4, 64));
    net.ports[1]->ops->free(net.ports[1]);
    open_node(1);
    CHECK(!send_packet(0, 1, 5, 64)); /* not before it has seen the loss */
    run(START + 4000);
    CHECK_EQ(net.n_got, 1);
    CHECK_EQ(net.n_lost_routes, 1);
    CHECK_EQ(net.lost_route, 1);
    CHECK(send_packet(0, 1, 6, 64));
    run(START + 8000);
    CHECK_EQ(net.n_got, 2);
    CHECK_EQ(net.got[1].number, 6);
    close_net();
}

static void reliable__a_cut_is_told_to_both(void) {
    tern__sim_config config = base_config();
    config.reliable = true;
    open_net(1, &config);
    CHECK(send_packet(0, 1, 1, 64));
    CHECK_EQ(tern__sim_cut(net.sim, 0, 1, true), 0);
    run(START + 4000);
    CHECK_EQ(net.n_got, 0);
    CHECK_EQ(net.n_lost_routes, 2);
    CHECK(!send_packet(0, 1, 2, 64));
    CHECK_EQ(tern__sim_cut(net.sim, 0, 1, false), 0);
    CHECK(send_packet(0, 1, 3, 64));
    run(START + 8000);
    CHECK_EQ(net.n_got, 1);
    close_net();
}

static void reliable__a_port_that_is_freed_sends_what_it_flushed_first(void) {
    tern__sim_config config = base_config();
    config.reliable = true;
    config.path.delay = 0;
    open_net(1, &config);
    CHECK(send_packet(0, 1, 1, 64));
    tern__sim_advance(net.sim, START);
    net.ports[0]->ops->free(net.ports[0]);
    net.ports[0] = NULL;
    run(START + 4000);
    CHECK_EQ(net.n_got, 1);
    CHECK_EQ(net.n_lost_routes, 1);
    CHECK_EQ(net.n_got_at_loss, 1);
    close_net();
}

static bool drop_odd(void *ctx, const tern__sim_seen *seen) {
    ++*(unsigned *)ctx;
    return tern__load32(seen->head) & 1;
}

static void drop_if__chooses_packets(void) {
    tern__sim_config config = base_config();
    unsigned n_asked = 0;
    open_net(1, &config);
    tern__sim_drop_if(net.sim, drop_odd, &n_asked);
    for (unsigned i = 0; i < 10; i++) send_packet(0, 1, i, 64);
    run(START + 5000);
    CHECK_EQ(n_asked, 10);
    CHECK_EQ(net.n_got, 5);
    CHECK_EQ(net.got[4].number, 8);
    close_net();
}

static void addresses__are_node_numbers(void) {
    tern__sim_config config = base_config();
    open_net(1, &config);
    tern__port *port = net.ports[0], *second;
    tern__port_env env = {0};
    tern__route route, one = tern__sim_route(1);
    char url[16];
    CHECK_EQ(port->ops->connect(port, "1", &route), 0);
    CHECK(tern__route_eq(&route, &one));
    static const char *const bad[] = {"", "2", "x", "1x", "-1", "4294967297", "99999999999"};
    for (unsigned i = 0; i < TERN__COUNT(bad); i++)
        CHECK_EQ(port->ops->connect(port, bad[i], &route), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->listen(port, "", url, sizeof url), 0);
    CHECK(strcmp(url, "sim://0") == 0);
    CHECK_EQ(port->ops->listen(port, "", url, 3), TERN_ERR_ADDRESS);
    CHECK_EQ(tern__sim_port_new(net.sim, 0, &env, &second), TERN_ERR_EXISTS);
    CHECK_EQ(tern__sim_port_new(net.sim, 2, &env, &second), TERN_ERR_INVALID);
    close_net();
}

TAP_MAIN(TEST(delay__is_propagation_plus_both_serializations), TEST(rate__rounding_does_not_add_up),
         TEST(queue__drops_at_its_tail), TEST(queue__of_a_downlink_is_where_senders_meet),
         TEST(queue__of_a_switch_is_shared), TEST(ecn__marks_from_a_length_of_the_queue_on),
         TEST(loss__is_as_frequent_as_asked), TEST(reorder__delays_some_and_only_some), TEST(seed__decides_everything),
         TEST(inplace__is_read_at_flush_or_at_departure), TEST(misuse__is_counted), TEST(node_down__swallows_packets),
         TEST(cut__stops_packets_until_mended), TEST(reliable__delivers_all_in_order_with_spans),
         TEST(reliable__a_death_is_told_once_and_after_it_nothing_old_arrives), TEST(reliable__a_cut_is_told_to_both),
         TEST(reliable__a_port_that_is_freed_sends_what_it_flushed_first), TEST(drop_if__chooses_packets),
         TEST(addresses__are_node_numbers))

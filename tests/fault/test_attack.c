/* A live server and a live client on real UDP sockets, and somebody else on the network who may send whatever he wants
 * from whatever address, sees everything but the tags, and means ill: noise, headers that could be right, sessions
 * guessed right, packets of every type in either direction's name, forged RETRYs and ICMP errors, replayed handshakes,
 * floods of CONNECTs. The client's calls go on as if nothing were, the counters show it, and nothing stays behind.
 *
 * Forging addresses needs root (raw sockets); skipped otherwise. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "setup_packet.h"
#include "tap.h"
#include "tern/rpc.h"

enum { ECHO = 1, MAX_BYTES = 1400, N_RANDOM = 30000, N_FORGED = 30000 };

static struct scene {
    tern_endpoint *server, *client;
    tern_session *session, *to_nobody;
    int silent; /* the socket of nobody */
    tern__rng rng;
    struct sockaddr_in server_at, client_at; /* the client's as seen on the wire */
    uint32_t server_number, client_number;   /* of the session, as seen on the wire; any number may be one */
    bool saw_server, saw_client;
    int raw, sniffer;
    unsigned n_done, n_ok, n_lost, n_served;
    bool calling;
    double worst_ms, called_at;
} sc;

static double clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static uint32_t below(uint32_t n) { return (uint32_t)tern__rng_below(&sc.rng, n); }

/* ---- The two that are attacked -------------------------------------------------------------------- */

static void echo(tern_call call, const void *msg, void *user) {
    (void)user;
    sc.n_served++;
    tern_reply_raw(call, *(const tern_bytes *)msg);
}

static void on_done(void *user, int status, const void *msg) {
    (void)user;
    sc.calling = false;
    sc.n_done++;
    sc.n_ok += status == TERN_STATUS_OK && ((const tern_bytes *)msg)->len == 100;
    double ms = clock_ms() - sc.called_at;
    if (ms > sc.worst_ms) sc.worst_ms = ms;
}

static void on_event(tern_session *session, tern_session_event event, tern_status why, void *user) {
    (void)session, (void)why, (void)user;
    sc.n_lost += event != TERN_EVENT_UP;
}

/* One call after the other, whatever happens besides. */
static void turn(void) {
    static const uint8_t bytes[100];
    if (!sc.calling) {
        sc.called_at = clock_ms();
        sc.calling =
            tern_call_start_raw(sc.session, ECHO, tern_bytes_of(bytes, sizeof bytes), NULL, on_done, NULL) == 0;
    }
    tern_poll(sc.server);
    tern_poll(sc.client);
}

static tern_endpoint_stats stats_of(const tern_endpoint *ep) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(ep, &stats);
    return stats;
}

/* ---- The attacker's tools ------------------------------------------------------------------------- */

static void send_as(const struct sockaddr_in *from, const struct sockaddr_in *to, const void *data, size_t len) {
    uint8_t packet[sizeof(struct iphdr) + sizeof(struct udphdr) + MAX_BYTES];
    struct iphdr ip = {.version = 4,
                       .ihl = 5,
                       .ttl = 64,
                       .protocol = IPPROTO_UDP,
                       .saddr = from->sin_addr.s_addr,
                       .daddr = to->sin_addr.s_addr};
    struct udphdr udp = {.source = from->sin_port, .dest = to->sin_port, .len = htons((uint16_t)(sizeof udp + len))};
    size_t n = sizeof ip + sizeof udp + len;
    ip.tot_len = htons((uint16_t)n);
    memcpy(packet, &ip, sizeof ip);
    memcpy(packet + sizeof ip, &udp, sizeof udp);
    memcpy(packet + sizeof ip + sizeof udp, data, len);
    if (sendto(sc.raw, packet, n, 0, (const struct sockaddr *)to, sizeof *to) < 0) return; /* as a network drops */
}

/* An ICMP error to the client, as if its last packet had been to `whom` and had met this fate. */
static void send_unreachable(uint8_t code, const struct sockaddr_in *whom) {
    uint8_t packet[sizeof(struct iphdr) + sizeof(struct icmphdr) + sizeof(struct iphdr) + sizeof(struct udphdr)] = {0};
    struct iphdr ip = {.version = 4,
                       .ihl = 5,
                       .ttl = 64,
                       .protocol = IPPROTO_ICMP,
                       .saddr = sc.server_at.sin_addr.s_addr,
                       .daddr = sc.client_at.sin_addr.s_addr,
                       .tot_len = htons(sizeof packet)};
    struct icmphdr icmp = {.type = ICMP_DEST_UNREACH, .code = code};
    struct iphdr of = {.version = 4,
                       .ihl = 5,
                       .ttl = 64,
                       .protocol = IPPROTO_UDP,
                       .saddr = sc.client_at.sin_addr.s_addr,
                       .daddr = whom->sin_addr.s_addr,
                       .tot_len = htons(sizeof ip + sizeof(struct udphdr) + 32)};
    struct udphdr udp = {.source = sc.client_at.sin_port, .dest = whom->sin_port, .len = htons(sizeof udp + 32)};
    uint8_t *p = packet + sizeof ip;
    memcpy(packet, &ip, sizeof ip);
    memcpy(p, &icmp, sizeof icmp);
    memcpy(p + sizeof icmp, &of, sizeof of);
    memcpy(p + sizeof icmp + sizeof of, &udp, sizeof udp);
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof packet - sizeof ip; i += 2) sum += (uint32_t)p[i] << 8 | p[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    icmp.checksum = htons((uint16_t) ~((sum & 0xffff) + (sum >> 16)));
    memcpy(p, &icmp, sizeof icmp);
    if (sendto(sc.raw, packet, sizeof packet, 0, (const struct sockaddr *)&sc.client_at, sizeof sc.client_at) < 0)
        return;
}

/* What goes over the wire: who the client is, and the session's numbers. */
static void sniff(void) {
    uint8_t packet[4096];
    ssize_t n;
    while ((n = recv(sc.sniffer, packet, sizeof packet, MSG_DONTWAIT)) > 0) {
        size_t at = (size_t)(packet[0] & 15) * 4;
        struct iphdr ip;
        struct udphdr udp;
        tern__pkt_header h;
        if ((size_t)n < at + sizeof udp) continue;
        memcpy(&ip, packet, sizeof ip);
        memcpy(&udp, packet + at, sizeof udp);
        size_t len = (size_t)n - at - sizeof udp;
        if (!tern__pkt_read(&h, packet + at + sizeof udp, len, len)) continue;
        bool request = h.type == TERN__PKT_REQ && udp.dest == sc.server_at.sin_port;
        if (request) {
            sc.client_at = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = udp.source, .sin_addr = {ip.saddr}};
            sc.server_number = h.session;
            sc.saw_server = true;
        } else if (h.type == TERN__PKT_RESP && udp.source == sc.server_at.sin_port) {
            sc.client_number = h.session;
            sc.saw_client = true;
        }
    }
}

/* The client's first peer, which has a socket of its own; then the server's is one for any number of peers. */
static void connect_first_to_nobody(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof at;
    char address[64];
    sc.silent = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(sc.silent, (const struct sockaddr *)&at, sizeof at) ||
        getsockname(sc.silent, (struct sockaddr *)&at, &len))
        abort();
    snprintf(address, sizeof address, "udp://127.0.0.1:%d", ntohs(at.sin_port));
    if (tern_connect(sc.client, address, &sc.to_nobody)) abort();
}

static bool open_scene(bool shared) {
    tern_endpoint_config config;
    memset(&sc, 0, sizeof sc);
    tern__rng_seed(&sc.rng, 5);
    tern_endpoint_config_init(&config);
    sc.raw = socket(AF_INET, SOCK_RAW, IPPROTO_RAW);
    sc.sniffer = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
    if (sc.raw < 0 || sc.sniffer < 0) return false;
    if (tern_endpoint_new(&config, &sc.server) || tern_serve_raw(sc.server, ECHO, echo, NULL) ||
        tern_listen(sc.server, "udp://127.0.0.1:0") || tern_endpoint_new(&config, &sc.client))
        abort();
    const char *address = tern_listen_address(sc.server, 0);
    sc.server_at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sc.server_at.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    if (shared) connect_first_to_nobody();
    if (tern_connect(sc.client, address, &sc.session)) abort();
    if (shared) tern_session_close(sc.to_nobody);
    tern_session_on_event(sc.session, on_event, NULL);
    while (!sc.saw_client || !sc.saw_server) turn(), sniff();
    return true;
}

static void close_scene(void) {
    tern_endpoint_free(sc.client);
    tern_endpoint_free(sc.server);
    close(sc.raw);
    close(sc.sniffer);
    if (sc.to_nobody) close(sc.silent);
}

/* Nothing has come of it: calls go through, one after the other, and no session has come or gone. */
static void check_unharmed(unsigned n_done, double worst_ms) {
    unsigned n_before = sc.n_done;
    for (double end = clock_ms() + 10000; sc.n_done < n_before + 100 && clock_ms() < end;) turn();
    CHECK(sc.n_done >= n_before + 100);
    CHECK(n_before >= n_done);
    CHECK_EQ(sc.n_ok, sc.n_done);
    CHECK_EQ(sc.n_lost, 0);
    CHECK(sc.n_served <= sc.n_done + 1);
    CHECK_EQ(stats_of(sc.client).sessions_open, 1);
    CHECK_EQ(stats_of(sc.server).sessions_open, 1);
    printf("# %u calls, the slowest %.1f ms; server: %llu dropped, %llu forged; client: %llu, %llu\n", sc.n_done,
           sc.worst_ms, (unsigned long long)stats_of(sc.server).rx_dropped,
           (unsigned long long)stats_of(sc.server).rx_forged, (unsigned long long)stats_of(sc.client).rx_dropped,
           (unsigned long long)stats_of(sc.client).rx_forged);
    CHECK(sc.worst_ms < worst_ms);
}

#define OPEN_SCENE() OPEN_SCENE_OF(false)
#define OPEN_SCENE_OF(shared)                                                                                          \
    tern_mem_stats before_, after_;                                                                                    \
    tern_mem_get_stats(&before_);                                                                                      \
    if (!open_scene(shared)) SKIP("needs root, for raw sockets")

#define CLOSE_SCENE()                                                                                                  \
    do {                                                                                                               \
        CHECK_OK();                                                                                                    \
        close_scene();                                                                                                 \
        tern_mem_get_stats(&after_);                                                                                   \
        CHECK_EQ(after_.live_buffers, before_.live_buffers);                                                           \
    } while (0)

/* ---- Attacks -------------------------------------------------------------------------------------- */

/* To either, from anybody or in the other's name. */
static void send_anywhere(const void *data, size_t len) {
    struct sockaddr_in stranger = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK + 1 + below(1000))}};
    stranger.sin_port = htons((uint16_t)(1024 + below(60000)));
    bool to_server = below(2), known = below(2);
    const struct sockaddr_in *from = to_server ? &sc.client_at : &sc.server_at;
    send_as(known ? from : &stranger, to_server ? &sc.server_at : &sc.client_at, data, len);
}

static void noise__of_any_length_is_dropped(void) {
    OPEN_SCENE();
    uint8_t bytes[MAX_BYTES];
    for (int i = 0; i < N_RANDOM; i++) {
        size_t len = below(4) ? below(80) : below(MAX_BYTES);
        for (size_t k = 0; k < len; k++) bytes[k] = (uint8_t)tern__rng_next(&sc.rng);
        if (len && below(2)) bytes[0] = (uint8_t)(TERN__PKT_VERSION << 4 | below(16));
        send_anywhere(bytes, len);
        turn();
    }
    check_unharmed(100, 1000);
    CHECK(stats_of(sc.server).rx_dropped > N_RANDOM / 10);
    CLOSE_SCENE();
}

/* A header of any type with everything right but the tag; payloads as the type wants them, or not. */
static size_t forge(uint8_t *out, bool to_server) {
    static const uint8_t payloads[] = {0, 0, 0, 0, 232, 128, TERN__REFUSE_BYTES, 0, 0, 32, 0, TERN__RETRY_BYTES, 0, 0};
    tern__pkt_header h = {.type = (uint8_t)below(TERN__PKT_GOAWAY + 1),
                          .flags = (uint8_t)(below(8) ? TERN__PKT_TAG : below(256)),
                          .status = (uint8_t)below(18),
                          .session = to_server ? sc.server_number : sc.client_number,
                          .req = 8 * below(64) + below(8),
                          .pkt = below(4) ? below(4) : (uint32_t)tern__rng_next(&sc.rng),
                          .method = below(2) ? ECHO : (uint32_t)tern__rng_next(&sc.rng),
                          .received = below(2) ? below(4) : (uint32_t)tern__rng_next(&sc.rng),
                          .cut = below(2) ? 1416 : (uint32_t)tern__rng_next(&sc.rng),
                          .tag = below(8) ? tern__rng_next(&sc.rng) : 0};
    size_t payload = below(4) ? payloads[h.type] : below(600);
    h.size = below(4) ? h.cut + payload : tern__rng_next(&sc.rng) >> below(64);
    if ((h.type == TERN__PKT_REQ || h.type == TERN__PKT_RESP) && payload && below(2)) { /* of a message of several */
        h.flags |= TERN__PKT_MULTI;
        h.cut = (uint32_t)payload;
        h.size = (h.pkt + 2ull) * payload;
    }
    uint32_t header_bytes = tern__pkt_header_bytes(&h);
    tern__pkt_write(&h, out);
    for (size_t i = 0; i < payload; i++) out[header_bytes + i] = (uint8_t)tern__rng_next(&sc.rng);
    if ((h.type == TERN__PKT_CONNECT || h.type == TERN__PKT_ACCEPT) && payload >= TERN__SETUP_OWN_BYTES) {
        tern__setup setup = setup_usual(tern__rng_next(&sc.rng), (uint32_t)tern__rng_next(&sc.rng), below(2));
        payload = tern__setup_write(&setup, payload & ~7u, out + header_bytes); /* a setup that makes sense */
    }
    return header_bytes + payload;
}

static void forged__packets_of_every_type_are_counted(void) {
    OPEN_SCENE();
    uint8_t bytes[MAX_BYTES];
    for (int i = 0; i < N_FORGED; i++) {
        bool to_server = below(2);
        size_t len = forge(bytes, to_server);
        send_as(to_server ? &sc.client_at : &sc.server_at, to_server ? &sc.server_at : &sc.client_at, bytes, len);
        turn();
    }
    check_unharmed(100, 1000);
    CHECK(stats_of(sc.server).rx_forged > N_FORGED / 4);
    CHECK(stats_of(sc.client).rx_forged > N_FORGED / 4);
    CLOSE_SCENE();
}

/* Each of the client's packets is answered by "nobody listens", and by the server. */
static void icmp__errors_end_no_session(void) {
    OPEN_SCENE();
    for (double end = clock_ms() + 1000; clock_ms() < end;) {
        turn();
        for (int i = 0; i < 3; i++) send_unreachable(ICMP_PORT_UNREACH, &sc.server_at);
    }
    check_unharmed(100, 1000);
    CLOSE_SCENE();
}

/* The same by a socket that the client has for any number of peers, and errors of every kind about anybody. */
static void icmp__errors_end_no_session_of_a_shared_socket(void) {
    OPEN_SCENE_OF(true);
    for (double end = clock_ms() + 1000; clock_ms() < end;) {
        turn();
        for (int i = 0; i < 3; i++) send_unreachable(ICMP_PORT_UNREACH, &sc.server_at);
        struct sockaddr_in whom = sc.server_at;
        uint8_t code = (uint8_t)below(NR_ICMP_UNREACH + 1);
        if (code != ICMP_FRAG_NEEDED) send_unreachable(code, &whom); /* that one shrinks the whole machine's loopback */
        whom.sin_port = htons((uint16_t)(1 + below(65535)));
        send_unreachable(ICMP_PORT_UNREACH, &whom);
    }
    check_unharmed(100, 1000);
    CLOSE_SCENE();
}

/* CONNECTs in the name of ever new addresses, of a whole network, of the client itself. */
static void connects__are_limited_and_keep_nothing(void) {
    OPEN_SCENE();
    tern_mem_stats now, then;
    uint8_t bytes[TERN__CONNECT_BYTES];
    tern_mem_get_stats(&then);
    for (int i = 0; i < 60000; i++) {
        struct sockaddr_in from = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(1024 + below(60000)))};
        from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + below(i % 2 ? 200 : 1 << 20));
        tern__setup setup = setup_usual(tern__rng_next(&sc.rng), (uint32_t)tern__rng_next(&sc.rng), 0);
        setup.tag = tern__rng_next(&sc.rng);
        setup.cookie = tern__rng_next(&sc.rng);
        setup_connect(&setup, bytes);
        send_as(i % 10 ? &from : &sc.client_at, &sc.server_at, bytes, sizeof bytes);
        if (i % 8 == 0) turn();
    }
    tern_mem_get_stats(&now);
    check_unharmed(100, 1000);
    CHECK(stats_of(sc.server).connects_retried > 1000);
    CHECK(now.live_buffers <= then.live_buffers + 16);
    printf("# %llu asked, %llu limited\n", (unsigned long long)stats_of(sc.server).connects_retried,
           (unsigned long long)stats_of(sc.server).connects_limited);
    CLOSE_SCENE();
}

/* One who has an address of his own, and a session, sends his handshake again and again, while he has it and
 * afterwards, and forgets what he gets. */
static void handshakes__replayed_leave_at_most_a_few_sessions(void) {
    OPEN_SCENE();
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    uint8_t connect_[TERN__CONNECT_BYTES], in[256];
    tern__setup setup = setup_usual(77, 79, 0);
    tern__pkt_header got = {0};
    setup.tag = 78;
    CHECK(connect(fd, (const struct sockaddr *)&sc.server_at, sizeof sc.server_at) == 0);
    setup_connect(&setup, connect_);
    unsigned n_accepts = 0;
    uint64_t most = 0;
    for (int i = 0; i < 20000; i++) {
        CHECK(send(fd, connect_, sizeof connect_, 0) == sizeof connect_ || errno == EAGAIN);
        turn();
        for (ssize_t n; (n = recv(fd, in, sizeof in, 0)) > 0;) {
            uint32_t header_bytes = tern__pkt_read(&got, in, (size_t)n, (size_t)n);
            if (got.type == TERN__PKT_RETRY) setup.cookie = tern__load64(in + header_bytes + 8);
            setup_connect(&setup, connect_);
            if (got.type != TERN__PKT_ACCEPT) continue;
            n_accepts++;
            tern__setup theirs = setup_of(in, (uint32_t)n);
            tern__pkt_header bye = {.type = TERN__PKT_DISCONNECT, .flags = TERN__PKT_TAG, .tag = theirs.tag};
            bye.session = theirs.number;
            tern__pkt_write(&bye, in);
            if (i % 3 == 0 && send(fd, in, 32, 0) < 0) n_accepts--;
        }
        uint64_t open = stats_of(sc.server).sessions_open;
        if (open > most) most = open;
    }
    printf("# %u accepted, at most %llu sessions\n", n_accepts, (unsigned long long)most);
    CHECK(n_accepts > 1000);
    CHECK(most <= 2);
    /* Each with another token: as many as one address may have under one number. */
    for (int i = 0; i < 20000; i++) {
        setup.token = 1000 + (uint64_t)(i % 100);
        if (i % 2) setup.cookie = 0;
        setup_connect(&setup, connect_);
        if (send(fd, connect_, sizeof connect_, 0) < 0) continue;
        turn();
        for (ssize_t n; (n = recv(fd, in, sizeof in, 0)) > 0;)
            if (tern__pkt_read(&got, in, (size_t)n, (size_t)n) && got.type == TERN__PKT_RETRY) {
                setup.cookie = tern__load64(in + 24 + 8);
                setup.token = tern__load64(in + 24);
                setup_connect(&setup, connect_);
                if (send(fd, connect_, sizeof connect_, 0) < 0) continue;
            }
    }
    CHECK(stats_of(sc.server).sessions_open <= 10);
    close(fd);
    /* He is silent now, and forgotten after half a minute; no call of his is waited for. */
    CHECK_EQ(sc.n_ok, sc.n_done);
    CHECK_EQ(sc.n_lost, 0);
    CLOSE_SCENE();
}

/* A client that connects under a hail of RETRYs, REFUSEs and ACCEPTs in the server's name. */
static void connecting__under_forged_answers(void) {
    OPEN_SCENE();
    uint8_t bytes[MAX_BYTES];
    for (int round = 0; round < 50; round++) {
        CHECK_EQ(tern_session_close(sc.session), 0);
        sc.calling = false;
        sc.n_done = sc.n_ok = sc.n_served = 0;
        CHECK_EQ(tern_connect(sc.client, tern_listen_address(sc.server, 0), &sc.session), 0);
        tern_session_on_event(sc.session, on_event, NULL);
        for (int i = 0; i < 200; i++) {
            size_t len = forge(bytes, false);
            sniff();
            send_as(&sc.server_at, &sc.client_at, bytes, len);
            if (i % 4 == 0) turn();
        }
        for (double end = clock_ms() + 3000; sc.n_done < 3 && clock_ms() < end;) turn(), sniff();
        CHECK(sc.n_done >= 3);
        CHECK_EQ(sc.n_ok, sc.n_done);
        CHECK_EQ(sc.n_lost, 0);
    }
    CLOSE_SCENE();
}

TAP_MAIN(TEST(noise__of_any_length_is_dropped), TEST(forged__packets_of_every_type_are_counted),
         TEST(icmp__errors_end_no_session), TEST(icmp__errors_end_no_session_of_a_shared_socket),
         TEST(connects__are_limited_and_keep_nothing), TEST(handshakes__replayed_leave_at_most_a_few_sessions),
         TEST(connecting__under_forged_answers))

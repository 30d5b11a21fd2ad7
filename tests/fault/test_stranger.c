/* A stranger with an address and sessions of his own at a live server, over UDP, who asks for a lot with few bytes: the
 * first packets of long requests that never go on, requests begun and cancelled in turn, long responses that he never
 * fetches. What the server's memory grows by is measured against what he has sent. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "mem/poison.h"
#include "mem/pool.h"
#include "setup_packet.h"
#include "tap.h"
#include "tern/rpc.h"

enum {
    ECHO = 1,
    LONG = 2,
    KB = 1 << 10,
    MB = 1 << 20,
    N_SLOTS = 8,
    N_SESSIONS = 20,
    MAX_KEPT = 16 * MB,
    LONG_BYTES = MB - 4 * KB, /* of a response */
    MAX_PACKET = 244,
};

static struct scene {
    tern_endpoint *server;
    int fd;
    uint64_t sent_bytes;
    unsigned n_long;
} sc;

typedef struct stranger_session {
    uint32_t number;
    uint64_t tag;
    uint32_t payload_bytes;
} stranger_session;

static void echo(tern_call call, const void *msg, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)msg);
}

static void long_reply(tern_call call, const void *msg, void *user) {
    (void)msg, (void)user;
    void *bytes = tern_alloc(LONG_BYTES);
    if (!bytes) abort();
    memset(bytes, 1, LONG_BYTES);
    sc.n_long++;
    tern_reply_raw(call, tern_bytes_of(bytes, LONG_BYTES));
    tern_unref(bytes);
}

/* The process's memory, that of the pool included; where a sanitizer has memory of its own, the pool's alone. */
static uint64_t resident_bytes(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    if (TERN__SANITIZED) return stats.committed_bytes;
    unsigned long size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%lu %lu", &size, &pages) != 2) pages = 0;
    fclose(f);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void open_scene(void) {
    tern_endpoint_config config;
    memset(&sc, 0, sizeof sc);
    tern_endpoint_config_init(&config);
    config.max_kept_bytes = MAX_KEPT;
    if (tern_endpoint_new(&config, &sc.server) || tern_serve_raw(sc.server, ECHO, echo, NULL) ||
        tern_serve_raw(sc.server, LONG, long_reply, NULL) || tern_listen(sc.server, "udp://127.0.0.1:0"))
        abort();
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    to.sin_port = htons((uint16_t)atoi(strrchr(tern_listen_address(sc.server, 0), ':') + 1));
    sc.fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (sc.fd < 0 || connect(sc.fd, (const struct sockaddr *)&to, sizeof to)) abort();
}

static void close_scene(void) {
    tern_endpoint_free(sc.server);
    close(sc.fd);
}

static void send_packet(const tern__pkt_header *h, const void *payload, size_t len) {
    uint8_t packet[TERN__PKT_MAX_HEADER_BYTES + MAX_PACKET];
    uint32_t header_bytes = tern__pkt_header_bytes(h);
    tern__pkt_write(h, packet);
    if (len) memcpy(packet + header_bytes, payload, len);
    CHECK(send(sc.fd, packet, header_bytes + len, 0) == (ssize_t)(header_bytes + len));
    sc.sent_bytes += header_bytes + len;
}

/* The next packet of this type that the server sends, within a second; others are forgotten. */
static bool receive(uint8_t type, tern__pkt_header *h, uint8_t payload[TERN__CONNECT_BYTES], uint32_t *len) {
    static uint8_t packet[65536];
    time_t end = time(NULL) + 2;
    while (time(NULL) < end) {
        tern_poll(sc.server);
        ssize_t n = recv(sc.fd, packet, sizeof packet, 0);
        uint32_t header_bytes = n > 0 ? tern__pkt_read(h, packet, (size_t)n, (size_t)n) : 0;
        if (!header_bytes || h->type != type) continue;
        uint32_t bytes = (uint32_t)n - header_bytes;
        *len = bytes < TERN__CONNECT_BYTES ? bytes : TERN__CONNECT_BYTES;
        memcpy(payload, packet + header_bytes, *len);
        return true;
    }
    return false;
}

static void send_connect(const tern__setup *setup) {
    uint8_t packet[TERN__CONNECT_BYTES];
    setup_connect(setup, packet);
    CHECK(send(sc.fd, packet, sizeof packet, 0) == (ssize_t)sizeof packet);
    sc.sent_bytes += sizeof packet;
}

/* A session whose packets are as short as can be. */
static void open_session(uint32_t number, stranger_session *s) {
    uint8_t answer[TERN__CONNECT_BYTES];
    uint32_t len;
    uint16_t type;
    tern__pkt_header got;
    tern__setup setup = setup_usual(1000 + number, number, 0), theirs = {0};
    setup.tag = 2000 + number;
    setup.max_packet = 256;
    send_connect(&setup);
    CHECK(receive(TERN__PKT_RETRY, &got, answer, &len));
    setup.cookie = tern__load64(answer + 8);
    send_connect(&setup);
    CHECK(receive(TERN__PKT_ACCEPT, &got, answer, &len));
    CHECK_EQ(tern__setup_read(answer, len, &theirs, &type), TERN__REFUSE_NONE);
    uint32_t max_packet = theirs.max_packet < 256 ? theirs.max_packet : 256;
    *s = (stranger_session){theirs.number, theirs.tag, max_packet - TERN__PKT_MAX_HEADER_BYTES};
}

static void send_req(const stranger_session *s, uint32_t req, uint32_t method, uint32_t size) {
    static const uint8_t zeros[MAX_PACKET];
    tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_TAG, .session = s->number, .tag = s->tag};
    h.req = req;
    h.method = method;
    tern__pkt_of_message(&h, 0, size, s->payload_bytes);
    send_packet(&h, zeros, tern__pkt_bytes(size, s->payload_bytes, 0));
}

static void send_short(const stranger_session *s, uint8_t type, uint32_t req, uint32_t pkt) {
    tern__pkt_header h = {.type = type, .flags = TERN__PKT_TAG, .session = s->number, .tag = s->tag};
    h.req = req;
    h.pkt = pkt;
    send_packet(&h, NULL, 0);
}

static uint64_t grown(uint64_t before) {
    uint64_t now = resident_bytes();
    return now > before ? now - before : 0;
}

static void requests__begun_and_left_take_little_memory(void) {
    open_scene();
    stranger_session s;
    open_session(1, &s);
    CHECK_OK();
    tern__pkt_header got;
    uint8_t payload[TERN__CONNECT_BYTES];
    uint32_t len;
    uint64_t before = resident_bytes(), sent_before = sc.sent_bytes;
    for (uint32_t i = 0; i < N_SLOTS && !tap_failed; i++) {
        send_req(&s, N_SLOTS + i, ECHO, 64 * MB);
        CHECK(receive(TERN__PKT_CR, &got, payload, &len));
    }
    uint64_t sent = sc.sent_bytes - sent_before, bytes = grown(before);
    printf("# %llu bytes sent: %llu KB of memory\n", (unsigned long long)sent, (unsigned long long)bytes >> 10);
    CHECK(bytes < 2 * MB);
    close_scene();
}

static void requests__begun_and_cancelled_move_no_memory(void) {
    enum { N = 200 };
    open_scene();
    stranger_session s;
    open_session(1, &s);
    CHECK_OK();
    tern__pkt_header got;
    uint8_t payload[TERN__CONNECT_BYTES];
    uint32_t len;
    tern__pool_traffic before = {0}, after;
    for (uint32_t i = 0; i < N && !tap_failed; i++) {
        if (i == N_SLOTS) before = tern__pool_get_traffic();
        send_req(&s, N_SLOTS + i, ECHO, (64 * MB) >> i % 4);
        CHECK(receive(TERN__PKT_CR, &got, payload, &len));
        send_short(&s, TERN__PKT_CANCEL, N_SLOTS + i, 0);
    }
    after = tern__pool_get_traffic();
    CHECK_EQ(after.populated_bytes, before.populated_bytes);
    CHECK_EQ(after.decommitted_bytes, before.decommitted_bytes);
    close_scene();
}

static void responses__never_fetched_are_given_up(void) {
    open_scene();
    stranger_session sessions[N_SESSIONS];
    for (uint32_t i = 0; i < N_SESSIONS && !tap_failed; i++) open_session(1 + i, &sessions[i]);
    CHECK_OK();
    tern__pkt_header got;
    uint8_t payload[TERN__CONNECT_BYTES];
    uint32_t len;
    uint64_t before = resident_bytes(), sent_before = sc.sent_bytes;
    for (uint32_t i = 0; i < N_SESSIONS && !tap_failed; i++) {
        for (uint32_t k = 0; k < N_SLOTS; k++) {
            send_req(&sessions[i], N_SLOTS + k, LONG, 10);
            CHECK(receive(TERN__PKT_RESP, &got, payload, &len));
        }
        usleep(25000);
    }
    uint64_t sent = sc.sent_bytes - sent_before, bytes = grown(before);
    printf("# %llu bytes sent: %llu MB of memory\n", (unsigned long long)sent, (unsigned long long)bytes >> 20);
    CHECK_EQ(sc.n_long, N_SESSIONS * N_SLOTS);
    CHECK(bytes < MAX_KEPT + 8 * MB);
    /* The oldest is gone, the newest is there, and neither handler runs again. */
    send_short(&sessions[0], TERN__PKT_RFR, N_SLOTS, 1);
    CHECK(receive(TERN__PKT_RESP, &got, payload, &len));
    CHECK_EQ(got.status, TERN_STATUS_DATA_LOSS);
    send_req(&sessions[0], N_SLOTS + 1, LONG, 10);
    CHECK(receive(TERN__PKT_RESP, &got, payload, &len));
    CHECK_EQ(got.status, TERN_STATUS_DATA_LOSS);
    send_short(&sessions[N_SESSIONS - 1], TERN__PKT_RFR, N_SLOTS + 7, 1);
    CHECK(receive(TERN__PKT_RESP, &got, payload, &len));
    CHECK_EQ(got.status, TERN_STATUS_OK);
    CHECK_EQ(sc.n_long, N_SESSIONS * N_SLOTS);
    close_scene();
}

TAP_MAIN(TEST(requests__begun_and_left_take_little_memory), TEST(requests__begun_and_cancelled_move_no_memory),
         TEST(responses__never_fetched_are_given_up))

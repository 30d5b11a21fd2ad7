/* ECN over UDP on loopback, against sockets of the test's own, which set and read the two bits themselves: what the
 * port sends says that it may be marked, and marks that come reach the packet, by every way to receive. */
#include <arpa/inet.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "udp_peer.h"

enum { NOT_ECT = 0, ECT0 = 2, CE = 3, LEN = 100 };

static peer p;
static uint8_t bytes[8 * LEN];

/* Where a socket of this family finds a port's address, which is on loopback. */
static socklen_t resolve(const char *address, bool v6, struct sockaddr_storage *out) {
    uint16_t port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    memset(out, 0, sizeof *out);
    if (v6) {
        *(struct sockaddr_in6 *)out =
            (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = in6addr_loopback};
        return sizeof(struct sockaddr_in6);
    }
    *(struct sockaddr_in *)out =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return sizeof(struct sockaddr_in);
}

/* A socket on loopback; -1: there is no such family. */
static int open_raw(bool v6, char *address, size_t cap) {
    struct sockaddr_storage addr;
    socklen_t len = resolve(":0", v6, &addr);
    int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0), on = 1;
    if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, len) == 0 &&
        getsockname(fd, (struct sockaddr *)&addr, &len) == 0) {
        setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_RECVTCLASS : IP_RECVTOS, &on, sizeof on);
        struct timeval limit = {.tv_sec = WAIT_MS / 1000};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        uint16_t port = ntohs(v6 ? ((struct sockaddr_in6 *)&addr)->sin6_port : ((struct sockaddr_in *)&addr)->sin_port);
        snprintf(address, cap, v6 ? "[::1]:%u" : "127.0.0.1:%u", port);
        return fd;
    }
    if (fd >= 0) close(fd);
    return -1;
}

/* n packets of LEN bytes with these bits, as one coalesced send if n > 1. */
static bool raw_send(int fd, bool v6, const struct sockaddr_storage *to, int ecn, uint32_t n) {
    int segment = n > 1 ? LEN : 0;
    socklen_t len = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_TCLASS : IP_TOS, &ecn, sizeof ecn) != 0) return false;
    if (setsockopt(fd, SOL_UDP, UDP_SEGMENT, &segment, sizeof segment) != 0 && n > 1) return false;
    return sendto(fd, bytes, n * LEN, 0, (const struct sockaddr *)to, len) == (ssize_t)(n * LEN);
}

/* The bits of the next packet, and its sender; -1: there is none. */
static int raw_receive(int fd, struct sockaddr_storage *from) {
    uint8_t data[2 * LEN];
    _Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof(int))];
    struct iovec iov = {data, sizeof data};
    struct msghdr msg = {.msg_name = from,
                         .msg_namelen = sizeof *from,
                         .msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = control,
                         .msg_controllen = sizeof control};
    if (recvmsg(fd, &msg, 0) <= 0 || !CMSG_FIRSTHDR(&msg)) return -1;
    return *CMSG_DATA(CMSG_FIRSTHDR(&msg)) & 3; /* the low byte, on a little-endian machine also of an int */
}

/* Packets with each of the four values, singly and coalesced, before and after a pause. */
static void check_reads(int fd, bool v6, const struct sockaddr_storage *to) {
    for (int pause = 0; pause < 2; pause++) {
        for (int i = 0; pause && i < 5000; i++) peer_poll(&p);
        for (int ecn = NOT_ECT; ecn <= CE; ecn++) {
            for (uint32_t n = 1; n <= 5; n += 4) {
                unsigned first = p.n;
                CHECK(raw_send(fd, v6, to, ecn, n));
                CHECK(peer_wait(&p, first + n));
                for (unsigned i = first; i < first + n; i++) CHECK_EQ(p.marked[i], ecn == CE);
            }
        }
    }
    CHECK(p.udp->stats.rx_marked >= 4);
}

static void listen_and_read(const char *where, bool v6) {
    char address[64];
    struct sockaddr_storage to;
    int fd = open_raw(v6, address, sizeof address);
    if (fd < 0) SKIP("no ::1 on this machine");
    CHECK_EQ(peer_init_ecn(&p, 0, true), 0);
    CHECK(p.port->link.ecn);
    CHECK_EQ(peer_listen(&p, where), 0);
    resolve(p.address, v6, &to);
    check_reads(fd, v6, &to);
    peer_fini(&p);
    close(fd);
}

static void listening__reads_marks_ipv4(void) { listen_and_read("127.0.0.1:0", false); }
static void listening__reads_marks_ipv6(void) { listen_and_read("[::1]:0", true); }
static void wildcard__reads_marks_ipv4(void) { listen_and_read("0.0.0.0:0", false); }
static void wildcard__reads_marks_ipv6(void) { listen_and_read("[::]:0", true); }
static void wildcard__of_ipv6_reads_marks_of_ipv4(void) { listen_and_read("[::]:0", false); }

/* A connected socket sends packets that may be marked, and reads marks of the answers. */
static void connect_and_talk(bool v6) {
    char address[64];
    tern__route route;
    int fd = open_raw(v6, address, sizeof address);
    if (fd < 0) SKIP("no ::1 on this machine");
    for (int ecn = 0; ecn < 2; ecn++) {
        struct sockaddr_storage from;
        CHECK_EQ(peer_init_ecn(&p, 0, ecn), 0);
        CHECK_EQ(p.port->ops->connect(p.port, address, &route), 0);
        CHECK(peer_put(&p, &route, bytes, LEN, 24));
        peer_flush(&p);
        CHECK_EQ(raw_receive(fd, &from), ecn ? ECT0 : NOT_ECT);
        if (ecn) {
            check_reads(fd, v6, &from);
        } else {
            CHECK(raw_send(fd, v6, &from, CE, 1));
            CHECK(peer_wait(&p, 1));
            CHECK(!p.marked[0]);
        }
        peer_fini(&p);
    }
    close(fd);
}

static void connected__sends_and_reads_ipv4(void) { connect_and_talk(false); }
static void connected__sends_and_reads_ipv6(void) { connect_and_talk(true); }

/* So does a socket that the busiest peer of a listening one gets for itself. */
static void sibling__sends_and_reads(void) {
    char address[64];
    struct sockaddr_storage to, from;
    int fd = open_raw(false, address, sizeof address);
    CHECK(fd >= 0);
    CHECK_EQ(peer_init_ecn(&p, 0, true), 0);
    CHECK_EQ(peer_listen(&p, "127.0.0.1:0"), 0);
    resolve(p.address, false, &to);
    for (unsigned i = 0; i < 4 * TERN__UDP_HOT_RECEIVES && p.udp->n_siblings == 0; i++) {
        CHECK(raw_send(fd, false, &to, ECT0, 1));
        CHECK(peer_wait(&p, i + 1));
    }
    CHECK_EQ(p.udp->n_siblings, 1);
    check_reads(fd, false, &to);
    CHECK(peer_put(&p, &p.from, bytes, LEN, 24));
    peer_flush(&p);
    CHECK_EQ(raw_receive(fd, &from), ECT0);
    CHECK(p.udp->stats.siblings_opened > 0);
    peer_fini(&p);
    close(fd);
}

TAP_MAIN(TEST(listening__reads_marks_ipv4), TEST(listening__reads_marks_ipv6), TEST(wildcard__reads_marks_ipv4),
         TEST(wildcard__reads_marks_ipv6), TEST(wildcard__of_ipv6_reads_marks_of_ipv4),
         TEST(connected__sends_and_reads_ipv4), TEST(connected__sends_and_reads_ipv6), TEST(sibling__sends_and_reads))

/* The raw floors (rpc_floor.h). */
#include "rpc_floor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"

enum { CLOCK_EVERY = 64 };

/* ---- Shared memory */

floor_end floor_client_end(floor_rings *rings) { return (floor_end){.tx = rings->request, .rx = rings->response}; }

floor_end floor_server_end(floor_rings *rings) { return (floor_end){.tx = rings->response, .rx = rings->request}; }

void floor_ring_serve(floor_end *end, const atomic_uint *stop) {
    uint8_t payload[FLOOR_PAYLOAD];
    while (!atomic_load_explicit(stop, memory_order_relaxed)) {
        if (floor_take(end, payload))
            floor_put(end, payload);
        else
            floor_relax(end->relax);
    }
}

double floor_ring_rate(floor_end *end, unsigned window, unsigned batch, uint64_t ns) {
    uint8_t payload[FLOOR_PAYLOAD] = {1};
    uint64_t begin = bench_now_ns(), now = begin, done = 0;
    unsigned in_flight = 0;
    for (uint32_t turn = 0; now - begin < ns; turn++) {
        while (window - in_flight >= batch)
            for (unsigned i = 0; i < batch; i++, in_flight++) floor_put(end, payload);
        while (in_flight > 0 && floor_take(end, payload)) {
            in_flight--;
            done++;
        }
        if (turn % CLOCK_EVERY == 0) now = bench_now_ns();
    }
    while (in_flight > 0)
        if (floor_take(end, payload)) in_flight--;
    return (double)done * 1e9 / (double)(now - begin);
}

/* ---- UDP */

static bool open_pair(int fds[2], bool coalesce) {
    struct sockaddr_in addrs[2];
    for (int i = 0; i < 2; i++) {
        fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        addrs[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t len = sizeof addrs[i];
        if (fds[i] < 0 || bind(fds[i], (struct sockaddr *)&addrs[i], len) != 0 ||
            getsockname(fds[i], (struct sockaddr *)&addrs[i], &len) != 0)
            return false;
        int one = 1;
        if (coalesce && setsockopt(fds[i], SOL_UDP, UDP_GRO, &one, sizeof one) != 0) return false;
    }
    return connect(fds[0], (struct sockaddr *)&addrs[1], sizeof addrs[1]) == 0 &&
           connect(fds[1], (struct sockaddr *)&addrs[0], sizeof addrs[0]) == 0;
}

static bool open_stream(int fds[2]) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof addr;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    fds[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || fds[1] < 0 || bind(listener, (struct sockaddr *)&addr, len) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&addr, &len) != 0 ||
        connect(fds[1], (struct sockaddr *)&addr, len) != 0)
        return false;
    fds[0] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    close(listener);
    for (int i = 0; i < 2; i++)
        if (fds[i] < 0 || fcntl(fds[i], F_SETFL, O_NONBLOCK) != 0 ||
            setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
            return false;
    return true;
}

bool floor_sockets_open(floor_sockets *sockets) {
    return open_pair(sockets->plain, false) && open_pair(sockets->batch, true) && open_stream(sockets->stream);
}

void floor_udp_serve(int fd, const atomic_uint *stop) {
    uint8_t payload[FLOOR_PAYLOAD];
    while (!atomic_load_explicit(stop, memory_order_relaxed))
        if (recv(fd, payload, sizeof payload, 0) == FLOOR_PAYLOAD) send(fd, payload, sizeof payload, 0);
}

void floor_udp_ping(int fd, const uint8_t *payload, uint8_t *out) {
    send(fd, payload, FLOOR_PAYLOAD, 0);
    while (recv(fd, out, FLOOR_PAYLOAD, 0) != FLOOR_PAYLOAD) continue;
}

/* Messages this small never come in parts on loopback; one that did would show as a wrong echo. */
void floor_tcp_serve(int fd, const atomic_uint *stop) { floor_udp_serve(fd, stop); }

void floor_tcp_ping(int fd, const uint8_t *payload, uint8_t *out) { floor_udp_ping(fd, payload, out); }

/* One call each way, whatever the number of messages; the receiver needs no control data because it knows
 * the size of a message. */
static void send_batch(int fd, unsigned message_bytes, const uint8_t *payloads, size_t bytes) {
    alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct iovec iov = {(void *)(uintptr_t)payloads, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (bytes > message_bytes) {
        msg.msg_control = control;
        msg.msg_controllen = sizeof control;
        struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
        uint16_t segment = (uint16_t)message_bytes;
        cmsg->cmsg_level = SOL_UDP;
        cmsg->cmsg_type = UDP_SEGMENT;
        cmsg->cmsg_len = CMSG_LEN(sizeof segment);
        memcpy(CMSG_DATA(cmsg), &segment, sizeof segment);
    }
    sendmsg(fd, &msg, 0);
}

void floor_batch_serve(int fd, unsigned message_bytes, const atomic_uint *stop) {
    uint8_t payloads[FLOOR_BATCH_BYTES];
    while (!atomic_load_explicit(stop, memory_order_relaxed)) {
        ssize_t len = recv(fd, payloads, sizeof payloads, 0);
        if (len > 0) send_batch(fd, message_bytes, payloads, (size_t)len);
    }
}

double floor_batch_rate(int fd, unsigned message_bytes, unsigned window, unsigned batch, unsigned per_send,
                        uint64_t ns) {
    uint8_t payloads[FLOOR_BATCH_BYTES] = {0};
    uint64_t begin = bench_now_ns(), now = begin, done = 0;
    unsigned in_flight = 0;
    for (uint32_t turn = 0; now - begin < ns; turn++) {
        for (unsigned n = (window - in_flight) / batch * batch, now_sent; n > 0; n -= now_sent, in_flight += now_sent) {
            now_sent = n < per_send ? n : per_send;
            send_batch(fd, message_bytes, payloads, now_sent * message_bytes);
        }
        ssize_t len = recv(fd, payloads, sizeof payloads, 0);
        if (len > 0) {
            in_flight -= (unsigned)len / message_bytes;
            done += (uint64_t)len / message_bytes;
        }
        if (turn % CLOCK_EVERY == 0) now = bench_now_ns();
    }
    while (in_flight > 0) {
        ssize_t len = recv(fd, payloads, sizeof payloads, 0);
        if (len > 0) in_flight -= (unsigned)len / message_bytes;
    }
    return (double)done * 1e9 / (double)(now - begin);
}

#include "proxy.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"

enum { MAX_CLIENTS = 32, MAX_HELD = 512, MAX_BYTES = 65536 };

typedef struct held {
    uint64_t due_ns;
    int socket;
    struct sockaddr_storage to; /* family 0: the socket is connected */
    uint32_t len;
    uint8_t *bytes;
} held;

struct proxy {
    tern__rng rng;
    proxy_faults faults;
    proxy_stats stats;
    int front;
    struct sockaddr_storage server;
    struct {
        struct sockaddr_storage address;
        int socket; /* connected to the server */
    } clients[MAX_CLIENTS];
    unsigned n_clients;
    held held[MAX_HELD];
    unsigned n_held;
    uint8_t bytes[MAX_BYTES];
};

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static socklen_t bytes_of(const struct sockaddr_storage *a) {
    return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static bool parse(const char *url, struct sockaddr_storage *out) {
    char host[40];
    unsigned port;
    memset(out, 0, sizeof *out);
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    if (sscanf(url, "udp://[%39[0-9a-f:]]:%u", host, &port) == 2) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((uint16_t)port);
        return inet_pton(AF_INET6, host, &v6->sin6_addr) == 1;
    }
    if (sscanf(url, "udp://%39[0-9.]:%u", host, &port) != 2) return false;
    v4->sin_family = AF_INET;
    v4->sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &v4->sin_addr) == 1;
}

/* A socket on the loopback address of the server's family. */
static int loopback_socket(const struct sockaddr_storage *server) {
    struct sockaddr_storage any = *server;
    int room = 4 << 20;
    int fd = socket(server->ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&any)->sin6_port = 0;
    else
        ((struct sockaddr_in *)&any)->sin_port = 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&any, bytes_of(&any)) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

proxy *proxy_new(uint64_t seed, const char *server, proxy_faults faults, char address[64]) {
    proxy *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    struct sockaddr_storage own;
    socklen_t len = sizeof own;
    tern__rng_seed(&p->rng, seed);
    p->faults = faults;
    p->front = parse(server, &p->server) ? loopback_socket(&p->server) : -1;
    if (p->front < 0 || getsockname(p->front, (struct sockaddr *)&own, &len) != 0) {
        proxy_free(p);
        return NULL;
    }
    if (own.ss_family == AF_INET6)
        snprintf(address, 64, "udp://[::1]:%u", ntohs(((struct sockaddr_in6 *)&own)->sin6_port));
    else
        snprintf(address, 64, "udp://127.0.0.1:%u", ntohs(((struct sockaddr_in *)&own)->sin_port));
    return p;
}

void proxy_free(proxy *p) {
    if (!p) return;
    if (p->front >= 0) close(p->front);
    for (unsigned i = 0; i < p->n_clients; i++) close(p->clients[i].socket);
    for (unsigned i = 0; i < p->n_held; i++) free(p->held[i].bytes);
    free(p);
}

void proxy_set_faults(proxy *p, proxy_faults faults) { p->faults = faults; }
proxy_stats proxy_get_stats(const proxy *p) { return p->stats; }

static void send_now(int fd, const struct sockaddr_storage *to, const void *bytes, size_t len) {
    bool connected = to->ss_family == 0;
    ssize_t sent =
        sendto(fd, bytes, len, 0, connected ? NULL : (const struct sockaddr *)to, connected ? 0 : bytes_of(to));
    (void)sent; /* a full socket, or nobody there: one more that is lost */
}

static bool hold_back(proxy *p, int fd, const struct sockaddr_storage *to, size_t len) {
    if (p->n_held == MAX_HELD) return false;
    held *h = &p->held[p->n_held];
    h->bytes = malloc(len + 1);
    if (!h->bytes) return false;
    memcpy(h->bytes, p->bytes, len);
    *h = (held){now_ns() + tern__rng_below(&p->rng, 3000000), fd, *to, (uint32_t)len, h->bytes};
    p->n_held++;
    return true;
}

/* The datagram in p->bytes meets its fate. */
static void forward(proxy *p, int fd, const struct sockaddr_storage *to, size_t len) {
    if (tern__rng_below(&p->rng, 100) < p->faults.loss) {
        p->stats.lost++;
        return;
    }
    p->stats.forwarded++;
    if (tern__rng_below(&p->rng, 100) < p->faults.duplicate) {
        send_now(fd, to, p->bytes, len);
        p->stats.duplicated++;
    }
    if (tern__rng_below(&p->rng, 100) < p->faults.delay && hold_back(p, fd, to, len))
        p->stats.delayed++;
    else
        send_now(fd, to, p->bytes, len);
}

/* The socket towards the server for this client, or -1. */
static int back_of(proxy *p, const struct sockaddr_storage *client) {
    for (unsigned i = 0; i < p->n_clients; i++)
        if (memcmp(&p->clients[i].address, client, bytes_of(client)) == 0) return p->clients[i].socket;
    if (p->n_clients == MAX_CLIENTS) return -1;
    int fd = loopback_socket(&p->server);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&p->server, bytes_of(&p->server)) != 0) {
        close(fd);
        return -1;
    }
    p->clients[p->n_clients].address = *client;
    p->clients[p->n_clients++].socket = fd;
    return fd;
}

static unsigned poll_front(proxy *p) {
    static const struct sockaddr_storage server; /* family 0 */
    unsigned n = 0;
    for (; n < 64; n++) {
        struct sockaddr_storage from;
        socklen_t from_len = sizeof from;
        memset(&from, 0, sizeof from);
        ssize_t len = recvfrom(p->front, p->bytes, sizeof p->bytes, 0, (struct sockaddr *)&from, &from_len);
        if (len < 0) break;
        int back = back_of(p, &from);
        if (back >= 0) forward(p, back, &server, (size_t)len);
    }
    return n;
}

static unsigned poll_back(proxy *p, unsigned i) {
    unsigned n = 0;
    for (; n < 64; n++) {
        ssize_t len = recv(p->clients[i].socket, p->bytes, sizeof p->bytes, 0);
        if (len < 0) break;
        forward(p, p->front, &p->clients[i].address, (size_t)len);
    }
    return n;
}

static void release_due(proxy *p) {
    uint64_t now = p->n_held ? now_ns() : 0;
    for (unsigned i = 0; i < p->n_held;) {
        held *h = &p->held[i];
        if (h->due_ns > now) {
            i++;
            continue;
        }
        send_now(h->socket, &h->to, h->bytes, h->len);
        free(h->bytes);
        *h = p->held[--p->n_held];
    }
}

unsigned proxy_poll(proxy *p) {
    unsigned n = poll_front(p);
    for (unsigned i = 0; i < p->n_clients; i++) n += poll_back(p, i);
    release_due(p);
    return n;
}

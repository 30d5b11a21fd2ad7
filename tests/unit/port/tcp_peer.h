/* A stream port under test together with what it has received, and plain sockets that talk to it as they like. Waiting
 * is on the port's own descriptor: what never comes ends a wait after WAIT_MS, and nothing sleeps otherwise. */
#ifndef TERN_TESTS_TCP_PEER_H
#define TERN_TESTS_TCP_PEER_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem/pool.h"
#include "packets.h"
#include "pool_stats.h"
#include "port/deferred_close.h"
#include "port/hosts.h"
#include "port/tcp.h"
#include "port/tcp_account.h"
#include "port/tcp_port.h"
#include "tap.h"

enum { WAIT_MS = 3000, MAX_KEPT = 4096 };

typedef struct peer {
    tern__port *port;
    tern__tcp_port *tcp;
    char address[128]; /* of its listener, without the scheme */
    unsigned n;        /* packets received */
    uint64_t bytes;
    uint32_t lens[MAX_KEPT];
    uint64_t sums[MAX_KEPT];
    const uint8_t *heads[MAX_KEPT]; /* valid later only where `hold` */
    tern__route from;               /* of the last packet */
    bool hold;                      /* take a reference on each packet */
    bool echo;                      /* send each packet back */
    bool uses;                      /* each route has a session from its first packet on (tern__link_ops.use) */
    uint64_t held, may_hold;        /* by the port, and how much of it is well; 0: any number */
    uint64_t must_give_up;          /* beyond so much; 0: never */
    unsigned n_refused;             /* echoes that the link did not take */
    unsigned n_lost;                /* route_lost reports */
    tern__route lost;               /* the last of them */
    char warning[256];              /* the last line of the log at the level WARN */
} peer;

static inline uint64_t sum_of(const uint8_t *data, uint32_t len) {
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < len; i++) h = (h ^ data[i]) * 0x100000001b3u;
    return h;
}

static inline void peer_log(void *user, tern_log_level level, const char *line) {
    peer *p = (peer *)user;
    if (level == TERN_LOG_WARN) snprintf(p->warning, sizeof p->warning, "%s", line);
    if (getenv("TCP_TEST_LOG")) fprintf(stderr, "%d %s\n", (int)level, line);
}

static inline void peer_route_lost(void *ctx, tern__link *link, const tern__route *route) {
    peer *p = (peer *)ctx;
    (void)link;
    p->n_lost++;
    p->lost = *route;
}

static inline tern__hold peer_hold(void *ctx, tern__link *link, const tern__route *route, uint64_t bytes,
                                   tern__debit *debit) {
    peer *p = (peer *)ctx;
    (void)link, (void)route;
    p->held += bytes - debit->bytes;
    debit->bytes = bytes;
    if (p->must_give_up && p->held > p->must_give_up) return TERN__HOLD_GIVE_UP;
    return p->may_hold && p->held > p->may_hold ? TERN__HOLD_NO_MORE : TERN__HOLD_WELL;
}

static inline int peer_init(peer *p, bool local) {
    memset(p, 0, sizeof *p);
    tern__port_env env = {.log = peer_log, .log_user = p, .route_lost = peer_route_lost, .hold = peer_hold, .ctx = p};
    tern__tcp_options options = {.peer_timeout = TERN_SEC};
    int err = local ? tern__unix_port_new(&env, &p->port) : tern__tcp_port_new(&env, &options, &p->port);
    if (err == 0) p->tcp = tern__tcp_of_port(p->port);
    return err;
}

static inline void peer_fini(peer *p) {
    if (p->port != NULL) p->port->ops->free(p->port);
    if (p->hold)
        for (unsigned i = 0; i < p->n && i < MAX_KEPT; i++) tern_unref(p->heads[i]);
    p->port = NULL;
    p->n = 0;
}

static inline int peer_listen(peer *p, const char *address) {
    char url[160];
    int err = p->port->ops->listen(p->port, address, url, sizeof url);
    if (err == 0) snprintf(p->address, sizeof p->address, "%.120s", strstr(url, "://") + 3);
    return err;
}

static inline int peer_connect(peer *p, const char *address, tern__route *route) {
    return p->port->ops->connect(p->port, address, route);
}

/* One packet: `inline_bytes` copied, the rest posted. */
static inline bool peer_put(peer *p, const tern__route *route, const uint8_t *data, uint32_t len,
                            uint32_t inline_bytes) {
    tern__link *link = &p->port->link;
    uint8_t *out = (uint8_t *)tern__tx_one(link, route, inline_bytes, TERN__TX_MANY);
    if (out == NULL) return false;
    memcpy(out, data, inline_bytes);
    if (link->ops->tx_add(link, 0, data + inline_bytes, len - inline_bytes) != 0) {
        link->ops->tx_commit(link, 0);
        return false;
    }
    link->ops->tx_commit(link, 1);
    return true;
}

static inline void peer_flush(peer *p) { p->port->link.ops->tx_flush(&p->port->link); }

static inline void on_one(void *ctx, const tern__rx_packet *pkt) {
    peer *p = (peer *)ctx;
    if (p->n < MAX_KEPT) {
        p->lens[p->n] = pkt->head_len;
        p->sums[p->n] = sum_of(pkt->head, pkt->head_len);
        p->heads[p->n] = pkt->head;
        if (p->hold) tern_ref(pkt->head);
    }
    p->n++;
    p->bytes += pkt->head_len;
    p->from = pkt->route;
    if (p->uses) pkt->link->ops->use(pkt->link, &pkt->route, true);
    uint32_t n_copied = pkt->head_len < 4096 ? pkt->head_len : 4096;
    if (p->echo) p->n_refused += !peer_put(p, &pkt->route, pkt->head, pkt->head_len, n_copied);
}
EACH_PACKET(peer_on_packets, on_one)

static inline int peer_poll(peer *p) {
    int n = p->port->ops->poll(p->port, 64, peer_on_packets, p);
    peer_flush(p);
    return n;
}

/* Sleep until there is something for one of two to poll. False: nothing came. */
static inline bool peers_sleep(peer *a, peer *b) {
    struct pollfd fds[2] = {{.fd = a->port->ops->fd(a->port), .events = POLLIN},
                            {.fd = b->port->ops->fd(b->port), .events = POLLIN}};
    bool a_sleeps = a->port->ops->arm(a->port), b_sleeps = b->port->ops->arm(b->port);
    return !a_sleeps || !b_sleeps || poll(fds, a == b ? 1 : 2, WAIT_MS) > 0;
}

/* Poll both until the condition holds or nothing comes any more. */
#define WAIT_FOR(a, b, cond)                                                                                           \
    do {                                                                                                               \
        while (!(cond)) {                                                                                              \
            if (peer_poll(a) + ((a) == (b) ? 0 : peer_poll(b)) > 0 || (cond)) continue;                                \
            if (!peers_sleep(a, b)) break;                                                                             \
        }                                                                                                              \
        CHECK(cond);                                                                                                   \
    } while (0)

/* Whether a packet can be sent to this route now. */
static inline bool peer_can_send(peer *p, const tern__route *route) {
    if (tern__tx_one(&p->port->link, route, 32, TERN__TX_MANY) == NULL) return false;
    p->port->link.ops->tx_commit(&p->port->link, 0);
    return true;
}

/* Whether any of its connections has a deadline. */
static inline bool peer_has_deadlines(peer *p) {
    for (uint32_t i = 0; i < p->tcp->n_slots; i++) {
        const tern__tcp_conn *conn = p->tcp->slots[i].conn;
        if (conn && (tern__tcp_has_deadline(conn) || tern__tcp_has_frame(conn))) return true;
    }
    return false;
}

/* ---- Plain sockets -------------------------------------------------------------------------------- */

/* A blocking connection to "127.0.0.1:port". */
static inline int raw_connect(const char *address) {
    tern__ip_addr addr;
    if (tern__hosts_resolve(address, false, &addr, 1) != 1) return -1;
    int fd = socket(addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, &addr.any, tern__ip_addr_len(&addr)) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/* The same from another address of this machine. */
static inline int raw_connect_from(const char *host, const char *address) {
    tern__ip_addr addr;
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(host)};
    if (tern__hosts_resolve(address, false, &addr, 1) != 1) return -1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)(const void *)&from, sizeof from) == 0 &&
        connect(fd, &addr.any, tern__ip_addr_len(&addr)) == 0)
        return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static inline int raw_listen(char address[64]) {
    tern__ip_addr addr = {.v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof addr;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, &addr.any, sizeof addr.v4) != 0 || listen(fd, 8) != 0) return -1;
    if (getsockname(fd, &addr.any, &len) != 0) return -1;
    snprintf(address, 64, "127.0.0.1:%u", ntohs(addr.v4.sin_port));
    return fd;
}

static inline bool raw_send(int fd, const void *data, size_t len) {
    return send(fd, data, len, MSG_NOSIGNAL) == (ssize_t)len;
}

/* A greeting of ours to a server, then n packets of `len` bytes, to out. Returns the bytes. */
static inline size_t raw_stream(uint8_t *out, unsigned n, uint32_t len) {
    tern__tcp_greeting_write(out, TERN__TCP_CLIENT);
    size_t at = TERN__TCP_GREETING_BYTES;
    for (unsigned i = 0; i < n; i++) {
        tern__store32(out + at, len);
        for (uint32_t k = 0; k < len; k++) out[at + 4 + k] = (uint8_t)(i + k);
        at += 4 + len;
    }
    return at;
}

/* Send a greeting and packets of 4000 bytes to a server that answers each with itself, and read nothing, until the
 * server is refused: all that can hold answers is full. stream: room for 8 + 200 * 4004 bytes. */
static inline void raw_fill(int raw, peer *server, uint8_t *stream) {
    CHECK(raw_stream(stream, 200, 4000) > 0);
    fcntl(raw, F_SETFL, O_NONBLOCK);
    CHECK(send(raw, stream, 8, MSG_NOSIGNAL) == 8);
    for (int i = 0; i < 5000 && server->n_refused == 0; i++) {
        size_t at = 8 + (size_t)(i % 100) * 4004;
        struct pollfd pfd = {.fd = raw, .events = POLLOUT};
        for (size_t left = 4004; left > 0;) {
            ssize_t sent = send(raw, stream + at, left, MSG_NOSIGNAL);
            if (sent > 0) at += (size_t)sent, left -= (size_t)sent;
            peer_poll(server);
            if (sent < 0) CHECK(errno == EAGAIN && poll(&pfd, 1, WAIT_MS) == 1);
        }
    }
    CHECK(server->n_refused > 0);
}

/* Without those of the pool's segments, which come when they are needed, and those that wait to be closed. */
static inline int open_fds(void) {
    int n = 0;
    for (int i = 0; i < 20000 && tern__deferred_close_count(); i++) usleep(500);
    for (int fd = 0; fd < 4096; fd++) {
        char name[32], file[64] = "";
        if (fcntl(fd, F_GETFD) < 0) continue;
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        n += readlink(name, file, sizeof file - 1) < 0 || !strstr(file, "tern-pool");
    }
    return n;
}

#endif

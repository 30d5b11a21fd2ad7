/* What the tests of the shm port share: ends that keep what they receive, and paths of their own. */
#ifndef TERN_TESTS_SHM_WORLD_H
#define TERN_TESTS_SHM_WORLD_H

#include "mem/pool.h"
#include "packets.h"
#include "pool_stats.h"
#include "port/deferred_close.h"
#include "port/shm.h"
#include "port/shm_port.h"
#include "tap.h"
#include "tern/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEEP = 256 };

/* One end: a port, and the packets that came in, made contiguous. */
typedef struct end {
    tern__port *port;
    tern__route route;   /* where to send: the dialled peer, or whoever sent last */
    uint32_t n;          /* packets received */
    uint64_t bytes;      /* of them */
    uint32_t n_lost;     /* routes lost */
    tern__route lost;    /* the last of them */
    uint8_t *kept[KEEP]; /* the first KEEP packets, malloc'ed */
    uint32_t len[KEEP];
    uint32_t n_spans[KEEP];
    bool keep; /* whether packets are kept, or only counted */
} end;

static inline void end_on_lost(void *ctx, tern__link *link, const tern__route *route) {
    end *e = ctx;
    (void)link;
    e->n_lost++;
    e->lost = *route;
}

static inline void on_one(void *ctx, const tern__rx_packet *pkt) {
    end *e = ctx;
    uint32_t total = pkt->head_len;
    for (uint32_t i = 0; i < pkt->n_spans; i++) total += pkt->spans[i].len;
    if (e->keep && e->n < KEEP) {
        uint8_t *copy = malloc(total);
        e->kept[e->n] = copy;
        e->len[e->n] = total;
        e->n_spans[e->n] = pkt->n_spans;
        memcpy(copy, pkt->head, pkt->head_len);
        copy += pkt->head_len;
        for (uint32_t i = 0; i < pkt->n_spans; i++) {
            memcpy(copy, pkt->spans[i].data, pkt->spans[i].len);
            copy += pkt->spans[i].len;
        }
    }
    e->route = pkt->route;
    e->n++;
    e->bytes += total;
}
EACH_PACKET(end_on_packets, on_one)

static inline void end_forget(end *e) {
    for (uint32_t i = 0; i < KEEP; i++) free(e->kept[i]);
    memset(e->kept, 0, sizeof e->kept);
    e->n = 0;
    e->bytes = 0;
}

/* The last warning of any end. */
static char end_warning[256];

static inline void end_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level <= TERN_LOG_WARN) snprintf(end_warning, sizeof end_warning, "%s", line);
    if (getenv("SHM_TEST_LOG")) fprintf(stderr, "%d %s\n", (int)level, line);
}

static inline bool end_open(end *e, bool share) {
    *e = (end){.keep = true};
    tern__port_env env = {.log = end_log, .route_lost = end_on_lost, .ctx = e};
    return tern__shm_port_new(&env, &(tern__shm_options){.share_region = share}, &e->port) == 0;
}

static inline void end_close(end *e) {
    if (e->port) e->port->ops->free(e->port);
    e->port = NULL;
    end_forget(e);
}

/* User 65534 is whoever has no number in this user namespace, so a port never shows that user its pool. */
static inline bool pool_is_shared(void) { return geteuid() != 65534; }

#define NEEDS_SHARED_POOL()                                                                                            \
    do {                                                                                                               \
        if (!pool_is_shared()) SKIP("no pool is shown to user 65534, which stands for many");                          \
    } while (0)

static inline int end_poll(end *e) { return e->port->ops->poll(e->port, 64, end_on_packets, e); }

static inline const tern__shm_stats *end_stats(const end *e) { return tern__shm_port_stats(e->port); }

/* A path that no other process of the tests uses. */
static inline const char *world_path(char buffer[64], const char *name) {
    snprintf(buffer, 64, "/tmp/tern-test-%ld-%s.sock", (long)getpid(), name);
    return buffer;
}

static inline int end_listen(end *e, const char *path) {
    char actual[128];
    return e->port->ops->listen(e->port, path, actual, sizeof actual);
}

/* Whether the end can send on its route now. */
static inline bool end_can_send(end *e) {
    if (!tern__tx_one(&e->port->link, &e->route, 32, TERN__TX_MANY)) return false;
    e->port->link.ops->tx_commit(&e->port->link, 0);
    return true;
}

/* Connect client to server, both in this thread. */
static inline bool end_meet(end *client, end *server, const char *path) {
    if (client->port->ops->connect(client->port, path, &client->route)) return false;
    uint64_t up = end_stats(server)->peers_up;
    for (int i = 0; i < 5000; i++) {
        end_poll(server);
        end_poll(client);
        if (end_stats(server)->peers_up > up && end_can_send(client)) return true;
    }
    return false;
}

/* Both ends open and connected, at a path of this name; and closed. */
static inline void ends_open(end *server, end *client, char path[64], const char *name, bool share) {
    CHECK(end_open(server, share));
    CHECK(end_open(client, share));
    CHECK_EQ(end_listen(server, world_path(path, name)), 0);
    CHECK(end_meet(client, server, path));
}
static inline void ends_close(end *server, end *client) {
    end_close(client);
    end_close(server);
}

/* A packet of one inline piece and up to one post. */
static inline bool end_send(end *e, const void *head, uint32_t head_len, const void *post, uint32_t post_len) {
    tern__link *link = &e->port->link;
    void *mem = tern__tx_one(link, &e->route, head_len, TERN__TX_MANY);
    if (!mem) return false;
    memcpy(mem, head, head_len);
    if (post_len && link->ops->tx_add(link, 0, post, post_len)) {
        link->ops->tx_commit(link, 0);
        return false;
    }
    link->ops->tx_commit(link, 1);
    link->ops->tx_flush(link);
    return true;
}

/* Nothing that a peer sent waits to be closed or unmapped any more. */
static inline bool ends_have_come(void) {
    for (int i = 0; i < 20000 && tern__deferred_close_count(); i++) usleep(500);
    return tern__deferred_close_count() == 0;
}

/* Descriptors that this process has open, without those of the pool's segments, which come when they are needed. */
static inline int open_fds(void) {
    int n = 0;
    ends_have_come();
    for (int fd = 0; fd < 4096; fd++) {
        char name[32], file[64] = "";
        if (fcntl(fd, F_GETFD) < 0) continue;
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        n += readlink(name, file, sizeof file - 1) < 0 || !strstr(file, "tern-pool");
    }
    return n;
}

#endif

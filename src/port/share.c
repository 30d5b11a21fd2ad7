/* One address for several endpoints (share.h). The lock is held for moments, and never on the way of a packet. */
#include "port/share.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "port/deferred_close.h"
#include "port/hosts.h"
#include "port/port.h"
#include "port/socket_option.h"
#include "port/tcp_socket.h"
#include "port/udp_steer.h"

enum { QUEUE = 64, MAX_CANDIDATES = 8, ADDRESS_BYTES = 256 };

typedef enum kind { KIND_UDP, KIND_SHM, KIND_TCP, KIND_UNIX } kind;

typedef struct share_seat {
    bool taken;
    bool resting; /* UDP: its member takes no new sessions */
    int fd;       /* UDP: the socket; else an epoll set: the listening socket and event_fd */
    int event_fd; /* readable while there is something in the queue; -1 for UDP */
    uint32_t n_queued, first;
    int queue[QUEUE]; /* connections that others accepted for this member */
} share_seat;

struct tern_listener {
    _Atomic uint32_t n_refs;
    kind kind;
    _Atomic bool follows; /* UDP: the kernel finds sockets by session numbers */
    uint32_t n_places;
    char address[ADDRESS_BYTES];
    tern__tcp_listener socket; /* not UDP */
    pthread_mutex_t lock;
    uint32_t turn; /* the place that had the last connection */
    share_seat places[];
};

/* ---- UDP ----------------------------------------------------------------------------------------- */

static int share_error(int err) {
    switch (err) {
    case EADDRINUSE: return TERN_ERR_EXISTS;
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT: return TERN_ERR_ADDRESS;
    case ENOMEM: return TERN_ERR_NOMEM;
    default: return TERN_ERR_IO;
    }
}

/* A UDP socket at addr, of a group if `shared`; addr becomes the address that it got. */
static int bind_udp(tern__ip_addr *addr, bool shared, int *out) {
    socklen_t len = sizeof *addr;
    int fd = socket(addr->any.sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return share_error(errno);
    if (addr->any.sa_family == AF_INET6)
        tern__socket_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, !tern__ip_addr_is_wildcard(addr));
    if (shared) tern__socket_set(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    if (bind(fd, &addr->any, tern__ip_addr_len(addr)) != 0 || getsockname(fd, &addr->any, &len) != 0) {
        int err = share_error(errno);
        close(fd);
        return err;
    }
    *out = fd;
    return 0;
}

/* The first socket is bound as anybody's who listens there alone, so that a taken address is noticed, and only then
 * opens the group for the others. */
static int open_udp_at(tern_listener *share, tern__ip_addr addr) {
    int err = bind_udp(&addr, false, &share->places[0].fd);
    if (err) return err;
    tern__socket_set(share->places[0].fd, SOL_SOCKET, SO_REUSEPORT, 1);
    for (uint32_t i = 1; !err && i < share->n_places; i++) err = bind_udp(&addr, true, &share->places[i].fd);
    if (!err) err = tern__ip_addr_format("udp", &addr, share->address, sizeof share->address);
    for (uint32_t i = 0; err && i < share->n_places; i++) {
        if (share->places[i].fd >= 0) close(share->places[i].fd);
        share->places[i].fd = -1;
    }
    return err;
}

static int open_udp(tern_listener *share, const char *text) {
    tern__ip_addr addrs[MAX_CANDIDATES];
    int n = tern__hosts_resolve(text, true, addrs, MAX_CANDIDATES), err = n;
    if (n < 0) return n;
    for (int i = 0; i < n; i++) {
        err = open_udp_at(share, addrs[i]);
        if (err == 0) return 0;
    }
    return err;
}

static void steer_packets(tern_listener *share) {
    uint64_t live = 0;
    if (share->kind != KIND_UDP) return;
    for (uint32_t i = 0; i < share->n_places; i++)
        live |= (uint64_t)(share->places[i].taken && !share->places[i].resting) << i;
    bool done = share->n_places == 1 || tern__udp_steer(share->places[0].fd, share->n_places, live);
    atomic_store(&share->follows, done);
}

/* ---- Streams ------------------------------------------------------------------------------------- */

static bool watch_socket(int epoll_fd, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static int open_place(const tern_listener *share, share_seat *p) {
    p->fd = epoll_create1(EPOLL_CLOEXEC);
    p->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (p->fd < 0 || p->event_fd < 0) return tern__port_lack();
    return watch_socket(p->fd, share->socket.fd) && watch_socket(p->fd, p->event_fd) ? 0 : TERN_ERR_IO;
}

static void close_place(share_seat *p) {
    while (p->n_queued > 0) tern__deferred_close(p->queue[p->first++ % QUEUE]), p->n_queued--;
    if (p->fd >= 0) close(p->fd);
    if (p->event_fd >= 0) close(p->event_fd);
    p->fd = p->event_fd = -1;
}

static void close_socket(tern_listener *share) {
    if (share->kind != KIND_UDP) tern__tcp_listener_close(&share->socket);
}

static int open_stream(tern_listener *share, const char *text) {
    int err;
    if (share->kind == KIND_TCP) {
        err = tern__tcp_listen(&share->socket, text, share->address, sizeof share->address);
    } else {
        bool shm = share->kind == KIND_SHM;
        err = tern__unix_address(shm ? "shm" : "unix", text, share->address, sizeof share->address);
        if (!err) err = tern__unix_listener_open(&share->socket, text, shm ? SOCK_SEQPACKET : SOCK_STREAM);
    }
    if (err) return err;
    for (uint32_t i = 0; !err && i < share->n_places; i++) err = open_place(share, &share->places[i]);
    if (err) {
        for (uint32_t i = 0; i < share->n_places; i++) close_place(&share->places[i]);
        close_socket(share);
    }
    return err;
}

static int take_queued(share_seat *p) {
    uint64_t n;
    if (p->n_queued == 0) return TERN_ERR_AGAIN;
    int sock = p->queue[p->first % QUEUE];
    p->first++;
    if (--p->n_queued == 0 && read(p->event_fd, &n, sizeof n) < 0) return sock; /* it was not readable: no matter */
    return sock;
}

/* Whose turn it is; `self` if nobody else can take one more. */
static uint32_t next_place(tern_listener *share, uint32_t self) {
    for (uint32_t i = 1; i <= share->n_places; i++) {
        uint32_t at = (share->turn + i) % share->n_places;
        const share_seat *p = &share->places[at];
        if (at != self && (!p->taken || p->n_queued == QUEUE)) continue;
        share->turn = at;
        return at;
    }
    return self;
}

static void queue_connection(share_seat *p, int sock) {
    uint64_t one = 1;
    p->queue[(p->first + p->n_queued) % QUEUE] = sock;
    if (p->n_queued++ == 0 && write(p->event_fd, &one, sizeof one) < 0) return; /* it is readable already */
}

int tern__share_accept(tern_listener *share, uint32_t self) {
    for (;;) {
        pthread_mutex_lock(&share->lock);
        int sock = take_queued(&share->places[self]);
        pthread_mutex_unlock(&share->lock);
        if (sock >= 0) return sock;
        sock = tern__socket_accept(share->socket.fd);
        if (sock < 0) return sock;
        pthread_mutex_lock(&share->lock);
        uint32_t at = next_place(share, self);
        if (at != self) queue_connection(&share->places[at], sock);
        pthread_mutex_unlock(&share->lock);
        if (at == self) return sock;
    }
}

/* ---- Members ------------------------------------------------------------------------------------- */

static int parse_shared_address(const char *address, kind *out, const char **rest) {
    static const char *const schemes[] = {"udp://", "shm://", "tcp://", "unix://"};
    for (size_t i = 0; address && i < sizeof schemes / sizeof *schemes; i++) {
        size_t len = strlen(schemes[i]);
        if (strncmp(address, schemes[i], len) != 0 || strlen(address) >= ADDRESS_BYTES) continue;
        *out = (kind)i;
        *rest = address + len;
        return 0;
    }
    return TERN_ERR_ADDRESS;
}

int tern__share_new(const char *address, uint32_t n_places, tern_listener **out) {
    kind what = KIND_UDP;
    const char *rest = NULL;
    int err = parse_shared_address(address, &what, &rest);
    if (err) return err;
    if (n_places == 0 || n_places > TERN__SHARE_MAX_PLACES) return TERN_ERR_INVALID;
    tern_listener *share = calloc(1, sizeof *share + n_places * sizeof *share->places);
    if (!share) return TERN_ERR_NOMEM;
    share->kind = what;
    share->n_places = n_places;
    share->turn = n_places - 1;
    for (uint32_t i = 0; i < n_places; i++) share->places[i].fd = share->places[i].event_fd = -1;
    err = what == KIND_UDP ? open_udp(share, rest) : open_stream(share, rest);
    if (err) {
        free(share);
        return err;
    }
    pthread_mutex_init(&share->lock, NULL);
    atomic_init(&share->n_refs, 1);
    *out = share;
    return 0;
}

void tern__share_ref(tern_listener *share) { atomic_fetch_add(&share->n_refs, 1); }

void tern__share_unref(tern_listener *share) {
    if (atomic_fetch_sub(&share->n_refs, 1) != 1) return;
    for (uint32_t i = 0; i < share->n_places; i++) close_place(&share->places[i]);
    close_socket(share);
    pthread_mutex_destroy(&share->lock);
    free(share);
}

const char *tern__share_address(const tern_listener *share) { return share->address; }
bool tern__share_follows(const tern_listener *share) { return atomic_load(&share->follows); }
int tern__share_fd(const tern_listener *share, uint32_t at) { return share->places[at].fd; }

int tern__share_join(tern_listener *share, int wanted) {
    int at = TERN_ERR_FULL;
    pthread_mutex_lock(&share->lock);
    for (uint32_t i = 0; i < share->n_places && at < 0; i++)
        if (!share->places[i].taken && (wanted == TERN__SHARE_ANY || wanted == (int)i)) at = (int)i;
    if (at >= 0) {
        share->places[at].taken = true;
        share->places[at].resting = false;
        steer_packets(share);
    }
    pthread_mutex_unlock(&share->lock);
    if (at >= 0) tern__share_ref(share);
    return at;
}

void tern__share_rest(tern_listener *share, uint32_t at) {
    pthread_mutex_lock(&share->lock);
    share->places[at].resting = true;
    steer_packets(share);
    pthread_mutex_unlock(&share->lock);
}

/* Connections that still wait for the member go to others, and are hung up when there are none: the peers try again. */
void tern__share_leave(tern_listener *share, uint32_t at) {
    pthread_mutex_lock(&share->lock);
    share_seat *p = &share->places[at];
    p->taken = false;
    for (int sock; (sock = take_queued(p)) >= 0;) {
        uint32_t other = next_place(share, at);
        if (other != at)
            queue_connection(&share->places[other], sock);
        else
            tern__deferred_close(sock);
    }
    steer_packets(share);
    pthread_mutex_unlock(&share->lock);
    tern__share_unref(share);
}

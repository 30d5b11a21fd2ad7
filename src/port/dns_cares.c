/* Questions to the network by c-ares. Its channel exists while there are questions, so that each time they begin the
 * system's configuration is read as it is then, and in between nothing is held. The channel's sockets are in an epoll
 * set, whose descriptor is the one to wait for. */
#include <ares.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <unistd.h>

#include "port/dns.h"

enum {
    TIMEOUT_MS = 1000, /* until a server is asked again, the first time; then it doubles */
    N_TRIES = 2,       /* of each server */
    MAX_EVENTS = 16,
};

struct tern__dns {
    ares_channel channel;
    bool open; /* there is a channel */
    int epoll_fd;
    const char *servers; /* NULL: the system's */
};

typedef struct question {
    tern__dns_fn *fn;
    void *user;
} question;

/* A closed socket has left the set already, or leaves it here. */
static void on_socket(void *data, ares_socket_t fd, int readable, int writable) {
    const tern__dns *dns = data;
    struct epoll_event event = {.events = (readable ? EPOLLIN : 0) | (writable ? EPOLLOUT : 0), .data.fd = fd};
    if (!event.events)
        epoll_ctl(dns->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    else if (epoll_ctl(dns->epoll_fd, EPOLL_CTL_ADD, fd, &event) && errno == EEXIST)
        epoll_ctl(dns->epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

/* Returns a status of c-ares. */
static int open_channel(tern__dns *dns) {
    char lookups[] = "b"; /* the hosts file has been read */
    struct ares_options options = {.timeout = TIMEOUT_MS,
                                   .tries = N_TRIES,
                                   .lookups = lookups,
                                   .sock_state_cb = on_socket,
                                   .sock_state_cb_data = dns};
    int mask = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB;
    int status = ares_init_options(&dns->channel, &options, mask);
    if (status != ARES_SUCCESS) return status;
    dns->open = true;
    return dns->servers ? ares_set_servers_ports_csv(dns->channel, dns->servers) : ARES_SUCCESS;
}

int tern__dns_new(const tern__port_env *env, tern__dns **out) {
    (void)env;
    tern__dns *dns = calloc(1, sizeof *dns);
    if (!dns) return TERN_ERR_NOMEM;
    dns->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (dns->epoll_fd < 0) {
        free(dns);
        return TERN_ERR_IO;
    }
    *out = dns;
    return 0;
}

void tern__dns_free(tern__dns *dns) {
    if (!dns) return;
    tern__dns_drop(dns);
    close(dns->epoll_fd);
    free(dns);
}

void tern__dns_drop(tern__dns *dns) {
    if (!dns->open) return;
    dns->open = false;
    ares_destroy(dns->channel);
}

static uint32_t copy_addresses(const struct ares_addrinfo *from, tern__ip_addr out[TERN__DNS_MAX_ADDRS]) {
    uint32_t n = 0;
    for (const struct ares_addrinfo_node *node = from->nodes; node && n < TERN__DNS_MAX_ADDRS; node = node->ai_next) {
        if (node->ai_family != AF_INET && node->ai_family != AF_INET6) continue;
        memset(&out[n], 0, sizeof out[n]);
        if ((size_t)node->ai_addrlen <= sizeof out[n]) memcpy(&out[n++], node->ai_addr, (size_t)node->ai_addrlen);
    }
    return n;
}

static void on_ares_answer(void *arg, int status, int n_timeouts, struct ares_addrinfo *found) {
    question q = *(question *)arg;
    tern__ip_addr addrs[TERN__DNS_MAX_ADDRS];
    (void)n_timeouts;
    free(arg);
    uint32_t n = status == ARES_SUCCESS && found ? copy_addresses(found, addrs) : 0;
    if (found) ares_freeaddrinfo(found);
    q.fn(q.user, n ? NULL : ares_strerror(status == ARES_SUCCESS ? ARES_ENODATA : status), addrs, n);
}

void tern__dns_ask(tern__dns *dns, const char *host, tern__dns_fn *fn, void *user) {
    int status = dns->open ? ARES_SUCCESS : open_channel(dns);
    question *q = status == ARES_SUCCESS ? malloc(sizeof *q) : NULL;
    if (!q) {
        fn(user, ares_strerror(status == ARES_SUCCESS ? ARES_ENOMEM : status), NULL, 0);
        return;
    }
    *q = (question){fn, user};
    struct ares_addrinfo_hints hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    ares_getaddrinfo(dns->channel, host, NULL, &hints, on_ares_answer, q);
}

void tern__dns_poll(tern__dns *dns) {
    struct epoll_event events[MAX_EVENTS];
    if (!dns->open) return;
    int n = epoll_wait(dns->epoll_fd, events, MAX_EVENTS, 0);
    for (int i = 0; i < n; i++) {
        int fd = events[i].data.fd;
        bool readable = events[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP), writable = events[i].events & EPOLLOUT;
        ares_process_fd(dns->channel, readable ? fd : ARES_SOCKET_BAD, writable ? fd : ARES_SOCKET_BAD);
    }
    ares_process_fd(dns->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

int tern__dns_fd(const tern__dns *dns) { return dns->epoll_fd; }

/* c-ares rounds down to milliseconds: a caller that woke up so early would ask in vain, again and again. */
tern_dur tern__dns_next(const tern__dns *dns) {
    struct timeval left;
    if (!dns->open || !ares_timeout(dns->channel, NULL, &left)) return -1;
    return (tern_dur)left.tv_sec * TERN_SEC + (tern_dur)left.tv_usec * TERN_US + TERN_MS;
}

bool tern__dns_set_servers(tern__dns *dns, const char *servers) {
    dns->servers = servers;
    return true;
}

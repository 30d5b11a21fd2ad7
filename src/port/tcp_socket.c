/* The sockets of the stream port (tcp_socket.h). */
#include "port/tcp_socket.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "port/hosts.h"
#include "port/socket_option.h"

enum {
    BACKLOG = 1024,
    MAX_CANDIDATES = 8,
    KEEP_INTERVAL_S = 1,          /* the shortest that there is */
    KEEP_PROBES = 5,              /* without TCP_USER_TIMEOUT, which counts otherwise */
    LOCAL_BUFFER_BYTES = 1 << 20, /* Unix sockets' buffers do not grow by themselves; TCP's do */
};

static int tcp_error(int error) {
    switch (error) {
    case EADDRINUSE: return TERN_ERR_EXISTS;
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT: return TERN_ERR_ADDRESS;
    case ENOMEM:
    case ENOBUFS: return TERN_ERR_NOMEM;
    case EMFILE:
    case ENFILE: return TERN_ERR_LIMIT;
    default: return TERN_ERR_IO;
    }
}

static int listen_at_addr(tern__tcp_listener *listener, const tern__ip_addr *addr, char *actual, size_t cap) {
    int fd = socket(addr->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return tcp_error(errno);
    tern__ip_addr bound;
    memset(&bound, 0, sizeof bound);
    socklen_t len = sizeof bound;
    /* Connections of a server before us may linger in the kernel; they do not keep us from its address. */
    tern__socket_set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (addr->any.sa_family == AF_INET6)
        tern__socket_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, !tern__ip_addr_is_wildcard(addr));
    int err = 0;
    if (bind(fd, &addr->any, tern__ip_addr_len(addr)) || listen(fd, BACKLOG) || getsockname(fd, &bound.any, &len))
        err = tcp_error(errno);
    if (!err) err = tern__ip_addr_format("tcp", &bound, actual, cap);
    if (err) {
        close(fd);
        return err;
    }
    *listener = (tern__tcp_listener){.fd = fd};
    return 0;
}

int tern__tcp_listen(tern__tcp_listener *listener, const char *address, char *actual, size_t cap) {
    tern__ip_addr addrs[MAX_CANDIDATES];
    int n = tern__hosts_resolve(address, true, addrs, MAX_CANDIDATES), err = n;
    if (n < 0) return n;
    for (int i = 0; i < n; i++) {
        err = listen_at_addr(listener, &addrs[i], actual, cap);
        if (err == 0) return 0;
    }
    return err;
}

int tern__tcp_listen_local(tern__tcp_listener *listener, const char *path, char *actual, size_t cap) {
    int err = tern__unix_address("unix", path, actual, cap);
    return err ? err : tern__unix_listener_open(listener, path, SOCK_STREAM);
}

void tern__tcp_listener_close(tern__tcp_listener *listener) {
    if (listener->path[0])
        tern__unix_listener_close(listener);
    else
        close(listener->fd);
}

int tern__tcp_dial(const tern__ip_addr *addr) {
    int fd = socket(addr->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return tcp_error(errno);
    if (connect(fd, &addr->any, tern__ip_addr_len(addr)) == 0 || errno == EINPROGRESS || errno == EINTR) return fd;
    int err = errno == ECONNREFUSED ? TERN_ERR_CLOSED : tcp_error(errno);
    close(fd);
    return err;
}

int tern__tcp_dial_result(int sock) {
    int error = 0;
    socklen_t len = sizeof error;
    return getsockopt(sock, SOL_SOCKET, SO_ERROR, &error, &len) ? errno : error;
}

/* Rounded up to what the kernel counts in. */
static int seconds_rounded_up(tern_dur span) {
    tern_dur s = (span + TERN_SEC - 1) / TERN_SEC;
    return s < 1 ? 1 : s < 3600 ? (int)s : 3600;
}

void tern__tcp_tune(int sock, bool local) {
    if (local)
        tern__socket_set(sock, SOL_SOCKET, SO_SNDBUF, LOCAL_BUFFER_BYTES);
    else
        tern__socket_set(sock, IPPROTO_TCP, TCP_NODELAY, 1);
}

void tern__tcp_watch_peer(int sock, bool local, tern_dur peer_timeout) {
    if (local) return;
    /* The kernel's own repetitions back off: in one peer_timeout there would be two or three of them. */
    tern_dur patience = 2 * peer_timeout;
    int patience_ms = patience / TERN_MS < INT32_MAX ? (int)(patience / TERN_MS) : INT32_MAX;
    tern__socket_set(sock, IPPROTO_TCP, TCP_USER_TIMEOUT, patience_ms);
    tern__socket_set(sock, IPPROTO_TCP, TCP_KEEPIDLE, seconds_rounded_up(peer_timeout));
    tern__socket_set(sock, IPPROTO_TCP, TCP_KEEPINTVL, KEEP_INTERVAL_S);
    tern__socket_set(sock, IPPROTO_TCP, TCP_KEEPCNT, KEEP_PROBES);
    tern__socket_set(sock, SOL_SOCKET, SO_KEEPALIVE, 1);
}

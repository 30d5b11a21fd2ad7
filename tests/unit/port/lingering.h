/* A descriptor whose last close waits in the kernel, to be handed to somebody (SCM_RIGHTS). */
#ifndef TERN_TESTS_LINGERING_H
#define TERN_TESTS_LINGERING_H

#include "base/base.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LINGER_S = 4 };

/* A TCP socket with a full send buffer, whose close waits LINGER_S seconds; *peer is its other end. -1: none to be
 * had. */
static inline int lingering_socket(int *peer) {
    static const uint8_t junk[65536];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = bind(listener, (const struct sockaddr *)(const void *)&at, len) == 0 && listen(listener, 1) == 0 &&
              getsockname(listener, (struct sockaddr *)(void *)&at, &len) == 0 &&
              connect(fd, (const struct sockaddr *)(const void *)&at, len) == 0;
    *peer = ok ? accept(listener, NULL, NULL) : -1;
    close(listener);
    while (send(fd, junk, sizeof junk, MSG_NOSIGNAL | MSG_DONTWAIT) > 0) continue;
    struct linger wait = {.l_onoff = 1, .l_linger = LINGER_S};
    if (ok && *peer >= 0 && setsockopt(fd, SOL_SOCKET, SO_LINGER, &wait, sizeof wait) == 0) return fd;
    close(fd);
    return -1;
}

enum { MOST_FDS_SENT = 8 };

/* Send bytes with n descriptors, all of them fd. False: the message was refused. */
static inline bool send_with_fds(int sock, const void *data, size_t len, int fd, size_t n) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * MOST_FDS_SENT)];
    } control = {0};
    struct iovec iov = {(void *)(uintptr_t)data, len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = CMSG_SPACE(n * sizeof fd);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(n * sizeof fd);
    for (size_t i = 0; i < n; i++) memcpy(CMSG_DATA(&control.header) + i * sizeof fd, &fd, sizeof fd);
    return sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len;
}

static inline bool send_with_fd(int sock, const void *data, size_t len, int fd) {
    return send_with_fds(sock, data, len, fd, 1);
}

/* One end of a pair of Unix sockets, in which the descriptor lies unread, as its last reference. */
static inline int nested_socket(int fd) {
    int pair[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) || !send_with_fd(pair[0], "x", 1, fd)) return -1;
    close(pair[0]);
    close(fd);
    return pair[1];
}

static inline double seconds_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

#endif

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

/* Send bytes with a descriptor. False: the message was refused. */
static inline bool send_with_fd(int sock, const void *data, size_t len, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec iov = {(void *)(uintptr_t)data, len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    return sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len;
}

static inline double seconds_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

#endif

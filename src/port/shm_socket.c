/* Descriptors that come and go with a greeting, and wake-ups. Every descriptor received is either handed on or
 * closed, whatever the message was. */
#include "port/shm_socket.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_WAKES = 16, OVERFLOW_UID = 65534 };

bool tern__shm_same_user(int sock) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len)) return false;
    /* All users that have no number in our user namespace have this one. */
    return peer.uid == geteuid() && peer.uid != OVERFLOW_UID;
}

/* Room for more descriptors than we ever want, so that the kernel hands surplus ones to us to be counted. */
typedef union fd_message {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * (TERN__SHM_MAX_FDS + 1))];
} fd_message;

int tern__shm_send_hello(int sock, const tern__shm_hello *hello, const int *fds, unsigned n_fds) {
    fd_message control = {0};
    tern__shm_hello copy = *hello;
    struct iovec iov = {&copy, sizeof copy};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
    memcpy(CMSG_DATA(&control.header), fds, sizeof(int) * n_fds);
    if (sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof copy) return 0;
    return errno == EPIPE || errno == ECONNRESET ? TERN_ERR_CLOSED : TERN_ERR_IO;
}

static unsigned take_fds(struct msghdr *msg, int fds[TERN__SHM_MAX_FDS]) {
    unsigned n = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (n < TERN__SHM_MAX_FDS)
                fds[n] = fd;
            else
                close(fd);
            n++;
        }
    }
    return n;
}

int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int fds[TERN__SHM_MAX_FDS]) {
    fd_message control = {0};
    struct iovec iov = {hello, sizeof *hello};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = sizeof control;
    ssize_t got = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? TERN_ERR_AGAIN : TERN_ERR_CLOSED;
    unsigned n = take_fds(&msg, fds);
    int err = got == 0 ? TERN_ERR_CLOSED : TERN_ERR_MALFORMED;
    bool known = got >= 8 && hello->magic == TERN__SHM_MAGIC;
    if (known && hello->version != TERN__SHM_VERSION)
        err = TERN_ERR_VERSION;
    else if (known && got == (ssize_t)sizeof *hello && !(msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) &&
             hello->n_segments <= TERN__SHM_MAX_SEGMENTS && n == hello->n_segments + 1u)
        return 0;
    for (unsigned i = 0; i < n && i < TERN__SHM_MAX_FDS; i++) close(fds[i]);
    return err;
}

void tern__shm_send_wake(int sock) {
    ssize_t sent = send(sock, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* a peer that is gone is noticed where its socket is read */
}

int tern__shm_recv_wakes(int sock) {
    char byte;
    for (int i = 0; i < MAX_WAKES; i++) {
        ssize_t got = recv(sock, &byte, 1, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (got <= 0) return TERN_ERR_CLOSED;
    }
    return 0;
}

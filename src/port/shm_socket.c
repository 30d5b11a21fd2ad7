/* Descriptors that come and go with a greeting, and wake-ups. Every descriptor received is either handed on or
 * closed, whatever the message was.
 *
 * A descriptor that a peer chose must not end inside the kernel: the last reference to a TCP socket with SO_LINGER
 * keeps the thread that drops the reference for as long as the option says. So every message is received with room for
 * all descriptors that a message can have, unread messages are received before a socket is closed, and whatever is not
 * a memfd loses its SO_LINGER before it is closed. */
#include "port/shm_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/socket_option.h"

enum {
    MAX_UNREAD = 4096, /* messages; a socket's buffer holds far fewer */
    MOST_FDS = 253,    /* that the kernel sends with one message (SCM_MAX_FD) */
    OVERFLOW_UID = 65534
};

bool tern__shm_same_user(int sock) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len)) return false;
    /* All users that have no number in our user namespace have this one. */
    return peer.uid == geteuid() && peer.uid != OVERFLOW_UID;
}

/* Room for all descriptors that a message can have: the kernel drops those that find none, in our thread. */
typedef union fd_message {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * MOST_FDS) + CMSG_SPACE(sizeof(struct ucred))];
} fd_message;

/* What came with a message. */
typedef struct extras {
    int fd;         /* the first descriptor; -1: none. The others are closed */
    unsigned n_fds; /* all of them */
    bool cut;       /* something of the message was lost */
    bool any;       /* descriptors, or the sender's credentials */
} extras;

void tern__shm_close_foreign(int fd) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once); /* of anything but a socket: ENOTSOCK */
    close(fd);
}

/* Files of memory, memfds among them, are the only ones that have seals. */
static bool is_memory(int fd) { return fcntl(fd, F_GET_SEALS) >= 0; }

/* A message with a descriptor, or none (-1). */
static int send_with_fd(int sock, const void *data, size_t len, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec iov = {(void *)(uintptr_t)data, len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fd >= 0) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    }
    if (sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len) return 0;
    if (errno == EAGAIN || errno == ETOOMANYREFS) return TERN_ERR_AGAIN;
    return errno == EPIPE || errno == ECONNRESET ? TERN_ERR_CLOSED : TERN_ERR_IO;
}

int tern__shm_send_hello(int sock, const tern__shm_hello *hello, int channel_fd) {
    return send_with_fd(sock, hello, sizeof *hello, channel_fd);
}

int tern__shm_send_notice(int sock, const tern__shm_notice *notice, int fd) {
    return send_with_fd(sock, notice, sizeof *notice, fd);
}

static void take_fds(struct msghdr *msg, extras *out) {
    out->fd = -1;
    out->n_fds = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (out->n_fds++ == 0)
                out->fd = fd;
            else
                tern__shm_close_foreign(fd);
        }
    }
}

/* Receive a message of up to `cap` bytes with its descriptors. Returns as recvmsg() does. */
static ssize_t recv_with_fds(int sock, void *data, size_t cap, extras *out) {
    fd_message control;
    struct iovec iov = {data, cap};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = sizeof control;
    ssize_t got = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) msg.msg_controllen = 0;
    take_fds(&msg, out);
    out->cut = got >= 0 && (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    out->any = msg.msg_controllen > 0;
    return got;
}

static void close_fd_of(const extras *with) {
    if (with->fd >= 0) tern__shm_close_foreign(with->fd);
}

int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int *channel_fd) {
    extras with;
    ssize_t got = recv_with_fds(sock, hello, sizeof *hello, &with);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? TERN_ERR_AGAIN : TERN_ERR_CLOSED;
    int err = got == 0 ? TERN_ERR_CLOSED : TERN_ERR_MALFORMED;
    bool known = got >= 8 && hello->magic == TERN__SHM_MAGIC;
    if (known && hello->version != TERN__SHM_VERSION) {
        err = TERN_ERR_VERSION;
    } else if (known && got == (ssize_t)sizeof *hello && !with.cut && with.n_fds == 1 && is_memory(with.fd)) {
        *channel_fd = with.fd;
        return 0;
    } else if (known && with.cut && with.n_fds == 0) {
        err = TERN_ERR_LIMIT; /* this process has no room for the channel's descriptor */
    }
    close_fd_of(&with);
    return err;
}

int tern__shm_recv_notice(int sock, tern__shm_notice *notice, int *fd) {
    extras with;
    ssize_t got = recv_with_fds(sock, notice, sizeof *notice, &with);
    *fd = -1;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return TERN_ERR_AGAIN;
    if (got == 1 && with.n_fds == 0) return 0;
    if (got == (ssize_t)sizeof *notice && !with.cut) {
        bool announces = notice->kind == TERN__SHM_ANNOUNCE && with.n_fds == 1 && is_memory(with.fd);
        *fd = with.fd;
        if (announces || (notice->kind == TERN__SHM_RETIRE && with.n_fds == 0)) return 1;
        *fd = -1;
    }
    /* An announcement whose descriptor is not there: this process has no room for one more. */
    if (got == (ssize_t)sizeof *notice && notice->kind == TERN__SHM_ANNOUNCE && with.cut && with.n_fds == 0)
        return TERN_ERR_NOMEM;
    close_fd_of(&with);
    return got <= 0 ? TERN_ERR_CLOSED : TERN_ERR_MALFORMED;
}

void tern__shm_send_wake(int sock) {
    ssize_t sent = send(sock, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* a peer that is gone is noticed where its socket is read */
}

void tern__shm_close(int sock) {
    extras with;
    char byte;
    shutdown(sock, SHUT_RDWR);                          /* nothing comes behind what is here */
    tern__socket_set(sock, SOL_SOCKET, SO_PASSCRED, 1); /* which tells an empty message from the end */
    for (int i = 0; i < MAX_UNREAD; i++) {
        recv_with_fds(sock, &byte, 1, &with);
        close_fd_of(&with);
        if (!with.any) break;
    }
    close(sock);
}

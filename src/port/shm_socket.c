/* Descriptors that come and go with a greeting, and wake-ups. Every descriptor received is either handed on or
 * closed, whatever the message was.
 *
 * The last reference to a descriptor that a peer chose must not end in this thread, which the kernel may keep there for
 * as long as the peer likes (deferred_close.h). So every message is received with room for all descriptors that a
 * message can have, a socket with unread messages is closed by the helper thread, and when too many descriptors wait
 * for the helper, messages that bring some are left unread. */
#include "port/shm_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/deferred_close.h"
#include "port/socket_option.h"

enum {
    FEW_UNREAD = 8, /* messages: as many as an honest peer leaves */
    MOST_FDS = 253, /* that the kernel sends with one message (SCM_MAX_FD) */
    OVERFLOW_UID = 65534
};

bool tern__shm_same_user(int sock) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len)) return false;
    /* All users that have no number in our user namespace have this one. */
    return peer.uid == geteuid() && peer.uid != OVERFLOW_UID;
}

bool tern__shm_is_trusted(int sock) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    bool is_root = getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.uid == 0;
    return is_root || tern__shm_same_user(sock);
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
                tern__deferred_close(fd);
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
    if (with->fd >= 0) tern__deferred_close(with->fd);
}

/* Whether the next message brings more than one file of memory, which an announcement needs. A look at it makes
 * descriptors of our own, whose close is not the last. */
static bool brings_foreign(int sock) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    extras with;
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = CMSG_LEN(sizeof(int)); /* where room is rounded up, two would fit */
    if (recvmsg(sock, &msg, MSG_DONTWAIT | MSG_PEEK | MSG_CMSG_CLOEXEC) < 0) return false;
    take_fds(&msg, &with);
    bool foreign = msg.msg_flags & MSG_CTRUNC || (with.fd >= 0 && !is_memory(with.fd));
    close_fd_of(&with);
    return foreign;
}

static bool is_refused(int sock) { return tern__deferred_close_is_full() && brings_foreign(sock); }

int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int *channel_fd) {
    extras with;
    if (is_refused(sock)) return TERN_ERR_CLOSED;
    ssize_t got = recv_with_fds(sock, hello, sizeof *hello, &with);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? TERN_ERR_AGAIN : TERN_ERR_CLOSED;
    int err = got == 0 ? TERN_ERR_CLOSED : TERN_ERR_MALFORMED;
    bool known = got >= 8 && hello->magic == TERN__SHM_MAGIC;
    if (known && hello->version != TERN__SHM_VERSION) {
        err = TERN_ERR_VERSION;
    } else if (known && got == (ssize_t)sizeof *hello && !with.cut && with.n_fds == 1 && is_memory(with.fd)) {
        *channel_fd = with.fd;
        return 0;
    } else if (known && got == (ssize_t)sizeof *hello && with.cut && with.n_fds == 0) {
        errno = EMFILE;
        return TERN_ERR_LIMIT;
    }
    close_fd_of(&with);
    return err;
}

int tern__shm_recv_notice(int sock, tern__shm_notice *notice, int *fd) {
    extras with;
    *fd = -1;
    if (is_refused(sock)) return TERN_ERR_CLOSED;
    ssize_t got = recv_with_fds(sock, notice, sizeof *notice, &with);
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
    for (int i = 0; i < FEW_UNREAD && !tern__deferred_close_is_full(); i++) {
        recv_with_fds(sock, &byte, 1, &with);
        close_fd_of(&with);
        if (with.any) continue;
        close(sock);
        return;
    }
    tern__deferred_close(sock);
}

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
    MAX_WAKES = 16,
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
    int fds[TERN__SHM_MAX_FDS];
    unsigned n_fds; /* may exceed those in fds, which are closed */
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

int tern__shm_send_hello(int sock, const tern__shm_hello *hello, const int *fds, unsigned n_fds) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * TERN__SHM_MAX_FDS)];
    } control = {0};
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
                tern__shm_close_foreign(fd);
            n++;
        }
    }
    return n;
}

/* Receive a message of up to `cap` bytes with its descriptors. Returns as recvmsg() does. */
static ssize_t recv_with_fds(int sock, void *data, size_t cap, extras *out) {
    fd_message control;
    struct iovec iov = {data, cap};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
    msg.msg_controllen = sizeof control;
    ssize_t got = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) msg.msg_controllen = 0;
    out->n_fds = take_fds(&msg, out->fds);
    out->cut = got >= 0 && (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    out->any = msg.msg_controllen > 0;
    return got;
}

static void close_fds(const extras *with) {
    for (unsigned i = 0; i < with->n_fds && i < TERN__SHM_MAX_FDS; i++) tern__shm_close_foreign(with->fds[i]);
}

static bool are_memory(const extras *with) {
    for (unsigned i = 0; i < with->n_fds && i < TERN__SHM_MAX_FDS; i++)
        if (!is_memory(with->fds[i])) return false;
    return true;
}

int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int fds[TERN__SHM_MAX_FDS]) {
    extras with;
    ssize_t got = recv_with_fds(sock, hello, sizeof *hello, &with);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? TERN_ERR_AGAIN : TERN_ERR_CLOSED;
    tern__socket_refuse_descriptors(sock);
    int err = got == 0 ? TERN_ERR_CLOSED : TERN_ERR_MALFORMED;
    bool known = got >= 8 && hello->magic == TERN__SHM_MAGIC;
    if (known && hello->version != TERN__SHM_VERSION) {
        err = TERN_ERR_VERSION;
    } else if (known && got == (ssize_t)sizeof *hello && !with.cut && hello->n_segments <= TERN__SHM_MAX_SEGMENTS &&
               with.n_fds == hello->n_segments + 1u && are_memory(&with)) {
        memcpy(fds, with.fds, sizeof with.fds[0] * with.n_fds);
        return 0;
    }
    close_fds(&with);
    return err;
}

void tern__shm_send_wake(int sock) {
    ssize_t sent = send(sock, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* a peer that is gone is noticed where its socket is read */
}

int tern__shm_recv_wakes(int sock) {
    extras with;
    char byte;
    for (int i = 0; i < MAX_WAKES; i++) {
        ssize_t got = recv_with_fds(sock, &byte, 1, &with);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        close_fds(&with);
        if (got <= 0 || with.n_fds) return TERN_ERR_CLOSED;
    }
    return 0;
}

void tern__shm_close(int sock) {
    extras with;
    char byte;
    shutdown(sock, SHUT_RDWR);                          /* nothing comes behind what is here */
    tern__socket_set(sock, SOL_SOCKET, SO_PASSCRED, 1); /* which tells an empty message from the end */
    for (int i = 0; i < MAX_UNREAD; i++) {
        recv_with_fds(sock, &byte, 1, &with);
        close_fds(&with);
        if (!with.any) break;
    }
    close(sock);
}

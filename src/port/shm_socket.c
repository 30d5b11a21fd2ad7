/* Unix sockets: listening without stealing a live server's address, and descriptors that come and go with a
 * greeting. Every descriptor received is either handed on or closed, whatever the message was. */
#include "port/shm_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BACKLOG = 1024, LOCK_TRIES = 50, MAX_WAKES = 16, OVERFLOW_UID = 65534 };

static int error_of(int error) {
    switch (error) {
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG: return TERN_ERR_ADDRESS;
    case ENOMEM:
    case ENOBUFS: return TERN_ERR_NOMEM;
    default: return TERN_ERR_IO;
    }
}

static int address_of(struct sockaddr_un *address, const char *path) {
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof address->sun_path) return TERN_ERR_ADDRESS;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path, path, len + 1);
    return 0;
}

static int new_socket(void) { return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int tern__shm_dial(const char *path) {
    struct sockaddr_un address;
    int err = address_of(&address, path);
    if (err) return err;
    int sock = new_socket();
    if (sock < 0) return TERN_ERR_IO;
    if (connect(sock, (const struct sockaddr *)&address, sizeof address) == 0) return sock;
    err = errno;
    close(sock);
    switch (err) {
    case ENOENT:
    case ECONNREFUSED: return TERN_ERR_CLOSED;
    case EAGAIN: return TERN_ERR_AGAIN; /* somebody listens, and has too many callers */
    default: return error_of(err);
    }
}

/* ---- Listening ---------------------------------------------------------------------------------- */

/* Two servers that find the same stale file must not both replace it. The directory serves as the lock, so
 * nothing is left behind; somebody who keeps it locked can delay us, not stop us. */
static int lock_directory(const char *path) {
    char directory[TERN__SHM_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    if (!slash)
        memcpy(directory, ".", 2);
    else if (len == 0)
        memcpy(directory, "/", 2);
    else {
        memcpy(directory, path, len);
        directory[len] = 0;
    }
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return fd;
}

/* Remove the socket file of a server that is gone. */
static int remove_stale(const char *path) {
    struct stat st;
    if (lstat(path, &st)) return errno == ENOENT ? 0 : error_of(errno);
    if (!S_ISSOCK(st.st_mode)) return TERN_ERR_EXISTS;
    int sock = tern__shm_dial(path);
    if (sock >= 0) close(sock);
    if (sock != TERN_ERR_CLOSED) return TERN_ERR_EXISTS;
    return unlink(path) && errno != ENOENT ? error_of(errno) : 0;
}

static int bind_and_listen(tern__shm_listener *listener, const struct sockaddr_un *address) {
    struct stat st;
    int err = remove_stale(listener->path);
    if (err) return err;
    /* The file takes the socket's mode, less the umask: no moment in which others could connect. */
    if (fchmod(listener->fd, S_IRUSR | S_IWUSR)) return TERN_ERR_IO;
    if (bind(listener->fd, (const struct sockaddr *)address, sizeof *address))
        return errno == EADDRINUSE ? TERN_ERR_EXISTS : error_of(errno);
    if (listen(listener->fd, BACKLOG) || lstat(listener->path, &st)) {
        err = error_of(errno);
        unlink(listener->path);
        return err;
    }
    listener->dev = st.st_dev;
    listener->ino = st.st_ino;
    return 0;
}

int tern__shm_listener_open(tern__shm_listener *listener, const char *path) {
    struct sockaddr_un address;
    int err = address_of(&address, path);
    if (err) return err;
    memcpy(listener->path, address.sun_path, sizeof listener->path);
    listener->fd = new_socket();
    if (listener->fd < 0) return TERN_ERR_IO;
    int lock = lock_directory(path);
    err = bind_and_listen(listener, &address);
    if (lock >= 0) close(lock);
    if (err) close(listener->fd);
    return err;
}

void tern__shm_listener_close(tern__shm_listener *listener) {
    struct stat st;
    int lock = lock_directory(listener->path);
    if (lstat(listener->path, &st) == 0 && st.st_dev == listener->dev && st.st_ino == listener->ino)
        unlink(listener->path);
    if (lock >= 0) close(lock);
    close(listener->fd);
    listener->fd = -1;
}

int tern__shm_listener_accept(const tern__shm_listener *listener) {
    int sock = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (sock >= 0) return sock;
    bool out = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
    return out ? TERN_ERR_LIMIT : TERN_ERR_AGAIN;
}

/* ---- Talking ------------------------------------------------------------------------------------ */

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

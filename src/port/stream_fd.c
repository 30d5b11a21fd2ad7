/* Streams to and from file descriptors (tern/stream.h). A descriptor that would block is waited for. */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tern/stream.h"

/* The descriptor, and in the lowest bit whether it is a socket. */
static void *user_of(int fd) {
    int type;
    socklen_t len = sizeof type;
    bool is_socket = getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
    return (void *)((intptr_t)fd * 2 + is_socket);
}

static int fd_of(void *user) { return (int)((intptr_t)user >> 1); }
static bool is_socket(void *user) { return (intptr_t)user & 1; }

static bool wait_for(int fd, short events) {
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, -1) > 0 || errno == EINTR;
}

static int64_t stream_error(int err) { return err == EPIPE || err == ECONNRESET ? TERN_ERR_CLOSED : TERN_ERR_IO; }

/* Without SIGPIPE where that can be had. */
static ssize_t write_or_send(void *user, const void *data, size_t n) {
    return is_socket(user) ? send(fd_of(user), data, n, MSG_NOSIGNAL) : write(fd_of(user), data, n);
}

static int64_t fd_flush(void *user, const uint8_t *data, size_t n, size_t min) {
    size_t done = 0;
    while (done < min) {
        ssize_t some = write_or_send(user, data + done, n - done);
        if (some >= 0)
            done += (size_t)some;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for(fd_of(user), POLLOUT)) return TERN_ERR_IO;
        } else if (errno != EINTR)
            return stream_error(errno);
    }
    return (int64_t)done;
}

static int fd_post(void *user, const void *data, size_t n) {
    int64_t done = fd_flush(user, data, n, n);
    return done < 0 ? (int)done : 0;
}

static int64_t fd_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    int fd = fd_of(user);
    size_t done = 0;
    while (done < min) {
        ssize_t some = read(fd, to + done, cap - done);
        if (some > 0)
            done += (size_t)some;
        else if (some == 0)
            break;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for(fd, POLLIN)) return TERN_ERR_IO;
        } else if (errno != EINTR)
            return stream_error(errno);
    }
    return (int64_t)done;
}

tern_sink tern_sink_fd(int fd) {
    static const tern_sink_ops ops = {
        .size = sizeof ops, .flush = fd_flush, .post = fd_post, .post_min = TERN_STREAM_BUFFER_BYTES};
    return (tern_sink){&ops, user_of(fd)};
}

tern_source tern_source_fd(int fd) {
    static const tern_source_ops ops = {.size = sizeof ops, .fill = fd_fill};
    return (tern_source){&ops, user_of(fd)};
}

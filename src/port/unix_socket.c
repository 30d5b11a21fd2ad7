/* Unix sockets by path (unix_socket.h). */
#include "port/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "port/deferred_close.h"
#include "port/socket_option.h"
#include "tern/err.h"

enum { BACKLOG = 1024, LOCK_TRIES = 50 };

static int unix_error(int error) {
    switch (error) {
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG: return TERN_ERR_ADDRESS;
    case ENOMEM:
    case ENOBUFS: return TERN_ERR_NOMEM;
    case EMFILE:
    case ENFILE: return TERN_ERR_LIMIT;
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

const char *tern__unix_path_fault(const char *path) {
    _Static_assert(TERN__UNIX_PATH_BYTES == 108, "the sentence names the bound");
    if (!*path) return "the path is missing";
    return strlen(path) < TERN__UNIX_PATH_BYTES ? NULL : "the path is longer than 107 bytes";
}

/* A stream socket takes no descriptors: the last reference to a descriptor that came with bytes would end inside
 * recv(), and the kernel waits there for whatever the descriptor's end waits for (SO_LINGER). Greetings over seqpacket
 * carry descriptors (shm_socket.c). */
static int new_socket(int type) {
    int sock = socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (sock >= 0 && type == SOCK_STREAM) tern__socket_refuse_descriptors(sock);
    return sock;
}

int tern__unix_dial(const char *path, int type) {
    struct sockaddr_un address;
    int err = address_of(&address, path);
    if (err) return err;
    int sock = new_socket(type);
    if (sock < 0) return unix_error(errno);
    if (connect(sock, (const struct sockaddr *)&address, sizeof address) == 0) return sock;
    err = errno;
    close(sock);
    switch (err) {
    case ENOENT:
    case ECONNREFUSED: return TERN_ERR_CLOSED;
    case EAGAIN: return TERN_ERR_AGAIN; /* a server listens, and too many callers wait */
    default: return unix_error(err);
    }
}

/* ---- Listening ---------------------------------------------------------------------------------- */

/* Two servers that find the same stale file must not both replace it. The directory serves as the lock, so
 * that nothing is left behind; a process that keeps it locked can delay this one, not stop it. */
static int lock_directory(const char *path) {
    char directory[TERN__UNIX_PATH_BYTES];
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
static int remove_stale(const char *path, int type) {
    struct stat st;
    if (lstat(path, &st)) return errno == ENOENT ? 0 : unix_error(errno);
    if (!S_ISSOCK(st.st_mode)) {
        errno = ENOTSOCK; /* tells this file from an address that is taken */
        return TERN_ERR_EXISTS;
    }
    int sock = tern__unix_dial(path, type);
    if (sock >= 0) close(sock);
    if (sock == TERN_ERR_ACCESS) return TERN_ERR_ACCESS; /* whether anybody listens there is not ours to know */
    if (sock != TERN_ERR_CLOSED) {
        errno = EADDRINUSE;
        return TERN_ERR_EXISTS;
    }
    return unlink(path) && errno != ENOENT ? unix_error(errno) : 0;
}

static int bind_and_listen(tern__unix_listener *listener, const struct sockaddr_un *address, int type) {
    struct stat st;
    int err = remove_stale(listener->path, type);
    if (err) return err;
    /* The file takes the socket's mode, less the umask: no moment in which others could connect. */
    if (fchmod(listener->fd, S_IRUSR | S_IWUSR)) return TERN_ERR_IO;
    if (bind(listener->fd, (const struct sockaddr *)address, sizeof *address))
        return errno == EADDRINUSE ? TERN_ERR_EXISTS : unix_error(errno);
    if (listen(listener->fd, BACKLOG) || lstat(listener->path, &st)) {
        err = unix_error(errno);
        unlink(listener->path);
        return err;
    }
    listener->dev = st.st_dev;
    listener->ino = st.st_ino;
    listener->process = getpid();
    return 0;
}

int tern__unix_listener_open(tern__unix_listener *listener, const char *path, int type) {
    struct sockaddr_un address;
    int err = address_of(&address, path);
    if (err) return err;
    *listener = (tern__unix_listener){0};
    memcpy(listener->path, address.sun_path, sizeof listener->path);
    listener->fd = new_socket(type);
    if (listener->fd < 0) return unix_error(errno);
    int lock = lock_directory(path);
    err = bind_and_listen(listener, &address, type);
    if (lock >= 0) close(lock);
    if (err) close(listener->fd);
    return err;
}

static void remove_own_file(const tern__unix_listener *listener) {
    struct stat st;
    int lock = lock_directory(listener->path);
    if (lstat(listener->path, &st) == 0 && st.st_dev == listener->dev && st.st_ino == listener->ino)
        unlink(listener->path);
    if (lock >= 0) close(lock);
}

void tern__unix_listener_close(tern__unix_listener *listener) {
    if (listener->process == getpid()) {
        remove_own_file(listener);
        shutdown(listener->fd, SHUT_RDWR);
        tern__deferred_close(listener->fd); /* with what those have sent who wait to be accepted */
    } else {
        close(listener->fd);
    }
    listener->fd = -1;
}

int tern__socket_accept(int fd) {
    int sock = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (sock >= 0) return sock;
    bool out = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
    return out ? TERN_ERR_LIMIT : TERN_ERR_AGAIN;
}

int tern__unix_address(const char *scheme, const char *path, char *out, size_t cap) {
    char here[PATH_MAX];
    int len;
    if (path[0] == '/' || !getcwd(here, sizeof here) || strlen(here) + strlen(path) + 2 > TERN__UNIX_PATH_BYTES)
        len = snprintf(out, cap, "%s://%s", scheme, path);
    else
        len = snprintf(out, cap, "%s://%s/%s", scheme, here, path);
    return len < 0 || (size_t)len >= cap ? TERN_ERR_ADDRESS : 0;
}

/* Unix sockets by path, of either connection-keeping type: listening without stealing a live server's address, and
 * dialling. Nothing here blocks. */
#ifndef TERN_PORT_UNIX_SOCKET_H
#define TERN_PORT_UNIX_SOCKET_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include "tern/rpc.h"

enum { TERN__UNIX_PATH_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) }; /* NUL included */

typedef struct tern__unix_listener {
    char path[TERN__UNIX_PATH_BYTES];
    dev_t dev; /* of the socket file that is ours */
    ino_t ino;
    int fd;
    pid_t process;        /* that listens; a child of fork() leaves the file alone */
    tern_listener *share; /* not NULL: fd, and what is accepted there, are a place of this (listener.h) */
    uint32_t place;
} tern__unix_listener;

/* Listen at path, by SOCK_STREAM or SOCK_SEQPACKET, with file mode 0600. A socket file that nobody listens on is
 * replaced. TERN_ERR_ADDRESS (empty, too long, no such directory), TERN_ERR_EXISTS (somebody listens, or it is no
 * socket), TERN_ERR_ACCESS, TERN_ERR_IO; TERN_ERR_LIMIT, of which errno tells more: no descriptor is left. */
int tern__unix_listener_open(tern__unix_listener *listener, const char *path, int type);

/* Close it, and remove the file if it is still ours and not a parent process's. Not for a place of a shared address. */
void tern__unix_listener_close(tern__unix_listener *listener);

/* The next peer's socket on any listening descriptor, or TERN_ERR_AGAIN when there is none, TERN_ERR_LIMIT when
 * descriptors are out. */
int tern__socket_accept(int fd);

/* A socket connected to path; TERN_ERR_ADDRESS, TERN_ERR_CLOSED (nobody there), TERN_ERR_AGAIN (too many ask at
 * once), TERN_ERR_ACCESS, TERN_ERR_LIMIT, TERN_ERR_IO. */
int tern__unix_dial(const char *path, int type);

/* Why this can be no path of a Unix socket, in words; NULL: the path may be one. */
const char *tern__unix_path_fault(const char *path);

/* "shm:///run/kv.sock": the scheme and the path, made absolute where it fits. Returns 0 or TERN_ERR_ADDRESS. */
int tern__unix_address(const char *scheme, const char *path, char *out, size_t cap);

#endif

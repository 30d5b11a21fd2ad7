/* The sockets of the shm port: Unix seqpacket. They carry one greeting each way, with descriptors; then a byte to
 * wake a sleeper; and their end is the peer's end. Nothing here blocks. */
#ifndef TERN_PORT_SHM_SOCKET_H
#define TERN_PORT_SHM_SOCKET_H

#include <sys/types.h>
#include <sys/un.h>

#include "port/shm_map.h"

enum { TERN__SHM_PATH_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) }; /* NUL included */

typedef struct tern__shm_listener {
    char path[TERN__SHM_PATH_BYTES];
    dev_t dev; /* of the socket file that is ours */
    ino_t ino;
    int fd;
} tern__shm_listener;

/* Listen at path with file mode 0600. A socket file that nobody listens on is replaced. TERN_ERR_ADDRESS (empty, too
 * long, no such directory), TERN_ERR_EXISTS (somebody listens, or it is no socket), TERN_ERR_ACCESS, TERN_ERR_IO. */
int tern__shm_listener_open(tern__shm_listener *listener, const char *path);

/* Close it and remove the file if it is still ours. */
void tern__shm_listener_close(tern__shm_listener *listener);

/* The next peer's socket, or TERN_ERR_AGAIN when there is none, TERN_ERR_LIMIT when descriptors are out. */
int tern__shm_listener_accept(const tern__shm_listener *listener);

/* A socket connected to path; TERN_ERR_ADDRESS, TERN_ERR_CLOSED (nobody there), TERN_ERR_AGAIN (too many ask at
 * once), TERN_ERR_ACCESS, TERN_ERR_IO. */
int tern__shm_dial(const char *path);

/* Whether the process at the other end ran as our user when it connected or listened. */
bool tern__shm_same_user(int sock);

/* Send the greeting with n_fds descriptors. TERN_ERR_CLOSED, TERN_ERR_IO. */
int tern__shm_send_hello(int sock, const tern__shm_hello *hello, const int *fds, unsigned n_fds);

/* Receive the peer's: the caller then owns n_segments + 1 descriptors in fds. TERN_ERR_AGAIN when it is not here
 * yet; TERN_ERR_CLOSED; TERN_ERR_VERSION; TERN_ERR_MALFORMED. */
int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int fds[TERN__SHM_MAX_FDS]);

/* Wake the peer. A full socket is fine: then it has a byte to find already. */
void tern__shm_send_wake(int sock);

/* Take in wake-ups, a bounded number: 0, or TERN_ERR_CLOSED when the peer has gone. */
int tern__shm_recv_wakes(int sock);

#endif

/* The sockets of the shm port: Unix seqpacket. They carry one greeting each way, with descriptors; then a byte to
 * wake a sleeper; and their end is the peer's end. Nothing here blocks. */
#ifndef TERN_PORT_SHM_SOCKET_H
#define TERN_PORT_SHM_SOCKET_H

#include "port/shm_map.h"
#include "port/unix_socket.h"

static inline int tern__shm_dial(const char *path) { return tern__unix_dial(path, SOCK_SEQPACKET); }

/* Whether the process at the other end ran as our user when it connected or listened. */
bool tern__shm_same_user(int sock);

/* Send the greeting with n_fds descriptors. TERN_ERR_CLOSED, TERN_ERR_IO. */
int tern__shm_send_hello(int sock, const tern__shm_hello *hello, const int *fds, unsigned n_fds);

/* Receive the peer's: the caller then owns n_segments + 1 descriptors in fds, files of memory all of them, and the
 * socket takes no more descriptors where the kernel can refuse them. TERN_ERR_AGAIN when the greeting is not here yet;
 * TERN_ERR_CLOSED; TERN_ERR_VERSION; TERN_ERR_MALFORMED. */
int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int fds[TERN__SHM_MAX_FDS]);

/* Wake the peer. A full socket is fine: then it has a byte to find already. */
void tern__shm_send_wake(int sock);

/* Take in wake-ups, a bounded number: 0, or TERN_ERR_CLOSED when the peer has gone or sent a descriptor. */
int tern__shm_recv_wakes(int sock);

/* Close a descriptor that a peer sent, without waiting for whatever a socket's SO_LINGER asks for. */
void tern__shm_close_foreign(int fd);

/* Close a peer's socket. Descriptors in messages that nobody has read are closed as above. */
void tern__shm_close(int sock);

#endif

/* The sockets of the shm port: Unix seqpacket. They carry one greeting each way, with descriptors; then a byte to
 * wake a sleeper; and their end is the peer's end. Nothing here blocks. */
#ifndef TERN_PORT_SHM_SOCKET_H
#define TERN_PORT_SHM_SOCKET_H

#include "port/shm_map.h"
#include "port/unix_socket.h"

static inline int tern__shm_dial(const char *path) { return tern__unix_dial(path, SOCK_SEQPACKET); }

/* Whether the process at the other end ran as our user when it connected or listened. */
bool tern__shm_same_user(int sock);

/* Whether it is the same user, or root, who need not ask for what a peer may do to us. */
bool tern__shm_is_trusted(int sock);

/* Send the greeting with the descriptor of the channel. TERN_ERR_CLOSED, TERN_ERR_IO. */
int tern__shm_send_hello(int sock, const tern__shm_hello *hello, int channel_fd);

/* Receive the peer's, and its channel, a file of memory, which is then the caller's. TERN_ERR_AGAIN when the greeting
 * is not here yet; TERN_ERR_CLOSED, also when descriptors are sent while too many wait to be closed; TERN_ERR_VERSION;
 * TERN_ERR_MALFORMED; TERN_ERR_LIMIT, and errno EMFILE: this process has no descriptor left for the channel. */
int tern__shm_recv_hello(int sock, tern__shm_hello *hello, int *channel_fd);

/* Send a notice, with a descriptor unless fd is -1. TERN_ERR_AGAIN when the socket is full; TERN_ERR_CLOSED. */
int tern__shm_send_notice(int sock, const tern__shm_notice *notice, int fd);

/* Wake the peer. A full socket is fine: then it has a byte to find already. */
void tern__shm_send_wake(int sock);

/* What comes next: 1: a notice, and with an announcement the descriptor of a file of memory, the caller's (else -1); 0:
 * a wake-up; TERN_ERR_AGAIN: nothing more; TERN_ERR_CLOSED: the peer has gone; TERN_ERR_MALFORMED;
 * TERN_ERR_NOMEM: this process has no descriptor left for what is announced. */
int tern__shm_recv_notice(int sock, tern__shm_notice *notice, int *fd);

/* Close a peer's socket, with what nobody has read there, without waiting for anything. */
void tern__shm_close(int sock);

#endif

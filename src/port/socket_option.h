/* Options of sockets that are a number. */
#ifndef TERN_PORT_SOCKET_OPTION_H
#define TERN_PORT_SOCKET_OPTION_H

#include <stdbool.h>
#include <sys/socket.h>

/* False: the kernel does not take the option; errno says why. */
static inline bool tern__socket_set(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

#endif

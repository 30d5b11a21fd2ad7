/* Options of sockets that are a number. */
#ifndef TERN_PORT_SOCKET_OPTION_H
#define TERN_PORT_SOCKET_OPTION_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether a Unix socket takes descriptors (SCM_RIGHTS), in Linux since 6.16. Only the old architectures with numbers of
 * their own lack the option here. */
#if !defined SO_PASSRIGHTS && !defined __sparc__ && !defined __hppa__
#define SO_PASSRIGHTS 83
#endif

/* False: the kernel does not take the option; errno says why. */
static inline bool tern__socket_set(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

/* From now on a Unix socket takes no descriptors: who sends one gets EPERM. A listening socket's answer holds for those
 * that are accepted there. False: the kernel is older than the option. */
static inline bool tern__socket_refuse_descriptors(int fd) {
#ifdef SO_PASSRIGHTS
    return tern__socket_set(fd, SOL_SOCKET, SO_PASSRIGHTS, 0);
#else
    (void)fd;
    return false;
#endif
}

#endif

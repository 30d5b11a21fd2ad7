/* What a process has run out of when a system call has failed, and what to do, in the words of all logs. */
#ifndef TERN_BASE_SHORTAGE_H
#define TERN_BASE_SHORTAGE_H

#include <errno.h>
#include <stddef.h>

/* NULL: this errno is no shortage. */
static inline const char *tern__shortage(int error) {
    switch (error) {
    case EMFILE: return "the process has no descriptors left (EMFILE): raise its limit (ulimit -n)";
    case ENFILE: return "the machine has no descriptors left (ENFILE): raise its limit (sysctl fs.file-max)";
    case ENOMEM:
    case ENOBUFS: return "the kernel has no memory left for it";
    default: return NULL;
    }
}

#endif

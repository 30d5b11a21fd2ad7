/* Growing a file beyond the process's limit (RLIMIT_FSIZE) brings a signal that kills the process, for files in memory,
 * too: who makes one asks first. */
#ifndef TERN_BASE_FILE_LIMIT_H
#define TERN_BASE_FILE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

static inline bool tern__file_may_have(size_t bytes) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

#endif

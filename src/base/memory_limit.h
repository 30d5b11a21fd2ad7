/* How much memory this process may use, as the kernel says: the limits of its control groups (cgroup v1, v2 and both
 * at once) and what the machine has available. */
#ifndef TERN_BASE_MEMORY_LIMIT_H
#define TERN_BASE_MEMORY_LIMIT_H

#include <stdint.h>

enum {
    TERN__MEMORY_NO_LIMIT_SHIFT = 60
}; /* a limit of 2^60 bytes or more is none: v1 writes "none" as a large number */

typedef struct tern__memory_limit {
    uint64_t cgroup_bytes;    /* the least limit of the process's groups and of all around them; UINT64_MAX: none */
    uint64_t available_bytes; /* what the machine can give without swapping (MemAvailable); UINT64_MAX: not known */
} tern__memory_limit;

/* Reads both from the files below `root`: "" for the machine's own, or a folder in which a test has laid out proc and
 * sys as it wants them. Files that are missing or make no sense are no limit. A group in which the process cannot see
 * its own place (another namespace's, or a bind mount's) counts with the limits at the mount point. */
tern__memory_limit tern__memory_limit_read(const char *root);

/* The lesser of the two; UINT64_MAX if neither is known. */
static inline uint64_t tern__memory_limit_least(const tern__memory_limit *limit) {
    return limit->cgroup_bytes < limit->available_bytes ? limit->cgroup_bytes : limit->available_bytes;
}

#endif

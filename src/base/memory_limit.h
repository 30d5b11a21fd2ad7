/* How much memory this process may use, as the kernel says: the limits of its control groups (cgroup v1, v2 and both
 * at once), its own limits of addresses and data, and what the machine has available. */
#ifndef TERN_BASE_MEMORY_LIMIT_H
#define TERN_BASE_MEMORY_LIMIT_H

#include <stdint.h>

enum {
    TERN__MEMORY_NO_LIMIT_SHIFT = 60
}; /* a limit of 2^60 bytes or more is none: v1 writes "none" as a large number */

typedef struct tern__memory_limit {
    uint64_t cgroup_bytes;    /* the least limit of the process's groups and of all around them; UINT64_MAX: none */
    uint64_t available_bytes; /* what the machine can give without swapping (MemAvailable); UINT64_MAX: not known */
    uint64_t process_bytes;   /* the lesser of RLIMIT_AS and RLIMIT_DATA; UINT64_MAX: none */
} tern__memory_limit;

/* Reads the first two from the files below `root`: "" for the machine's own, or a folder in which a test has laid out
 * proc and sys as it wants them. Files that are missing or make no sense are no limit. A group in which the process
 * cannot see its own place (another namespace's, or a bind mount's) counts with the limits at the mount point. The
 * third is the calling process's own. */
tern__memory_limit tern__memory_limit_read(const char *root);

/* Which of them is the least. */
typedef enum tern__memory_bound {
    TERN__MEMORY_UNKNOWN,
    TERN__MEMORY_BY_CGROUP,
    TERN__MEMORY_BY_PROCESS,
    TERN__MEMORY_BY_MACHINE
} tern__memory_bound;

static inline uint64_t tern__memory_limit_least(const tern__memory_limit *limit); /* UINT64_MAX: nothing is known */
static inline tern__memory_bound tern__memory_limit_bound(const tern__memory_limit *limit);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline uint64_t tern__memory_limit_least(const tern__memory_limit *limit) {
    uint64_t least = limit->cgroup_bytes < limit->process_bytes ? limit->cgroup_bytes : limit->process_bytes;
    return least < limit->available_bytes ? least : limit->available_bytes;
}

static inline tern__memory_bound tern__memory_limit_bound(const tern__memory_limit *limit) {
    uint64_t least = tern__memory_limit_least(limit);
    if (least == UINT64_MAX) return TERN__MEMORY_UNKNOWN;
    if (least == limit->available_bytes) return TERN__MEMORY_BY_MACHINE;
    return least == limit->cgroup_bytes ? TERN__MEMORY_BY_CGROUP : TERN__MEMORY_BY_PROCESS;
}

#endif

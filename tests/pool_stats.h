/* What the process's pool of buffers holds now, for tests that compare before and after. */
#ifndef TERN_TESTS_POOL_STATS_H
#define TERN_TESTS_POOL_STATS_H

#include "tern/mem.h"

static inline uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static inline uint64_t committed_bytes(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.committed_bytes;
}

#endif

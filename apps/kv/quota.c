#include "quota.h"

#include <stdio.h>

#include "cli.h"

static const uint64_t most_bytes = UINT64_C(4) << 30;

static const char *words_of(tern__memory_bound bound) {
    switch (bound) {
    case TERN__MEMORY_BY_CGROUP: return "this container's memory limit allows";
    case TERN__MEMORY_BY_PROCESS: return "this process may address (ulimit -v, ulimit -d)";
    default: return "this machine has available";
    }
}

uint64_t quota_default(const tern__memory_limit *limit, char why[QUOTA_WHY_BYTES]) {
    uint64_t least = tern__memory_limit_least(limit), half = least / 2;
    uint64_t bytes = half < most_bytes ? half : most_bytes;
    const char *what = words_of(tern__memory_limit_bound(limit));
    char text[2][sizeof(cli_size)];
    snprintf(text[0], sizeof text[0], "%s", cli_format_bytes(bytes).text);
    snprintf(text[1], sizeof text[1], "%s", cli_format_bytes(least).text);
    if (bytes == half)
        snprintf(why, QUOTA_WHY_BYTES, "keys and values may take %s, half of the %s that %s", text[0], text[1], what);
    else
        snprintf(why, QUOTA_WHY_BYTES, "keys and values may take %s", text[0]);
    return bytes;
}

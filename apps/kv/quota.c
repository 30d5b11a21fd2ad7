#include "quota.h"

#include <stdio.h>

#include "cli.h"

static const uint64_t most_bytes = UINT64_C(4) << 30;

uint64_t quota_default(const tern__memory_limit *limit, char why[QUOTA_WHY_BYTES]) {
    uint64_t least = tern__memory_limit_least(limit), half = least / 2;
    uint64_t bytes = half < most_bytes ? half : most_bytes;
    const char *what = limit->cgroup_bytes < limit->available_bytes ? "this container's memory limit allows"
                                                                    : "this machine has available";
    char text[2][sizeof(cli_size)];
    snprintf(text[0], sizeof text[0], "%s", cli_format_bytes(bytes).text);
    snprintf(text[1], sizeof text[1], "%s", cli_format_bytes(least).text);
    if (bytes == half)
        snprintf(why, QUOTA_WHY_BYTES, "keys and values may take %s, half of the %s that %s", text[0], text[1], what);
    else
        snprintf(why, QUOTA_WHY_BYTES, "keys and values may take %s", text[0]);
    return bytes;
}

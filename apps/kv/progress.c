/* At most ten times a second, so that a slow terminal does not become the bottleneck. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

tern_time progress_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

void progress_begin(progress *p, const char *verb) {
    p->verb = isatty(STDERR_FILENO) ? verb : NULL;
    p->start = progress_now();
    p->next = p->start + 200 * TERN_MS;
}

void progress_show(progress *p, uint64_t n, const char *unit, uint64_t bytes) {
    if (!p->verb) return;
    tern_time now = progress_now();
    if (now < p->next) return;
    p->next = now + 100 * TERN_MS;
    if (bytes)
        fprintf(stderr, "\r\033[K%s %" PRIu64 " %s, %s", p->verb, n, unit, cli_format_bytes(bytes).text);
    else
        fprintf(stderr, "\r\033[K%s %" PRIu64 " %s", p->verb, n, unit);
}

double progress_end(progress *p) {
    if (p->verb) fputs("\r\033[K", stderr);
    return (double)(progress_now() - p->start) / 1e9;
}

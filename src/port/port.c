/* Functions that all ports share. */
#include "port/port.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void tern__port_log(const tern__port_env *env, tern_log_level level, const char *format, ...) {
    if (!env->log) return;
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    env->log(env->log_user, level, line);
}

tern_time tern__coarse_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (tern_time)now.tv_sec * TERN_SEC + (tern_time)now.tv_nsec;
}

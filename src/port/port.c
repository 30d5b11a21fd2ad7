/* Functions that all ports share. */
#include "port/port.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/shortage.h"

void tern__port_log(const tern__port_env *env, tern_log_level level, const char *format, ...) {
    if (!env->log) return;
    char line[256];
    va_list args;
    int error = errno; /* which a later line may still have to name, whatever the program's log does */
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    env->log(env->log_user, level, line);
    errno = error;
}

int tern__port_limit(void) {
    errno = 0;
    return TERN_ERR_LIMIT;
}

int tern__port_lack(void) { return errno == EMFILE || errno == ENFILE ? TERN_ERR_LIMIT : TERN_ERR_IO; }

static const char seats_are_taken[] =
    "as many peers are connected as this port takes: its own bound, or the limit of descriptors (ulimit -n) if that is "
    "less";

const char *tern__port_reason(int err) {
    const char *shortage = tern__shortage(errno);
    switch (err) {
    case TERN_ERR_IO: return shortage ? shortage : strerror(errno);
    case TERN_ERR_ADDRESS: return errno ? strerror(errno) : tern_strerror(err);
    case TERN_ERR_CLOSED: return "nobody listens there";
    case TERN_ERR_EXISTS: return errno == ENOTSOCK ? "a file that is no socket is there" : "the address is taken";
    case TERN_ERR_AGAIN: return "too many ask there at once";
    case TERN_ERR_LIMIT: return shortage ? shortage : seats_are_taken;
    case TERN_ERR_ACCESS: return errno == ENOSYS ? strerror(errno) : tern_strerror(err);
    default: return tern_strerror(err);
    }
}

bool tern__port_may_log(tern_time *at) {
    tern_time now = tern__coarse_now();
    if (*at && now - *at < (tern_time)TERN_SEC) return false;
    *at = now;
    return true;
}

void tern__port_log_refusal(const tern__port_env *env, const char *name, tern_time *at) {
    if (tern__port_may_log(at)) tern__port_log(env, TERN_LOG_WARN, "%s: a peer was refused: %s", name, seats_are_taken);
}

void tern__port_log_unread(const tern__port_env *env, const char *name, tern_time *at) {
    tern_time now = tern__coarse_now();
    if (*at && now - *at < (tern_time)TERN_SEC) return;
    *at = now;
    tern__port_log(env, TERN_LOG_WARN, "%s: a peer is dropped: it has taken nothing of what waits for it for too long",
                   name);
}

tern_time tern__coarse_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (tern_time)now.tv_sec * TERN_SEC + (tern_time)now.tv_nsec;
}

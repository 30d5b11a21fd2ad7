/* A pause in accepting (accept_pause.h). */
#include "port/accept_pause.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/shortage.h"

static void set_timer(const tern__accept_pause *pause, tern_dur span) {
    struct itimerspec spec = {.it_value = {.tv_sec = span / TERN_SEC, .tv_nsec = span % TERN_SEC}};
    timerfd_settime(pause->timer_fd, 0, &spec, NULL); /* what it has counted is forgotten, too */
}

static int make_timer(tern__accept_pause *pause) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = pause};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (fd < 0) return tern__port_lack();
    if (epoll_ctl(pause->epoll, EPOLL_CTL_ADD, fd, &event)) {
        close(fd);
        return TERN_ERR_IO;
    }
    pause->timer_fd = fd;
    return 0;
}

void tern__accept_pause_fini(tern__accept_pause *pause) {
    if (pause->timer_fd >= 0) close(pause->timer_fd);
    pause->timer_fd = -1;
}

int tern__accept_watch(tern__accept_pause *pause, tern__unix_listener *listener) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = listener};
    int err = pause->timer_fd < 0 ? make_timer(pause) : 0;
    if (err) return err;
    return epoll_ctl(pause->epoll, EPOLL_CTL_ADD, listener->fd, &event) ? TERN_ERR_IO : 0;
}

static void watch_all(const tern__accept_pause *pause, tern__unix_listener *listeners, uint32_t n, uint32_t events) {
    for (uint32_t i = 0; i < n; i++) {
        struct epoll_event event = {.events = events, .data.ptr = &listeners[i]};
        epoll_ctl(pause->epoll, EPOLL_CTL_MOD, listeners[i].fd, &event);
    }
}

void tern__accept_pause_begin(tern__accept_pause *pause, tern__unix_listener *listeners, uint32_t n,
                              const tern__port_env *env, const char *port, const char *why) {
    if (!why) why = tern__shortage(errno);
    if (!pause->lacking)
        tern__port_log(env, TERN_LOG_WARN, "%s: no peer can be accepted: %s; tried again every %d ms", port,
                       why ? why : "the kernel cannot", (int)(TERN__ACCEPT_PAUSE / TERN_MS));
    pause->on = pause->lacking = true;
    watch_all(pause, listeners, n, 0);
    set_timer(pause, TERN__ACCEPT_PAUSE);
}

void tern__accept_pause_end(tern__accept_pause *pause, tern__unix_listener *listeners, uint32_t n) {
    if (!pause->on) return;
    pause->on = false;
    set_timer(pause, 0);
    watch_all(pause, listeners, n, EPOLLIN);
}

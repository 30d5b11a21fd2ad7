/* The endpoint's record (endpoint.h): its thread, its clock, its log, what other threads leave for it, and its
 * statistics. drive.c makes and drives endpoints. */
#include "rpc/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/sized.h"

/* ---- Thread, time, log --------------------------------------------------------------------------- */

_Thread_local char tern__this_thread;

tern_time tern__endpoint_now(tern_endpoint *ep) {
    if (!ep->in_callback || !ep->clock_is_fresh) tern__endpoint_read_clock(ep);
    return ep->now;
}

void tern__endpoint_look_soon(tern_endpoint *ep) { ep->n_polls = TERN__POLLS_PER_CLOCK - 1; }

void tern__endpoint_log(const tern_endpoint *ep, tern_log_level level, const char *text) {
    if (ep->config.log) ep->config.log(ep->config.log_user, level, text);
}

void tern_log_stderr(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level < TERN_LOG_DEBUG) fprintf(stderr, "tern: %s\n", line);
}

int tern__endpoint_watch(tern_endpoint *ep, int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(ep->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : TERN_ERR_IO;
}

/* ---- Other threads ------------------------------------------------------------------------------ */

static void wake(tern_endpoint *ep) {
    uint64_t one = 1;
    int saved = errno; /* of what a signal handler may have interrupted */
    /* EAGAIN means that a wake-up is pending already. */
    while (write(ep->event_fd, &one, sizeof one) < 0 && errno == EINTR) continue;
    errno = saved;
}

/* The endpoint's thread sets `asleep` before it reads `alerted` for the last time, and this thread sets `alerted`
 * before it reads `asleep`: one of the two sees the other's flag. */
void tern__endpoint_alert(tern_endpoint *ep) {
    atomic_store(&ep->alerted, true);
    if (atomic_load(&ep->asleep) && atomic_exchange(&ep->asleep, false)) wake(ep);
}

int tern_post(tern_endpoint *ep, void (*fn)(void *user), void *user) {
    tern__mailbox *box = &ep->mailbox;
    if (ep->inherited) return TERN_ERR_STATE;
    if (!fn) return TERN_ERR_INVALID;
    tern__endpoint_visit(ep);
    pthread_mutex_lock(&box->lock);
    bool fits = box->n < TERN__MAILBOX_ENTRIES;
    if (fits) {
        uint32_t i = (box->first + box->n++) % TERN__MAILBOX_ENTRIES;
        box->entries[i].fn = fn;
        box->entries[i].user = user;
    }
    pthread_mutex_unlock(&box->lock);
    if (fits) tern__endpoint_alert(ep);
    tern__endpoint_leave(ep);
    return fits ? 0 : TERN_ERR_FULL;
}

static bool take_post(tern__mailbox *box, void (**fn)(void *), void **user) {
    pthread_mutex_lock(&box->lock);
    bool any = box->n > 0;
    if (any) {
        *fn = box->entries[box->first].fn;
        *user = box->entries[box->first].user;
        box->first = (box->first + 1) % TERN__MAILBOX_ENTRIES;
        box->n--;
    }
    pthread_mutex_unlock(&box->lock);
    return any;
}

int tern__endpoint_run_posts(tern_endpoint *ep) {
    pthread_mutex_lock(&ep->mailbox.lock);
    uint32_t n = ep->mailbox.n;
    pthread_mutex_unlock(&ep->mailbox.lock);
    for (uint32_t i = 0; i < n; i++) {
        void (*fn)(void *);
        void *user;
        if (!take_post(&ep->mailbox, &fn, &user)) break;
        fn(user);
    }
    return (int)n;
}

int tern_stop(tern_endpoint *ep) {
    if (ep->inherited) return TERN_ERR_STATE;
    tern__endpoint_visit(ep);
    atomic_store_explicit(&ep->stop, true, memory_order_release);
    wake(ep);
    tern__endpoint_leave(ep);
    return 0;
}

/* ---- Statistics --------------------------------------------------------------------------------- */

int tern_endpoint_get_stats_sized(const tern_endpoint *ep, tern_endpoint_stats *stats, size_t size) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    tern__engine_stats s;
    tern__engine_get_stats(ep->engine, &s);
    uint64_t shm_copied_bytes = 0, given_up_connections = 0;
    for (const tern__port *port = ep->ports; port; port = port->next) {
        tern__engine_add_sent(&s, &port->link);
        shm_copied_bytes += port->link.sent.bounced_bytes;
        given_up_connections += port->link.n_given_up;
    }
    const tern_endpoint_stats own = {
        .tx_packets = s.tx_packets,
        .rx_packets = s.rx_packets,
        .tx_bytes = s.tx_bytes,
        .rx_bytes = s.rx_bytes,
        .calls_issued = s.calls_issued - ep->n_checks,
        .calls_completed = s.calls_completed - ep->n_checks,
        .calls_served = s.calls_served - ep->n_checks_served,
        .retransmits = s.retransmits,
        .spurious = s.spurious,
        .rx_dropped = s.rx_dropped,
        .tx_messages = s.tx_messages,
        .copied_bytes = s.copied_bytes,
        .inplace_values = s.inplace_values,
        .inplace_bytes = s.inplace_bytes,
        .worker_calls = ep->workers.n_handed,
        .worker_refused = ep->workers.n_refused,
        .sessions_open = s.sessions_open,
        .peers_lost = s.peers_lost,
        .rx_forged = s.rx_forged,
        .connects_retried = s.retries,
        .connects_limited = s.limited,
        .shm_copied_bytes = shm_copied_bytes,
        .overloads = s.overloads,
        .overload_rejects = s.overload_rejects,
        .held_bytes = s.held_bytes,
        .given_up_requests = s.evicted_requests + ep->n_too_much,
        .given_up_responses = s.evicted,
        .given_up_connections = given_up_connections,
        .calls_put_off = s.put_off,
    };
    tern__sized_write(stats, size, &own, sizeof own);
    return 0;
}

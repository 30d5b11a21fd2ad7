/* A pause in accepting, for the ports whose peers connect by sockets.
 *
 * While the process has no descriptors left, a peer that waits keeps its listener readable, and the endpoint could not
 * sleep. The listeners of the port therefore leave its epoll set for a pause, which ends by a timer or when a peer
 * leaves; if descriptors are still missing, the next pause begins. The timer's descriptor is made with the first
 * listener, because none can be had when a pause begins. */
#ifndef TERN_PORT_ACCEPT_PAUSE_H
#define TERN_PORT_ACCEPT_PAUSE_H

#include "port/port.h"
#include "port/unix_socket.h"

#define TERN__ACCEPT_PAUSE (100 * TERN_MS)

typedef struct tern__accept_pause {
    int epoll;    /* the port's */
    int timer_fd; /* in the epoll set, with this struct as its data; -1: no listener so far */
    bool on;      /* the listeners are out of the epoll set */
    bool lacking; /* no peer has been accepted since the first pause, which has been logged */
} tern__accept_pause;

static inline void tern__accept_pause_init(tern__accept_pause *pause, int epoll) {
    *pause = (tern__accept_pause){.epoll = epoll, .timer_fd = -1};
}
void tern__accept_pause_fini(tern__accept_pause *pause);

/* Put a listener into the epoll set, with itself as its data. Returns 0 or TERN_ERR_IO. */
int tern__accept_watch(tern__accept_pause *pause, tern__unix_listener *listener);

/* The pause begins, for all n listeners of the port, and the first of several in a row is logged. why: NULL directly
 * after accepting has failed with TERN_ERR_LIMIT, of which errno tells more. */
void tern__accept_pause_begin(tern__accept_pause *pause, tern__unix_listener *listeners, uint32_t n,
                              const tern__port_env *env, const char *port, const char *why);

/* The timer's descriptor is readable, or a descriptor was closed: the listeners are back in the epoll set. */
void tern__accept_pause_end(tern__accept_pause *pause, tern__unix_listener *listeners, uint32_t n);

/* A peer has been accepted; after a pause this is logged. */
static inline void tern__accept_works(tern__accept_pause *pause, const tern__port_env *env, const char *port) {
    if (!pause->lacking) return;
    pause->lacking = false;
    tern__port_log(env, TERN_LOG_WARN, "%s: peers are accepted again", port);
}

#endif

/* The attempts of sessions that are connected by name (by_name.h). */
#include "rpc/by_name.h"

#include <stdlib.h>

#include "rpc/ports.h"

/* An address that is being tried. */
typedef struct connect_attempt {
    tern__csession *cs;
    tern__route route;
    bool lost;
} connect_attempt;

typedef struct tern__by_name {
    tern__node node; /* in ep->names */
    tern_session *session;
    tern__port *port;
    bool over;      /* the session goes on without: attempts that are left are to be closed */
    bool failed;    /* the placeholder is to be lost */
    bool attention; /* an attempt is lost */
    tern__resolve request;
    uint32_t n_addrs, next; /* next: to be tried */
    tern_time next_at;      /* not before */
    uint32_t n_attempts;
    connect_attempt attempts[TERN__RESOLVE_MAX_ADDRS];
    tern__ip_addr addrs[TERN__RESOLVE_MAX_ADDRS];
} tern__by_name;

/* ---- The session's connection ------------------------------------------------------------------- */

/* No port knows this route, whatever it takes it for: an address of no family, slot 2^32 - 1. */
static tern__route nowhere(tern_endpoint *ep) {
    tern__route route = {.len = 8};
    tern__store32(route.bytes, UINT32_MAX);
    tern__store32(route.bytes + 4, ++ep->n_by_name);
    return route;
}

void tern__by_name_end(tern_session *s) {
    tern__by_name *b = s->rest->by_name;
    if (!b) return;
    s->rest->by_name = NULL;
    tern__resolve_cancel(&b->request);
    b->over = true;
    tern__endpoint_look_soon(s->ep);
}

/* The attempt becomes the session's connection and gets what waits; the others are over. Streams that wait for the
 * server's opinion of their types stay with the placeholder, which is closed when they have left it. */
static bool adopt_attempt(tern__by_name *b, uint32_t i) {
    tern_session *s = b->session;
    tern_endpoint *ep = s->ep;
    tern__csession *placeholder = s->cs;
    connect_attempt won = b->attempts[i];
    if (tern__connection_retire(s)) return false;
    b->attempts[i] = b->attempts[--b->n_attempts];
    tern__by_name_end(s);
    s->cs = won.cs;
    s->rest->route = won.route;
    tern_time now = tern__endpoint_now(ep);
    tern__engine_session_keep(s->cs, s->rest->keepalive, now);
    tern__engine_move_backlog(placeholder, s->cs, now);
    ep->up->named(s);
    ep->tx_dirty = true;
    return true;
}

bool tern__by_name_on_session(tern_session *s, const tern__csession *cs, tern__session_event event) {
    tern__by_name *b = s->rest->by_name;
    uint32_t i = 0;
    if (!b) return false;
    while (i < b->n_attempts && b->attempts[i].cs != cs) i++;
    if (i == b->n_attempts) return false;
    if (event == TERN__SESSION_UP && adopt_attempt(b, i)) return true;
    /* A server that drains is as good as none; one that cannot be taken for want of memory is none. */
    b->attempts[i].lost = b->attention = true;
    b->next_at = 0;
    tern__endpoint_look_soon(s->ep);
    return false;
}

/* ---- Attempts ----------------------------------------------------------------------------------- */

static int begin_attempt(tern__by_name *b, const tern__ip_addr *addr) {
    tern_session *s = b->session;
    char text[TERN__ADDRESS_BYTES];
    connect_attempt a = {0};
    int err = tern__ip_addr_format(b->port->name, addr, text, sizeof text);
    if (!err) err = b->port->ops->connect(b->port, strstr(text, "://") + 3, &a.route);
    if (err) return err;
    err = tern__engine_connect(s->ep->engine, &b->port->link, &a.route, s, tern__endpoint_now(s->ep), &a.cs);
    if (err) {
        b->port->ops->disconnect(b->port, &a.route);
        return err;
    }
    b->attempts[b->n_attempts++] = a;
    s->ep->tx_dirty = true;
    return 0;
}

static void close_attempt(tern__by_name *b, uint32_t i) {
    connect_attempt a = b->attempts[i];
    b->attempts[i] = b->attempts[--b->n_attempts];
    tern__connection_close(b->session->ep, a.cs, b->port, &a.route);
}

/* An address that cannot be tried gives way to the next at once; with as many sessions as there may be, it waits for
 * one to go. */
static void begin_next(tern__by_name *b, tern_time now) {
    while (b->next < b->n_addrs && now >= b->next_at) {
        int err = begin_attempt(b, &b->addrs[b->next]);
        if (err == TERN_ERR_LIMIT)
            tern__endpoint_log(b->session->ep, TERN_LOG_WARN, "names: max_sessions leaves none to try an address with");
        else
            b->next++;
        if (!err || err == TERN_ERR_LIMIT) b->next_at = now + (tern_time)TERN__ATTEMPT_GAP;
    }
}

static void step_attempts(tern__by_name *b, tern_time now) {
    for (uint32_t i = b->n_attempts; i-- > 0;)
        if (b->over || b->attempts[i].lost) close_attempt(b, i);
    b->attention = false;
    if (b->over || b->failed || b->request.pending) return;
    begin_next(b, now);
    if (b->next < b->n_addrs || b->n_attempts > 1) return;
    b->failed = b->n_attempts == 0 || !adopt_attempt(b, 0);
}

static void on_resolved(void *user, int err, const tern__ip_addr *addrs, uint32_t n) {
    tern__by_name *b = user;
    b->failed = err != 0;
    b->n_addrs = n;
    if (n) memcpy(b->addrs, addrs, n * sizeof *addrs);
}

int tern__by_name_begin(tern_session *s, const char *host, uint16_t port) {
    tern_endpoint *ep = s->ep;
    tern__resolver *resolver;
    int err = tern__names_resolver(ep, &resolver);
    if (err) return err;
    tern__by_name *b = calloc(1, sizeof *b);
    if (!b) return TERN_ERR_NOMEM;
    b->session = s;
    b->port = s->port;
    s->rest->route = nowhere(ep);
    err = tern__engine_connect(ep->engine, &s->port->link, &s->rest->route, s, tern__endpoint_now(ep), &s->cs);
    if (err) {
        free(b);
        return err;
    }
    tern__list_append(&ep->names, &b->node);
    s->rest->by_name = b;
    b->failed = tern__resolver_start(resolver, &b->request, host, port, on_resolved, b) != 0;
    tern__endpoint_look_soon(ep);
    return 0;
}

/* ---- All of them -------------------------------------------------------------------------------- */

static void free_lookup(tern__by_name *b) {
    tern__list_remove(&b->node);
    free(b);
}

/* The calls end, then client.c learns of the loss and ends the lookup. Callbacks that run may connect the session anew,
 * with another route. */
static void fail_lookup(const tern__by_name *b, tern_time now) {
    tern__route route = b->session->rest->route;
    tern__engine_route_lost(b->session->ep->engine, &b->port->link, &route, now);
}

static void fail_lookups(tern_endpoint *ep, tern_time now) {
    tern__node failed;
    tern__list_init(&failed);
    for (tern__node *node = ep->names.next, *next; node != &ep->names; node = next) {
        tern__by_name *b = TERN__CONTAINER(node, tern__by_name, node);
        next = node->next;
        if (!b->failed) continue;
        tern__list_remove(node);
        tern__list_append(&failed, node);
    }
    while (!tern__list_empty(&failed)) {
        tern__by_name *b = TERN__CONTAINER(failed.next, tern__by_name, node);
        tern__list_remove(&b->node);
        tern__list_append(&ep->names, &b->node);
        b->failed = false;
        if (!b->over) fail_lookup(b, now);
    }
}

void tern__names_poll(tern_endpoint *ep) {
    if (!ep->resolver) return;
    tern__resolver_poll(ep->resolver);
    tern_time now = tern__endpoint_now(ep);
    for (tern__node *node = ep->names.next, *next; node != &ep->names; node = next) {
        tern__by_name *b = TERN__CONTAINER(node, tern__by_name, node);
        next = node->next;
        step_attempts(b, now);
        if (b->over) free_lookup(b);
    }
    fail_lookups(ep, now);
}

tern_time tern__names_due(tern_endpoint *ep) {
    tern_time due = UINT64_MAX;
    if (!ep->resolver) return due;
    tern_dur left = tern__resolver_next(ep->resolver);
    if (left >= 0) due = tern__endpoint_now(ep) + (tern_time)left;
    for (tern__node *node = ep->names.next; node != &ep->names; node = node->next) {
        const tern__by_name *b = TERN__CONTAINER(node, tern__by_name, node);
        if (b->over || b->failed || b->attention) return 0;
        if (b->next < b->n_addrs && b->next_at < due) due = b->next_at;
    }
    return due;
}

int tern__names_resolver(tern_endpoint *ep, tern__resolver **out) {
    if (!ep->resolver) {
        tern__port_env env = tern__ports_env(ep);
        int err = tern__resolver_new(&env, &ep->resolver);
        int fd = err ? -1 : tern__resolver_fd(ep->resolver);
        if (fd >= 0) err = tern__endpoint_watch(ep, fd);
        if (err) {
            tern__resolver_free(ep->resolver);
            ep->resolver = NULL;
            return err;
        }
    }
    *out = ep->resolver;
    return 0;
}

/* Once the engine is gone its sessions are. */
void tern__by_name_forget(tern_session *s) {
    tern_endpoint *ep = s->ep;
    tern__by_name_end(s);
    for (tern__node *node = ep->names.next, *next; node != &ep->names; node = next) {
        tern__by_name *b = TERN__CONTAINER(node, tern__by_name, node);
        next = node->next;
        if (b->session != s) continue;
        while (b->n_attempts && !ep->freeing) close_attempt(b, b->n_attempts - 1);
        free_lookup(b);
    }
}

void tern__names_fini(tern_endpoint *ep) {
    tern__resolver_free(ep->resolver);
    ep->resolver = NULL;
}

/* The ports of an endpoint (ports.h). The table of kinds and their options are all that names a port. */
#include "rpc/ports.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>

#include "base/shortage.h"
#include "port/hosts.h"
#include "port/shm_port.h"
#include "port/tcp_port.h"
#include "port/udp_port.h"
#include "port/unix_socket.h"
#include "rpc/entropy.h"

const tern__cc_ops *tern__congestion_ops(tern_congestion congestion) {
    switch (congestion) {
    case TERN_CC_NONE: return &tern__cc_none;
    case TERN_CC_TIMELY: return &tern__cc_timely;
    case TERN_CC_SWIFT: return &tern__cc_swift;
    case TERN_CC_DCTCP: return &tern__cc_dctcp;
    default: return NULL;
    }
}

static void on_route_lost(void *ctx, tern__link *link, const tern__route *route) {
    tern_endpoint *ep = ctx;
    if (!ep->clock_is_fresh) tern__endpoint_read_clock(ep);
    tern__engine_route_lost(ep->engine, link, route, ep->now);
}

static void on_has_room(void *ctx, tern__link *link, const tern__route *route) {
    const tern_endpoint *ep = ctx;
    tern__engine_has_room(ep->engine, link, route);
}

/* When the endpoint is freed, the engine with all accounts goes before the ports. */
static tern__hold on_hold(void *ctx, tern__link *link, const tern__route *route, uint64_t bytes, tern__debit *debit) {
    tern_endpoint *ep = ctx;
    if (!ep->freeing) return tern__account_hold(ep->engine, link, route, bytes, debit);
    *debit = (tern__debit){.bytes = bytes};
    return TERN__HOLD_WELL;
}

static bool on_is_idle(void *ctx, const tern__link *link, const tern__route *route) {
    const tern_endpoint *ep = ctx;
    return ep->freeing || tern__engine_is_idle(ep->engine, link, route);
}

static uint64_t port_random(void *ctx) { return tern__endpoint_random(ctx); }

tern__port_env tern__ports_env(tern_endpoint *ep) {
    return (tern__port_env){.log = ep->config.log,
                            .log_user = ep->config.log_user,
                            .route_lost = on_route_lost,
                            .has_room = on_has_room,
                            .hold = on_hold,
                            .is_idle = on_is_idle,
                            .random = port_random,
                            .ctx = ep};
}

/* ---- Kinds -------------------------------------------------------------------------------------- */

static int make_shm(const tern__port_env *env, const tern_endpoint_config *config, tern__port **out) {
    tern__shm_options options = {.share_region = config->shm_share_region,
                                 .lend_bytes = config->shm_lend_bytes,
                                 .lend_time = config->shm_lend_time};
    return tern__shm_port_new(env, &options, out);
}

static int make_udp(const tern__port_env *env, const tern_endpoint_config *config, tern__port **out) {
    const tern__cc_ops *cc = tern__congestion_ops(config->congestion);
    tern__udp_options options = {
        .payload_bytes = config->udp_payload_bytes, .ecn = cc && cc->wants_marks, .times = config->queue_target > 0};
    return tern__udp_port_new(env, &options, out);
}

static int make_tcp(const tern__port_env *env, const tern_endpoint_config *config, tern__port **out) {
    tern__tcp_options options = {.peer_timeout = config->peer_timeout};
    return tern__tcp_port_new(env, &options, out);
}

static int make_unix(const tern__port_env *env, const tern_endpoint_config *config, tern__port **out) {
    (void)config;
    return tern__unix_port_new(env, out);
}

static const struct port_kind {
    const char *name;
    int (*make)(const tern__port_env *env, const tern_endpoint_config *config, tern__port **out);
} port_kinds[] = {{"shm", make_shm}, {"udp", make_udp}, {"tcp", make_tcp}, {"unix", make_unix}};

/* ---- Opening and finding ------------------------------------------------------------------------ */

int tern__ports_add(tern_endpoint *ep, tern__port *port) {
    int fd = port->ops->fd(port);
    if (fd >= 0 && tern__endpoint_watch(ep, fd) != 0) return TERN_ERR_IO;
    tern__port **last = &ep->ports;
    while (*last) last = &(*last)->next;
    *last = port;
    if (ep->borrows && port->link.ops->rx_will_keep) port->link.ops->rx_will_keep(&port->link);
    return 0;
}

static bool is_named(const char *name, const char *text, size_t len) {
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

static int open_port(tern_endpoint *ep, const char *name, size_t name_len, tern__port **out) {
    for (size_t i = 0; i < TERN__COUNT(port_kinds); i++) {
        if (!is_named(port_kinds[i].name, name, name_len)) continue;
        tern__port_env env = tern__ports_env(ep);
        int err = port_kinds[i].make(&env, &ep->config, out);
        if (err) return err;
        err = tern__ports_add(ep, *out);
        if (err) (*out)->ops->free(*out);
        return err;
    }
    return TERN_ERR_ADDRESS;
}

int tern__ports_find(tern_endpoint *ep, const char *address, tern__port **port, const char **rest) {
    const char *colon = address ? strstr(address, "://") : NULL;
    if (!colon || strlen(address) >= TERN__ADDRESS_BYTES) return TERN_ERR_ADDRESS;
    size_t name_len = (size_t)(colon - address);
    *rest = colon + 3;
    for (*port = ep->ports; *port; *port = (*port)->next)
        if (is_named((*port)->name, address, name_len)) return 0;
    return open_port(ep, address, name_len, port);
}

/* ---- What is wrong with an address --------------------------------------------------------------- */

static const char *scheme_fault(const tern_endpoint *ep, const char *name, size_t len) {
    for (const tern__port *port = ep->ports; port; port = port->next)
        if (is_named(port->name, name, len)) return NULL;
    for (size_t i = 0; i < TERN__COUNT(port_kinds); i++) {
        if (is_named(port_kinds[i].name, name, len)) return NULL;
        if (strlen(port_kinds[i].name) == len && strncasecmp(port_kinds[i].name, name, len) == 0)
            return "its scheme is written in small letters";
    }
    return "its scheme is none of shm, udp, tcp and unix";
}

const char *tern__ports_fault(const tern_endpoint *ep, const char *address, bool passive) {
    if (!address) return "there is no address";
    if (strlen(address) >= TERN__ADDRESS_BYTES) return "the address is longer than 255 bytes";
    _Static_assert(TERN__ADDRESS_BYTES == 256, "the sentence names the bound");
    const char *colon = strstr(address, "://");
    if (!colon) return "it has no scheme: shm://, udp://, tcp:// or unix://";
    size_t len = (size_t)(colon - address);
    const char *fault = scheme_fault(ep, address, len);
    if (fault) return fault;
    if (is_named("udp", address, len) || is_named("tcp", address, len)) return tern__hosts_fault(colon + 3, passive);
    bool has_path = is_named("shm", address, len) || is_named("unix", address, len);
    return has_path ? tern__unix_path_fault(colon + 3) : NULL;
}

void tern__ports_log_failure(const tern_endpoint *ep, bool passive, const char *address, int err) {
    enum { SHOWN = TERN__ADDRESS_BYTES - 1 };
    char line[TERN__ADDRESS_BYTES + 200];
    int saved = errno;
    const char *why = err == TERN_ERR_ADDRESS ? tern__ports_fault(ep, address, passive) : NULL;
    errno = saved;
    if (!why && err == TERN_ERR_LIMIT) why = tern__shortage(saved);
    if (!why && err == TERN_ERR_LIMIT)
        why = passive ? "an endpoint listens at 16 addresses at most, 8 of them shm"
                      : "there are as many sessions as max_sessions allows, or as many peers as the port takes, which "
                        "are never more than descriptors (ulimit -n)";
    if (!why && err == TERN_ERR_STATE) why = "the endpoint drains, or has drained";
    if (!why) why = tern__port_reason(err);
    const char *cut = address && strlen(address) > SHOWN ? "..." : "";
    snprintf(line, sizeof line, "cannot %s %.*s%s: %s", passive ? "listen at" : "connect to", SHOWN,
             address ? address : "NULL", cut, why);
    tern__endpoint_log(ep, TERN_LOG_ERROR, line);
}

void tern__ports_fini(tern_endpoint *ep) {
    while (ep->ports) {
        tern__port *port = ep->ports;
        ep->ports = port->next;
        port->ops->free(port);
    }
}

/* ---- Sending ------------------------------------------------------------------------------------ */

bool tern__port_gathers(tern_endpoint *ep, tern__port *port) {
    tern_time now = tern__endpoint_now(ep);
    if (now >= port->link.queues_until) {
        port->link.queues_until = 0;
        return false;
    }
    if (now - port->flushed_at < port->link.gather_ns) {
        ep->tx_dirty = true;
        return true;
    }
    port->flushed_at = now;
    return false;
}

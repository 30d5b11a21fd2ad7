/* Bounds of configurations (config.h). */
#include "rpc/config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "rpc/metadata.h"

int tern__config_refuse(tern_log_fn *log, void *user, const char *format, ...) {
    static const char begin[] = "the configuration is refused: ";
    char line[256] = "";
    va_list args;
    if (!log) return TERN_ERR_INVALID;
    memcpy(line, begin, sizeof begin);
    va_start(args, format);
    vsnprintf(line + sizeof begin - 1, sizeof line - sizeof begin + 1, format, args);
    va_end(args);
    log(user, TERN_LOG_ERROR, line);
    return TERN_ERR_INVALID;
}

int tern__config_check_bounds(tern_log_fn *log, void *user, const tern__config_bound *bounds, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const tern__config_bound *b = &bounds[i];
        if (b->value >= b->least && b->value <= b->most) continue;
        if (b->most == INT64_MAX)
            return tern__config_refuse(log, user, "%s is %" PRId64 "; the least is %" PRId64, b->member, b->value,
                                       b->least);
        return tern__config_refuse(log, user, "%s is %" PRId64 "; it goes from %" PRId64 " to %" PRId64, b->member,
                                   b->value, b->least, b->most);
    }
    return 0;
}

/* A message in reassembly counts as the power of two that holds it. */
static uint64_t whole_buffer(uint32_t bytes) {
    uint64_t whole = 1;
    while (whole < bytes) whole *= 2;
    return whole;
}

/* The size tells whether the config comes from a header that knows these members. A config whose size is neither one
 * that some version of the struct may have, nor 0 as in a struct that was only zeroed, was never initialised: `log` may
 * be any bytes there, and is not called. */
static int check_size(const tern_endpoint_config *c) {
    if (c->size == sizeof *c) return 0;
    bool is_other_version = c->size >= offsetof(tern_endpoint_config, max_sessions) && c->size <= 4096;
    if (c->size != 0 && !is_other_version) return TERN_ERR_INVALID;
    return tern__config_refuse(c->log, c->log_user, "size is %zu, not %zu: tern_endpoint_config_init() sets it",
                               c->size, sizeof *c);
}

int tern__config_check_endpoint(const tern_endpoint_config *c) {
    const tern__config_bound bounds[] = {
        {"max_sessions", c->max_sessions, 1, UINT32_MAX},
        {"max_message_bytes", c->max_message_bytes, 1, 1 << 30},
        {"session_credits", c->session_credits, 1, 4096},
        {"connect_timeout", c->connect_timeout, 1, INT64_MAX},
        {"peer_timeout", c->peer_timeout, TERN__SHORTEST_PEER_TIMEOUT, INT64_MAX},
        {"keepalive", c->keepalive, 0, INT64_MAX},
        {"idle_spin", c->idle_spin, 0, INT64_MAX},
        {"udp_payload_bytes", c->udp_payload_bytes ? c->udp_payload_bytes : 512, 512, 65000},
        {"congestion", (int64_t)c->congestion, TERN_CC_DEFAULT, TERN_CC_DCTCP},
        {"max_metadata_bytes", c->max_metadata_bytes, 0, TERN__META_MAX_LIMIT},
        {"retry_after", c->retry_after, 1, 15 * TERN_SEC},
    };
    int err = check_size(c);
    if (!err) err = tern__config_check_bounds(c->log, c->log_user, bounds, TERN__COUNT(bounds));
    if (err) return err;
    uint64_t least = whole_buffer(c->max_message_bytes);
    if (c->max_rx_bytes >= least) return 0;
    return tern__config_refuse(c->log, c->log_user,
                               "max_rx_bytes is %" PRIu64 "; the least with this max_message_bytes is %" PRIu64,
                               c->max_rx_bytes, least);
}

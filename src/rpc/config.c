/* Bounds of configurations (config.h). */
#include "rpc/config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "engine/limits.h"
#include "rpc/metadata.h"

int tern__config_refuse(tern_log_fn *log, void *user, const char *format, ...) {
    static const char begin[] = "the configuration is refused: ";
    char line[320] = "";
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

int tern__config_explain(const tern__config_kind *kind, tern__sized_fault fault, size_t size, char *line, size_t cap) {
    switch (fault) {
    case TERN__SIZED_FINE: return 0;
    case TERN__SIZED_UNSET: snprintf(line, cap, "size is 0: %s sets it", kind->set_by); break;
    case TERN__SIZED_WRONG:
        snprintf(line, cap, "size is %zu, which no version of the struct has: %s sets it", size, kind->set_by);
        break;
    case TERN__SIZED_NEWER:
        snprintf(
            line, cap,
            "size is %zu, of which this library knows %zu bytes, and the others are not all 0: the program is for a "
            "newer tern and asks for what this library cannot do; use the library that it was built for",
            size, kind->size);
        break;
    }
    return TERN_ERR_INVALID;
}

/* What all configurations begin with, in all versions. */
typedef struct config_head {
    size_t size;
    tern_log_fn *log;
    void *log_user;
} config_head;

#define BEGINS_ALIKE(type)                                                                                             \
    _Static_assert(offsetof(type, log) == offsetof(config_head, log) &&                                                \
                       offsetof(type, log_user) == offsetof(config_head, log_user),                                    \
                   "configurations begin with size, log and log_user")
BEGINS_ALIKE(tern_endpoint_config);
BEGINS_ALIKE(tern_workers_config);

int tern__config_read(const tern__config_kind *kind, void *own, const void *given) {
    config_head head = {.size = tern__sized_size(given)};
    char line[256];
    if (head.size != 0 && head.size < sizeof head) return TERN_ERR_INVALID;
    tern__sized_fault fault = tern__sized_read(own, kind->size, given);
    if (!tern__config_explain(kind, fault, head.size, line, sizeof line)) return 0;
    if (fault == TERN__SIZED_WRONG) return TERN_ERR_INVALID;
    memcpy(&head, given, sizeof head);
    return tern__config_refuse(head.log, head.log_user, "%s", line);
}

int tern__config_check_endpoint(const tern_endpoint_config *c) {
    const tern__config_bound bounds[] = {
        {"max_sessions", c->max_sessions, 1, 1 << TERN__INDEX_BITS},
        {"max_message_bytes", c->max_message_bytes, 1, 1 << 30},
        {"session_credits", c->session_credits, 1, TERN__MAX_CREDITS},
        {"connect_timeout", c->connect_timeout, 1, INT64_MAX},
        {"peer_timeout", c->peer_timeout, TERN__SHORTEST_PEER_TIMEOUT, INT64_MAX},
        {"keepalive", c->keepalive, 0, INT64_MAX},
        {"idle_spin", c->idle_spin, 0, INT64_MAX},
        {"udp_payload_bytes", c->udp_payload_bytes ? c->udp_payload_bytes : 512, 512, 65000},
        {"congestion", (int64_t)c->congestion, TERN_CC_DEFAULT, TERN_CC_DCTCP},
        {"max_metadata_bytes", c->max_metadata_bytes, 0, TERN__META_MAX_LIMIT},
        {"retry_after", c->retry_after, 1, 15 * TERN_SEC},
        {"queue_target", c->queue_target, 0, INT64_MAX},
        {"shm_lend_time", c->shm_lend_time, 1, INT64_MAX},
    };
    int err = tern__config_check_bounds(c->log, c->log_user, bounds, TERN__COUNT(bounds));
    if (err) return err;
    uint64_t least = whole_buffer(c->max_message_bytes);
    if (c->max_rx_bytes == 0 || c->max_rx_bytes >= least) return 0;
    return tern__config_refuse(c->log, c->log_user,
                               "max_rx_bytes is %" PRIu64 "; the least with this max_message_bytes is %" PRIu64,
                               c->max_rx_bytes, least);
}

static const char *words_of(tern__memory_bound bound) {
    switch (bound) {
    case TERN__MEMORY_BY_CGROUP: return "the limit of its control group";
    case TERN__MEMORY_BY_PROCESS: return "the limit of its addresses or data (ulimit -v, ulimit -d)";
    case TERN__MEMORY_BY_MACHINE: return "what the machine has available";
    case TERN__MEMORY_UNKNOWN: break;
    }
    return "what the machine has, which it does not say";
}

/* A quarter: the program itself, its other endpoints, and what the kernel keeps for its sockets want some, too. */
uint64_t tern__config_rx_bytes(const tern__memory_limit *limit, uint32_t max_message_bytes, char why[TERN__RX_WHY]) {
    const uint64_t most = 8ull << 30, unknown = 1ull << 30, needed = whole_buffer(max_message_bytes);
    uint64_t least = tern__memory_limit_least(limit), quarter = least == UINT64_MAX ? unknown : least / 4;
    const char *words = words_of(tern__memory_limit_bound(limit));
    if (quarter < needed) {
        snprintf(why, TERN__RX_WHY, "max_message_bytes needs as much, which is more than a quarter of %s", words);
        return needed;
    }
    if (quarter > most) {
        snprintf(why, TERN__RX_WHY, "the most that it is by default");
        return most;
    }
    if (least == UINT64_MAX)
        snprintf(why, TERN__RX_WHY, "the machine does not say what it has");
    else
        snprintf(why, TERN__RX_WHY, "a quarter of %s", words);
    return quarter;
}

void tern__config_follow_machine(tern_endpoint_config *c) {
    char line[TERN__RX_WHY + 100], why[TERN__RX_WHY];
    if (c->max_rx_bytes) return;
    tern__memory_limit limit = tern__memory_limit_read("");
    c->max_rx_bytes = tern__config_rx_bytes(&limit, c->max_message_bytes, why);
    if (!c->log) return;
    snprintf(line, sizeof line, "peers may make this endpoint hold %" PRIu64 " MB (max_rx_bytes): %s",
             c->max_rx_bytes >> 20, why);
    c->log(c->log_user, TERN_LOG_INFO, line);
}

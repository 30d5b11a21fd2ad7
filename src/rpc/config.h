/* Whether a configuration makes sense; what does not is named in its log. */
#ifndef TERN_RPC_CONFIG_H
#define TERN_RPC_CONFIG_H

#include "base/base.h"
#include "base/memory_limit.h"
#include "base/sized.h"
#include "tern/rpc.h"

/* The least peer_timeout. The pauses between two probes, and those of a process that waits for the processor, are
 * milliseconds long: with less, live peers are taken for dead. */
#define TERN__SHORTEST_PEER_TIMEOUT (10 * TERN_MS)

/* A member and the values that it may have, both bounds included. */
typedef struct tern__config_bound {
    const char *member;
    int64_t value, least, most;
} tern__config_bound;

/* Each returns 0; or TERN_ERR_INVALID after one line to the log that names the first member that is out of bounds. */
int tern__config_check_bounds(tern_log_fn *log, void *user, const tern__config_bound *bounds, size_t n);
int tern__config_check_endpoint(const tern_endpoint_config *config);

enum { TERN__RX_WHY = 200 };

/* What peers may make an endpoint hold by default, by what this process may use. `why` gets the reason in words. */
uint64_t tern__config_rx_bytes(const tern__memory_limit *limit, uint32_t max_message_bytes, char why[TERN__RX_WHY]);

/* Sets max_rx_bytes by that if it is 0, and says so in the log. */
void tern__config_follow_machine(tern_endpoint_config *config);

/* A public struct that begins with its size (tern/sized.h). */
typedef struct tern__config_kind {
    const char *set_by; /* what sets its size, for the log */
    size_t size;        /* of this library's version */
} tern__config_kind;

/* Writes into `line` why a struct is not taken, and what to do. Returns TERN_ERR_INVALID, or 0 for a fault that is
 * none. */
int tern__config_explain(const tern__config_kind *kind, tern__sized_fault fault, size_t size, char *line, size_t cap);

/* Reads a configuration over the defaults in *own (tern__sized_read). The configurations begin alike: with size, log
 * and log_user. Returns 0; or TERN_ERR_INVALID after one line to the log of the configuration, unless its size shows
 * that it was never initialised: its log may be any bytes then, and is not called. */
int tern__config_read(const tern__config_kind *kind, void *own, const void *given);

/* "the configuration is refused: ", and why, to the log, which may be NULL. Returns TERN_ERR_INVALID. */
__attribute__((format(printf, 3, 4))) int tern__config_refuse(tern_log_fn *log, void *user, const char *format, ...);

#endif

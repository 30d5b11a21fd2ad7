/* The last lines of the endpoints' logs, which a bench prints when something fails: of sessions that were lost they say
 * why. */
#ifndef TERN_BENCH_RPC_LOG_H
#define TERN_BENCH_RPC_LOG_H

#include "tern/rpc.h"

/* Endpoints of this config keep their lines. */
void rpc_log_keep(tern_endpoint_config *config);

/* To stderr. */
void rpc_log_print(void);

#endif

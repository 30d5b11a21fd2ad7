/* --trace FILE of the programs that measure calls: what the client's endpoint does, as qlog. A traced run tells what
 * happens, not how fast it is: messages then take no short ways. */
#ifndef TERN_BENCH_RPC_TRACE_H
#define TERN_BENCH_RPC_TRACE_H

#include "common.h"
#include "tern/rpc.h"

/* Asks for the option. */
void rpc_trace_arg(bench_args *args);

/* Traces this endpoint if that is wanted: the first into FILE, the nth into FILE.n. Exits with a message where that
 * cannot be. */
void rpc_trace(tern_endpoint *ep);

#endif

/* The endpoint's trace, a qlog file (qlog.h). None of these functions may run under the engine. */
#ifndef TERN_RPC_TRACE_H
#define TERN_RPC_TRACE_H

#include "rpc/endpoint.h"

/* Write out what is in memory. A trace that cannot be written any more ends. Only while ep->qlog is set. */
void tern__endpoint_trace_flush(tern_endpoint *ep);

/* Write out what is in memory and close the file, after the engine's end or once the engine has no trace. */
void tern__endpoint_trace_fini(tern_endpoint *ep);

#endif

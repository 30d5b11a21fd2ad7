/* The options and events of calls and streams, which programs of any version give, as this library's version of them
 * (tern/sized.h). Each function returns 0 and fills *own; or TERN_ERR_INVALID after a line to the endpoint's log, which
 * is left out on another thread than the endpoint's. */
#ifndef TERN_RPC_OPTS_H
#define TERN_RPC_OPTS_H

#include "base/sized.h"
#include "rpc/endpoint.h"
#include "tern/call_stream.h"

/* Whether opts, which may be NULL, have to be read by tern__opts_of_call() before they are looked at. */
static inline bool tern__opts_are_foreign(const tern_call_opts *opts) {
    return opts && !tern__sized_is_own(opts, sizeof *opts);
}

int tern__opts_of_call(const tern_endpoint *ep, const tern_call_opts *given, tern_call_opts *own);

/* given may be NULL, for the defaults. */
int tern__opts_of_stream(const tern_endpoint *ep, const tern_stream_opts *given, tern_stream_opts *own);

int tern__events_of_stream(const tern_endpoint *ep, const tern_stream_events *given, tern_stream_events *own);
int tern__events_of_messages(const tern_endpoint *ep, const tern__message_events *given, tern__message_events *own);

#endif

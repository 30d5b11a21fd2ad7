/* Draining: the end of a drain, which tern_poll() tells (engine/drain.c does the work). */
#ifndef TERN_RPC_DRAIN_H
#define TERN_RPC_DRAIN_H

#include "rpc/endpoint.h"

/* Whether a drain has ended and the user has not been told. */
bool tern__endpoint_drain_is_news(const tern_endpoint *ep);

/* Tell the user. */
void tern__endpoint_tell_drained(tern_endpoint *ep);

#endif

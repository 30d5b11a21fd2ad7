/* Words in the log for a message that its program cannot send. */
#ifndef TERN_RPC_UNSENDABLE_H
#define TERN_RPC_UNSENDABLE_H

#include "engine/engine_config.h"
#include "rpc/endpoint.h"

/* err is why the body was not sent; body may be NULL. The log has one line when that is for what the message itself is:
 * a cycle, too many elements, a NULL in a list of pointers, a required field that is not set. */
void tern__unsendable_log(const tern_endpoint *ep, const tern__body *body, int err);

#endif

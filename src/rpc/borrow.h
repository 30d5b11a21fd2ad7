/* Borrowing: what an endpoint asks of its engine and ports, once something is to be borrowed (tern/rpc.h). */
#ifndef TERN_RPC_BORROW_H
#define TERN_RPC_BORROW_H

#include "rpc/endpoint.h"

/* From now on some of what this endpoint receives may stay where its sender has it: the engine and all ports learn of
 * it, also those that are opened later. */
void tern__borrow_begin(tern_endpoint *ep);
static inline void tern__borrow_needed(tern_endpoint *ep) {
    if (!ep->borrows) tern__borrow_begin(ep);
}

#endif

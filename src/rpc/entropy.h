/* Random numbers of an endpoint that nobody can guess: for tags, tokens, keys of hash tables, and for who gives way.
 *
 * An endpoint asks the system once, when it is made, and can be refused only then: a sandbox may deny getrandom() from
 * its start or later. All numbers are SipHash of a count, under the key that the system gave. */
#ifndef TERN_RPC_ENTROPY_H
#define TERN_RPC_ENTROPY_H

#include "rpc/endpoint.h"

/* Ask the system. Returns 0, or TERN_ERR_IO where it refuses, which the log names. */
int tern__entropy_take(tern_endpoint *ep);

/* The next number: of the endpoint's environment, if that has its own. */
uint64_t tern__endpoint_random(tern_endpoint *ep);

#endif

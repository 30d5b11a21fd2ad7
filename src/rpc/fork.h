/* What fork() leaves to a child: endpoints that belong to the parent. The child may not use them, for their sockets,
 * their peers and their memory are the parent's, which goes on with them. */
#ifndef TERN_RPC_FORK_H
#define TERN_RPC_FORK_H

#include "rpc/endpoint.h"

/* From now on until tern__fork_forget() a child of any thread finds the endpoint as an inherited one. */
void tern__fork_watch(tern_endpoint *ep);
void tern__fork_forget(tern_endpoint *ep);

#endif

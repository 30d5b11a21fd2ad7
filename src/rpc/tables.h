/* The tables of a method, where they enter the library: whether this library can read them. */
#ifndef TERN_RPC_TABLES_H
#define TERN_RPC_TABLES_H

#include "rpc/endpoint.h"

/* Returns 0; or TERN_ERR_VERSION, as tern_type_check() of the types of request and response, and the log has one line
 * that names the method and what is not known. */
int tern__tables_check(const tern_endpoint *ep, const tern_method *method);

#endif

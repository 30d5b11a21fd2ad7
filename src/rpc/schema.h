/* Whether client and server mean the same by a method (docs/protocol.md, Schemas).
 *
 * A format may say nothing about types, as hybrid does, so before a method's first call in a session the client sends
 * the fingerprints of its request and response types to a method that every endpoint serves. Where they differ, the
 * server answers with its outlines, and the client decides: the types fit, or they need the universal format
 * (protobuf), or calls of the method end with FAILED_PRECONDITION. Calls made meanwhile wait, as copies; streaming
 * calls wait with what is written to them, in the universal format. Afterwards a call costs one comparison more than
 * without.
 *
 *   Compare request, raw, 20 B:  method id u32 | fingerprint of the request type u64 | of the response type u64
 *   response, raw:               empty: the same, or the method is served without types
 *                                1 u8 | length of the request's outline u32 | it | the response's outline */
#ifndef TERN_RPC_SCHEMA_H
#define TERN_RPC_SCHEMA_H

#include "rpc/client.h"
#include "tern/call_stream.h"

#define TERN__SCHEMA_METHOD UINT32_C(0x86168277) /* tern_method_id("tern.Schema/Compare") */

/* Whether this library can read the tables of a method: tern__tables_check(), asked and logged once for each method. 0,
 * TERN_ERR_VERSION or TERN_ERR_NOMEM. */
int tern__schema_tables(tern_endpoint *ep, const tern_method *method);

/* Whether this call of how->method may go now. 0: it may, by *format. TERN__CALL_WAITS: it is taken care of, and will
 * be finished as `how` says. Or an error of tern_call_start(), and nothing has happened. */
int tern__schema_admit(tern_session *session, const void *request, const tern_call_opts *opts, const tern__pending *how,
                       tern_format *format);

/* The same for a streaming call over a session that has a connection. TERN__CALL_WAITS: the call is to be held, and
 * tern__schema_ask() comes next. Else 0, and *format says what its messages go in, RAW standing for the best format
 * that both sides read; or a tern_status that it ends with. */
int tern__schema_admit_stream(tern_session *session, const tern_method *method, tern_format *format);

/* The verdict on the types of a streaming call that is held: the call ends with this status, or (OK) begins, with its
 * messages in `format`. stream is that which tern__schema_ask() was given, and may have ended. In
 * callbacks only. */
typedef void tern__schema_told_fn(tern_stream stream, tern_session *session, int status, tern_format format);

/* Ask the server about a method for a streaming call; `told` runs in a later poll. timeout as in tern_call_opts. */
int tern__schema_ask(tern_session *session, const tern_method *method, tern_dur timeout, tern__schema_told_fn *told,
                     tern_stream stream);

/* The session connects anew, perhaps to another program; or it ends. */
void tern__schema_forget(tern_session *session);

/* Answer a Compare request. False: the method is another. */
bool tern__schema_serve(tern_endpoint *ep, tern__request *request, uint32_t method, const tern__arrived *msg);

void tern__schema_fini(tern_endpoint *ep);

#endif

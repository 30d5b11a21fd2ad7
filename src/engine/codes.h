/* Codes of sixteen bits that say more than a gRPC status: why a session was refused or ended, why a call was cancelled.
 * Their numbers are part of the protocol: a new one goes to the end of its list. A receiver that does not know a code
 * goes by the status beside it. */
#ifndef TERN_ENGINE_CODES_H
#define TERN_ENGINE_CODES_H

#include "tern/rpc.h"

/* X(NAME, name, status, meaning). "The record" is the setup's (setup.h) whose type the REFUSE names besides. VERSION
 * is what a client concludes from VERSIONS. */
#define TERN__REFUSE_LIST(X)                                                                                           \
    X(NONE, "none", UNAVAILABLE, "no reason is given")                                                                 \
    X(NOT_HERE, "not_here", UNAVAILABLE, "the session that the packet names is not here")                              \
    X(DRAINING, "draining", UNAVAILABLE, "the server drains")                                                          \
    X(CLOSING, "closing", UNAVAILABLE, "the server is being closed")                                                   \
    X(TABLE_FULL, "table_full", RESOURCE_EXHAUSTED, "the server has as many sessions as it may have")                  \
    X(NAMESAKES, "namesakes", RESOURCE_EXHAUSTED, "it has too many from this route under this number")                 \
    X(NO_MEMORY, "no_memory", RESOURCE_EXHAUSTED, "it has no memory for a session")                                    \
    X(VERSION, "version", UNIMPLEMENTED, "the sides have no version of the protocol in common")                        \
    X(CRITICAL_RECORD, "critical_record", UNIMPLEMENTED, "the record is critical and its type is not known")           \
    X(MALFORMED, "malformed", INVALID_ARGUMENT, "the record is cut off, there twice, missing or of a wrong length")    \
    X(UNFIT, "unfit", FAILED_PRECONDITION, "the record's value is one with which no session is possible")              \
    X(SEAL, "seal", FAILED_PRECONDITION, "one side insists on sealed packets, and the other has no such cipher")

typedef enum tern__refuse_code {
#define TERN__X(name, text, status, meaning) TERN__REFUSE_##name,
    TERN__REFUSE_LIST(TERN__X)
#undef TERN__X
        TERN__N_REFUSE_CODES
} tern__refuse_code;

/* X(NAME, name, status, meaning): the status is what the server's handler hears. */
#define TERN__CANCEL_LIST(X)                                                                                           \
    X(NONE, "none", CANCELLED, "no reason is given")                                                                   \
    X(CALLER, "caller", CANCELLED, "the caller gave the call up")                                                      \
    X(DEADLINE, "deadline", DEADLINE_EXCEEDED, "the call's time is up")

typedef enum tern__cancel_code {
#define TERN__X(name, text, status, meaning) TERN__CANCEL_##name,
    TERN__CANCEL_LIST(TERN__X)
#undef TERN__X
        TERN__N_CANCEL_CODES
} tern__cancel_code;

/* The status that goes with a code; that of NONE for one that is not known. */
static inline tern_status tern__refuse_status(unsigned code) {
    switch (code) {
#define TERN__X(name, text, status, meaning)                                                                           \
    case TERN__REFUSE_##name: return TERN_STATUS_##status;
        TERN__REFUSE_LIST(TERN__X)
#undef TERN__X
    default: return TERN_STATUS_UNAVAILABLE;
    }
}

static inline tern_status tern__cancel_status(unsigned code) {
    switch (code) {
#define TERN__X(name, text, status, meaning)                                                                           \
    case TERN__CANCEL_##name: return TERN_STATUS_##status;
        TERN__CANCEL_LIST(TERN__X)
#undef TERN__X
    default: return TERN_STATUS_CANCELLED;
    }
}

#endif

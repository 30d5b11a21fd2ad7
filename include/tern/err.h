/* Error codes and call statuses.
 *
 * Functions of tern return 0 (or a count) on success and a negative TERN_ERR_* on failure; nothing is
 * ever reported through errno. A finished call carries one of gRPC's status codes, because that is
 * what people know: TERN_ERR_* says why a function could not do its work here and now, TERN_STATUS_*
 * says how a remote call ended. */
#ifndef TERN_ERR_H
#define TERN_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TERN_API
#define TERN_API __attribute__((visibility("default")))
#endif

/* X(name, value, sentence). The sentence is what tern_strerror() returns. */
#define TERN_ERR_LIST(X)                                                                                               \
    X(NOMEM, -1, "out of memory")                                                                                      \
    X(INVALID, -2, "an argument is invalid")                                                                           \
    X(THREAD, -3, "called from a thread that does not own the object")                                                 \
    X(FULL, -4, "a bounded queue or table is full; try again after polling")                                           \
    X(LIMIT, -5, "a limit of tern, of its configuration or of the process would be exceeded")                          \
    X(MALFORMED, -6, "the bytes are not a valid encoding")                                                             \
    X(TRUNCATED, -7, "the input ends before the message does")                                                         \
    X(UTF8, -8, "a string field is not valid UTF-8")                                                                   \
    X(VERSION, -9, "a version or format that this library does not know")                                              \
    X(ADDRESS, -10, "the address cannot be understood or resolved")                                                    \
    X(IO, -11, "a system call failed; the log says which")                                                             \
    X(ACCESS, -12, "permission denied")                                                                                \
    X(CLOSED, -13, "the object is closed or the peer is gone")                                                         \
    X(EXISTS, -14, "it exists already")                                                                                \
    X(NOT_FOUND, -15, "there is no such thing")                                                                        \
    X(AGAIN, -16, "nothing could be done now; try again after polling")                                                \
    X(UNSUPPORTED, -17, "this build or machine does not support it")                                                   \
    X(STALE, -18, "the handle names something that has ended")                                                         \
    X(STATE, -19, "the object's state does not allow it")

typedef enum tern_err {
    TERN_OK = 0,
#define TERN__X(name, value, text) TERN_ERR_##name = value,
    TERN_ERR_LIST(TERN__X)
#undef TERN__X
} tern_err;

/* X(name, value, sentence): gRPC's status codes. */
#define TERN_STATUS_LIST(X)                                                                                            \
    X(OK, 0, "the call succeeded")                                                                                     \
    X(CANCELLED, 1, "the caller cancelled the call")                                                                   \
    X(UNKNOWN, 2, "the handler failed without saying why")                                                             \
    X(INVALID_ARGUMENT, 3, "the request makes no sense to the handler")                                                \
    X(DEADLINE_EXCEEDED, 4, "the deadline passed before the response came")                                            \
    X(NOT_FOUND, 5, "what was asked for does not exist")                                                               \
    X(ALREADY_EXISTS, 6, "what was to be created exists")                                                              \
    X(PERMISSION_DENIED, 7, "the caller may not do this")                                                              \
    X(RESOURCE_EXHAUSTED, 8, "a quota or bounded queue is full")                                                       \
    X(FAILED_PRECONDITION, 9, "the system is not in the state that the call needs")                                    \
    X(ABORTED, 10, "the call was aborted, as by a conflict")                                                           \
    X(OUT_OF_RANGE, 11, "an argument is past the valid range")                                                         \
    X(UNIMPLEMENTED, 12, "the server has no such method")                                                              \
    X(INTERNAL, 13, "an invariant of the server broke, or a message did not decode")                                   \
    X(UNAVAILABLE, 14, "the peer cannot be reached or has died")                                                       \
    X(DATA_LOSS, 15, "data was lost or damaged beyond recovery")                                                       \
    X(UNAUTHENTICATED, 16, "the caller did not say who it is")

typedef enum tern_status {
#define TERN__X(name, value, text) TERN_STATUS_##name = value,
    TERN_STATUS_LIST(TERN__X)
#undef TERN__X
} tern_status;

/* The sentence for a TERN_ERR_* code; never NULL, static storage. Any thread. */
TERN_API const char *tern_strerror(int err);

/* The upper-case name of a status ("DEADLINE_EXCEEDED"); "UNKNOWN" for numbers that gRPC does not
 * define. Static storage. Any thread. */
TERN_API const char *tern_status_name(int status);

#ifdef __cplusplus
}
#endif
#endif

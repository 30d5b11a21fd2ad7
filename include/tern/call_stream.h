/* Streaming calls: requests and responses that are streams, of bytes or of messages, of any length, both flowing at
 * once, through bounded memory at both ends.
 *
 * A tern_stream is one end of such a call. What is written to it is collected and leaves in full packets, or at a
 * flush; the reader at the other end sets the pace: once as much is on its way as it has granted (its window), what is
 * written waits, and once as much waits as the buffer takes, writing returns TERN_ERR_FULL until on_writable says that
 * there is room again. So a slow reader costs its writer bounded memory. The memory rule of rpc.h holds for what is
 * written: long values in registered memory go in place, from where they are.
 *
 * The client ends its half with tern_stream_finish(); the server ends the call with tern_stream_end(), whose status
 * arrives behind everything that it has written. Streams end early when the client cancels, the deadline passes, the
 * server fails the call, or either dies; both ends are told, once.
 *
 * A session has room for 32 streams at once: others wait, within their deadlines, until one ends. They do not keep
 * calls waiting, nor take their places. For more, connect another session.
 *
 * A stream belongs to its endpoint's thread, like everything of rpc.h: TERN_ERR_THREAD elsewhere. Callbacks run inside
 * a poll, never inside a function of this file, the blocking ones excepted. Using a stream after its end is
 * TERN_ERR_STALE, for as long as the endpoint lives.
 *
 * The bytes on the wire: docs/protocol.md, Streams. How to use it: docs/guide/streaming.md. */
#ifndef TERN_CALL_STREAM_H
#define TERN_CALL_STREAM_H

#include "tern/rpc.h"
#include "tern/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names one end of a streaming call; what it holds is the library's. It is a value, as tern_call is: once the stream
 * has ended it names nothing, and never anything else. Zero names nothing either. */
typedef struct tern_stream {
    tern_endpoint *ep;
    uint64_t id;
} tern_stream;

/* What a stream tells its user: TERN_STREAM_EVENTS(.on_data = ..., .on_end = ...), or tern_stream_events_init() and the
 * functions that matter; any may be NULL. `user` is what came with it. */
typedef struct tern_stream_events {
    size_t size; /* sizeof(tern_stream_events) */

    /* The next bytes of the peer's half, in order, at least one. They lie in a pool buffer and are valid until this
     * returns; tern_hold(data) keeps the buffer. NULL: the bytes wait for tern_stream_read(). Raw streams only. */
    void (*on_data)(tern_stream stream, const void *data, size_t len, void *user);

    /* Server: the client has finished its half. */
    void (*on_finished)(tern_stream stream, void *user);

    /* There is room again after a TERN_ERR_FULL. */
    void (*on_writable)(tern_stream stream, void *user);

    /* The call has ended, and the stream is gone when this returns. At the client it runs exactly once, with the
     * server's status, or with DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE (the server is lost or was never reached),
     * RESOURCE_EXHAUSTED, or INTERNAL (the server's messages make no sense). At the server it runs unless the server
     * itself ends the call, with CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE (the client is lost), RESOURCE_EXHAUSTED, or
     * INVALID_ARGUMENT (the client's messages make no sense; it is told so). At the client tern_call_result() says what
     * else came of the call while this runs: the server's message, details and trailing metadata. The server's status
     * comes behind its bytes, and so waits while those wait (for tern_stream_read(), or after a pause); all other ends
     * wait for nobody, and drop what waits to be read. */
    void (*on_end)(tern_stream stream, int status, void *user);
} tern_stream_events;

#define TERN_STREAM_EVENTS(...) TERN__SIZED(tern_stream_events, __VA_ARGS__)
static inline void tern_stream_events_init(tern_stream_events *events);

/* How a stream goes: TERN_STREAM_OPTS(.window_bytes = 1 << 20), or tern_stream_opts_init() and the members that matter.
 * Zero is the default of each member. Opts or events whose size was never set, or that ask for what this library cannot
 * do (sized.h), and numbers out of their bounds are TERN_ERR_INVALID, and the log has a line. */
typedef struct tern_stream_opts {
    size_t size;           /* sizeof(tern_stream_opts) */
    tern_dur timeout;      /* client: from now until DEADLINE_EXCEEDED; 0: none; negative: too late already */
    uint32_t window_bytes; /* that the peer may send before they are consumed here; 64 KB to 1 GB; 0: 256 KB */
    uint32_t buffer_bytes; /* that may wait here to be sent (and acknowledged, on links that lose packets); 0: 256 KB */
    bool manual; /* raw: bytes count as consumed when tern_stream_consume() says so, not when on_data returns */
    const tern_pair *metadata; /* client: n_metadata pairs to send before the request; copied before the function
                                  returns. A key may be TERN_ERR_INVALID, too many bytes or pairs TERN_ERR_LIMIT */
    size_t n_metadata;
} tern_stream_opts;

#define TERN_STREAM_OPTS(...) TERN__SIZED(tern_stream_opts, __VA_ARGS__)
static inline void tern_stream_opts_init(tern_stream_opts *opts);

/* ---- The client --------------------------------------------------------------------------------- */

/* Begin a streaming call of raw bytes. method_id is any number that both sides know. events is copied; opts may be
 * NULL. *out may be used until on_end returns. Returns 0; TERN_ERR_FULL when the session's backlog is full (poll, then
 * try again); TERN_ERR_INVALID, also for opts or events as above; _LIMIT (metadata), _NOMEM, _STALE (closed session),
 * _CLOSED (the endpoint is being freed), _UNSUPPORTED (the server to which there is a connection takes no streams;
 * where there is none yet, on_end says UNIMPLEMENTED), or what tern_connect() returns. After an error no event runs. */
TERN_API int tern_stream_start(tern_session *session, uint32_t method_id, const tern_stream_opts *opts,
                               const tern_stream_events *events, void *user, tern_stream *out);

/* The end of the client's half: what was written leaves, nothing more can be. The call goes on until on_end. Returns 0;
 * TERN_ERR_STATE at the server or when it has been finished; TERN_ERR_CLOSED when the call has ended (on_end is
 * due). */
TERN_API int tern_stream_finish(tern_stream stream);

/* End the call: the server's on_end says CANCELLED, ours likewise, from the next poll. What was not sent is dropped,
 * and so is what waits to be read. Returns 0, TERN_ERR_STATE at the server, TERN_ERR_CLOSED as above: on_end, if it
 * waited for a reader, waits no more. */
TERN_API int tern_stream_cancel(tern_stream stream);

/* Drive the endpoint until the call has ended; other callbacks run too, on_end last. Of a stream without on_data what
 * has not been read by the end is dropped. Returns its status (>= 0), or TERN_ERR_STATE from inside a callback or at
 * the server. */
TERN_API int tern_stream_wait(tern_stream stream);

/* The same, and *result is set to what came of the call, which is the caller's until tern_result_free(). NULL: there is
 * nothing to tell (tern_call_result()), memory is out, or the function returned an error. */
TERN_API int tern_stream_wait_result(tern_stream stream, const tern_result **result);

/* ---- The server --------------------------------------------------------------------------------- */

/* A streaming call begins; `user` is tern_serve_stream()'s. Before the handler returns it accepts the call, by
 * tern_stream_accept(), or ends it; a call that was accepted may be written to and ended at any later time. A call that
 * the handler has neither accepted nor ended ends with INTERNAL, and the log has an ERROR. */
typedef void tern_stream_handler_fn(tern_stream stream, void *user);

/* Serve streaming calls of raw bytes. Returns 0; TERN_ERR_EXISTS when the endpoint serves such a stream already;
 * TERN_ERR_INVALID, _NOMEM. */
TERN_API int tern_serve_stream(tern_endpoint *ep, uint32_t method_id, tern_stream_handler_fn *handler, void *user);

/* Say what to tell whom. In the handler only, and once. opts may be NULL; its timeout and metadata are ignored.
 * Returns 0; TERN_ERR_STATE outside the handler, or when the stream has been accepted; TERN_ERR_INVALID without
 * events, or for opts or events as at the client. */
TERN_API int tern_stream_accept(tern_stream stream, const tern_stream_opts *opts, const tern_stream_events *events,
                                void *user);

/* End the call with this status, once what was written has left; what the client still sends is dropped. The stream is
 * gone when this returns, and on_end does not run. Returns 0, TERN_ERR_STATE at the client. */
TERN_API int tern_stream_end(tern_stream stream, tern_status status);

/* The metadata that came before the request. Valid until the stream is gone; empty at the client. */
TERN_API tern_metadata tern_stream_metadata(tern_stream stream);

/* Have the call's end bring a pair of trailing metadata, behind everything that was written; the pair is copied. At any
 * time before the server ends the call. Returns 0; TERN_ERR_INVALID for the key; TERN_ERR_LIMIT when there is too much
 * trailing metadata; TERN_ERR_NOMEM; TERN_ERR_STATE at the client. After an error the pair is not sent, and the others
 * are. */
TERN_API int tern_stream_add_trailing(tern_stream stream, const char *key, tern_bytes value);

/* As tern_stream_end(), with an error status (OK becomes UNKNOWN) and what tern_fail_with() takes beside it: a message,
 * details and trailing metadata, all copied. The stream is gone when this returns, error or not, except for
 * TERN_ERR_STATE and _THREAD. TERN_ERR_UTF8: all but the message has gone; TERN_ERR_LIMIT, _INVALID (a key) or _NOMEM:
 * something else did not go along, and the status and, memory permitting, the message have gone alone. */
TERN_API int tern_stream_end_with(tern_stream stream, tern_status status, const char *message, tern_bytes details,
                                  const tern_pair *trailing, size_t n_trailing);

/* The same at once: what has not left yet is dropped. status must not be OK (it becomes UNKNOWN). */
TERN_API int tern_stream_fail(tern_stream stream, tern_status status);

/* As tern_stream_end_with(), at once. */
TERN_API int tern_stream_fail_with(tern_stream stream, tern_status status, const char *message, tern_bytes details,
                                   const tern_pair *trailing, size_t n_trailing);

/* Time left until the client's deadline, in ns: negative when it has passed, never 0; INT64_MAX for none (at the
 * client, too, and from another thread). */
TERN_API tern_dur tern_stream_time_left(tern_stream stream);

/* ---- Both --------------------------------------------------------------------------------------- */

/* Add bytes to this half; the memory rule applies to them. All or nothing. Returns 0; TERN_ERR_FULL when buffer_bytes
 * wait already (one write may go beyond), at the server also when its client may hold no more of its memory, or when
 * 256 KB (less while other streams write much) have been written since the last poll, so that others have their turn:
 * try again at on_writable, or after tern_stream_wait_writable(); TERN_ERR_STATE after the end of this half;
 * TERN_ERR_CLOSED when the call has ended (on_end is due); TERN_ERR_LIMIT above 1 GB at once; TERN_ERR_NOMEM, at the
 * server also when its client may hold no more and nothing of this stream waits: try later, or end the call;
 * TERN_ERR_INVALID for registered memory that has been freed. */
TERN_API int tern_stream_write(tern_stream stream, tern_bytes bytes);

/* What was written leaves as soon as it may. Without it bytes wait until they fill a packet (64 KB over shm). Returns
 * 0, TERN_ERR_CLOSED. */
TERN_API int tern_stream_flush(tern_stream stream);

/* Write and flush: a packet of its own for these bytes, when nothing waits before them. Returns as
 * tern_stream_write(). */
TERN_API int tern_stream_send(tern_stream stream, tern_bytes bytes);

/* Drive the endpoint until there is room to write; other callbacks run too. Returns 0; TERN_ERR_CLOSED or _STALE when
 * the call has ended; TERN_ERR_STATE from inside a callback. */
TERN_API int tern_stream_wait_writable(tern_stream stream);

/* Opts.manual: so many bytes more have been consumed; more than were handed over count as those. Returns 0;
 * TERN_ERR_STATE without opts.manual; TERN_ERR_CLOSED when the call has ended. */
TERN_API int tern_stream_consume(tern_stream stream, size_t bytes);

/* Let nothing be handed over until tern_stream_resume(): what arrives waits here, at most the window, and then at the
 * peer. What was handed over before the pause counts as consumed. A server that has more to send than the window waits
 * for 30 s at least, less when others need the memory, and then ends the call with RESOURCE_EXHAUSTED. Returns 0 (also
 * when it is paused already). */
TERN_API int tern_stream_pause(tern_stream stream);

/* What waits is handed over from the next poll on. Returns 0. */
TERN_API int tern_stream_resume(tern_stream stream);

/* Without on_data: take up to cap of the bytes that wait; they count as consumed (opts.manual excepted). Returns how
 * many, 0 when there are none now; TERN_ERR_CLOSED when none will come any more; TERN_ERR_STATE for a stream of
 * messages, or one with on_data. */
TERN_API int64_t tern_stream_read(tern_stream stream, void *to, size_t cap);

/* The endpoint that the stream belongs to, or belonged. NULL of zero. Any thread. */
static inline tern_endpoint *tern_stream_endpoint(tern_stream stream);

/* Whether the stream has begun and on_end has not returned. False of zero, and in a child of fork(). Any thread. */
TERN_API bool tern_stream_is_open(tern_stream stream);

/* For tern_writer and tern_reader (tern/stream.h) over a raw stream: each flush of the writer is a flush of the stream,
 * so that computing and sending overlap (XBS, Figure 1); large arrays go in place. Where there is no room, or nothing
 * to read, they drive the endpoint: TERN_ERR_STATE from inside a callback then. The source wants on_data to be NULL.
 * *stream is the caller's, and stays where it is as long as they. These two check nothing; the errors of the stream's
 * functions come out of the writer and the reader. */
TERN_API tern_sink tern_stream_sink(const tern_stream *stream);
TERN_API tern_source tern_stream_source(const tern_stream *stream);

/* ---- For generated code -------------------------------------------------------------------------
 * Streams of messages. Callbacks are typed by message there, and called through a thunk that knows the type. */

typedef void tern__message_thunk(tern__any_fn *on_message, tern_stream stream, const void *message, void *user);
typedef void tern__stream_thunk(tern__any_fn *handler, tern_stream stream, const void *request, void *user);

typedef struct tern__message_events {
    size_t size; /* sizeof(tern__message_events) */
    tern__message_thunk *thunk;
    tern__any_fn *on_message; /* NULL: messages are dropped */
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} tern__message_events;

/* As tern_stream_start(); with a request, that is written and this half finished. When the server is not known to mean
 * the same by the method's types, it is asked first, and what is written waits; if it does not, on_end says
 * FAILED_PRECONDITION. Returns as tern_stream_start(); TERN_ERR_VERSION as tern_call_start(); or as tern_stream_write()
 * of a request that cannot be written. */
TERN_API int tern__stream_start(tern_session *session, const tern_method *method, const void *request,
                                const tern_stream_opts *opts, const tern__message_events *events, void *user,
                                tern_stream *out);

/* As tern_serve_stream(); TERN_ERR_VERSION as tern_serve(). single: the client sends one message; the handler runs when
 * it has come, and is given it. */
TERN_API int tern__serve_stream(tern_endpoint *ep, const tern_method *method, bool single, tern__stream_thunk *thunk,
                                tern__any_fn *handler, void *user);

/* The functions below also return TERN_ERR_INVALID for a stream that is not of this method, and TERN_ERR_STATE at the
 * other end of the call; the stream goes on then. */

/* As tern_stream_accept(). */
TERN_API int tern__stream_accept(tern_stream stream, const tern_method *method, const tern_stream_opts *opts,
                                 const tern__message_events *events, void *user);

/* As tern_stream_write(), for a message: at the client and at the server. Also TERN_ERR_LIMIT for one beyond 64 MB or
 * this endpoint's max_message_bytes, if that is more. */
TERN_API int tern__stream_put_request(tern_stream stream, const tern_method *method, const void *request);
TERN_API int tern__stream_put_response(tern_stream stream, const tern_method *method, const void *response);

/* As tern_reply(): the response, and the end with OK; on an error the client gets RESOURCE_EXHAUSTED or INTERNAL.
 * Returns as tern__stream_put_response(), or 0 when the call has ended. */
TERN_API int tern__stream_reply(tern_stream stream, const tern_method *method, const void *response);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline tern_endpoint *tern_stream_endpoint(tern_stream stream) { return stream.ep; }

static inline void tern_stream_events_init(tern_stream_events *events) {
    memset(events, 0, sizeof *events);
    events->size = sizeof *events;
}

static inline void tern_stream_opts_init(tern_stream_opts *opts) {
    memset(opts, 0, sizeof *opts);
    opts->size = sizeof *opts;
}

#ifdef __cplusplus
}
#endif
#endif

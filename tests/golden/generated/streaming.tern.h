/* Made by protoc-gen-tern from streaming.proto; changes here are lost. */
#ifndef STREAMING_TERN_H
#define STREAMING_TERN_H

#include "tern/call_stream.h"
#include "tern/codec.h"
#include "tern/rpc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_streaming_Piece test_streaming_Piece;
TERN__LIST(test_streaming_Piece_list, test_streaming_Piece);
extern const tern_type test_streaming_Piece_type;

struct test_streaming_Piece {
    tern_bytes data;
    tern_unknown unknown;
};

/* ---- test.streaming.Piece */

static inline int64_t test_streaming_Piece_size(const test_streaming_Piece *msg) { return tern_protobuf_size(&test_streaming_Piece_type, msg); }

static inline int64_t test_streaming_Piece_encode(const test_streaming_Piece *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_streaming_Piece_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_streaming_Piece_decode(const void *data, size_t len, tern_arena *arena, int mode, test_streaming_Piece *msg) {
    return tern_protobuf_decode(&test_streaming_Piece_type, data, len, arena, mode, NULL, msg);
}

static inline int test_streaming_Piece_copy(const test_streaming_Piece *src, tern_arena *arena, test_streaming_Piece *dst) {
    return tern_message_copy(&test_streaming_Piece_type, src, arena, dst);
}

static inline bool test_streaming_Piece_equal(const test_streaming_Piece *a, const test_streaming_Piece *b) { return tern_message_equal(&test_streaming_Piece_type, a, b); }

/* ---- service test.streaming.Mixed */

/* Uploads. */
extern const tern_method test_streaming_Mixed_Up_method;

/* What the client of test.streaming.Mixed/Up is told: tern_stream_events, with the server's message in place of bytes,
 * valid until the callback returns. */
typedef struct test_streaming_Mixed_Up_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Up_events;

/* As tern_stream_start(). */
int test_streaming_Mixed_Up(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Mixed_Up_events *events, void *user, tern_stream *stream);

/* As tern_stream_write(), for one request. */
static inline int test_streaming_Mixed_Up_write_request(tern_stream stream, const test_streaming_Piece *request) {
    return tern__stream_put_request(stream, &test_streaming_Mixed_Up_method, request);
}

/* What the server of test.streaming.Mixed/Up is told. */
typedef struct test_streaming_Mixed_Up_server_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *request, void *user);
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Up_server_events;

/* A call of test.streaming.Mixed/Up begins: accept it or end it, now. */
typedef void test_streaming_Mixed_Up_handler(tern_stream stream, void *user);

/* As tern_stream_accept(). */
int test_streaming_Mixed_Up_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Up_server_events *events,
    void *user);

/* Send the response and end the call with OK, as tern_reply(); the stream is gone then. */
static inline int test_streaming_Mixed_Up_reply(tern_stream stream, const test_streaming_Piece *response) {
    return tern__stream_reply(stream, &test_streaming_Mixed_Up_method, response);
}

extern const tern_method test_streaming_Mixed_Call_method;

/* Ends a call of test.streaming.Mixed/Call: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_streaming_Mixed_Call_done(void *user, int status, const test_streaming_Piece *response);

/* As tern_call_start(). */
int test_streaming_Mixed_Call(tern_session *session, const test_streaming_Piece *request, const tern_call_opts *opts, test_streaming_Mixed_Call_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_streaming_Mixed_Call_wait(tern_session *session, const test_streaming_Piece *request, const tern_call_opts *opts,
    const test_streaming_Piece **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_streaming_Mixed_Call_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_streaming_Piece *)message;
    return status;
}

/* Serves one request; ends with one test_streaming_Mixed_Call_reply() or tern_fail(), now or later. */
typedef void test_streaming_Mixed_Call_handler(tern_call call, const test_streaming_Piece *request, void *user);

/* As tern_reply(). */
static inline int test_streaming_Mixed_Call_reply(tern_call call, const test_streaming_Piece *response) { return tern_reply(call, response); }

extern const tern_method test_streaming_Mixed_Down_method;

/* What the client of test.streaming.Mixed/Down is told: tern_stream_events, with the server's messages in place of bytes,
 * valid until the callback returns. */
typedef struct test_streaming_Mixed_Down_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Down_events;

/* As tern_stream_start(); the request is sent and finished. */
int test_streaming_Mixed_Down(tern_session *session, const test_streaming_Piece *request, const tern_stream_opts *opts,
    const test_streaming_Mixed_Down_events *events, void *user, tern_stream *stream);

/* What the server of test.streaming.Mixed/Down is told. */
typedef struct test_streaming_Mixed_Down_server_events {
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Down_server_events;

/* A call of test.streaming.Mixed/Down begins: accept it or end it, now. The request is valid until this returns. */
typedef void test_streaming_Mixed_Down_handler(tern_stream stream, const test_streaming_Piece *request, void *user);

/* As tern_stream_accept(). */
int test_streaming_Mixed_Down_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Down_server_events *events,
    void *user);

/* As tern_stream_write(), for one response. */
static inline int test_streaming_Mixed_Down_write_response(tern_stream stream, const test_streaming_Piece *response) {
    return tern__stream_put_response(stream, &test_streaming_Mixed_Down_method, response);
}

extern const tern_method test_streaming_Mixed_Both_method;

/* What the client of test.streaming.Mixed/Both is told: tern_stream_events, with the server's messages in place of bytes,
 * valid until the callback returns. */
typedef struct test_streaming_Mixed_Both_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Both_events;

/* As tern_stream_start(). */
int test_streaming_Mixed_Both(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Mixed_Both_events *events, void *user, tern_stream *stream);

/* As tern_stream_write(), for one request. */
static inline int test_streaming_Mixed_Both_write_request(tern_stream stream, const test_streaming_Piece *request) {
    return tern__stream_put_request(stream, &test_streaming_Mixed_Both_method, request);
}

/* What the server of test.streaming.Mixed/Both is told. */
typedef struct test_streaming_Mixed_Both_server_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *request, void *user);
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Mixed_Both_server_events;

/* A call of test.streaming.Mixed/Both begins: accept it or end it, now. */
typedef void test_streaming_Mixed_Both_handler(tern_stream stream, void *user);

/* As tern_stream_accept(). */
int test_streaming_Mixed_Both_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Both_server_events *events,
    void *user);

/* As tern_stream_write(), for one response. */
static inline int test_streaming_Mixed_Both_write_response(tern_stream stream, const test_streaming_Piece *response) {
    return tern__stream_put_response(stream, &test_streaming_Mixed_Both_method, response);
}

extern const tern_service test_streaming_Mixed_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct test_streaming_Mixed_handlers {
    test_streaming_Mixed_Up_handler *Up;
    test_streaming_Mixed_Call_handler *Call;
    test_streaming_Mixed_Down_handler *Down;
    test_streaming_Mixed_Both_handler *Both;
} test_streaming_Mixed_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int test_streaming_Mixed_serve(tern_endpoint *ep, const test_streaming_Mixed_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int test_streaming_Mixed_serve_on(tern_endpoint *ep, const test_streaming_Mixed_handlers *handlers, void *user, tern_workers *pool);

/* ---- service test.streaming.Streams */

extern const tern_method test_streaming_Streams_Up_method;

/* What the client of test.streaming.Streams/Up is told: tern_stream_events, with the server's message in place of bytes,
 * valid until the callback returns. */
typedef struct test_streaming_Streams_Up_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Streams_Up_events;

/* As tern_stream_start(). */
int test_streaming_Streams_Up(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Streams_Up_events *events, void *user, tern_stream *stream);

/* As tern_stream_write(), for one request. */
static inline int test_streaming_Streams_Up_write_request(tern_stream stream, const test_streaming_Piece *request) {
    return tern__stream_put_request(stream, &test_streaming_Streams_Up_method, request);
}

/* What the server of test.streaming.Streams/Up is told. */
typedef struct test_streaming_Streams_Up_server_events {
    void (*on_message)(tern_stream stream, const test_streaming_Piece *request, void *user);
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_streaming_Streams_Up_server_events;

/* A call of test.streaming.Streams/Up begins: accept it or end it, now. */
typedef void test_streaming_Streams_Up_handler(tern_stream stream, void *user);

/* As tern_stream_accept(). */
int test_streaming_Streams_Up_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Streams_Up_server_events *events,
    void *user);

/* Send the response and end the call with OK, as tern_reply(); the stream is gone then. */
static inline int test_streaming_Streams_Up_reply(tern_stream stream, const test_streaming_Piece *response) {
    return tern__stream_reply(stream, &test_streaming_Streams_Up_method, response);
}

extern const tern_service test_streaming_Streams_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct test_streaming_Streams_handlers {
    test_streaming_Streams_Up_handler *Up;
} test_streaming_Streams_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int test_streaming_Streams_serve(tern_endpoint *ep, const test_streaming_Streams_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int test_streaming_Streams_serve_on(tern_endpoint *ep, const test_streaming_Streams_handlers *handlers, void *user, tern_workers *pool);

#ifdef __cplusplus
}
#endif
#endif

/* Made by protoc-gen-tern from options.proto; changes here are lost. */
#ifndef OPTIONS_TERN_H
#define OPTIONS_TERN_H

#include "tern/call_stream.h"
#include "tern/codec.h"
#include "tern/rpc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_options_Blob test_options_Blob;
TERN__LIST(test_options_Blob_list, test_options_Blob);
extern const tern_type test_options_Blob_type;

struct test_options_Blob {
    tern_bytes data;
    tern_unknown unknown;
};

/* ---- test.options.Blob */

static inline int64_t test_options_Blob_size(const test_options_Blob *msg) { return tern_protobuf_size(&test_options_Blob_type, msg); }

static inline int64_t test_options_Blob_encode(const test_options_Blob *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_options_Blob_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_options_Blob_decode(const void *data, size_t len, tern_arena *arena, int mode, test_options_Blob *msg) {
    return tern_protobuf_decode(&test_options_Blob_type, data, len, arena, mode, NULL, msg);
}

static inline int test_options_Blob_copy(const test_options_Blob *src, tern_arena *arena, test_options_Blob *dst) {
    return tern_message_copy(&test_options_Blob_type, src, arena, dst);
}

static inline bool test_options_Blob_equal(const test_options_Blob *a, const test_options_Blob *b) { return tern_message_equal(&test_options_Blob_type, a, b); }

/* ---- service test.options.Store */

extern const tern_method test_options_Store_Put_method;

/* Ends a call of test.options.Store/Put: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_options_Store_Put_done(void *user, int status, const test_options_Blob *response);

/* As tern_call_start(). */
int test_options_Store_Put(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Put_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_options_Store_Put_wait(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts,
    const test_options_Blob **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_options_Store_Put_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_options_Blob *)message;
    return status;
}

/* Serves one request; ends with one test_options_Store_Put_reply() or tern_fail(), now or later. */
typedef void test_options_Store_Put_handler(tern_call call, const test_options_Blob *request, void *user);

/* As tern_reply(). */
static inline int test_options_Store_Put_reply(tern_call call, const test_options_Blob *response) { return tern_reply(call, response); }

extern const tern_method test_options_Store_Get_method;

/* Ends a call of test.options.Store/Get: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_options_Store_Get_done(void *user, int status, const test_options_Blob *response);

/* As tern_call_start(). */
int test_options_Store_Get(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Get_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_options_Store_Get_wait(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts,
    const test_options_Blob **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_options_Store_Get_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_options_Blob *)message;
    return status;
}

/* Serves one request; ends with one test_options_Store_Get_reply() or tern_fail(), now or later. */
typedef void test_options_Store_Get_handler(tern_call call, const test_options_Blob *request, void *user);

/* As tern_reply(). */
static inline int test_options_Store_Get_reply(tern_call call, const test_options_Blob *response) { return tern_reply(call, response); }

/* Two statements, one message. */
extern const tern_method test_options_Store_Swap_method;

/* Ends a call of test.options.Store/Swap: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_options_Store_Swap_done(void *user, int status, const test_options_Blob *response);

/* As tern_call_start(). */
int test_options_Store_Swap(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Swap_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_options_Store_Swap_wait(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts,
    const test_options_Blob **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_options_Store_Swap_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_options_Blob *)message;
    return status;
}

/* Serves one request; ends with one test_options_Store_Swap_reply() or tern_fail(), now or later. */
typedef void test_options_Store_Swap_handler(tern_call call, const test_options_Blob *request, void *user);

/* As tern_reply(). */
static inline int test_options_Store_Swap_reply(tern_call call, const test_options_Blob *response) { return tern_reply(call, response); }

extern const tern_method test_options_Store_Not_method;

/* Ends a call of test.options.Store/Not: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_options_Store_Not_done(void *user, int status, const test_options_Blob *response);

/* As tern_call_start(). */
int test_options_Store_Not(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Not_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_options_Store_Not_wait(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts,
    const test_options_Blob **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_options_Store_Not_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_options_Blob *)message;
    return status;
}

/* Serves one request; ends with one test_options_Store_Not_reply() or tern_fail(), now or later. */
typedef void test_options_Store_Not_handler(tern_call call, const test_options_Blob *request, void *user);

/* As tern_reply(). */
static inline int test_options_Store_Not_reply(tern_call call, const test_options_Blob *response) { return tern_reply(call, response); }

extern const tern_method test_options_Store_None_method;

/* Ends a call of test.options.Store/None: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_options_Store_None_done(void *user, int status, const test_options_Blob *response);

/* As tern_call_start(). */
int test_options_Store_None(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_None_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_options_Store_None_wait(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts,
    const test_options_Blob **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_options_Store_None_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_options_Blob *)message;
    return status;
}

/* Serves one request; ends with one test_options_Store_None_reply() or tern_fail(), now or later. */
typedef void test_options_Store_None_handler(tern_call call, const test_options_Blob *request, void *user);

/* As tern_reply(). */
static inline int test_options_Store_None_reply(tern_call call, const test_options_Blob *response) { return tern_reply(call, response); }

extern const tern_method test_options_Store_Copy_method;

/* What the client of test.options.Store/Copy is told: tern_stream_events, with the server's messages in place of bytes,
 * valid until the callback returns. */
typedef struct test_options_Store_Copy_events {
    void (*on_message)(tern_stream stream, const test_options_Blob *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_options_Store_Copy_events;

/* As tern_stream_start(). */
int test_options_Store_Copy(tern_session *session, const tern_stream_opts *opts,
    const test_options_Store_Copy_events *events, void *user, tern_stream *stream);

/* As tern_stream_write(), for one request. */
static inline int test_options_Store_Copy_write_request(tern_stream stream, const test_options_Blob *request) {
    return tern__stream_put_request(stream, &test_options_Store_Copy_method, request);
}

/* What the server of test.options.Store/Copy is told. */
typedef struct test_options_Store_Copy_server_events {
    void (*on_message)(tern_stream stream, const test_options_Blob *request, void *user);
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} test_options_Store_Copy_server_events;

/* A call of test.options.Store/Copy begins: accept it or end it, now. */
typedef void test_options_Store_Copy_handler(tern_stream stream, void *user);

/* As tern_stream_accept(). */
int test_options_Store_Copy_accept(tern_stream stream, const tern_stream_opts *opts, const test_options_Store_Copy_server_events *events,
    void *user);

/* As tern_stream_write(), for one response. */
static inline int test_options_Store_Copy_write_response(tern_stream stream, const test_options_Blob *response) {
    return tern__stream_put_response(stream, &test_options_Store_Copy_method, response);
}

extern const tern_service test_options_Store_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct test_options_Store_handlers {
    test_options_Store_Put_handler *Put;
    test_options_Store_Get_handler *Get;
    test_options_Store_Swap_handler *Swap;
    test_options_Store_Not_handler *Not;
    test_options_Store_None_handler *None;
    test_options_Store_Copy_handler *Copy;
} test_options_Store_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int test_options_Store_serve(tern_endpoint *ep, const test_options_Store_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int test_options_Store_serve_on(tern_endpoint *ep, const test_options_Store_handlers *handlers, void *user, tern_workers *pool);

#ifdef __cplusplus
}
#endif
#endif

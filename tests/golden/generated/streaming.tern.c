/* Made by protoc-gen-tern from streaming.proto; changes here are lost. */
#include "streaming.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_streaming_Piece);

static const tern_field test_streaming_Piece__fields[] = {
    TERN_FIELD(1, offsetof(test_streaming_Piece, data), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_streaming_Piece__names[] = {
    "data",
};

const tern_type test_streaming_Piece_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.streaming.Piece",
    test_streaming_Piece__fields,
    test_streaming_Piece__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_streaming_Piece),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_streaming_Piece, unknown),
};

const tern_method test_streaming_Mixed_Up_method = {
    "test.streaming.Mixed/Up",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0x91689f0au,
    0, /* flags */
    NULL, /* reserved */
};

static void test_streaming_Mixed_Up__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)request;
    ((test_streaming_Mixed_Up_handler *)handler)(stream, user);
}

static void test_streaming_Mixed_Up__take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

static void test_streaming_Mixed_Up__take_request(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

int test_streaming_Mixed_Up(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Mixed_Up_events *events, void *user, tern_stream *stream) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Mixed_Up__take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &test_streaming_Mixed_Up_method, NULL, opts, &typed, user, stream);
}

int test_streaming_Mixed_Up_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Up_server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Mixed_Up__take_request,
        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};
    return tern__stream_accept(stream, &test_streaming_Mixed_Up_method, opts, &typed, user);
}

const tern_method test_streaming_Mixed_Call_method = {
    "test.streaming.Mixed/Call",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0xd6d7b0cfu,
    0, /* flags */
    NULL, /* reserved */
};

static void test_streaming_Mixed_Call__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_streaming_Mixed_Call_handler *)handler)(call, (const test_streaming_Piece *)request, user);
}

static void test_streaming_Mixed_Call__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_streaming_Mixed_Call_done *)done)(user, status, (const test_streaming_Piece *)response);
}

int test_streaming_Mixed_Call(tern_session *session, const test_streaming_Piece *request, const tern_call_opts *opts, test_streaming_Mixed_Call_done *done,
    void *user) {
    return tern__call_start(session, &test_streaming_Mixed_Call_method, request, opts, test_streaming_Mixed_Call__finish, (tern__any_fn *)done, user);
}

const tern_method test_streaming_Mixed_Down_method = {
    "test.streaming.Mixed/Down",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0x19c8b56bu,
    0, /* flags */
    NULL, /* reserved */
};

static void test_streaming_Mixed_Down__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    ((test_streaming_Mixed_Down_handler *)handler)(stream, (const test_streaming_Piece *)request, user);
}

static void test_streaming_Mixed_Down__take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

int test_streaming_Mixed_Down(tern_session *session, const test_streaming_Piece *request, const tern_stream_opts *opts,
    const test_streaming_Mixed_Down_events *events, void *user, tern_stream *stream) {
    if (!events || !request) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Mixed_Down__take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &test_streaming_Mixed_Down_method, request, opts, &typed, user, stream);
}

int test_streaming_Mixed_Down_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Down_server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), NULL, NULL, NULL,
        events->on_writable, events->on_end};
    return tern__stream_accept(stream, &test_streaming_Mixed_Down_method, opts, &typed, user);
}

const tern_method test_streaming_Mixed_Both_method = {
    "test.streaming.Mixed/Both",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0x3b336384u,
    0, /* flags */
    NULL, /* reserved */
};

static void test_streaming_Mixed_Both__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)request;
    ((test_streaming_Mixed_Both_handler *)handler)(stream, user);
}

static void test_streaming_Mixed_Both__take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

static void test_streaming_Mixed_Both__take_request(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

int test_streaming_Mixed_Both(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Mixed_Both_events *events, void *user, tern_stream *stream) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Mixed_Both__take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &test_streaming_Mixed_Both_method, NULL, opts, &typed, user, stream);
}

int test_streaming_Mixed_Both_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Mixed_Both_server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Mixed_Both__take_request,
        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};
    return tern__stream_accept(stream, &test_streaming_Mixed_Both_method, opts, &typed, user);
}

static const tern_method test_streaming_Mixed__methods[] = {
    {
        "test.streaming.Mixed/Call",
        &test_streaming_Piece_type,
        &test_streaming_Piece_type,
        0xd6d7b0cfu,
        0, /* flags */
        NULL, /* reserved */
    },
};

const tern_service test_streaming_Mixed_service = {
    "test.streaming.Mixed",
    test_streaming_Mixed__methods,
    1,
};

int test_streaming_Mixed_serve(tern_endpoint *ep, const test_streaming_Mixed_handlers *handlers, void *user) {
    return test_streaming_Mixed_serve_on(ep, handlers, user, NULL);
}

int test_streaming_Mixed_serve_on(tern_endpoint *ep, const test_streaming_Mixed_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    if (!err && handlers->Up)
        err = tern__serve_stream(ep, &test_streaming_Mixed_Up_method, false, test_streaming_Mixed_Up__handle, (tern__any_fn *)handlers->Up, user);
    if (!err && handlers->Call)
        err = tern__serve_on(ep, &test_streaming_Mixed_Call_method, test_streaming_Mixed_Call__handle, (tern__any_fn *)handlers->Call, user, pool);
    if (!err && handlers->Down)
        err = tern__serve_stream(ep, &test_streaming_Mixed_Down_method, true, test_streaming_Mixed_Down__handle, (tern__any_fn *)handlers->Down, user);
    if (!err && handlers->Both)
        err = tern__serve_stream(ep, &test_streaming_Mixed_Both_method, false, test_streaming_Mixed_Both__handle, (tern__any_fn *)handlers->Both, user);
    return err;
}

const tern_method test_streaming_Streams_Up_method = {
    "test.streaming.Streams/Up",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0x422510b8u,
    0, /* flags */
    NULL, /* reserved */
};

static void test_streaming_Streams_Up__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)request;
    ((test_streaming_Streams_Up_handler *)handler)(stream, user);
}

static void test_streaming_Streams_Up__take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

static void test_streaming_Streams_Up__take_request(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_streaming_Piece *, void *))handler)(stream, (const test_streaming_Piece *)message, user);
}

int test_streaming_Streams_Up(tern_session *session, const tern_stream_opts *opts,
    const test_streaming_Streams_Up_events *events, void *user, tern_stream *stream) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Streams_Up__take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &test_streaming_Streams_Up_method, NULL, opts, &typed, user, stream);
}

int test_streaming_Streams_Up_accept(tern_stream stream, const tern_stream_opts *opts, const test_streaming_Streams_Up_server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_streaming_Streams_Up__take_request,
        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};
    return tern__stream_accept(stream, &test_streaming_Streams_Up_method, opts, &typed, user);
}

const tern_service test_streaming_Streams_service = {
    "test.streaming.Streams",
    NULL,
    0,
};

int test_streaming_Streams_serve(tern_endpoint *ep, const test_streaming_Streams_handlers *handlers, void *user) {
    return test_streaming_Streams_serve_on(ep, handlers, user, NULL);
}

int test_streaming_Streams_serve_on(tern_endpoint *ep, const test_streaming_Streams_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    (void)pool;
    if (!err && handlers->Up)
        err = tern__serve_stream(ep, &test_streaming_Streams_Up_method, false, test_streaming_Streams_Up__handle, (tern__any_fn *)handlers->Up, user);
    return err;
}


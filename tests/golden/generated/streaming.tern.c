/* Made by protoc-gen-tern from streaming.proto; changes here are lost. */
#include "streaming.tern.h"

#include <stddef.h>

static const tern_field test_streaming_Piece__fields[] = {
    TERN_FIELD(1, offsetof(test_streaming_Piece, data), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_streaming_Piece__names[] = {
    "data",
};

const tern_type test_streaming_Piece_type = {
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
    0, /* flags */
};

const tern_method test_streaming_Mixed_Call_method = {
    "test.streaming.Mixed/Call",
    &test_streaming_Piece_type,
    &test_streaming_Piece_type,
    0xd6d7b0cfu,
};

static void test_streaming_Mixed_Call__handle(tern__any_fn *handler, tern_call *call, const void *request, void *user) {
    ((test_streaming_Mixed_Call_handler *)handler)(call, (const test_streaming_Piece *)request, user);
}

static void test_streaming_Mixed_Call__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_streaming_Mixed_Call_done *)done)(user, status, (const test_streaming_Piece *)response);
}

int test_streaming_Mixed_Call(tern_session *session, const test_streaming_Piece *request, const tern_call_opts *opts, test_streaming_Mixed_Call_done *done,
    void *user) {
    return tern__call_start(session, &test_streaming_Mixed_Call_method, request, opts, test_streaming_Mixed_Call__finish, (tern__any_fn *)done, user);
}

static const tern_method test_streaming_Mixed__methods[] = {
    {
        "test.streaming.Mixed/Call",
        &test_streaming_Piece_type,
        &test_streaming_Piece_type,
        0xd6d7b0cfu,
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
    if (!err && handlers->Call)
        err = tern__serve_on(ep, &test_streaming_Mixed_Call_method, test_streaming_Mixed_Call__handle, (tern__any_fn *)handlers->Call, user, pool);
    return err;
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
    (void)ep;
    (void)handlers;
    (void)user;
    (void)pool;
    return err;
}


/* Made by protoc-gen-tern from options.proto; changes here are lost. */
#include "options.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_options_Blob);

static const tern_field test_options_Blob__fields[] = {
    TERN_FIELD(1, offsetof(test_options_Blob, data), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const test_options_Blob__names[] = {
    "data",
};

const tern_type test_options_Blob_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.options.Blob",
    test_options_Blob__fields,
    test_options_Blob__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_options_Blob),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_options_Blob, unknown),
};

const tern_method test_options_Store_Put_method = {
    "test.options.Store/Put",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0x1bc9aad0u,
    TERN_METHOD_RECEIVE_SHARED,
    NULL, /* reserved */
};

static void test_options_Store_Put__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_options_Store_Put_handler *)handler)(call, (const test_options_Blob *)request, user);
}

static void test_options_Store_Put__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_options_Store_Put_done *)done)(user, status, (const test_options_Blob *)response);
}

int test_options_Store_Put(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Put_done *done,
    void *user) {
    return tern__call_start(session, &test_options_Store_Put_method, request, opts, test_options_Store_Put__finish, (tern__any_fn *)done, user);
}

const tern_method test_options_Store_Get_method = {
    "test.options.Store/Get",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0x6bf69bddu,
    TERN_METHOD_BORROW,
    NULL, /* reserved */
};

static void test_options_Store_Get__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_options_Store_Get_handler *)handler)(call, (const test_options_Blob *)request, user);
}

static void test_options_Store_Get__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_options_Store_Get_done *)done)(user, status, (const test_options_Blob *)response);
}

int test_options_Store_Get(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Get_done *done,
    void *user) {
    return tern__call_start(session, &test_options_Store_Get_method, request, opts, test_options_Store_Get__finish, (tern__any_fn *)done, user);
}

const tern_method test_options_Store_Swap_method = {
    "test.options.Store/Swap",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0xea9f2e24u,
    TERN_METHOD_RECEIVE_SHARED | TERN_METHOD_BORROW,
    NULL, /* reserved */
};

static void test_options_Store_Swap__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_options_Store_Swap_handler *)handler)(call, (const test_options_Blob *)request, user);
}

static void test_options_Store_Swap__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_options_Store_Swap_done *)done)(user, status, (const test_options_Blob *)response);
}

int test_options_Store_Swap(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Swap_done *done,
    void *user) {
    return tern__call_start(session, &test_options_Store_Swap_method, request, opts, test_options_Store_Swap__finish, (tern__any_fn *)done, user);
}

const tern_method test_options_Store_Not_method = {
    "test.options.Store/Not",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0x3b5a07a4u,
    0, /* flags */
    NULL, /* reserved */
};

static void test_options_Store_Not__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_options_Store_Not_handler *)handler)(call, (const test_options_Blob *)request, user);
}

static void test_options_Store_Not__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_options_Store_Not_done *)done)(user, status, (const test_options_Blob *)response);
}

int test_options_Store_Not(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_Not_done *done,
    void *user) {
    return tern__call_start(session, &test_options_Store_Not_method, request, opts, test_options_Store_Not__finish, (tern__any_fn *)done, user);
}

const tern_method test_options_Store_None_method = {
    "test.options.Store/None",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0x33d24005u,
    0, /* flags */
    NULL, /* reserved */
};

static void test_options_Store_None__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_options_Store_None_handler *)handler)(call, (const test_options_Blob *)request, user);
}

static void test_options_Store_None__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_options_Store_None_done *)done)(user, status, (const test_options_Blob *)response);
}

int test_options_Store_None(tern_session *session, const test_options_Blob *request, const tern_call_opts *opts, test_options_Store_None_done *done,
    void *user) {
    return tern__call_start(session, &test_options_Store_None_method, request, opts, test_options_Store_None__finish, (tern__any_fn *)done, user);
}

const tern_method test_options_Store_Copy_method = {
    "test.options.Store/Copy",
    &test_options_Blob_type,
    &test_options_Blob_type,
    0xcf2126fau,
    TERN_METHOD_BORROW,
    NULL, /* reserved */
};

static void test_options_Store_Copy__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)request;
    ((test_options_Store_Copy_handler *)handler)(stream, user);
}

static void test_options_Store_Copy__take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_options_Blob *, void *))handler)(stream, (const test_options_Blob *)message, user);
}

static void test_options_Store_Copy__take_request(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const test_options_Blob *, void *))handler)(stream, (const test_options_Blob *)message, user);
}

int test_options_Store_Copy(tern_session *session, const tern_stream_opts *opts,
    const test_options_Store_Copy_events *events, void *user, tern_stream *stream) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_options_Store_Copy__take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &test_options_Store_Copy_method, NULL, opts, &typed, user, stream);
}

int test_options_Store_Copy_accept(tern_stream stream, const tern_stream_opts *opts, const test_options_Store_Copy_server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), test_options_Store_Copy__take_request,
        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};
    return tern__stream_accept(stream, &test_options_Store_Copy_method, opts, &typed, user);
}

static const tern_method test_options_Store__methods[] = {
    {
        "test.options.Store/Put",
        &test_options_Blob_type,
        &test_options_Blob_type,
        0x1bc9aad0u,
        TERN_METHOD_RECEIVE_SHARED,
        NULL, /* reserved */
    },
    {
        "test.options.Store/Get",
        &test_options_Blob_type,
        &test_options_Blob_type,
        0x6bf69bddu,
        TERN_METHOD_BORROW,
        NULL, /* reserved */
    },
    {
        "test.options.Store/Swap",
        &test_options_Blob_type,
        &test_options_Blob_type,
        0xea9f2e24u,
        TERN_METHOD_RECEIVE_SHARED | TERN_METHOD_BORROW,
        NULL, /* reserved */
    },
    {
        "test.options.Store/Not",
        &test_options_Blob_type,
        &test_options_Blob_type,
        0x3b5a07a4u,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "test.options.Store/None",
        &test_options_Blob_type,
        &test_options_Blob_type,
        0x33d24005u,
        0, /* flags */
        NULL, /* reserved */
    },
};

const tern_service test_options_Store_service = {
    "test.options.Store",
    test_options_Store__methods,
    5,
};

int test_options_Store_serve(tern_endpoint *ep, const test_options_Store_handlers *handlers, void *user) {
    return test_options_Store_serve_on(ep, handlers, user, NULL);
}

int test_options_Store_serve_on(tern_endpoint *ep, const test_options_Store_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    if (!err && handlers->Put)
        err = tern__serve_on(ep, &test_options_Store_Put_method, test_options_Store_Put__handle, (tern__any_fn *)handlers->Put, user, pool);
    if (!err && handlers->Get)
        err = tern__serve_on(ep, &test_options_Store_Get_method, test_options_Store_Get__handle, (tern__any_fn *)handlers->Get, user, pool);
    if (!err && handlers->Swap)
        err = tern__serve_on(ep, &test_options_Store_Swap_method, test_options_Store_Swap__handle, (tern__any_fn *)handlers->Swap, user, pool);
    if (!err && handlers->Not)
        err = tern__serve_on(ep, &test_options_Store_Not_method, test_options_Store_Not__handle, (tern__any_fn *)handlers->Not, user, pool);
    if (!err && handlers->None)
        err = tern__serve_on(ep, &test_options_Store_None_method, test_options_Store_None__handle, (tern__any_fn *)handlers->None, user, pool);
    if (!err && handlers->Copy)
        err = tern__serve_stream(ep, &test_options_Store_Copy_method, false, test_options_Store_Copy__handle, (tern__any_fn *)handlers->Copy, user);
    return err;
}


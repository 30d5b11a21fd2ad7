/* Made by protoc-gen-tern from services.proto; changes here are lost. */
#include "services.tern.h"

#include <stddef.h>

TERN_TABLES_1(test_svc_Ask);

static const tern_field test_svc_Ask__fields[] = {
    TERN_FIELD(1, offsetof(test_svc_Ask, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const test_svc_Ask__names[] = {
    "id",
};

const tern_type test_svc_Ask_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.svc.Ask",
    test_svc_Ask__fields,
    test_svc_Ask__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(test_svc_Ask),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(test_svc_Ask, unknown),
};

static const tern_field test_svc_Answer__fields[] = {
    TERN_FIELD(1, offsetof(test_svc_Answer, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(test_svc_Answer, text), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const test_svc_Answer__names[] = {
    "id",
    "text",
};

const tern_type test_svc_Answer_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "test.svc.Answer",
    test_svc_Answer__fields,
    test_svc_Answer__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(test_svc_Answer),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(test_svc_Answer, unknown),
};

const tern_method test_svc_Calls_Get_method = {
    "test.svc.Calls/Get",
    &test_svc_Ask_type,
    &test_svc_Answer_type,
    0xd53c5dbdu,
    0, /* flags */
    NULL, /* reserved */
};

static void test_svc_Calls_Get__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_svc_Calls_Get_handler *)handler)(call, (const test_svc_Ask *)request, user);
}

static void test_svc_Calls_Get__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_svc_Calls_Get_done *)done)(user, status, (const test_svc_Answer *)response);
}

int test_svc_Calls_Get(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts, test_svc_Calls_Get_done *done,
    void *user) {
    return tern__call_start(session, &test_svc_Calls_Get_method, request, opts, test_svc_Calls_Get__finish, (tern__any_fn *)done, user);
}

const tern_method test_svc_Calls_Look_method = {
    "test.svc.Calls/Look",
    &test_svc_Ask_type,
    &test_other_Imported_type,
    0x2d4dfc20u,
    0, /* flags */
    NULL, /* reserved */
};

static void test_svc_Calls_Look__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((test_svc_Calls_Look_handler *)handler)(call, (const test_svc_Ask *)request, user);
}

static void test_svc_Calls_Look__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((test_svc_Calls_Look_done *)done)(user, status, (const test_other_Imported *)response);
}

int test_svc_Calls_Look(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts, test_svc_Calls_Look_done *done,
    void *user) {
    return tern__call_start(session, &test_svc_Calls_Look_method, request, opts, test_svc_Calls_Look__finish, (tern__any_fn *)done, user);
}

static const tern_method test_svc_Calls__methods[] = {
    {
        "test.svc.Calls/Get",
        &test_svc_Ask_type,
        &test_svc_Answer_type,
        0xd53c5dbdu,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "test.svc.Calls/Look",
        &test_svc_Ask_type,
        &test_other_Imported_type,
        0x2d4dfc20u,
        0, /* flags */
        NULL, /* reserved */
    },
};

const tern_service test_svc_Calls_service = {
    "test.svc.Calls",
    test_svc_Calls__methods,
    2,
};

int test_svc_Calls_serve(tern_endpoint *ep, const test_svc_Calls_handlers *handlers, void *user) {
    return test_svc_Calls_serve_on(ep, handlers, user, NULL);
}

int test_svc_Calls_serve_on(tern_endpoint *ep, const test_svc_Calls_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    if (!err && handlers->Get)
        err = tern__serve_on(ep, &test_svc_Calls_Get_method, test_svc_Calls_Get__handle, (tern__any_fn *)handlers->Get, user, pool);
    if (!err && handlers->Look)
        err = tern__serve_on(ep, &test_svc_Calls_Look_method, test_svc_Calls_Look__handle, (tern__any_fn *)handlers->Look, user, pool);
    return err;
}

const tern_service test_svc_Idle_service = {
    "test.svc.Idle",
    NULL,
    0,
};

int test_svc_Idle_serve(tern_endpoint *ep, const test_svc_Idle_handlers *handlers, void *user) {
    return test_svc_Idle_serve_on(ep, handlers, user, NULL);
}

int test_svc_Idle_serve_on(tern_endpoint *ep, const test_svc_Idle_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    (void)ep;
    (void)handlers;
    (void)user;
    (void)pool;
    return err;
}


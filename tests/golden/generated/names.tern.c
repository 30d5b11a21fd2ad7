/* Made by protoc-gen-tern from names.proto; changes here are lost. */
#include "names.tern.h"

#include <stddef.h>

TERN_TABLES_1(int_);

static const tern_enum_value Shape__values[] = {
    {0, "NULL"},
    {1, "EOF"},
};

const tern_enum Shape_enum = {
    "Shape",
    Shape__values,
    2,
    false, /* closed */
};

static const tern_enum_value Foo_size___values[] = {
    {0, "ZERO"},
};

const tern_enum Foo_size__enum = {
    "Foo.size",
    Foo_size___values,
    1,
    false, /* closed */
};

static const tern_field int___fields[] = {
    TERN_FIELD(1, offsetof(int_, register_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const int___names[] = {
    "register",
};

const tern_type int__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "int",
    int___fields,
    int___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(int_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(int_, unknown),
};

static const tern_field log___fields[] = {
    TERN_FIELD(1, offsetof(log_, exp), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const log___names[] = {
    "exp",
};

const tern_type log__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "log",
    log___fields,
    log___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(log_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(log_, unknown),
};

static const tern_field has_has__fields[] = {
    TERN_FIELD(1, offsetof(has_has, has_), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(3, offsetof(has_has, unused_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const has_has__names[] = {
    "has",
    "unused_",
};

const tern_type has_has_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "has_has",
    has_has__fields,
    has_has__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    1, /* n_dense */
    sizeof(has_has),
    offsetof(has_has, has),
    1, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(has_has, unknown),
};

static const tern_field my_type__fields[] = {
    TERN_FIELD(1, offsetof(my_type, my_type_), 0, 0, TERN_MESSAGE, 0, sizeof(my_type *)),
    TERN_FIELD(2, offsetof(my_type, my_type_list_), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(my_type)),
};

static const char *const my_type__names[] = {
    "my_type",
    "my_type_list",
};

static const tern_type *const my_type__subs[] = {
    &my_type_type,
};

const tern_type my_type_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "my_type",
    my_type__fields,
    my_type__names,
    NULL, /* json */
    my_type__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(my_type),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(my_type, unknown),
};

static const tern_field Keyword__fields[] = {
    TERN_FIELD(1, offsetof(Keyword, class_), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(Keyword, template_), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(Keyword, int__), 0, 0, TERN_MESSAGE, 0, sizeof(int_ *)),
    TERN_FIELD(4, offsetof(Keyword, new_), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(log_)),
    TERN_FIELD(5, offsetof(Keyword, linux_), 0, 2, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(6, offsetof(Keyword, bool_), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(7, offsetof(Keyword, errno_), 0, 0, TERN_FLOAT, 0, sizeof(float)),
    TERN_FIELD(8, offsetof(Keyword, tern_str_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(9, offsetof(Keyword, size_t_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(10, offsetof(Keyword, operator_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(11, offsetof(Keyword, this_), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(12, offsetof(Keyword, NULL_), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const Keyword__names[] = {
    "class",
    "template",
    "int",
    "new",
    "linux",
    "bool",
    "errno",
    "tern_str",
    "size_t",
    "operator",
    "this",
    "NULL",
};

static const tern_type *const Keyword__subs[] = {
    &int__type,
    &log__type,
};

const tern_type Keyword_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Keyword",
    Keyword__fields,
    Keyword__names,
    NULL, /* json */
    Keyword__subs,
    NULL, /* enums */
    12, /* n_fields */
    12, /* n_dense */
    sizeof(Keyword),
    offsetof(Keyword, has),
    3, /* n_has */
    12, /* max_number */
    0, /* n_required */
    offsetof(Keyword, unknown),
};

static const tern_field Foo__fields[] = {
    TERN_FIELD(1, offsetof(Foo, x), 0, 0, TERN_UINT32, TERN_FIELD_HAS, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(Foo, list_), 0, 0, TERN_MESSAGE, 0, sizeof(Foo_list_ *)),
    TERN_FIELD(3, offsetof(Foo, a_type), 1, 0, TERN_MESSAGE, 0, sizeof(Foo_type_ *)),
    TERN_FIELD(4, offsetof(Foo, a_set_x), 2, 0, TERN_MESSAGE, 0, sizeof(Foo_set_x_ *)),
};

static const char *const Foo__names[] = {
    "x",
    "list_",
    "a_type",
    "a_set_x",
};

static const tern_type *const Foo__subs[] = {
    &Foo_list__type,
    &Foo_type__type,
    &Foo_set_x__type,
};

const tern_type Foo_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo",
    Foo__fields,
    Foo__names,
    NULL, /* json */
    Foo__subs,
    NULL, /* enums */
    4, /* n_fields */
    4, /* n_dense */
    sizeof(Foo),
    offsetof(Foo, has),
    1, /* n_has */
    4, /* max_number */
    0, /* n_required */
    offsetof(Foo, unknown),
};

static const tern_field Foo_list___fields[] = {
    TERN_FIELD(1, offsetof(Foo_list_, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const Foo_list___names[] = {
    "a",
};

const tern_type Foo_list__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo.list",
    Foo_list___fields,
    Foo_list___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(Foo_list_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(Foo_list_, unknown),
};

static const tern_field Foo_type___fields[] = {
    TERN_FIELD(1, offsetof(Foo_type_, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const Foo_type___names[] = {
    "a",
};

const tern_type Foo_type__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo.type",
    Foo_type___fields,
    Foo_type___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(Foo_type_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(Foo_type_, unknown),
};

static const tern_field Foo_set_x___fields[] = {
    TERN_FIELD(1, offsetof(Foo_set_x_, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const Foo_set_x___names[] = {
    "a",
};

const tern_type Foo_set_x__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo.set_x",
    Foo_set_x___fields,
    Foo_set_x___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(Foo_set_x_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(Foo_set_x_, unknown),
};

static const tern_field Foo_decode___fields[] = {
    TERN_FIELD(1, offsetof(Foo_decode_, a), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const Foo_decode___names[] = {
    "a",
};

const tern_type Foo_decode__type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo.decode",
    Foo_decode___fields,
    Foo_decode___names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(Foo_decode_),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(Foo_decode_, unknown),
};

const tern_type Foo_Baz_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo_Baz",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(Foo_Baz),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(Foo_Baz, unknown),
};

const tern_type Foo_Baz_Qux_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "Foo_Baz.Qux",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(Foo_Baz_Qux),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(Foo_Baz_Qux, unknown),
};

static const tern_field on_message__fields[] = {
    TERN_FIELD(1, offsetof(on_message, on_message_), 0, 0, TERN_MESSAGE, 0, sizeof(on_message *)),
};

static const char *const on_message__names[] = {
    "on_message",
};

static const tern_type *const on_message__subs[] = {
    &on_message_type,
};

const tern_type on_message_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "on_message",
    on_message__fields,
    on_message__names,
    NULL, /* json */
    on_message__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(on_message),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(on_message, unknown),
};

const tern_method Svc_Get_method = {
    "Svc/Get",
    &Foo_type,
    &Foo_type,
    0xd4acffc2u,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_Get__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_Get_handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_Get__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_Get_done *)done)(user, status, (const Foo *)response);
}

int Svc_Get(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_Get_done *done,
    void *user) {
    return tern__call_start(session, &Svc_Get_method, request, opts, Svc_Get__finish, (tern__any_fn *)done, user);
}

const tern_method Svc_Get_wait__method = {
    "Svc/Get_wait",
    &Foo_type,
    &Foo_type,
    0xbd5253deu,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_Get_wait___handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_Get_wait__handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_Get_wait___finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_Get_wait__done *)done)(user, status, (const Foo *)response);
}

int Svc_Get_wait_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_Get_wait__done *done,
    void *user) {
    return tern__call_start(session, &Svc_Get_wait__method, request, opts, Svc_Get_wait___finish, (tern__any_fn *)done, user);
}

const tern_method Svc_serve__method = {
    "Svc/serve",
    &Foo_type,
    &Foo_type,
    0x88f337c9u,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_serve___handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_serve__handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_serve___finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_serve__done *)done)(user, status, (const Foo *)response);
}

int Svc_serve_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve__done *done,
    void *user) {
    return tern__call_start(session, &Svc_serve__method, request, opts, Svc_serve___finish, (tern__any_fn *)done, user);
}

const tern_method Svc_delete_method = {
    "Svc/delete",
    &Foo_type,
    &Foo_type,
    0xeb0891c1u,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_delete__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_delete_handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_delete__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_delete_done *)done)(user, status, (const Foo *)response);
}

int Svc_delete(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_delete_done *done,
    void *user) {
    return tern__call_start(session, &Svc_delete_method, request, opts, Svc_delete__finish, (tern__any_fn *)done, user);
}

const tern_method Svc_serve_on__method = {
    "Svc/serve_on",
    &Foo_type,
    &Foo_type,
    0xf84df01bu,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_serve_on___handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_serve_on__handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_serve_on___finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_serve_on__done *)done)(user, status, (const Foo *)response);
}

int Svc_serve_on_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve_on__done *done,
    void *user) {
    return tern__call_start(session, &Svc_serve_on__method, request, opts, Svc_serve_on___finish, (tern__any_fn *)done, user);
}

const tern_method Svc_service__method = {
    "Svc/service",
    &Foo_type,
    &Foo_type,
    0x180baffdu,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_service___handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_service__handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_service___finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_service__done *)done)(user, status, (const Foo *)response);
}

int Svc_service_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_service__done *done,
    void *user) {
    return tern__call_start(session, &Svc_service__method, request, opts, Svc_service___finish, (tern__any_fn *)done, user);
}

const tern_method Svc_handlers__method = {
    "Svc/handlers",
    &Foo_type,
    &Foo_type,
    0x596f673fu,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_handlers___handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_handlers__handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_handlers___finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_handlers__done *)done)(user, status, (const Foo *)response);
}

int Svc_handlers_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_handlers__done *done,
    void *user) {
    return tern__call_start(session, &Svc_handlers__method, request, opts, Svc_handlers___finish, (tern__any_fn *)done, user);
}

const tern_method Svc_Get_reply__method = {
    "Svc/Get_reply",
    &Foo_type,
    &on_message_type,
    0x370d7491u,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_Get_reply___handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)request;
    ((Svc_Get_reply__handler *)handler)(stream, user);
}

static void Svc_Get_reply___take(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const on_message *, void *))handler)(stream, (const on_message *)message, user);
}

static void Svc_Get_reply___take_request(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {
    ((void (*)(tern_stream, const Foo *, void *))handler)(stream, (const Foo *)message, user);
}

int Svc_Get_reply_(tern_session *session, const tern_stream_opts *opts,
    const Svc_Get_reply__events *events, void *user, tern_stream *stream) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), Svc_Get_reply___take,
        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};
    return tern__stream_start(session, &Svc_Get_reply__method, NULL, opts, &typed, user, stream);
}

int Svc_Get_reply__accept(tern_stream stream, const tern_stream_opts *opts, const Svc_Get_reply__server_events *events,
    void *user) {
    if (!events) return TERN_ERR_INVALID;
    const tern__message_events typed = {sizeof(tern__message_events), Svc_Get_reply___take_request,
        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};
    return tern__stream_accept(stream, &Svc_Get_reply__method, opts, &typed, user);
}

static const tern_method Svc__methods[] = {
    {
        "Svc/Get",
        &Foo_type,
        &Foo_type,
        0xd4acffc2u,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/Get_wait",
        &Foo_type,
        &Foo_type,
        0xbd5253deu,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/serve",
        &Foo_type,
        &Foo_type,
        0x88f337c9u,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/delete",
        &Foo_type,
        &Foo_type,
        0xeb0891c1u,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/serve_on",
        &Foo_type,
        &Foo_type,
        0xf84df01bu,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/service",
        &Foo_type,
        &Foo_type,
        0x180baffdu,
        0, /* flags */
        NULL, /* reserved */
    },
    {
        "Svc/handlers",
        &Foo_type,
        &Foo_type,
        0x596f673fu,
        0, /* flags */
        NULL, /* reserved */
    },
};

const tern_service Svc_service = {
    "Svc",
    Svc__methods,
    7,
};

int Svc_serve(tern_endpoint *ep, const Svc_handlers *handlers, void *user) {
    return Svc_serve_on(ep, handlers, user, NULL);
}

int Svc_serve_on(tern_endpoint *ep, const Svc_handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    if (!err && handlers->Get)
        err = tern__serve_on(ep, &Svc_Get_method, Svc_Get__handle, (tern__any_fn *)handlers->Get, user, pool);
    if (!err && handlers->Get_wait)
        err = tern__serve_on(ep, &Svc_Get_wait__method, Svc_Get_wait___handle, (tern__any_fn *)handlers->Get_wait, user, pool);
    if (!err && handlers->serve)
        err = tern__serve_on(ep, &Svc_serve__method, Svc_serve___handle, (tern__any_fn *)handlers->serve, user, pool);
    if (!err && handlers->delete_)
        err = tern__serve_on(ep, &Svc_delete_method, Svc_delete__handle, (tern__any_fn *)handlers->delete_, user, pool);
    if (!err && handlers->serve_on)
        err = tern__serve_on(ep, &Svc_serve_on__method, Svc_serve_on___handle, (tern__any_fn *)handlers->serve_on, user, pool);
    if (!err && handlers->service)
        err = tern__serve_on(ep, &Svc_service__method, Svc_service___handle, (tern__any_fn *)handlers->service, user, pool);
    if (!err && handlers->handlers)
        err = tern__serve_on(ep, &Svc_handlers__method, Svc_handlers___handle, (tern__any_fn *)handlers->handlers, user, pool);
    if (!err && handlers->Get_reply)
        err = tern__serve_stream(ep, &Svc_Get_reply__method, false, Svc_Get_reply___handle, (tern__any_fn *)handlers->Get_reply, user);
    return err;
}

const tern_method Svc_serve_on__Get_method = {
    "Svc_serve_on/Get",
    &Foo_type,
    &Foo_type,
    0x62f445f8u,
    0, /* flags */
    NULL, /* reserved */
};

static void Svc_serve_on__Get__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((Svc_serve_on__Get_handler *)handler)(call, (const Foo *)request, user);
}

static void Svc_serve_on__Get__finish(tern__any_fn *done, void *user, int status, const void *response) {
    ((Svc_serve_on__Get_done *)done)(user, status, (const Foo *)response);
}

int Svc_serve_on__Get(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve_on__Get_done *done,
    void *user) {
    return tern__call_start(session, &Svc_serve_on__Get_method, request, opts, Svc_serve_on__Get__finish, (tern__any_fn *)done, user);
}

static const tern_method Svc_serve_on___methods[] = {
    {
        "Svc_serve_on/Get",
        &Foo_type,
        &Foo_type,
        0x62f445f8u,
        0, /* flags */
        NULL, /* reserved */
    },
};

const tern_service Svc_serve_on__service = {
    "Svc_serve_on",
    Svc_serve_on___methods,
    1,
};

int Svc_serve_on__serve(tern_endpoint *ep, const Svc_serve_on__handlers *handlers, void *user) {
    return Svc_serve_on__serve_on(ep, handlers, user, NULL);
}

int Svc_serve_on__serve_on(tern_endpoint *ep, const Svc_serve_on__handlers *handlers, void *user, tern_workers *pool) {
    int err = 0;
    if (!err && handlers->Get)
        err = tern__serve_on(ep, &Svc_serve_on__Get_method, Svc_serve_on__Get__handle, (tern__any_fn *)handlers->Get, user, pool);
    return err;
}


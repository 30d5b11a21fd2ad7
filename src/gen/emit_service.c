/* Services. Handlers and continuations are typed by message; tern stores them as tern__any_fn and calls
 * them through the thunks of the generated source, which cast them back to what they are. */
#include "gen/emit_service.h"

#include "gen/emit_stream.h"
#include "gen/location.h"

static void emit_method_header(gen *g, text *t, const gen_service *s, const gen_method *m) {
    const char *c = m->c_name, *request = m->request->c_name, *response = m->response->c_name;
    emit_comment(g, t, s->file, m->path, "");
    text_add(t, "extern const tern_method %s_method;\n\n", c);
    text_add(t,
             "/* Ends a call of %s: with status TERN_STATUS_OK there is a response, valid until this returns;\n"
             " * otherwise it is NULL. */\n"
             "typedef void %s_done(void *user, int status, const %s *response);\n\n",
             m->schema_name, c, response);
    text_add(t,
             "/* As tern_call_start(). */\n"
             "int %s(tern_session *session, const %s *request, const tern_call_opts *opts, %s_done *done,\n"
             "    void *user);\n\n",
             c, request, c);
    text_add(t,
             "/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */\n"
             "static inline int %s_wait(tern_session *session, const %s *request, const tern_call_opts *opts,\n"
             "    const %s **response) {\n"
             "    const void *message = NULL;\n"
             "    int status = tern_call_wait(session, &%s_method, request, opts, response ? &message : NULL);\n"
             "    if (response) *response = (const %s *)message;\n"
             "    return status;\n"
             "}\n\n",
             c, request, response, c, response);
    text_add(t,
             "/* Serves one request; ends with one %s_reply() or tern_fail(), now or later. */\n"
             "typedef void %s_handler(tern_call call, const %s *request, void *user);\n\n",
             c, c, request);
    text_add(
        t,
        "/* As tern_reply(). */\n"
        "static inline int %s_reply(tern_call call, const %s *response) { return tern_reply(call, response); }\n\n",
        c, response);
}

void emit_service_header(gen *g, text *t, const gen_service *s) {
    const char *c = s->c_name;
    text_add(t, "/* ---- service %s */\n\n", s->full_name);
    for (size_t i = 0; i < s->n_methods; i++)
        if (s->methods[i].streaming)
            emit_stream_header(g, t, s, &s->methods[i]);
        else
            emit_method_header(g, t, s, &s->methods[i]);
    emit_comment(g, t, s->file, s->path, "");
    text_add(t, "extern const tern_service %s_service;\n\n", c);
    text_add(t, "/* What serves each method; NULL leaves one unserved. */\ntypedef struct %s_handlers {\n", c);
    for (size_t i = 0; i < s->n_methods; i++)
        text_add(t, "    %s_handler *%s;\n", s->methods[i].c_name, s->methods[i].name);
    if (s->n_methods == 0) text_add(t, "    uint8_t unused_;\n");
    text_add(t, "} %s_handlers;\n\n", c);
    text_add(
        t,
        "/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is\n"
        " * not needed any more afterwards. */\n"
        "int %s_serve(tern_endpoint *ep, const %s_handlers *handlers, void *user);\n\n",
        c, c);
    text_add(t,
             "/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the\n"
             " * endpoint's. */\n"
             "int %s_serve_on(tern_endpoint *ep, const %s_handlers *handlers, void *user, tern_workers *pool);\n\n",
             c, c);
}

static void emit_method_flags(text *t, uint32_t flags, const char *indent) {
    static const char *const names[] = {"RECEIVE_SHARED", "BORROW"};
    const char *separator = "";
    text_add(t, "%s", indent);
    for (unsigned i = 0; i < TERN__COUNT(names); i++) {
        if (!(flags >> i & 1)) continue;
        text_add(t, "%sTERN_METHOD_%s", separator, names[i]);
        separator = " | ";
    }
    text_add(t, flags ? ",\n" : "0, /* flags */\n");
}

static void emit_method_fields(text *t, const gen_method *m, const char *indent) {
    text_add(t, "%s\"%s\",\n%s&%s_type,\n%s&%s_type,\n%s0x%08xu,\n", indent, m->schema_name, indent, m->request->c_name,
             indent, m->response->c_name, indent, tern_method_id(m->schema_name));
    emit_method_flags(t, m->flags, indent);
    text_add(t, "%sNULL, /* reserved */\n", indent);
}

static void emit_method_source(text *t, const gen_method *m) {
    const char *c = m->c_name, *request = m->request->c_name, *response = m->response->c_name;
    text_add(t,
             "static void %s__handle(tern__any_fn *handler, tern_call call, const void *request, void *user) {\n"
             "    ((%s_handler *)handler)(call, (const %s *)request, user);\n"
             "}\n\n",
             c, c, request);
    text_add(t,
             "static void %s__finish(tern__any_fn *done, void *user, int status, const void *response) {\n"
             "    ((%s_done *)done)(user, status, (const %s *)response);\n"
             "}\n\n",
             c, c, response);
    text_add(
        t,
        "int %s(tern_session *session, const %s *request, const tern_call_opts *opts, %s_done *done,\n"
        "    void *user) {\n"
        "    return tern__call_start(session, &%s_method, request, opts, %s__finish, (tern__any_fn *)done, user);\n"
        "}\n\n",
        c, request, c, c, c);
}

static void emit_serve(text *t, const gen_service *s) {
    text_add(t,
             "int %s_serve(tern_endpoint *ep, const %s_handlers *handlers, void *user) {\n"
             "    return %s_serve_on(ep, handlers, user, NULL);\n"
             "}\n\n",
             s->c_name, s->c_name, s->c_name);
    text_add(t,
             "int %s_serve_on(tern_endpoint *ep, const %s_handlers *handlers, void *user, tern_workers *pool) {\n"
             "    int err = 0;\n",
             s->c_name, s->c_name);
    if (s->n_methods == 0) text_add(t, "    (void)ep;\n    (void)handlers;\n    (void)user;\n");
    if (s->n_stubs == 0) text_add(t, "    (void)pool;\n");
    for (size_t i = 0; i < s->n_methods; i++) {
        const gen_method *m = &s->methods[i];
        if (m->streaming) {
            emit_stream_serve(t, m);
            continue;
        }
        text_add(
            t,
            "    if (!err && handlers->%s)\n"
            "        err = tern__serve_on(ep, &%s_method, %s__handle, (tern__any_fn *)handlers->%s, user, pool);\n",
            m->name, m->c_name, m->c_name, m->name);
    }
    text_add(t, "    return err;\n}\n\n");
}

void emit_service_source(text *t, const gen_service *s) {
    for (size_t i = 0; i < s->n_methods; i++) {
        const gen_method *m = &s->methods[i];
        text_add(t, "const tern_method %s_method = {\n", m->c_name);
        emit_method_fields(t, m, "    ");
        text_add(t, "};\n\n");
        if (m->streaming)
            emit_stream_source(t, m);
        else
            emit_method_source(t, m);
    }
    if (s->n_stubs) {
        text_add(t, "static const tern_method %s__methods[] = {\n", s->c_name);
        for (size_t i = 0; i < s->n_methods; i++) {
            if (s->methods[i].streaming) continue;
            text_add(t, "    {\n");
            emit_method_fields(t, &s->methods[i], "        ");
            text_add(t, "    },\n");
        }
        text_add(t, "};\n\n");
    }
    text_add(t, "const tern_service %s_service = {\n    \"%s\",\n", s->c_name, s->full_name);
    if (s->n_stubs)
        text_add(t, "    %s__methods,\n    %zu,\n};\n\n", s->c_name, s->n_stubs);
    else
        text_add(t, "    NULL,\n    0,\n};\n\n");
    emit_serve(t, s);
}

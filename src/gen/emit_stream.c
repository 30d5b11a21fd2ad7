/* Streaming methods. As with calls, callbacks are typed by message, and the thunks of the generated source cast them
 * back to what they are. */
#include "gen/emit_stream.h"

#include "gen/location.h"

static bool client_streams(const gen_method *m) { return m->desc->client_streaming; }
static bool server_streams(const gen_method *m) { return m->desc->server_streaming; }

/* What both ends may be told, besides messages. */
static const char common_events[] = "    void (*on_writable)(tern_stream stream, void *user);\n"
                                    "    void (*on_end)(tern_stream stream, int status, void *user);\n";

static void emit_start_signature(text *t, const gen_method *m) {
    const char *c = m->c_name;
    text_add(t, "int %s(tern_session *session, ", c);
    if (!client_streams(m)) text_add(t, "const %s *request, ", m->request->c_name);
    text_add(t,
             "const tern_stream_opts *opts,\n"
             "    const %s_events *events, void *user, tern_stream *stream)",
             c);
}

static void emit_accept_signature(text *t, const char *c) {
    text_add(t,
             "int %s_accept(tern_stream stream, const tern_stream_opts *opts, const %s_server_events *events,\n"
             "    void *user)",
             c, c);
}

static void emit_write(text *t, const char *c, const char *what, const char *type) {
    text_add(t,
             "/* As tern_stream_write(), for one %s. */\n"
             "static inline int %s_write_%s(tern_stream stream, const %s *%s) {\n"
             "    return tern__stream_put_%s(stream, &%s_method, %s);\n"
             "}\n\n",
             what, c, what, type, what, what, c, what);
}

static void emit_client_header(text *t, const gen_method *m) {
    const char *c = m->c_name;
    text_add(t,
             "/* What the client of %s is told: tern_stream_events, with the server's message%s in place of bytes,\n"
             " * valid until the callback returns. */\n"
             "typedef struct %s_events {\n"
             "    void (*on_message)(tern_stream stream, const %s *response, void *user);\n"
             "%s} %s_events;\n\n",
             m->schema_name, server_streams(m) ? "s" : "", c, m->response->c_name, common_events, c);
    text_add(t, "/* As tern_stream_start()%s. */\n", client_streams(m) ? "" : "; the request is sent and finished");
    emit_start_signature(t, m);
    text_add(t, ";\n\n");
    if (client_streams(m)) emit_write(t, c, "request", m->request->c_name);
}

static void emit_server_header(text *t, const gen_method *m) {
    const char *c = m->c_name, *request = m->request->c_name;
    text_add(t, "/* What the server of %s is told. */\ntypedef struct %s_server_events {\n", m->schema_name, c);
    if (client_streams(m))
        text_add(t,
                 "    void (*on_message)(tern_stream stream, const %s *request, void *user);\n"
                 "    void (*on_finished)(tern_stream stream, void *user);\n",
                 request);
    text_add(t, "%s} %s_server_events;\n\n", common_events, c);
    text_add(t, "/* A call of %s begins: accept it or end it, now. ", m->schema_name);
    if (client_streams(m))
        text_add(t, "*/\ntypedef void %s_handler(tern_stream stream, void *user);\n\n", c);
    else
        text_add(t,
                 "The request is valid until this returns. */\n"
                 "typedef void %s_handler(tern_stream stream, const %s *request, void *user);\n\n",
                 c, request);
    text_add(t, "/* As tern_stream_accept(). */\n");
    emit_accept_signature(t, c);
    text_add(t, ";\n\n");
    if (server_streams(m))
        emit_write(t, c, "response", m->response->c_name);
    else
        text_add(t,
                 "/* Send the response and end the call with OK, as tern_reply(); the stream is gone then. */\n"
                 "static inline int %s_reply(tern_stream stream, const %s *response) {\n"
                 "    return tern__stream_reply(stream, &%s_method, response);\n"
                 "}\n\n",
                 c, m->response->c_name, c);
}

void emit_stream_header(gen *g, text *t, const gen_service *s, const gen_method *m) {
    emit_comment(g, t, s->file, m->path, "");
    text_add(t, "extern const tern_method %s_method;\n\n", m->c_name);
    emit_client_header(t, m);
    emit_server_header(t, m);
}

static void emit_take(text *t, const char *c, const char *name, const char *type) {
    text_add(t,
             "static void %s__%s(tern__any_fn *handler, tern_stream stream, const void *message, void *user) {\n"
             "    ((void (*)(tern_stream, const %s *, void *))handler)(stream, (const %s *)message, user);\n"
             "}\n\n",
             c, name, type, type);
}

void emit_stream_source(text *t, const gen_method *m) {
    const char *c = m->c_name;
    text_add(
        t, "static void %s__handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {\n", c);
    if (client_streams(m))
        text_add(t, "    (void)request;\n    ((%s_handler *)handler)(stream, user);\n}\n\n", c);
    else
        text_add(t, "    ((%s_handler *)handler)(stream, (const %s *)request, user);\n}\n\n", c, m->request->c_name);
    emit_take(t, c, "take", m->response->c_name);
    if (client_streams(m)) emit_take(t, c, "take_request", m->request->c_name);
    emit_start_signature(t, m);
    text_add(t,
             " {\n"
             "    if (!events%s) return TERN_ERR_INVALID;\n"
             "    const tern__message_events typed = {sizeof(tern__message_events), %s__take,\n"
             "        (tern__any_fn *)events->on_message, NULL, events->on_writable, events->on_end};\n"
             "    return tern__stream_start(session, &%s_method, %s, opts, &typed, user, stream);\n"
             "}\n\n",
             client_streams(m) ? "" : " || !request", c, c, client_streams(m) ? "NULL" : "request");
    emit_accept_signature(t, c);
    if (client_streams(m))
        text_add(
            t,
            " {\n"
            "    if (!events) return TERN_ERR_INVALID;\n"
            "    const tern__message_events typed = {sizeof(tern__message_events), %s__take_request,\n"
            "        (tern__any_fn *)events->on_message, events->on_finished, events->on_writable, events->on_end};\n",
            c);
    else
        text_add(t, " {\n"
                    "    if (!events) return TERN_ERR_INVALID;\n"
                    "    const tern__message_events typed = {sizeof(tern__message_events), NULL, NULL, NULL,\n"
                    "        events->on_writable, events->on_end};\n");
    text_add(t, "    return tern__stream_accept(stream, &%s_method, opts, &typed, user);\n}\n\n", c);
}

void emit_stream_serve(text *t, const gen_method *m) {
    text_add(t,
             "    if (!err && handlers->%s)\n"
             "        err = tern__serve_stream(ep, &%s_method, %s, %s__handle, (tern__any_fn *)handlers->%s, user);\n",
             m->name, m->c_name, client_streams(m) ? "false" : "true", m->c_name, m->name);
}

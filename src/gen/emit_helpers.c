/* The inline functions of a message. Their names carry the field's name in the schema, whatever the member
 * had to be called. */
#include "gen/gen.h"

static void emit_list_helpers(text *t, const char *c, const gen_field *f) {
    text_add(t,
             "static inline int %s_reserve_%s(%s *msg, size_t n, tern_arena *arena) {\n"
             "    return tern_list_reserve(&msg->%s, n, sizeof *msg->%s.data, arena);\n"
             "}\n\n",
             c, f->schema_name, c, f->name, f->name);
    text_add(t,
             "static inline %s *%s_add_%s(%s *msg, tern_arena *arena) {\n"
             "    if (tern_list_reserve(&msg->%s, msg->%s.len + 1, sizeof *msg->%s.data, arena)) return NULL;\n"
             "    return &msg->%s.data[msg->%s.len++];\n"
             "}\n\n",
             emit_value_type(f), c, f->schema_name, c, f->name, f->name, f->name, f->name, f->name);
}

static void emit_make(text *t, const char *c, const gen_field *f) {
    const char *type = emit_value_type(f);
    text_add(t,
             "static inline %s *%s_make_%s(%s *msg, tern_arena *arena) {\n"
             "    return msg->%s = (%s *)tern_arena_zalloc(arena, sizeof *msg->%s);\n"
             "}\n\n",
             type, c, f->schema_name, c, f->name, type, f->name);
}

static void emit_presence_helpers(text *t, const char *c, const gen_field *f) {
    const char *type = emit_value_type(f);
    bool view = f->kind == TERN_STRING || f->kind == TERN_BYTES;
    text_add(t,
             "static inline bool %s_has_%s(const %s *msg) { return msg->has.%s; }\n\n"
             "static inline void %s_set_%s(%s *msg, %s value) {\n"
             "    msg->%s = value;\n"
             "    msg->has.%s = 1;\n"
             "}\n\n",
             c, f->schema_name, c, f->name, c, f->schema_name, c, type, f->name, f->name);
    text_add(t, "static inline void %s_clear_%s(%s *msg) {\n", c, f->schema_name, c);
    if (view)
        text_add(t, "    msg->%s.data = NULL;\n    msg->%s.len = 0;\n", f->name, f->name);
    else
        text_add(t, "    msg->%s = 0;\n", f->name);
    text_add(t, "    msg->has.%s = 0;\n}\n\n", f->name);
}

static void emit_default(gen *g, text *t, const gen_message *m, const gen_field *f) {
    const char *type = emit_value_type(f), *c = m->c_name;
    text literal = {.arena = g->arena};
    if (!literal_default(g, f, &literal)) {
        gen_error(g, m->file, f->path, "the default of field %s is not a value of its type", f->schema_name);
        return;
    }
    text_add(t, "/* The value, or the schema's default when it is not set. */\n");
    text_add(t, "static inline %s %s_get_%s(const %s *msg) {\n", type, c, f->schema_name, c);
    if (f->kind == TERN_STRING || f->kind == TERN_BYTES)
        text_add(t, "    const %s value = %.*s;\n    return msg->has.%s ? msg->%s : value;\n", type, (int)literal.len,
                 literal.data, f->name, f->name);
    else
        text_add(t, "    return msg->has.%s ? msg->%s : %.*s;\n", f->name, f->name, (int)literal.len, literal.data);
    text_add(t, "}\n\n");
}

void emit_helpers(gen *g, text *t, const gen_message *m) {
    const char *c = m->c_name;
    text_add(t, "/* ---- %s */\n\nextern const tern_type %s_type;\n\n", m->full_name, c);
    text_add(t, "static inline int64_t %s_size(const %s *msg) { return tern_protobuf_size(&%s_type, msg); }\n\n", c, c,
             c);
    text_add(t,
             "static inline int64_t %s_encode(const %s *msg, void *out, size_t cap) {\n"
             "    return tern_protobuf_encode(&%s_type, msg, out, cap);\n"
             "}\n\n",
             c, c, c);
    text_add(t,
             "/* Strings and bytes point into data, which must outlive them. */\n"
             "static inline int %s_decode(const void *data, size_t len, tern_arena *arena, %s *msg) {\n"
             "    return tern_protobuf_decode(&%s_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);\n"
             "}\n\n",
             c, c, c);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = &m->fields[i];
        if (f->flags & TERN_FIELD_REPEATED)
            emit_list_helpers(t, c, f);
        else if (f->kind == TERN_MESSAGE)
            emit_make(t, c, f);
        else if (f->flags & TERN_FIELD_HAS)
            emit_presence_helpers(t, c, f);
        if (f->desc->has.default_value && f->flags & TERN_FIELD_HAS) emit_default(g, t, m, f);
    }
}

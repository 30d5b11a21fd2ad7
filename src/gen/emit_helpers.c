/* The inline functions of a message. Their names carry the field's name in the schema, whatever the member
 * had to be called. */
#include "gen/emit_helpers.h"

#include "gen/emit_structs.h"
#include "gen/literal.h"
#include "gen/location.h"

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

/* Of a list of pointers. */
static void emit_pointers_helpers(text *t, const char *c, const gen_field *f) {
    const char *name = f->schema_name, *type = emit_value_type(f), *member = f->name;
    text_add(t,
             "/* Room for n pointers; those from len on are NULL. */\n"
             "static inline int %s_reserve_%s(%s *msg, size_t n, tern_arena *arena) {\n"
             "    return tern_list_reserve(&msg->%s, n, sizeof *msg->%s.data, arena);\n"
             "}\n\n",
             c, name, c, member, member);
    text_add(t,
             "/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */\n"
             "static inline int %s_put_%s(%s *msg, %s *element, tern_arena *arena) {\n"
             "    if (%s_reserve_%s(msg, msg->%s.len + 1, arena)) return TERN_ERR_NOMEM;\n"
             "    msg->%s.data[msg->%s.len++] = element;\n"
             "    return 0;\n"
             "}\n\n",
             c, name, c, type, c, name, member, member, member);
    if (f->flags & TERN_FIELD_OBJECT) return;
    text_add(t,
             "/* Appends an empty message from the arena; NULL when memory is out. */\n"
             "static inline %s *%s_add_%s(%s *msg, tern_arena *arena) {\n"
             "    %s *made = (%s *)tern_arena_zalloc(arena, sizeof *made);\n"
             "    return made && %s_put_%s(msg, made, arena) == 0 ? made : NULL;\n"
             "}\n\n",
             type, c, name, c, type, type, c, name);
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static void emit_put(text *t, const char *c, const gen_field *f, const gen_field *key, const gen_field *value) {
    const char *name = f->schema_name, *entry = f->message->c_name, *k = emit_value_type(key),
               *v = emit_value_type(value);
    if (value->message && !f->ref)
        text_add(t,
                 "/* The value of this key, made empty when there is none; NULL when memory is out. The key is "
                 "borrowed. */\n"
                 "static inline %s *%s_put_%s(%s *msg, %s key, tern_arena *arena) {\n"
                 "    %s *entry = (%s *)tern_map_insert(&%s_type, &msg->%s, &key, arena);\n"
                 "    if (!entry) return NULL;\n"
                 "    if (!entry->value) entry->value = (%s *)tern_arena_zalloc(arena, sizeof *entry->value);\n"
                 "    return entry->value;\n"
                 "}\n\n",
                 v, c, name, c, k, entry, entry, entry, f->name, v);
    else
        text_add(t,
                 "/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */\n"
                 "static inline int %s_put_%s(%s *msg, %s key, %s %svalue, tern_arena *arena) {\n"
                 "    %s *entry = (%s *)tern_map_insert(&%s_type, &msg->%s, &key, arena);\n"
                 "    if (!entry) return TERN_ERR_NOMEM;\n"
                 "    entry->value = value;\n"
                 "    return 0;\n"
                 "}\n\n",
                 c, name, c, k, v, value->message ? "*" : "", entry, entry, entry, f->name);
}

static void emit_map_helpers(text *t, const char *c, const gen_field *f) {
    const gen_field *key = f->message->by_number[0], *value = f->message->by_number[1];
    const char *name = f->schema_name, *entry = f->message->c_name, *k = emit_value_type(key);
    emit_put(t, c, f, key, value);
    text_add(t,
             "/* The value of this key, or NULL. */\n"
             "static inline %s *%s_get_%s(const %s *msg, %s key) {\n"
             "    %s *entry = (%s *)tern_map_find(&%s_type, &msg->%s, &key);\n"
             "    return entry ? %sentry->value : NULL;\n"
             "}\n\n",
             emit_value_type(value), c, name, c, k, entry, entry, entry, f->name, value->message ? "" : "&");
    text_add(t,
             "static inline bool %s_remove_%s(%s *msg, %s key) {\n"
             "    return tern_map_remove(&%s_type, &msg->%s, &key);\n"
             "}\n\n",
             c, name, c, k, entry, f->name);
}

/* ---- Oneofs -------------------------------------------------------------------------------------- */

static void emit_oneof_helpers(text *t, const char *c, const gen_oneof *o) {
    text_add(t,
             "static inline %s_case %s_which_%s(const %s *msg) { return msg->%s; }\n\n"
             "static inline void %s_clear_%s(%s *msg) { msg->%s = %s_NOT_SET; }\n\n",
             o->c_name, c, o->schema_name, c, o->member, c, o->schema_name, c, o->member, o->c_name);
}

static void emit_member_helpers(text *t, const char *c, const gen_field *f) {
    const char *name = f->schema_name, *type = emit_value_type(f), *member = f->oneof->member;
    text_add(t, "static inline bool %s_has_%s(const %s *msg) { return msg->%s == %s; }\n\n", c, name, c, member,
             f->case_name);
    text_add(t,
             "static inline void %s_set_%s(%s *msg, %s %svalue) {\n"
             "    msg->%s = value;\n"
             "    msg->%s = %s;\n"
             "}\n\n",
             c, name, c, type, f->message ? "*" : "", f->name, member, f->case_name);
    text_add(t,
             "static inline void %s_clear_%s(%s *msg) {\n"
             "    if (msg->%s == %s) msg->%s = %s_NOT_SET;\n"
             "}\n\n",
             c, name, c, member, f->case_name, member, f->oneof->c_name);
    if (!f->message || f->flags & TERN_FIELD_OBJECT) return;
    text_add(t,
             "static inline %s *%s_make_%s(%s *msg, tern_arena *arena) {\n"
             "    %s *made = (%s *)tern_arena_zalloc(arena, sizeof *made);\n"
             "    if (made) %s_set_%s(msg, made);\n"
             "    return made;\n"
             "}\n\n",
             type, c, name, c, type, type, c, name);
}

/* ---- Single fields ------------------------------------------------------------------------------- */

static void emit_child_helpers(text *t, const char *c, const gen_field *f) {
    const char *type = emit_value_type(f), *name = f->schema_name;
    if (!(f->flags & TERN_FIELD_OBJECT))
        text_add(t,
                 "static inline %s *%s_make_%s(%s *msg, tern_arena *arena) {\n"
                 "    return msg->%s = (%s *)tern_arena_zalloc(arena, sizeof *msg->%s);\n"
                 "}\n\n",
                 type, c, name, c, f->name, type, f->name);
    text_add(t,
             "static inline bool %s_has_%s(const %s *msg) { return msg->%s != NULL; }\n\n"
             "static inline void %s_clear_%s(%s *msg) { msg->%s = NULL; }\n\n",
             c, name, c, f->name, c, name, c, f->name);
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
    text literal = {.arena = g->arena}, before = {.arena = g->arena};
    if (!literal_default(g, f, &before, &literal)) {
        gen_error(g, m->file, f->path, "the default of field %s is not a value of its type", f->schema_name);
        return;
    }
    text_add(t, "/* The value, or the schema's default when it is not set. */\n");
    text_add(t, "static inline %s %s_get_%s(const %s *msg) {\n", type, c, f->schema_name, c);
    text_add_bytes(t, before.data, before.len);
    if (f->kind == TERN_STRING || f->kind == TERN_BYTES)
        text_add(t, "    const %s value = %.*s;\n    return %s_has_%s(msg) ? msg->%s : value;\n", type,
                 (int)literal.len, literal.data, c, f->schema_name, f->name);
    else
        text_add(t, "    return %s_has_%s(msg) ? msg->%s : %.*s;\n", c, f->schema_name, f->name, (int)literal.len,
                 literal.data);
    text_add(t, "}\n\n");
}

/* ---- Messages ------------------------------------------------------------------------------------ */

static void emit_codec_helpers(text *t, const char *c) {
    text_add(t, "static inline int64_t %s_size(const %s *msg) { return tern_protobuf_size(&%s_type, msg); }\n\n", c, c,
             c);
    text_add(t,
             "static inline int64_t %s_encode(const %s *msg, void *out, size_t cap) {\n"
             "    return tern_protobuf_encode(&%s_type, msg, out, cap);\n"
             "}\n\n",
             c, c, c);
    text_add(t,
             "/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */\n"
             "static inline int %s_decode(const void *data, size_t len, tern_arena *arena, int mode, %s *msg) {\n"
             "    return tern_protobuf_decode(&%s_type, data, len, arena, mode, NULL, msg);\n"
             "}\n\n",
             c, c, c);
    text_add(t,
             "static inline int %s_copy(const %s *src, tern_arena *arena, %s *dst) {\n"
             "    return tern_message_copy(&%s_type, src, arena, dst);\n"
             "}\n\n"
             "static inline bool %s_equal(const %s *a, const %s *b) { return tern_message_equal(&%s_type, a, b); }\n\n",
             c, c, c, c, c, c, c, c);
}

static void emit_field_helpers(text *t, const char *c, const gen_field *f) {
    if (f->flags & TERN_FIELD_MAP)
        emit_map_helpers(t, c, f);
    else if (f->flags & TERN_FIELD_POINTERS)
        emit_pointers_helpers(t, c, f);
    else if (f->flags & TERN_FIELD_REPEATED)
        emit_list_helpers(t, c, f);
    else if (f->oneof)
        emit_member_helpers(t, c, f);
    else if (f->message)
        emit_child_helpers(t, c, f);
    else if (f->flags & TERN_FIELD_HAS)
        emit_presence_helpers(t, c, f);
}

void emit_helpers(gen *g, text *t, const gen_message *m) {
    if (m->is_entry) return;
    text_add(t, "/* ---- %s */\n\n", m->full_name);
    emit_codec_helpers(t, m->c_name);
    for (const gen_oneof *o = m->oneofs; o; o = o->next) emit_oneof_helpers(t, m->c_name, o);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = &m->fields[i];
        emit_field_helpers(t, m->c_name, f);
        if (f->desc->has.default_value && !f->message && f->flags & (TERN_FIELD_HAS | TERN_FIELD_ONEOF))
            emit_default(g, t, m, f);
    }
}

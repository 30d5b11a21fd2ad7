/* The generated source: the type table of each message. It is plain data in positional form, which C and
 * C++ both take. */
#include "gen/gen.h"

static const char *kind_name(unsigned kind) {
    static const char *const names[] = {
        [TERN_DOUBLE] = "DOUBLE", [TERN_FLOAT] = "FLOAT",       [TERN_INT64] = "INT64",       [TERN_UINT64] = "UINT64",
        [TERN_INT32] = "INT32",   [TERN_FIXED64] = "FIXED64",   [TERN_FIXED32] = "FIXED32",   [TERN_BOOL] = "BOOL",
        [TERN_STRING] = "STRING", [TERN_MESSAGE] = "MESSAGE",   [TERN_BYTES] = "BYTES",       [TERN_UINT32] = "UINT32",
        [TERN_ENUM] = "ENUM",     [TERN_SFIXED32] = "SFIXED32", [TERN_SFIXED64] = "SFIXED64", [TERN_SINT32] = "SINT32",
        [TERN_SINT64] = "SINT64"};
    return names[kind];
}

static void emit_flags(text *t, unsigned flags) {
    static const char *const names[] = {"REPEATED", "PACKED", "HAS", "UTF8", "REQUIRED"};
    const char *separator = "";
    if (flags == 0) text_add(t, "0");
    for (unsigned i = 0; i < TERN__COUNT(names); i++) {
        if (!(flags >> i & 1)) continue;
        text_add(t, "%sTERN_FIELD_%s", separator, names[i]);
        separator = " | ";
    }
}

static void emit_fields(text *t, const gen_message *m) {
    text_add(t, "static const tern_field %s__fields[] = {\n", m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = m->by_number[i];
        bool child = f->kind == TERN_MESSAGE && !(f->flags & TERN_FIELD_REPEATED);
        text_add(t, "    {%u, offsetof(%s, %s), %u, %u, TERN_%s, ", f->number, m->c_name, f->name, f->sub, f->has_bit,
                 kind_name(f->kind));
        emit_flags(t, f->flags);
        text_add(t, ", sizeof(%s%s)},\n", emit_value_type(f), child ? " *" : "");
    }
    text_add(t, "};\n\nstatic const char *const %s__names[] = {\n", m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) text_add(t, "    \"%s\",\n", m->by_number[i]->schema_name);
    text_add(t, "};\n\n");
}

static size_t count_dense(const gen_message *m) {
    size_t n = 0;
    while (n < m->n_fields && m->by_number[n]->number == n + 1) n++;
    return n;
}

static void emit_type(text *t, const gen_message *m) {
    const char *c = m->c_name;
    if (m->n_fields) emit_fields(t, m);
    if (m->n_subs) {
        text_add(t, "static const tern_type *const %s__subs[] = {\n", c);
        for (size_t i = 0; i < m->n_subs; i++) text_add(t, "    &%s_type,\n", m->subs[i]->c_name);
        text_add(t, "};\n\n");
    }
    text_add(t, "const tern_type %s_type = {\n    \"%s\",\n", c, m->full_name);
    if (m->n_fields)
        text_add(t, "    %s__fields,\n    %s__names,\n", c, c);
    else
        text_add(t, "    NULL, /* fields */\n    NULL, /* field_names */\n");
    text_add(t, "    NULL, /* json_names */\n");
    if (m->n_subs)
        text_add(t, "    %s__subs,\n", c);
    else
        text_add(t, "    NULL, /* subs */\n");
    text_add(t, "    NULL, /* enums */\n");
    text_add(t, "    %zu, /* n_fields */\n    %zu, /* n_dense */\n    sizeof(%s),\n", m->n_fields, count_dense(m), c);
    if (m->n_has)
        text_add(t, "    offsetof(%s, has),\n", c);
    else
        text_add(t, "    0, /* has_offset */\n");
    text_add(t, "    %zu, /* n_has */\n    %u, /* max_number */\n    %zu, /* n_required */\n", m->n_has,
             m->n_fields ? m->by_number[m->n_fields - 1]->number : 0, m->n_required);
    text_add(t, "    offsetof(%s, unknown),\n    0, /* flags */\n};\n\n", c);
}

void emit_source(gen *g, text *t, gen_file *file) {
    (void)g;
    text_add(t, "/* Made by protoc-gen-tern from %s; changes here are lost. */\n", file->path);
    text_add(t, "#include \"%s.tern.h\"\n\n#include <stddef.h>\n\n", file->stem);
    for (const gen_message *m = file->messages; m; m = m->next) emit_type(t, m);
    for (const gen_service *s = file->services; s; s = s->next) emit_service_source(t, s);
}

/* The generated source: the table of each enum and message. It is plain data in positional form, which C and
 * C++ both take. */
#include "gen/emit_source.h"

#include <stdlib.h>

#include "gen/emit_service.h"
#include "gen/emit_structs.h"
#include "gen/literal.h"

static const char *kind_name(unsigned kind) {
    static const char *const names[] = {
        [TERN_DOUBLE] = "DOUBLE",     [TERN_FLOAT] = "FLOAT",     [TERN_INT64] = "INT64",
        [TERN_UINT64] = "UINT64",     [TERN_INT32] = "INT32",     [TERN_FIXED64] = "FIXED64",
        [TERN_FIXED32] = "FIXED32",   [TERN_BOOL] = "BOOL",       [TERN_STRING] = "STRING",
        [TERN_GROUP] = "GROUP",       [TERN_MESSAGE] = "MESSAGE", [TERN_BYTES] = "BYTES",
        [TERN_UINT32] = "UINT32",     [TERN_ENUM] = "ENUM",       [TERN_SFIXED32] = "SFIXED32",
        [TERN_SFIXED64] = "SFIXED64", [TERN_SINT32] = "SINT32",   [TERN_SINT64] = "SINT64"};
    return names[kind];
}

static void emit_flags(text *t, unsigned flags) {
    static const char *const names[] = {"REPEATED", "PACKED", "HAS", "UTF8",     "REQUIRED", "ONEOF",
                                        "MAP",      "CLOSED", NULL,  "POINTERS", NULL,       "OBJECT"};
    const char *separator = "";
    if (flags == 0) text_add(t, "0");
    for (unsigned i = 0; i < TERN__COUNT(names); i++) {
        if (!(flags >> i & 1)) continue;
        text_add(t, "%sTERN_FIELD_%s", separator, names[i]);
        separator = " | ";
    }
}

/* ---- Enums --------------------------------------------------------------------------------------- */

typedef struct numbered {
    int32_t number;
    size_t index;
} numbered;

static int compare_values(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void emit_enum_table(gen *g, text *t, const gen_enum *e) {
    size_t n = e->desc->value.len;
    numbered *order = gen_alloc(g->arena, n * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = (numbered){e->desc->value.data[i].number, i};
    qsort(order, n, sizeof *order, compare_values);
    text_add(t, "static const tern_enum_value %s__values[] = {\n", e->c_name);
    for (size_t i = 0; i < n; i++) {
        text_add(t, "    {");
        emit_int32(t, order[i].number);
        text_add(t, ", \"%s\"},\n", gen_cstr(g, e->desc->value.data[order[i].index].name));
    }
    text_add(t,
             "};\n\nconst tern_enum %s_enum = {\n    \"%s\",\n    %s__values,\n    %zu,\n    %s, /* closed */\n};\n\n",
             e->c_name, e->full_name, e->c_name, n, e->file->proto3 ? "false" : "true");
}

/* ---- Messages ------------------------------------------------------------------------------------ */

static void emit_field(text *t, const gen_message *m, const gen_field *f) {
    bool child = f->message && (!(f->flags & TERN_FIELD_REPEATED) || f->flags & TERN_FIELD_POINTERS);
    text_add(t, "    TERN_FIELD(%u, offsetof(%s, %s), %u, ", f->number, m->c_name, f->name, f->sub);
    if (f->oneof)
        text_add(t, "offsetof(%s, %s) / 4", m->c_name, f->oneof->member);
    else
        text_add(t, "%u", f->has_bit);
    text_add(t, ", TERN_%s, ", kind_name(f->kind));
    emit_flags(t, f->flags);
    text_add(t, ", sizeof(%s%s)),\n", emit_value_type(f), child ? " *" : "");
}

/* The name in JSON that a field has unless the schema gives it another: camel case by its underscores. */
static const char *usual_json_name(gen *g, const char *name) {
    char *out = gen_alloc(g->arena, strlen(name) + 1);
    size_t n = 0;
    bool upper = false;
    for (; *name; name++) {
        if (*name != '_') out[n++] = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        upper = *name == '_';
    }
    return out;
}

static bool has_custom_json_name(gen *g, const gen_field *f) {
    return f->desc->has.json_name && !tern_str_eq(f->desc->json_name, tern_str_of(usual_json_name(g, f->schema_name)));
}

/* The names in JSON, when one of them is not the usual one. False when there is no table. */
static bool emit_json_names(gen *g, text *t, const gen_message *m) {
    bool custom = false;
    for (size_t i = 0; i < m->n_fields; i++) custom |= has_custom_json_name(g, m->by_number[i]);
    if (!custom) return false;
    text_add(t, "static const char *const %s__json[] = {\n", m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = m->by_number[i];
        text_add(t, "    ");
        if (has_custom_json_name(g, f))
            literal_string(t, f->desc->json_name.data, f->desc->json_name.len);
        else
            text_add(t, "NULL");
        text_add(t, ",\n");
    }
    text_add(t, "};\n\n");
    return true;
}

static void emit_fields(text *t, const gen_message *m) {
    text_add(t, "static const tern_field %s__fields[] = {\n", m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) emit_field(t, m, m->by_number[i]);
    text_add(t, "};\n\nstatic const char *const %s__names[] = {\n", m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) text_add(t, "    \"%s\",\n", m->by_number[i]->schema_name);
    text_add(t, "};\n\n");
}

static void emit_references(text *t, const gen_message *m) {
    if (m->n_subs) {
        text_add(t, "static const tern_type *const %s__subs[] = {\n", m->c_name);
        for (size_t i = 0; i < m->n_subs; i++) text_add(t, "    &%s_type,\n", m->subs[i]->c_name);
        text_add(t, "};\n\n");
    }
    if (m->n_enums) {
        text_add(t, "static const tern_enum *const %s__enums[] = {\n", m->c_name);
        for (size_t i = 0; i < m->n_enums; i++) text_add(t, "    &%s_enum,\n", m->enums[i]->c_name);
        text_add(t, "};\n\n");
    }
}

static size_t count_dense(const gen_message *m) {
    size_t n = 0;
    while (n < m->n_fields && m->by_number[n]->number == n + 1) n++;
    return n;
}

/* A member of the table that is an array of the message, or NULL when there is none. */
static void emit_pointer(text *t, const gen_message *m, const char *what, bool there) {
    if (there)
        text_add(t, "    %s__%s,\n", m->c_name, what);
    else
        text_add(t, "    NULL, /* %s */\n", what);
}

static void emit_type_flags(text *t, const gen_message *m) {
    const bool set[] = {m->is_entry, m->required_below, m->no_unknown, m->is_object};
    static const char *const names[] = {"MAP_ENTRY", "REQUIRED", "NO_UNKNOWN", "OBJECT"};
    const char *separator = "";
    text_add(t, "    ");
    for (size_t i = 0; i < TERN__COUNT(names); i++) {
        if (!set[i]) continue;
        text_add(t, "%sTERN_TYPE_%s", separator, names[i]);
        separator = " | ";
    }
    text_add(t, *separator ? ",\n" : "0, /* flags */\n");
}

/* A member of at least four bytes; where there is none, the struct has as many at its begin. */
static const char *word_member(const gen_message *m) {
    for (size_t i = 0; i < m->n_fields; i++)
        if (emit_is_word(&m->fields[i])) return m->fields[i].oneof ? m->fields[i].oneof->member : m->fields[i].name;
    return m->n_has ? "has" : NULL;
}

static void emit_unknown_offset(text *t, const gen_message *m) {
    const char *word = m->no_unknown ? word_member(m) : NULL;
    if (m->is_entry)
        text_add(t, "    0, /* unknown_offset */\n");
    else if (!m->no_unknown)
        text_add(t, "    offsetof(%s, unknown),\n", m->c_name);
    else if (word)
        text_add(t, "    TERN_NO_UNKNOWN(offsetof(%s, %s)),\n", m->c_name, word);
    else
        text_add(t, "    TERN_NO_UNKNOWN(0),\n");
}

/* The hybrid encoder takes no types with great numbers, and so leaves tern.Object to protobuf. */
static uint32_t max_number(const gen_message *m) {
    if (m->is_object) return INT32_MAX;
    return m->n_fields ? m->by_number[m->n_fields - 1]->number : 0;
}

static void emit_type(gen *g, text *t, const gen_message *m) {
    const char *c = m->c_name;
    if (m->n_fields) emit_fields(t, m);
    bool json = emit_json_names(g, t, m);
    emit_references(t, m);
    text_add(t, "const tern_type %s_type = {\n    TERN_TYPE_VERSION,\n", c);
    emit_type_flags(t, m);
    text_add(t, "    \"%s\",\n", m->full_name);
    emit_pointer(t, m, "fields", m->n_fields > 0);
    emit_pointer(t, m, "names", m->n_fields > 0);
    emit_pointer(t, m, "json", json);
    emit_pointer(t, m, "subs", m->n_subs > 0);
    emit_pointer(t, m, "enums", m->n_enums > 0);
    text_add(t, "    %zu, /* n_fields */\n    %zu, /* n_dense */\n    sizeof(%s),\n", m->n_fields, count_dense(m), c);
    if (m->n_has)
        text_add(t, "    offsetof(%s, has),\n", c);
    else
        text_add(t, "    0, /* has_offset */\n");
    text_add(t, "    %zu, /* n_has */\n    %u, /* max_number */\n    %zu, /* n_required */\n", m->n_has, max_number(m),
             m->n_required);
    emit_unknown_offset(t, m);
    text_add(t, "};\n\n");
}

static bool has_fields(const gen_file *file, uint32_t flag) {
    for (const gen_message *m = file->messages; m; m = m->next)
        for (size_t i = 0; i < m->n_fields; i++)
            if (m->fields[i].flags & flag) return true;
    return false;
}

static bool has_lean_types(const gen_file *file) {
    for (const gen_message *m = file->messages; m; m = m->next)
        if (m->no_unknown) return true;
    return false;
}

/* Names the layout of the file's tables, after the first of them. */
static void emit_version(text *t, const gen_file *file) {
    const char *first = file->messages ? file->messages->c_name : file->enums ? file->enums->c_name : NULL;
    if (!first && file->services) first = file->services->c_name;
    const char *needed = has_fields(file, TERN_FIELD_OBJECT)     ? "_OBJECTS"
                         : has_lean_types(file)                  ? "_NO_UNKNOWN"
                         : has_fields(file, TERN_FIELD_POINTERS) ? "_POINTERS"
                                                                 : "";
    if (first) text_add(t, "TERN_TABLES_1%s(%s);\n\n", needed, first);
}

void emit_source(gen *g, text *t, gen_file *file) {
    text_add(t, "/* Made by protoc-gen-tern from %s; changes here are lost. */\n", file->path);
    text_add(t, "#include \"%s.tern.h\"\n\n#include <stddef.h>\n\n", file->stem);
    emit_version(t, file);
    for (const gen_enum *e = file->enums; e; e = e->next) emit_enum_table(g, t, e);
    for (const gen_message *m = file->messages; m; m = m->next) emit_type(g, t, m);
    for (const gen_service *s = file->services; s; s = s->next) emit_service_source(t, s);
}

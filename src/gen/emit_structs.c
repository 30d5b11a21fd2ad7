/* Enums and structs with their comments. Structs mention each other through pointers only, so that after the forward
 * declarations any order will do. The case words of oneofs come first in a struct: tables count their offset in
 * 16 bits. */
#include "gen/emit_structs.h"

#include "gen/location.h"

void emit_int32(text *t, int32_t number) {
    if (number == INT32_MIN)
        text_add(t, "-2147483647 - 1");
    else
        text_add(t, "%d", number);
}

const char *emit_value_type(const gen_field *field) {
    switch (field->kind) {
    case TERN_DOUBLE: return "double";
    case TERN_FLOAT: return "float";
    case TERN_BOOL: return "bool";
    case TERN_STRING: return "tern_str";
    case TERN_BYTES: return "tern_bytes";
    case TERN_MESSAGE:
    case TERN_GROUP: return field->flags & TERN_FIELD_OBJECT ? "void" : field->message->c_name;
    case TERN_UINT32:
    case TERN_FIXED32: return "uint32_t";
    case TERN_UINT64:
    case TERN_FIXED64: return "uint64_t";
    case TERN_INT64:
    case TERN_SINT64:
    case TERN_SFIXED64: return "int64_t";
    default: return "int32_t";
    }
}

const char *emit_list_type(gen *g, const gen_field *field) {
    switch (field->kind) {
    case TERN_DOUBLE: return "tern_list_f64";
    case TERN_FLOAT: return "tern_list_f32";
    case TERN_BOOL: return "tern_list_bool";
    case TERN_STRING: return "tern_list_str";
    case TERN_BYTES: return "tern_list_bytes";
    case TERN_MESSAGE:
    case TERN_GROUP:
        return gen_format(g->arena, "%s_%s", field->message->c_name, field->flags & TERN_FIELD_MAP ? "map" : "list");
    case TERN_UINT32:
    case TERN_FIXED32: return "tern_list_u32";
    case TERN_UINT64:
    case TERN_FIXED64: return "tern_list_u64";
    case TERN_INT64:
    case TERN_SINT64:
    case TERN_SFIXED64: return "tern_list_i64";
    default: return "tern_list_i32";
    }
}

static void emit_enum_type(gen *g, text *t, const gen_enum *e) {
    emit_comment(g, t, e->file, e->path, "");
    text_add(t, "typedef enum %s {\n", e->c_name);
    for (size_t i = 0; i < e->desc->value.len; i++) {
        emit_comment(g, t, e->file, gen_path_add(g, e->path, ENUM_VALUE, i), "    ");
        text_add(t, "    %s = ", e->value_names[i]);
        emit_int32(t, e->desc->value.data[i].number);
        text_add(t, ",\n");
    }
    text_add(t, "} %s;\nextern const tern_enum %s_enum;\n\n", e->c_name, e->c_name);
}

static void emit_case_enum(text *t, const gen_oneof *o) {
    text_add(t, "typedef enum %s_case {\n    %s_NOT_SET = 0,\n", o->c_name, o->c_name);
    for (const gen_field *f = o->first; f; f = f->next) text_add(t, "    %s = %u,\n", f->case_name, f->number);
    text_add(t, "} %s_case;\n\n", o->c_name);
}

static void emit_has(text *t, const gen_message *m) {
    text_add(t, "    struct {\n");
    for (size_t i = 0; i < m->n_fields; i++)
        if (m->fields[i].flags & TERN_FIELD_HAS) text_add(t, "        uint32_t %s : 1;\n", m->fields[i].name);
    text_add(t, "    } has;\n");
}

static void emit_member(gen *g, text *t, const gen_message *m, const gen_field *f, const char *indent) {
    emit_comment(g, t, m->file, f->path, indent);
    if (f->flags & TERN_FIELD_POINTERS)
        text_add(t, "%sstruct {\n%s    %s **data;\n%s    size_t len, cap;\n%s} %s;", indent, indent, emit_value_type(f),
                 indent, indent, f->name);
    else if (f->flags & TERN_FIELD_REPEATED)
        text_add(t, "%s%s %s;", indent, emit_list_type(g, f), f->name);
    else
        text_add(t, "%s%s %s%s;", indent, emit_value_type(f), f->message ? "*" : "", f->name);
    if (f->enumeration) text_add(t, " /* %s */", f->enumeration->c_name);
    text_add(t, "\n");
}

static void emit_union(gen *g, text *t, const gen_message *m, const gen_oneof *o) {
    emit_comment(g, t, m->file, o->path, "    ");
    text_add(t, "    union {\n");
    for (const gen_field *f = o->first; f; f = f->next) emit_member(g, t, m, f, "        ");
    text_add(t, "    }; /* %s */\n", o->member);
}

bool emit_is_word(const gen_field *f) { return f->oneof || f->kind != TERN_BOOL || f->flags & TERN_FIELD_REPEATED; }

/* Encoders look at four bytes of each struct: where members have fewer, there is room for what there is not. The name
 * is no field's. */
static void emit_unknown(text *t, const gen_message *m) {
    size_t n_bools = 0;
    if (m->is_entry) return;
    if (!m->no_unknown) {
        text_add(t, "    tern_unknown unknown;\n");
        return;
    }
    for (size_t i = 0; i < m->n_fields; i++) {
        if (emit_is_word(&m->fields[i]) || m->n_has) return;
        n_bools++;
    }
    if (n_bools < 4) text_add(t, "    uint8_t unknown[%zu]; /* none: room only */\n", 4 - n_bools);
}

static void emit_struct(gen *g, text *t, const gen_message *m) {
    for (const gen_oneof *o = m->oneofs; o; o = o->next) emit_case_enum(t, o);
    emit_comment(g, t, m->file, m->path, "");
    text_add(t, "struct %s {\n", m->c_name);
    for (const gen_oneof *o = m->oneofs; o; o = o->next) text_add(t, "    %s_case %s;\n", o->c_name, o->member);
    if (m->n_has) emit_has(t, m);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = &m->fields[i];
        if (!f->oneof)
            emit_member(g, t, m, f, "    ");
        else if (f == f->oneof->first)
            emit_union(g, t, m, f->oneof);
    }
    emit_unknown(t, m);
    text_add(t, "};\n\n");
}

void emit_structs(gen *g, text *t, const gen_file *file) {
    for (const gen_enum *e = file->enums; e; e = e->next) emit_enum_type(g, t, e);
    for (const gen_message *m = file->messages; m; m = m->next) {
        const char *c = m->c_name;
        text_add(t, "typedef struct %s %s;\n", c, c);
        if (m->is_entry)
            text_add(t, "TERN__MAP(%s_map, %s);\n", c, c);
        else
            text_add(t, "TERN__LIST(%s_list, %s);\n", c, c);
        text_add(t, "extern const tern_type %s_type;\n", c);
    }
    if (file->messages) text_add(t, "\n");
    for (const gen_message *m = file->messages; m; m = m->next) emit_struct(g, t, m);
}

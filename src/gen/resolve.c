/* What the model's types refer to: for the files to be generated the fields, with their members' names, presence
 * bits, oneofs and tables; and over all files, which types can contain a required field. */
#include "gen/resolve.h"

#include <stdlib.h>

#include "gen/location.h"
#include "gen/model.h"
#include "gen/names.h"

/* One message that has a field of a type. */
struct gen_user {
    gen_message *message;
    struct gen_user *next;
};

/* ---- What is required below ---------------------------------------------------------------------- */

static bool is_child(uint32_t kind) { return kind == TERN_MESSAGE || kind == TERN_GROUP; }

/* Enters the message as a user of the types of its fields, and in the list when it has required fields itself. */
static void add_users(gen *g, gen_message *m, gen_message **work) {
    for (size_t i = 0; i < m->desc->field.len; i++) {
        const google_protobuf_FieldDescriptorProto *field = &m->desc->field.data[i];
        const gen_symbol *symbol = is_child((uint32_t)field->type) ? model_find(g, field->type_name) : NULL;
        if (field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED) m->required_below = true;
        if (!symbol || !symbol->message) continue;
        struct gen_user *user = gen_alloc(g->arena, sizeof *user);
        *user = (struct gen_user){m, symbol->message->users};
        symbol->message->users = user;
    }
    if (!m->required_below) return;
    m->work = *work;
    *work = m;
}

void resolve_required(gen *g) {
    gen_message *work = NULL;
    for (size_t i = 0; i < g->n_files; i++)
        for (gen_message *m = g->files[i].messages; m; m = m->next) add_users(g, m, &work);
    while (work) {
        gen_message *m = work;
        work = m->work;
        for (struct gen_user *user = m->users; user; user = user->next) {
            if (user->message->required_below) continue;
            user->message->required_below = true;
            user->message->work = work;
            work = user->message;
        }
    }
}

/* ---- Fields -------------------------------------------------------------------------------------- */

static bool field_is_packed(const gen_field *field, const gen_file *file) {
    const google_protobuf_FieldOptions *options = field->desc->options;
    if (field->kind == TERN_STRING || field->kind == TERN_BYTES || is_child(field->kind)) return false;
    return options && options->has.packed ? options->packed : file->proto3;
}

static void set_flags(gen_message *m, gen_field *field) {
    int32_t label = field->desc->label;
    bool proto3 = m->file->proto3;
    if (field->kind == TERN_STRING && proto3) field->flags |= TERN_FIELD_UTF8;
    if (field->kind == TERN_ENUM && !proto3) field->flags |= TERN_FIELD_CLOSED;
    if (label == google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED) {
        field->flags |= TERN_FIELD_REPEATED;
        if (field_is_packed(field, m->file)) field->flags |= TERN_FIELD_PACKED;
        if (field->message && field->message->is_entry) field->flags |= TERN_FIELD_MAP;
        return;
    }
    if (field->oneof) {
        field->flags |= TERN_FIELD_ONEOF;
        return;
    }
    if (label == google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED) {
        field->flags |= TERN_FIELD_REQUIRED;
        m->n_required++;
    }
    if (m->is_entry || is_child(field->kind) || (proto3 && !field->desc->proto3_optional)) return;
    field->flags |= TERN_FIELD_HAS;
    field->has_bit = (uint32_t)m->n_has++;
}

/* Finds the type a field refers to. False after an error. */
static bool resolve_reference(gen *g, gen_message *m, gen_field *field) {
    if (!is_child(field->kind) && field->kind != TERN_ENUM) return true;
    const gen_symbol *symbol = model_find(g, field->desc->type_name);
    field->message = symbol && is_child(field->kind) ? symbol->message : NULL;
    field->enumeration = symbol && field->kind == TERN_ENUM ? symbol->enumeration : NULL;
    if (!field->message && !field->enumeration) {
        gen_error(g, m->file, field->path, "the type of field %s cannot be found", field->schema_name);
        return false;
    }
    if (field->message && field->message->is_entry &&
        (field->message->parent != m || field->kind != TERN_MESSAGE ||
         field->desc->label != google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED)) {
        gen_error(g, m->file, field->path, "field %s has the type of a map's entry and is no map", field->schema_name);
        return false;
    }
    if (field->message) field->message->file->used = true;
    if (field->enumeration) field->enumeration->file->used = true;
    return true;
}

/* An upper bound of the size of a message's struct: every scalar counted as eight bytes. */
static size_t struct_bound(const google_protobuf_DescriptorProto *desc) {
    size_t bytes = sizeof(tern_unknown) + 8 + 4 * desc->oneof_decl.len + 8 * (desc->field.len / 64 + 1);
    for (size_t i = 0; i < desc->field.len; i++) {
        const google_protobuf_FieldDescriptorProto *field = &desc->field.data[i];
        if (field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED)
            bytes += sizeof(tern_map);
        else
            bytes += field->type == TERN_STRING || field->type == TERN_BYTES ? sizeof(tern_bytes) : 8;
    }
    return bytes;
}

/* ---- Oneofs -------------------------------------------------------------------------------------- */

/* Makes the oneofs that have members, in the order of declaration. Returns them by index of oneof_decl. */
static gen_oneof **make_oneofs(gen *g, gen_message *m) {
    size_t n = m->oneof_names ? m->desc->oneof_decl.len : 0;
    gen_oneof **by_index = gen_alloc(g->arena, n * sizeof(gen_oneof *)), **tail = &m->oneofs;
    for (size_t i = 0; i < n; i++) {
        if (!m->oneof_names[i]) continue;
        gen_oneof *oneof = gen_alloc(g->arena, sizeof *oneof);
        *oneof = (gen_oneof){.schema_name = gen_cstr(g, m->desc->oneof_decl.data[i].name),
                             .c_name = gen_format(g->arena, "%s_%s", m->c_name, m->oneof_names[i]),
                             .path = gen_path_add(g, m->path, MESSAGE_ONEOF, i)};
        oneof->tail = &oneof->first;
        by_index[i] = *tail = oneof;
        tail = &oneof->next;
    }
    if (n > UINT16_MAX) gen_error(g, m->file, m->path, "message %s has too many oneofs", m->full_name);
    return by_index;
}

static void join_oneof(gen *g, gen_message *m, gen_field *field, gen_oneof *const *oneofs) {
    int64_t index = field_oneof(m->desc, field->desc);
    if (index < 0) return;
    gen_oneof *oneof = oneofs[index];
    field->oneof = oneof;
    field->case_name = gen_format(g->arena, "%s_%s", oneof->c_name, name_case(g, field->desc->name));
    *oneof->tail = field;
    oneof->tail = &field->next;
}

/* ---- Messages ------------------------------------------------------------------------------------ */

/* Members must not be called like a type that the struct mentions: C++ refuses that. */
static void name_members(gen *g, gen_message *m) {
    hash_map taken = {0};
    for (size_t i = 0; i < m->n_fields; i++) {
        if (!m->fields[i].message) continue;
        const char *type = m->fields[i].message->c_name;
        hash_map_put(&taken, hash_text(HASH_START, type), type, g->arena);
        hash_map_put(&taken, hash_text(hash_text(HASH_START, type), "_list"), type, g->arena);
        hash_map_put(&taken, hash_text(hash_text(HASH_START, type), "_map"), type, g->arena);
    }
    for (gen_oneof *o = m->oneofs; o; o = o->next)
        hash_map_put(&taken, hash_text(hash_text(HASH_START, o->c_name), "_case"), o, g->arena);
    for (size_t i = 0; i < m->n_fields; i++)
        m->fields[i].name = name_member(g, m->file, &taken, m->fields[i].schema_name);
    for (gen_oneof *o = m->oneofs; o; o = o->next)
        o->member = name_member(g, m->file, &taken, gen_format(g->arena, "%s_case", o->schema_name));
}

/* Numbers the types that the fields refer to, in the order of the fields' numbers. */
static void collect_subs(gen *g, gen_message *m) {
    hash_map seen = {0};
    m->subs = gen_alloc(g->arena, m->n_fields * sizeof *m->subs);
    m->enums = gen_alloc(g->arena, m->n_fields * sizeof *m->enums);
    for (size_t i = 0; i < m->n_fields; i++) {
        gen_field *field = m->by_number[i];
        if (!field->message && !field->enumeration) continue;
        uint64_t hash =
            hash_text(HASH_START, field->message ? field->message->full_name : field->enumeration->full_name);
        const gen_field *first = hash_map_get(&seen, hash);
        if (first) {
            field->sub = first->sub;
            continue;
        }
        field->sub = (uint32_t)(field->message ? m->n_subs : m->n_enums);
        if (field->message)
            m->subs[m->n_subs++] = field->message;
        else
            m->enums[m->n_enums++] = field->enumeration;
        hash_map_put(&seen, hash, field, g->arena);
    }
}

static int compare_numbers(const void *a, const void *b) {
    const gen_field *x = *(gen_field *const *)a, *y = *(gen_field *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void resolve_message(gen *g, gen_message *m) {
    size_t n = m->desc->field.len;
    gen_oneof **oneofs = make_oneofs(g, m);
    m->fields = gen_alloc(g->arena, n * sizeof *m->fields);
    m->by_number = gen_alloc(g->arena, n * sizeof(gen_field *));
    for (size_t i = 0; i < n; i++) {
        gen_field *field = &m->fields[i];
        field->desc = &m->desc->field.data[i];
        field->number = (uint32_t)field->desc->number;
        field->kind = (uint8_t)field->desc->type;
        field->path = gen_path_add(g, m->path, MESSAGE_FIELD, i);
        field->schema_name = gen_cstr(g, field->desc->name);
        m->by_number[i] = field;
        m->n_fields++;
        join_oneof(g, m, field, oneofs);
        if (resolve_reference(g, m, field)) set_flags(m, field);
    }
    name_members(g, m);
    if (n) qsort(m->by_number, n, sizeof(gen_field *), compare_numbers);
    collect_subs(g, m);
    if (m->n_has > UINT16_MAX || m->n_subs > UINT16_MAX || m->n_enums > UINT16_MAX)
        gen_error(g, m->file, m->path, "message %s has too many fields", m->full_name);
    for (size_t i = 1; i < n; i++)
        if (m->by_number[i]->number == m->by_number[i - 1]->number)
            gen_error(g, m->file, m->by_number[i]->path, "field number %u is used twice", m->by_number[i]->number);
}

static const gen_message *resolve_method_type(gen *g, gen_service *s, gen_method *m, tern_str reference) {
    const gen_symbol *symbol = model_find(g, reference);
    if (!symbol || !symbol->message || symbol->message->is_entry) {
        gen_error(g, s->file, m->path, "a message type of method %s cannot be found", m->name);
        return NULL;
    }
    symbol->message->file->used = true;
    return symbol->message;
}

void resolve_file(gen *g, gen_file *file) {
    for (gen_message *m = file->messages; m; m = m->next) resolve_message(g, m);
    for (gen_service *s = file->services; s; s = s->next)
        for (size_t i = 0; i < s->n_methods; i++) {
            gen_method *m = &s->methods[i];
            m->request = resolve_method_type(g, s, m, m->desc->input_type);
            m->response = resolve_method_type(g, s, m, m->desc->output_type);
        }
}

/* Type tables count the bytes of a list's element in 16 bits. */
static void check_element(gen *g, gen_message *m, const gen_field *field) {
    bool by_value = field->flags & TERN_FIELD_REPEATED && !(field->flags & TERN_FIELD_POINTERS);
    if (field->message && by_value && struct_bound(field->message->desc) > UINT16_MAX)
        gen_error(g, m->file, field->path, "message %s has too many fields to be repeated", field->message->full_name);
}

void resolve_check_elements(gen *g, gen_file *file) {
    for (gen_message *m = file->messages; m; m = m->next)
        for (size_t i = 0; i < m->n_fields; i++) check_element(g, m, &m->fields[i]);
}

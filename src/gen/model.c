/* The model: every type of every file of the request under its full name, and for the files to be
 * generated the fields, resolved. Types are entered outer before inner, in the order of declaration, which
 * is also the order of the output. */
#include <stdlib.h>

#include "gen/gen.h"

enum { FULL_NAME_MAX_BYTES = 2000 };

/* Numbers of the members of descriptors, as location paths use them. */
enum {
    FILE_MESSAGE = 4,
    FILE_ENUM = 5,
    FILE_SERVICE = 6,
    MESSAGE_FIELD = 2,
    MESSAGE_NESTED = 3,
    MESSAGE_ENUM = 4,
    SERVICE_METHOD = 2
};

/* Where new types of a file are appended. */
typedef struct adder {
    gen *g;
    gen_file *file;
    gen_message **message_tail;
    gen_enum **enum_tail;
} adder;

const char *gen_cstr(gen *g, tern_str s) {
    char *out = gen_alloc(g->arena, s.len + 1);
    if (s.len) memcpy(out, s.data, s.len);
    return out;
}

gen_path gen_path_add(gen *g, gen_path path, int32_t field, size_t index) {
    int32_t *steps = gen_alloc(g->arena, (path.n + 2) * sizeof *steps);
    if (path.n) memcpy(steps, path.steps, path.n * sizeof *steps);
    steps[path.n] = field;
    steps[path.n + 1] = (int32_t)index;
    return (gen_path){steps, path.n + 2};
}

/* ---- Entering types ------------------------------------------------------------------------------ */

/* "scope.name", or NULL after an error. */
static const char *join_name(gen *g, gen_file *file, gen_path path, const char *scope, tern_str name) {
    if (!name_is_valid(name)) {
        gen_error(g, file, path, "a name is not an identifier, or too long");
        return NULL;
    }
    if (strlen(scope) + name.len > FULL_NAME_MAX_BYTES) {
        gen_error(g, file, path, "the full name is longer than %d characters", FULL_NAME_MAX_BYTES);
        return NULL;
    }
    return gen_format(g->arena, "%s%s%s", scope, *scope ? "." : "", gen_cstr(g, name));
}

static const char *c_name_of(gen *g, const char *full_name) {
    char *name = gen_alloc(g->arena, strlen(full_name) + 1);
    for (size_t i = 0; full_name[i]; i++) name[i] = full_name[i] == '.' ? '_' : full_name[i];
    return name;
}

static bool enter(gen *g, gen_file *file, gen_path path, const char *full_name, gen_symbol symbol) {
    uint64_t hash = hash_text(HASH_START, full_name);
    if (hash_map_get(&g->symbols, hash)) {
        gen_error(g, file, path, "%s is defined twice", full_name);
        return false;
    }
    gen_symbol *copy = gen_alloc(g->arena, sizeof *copy);
    *copy = symbol;
    hash_map_put(&g->symbols, hash, copy, g->arena);
    return true;
}

static void add_enum(adder *a, const google_protobuf_EnumDescriptorProto *desc, const char *scope, gen_path path) {
    gen *g = a->g;
    const char *full_name = join_name(g, a->file, path, scope, desc->name);
    if (!full_name) return;
    gen_enum *e = gen_alloc(g->arena, sizeof *e);
    *e = (gen_enum){.file = a->file, .desc = desc, .full_name = full_name, .path = path};
    if (!enter(g, a->file, path, full_name, (gen_symbol){.enumeration = e})) return;
    e->c_name = name_enum(g, a->file, c_name_of(g, full_name), desc);
    e->value_names = gen_alloc(g->arena, desc->value.len * sizeof *e->value_names);
    for (size_t i = 0; i < desc->value.len; i++) {
        const char *name = gen_cstr(g, desc->value.data[i].name);
        e->value_names[i] = gen_format(g->arena, "%s_%s", e->c_name, name);
        hash_map_put(&e->values, hash_text(HASH_START, name), e->value_names[i], g->arena);
    }
    *a->enum_tail = e;
    a->enum_tail = &e->next;
}

static void add_message(adder *a, const google_protobuf_DescriptorProto *desc, const char *scope, gen_path path) {
    gen *g = a->g;
    const char *full_name = join_name(g, a->file, path, scope, desc->name);
    if (!full_name) return;
    if (is_map_entry(desc)) {
        enter(g, a->file, path, full_name, (gen_symbol){.map_entry = true});
        return;
    }
    gen_message *m = gen_alloc(g->arena, sizeof *m);
    *m = (gen_message){.file = a->file, .desc = desc, .full_name = full_name, .path = path};
    if (!enter(g, a->file, path, full_name, (gen_symbol){.message = m})) return;
    m->c_name = name_message(g, a->file, c_name_of(g, full_name), desc);
    *a->message_tail = m;
    a->message_tail = &m->next;
    for (size_t i = 0; i < desc->enum_type.len; i++)
        add_enum(a, &desc->enum_type.data[i], full_name, gen_path_add(g, path, MESSAGE_ENUM, i));
    for (size_t i = 0; i < desc->nested_type.len; i++)
        add_message(a, &desc->nested_type.data[i], full_name, gen_path_add(g, path, MESSAGE_NESTED, i));
}

/* Methods of one service whose names together with their endings would clash (Get, Get_wait) get
 * underscores, in the order of declaration. */
static const char *method_c_name(gen *g, gen_file *file, hash_map *taken, const char *wanted) {
    static const char *const endings[] = {"",      "_method", "_handler", "_done",
                                          "_wait", "_reply",  "__handle", "__finish"};
    const char *name = wanted;
    bool free = false;
    for (int tries = 0; !free && tries < name_tries(g); tries++) {
        free = true;
        for (size_t i = 0; i < TERN__COUNT(endings); i++)
            free &= !hash_map_get(taken, hash_text(hash_text(HASH_START, name), endings[i]));
        if (!free) name = gen_format(g->arena, "%s_", name);
    }
    if (!free) name_give_up(g, file, wanted);
    for (size_t i = 0; i < TERN__COUNT(endings); i++)
        hash_map_put(taken, hash_text(hash_text(HASH_START, name), endings[i]), name, g->arena);
    return name;
}

static void add_methods(gen *g, gen_service *s) {
    static const char *const own[] = {"", "_service", "_handlers", "_serve", "__methods"};
    hash_map taken = {0}, members = {0};
    for (size_t i = 0; i < TERN__COUNT(own); i++)
        hash_map_put(&taken, hash_text(hash_text(HASH_START, s->c_name), own[i]), s, g->arena);
    s->methods = gen_alloc(g->arena, s->desc->method.len * sizeof *s->methods);
    for (size_t i = 0; i < s->desc->method.len; i++) {
        gen_method *m = &s->methods[s->n_methods];
        m->desc = &s->desc->method.data[i];
        m->path = gen_path_add(g, s->path, SERVICE_METHOD, i);
        if (!name_is_valid(m->desc->name)) {
            gen_error(g, s->file, m->path, "a method's name is not an identifier, or too long");
            continue;
        }
        const char *name = gen_cstr(g, m->desc->name);
        m->name = name_member(g, s->file, &members, name);
        m->c_name = method_c_name(g, s->file, &taken, gen_format(g->arena, "%s_%s", s->c_name, name));
        m->schema_name = gen_format(g->arena, "%s/%s", s->full_name, name);
        s->n_methods++;
    }
}

static gen_service **add_service(gen *g, gen_file *file, size_t index, gen_service **tail) {
    const google_protobuf_ServiceDescriptorProto *desc = &file->desc->service.data[index];
    gen_path path = gen_path_add(g, (gen_path){0}, FILE_SERVICE, index);
    const char *full_name = join_name(g, file, path, file->package, desc->name);
    if (!full_name) return tail;
    gen_service *s = gen_alloc(g->arena, sizeof *s);
    *s = (gen_service){.file = file, .desc = desc, .full_name = full_name, .path = path};
    if (!enter(g, file, path, full_name, (gen_symbol){0})) return tail;
    s->c_name = name_service(g, file, c_name_of(g, full_name), desc);
    add_methods(g, s);
    *tail = s;
    return &s->next;
}

void model_add_file(gen *g, gen_file *file) {
    const google_protobuf_FileDescriptorProto *desc = file->desc;
    adder a = {.g = g, .file = file, .message_tail = &file->messages, .enum_tail = &file->enums};
    gen_path top = {0};
    for (size_t i = 0; i < desc->enum_type.len; i++)
        add_enum(&a, &desc->enum_type.data[i], file->package, gen_path_add(g, top, FILE_ENUM, i));
    for (size_t i = 0; i < desc->message_type.len; i++)
        add_message(&a, &desc->message_type.data[i], file->package, gen_path_add(g, top, FILE_MESSAGE, i));
    gen_service **tail = &file->services;
    for (size_t i = 0; i < desc->service.len; i++) tail = add_service(g, file, i, tail);
}

/* ---- Resolving ----------------------------------------------------------------------------------- */

const gen_symbol *model_find(const gen *g, tern_str reference) {
    uint64_t hash = HASH_START;
    if (reference.len == 0 || reference.data[0] != '.') return NULL;
    for (size_t i = 1; i < reference.len; i++)
        hash = (hash ^ (unsigned char)reference.data[i]) * UINT64_C(1099511628211);
    return hash_map_get(&g->symbols, hash);
}

static bool field_is_packed(const gen_field *field, const gen_file *file) {
    const google_protobuf_FieldOptions *options = field->desc->options;
    if (field->kind == TERN_STRING || field->kind == TERN_BYTES || field->kind == TERN_MESSAGE) return false;
    return options && options->has.packed ? options->packed : file->proto3;
}

static void set_flags(gen_message *m, gen_field *field) {
    int32_t label = field->desc->label;
    bool proto3 = m->file->proto3;
    if (field->kind == TERN_STRING && proto3) field->flags |= TERN_FIELD_UTF8;
    if (label == google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED) {
        field->flags |= TERN_FIELD_REPEATED;
        if (field_is_packed(field, m->file)) field->flags |= TERN_FIELD_PACKED;
        return;
    }
    if (label == google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED) {
        field->flags |= TERN_FIELD_REQUIRED;
        m->n_required++;
    }
    if (field->kind == TERN_MESSAGE || (proto3 && !field->desc->proto3_optional)) return;
    field->flags |= TERN_FIELD_HAS;
    field->has_bit = (uint32_t)m->n_has++;
}

/* Finds the type a field refers to. False after an error. */
static bool resolve_reference(gen *g, gen_message *m, gen_field *field) {
    if (field->kind != TERN_MESSAGE && field->kind != TERN_ENUM) return true;
    const gen_symbol *symbol = model_find(g, field->desc->type_name);
    field->message = symbol && field->kind == TERN_MESSAGE ? symbol->message : NULL;
    field->enumeration = symbol && field->kind == TERN_ENUM ? symbol->enumeration : NULL;
    if (!field->message && !field->enumeration) {
        gen_error(g, m->file, field->path, "the type of field %s cannot be found", field->schema_name);
        return false;
    }
    if (field->message) field->message->file->used = true;
    if (field->enumeration) field->enumeration->file->used = true;
    return true;
}

/* An upper bound of the size of a message's struct: every scalar counted as eight bytes. */
static size_t struct_bound(const google_protobuf_DescriptorProto *desc) {
    size_t bytes = 8 * (desc->field.len / 64 + 1);
    for (size_t i = 0; i < desc->field.len; i++) {
        const google_protobuf_FieldDescriptorProto *field = &desc->field.data[i];
        if (field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED)
            bytes += sizeof(tern_list);
        else
            bytes += field->type == TERN_STRING || field->type == TERN_BYTES ? sizeof(tern_bytes) : 8;
    }
    return bytes;
}

/* Type tables count the bytes of a list's element in 16 bits. */
static void check_element(gen *g, gen_message *m, const gen_field *field) {
    if (field->message && field->flags & TERN_FIELD_REPEATED && struct_bound(field->message->desc) > UINT16_MAX)
        gen_error(g, m->file, field->path, "message %s has too many fields to be repeated", field->message->full_name);
}

/* Members must not be called like a type that the struct mentions: C++ refuses that. */
static void name_fields(gen *g, gen_message *m) {
    hash_map taken = {0};
    for (size_t i = 0; i < m->n_fields; i++) {
        if (!m->fields[i].message) continue;
        const char *type = m->fields[i].message->c_name;
        hash_map_put(&taken, hash_text(HASH_START, type), type, g->arena);
        hash_map_put(&taken, hash_text(hash_text(HASH_START, type), "_list"), type, g->arena);
    }
    for (size_t i = 0; i < m->n_fields; i++)
        m->fields[i].name = name_member(g, m->file, &taken, m->fields[i].schema_name);
}

static void collect_subs(gen *g, gen_message *m) {
    hash_map seen = {0};
    m->subs = gen_alloc(g->arena, m->n_fields * sizeof *m->subs);
    for (size_t i = 0; i < m->n_fields; i++) {
        gen_field *field = m->by_number[i];
        if (!field->message) continue;
        uint64_t hash = hash_text(HASH_START, field->message->full_name);
        const gen_field *first = hash_map_get(&seen, hash);
        if (!first) {
            field->sub = (uint32_t)m->n_subs;
            m->subs[m->n_subs++] = field->message;
            hash_map_put(&seen, hash, field, g->arena);
        } else {
            field->sub = first->sub;
        }
    }
}

static int compare_numbers(const void *a, const void *b) {
    const gen_field *x = *(gen_field *const *)a, *y = *(gen_field *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void resolve_message(gen *g, gen_message *m) {
    size_t n = m->desc->field.len;
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
        if (!resolve_reference(g, m, field)) continue;
        set_flags(m, field);
        check_element(g, m, field);
    }
    name_fields(g, m);
    qsort(m->by_number, n, sizeof(gen_field *), compare_numbers);
    collect_subs(g, m);
    if (m->n_has > UINT16_MAX || m->n_subs > UINT16_MAX)
        gen_error(g, m->file, m->path, "message %s has too many fields", m->full_name);
    for (size_t i = 1; i < n; i++)
        if (m->by_number[i]->number == m->by_number[i - 1]->number)
            gen_error(g, m->file, m->by_number[i]->path, "field number %u is used twice", m->by_number[i]->number);
}

static const gen_message *resolve_method_type(gen *g, gen_service *s, gen_method *m, tern_str reference) {
    const gen_symbol *symbol = model_find(g, reference);
    if (!symbol || !symbol->message) {
        gen_error(g, s->file, m->path, "a message type of method %s cannot be found", m->name);
        return NULL;
    }
    symbol->message->file->used = true;
    return symbol->message;
}

void model_resolve_file(gen *g, gen_file *file) {
    for (gen_message *m = file->messages; m; m = m->next) resolve_message(g, m);
    for (gen_service *s = file->services; s; s = s->next)
        for (size_t i = 0; i < s->n_methods; i++) {
            gen_method *m = &s->methods[i];
            m->request = resolve_method_type(g, s, m, m->desc->input_type);
            m->response = resolve_method_type(g, s, m, m->desc->output_type);
        }
}

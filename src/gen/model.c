/* The model: every type of every file of the request under its full name. Types are entered outer before inner, in
 * the order of declaration, which is also the order of the output. */
#include "gen/model.h"

#include "gen/location.h"
#include "gen/names.h"

enum { FULL_NAME_MAX_BYTES = 2000 };

/* Where new types of a file are appended. */
typedef struct adder {
    gen *g;
    gen_file *file;
    gen_message **message_tail;
    gen_enum **enum_tail;
} adder;

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
        tern_str name = desc->value.data[i].name;
        if (!name_is_valid(name)) continue; /* an error, when the file is to be generated */
        e->value_names[i] = gen_format(g->arena, "%s_%s", e->c_name, name_value(g, name));
        hash_map_put(&e->values, hash_text(HASH_START, gen_cstr(g, name)), e->value_names[i], g->arena);
    }
    *a->enum_tail = e;
    a->enum_tail = &e->next;
}

static void add_message(adder *a, const google_protobuf_DescriptorProto *desc, const gen_message *parent,
                        gen_path path) {
    gen *g = a->g;
    const char *full_name = join_name(g, a->file, path, parent ? parent->full_name : a->file->package, desc->name);
    if (!full_name) return;
    gen_message *m = gen_alloc(g->arena, sizeof *m);
    *m = (gen_message){.file = a->file, .parent = parent, .desc = desc, .full_name = full_name, .path = path};
    m->is_entry = is_map_entry(desc);
    m->is_object = strcmp(full_name, "tern.Object") == 0 && strcmp(a->file->path, "tern/object.proto") == 0;
    if (!enter(g, a->file, path, full_name, (gen_symbol){.message = m})) return;
    name_oneofs(g, m);
    m->c_name = name_message(g, c_name_of(g, full_name), m);
    *a->message_tail = m;
    a->message_tail = &m->next;
    for (size_t i = 0; i < desc->enum_type.len; i++)
        add_enum(a, &desc->enum_type.data[i], full_name, gen_path_add(g, path, MESSAGE_ENUM, i));
    for (size_t i = 0; i < desc->nested_type.len; i++)
        add_message(a, &desc->nested_type.data[i], m, gen_path_add(g, path, MESSAGE_NESTED, i));
}

/* Methods of one service whose names together with their endings would clash (Get, Get_wait) get
 * underscores, in the order of declaration. */
static const char *method_c_name(gen *g, gen_file *file, hash_map *taken, const char *wanted) {
    const char *const *endings = name_method_endings;
    const char *name = wanted;
    bool free = false;
    for (int tries = 0; !free && tries < name_tries(g); tries++) {
        free = true;
        for (size_t i = 0; endings[i]; i++)
            free &= !hash_map_get(taken, hash_text(hash_text(HASH_START, name), endings[i]));
        if (!free) name = gen_format(g->arena, "%s_", name);
    }
    if (!free) name_give_up(g, file, wanted);
    for (size_t i = 0; endings[i]; i++)
        hash_map_put(taken, hash_text(hash_text(HASH_START, name), endings[i]), name, g->arena);
    return name;
}

static void add_methods(gen *g, gen_service *s) {
    const char *const *own = name_service_endings;
    hash_map taken = {0}, members = {0};
    for (size_t i = 0; own[i]; i++)
        hash_map_put(&taken, hash_text(hash_text(HASH_START, s->c_name), own[i]), s, g->arena);
    s->methods = gen_alloc(g->arena, s->desc->method.len * sizeof *s->methods);
    for (size_t i = 0; i < s->desc->method.len; i++) {
        gen_method *m = &s->methods[s->n_methods];
        m->desc = &s->desc->method.data[i];
        m->path = gen_path_add(g, s->path, SERVICE_METHOD, i);
        m->streaming = m->desc->client_streaming || m->desc->server_streaming;
        if (!name_is_valid(m->desc->name)) {
            gen_error(g, s->file, m->path, "a method's name is not an identifier, or too long");
            continue;
        }
        const char *name = gen_cstr(g, m->desc->name);
        m->name = name_member(g, s->file, &members, name);
        m->c_name = method_c_name(g, s->file, &taken, gen_format(g->arena, "%s_%s", s->c_name, name));
        m->schema_name = gen_format(g->arena, "%s/%s", s->full_name, name);
        s->n_methods++;
        s->n_stubs += !m->streaming;
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
        add_message(&a, &desc->message_type.data[i], NULL, gen_path_add(g, top, FILE_MESSAGE, i));
    gen_service **tail = &file->services;
    for (size_t i = 0; i < desc->service.len; i++) tail = add_service(g, file, i, tail);
}

const gen_symbol *model_find(const gen *g, tern_str reference) {
    uint64_t hash = HASH_START;
    if (reference.len == 0 || reference.data[0] != '.') return NULL;
    for (size_t i = 1; i < reference.len; i++)
        hash = (hash ^ (unsigned char)reference.data[i]) * UINT64_C(1099511628211);
    return hash_map_get(&g->symbols, hash);
}

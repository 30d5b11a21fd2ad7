/* Tables from a descriptor (schema.h): the generator's model says what a field is; here its place in a struct is
 * chosen, by the rules that a C compiler follows, but in the order of field numbers. */
#include "schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/check.h"
#include "gen/model.h"
#include "gen/resolve.h"
#include "gen/schema.h"

enum { DESCRIPTORS_MAX_BYTES = 64 << 20, STRUCT_ALIGN = 8 };

/* ---- Descriptors ---------------------------------------------------------------------------------- */

/* The arguments go to protoc as they are; no shell sees them. Returns the end of a pipe that its output comes from. */
static int start_protoc(const char *proto, const char *include, pid_t *pid) {
    int fds[2];
    char path[4096];
    const char *slash = strrchr(proto, '/');
    if (include)
        snprintf(path, sizeof path, "-I%s", include);
    else
        snprintf(path, sizeof path, "-I%.*s", slash ? (int)(slash - proto) : 1, slash ? proto : ".");
    if (slash == proto) snprintf(path, sizeof path, "-I/");
    if (*proto == '-' || pipe(fds)) return -1; /* protoc would take it for an option */
    *pid = fork();
    if (*pid == 0) {
        char out[32];
        snprintf(out, sizeof out, "/dev/fd/%d", fds[1]);
        close(fds[0]);
        execlp("protoc", "protoc", path, "--include_imports", "-o", out, proto, (char *)NULL);
        fprintf(stderr, "tern: cannot run protoc: %s\n", strerror(errno));
        _exit(127);
    }
    close(fds[1]);
    if (*pid < 0) close(fds[0]);
    return *pid < 0 ? -1 : fds[0];
}

static int read_all(int fd, tern_arena *arena, tern_bytes *out) {
    size_t cap = 1 << 16, n = 0;
    uint8_t *data = tern_arena_alloc(arena, cap);
    for (;;) {
        if (!data) return TERN_ERR_NOMEM;
        ssize_t some = read(fd, data + n, cap - n);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return TERN_ERR_IO;
        if (some == 0) break;
        n += (size_t)some;
        if (n < cap) continue;
        if (cap >= DESCRIPTORS_MAX_BYTES) return TERN_ERR_LIMIT;
        uint8_t *more = tern_arena_alloc(arena, 2 * cap);
        if (more) memcpy(more, data, n);
        data = more;
        cap *= 2;
    }
    *out = (tern_bytes){data, n};
    return 0;
}

static int run_protoc(const char *proto, const char *include, tern_arena *arena, tern_bytes *out) {
    pid_t pid;
    int status, fd = start_protoc(proto, include, &pid);
    if (fd < 0) return TERN_ERR_IO;
    int err = read_all(fd, arena, out);
    close(fd);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return err ? err : WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : TERN_ERR_IO;
}

/* ---- Structs -------------------------------------------------------------------------------------- */

typedef struct layout {
    uint32_t size, has_offset, unknown_offset;
    uint32_t *oneof_case, *oneof_at; /* by index of oneof_decl */
} layout;

static uint32_t place(layout *l, uint32_t bytes, uint32_t align) {
    l->size = (l->size + align - 1) / align * align;
    uint32_t at = l->size;
    l->size += bytes;
    return at;
}

static bool is_child(unsigned kind) { return kind == TERN_MESSAGE || kind == TERN_GROUP; }

/* Of one value where the struct holds it. */
static uint32_t value_bytes(const gen_field *f) {
    switch (f->kind) {
    case TERN_BOOL: return 1;
    case TERN_DOUBLE:
    case TERN_INT64:
    case TERN_UINT64:
    case TERN_FIXED64:
    case TERN_SFIXED64:
    case TERN_SINT64: return 8;
    case TERN_STRING:
    case TERN_BYTES: return sizeof(tern_bytes);
    case TERN_MESSAGE:
    case TERN_GROUP: return sizeof(void *);
    default: return 4;
    }
}

static uint32_t member_bytes(const gen_field *f) {
    if (f->flags & TERN_FIELD_MAP) return sizeof(tern_map);
    return f->flags & TERN_FIELD_REPEATED ? sizeof(tern_list) : value_bytes(f);
}

/* The struct of a message: presence words, case words, members, unknown fields. A union is as large as two words, which
 * any member fits. */
static layout lay_out(gen *g, const gen_message *m, tern_field *fields) {
    layout l = {0};
    size_t n_oneofs = m->desc->oneof_decl.len;
    l.oneof_case = gen_alloc(g->arena, n_oneofs * sizeof(uint32_t));
    l.oneof_at = gen_alloc(g->arena, n_oneofs * sizeof(uint32_t));
    l.has_offset = place(&l, (uint32_t)(m->n_has + 31) / 32 * 4, 4);
    for (size_t i = 0; i < n_oneofs; i++) l.oneof_case[i] = place(&l, 4, 4);
    for (size_t i = 0; i < n_oneofs; i++) l.oneof_at[i] = place(&l, sizeof(tern_bytes), STRUCT_ALIGN);
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = m->by_number[i];
        uint32_t bytes = member_bytes(f);
        int64_t oneof = f->oneof ? field_oneof(m->desc, f->desc) : -1;
        uint32_t at = oneof >= 0 ? l.oneof_at[oneof] : place(&l, bytes, bytes < 8 ? bytes : STRUCT_ALIGN);
        uint16_t has = (uint16_t)(oneof >= 0 ? l.oneof_case[oneof] / 4 : f->has_bit);
        fields[i] = (tern_field)TERN_FIELD(f->number, at, (uint16_t)f->sub, has, f->kind, f->flags, 0);
    }
    l.unknown_offset = m->is_entry ? 0 : place(&l, sizeof(tern_unknown), STRUCT_ALIGN);
    place(&l, 0, STRUCT_ALIGN);
    return l;
}

/* ---- Tables --------------------------------------------------------------------------------------- */

/* A type under construction, found by its message's full name. */
typedef struct made {
    const gen_message *message;
    tern_type type;
    tern_field *fields;
} made;

typedef struct maker {
    gen *g;
    hash_map types; /* of made, by full name */
    hash_map enums; /* of tern_enum, by full name */
} maker;

static int compare_values(const void *a, const void *b) {
    const tern_enum_value *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return 0;
}

/* Aliases stay in the order of declaration: the sort is done by insertion. */
static void sort_values(tern_enum_value *v, size_t n) {
    for (size_t i = 1; i < n; i++) {
        tern_enum_value x = v[i];
        size_t k = i;
        for (; k && compare_values(&v[k - 1], &x) > 0; k--) v[k] = v[k - 1];
        v[k] = x;
    }
}

static void make_enum(maker *k, const gen_enum *e) {
    gen *g = k->g;
    size_t n = e->desc->value.len;
    tern_enum *out = gen_alloc(g->arena, sizeof *out);
    tern_enum_value *values = gen_alloc(g->arena, n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = (tern_enum_value){e->desc->value.data[i].number, gen_cstr(g, e->desc->value.data[i].name)};
    sort_values(values, n);
    *out = (tern_enum){e->full_name, values, (uint32_t)n, !e->file->proto3};
    hash_map_put(&k->enums, hash_text(HASH_START, e->full_name), out, g->arena);
}

static made *find(const maker *k, const gen_message *m) {
    return (made *)(uintptr_t)hash_map_get(&k->types, hash_text(HASH_START, m->full_name));
}

static void make_type(maker *k, const gen_message *m) {
    gen *g = k->g;
    size_t n = m->n_fields, n_dense = 0;
    made *out = gen_alloc(g->arena, sizeof *out);
    const char **names = gen_alloc(g->arena, n * sizeof *names), **json = gen_alloc(g->arena, n * sizeof *json);
    out->message = m;
    out->fields = gen_alloc(g->arena, n * sizeof *out->fields);
    layout l = lay_out(g, m, out->fields);
    for (size_t i = 0; i < n; i++) {
        const gen_field *f = m->by_number[i];
        names[i] = f->schema_name;
        json[i] = f->desc->has.json_name ? gen_cstr(g, f->desc->json_name) : NULL;
        if (n_dense == i && f->number == i + 1) n_dense++;
    }
    out->type =
        (tern_type){.version = TERN_TYPE_VERSION,
                    .name = m->full_name,
                    .fields = out->fields,
                    .field_names = names,
                    .json_names = json,
                    .n_fields = (uint32_t)n,
                    .n_dense = (uint32_t)n_dense,
                    .size_bytes = l.size,
                    .has_offset = l.has_offset,
                    .n_has = (uint32_t)m->n_has,
                    .max_number = n ? m->by_number[n - 1]->number : 0,
                    .n_required = (uint32_t)m->n_required,
                    .unknown_offset = l.unknown_offset,
                    .flags = (m->is_entry ? TERN_TYPE_MAP_ENTRY : 0u) | (m->required_below ? TERN_TYPE_REQUIRED : 0u)};
    hash_map_put(&k->types, hash_text(HASH_START, m->full_name), out, g->arena);
}

/* When all sizes are known: what the fields refer to. */
static void link_type(maker *k, made *t) {
    const gen_message *m = t->message;
    const tern_type **subs = gen_alloc(k->g->arena, m->n_subs * sizeof *subs);
    const tern_enum **enums = gen_alloc(k->g->arena, m->n_enums * sizeof *enums);
    for (size_t i = 0; i < m->n_subs; i++) subs[i] = &find(k, m->subs[i])->type;
    for (size_t i = 0; i < m->n_enums; i++)
        enums[i] = hash_map_get(&k->enums, hash_text(HASH_START, m->enums[i]->full_name));
    for (size_t i = 0; i < m->n_fields; i++) {
        const gen_field *f = m->by_number[i];
        bool whole = is_child(f->kind) && f->flags & TERN_FIELD_REPEATED;
        t->fields[i].elem_bytes = (uint16_t)(whole ? subs[f->sub]->size_bytes : value_bytes(f));
    }
    t->type.subs = subs;
    t->type.enums = enums;
}

/* ---- All together --------------------------------------------------------------------------------- */

static size_t enter_files(gen *g, const google_protobuf_FileDescriptorSet *set) {
    size_t n_types = 0;
    g->files = gen_alloc(g->arena, set->file.len * sizeof *g->files);
    g->n_files = set->file.len;
    for (size_t i = 0; i < g->n_files; i++) {
        gen_file *f = &g->files[i];
        const google_protobuf_FileDescriptorProto *desc = &set->file.data[i];
        *f = (gen_file){.desc = desc, .path = gen_cstr(g, desc->name), .package = gen_cstr(g, desc->package)};
        f->stem = f->path;
        f->proto3 = tern_str_eq(desc->syntax, tern_str_of("proto3"));
        f->generate = true;
        check_file(g, f);
        model_add_file(g, f);
        for (const gen_message *m = f->messages; m; m = m->next) n_types++;
    }
    resolve_required(g);
    for (size_t i = 0; i < g->n_files; i++) resolve_file(g, &g->files[i]);
    return n_types;
}

static int make_all(gen *g, const google_protobuf_FileDescriptorSet *set, tern_registry *out) {
    maker k = {.g = g};
    size_t n = 0, n_types = enter_files(g, set);
    if (g->n_errors) {
        fprintf(stderr, "%.*s\n", (int)g->errors.len, g->errors.data);
        return TERN_ERR_UNSUPPORTED;
    }
    const tern_type **types = gen_alloc(g->arena, n_types * sizeof *types);
    for (size_t i = 0; i < g->n_files; i++) {
        for (const gen_enum *e = g->files[i].enums; e; e = e->next) make_enum(&k, e);
        for (const gen_message *m = g->files[i].messages; m; m = m->next) make_type(&k, m);
    }
    for (size_t i = 0; i < g->n_files; i++)
        for (const gen_message *m = g->files[i].messages; m; m = m->next) {
            made *t = find(&k, m);
            link_type(&k, t);
            types[n++] = &t->type;
        }
    *out = (tern_registry){types, n};
    return 0;
}

int schema_load(const char *proto, const char *include, tern_arena *arena, tern_registry *out) {
    tern_bytes bytes;
    google_protobuf_FileDescriptorSet set;
    int err = run_protoc(proto, include, arena, &bytes);
    if (!err)
        err = tern_protobuf_decode(&google_protobuf_FileDescriptorSet_type, bytes.data, bytes.len, arena,
                                   TERN_DECODE_ALIAS, NULL, &set);
    if (err) return err;
    gen *g = gen_alloc(arena, sizeof *g);
    *g = (gen){.arena = arena, .errors = {.arena = arena}};
    return make_all(g, &set, out);
}

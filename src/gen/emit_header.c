/* The generated header: includes, and around what the other emitters write. */
#include "gen/emit_header.h"

#include <stdlib.h>

#include "gen/emit_heap.h"
#include "gen/emit_helpers.h"
#include "gen/emit_service.h"
#include "gen/emit_structs.h"

static void emit_guard(gen *g, text *t, const gen_file *file) {
    char *guard = gen_alloc(g->arena, 2 * strlen(file->stem) + 16);
    size_t n = 0;
    if (file->stem[0] >= '0' && file->stem[0] <= '9') guard[n++] = 'N';
    for (const char *p = file->stem; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        guard[n++] = (char)(!letter ? '_' : *p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
        if (*p == '/') guard[n++] = '_';
    }
    memcpy(guard + n, "_TERN_H", 8);
    text_add(t, "#ifndef %s\n#define %s\n\n", guard, guard);
}

static bool has_number_default(const gen_file *file) {
    for (const gen_message *m = file->messages; m; m = m->next)
        for (size_t i = 0; i < m->n_fields; i++) {
            const gen_field *f = &m->fields[i];
            if (f->desc->has.default_value && (f->kind == TERN_FLOAT || f->kind == TERN_DOUBLE)) return true;
        }
    return false;
}

/* Public imports belong to what a file offers, used here or not. */
static void use_public_imports(gen *g, const gen_file *file) {
    const google_protobuf_FileDescriptorProto *desc = file->desc;
    for (size_t i = 0; i < desc->public_dependency.len; i++) {
        size_t index = (size_t)desc->public_dependency.data[i];
        if (desc->public_dependency.data[i] < 0 || index >= desc->dependency.len) continue;
        const char *path = gen_cstr(g, desc->dependency.data[index]);
        gen_file *other = (gen_file *)(uintptr_t)hash_map_get(&g->files_by_path, hash_text(HASH_START, path));
        if (other) other->used = true;
    }
}

static int compare_stems(const void *a, const void *b) {
    return strcmp((*(gen_file *const *)a)->stem, (*(gen_file *const *)b)->stem);
}

static bool has_streams(const gen_file *file) {
    for (const gen_service *s = file->services; s; s = s->next)
        if (s->n_stubs < s->n_methods) return true;
    return false;
}

/* The headers of the files whose types are used here or that are imported publicly, by name: the order of the files
 * in a request depends on what else is asked for. */
static void emit_includes(gen *g, text *t, const gen_file *file) {
    const gen_file **used;
    size_t n = 0;
    if (has_number_default(file)) text_add(t, "#include <math.h>\n\n");
    if (has_streams(file)) text_add(t, "#include \"tern/call_stream.h\"\n");
    text_add(t, "#include \"tern/codec.h\"\n");
    if (file->heap_functions) text_add(t, "#include \"tern/graph.h\"\n");
    if (file->services) text_add(t, "#include \"tern/rpc.h\"\n");
    use_public_imports(g, file);
    for (size_t i = 0; i < g->n_files; i++) n += g->files[i].used;
    used = gen_alloc(g->arena, n * sizeof *used);
    n = 0;
    for (size_t i = 0; i < g->n_files; i++)
        if (&g->files[i] != file && g->files[i].used) used[n++] = &g->files[i];
    if (n) qsort(used, n, sizeof *used, compare_stems);
    for (size_t i = 0; i < n; i++) text_add(t, "#include \"%s.tern.h\"\n", used[i]->stem);
}

void emit_header(gen *g, text *t, gen_file *file) {
    text_add(t, "/* Made by protoc-gen-tern from %s; changes here are lost. */\n", file->path);
    emit_guard(g, t, file);
    emit_includes(g, t, file);
    text_add(t, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    emit_structs(g, t, file);
    for (const gen_message *m = file->messages; m; m = m->next) {
        emit_helpers(g, t, m);
        if (file->heap_functions) emit_heap_helpers(t, m);
    }
    for (const gen_service *s = file->services; s; s = s->next) emit_service_header(g, t, s);
    text_add(t, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

/* One run: enter the request's files, then generate those that are asked for. With any error there is no
 * output at all, only the errors. */
#include "gen/gen.h"

#include "gen/check.h"
#include "gen/emit_header.h"
#include "gen/emit_source.h"
#include "gen/location.h"
#include "gen/model.h"
#include "gen/names.h"
#include "gen/options.h"
#include "gen/resolve.h"

/* What a request may be at most; protoc's own limit for a message is 2 GB. */
static const tern_limits request_limits = {
    .size = sizeof(tern_limits), .max_bytes = (size_t)512 << 20, .max_elements = (size_t)64 << 20, .max_depth = 100};

/* ---- Files --------------------------------------------------------------------------------------- */

/* Paths end up in #include lines and as names of output files. */
static bool path_is_valid(tern_str path) {
    if (path.len == 0 || path.len > 4096 || path.data[0] == '/') return false;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.data[i];
        if (c < 32 || c == 127 || c == '"' || c == '\\' || c == '*' || c == '?') return false;
        bool starts_part = i == 0 || path.data[i - 1] == '/';
        if (starts_part && c == '.' && i + 1 < path.len && path.data[i + 1] == '.') return false;
    }
    return true;
}

static bool package_is_valid(tern_str package) {
    size_t start = 0;
    if (package.len == 0) return true;
    if (package.len > 1000) return false;
    for (size_t i = 0; i <= package.len; i++) {
        if (i < package.len && package.data[i] != '.') continue;
        if (!name_is_valid((tern_str){package.data + start, i - start})) return false;
        start = i + 1;
    }
    return true;
}

/* Fills a file's own properties. False after an error that leaves nothing to work with. */
static bool init_file(gen *g, gen_file *file, const google_protobuf_FileDescriptorProto *desc) {
    tern_str syntax = desc->syntax;
    *file = (gen_file){.desc = desc, .path = "", .stem = "", .package = ""};
    if (!path_is_valid(desc->name)) {
        gen_add_error(g, "", "a file's path is empty, absolute, or holds characters that are not supported");
        return false;
    }
    file->path = gen_cstr(g, desc->name);
    size_t stem = desc->name.len > 6 && memcmp(file->path + desc->name.len - 6, ".proto", 6) == 0 ? desc->name.len - 6
                                                                                                  : desc->name.len;
    file->stem = gen_cstr(g, (tern_str){desc->name.data, stem});
    if (!package_is_valid(desc->package)) {
        gen_error(g, file, (gen_path){0}, "the package is not a list of identifiers, or too long");
        return false;
    }
    file->package = gen_cstr(g, desc->package);
    file->proto3 = tern_str_eq(syntax, tern_str_of("proto3"));
    if (!file->proto3 && syntax.len && !tern_str_eq(syntax, tern_str_of("proto2"))) {
        static const int32_t at[] = {FILE_SYNTAX};
        gen_error(g, file, (gen_path){at, 1}, "only syntax proto2 and proto3 are supported, not editions");
        return false;
    }
    uint64_t hash = hash_text(HASH_START, file->path);
    if (hash_map_get(&g->files_by_path, hash)) {
        gen_error(g, file, (gen_path){0}, "the file is there twice");
        return false;
    }
    hash_map_put(&g->files_by_path, hash, file, g->arena);
    return true;
}

static void load_files(gen *g, const google_protobuf_compiler_CodeGeneratorRequest *request) {
    if (request->proto_file.len > GEN_MAX_FILES) {
        gen_add_error(g, "", "there are too many files");
        return;
    }
    g->files = gen_alloc(g->arena, request->proto_file.len * sizeof *g->files);
    for (size_t i = 0; i < request->proto_file.len; i++) {
        gen_file *file = &g->files[g->n_files];
        if (!init_file(g, file, &request->proto_file.data[i])) continue;
        g->n_files++;
    }
    for (size_t i = 0; i < g->n_files; i++) { /* names depend on the file's options, and these on what files declare */
        options_read_file(g, &g->files[i]);
        model_add_file(g, &g->files[i]);
    }
    for (size_t i = 0; i < request->file_to_generate.len; i++) {
        const char *path = gen_cstr(g, request->file_to_generate.data[i]);
        gen_file *file = (gen_file *)(uintptr_t)hash_map_get(&g->files_by_path, hash_text(HASH_START, path));
        if (file)
            file->generate = true;
        else
            gen_add_error(g, "", "a file to be generated is not in the request");
    }
}

/* ---- Output -------------------------------------------------------------------------------------- */

static void add_output(gen *g, google_protobuf_compiler_CodeGeneratorResponse *response, const gen_file *file,
                       const char *ending, const text *content) {
    google_protobuf_compiler_CodeGeneratorResponse_File *out = &response->file.data[response->file.len++];
    if (content->overflow) gen_add_error(g, "", "the output is too large");
    out->name = tern_str_of(gen_format(g->arena, "%s%s", file->stem, ending));
    out->has.name = 1;
    out->content = (tern_str){content->data, content->len};
    out->has.content = 1;
}

static void generate_file(gen *g, gen_file *file, google_protobuf_compiler_CodeGeneratorResponse *response) {
    text header = {.arena = g->arena}, source = {.arena = g->arena};
    for (size_t i = 0; i < g->n_files; i++) g->files[i].used = false;
    resolve_file(g, file);
    options_read(g, file);
    resolve_check_elements(g, file);
    check_method_ids(g, file);
    if (g->n_errors) return;
    emit_header(g, &header, file);
    emit_source(g, &source, file);
    add_output(g, response, file, ".tern.h", &header);
    add_output(g, response, file, ".tern.c", &source);
}

void gen_run(tern_arena *arena, const google_protobuf_compiler_CodeGeneratorRequest *request,
             google_protobuf_compiler_CodeGeneratorResponse *response, tern_str *warnings) {
    gen g = {.arena = arena, .errors = {.arena = arena}, .warnings = {.arena = arena}};
    memset(response, 0, sizeof *response);
    if (request->parameter.len) gen_add_error(&g, "", "protoc-gen-tern takes no parameters");
    load_files(&g, request);
    for (size_t i = 0; i < g.n_files; i++)
        if (g.files[i].generate) check_file(&g, &g.files[i]);
    resolve_required(&g);
    response->file.cap = 2 * g.n_files;
    response->file.data = gen_alloc(arena, 2 * g.n_files * sizeof *response->file.data);
    for (size_t i = 0; i < g.n_files && g.n_errors == 0; i++)
        if (g.files[i].generate) generate_file(&g, &g.files[i], response);
    response->supported_features = google_protobuf_compiler_CodeGeneratorResponse_Feature_FEATURE_PROTO3_OPTIONAL;
    response->has.supported_features = 1;
    if (g.n_warnings > GEN_MAX_ERRORS) text_add(&g.warnings, "and %zu more warnings\n", g.n_warnings - GEN_MAX_ERRORS);
    if (warnings) *warnings = (tern_str){g.warnings.data, g.warnings.len};
    if (g.n_errors == 0) return;
    if (g.n_errors > GEN_MAX_ERRORS) text_add(&g.errors, "\nand %zu more errors", g.n_errors - GEN_MAX_ERRORS);
    response->file.len = 0;
    response->error = (tern_str){g.errors.data, g.errors.len};
    response->has.error = 1;
}

int gen_run_bytes(tern_arena *arena, const void *request, size_t len, tern_bytes *out, tern_str *warnings) {
    google_protobuf_compiler_CodeGeneratorRequest *decoded = gen_alloc(arena, sizeof *decoded);
    google_protobuf_compiler_CodeGeneratorResponse response;
    int err = tern_protobuf_decode(&google_protobuf_compiler_CodeGeneratorRequest_type, request, len, arena,
                                   TERN_DECODE_ALIAS, &request_limits, decoded);
    if (err) return err;
    gen_run(arena, decoded, &response, warnings);
    int64_t bytes = google_protobuf_compiler_CodeGeneratorResponse_size(&response);
    if (bytes < 0) return (int)bytes;
    void *data = gen_alloc(arena, (size_t)bytes + 1);
    bytes = google_protobuf_compiler_CodeGeneratorResponse_encode(&response, data, (size_t)bytes);
    if (bytes < 0) return (int)bytes;
    *out = tern_bytes_of(data, (size_t)bytes);
    return 0;
}

/* Where things stand in the .proto, what is said about them there, and errors and warnings about them. */
#include "gen/location.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

gen_path gen_path_add(gen *g, gen_path path, int32_t field, size_t index) {
    int32_t *steps = gen_alloc(g->arena, (path.n + 2) * sizeof *steps);
    if (path.n) memcpy(steps, path.steps, path.n * sizeof *steps);
    steps[path.n] = field;
    steps[path.n + 1] = (int32_t)index;
    return (gen_path){steps, path.n + 2};
}

static int compare_paths(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b) {
    for (size_t i = 0; i < n_a && i < n_b; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return n_a < n_b ? -1 : n_a > n_b;
}

static int compare_locations(const void *a, const void *b) {
    const google_protobuf_SourceCodeInfo_Location *x = *(const google_protobuf_SourceCodeInfo_Location *const *)a;
    const google_protobuf_SourceCodeInfo_Location *y = *(const google_protobuf_SourceCodeInfo_Location *const *)b;
    int order = compare_paths(x->path.data, x->path.len, y->path.data, y->path.len);
    return order ? order : (x < y ? -1 : x > y);
}

static void sort_locations(gen *g, gen_file *file) {
    const google_protobuf_SourceCodeInfo *info = file->desc->source_code_info;
    file->locations = gen_alloc(g->arena, info->location.len * sizeof *file->locations);
    for (size_t i = 0; i < info->location.len; i++) file->locations[i] = &info->location.data[i];
    if (info->location.len) qsort(file->locations, info->location.len, sizeof *file->locations, compare_locations);
}

static const google_protobuf_SourceCodeInfo_Location *search(const gen_file *file, gen_path path) {
    size_t low = 0, high = file->desc->source_code_info->location.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const google_protobuf_SourceCodeInfo_Location *at = file->locations[middle];
        int order = compare_paths(at->path.data, at->path.len, path.steps, path.n);
        if (order == 0) return at;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const google_protobuf_SourceCodeInfo_Location *location_find(gen *g, gen_file *file, gen_path path, bool exact) {
    if (!file->desc->source_code_info) return NULL;
    if (!file->locations) sort_locations(g, file);
    const google_protobuf_SourceCodeInfo_Location *at = search(file, path);
    while (!at && !exact && path.n > 0) {
        path.n -= path.n > 1 ? 2 : 1;
        at = search(file, path);
    }
    return at;
}

void gen_add_error(gen *g, const char *place, const char *message) {
    if (g->n_errors++ >= GEN_MAX_ERRORS) return;
    text_add(&g->errors, "%s%s%s", g->errors.len ? "\n" : "", place, message);
}

/* "file:line:column: ", or as much of it as is known. */
static const char *place_name(gen *g, gen_file *file, gen_path path) {
    const google_protobuf_SourceCodeInfo_Location *at = file ? location_find(g, file, path, false) : NULL;
    if (at && at->span.len >= 3)
        return gen_format(g->arena, "%s:%lld:%lld: ", file->path, at->span.data[0] + 1LL, at->span.data[1] + 1LL);
    return file ? gen_format(g->arena, "%s: ", file->path) : "";
}

void gen_error(gen *g, gen_file *file, gen_path path, const char *format, ...) {
    char message[1024];
    va_list args;
    if (g->n_errors >= GEN_MAX_ERRORS) {
        g->n_errors++;
        return;
    }
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gen_add_error(g, place_name(g, file, path), message);
}

void gen_warn(gen *g, gen_file *file, gen_path path, const char *format, ...) {
    char message[1024];
    va_list args;
    if (g->n_warnings++ >= GEN_MAX_ERRORS) return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    text_add(&g->warnings, "%swarning: %s\n", place_name(g, file, path), message);
}

/* One line of a comment, without what would end or nest it and without odd bytes. */
static void add_line(text *t, const char *line, size_t len) {
    for (size_t i = 0; i < len; i++) {
        char c = line[i];
        bool pair = i > 0 && ((line[i - 1] == '*' && c == '/') || (line[i - 1] == '/' && c == '*'));
        if (pair) text_add_bytes(t, " ", 1);
        if ((unsigned char)c < 32 || c == 127) c = ' ';
        text_add_bytes(t, &c, 1);
    }
}

static size_t trimmed(const char *line, size_t len) {
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r')) len--;
    return len;
}

/* Comment text as protoc hands it over: lines, most of them led by one space. */
static void add_comment(text *t, tern_str comment, const char *indent) {
    if (comment.len == 0) return;
    const char *p = comment.data, *end = p + comment.len;
    size_t n_lines = 0, n_blank = 0;
    while (p < end) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        if (!eol) eol = end;
        const char *line = p < eol && *p == ' ' ? p + 1 : p;
        size_t len = trimmed(line, (size_t)(eol - line));
        p = eol < end ? eol + 1 : end;
        if (len == 0) {
            n_blank++;
            continue;
        }
        for (; n_lines > 0 && n_blank > 0; n_blank--) text_add(t, "\n%s *", indent);
        n_blank = 0;
        if (n_lines++ > 0)
            text_add(t, "\n%s * ", indent);
        else
            text_add(t, "%s/* ", indent);
        add_line(t, line, len);
    }
    if (n_lines > 0) text_add(t, " */\n");
}

void emit_comment(gen *g, text *t, gen_file *file, gen_path path, const char *indent) {
    const google_protobuf_SourceCodeInfo_Location *at = location_find(g, file, path, true);
    if (!at) return;
    add_comment(t, at->leading_comments.len ? at->leading_comments : at->trailing_comments, indent);
}

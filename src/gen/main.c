/* protoc-gen-tern: reads a CodeGeneratorRequest from standard input, writes a CodeGeneratorResponse to
 * standard output. Errors in the schema go into the response, warnings to standard error, which protoc shows; only a
 * request that is none ends in an exit status. VERSION comes from the build. */
#include <stdio.h>
#include <stdlib.h>

#include "gen/gen.h"

enum { READ_MAX_BYTES = 512 << 20 };
#define WORK_MAX_BYTES ((size_t)4 << 30) /* of the request as structs, and of the response */

/* All of standard input; NULL when it cannot be read or is too large. */
static char *read_all(size_t *len) {
    size_t cap = 1 << 16, n = 0;
    char *data = malloc(cap);
    while (data) {
        size_t got = fread(data + n, 1, cap - n, stdin);
        n += got;
        if (got == 0) break;
        if (n < cap) continue;
        char *more = cap >= READ_MAX_BYTES ? NULL : realloc(data, cap * 2);
        if (!more) free(data);
        data = more;
        cap *= 2;
    }
    if (data && ferror(stdin)) {
        free(data);
        return NULL;
    }
    *len = n;
    return data;
}

static int usage(const char *argument) {
    if (strcmp(argument, "--version") == 0) {
        printf("protoc-gen-tern %s\n", VERSION);
        return 0;
    }
    fprintf(stderr, "protoc-gen-tern is run by protoc: protoc --tern_out=DIRECTORY FILE.proto\n");
    return strcmp(argument, "--help") == 0 ? 0 : 2;
}

int main(int argc, char **argv) {
    tern_arena arena;
    tern_bytes response;
    tern_str warnings = {0};
    size_t len;
    if (argc > 1) return usage(argv[1]);
    char *request = read_all(&len);
    if (!request) {
        fprintf(stderr, "protoc-gen-tern: cannot read the request\n");
        return 1;
    }
    tern_arena_init(&arena, 1 << 16, WORK_MAX_BYTES);
    int err = gen_run_bytes(&arena, request, len, &response, &warnings);
    if (warnings.len) fwrite(warnings.data, 1, warnings.len, stderr);
    if (err)
        fprintf(stderr, "protoc-gen-tern: cannot read the request: %s\n", tern_strerror(err));
    else if (fwrite(response.data, 1, response.len, stdout) != response.len || fflush(stdout) != 0)
        err = -1;
    tern_arena_fini(&arena);
    free(request);
    return err ? 1 : 0;
}

/* tern cat: a stream by its type codes, a piece a line; or messages by a schema, as text or JSON. */
#include "cat.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schema.h"
#include "tern/tern.h"

enum { DONE = 0, BAD_INPUT = 1, USAGE = 2, LOCAL = 4, CHUNK = 256, INPUT_MAX_BYTES = 1 << 30 };

typedef struct options {
    const char *file, *schema, *include, *message;
    uint64_t most; /* numbers of an array, and bytes of a string, that are shown */
    bool json, hybrid, delimited;
} options;

static int complain(int code, const char *file, const char *why) {
    fflush(stdout);
    fprintf(stderr, "tern cat: %s: %s\n", file, why);
    return code;
}

/* ---- Streams -------------------------------------------------------------------------------------- */

static void print_number(unsigned code, const void *p) {
    switch (code & ~(unsigned)TERN_CODE_ARRAY) {
    case TERN_CODE_u8: printf(" %" PRIu8, *(const uint8_t *)p); break;
    case TERN_CODE_i8: printf(" %" PRId8, *(const int8_t *)p); break;
    case TERN_CODE_u16: printf(" %" PRIu16, *(const uint16_t *)p); break;
    case TERN_CODE_i16: printf(" %" PRId16, *(const int16_t *)p); break;
    case TERN_CODE_u32: printf(" %" PRIu32, *(const uint32_t *)p); break;
    case TERN_CODE_i32: printf(" %" PRId32, *(const int32_t *)p); break;
    case TERN_CODE_u64: printf(" %" PRIu64, *(const uint64_t *)p); break;
    case TERN_CODE_i64: printf(" %" PRId64, *(const int64_t *)p); break;
    case TERN_CODE_f32: printf(" %.9g", (double)*(const float *)p); break;
    default: printf(" %.17g", *(const double *)p); break;
    }
}

static size_t size_of_code(unsigned code) {
    static const uint8_t sizes[] = {
#define SIZE(name, type, bits, code) [code] = sizeof(type),
        TERN_STREAM_NUMBERS(SIZE)
#undef SIZE
    };
    return sizes[code & ~(unsigned)TERN_CODE_ARRAY];
}

/* The first `most` of them; the rest is read all the same. */
static void print_numbers(tern_reader *r, tern_piece *piece, uint64_t most) {
    uint64_t values[CHUNK], shown = 0, all = piece->n;
    while (piece->n && !r->err) {
        size_t n = piece->n < CHUNK ? piece->n : CHUNK;
        tern_get_values(r, piece, values, n);
        for (size_t i = 0; i < n && !r->err && shown < most; i++, shown++)
            print_number(piece->code, (const char *)values + i * size_of_code(piece->code));
    }
    if (all > shown && !r->err) printf(" ... (%" PRIu64 ")", all);
}

static void print_quoted(tern_bytes b, uint64_t most) {
    const uint8_t *p = b.data;
    printf(" \"");
    for (size_t i = 0; i < b.len && i < most; i++) {
        if (p[i] == '"' || p[i] == '\\')
            printf("\\%c", p[i]);
        else if (p[i] < 0x20 || p[i] == 0x7f)
            printf("\\x%02x", p[i]);
        else
            putchar(p[i]);
    }
    printf("\"");
    if (b.len > most) printf(" ... (%zu bytes)", b.len);
}

static void print_hex(tern_bytes b, uint64_t most) {
    const uint8_t *p = b.data;
    putchar(' ');
    for (size_t i = 0; i < b.len && i < most; i++) printf("%02x", p[i]);
    if (b.len > most) printf(" ... (%zu bytes)", b.len);
}

static void print_piece(tern_reader *r, tern_piece *piece, uint64_t most) {
    printf("%8" PRIu64 "  ", piece->offset);
    if (piece->code == TERN_CODE_PREAMBLE) {
        printf("preamble, content 0x%" PRIx32, piece->n);
    } else {
        printf("%s", tern_code_name(piece->code));
        if (piece->code == TERN_CODE_str)
            print_quoted(piece->bytes, most);
        else if (piece->code == TERN_CODE_bytes)
            print_hex(piece->bytes, most);
        else
            print_numbers(r, piece, most);
    }
    putchar('\n');
}

static int cat_stream(const options *o, int fd) {
    tern_reader r;
    tern_arena arena;
    tern_piece piece;
    char why[200];
    tern_arena_init(&arena, 0, 0);
    if (tern_reader_init(&r, tern_source_fd(fd), 0)) return complain(LOCAL, o->file, "out of memory");
    while (tern_get_piece(&r, &arena, &piece)) {
        print_piece(&r, &piece, o->most);
        tern_arena_reset(&arena);
    }
    int code = DONE;
    if (r.err == TERN_ERR_UNSUPPORTED)
        code = complain(BAD_INPUT, o->file,
                        "the stream has no type codes: only the program that reads it knows what it says");
    else if (r.err)
        code = complain(BAD_INPUT, o->file, tern_reader_explain(&r, why, sizeof why));
    tern_reader_fini(&r);
    tern_arena_fini(&arena);
    return code;
}

/* ---- Messages ------------------------------------------------------------------------------------- */

static int read_file(int fd, tern_arena *arena, tern_bytes *out) {
    tern_writer w;
    uint8_t chunk[16384];
    ssize_t n = 0;
    if (tern_writer_init_pool(&w, INPUT_MAX_BYTES)) return TERN_ERR_NOMEM;
    while (!w.err && ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0) tern_put_u8s(&w, chunk, (size_t)n);
    tern_bytes b = tern_writer_memory(&w);
    void *copy = tern_arena_alloc(arena, b.len);
    if (copy && b.len) memcpy(copy, b.data, b.len);
    *out = (tern_bytes){copy, b.len};
    int err = tern_writer_fini(&w);
    return err ? err : n < 0 ? TERN_ERR_IO : copy ? 0 : TERN_ERR_NOMEM;
}

static int print_message(const options *o, const tern_type *type, tern_bytes data, const tern_registry *registry) {
    tern_arena arena;
    tern_str text;
    tern_arena_init(&arena, 0, 0);
    void *msg = tern_arena_zalloc(&arena, type->size_bytes);
    int err = !msg        ? TERN_ERR_NOMEM
              : o->hybrid ? tern_hybrid_decode(type, data.data, data.len, &arena, NULL, msg)
                          : tern_protobuf_decode(type, data.data, data.len, &arena, TERN_DECODE_ALIAS, NULL, msg);
    if (!err && o->json) {
        tern_json_options j;
        tern_json_options_init(&j);
        j.registry = registry;
        j.indent = o->delimited ? 0 : 2;
        err = tern_json_print(type, msg, &j, &arena, &text);
    } else if (!err) {
        tern_text_options t;
        tern_text_options_init(&t);
        t.registry = registry;
        t.single_line = o->delimited;
        err = tern_text_print(type, msg, &t, &arena, &text);
    }
    if (!err) {
        fwrite(text.data, 1, text.len, stdout);
        if (text.len && text.data[text.len - 1] != '\n') putchar('\n');
    }
    tern_arena_fini(&arena);
    return err;
}

/* The next message after its length as a varint. */
static int next_delimited(tern_bytes *rest, tern_bytes *message) {
    const uint8_t *p = rest->data;
    uint64_t len = 0;
    size_t i = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (i == rest->len) return TERN_ERR_TRUNCATED;
        if (shift > 28) return TERN_ERR_MALFORMED;
        len |= (uint64_t)(p[i] & 0x7f) << shift;
        if (!(p[i++] & 0x80)) break;
    }
    if (len > rest->len - i) return TERN_ERR_TRUNCATED;
    *message = (tern_bytes){p + i, len};
    *rest = (tern_bytes){p + i + len, rest->len - i - len};
    return 0;
}

static int cat_messages(const options *o, int fd) {
    tern_arena arena;
    tern_registry types;
    tern_bytes rest, message;
    tern_arena_init(&arena, 0, 0);
    int err = schema_load(o->schema, o->include, &arena, &types), code = DONE;
    const tern_type *type = err ? NULL : tern_registry_find(&types, tern_str_of(o->message));
    if (err)
        code = complain(USAGE, o->schema, "the schema cannot be used");
    else if (!type)
        code = complain(USAGE, o->schema, "there is no such message in it");
    else if ((err = read_file(fd, &arena, &rest)))
        code = complain(LOCAL, o->file, tern_strerror(err));
    else if (!o->delimited)
        err = print_message(o, type, rest, &types);
    else
        while (!err && rest.len)
            if (!(err = next_delimited(&rest, &message))) err = print_message(o, type, message, &types);
    if (err && code == DONE) code = complain(BAD_INPUT, o->file, tern_strerror(err));
    tern_arena_fini(&arena);
    return code;
}

/* ---- The command ---------------------------------------------------------------------------------- */

static int usage(FILE *out, int code) {
    fprintf(out, "usage: tern cat [--max N] [FILE]\n"
                 "       tern cat --schema FILE.proto --message PACKAGE.NAME [-I DIR] [--json] [--hybrid] "
                 "[--delimited] [FILE]\n\n"
                 "Prints FILE (or standard input): a stream by its type codes, or a message by its schema.\n\n"
                 "  --max N         numbers of an array, bytes of a string, that are shown (16)\n"
                 "  --schema FILE   where the message is defined; protoc compiles it\n"
                 "  --message NAME  its full name\n"
                 "  -I DIR          where the schema and what it imports are found; else the schema's own folder\n"
                 "  --json          as JSON, not as text\n"
                 "  --hybrid        the message is in tern's hybrid format, not in protobuf's\n"
                 "  --delimited     many messages, each after its length as a varint\n\n"
                 "Exit codes: 0 done, 1 the input is damaged or of another kind, 2 usage, 4 this machine.\n");
    return code;
}

static bool parse(int argc, char **argv, options *o, int *code) {
    static const struct option names[] = {
        {"max", required_argument, NULL, 'm'},     {"schema", required_argument, NULL, 's'},
        {"message", required_argument, NULL, 'n'}, {"json", no_argument, NULL, 'j'},
        {"hybrid", no_argument, NULL, 'y'},        {"delimited", no_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    char *end;
    int c;
    *o = (options){.file = "-", .most = 16};
    *code = USAGE;
    while ((c = getopt_long(argc, argv, "I:h", names, NULL)) != -1) {
        switch (c) {
        case 'm':
            errno = 0;
            o->most = strtoull(optarg, &end, 10);
            if (*optarg < '0' || *optarg > '9' || *end || errno) return complain(USAGE, "--max", "not a number"), false;
            break;
        case 's': o->schema = optarg; break;
        case 'n': o->message = optarg; break;
        case 'I': o->include = optarg; break;
        case 'j': o->json = true; break;
        case 'y': o->hybrid = true; break;
        case 'd': o->delimited = true; break;
        case 'h': *code = usage(stdout, DONE); return false;
        default: usage(stderr, USAGE); return false;
        }
    }
    if (optind < argc) o->file = argv[optind++];
    bool whole = optind == argc && !o->schema == !o->message;
    if (!whole || (!o->schema && (o->json || o->hybrid || o->delimited || o->include)))
        return usage(stderr, USAGE), false;
    return true;
}

int cat_main(int argc, char **argv) {
    options o;
    int code;
    if (!parse(argc, argv, &o, &code)) return code;
    int fd = strcmp(o.file, "-") ? open(o.file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0) return complain(LOCAL, o.file, strerror(errno));
    code = o.schema ? cat_messages(&o, fd) : cat_stream(&o, fd);
    if (fd != STDIN_FILENO) close(fd);
    return code;
}

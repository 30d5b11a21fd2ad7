/* HyperProtoBench's messages: each is decoded, encoded and decoded again, and must be the same message; and protoc
 * must print the same for the original and for what tern wrote.
 *
 * The samples come from two places: the shapes that bench/hyper ships, with strings of our own in them, always;
 * and the originals in DATA/hyperprotobench where that folder is there (TERN_TEST_DATA names another DATA). The
 * original must then have the shape that is shipped. One result per message and question. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../bench/hyper/samples.h"
#include "../../bench/hyper/types.h"
#include "tern/codec.h"

static int n_results, n_failed;

static void result(bool ok, const char *type, const char *question, const char *skip) {
    printf("%s %d - %s__%s", ok ? "ok" : "not ok", ++n_results, type, question);
    if (skip) printf(" # SKIP %s", skip);
    putchar('\n');
    n_failed += !ok;
}

/* ---- Decode, encode, decode again, equal */

typedef struct trip {
    tern_arena arena;
    void *first, *second;
    uint8_t *encoded; /* what was written of the first */
    size_t encoded_len;
} trip;

static void trip_fini(trip *t) {
    tern_arena_fini(&t->arena);
    free(t->first);
    free(t->second);
    free(t->encoded);
}

static bool trip_run(trip *t, const tern_type *type, const uint8_t *data, size_t len, int mode) {
    memset(t, 0, sizeof *t);
    tern_arena_init(&t->arena, 0, 0);
    t->first = calloc(1, type->size_bytes);
    t->second = calloc(1, type->size_bytes);
    if (tern_protobuf_decode(type, data, len, &t->arena, mode, NULL, t->first) != 0) return false;
    int64_t n = tern_protobuf_size(type, t->first);
    if (n < 0) return false;
    t->encoded = malloc((size_t)n + 1);
    t->encoded_len = (size_t)n;
    if (tern_protobuf_encode(type, t->first, t->encoded, (size_t)n) != n) return false;
    if (tern_protobuf_decode(type, t->encoded, (size_t)n, &t->arena, mode, NULL, t->second) != 0) return false;
    return tern_message_equal(type, t->first, t->second);
}

static bool round_trip(const tern_type *type, const uint8_t *data, size_t len) {
    trip alias, copy;
    bool ok = trip_run(&alias, type, data, len, TERN_DECODE_ALIAS);
    ok = trip_run(&copy, type, data, len, TERN_DECODE_COPY) && ok;
    ok = ok && tern_message_equal(type, alias.first, copy.second);
    trip_fini(&alias);
    trip_fini(&copy);
    return ok;
}

/* ---- Files */

static const char *data_folder(void) {
    const char *folder = getenv("TERN_TEST_DATA");
    return folder ? folder : DATA_DIR;
}

static bool read_file(const char *path, uint8_t **data, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    *data = NULL;
    *len = 0;
    for (size_t n = 1; n > 0; *len += n) {
        *data = realloc(*data, *len + (1 << 16));
        n = fread(*data + *len, 1, 1 << 16, file);
    }
    fclose(file);
    return true;
}

static bool write_file(const char *path, const uint8_t *data, size_t len) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool ok = fwrite(data, 1, len, file) == len;
    return fclose(file) == 0 && ok;
}

/* ---- protoc's opinion: the same text for both */

static FILE *decode_with_protoc(const char *type, const char *path) {
    char command[8192];
    const char *dot = strchr(type, '.');
    snprintf(command, sizeof command, "'%s' --decode=hyperprotobench.%s -I'%s/hyperprotobench' %.*s.proto <'%s'",
             PROTOC, dot + 1, data_folder(), (int)(dot - type), type, path);
    return popen(command, "r");
}

/* Whether both say the same and end well; an empty text would say that protoc understood nothing. */
static bool same_text(FILE *a, FILE *b) {
    int x, y;
    uint64_t n = 0;
    do {
        x = a ? fgetc(a) : EOF;
        y = b ? fgetc(b) : EOF;
        n++;
    } while (x == y && x != EOF);
    bool well = a && pclose(a) == 0;
    well = b && pclose(b) == 0 && well;
    return well && x == y && n > 1;
}

static bool protoc_agrees(const tern_type *type, const uint8_t *data, size_t len, const char *original) {
    char path[] = "/tmp/tern-hyperprotobench-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0) return false;
    close(fd);
    trip t;
    bool ok = trip_run(&t, type, data, len, TERN_DECODE_ALIAS) && write_file(path, t.encoded, t.encoded_len) &&
              same_text(decode_with_protoc(type->name, original), decode_with_protoc(type->name, path));
    trip_fini(&t);
    unlink(path);
    return ok;
}

/* ---- One sample */

static void test_original(const sample *s, const tern_type *type) {
    char path[4096];
    const char *dot = strchr(s->type, '.');
    snprintf(path, sizeof path, "%s/hyperprotobench/%.*s_%s.bin", data_folder(), (int)(dot - s->type), s->type,
             dot + 1);
    uint8_t *data;
    size_t len;
    if (!read_file(path, &data, &len)) {
        result(false, s->type, "original_is_there", NULL);
        return;
    }
    result(round_trip(type, data, len) && len == s->len, s->type, "original_round_trip", NULL);
    result(protoc_agrees(type, data, len, path), s->type, "original_protoc", NULL);
    free(data);
}

int main(void) {
    samples all;
    if (!samples_load(&all, SHAPES)) {
        printf("Bail out! %s: not the shapes of messages\n", SHAPES);
        return 1;
    }
    bool have_originals = access(data_folder(), R_OK) == 0;
    if (!have_originals) result(true, "originals", "all", "they are not here (TERN_TEST_DATA names their folder)");
    for (size_t i = 0; i < all.n; i++) {
        const sample *s = &all.list[i];
        const tern_type *type = hyper_type(s->type);
        result(round_trip(type, s->data, s->len), s->type, "round_trip", NULL);
        if (have_originals && strncmp(s->type, "bench", 5) == 0) test_original(s, type);
    }
    samples_free(&all);
    printf("1..%d\n", n_results);
    return n_failed != 0;
}

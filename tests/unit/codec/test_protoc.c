/* The codec against protoc: what we write, it reads and writes back alike; where an encoding has several
 * forms (sub-messages in pieces, fields out of order, lists packed or not), both make the same of it.
 * PROTOC and PROTO_DIR come from the build. */
#include <unistd.h>

#include "base/base.h"
#include "everything.tern.h"
#include "random_message.h"
#include "tap.h"

static char folder[] = "/tmp/tern-protoc-XXXXXX";

typedef struct blob {
    uint8_t *data;
    size_t len;
} blob;

static bool write_file(const char *name, const void *data, size_t len) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(data, 1, len, file) == len;
    return file && fclose(file) == 0 && ok;
}

static blob read_file(const char *name) {
    char path[256];
    blob b = {malloc(64 << 20), 0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file) {
        b.len = fread(b.data, 1, 64 << 20, file);
        fclose(file);
    }
    return b;
}

static bool protoc(const char *what, const char *in, const char *out) {
    char command[1024];
    snprintf(command, sizeof command, "'%s' -I '%s' --%s=test.all.Batch everything.proto < %s/%s > %s/%s 2>> %s/log",
             PROTOC, PROTO_DIR, what, folder, in, folder, out, folder);
    return system(command) == 0;
}

/* What protoc makes of these bytes: decoded to text and encoded again. */
static bool through_protoc(const void *data, size_t len, blob *out) {
    if (!write_file("in", data, len) || !protoc("decode", "in", "text") || !protoc("encode", "text", "out"))
        return false;
    *out = read_file("out");
    return true;
}

static bool begin(void) { return mkdtemp(folder) != NULL; }

static void end(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) printf("# %s stays\n", folder);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
}

static void compare(const void *ours, size_t ours_len, const void *input, size_t input_len) {
    blob theirs = {0};
    bool ran = through_protoc(input, input_len, &theirs);
    size_t first = 0;
    while (ran && first < ours_len && first < theirs.len && ((const uint8_t *)ours)[first] == theirs.data[first])
        first++;
    bool same = ran && ours_len == theirs.len && first == ours_len;
    free(theirs.data);
    if (!same) printf("# %zu and %zu bytes differ at %zu\n", ours_len, theirs.len, first);
    CHECK(ran);
    CHECK(same);
}

static void encode__as_protoc_does(void) {
    tern_arena arena;
    tern__rng rng;
    test_all_Batch batch = {0};
    tern_arena_init(&arena, 1 << 20, 0);
    tern__rng_seed(&rng, 7);
    CHECK(begin());
    for (int i = 0; i < 300; i++)
        random_message(&test_all_Everything_type, test_all_Batch_add_items(&batch, &arena), &arena, &rng, 4);
    int64_t size = test_all_Batch_size(&batch);
    void *bytes = malloc((size_t)size);
    CHECK_EQ(test_all_Batch_encode(&batch, bytes, (size_t)size), size);
    compare(bytes, (size_t)size, bytes, (size_t)size);
    free(bytes);
    tern_arena_fini(&arena);
    end();
}

static size_t put_varint(uint8_t *out, uint64_t value) {
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) out[n++] = (uint8_t)(value | 0x80);
    out[n++] = (uint8_t)value;
    return n;
}

/* One item made of two random messages, one encoding after the other: singular fields are overwritten,
 * sub-messages merged, lists appended to. */
static size_t put_doubled_item(uint8_t *out, tern_arena *arena, tern__rng *rng) {
    static uint8_t parts[2][1 << 20];
    size_t lens[2];
    for (int k = 0; k < 2; k++) {
        test_all_Everything m = {0};
        random_message(&test_all_Everything_type, &m, arena, rng, 3);
        lens[k] = (size_t)test_all_Everything_encode(&m, parts[k], sizeof parts[k]);
    }
    size_t n = put_varint(out, 1 << 3 | 2);
    n += put_varint(out + n, lens[0] + lens[1]);
    memcpy(out + n, parts[0], lens[0]);
    memcpy(out + n + lens[0], parts[1], lens[1]);
    return n + lens[0] + lens[1];
}

static void decode__as_protoc_does(void) {
    tern_arena arena;
    tern__rng rng;
    test_all_Batch batch;
    size_t len = 0;
    uint8_t *input = malloc(64 << 20);
    tern_arena_init(&arena, 1 << 20, 0);
    tern__rng_seed(&rng, 11);
    CHECK(begin());
    for (int i = 0; i < 200; i++) len += put_doubled_item(input + len, &arena, &rng);
    CHECK_EQ(test_all_Batch_decode(input, len, &arena, TERN_DECODE_ALIAS, &batch), 0);
    CHECK_EQ(batch.items.len, 200);
    int64_t size = test_all_Batch_size(&batch);
    void *bytes = malloc((size_t)size);
    CHECK_EQ(test_all_Batch_encode(&batch, bytes, (size_t)size), size);
    compare(bytes, (size_t)size, input, len);
    free(bytes);
    free(input);
    tern_arena_fini(&arena);
    end();
}

TAP_MAIN(TEST(encode__as_protoc_does), TEST(decode__as_protoc_does))

#include "body.h"

#include <stdlib.h>

#include "base/rng.h"
#include "dump_format.h"
#include "tern/mem.h"

static const tern_field blob_fields[] = {
    TERN_FIELD(1, offsetof(blob, id), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
    TERN_FIELD(2, offsetof(blob, main), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
    TERN_FIELD(3, offsetof(blob, parts), 0, 0, TERN_BYTES, TERN_FIELD_REPEATED, sizeof(tern_bytes)),
};
static const char *const blob_names[] = {"id", "main", "parts"};

const tern_type blob_type = {.name = "test.Blob",
                             .fields = blob_fields,
                             .field_names = blob_names,
                             .n_fields = TERN__COUNT(blob_fields),
                             .n_dense = TERN__COUNT(blob_fields),
                             .size_bytes = sizeof(blob),
                             .max_number = 3,
                             .unknown_offset = offsetof(blob, unknown)};

/* Eight bytes of the pattern at a time. */
static uint64_t word_of(uint64_t key, size_t i) { return tern__mix64(key + i * 0x9e3779b97f4a7c15u); }

static void fill(void *out, uint64_t key, size_t len) {
    uint8_t *p = out;
    for (size_t i = 0; i < len; i += 8) {
        uint64_t word = word_of(key, i);
        memcpy(p + i, &word, len - i < 8 ? len - i : 8);
    }
}

static bool filled(const void *data, uint64_t key, size_t len) {
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i += 8) {
        uint64_t word = word_of(key, i);
        if (memcmp(p + i, &word, len - i < 8 ? len - i : 8) != 0) return false;
    }
    return true;
}

/* Value i of the body: 0 is main, then come the parts. An empty share of a part is not left out. */
static uint64_t key_of(const body_spec *spec, uint32_t i) { return tern__mix64(spec->key + i); }

static size_t len_of(const body_spec *spec, uint32_t i) {
    uint32_t n = spec->n_parts + 1;
    size_t each = spec->bytes / n, rest = spec->bytes % n;
    return i == 0 ? each + rest : each;
}

/* Memory for a value, outside the pool for every fourth, and inside a larger buffer for every fourth. */
static void *value_new(uint64_t key, size_t len) {
    uint8_t *p = NULL;
    if ((key & 3) == 0)
        p = malloc(len);
    else if ((key & 3) == 1 && (p = tern_alloc(len + 40)))
        p += 40;
    else if ((key & 3) > 1)
        p = tern_alloc(len);
    if (p) fill(p, key, len);
    return p;
}

static void value_drop(void *value, size_t len, bool scribble) {
    if (!tern_in_pool(value)) {
        memset(value, 0xdd, len);
        free(value);
        return;
    }
    size_t bytes = 0;
    tern_recover(value, &bytes);
    tern_unref(value);
    void *next = scribble ? tern_alloc(bytes) : NULL;
    if (next) memset(next, 0xee, bytes);
    tern_unref(next);
}

static bool value_add(body *b, const body_spec *spec, uint32_t i, tern_bytes *out) {
    size_t len = len_of(spec, i);
    *out = (tern_bytes){NULL, len};
    if (len == 0) return true;
    void *value = value_new(key_of(spec, i), len);
    if (!value) return false;
    out->data = value;
    b->values[b->n_values] = value;
    b->value_bytes[b->n_values++] = len;
    return true;
}

static bool make_plain(body *b, const body_spec *spec) {
    memset(b, 0, sizeof *b);
    if (!spec->typed) {
        tern_bytes bytes;
        if (!value_add(b, spec, 0, &bytes)) return false;
        b->body = (tern__body){.data = bytes.data, .len = bytes.len};
        return true;
    }
    b->blob.id = (uint32_t)spec->key;
    b->blob.parts = (tern_list_bytes){b->parts, spec->n_parts, 0};
    bool ok = value_add(b, spec, 0, &b->blob.main);
    for (uint32_t i = 0; ok && i < spec->n_parts; i++) ok = value_add(b, spec, i + 1, &b->parts[i]);
    if (!ok) body_drop(b, false);
    b->body = (tern__body){.type = &blob_type, .data = &b->blob, .format = spec->format};
    return ok;
}

static uint64_t block_key(const body_spec *spec) { return tern__mix64(~spec->key); }

bool body_make(body *b, const body_spec *spec) {
    if (!make_plain(b, spec)) return false;
    if (!spec->meta_bytes) return true;
    b->block = malloc(spec->meta_bytes);
    fill(b->block, block_key(spec), spec->meta_bytes);
    tern__body plain = b->body;
    b->behind = tern__body_behind(&plain, b->block, spec->meta_bytes);
    return true;
}

void body_drop(body *b, bool scribble) {
    for (unsigned i = 0; i < b->n_values; i++) value_drop(b->values[i], b->value_bytes[i], scribble);
    if (b->block) memset(b->block, 0xdd, b->behind.block_bytes);
    free(b->block);
    memset(b, 0, sizeof *b);
}

static const char *check_value(const body_spec *spec, uint32_t i, tern_bytes value) {
    if (value.len != len_of(spec, i)) return "a value has the wrong length";
    return filled(value.data, key_of(spec, i), value.len) ? NULL : "a value has the wrong contents";
}

static const char *check_blob(const body_spec *spec, const tern__arrived *msg, tern_arena *arena) {
    blob got;
    const tern__format *format = tern__formats_find(dump_first, msg->format);
    int err = format->decode(&blob_type, &msg->bytes, 1, arena, NULL, &got);
    if (err == TERN_ERR_NOMEM) return NULL;
    if (err) return tern_strerror(err);
    if (got.id != (uint32_t)spec->key) return "the id is wrong";
    if (got.parts.len != spec->n_parts) return "the number of parts is wrong";
    const char *wrong = check_value(spec, 0, got.main);
    for (uint32_t i = 0; !wrong && i < spec->n_parts; i++) wrong = check_value(spec, i + 1, got.parts.data[i]);
    return wrong;
}

const char *body_check_block(const body_spec *spec, const tern__arrived *msg) {
    if (msg->meta_bytes != spec->meta_bytes) return "the metadata block has the wrong length";
    bool right = filled(tern__arrived_begin(msg), block_key(spec), msg->meta_bytes);
    return right ? NULL : "the metadata block has the wrong contents";
}

const char *body_check(const body_spec *spec, const tern__arrived *msg) {
    const char *wrong = body_check_block(spec, msg);
    if (wrong) return wrong;
    if (!spec->typed) {
        tern_bytes bytes = {msg->data, msg->len};
        if (msg->format != TERN_FORMAT_RAW) return "the format is not raw";
        return check_value(spec, 0, bytes);
    }
    tern_format format = spec->format == TERN_FORMAT_RAW ? TERN_FORMAT_HYBRID : spec->format;
    bool may_be_dump = spec->format == TERN_FORMAT_RAW && msg->format == FORMAT_DUMP; /* where both ends have it */
    if (msg->format != format && !may_be_dump) return "the format is wrong";
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    wrong = check_blob(spec, msg, &arena);
    tern_arena_fini(&arena);
    return wrong;
}

const char *body_check_pieces(const body_spec *spec, const tern__arrived *msg, const tern_loan *loan) {
    if (!loan) return body_check(spec, msg);
    size_t n = 0, block = msg->meta_bytes, total = 0;
    for (uint32_t i = 0; i < loan->n; i++) total += loan->pieces[i].len;
    if (total != msg->len) return "the pieces are not as long as the message";
    uint8_t *bytes = malloc(block + total ? block + total : 1);
    if (!bytes) return NULL;
    if (block) memcpy(bytes, tern__arrived_begin(msg), block);
    for (uint32_t i = 0; i < loan->n; n += loan->pieces[i++].len)
        if (loan->pieces[i].len) memcpy(bytes + block + n, loan->pieces[i].data, loan->pieces[i].len);
    tern__arrived whole = *msg;
    whole.data = bytes + block;
    whole.format &= (uint16_t)~TERN__LENT;
    const char *wrong = body_check(spec, &whole);
    free(bytes);
    return wrong;
}

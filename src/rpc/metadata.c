/* Metadata blocks (metadata.h): made by appending, read in place. Each entry is checked against the block's end before
 * anything in it is looked at, so reading is safe whatever a peer sent. */
#include "rpc/metadata.h"

#include <string.h>

#include "codec/utf8.h"

enum { FIRST_ROOM = 256 };

static bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool tern__meta_key_is_valid(const char *key, size_t len) {
    if (len == 0 || len > TERN__META_MAX_KEY) return false;
    for (size_t i = 0; i < len; i++)
        if (!is_key_character(key[i])) return false;
    return true;
}

/* Room for `bytes` more. False: no memory. The old room stays in the arena, which goes with the call. */
static bool reach(tern__meta *meta, tern_arena *arena, uint32_t bytes) {
    uint32_t room = meta->room ? meta->room : FIRST_ROOM;
    while (room - meta->n_bytes < bytes) room *= 2;
    if (room == meta->room) return true;
    uint8_t *block = tern_arena_alloc(arena, room);
    if (!block) return false;
    if (meta->n_bytes) memcpy(block, meta->block, meta->n_bytes);
    meta->block = block;
    meta->room = room;
    return true;
}

static int append(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern__meta_entry *e) {
    if (e->value.len > max_bytes || meta->n_entries == TERN__META_MAX_ENTRIES) return TERN_ERR_LIMIT;
    uint64_t bytes = tern__meta_entry_bytes(e->key.len, e->value.len);
    if (meta->n_bytes + bytes > max_bytes) return TERN_ERR_LIMIT;
    if (!reach(meta, arena, (uint32_t)bytes)) return TERN_ERR_NOMEM;
    uint8_t *p = meta->block + meta->n_bytes;
    memset(p + bytes - 8, 0, 8); /* the padding */
    tern__store32(p, (uint32_t)e->key.len | e->kind << 16);
    tern__store32(p + 4, (uint32_t)e->value.len);
    if (e->key.len) memcpy(p + TERN__META_ENTRY_BYTES, e->key.data, e->key.len);
    if (e->value.len) memcpy(p + TERN__META_ENTRY_BYTES + e->key.len, e->value.data, e->value.len);
    meta->n_bytes += (uint32_t)bytes;
    meta->n_entries++;
    return 0;
}

int tern__meta_add(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern_pair *pair) {
    size_t key_bytes = pair->key ? strnlen(pair->key, TERN__META_MAX_KEY + 1) : 0;
    if (!tern__meta_key_is_valid(pair->key, key_bytes)) return TERN_ERR_INVALID;
    if (!pair->value.data && pair->value.len) return TERN_ERR_INVALID;
    tern__meta_entry entry = {TERN__META_PAIR, {pair->key, key_bytes}, pair->value};
    return append(meta, arena, max_bytes, &entry);
}

int tern__meta_add_all(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern_pair *pairs, size_t n) {
    int err = n && !pairs ? TERN_ERR_INVALID : 0;
    for (size_t i = 0; i < n && !err; i++) err = tern__meta_add(meta, arena, max_bytes, &pairs[i]);
    return err;
}

int tern__meta_add_kind(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, tern__meta_kind kind,
                        tern_bytes value) {
    tern__meta_entry entry = {.kind = kind, .value = value};
    return append(meta, arena, max_bytes, &entry);
}

int tern__meta_append(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern__meta *other) {
    if (meta->n_entries + other->n_entries > TERN__META_MAX_ENTRIES) return TERN_ERR_LIMIT;
    if ((uint64_t)meta->n_bytes + other->n_bytes > max_bytes) return TERN_ERR_LIMIT;
    if (other->n_bytes == 0) return 0;
    if (!reach(meta, arena, other->n_bytes)) return TERN_ERR_NOMEM;
    memcpy(meta->block + meta->n_bytes, other->block, other->n_bytes);
    meta->n_bytes += other->n_bytes;
    meta->n_entries += other->n_entries;
    return 0;
}

bool tern__meta_read(tern_metadata metadata, size_t *at, tern__meta_entry *entry) {
    size_t left = metadata.n_bytes - *at;
    if (*at >= metadata.n_bytes || left < TERN__META_ENTRY_BYTES) return false;
    const uint8_t *p = (const uint8_t *)metadata.block + *at;
    uint32_t first = tern__load32(p), value_bytes = tern__load32(p + 4), key_bytes = first & 0xffff;
    uint64_t bytes = tern__meta_entry_bytes(key_bytes, value_bytes);
    if (bytes > left) return false;
    p += TERN__META_ENTRY_BYTES;
    *entry = (tern__meta_entry){first >> 16, {(const char *)p, key_bytes}, {p + key_bytes, value_bytes}};
    *at += bytes;
    return true;
}

static bool is_valid(const tern__meta_entry *e, bool *has_message, bool *has_details) {
    if (e->kind == TERN__META_PAIR) return tern__meta_key_is_valid(e->key.data, e->key.len);
    if (e->key.len) return false;
    bool *has = e->kind == TERN__META_MESSAGE ? has_message : e->kind == TERN__META_DETAILS ? has_details : NULL;
    if (!has) return true;
    if (*has) return false;
    *has = true;
    return e->kind == TERN__META_DETAILS || tern__utf8_valid(e->value.data, e->value.len);
}

int tern__meta_check(tern_metadata metadata, uint32_t max_bytes) {
    tern__meta_entry e;
    bool has_message = false, has_details = false;
    size_t at = 0, before = 0, message_bytes = 0;
    for (unsigned n = 0; tern__meta_read(metadata, &at, &e); before = at, n++) {
        if (n == TERN__META_MAX_ENTRIES) return TERN_ERR_LIMIT;
        if (!is_valid(&e, &has_message, &has_details)) return TERN_ERR_MALFORMED;
        if (e.kind != TERN__META_MESSAGE) continue;
        if (e.value.len > TERN__META_MAX_MESSAGE) return TERN_ERR_LIMIT;
        message_bytes = at - before;
    }
    if (at != metadata.n_bytes) return TERN_ERR_MALFORMED;
    return at - message_bytes > max_bytes ? TERN_ERR_LIMIT : 0;
}

tern_bytes tern__meta_find_kind(tern_metadata metadata, tern__meta_kind kind) {
    tern__meta_entry e;
    for (size_t at = 0; tern__meta_read(metadata, &at, &e);)
        if (e.kind == kind) return e.value;
    return (tern_bytes){0};
}

/* Text without what does not fit; a character of UTF-8 is left out whole. */
static size_t message_length(const char *text) {
    size_t len = text ? strnlen(text, TERN__META_MAX_MESSAGE + 1) : 0;
    if (len <= TERN__META_MAX_MESSAGE) return len;
    for (len--; len && ((uint8_t)text[len] & 0xc0) == 0x80;) len--;
    return len;
}

int tern__meta_make_error(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern__meta_error *error) {
    tern_bytes text = {error->message, message_length(error->message)};
    bool is_text = tern__utf8_valid(text.data, text.len);
    int err = 0;
    *meta = (tern__meta){0};
    if (text.len && is_text) err = tern__meta_add_kind(meta, arena, TERN__META_MESSAGE_ROOM, TERN__META_MESSAGE, text);
    tern__meta alone = *meta;
    max_bytes += meta->n_bytes;
    if (!err && error->details.len && !error->details.data) err = TERN_ERR_INVALID;
    if (!err && error->details.len)
        err = tern__meta_add_kind(meta, arena, max_bytes, TERN__META_DETAILS, error->details);
    if (!err && error->before) err = tern__meta_append(meta, arena, max_bytes, error->before);
    if (!err) err = tern__meta_add_all(meta, arena, max_bytes, error->trailing, error->n_trailing);
    if (err) *meta = alone;
    return err || is_text ? err : TERN_ERR_UTF8;
}

bool tern_metadata_next(tern_metadata metadata, size_t *at, tern_str *key, tern_bytes *value) {
    tern__meta_entry e;
    while (tern__meta_read(metadata, at, &e)) {
        if (e.kind != TERN__META_PAIR) continue;
        *key = e.key;
        *value = e.value;
        return true;
    }
    return false;
}

tern_bytes tern_metadata_find(tern_metadata metadata, const char *key) {
    tern_str at_key;
    tern_bytes value;
    size_t len = strlen(key);
    for (size_t at = 0; tern_metadata_next(metadata, &at, &at_key, &value);)
        if (at_key.len == len && memcmp(at_key.data, key, len) == 0) return value;
    return (tern_bytes){0};
}

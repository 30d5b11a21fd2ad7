/* Strings of JSON that mean something else: bytes in base64, times, durations, field masks. */
#include "codec/json_reader.h"

/* ---- Bytes --------------------------------------------------------------------------------------- */

static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

/* Padding fills the last four letters up, or is left out. */
static size_t without_padding(tern_str text) {
    size_t len = text.len;
    if (len % 4 != 0 || len == 0 || text.data[len - 1] != '=') return len;
    return text.data[len - 2] == '=' ? len - 2 : len - 1;
}

/* Bits of the last letter that no byte takes are not looked at: the conformance tests have "-_". */
bool tern__json_read_bytes(json_reader *r, tern_bytes *out) {
    tern_str text;
    if (!tern__json_string(&r->s, false, &text)) return false;
    size_t len = without_padding(text), n = 0;
    if (len % 4 == 1) return refuse(r, "not base64");
    *out = (tern_bytes){NULL, 0};
    if (len == 0) return true;
    uint8_t *data = tern_arena_alloc(r->s.arena, len / 4 * 3 + 3);
    if (!data) return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    uint32_t word = 0;
    for (size_t i = 0; i < len; i++) {
        int value = base64_value(text.data[i]);
        if (value < 0) return refuse(r, "not base64");
        word = word << 6 | (uint32_t)value;
        if (i % 4) data[n++] = (uint8_t)(word >> (6 - i % 4 * 2));
    }
    *out = (tern_bytes){data, n};
    return true;
}

/* ---- Times and masks ------------------------------------------------------------------------------ */

bool tern__json_read_time(json_reader *r, const tern_type *type, bool duration, void *msg) {
    tern_str text;
    int64_t seconds;
    int32_t nanos;
    if (!tern__json_string(&r->s, false, &text)) return false;
    if (duration && !tern__wkt_read_duration(text, &seconds, &nanos)) return refuse(r, "not a duration");
    if (!duration && !tern__wkt_read_timestamp(text, &seconds, &nanos)) return refuse(r, "not a time by RFC 3339");
    memcpy(member_numbered(type, 1, msg), &seconds, sizeof seconds);
    memcpy(member_numbered(type, 2, msg), &nanos, sizeof nanos);
    return true;
}

static bool add_path(json_reader *r, tern_str path, tern_list_str *paths) {
    if (path.len == 0) return refuse(r, "an empty path");
    if (!json_take_elements(r, 1)) return false;
    char *copy = tern_arena_alloc(r->s.arena, 2 * path.len);
    if (!copy || tern_list_reserve(paths, paths->len + 1, sizeof *paths->data, r->s.arena) != 0)
        return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    size_t len = tern__wkt_read_path(path, copy);
    if (len == SIZE_MAX) return refuse(r, "not a path in lowerCamelCase");
    paths->data[paths->len++] = (tern_str){copy, len};
    return true;
}

bool tern__json_read_field_mask(json_reader *r, const tern_type *type, void *msg) {
    tern_str text;
    tern_list_str *paths = member_numbered(type, 1, msg);
    if (!tern__json_string(&r->s, false, &text)) return false;
    while (text.len > 0) {
        const char *comma = memchr(text.data, ',', text.len);
        size_t len = comma ? (size_t)(comma - text.data) : text.len;
        if (!add_path(r, (tern_str){text.data, len}, paths)) return false;
        if (!comma) break;
        text = (tern_str){comma + 1, text.len - len - 1};
        if (text.len == 0) return refuse(r, "an empty path");
    }
    return true;
}

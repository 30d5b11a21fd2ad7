/* The well-known types and base64 out of JSON; a part of the decoder (json_decode.c). */
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

/* ---- Strings ------------------------------------------------------------------------------------- */

static void *member_numbered(const tern_type *type, uint32_t number, void *msg) {
    return (uint8_t *)msg + tern_type_field(type, number)->offset;
}

static bool read_time(json_reader *r, const tern_type *type, bool duration, void *msg) {
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
    if (!tern__json_take_elements(r, 1)) return false;
    char *copy = tern_arena_alloc(r->s.arena, 2 * path.len);
    if (!copy || tern_list_reserve(paths, paths->len + 1, sizeof *paths->data, r->s.arena) != 0)
        return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    size_t len = tern__wkt_read_path(path, copy);
    if (len == SIZE_MAX) return refuse(r, "not a path in lowerCamelCase");
    paths->data[paths->len++] = (tern_str){copy, len};
    return true;
}

static bool read_field_mask(json_reader *r, const tern_type *type, void *msg) {
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

/* ---- Value --------------------------------------------------------------------------------------- */

static bool read_dynamic(json_reader *r, const tern_type *type, void *msg) {
    uint32_t number = VALUE_NUMBER;
    switch (tern__json_peek(&r->s)) {
    case 'n': number = VALUE_NULL; break;
    case '"': number = VALUE_STRING; break;
    case 't':
    case 'f': number = VALUE_BOOL; break;
    case '{': number = VALUE_STRUCT; break;
    case '[': number = VALUE_LIST; break;
    default: break;
    }
    const tern_field *field = tern_type_field(type, number);
    if (number != VALUE_NULL) return tern__json_read_field(r, type, field, msg);
    if (!tern__json_word(&r->s, "null")) return false;
    memcpy((uint8_t *)msg + field->has * 4u, &number, sizeof number);
    return true;
}

/* ---- Any ----------------------------------------------------------------------------------------- */

/* Reads ahead for the member "@type", to leave the scanner where it was. An object without members has none, nor
 * needs one: *url is then empty. */
static bool find_url(json_reader *r, tern_str *url) {
    const char *start = r->s.p;
    *url = (tern_str){NULL, 0};
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        tern_str name;
        if (!tern__json_name(&r->s, false, &name)) return false;
        if (tern_str_eq(name, tern_str_of("@type"))) {
            if (!tern__json_string(&r->s, true, url)) return false;
            if (url->len == 0) return refuse(r, "\"@type\" is empty");
            break;
        }
        if (!tern__json_skip(&r->s)) return false;
        if ((size_t)(r->s.p - start) > r->lookahead_left)
            return tern__json_fail(&r->s, TERN_ERR_LIMIT, "\"@type\" comes too late, too often");
    }
    if (r->s.err) return false;
    r->lookahead_left -= (size_t)(r->s.p - start) < r->lookahead_left ? (size_t)(r->s.p - start) : r->lookahead_left;
    r->s.p = start;
    return true;
}

static const tern_type *type_of_url(json_reader *r, tern_str url) {
    size_t start = url.len;
    while (start > 0 && url.data[start - 1] != '/') start--;
    if (start == 0) {
        refuse(r, "\"@type\" is no URL of a type");
        return NULL;
    }
    const tern_type *type = tern_registry_find(r->o.registry, (tern_str){url.data + start, url.len - start});
    if (!type) tern__json_fail(&r->s, TERN_ERR_NOT_FOUND, "\"@type\" names a type that is not registered");
    return type;
}

/* The content of an Any whose type has a form of its own stands under "value". */
static bool read_value_member(json_reader *r, const tern_type *type, void *msg) {
    size_t n_values = 0, n_types = 0;
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        tern_str name;
        if (!tern__json_name(&r->s, false, &name)) return false;
        bool is_type = tern_str_eq(name, tern_str_of("@type")), is_value = tern_str_eq(name, tern_str_of("value"));
        if ((is_type && n_types++) || (is_value && n_values++)) return refuse(r, "the member comes twice");
        if (!is_type && !is_value && !r->o.ignore_unknown) return refuse(r, "only \"value\" is expected");
        if (is_value ? !tern__json_read_message(r, type, msg) : !tern__json_skip(&r->s)) return false;
    }
    if (r->s.err) return false;
    return n_values ? true : refuse(r, "\"value\" is missing");
}

/* The content of an Any is encoded as protobuf. */
static bool pack(json_reader *r, const tern_type *type, const void *content, tern_bytes *out) {
    int64_t len = tern_protobuf_size(type, content);
    if (len == TERN_ERR_INVALID) return refuse(r, "a required field is missing");
    if (len < 0) return tern__json_fail(&r->s, (int)len, "the content of an Any is too large");
    void *data = tern_arena_alloc(r->s.arena, (size_t)len);
    if (!data) return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    if (tern_protobuf_encode(type, content, data, (size_t)len) != len)
        return tern__json_fail(&r->s, TERN_ERR_LIMIT, "the content of an Any is too large");
    *out = (tern_bytes){data, (size_t)len};
    return true;
}

static bool read_any(json_reader *r, const tern_type *type, void *msg) {
    tern_str url;
    if (!tern__json_expect(&r->s, '{') || !find_url(r, &url)) return false;
    if (url.len == 0) {
        size_t n = 0;
        if (tern__json_next(&r->s, '}', &n)) return refuse(r, "\"@type\" is missing");
        return !r->s.err;
    }
    const tern_type *sub = type_of_url(r, url);
    void *content = sub ? tern__json_new_message(r, sub) : NULL;
    if (!content) return false;
    bool ok = tern__wkt_of(sub) == WKT_NONE ? tern__json_read_members(r, sub, "@type", content)
                                            : read_value_member(r, sub, content);
    if (!ok || !pack(r, sub, content, member_numbered(type, 2, msg))) return false;
    memcpy(member_numbered(type, 1, msg), &url, sizeof url);
    return true;
}

bool tern__json_read_wkt(json_reader *r, wkt which, const tern_type *type, void *msg) {
    switch (which) {
    case WKT_ANY: return read_any(r, type, msg);
    case WKT_DURATION: return read_time(r, type, true, msg);
    case WKT_TIMESTAMP: return read_time(r, type, false, msg);
    case WKT_FIELD_MASK: return read_field_mask(r, type, msg);
    case WKT_VALUE: return read_dynamic(r, type, msg);
    default: return tern__json_read_field(r, type, tern_type_field(type, 1), msg);
    }
}

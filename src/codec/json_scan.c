/* The JSON tokenizer; see json_scan.h. */
#include "codec/json_scan.h"

#include "codec/text_number.h"
#include "codec/utf8.h"

bool tern__json_fail(json_scan *s, int err, const char *why) {
    if (!s->err) {
        s->err = err;
        s->why = why;
        s->at = s->p;
    }
    return false;
}

bool tern__json_fail_here(json_scan *s, const char *why) {
    if (s->p == s->end) return tern__json_fail(s, TERN_ERR_TRUNCATED, "the text ends too early");
    return tern__json_fail(s, TERN_ERR_MALFORMED, why);
}

char tern__json_peek(json_scan *s) {
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t')) s->p++;
    return s->p < s->end ? *s->p : 0;
}

bool tern__json_expect(json_scan *s, char c) {
    if (tern__json_peek(s) == c && s->p < s->end) {
        s->p++;
        return true;
    }
    switch (c) {
    case '{': return tern__json_fail_here(s, "an object is expected");
    case '[': return tern__json_fail_here(s, "an array is expected");
    case '"': return tern__json_fail_here(s, "a string is expected");
    default: return tern__json_fail_here(s, "a colon is expected");
    }
}

bool tern__json_next(json_scan *s, char closing, size_t *n) {
    if (s->err) return false;
    char c = tern__json_peek(s);
    if (c == closing) {
        s->p++;
        return false;
    }
    if ((*n)++ == 0) return true;
    if (c != ',') return tern__json_fail_here(s, "a comma or the closing bracket is expected");
    s->p++;
    return true;
}

/* ---- Strings ------------------------------------------------------------------------------------- */

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The four digits after "\u". */
static bool read_hex4(json_scan *s, uint32_t *out) {
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int digit = s->p < s->end ? hex_value(*s->p) : -1;
        if (digit < 0) return tern__json_fail_here(s, "an escape needs four hexadecimal digits");
        *out = *out << 4 | (uint32_t)digit;
        s->p++;
    }
    return true;
}

static char *put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *out++ = (char)(0xe0 | c >> 12);
        } else {
            *out++ = (char)(0xf0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *out++ = (char)(0x80 | (c & 0x3f));
    return out;
}

/* A code point written as \uXXXX, or as two of them that are a surrogate pair. */
static char *read_unicode(json_scan *s, char *out) {
    uint32_t c, low;
    if (!read_hex4(s, &c)) return NULL;
    if (c >= 0xdc00 && c < 0xe000) goto lone;
    if (c >= 0xd800 && c < 0xdc00) {
        if (s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u') goto lone;
        s->p += 2;
        if (!read_hex4(s, &low)) return NULL;
        if (low < 0xdc00 || low >= 0xe000) goto lone;
        c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
    }
    return put_utf8(out, c);
lone:
    tern__json_fail_here(s, "half of a surrogate pair");
    return NULL;
}

/* The escape after a backslash; never longer resolved than written. */
static char *read_escape(json_scan *s, char *out) {
    char c = s->p < s->end ? *s->p : 0;
    if (c == 'u') {
        s->p++;
        return read_unicode(s, out);
    }
    switch (c) {
    case '"':
    case '\\':
    case '/': break;
    case 'b': c = '\b'; break;
    case 'f': c = '\f'; break;
    case 'n': c = '\n'; break;
    case 'r': c = '\r'; break;
    case 't': c = '\t'; break;
    default: tern__json_fail_here(s, "an unknown escape"); return NULL;
    }
    s->p++;
    *out = c;
    return out + 1;
}

/* Moves p to the string's closing quote and counts its escapes. */
static bool find_quote(json_scan *s, size_t *n_escapes) {
    for (*n_escapes = 0; s->p < s->end && *s->p != '"'; s->p++) {
        if ((uint8_t)*s->p < 0x20) return tern__json_fail_here(s, "a control character in a string");
        if (*s->p != '\\') continue;
        ++*n_escapes;
        s->p++;
        if (s->p == s->end) break;
    }
    return s->p < s->end ? true : tern__json_fail(s, TERN_ERR_TRUNCATED, "the text ends within a string");
}

/* The string from p to its quote, resolved to `out`; returns the end of it. */
static char *unescape(json_scan *s, const char *quote, char *out) {
    while (out && s->p < quote) {
        char c = *s->p++;
        if (c == '\\')
            out = read_escape(s, out);
        else
            *out++ = c;
    }
    return out;
}

bool tern__json_string(json_scan *s, bool keep, tern_str *out) {
    size_t n_escapes;
    if (!tern__json_expect(s, '"')) return false;
    const char *start = s->p;
    if (!find_quote(s, &n_escapes)) return false;
    const char *quote = s->p;
    *out = (tern_str){start, (size_t)(quote - start)};
    if (!tern__utf8_valid(out->data, out->len)) {
        s->p = start;
        return tern__json_fail(s, TERN_ERR_UTF8, "a string is not valid UTF-8");
    }
    if (n_escapes || (keep && out->len)) {
        char *copy = tern_arena_alloc(s->arena, out->len + 1);
        if (!copy) return tern__json_fail(s, TERN_ERR_NOMEM, "out of memory");
        out->data = copy;
        if (n_escapes == 0) {
            memcpy(copy, start, out->len);
        } else {
            s->p = start;
            const char *end = unescape(s, quote, copy);
            if (!end) return false;
            out->len = (size_t)(end - copy);
        }
    }
    s->p = quote + 1;
    return true;
}

bool tern__json_name(json_scan *s, bool keep, tern_str *out) {
    return tern__json_string(s, keep, out) && tern__json_expect(s, ':');
}

/* ---- Other values -------------------------------------------------------------------------------- */

static bool is_number_byte(char c) { return (c >= '0' && c <= '9') || strchr("+-.eE", c) != NULL; }

bool tern__json_number(json_scan *s, tern_str *out) {
    tern__json_peek(s);
    const char *start = s->p, *p = start;
    while (p < s->end && *p && is_number_byte(*p)) p++;
    *out = (tern_str){start, (size_t)(p - start)};
    if (!tern__number_valid(*out)) {
        bool begun = p > start && *start != '+' && (p[-1] < '0' || p[-1] > '9');
        if (p == s->end && begun) s->p = p; /* more of it could follow */
        return tern__json_fail_here(s, "a number is expected");
    }
    s->p = p;
    return true;
}

bool tern__json_word(json_scan *s, const char *word) {
    size_t len = strlen(word);
    tern__json_peek(s);
    if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len) != 0)
        return tern__json_fail_here(s, "neither a value of JSON nor what the field takes");
    s->p += len;
    return true;
}

static bool skip_members(json_scan *s, char closing) {
    tern_str name;
    s->p++;
    for (size_t n = 0; tern__json_next(s, closing, &n);) {
        if (closing == '}' && !tern__json_name(s, false, &name)) return false;
        if (!tern__json_skip(s)) return false;
    }
    return !s->err;
}

bool tern__json_skip(json_scan *s) {
    tern_str ignored;
    char c = tern__json_peek(s);
    switch (c) {
    case '"': return tern__json_string(s, false, &ignored);
    case 't': return tern__json_word(s, "true");
    case 'f': return tern__json_word(s, "false");
    case 'n': return tern__json_word(s, "null");
    case '{':
    case '[': break;
    default: return tern__json_number(s, &ignored);
    }
    if (s->depth_left == 0) return tern__json_fail(s, TERN_ERR_LIMIT, "nested too deep");
    s->depth_left--;
    bool ok = skip_members(s, c == '{' ? '}' : ']');
    s->depth_left++;
    return ok;
}

bool tern__json_end(json_scan *s) {
    tern__json_peek(s);
    return s->p == s->end ? true : tern__json_fail(s, TERN_ERR_MALFORMED, "something follows the value");
}

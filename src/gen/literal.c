/* Default values, from the text that protoc passes on to C expressions. Nothing of the text is copied into
 * the output unread: numbers are parsed and printed anew, strings are escaped byte by byte. */
#include "gen/literal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* C99 promises no more for one string. */
enum { LITERAL_MAX_BYTES = 4095 };

void literal_string(text *out, const char *data, size_t len) {
    text_add(out, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)data[i];
        if (c == '"' || c == '\\' || c == '?')
            text_add(out, "\\%c", c);
        else if (c >= 32 && c < 127)
            text_add_bytes(out, &c, 1);
        else
            text_add(out, "\\%03o", c);
    }
    text_add(out, "\"");
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One escape after a backslash. Returns the characters used, 0 when it is none. */
static size_t unescape_one(const char *p, size_t left, unsigned char *out) {
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    unsigned value = 0;
    size_t n = 0;
    if (left == 0) return 0;
    const char *found = memchr(names, p[0], sizeof names - 1);
    if (found) {
        *out = (unsigned char)values[found - names];
        return 1;
    }
    if (p[0] == 'x' || p[0] == 'X') {
        for (n = 1; n < left && n < 3 && hex_digit(p[n]) >= 0; n++) value = value * 16 + (unsigned)hex_digit(p[n]);
        *out = (unsigned char)value;
        return n > 1 ? n : 0;
    }
    for (; n < left && n < 3 && p[n] >= '0' && p[n] <= '7'; n++) value = value * 8 + (unsigned)(p[n] - '0');
    *out = n ? (unsigned char)value : (unsigned char)p[0];
    return n ? n : 1;
}

/* Bytes defaults come C-escaped. */
static bool unescape_bytes(gen *g, const char *in, size_t len, tern_str *out) {
    char *data = gen_alloc(g->arena, len + 1);
    size_t n = 0;
    for (size_t i = 0; i < len;) {
        if (in[i] != '\\') {
            data[n++] = in[i++];
            continue;
        }
        unsigned char byte;
        size_t used = unescape_one(in + i + 1, len - i - 1, &byte);
        if (used == 0) return false;
        data[n++] = (char)byte;
        i += 1 + used;
    }
    *out = (tern_str){data, n};
    return true;
}

static bool literal_signed(text *out, const char *in, int64_t min, int64_t max, bool wide) {
    char *end;
    errno = 0;
    long long value = strtoll(in, &end, 10);
    if (errno || end == in || *end || value < min || value > max) return false;
    if (value == INT64_MIN)
        text_add(out, "(-INT64_C(9223372036854775807) - 1)");
    else if (value == INT32_MIN && !wide)
        text_add(out, "(-2147483647 - 1)");
    else
        text_add(out, wide ? "INT64_C(%lld)" : "%lld", value);
    return true;
}

static bool literal_unsigned(text *out, const char *in, uint64_t max, bool wide) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(in, &end, 10);
    if (errno || end == in || *end || in[0] == '-' || value > max) return false;
    text_add(out, wide ? "UINT64_C(%llu)" : "%lluu", value);
    return true;
}

static bool literal_float(text *out, const char *in, bool is_float) {
    char *end, buffer[64];
    double value = strtod(in, &end);
    const char *suffix = is_float ? "f" : "";
    if (end == in || *end) return false;
    if (isnan(value)) {
        text_add(out, is_float ? "(float)NAN" : "(double)NAN");
        return true;
    }
    if (isinf(value) || (is_float && isinf((float)value))) {
        text_add(out, "%s%s", value < 0 ? "-" : "", is_float ? "(float)INFINITY" : "(double)INFINITY");
        return true;
    }
    snprintf(buffer, sizeof buffer, is_float ? "%.9g" : "%.17g", value);
    text_add(out, "%s%s%s", buffer, strpbrk(buffer, ".e") ? "" : ".0", suffix);
    return true;
}

static bool literal_enum(text *out, const gen_field *field, const char *in) {
    const char *name = hash_map_get(&field->enumeration->values, hash_text(HASH_START, in));
    if (name) text_add(out, "%s", name);
    return name != NULL;
}

/* What is too long for a string in portable C becomes an array, declared before it is used. */
static void literal_array(text *before, tern_str value) {
    text_add(before, "    static const char text[] = {");
    for (size_t i = 0; i < value.len; i++)
        text_add(before, "%s'\\%03o'",
                 i == 0   ? ""
                 : i % 16 ? ", "
                          : ",\n        ",
                 (unsigned)(unsigned char)value.data[i]);
    text_add(before, "};\n");
}

static bool literal_view(gen *g, const gen_field *field, text *before, text *out) {
    tern_str value = field->desc->default_value;
    if (field->kind == TERN_BYTES && !unescape_bytes(g, value.data, value.len, &value)) return false;
    text_add(out, "{");
    if (value.len > LITERAL_MAX_BYTES)
        text_add(out, "text");
    else
        literal_string(out, value.data, value.len);
    text_add(out, ", %zu}", value.len);
    if (value.len > LITERAL_MAX_BYTES) literal_array(before, value);
    return true;
}

bool literal_default(gen *g, const gen_field *field, text *before, text *out) {
    const char *in = gen_cstr(g, field->desc->default_value);
    switch (field->kind) {
    case TERN_STRING:
    case TERN_BYTES: return literal_view(g, field, before, out);
    case TERN_ENUM: return literal_enum(out, field, in);
    case TERN_DOUBLE: return literal_float(out, in, false);
    case TERN_FLOAT: return literal_float(out, in, true);
    case TERN_UINT32:
    case TERN_FIXED32: return literal_unsigned(out, in, UINT32_MAX, false);
    case TERN_UINT64:
    case TERN_FIXED64: return literal_unsigned(out, in, UINT64_MAX, true);
    case TERN_INT32:
    case TERN_SINT32:
    case TERN_SFIXED32: return literal_signed(out, in, INT32_MIN, INT32_MAX, false);
    case TERN_INT64:
    case TERN_SINT64:
    case TERN_SFIXED64: return literal_signed(out, in, INT64_MIN, INT64_MAX, true);
    case TERN_BOOL: text_add(out, "%s", in); return strcmp(in, "true") == 0 || strcmp(in, "false") == 0;
    default: return false;
    }
}

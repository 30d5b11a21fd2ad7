/* Numbers as text and back.
 *
 * The digits come from the C library, whose printf and strtod round exactly; only the decimal point, which they take
 * from the thread's locale, is exchanged. What a locale's point is, printf itself tells: that needs no state and is
 * right under uselocale() too. Integers are read from their digits, so that all 64 bits are kept. */
#include "codec/text_number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Replaces whatever stands for the decimal point by ".". */
static size_t with_plain_point(char *text) {
    size_t n = 0;
    bool in_point = false;
    for (const char *p = text; *p; p++) {
        bool plain = is_digit(*p) || *p == '-' || *p == '+' || *p == 'e';
        if (plain)
            text[n++] = *p;
        else if (!in_point)
            text[n++] = '.';
        in_point = !plain;
    }
    text[n] = 0;
    return n;
}

size_t tern__number_print_float(float value, char *out) {
    int saved = errno;
    snprintf(out, NUMBER_TEXT_BYTES, "%.6g", (double)value);
    if (strtof(out, NULL) != value) snprintf(out, NUMBER_TEXT_BYTES, "%.9g", (double)value);
    errno = saved;
    return with_plain_point(out);
}

size_t tern__number_print_double(double value, char *out) {
    int saved = errno;
    snprintf(out, NUMBER_TEXT_BYTES, "%.15g", value);
    if (strtod(out, NULL) != value) snprintf(out, NUMBER_TEXT_BYTES, "%.17g", value);
    errno = saved;
    return with_plain_point(out);
}

/* ---- Grammar ------------------------------------------------------------------------------------- */

/* The parts of a valid number. */
typedef struct number_parts {
    tern_str whole, fraction, exponent; /* digits; the exponent may be empty */
    bool negative, negative_exponent;
} number_parts;

static tern_str take_digits(const char **p, const char *end) {
    tern_str digits = {*p, 0};
    for (; *p < end && is_digit(**p); (*p)++) digits.len++;
    return digits;
}

static bool split(tern_str text, number_parts *parts) {
    const char *p = text.data, *end = p + text.len;
    memset(parts, 0, sizeof *parts);
    if (p < end && *p == '-') {
        parts->negative = true;
        p++;
    }
    parts->whole = take_digits(&p, end);
    if (parts->whole.len == 0 || (parts->whole.len > 1 && parts->whole.data[0] == '0')) return false;
    if (p < end && *p == '.') {
        p++;
        parts->fraction = take_digits(&p, end);
        if (parts->fraction.len == 0) return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '-' || *p == '+')) parts->negative_exponent = *p++ == '-';
        parts->exponent = take_digits(&p, end);
        if (parts->exponent.len == 0) return false;
    }
    return p == end;
}

bool tern__number_valid(tern_str text) {
    number_parts parts;
    return text.len > 0 && split(text, &parts);
}

/* ---- Floats -------------------------------------------------------------------------------------- */

enum { SHORT_BYTES = 128, POINT_BYTES = 16 };

/* The text with a NUL and the locale's decimal point: in `room` of SHORT_BYTES if it is short, else in the arena. */
static char *for_strtod(tern_str text, tern_arena *arena, char *room) {
    char point[POINT_BYTES + 8];
    int len = snprintf(point, sizeof point, "%.1f", 0.5); /* 0, the point, 5 */
    size_t point_bytes = len > 2 && len < (int)sizeof point ? (size_t)len - 2 : 0;
    size_t bytes = text.len + point_bytes + 1;
    char *copy = bytes <= SHORT_BYTES ? room : tern_arena_alloc(arena, bytes);
    if (!copy) return NULL;
    const char *dot = memchr(text.data, '.', text.len);
    size_t before = dot ? (size_t)(dot - text.data) : text.len, after = dot ? text.len - before - 1 : 0;
    memcpy(copy, text.data, before);
    char *p = copy + before;
    if (dot) {
        memcpy(p, point + 1, point_bytes);
        p += point_bytes;
        memcpy(p, dot + 1, after);
        p += after;
    }
    *p = 0;
    return copy;
}

int tern__number_read_float(tern_str text, tern_arena *arena, float *out) {
    char room[SHORT_BYTES], *copy = for_strtod(text, arena, room);
    if (!copy) return TERN_ERR_NOMEM;
    int saved = errno;
    *out = strtof(copy, NULL);
    errno = saved;
    return isinf(*out) ? TERN_ERR_LIMIT : 0;
}

int tern__number_read_double(tern_str text, tern_arena *arena, double *out) {
    char room[SHORT_BYTES], *copy = for_strtod(text, arena, room);
    if (!copy) return TERN_ERR_NOMEM;
    int saved = errno;
    *out = strtod(copy, NULL);
    errno = saved;
    return isinf(*out) ? TERN_ERR_LIMIT : 0;
}

/* ---- Integers ------------------------------------------------------------------------------------ */

static bool push_digit(uint64_t *value, char digit) {
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, (uint64_t)(digit - '0'), value);
}

static bool all_zero(tern_str digits) {
    for (size_t i = 0; i < digits.len; i++)
        if (digits.data[i] != '0') return false;
    return true;
}

/* An exponent, or a bound beyond which it makes no difference for digits of this length. */
static int64_t exponent_of(const number_parts *parts, int64_t bound) {
    int64_t value = 0;
    for (size_t i = 0; i < parts->exponent.len && value <= bound; i++)
        value = value * 10 + (parts->exponent.data[i] - '0');
    return parts->negative_exponent ? -value : value;
}

bool tern__number_read_integer(tern_str text, uint64_t *magnitude, bool *negative) {
    number_parts parts;
    *magnitude = 0;
    if (!split(text, &parts)) return false;
    *negative = parts.negative;
    if (all_zero(parts.whole) && all_zero(parts.fraction)) return true;
    /* The decimal point stands after `digits` of the whole and fractional digits, which may be none or more than there
     * are. What is before it is the value, and what is after it must be zero. */
    int64_t n = (int64_t)(parts.whole.len + parts.fraction.len);
    int64_t digits = (int64_t)parts.whole.len + exponent_of(&parts, n + 64);
    for (int64_t i = 0; i < n; i++) {
        char digit =
            (size_t)i < parts.whole.len ? parts.whole.data[i] : parts.fraction.data[i - (int64_t)parts.whole.len];
        if (i < digits ? !push_digit(magnitude, digit) : digit != '0') return false;
    }
    for (int64_t i = n; i < digits; i++)
        if (!push_digit(magnitude, '0')) return false;
    return true;
}

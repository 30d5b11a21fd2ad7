/* Whether bytes are valid UTF-8 and so may be a proto3 string: no overlong forms, no surrogates, nothing
 * above U+10FFFF. */
#ifndef KV_UTF8_H
#define KV_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the valid sequence at p, or 0. */
static inline size_t utf8_sequence(const uint8_t *p, size_t left) {
    if (p[0] < 0x80) return 1;
    size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || len > left) return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool outside = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
    return overlong || outside ? 0 : len;
}

static inline bool utf8_valid(const char *text, size_t len) {
    const uint8_t *p = (const uint8_t *)text;
    while (len > 0) {
        size_t n = utf8_sequence(p, len);
        if (n == 0) return false;
        p += n;
        len -= n;
    }
    return true;
}

#endif

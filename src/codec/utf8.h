/* UTF-8 validation (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF). */
#ifndef TERN_CODEC_UTF8_H
#define TERN_CODEC_UTF8_H

#include "base/base.h"

bool tern__utf8_valid_slow(const uint8_t *p, const uint8_t *end);

/* Whether the bytes are valid UTF-8. ASCII, which most strings are, goes eight bytes at a step, and a
 * last short piece is covered by one load that overlaps what was seen. */
static inline bool tern__utf8_valid(const void *data, size_t len) {
    const uint64_t high = 0x8080808080808080u;
    const uint8_t *p = (const uint8_t *)data;
    if (len >= 8) {
        const uint8_t *end = p + len;
        for (; end - p >= 8; p += 8)
            if (tern__load64(p) & high) return tern__utf8_valid_slow(p, end);
        return !(tern__load64(end - 8) & high) || tern__utf8_valid_slow(p, end);
    }
    for (size_t i = 0; i < len; i++)
        if (p[i] & 0x80) return tern__utf8_valid_slow(p + i, p + len);
    return true;
}

#endif

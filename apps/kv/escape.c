#include "escape.h"

#include <stdbool.h>
#include <stdint.h>

#include "utf8.h"

/* Whether a terminal shows the character, of n bytes of valid UTF-8, without being moved by it. */
static bool is_shown(const uint8_t *p, size_t n) {
    if (n == 1) return p[0] >= 0x20 && p[0] != 0x7f;
    if (n == 2) return p[0] != 0xc2 || p[1] >= 0xa0;
    if (n != 3 || p[0] != 0xe2) return true;
    if (p[1] == 0x80) return p[2] != 0x8e && p[2] != 0x8f && (p[2] < 0xa8 || p[2] > 0xae);
    return p[1] != 0x81 || p[2] < 0xa6 || p[2] > 0xa9;
}

static char letter_of(uint8_t byte) {
    switch (byte) {
    case '\\': return '\\';
    case '\n': return 'n';
    case '\t': return 't';
    case '\r': return 'r';
    default: return 0;
    }
}

void escape_print(FILE *out, const char *text, size_t len) {
    const uint8_t *p = (const uint8_t *)text;
    for (size_t at = 0, n; at < len; at += n) {
        char letter = letter_of(p[at]);
        n = utf8_sequence(p + at, len - at);
        if (letter) {
            fprintf(out, "\\%c", letter);
        } else if (n > 0 && is_shown(p + at, n)) {
            fwrite(p + at, 1, n, out);
        } else {
            n = n ? n : 1;
            for (size_t i = 0; i < n; i++) fprintf(out, "\\x%02x", p[at + i]);
        }
    }
}

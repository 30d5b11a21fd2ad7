/* Text into a caller's room or an arena; see text_writer.h. */
#include "codec/text_writer.h"

#include "base/base.h"

void tern__text_put(text_writer *w, const char *text, size_t len) {
    if (len == 0 || w->err) return;
    if (w->arena && len > w->cap - w->len) {
        tern_list list = {w->data, w->len, w->cap};
        int err = len > SIZE_MAX / 2 - w->len ? TERN_ERR_NOMEM : tern_list_reserve(&list, w->len + len, 1, w->arena);
        if (err) {
            w->err = err;
            return;
        }
        w->data = list.data;
        w->cap = list.cap;
    }
    if (w->len < w->cap) memcpy(w->data + w->len, text, len < w->cap - w->len ? len : w->cap - w->len);
    w->len += len;
}

void tern__text_puts(text_writer *w, const char *text) { tern__text_put(w, text, strlen(text)); }

void tern__text_put_spaces(text_writer *w, size_t n) {
    static const char spaces[] = "                                ";
    for (; n > sizeof spaces - 1; n -= sizeof spaces - 1) tern__text_put(w, spaces, sizeof spaces - 1);
    tern__text_put(w, spaces, n);
}

void tern__text_put_u64(text_writer *w, uint64_t value) {
    char digits[20], *p = digits + sizeof digits;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    tern__text_put(w, p, (size_t)(digits + sizeof digits - p));
}

void tern__text_put_i64(text_writer *w, int64_t value) {
    if (value < 0) tern__text_put(w, "-", 1);
    tern__text_put_u64(w, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void tern__text_put_decimals(text_writer *w, uint32_t value, unsigned digits) {
    char text[10];
    for (unsigned i = digits; i-- > 0; value /= 10) text[i] = (char)('0' + value % 10);
    tern__text_put(w, text, digits);
}

void tern__text_put_hex(text_writer *w, uint64_t value, unsigned digits) {
    char text[16];
    for (unsigned i = digits; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
    tern__text_put(w, text, digits);
}

void tern__text_put_integer(text_writer *w, unsigned kind, const void *value) {
    switch (kind) {
    case TERN_BOOL: tern__text_puts(w, *(const uint8_t *)value ? "true" : "false"); break;
    case TERN_UINT32:
    case TERN_FIXED32: tern__text_put_u64(w, tern__load32(value)); break;
    case TERN_UINT64:
    case TERN_FIXED64: tern__text_put_u64(w, tern__load64(value)); break;
    case TERN_INT64:
    case TERN_SINT64:
    case TERN_SFIXED64: tern__text_put_i64(w, (int64_t)tern__load64(value)); break;
    default: tern__text_put_i64(w, (int32_t)tern__load32(value)); break;
    }
}

int64_t tern__text_finish_room(text_writer *w) {
    if (w->err) return w->err;
    if (w->cap > 0) w->data[w->len < w->cap ? w->len : w->cap - 1] = 0;
    return (int64_t)w->len;
}

int tern__text_finish_arena(text_writer *w, tern_str *text) {
    tern__text_put(w, "", 1);
    if (w->err) return w->err;
    *text = (tern_str){w->data, w->len - 1};
    return 0;
}

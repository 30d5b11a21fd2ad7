/* Text that grows in an arena, and allocation that does not come back without memory. */
#include "gen/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *gen_alloc(tern_arena *arena, size_t bytes) {
    void *ptr = tern_arena_zalloc(arena, bytes);
    if (!ptr) {
        fprintf(stderr, "protoc-gen-tern: out of memory\n");
        exit(1);
    }
    return ptr;
}

static bool text_reserve(text *t, size_t more) {
    if (t->overflow || more > TEXT_MAX_BYTES || t->len + more > TEXT_MAX_BYTES) {
        t->overflow = true;
        return false;
    }
    if (t->len + more <= t->cap) return true;
    size_t cap = t->cap ? t->cap * 2 : 4096;
    while (cap < t->len + more) cap *= 2;
    char *data = gen_alloc(t->arena, cap);
    if (t->len) memcpy(data, t->data, t->len);
    t->data = data;
    t->cap = cap;
    return true;
}

void text_add_bytes(text *t, const void *data, size_t len) {
    if (len == 0 || !text_reserve(t, len)) return;
    memcpy(t->data + t->len, data, len);
    t->len += len;
}

void text_add(text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len > 0 && text_reserve(t, (size_t)len + 1)) {
        vsnprintf(t->data + t->len, (size_t)len + 1, format, again);
        t->len += (size_t)len;
    }
    va_end(again);
}

const char *gen_format(tern_arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t bytes = len < 0 ? 1 : (size_t)len + 1;
    char *out = gen_alloc(arena, bytes);
    if (len > 0) vsnprintf(out, bytes, format, again);
    va_end(again);
    return out;
}

/* A text being written, into a caller's room or into an arena; what JSON and text format share.
 *
 * Invariant: `len` counts everything that was put. In a caller's room the bytes below `cap` are there and the rest is
 * only counted; in an arena all of them are there, unless `err` is set. After an error nothing more is put. */
#ifndef TERN_CODEC_TEXT_WRITER_H
#define TERN_CODEC_TEXT_WRITER_H

#include "tern/mem.h"
#include "tern/type.h"

typedef struct text_writer {
    char *data;
    size_t len, cap;
    tern_arena *arena; /* NULL: the room is the caller's and stays as it is */
    int err;           /* the first error */
} text_writer;

void tern__text_put(text_writer *w, const char *text, size_t len);
void tern__text_puts(text_writer *w, const char *text);
void tern__text_put_spaces(text_writer *w, size_t n);
void tern__text_put_u64(text_writer *w, uint64_t value);
void tern__text_put_i64(text_writer *w, int64_t value);
void tern__text_put_decimals(text_writer *w, uint32_t value, unsigned digits); /* with leading zeros */
void tern__text_put_hex(text_writer *w, uint64_t value, unsigned digits);      /* with leading zeros */

/* A value of an integer kind or a bool, as a message holds it. */
void tern__text_put_integer(text_writer *w, unsigned kind, const void *value);

static inline void tern__text_fail(text_writer *w, int err) {
    if (!w->err) w->err = err;
}

/* The results of the two kinds of public functions. */
int64_t tern__text_finish_room(text_writer *w);
int tern__text_finish_arena(text_writer *w, tern_str *text);

#endif

/* Text that grows, and memory that never fails. */
#ifndef TERN_GEN_TEXT_H
#define TERN_GEN_TEXT_H

#include "base/base.h"
#include "tern/mem.h"
#include "tern/type.h"

/* Output under construction. Past TEXT_MAX_BYTES it stops growing and says so in `overflow`. */
typedef struct text {
    char *data; /* in the arena */
    size_t len, cap;
    tern_arena *arena;
    bool overflow;
} text;

enum { TEXT_MAX_BYTES = 256 << 20 };

__attribute__((format(printf, 2, 3))) void text_add(text *t, const char *format, ...);
void text_add_bytes(text *t, const void *data, size_t len);

/* Memory that never fails: out of memory ends the program with a message. */
void *gen_alloc(tern_arena *arena, size_t bytes);
__attribute__((format(printf, 2, 3))) const char *gen_format(tern_arena *arena, const char *format, ...);

#endif

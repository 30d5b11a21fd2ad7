/* The settings of every.h, by number. */
#ifndef EVERY_ALL_H
#define EVERY_ALL_H

#include <stdbool.h>

struct tern_writer;
struct tern_reader;
struct tern_arena;

/* X(name): native, swapped, as the preamble says, with a hook, with type codes. */
#define EVERY_SETTINGS(X) X(native) X(swapped) X(peer) X(hook) X(codes) X(codes_swapped)

#define EVERY_DECLARE(name)                                                                                            \
    void every_put_##name(struct tern_writer *w);                                                                      \
    bool every_get_##name(struct tern_reader *r, struct tern_arena *arena);
EVERY_SETTINGS(EVERY_DECLARE)

#endif

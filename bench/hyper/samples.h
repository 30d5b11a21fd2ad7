/* The encoded messages that bench/protobuf measures.
 *
 * shapes.txt holds HyperProtoBench's samples without the contents of their strings, one line each:
 * "bench0.M1 HEX", where HEX is the encoded message with every string and bytes value cut out after its length.
 * A sample is such a shape with letters put back, so it has the tags, numbers, lengths and nesting of the original.
 * The messages of ints.proto are computed. */
#ifndef BENCH_HYPER_SAMPLES_H
#define BENCH_HYPER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sample {
    char type[32]; /* "bench0.M1" */
    uint8_t *data; /* malloc'ed */
    size_t len;
} sample;

typedef struct samples {
    sample *list;
    size_t n;
} samples;

/* Reads the shapes and appends the ints. False when the file cannot be read or is broken, with *samples as far as
 * it came. */
bool samples_load(samples *all, const char *shapes_path);

void samples_free(samples *all);

#endif

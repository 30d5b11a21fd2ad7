/* What bench/protobuf measures: a library holding one message of one type.
 *
 * A subject is one way to use a library (its best ones compete, and the faster one counts). decode() reads the
 * message into what the handle holds, freeing what was there as that library's users would: by reuse, by an arena's
 * reset, by free. encode() writes the message that the last decode() made. */
#ifndef BENCH_HYPER_SUBJECT_H
#define BENCH_HYPER_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct subject {
    const char *name;
    void *(*open)(const char *type); /* "bench0.M1"; NULL when the library does not know it */
    bool (*decode)(void *handle, const uint8_t *data, size_t len);
    size_t (*encode)(void *handle, uint8_t *out, size_t cap); /* 0 on failure */
    size_t (*memory)(void *handle);                           /* bytes that the decoded message takes; NULL: unknown */
    void (*close)(void *handle);
} subject;

extern const subject subject_tern_alias, subject_tern_copy; /* encode: into a roomy buffer */
extern const subject subject_tern_exact;                    /* encode: size first, then exactly so many bytes */
extern const subject subject_tern_sg;                       /* encode: pieces for a sink, large values in place */
extern const subject subject_cpp_reuse, subject_cpp_arena;
extern const subject subject_protobuf_c;
extern const subject subject_upb;

/* The types of bench/hyper, for libraries whose tables have to be named: X(file, message, message in lower case). */
#define HYPER_TYPES(X)                                                                                                 \
    X(bench0, M1, m1)                                                                                                  \
    X(bench0, M10, m10)                                                                                                \
    X(bench0, M15, m15)                                                                                                \
    X(bench0, M21, m21)                                                                                                \
    X(bench0, M25, m25)                                                                                                \
    X(bench0, M30, m30)                                                                                                \
    X(bench0, M36, m36)                                                                                                \
    X(bench0, M42, m42)                                                                                                \
    X(bench0, M48, m48)                                                                                                \
    X(bench0, M52, m52)                                                                                                \
    X(bench1, M1, m1)                                                                                                  \
    X(bench1, M3, m3)                                                                                                  \
    X(bench1, M5, m5)                                                                                                  \
    X(bench1, M9, m9)                                                                                                  \
    X(bench1, M13, m13)                                                                                                \
    X(bench1, M15, m15)                                                                                                \
    X(bench1, M17, m17)                                                                                                \
    X(bench1, M19, m19)                                                                                                \
    X(bench1, M23, m23)                                                                                                \
    X(bench1, M25, m25)                                                                                                \
    X(bench2, M1, m1)                                                                                                  \
    X(bench2, M35, m35)                                                                                                \
    X(bench2, M68, m68)                                                                                                \
    X(bench2, M104, m104)                                                                                              \
    X(bench2, M129, m129)                                                                                              \
    X(bench2, M163, m163)                                                                                              \
    X(bench2, M193, m193)                                                                                              \
    X(bench2, M223, m223)                                                                                              \
    X(bench2, M252, m252)                                                                                              \
    X(bench2, M281, m281)                                                                                              \
    X(ints, Flat, flat)                                                                                                \
    X(ints, FlatDeep, flat_deep)                                                                                       \
    X(ints, Mixed, mixed)                                                                                              \
    X(ints, MixedDeep, mixed_deep)                                                                                     \
    X(ints, Packed, packed)

#ifdef __cplusplus
}
#endif
#endif

/* Streams: data that has no message, written and read piece by piece (XBS, section 4).
 *
 * A mesh, the rows of a scan, a time step: numbers, arrays and strings in an order that only the program knows. A
 * tern_writer gathers them in a buffer and hands full buffers to a sink; a tern_reader takes them from a source. Each
 * number is aligned to its size, counted from the start of the stream. docs/stream.md has the format byte for byte.
 *
 *     tern_writer w;
 *     tern_writer_init(&w, tern_sink_fd(fd), 0);
 *     tern_put_u32(&w, n_points);
 *     tern_put_f64s(&w, points, n_points);
 *     if (tern_writer_fini(&w)) ...                  errors are sticky: looked at once, at the end
 *
 * What to say before this header is included:
 *   TERN_STREAM_ORDER   TERN_STREAM_NATIVE (default): numbers as the machine has them.
 *                       TERN_STREAM_SWAPPED: each reversed, on writing and on reading.
 *                       TERN_STREAM_PEER: written natively; read as the stream's preamble says ("reader makes right").
 *                       TERN_STREAM_HOOK: by your own inline functions tern_stream_hook16(uint16_t), ..hook32,
 *                       ..hook64.
 *   TERN_STREAM_CODES   1: a type code stands before each piece and is checked when it is read. 0 (default): none, at
 *                       no cost. One writer or reader must not be used with both settings: it fails with
 *                       TERN_ERR_STATE, when its buffer is next full or empty at the latest.
 *
 * Threads: a writer or reader belongs to one thread at a time. */
#ifndef TERN_STREAM_H
#define TERN_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tern/err.h"
#include "tern/mem.h"
#include "tern/type.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERN_STREAM_NATIVE 0
#define TERN_STREAM_SWAPPED 1
#define TERN_STREAM_PEER 2
#define TERN_STREAM_HOOK 3

#ifndef TERN_STREAM_ORDER
#define TERN_STREAM_ORDER TERN_STREAM_NATIVE
#endif
#ifndef TERN_STREAM_CODES
#define TERN_STREAM_CODES 0
#endif

/* X(name, C type, bits, code): the numbers. */
#define TERN_STREAM_NUMBERS(X)                                                                                         \
    X(u8, uint8_t, 8, 1)                                                                                               \
    X(i8, int8_t, 8, 2)                                                                                                \
    X(u16, uint16_t, 16, 3)                                                                                            \
    X(i16, int16_t, 16, 4)                                                                                             \
    X(u32, uint32_t, 32, 5)                                                                                            \
    X(i32, int32_t, 32, 6)                                                                                             \
    X(u64, uint64_t, 64, 7)                                                                                            \
    X(i64, int64_t, 64, 8)                                                                                             \
    X(f32, float, 32, 9)                                                                                               \
    X(f64, double, 64, 10)

/* What a type code says; an array of numbers is TERN_CODE_ARRAY + the number's code. */
enum {
#define TERN__X(name, type, bits, code) TERN_CODE_##name = (code),
    TERN_STREAM_NUMBERS(TERN__X)
#undef TERN__X
        TERN_CODE_str = 11,
    TERN_CODE_bytes = 12,
    TERN_CODE_ARRAY = 0x40
};

/* "f64", "array of u8", "string"; "no type code" for other numbers. Static storage. Any thread. */
TERN_API const char *tern_code_name(unsigned code);

/* ---- Sinks and sources -------------------------------------------------------------------------- */

typedef struct tern_sink_ops {
    size_t size; /* sizeof(tern_sink_ops) (sized.h) */

    /* Take bytes from the front of data[0..n): at least `min` of them (1 <= min <= 8, min <= n), and else as many as
     * is cheap: a system call that took only a part need not be repeated (XBS 4.2.3). Returns how many were taken, or
     * a negative TERN_ERR_*, which ends the stream. data is borrowed for the call. */
    int64_t (*flush)(void *user, const uint8_t *data, size_t n, size_t min);

    /* An array of at least post_min bytes, where it is; everything before it has been flushed. Takes all of it, by
     * copying, sending, or a reference of its own on the pool buffer that it lies in, and returns 0; or a negative
     * TERN_ERR_*. NULL: arrays are copied through the buffer. */
    int (*post)(void *user, const void *data, size_t n);
    size_t post_min;
    bool post_registered_only; /* post only what lies in the pool (tern_in_pool) */

    void (*fini)(void *user); /* the writer ends; NULL: nothing to do */
} tern_sink_ops;

typedef struct tern_sink {
    const tern_sink_ops *ops;
    void *user;
} tern_sink;

typedef struct tern_source_ops {
    size_t size; /* sizeof(tern_source_ops) (sized.h) */

    /* Put bytes into to[0..cap): at least `min` of them (1 <= min <= 8, min <= cap), and else as many as are there.
     * Returns how many; fewer than min only at the end of the stream; or a negative TERN_ERR_*, which ends it. */
    int64_t (*fill)(void *user, uint8_t *to, size_t cap, size_t min);

    void (*fini)(void *user); /* the reader ends; NULL: nothing to do */
} tern_source_ops;

typedef struct tern_source {
    const tern_source_ops *ops;
    void *user;
} tern_source;

/* A file, pipe or socket, blocking or not (then the call waits with poll). It stays yours: fini does not close it.
 * Large arrays go out without passing through the buffer. A write to a pipe without a reader raises SIGPIPE, as write()
 * does; sockets report TERN_ERR_CLOSED. */
TERN_API tern_sink tern_sink_fd(int fd);
TERN_API tern_source tern_source_fd(int fd);

/* ---- Writing ------------------------------------------------------------------------------------ */

enum { TERN_STREAM_BUFFER_BYTES = 65536, TERN_STREAM_BUFFER_MIN = 64 };

/* Fields are private; look, don't touch. */
typedef struct tern_writer {
    uint8_t *at;      /* the next byte goes here */
    uint8_t *limit;   /* 8 bytes before the end of the room, or up to 7 more: a multiple of 8 from the stream's start */
    uintptr_t origin; /* an address that is congruent, modulo 8, with the stream's start */
    uint8_t *start;   /* [start, at) waits for the sink */
    uint64_t flushed; /* bytes before start */
    uint8_t *buffer;
    size_t buffer_bytes;
    tern_sink sink;
    size_t max_bytes;  /* of a pool buffer */
    uint64_t spare;    /* where numbers go after an error */
    uint64_t error_at; /* offset in the stream */
    int err;           /* 0 or TERN_ERR_*; the first one stays */
    uint8_t kind;      /* by which settings of this header it is used; 0: not yet */
    bool owns_buffer, fixed;
} tern_writer;

/* To a sink, through a buffer of buffer_bytes (0: 64 KB; at least 64). Returns 0, TERN_ERR_NOMEM, or TERN_ERR_INVALID
 * for a smaller buffer, or a sink whose table lacks its size or asks for what this library cannot do. After an error
 * the writer is one that has failed: to put into it is harmless. */
TERN_API int tern_writer_init(tern_writer *w, tern_sink sink, size_t buffer_bytes);

/* To memory of yours, of any alignment; beyond its end puts fail with TERN_ERR_FULL. Look at what is there after
 * tern_writer_memory(), flush or fini: before, compilers may still have some of it in registers. */
TERN_API void tern_writer_init_memory(tern_writer *w, void *memory, size_t bytes);

/* To a pool buffer that grows by doubling, up to max_bytes (0: TERN_BUF_MAX_BYTES): registered memory, which may
 * be sent in place. Returns 0 or TERN_ERR_NOMEM. */
TERN_API int tern_writer_init_pool(tern_writer *w, size_t max_bytes);

/* What has been written to memory so far, of either kind; with an error of the writer's, nothing. Valid until the next
 * put or fini; with init_pool, tern_hold() keeps it longer. */
TERN_API tern_bytes tern_writer_memory(const tern_writer *w);

/* Hand everything to the sink: for synchronization points, as before waiting for a reply; the buffer is flushed by
 * itself when it is full. Returns the writer's error, 0 if none. */
TERN_API int tern_writer_flush(tern_writer *w);

/* Flush, give the buffer back, end the sink. Returns the writer's error, 0 if none. */
TERN_API int tern_writer_fini(tern_writer *w);

/* Fail from outside: what is put from now on is dropped. The first error stays. */
TERN_API void tern_writer_fail(tern_writer *w, int err);

/* Bytes put so far: the offset in the stream of what comes next, before its padding. */
static inline uint64_t tern_writer_offset(const tern_writer *w) { return w->flushed + (uint64_t)(w->at - w->start); }

/* Says in which order of bytes and with or without type codes the stream is written, and what it holds (any number of
 * your choice): 8 bytes, at the start or anywhere. */
static inline void tern_put_preamble(tern_writer *w, uint32_t content);

/* tern_put_u8(w, value) ... tern_put_f64(w, value): one number.
 * tern_put_u8s(w, values, n) ... tern_put_f64s(w, values, n): n numbers, without a count (unless there are type codes).
 * values may be unaligned; NULL if n is 0. Large ones in registered memory go in place where the sink can do it: do not
 * change them until what the sink says. */

/* A string: its length with the final NUL in 32 bits, the characters, a NUL. TERN_ERR_LIMIT from 4 GB. */
static inline void tern_put_str(tern_writer *w, tern_str s);

/* Bytes: their number in 32 bits, and the bytes. TERN_ERR_LIMIT from 4 GB. */
static inline void tern_put_bytes(tern_writer *w, tern_bytes b);

/* ---- Reading ------------------------------------------------------------------------------------ */

/* Fields are private; look, don't touch. */
typedef struct tern_reader {
    const uint8_t *at;
    const uint8_t *limit; /* as in a tern_writer */
    uintptr_t origin;     /* likewise */
    const uint8_t *end;   /* of what is there */
    uint64_t filled;      /* stream bytes up to end */
    uint8_t *buffer;
    size_t buffer_bytes;
    tern_source source;
    uint64_t spare;     /* zeros: what is read after an error */
    uint64_t error_at;  /* offset in the stream */
    uint32_t want, got; /* of a mismatch: type codes, or contents of preambles */
    size_t max_bytes;   /* of a string or of bytes */
    int err;            /* 0 or TERN_ERR_*; the first one stays */
    uint8_t kind;
    uint8_t mismatch; /* 0: none; 1: of type codes; 2: of contents */
    bool swapped;     /* by the preamble: the other order than ours */
    bool ended;       /* the source has no more */
} tern_reader;

/* From a source, through a buffer of buffer_bytes (0: 64 KB; at least 64). Errors as tern_writer_init(). */
TERN_API int tern_reader_init(tern_reader *r, tern_source source, size_t buffer_bytes);

/* From memory, of any alignment, which must stay until the reader ends. */
TERN_API void tern_reader_init_memory(tern_reader *r, const void *memory, size_t bytes);

/* Give the buffer back, end the source. Returns the reader's error, 0 if none. */
TERN_API int tern_reader_fini(tern_reader *r);

/* Strings and bytes longer than this end with TERN_ERR_LIMIT; 64 MB if not set. */
static inline void tern_reader_set_max(tern_reader *r, size_t max_bytes) { r->max_bytes = max_bytes; }

/* Whether the stream has ended here, or failed. May wait for the source. */
TERN_API bool tern_reader_at_end(tern_reader *r);

/* Bytes read so far. */
static inline uint64_t tern_reader_offset(const tern_reader *r) { return r->filled - (uint64_t)(r->end - r->at); }

/* A sentence about the reader's error, as "f64 was read where u32 was written, at offset 24", NUL-terminated in
 * out[0..cap). Returns out. */
TERN_API const char *tern_reader_explain(const tern_reader *r, char *out, size_t cap);

/* Fail from outside, as when a number makes no sense. The first error stays. */
TERN_API void tern_reader_fail(tern_reader *r, int err);

/* Reads a preamble. TERN_ERR_MALFORMED if there is none or it announces another content; TERN_ERR_UNSUPPORTED if type
 * codes are on at one end only, or the order of bytes is the other one and TERN_STREAM_ORDER is not
 * TERN_STREAM_PEER. */
static inline void tern_get_preamble(tern_reader *r, uint32_t content);

/* tern_get_u8(r) ... tern_get_f64(r): one number; 0 after an error.
 * tern_get_u8s(r, out, n) ... tern_get_f64s(r, out, n): n numbers to out, which is left as it is from where an error
 * came. Errors: TERN_ERR_TRUNCATED at the end of the stream; TERN_ERR_MALFORMED when the type code is another one. */

/* A string, its final NUL not counted, or bytes: copied into the arena. With arena NULL it points into the reader's
 * buffer or memory, is valid until the next get, and must fit the buffer (TERN_ERR_LIMIT). Empty after an error.
 * TERN_ERR_MALFORMED if the NUL is missing; TERN_ERR_LIMIT beyond the reader's maximum; TERN_ERR_NOMEM. UTF-8 is not
 * checked. */
static inline tern_str tern_get_str(tern_reader *r, tern_arena *arena);
static inline tern_bytes tern_get_bytes(tern_reader *r, tern_arena *arena);

/* ---- Streams of which only the type codes are known ------------------------------------------------
 * For tools. The reader is used with nothing else, and numbers come in the machine's order, whatever the stream's. */

enum { TERN_CODE_PREAMBLE = 'X' };

typedef struct tern_piece {
    unsigned code;    /* TERN_CODE_*; of a preamble, TERN_CODE_PREAMBLE */
    uint64_t offset;  /* in the stream */
    uint32_t n;       /* numbers to be taken; of a preamble, its content */
    tern_bytes bytes; /* of strings (without the NUL) and bytes: as tern_get_bytes() has them */
} tern_piece;

/* The next piece. Of numbers only the code and how many there are: take them all with tern_get_values(). False at the
 * end of the stream or after an error: TERN_ERR_MALFORMED for what is no type code, TERN_ERR_UNSUPPORTED for a
 * preamble that announces none, and those of tern_get_bytes(). */
TERN_API bool tern_get_piece(tern_reader *r, tern_arena *arena, tern_piece *piece);

/* n numbers of the piece to out, whose elements are as its code says. n is at most what is left of piece->n, which
 * becomes less. Errors stick. */
TERN_API void tern_get_values(tern_reader *r, tern_piece *piece, void *out, size_t n);

/* ---- For the bodies below and the wrappers of other languages ------------------------------------- */

enum { TERN__KIND_USED = 1, TERN__KIND_CODES = 2, TERN__KIND_PEER = 4, TERN__KIND_SWAPPED = 8 };
enum { TERN__PREAMBLE_BIG = 1, TERN__PREAMBLE_CODES = 2 };

#define TERN__KIND                                                                                                     \
    (TERN__KIND_USED | (TERN_STREAM_CODES ? TERN__KIND_CODES : 0) |                                                    \
     (TERN_STREAM_ORDER == TERN_STREAM_PEER ? TERN__KIND_PEER : 0) |                                                   \
     (TERN_STREAM_ORDER == TERN_STREAM_SWAPPED || TERN_STREAM_ORDER == TERN_STREAM_HOOK ? TERN__KIND_SWAPPED : 0))

/* Room for a number: with padding, flushing, after errors. */
TERN_API void *tern__writer_room(tern_writer *w, size_t size, unsigned kind);
TERN_API void tern__writer_code(tern_writer *w, unsigned code, unsigned kind);
/* n * size bytes, swapped if asked for, whatever the room. */
TERN_API void tern__writer_array(tern_writer *w, const void *data, size_t n, size_t size, unsigned kind, bool swap);
TERN_API void tern__writer_blob(tern_writer *w, const void *data, size_t n, bool nul);
TERN_API void tern__writer_preamble(tern_writer *w, unsigned kind);

TERN_API const void *tern__reader_room(tern_reader *r, size_t size, unsigned kind);
TERN_API bool tern__reader_code(tern_reader *r, unsigned code, unsigned kind);
TERN_API void tern__reader_array(tern_reader *r, void *out, size_t n, size_t size, unsigned kind, bool swap);
TERN_API tern_bytes tern__reader_blob(tern_reader *r, uint32_t len, bool nul, tern_arena *arena);
TERN_API bool tern__reader_preamble(tern_reader *r, unsigned kind);
/* The preamble at offset `at` announces content `got`. */
TERN_API void tern__reader_content(tern_reader *r, uint32_t want, uint32_t got, uint64_t at);
/* Whether an array of n numbers is what stands there, with type codes. */
TERN_API bool tern__reader_count(tern_reader *r, size_t n, uint32_t got);

/* As memcpy(), for TERN__COPY_BULK_MIN bytes and more. */
enum { TERN__COPY_BULK_MIN = 1024 };
TERN_API void tern__copy_bulk(void *to, const void *from, size_t n);
/* The same numbers with their bytes reversed; to and from may be the same, but not overlap otherwise. */
TERN_API void tern__swap16(void *to, const void *from, size_t n);
TERN_API void tern__swap32(void *to, const void *from, size_t n);
TERN_API void tern__swap64(void *to, const void *from, size_t n);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

#if TERN_STREAM_ORDER == TERN_STREAM_HOOK
#define TERN__ORDER8(x) (x)
#define TERN__ORDER16(x) tern_stream_hook16(x)
#define TERN__ORDER32(x) tern_stream_hook32(x)
#define TERN__ORDER64(x) tern_stream_hook64(x)
#elif TERN_STREAM_ORDER == TERN_STREAM_SWAPPED
#define TERN__ORDER8(x) (x)
#define TERN__ORDER16(x) __builtin_bswap16(x)
#define TERN__ORDER32(x) __builtin_bswap32(x)
#define TERN__ORDER64(x) __builtin_bswap64(x)
#else
#define TERN__ORDER8(x) (x)
#define TERN__ORDER16(x) (x)
#define TERN__ORDER32(x) (x)
#define TERN__ORDER64(x) (x)
#endif

/* What is read: by the preamble, if that decides. */
static inline uint8_t tern__order_in8(const tern_reader *r, uint8_t x) { return (void)r, x; }
#define TERN__X(bits)                                                                                                  \
    static inline uint##bits##_t tern__order_in##bits(const tern_reader *r, uint##bits##_t x) {                        \
        if (TERN_STREAM_ORDER == TERN_STREAM_PEER) return r->swapped ? __builtin_bswap##bits(x) : x;                   \
        return TERN__ORDER##bits(x);                                                                                   \
    }
TERN__X(16)
TERN__X(32)
TERN__X(64)
#undef TERN__X

/* Whether `at` is aligned to the size and at least 8 bytes are left, so that one number fits: then how many more do, as
 * far as limit says; else something huge. The distance to limit is a multiple of the size just when `at` is aligned,
 * and negative just when fewer than 8 bytes are left: one rotation, which makes its low bits the highest, answers both
 * questions. */
static inline size_t tern__fitting(const uint8_t *at, const uint8_t *limit, size_t size) {
    size_t bytes = (size_t)limit - (size_t)at, shift = size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0;
    return shift ? bytes >> shift | bytes << (8 * sizeof bytes - shift) : bytes;
}

/* The short way: no padding, enough room. */
static inline void *tern__put(tern_writer *w, size_t size) {
    uint8_t *p = w->at;
    if (tern__fitting(p, w->limit, size) >= SIZE_MAX / 16) return tern__writer_room(w, size, TERN__KIND);
    w->at = p + size;
    return p;
}

/* Stored as a number, not as bytes: so compilers know that what is put does not change the writer's pointers, and keep
 * them in registers from put to put. */
#define TERN__X(bits)                                                                                                  \
    typedef uint##bits##_t __attribute__((aligned(1))) tern__any##bits;                                                \
    static inline void tern__put##bits(tern_writer *w, uint##bits##_t x) {                                             \
        *(tern__any##bits *)tern__put(w, sizeof x) = x;                                                                \
    }
TERN__X(8)
TERN__X(16)
TERN__X(32)
TERN__X(64)
#undef TERN__X

static inline const void *tern__get(tern_reader *r, size_t size) {
    const uint8_t *p = r->at;
    if (tern__fitting(p, r->limit, size) >= SIZE_MAX / 16) return tern__reader_room(r, size, TERN__KIND);
    r->at = p + size;
    return p;
}

static inline void tern__put_code(tern_writer *w, unsigned code) {
    if (TERN_STREAM_CODES) tern__writer_code(w, code, TERN__KIND);
}

static inline bool tern__get_code(tern_reader *r, unsigned code) {
    return !TERN_STREAM_CODES || tern__reader_code(r, code, TERN__KIND);
}

/* A number without a type code, as counts and lengths are. */
static inline void tern__put_count(tern_writer *w, uint32_t n) { tern__put32(w, TERN__ORDER32(n)); }

static inline uint32_t tern__get_count(tern_reader *r) {
    uint32_t n;
    memcpy(&n, tern__get(r, 4), 4);
    return tern__order_in32(r, n);
}

static inline void tern__copy_numbers(void *to, const void *from, size_t n, size_t size, bool swap) {
    if (!swap && n * size < TERN__COPY_BULK_MIN)
        memcpy(to, from, n * size);
    else if (!swap)
        tern__copy_bulk(to, from, n * size);
    else if (size == 2)
        tern__swap16(to, from, n);
    else if (size == 4)
        tern__swap32(to, from, n);
    else
        tern__swap64(to, from, n);
}

static inline void tern__put_array(tern_writer *w, const void *data, size_t n, size_t size) {
    bool swap = TERN_STREAM_ORDER == TERN_STREAM_SWAPPED && size > 1;
    uint8_t *p = w->at;
    size_t fitting = tern__fitting(p, w->limit, size);
    if (!n) return;
    if (fitting >= SIZE_MAX / 16 || n > fitting + 8 / size) {
        tern__writer_array(w, data, n, size, TERN__KIND, swap);
        return;
    }
    tern__copy_numbers(p, data, n, size, swap);
    w->at = p + n * size;
}

static inline void tern__get_array(tern_reader *r, void *out, size_t n, size_t size) {
    bool swap = TERN_STREAM_ORDER == TERN_STREAM_SWAPPED || (TERN_STREAM_ORDER == TERN_STREAM_PEER && r->swapped);
    const uint8_t *p = r->at;
    size_t fitting = tern__fitting(p, r->limit, size);
    if (!n) return;
    swap = swap && size > 1;
    if (fitting >= SIZE_MAX / 16 || n > fitting + 8 / size) {
        tern__reader_array(r, out, n, size, TERN__KIND, swap);
        return;
    }
    tern__copy_numbers(out, p, n, size, swap);
    r->at = p + n * size;
}

static inline bool tern__get_array_code(tern_reader *r, unsigned code, size_t n) {
    if (!TERN_STREAM_CODES) return true;
    return tern__get_code(r, TERN_CODE_ARRAY + code) && tern__reader_count(r, n, tern__get_count(r));
}

static inline bool tern__put_array_code(tern_writer *w, unsigned code, size_t n) {
    if (!TERN_STREAM_CODES) return true;
    if (n > UINT32_MAX) {
        tern_writer_fail(w, TERN_ERR_LIMIT);
        return false;
    }
    tern__put_code(w, TERN_CODE_ARRAY + code);
    tern__put_count(w, (uint32_t)n);
    return true;
}

/* With a hook of the user's, arrays go number by number. */
#define TERN__X(name, type, bits, code)                                                                                \
    static inline void tern_put_##name(tern_writer *w, type value) {                                                   \
        uint##bits##_t x;                                                                                              \
        memcpy(&x, &value, sizeof x);                                                                                  \
        tern__put_code(w, code);                                                                                       \
        tern__put##bits(w, TERN__ORDER##bits(x));                                                                      \
    }                                                                                                                  \
    static inline type tern_get_##name(tern_reader *r) {                                                               \
        uint##bits##_t x;                                                                                              \
        type value;                                                                                                    \
        if (!tern__get_code(r, code)) return 0;                                                                        \
        memcpy(&x, tern__get(r, sizeof x), sizeof x);                                                                  \
        x = tern__order_in##bits(r, x);                                                                                \
        memcpy(&value, &x, sizeof x);                                                                                  \
        return value;                                                                                                  \
    }                                                                                                                  \
    static inline void tern_put_##name##s(tern_writer *w, const type *values, size_t n) {                              \
        if (!tern__put_array_code(w, code, n)) return;                                                                 \
        if (TERN_STREAM_ORDER != TERN_STREAM_HOOK) {                                                                   \
            tern__put_array(w, values, n, sizeof *values);                                                             \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            uint##bits##_t x;                                                                                          \
            memcpy(&x, (const char *)values + i * sizeof x, sizeof x);                                                 \
            tern__put##bits(w, TERN__ORDER##bits(x));                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static inline void tern_get_##name##s(tern_reader *r, type *out, size_t n) {                                       \
        if (!tern__get_array_code(r, code, n)) return;                                                                 \
        if (TERN_STREAM_ORDER != TERN_STREAM_HOOK) {                                                                   \
            tern__get_array(r, out, n, sizeof *out);                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t i = 0; i < n && !r->err; i++) {                                                                    \
            uint##bits##_t x;                                                                                          \
            memcpy(&x, tern__get(r, sizeof x), sizeof x);                                                              \
            x = TERN__ORDER##bits(x);                                                                                  \
            if (!r->err) memcpy((char *)out + i * sizeof x, &x, sizeof x);                                             \
        }                                                                                                              \
    }
TERN_STREAM_NUMBERS(TERN__X)
#undef TERN__X

static inline void tern_put_str(tern_writer *w, tern_str s) {
    if (s.len >= UINT32_MAX) {
        tern_writer_fail(w, TERN_ERR_LIMIT);
        return;
    }
    tern__put_code(w, TERN_CODE_str);
    tern__put_count(w, (uint32_t)s.len + 1);
    tern__writer_blob(w, s.data, s.len, true);
}

static inline void tern_put_bytes(tern_writer *w, tern_bytes b) {
    if (b.len > UINT32_MAX) {
        tern_writer_fail(w, TERN_ERR_LIMIT);
        return;
    }
    tern__put_code(w, TERN_CODE_bytes);
    tern__put_count(w, (uint32_t)b.len);
    tern__writer_blob(w, b.data, b.len, false);
}

static inline tern_str tern_get_str(tern_reader *r, tern_arena *arena) {
    tern_bytes b = {NULL, 0};
    if (tern__get_code(r, TERN_CODE_str)) b = tern__reader_blob(r, tern__get_count(r), true, arena);
    tern_str s = {(const char *)b.data, b.len};
    return s;
}

static inline tern_bytes tern_get_bytes(tern_reader *r, tern_arena *arena) {
    tern_bytes b = {NULL, 0};
    if (tern__get_code(r, TERN_CODE_bytes)) b = tern__reader_blob(r, tern__get_count(r), false, arena);
    return b;
}

static inline void tern_put_preamble(tern_writer *w, uint32_t content) {
    tern__writer_preamble(w, TERN__KIND);
    tern__put_count(w, content);
}

static inline void tern_get_preamble(tern_reader *r, uint32_t content) {
    uint64_t at = tern_reader_offset(r);
    if (!tern__reader_preamble(r, TERN__KIND)) return;
    uint32_t got = tern__get_count(r);
    if (!r->err && got != content) tern__reader_content(r, content, got, at);
}

#ifdef __cplusplus
}
#endif
#endif

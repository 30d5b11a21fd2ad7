/* Encoders and decoders, all driven by the type table (type.h).
 *
 * Two formats: `hybrid`, spoken between tern peers (docs/wire-format.md; Cornflakes 3.3), and
 * `protobuf`, for everyone else. Both take the message as a plain struct. No function here makes a
 * system call or keeps state; all may be called from any thread. */
#ifndef TERN_CODEC_H
#define TERN_CODEC_H

#include "tern/err.h"
#include "tern/mem.h"
#include "tern/sized.h"
#include "tern/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a payload is encoded; the number stands in the packet header. */
typedef enum tern_format { TERN_FORMAT_RAW = 0, TERN_FORMAT_HYBRID = 1, TERN_FORMAT_PROTOBUF = 2 } tern_format;

/* What a decoder accepts at most. Beyond a limit it returns TERN_ERR_LIMIT; TERN_ERR_INVALID for limits whose size was
 * not set (sized.h). Memory comes only from the caller's arena, whose own ceiling bounds it a second time. */
typedef struct tern_limits {
    size_t size;         /* sizeof(tern_limits), set by TERN_LIMITS() and tern_limits_init() */
    size_t max_bytes;    /* of the whole encoded message */
    uint32_t max_depth;  /* nesting of messages and groups; the top one is depth 1 */
    size_t max_elements; /* list elements and sub-messages, over the whole message */
} tern_limits;

/* The defaults: 64 MB, 16 Mi elements, 100 messages within messages (protobuf's own default). */
static inline void tern_limits_init(tern_limits *limits);
TERN_API void tern_limits_init_sized(tern_limits *limits, size_t size);

/* TERN_LIMITS(.max_bytes = ..., .max_elements = ..., .max_depth = ...): all of them; what is left out is 0, and nothing
 * is accepted. */
#define TERN_LIMITS(...) TERN__SIZED(tern_limits, __VA_ARGS__)

/* ---- hybrid --------------------------------------------------------------------------------------
 *
 * An encoded message is   [ header | copied data | in-place data ]   where the first two are written
 * by the encoder into one piece of memory (the "head") and the third is never touched: each value of at
 * least `threshold` bytes that lies in the pool is handed to a sink as pointer and length, to be sent
 * from where it is. The decision for a value depends on its address and length alone and is made
 * before any byte or count of it is touched (DESIGN: one copy fewer than Cornflakes 3.2.2). */

typedef struct tern_hybrid_plan {
    uint32_t head_bytes;    /* header and copied data */
    uint32_t header_bytes;  /* the header alone */
    uint32_t object_bytes;  /* of the header, the top object without its tables and sub-objects */
    uint32_t inplace_bytes; /* sum over the in-place values */
    uint32_t n_inplace;     /* in-place values; each becomes one scatter-gather entry */
    uint32_t n_copied;      /* the others, empty ones included */
    uint32_t threshold;     /* as given, at least 1; the writer decides by it again, and alike */
    uint32_t flat;          /* the top object's bitmap, when the message is written the short way; else 0 */
} tern_hybrid_plan;

/* Receives the in-place values in wire order, n >= 1 of them at a time, none empty and all of them shorter than 2^31
 * bytes. Returns 0, or a negative TERN_ERR_* that ends the encoding and is passed on. The array and the values are
 * borrowed for the call; whoever keeps a value takes a reference. */
typedef int tern_hybrid_post_fn(void *ctx, const tern_bytes *values, size_t n);

/* First pass: sizes. threshold SIZE_MAX copies everything, 0 sends everything in the pool in place
 * (zero-length values excepted). Returns 0; TERN_ERR_LIMIT if the encoding would pass 2^31 bytes, nest
 * deeper than 100 or have more than TERN_MESSAGE_MAX_ELEMENTS; TERN_ERR_INVALID when a required field (proto2)
 * is not set, or a list of pointers has a NULL: tern_message_explain() says where; TERN_ERR_UNSUPPORTED for a
 * type with a field number above 65536. */
TERN_API int tern_hybrid_measure(const tern_type *type, const void *msg, size_t threshold, tern_hybrid_plan *plan);

/* Second pass: writes plan->head_bytes bytes to head, which need not be aligned, and posts the in-place
 * values. post may be NULL when plan->n_inplace is 0. The message must not change in between. */
TERN_API int tern_hybrid_write(const tern_type *type, const void *msg, const tern_hybrid_plan *plan, void *head,
                               tern_hybrid_post_fn *post, void *ctx);

typedef struct tern_hybrid_emitted {
    uint32_t head_bytes, header_bytes; /* the header is part of the head */
    uint32_t inplace_bytes, n_inplace; /* what was posted */
} tern_hybrid_emitted;

/* Both passes in one, for a caller who has room for a head of up to cap bytes and need not know its size in advance:
 * writes the head and posts the in-place values. Returns what measure or post return, and TERN_ERR_LIMIT when the head
 * does not fit; what was posted until then is the caller's to undo. A quarter faster than the two for small
 * messages. */
TERN_API int tern_hybrid_emit(const tern_type *type, const void *msg, size_t threshold, void *head, size_t cap,
                              tern_hybrid_post_fn *post, void *ctx, tern_hybrid_emitted *out);

/* The whole encoding in one contiguous piece: head, then in-place data. Returns its length,
 * TERN_ERR_LIMIT if it does not fit cap bytes, or what measure returns. For files, tests and tools. */
TERN_API int64_t tern_hybrid_encode(const tern_type *type, const void *msg, void *out, size_t cap);

/* Decodes into *msg (type->size_bytes, contents overwritten). Views point into data, which must outlive
 * them, and so do lists of numbers that lie aligned there (cap is 0: they borrow, and must not be written
 * to); other lists and sub-messages come from the arena, what a list of pointers points to in one block. Every
 * offset is checked before it is followed. Returns 0; TERN_ERR_TRUNCATED, _MALFORMED, _UTF8, _LIMIT, _NOMEM or
 * _UNSUPPORTED (as measure), with *msg then unspecified. limits may be NULL for the default. */
TERN_API int tern_hybrid_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena,
                                const tern_limits *limits, void *msg);

/* The same from an input in n pieces, of any lengths, which must outlive the message. Values that lie in one piece
 * point there; only what straddles pieces is copied to the arena. What comes before the values is expected in the first
 * piece, as encoders write it; if it is longer, up to twice as many bytes as it has are copied. Besides, the arena
 * gives 24 bytes per piece. What is taken and what refused is as if the pieces were one. */
TERN_API int tern_hybrid_decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                                       const tern_limits *limits, void *msg);

/* ---- protobuf ---------------------------------------------------------------------------------- */

/* The encoded size in bytes, or TERN_ERR_LIMIT when it passes 2^31 - 1, nests deeper than 100 or has more than
 * TERN_MESSAGE_MAX_ELEMENTS; TERN_ERR_INVALID when a required field (proto2) is not set, or a list of pointers has a
 * NULL. tern_message_explain() says where. */
TERN_API int64_t tern_protobuf_size(const tern_type *type, const void *msg);

/* Encodes into out[0..cap). Returns the length; TERN_ERR_LIMIT if it does not fit and otherwise as above,
 * TERN_ERR_INVALID as above; then nothing is said about the contents of out. Fields are written by number, unknown ones
 * after them; a map in the order of its entries. */
TERN_API int64_t tern_protobuf_encode(const tern_type *type, const void *msg, void *out, size_t cap);

/* Receives the pieces of an encoding in wire order, n >= 1 of them at a time, none empty. Returns 0, or a negative
 * TERN_ERR_* that ends the encoding and is passed on. The array is borrowed for the call. */
typedef int tern_protobuf_post_fn(void *ctx, const tern_bytes *pieces, size_t n);

enum {
    TERN_SG_POOL = 0, /* large values in the pool go in place: they can be sent from there, and be held by reference */
    TERN_SG_ANY = 1   /* large values in any memory do */
};

/* Encodes into a sink: strings, bytes, packed lists of fixed width and unknown fields of at least `threshold` bytes
 * (and at least 48) as pieces of their own, from where they are; everything else gathered in pieces from the arena.
 * Returns the length of the whole, or as tern_protobuf_encode, TERN_ERR_NOMEM, or what the sink returns. Nothing is
 * posted before all of the message was found encodable. Pieces from the arena are valid until its reset. */
TERN_API int64_t tern_protobuf_encode_sg(const tern_type *type, const void *msg, size_t threshold, int mode,
                                         tern_arena *arena, tern_protobuf_post_fn *post, void *ctx);

/* Modes of decoding; or-ed. */
enum {
    TERN_DECODE_ALIAS = 0,       /* strings, bytes and unknown fields point into the input, which must outlive them */
    TERN_DECODE_COPY = 1,        /* they are copied to the arena */
    TERN_DECODE_DROP_UNKNOWN = 2 /* unknown fields are skipped, not kept */
};

/* Decodes into *msg, which is overwritten. Takes and refuses what protobuf C++ takes and refuses: last one wins, split
 * sub-messages merge, packed and unpacked are one, unknown fields (and a closed enum's unknown numbers) are kept in
 * their order. Errors as tern_hybrid_decode; a missing required field is TERN_ERR_MALFORMED. Copying takes at most the
 * input's length and 64 bytes from the arena, in one piece, at the first value to copy. */
TERN_API int tern_protobuf_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                                  const tern_limits *limits, void *msg);

/* The same onto a message that has contents already, as if its encoding stood before the data. The message's lists
 * and maps grow in the arena. Where the type has required fields, contents that are no tree are TERN_ERR_LIMIT, and a
 * NULL in a list of pointers TERN_ERR_INVALID. So is what would have to be merged into an object of a heap
 * (tern.Object). With an error the message is unspecified, but valid to read and to drop. */
TERN_API int tern_protobuf_merge(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                                 const tern_limits *limits, void *msg);

/* tern_protobuf_decode() from an input in n pieces, of any lengths. When aliasing, a value that lies in one piece
 * points there; only what straddles pieces is copied to the arena. */
TERN_API int tern_protobuf_decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                                         int mode, const tern_limits *limits, void *msg);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline void tern_limits_init(tern_limits *limits) { tern_limits_init_sized(limits, sizeof *limits); }

#ifdef __cplusplus
}
#endif
#endif

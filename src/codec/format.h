/* What a format of messages is: the operations by which structs become bytes and bytes become structs again.
 *
 * Whoever sends a message makes a plan first, which says how many bytes the message has and which of its values stay
 * where they are; then room is found; then the message is written by the plan. The bytes that are written are called
 * the head. Values that go in place are never touched by a format: the sender takes references on their buffers.
 *
 * A format is a constant table. It keeps no state, makes no system call, and may be used from any thread. */
#ifndef TERN_CODEC_FORMAT_H
#define TERN_CODEC_FORMAT_H

#include "base/base.h"
#include "tern/codec.h"

enum {
    TERN__MAX_FORMATS = 8,         /* numbers are below this: a packet's header has three bits for them */
    TERN__FORMAT_STATE_BYTES = 32, /* of a plan, for the format itself */
    /* Every peer of this version of the protocol reads the formats up to this number. A message may go in one of them
     * before the peer has named those that it reads, and the engine's short ways carry no others. */
    TERN__LAST_COMMON_FORMAT = TERN_FORMAT_PROTOBUF,
};

/* Properties of a format. */
enum {
    /* The bytes say nothing of types: sender and receiver must have types that fit, or the receiver gets garbage. */
    TERN__FORMAT_SAME_TYPES = 1,
    /* Every peer understands the format, also where the types of both sides have grown apart, and every type can be
     * written in the format. */
    TERN__FORMAT_UNIVERSAL = 2,
};

/* How a message will be written. */
typedef struct tern__format_plan {
    uint32_t head_bytes;    /* what the format writes: all but the values in place */
    uint32_t copied_bytes;  /* of the head, the bytes of values */
    uint32_t inplace_bytes; /* sum over the values in place. With head_bytes below 2^31 */
    uint32_t n_inplace;     /* values in place */
    /* For the format's own use, between its plan() and its write(). */
    uint8_t state[TERN__FORMAT_STATE_BYTES] __attribute__((aligned(8)));
} tern__format_plan;

/* In the file of a format: the struct that it keeps in `state` fits there. */
#define TERN__FORMAT_STATE_FITS(type)                                                                                  \
    _Static_assert(sizeof(type) <= TERN__FORMAT_STATE_BYTES && _Alignof(type) <= 8, "a plan has room for " #type)

/* A value in place between bytes of the head. */
typedef struct tern__format_value {
    const void *data;
    uint32_t len;
    uint32_t at; /* how many bytes of the head come before the value in the message */
} tern__format_value;

/* Where the values go that stay in place. */
typedef struct tern__format_sink {
    /* Of a format with one piece per value: takes the values in the order of the message, all of which lie behind the
     * head. Returns 0, or an error that ends the writing and is passed on. */
    tern_hybrid_post_fn *post;
    void *ctx;
    /* Of a format with two pieces per value: room for plan->n_inplace values, which write() fills in the order of the
     * message. */
    tern__format_value *values;
} tern__format_sink;

typedef struct tern__format {
    const char *name;
    uint8_t number; /* tern_format on the wire, from 1; TERN__MAX_FORMATS - 1 at most */
    uint8_t flags;  /* TERN__FORMAT_* */
    /* Pieces of memory that a value in place adds to the message. 0: all values are copied. 1: the values lie behind
     * the head. 2: bytes of the head lie between them. */
    uint8_t pieces_per_value;

    /* The plan for a message: values of at least `threshold` bytes that lie in the pool go in place, SIZE_MAX: none.
     * The size of a message is head_bytes of a plan without values in place. Returns 0; TERN_ERR_LIMIT for a message
     * of 2^31 bytes or more, or one that nests too deep; TERN_ERR_INVALID for a message that lacks a required field;
     * TERN_ERR_UNSUPPORTED for a type that the format cannot write: the message then goes in a universal format. */
    int (*plan)(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan);

    /* Writes plan->head_bytes bytes to head, which need not be aligned, and hands the values in place to the sink,
     * which may be NULL when there are none. The message must not change between plan() and write(). Returns 0, what
     * the sink returned, or another error; what the sink was given until then is the caller's to undo. */
    int (*write)(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                 const tern__format_sink *sink);

    /* From n >= 1 pieces, one behind the other, to *msg (type->size_bytes, overwritten). What the message refers to
     * lies in the pieces, which must outlive it, or in the arena. Any bytes whatever are safe. Returns 0 or an error of
     * tern_hybrid_decode(). */
    int (*decode)(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                  const tern_limits *limits, void *msg);

    /* The same where some pieces are `lent`: others may write to them at any time, also while this runs. Of such a
     * piece only values stay that are in order whatever they are, as fields of bytes; all else is copied before it is
     * looked at, and looked at in the copy alone. Both arrays may be overwritten. NULL: the format cannot. */
    int (*decode_lent)(const tern_type *type, tern_bytes *pieces, bool *lent, size_t n, tern_arena *arena,
                       const tern_limits *limits, void *msg);
} tern__format;

#endif

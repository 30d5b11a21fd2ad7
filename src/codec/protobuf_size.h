/* The first of the two passes of an encoding that leaves large values where they are: how much is copied. */
#ifndef TERN_CODEC_PROTOBUF_SIZE_H
#define TERN_CODEC_PROTOBUF_SIZE_H

#include "base/base.h"
#include "tern/codec.h"

/* What an encoding consists of. */
typedef struct tern__protobuf_parts {
    size_t threshold;   /* strings, bytes, packed lists of fixed width and unknown fields of at least so many bytes stay
                               where they are if they lie in the pool; tern__protobuf_measure() makes it 48 at least */
    uint32_t n_inplace; /* how many stay, ... */
    uint64_t inplace_bytes; /* ... and their bytes */
    uint64_t copied_bytes;  /* of the other ones */
} tern__protobuf_parts;

/* Whether a message that contains no other one has an encoding of no bytes. False for any that does. */
bool tern__protobuf_is_empty(const tern_type *type, const void *msg);

/* The size of the whole encoding, or an error, as tern_protobuf_size(). Only the threshold of *parts is set before. */
int64_t tern__protobuf_measure(const tern_type *type, const void *msg, tern__protobuf_parts *parts);

#endif

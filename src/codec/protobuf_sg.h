/* The second of the two passes of an encoding that leaves large values where they are. */
#ifndef TERN_CODEC_PROTOBUF_SG_H
#define TERN_CODEC_PROTOBUF_SG_H

#include "codec/format.h"
#include "codec/protobuf_size.h"

/* Encodes a message of `size` bytes that was measured: writes all that is copied, size - parts->inplace_bytes bytes, to
 * head, and says in values[parts->n_inplace] what lies between, in the order of the message. Returns 0;
 * TERN_ERR_INVALID or _LIMIT when the message is not the one that was measured. */
int tern__protobuf_write(const tern_type *type, const void *msg, uint32_t size, const tern__protobuf_parts *parts,
                         uint8_t *head, tern__format_value *values);

#endif

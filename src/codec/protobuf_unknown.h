/* Unknown fields while decoding: skipped, kept or dropped. */
#ifndef TERN_CODEC_PROTOBUF_UNKNOWN_H
#define TERN_CODEC_PROTOBUF_UNKNOWN_H

#include "codec/protobuf_reader.h"

/* A field that the type does not have, or not with this wire type: `start` is where its tag is, p where the tag ended.
 * Kept or dropped; a group's end is an error here. */
const uint8_t *tern__read_unknown(reader *r, const uint8_t *start, const uint8_t *p, uint32_t tag,
                                  const tern_type *type, void *msg);

/* Keeps encoded fields, which the input may not hold in this form. */
bool tern__keep_unknown(reader *r, const tern_type *type, void *msg, const void *data, size_t len);

/* Keeps a closed enum's value that the enum does not list. */
bool tern__keep_number(reader *r, const tern_type *type, void *msg, uint32_t number, uint64_t value);

#endif

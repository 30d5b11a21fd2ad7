/* The protobuf encoder's walk over a message, for the entry points of both kinds: into one buffer and into a sink. */
#ifndef TERN_CODEC_PROTOBUF_ENCODE_H
#define TERN_CODEC_PROTOBUF_ENCODE_H

#include "codec/protobuf_writer.h"

/* Writes a message with all that it contains. Returns the new p, or NULL with w->err set. */
uint8_t *tern__write_whole(writer *w, uint8_t *p, const tern_type *type, const void *msg);

#endif

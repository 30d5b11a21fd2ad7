/* Lists while decoding: room for elements, and the packed form. */
#ifndef TERN_CODEC_PROTOBUF_LIST_H
#define TERN_CODEC_PROTOBUF_LIST_H

#include "codec/protobuf_reader.h"

/* Room for n more elements behind the list's last, not zeroed; NULL when a limit is hit. */
void *tern__list_room(reader *r, tern_list *list, size_t n, size_t elem_bytes);

/* The packed form: a length and the elements' values. The wire type is one that the field takes. */
const uint8_t *tern__read_packed(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                 void *msg);

#endif

/* Whether every required field of a message is set, in all that it contains. */
#ifndef TERN_CODEC_COMPLETE_H
#define TERN_CODEC_COMPLETE_H

#include "base/base.h"
#include "tern/type.h"

/* 0; TERN_ERR_MALFORMED when one is not set. Of a message that was decoded onto one that its program has made:
 * TERN_ERR_LIMIT when there are more elements than max_elements and TERN_MESSAGE_MAX_ELEMENTS together or it nests
 * deeper than a decoder can be allowed to go, and TERN_ERR_INVALID for a NULL in a list of pointers. */
int tern__message_check_complete(const tern_type *type, const void *msg, size_t max_elements);

#endif

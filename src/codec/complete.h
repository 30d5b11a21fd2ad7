/* Whether every required field of a message is set, in all that it contains. */
#ifndef TERN_CODEC_COMPLETE_H
#define TERN_CODEC_COMPLETE_H

#include "base/base.h"
#include "tern/type.h"

bool tern__message_complete(const tern_type *type, const void *msg);

#endif

/* No session is ever congested: the credits alone bound what is in flight. */
#ifndef TERN_ENGINE_CC_NONE_H
#define TERN_ENGINE_CC_NONE_H

#include "engine/cc.h"

extern const tern__cc_ops tern__cc_none;

#endif

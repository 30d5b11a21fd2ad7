/* A window that keeps round trips near a target (after Swift, SIGCOMM 2020). The default. */
#ifndef TERN_ENGINE_CC_SWIFT_H
#define TERN_ENGINE_CC_SWIFT_H

#include "engine/cc.h"

extern const tern__cc_ops tern__cc_swift;

#endif

/* Timely with the constants of eRPC: a rate from the gradient of round trips. Its state says nothing about losses. */
#ifndef TERN_ENGINE_CC_TIMELY_H
#define TERN_ENGINE_CC_TIMELY_H

#include "engine/cc.h"

extern const tern__cc_ops tern__cc_timely;

#endif

/* A window that is cut in proportion to the share of packets that the network marked (DCTCP, RFC 8257). */
#ifndef TERN_ENGINE_CC_DCTCP_H
#define TERN_ENGINE_CC_DCTCP_H

#include "engine/cc.h"

extern const tern__cc_ops tern__cc_dctcp;

#endif

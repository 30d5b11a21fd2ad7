/* All of tern. */
#ifndef TERN_TERN_H
#define TERN_TERN_H

#include "tern/call_stream.h"
#include "tern/codec.h"
#include "tern/err.h"
#include "tern/graph.h"
#include "tern/json.h"
#include "tern/mem.h"
#include "tern/rpc.h"
#include "tern/sized.h"
#include "tern/stream.h"
#include "tern/type.h"
#include "tern/wkt.h"
#include "tern/xdr.h"

#define TERN_VERSION "0.1.0"
#define TERN_VERSION_NUMBER 0x000100

#endif

#define SETTING peer
#define TERN_STREAM_ORDER TERN_STREAM_PEER
#include "every.h"

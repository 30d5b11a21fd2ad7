#define SETTING peer
#define TERN_STREAM_ORDER 2
#include "every.h"

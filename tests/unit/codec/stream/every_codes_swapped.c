#define SETTING codes_swapped
#define TERN_STREAM_CODES 1
#define TERN_STREAM_ORDER TERN_STREAM_SWAPPED
#include "every.h"

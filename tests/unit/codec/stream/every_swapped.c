#define SETTING swapped
#define TERN_STREAM_ORDER TERN_STREAM_SWAPPED
#include "every.h"

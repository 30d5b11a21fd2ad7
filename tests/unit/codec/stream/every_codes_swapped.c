#define SETTING codes_swapped
#define TERN_STREAM_CODES 1
#define TERN_STREAM_ORDER 1
#include "every.h"

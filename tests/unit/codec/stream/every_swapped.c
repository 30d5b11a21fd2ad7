#define SETTING swapped
#define TERN_STREAM_ORDER 1
#include "every.h"

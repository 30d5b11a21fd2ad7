#define SETTING codes
#define TERN_STREAM_CODES 1
#include "every.h"

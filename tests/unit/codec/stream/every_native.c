#define SETTING native
#include "every.h"

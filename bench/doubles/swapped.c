#define SWAPPED 1
#include "writers.h"

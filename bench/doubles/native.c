#define SWAPPED 0
#include "writers.h"

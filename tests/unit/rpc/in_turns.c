/* Linked into a test program, this has every server run its handlers in turns. */
#include "base/factor.h"

unsigned tern__factors_off = 1u << TERN__FACTOR_AT_ONCE;

/* Linked into a test program, this closes the short ways: every message goes the general way. */
#include "base/factor.h"

unsigned tern__factors_off = 1u << TERN__FACTOR_SHORT_WAY;

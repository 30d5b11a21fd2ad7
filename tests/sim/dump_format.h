/* A format that tern does not have: all fields of a struct in the order of its table, without numbers, with values in
 * place between bytes that are copied. Random lives speak the format where both ends have it. */
#ifndef TERN_TESTS_DUMP_FORMAT_H
#define TERN_TESTS_DUMP_FORMAT_H

#include "codec/formats.h"

enum { FORMAT_DUMP = 5 };

extern const tern__format *const dump_first[], *const dump_last[];

#endif

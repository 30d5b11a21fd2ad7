/* How much of a program a schema's generated code takes: the bytes of its object file that end up in memory. */
#ifndef BENCH_HYPER_CODE_SIZE_H
#define BENCH_HYPER_CODE_SIZE_H

#include <stddef.h>

/* Code, constants, tables and initialized data of an ELF object; debugging information does not count. `path` is
 * relative to the folder of the running program. 0 when there is no such object. */
size_t code_size(const char *path);

#endif

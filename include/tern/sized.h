/* Structs that may grow, and how programs and libraries of different versions still understand each other.
 *
 * A struct that the program fills (options, configurations, events, limits) begins with its size, which a macro or an
 * init function sets:
 *
 *     tern_call_opts opts = TERN_CALL_OPTS(.timeout = TERN_SEC);     in C, all other members 0
 *     tern_call_opts opts;  tern_call_opts_init(&opts);              in C and C++
 *     static const tern_call_opts opts = {.size = sizeof(tern_call_opts), .timeout = TERN_SEC};
 *
 * The library takes what it is given: members that a smaller struct, of a program built with an older header, does not
 * have are at their defaults. A larger struct, of a program built with a newer header, is taken when the bytes that the
 * library does not know are all zero; else the program asks for something that the library cannot do, and the function
 * returns TERN_ERR_INVALID. It does so also for a size that was never set (0, or one that no version can have). Where
 * there is a log, the log has a line that says which it is and what to do.
 *
 * Of a struct that the library fills (statistics) the library is told how much room there is: the function of the plain
 * name is an inline one that passes the size of the struct, and cannot be forgotten. Members that the library does not
 * know are 0. Programs in other languages call the exported function, whose name ends with _sized, with the size of the
 * struct as they declare it.
 *
 * docs/architecture.md says which structs never grow. */
#ifndef TERN_SIZED_H
#define TERN_SIZED_H

#include <stddef.h>

/* A literal of a struct that begins with its size. Not for the initialization of static objects, where ISO C has no
 * literals: write the size there. */
#ifndef __cplusplus
#define TERN__SIZED(type, ...) ((type){.size = sizeof(type), __VA_ARGS__})
#endif

#endif

/* Structs that begin with their size (tern/sized.h), between a program and a library of different versions. */
#ifndef TERN_BASE_SIZED_H
#define TERN_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Why a struct is not taken. */
typedef enum tern__sized_fault {
    TERN__SIZED_FINE,
    TERN__SIZED_UNSET, /* the size is 0 */
    TERN__SIZED_WRONG, /* no version of any struct has such a size: the struct was never initialised */
    TERN__SIZED_NEWER, /* what is beyond the members that are known here is not zero */
} tern__sized_fault;

enum { TERN__SIZED_MOST = 4096 }; /* bytes of the largest version of any struct */

/* The size that a struct states. */
static inline size_t tern__sized_size(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

/* Whether a struct can be read as it is: it is of this library's own version. */
static inline bool tern__sized_is_own(const void *given, size_t own_size) {
    return tern__sized_size(given) == own_size;
}

/* Lays what was given, which begins with its size, over the defaults in *own, a struct of own_size bytes, and sets the
 * size of *own to own_size. With a fault *own is left alone. */
tern__sized_fault tern__sized_read(void *own, size_t own_size, const void *given);

/* Whether a table of functions, which stays where it is, has all members that are known here and asks for no others.
 * NULL is none. */
bool tern__sized_is_whole(const void *given, size_t own_size);

/* The opposite: to a program that has room for out_size bytes, the members that it knows. What the program knows and we
 * do not becomes zero. */
void tern__sized_write(void *out, size_t out_size, const void *own, size_t own_size);

/* The same for defaults: *out begins with its size, which becomes out_size. */
void tern__sized_init(void *out, size_t out_size, const void *defaults, size_t own_size);

#endif

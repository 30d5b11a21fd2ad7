/* Numbers as text and back, exactly and in every locale. */
#ifndef TERN_CODEC_TEXT_NUMBER_H
#define TERN_CODEC_TEXT_NUMBER_H

#include "tern/mem.h"
#include "tern/type.h"

enum { NUMBER_TEXT_BYTES = 32 }; /* room enough for any double and its NUL */

/* A finite number by as few digits as read back to it, 6 or else 9 for a float, 15 or else 17 for a double, as C's
 * %g writes them with "." for the decimal point. Returns the length. */
size_t tern__number_print_float(float value, char *out);
size_t tern__number_print_double(double value, char *out);

/* Whether the text is a number by JSON's grammar, and nothing else. */
bool tern__number_valid(tern_str text);

/* A valid number, rounded to the nearest. Memory for a long one comes from the arena. Returns 0; TERN_ERR_LIMIT when
 * it is beyond the type's range; TERN_ERR_NOMEM. */
int tern__number_read_float(tern_str text, tern_arena *arena, float *out);
int tern__number_read_double(tern_str text, tern_arena *arena, double *out);

/* A valid number whose value is an integer, however it is written ("1e3", "10.0"): its magnitude and sign. False when
 * it is not an integer or is beyond 64 bits. */
bool tern__number_read_integer(tern_str text, uint64_t *magnitude, bool *negative);

#endif

/* Keys as kv shows them. A key is any UTF-8, so it can hold newlines and what a terminal obeys; shown it is one line:
 *
 *   \\  \n  \t  \r     a backslash, a newline, a tab, a carriage return
 *   \xNN               each byte of any other control character, of characters that turn or break lines of text
 *                      (U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069), and of what is not UTF-8
 *
 * All else stands for itself. bash's printf '%b' makes the key of it again. */
#ifndef KV_ESCAPE_H
#define KV_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

void escape_print(FILE *out, const char *text, size_t len);

#endif

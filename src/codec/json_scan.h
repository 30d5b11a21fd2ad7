/* A pull tokenizer for JSON (RFC 8259) over a range of bytes: the caller asks for what it expects next.
 *
 * Invariant: begin <= p <= end; everything before p is valid JSON so far. The first error is kept with its place and
 * reason; functions that return false have set it. Nothing is read twice but what the caller scans again. */
#ifndef TERN_CODEC_JSON_SCAN_H
#define TERN_CODEC_JSON_SCAN_H

#include "tern/mem.h"
#include "tern/type.h"

typedef struct json_scan {
    const char *begin, *p, *end;
    tern_arena *arena; /* for strings with escapes, and strings to keep */
    uint32_t depth_left;
    int err;
    const char *why; /* a sentence; set with err */
    const char *at;  /* where */
} json_scan;

/* Sets the error, at p, unless there is one. Always false. */
bool tern__json_fail(json_scan *s, int err, const char *why);

/* As fail, with TERN_ERR_TRUNCATED instead when the text ends at p. */
bool tern__json_fail_here(json_scan *s, const char *why);

/* The next byte after white space, not taken; 0 at the end. (A NUL in the text reads alike, and is no JSON.) */
char tern__json_peek(json_scan *s);

/* Takes the punctuation, which must come next. */
bool tern__json_expect(json_scan *s, char c);

/* Steps to the next element of an array or object whose opening bracket was taken: true when there is one, false at
 * the closing bracket, which is taken, and after an error. *n counts the steps; it starts at 0. */
bool tern__json_next(json_scan *s, char closing, size_t *n);

/* A string, without its quotes, escapes resolved, valid UTF-8. Unless `keep` it may point into the text. */
bool tern__json_string(json_scan *s, bool keep, tern_str *out);

/* The name of a member and the colon after it. */
bool tern__json_name(json_scan *s, bool keep, tern_str *out);

/* A number as it stands there. */
bool tern__json_number(json_scan *s, tern_str *out);

/* "true", "false" or "null". */
bool tern__json_word(json_scan *s, const char *word);

/* Any value, checked and dropped; nested at most depth_left deep. */
bool tern__json_skip(json_scan *s);

/* The end of the text, after white space. */
bool tern__json_end(json_scan *s);

#endif

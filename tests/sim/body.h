/* Message bodies that a number determines, so that any receiver can tell whether the right bytes came.
 *
 * A body is raw bytes or a Blob (a hand-written type table), its large values in pool buffers or not. Values
 * are given back right after the send, and their memory is overwritten at once if the sender does not hold it. */
#ifndef TERN_TESTS_BODY_H
#define TERN_TESTS_BODY_H

#include "engine/engine.h"
#include "engine/loan.h"

enum { BODY_MAX_PARTS = 24 };

/* message Blob { uint32 id = 1; bytes main = 2; repeated bytes parts = 3; } */
typedef struct blob {
    uint32_t id;
    tern_bytes main;
    tern_list_bytes parts;
    tern_unknown unknown;
} blob;

extern const tern_type blob_type;

/* What a body is. */
typedef struct body_spec {
    uint64_t key; /* decides the contents */
    size_t bytes; /* of the values, all together */
    bool typed;
    tern_format format;  /* typed: RAW for the session's choice */
    uint32_t n_parts;    /* typed: values beside main, over which the bytes are spread */
    uint32_t meta_bytes; /* of the metadata block before it; 0: none */
} body_spec;

typedef struct body {
    union {
        tern__body body; /* to be sent */
        tern__behind behind;
    };
    void *block; /* malloc'd */
    blob blob;
    tern_bytes parts[BODY_MAX_PARTS];
    void *values[BODY_MAX_PARTS + 1]; /* each in the pool or not, as its address tells */
    size_t value_bytes[BODY_MAX_PARTS + 1];
    unsigned n_values;
} body;

/* Build the body. Returns false when memory is out; nothing is left then. */
bool body_make(body *b, const body_spec *spec);

/* The sender gives its references back. scribble: overwrite what is free now, as its next user would. */
void body_drop(body *b, bool scribble);

/* NULL when the metadata block of what arrived is that of this spec, else what is wrong. */
const char *body_check_block(const body_spec *spec, const tern__arrived *msg);

/* NULL when the message that arrived is the body of this spec, with its metadata block, else what is wrong. */
const char *body_check(const body_spec *spec, const tern__arrived *msg);

/* The same of one that is perhaps in pieces: those of the loan, if that is not NULL. */
const char *body_check_pieces(const body_spec *spec, const tern__arrived *msg, const tern_loan *loan);

#endif

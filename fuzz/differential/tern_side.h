/* tern's answer to one input of the differential fuzzer, plain enough for C++. */
#ifndef TERN_FUZZ_TERN_SIDE_H
#define TERN_FUZZ_TERN_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_side tern_side;

/* `type` is a full name of one of the fuzzer's schemas; NULL when it is none. */
tern_side *tern_side_open(const char *type);
void tern_side_close(tern_side *side);

typedef struct tern_answer {
    int status;             /* of decoding; 0: accepted */
    const uint8_t *encoded; /* of an accepted message: what encoding it gave; valid until the next call */
    size_t encoded_len;
    const char *odd; /* NULL, or in what tern disagrees with itself: then all of the above may be missing */
} tern_answer;

/* Decodes with aliasing, with copying and in pieces; encodes into an exact buffer, a roomy one and a sink; copies,
 * merges and compares. `random` says where the input is cut, and so on. */
tern_answer tern_side_run(tern_side *side, const uint8_t *data, size_t len, uint64_t random);

#ifdef __cplusplus
}
#endif
#endif

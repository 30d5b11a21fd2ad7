/* Reading XDR (RFC 4506), from the pieces of tern/stream.h: a tern_reader, and these functions instead of tern_get_*.
 *
 * Everything is big-endian and a multiple of four bytes long. Errors stick to the reader, as there. Structures are read
 * member by member; a union is its discriminant and then the arm; optional data is tern_xdr_bool() and then the data.
 * With TCP, XDR travels in records (RFC 5531, 11): tern_source_records() takes their marks away. */
#ifndef TERN_XDR_H
#define TERN_XDR_H

#include "tern/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One number. An enum is an int32. 0 after an error. */
TERN_API int32_t tern_xdr_i32(tern_reader *r);
TERN_API uint32_t tern_xdr_u32(tern_reader *r);
TERN_API int64_t tern_xdr_i64(tern_reader *r);
TERN_API uint64_t tern_xdr_u64(tern_reader *r);
TERN_API float tern_xdr_f32(tern_reader *r);
TERN_API double tern_xdr_f64(tern_reader *r);

/* TERN_ERR_MALFORMED for anything but 0 and 1. */
TERN_API bool tern_xdr_bool(tern_reader *r);

/* n numbers of a fixed-length array, to out. On error out is left as it is from where the error came. */
TERN_API void tern_xdr_u32s(tern_reader *r, uint32_t *out, size_t n);
TERN_API void tern_xdr_u64s(tern_reader *r, uint64_t *out, size_t n);
TERN_API void tern_xdr_f32s(tern_reader *r, float *out, size_t n);
TERN_API void tern_xdr_f64s(tern_reader *r, double *out, size_t n);

/* n bytes of fixed-length opaque data to out, and their padding. */
TERN_API void tern_xdr_opaque_fixed(tern_reader *r, void *out, size_t n);

/* Opaque data or a string of at most max bytes: TERN_ERR_LIMIT beyond that or beyond the reader's maximum. Memory as in
 * tern_get_bytes(); a string has no final NUL. TERN_ERR_MALFORMED when the padding is not zero. */
TERN_API tern_bytes tern_xdr_opaque(tern_reader *r, size_t max, tern_arena *arena);
TERN_API tern_str tern_xdr_string(tern_reader *r, size_t max, tern_arena *arena);

/* The number of elements of a variable-length array; TERN_ERR_LIMIT (and 0) beyond max. */
TERN_API uint32_t tern_xdr_count(tern_reader *r, size_t max);

/* Record marking: bytes of `inner` without the marks between them. The stream ends where inner ends at a record's
 * end. The state is yours and must live as long as the reader; it may be given to one reader only. */
typedef struct tern_records {
    tern_source inner;
    uint32_t left; /* of the fragment */
    bool last;     /* it is its record's last */
    bool started;
} tern_records;

/* Errors: TERN_ERR_TRUNCATED when inner ends within a record. */
TERN_API tern_source tern_source_records(tern_records *state, tern_source inner);

#ifdef __cplusplus
}
#endif
#endif

/* Streams for Fortran (include/tern/stream.f90): functions where tern/stream.h has inline ones. Fortran has no unsigned
 * numbers; its objects are storage that is large enough. */
#include "tern/stream.h"

enum { STORAGE_BYTES = 24 * 8 }; /* of both types in stream.f90 */

_Static_assert(sizeof(tern_writer) <= STORAGE_BYTES && sizeof(tern_reader) <= STORAGE_BYTES, "see stream.f90");

#define NUMBER(name, type)                                                                                             \
    TERN_API void tern_f_put_##name(tern_writer *w, type value);                                                       \
    TERN_API void tern_f_put_##name##s(tern_writer *w, const type *values, size_t n);                                  \
    TERN_API type tern_f_get_##name(tern_reader *r);                                                                   \
    TERN_API void tern_f_get_##name##s(tern_reader *r, type *out, size_t n);                                           \
    void tern_f_put_##name(tern_writer *w, type value) { tern_put_##name(w, value); }                                  \
    void tern_f_put_##name##s(tern_writer *w, const type *values, size_t n) { tern_put_##name##s(w, values, n); }      \
    type tern_f_get_##name(tern_reader *r) { return tern_get_##name(r); }                                              \
    void tern_f_get_##name##s(tern_reader *r, type *out, size_t n) { tern_get_##name##s(r, out, n); }

NUMBER(i8, int8_t)
NUMBER(i16, int16_t)
NUMBER(i32, int32_t)
NUMBER(i64, int64_t)
NUMBER(f32, float)
NUMBER(f64, double)

TERN_API int tern_f_writer_fd(tern_writer *w, int fd, size_t buffer_bytes);
TERN_API int tern_f_reader_fd(tern_reader *r, int fd, size_t buffer_bytes);
TERN_API void tern_f_put_str(tern_writer *w, const char *s, size_t len);
TERN_API void tern_f_get_str(tern_reader *r, char *out, size_t len);
TERN_API int tern_f_reader_error(const tern_reader *r);

int tern_f_writer_fd(tern_writer *w, int fd, size_t buffer_bytes) {
    return tern_writer_init(w, tern_sink_fd(fd), buffer_bytes);
}

int tern_f_reader_fd(tern_reader *r, int fd, size_t buffer_bytes) {
    return tern_reader_init(r, tern_source_fd(fd), buffer_bytes);
}

int tern_f_reader_error(const tern_reader *r) { return r->err; }

void tern_f_put_str(tern_writer *w, const char *s, size_t len) { tern_put_str(w, (tern_str){s, len}); }

/* Padded with blanks, as Fortran has its strings; what is longer is cut. */
void tern_f_get_str(tern_reader *r, char *out, size_t len) {
    tern_str s = tern_get_str(r, NULL);
    size_t n = s.len < len ? s.len : len;
    if (n) memcpy(out, s.data, n);
    memset(out + n, ' ', len - n);
}

/* tern's writer and the one written by hand, for one order of bytes: SWAPPED is 0 or 1. */
#include "run.h"

#if SWAPPED
#define TERN_STREAM_ORDER TERN_STREAM_SWAPPED
#define NAME(name) name##_swapped
#else
#define NAME(name) name
#endif
#include "tern/call_stream.h"

static int64_t to_medium(void *user, const uint8_t *data, size_t n, size_t min) {
    (void)min;
    return run_write(user, data, n) ? (int64_t)n : TERN_ERR_IO;
}

static tern_sink sink_of(const run_medium *m) {
    static const tern_sink_ops memory = {.size = sizeof memory, .flush = to_medium};
    if (m->kind == RUN_FD) return tern_sink_fd(m->fd);
    if (m->kind == RUN_CALL) return tern_stream_sink(m->call);
    return (tern_sink){&memory, (void *)(uintptr_t)m};
}

bool NAME(run_tern)(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    tern_writer w;
    if (tern_writer_init(&w, sink_of(m), RUN_BUFFER_BYTES)) return false;
    if (n == 1)
        for (size_t i = 0; i < n_sequences; i++) tern_put_f64(&w, values[0]);
    else
        for (size_t i = 0; i < n_sequences; i++) tern_put_f64s(&w, values, n);
    return !tern_writer_fini(&w);
}

/* What a careful programmer writes who knows that all is doubles. */
typedef struct raw {
    size_t len;
    const run_medium *medium;
    bool bad;
} raw;

__attribute__((noinline)) static void raw_flush(raw *r, const uint8_t *buffer) {
    r->bad |= !run_write(r->medium, buffer, r->len);
    r->len = 0;
}

static inline void raw_put(raw *r, uint8_t *buffer, const double *values, size_t n) {
    if (n * sizeof *values > RUN_BUFFER_BYTES - r->len) raw_flush(r, buffer);
#if SWAPPED
    for (size_t i = 0; i < n; i++) {
        uint64_t x;
        memcpy(&x, values + i, sizeof x);
        x = __builtin_bswap64(x);
        memcpy(buffer + r->len + i * sizeof x, &x, sizeof x);
    }
#else
    memcpy(buffer + r->len, values, n * sizeof *values);
#endif
    r->len += n * sizeof *values;
}

bool NAME(run_raw)(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    raw r = {.medium = m};
    uint8_t *buffer = run_buffer(m);
    if (n == 1)
        for (size_t i = 0; i < n_sequences; i++) raw_put(&r, buffer, values, 1);
    else
        for (size_t i = 0; i < n_sequences; i++) raw_put(&r, buffer, values, n);
    raw_flush(&r, buffer);
    run_buffer_done(m, buffer);
    return !r.bad;
}

/* The other C writers: unbuffered, memcpy, and xdrrec of libtirpc. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"
#include "tern/call_stream.h"

static bool write_call(tern_stream call, const void *data, size_t n) {
    int err;
    while ((err = tern_stream_write(call, (tern_bytes){data, n})) == TERN_ERR_FULL &&
           !(err = tern_stream_wait_writable(call))) {
    }
    return !err && !tern_stream_flush(call);
}

uint8_t *run_buffer(const run_medium *m) {
    enum { N = 16 };
    static uint8_t unregistered[N][RUN_BUFFER_BYTES] __attribute__((aligned(RUN_PAGE_BYTES)));
    static unsigned i;
    uint8_t *buffer = m->kind == RUN_CALL ? unregistered[i++ % N] : tern_alloc(RUN_BUFFER_BYTES);
    if (!buffer) abort();
    return buffer;
}

void run_buffer_done(const run_medium *m, uint8_t *buffer) {
    if (m->kind != RUN_CALL) tern_unref(buffer);
}

bool run_write(const run_medium *m, const void *data, size_t n) {
    if (m->kind == RUN_CALL) return write_call(*m->call, data, n);
    if (m->kind == RUN_MEMORY) {
        __asm__ volatile("" : : "r"(data) : "memory");
        return true;
    }
    while (n) {
        ssize_t some = write(m->fd, data, n);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return false;
        data = (const char *)data + some;
        n -= (size_t)some;
    }
    return true;
}

bool run_unbuffered(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    bool good = true;
    for (size_t i = 0; i < n_sequences && good; i++) good = run_write(m, values, n * sizeof *values);
    return good;
}

bool run_memcpy(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    size_t bytes = n * sizeof *values, at = 0;
    uint8_t *to = run_buffer(m);
    for (size_t i = 0; i < n_sequences; i++) {
        if (bytes > RUN_BUFFER_BYTES - at) at = 0;
        memcpy(to + at, values, bytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        at += bytes;
    }
    run_buffer_done(m, to);
    return m->kind == RUN_MEMORY;
}

#ifdef BENCH_HAVE_TIRPC
#include <rpc/xdr.h>

static int xdr_out(void *user, void *data, int n) { return run_write(user, data, (size_t)n) ? n : -1; }

static int xdr_in(void *user, void *data, int n) {
    (void)user, (void)data, (void)n;
    return -1;
}

bool run_xdr(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    XDR x;
    bool good = true;
    double copy[2048];
    memcpy(copy, values, n * sizeof *values);
    xdrrec_create(&x, RUN_BUFFER_BYTES, RUN_BUFFER_BYTES, (void *)(uintptr_t)m, xdr_in, xdr_out);
    x.x_op = XDR_ENCODE;
    for (size_t i = 0; i < n_sequences && good; i++)
        good = n == 1 ? xdr_double(&x, copy)
                      : xdr_vector(&x, (char *)copy, (u_int)n, sizeof(double), (xdrproc_t)xdr_double);
    good = good && xdrrec_endofrecord(&x, 1);
    xdr_destroy(&x);
    return good;
}
#endif

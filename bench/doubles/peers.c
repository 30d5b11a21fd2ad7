/* The other C writers: unbuffered, memcpy, and xdrrec of libtirpc. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

bool run_write(int medium, const void *data, size_t n) {
    if (medium == RUN_MEMORY) {
        __asm__ volatile("" : : "r"(data) : "memory");
        return true;
    }
    while (n) {
        ssize_t some = write(medium, data, n);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return false;
        data = (const char *)data + some;
        n -= (size_t)some;
    }
    return true;
}

bool run_unbuffered(int medium, const double *values, size_t n, size_t n_sequences) {
    bool good = true;
    for (size_t i = 0; i < n_sequences && good; i++) good = run_write(medium, values, n * sizeof *values);
    return good;
}

bool run_memcpy(int medium, const double *values, size_t n, size_t n_sequences) {
    static uint8_t to[RUN_BUFFER_BYTES] __attribute__((aligned(64)));
    size_t bytes = n * sizeof *values, at = 0;
    for (size_t i = 0; i < n_sequences; i++) {
        if (bytes > sizeof to - at) at = 0;
        memcpy(to + at, values, bytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        at += bytes;
    }
    return medium == RUN_MEMORY;
}

#ifdef BENCH_HAVE_TIRPC
#include <rpc/xdr.h>

static int xdr_out(void *user, void *data, int n) { return run_write((int)(intptr_t)user, data, (size_t)n) ? n : -1; }

static int xdr_in(void *user, void *data, int n) {
    (void)user, (void)data, (void)n;
    return -1;
}

bool run_xdr(int medium, const double *values, size_t n, size_t n_sequences) {
    XDR x;
    bool good = true;
    double copy[2048];
    memcpy(copy, values, n * sizeof *values);
    xdrrec_create(&x, RUN_BUFFER_BYTES, RUN_BUFFER_BYTES, (void *)(intptr_t)medium, xdr_in, xdr_out);
    x.x_op = XDR_ENCODE;
    for (size_t i = 0; i < n_sequences && good; i++)
        good = n == 1 ? xdr_double(&x, copy)
                      : xdr_vector(&x, (char *)copy, (u_int)n, sizeof(double), (xdrproc_t)xdr_double);
    good = good && xdrrec_endofrecord(&x, 1);
    xdr_destroy(&x);
    return good;
}
#endif

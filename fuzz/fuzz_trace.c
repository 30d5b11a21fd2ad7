/* A cache trace with any bytes: what is kept is within the limits, in order of time, and every line is accounted
 * for. */
#include "../apps/kv/trace.h"
#include "../apps/kv/utf8.h"
#include "fuzz.h"

static void check_ops(const trace *t) {
    uint64_t last = 0;
    for (size_t i = 0; i < t->n_ops; i++) {
        const trace_op *op = &t->ops[i];
        FUZZ_CHECK(op->at_ns >= last);
        FUZZ_CHECK(op->key.len > 0 && op->key.len <= TRACE_MAX_KEY_BYTES && utf8_valid(op->key.data, op->key.len));
        FUZZ_CHECK(op->value_bytes <= TRACE_MAX_VALUE_BYTES);
        last = op->at_ns;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    uint64_t n_lines = len > 0 && data[len - 1] != '\n', n_empty = 0;
    for (size_t i = 0; i < len; i++) {
        n_lines += data[i] == '\n';
        n_empty += data[i] == '\n' && (i == 0 || data[i - 1] == '\n');
    }
    FILE *in = len > 0 ? fmemopen((void *)(uintptr_t)data, len, "r") : NULL;
    if (!in) return 0;
    trace t;
    FUZZ_CHECK(trace_load(&t, in, 1000) == 0);
    fclose(in);
    check_ops(&t);
    if (!t.cut) FUZZ_CHECK(t.n_ops + t.n_malformed + t.n_unsupported == n_lines - n_empty);
    trace_fini(&t);
    return 0;
}

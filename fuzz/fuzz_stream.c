/* Any bytes as a stream, read by any program: from memory, and from a source that gives as little as it may through a
 * small buffer. Both readers must see the same numbers, strings and errors. The first half of the input is the program,
 * the second the stream. */
#define TERN_STREAM_ORDER TERN_STREAM_PEER
#include "fuzz.h"
#include "tern/xdr.h"

enum { MAX_NUMBERS = 200, MAX_BYTES = 100000, N_OPERATIONS = 16 };

typedef struct drip {
    const uint8_t *bytes;
    size_t n, at, step;
} drip;

static int64_t drip_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    drip *d = user;
    size_t n = min + d->step < cap ? min + d->step : cap;
    if (n > d->n - d->at) n = d->n - d->at;
    if (n) memcpy(to, d->bytes + d->at, n);
    d->at += n;
    return (int64_t)n;
}

static const tern_source_ops drip_ops = {.size = sizeof drip_ops, .fill = drip_fill};

static uint64_t add(uint64_t hash, const void *data, size_t n) {
    for (size_t i = 0; i < n; i++) hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return hash;
}

#define NUMBER(call)                                                                                                   \
    do {                                                                                                               \
        uint64_t value = (uint64_t)(call);                                                                             \
        return add(hash, &value, sizeof value);                                                                        \
    } while (0)

/* Arrays that failed on their way hold something or other. */
#define NUMBERS(type, get)                                                                                             \
    do {                                                                                                               \
        type values[MAX_NUMBERS];                                                                                      \
        get(r, values, n % MAX_NUMBERS);                                                                               \
        return r->err ? hash : add(hash, values, n % MAX_NUMBERS * sizeof *values);                                    \
    } while (0)

static uint64_t operate(tern_reader *r, uint8_t what, uint8_t n, tern_arena *arena, uint64_t hash) {
    tern_bytes b;
    tern_str s;
    switch (what % N_OPERATIONS) {
    case 0: tern_get_preamble(r, n); return hash;
    case 1: NUMBER(tern_get_u8(r));
    case 2: NUMBER(tern_get_i16(r));
    case 3: NUMBER(tern_get_u32(r));
    case 4: NUMBER(tern_get_u64(r));
    case 5: NUMBERS(uint8_t, tern_get_u8s);
    case 6: NUMBERS(uint16_t, tern_get_u16s);
    case 7: NUMBERS(uint32_t, tern_get_u32s);
    case 8: NUMBERS(uint64_t, tern_get_u64s);
    case 9: s = tern_get_str(r, arena); return add(hash, s.data, s.len);
    case 10: b = tern_get_bytes(r, arena); return add(hash, b.data, b.len);
    case 11: NUMBER(tern_reader_at_end(r));
    case 12: NUMBER(tern_xdr_u64(r));
    case 13: b = tern_xdr_opaque(r, 100, arena); return add(hash, b.data, b.len);
    case 14: NUMBERS(uint64_t, tern_xdr_u64s);
    default: NUMBER(tern_xdr_bool(r));
    }
}

/* A program whose first byte is 0xff: whatever the type codes say. */
static uint64_t run_pieces(tern_reader *r, tern_arena *arena) {
    tern_piece p;
    uint64_t hash = 0, values[MAX_NUMBERS];
    while (tern_get_piece(r, arena, &p)) {
        hash = add(add(hash, &p.code, sizeof p.code), p.bytes.data, p.bytes.len);
        if (p.code == TERN_CODE_PREAMBLE || p.code == TERN_CODE_str || p.code == TERN_CODE_bytes) continue;
        while (p.n && !r->err) {
            size_t n = p.n < MAX_NUMBERS ? p.n : MAX_NUMBERS;
            memset(values, 0, sizeof values);
            tern_get_values(r, &p, values, n);
            if (!r->err) hash = add(hash, values, sizeof values);
        }
    }
    return hash;
}

/* xdr.c's functions are used with another setting than this file's, which one reader must not see. */
static uint64_t run(tern_reader *r, const uint8_t *program, size_t n, int *err) {
    tern_arena arena;
    uint64_t hash = 0;
    char text[200];
    bool xdr = n && program[0] & 1;
    tern_arena_init(&arena, 0, 0);
    tern_reader_set_max(r, MAX_BYTES);
    if (n && program[0] == 0xff) hash = run_pieces(r, &arena);
    for (size_t i = 0; i + 1 < n && program[0] != 0xff && !r->err; i += 2) {
        uint8_t what = program[i] % N_OPERATIONS;
        if (what != 11 && (what >= 12) != xdr) continue;
        hash = operate(r, what, program[i + 1], &arena, hash);
    }
    tern_reader_explain(r, text, sizeof text);
    *err = tern_reader_fini(r);
    tern_arena_fini(&arena);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 3) return 0;
    size_t buffer = TERN_STREAM_BUFFER_MIN + data[0], step = data[1];
    bool records = data[2] & 1;
    data += 3, len -= 3;
    const uint8_t *program = data, *stream = data + len / 2;
    size_t n_program = len / 2, n_stream = len - len / 2;
    tern_reader plain, dripping;
    tern_records states[2];
    drip whole = {stream, n_stream, 0, SIZE_MAX / 2}, some = {stream, n_stream, 0, step};
    int errs[2];
    if (records) {
        tern_reader_init(&plain, tern_source_records(&states[0], (tern_source){&drip_ops, &whole}), 0);
        tern_reader_init(&dripping, tern_source_records(&states[1], (tern_source){&drip_ops, &some}), buffer);
    } else {
        tern_reader_init_memory(&plain, stream, n_stream);
        tern_reader_init(&dripping, (tern_source){&drip_ops, &some}, buffer);
    }
    uint64_t first = run(&plain, program, n_program, &errs[0]), second = run(&dripping, program, n_program, &errs[1]);
    FUZZ_CHECK(first == second && errs[0] == errs[1]);
    return 0;
}

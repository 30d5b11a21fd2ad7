/* From a payload to what a handler or continuation is given. */
#include "rpc/decode.h"

#include "codec/limits.h"
#include "engine/loan.h"

static __attribute__((noinline)) int status_of_decode(int err, const char **why) {
    switch (err) {
    case 0: return TERN_STATUS_OK;
    case TERN_ERR_NOMEM: *why = "the message takes more memory, once it is decoded, than there is"; break;
    case TERN_ERR_LIMIT: *why = "the message nests too deep, has too many elements, or is too large"; break;
    case TERN_ERR_UTF8: *why = "a string field of the message is not valid UTF-8"; break;
    case TERN_ERR_TRUNCATED:
        *why = "the message ends within a field: the types differ, or the bytes are damaged";
        break;
    default: *why = "the message does not decode: the types differ, or the bytes are damaged"; break;
    }
    return err == TERN_ERR_LIMIT || err == TERN_ERR_NOMEM ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL;
}

/* Of a loan, whose pieces the format takes as they lie. */
static __attribute__((noinline)) int decode_lent(const tern__format *format, const tern_type *type, tern_loan *loan,
                                                 tern_arena *arena, const tern_limits *limits, void *value) {
    uint32_t n = loan->n;
    if (!format->decode_lent) {
        const tern_bytes whole = {tern__loan_gather(loan, true), loan->len};
        return whole.data ? format->decode(type, &whole, 1, arena, limits, value) : TERN_ERR_NOMEM;
    }
    tern_bytes *pieces = tern_arena_alloc(&loan->arena, n * (sizeof *pieces + sizeof(bool)));
    if (!pieces) return TERN_ERR_NOMEM;
    bool *lent = (bool *)(pieces + n);
    for (uint32_t i = 0; i < n; i++) {
        pieces[i] = (tern_bytes){loan->pieces[i].data, loan->pieces[i].len};
        lent[i] = loan->pieces[i].is_lent;
    }
    return format->decode_lent(type, pieces, lent, n, arena, limits, value);
}

int tern__decode(const tern__decoder *decoder, const tern_type *type, const tern__arrived *msg, size_t prefix_bytes,
                 tern_arena *arena, void **out, const char **why) {
    tern_loan *loan = tern__arrived_loan(msg);
    const tern__format *format = tern__decoder_format(decoder, msg->format & ~(uint32_t)TERN__LENT);
    if (!format) {
        *why = "the message is in a format that is not known here";
        return TERN_STATUS_INTERNAL;
    }
    char *memory = tern_arena_alloc(arena, prefix_bytes + type->size_bytes);
    if (!memory) return status_of_decode(TERN_ERR_NOMEM, why);
    *out = memory;
    void *value = memory + prefix_bytes;
    int err = __builtin_expect(loan != NULL, 0) ? decode_lent(format, type, loan, arena, &decoder->limits, value)
                                                : format->decode(type, &msg->bytes, 1, arena, &decoder->limits, value);
    return err ? status_of_decode(err, why) : TERN_STATUS_OK;
}

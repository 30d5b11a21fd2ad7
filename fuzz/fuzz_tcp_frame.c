/* A byte stream of anything into the stream port's cutter of packets, torn where the input says, against a reader that
 * has all of it at once and knows only the format. Both must see the same packets and come to the same end. */
#include "fuzz.h"
#include "port/tcp_frame.h"
#include "tern/err.h"
#include "tern/mem.h"

enum { MAX_BYTES = 1 << 16, MAX_TEARS = 64 };

typedef struct result {
    uint32_t n_packets;
    uint64_t hash; /* of lengths and bytes, in order */
    int err;
} result;

static void add(result *r, const uint8_t *data, uint32_t len) {
    r->n_packets++;
    r->hash = (r->hash ^ len) * 0x100000001b3u;
    for (uint32_t i = 0; i < len; i++) r->hash = (r->hash ^ data[i]) * 0x100000001b3u;
}

/* The format, read plainly. */
static result read_whole(const uint8_t *data, uint32_t len, uint8_t role) {
    static const uint8_t magic[4] = {'T', 'E', 'R', 'N'};
    result r = {0};
    for (uint32_t i = 0; i < len && i < 8; i++) {
        uint8_t want = i < 4 ? magic[i] : i == 4 ? 1 : i == 5 ? role : 0;
        /* the last bytes are looked at together */
        if (data[i] != want && (i < 5 || len >= 8)) r.err = i == 4 ? TERN_ERR_VERSION : TERN_ERR_MALFORMED;
        if (r.err) return r;
    }
    for (uint32_t at = 8; at + 4 <= len;) {
        uint32_t n = tern__load32(data + at);
        at += 4;
        if (n == 0 || n > TERN__TCP_MAX_PACKET) r.err = TERN_ERR_MALFORMED;
        if (r.err || n > len - at) return r;
        add(&r, data + at, n);
        at += n;
    }
    return r;
}

static void take(result *r, const tern__tcp_arrival *a) {
    FUZZ_CHECK(a->len > 0 && a->len <= TERN__TCP_MAX_PACKET);
    FUZZ_CHECK(tern_in_pool(a->data));
    add(r, a->data, a->len);
    if (a->own) tern_unref(a->data);
}

/* A stretch of the stream, part of it straight to where it is wanted if `direct`. */
static void feed(tern__tcp_frames *f, const uint8_t *at, uint32_t len, bool direct, result *r) {
    tern__tcp_arrival a;
    uint32_t want;
    uint8_t *to = tern__tcp_frames_want(f, &want);
    const uint8_t *end = at + len;
    FUZZ_CHECK(!to || (want > 0 && want <= TERN__TCP_MAX_PACKET));
    if (direct && to && len) {
        uint32_t n = len < want ? len : want;
        memcpy(to, at, n);
        at += n;
        if (tern__tcp_frames_got(f, n, &a)) take(r, &a);
    }
    while ((r->err = tern__tcp_frames_next(f, &at, end, &a)) == 1) take(r, &a);
    FUZZ_CHECK(r->err < 0 || at == end);
}

/* Input: role, the number of tears, then for each two bytes of length (the top bit: received directly), then the
 * stream. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    uint8_t role = data[0] & 1, n_tears = data[1] % MAX_TEARS;
    const uint8_t *tears = data + 2;
    if (size < 2 + 2 * (size_t)n_tears) return 0;
    size_t len = size - 2 - 2 * (size_t)n_tears;
    if (len > MAX_BYTES) len = MAX_BYTES;
    uint8_t *stream = tern_alloc(MAX_BYTES);
    if (!stream) return 0;
    memcpy(stream, tears + 2 * n_tears, len);
    result want = read_whole(stream, (uint32_t)len, role), got = {0};

    tern__tcp_frames f;
    tern__tcp_frames_init(&f, (tern__tcp_role)role);
    uint32_t at = 0;
    for (uint32_t i = 0; i <= n_tears && got.err == 0; i++) {
        uint32_t left = (uint32_t)len - at, word = i < n_tears ? tern__load16(tears + 2 * i) : 0x7fff;
        uint32_t n = i < n_tears && (word & 0x7fff) < left ? word & 0x7fff : left;
        feed(&f, stream + at, n, word >> 15, &got);
        at += n;
    }
    tern__tcp_frames_fini(&f);
    FUZZ_CHECK(got.err == want.err);
    FUZZ_CHECK(got.n_packets == want.n_packets && got.hash == want.hash);
    tern_unref(stream);
    return 0;
}

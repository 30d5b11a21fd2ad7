/* The stream port's pure parts: a stream cut into packets at every place it can be torn, and the queue of pieces
 * against a plain buffer. */
#include <errno.h>

#include "base/rng.h"
#include "mem/pool.h"
#include "port/tcp_frame.h"
#include "port/tcp_queue.h"
#include "tap.h"

/* ---- Frames --------------------------------------------------------------------------------------- */

static uint8_t *memory; /* of the pool: where streams lie */

/* Greeting and packets of these lengths. Returns the bytes. */
static uint32_t make_stream(const uint32_t *lens, uint32_t n) {
    tern__tcp_greeting_write(memory, TERN__TCP_SERVER);
    uint32_t at = TERN__TCP_GREETING_BYTES;
    for (uint32_t i = 0; i < n; i++) {
        tern__store32(memory + at, lens[i]);
        memset(memory + at + 4, (int)(i + 1), lens[i]);
        at += 4 + lens[i];
    }
    return at;
}

typedef struct seen {
    uint32_t n, n_own, lens[64];
    bool right;
} seen;

static void note(seen *s, const tern__tcp_arrival *a) {
    s->lens[s->n++ % 64] = a->len;
    for (uint32_t i = 0; i < a->len; i++) s->right &= a->data[i] == (uint8_t)s->n;
    s->n_own += a->own;
    if (a->own) tern_unref(a->data);
}

/* Feed bytes as a port does: the rest of a packet to where it is wanted, what is left as it lies. */
static int feed(tern__tcp_frames *f, const uint8_t *at, uint32_t len, bool direct, seen *s) {
    tern__tcp_arrival a;
    uint32_t want;
    uint8_t *to = tern__tcp_frames_want(f, &want);
    const uint8_t *end = at + len;
    if (direct && to && len) {
        uint32_t n = len < want ? len : want;
        memcpy(to, at, n);
        at += n;
        if (tern__tcp_frames_got(f, n, &a)) note(s, &a);
    }
    int got;
    while ((got = tern__tcp_frames_next(f, &at, end, &a)) == 1) note(s, &a);
    if (got == 0 && at != end) return TERN_ERR_STATE;
    return got;
}

static void frames_next__torn_at_any_two_places(void) {
    static const uint32_t lens[] = {1, 30, 4, 64, 3};
    uint64_t live = tern__pool_live(0);
    memory = tern_alloc(4096);
    uint32_t len = make_stream(lens, 5);
    for (uint32_t i = 0; i <= len; i++) {
        for (uint32_t k = i; k <= len; k++) {
            tern__tcp_frames f;
            seen s = {.right = true};
            tern__tcp_frames_init(&f, TERN__TCP_SERVER);
            CHECK_EQ(feed(&f, memory, i, k % 2, &s), 0);
            CHECK_EQ(feed(&f, memory + i, k - i, k % 3, &s), 0);
            CHECK_EQ(feed(&f, memory + k, len - k, k % 2, &s), 0);
            CHECK(s.right && s.n == 5 && f.greeted && !f.part && f.n_head == 0);
            CHECK_MEM(s.lens, lens, sizeof lens);
            CHECK(s.n_own <= 2);
            tern__tcp_frames_fini(&f);
        }
    }
    tern_unref(memory);
    CHECK_EQ(tern__pool_live(0), live);
}

static void frames_next__whole_ones_are_not_copied(void) {
    static const uint32_t lens[] = {100, TERN__TCP_MAX_PACKET, 24};
    memory = tern_alloc(1 << 18);
    uint32_t len = make_stream(lens, 3);
    tern__tcp_frames f;
    tern__tcp_frames_init(&f, TERN__TCP_SERVER);
    const uint8_t *at = memory;
    tern__tcp_arrival a;
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(tern__tcp_frames_next(&f, &at, memory + len, &a), 1);
        CHECK(!a.own && a.data + a.len == at && a.len == lens[i]);
    }
    CHECK_EQ(tern__tcp_frames_next(&f, &at, memory + len, &a), 0);
    tern__tcp_frames_fini(&f);
    tern_unref(memory);
}

static void frames_next__nothing_is_allocated_for_a_false_length(void) {
    memory = tern_alloc(4096);
    for (uint32_t bit = 17; bit < 32; bit++) {
        uint32_t at = make_stream(NULL, 0);
        tern__store32(memory + at, 1u << bit);
        tern__tcp_frames f;
        seen s = {.right = true};
        tern__tcp_frames_init(&f, TERN__TCP_SERVER);
        CHECK_EQ(feed(&f, memory, at + 4, false, &s), TERN_ERR_MALFORMED);
        CHECK(f.part == NULL);
        tern__tcp_frames_fini(&f);
    }
    tern_unref(memory);
}

static void frames_next__memory_out(void) {
    static const uint32_t lens[] = {1000};
    memory = tern_alloc(4096);
    make_stream(lens, 1);
    tern__tcp_frames f;
    seen s = {.right = true};
    tern__tcp_frames_init(&f, TERN__TCP_SERVER);
    tern__pool_fail_after(1);
    CHECK_EQ(feed(&f, memory, 50, false, &s), TERN_ERR_NOMEM);
    tern__tcp_frames_fini(&f);
    tern_unref(memory);
}

/* ---- The queue ------------------------------------------------------------------------------------ */

enum { MODEL_BYTES = 1 << 20 };
static uint8_t model[MODEL_BYTES]; /* all bytes ever queued, in order */

static bool queue_matches(const tern__tcp_queue *q, uint32_t from, uint32_t to) {
    uint32_t at = from;
    for (uint32_t i = q->first; i < q->n; i++) {
        if (at + q->iovs[i].iov_len > to || memcmp(q->iovs[i].iov_base, model + at, q->iovs[i].iov_len) != 0)
            return false;
        at += (uint32_t)q->iovs[i].iov_len;
    }
    return at == to && q->bytes == to - from;
}

/* One packet of random parts; to the model, too, if it is not rolled back. Returns its bytes. */
static uint32_t random_packet(tern__rng *rng, tern__tcp_queue *q, tern__tcp_spares *spares, uint8_t *value,
                              uint32_t to) {
    tern__tcp_mark mark;
    uint32_t head = 5 + (uint32_t)tern__rng_below(rng, 3000), len = head;
    if (!tern__tcp_queue_begin(q, spares, head, 10, &mark)) return 0;
    uint8_t *p = tern__tcp_queue_append(q, head);
    for (uint32_t i = 0; i < head; i++) p[i] = (uint8_t)tern__rng_next(rng);
    memcpy(model + to, p, head);
    for (uint32_t n_parts = (uint32_t)tern__rng_below(rng, 6); n_parts; n_parts--) {
        uint32_t n = 1 + (uint32_t)tern__rng_below(rng, 10000), at = (uint32_t)tern__rng_below(rng, 50000);
        if (tern__rng_below(rng, 2)) {
            tern__tcp_queue_copy(q, spares, value + at, n);
        } else {
            uint32_t *counter = tern__ref_find(value, 1);
            tern__ref_take(counter, value);
            tern__tcp_queue_refer(q, value + at, n, counter);
        }
        memcpy(model + to + len, value + at, n);
        len += n;
    }
    if (tern__rng_below(rng, 4)) return len;
    tern__tcp_queue_rollback(q, &mark);
    return 0;
}

static void queue__against_a_plain_buffer(void) {
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    tern__rng rng;
    uint8_t *value = tern_alloc(65536);
    for (uint32_t i = 0; i < 65536; i++) value[i] = (uint8_t)(i * 7 + (i >> 8));
    for (unsigned seed = 0; seed < 30; seed++) {
        tern__rng_seed(&rng, seed);
        tern__tcp_queue q = {0};
        tern__tcp_spares spares = {0};
        uint32_t from = 0, to = 0;
        while (to + 70000 < MODEL_BYTES) {
            to += random_packet(&rng, &q, &spares, value, to);
            CHECK(queue_matches(&q, from, to));
            if (tern__rng_below(&rng, 3) == 0 && q.bytes) {
                bool all = tern__rng_below(&rng, 4) == 0;
                uint32_t n = all ? q.bytes : (uint32_t)tern__rng_below(&rng, q.bytes + 1);
                tern__tcp_queue_written(&q, &spares, n);
                from += n;
                CHECK(queue_matches(&q, from, to));
                CHECK(from < to || q.chunk == NULL);
            }
        }
        tern__tcp_queue_fini(&q, &spares);
        tern__tcp_spares_fini(&spares);
        CHECK_EQ(tern_refcount(value), 1);
    }
    tern_unref(value);
    tern_mem_get_stats(&after);
    CHECK_EQ(after.live_buffers, before.live_buffers);
}

static void queue__memory_out_is_seen_at_the_beginning(void) {
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    for (uint64_t nth = 1; nth <= 2; nth++) {
        tern__tcp_queue q = {0};
        tern__tcp_spares spares = {0};
        tern__tcp_mark mark;
        tern__pool_fail_after(nth);
        CHECK(!tern__tcp_queue_begin(&q, &spares, 100, 10, &mark));
        CHECK(tern__tcp_queue_begin(&q, &spares, 100, 10, &mark));
        CHECK_EQ(q.bytes, 0);
        tern__tcp_queue_fini(&q, &spares);
        tern__tcp_spares_fini(&spares);
    }
    tern_mem_get_stats(&after);
    CHECK_EQ(after.live_buffers, before.live_buffers);
}

/* A piece of a buffer: as many bytes while somebody else has the buffer, all of it when nobody does. */
static void queue__holds_what_only_it_keeps(void) {
    enum { N = 40, BYTES = 100000, PIECE = 600 };
    uint64_t live = tern__pool_live(0);
    tern__tcp_queue q = {0};
    tern__tcp_spares spares = {0};
    uint8_t *values[N], *kept = tern_alloc(BYTES);
    size_t whole = 0;
    for (unsigned i = 0; i < N; i++) values[i] = tern_alloc(BYTES);
    tern_recover(values[0], &whole);
    for (unsigned i = 0; i < 3 * N; i++) { /* three pieces of each, far from each other */
        tern__tcp_mark mark;
        uint8_t *value = i % 3 == 2 ? kept : values[i % N];
        uint32_t *counter = tern__ref_find(value, 1);
        CHECK(tern__tcp_queue_begin(&q, &spares, 20, 2, &mark));
        memset(tern__tcp_queue_append(&q, 20), 0, 20);
        tern__ref_take(counter, value);
        tern__tcp_queue_refer(&q, value + i, PIECE, counter);
    }
    CHECK_EQ(tern__tcp_queue_held_bytes(&q), q.bytes);
    uint64_t more = 0;
    for (unsigned i = 0; i < N; i++) {
        uint32_t n = tern_refcount(values[i]) - 1; /* of pieces, two or three */
        tern_unref(values[i]);
        more += whole - (uint64_t)n * PIECE;
        CHECK_EQ(tern__tcp_queue_held_bytes(&q), q.bytes + more);
    }
    tern__tcp_queue_written(&q, &spares, q.bytes - PIECE); /* of `kept` */
    CHECK_EQ(tern__tcp_queue_held_bytes(&q), PIECE);
    tern__tcp_queue_fini(&q, &spares);
    tern__tcp_spares_fini(&spares);
    tern_unref(kept);
    CHECK_EQ(tern__pool_live(0), live);
}

TAP_MAIN(TEST(frames_next__torn_at_any_two_places), TEST(frames_next__whole_ones_are_not_copied),
         TEST(frames_next__nothing_is_allocated_for_a_false_length), TEST(frames_next__memory_out),
         TEST(queue__against_a_plain_buffer), TEST(queue__holds_what_only_it_keeps),
         TEST(queue__memory_out_is_seen_at_the_beginning))

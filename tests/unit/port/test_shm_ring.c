/* The ring of the shm port: records arrive once, in order and whole, whatever lies in old lines. */
#include "port/shm_ring.h"
#include "tap.h"

#include <pthread.h>
#include <sched.h>

enum { LINES = 512, RESERVE = 64 };

typedef struct pair {
    tern__ring_tx tx;
    tern__ring_rx rx;
    _Alignas(64) uint8_t memory[LINES * TERN__RING_LINE_BYTES];
} pair;

static pair p;

static void setup(void) {
    tern__ring_tx_fini(&p.tx);
    memset(p.memory, 0, sizeof p.memory);
    CHECK_EQ(tern__ring_tx_init(&p.tx, p.memory, LINES), 0);
    tern__ring_rx_init(&p.rx, p.memory, LINES);
}

/* A record of n inline bytes, all of them `fill`, and n_entries entries. False when there is no room. */
static bool put(uint32_t n, uint8_t fill, uint32_t n_entries) {
    tern__ring_entry entries[TERN__RING_MAX_ENTRIES];
    uint32_t lines = tern__ring_lines_for(n, n_entries);
    uint8_t *mem = tern__ring_begin(&p.tx, lines < RESERVE ? RESERVE : lines);
    if (!mem) return false;
    memset(mem, fill, n);
    for (uint32_t i = 0; i < n_entries; i++) entries[i] = (tern__ring_entry){fill, fill + 1u, fill * 1000u + i, n + 1};
    tern__ring_end(&p.tx, n, entries, n_entries);
    return true;
}

/* The next record, pads passed. */
static int get(tern__ring_record *record) {
    for (;;) {
        int got = tern__ring_next(&p.rx, record);
        if (got != TERN_ERR_AGAIN) return got;
    }
}

static void check_record(const tern__ring_record *r, uint32_t n, uint8_t fill, uint32_t n_entries) {
    CHECK_EQ(r->inline_bytes, n);
    CHECK_EQ(r->n_entries, n_entries);
    for (uint32_t i = 0; i < n; i++) CHECK_EQ(r->inline_data[i], fill);
    for (uint32_t i = 0; i < n_entries; i++) {
        tern__ring_entry entry;
        memcpy(&entry, r->entries + i * sizeof entry, sizeof entry);
        CHECK_EQ(entry.offset, fill * 1000u + i);
        CHECK_EQ(entry.len, n + 1);
        CHECK_EQ(entry.name, fill);
        CHECK_EQ(entry.generation, fill + 1);
    }
}

static void ring__one_line_for_a_small_packet(void) {
    setup();
    CHECK_EQ(tern__ring_lines_for(24 + 32, 0), 1);
    CHECK_EQ(tern__ring_lines_for(24 + 33, 0), 2);
    CHECK_EQ(tern__ring_lines_for(24, 2), 1);
    CHECK(put(56, 7, 0));
    CHECK_EQ(p.tx.tail, 1);
    tern__ring_record r;
    CHECK_EQ(get(&r), 1);
    check_record(&r, 56, 7, 0);
    CHECK_OK();
    tern__ring_consume(&p.rx, &r);
    CHECK_EQ(get(&r), 0);
}

/* The example of docs/shm.md. */
static void ring__bytes_of_the_documentation(void) {
    setup();
    static const uint8_t line[37] = {
        1, 0, 1, 0, 0x1d, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, /* the word, and a header */
        0, 0, 0, 0, 0,    0, 0, 0, 0,    0, 0, 0, 0, 0, 0, 0, 'h', 'e', 'l', 'l', 'o',
    };
    uint8_t *mem = tern__ring_begin(&p.tx, RESERVE);
    memcpy(mem, line + 8, 29);
    tern__ring_end(&p.tx, 29, NULL, 0);
    CHECK_MEM(p.memory, line, 37);
    /* With an entry, at the next multiple of 8. */
    CHECK(put(29, 0, 1));
    CHECK_EQ(p.memory[64 + 2], 1);
    CHECK_EQ(p.memory[64 + 3], 1);
    CHECK_EQ(tern__load32(p.memory + 64 + 40 + 12), 30);
}

/* The engine believes of records that are said to have one line each that they have a header: link.h, stride. */
static void take_lines__tells_of_records_too_short_for_a_header(void) {
    static const struct {
        uint32_t bytes[3];
        bool even;
    } cases[] = {{{24, 56, 40}, true},  {{23, 56, 40}, false}, {{56, 23, 40}, false}, {{56, 40, 1}, false},
                 {{56, 57, 40}, false}, {{24, 24, 24}, true},  {{1, 1, 1}, false},    {{40, 56, 24}, true}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t to[8 * TERN__RING_LINE_BYTES];
        setup();
        for (unsigned k = 0; k < 3; k++) CHECK(put(cases[i].bytes[k], (uint8_t)(k + 1), 0));
        tern__ring_batch got = tern__ring_take_lines(&p.rx, to, 8, 8);
        CHECK_EQ(got.n, 3);
        CHECK_EQ(got.lines == got.n, cases[i].even);
        CHECK_EQ(got.bytes, cases[i].bytes[0] + cases[i].bytes[1] + cases[i].bytes[2]);
        const uint8_t *at = to;
        for (unsigned k = 0; k < 3; k++) {
            CHECK_EQ(tern__load64(at), cases[i].bytes[k]);
            CHECK_EQ(at[TERN__RING_WORD_BYTES], k + 1);
            at += tern__ring_lines_for(cases[i].bytes[k], 0) * TERN__RING_LINE_BYTES;
        }
        CHECK_OK();
    }
}

/* Whoever looks whether a record of several lines is alone looks at no line but the ring's. */
static void may_be_batch__not_alone_with_several_lines(void) {
    setup();
    tern__ring_record r;
    for (unsigned lap = 0; lap < 4 * LINES; lap++) {
        CHECK(put(100, 1, 0));
        CHECK(!tern__ring_may_be_batch(&p.rx, tern__ring_peek(&p.rx)));
        bool at_start = tern__ring_line_of(p.tx.tail, LINES) == 0; /* of the next lap, which has another tag */
        CHECK(put(30, 2, 0));
        CHECK(tern__ring_may_be_batch(&p.rx, tern__ring_peek(&p.rx)) != at_start);
        CHECK_EQ(get(&r), 1);
        tern__ring_consume(&p.rx, &r);
        CHECK(at_start || tern__ring_may_be_batch(&p.rx, tern__ring_peek(&p.rx))); /* one line */
        CHECK_EQ(get(&r), 1);
        tern__ring_consume(&p.rx, &r);
        CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
        CHECK_OK();
    }
}

static void begin__stops_when_full_and_goes_on(void) {
    setup();
    uint32_t n = 0;
    while (put(56, (uint8_t)n, 0)) n++;
    CHECK(n >= LINES - RESERVE - 1);
    CHECK(n < LINES);
    CHECK(tern__ring_wants_seen(&p.tx, RESERVE));
    tern__ring_record r;
    for (uint32_t i = 0; i < n; i++) {
        CHECK_EQ(get(&r), 1);
        check_record(&r, 56, (uint8_t)i, 0);
        CHECK_OK();
        tern__ring_consume(&p.rx, &r);
    }
    CHECK_EQ(get(&r), 0);
    CHECK(!put(56, 1, 0));
    CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
    CHECK(put(56, 1, 0));
    CHECK_EQ(get(&r), 1);
    check_record(&r, 56, 1, 0);
}

static void room__leaves_the_last_line_of_a_lap_alone(void) {
    setup();
    tern__ring_record r;
    uint32_t highest = 0;
    for (uint32_t sent = 0, got = 0; sent < 50 * LINES;) {
        uint32_t n = tern__ring_room(&p.tx, 16);
        uint8_t records[16 * TERN__RING_LINE_BYTES];
        memset(records, (int)(sent & 127), sizeof records);
        for (uint32_t i = 0; i < n; i++) tern__store64(records + i * TERN__RING_LINE_BYTES, 56);
        if (n) tern__ring_write_lines(&p.tx, records, n);
        uint32_t line = tern__ring_line_of(p.tx.tail, LINES);
        if (line > highest) highest = line;
        if (n == 0) CHECK(put(56, (uint8_t)(sent & 127), 0));
        for (sent += n ? n : 1; got < sent; got++) {
            CHECK_EQ(get(&r), 1);
            CHECK_EQ(r.inline_bytes, 56);
            tern__ring_consume(&p.rx, &r);
        }
        CHECK_EQ(get(&r), 0);
        CHECK_OK();
        CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
    }
    CHECK(highest >= TERN__RING_HOT_LINES / 2);
    CHECK(highest <= 2 * TERN__RING_HOT_LINES);
}

static void tx_seen__refuses_what_cannot_be(void) {
    setup();
    CHECK(put(56, 1, 0));
    CHECK_EQ(tern__ring_tx_seen(&p.tx, 2), TERN_ERR_MALFORMED);
    CHECK_EQ(tern__ring_tx_seen(&p.tx, UINT64_MAX), TERN_ERR_MALFORMED);
    CHECK_EQ(tern__ring_tx_seen(&p.tx, 1), 0);
    CHECK_EQ(tern__ring_tx_seen(&p.tx, 0), TERN_ERR_MALFORMED);
}

static void abort__leaves_nothing(void) {
    setup();
    for (int lap = 0; lap < 2000; lap++) {
        /* What was written looks like records of this lap and the next. */
        uint8_t *mem = tern__ring_begin(&p.tx, RESERVE);
        CHECK(mem);
        for (uint32_t i = 56; i + 8 <= (RESERVE - 1) * 64; i += 64)
            tern__store64(mem + i, tern__ring_word((uint16_t)(p.tx.tag + i / 64 % 2), 1, 0, 9, 0));
        tern__ring_abort(&p.tx, RESERVE);
        CHECK(put(56, (uint8_t)lap, 0));
        tern__ring_record r;
        CHECK_EQ(get(&r), 1);
        check_record(&r, 56, (uint8_t)lap, 0);
        CHECK_OK();
        tern__ring_consume(&p.rx, &r);
        CHECK_EQ(get(&r), 0);
        CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
    }
}

static void ring__light_traffic_stays_in_few_lines(void) {
    setup();
    uint32_t highest = 0;
    for (int i = 0; i < 100000; i++) {
        CHECK(put(56, (uint8_t)i, 0));
        tern__ring_record r;
        CHECK_EQ(get(&r), 1);
        uint32_t line = tern__ring_line_of(p.rx.position, LINES);
        if (line > highest) highest = line;
        tern__ring_consume(&p.rx, &r);
        CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
    }
    CHECK(highest <= TERN__RING_HOT_LINES + TERN__RING_HOT_LINES / 4);
}

static uint64_t state;
static uint32_t draw(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

enum { QUEUE = 1024 };
static struct {
    uint32_t n, n_entries;
    uint64_t word;
} queue[QUEUE];

/* Records of few lines, as many as there is room for at once. Returns how many. */
static uint32_t put_lines(uint32_t at, uint32_t max) {
    uint8_t records[16 * TERN__RING_LINE_BYTES];
    uint32_t room = tern__ring_room(&p.tx, 16), lines = 0, n = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < max && lines < room; i++) {
        uint8_t *record = records + lines * TERN__RING_LINE_BYTES;
        uint32_t len = draw(3) ? 1 + draw(56) : 1 + draw(TERN__RING_FEW_BYTES), taken = tern__ring_lines_for(len, 0);
        if (lines + taken > room) break;
        lines += taken;
        n++;
        uint64_t word = tern__ring_word((uint16_t)(p.tx.tag + draw(2)), 1 + draw(3), 0, draw(100), draw(2));
        for (uint32_t k = 8; k < taken * TERN__RING_LINE_BYTES; k += 8) tern__store64(record + k, word);
        queue[(at + i) % QUEUE].n = len;
        queue[(at + i) % QUEUE].n_entries = 0;
        queue[(at + i) % QUEUE].word = word;
        tern__store64(record, queue[(at + i) % QUEUE].n);
        bytes += queue[(at + i) % QUEUE].n;
    }
    if (lines == 0) return 0;
    tern__ring_batch batch = tern__ring_write_lines(&p.tx, records, lines);
    if (batch.n != n || batch.lines != lines || batch.bytes != bytes) return 0; /* and the queue has too few */
    return n;
}

/* Contents that imitate first words of the current laps, sizes of all kinds, a reader that lags. */
static void ring__random_against_a_queue(void) {
    setup();
    state = 1;
    uint32_t head = 0, tail = 0, aborted = 0, together = 0;
    for (int step = 0; step < 600000; step++) {
        if (draw(16) == 0) {
            uint32_t n = tail - head < QUEUE - 4 ? put_lines(tail, 1 + draw(4)) : 0;
            tail += n;
            together += n > 1;
        } else if (draw(5) < 2) {
            uint32_t n = draw(4) ? 1 + draw(200) : 1 + draw(9000), n_entries = draw(8) ? draw(4) : draw(140);
            uint32_t lines = tern__ring_lines_for(n, n_entries);
            if (lines > TERN__RING_MAX_LINES || tail - head == QUEUE) continue;
            uint32_t reserve = lines + draw(256 - lines);
            uint8_t *mem = tern__ring_begin(&p.tx, reserve);
            if (!mem) continue;
            uint64_t word = tern__ring_word((uint16_t)(p.tx.tag + draw(2)), 1 + draw(3), 0, draw(100), draw(2));
            for (uint32_t i = 0; i + 8 <= n; i += 8) tern__store64(mem + i, word);
            for (uint32_t i = n & ~7u; i < n; i++) mem[i] = 0x5a;
            if (draw(20) == 0) {
                tern__ring_abort(&p.tx, reserve);
                aborted++;
                continue;
            }
            tern__ring_entry entries[140] = {{0}};
            for (uint32_t i = 0; i < n_entries; i++)
                entries[i] = (tern__ring_entry){(uint32_t)word, (uint32_t)(word >> 32), n, i};
            tern__ring_end(&p.tx, n, entries, n_entries);
            queue[tail % QUEUE].n = n;
            queue[tail % QUEUE].n_entries = n_entries;
            queue[tail++ % QUEUE].word = word;
        } else {
            tern__ring_record r;
            int got = get(&r);
            CHECK_EQ(got, head != tail);
            if (!got || draw(4) == 0) CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
            if (!got) continue;
            CHECK_EQ(r.inline_bytes, queue[head % QUEUE].n);
            CHECK_EQ(r.n_entries, queue[head % QUEUE].n_entries);
            for (uint32_t i = 0; i + 8 <= r.inline_bytes; i += 8)
                CHECK_EQ(tern__load64(r.inline_data + i), queue[head % QUEUE].word);
            head++;
            tern__ring_consume(&p.rx, &r);
        }
    }
    CHECK(aborted > 1000);
    CHECK(together > 1000);
    CHECK(p.tx.tail > 1000 * LINES);
}

/* Tags come round after 65535 laps; lines not touched for so long must not come to life. */
static void ring__tags_come_round(void) {
    setup();
    tern__ring_record r;
    /* A long record far into the ring, then light traffic near its start for more than all tags. */
    while (p.tx.tail < 2 * TERN__RING_HOT_LINES) CHECK(put(56, 1, 0));
    CHECK(put(4000, 1, 0));
    while (get(&r) == 1) tern__ring_consume(&p.rx, &r);
    CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
    uint64_t laps = 0;
    uint16_t last = p.tx.tag;
    for (uint32_t i = 0; laps < 65540; i++) {
        CHECK(put(56, (uint8_t)i, 0));
        CHECK_EQ(get(&r), 1);
        CHECK_EQ(r.inline_data[0], (uint8_t)i);
        tern__ring_consume(&p.rx, &r);
        CHECK_EQ(get(&r), 0);
        CHECK_EQ(tern__ring_tx_seen(&p.tx, p.rx.position), 0);
        laps += p.tx.tag != last;
        last = p.tx.tag;
        CHECK(p.tx.tag != 0);
    }
    /* Now through the old lines. */
    uint32_t n = 0;
    while (put(56, (uint8_t)n, 0)) n++;
    for (uint32_t i = 0; i < n; i++) {
        CHECK_EQ(get(&r), 1);
        CHECK_EQ(r.inline_data[0], (uint8_t)i);
        tern__ring_consume(&p.rx, &r);
    }
    CHECK_EQ(get(&r), 0);
}

static void next__refuses_nonsense(void) {
    static const struct {
        uint32_t lines, n_entries, inline_bytes, kind;
    } bad[] = {{0, 0, 56, 0},                      /* no lines */
               {1, 0, 57, 0},                      /* too many bytes for its lines */
               {2, 0, 56, 0},                      /* too few */
               {1, 0, 0, 0},                       /* empty */
               {255, 0, 65535, 0}, {1, 255, 1, 0}, /* entries do not fit */
               {1, 0, 0, 2},                       /* unknown kind */
               {2, 0, 0, 1},                       /* a pad of two lines */
               {1, 0, 1, 1},                       /* a pad with content */
               {1, 0, 56, 65535}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setup();
        uint64_t word = tern__ring_word(1, bad[i].lines, bad[i].n_entries, bad[i].inline_bytes, bad[i].kind);
        tern__store64(p.memory, word);
        tern__ring_record r;
        CHECK_EQ(tern__ring_next(&p.rx, &r), TERN_ERR_MALFORMED);
    }
    /* A record that would go over the ring's end. */
    setup();
    p.rx.position = LINES - 1;
    tern__store64(p.memory + (LINES - 1) * 64, tern__ring_word(1, 2, 0, 100, 0));
    tern__ring_record r;
    CHECK_EQ(tern__ring_next(&p.rx, &r), TERN_ERR_MALFORMED);
}

static void next__endless_pads_return_each_time(void) {
    setup();
    tern__ring_record r;
    for (uint16_t lap = 1; lap < 100; lap++) {
        tern__store64(p.memory, tern__ring_word(lap, 1, 0, 0, TERN__RING_PAD));
        CHECK_EQ(tern__ring_next(&p.rx, &r), TERN_ERR_AGAIN);
        CHECK_EQ(p.rx.position, (uint64_t)lap * LINES);
    }
}

/* ---- Two threads -------------------------------------------------------------------------------- */

enum { ROUNDS = 200000 };
static uint64_t shared_position;
static bool writer_failed;

static void *writer(void *arg) {
    (void)arg;
    uint64_t rng = 99;
    for (uint32_t i = 0; i < ROUNDS;) {
        rng = rng * 6364136223846793005u + 1442695040888963407u;
        uint32_t n = 8 + (uint32_t)(rng >> 33) % ((rng >> 60) ? 100 : 3000);
        uint32_t lines = tern__ring_lines_for(n, 1);
        if (tern__ring_wants_seen(&p.tx, lines))
            writer_failed |= tern__ring_tx_seen(&p.tx, __atomic_load_n(&shared_position, __ATOMIC_ACQUIRE)) != 0;
        uint8_t *mem = tern__ring_begin(&p.tx, lines);
        if (!mem) {
            sched_yield();
            continue;
        }
        memset(mem, (int)(i & 255), n);
        tern__store32(mem, i);
        tern__store32(mem + 4, n);
        tern__ring_end(&p.tx, n, &(tern__ring_entry){1, 2, i, n}, 1);
        i++;
    }
    return NULL;
}

static void ring__two_threads(void) {
    setup();
    shared_position = 0;
    writer_failed = false;
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, writer, NULL), 0);
    uint32_t expected = 0, wrong = 0;
    while (expected < ROUNDS && wrong == 0) {
        tern__ring_record r;
        int got = get(&r);
        if (got < 0) break;
        if (got == 0) {
            __atomic_store_n(&shared_position, p.rx.position, __ATOMIC_RELEASE);
            sched_yield();
            continue;
        }
        tern__ring_entry entry;
        memcpy(&entry, r.entries, sizeof entry);
        uint32_t n = tern__load32(r.inline_data + 4);
        wrong += r.inline_bytes != n || tern__load32(r.inline_data) != expected;
        wrong += entry.offset != expected || entry.len != n;
        for (uint32_t i = 8; i < n; i++) wrong += r.inline_data[i] != (expected & 255);
        expected++;
        tern__ring_consume(&p.rx, &r);
        if (expected % 16 == 0) __atomic_store_n(&shared_position, p.rx.position, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&shared_position, p.rx.position, __ATOMIC_RELEASE);
    if (expected == ROUNDS) pthread_join(thread, NULL);
    CHECK_EQ(expected, ROUNDS);
    CHECK_EQ(wrong, 0);
    CHECK(!writer_failed);
}

TAP_MAIN(TEST(ring__one_line_for_a_small_packet), TEST(ring__bytes_of_the_documentation),
         TEST(take_lines__tells_of_records_too_short_for_a_header), TEST(may_be_batch__not_alone_with_several_lines),
         TEST(begin__stops_when_full_and_goes_on), TEST(room__leaves_the_last_line_of_a_lap_alone),
         TEST(tx_seen__refuses_what_cannot_be), TEST(abort__leaves_nothing),
         TEST(ring__light_traffic_stays_in_few_lines), TEST(ring__random_against_a_queue), TEST(ring__tags_come_round),
         TEST(next__refuses_nonsense), TEST(next__endless_pads_return_each_time), TEST(ring__two_threads))

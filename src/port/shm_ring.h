/* The ring of the shm port: records in shared memory from one writer to one reader. Pure memory: no system
 * calls, no clock. docs/shm.md has the picture.
 *
 * The reader never looks at an index of the writer's: a record is there when the first word of its first line
 * carries the tag of the lap. So a small packet costs one cache line, moved once. The reader tells how far it is
 * by a position in memory of its own, rarely; the writer looks at it only when it runs out of what it knows to
 * be free.
 *
 * Positions count lines from the ring's start and never go back; a lap has n_lines positions. A pad record ends a
 * lap early: before a record that would not fit, and as soon as the reader has passed the ring's start, so that
 * light traffic stays in the same few lines, which stay in the cache.
 *
 * Invariant of the tag: where the writer will write next, the first word never carries the current tag. A
 * word there is zero, or the start of a record of an older lap, or content of a record; the latter are marked in
 * `stale` and zeroed before the record in front of them is published. Tags repeat after 65535 laps, and then
 * every line is marked. One line always stays free, so that this word is the writer's to change.
 *
 * The reader trusts nothing: it reads the first word once, checks it, and reads no other control word. */
#ifndef TERN_PORT_SHM_RING_H
#define TERN_PORT_SHM_RING_H

#include "base/base.h"
#include "tern/err.h"

enum {
    TERN__RING_LINE_BYTES = 64,
    TERN__RING_WORD_BYTES = 8,    /* the record's first word */
    TERN__RING_MAX_LINES = 255,   /* of a record */
    TERN__RING_MAX_ENTRIES = 255, /* of a record */
    TERN__RING_MIN_LINES = 512,   /* of a ring: more than two of the largest records */
    TERN__RING_HOT_LINES = 128,   /* light traffic stays within about so many lines */
    TERN__RING_FEW_LINES = 4,     /* of a record that is written and read in a batch */
    TERN__RING_FEW_BYTES = TERN__RING_FEW_LINES * TERN__RING_LINE_BYTES - TERN__RING_WORD_BYTES,
    TERN__RING_LINE_LEAST = 24, /* of records that are taken as lines of one kind */
};

/* What follows a packet's inline bytes: where a piece of it lies. */
typedef struct tern__ring_entry {
    uint32_t name, generation; /* where the piece lies; the ring only carries them */
    uint32_t offset, len;
} tern__ring_entry;

/* The first word, from its low end: tag 16, lines 8, entries 8, inline bytes 16, kind 16. */
enum { TERN__RING_PACKET = 0, TERN__RING_PAD = 1 };

static inline uint64_t tern__ring_word(uint16_t tag, uint32_t lines, uint32_t n_entries, uint32_t inline_bytes,
                                       uint32_t kind) {
    return tag | (uint64_t)lines << 16 | (uint64_t)n_entries << 24 | (uint64_t)inline_bytes << 32 |
           (uint64_t)kind << 48;
}

/* Where the entries of a record start, from the record's start. */
static inline uint32_t tern__ring_entries_at(uint32_t inline_bytes) {
    return (TERN__RING_WORD_BYTES + inline_bytes + 7) & ~7u;
}

static inline uint32_t tern__ring_lines_for(uint32_t inline_bytes, uint32_t n_entries) {
    uint32_t bytes = tern__ring_entries_at(inline_bytes) + n_entries * (uint32_t)sizeof(tern__ring_entry);
    return (bytes + TERN__RING_LINE_BYTES - 1) / TERN__RING_LINE_BYTES;
}

/* ---- Writer ------------------------------------------------------------------------------------- */

typedef struct tern__ring_tx {
    uint8_t *lines;      /* the shared memory, n_lines * 64 bytes; only we write it */
    uint64_t tail;       /* position of the next record */
    uint64_t limit;      /* a record that ends here or before needs no further thought */
    uint64_t seen;       /* the reader's position as last read */
    uint64_t wrap_check; /* from this position on, see whether the lap can end early */
    uint8_t *stale;      /* per line: whether its first word may be anything */
    uint32_t n_lines;    /* a power of two */
    uint16_t tag;        /* of the current lap, never 0 */
} tern__ring_tx;

/* `lines` is zeroed memory, n_lines a power of two of at least TERN__RING_MIN_LINES. TERN_ERR_NOMEM. */
int tern__ring_tx_init(tern__ring_tx *tx, void *lines, uint32_t n_lines);
void tern__ring_tx_fini(tern__ring_tx *tx);

/* Take in how far the reader is. TERN_ERR_MALFORMED when it cannot be there: it lies. */
static inline int tern__ring_tx_seen(tern__ring_tx *tx, uint64_t position);

/* Room for the inline bytes of a record of at most `lines` lines (<= TERN__RING_MAX_LINES), or NULL when the
 * reader is too far behind as far as `seen` tells. What was begun is published by end; beginning anew forgets it. */
static inline uint8_t *tern__ring_begin(tern__ring_tx *tx, uint32_t lines);

/* Whether begin would want a fresher position first: it may be short of room, or the lap should end. */
static inline bool tern__ring_wants_seen(const tern__ring_tx *tx, uint32_t lines);

/* Publish the record begun: inline_bytes written where begin said, and entries. */
static inline void tern__ring_end(tern__ring_tx *tx, uint32_t inline_bytes, const tern__ring_entry *entries,
                                  uint32_t n_entries);

/* How many lines of records without entries can follow now, at most max. None when the reader's position should be
 * looked at first, or the lap ends. */
static inline uint32_t tern__ring_room(const tern__ring_tx *tx, uint32_t max);

/* Records side by side in whole lines. */
typedef struct tern__ring_batch {
    uint32_t n;
    uint32_t lines; /* taken: n only if each has one, and TERN__RING_LINE_LEAST bytes at least */
    uint64_t bytes; /* of all, without words */
} tern__ring_batch;

/* Publish n lines, not 0, of such records, for which there was room. Each begins a line of `records` with a word that
 * has the number of its bytes, TERN__RING_FEW_BYTES at most. */
static inline tern__ring_batch tern__ring_write_lines(tern__ring_tx *tx, const uint8_t *records, uint32_t n);

/* Something is about to be written. Between cores the next line is the reader's, who looks at it again and again: to
 * get it back takes as long as to hand over what is written then, and goes on while that is being made (a fifth of a
 * small round trip; docs/notes/small-calls.md). */
static inline void tern__ring_claim(const tern__ring_tx *tx);

/* Forget the record begun with this many lines: its memory may have been written to. */
void tern__ring_abort(tern__ring_tx *tx, uint32_t lines);

/* ---- Reader ------------------------------------------------------------------------------------- */

typedef struct tern__ring_rx {
    const uint8_t *lines;
    uint64_t position; /* of the next record */
    uint32_t n_lines;
    uint16_t tag;
} tern__ring_rx;

/* A record as checked; its memory is the writer's and may change under our eyes. */
typedef struct tern__ring_record {
    const uint8_t *inline_data;
    const uint8_t *entries; /* unaligned tern__ring_entry, n_entries of them: copy, then check */
    uint32_t inline_bytes;
    uint32_t n_entries;
    uint32_t lines;
} tern__ring_record;

void tern__ring_rx_init(tern__ring_rx *rx, const void *lines, uint32_t n_lines);

/* The next records, at most max of at most max_lines lines, as long as they have few lines and no entries, and not
 * beyond the lap: copies their lines to `to`, but with the number of bytes that count instead of each first word, and
 * passes them. Perhaps there are none, if the writer takes one back. */
static inline tern__ring_batch tern__ring_take_lines(tern__ring_rx *rx, uint8_t *to, uint32_t max, uint32_t max_lines);

/* Whether something is there, of whatever kind. One load. */
static inline bool tern__ring_ready(const tern__ring_rx *rx);

/* The next record: 1; 0 when there is none; TERN_ERR_AGAIN when a pad was passed, so that another look may find
 * more; TERN_ERR_MALFORMED when the writer wrote nonsense. */
static inline int tern__ring_next(tern__ring_rx *rx, tern__ring_record *record);

/* Done with the record. */
static inline void tern__ring_consume(tern__ring_rx *rx, const tern__ring_record *record);

/* ---- Inline bodies: the whole cost of a small packet ---------------------------------------------- */

/* Out of line: ends the lap if that makes room or keeps traffic near the start. */
bool tern__ring_make_room(tern__ring_tx *tx, uint32_t lines);
void tern__ring_mark_interior(tern__ring_tx *tx, uint32_t line, uint32_t lines);
void tern__ring_next_lap(tern__ring_tx *tx);
bool tern__ring_pass_pad(tern__ring_rx *rx, uint64_t word);

static inline uint64_t *tern__ring_word_at(uint8_t *lines, uint32_t line) {
    return (uint64_t *)(void *)(lines + (size_t)line * TERN__RING_LINE_BYTES);
}

static inline uint32_t tern__ring_line_of(uint64_t position, uint32_t n_lines) {
    return (uint32_t)(position & (n_lines - 1));
}

/* What is free, to the end of the lap, but no farther than where the lap should end early. What is free is one line
 * less than what the reader has left, for the line behind the record is changed, too. */
static inline void tern__ring_set_limit(tern__ring_tx *tx) {
    uint64_t lap_end = (tx->tail | (tx->n_lines - 1)) + 1, limit = tx->seen + tx->n_lines - 1;
    if (limit > lap_end) limit = lap_end;
    tx->limit = limit < tx->wrap_check ? limit : tx->wrap_check;
}

static inline int tern__ring_tx_seen(tern__ring_tx *tx, uint64_t position) {
    if (position < tx->seen || position > tx->tail) return TERN_ERR_MALFORMED;
    tx->seen = position;
    tern__ring_set_limit(tx);
    return 0;
}

static inline bool tern__ring_wants_seen(const tern__ring_tx *tx, uint32_t lines) {
    return tx->tail + lines > tx->limit;
}

/* Processors without such a prefetch do nothing, and the builtin makes one only when told that there is one. */
static inline void tern__ring_claim_line(const uint8_t *line) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*line));
#else
    __builtin_prefetch(line, 1);
#endif
}

static inline void tern__ring_claim(const tern__ring_tx *tx) {
    tern__ring_claim_line(tx->lines + (size_t)tern__ring_line_of(tx->tail, tx->n_lines) * TERN__RING_LINE_BYTES);
}

static inline uint8_t *tern__ring_begin(tern__ring_tx *tx, uint32_t lines) {
    if (tern__ring_wants_seen(tx, lines) && !tern__ring_make_room(tx, lines)) return NULL;
    size_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    return tx->lines + line * TERN__RING_LINE_BYTES + TERN__RING_WORD_BYTES;
}

/* The word where the next record will start must not look like one before this record is seen. */
static inline void tern__ring_clear_ahead(tern__ring_tx *tx, uint32_t line) {
    if (tx->stale[line]) {
        __atomic_store_n(tern__ring_word_at(tx->lines, line), 0, __ATOMIC_RELAXED);
        tx->stale[line] = false;
    }
}

static inline void tern__ring_end(tern__ring_tx *tx, uint32_t inline_bytes, const tern__ring_entry *entries,
                                  uint32_t n_entries) {
    uint32_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    uint8_t *start = tx->lines + (size_t)line * TERN__RING_LINE_BYTES;
    uint32_t lines = tern__ring_lines_for(inline_bytes, n_entries);
    uint8_t *to = start + tern__ring_entries_at(inline_bytes);
    if (n_entries == 1)
        memcpy(to, entries, sizeof *entries);
    else if (n_entries)
        memcpy(to, entries, n_entries * sizeof *entries);
    if (lines > 1) tern__ring_mark_interior(tx, line, lines);
    uint64_t word = tern__ring_word(tx->tag, lines, n_entries, inline_bytes, TERN__RING_PACKET);
    tx->tail += lines;
    uint32_t next = tern__ring_line_of(tx->tail, tx->n_lines);
    if (next == 0) tern__ring_next_lap(tx);
    tern__ring_clear_ahead(tx, next);
    __atomic_store_n(tern__ring_word_at(tx->lines, line), word, __ATOMIC_RELEASE);
}

static inline uint32_t tern__ring_room(const tern__ring_tx *tx, uint32_t max) {
    if (tx->tail + 1 >= tx->limit) return 0; /* the last line of a lap is for tern__ring_end() */
    uint64_t room = tx->limit - tx->tail - 1;
    return room < max ? (uint32_t)room : max;
}

/* Whether the first word of one of these n lines may be anything. */
static inline bool tern__ring_any_stale(const tern__ring_tx *tx, uint32_t line, uint32_t n) {
    enum { AT_ONCE = sizeof(uint64_t) }; /* so many more there are behind the last */
    if (n < AT_ONCE) return tern__load64(tx->stale + line) << 1 << (63 - 8 * n);
    return memchr(tx->stale + line, true, n) != NULL;
}

/* One line of a batch: what lies behind its word, in the pieces in which it was written. */
static inline void tern__ring_copy_line(uint8_t *to, const uint8_t *from) {
    tern__store64(to + 8, tern__load64(from + 8));
    tern__store64(to + 16, tern__load64(from + 16));
    tern__store64(to + 24, tern__load64(from + 24));
    memcpy(to + 32, from + 32, 16);
    memcpy(to + 48, from + 48, 16);
}

/* Records from this line on, the first of which has several lines, up to `end`; adds their numbers to those of the
 * batch so far. */
tern__ring_batch tern__ring_write_few(tern__ring_tx *tx, uint32_t line, const uint8_t *records, const uint8_t *end,
                                      tern__ring_batch batch);

/* What a caller has that waits for each answer: half the instructions of the loop in tern__ring_write_lines(). */
static inline tern__ring_batch tern__ring_write_line(tern__ring_tx *tx, const uint8_t *record) {
    uint32_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    uint8_t *to = tx->lines + (size_t)line * TERN__RING_LINE_BYTES;
    uint64_t bytes = tern__load64(record), word = tern__ring_word(tx->tag, 1, 0, 0, TERN__RING_PACKET);
    tx->tail++;
    tern__ring_clear_ahead(tx, line + 1);
    tern__ring_copy_line(to, record);
    __atomic_store_n((uint64_t *)(void *)to, word | bytes << 32, __ATOMIC_RELEASE);
    return (tern__ring_batch){1, 1, bytes};
}

/* Between cores a store waits until its line has come, and later stores wait behind it: so all lines are asked for
 * first, and come at the same time. */
static inline tern__ring_batch tern__ring_write_lines(tern__ring_tx *tx, const uint8_t *records, uint32_t n) {
    if (n == 1) return tern__ring_write_line(tx, records);
    enum { ONE_LINE = TERN__RING_LINE_BYTES - TERN__RING_WORD_BYTES };
    uint32_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    uint8_t *to = tx->lines + (size_t)line * TERN__RING_LINE_BYTES;
    const uint8_t *end = records + (size_t)n * TERN__RING_LINE_BYTES;
    uint64_t word = tern__ring_word(tx->tag, 1, 0, 0, TERN__RING_PACKET), sum = 0;
    tx->tail += n;
    for (uint32_t k = 1; k < n; k++) tern__ring_claim_line(to + (size_t)k * TERN__RING_LINE_BYTES);
    if (tern__load64(records) > ONE_LINE)
        return tern__ring_write_few(tx, line, records, end, (tern__ring_batch){n, n, 0});
    if (tern__ring_any_stale(tx, line + 1, n))
        for (uint32_t k = 1; k <= n; k++) tern__ring_clear_ahead(tx, line + k);
    for (; records < end; to += TERN__RING_LINE_BYTES, records += TERN__RING_LINE_BYTES) {
        uint64_t bytes = tern__load64(records);
        if (bytes > ONE_LINE) {
            line = (uint32_t)((to - tx->lines) / TERN__RING_LINE_BYTES);
            return tern__ring_write_few(tx, line, records, end, (tern__ring_batch){n, n, sum});
        }
        sum += bytes;
        tern__ring_copy_line(to, records);
        __atomic_store_n((uint64_t *)(void *)to, word | bytes << 32, __ATOMIC_RELEASE);
    }
    return (tern__ring_batch){n, n, sum};
}

static inline uint64_t tern__ring_peek(const tern__ring_rx *rx) {
    const uint8_t *line = rx->lines + (size_t)tern__ring_line_of(rx->position, rx->n_lines) * TERN__RING_LINE_BYTES;
    return __atomic_load_n((const uint64_t *)(const void *)line, __ATOMIC_ACQUIRE);
}

static inline bool tern__ring_is_ready_by(const tern__ring_rx *rx, uint64_t word) { return (uint16_t)word == rx->tag; }
static inline bool tern__ring_ready(const tern__ring_rx *rx) { return tern__ring_is_ready_by(rx, tern__ring_peek(rx)); }

/* Of a record that is there, by its word: it may begin a batch. Not so one that has entries or many lines, nor one of
 * several lines with none behind it so far. */
static inline bool tern__ring_may_be_batch(const tern__ring_rx *rx, uint64_t word) {
    uint32_t lines = word >> 16 & UINT16_MAX; /* above them the number of entries, so that 0 is none */
    if (lines < 2) return true;
    if (lines > TERN__RING_FEW_LINES) return false;
    uint32_t next = tern__ring_line_of(rx->position + lines, rx->n_lines);
    const uint8_t *line = rx->lines + (size_t)next * TERN__RING_LINE_BYTES;
    return (uint16_t)__atomic_load_n((const uint64_t *)(const void *)line, __ATOMIC_RELAXED) == rx->tag;
}

static inline int tern__ring_next(tern__ring_rx *rx, tern__ring_record *record) {
    uint64_t word = tern__ring_peek(rx);
    if ((uint16_t)word != rx->tag) return 0;
    uint32_t line = tern__ring_line_of(rx->position, rx->n_lines);
    record->lines = word >> 16 & 255;
    record->n_entries = word >> 24 & 255;
    record->inline_bytes = word >> 32 & 65535;
    if (word >> 48 != TERN__RING_PACKET || record->inline_bytes == 0 || line + record->lines > rx->n_lines ||
        record->lines != tern__ring_lines_for(record->inline_bytes, record->n_entries))
        return tern__ring_pass_pad(rx, word) ? TERN_ERR_AGAIN : TERN_ERR_MALFORMED;
    const uint8_t *start = rx->lines + (size_t)line * TERN__RING_LINE_BYTES;
    record->inline_data = start + TERN__RING_WORD_BYTES;
    record->entries = start + tern__ring_entries_at(record->inline_bytes);
    return 1;
}

static inline uint16_t tern__ring_tag_after(uint16_t tag) { return (uint16_t)(tag == UINT16_MAX ? 1 : tag + 1); }

/* The number of its bytes, up to 56, for a line that starts a packet of one line in this lap, without entries; else a
 * greater number (it is how the first word differs from that of such a packet without bytes). */
static inline uint64_t tern__ring_line_bytes(const uint8_t *line, uint16_t tag) {
    uint64_t word = __atomic_load_n((const uint64_t *)(const void *)line, __ATOMIC_ACQUIRE);
    uint64_t differs = word ^ tern__ring_word(tag, 1, 0, 0, TERN__RING_PACKET);
    return differs >> 32 | differs << 32;
}

/* Whether what is no such line has the lap's tag at least. */
static inline bool tern__ring_has_tag(uint64_t bytes) { return !(bytes >> 32 & 0xffff); }

static inline bool tern__ring_is_line_bytes(uint64_t bytes) {
    return bytes - TERN__RING_LINE_LEAST <= TERN__RING_LINE_BYTES - TERN__RING_WORD_BYTES - TERN__RING_LINE_LEAST;
}

static inline const uint8_t *tern__ring_line(const tern__ring_rx *rx) {
    return rx->lines + (size_t)tern__ring_line_of(rx->position, rx->n_lines) * TERN__RING_LINE_BYTES;
}

/* The lines of a packet of few, without entries, that starts in this lap; else 0. `word` is its first word. */
static inline uint32_t tern__ring_few(uint64_t word, uint16_t tag) {
    uint32_t lines = word >> 16 & 255, bytes = word >> 32 & 65535;
    bool is_packet = word == tern__ring_word(tag, lines, 0, bytes, TERN__RING_PACKET);
    if (!is_packet || bytes - 1u >= TERN__RING_FEW_BYTES || lines != tern__ring_lines_for(bytes, 0)) return 0;
    return lines;
}

/* The same from a record of several lines, or of a few bytes, on; adds their numbers to those of the batch so far. */
tern__ring_batch tern__ring_take_few(tern__ring_rx *rx, uint8_t *to, uint32_t max, uint32_t max_lines,
                                     tern__ring_batch batch);

/* Nothing else in the loop, so that a processor that waits for one line asks for the next ones already: between cores
 * each takes longer to come than to handle. */
static inline tern__ring_batch tern__ring_take_lines(tern__ring_rx *rx, uint8_t *to, uint32_t max, uint32_t max_lines) {
    const uint8_t *line = tern__ring_line(rx);
    uint32_t left = rx->n_lines - tern__ring_line_of(rx->position, rx->n_lines), n = 0;
    uint32_t most = max < max_lines ? max : max_lines;
    uint64_t bytes = 0, sum = 0;
    if (most > left) most = left;
    for (uint16_t tag = rx->tag; n < most; n++, line += TERN__RING_LINE_BYTES, to += TERN__RING_LINE_BYTES) {
        bytes = tern__ring_line_bytes(line, tag);
        if (!tern__ring_is_line_bytes(bytes)) break;
        /* In the pieces in which it is going to be read. */
        tern__store64(to, bytes);
        tern__store64(to + 8, tern__load64(line + 8));
        memcpy(to + 16, line + 16, TERN__RING_LINE_BYTES - 16);
        sum += bytes;
    }
    rx->position += n;
    if (n == left)
        rx->tag = tern__ring_tag_after(rx->tag);
    else if (n < most && tern__ring_has_tag(bytes))
        return tern__ring_take_few(rx, to, max, max_lines, (tern__ring_batch){n, n, sum});
    return (tern__ring_batch){n, n, sum};
}

/* Between cores each line takes longer to come than to handle: ask for the next two while there is work. */
static inline void tern__ring_prefetch(const tern__ring_rx *rx, uint32_t lines) {
    uint64_t next = rx->position + lines;
    __builtin_prefetch(rx->lines + (size_t)tern__ring_line_of(next, rx->n_lines) * TERN__RING_LINE_BYTES);
    __builtin_prefetch(rx->lines + (size_t)tern__ring_line_of(next + 1, rx->n_lines) * TERN__RING_LINE_BYTES);
}

static inline void tern__ring_consume(tern__ring_rx *rx, const tern__ring_record *record) {
    rx->position += record->lines;
    if (tern__ring_line_of(rx->position, rx->n_lines) == 0) rx->tag = tern__ring_tag_after(rx->tag);
}

#endif

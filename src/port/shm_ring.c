/* The rarer turns of the ring: ending a lap, marking lines, and what a reader does with an odd word. */
#include "port/shm_ring.h"

#include <stdlib.h>

int tern__ring_tx_init(tern__ring_tx *tx, void *lines, uint32_t n_lines) {
    *tx = (tern__ring_tx){.lines = lines, .n_lines = n_lines, .tag = 1, .wrap_check = TERN__RING_HOT_LINES};
    tern__ring_set_limit(tx);
    tx->stale = calloc(n_lines + sizeof(uint64_t), 1); /* see tern__ring_any_stale() */
    return tx->stale ? 0 : TERN_ERR_NOMEM;
}

void tern__ring_tx_fini(tern__ring_tx *tx) {
    free(tx->stale);
    *tx = (tern__ring_tx){0};
}

/* Lines behind the first one of a record hold bytes of the packet, which may look like anything. */
void tern__ring_mark_interior(tern__ring_tx *tx, uint32_t line, uint32_t lines) {
    memset(tx->stale + line + 1, 1, lines - 1);
}

/* Only a record's own line, and the one behind it, have to look like none before it is seen. */
tern__ring_batch tern__ring_write_few(tern__ring_tx *tx, uint32_t line, const uint8_t *records, const uint8_t *end,
                                      tern__ring_batch batch) {
    enum { LINE = TERN__RING_LINE_BYTES };
    uint8_t *to = tx->lines + (size_t)line * LINE;
    do {
        uint64_t bytes = tern__load64(records);
        uint32_t lines = tern__ring_lines_for((uint32_t)bytes, 0);
        uint8_t *first = to, *stale = tx->stale + line;
        batch.bytes += bytes;
        batch.n -= lines - 1;
        tern__ring_copy_line(first, records);
        for (uint32_t k = 1; k < lines; k++) {
            to += LINE;
            records += LINE;
            memcpy(to, records, LINE);
            stale[k] = true;
        }
        to += LINE;
        records += LINE;
        line += lines;
        tern__ring_clear_ahead(tx, line);
        uint64_t word = tern__ring_word(tx->tag, lines, 0, (uint32_t)bytes, TERN__RING_PACKET);
        __atomic_store_n((uint64_t *)(void *)first, word, __ATOMIC_RELEASE);
    } while (records < end);
    return batch;
}

void tern__ring_abort(tern__ring_tx *tx, uint32_t lines) {
    tern__ring_mark_interior(tx, tern__ring_line_of(tx->tail, tx->n_lines), lines);
}

/* The tail has come to the start of a lap. */
void tern__ring_next_lap(tern__ring_tx *tx) {
    tx->tag = tern__ring_tag_after(tx->tag);
    tx->wrap_check = tx->tail + TERN__RING_HOT_LINES;
    tern__ring_set_limit(tx);
    /* Lines that light traffic did not reach may still carry this tag from 65535 laps ago. */
    if (tx->tag == 1) memset(tx->stale, 1, tx->n_lines);
}

static void end_lap(tern__ring_tx *tx) {
    uint32_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    uint64_t word = tern__ring_word(tx->tag, 1, 0, 0, TERN__RING_PAD);
    tx->tail += tx->n_lines - line;
    tern__ring_next_lap(tx);
    tern__ring_clear_ahead(tx, 0);
    __atomic_store_n(tern__ring_word_at(tx->lines, line), word, __ATOMIC_RELEASE);
}

bool tern__ring_make_room(tern__ring_tx *tx, uint32_t lines) {
    uint32_t line = tern__ring_line_of(tx->tail, tx->n_lines);
    uint64_t next_lap = tx->tail + (tx->n_lines - line);
    uint64_t end = tx->seen + tx->n_lines; /* what lies before is free */
    bool fits = line + lines <= tx->n_lines && tx->tail + lines < end;
    /* Another HOT lines beyond the record, or the next lap would end in a stall as soon as it starts. */
    bool early = line >= TERN__RING_HOT_LINES / 2 && next_lap + lines + TERN__RING_HOT_LINES / 2 < end;
    if (fits && !early) {
        tx->wrap_check = tx->tail + lines + TERN__RING_HOT_LINES / 4;
        tern__ring_set_limit(tx);
        return true;
    }
    if (next_lap + lines >= end) return false;
    end_lap(tx);
    return true;
}

/* A pad is passed; anything else does not follow the format. */
bool tern__ring_pass_pad(tern__ring_rx *rx, uint64_t word) {
    if (word != tern__ring_word(rx->tag, 1, 0, 0, TERN__RING_PAD)) return false;
    rx->position += rx->n_lines - tern__ring_line_of(rx->position, rx->n_lines);
    rx->tag = tern__ring_tag_after(rx->tag);
    return true;
}

void tern__ring_rx_init(tern__ring_rx *rx, const void *lines, uint32_t n_lines) {
    *rx = (tern__ring_rx){.lines = lines, .n_lines = n_lines, .tag = 1};
}

/* Each first word is read once. */
tern__ring_batch tern__ring_take_few(tern__ring_rx *rx, uint8_t *to, uint32_t max, uint32_t max_lines,
                                     tern__ring_batch batch) {
    enum { LINE = TERN__RING_LINE_BYTES };
    uint32_t left = rx->n_lines - tern__ring_line_of(rx->position, rx->n_lines), n = 0, short_ones = 0;
    const uint8_t *line = tern__ring_line(rx);
    uint32_t most = max_lines - batch.lines < left ? max_lines - batch.lines : left;
    while (batch.n < max && n < most) {
        uint64_t word = __atomic_load_n((const uint64_t *)(const void *)line, __ATOMIC_ACQUIRE);
        uint32_t lines = tern__ring_few(word, rx->tag);
        if (!lines || lines > most - n) break;
        tern__store64(to, word >> 32 & 65535);
        memcpy(to + 8, line + 8, LINE - 8);
        for (uint32_t k = 1; k < lines; k++) memcpy(to + k * LINE, line + k * LINE, LINE);
        batch.bytes += word >> 32 & 65535;
        if (lines == 1 && !tern__ring_is_line_bytes(word >> 32 & 65535)) short_ones = 1;
        batch.n++;
        n += lines;
        line += (size_t)lines * LINE;
        to += (size_t)lines * LINE;
    }
    batch.lines += n + short_ones;
    rx->position += n;
    if (n == left) rx->tag = tern__ring_tag_after(rx->tag);
    return batch;
}

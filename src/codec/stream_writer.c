/* The writer's long ways: padding, flushing, arrays that do not fit, errors. The short ones are in tern/stream.h.
 *
 * The buffer holds the stream's bytes [flushed, flushed + (at - start)). Byte k of the stream lies at an address that
 * is congruent to origin + k modulo 8, so alignment is a matter of addresses. The room ends with the buffer; `limit`,
 * which the short ways look at, is 8 to 15 bytes before, congruent to origin. A failed writer has no room, and hands
 * out `spare` to those who must store somewhere. */
#include "tern/stream.h"

#include "base/sized.h"

enum { PAD_MAX = 7, LIMIT_BEFORE = 8, SINK_MIN = 8, POOL_FIRST_BYTES = 4096 };

static void close_room(tern_writer *w) { w->limit = (uint8_t *)((uintptr_t)w->at - LIMIT_BEFORE); }

void tern_writer_fail(tern_writer *w, int err) {
    if (w->err || !err) return;
    w->err = err;
    w->error_at = tern_writer_offset(w);
    w->flushed = w->error_at;
    w->start = w->at;
    close_room(w);
}

static size_t room_of(const tern_writer *w) { return w->err ? 0 : (size_t)(w->buffer + w->buffer_bytes - w->at); }

/* By arithmetic, because of memory of fewer than 8 bytes. */
static void open_room(tern_writer *w) {
    w->limit = (uint8_t *)((uintptr_t)w->buffer + (w->buffer_bytes & ~(size_t)PAD_MAX) - LIMIT_BEFORE);
}

/* The first use opens the room: until then there is none, so that no first use goes unnoticed. */
static void note_written_kind(tern_writer *w, unsigned kind) {
    kind &= ~(unsigned)TERN__KIND_PEER; /* written natively */
    if (w->kind == kind || w->err) return;
    if (w->kind) {
        tern_writer_fail(w, TERN_ERR_STATE);
        return;
    }
    w->kind = (uint8_t)kind;
    open_room(w);
}

static void set_write_buffer(tern_writer *w, uint8_t *buffer, size_t bytes) {
    w->buffer = w->start = w->at = buffer;
    close_room(w);
    w->buffer_bytes = bytes;
    w->origin = (uintptr_t)buffer;
}

int tern_writer_init(tern_writer *w, tern_sink sink, size_t buffer_bytes) {
    if (!buffer_bytes) buffer_bytes = TERN_STREAM_BUFFER_BYTES;
    if (!tern__sized_is_whole(sink.ops, sizeof *sink.ops)) sink.ops = NULL;
    *w = (tern_writer){.sink = sink, .owns_buffer = true};
    if (buffer_bytes < TERN_STREAM_BUFFER_MIN || !sink.ops || !sink.ops->flush) {
        tern_writer_fail(w, TERN_ERR_INVALID);
        return w->err;
    }
    uint8_t *buffer = tern_alloc(buffer_bytes);
    if (!buffer) {
        tern_writer_fail(w, TERN_ERR_NOMEM);
        return w->err;
    }
    set_write_buffer(w, buffer, buffer_bytes);
    return 0;
}

void tern_writer_init_memory(tern_writer *w, void *memory, size_t bytes) {
    *w = (tern_writer){.fixed = true};
    set_write_buffer(w, memory, bytes);
}

/* ---- A buffer that grows ------------------------------------------------------------------------- */

int tern_writer_init_pool(tern_writer *w, size_t max_bytes) {
    *w = (tern_writer){.owns_buffer = true};
    if (!max_bytes || max_bytes > TERN_BUF_MAX_BYTES) max_bytes = TERN_BUF_MAX_BYTES;
    size_t first = max_bytes < POOL_FIRST_BYTES ? max_bytes : POOL_FIRST_BYTES;
    uint8_t *buffer = tern_alloc(first);
    if (!buffer) {
        tern_writer_fail(w, TERN_ERR_NOMEM);
        return w->err;
    }
    set_write_buffer(w, buffer, first);
    w->max_bytes = max_bytes;
    return 0;
}

static void grow_buffer(tern_writer *w, size_t more) {
    size_t used = (size_t)(w->at - w->buffer), bytes = w->buffer_bytes;
    if (more > w->max_bytes - used) {
        tern_writer_fail(w, TERN_ERR_FULL);
        return;
    }
    while (bytes - used < more) bytes = bytes < w->max_bytes / 2 ? 2 * bytes : w->max_bytes;
    uint8_t *buffer = tern_alloc(bytes);
    if (!buffer) {
        tern_writer_fail(w, TERN_ERR_NOMEM);
        return;
    }
    memcpy(buffer, w->buffer, used);
    tern_unref(w->buffer);
    set_write_buffer(w, buffer, bytes);
    w->at += used;
    open_room(w);
}

/* Puts store numbers, and who looks at the memory may take them for something else: for a compiler that sees both (as
 * when it optimizes whole programs), nothing moves across this. */
static void settle(void) { __asm__ volatile("" ::: "memory"); }

tern_bytes tern_writer_memory(const tern_writer *w) {
    settle();
    bool whole = !w->err && !w->sink.ops;
    return (tern_bytes){whole ? w->buffer : NULL, whole ? (size_t)(w->at - w->buffer) : 0};
}

/* ---- Flushing ------------------------------------------------------------------------------------ */

/* Hand at least min bytes to the sink. */
static void flush_some(tern_writer *w, size_t min) {
    size_t n = (size_t)(w->at - w->start);
    int64_t taken = w->sink.ops->flush(w->sink.user, w->start, n, min);
    if (taken < (int64_t)min || taken > (int64_t)n) {
        tern_writer_fail(w, taken < 0 ? (int)taken : TERN_ERR_IO);
        return;
    }
    w->start += taken;
    w->flushed += (uint64_t)taken;
}

/* Unwritten bytes move to the front, with the same alignment as before. */
static void compact(tern_writer *w) {
    uint8_t *front = w->buffer + (w->flushed & PAD_MAX);
    size_t n = (size_t)(w->at - w->start);
    if (n) memmove(front, w->start, n);
    w->start = front;
    w->at = front + n;
}

static void flush_all(tern_writer *w) {
    while (!w->err && w->at > w->start) {
        size_t n = (size_t)(w->at - w->start);
        flush_some(w, n < SINK_MIN ? n : SINK_MIN);
    }
    if (!w->err) compact(w);
}

int tern_writer_flush(tern_writer *w) {
    settle();
    if (!w->err && w->sink.ops) flush_all(w);
    return w->err;
}

int tern_writer_fini(tern_writer *w) {
    int err = tern_writer_flush(w);
    if (w->sink.ops && w->sink.ops->fini) w->sink.ops->fini(w->sink.user);
    if (w->owns_buffer) tern_unref(w->buffer);
    *w = (tern_writer){.err = err ? err : TERN_ERR_CLOSED};
    close_room(w);
    return err;
}

/* Room for n <= 8 more bytes, unless the writer fails. */
static void make_room_for(tern_writer *w, size_t n) {
    if (w->err || room_of(w) >= n) return;
    if (w->fixed) {
        tern_writer_fail(w, TERN_ERR_FULL);
    } else if (!w->sink.ops) {
        grow_buffer(w, n);
    } else {
        flush_some(w, SINK_MIN); /* 8 and not less: what is left then begins no later in the buffer than before */
        if (!w->err) compact(w);
    }
}

static void pad(tern_writer *w, size_t size) {
    size_t n = (w->origin - (uintptr_t)w->at) & (size - 1);
    if (!n) return;
    make_room_for(w, n);
    if (w->err) return;
    memset(w->at, 0, n);
    w->at += n;
}

/* ---- Pieces -------------------------------------------------------------------------------------- */

void *tern__writer_room(tern_writer *w, size_t size, unsigned kind) {
    note_written_kind(w, kind);
    pad(w, size);
    make_room_for(w, size);
    if (w->err) return &w->spare;
    void *p = w->at;
    w->at += size;
    return p;
}

void tern__writer_code(tern_writer *w, unsigned code, unsigned kind) {
    *(uint8_t *)tern__writer_room(w, 1, kind) = (uint8_t)code;
}

void tern__writer_preamble(tern_writer *w, unsigned kind) {
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (kind & TERN__KIND_SWAPPED) big = !big;
    uint8_t *p = tern__writer_room(w, 4, kind);
    p[0] = 'X';
    p[1] = 'B';
    p[2] = 1;
    p[3] = (uint8_t)((big ? TERN__PREAMBLE_BIG : 0) | (kind & TERN__KIND_CODES ? TERN__PREAMBLE_CODES : 0));
}

/* Large pieces need not pass through the buffer. False: this one must. */
static bool post_piece(tern_writer *w, const void *data, size_t n) {
    const tern_sink_ops *ops = w->sink.ops;
    if (!ops || !ops->post || n < ops->post_min || (ops->post_registered_only && !tern_in_pool(data))) return false;
    flush_all(w);
    if (w->err) return true;
    int err = ops->post(w->sink.user, data, n);
    if (err) {
        tern_writer_fail(w, err);
        return true;
    }
    w->flushed += n;
    w->start = w->at = w->buffer + (w->flushed & PAD_MAX);
    return true;
}

/* Numbers (or bytes, size 1) through the buffer, as many at a time as fit. */
static void copy_through(tern_writer *w, const uint8_t *from, size_t bytes, size_t size, bool swap) {
    while (bytes && !w->err) {
        size_t some = room_of(w) & ~(size - 1);
        if (!some) {
            make_room_for(w, size);
            continue;
        }
        if (some > bytes) some = bytes;
        tern__copy_numbers(w->at, from, some >> __builtin_ctzll(size), size, swap);
        w->at += some;
        from += some;
        bytes -= some;
    }
}

void tern__writer_array(tern_writer *w, const void *data, size_t n, size_t size, unsigned kind, bool swap) {
    note_written_kind(w, kind);
    pad(w, size);
    if (w->err) return;
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        tern_writer_fail(w, TERN_ERR_LIMIT);
        return;
    }
    if (!w->fixed && !w->sink.ops && bytes > room_of(w)) grow_buffer(w, bytes);
    if (swap || !post_piece(w, data, bytes)) copy_through(w, data, bytes, size, swap);
}

void tern__writer_blob(tern_writer *w, const void *data, size_t n, bool nul) {
    if (n && !w->err) tern__writer_array(w, data, n, 1, w->kind, false);
    if (nul && !w->err) copy_through(w, (const uint8_t *)"", 1, 1, false);
}

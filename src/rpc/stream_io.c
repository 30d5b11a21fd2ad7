/* Writers and readers of src/codec over a stream: sinks and sources that wait for room and for bytes. */
#include "engine/stream_client.h"
#include "rpc/stream_record.h"

/* Write, waiting for room if need be. */
static int write_waiting(tern_stream stream, tern_bytes bytes, bool copy) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    while (!err) {
        tern__body body = {.data = bytes.data, .len = bytes.len};
        s->ep->tx_dirty = true;
        err = copy ? tern__stream_write_copy(s->st, bytes, tern__stream_now(s))
                   : tern__stream_write(s->st, &body, tern__stream_now(s));
        if (err != TERN_ERR_FULL) break;
        err = tern_stream_wait_writable(stream);
        if (!err) err = tern__stream_reach_live(stream, &s);
    }
    return err;
}

/* The writer's buffer is registered memory, perhaps, but will be filled anew. */
static int64_t sink_flush(void *user, const uint8_t *data, size_t n, size_t min) {
    (void)min;
    const tern_stream *stream = user;
    int err = write_waiting(*stream, tern_bytes_of(data, n), true);
    if (!err) err = tern_stream_flush(*stream);
    return err ? err : (int64_t)n;
}

static int sink_post(void *user, const void *data, size_t n) {
    return write_waiting(*(const tern_stream *)user, tern_bytes_of(data, n), false);
}

tern_sink tern_stream_sink(const tern_stream *stream) {
    static const tern_sink_ops ops = {
        .size = sizeof ops, .flush = sink_flush, .post = sink_post, .post_min = 4096, .post_registered_only = true};
    return (tern_sink){&ops, (void *)(uintptr_t)stream};
}

static int64_t source_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    tern_stream stream = *(const tern_stream *)user;
    tern_endpoint *ep = stream.ep;
    size_t got = 0;
    tern_time busy_until = 0;
    for (;;) {
        int64_t n = tern_stream_read(stream, to + got, cap - got);
        if (n == TERN_ERR_CLOSED) return (int64_t)got;
        if (n < 0) return n;
        got += (size_t)n;
        if (got >= min) return (int64_t)got;
        if (ep->in_callback) return TERN_ERR_STATE;
        if (!busy_until) busy_until = ep->now + (tern_time)ep->config.idle_spin;
        int polled = ep->up->poll(ep);
        if (polled < 0) return polled;
        ep->up->idle(ep, polled, &busy_until, 0);
    }
}

tern_source tern_stream_source(const tern_stream *stream) {
    static const tern_source_ops ops = {.size = sizeof ops, .fill = source_fill};
    return (tern_source){&ops, (void *)(uintptr_t)stream};
}

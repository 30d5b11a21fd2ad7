/* Packets of any bytes, and good packets spoilt, into two engines with sessions between them. The input is a
 * program: it calls, answers, opens streams and writes to them, delivers, drops, repeats and spoils packets, lets time
 * pass, and ends sessions. Its packets are bounded, since ten short programs find more than a long one.
 * Whatever comes: no engine falls over, each accepted call ends exactly once, and every buffer comes back. */
#include "engine/stream_client.h"
#include "engine/stream_meta.h"
#include "fuzz.h"
#include "loop.h"

enum { MAX_STEPS = 400, MAX_CALLS = 64, MAX_STREAMS = 32 };

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint8_t take(input *in) { return in->next < in->end ? *in->next++ : 0; }

static uint8_t take_if(bool wanted, input *in) { return wanted ? take(in) : 0; }

/* ---- What an input may cost ----------------------------------------------------------------------- */

/* Packets that the engines get before an input's steps end, and in the time that passes after these; of inputs that
 * say so many times as many. What would be sent after that is lost. */
enum { STEP_PACKETS = 128, LAST_PACKETS = 64, MANY = 16 };

static uint64_t max_handed;

static bool deliver(loop *l, int side, unsigned n) { return l->n_handed < max_handed && loop_deliver(l, side, n); }

/* Deliver what is under way, and what comes of it. */
static void settle(loop *l) {
    loop_tick(l);
    while (deliver(l, 0, 0) || deliver(l, 1, 0)) continue;
    loop_tick(l);
}

static tern_time next_due(const loop *l, tern_time until) {
    for (int i = 0; i < 2; i++) {
        tern_time due = tern__engine_next_due(l->side[i].engine);
        if (due < until) until = due;
    }
    return until;
}

/* The same with time passing. */
static void run(loop *l, tern_time until) {
    loop_tick(l);
    while (l->now < until && l->n_handed < max_handed) {
        bool moved = deliver(l, 0, 0);
        moved |= deliver(l, 1, 0);
        tern_time due = moved ? l->now + TERN_US : next_due(l, until);
        l->now = due > l->now ? due : l->now + 1;
        loop_tick(l);
    }
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* Up to 255 units, short ones more often. */
static uint32_t take_size(input *in, uint32_t unit) {
    uint32_t n = take(in);
    return n * (n + 1) * unit >> 8;
}

/* Change some bytes of a packet that waits, most often in its header. */
static void spoil(loop *l, int side, input *in) {
    uint32_t len;
    uint8_t *bytes = loop_bytes(l, side, take(in) % 4, &len);
    uint8_t n = take(in) % 4;
    if (!bytes || !len) return;
    for (int i = 0; i <= n; i++) {
        uint8_t at = take(in);
        bytes[at % (len < 64 ? len : 64)] ^= take(in);
    }
}

static void inject(loop *l, int to, input *in) {
    uint32_t len = take(in), left = (uint32_t)(in->end - in->next);
    if (len > left) len = left;
    loop_inject(l, to, in->next, len);
    in->next += len;
}

/* behind: with a metadata block, of a packet or of several. */
static void answer(loop *l, bool behind, input *in) {
    static const uint8_t block[2048];
    if (!l->n_served) return;
    unsigned i = take(in) % l->n_served;
    if (l->request[i].gone || l->request[i].answered) return;
    l->request[i].answered = true;
    tern__body body = {.data = l->request[i].data, .len = l->request[i].len};
    int status = take(in) % 3 ? TERN_STATUS_OK : TERN_STATUS_ABORTED;
    tern__behind with_block = tern__body_behind(&body, block, 8u * (1 + take_if(behind, in)));
    if (behind)
        tern__engine_respond_behind(l->request[i].request, status, &with_block, l->now);
    else
        tern__engine_respond(l->request[i].request, status, &body, l->now);
}

/* From n = 4 on with metadata before it. */
static void request(loop *l, unsigned n, uint32_t unit, input *in) {
    if (!l->session || l->n_calls == MAX_CALLS) return;
    uint32_t len = take_size(in, unit);
    if (n < 4 || n == 7)
        loop_request(l, len, n == 7 ? TERN_MS : 0);
    else
        loop_request_behind(l, 8u * (1 + take(in)), len, 0);
}

static void cancel(loop *l, input *in) {
    if (!l->session || !l->n_calls) return;
    loop_call *call = &l->calls[take(in) % l->n_calls];
    if (tern__engine_cancel(l->session, call, l->now)) call->n_done++;
}

/* ---- Streams: of the client first, then of the server. stream is NULL once it has ended or been given up. */

typedef struct stream_end {
    tern__stream *stream;
    unsigned n_ends;
    bool given_up, manual;
} stream_end;

static stream_end stream_ends[2][MAX_STREAMS];
static unsigned n_streams[2];
static loop *stream_loop;

static const uint8_t stream_block[3000];

/* Takes the peer's block, if there is one, and gives it back. */
static void take_block(tern__stream *stream, int side) {
    tern__stream_block *block = tern__stream_take_block(stream);
    FUZZ_CHECK(!block || block->got == block->bytes);
    tern__stream_block_free(stream_loop->side[side].engine, block);
}

static void on_open(void *user, tern__stream *stream, uint32_t method) {
    (void)user;
    if (n_streams[1] == MAX_STREAMS) {
        tern__stream_abort(stream, TERN_STATUS_RESOURCE_EXHAUSTED, stream_loop->now);
        return;
    }
    stream_end *end = &stream_ends[1][n_streams[1]++];
    *end = (stream_end){.stream = stream, .manual = method & 1};
    tern__stream_configure(stream, &(tern__stream_opts){.manual = end->manual, .buffer_bytes = 1 << 15});
    *tern__stream_user(stream) = end;
    if (method & 2) take_block(stream, 1);
}

static void on_data(void *user, tern__stream *stream, const void *data, uint32_t len) {
    (void)user, (void)stream;
    FUZZ_CHECK(len > 0 && tern_in_pool(data));
}

static void on_finished(void *user, tern__stream *stream) { (void)user, (void)stream; }
static void on_writable(void *user, tern__stream *stream) { (void)user, (void)stream; }

static void on_end(void *user, tern__stream *stream, int status) {
    (void)user, (void)status;
    stream_end *end = *tern__stream_user(stream);
    FUZZ_CHECK(end->stream == stream && !end->given_up);
    if (end < stream_ends[1]) take_block(stream, 0);
    end->stream = NULL;
    end->n_ends++;
}

static const tern__stream_callbacks stream_callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void open_stream(loop *l, uint8_t how) {
    if (!l->session || n_streams[0] == MAX_STREAMS) return;
    stream_end *end = &stream_ends[0][n_streams[0]];
    *end = (stream_end){.manual = how & 2};
    tern__stream_opts opts = {.manual = end->manual, .deadline = how & 4 ? l->now + (tern_time)TERN_MS : 0};
    if (how & 8) opts.block = (tern_bytes){stream_block, how & 16 ? sizeof stream_block : TERN__META_ALIGN};
    if (tern__stream_open(l->session, how, &opts, end, l->now, &end->stream) == 0) n_streams[0]++;
}

static void write_stream(loop *l, tern__stream *stream, uint32_t len) {
    uint8_t *bytes = tern_alloc(len + 1);
    if (!bytes) return;
    memset(bytes, 5, len);
    tern__stream_write(stream, &(tern__body){.data = bytes, .len = len}, l->now);
    tern_unref(bytes);
}

static void give_up(stream_end *end) {
    end->given_up = true;
    end->stream = NULL;
}

static void stream_step(loop *l, int side, unsigned n, input *in) {
    if (n == 0 && side == 0) {
        open_stream(l, take(in));
        return;
    }
    if (!n_streams[side]) return;
    stream_end *end = &stream_ends[side][take(in) % n_streams[side]];
    tern__stream *stream = end->stream;
    if (!stream) return;
    switch (n) {
    case 1: write_stream(l, stream, take(in)); break;
    case 2: write_stream(l, stream, take_size(in, 300)); break;
    case 3: tern__stream_flush(stream, l->now); break;
    case 4: tern__stream_consume(stream, take(in) * 500u, l->now); break;
    case 5: tern__stream_set_manual(stream, take(in) & 1); break;
    case 6:
        if (side) give_up(end);
        if (side)
            tern__stream_finish_with(stream, TERN_STATUS_OK, (tern_bytes){stream_block, take(in) * 8u}, false, l->now);
        else
            tern__stream_finish(stream, TERN_STATUS_OK, l->now);
        break;
    case 7:
        give_up(end);
        if (side)
            tern__stream_finish_with(stream, TERN_STATUS_ABORTED, (tern_bytes){stream_block, take(in) * 8u}, true,
                                     l->now);
        else
            tern__stream_abort(stream, TERN_STATUS_ABORTED, l->now);
        break;
    default: break;
    }
}

/* A call, the session, or what the server takes on; or a session anew, whose CONNECT and RETRY are then there to be
 * spoilt. */
static void end_something(loop *l, unsigned n, input *in) {
    if (n < 5) {
        cancel(l, in);
    } else if (n == 5) {
        if (l->side[1].engine) tern__engine_drain(l->side[1].engine, l->now + (tern_time)TERN_SEC, l->now);
    } else if (n == 6 && !l->session) {
        tern__route to = {.len = 1, .bytes = {2}};
        tern__engine_connect(l->side[0].engine, &l->side[0].link, &to, l, l->now, &l->session);
    } else if (n == 7 && l->session) {
        tern__engine_session_close(l->session, l->now);
        l->session = NULL;
    }
}

static void step(loop *l, input *in) {
    uint8_t op = take(in);
    int side = op >> 7;
    unsigned n = op >> 4 & 7;
    switch (op & 15) {
    case 0:
    case 1: loop_deliver(l, side, n); break;
    case 2: loop_drop(l, side, n); break;
    case 3: loop_repeat(l, side, n); break;
    case 4: inject(l, side, in); break;
    case 5:
    case 6: spoil(l, side, in); break;
    case 7: answer(l, n & 1, in); break;
    case 8: l->defer = !l->defer; break;
    case 9: l->now += (tern_time)1 << (take(in) % 36); break;
    case 10: settle(l); break;
    case 11: request(l, n, 200, in); break;
    case 12: request(l, n, 1, in); break;
    case 13: end_something(l, n, in); break;
    case 14: stream_step(l, side, n, in); break;
    default: loop_tick(l); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static loop l;
    input in = {data, data + len};
    tap_failed = false;
    n_streams[0] = n_streams[1] = 0;
    stream_loop = &l;
    uint8_t flags = take(&in);
    loop_init(&l, &(loop_config){.reliable = flags & 1,
                                 .capacity = 64,
                                 .engine = {.streams = &stream_callbacks,
                                            .max_message_bytes = 1 << 17,
                                            .max_rx_bytes = 1 << 18,
                                            .max_sessions = 8}});
    loop_connect(&l);
    l.quits = flags & 2;
    FUZZ_CHECK(!tap_failed);
    unsigned scale = flags >> 4 == 15 ? MANY : 1;
    max_handed = STEP_PACKETS * scale;
    for (int i = 0; i < MAX_STEPS && in.next < in.end && l.n_handed < max_handed; i++) {
        step(&l, &in);
        if (i % 4 == 3) loop_tick(&l);
    }
    max_handed += LAST_PACKETS * scale;
    run(&l, l.now + 3 * (tern_time)TERN_SEC);
    unsigned n_calls = l.n_calls;
    loop_fini(&l);
    FUZZ_CHECK(!tap_failed);
    for (unsigned i = 0; i < n_calls; i++) FUZZ_CHECK(l.calls[i].n_done == 1);
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < n_streams[side]; i++)
            FUZZ_CHECK(stream_ends[side][i].n_ends + stream_ends[side][i].given_up == 1);
    return 0;
}

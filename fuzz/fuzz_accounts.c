/* What peers make a server hold, and what its accounts say of it. The input is a program: strangers, who write packets
 * as they like, with the numbers and tags of sessions that they have, leave requests, responses, streams and sessions
 * in every half-finished state, while time passes, the server answers late, and an honest client calls beside them.
 *
 * After each step all that the sessions hold is summed up anew, from the buffers' own sizes (held.h). Whatever comes:
 * route, network and endpoint have exactly these sums; each small call of the honest client is answered; and nothing
 * is left once the strangers are gone. */
#include "engine/stream.h"
#include "engine/stream_meta.h"
#include "fuzz.h"
#include "held.h"
#include "loop.h"
#include "setup_packet.h"

enum {
    N_ROUTES = 6,
    N_NETWORKS = 3, /* of these; the honest client's is another */
    MAX_SESSIONS = 12,
    MAX_STEPS = 200,
    MAX_STREAMS = 64,
    MAX_HONEST = 48,
    PAYLOAD = 900,
    CAPACITY = 1000,    /* packets of the server's that may wait, unless nobody reads any */
    HONEST_METHOD = 77, /* of loop_request() */
    METHOD = 7,
    KB = 1 << 10,
    MB = 1 << 20
};

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint8_t take(input *in) { return in->next < in->end ? *in->next++ : 0; }

typedef struct stranger {
    tern__route route;
    uint32_t number;
    uint64_t tag;
} stranger;

static loop l;
static stranger strangers[MAX_SESSIONS]; /* one for each session */
static unsigned n_strangers;
static tern__setup accepted; /* what the server said last in an ACCEPT */
static uint64_t cookie;      /* ... and in a RETRY */
static uint8_t zeros[4 * KB];

static tern__route route_of(unsigned i) {
    return (tern__route){.len = 4, .bytes = {99, (uint8_t)i, 0, (uint8_t)(1 + i % N_NETWORKS)}};
}

static bool is_honest(const tern__route *route) { return route->len == 1 && route->bytes[0] == 1; }

/* ---- The wire ------------------------------------------------------------------------------------- */

/* What the server has sent to strangers goes no further; it is read for what they have to know. */
static void read_answers(void) {
    loop_tick(&l);
    for (unsigned n = 0; loop_route(&l, 1, n);) {
        uint32_t len = 0;
        if (is_honest(loop_route(&l, 1, n))) {
            n++;
            continue;
        }
        tern__pkt_header h;
        const uint8_t *bytes = loop_bytes(&l, 1, n, &len);
        if (loop_peek(&l, 1, n, &h) && h.type == TERN__PKT_ACCEPT) accepted = setup_of(bytes, len);
        if (loop_peek(&l, 1, n, &h) && h.type == TERN__PKT_RETRY && len >= TERN__PKT_HEADER_BYTES + 16)
            cookie = tern__load64(bytes + TERN__PKT_HEADER_BYTES + 8);
        loop_drop(&l, 1, n);
    }
}

static bool move_honest(void) {
    read_answers();
    bool moved = loop_deliver(&l, 0, 0);
    read_answers();
    return loop_deliver(&l, 1, 0) || moved;
}

/* The honest client and the server go on until then. */
static void wait_until(tern_time until) {
    l.side[1].capacity = CAPACITY;
    for (read_answers(); l.now < until; loop_tick(&l)) {
        tern_time due = l.now + TERN_US;
        if (!move_honest()) {
            due = until;
            for (int i = 0; i < 2; i++) {
                tern_time own = tern__engine_next_due(l.side[i].engine);
                if (own < due) due = own;
            }
        }
        l.now = due > l.now ? due : l.now + 1;
    }
    read_answers();
}

/* ---- Strangers ------------------------------------------------------------------------------------ */

static void offer(const tern__route *route, uint64_t token, uint32_t number) {
    uint8_t packet[TERN__CONNECT_BYTES];
    tern__setup setup = setup_usual(token, number, cookie);
    setup_connect(&setup, packet);
    accepted = (tern__setup){0};
    loop_inject_from(&l, 1, route, packet, sizeof packet);
    read_answers();
}

static void connect_stranger(input *in) {
    static uint64_t token = 1 << 20;
    if (n_strangers == MAX_SESSIONS) return;
    stranger *s = &strangers[n_strangers];
    s->route = route_of(take(in) % N_ROUTES);
    cookie = 0;
    offer(&s->route, ++token, n_strangers + 1);
    if (!accepted.number && cookie) offer(&s->route, token, n_strangers + 1);
    s->number = accepted.number;
    s->tag = accepted.tag;
    if (s->number) n_strangers++;
}

/* payload: of the packet; no more than it may have. */
static void send_as(const stranger *s, tern__pkt_header h, uint32_t payload) {
    static uint8_t packet[TERN__PKT_MAX_HEADER_BYTES + 64 + PAYLOAD + TERN__PKT_MULTI_BYTES];
    if (!l.config.reliable) h.flags |= TERN__PKT_TAG;
    h.session = s->number;
    h.tag = s->tag;
    tern__pkt_write(&h, packet);
    if (payload > PAYLOAD + TERN__PKT_MULTI_BYTES) payload = PAYLOAD;
    loop_inject_from(&l, 1, &s->route, packet, tern__pkt_header_bytes(&h) + payload);
    read_answers();
}

/* Some packets, in a row, of a request that says it is so long. */
static void send_request(const stranger *s, input *in) {
    static const uint32_t sizes[] = {0,       8,       100,      PAYLOAD,  1000,     2 * KB,   20 * KB, 60 * KB,
                                     65 * KB, 70 * KB, 128 * KB, 200 * KB, 512 * KB, 900 * KB, MB - 1,  3 * MB};
    uint32_t req = take(in), how = take(in), size = sizes[how & 15], first = take(in), n = 1 + take(in) % 48;
    uint32_t n_pkts = tern__n_pkts(size, PAYLOAD);
    bool behind = how & 16 && size >= 16;
    if (how & 32) first = n_pkts - 1 - first % n_pkts;
    for (uint32_t pkt = first; pkt < n_pkts && pkt < first + n; pkt++) {
        tern__pkt_header h = {.type = TERN__PKT_REQ, .req = req, .method = METHOD, .format = how & 64 ? 1 : 0};
        if (how & 128) h.deadline_us = 1u << how % 23;
        tern__pkt_of_message(&h, pkt, size, PAYLOAD);
        if (pkt == 0 && behind) tern__pkt_set_meta(&h, 16);
        send_as(s, h, tern__pkt_bytes(size, PAYLOAD, pkt));
    }
}

/* A packet of a streaming call's request. */
static void send_stream(const stranger *s, input *in) {
    uint32_t req = take(in), how = take(in), pkt = take(in);
    tern__pkt_header h = {.type = TERN__PKT_REQ,
                          .flags = TERN__PKT_STREAM | (how & (TERN__PKT_GRANT | TERN__PKT_META | TERN__PKT_LAST)),
                          .req = req,
                          .pkt = how & 1 ? pkt : pkt % 8,
                          .method = METHOD + (how >> 6)};
    if (how & TERN__PKT_GRANT) h.grant = (uint64_t)take(in) << 10;
    uint32_t len = take(in);
    len = how & 8 ? len : len * 4 % PAYLOAD;
    if (how & TERN__PKT_META) {
        h.meta_bytes = how & 16 ? 8u * (1 + take(in)) : (1 + take(in)) * 400u;
        len = len / 8 * 8;
    }
    send_as(s, h, len);
}

/* What a client answers, or says besides its requests. */
static void send_other(const stranger *s, input *in) {
    static const uint8_t types[] = {TERN__PKT_RFR,  TERN__PKT_RFR,  TERN__PKT_CANCEL, TERN__PKT_CANCEL,
                                    TERN__PKT_PING, TERN__PKT_PONG, TERN__PKT_GOAWAY, TERN__PKT_DISCONNECT};
    uint32_t what = take(in);
    tern__pkt_header h = {.type = types[what & 7], .req = take(in), .pkt = take(in)};
    if (h.type == TERN__PKT_RFR && what & 8) {
        h.flags = TERN__PKT_STREAM | (what & (TERN__PKT_GRANT | TERN__PKT_LAST));
        h.received = take(in);
        if (what & TERN__PKT_GRANT) h.grant = (uint64_t)take(in) << 10;
    }
    send_as(s, h, 0);
}

static void send_bytes(const stranger *s, input *in) {
    uint32_t len = take(in), left = (uint32_t)(in->end - in->next);
    if (len > left) len = left;
    loop_inject_from(&l, 1, &s->route, in->next, len);
    in->next += len;
    read_answers();
}

static void lose_route(unsigned i) {
    tern__route route = route_of(i);
    tern__engine_route_lost(l.side[1].engine, &l.side[1].link, &route, l.now);
    read_answers();
}

/* ---- The server's user ---------------------------------------------------------------------------- */

static tern__legacy legacies[LOOP_MAX_SERVED]; /* of calls whose requests have ended, as the rpc layer keeps them */
static bool handed_over[LOOP_MAX_SERVED];

static void on_gone(loop *at) {
    for (unsigned i = 0; i < at->n_served; i++) {
        if (!at->request[i].gone || handed_over[i] || at->request[i].answered) continue;
        handed_over[i] = true;
        legacies[i] = tern__request_hand_over(at->request[i].request);
    }
}

static void settle_legacy(unsigned i) {
    tern__engine_settle(l.side[1].engine, legacies[i]);
    legacies[i] = (tern__legacy){0};
}

static uint8_t *value; /* 128 KB that are sent from where they lie */
static tern__body reply;

static void answer(input *in) {
    if (!l.n_served) return;
    unsigned i = take(in) % l.n_served;
    uint32_t len = take(in) << (take(in) % 10);
    if (l.request[i].gone) {
        settle_legacy(i);
        return;
    }
    if (l.request[i].answered) return;
    l.request[i].answered = true;
    tern__body body = {.data = len & 1 ? value : zeros, .len = len & 1 || len < sizeof zeros ? len : sizeof zeros};
    tern__engine_respond(l.request[i].request, len % 5 ? TERN_STATUS_OK : TERN_STATUS_ABORTED, &body, l.now);
}

/* ---- Streams -------------------------------------------------------------------------------------- */

typedef struct held_stream {
    tern__stream *stream;
    tern__debit debit;
} held_stream;

static held_stream streams[MAX_STREAMS];
static unsigned n_streams;

static void on_open(void *user, tern__stream *stream, uint32_t method) {
    (void)user;
    if (n_streams == MAX_STREAMS) {
        tern__stream_abort(stream, TERN_STATUS_RESOURCE_EXHAUSTED, l.now);
        return;
    }
    held_stream *held = &streams[n_streams++];
    *held = (held_stream){.stream = stream};
    tern__stream_configure(stream, &(tern__stream_opts){.manual = method & 1, .buffer_bytes = 16 * KB});
    *tern__stream_user(stream) = held;
    if (method & 2) tern__stream_block_free(l.side[1].engine, tern__stream_take_block(stream));
}

static void on_data(void *user, tern__stream *stream, const void *data, uint32_t len) {
    (void)user, (void)stream;
    FUZZ_CHECK(len && tern_in_pool(data));
}

static void on_finished(void *user, tern__stream *stream) { (void)user, (void)stream; }
static void on_writable(void *user, tern__stream *stream) { (void)user, (void)stream; }

static void on_end(void *user, tern__stream *stream, int status) {
    (void)user, (void)status;
    held_stream *held = *tern__stream_user(stream);
    held->stream = NULL;
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void use_stream(input *in) {
    if (!n_streams) return;
    held_stream *held = &streams[take(in) % n_streams];
    uint32_t what = take(in), n = take(in);
    tern__stream *stream = held->stream;
    if (what % 8 == 0 || !stream) {
        tern__engine_undebit(l.side[1].engine, &held->debit);
        return;
    }
    switch (what % 8) {
    case 1: tern__stream_write(stream, &(tern__body){.data = value, .len = n * 64}, l.now); break;
    case 2: tern__stream_write(stream, &(tern__body){.data = zeros, .len = n}, l.now); break;
    case 3: tern__stream_flush(stream, l.now); break;
    case 4: tern__stream_consume(stream, n * 100, l.now); break;
    case 5: tern__stream_debit(stream, n * 500, &held->debit); break;
    case 6:
        held->stream = NULL;
        tern__stream_finish(stream, TERN_STATUS_OK, l.now);
        break;
    default: held->stream = NULL; tern__stream_abort(stream, TERN_STATUS_ABORTED, l.now);
    }
}

/* ---- The accounts --------------------------------------------------------------------------------- */

static void check_accounts(void) {
    held_sums sums;
    held_begin(&sums, l.side[1].engine);
    for (unsigned i = 0; i < l.n_served; i++) held_add_debit(&sums, &legacies[i].debit);
    for (unsigned i = 0; i < n_streams; i++) held_add_debit(&sums, &streams[i].debit);
    const char *wrong = held_difference(&sums);
    if (wrong) fprintf(stderr, "%s\n", wrong);
    FUZZ_CHECK(!wrong);
}

/* ---- The honest client ---------------------------------------------------------------------------- */

static unsigned n_answered(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < l.n_calls; i++) n += l.calls[i].n_done == 1 && l.calls[i].status == TERN_STATUS_OK;
    return n;
}

/* A call of one packet, answered within a second. */
static void call_honestly(uint32_t len) {
    if (l.n_calls == MAX_HONEST) return;
    FUZZ_CHECK(loop_request(&l, len, 0) >= 0);
    tern_time until = l.now + TERN_SEC;
    while (n_answered() < l.n_calls && l.now < until) wait_until(l.now + 100 * TERN_US);
    FUZZ_CHECK(n_answered() == l.n_calls);
}

/* ---- The program ---------------------------------------------------------------------------------- */

static void step(input *in) {
    uint8_t op = take(in);
    const stranger *s = n_strangers ? &strangers[(op >> 4) % n_strangers] : NULL;
    switch (op & 15) {
    case 0:
    case 1: connect_stranger(in); break;
    case 2: l.defer = !l.defer; break;
    case 3: l.reply = l.reply ? NULL : &reply; break;
    case 4: answer(in); break;
    case 5: use_stream(in); break;
    case 6: wait_until(l.now + ((tern_time)1 << (20 + take(in) % 14))); break;
    case 7: call_honestly(take(in)); break;
    case 8: lose_route(take(in) % N_ROUTES); break;
    case 9: l.side[1].capacity = l.side[1].capacity ? 0 : CAPACITY; break;
    default: break;
    }
    if (!s) return;
    switch (op & 15) {
    case 10:
    case 11: send_request(s, in); break;
    case 12:
    case 13: send_stream(s, in); break;
    case 14: send_other(s, in); break;
    case 15: send_bytes(s, in); break;
    default: break;
    }
}

static void begin(uint8_t flags) {
    tap_failed = false;
    n_strangers = n_streams = 0;
    memset(legacies, 0, sizeof legacies);
    memset(handed_over, 0, sizeof handed_over);
    loop_init(&l, &(loop_config){.reliable = flags & 1,
                                 .capacity = CAPACITY,
                                 .engine = {.streams = &callbacks,
                                            .max_message_bytes = 512 * KB,
                                            .max_rx_bytes = flags & 2 ? 2 * MB : 600 * KB,
                                            .max_kept_bytes = flags & 4 ? 250 * KB : 0,
                                            .crowd_sessions = flags & 8 ? 4 : 0,
                                            .max_sessions = 64}});
    l.echoed = HONEST_METHOD;
    l.on_gone = on_gone;
    value = tern_alloc(128 * KB);
    FUZZ_CHECK(value);
    reply = (tern__body){.data = value, .len = 100 * KB};
    loop_connect(&l);
    FUZZ_CHECK(!tap_failed);
}

/* The strangers go, their routes with them or, where a link loses packets, in silence. */
static void leave(bool silently) {
    for (unsigned i = 0; i < N_ROUTES && !silently; i++) lose_route(i);
    if (silently) wait_until(l.now + 60 * (tern_time)TERN_SEC);
    check_accounts();
    for (unsigned i = 0; i < l.n_served; i++) settle_legacy(i);
    for (unsigned i = 0; i < n_streams; i++) tern__engine_undebit(l.side[1].engine, &streams[i].debit);
    check_accounts();
    call_honestly(100);
    call_honestly(20 * KB);
    wait_until(l.now + 10 * (tern_time)TERN_SEC);
    for (unsigned i = 0; i < n_streams; i++) FUZZ_CHECK(!streams[i].stream);
    FUZZ_CHECK(held_is_nothing(l.side[1].engine, 1));
    FUZZ_CHECK(held_is_nothing(l.side[0].engine, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    input in = {data, data + len};
    uint8_t flags = take(&in);
    begin(flags);
    for (int i = 0; i < MAX_STEPS && in.next < in.end; i++) {
        step(&in);
        check_accounts();
    }
    leave(!l.config.reliable && flags & 16);
    tern_unref(value);
    loop_fini(&l);
    FUZZ_CHECK(!tap_failed);
    return 0;
}

/* Packets of streams, one by one: where they end, whose turn it is, what is kept and what is taken from an answer. */
#include "engine/account.h"
#include "engine/cancel.h"
#include "engine/client_record.h"
#include "engine/places.h"
#include "engine/server_record.h"
#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "loop.h"
#include "mem/pool.h"
#include "seal/seal_check.h"

enum { METHOD = 5, PIECE = 600, SHORT = 10, FULL = 1024, MAX_STREAMS = 4 };

static loop l;
static seal_check check;
static tern__stream *server[MAX_STREAMS];
static unsigned n_opened, n_finished, n_writable;
static uint64_t n_read;
static uint8_t written, next_byte; /* of the pattern: each byte is one more than the one before */
static bool is_right;

static void on_open(void *user, tern__stream *st, uint32_t method) {
    (void)user, (void)method;
    if (n_opened < MAX_STREAMS) server[n_opened++] = st;
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st;
    for (uint32_t i = 0; i < len; i++) is_right &= ((const uint8_t *)data)[i] == next_byte++;
    n_read += len;
}

static void on_finished(void *user, tern__stream *st) {
    (void)user, (void)st;
    n_finished++;
}

static void on_writable(void *user, tern__stream *st) {
    (void)user, (void)st;
    n_writable++;
}

static void on_end(void *user, tern__stream *st, int status) { (void)user, (void)st, (void)status; }

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void start(loop_config config) {
    config.engine.streams = &callbacks;
    loop_init(&l, &config);
    loop_connect(&l);
    n_opened = n_finished = n_writable = 0;
    n_read = 0;
    written = next_byte = 0;
    is_right = true;
}

static tern__stream *open_stream(void) {
    tern__stream *st = NULL;
    int err = tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &st);
    return err ? NULL : st;
}

/* So many bytes of the pattern, copied, or in place: the stream then has the only reference. */
static void write_bytes(tern__stream *st, uint32_t len, bool in_place) {
    uint8_t *bytes = tern_alloc(len);
    CHECK(bytes != NULL);
    for (uint32_t i = 0; i < len; i++) bytes[i] = written++;
    int err = in_place ? tern__stream_write(st, &(tern__body){.data = bytes, .len = len}, l.now)
                       : tern__stream_write_copy(st, (tern_bytes){bytes, len}, l.now);
    CHECK_EQ(err, 0);
    tern_unref(bytes);
}

/* A stream whose first bytes have come to the server. */
static tern__stream *open_served(void) {
    tern__stream *st = open_stream();
    if (!st) return NULL;
    write_bytes(st, SHORT, false);
    tern__stream_flush(st, l.now);
    loop_settle(&l);
    return st;
}

/* A packet that takes no more pieces ends before the stream does: it is not the last, although it was to be. */
static void last__is_not_the_packet_that_was_cut_short(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start((loop_config){.reliable = reliable});
        CHECK_OK();
        l.side[0].link.max_posts = 2;
        tern__stream *st = open_stream();
        CHECK(st != NULL);
        write_bytes(st, SHORT, false);
        write_bytes(st, PIECE, true);
        write_bytes(st, SHORT, false);
        tern__stream_finish(st, 0, l.now);
        loop_settle(&l);
        CHECK_EQ(n_read, PIECE + 2 * SHORT);
        CHECK(is_right);
        CHECK_EQ(n_finished, 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Whoever reads memory that was given back too early finds other bytes. */
static void overwrite_free_buffers(void) {
    uint8_t *buffers[64] = {0};
    for (uint32_t i = 0; i < TERN__COUNT(buffers); i++) {
        uint32_t len = 256u << i % 8;
        buffers[i] = tern_alloc(len);
        if (buffers[i]) memset(buffers[i], 0xdd, len);
    }
    for (uint32_t i = 0; i < TERN__COUNT(buffers); i++) tern_unref(buffers[i]);
}

/* More stretches than a sealed packet notes; and packets that are longer than what the link has for heads. */
static void sealed__packets_of_many_pieces(void) {
    for (int is_long = 0; is_long < 2; is_long++) {
        check = (seal_check){0};
        start((loop_config){.max_packet = 16000,
                            .engine = {.cipher = &seal_check_cipher, .cipher_user = &check, .threshold = 512}});
        CHECK(l.session->s.sealed);
        CHECK_OK();
        if (is_long) l.side[0].link.max_inline = 4096;
        tern__stream *st = open_stream();
        CHECK(st != NULL);
        uint64_t live = loop_live_buffers();
        for (int i = 0; i < 20; i++) {
            write_bytes(st, SHORT, false);
            write_bytes(st, PIECE, true);
        }
        tern__stream_flush(st, l.now);
        overwrite_free_buffers(); /* the packet has not been read yet */
        loop_settle(&l);
        CHECK_EQ(n_read, 20 * (PIECE + SHORT));
        CHECK(is_right);
        CHECK(loop_live_buffers() <= live + 8);
        for (int i = 0; i < 20; i++) {
            write_bytes(st, PIECE, true);
            tern__stream_flush(st, l.now);
            loop_settle(&l);
        }
        CHECK(loop_live_buffers() <= live + 8);
        CHECK_EQ(n_read, 20 * (2 * PIECE + SHORT));
        CHECK(is_right);
        loop_fini(&l);
        CHECK(!check.error[0]);
        seal_check_fini(&check);
        CHECK_OK();
    }
}

/* Two streams of a server that may have four packets in flight: each gets two. */
static void turns__are_taken_by_streams_of_a_session(void) {
    static const uint8_t bytes[8 * FULL];
    start((loop_config){.engine.credits = 4});
    CHECK_OK();
    for (int i = 0; i < 2; i++) {
        CHECK(open_served() != NULL);
    }
    CHECK_EQ(n_opened, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(tern__stream_write_copy(server[i], (tern_bytes){bytes, sizeof bytes}, l.now), 0);
        CHECK(l.side[1].n_queued > 0); /* what the first has is in flight, and more waits */
    }
    unsigned n_of[2] = {0};
    tern__pkt_header h;
    while (loop_deliver(&l, 1, 0)) continue;
    loop_tick(&l);
    while (loop_deliver(&l, 0, 0)) continue; /* the acknowledgements: four more may go */
    for (unsigned n = 0; loop_peek(&l, 1, n, &h); n++)
        if (h.type == TERN__PKT_RESP) n_of[h.req == server[1]->request->req]++;
    CHECK_EQ(n_of[0], 2);
    CHECK_EQ(n_of[1], 2);
    loop_fini(&l);
}

/* What a full buffer waits for may be credits that a call gives back when it is cancelled. Where nothing is lost no
 * answer comes then, and the writer hears of the room all the same. */
static void writer__hears_of_room_that_a_cancelled_call_makes(void) {
    static const uint8_t bytes[2 * FULL];
    start((loop_config){.reliable = true, .engine.credits = 2});
    CHECK_OK();
    tern__stream *st = open_served();
    CHECK(st != NULL);
    int call = loop_request(&l, 10 * FULL, 0); /* whose packets take both credits */
    CHECK(call >= 0);
    loop_tick(&l);
    st->buffer_bytes = FULL;
    CHECK_EQ(tern__stream_write_copy(st, (tern_bytes){bytes, sizeof bytes}, l.now), 0);
    tern__stream_flush(st, l.now);
    CHECK_EQ(tern__stream_write_copy(st, (tern_bytes){bytes, 1}, l.now), TERN_ERR_FULL);
    CHECK_EQ(n_writable, 0);
    for (int i = 0; i < 2; i++) CHECK(loop_drop(&l, 0, 0)); /* as if the server were slow */
    CHECK(tern__engine_cancel(l.session, &l.calls[call], l.now));
    loop_run(&l, l.now + TERN_MS, 0);
    CHECK_EQ(n_writable, 1);
    loop_fini(&l);
}

/* A link is full while a stream is cancelled, and while the next one of its place begins and is cancelled, too: nothing
 * of that one has left, and the server hears of the end of the first all the same. */
static void end__of_a_stream_is_told_although_the_next_one_was_never_sent(void) {
    start((loop_config){.reliable = true});
    CHECK_OK();
    tern__stream *st = open_served();
    CHECK(st != NULL);
    CHECK_EQ(n_opened, 1);
    l.side[0].capacity = 0;
    for (int i = 0; i < 2; i++) {
        tern__stream_abort(st, 0, l.now);
        loop_tick(&l);
        if (i == 1) break;
        st = open_stream();
        CHECK(st != NULL);
        write_bytes(st, SHORT, false);
        tern__stream_flush(st, l.now);
        loop_tick(&l);
        CHECK_EQ(st->index, TERN__N_SLOTS); /* the same place */
    }
    l.side[0].capacity = 4096;
    loop_run(&l, l.now + 3 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(l.side[1].engine->held, 0);
    loop_fini(&l);
}

/* A packet that came early is within the grant, or it is not kept, and comes again. */
static void early__packets_beyond_the_grant_are_not_kept(void) {
    start((loop_config){0});
    CHECK_OK();
    tern__stream *st = open_served();
    CHECK(st != NULL);
    CHECK_EQ(n_opened, 1);
    uint64_t granted = server[0]->rx_limit;
    server[0]->rx_limit = server[0]->rx_bytes + FULL - 1;
    write_bytes(st, FULL, false);
    tern__stream_flush(st, l.now);
    write_bytes(st, FULL, false);
    tern__stream_flush(st, l.now);
    uint64_t charged = l.side[1].engine->held;
    CHECK(loop_deliver(&l, 0, 1)); /* the second, before the first */
    CHECK_EQ(server[0]->loss->early_mask, 0);
    CHECK_EQ(l.side[1].engine->held, charged);
    server[0]->rx_limit = granted;
    CHECK(loop_repeat(&l, 0, 0));
    CHECK_EQ(n_read, SHORT + FULL);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(n_read, SHORT + 2 * FULL);
    CHECK(is_right);
    loop_fini(&l);
}

/* An answer to a transmission before the timeout says nothing of the round trip, and does not end the backing off
 * (Karn's rule). */
static void backoff__is_not_ended_by_an_old_answer(void) {
    start((loop_config){0});
    CHECK_OK();
    tern__stream *st = open_served();
    CHECK(st != NULL);
    write_bytes(st, FULL, false);
    tern__stream_flush(st, l.now);
    while (loop_deliver(&l, 0, 0)) continue; /* its answer is on its way for long */
    tern__cslot *slot = tern__call_at(l.session, st->index);
    tern_dur rto = l.session->s.rtt.rto;
    for (int i = 0; i < 1000 && slot->backoff < 3; i++) {
        l.now += (tern_time)TERN_MS;
        loop_tick(&l);
        while (loop_drop(&l, 0, 0)) continue;
    }
    CHECK(slot->backoff >= 3);
    uint8_t backoff = slot->backoff;
    CHECK_EQ(slot->n_out, 1);
    CHECK(loop_deliver(&l, 1, 0));
    CHECK_EQ(slot->n_out, 0);
    CHECK_EQ(slot->backoff, backoff);
    CHECK_EQ(l.session->s.rtt.rto, rto);
    loop_fini(&l);
}

/* Answers in the worst order: always of the newest packet. Each says that all others in flight were overtaken, and
 * costs its sender 40 bytes. */
static void answers__newest_first_bring_few_packets_again(void) {
    static const uint8_t body[1 << 20];
    static uint8_t nth[4096];
    start((loop_config){0});
    CHECK_OK();
    tern__stream *st = open_stream();
    CHECK(st != NULL);
    tern__stream_finish(st, 0, l.now);
    loop_tick(&l);
    CHECK(loop_deliver(&l, 0, 0));
    CHECK_EQ(n_opened, 1);
    server[0]->tx_limit = UINT64_MAX;
    server[0]->buffer_bytes = sizeof body;
    CHECK_EQ(tern__stream_write(server[0], &(tern__body){.data = body, .len = sizeof body}, l.now), 0);
    tern__stream_flush(server[0], l.now);
    tern__session *s = &l.session->s;
    uint32_t n_answers = 0, n_sent = 0, front = 0, highest = 0;
    while (n_answers < 1000) {
        tern__pkt_header h;
        int64_t newest = -1;
        for (; l.side[1].first; loop_drop(&l, 1, 0)) {
            if (!loop_peek(&l, 1, 0, &h) || h.type != TERN__PKT_RESP) continue;
            n_sent++;
            CHECK(h.pkt < TERN__COUNT(nth));
            nth[h.pkt] = h.attempt;
            if (h.pkt > highest) highest = h.pkt;
            if (h.pkt >= front && h.pkt > newest) newest = h.pkt;
        }
        bool has_news = newest >= 0;
        if (!has_news) front = highest + 1; /* the window is used up: say that all of it has come */
        tern__pkt_header ack = {.type = TERN__PKT_RFR,
                                .flags = TERN__PKT_STREAM | TERN__PKT_GRANT | s->tx_flags,
                                .session = s->peer_number,
                                .tag = s->tx_tag,
                                .req = st->req,
                                .pkt = has_news ? (uint32_t)newest : TERN__STREAM_NO_PKT,
                                .attempt = has_news ? nth[newest] : 0,
                                .received = has_news ? 0 : front,
                                .grant = UINT64_MAX / 2};
        uint8_t bytes[TERN__PKT_MAX_HEADER_BYTES];
        tern__pkt_write(&ack, bytes);
        loop_inject(&l, 1, bytes, tern__pkt_header_bytes(&ack));
        n_answers++;
        l.now += 1000;
    }
    CHECK(n_sent > sizeof body / FULL);
    CHECK(n_sent <= (2 + TERN__REORDER) * n_answers); /* one that is new, and later once more; and three again */
    loop_fini(&l);
}

/* The numbers of a window are 32 bits of packets, and start anew before they end. */
static void numbers__of_a_window_begin_anew(void) {
    enum { AT = 1 << 30, N = 300 };
    start((loop_config){0});
    CHECK_OK();
    tern__stream *st = open_served();
    CHECK(st != NULL);
    tern__win *win = &st->loss->win;
    CHECK(win->base == win->next && st->loss->origin == 0);
    win->base = win->next = win->base + AT - 64; /* as if so many had gone before */
    st->loss->origin = (uint32_t) - (AT - 64);
    for (int i = 0; i < N; i++) {
        write_bytes(st, SHORT, false);
        tern__stream_flush(st, l.now);
        loop_run(&l, l.now + 100 * (tern_time)TERN_US, 10);
    }
    loop_run(&l, l.now + 2 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(n_read, (N + 1) * SHORT);
    CHECK(is_right);
    CHECK(win->base == win->next && win->next < AT);
    loop_fini(&l);
}

TAP_MAIN(TEST(last__is_not_the_packet_that_was_cut_short), TEST(sealed__packets_of_many_pieces),
         TEST(turns__are_taken_by_streams_of_a_session), TEST(writer__hears_of_room_that_a_cancelled_call_makes),
         TEST(end__of_a_stream_is_told_although_the_next_one_was_never_sent),
         TEST(early__packets_beyond_the_grant_are_not_kept), TEST(backoff__is_not_ended_by_an_old_answer),
         TEST(answers__newest_first_bring_few_packets_again), TEST(numbers__of_a_window_begin_anew))

/* What peers make a server hold: it counts at three levels, who holds the most gives first, and what is not gone on
 * with is forgotten. */
#include "engine/account.h"
#include "engine/engine_record.h"
#include "engine/peers.h"
#include "engine/progress.h"
#include "engine/stream.h"
#include "engine/stream_wait.h"
#include "stranger.h"

enum { P = STRANGER_PAYLOAD, KB = 1 << 10, MB = 1 << 20, LARGE = 60 * MB };

static loop l;
static bool reliable;

#define FOR_BOTH_LINKS for (int kind_ = 0; kind_ < 2 && (reliable = kind_ != 0, true); kind_++)

static tern__engine *server(void) { return l.side[1].engine; }

static void start(tern__engine_config engine) {
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = engine});
    loop_connect(&l);
}

static const tern__peer *peer_of(const stranger *s) { return tern__peer_find(server(), &l.side[1].link, &s->route); }

/* The first n packets of a request. Returns the status of the answer: OK for a credit return. */
static int put(const stranger *s, uint32_t req, uint32_t n, uint32_t size) {
    tern__pkt_header h = {.status = 0};
    for (uint32_t i = 0; i < n; i++) {
        if (!stranger_put(s, req, i, size, &h)) return -1;
        if (h.type == TERN__PKT_RESP) return h.status;
    }
    return h.type == TERN__PKT_CR ? TERN_STATUS_OK : -1;
}

static uint32_t packets(uint32_t bytes) { return (bytes + P - 1) / P; }

/* ---- What counts ---------------------------------------------------------------------------------- */

static void held__counts_for_route_network_and_endpoint(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5), b = stranger_connect(&l, 2, 5), c = stranger_connect(&l, 3, 6);
        CHECK(a.number && b.number && c.number);
        CHECK_EQ(server()->held, 0);
        CHECK_EQ(put(&a, 8, 1, LARGE), TERN_STATUS_OK);
        uint64_t one = server()->held;
        CHECK(one >= P && one <= 64 * KB);
        CHECK_EQ(put(&b, 8, 1, LARGE), TERN_STATUS_OK);
        CHECK_EQ(put(&c, 8, 1, LARGE), TERN_STATUS_OK);
        CHECK_EQ(peer_of(&a)->account.held, one);
        CHECK_EQ(peer_of(&a)->network->account.held, 2 * one);
        CHECK_EQ(peer_of(&c)->network->account.held, one);
        CHECK_EQ(server()->held, 3 * one);
        CHECK_EQ(server()->n_holders, 2);
        stranger_send(&b, (tern__pkt_header){.type = TERN__PKT_CANCEL, .req = 8}, 0, NULL);
        CHECK_EQ(peer_of(&a)->network->account.held, one);
        stranger_send(&c, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK(!peer_of(&c));
        CHECK_EQ(server()->held, one);
        CHECK_EQ(server()->n_holders, 1);
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        CHECK_EQ(server()->weights_used, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static tern__legacy *gone_to;

static void hand_over_first(loop *at) { *gone_to = tern__request_hand_over(at->request[0].request); }

/* A request of one packet lies in a receive buffer, which stays while its handler runs: all of it counts. */
static void held__counts_what_waits_for_its_handler(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5);
        CHECK(stranger_put(&a, 8, 0, 100, NULL) || reliable);
        CHECK_EQ(server()->held, 0);
        l.defer = true;
        stranger_put(&a, 9, 0, 100, NULL);
        uint64_t small = reliable ? 128 : 256; /* the packet has 24 or 32 bytes more */
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(server()->held, small);
        tern__pkt_header behind = {.type = TERN__PKT_REQ, .req = 10, .size = 600, .method = 7};
        tern__pkt_set_meta(&behind, 16);
        stranger_send(&a, behind, 600, NULL);
        CHECK_EQ(l.n_served, 2);
        CHECK_EQ(server()->held, small + KB);
        CHECK_EQ(peer_of(&a)->account.held, small + KB);
        CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_ABORTED, NULL, l.now), 0);
        CHECK_EQ(server()->held, KB);
        l.request[0].answered = true;
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(l.n_gone, 1);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Of a call that has ended before its handler, its user gives what it has back. */
static void held__outlives_the_session(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        static tern__legacy legacy;
        l.defer = true;
        l.on_gone = hand_over_first;
        gone_to = &legacy;
        stranger a = stranger_connect(&l, 1, 5);
        stranger_put(&a, 8, 0, 100, NULL);
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(l.n_gone, 1);
        CHECK_EQ(legacy.debit.bytes, reliable ? 128 : 256);
        CHECK_EQ(server()->held, legacy.debit.bytes);
        CHECK(peer_of(&a) && peer_of(&a)->account.n_sessions == 0);
        tern__engine_settle(server(), legacy);
        CHECK_EQ(server()->held, 0);
        CHECK(!peer_of(&a));
        loop_fini(&l);
        CHECK_OK();
    }
}

static void on_open(void *user, tern__stream *stream, uint32_t method) { (void)user, (void)stream, (void)method; }
static void on_data(void *user, tern__stream *stream, const void *data, uint32_t len) {
    (void)user, (void)stream, (void)data, (void)len;
}
static void on_ready(void *user, tern__stream *stream) { (void)user, (void)stream; }
static unsigned n_stream_ends;
static int stream_status;
static void on_end(void *user, tern__stream *stream, int status) {
    (void)user, (void)stream;
    n_stream_ends++;
    stream_status = status;
}

/* What a stream keeps counts in whole buffers: a metadata block that is not all here, and packets before their turn. */
static void held__counts_the_buffers_of_streams(void) {
    static const tern__stream_callbacks callbacks = {
        .on_open = on_open, .on_data = on_data, .on_finished = on_ready, .on_writable = on_ready, .on_end = on_end};
    FOR_BOTH_LINKS {
        start((tern__engine_config){.streams = &callbacks});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5);
        tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM, .req = 32, .method = 7};
        stranger_send(&a, h, 8, NULL);
        uint64_t stream = server()->held;
        CHECK(stream > 0);
        for (h.pkt = 2; h.pkt < 10 && !reliable; h.pkt++) {
            stranger_send(&a, h, 1, NULL);
            CHECK_EQ(server()->held, stream + KB + (h.pkt - 1) * 64);
        }
        uint64_t before = server()->held;
        tern__pkt_header other = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM, .req = 33, .method = 7};
        other.flags |= TERN__PKT_META;
        other.meta_bytes = 800;
        stranger_send(&a, other, 80, NULL);
        CHECK_EQ(server()->held, before + stream + KB / 4);
        h.pkt = 1;
        if (!reliable) stranger_send(&a, h, 1, NULL);
        CHECK_EQ(server()->held, 2 * stream + KB / 4 + (reliable ? 0 : KB)); /* the list of early ones stays */
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static struct {
    int last_err;
    unsigned n_opened, n_written, n_writable;
} poured;

/* As much as is taken. */
static void pour(void *user, tern__stream *stream) {
    static const uint8_t bytes[4 * KB];
    (void)user;
    while (!(poured.last_err = tern__stream_write_copy(stream, tern_bytes_of(bytes, sizeof bytes), l.now)))
        poured.n_written++;
}
static void on_open_pour(void *user, tern__stream *stream, uint32_t method) {
    (void)method;
    poured.n_opened++;
    pour(user, stream);
}
static void on_writable_pour(void *user, tern__stream *stream) { poured.n_writable++, pour(user, stream); }

/* What a handler writes and its client does not grant is the client's: beyond its share the handler is told to wait,
 * and, over a link that acknowledges by itself, goes on with what is granted. */
static void held__counts_what_streams_have_to_send(void) {
    static const tern__stream_callbacks callbacks = {.on_open = on_open_pour,
                                                     .on_data = on_data,
                                                     .on_finished = on_ready,
                                                     .on_writable = on_writable_pour,
                                                     .on_end = on_end};
    enum { LIMIT = 100 * KB };
    FOR_BOTH_LINKS {
        memset(&poured, 0, sizeof poured);
        start((tern__engine_config){.streams = &callbacks, .max_rx_bytes = LIMIT, .max_message_bytes = 10 * KB});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5);
        tern__pkt_header h = {
            .type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .req = 32, .method = 7};
        h.grant = 1;
        stranger_send(&a, h, 8, NULL);
        CHECK_EQ(poured.last_err, TERN_ERR_FULL);
        /* On a reliable link what the first window grants has left. */
        unsigned n_waiting = poured.n_written - (reliable ? TERN__STREAM_MIN_WINDOW / (4 * KB) : 0);
        CHECK(n_waiting >= 10 && n_waiting <= LIMIT / (4 * KB));
        CHECK(server()->held >= n_waiting * 4u * KB && server()->held <= LIMIT);
        unsigned before = poured.n_written;
        h.req = 33;
        stranger_send(&a, h, 8, NULL);
        CHECK(poured.n_written == before); /* there is not even room for the stream */
        before = poured.n_written;
        h = (tern__pkt_header){.type = TERN__PKT_RFR, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .req = 32};
        h.grant = 90 * KB;
        h.received = h.pkt = 0;
        stranger_send(&a, h, 0, NULL);
        CHECK(!reliable || (poured.n_writable > 0 && poured.n_written > before));
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static int wrote_much;
static void on_open_write_much(void *user, tern__stream *stream, uint32_t method) {
    static const uint8_t bytes[200 * KB];
    (void)user, (void)method;
    wrote_much = tern__stream_write_copy(stream, tern_bytes_of(bytes, sizeof bytes), l.now);
}

/* Nothing waits whose leaving would make room: whoever writes more than may ever be held is not told to wait. */
static void held__stream_value_beyond_the_bound(void) {
    static const tern__stream_callbacks callbacks = {.on_open = on_open_write_much,
                                                     .on_data = on_data,
                                                     .on_finished = on_ready,
                                                     .on_writable = on_ready,
                                                     .on_end = on_end};
    FOR_BOTH_LINKS {
        start((tern__engine_config){.streams = &callbacks, .max_rx_bytes = 100 * KB, .max_message_bytes = 10 * KB});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5);
        tern__pkt_header h = {
            .type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .req = 32, .method = 7};
        h.grant = 1;
        wrote_much = 0;
        stranger_send(&a, h, 8, NULL);
        CHECK_EQ(wrote_much, TERN_ERR_NOMEM);
        CHECK(server()->held < 10 * KB);
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* What is made of a request counts as well, until its handler has answered. */
static void held__what_is_decoded(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){.max_rx_bytes = 1 * MB, .max_message_bytes = 100 * KB});
        CHECK_OK();
        l.defer = true;
        stranger a = stranger_connect(&l, 1, 5);
        stranger_put(&a, 8, 0, 100, NULL);
        stranger_put(&a, 9, 0, 100, NULL);
        CHECK_EQ(l.n_served, 2);
        uint64_t before = server()->held;
        CHECK(tern__request_hold(l.request[0].request, NULL, 600 * KB));
        CHECK(server()->held >= before + 600 * KB);
        CHECK(!tern__request_hold(l.request[1].request, NULL, 600 * KB));
        for (int i = 0; i < 2; i++) {
            CHECK_EQ(tern__engine_respond(l.request[i].request, TERN_STATUS_ABORTED, NULL, l.now), 0);
            l.request[i].answered = true;
        }
        CHECK(server()->held <= before);
        stranger_put(&a, 16, 0, 100, NULL);
        CHECK(tern__request_hold(l.request[2].request, NULL, 600 * KB));
        CHECK_EQ(tern__engine_respond(l.request[2].request, TERN_STATUS_ABORTED, NULL, l.now), 0);
        l.request[2].answered = true;
        stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Who is alone may have the endpoint hold all that it may. */
static void held__by_one_alone_up_to_the_bound(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){.max_rx_bytes = 4 * MB, .max_message_bytes = 4 * MB});
        CHECK_OK();
        l.defer = true;
        stranger a = stranger_connect(&l, 1, 5);
        CHECK_EQ(put(&a, 8, packets(4 * MB) - 1, 4 * MB), TERN_STATUS_OK);
        CHECK(server()->held >= 4 * MB - P && server()->held <= 4 * MB);
        CHECK_EQ(put(&a, 9, 1, LARGE / 64), TERN_STATUS_RESOURCE_EXHAUSTED);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- Who gives ------------------------------------------------------------------------------------ */

/* One that holds nearly all gives to one that comes, be it a neighbour or not: what has come the slowest first. */
static void reclaim__from_who_holds_the_most(void) {
    for (int neighbours = 0; neighbours < 2; neighbours++) FOR_BOTH_LINKS {
            start((tern__engine_config){.max_rx_bytes = 8 * MB, .max_message_bytes = 8 * MB});
            CHECK_OK();
            l.defer = true;
            stranger hog = stranger_connect(&l, 1, 5), late = stranger_connect(&l, 2, neighbours ? 5 : 6);
            CHECK_EQ(put(&hog, 8, packets(3 * MB), 4 * MB), TERN_STATUS_OK);
            CHECK_EQ(put(&hog, 9, packets(1 * MB), 4 * MB), TERN_STATUS_OK);
            CHECK_EQ(server()->stats.evicted_requests, 0);
            CHECK_EQ(put(&late, 8, packets(3 * MB) - 1, 3 * MB), TERN_STATUS_OK);
            CHECK_EQ(server()->stats.evicted_requests, 1);
            CHECK(peer_of(&hog)->account.held >= 3 * MB); /* the larger one, which came faster, is still there */
            tern__pkt_header h;
            CHECK(stranger_put(&hog, 9, packets(1 * MB), 4 * MB, &h) || reliable);
            if (!reliable) CHECK_EQ(h.status, TERN_STATUS_RESOURCE_EXHAUSTED);
            loop_fini(&l);
            CHECK_OK();
        }
}

/* The heaviest has nothing to give, since its handler runs: the next one gives. */
static void reclaim__past_who_has_nothing_to_give(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){.max_rx_bytes = 10 * MB, .max_message_bytes = 8 * MB});
        CHECK_OK();
        l.defer = true;
        stranger busy = stranger_connect(&l, 1, 5), hog = stranger_connect(&l, 2, 6), late = stranger_connect(&l, 3, 7);
        CHECK_EQ(put(&busy, 8, packets(5 * MB) - 1, 5 * MB), TERN_STATUS_OK);
        stranger_put(&busy, 8, packets(5 * MB) - 1, 5 * MB, NULL);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(put(&hog, 8, packets(3 * MB), 4 * MB), TERN_STATUS_OK);
        CHECK(peer_of(&busy)->account.held > peer_of(&hog)->account.held);
        CHECK_EQ(put(&late, 8, packets(2 * MB) - 1, 2 * MB), TERN_STATUS_OK);
        CHECK_EQ(server()->stats.evicted_requests, 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A stream that pours, to a client that grants nothing. */
static void open_ungranted(const stranger *s, uint32_t req) {
    tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .req = req, .method = 7};
    h.grant = 1;
    stranger_send(s, h, 8, NULL);
}
static const tern__stream_callbacks pouring = {
    .on_open = on_open_pour, .on_data = on_data, .on_finished = on_ready, .on_writable = on_ready, .on_end = on_end};

/* The heaviest holds nothing but what streams have to send, for which their clients have granted no room: that goes. */
static void reclaim__from_streams_that_are_not_read(void) {
    FOR_BOTH_LINKS {
        memset(&poured, 0, sizeof poured);
        start((tern__engine_config){.streams = &pouring, .max_rx_bytes = 2 * MB, .max_message_bytes = 1 * MB});
        CHECK_OK();
        stranger hog = stranger_connect(&l, 1, 5), late = stranger_connect(&l, 2, 6);
        for (uint32_t i = 0; i < 24; i++) open_ungranted(&hog, 32 + i);
        n_stream_ends = 0;
        CHECK(peer_of(&hog)->account.held > 1 * MB);
        l.now += TERN_SEC + TERN_MS;
        l.defer = true;
        CHECK_EQ(put(&late, 16, packets(900 * KB) - 1, 900 * KB), TERN_STATUS_OK);
        CHECK(n_stream_ends > 0 && n_stream_ends < poured.n_opened);
        CHECK_EQ(stream_status, TERN_STATUS_RESOURCE_EXHAUSTED);
        CHECK(server()->stats.evicted_requests >= n_stream_ends);
        stranger_send(&hog, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(n_stream_ends, poured.n_opened); /* each was told once */
        stranger_send(&late, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The same where more streams than one look sees have not waited for long. */
static void reclaim__from_streams_among_many_that_are_read(void) {
    enum { N_SEEN = 16 };
    FOR_BOTH_LINKS {
        memset(&poured, 0, sizeof poured);
        start((tern__engine_config){.streams = &pouring, .max_rx_bytes = 10 * MB, .max_message_bytes = 9 * MB});
        CHECK_OK();
        stranger hog = stranger_connect(&l, 1, 5), late = stranger_connect(&l, 2, 6);
        for (uint32_t i = 0; i < N_SEEN; i++) open_ungranted(&hog, 32 + i);
        l.now += TERN_SEC + TERN_MS;
        for (uint32_t i = 0; i < N_SEEN; i++) open_ungranted(&hog, 32 + N_SEEN + i);
        n_stream_ends = 0;
        CHECK_EQ(poured.n_opened, 2 * N_SEEN);
        l.defer = true;
        put(&late, 16, packets(9 * MB) - 1, 9 * MB);
        CHECK(n_stream_ends > 0 && n_stream_ends <= N_SEEN);
        stranger_send(&hog, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        stranger_send(&late, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A byte that is granted now and then is no progress. */
static void reclaim__from_streams_that_are_granted_next_to_nothing(void) {
    FOR_BOTH_LINKS {
        memset(&poured, 0, sizeof poured);
        start((tern__engine_config){.streams = &pouring, .max_rx_bytes = 2 * MB, .max_message_bytes = 1 * MB});
        CHECK_OK();
        stranger hog = stranger_connect(&l, 1, 5), late = stranger_connect(&l, 2, 6);
        for (uint32_t i = 0; i < 8; i++) open_ungranted(&hog, 32 + i);
        n_stream_ends = 0;
        for (uint32_t k = 1; k <= 8; k++) {
            l.now += TERN_SEC / 4;
            for (uint32_t i = 0; i < 8; i++) {
                tern__pkt_header h = {.type = TERN__PKT_RFR, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT};
                h.req = 32 + i;
                h.pkt = UINT32_MAX;
                h.grant = TERN__STREAM_MIN_WINDOW + k;
                stranger_send(&hog, h, 0, NULL);
            }
        }
        l.defer = true;
        CHECK_EQ(put(&late, 16, packets(900 * KB) - 1, 900 * KB), TERN_STATUS_OK);
        CHECK(n_stream_ends > 0);
        stranger_send(&hog, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        stranger_send(&late, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Many that hold a little each, in as many networks or in one, leave room for one more that needs little. */
static void reclaim__leaves_room_among_many(void) {
    enum { MANY = 60 };
    for (int networks = 1; networks <= MANY; networks += MANY - 1) FOR_BOTH_LINKS {
            start((tern__engine_config){.max_rx_bytes = 16 * MB, .max_message_bytes = 16 * MB});
            CHECK_OK();
            l.defer = true;
            unsigned n_refused = 0;
            for (uint32_t i = 0; i < MANY; i++) {
                stranger a = stranger_connect(&l, 10 + i, (uint8_t)(10 + i % (uint32_t)networks));
                n_refused += put(&a, 8, packets(512 * KB), MB) != TERN_STATUS_OK;
            }
            CHECK(n_refused || server()->stats.evicted_requests);
            stranger late = stranger_connect(&l, 2, 6);
            CHECK_EQ(put(&late, 8, packets(200 * KB) - 1, 200 * KB), TERN_STATUS_OK);
            CHECK(server()->held <= 16 * MB);
            loop_fini(&l);
            CHECK_OK();
        }
}

/* ---- Sessions ------------------------------------------------------------------------------------- */

static uint32_t open_many(uint32_t first, uint32_t n, uint8_t network) {
    uint32_t n_open = 0;
    while (n_open < n && stranger_connect(&l, first + n_open / 400, network).number) n_open++;
    return n_open;
}

static void sessions__of_one_leave_places_for_others(void) {
    enum { MOST = 3000 };
    FOR_BOTH_LINKS {
        start((tern__engine_config){.max_sessions = MOST});
        CHECK_OK();
        for (uint32_t i = 1; i <= 4; i++) {
            uint32_t idle = MOST - server()->n_live, n = open_many(100 * i, MOST, (uint8_t)i);
            CHECK(n >= idle * 2 / 3 && n <= idle * 2 / 3 + TERN__FLOOR_SESSIONS + 2);
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- What is not gone on with --------------------------------------------------------------------- */

static void wait_until(tern_time at) {
    for (l.now += 100 * TERN_MS; l.now <= at; l.now += 100 * TERN_MS) {
        loop_tick(&l);
        while (loop_drop(&l, 1, 0)) continue;
    }
    l.now = at;
    loop_tick(&l);
}

static void pong(const stranger *s) { stranger_send(s, (tern__pkt_header){.type = TERN__PKT_PONG}, 0, NULL); }

/* A half-received request whose client says no more than that it lives. */
static void progress__request_that_stands_still(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        stranger a = stranger_connect(&l, 1, 5);
        tern_time begun = l.now;
        CHECK_EQ(put(&a, 8, 2, LARGE), TERN_STATUS_OK);
        for (tern_time at = begun; at < begun + 3 * TERN_SEC; at += TERN_SEC / 4) {
            wait_until(at);
            pong(&a);
        }
        tern__pkt_header h;
        CHECK(stranger_put(&a, 8, 2, LARGE, &h));
        tern_time moved = l.now;
        for (tern_time at = moved; at < moved + TERN__STILL; at += TERN_SEC / 4) {
            wait_until(at);
            pong(&a);
            CHECK(server()->held > 0);
        }
        wait_until(moved + TERN__STILL + TERN_MS);
        CHECK_EQ(server()->held, 0);
        CHECK_EQ(server()->stats.evicted_requests, 1);
        CHECK_EQ(l.n_served, 0);
        pong(&a); /* the session itself lives */
        CHECK(peer_of(&a) && peer_of(&a)->account.n_sessions == 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Its first packet to arrive is too far ahead to be kept: nothing has come of it yet, and its time begins now. */
static void progress__begins_with_a_packet_far_ahead(void) {
    reliable = false; /* on the other, packets come in order */
    start((tern__engine_config){0});
    CHECK_OK();
    stranger a = stranger_connect(&l, 1, 5);
    tern_time quiet = l.now;
    for (tern_time at = quiet; at < quiet + 2 * TERN__STILL; at += TERN_SEC / 4) {
        wait_until(at);
        pong(&a);
    }
    tern_time begun = l.now;
    stranger_put(&a, 8, 40, LARGE, NULL);
    for (tern_time at = begun; at < begun + TERN__STILL; at += TERN_SEC / 4) {
        wait_until(at);
        pong(&a);
        CHECK_EQ(server()->stats.evicted_requests, 0);
    }
    wait_until(begun + TERN__STILL + TERN_MS);
    CHECK_EQ(server()->stats.evicted_requests, 1);
    loop_fini(&l);
}

/* While a handler runs, the client may have no credit for the rest of another request. */
static void progress__waits_for_handlers(void) {
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        l.defer = true;
        stranger a = stranger_connect(&l, 1, 5);
        tern_time begun = l.now;
        stranger_put(&a, 8, 0, 100, NULL);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(put(&a, 9, 2, LARGE), TERN_STATUS_OK);
        for (tern_time at = begun; at < begun + 3 * TERN__STILL; at += TERN_SEC / 4) {
            wait_until(at);
            pong(&a);
        }
        CHECK_EQ(server()->stats.evicted_requests, 0);
        CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_ABORTED, NULL, l.now), 0);
        l.request[0].answered = true;
        for (tern_time at = l.now, end = at + 2 * TERN__STILL; at < end; at += TERN_SEC / 4) {
            wait_until(at);
            pong(&a);
        }
        CHECK_EQ(server()->stats.evicted_requests, 1);
        CHECK_EQ(server()->held, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A client that lives and grants nothing, or that does not open what it has begun. An idle stream of the same session
 * changes neither, nor what becomes of a half-received request. */
static void progress__streams(void) {
    for (int unopened = 0; unopened < 2; unopened++) FOR_BOTH_LINKS {
            if (unopened == reliable) continue; /* there packets come in order; here nothing is acknowledged, either */
            memset(&poured, 0, sizeof poured);
            start((tern__engine_config){.streams = &pouring});
            CHECK_OK();
            stranger a = stranger_connect(&l, 1, 5);
            tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM, .req = 32, .pkt = 1, .method = 7};
            n_stream_ends = 0;
            if (unopened)
                stranger_send(&a, h, 8, NULL);
            else
                open_ungranted(&a, 32);
            CHECK_EQ(put(&a, 8, 2, LARGE), TERN_STATUS_OK);
            tern_time begun = l.now, patience = unopened ? TERN__STILL : TERN__UNGRANTED;
            for (tern_time at = begun; at < begun + patience; at += TERN_SEC / 4) {
                wait_until(at);
                pong(&a);
                CHECK_EQ(server()->stats.evicted_requests, at >= begun + TERN__STILL);
            }
            wait_until(begun + patience + (unopened ? TERN_MS : TERN__STILL)); /* as it looks now and then */
            CHECK_EQ(server()->stats.evicted_requests, 2);
            CHECK_EQ(n_stream_ends, !unopened);
            CHECK(unopened || stream_status == TERN_STATUS_RESOURCE_EXHAUSTED);
            CHECK_EQ(server()->held, 0);
            loop_fini(&l);
            CHECK_OK();
        }
}

/* A response that is not fetched is given up; its handler does not run again. */
static void progress__response_that_is_not_fetched(void) {
    static uint8_t bytes[100 * KB];
    static const tern__body body = {.data = bytes, .len = sizeof bytes};
    FOR_BOTH_LINKS {
        start((tern__engine_config){0});
        CHECK_OK();
        l.reply = &body;
        stranger a = stranger_connect(&l, 1, 5);
        tern_time begun = l.now;
        tern__pkt_header h = {0};
        CHECK(stranger_put(&a, 8, 0, 100, &h));
        CHECK_EQ(h.type, TERN__PKT_RESP);
        CHECK(server()->held >= sizeof bytes);
        for (tern_time at = begun; at < begun + TERN__UNFETCHED; at += TERN_SEC / 4) {
            wait_until(at);
            pong(&a);
            CHECK(server()->held >= sizeof bytes);
            tern__pkt_header again = {.type = TERN__PKT_RFR, .req = 8, .pkt = 1}; /* the same, again and again */
            if (!reliable) stranger_send(&a, again, 0, NULL);
            if (at == begun) begun = l.now;
        }
        wait_until(begun + TERN__UNFETCHED + TERN_MS);
        CHECK_EQ(server()->held, 0);
        CHECK_EQ(server()->stats.evicted, 1);
        uint64_t n_served = server()->stats.calls_served;
        CHECK(stranger_put(&a, 8, 0, 100, &h) || reliable);
        if (!reliable) CHECK_EQ(h.status, TERN_STATUS_DATA_LOSS);
        CHECK_EQ(server()->stats.calls_served, n_served);
        loop_fini(&l);
        CHECK_OK();
    }
}

static tern__stream *opened[2];
static unsigned n_opened;
static void on_open_keep(void *user, tern__stream *stream, uint32_t method) {
    (void)user, (void)method;
    opened[n_opened++ % 2] = stream;
}
static void on_end_tell_other(void *user, tern__stream *stream, int status) {
    static const uint8_t bytes[300 * KB];
    (void)user, (void)status;
    tern__stream *other = opened[stream == opened[0]];
    if (n_stream_ends++) return;
    while (!tern__stream_write_copy(other, tern_bytes_of(bytes, sizeof bytes), l.now)) continue;
}

/* Whoever hears that a client's stream has ended may write to another one, also if that is the same client's, as much
 * as it may. */
static void loss__streams_tell_each_other(void) {
    static const tern__stream_callbacks callbacks = {.on_open = on_open_keep,
                                                     .on_data = on_data,
                                                     .on_finished = on_ready,
                                                     .on_writable = on_ready,
                                                     .on_end = on_end_tell_other};
    for (int full = 0; full < 2; full++) FOR_BOTH_LINKS {
            start((tern__engine_config){.streams = &callbacks});
            CHECK_OK();
            n_stream_ends = n_opened = 0;
            stranger a = stranger_connect(&l, 1, 5);
            open_ungranted(&a, 32);
            open_ungranted(&a, 33);
            CHECK_EQ(n_opened, 2);
            if (full) l.side[1].capacity = 0;
            stranger_send(&a, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0, NULL);
            CHECK_EQ(n_stream_ends, 2);
            CHECK_EQ(server()->held, 0);
            l.side[1].capacity = 1000;
            wait_until(l.now + 40 * TERN_SEC);
            loop_fini(&l);
            CHECK_OK();
        }
}

/* A session on which nothing has come is gone after some seconds, unless its client answers. */
static void progress__session_that_is_not_used(void) {
    for (int answers = 0; answers < 2; answers++) FOR_BOTH_LINKS {
            start((tern__engine_config){0});
            CHECK_OK();
            stranger a = stranger_connect(&l, 1, 5);
            tern_time begun = l.now;
            wait_until(begun + TERN__UNOPENED - TERN_MS);
            CHECK(peer_of(&a));
            for (tern_time at = l.now; at < begun + 4 * TERN__UNOPENED; at += TERN_SEC / 4) {
                wait_until(at);
                if (answers) pong(&a);
            }
            CHECK_EQ(peer_of(&a) != NULL, answers);
            loop_fini(&l);
            CHECK_OK();
        }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(held__counts_for_route_network_and_endpoint),
        TEST(held__counts_what_waits_for_its_handler),
        TEST(held__outlives_the_session),
        TEST(held__counts_the_buffers_of_streams),
        TEST(held__counts_what_streams_have_to_send),
        TEST(held__stream_value_beyond_the_bound),
        TEST(held__what_is_decoded),
        TEST(held__by_one_alone_up_to_the_bound),
        TEST(reclaim__from_who_holds_the_most),
        TEST(reclaim__past_who_has_nothing_to_give),
        TEST(reclaim__from_streams_that_are_not_read),
        TEST(reclaim__from_streams_among_many_that_are_read),
        TEST(reclaim__from_streams_that_are_granted_next_to_nothing),
        TEST(reclaim__leaves_room_among_many),
        TEST(sessions__of_one_leave_places_for_others),
        TEST(progress__request_that_stands_still),
        TEST(progress__begins_with_a_packet_far_ahead),
        TEST(progress__waits_for_handlers),
        TEST(progress__streams),
        TEST(progress__response_that_is_not_fetched),
        TEST(loss__streams_tell_each_other),
        TEST(progress__session_that_is_not_used),
    };
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

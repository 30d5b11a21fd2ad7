/* Packets of the past, of the present, of the future and rolled back, in every state of a slot; and packets
 * that make no sense (after the tests of eRPC: each row says what must come of one packet). */
#include "engine/engine_record.h"
#include "loop.h"

enum { P = 1024, MULTI = 4 * P - 100 /* a message of four packets */ };

static loop l;
static uint32_t session_number[2]; /* what packets to side i must name */
static uint64_t session_tag[2];
static bool reliable;    /* the kind of link, without tags then */
static uint32_t cut = P; /* of the messages that are injected */

/* Learn from a call's packets how to speak for each side. */
static void start(void) {
    tern__pkt_header h;
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
    CHECK_OK();
    loop_request(&l, 10, 0); /* request 0: slot 0 */
    CHECK(loop_peek(&l, 0, 0, &h));
    session_number[1] = h.session;
    session_tag[1] = h.tag;
    CHECK_EQ(h.req, 0);
    loop_deliver(&l, 0, 0);
    CHECK(loop_peek(&l, 1, 0, &h));
    session_number[0] = h.session;
    session_tag[0] = h.tag;
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
}

static uint32_t size_of_pkt(uint32_t size, uint32_t pkt) {
    if (pkt >= tern__n_pkts(size, cut)) return 10;
    return tern__pkt_bytes(size, cut, pkt);
}

/* Hand side `to` a packet. REQ and RESP carry as much payload as their numbers demand. */
static void inject(int to, tern__pkt_header h) {
    uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P + 8];
    bool data = h.type == TERN__PKT_REQ || h.type == TERN__PKT_RESP;
    uint32_t len = data ? size_of_pkt((uint32_t)h.size, h.pkt) : 0;
    h.flags = reliable ? 0 : TERN__PKT_TAG;
    loop_cut(&h, cut);
    h.session = session_number[to];
    h.tag = session_tag[to];
    tern__pkt_write(&h, p);
    uint32_t at = tern__pkt_header_bytes(&h);
    for (uint32_t i = 0; i < len; i++) p[at + i] = (uint8_t)((h.pkt * cut + i) * 7 + h.size);
    loop_inject(&l, to, p, at + len);
}

/* The types of what `side` has sent, as hexadecimal digits, oldest first; forgotten thereby. */
static uint64_t sent_by(int side) {
    uint64_t types = 0;
    tern__pkt_header h;
    while (loop_peek(&l, side, 0, &h)) {
        types = types << 4 | (h.type + 1u);
        loop_drop(&l, side, 0);
    }
    return types;
}

enum { NOTHING = 0, A_CR = TERN__PKT_CR + 1, A_RESP = TERN__PKT_RESP + 1, A_RFR = TERN__PKT_RFR + 1, A_REQ = 1 };

typedef struct row {
    const char *what;
    tern__pkt_header h; /* req relative to the current request's number */
    uint64_t answer;
    unsigned n_effects; /* handlers started, or calls ended, by it */
    bool dropped;
} row;

/* ---- The server ----------------------------------------------------------------------------------- */

enum { CURRENT = 80 }; /* request number 80: slot 0 */

enum { RECEIVING, RUNNING, RESPONDED, DONE };

static void server_in(int state) {
    start();
    CHECK_OK();
    l.defer = true;
    inject(1, (tern__pkt_header){.type = TERN__PKT_REQ, .req = CURRENT, .pkt = 0, .size = MULTI, .method = 77});
    inject(1, (tern__pkt_header){.type = TERN__PKT_REQ, .req = CURRENT, .pkt = 2, .size = MULTI, .method = 77});
    CHECK_EQ(sent_by(1), A_CR << 4 | A_CR);
    if (state == RECEIVING) return;
    inject(1, (tern__pkt_header){.type = TERN__PKT_REQ, .req = CURRENT, .pkt = 1, .size = MULTI, .method = 77});
    inject(1, (tern__pkt_header){.type = TERN__PKT_REQ, .req = CURRENT, .pkt = 3, .size = MULTI, .method = 77});
    CHECK_EQ(sent_by(1), A_CR);
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(l.request[0].len, MULTI);
    CHECK(loop_is_pattern(l.request[0].data, MULTI));
    if (state == RUNNING) return;
    tern__body body = {.data = l.request[0].data, .len = l.request[0].len};
    tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now);
    tern__engine_tick(l.side[1].engine, l.now);
    CHECK_EQ(sent_by(1), A_RESP);
    if (state == RESPONDED) return;
    uint8_t p[64];
    tern__pkt_header h = {.type = TERN__PKT_PING,
                          .flags = TERN__PKT_TAG,
                          .session = session_number[1],
                          .tag = session_tag[1],
                          .size = 32};
    tern__pkt_write(&h, p);
    for (uint32_t i = 0; i < 8; i++) tern__store32(p + 32 + 4 * i, CURRENT + i);
    loop_inject(&l, 1, p, sizeof p);
    CHECK_EQ(sent_by(1), TERN__PKT_PONG + 1);
}

static void server_rows(int state, const row *rows, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        server_in(state);
        CHECK_OK();
        tern__pkt_header h = rows[i].h;
        unsigned request = l.n_served;
        uint64_t dropped = loop_stats(&l, 1).rx_dropped;
        h.req += CURRENT;
        inject(1, h);
        uint64_t answer = sent_by(1);
        bool right = answer == rows[i].answer && l.n_served - request == rows[i].n_effects &&
                     (loop_stats(&l, 1).rx_dropped != dropped) == rows[i].dropped;
        if (!right)
            printf("# state %d, %s: answer %llx, handlers %u, dropped %d\n", state, rows[i].what,
                   (unsigned long long)answer, l.n_served - request, loop_stats(&l, 1).rx_dropped != dropped);
        CHECK(right);
        loop_fini(&l);
        CHECK_OK();
    }
}

#define REQ(dreq, n, bytes, method_)                                                                                   \
    { .type = TERN__PKT_REQ, .req = (uint32_t)(dreq), .pkt = n, .size = bytes, .method = method_ }
#define RFR(dreq, n)                                                                                                   \
    { .type = TERN__PKT_RFR, .req = (uint32_t)(dreq), .pkt = n }

static void server__receiving(void) {
    static const row rows[] = {
        {"older request", REQ(-8, 0, 10, 77), NOTHING, 0, true},
        {"rolled back: a packet that was here", REQ(0, 0, MULTI, 77), A_CR, 0, true},
        {"the packet that is missing", REQ(0, 1, MULTI, 77), A_CR, 0, false},
        {"the last packet, before another", REQ(0, 3, MULTI, 77), A_CR, 0, false},
        {"a packet past the end", REQ(0, 4, MULTI, 77), NOTHING, 0, true},
        {"another size", REQ(0, 1, MULTI + 1, 77), NOTHING, 0, true},
        {"another method", REQ(0, 1, MULTI, 78), NOTHING, 0, true},
        {"newer request", REQ(8, 0, 10, 77), NOTHING, 1, false},
        {"newer request of several packets", REQ(16, 1, MULTI, 77), A_CR, 0, false},
        {"newer request, past the window", REQ(8, 64, 100 * P, 77), NOTHING, 0, true},
        {"far future", REQ(8 << 20, 0, 10, 77), NOTHING, 1, false},
        {"RFR of this request", RFR(0, 0), NOTHING, 0, true},
        {"RFR of a future one", RFR(8, 0), NOTHING, 0, true},
        {"CR to a server", {.type = TERN__PKT_CR}, NOTHING, 0, true},
        {"RESP to a server", {.type = TERN__PKT_RESP, .size = 10}, NOTHING, 0, true},
    };
    server_rows(RECEIVING, rows, TERN__COUNT(rows));
}

static void server__running(void) {
    static const row rows[] = {
        {"older request", REQ(-8, 0, 10, 77), NOTHING, 0, true},
        {"repeated first packet", REQ(0, 0, MULTI, 77), A_CR, 0, true},
        {"repeated last packet", REQ(0, 3, MULTI, 77), A_CR, 0, true},
        {"newer request: the old one becomes an orphan", REQ(8, 0, 10, 77), NOTHING, 1, false},
        {"RFR 0: still running", RFR(0, 0), A_CR, 0, false},
        {"RFR 1: too early", RFR(0, 1), NOTHING, 0, true},
        {"RFR of an older request", RFR(-8, 0), NOTHING, 0, true},
    };
    server_rows(RUNNING, rows, TERN__COUNT(rows));
}

static void server__responded(void) {
    static const row rows[] = {
        {"older request", REQ(-8, 0, 10, 77), NOTHING, 0, true},
        {"repeated last packet: the response again", REQ(0, 3, MULTI, 77), A_RESP, 0, true},
        {"RFR 0", RFR(0, 0), A_RESP, 0, false},
        {"RFR 1", RFR(0, 1), A_RESP, 0, false},
        {"RFR 3", RFR(0, 3), A_RESP, 0, false},
        {"RFR past the end", RFR(0, 4), NOTHING, 0, true},
        {"RFR of an older request", RFR(-8, 1), NOTHING, 0, true},
        {"RFR of a future request", RFR(8, 1), NOTHING, 0, true},
        {"newer request", REQ(8, 0, 10, 77), NOTHING, 1, false},
    };
    server_rows(RESPONDED, rows, TERN__COUNT(rows));
}

static void server__done(void) {
    static const row rows[] = {
        {"older request", REQ(-8, 0, 10, 77), NOTHING, 0, true},
        {"repeated packet", REQ(0, 3, MULTI, 77), NOTHING, 0, true},
        {"RFR 0", RFR(0, 0), A_RESP, 0, true}, /* with DATA_LOSS */
        {"newer request", REQ(8, 0, 10, 77), NOTHING, 1, false},
    };
    server_rows(DONE, rows, TERN__COUNT(rows));
}

/* Request numbers are compared modulo 2^32. */
static void server__numbers_wrap(void) {
    start();
    CHECK_OK();
    inject(1, (tern__pkt_header)REQ(0x7ffffff0u, 0, 10, 77));
    inject(1, (tern__pkt_header)REQ(0xffffffe8u, 0, 10, 77));
    inject(1, (tern__pkt_header)REQ(0xfffffff8u, 0, 10, 77));
    inject(1, (tern__pkt_header)REQ(0, 0, 10, 77));
    CHECK_EQ(loop_stats(&l, 1).calls_served, 1 + 4);
    inject(1, (tern__pkt_header)REQ(0xfffffff8u, 0, 10, 77));
    CHECK_EQ(loop_stats(&l, 1).calls_served, 1 + 4);
    loop_fini(&l);
}

/* A client that gives request after request up cannot make the server keep them all. */
static void server__orphans_are_bounded(void) {
    start();
    CHECK_OK();
    l.defer = true;
    for (uint32_t i = 1; i <= TERN__MAX_ORPHANS + 1; i++) inject(1, (tern__pkt_header)REQ(8 * i, 0, 10, 77));
    CHECK_EQ(l.n_served, TERN__MAX_ORPHANS + 1);
    CHECK_EQ(sent_by(1), NOTHING);
    inject(1, (tern__pkt_header)REQ(8 * 100, 0, 10, 77));
    CHECK_EQ(l.n_served, TERN__MAX_ORPHANS + 1);
    CHECK_EQ(sent_by(1), A_RESP);
    for (unsigned i = 0; i < 10; i++) CHECK_EQ(tern__engine_respond(l.request[i].request, 0, NULL, l.now), 0);
    CHECK_EQ(sent_by(1), NOTHING);
    inject(1, (tern__pkt_header)REQ(8 * 100, 0, 10, 77));
    CHECK_EQ(l.n_served, TERN__MAX_ORPHANS + 2);
    loop_kill(&l, 1);
    CHECK_EQ(l.n_gone, TERN__MAX_ORPHANS + 2 - 10);
    loop_fini(&l);
}

/* ---- The client ----------------------------------------------------------------------------------- */

enum { SINGLE, PARTLY, SENT, WAITING, ASSEMBLING };

static void client_in(int state) {
    start();
    CHECK_OK();
    loop_request(&l, state == SINGLE ? 10 : state == PARTLY ? 100 * P : MULTI, 0); /* request 8: slot 0; 32 credits */
    uint64_t n = l.side[0].n_queued;
    CHECK_EQ(n, state == SINGLE ? 1 : state == PARTLY ? 32 : 4);
    sent_by(0);
    if (state == WAITING) inject(0, (tern__pkt_header){.type = TERN__PKT_CR, .req = 8, .pkt = 3, .received = 4});
    if (state == ASSEMBLING) {
        inject(0, (tern__pkt_header){.type = TERN__PKT_RESP, .req = 8, .size = MULTI});
        CHECK_EQ(sent_by(0), A_RFR << 8 | A_RFR << 4 | A_RFR);
        inject(0, (tern__pkt_header){.type = TERN__PKT_RESP, .req = 8, .pkt = 2, .size = MULTI});
    }
}

static void client_rows(int state, const row *rows, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        client_in(state);
        CHECK_OK();
        tern__pkt_header h = rows[i].h;
        uint64_t dropped = loop_stats(&l, 0).rx_dropped;
        h.req += 8;
        inject(0, h);
        uint64_t answer = sent_by(0);
        bool right = answer == rows[i].answer && l.n_done - 1 == rows[i].n_effects &&
                     (loop_stats(&l, 0).rx_dropped != dropped) == rows[i].dropped;
        if (!right)
            printf("# state %d, %s: answer %llx, ended %u, dropped %d\n", state, rows[i].what,
                   (unsigned long long)answer, l.n_done - 1, loop_stats(&l, 0).rx_dropped != dropped);
        CHECK(right);
        loop_fini(&l);
        CHECK_OK();
    }
}

#define CR(dreq, n, below)                                                                                             \
    { .type = TERN__PKT_CR, .req = (uint32_t)(dreq), .pkt = n, .received = below }
#define RESP(dreq, n, bytes)                                                                                           \
    { .type = TERN__PKT_RESP, .req = (uint32_t)(dreq), .pkt = n, .size = bytes }

static void client__single_packet_request(void) {
    static const row rows[] = {
        {"response", RESP(0, 0, 10), NOTHING, 1, false},
        {"empty response", RESP(0, 0, 0), NOTHING, 1, false},
        {"response of the request before", RESP(-8, 0, 10), NOTHING, 0, true},
        {"response to the future", RESP(8, 0, 10), NOTHING, 0, true},
        {"response on a slot that is free", RESP(1, 0, 10), NOTHING, 0, true},
        {"response packet 1 before 0", RESP(0, 1, MULTI), NOTHING, 0, true},
        {"packet past the end of the response", RESP(0, 1, 10), NOTHING, 0, true},
        {"response of four packets", RESP(0, 0, MULTI), A_RFR << 8 | A_RFR << 4 | A_RFR, 0, false},
        {"CR: the handler runs", CR(0, 0, 1), NOTHING, 0, false},
        {"CR of a packet never sent", CR(0, 1, 1), NOTHING, 0, true},
        {"CR counting packets never sent", CR(0, 0, 2), NOTHING, 0, true},
        {"CR of the request before", CR(-8, 0, 1), NOTHING, 0, true},
        {"CR to the future", CR(8, 0, 1), NOTHING, 0, true},
        {"error", {.type = TERN__PKT_RESP, .status = 5}, NOTHING, 1, false},
        {"error with a payload", {.type = TERN__PKT_RESP, .status = 5, .size = 10}, NOTHING, 0, true},
        {"error of an unknown kind", {.type = TERN__PKT_RESP, .status = 17}, NOTHING, 0, true},
        {"unknown format", {.type = TERN__PKT_RESP, .format = 3}, NOTHING, 1, false},
        {"response larger than we accept", RESP(0, 0, (64 << 20) + 1), NOTHING, 1, false},
        {"REQ to a client", REQ(0, 0, 10, 77), NOTHING, 0, true},
        {"RFR to a client", RFR(0, 0), NOTHING, 0, true},
    };
    client_rows(SINGLE, rows, TERN__COUNT(rows));
}

static void client__request_partly_sent(void) {
    static const row rows[] = {
        {"CR in order", CR(0, 0, 1), A_REQ, 0, false},
        {"CR out of order", CR(0, 2, 0), A_REQ, 0, false},
        {"CR that overtakes three", CR(0, 5, 0), A_REQ << 12 | A_REQ << 8 | A_REQ << 4 | A_REQ, 0, false},
        {"CR that counts many", CR(0, 3, 4), A_REQ << 12 | A_REQ << 8 | A_REQ << 4 | A_REQ, 0, false},
        {"CR of a packet not sent yet", CR(0, 32, 1), NOTHING, 0, true},
        {"CR counting packets not sent yet", CR(0, 31, 33), NOTHING, 0, true},
        {"response before the request is complete", RESP(0, 0, 10), NOTHING, 0, true},
        {"error before the request is complete", {.type = TERN__PKT_RESP, .status = 8}, NOTHING, 1, false},
    };
    client_rows(PARTLY, rows, TERN__COUNT(rows));
}

static void client__request_sent(void) {
    static const row rows[] = {
        {"CR of the first", CR(0, 0, 1), NOTHING, 0, false},
        {"CR of the last, all counted", CR(0, 3, 4), NOTHING, 0, false},
        {"response though no CR came", RESP(0, 0, 10), NOTHING, 1, false},
        {"response of four packets", RESP(0, 0, MULTI), A_RFR << 8 | A_RFR << 4 | A_RFR, 0, false},
    };
    client_rows(SENT, rows, TERN__COUNT(rows));
}

static void client__waiting(void) {
    static const row rows[] = {
        {"CR again", CR(0, 3, 4), NOTHING, 0, false},
        {"CR rolled back", CR(0, 0, 1), NOTHING, 0, false},
        {"response", RESP(0, 0, 10), NOTHING, 1, false},
        {"response of the request before", RESP(-8, 0, 10), NOTHING, 0, true},
    };
    client_rows(WAITING, rows, TERN__COUNT(rows));
}

static void client__assembling(void) {
    static const row rows[] = {
        {"packet 0 again", RESP(0, 0, MULTI), NOTHING, 0, true},
        {"packet 2 again", RESP(0, 2, MULTI), NOTHING, 0, true},
        {"packet 1", RESP(0, 1, MULTI), NOTHING, 0, false},
        {"packet 3, the last", RESP(0, 3, MULTI), NOTHING, 0, false},
        {"packet past the end", RESP(0, 4, MULTI), NOTHING, 0, true},
        {"packet 1 of another size", RESP(0, 1, MULTI + 1), NOTHING, 0, true},
        {"packet 1 of the request before", RESP(-8, 1, MULTI), NOTHING, 0, true},
        {"CR of the request", CR(0, 0, 1), NOTHING, 0, false},
    };
    client_rows(ASSEMBLING, rows, TERN__COUNT(rows));
}

/* ---- Cuts ----------------------------------------------------------------------------------------- */

/* A message comes in packets of the length that its sender likes, and this end makes no other. */
static void call_cut_otherwise(uint32_t bytes) {
    uint32_t n_pkts = tern__n_pkts(MULTI, bytes);
    start();
    CHECK_OK();
    l.defer = true;
    cut = bytes;
    for (uint32_t k = 0; k < n_pkts; k++) {
        inject(1, (tern__pkt_header){.type = TERN__PKT_REQ, .req = CURRENT, .pkt = k, .size = MULTI, .method = 77});
        sent_by(1);
    }
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(l.request[0].len, MULTI);
    CHECK(loop_is_pattern(l.request[0].data, MULTI));
    loop_request(&l, 10, 0);
    sent_by(0);
    for (uint32_t k = 0; k < n_pkts; k++) {
        inject(0, (tern__pkt_header){.type = TERN__PKT_RESP, .req = 8, .pkt = k, .size = MULTI});
        sent_by(0);
    }
    CHECK_EQ(l.n_done, 2);
    CHECK_EQ(l.calls[1].status, TERN_STATUS_OK);
    CHECK_EQ(l.calls[1].len, MULTI);
    CHECK(loop_is_pattern(l.calls[1].data, MULTI));
    CHECK_EQ(loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped, 0);
    loop_fini(&l);
    cut = P;
}

static void message__is_taken_however_it_is_cut(void) {
    static const uint32_t cuts[] = {P, P - 1, 100, P + 8 /* there is no metadata */};
    for (unsigned i = 0; i < 2 * TERN__COUNT(cuts) && !tap_failed; i++) {
        reliable = i % 2;
        call_cut_otherwise(cuts[i / 2]);
    }
    reliable = false;
}

/* ---- No sense ------------------------------------------------------------------------------------- */

/* Every truncation of good packets, and every byte of their headers set to every value. */
static void malformed(void) {
    static const tern__pkt_header good[] = {REQ(8, 0, 100, 77), REQ(8, 1, MULTI, 77), RFR(8, 0),
                                            CR(8, 0, 1),        RESP(8, 0, 100),      {.type = TERN__PKT_PING}};
    start();
    CHECK_OK();
    for (unsigned i = 0; i < TERN__COUNT(good); i++) {
        for (int to = 0; to < 2; to++) {
            uint8_t p[TERN__PKT_MAX_HEADER_BYTES + P] = {0}, q[sizeof p];
            tern__pkt_header h = good[i];
            h.flags = reliable ? 0 : TERN__PKT_TAG;
            loop_cut(&h, cut);
            h.session = session_number[to];
            h.tag = session_tag[to];
            tern__pkt_write(&h, p);
            uint32_t header_bytes = tern__pkt_header_bytes(&h);
            uint32_t len = header_bytes + (h.size ? size_of_pkt((uint32_t)h.size, h.pkt) : 0);
            for (uint32_t n = 0; n < len; n++) loop_inject(&l, to, p, n);
            for (uint32_t at = 0; at < header_bytes; at++) {
                for (uint32_t val = 0; val < 256; val++) {
                    memcpy(q, p, sizeof q);
                    q[at] = (uint8_t)val;
                    loop_inject(&l, to, q, len);
                }
            }
            while (loop_drop(&l, 0, 0) || loop_drop(&l, 1, 0)) continue;
            loop_tick(&l);
        }
    }
    CHECK_EQ(l.n_done, 1);
    loop_fini(&l);
}

static void malformed__headers(void) { malformed(); }

static void malformed__headers_on_a_reliable_link(void) {
    reliable = true;
    malformed();
    reliable = false;
}

/* A peer that breaks the promises of a reliable link harms nobody but itself. */
static void reliable_server(void) {
    start();
    CHECK_OK();
    l.defer = true;
    inject(1, (tern__pkt_header)REQ(8, 1, MULTI, 77)); /* cannot be the first */
    CHECK_EQ(sent_by(1), NOTHING);
    inject(1, (tern__pkt_header)REQ(8, 0, 10, 77));
    inject(1, (tern__pkt_header)REQ(8, 0, 10, 77)); /* twice */
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(sent_by(1), NOTHING);
    uint8_t big[MULTI] = {0};
    tern__body body = {.data = big, .len = sizeof big};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
    CHECK_EQ(sent_by(1), A_RESP);
    inject(1, (tern__pkt_header)REQ(8, 0, 10, 77)); /* a third time */
    inject(1, (tern__pkt_header)RFR(8, 2));         /* out of order */
    inject(1, (tern__pkt_header)RFR(8, 0));
    CHECK_EQ(sent_by(1), NOTHING);
    inject(1, (tern__pkt_header)RFR(8, 1));
    inject(1, (tern__pkt_header)RFR(8, 2));
    CHECK_EQ(sent_by(1), A_RESP << 4 | A_RESP);
    inject(1, (tern__pkt_header)RFR(8, 3));
    inject(1, (tern__pkt_header)RFR(8, 3)); /* all is gone by now */
    CHECK_EQ(sent_by(1), A_RESP);
    CHECK_EQ(loop_stats(&l, 1).rx_dropped, 6);
    loop_fini(&l);
}

static void server__broken_promises_of_a_reliable_link(void) {
    reliable = true;
    reliable_server();
    reliable = false;
}

/* The right numbers in the wrong hands: another tag, no tag, another link's route. */
static void forged__tag_or_route(void) {
    start();
    CHECK_OK();
    l.defer = true;
    uint8_t p[64] = {0};
    tern__pkt_header h = {.type = TERN__PKT_REQ,
                          .flags = TERN__PKT_TAG,
                          .session = session_number[1],
                          .tag = session_tag[1] ^ 1,
                          .req = 8,
                          .size = 32};
    tern__pkt_write(&h, p);
    loop_inject(&l, 1, p, 64);
    h.flags = 0;
    tern__pkt_write(&h, p);
    loop_inject(&l, 1, p, 56);
    CHECK_EQ(l.n_served, 0);
    h.flags = TERN__PKT_TAG;
    h.tag = session_tag[1];
    tern__pkt_write(&h, p);
    uint8_t *head = tern_alloc(64);
    memcpy(head, p, 64);
    tern__rx_packet pkt = {
        .n = 1, .head = head, .head_len = 64, .link = &l.side[1].link, .route = {.len = 1, .bytes = {9}}};
    tern__engine_rx(l.side[1].engine, &pkt, 1, l.now);
    tern_unref(head);
    CHECK_EQ(l.n_served, 0);
    CHECK_EQ(loop_stats(&l, 1).rx_dropped, 3);
    loop_inject(&l, 1, p, 64);
    CHECK_EQ(l.n_served, 1);
    loop_fini(&l);
}

TAP_MAIN(TEST(server__receiving), TEST(server__running), TEST(server__responded), TEST(server__done),
         TEST(server__numbers_wrap), TEST(server__orphans_are_bounded), TEST(client__single_packet_request),
         TEST(client__request_partly_sent), TEST(client__request_sent), TEST(client__waiting), TEST(client__assembling),
         TEST(message__is_taken_however_it_is_cut), TEST(malformed__headers),
         TEST(malformed__headers_on_a_reliable_link), TEST(server__broken_promises_of_a_reliable_link),
         TEST(forged__tag_or_route))

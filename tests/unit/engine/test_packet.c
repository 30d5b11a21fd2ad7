/* Headers as bytes: what each type looks like, byte for byte, and which bytes are no header. */
#include "engine/codes.h"
#include "engine/packet.h"

#include "base/rng.h"
#include "tap.h"

enum { MAX_PAYLOAD = 4096 };

/* A header, the payload behind it (of a message of several packets, what the header says), and its bytes in
 * hexadecimal. */
typedef struct golden {
    const char *what;
    tern__pkt_header h;
    uint64_t payload;
    const char *hex;
} golden;

#define COMMON .session = 0x04030201, .req = 0x14131211, .number = 0x24232221
#define COMMON_HEX "01020304 11121314 21222324 "
#define TAG .tag = 0xa8a7a6a5a4a3a2a1u
#define TAG_HEX "a1a2a3a4a5a6a7a8 "

static const golden goldens[] = {
    {"a whole request",
     {.type = TERN__PKT_REQ, .format = 1, .attempt = 2, COMMON, .method = 0x34333231, .deadline_us = 0x44434241},
     32,
     "20000102 " COMMON_HEX "31323334 41424344"},
    {"a whole response with a tag",
     {.type = TERN__PKT_RESP, .flags = TERN__PKT_TAG, .format = 2, .status = 5, COMMON, .held_ns = 0x34333231, TAG},
     9,
     "23010205 " COMMON_HEX "31323334 00000000 " TAG_HEX},
    {"packet 3 of a request",
     {.type = TERN__PKT_REQ,
      .flags = TERN__PKT_MULTI,
      COMMON,
      .method = 7,
      .pkt = 3,
      .size = 0x100000000u + 100,
      .cut = 0x40000001},
     0,
     "20020000 " COMMON_HEX "07000000 00000000 6400000001000000 03000000 01000040"},
    {"packet 1 of a response, with marks",
     {.type = TERN__PKT_RESP,
      .flags = TERN__PKT_TAG | TERN__PKT_MULTI | TERN__PKT_ECE,
      .attempt = 9,
      COMMON,
      .pkt = 1,
      .size = 1001,
      .cut = 1000,
      TAG},
     1,
     "23130000 " COMMON_HEX "09000000 00000000 " TAG_HEX "e903000000000000 01000000 e8030000"},
    {"a request of several packets with metadata",
     {.type = TERN__PKT_REQ,
      .flags = TERN__PKT_TAG | TERN__PKT_MULTI | TERN__PKT_META,
      COMMON,
      .method = 7,
      .size = 1001,
      .cut = 1000,
      .meta_bytes = 16,
      TAG},
     1000,
     "20070000 " COMMON_HEX "07000000 00000000 " TAG_HEX "e903000000000000 00000000 e8030000 10000000 00000000"},
    {"a credit return",
     {.type = TERN__PKT_CR, .flags = TERN__PKT_ECE, .marks = 3, .attempt = 1, COMMON, .pkt = 5, .received = 6},
     0,
     "21100301 " COMMON_HEX "05000000 06000000"},
    {"a request for response",
     {.type = TERN__PKT_RFR, .attempt = 4, COMMON, .pkt = 5, .received = 2},
     0,
     "22000004 " COMMON_HEX "05000000 02000000"},
    {"a stream's request packet",
     {.type = TERN__PKT_REQ,
      .flags = TERN__PKT_TAG | TERN__PKT_STREAM | TERN__PKT_GRANT | TERN__PKT_LAST,
      .format = 2,
      .attempt = 1,
      COMMON,
      .pkt = 8,
      .method = 7,
      .deadline_us = 0x44434241,
      .grant = 0x5857565554535251u,
      TAG},
     100,
     "202b0201 " COMMON_HEX "08000000 07000000 " TAG_HEX "5152535455565758 41424344 00000000"},
    {"a stream's response packet",
     {.type = TERN__PKT_RESP,
      .flags = TERN__PKT_STREAM | TERN__PKT_GRANT,
      .attempt = 3,
      .status = 5,
      COMMON,
      .pkt = 8,
      .received = 9,
      .grant = 0x5857565554535251u},
     100,
     "230a0305 " COMMON_HEX "08000000 09000000 5152535455565758"},
    {"a stream's request packet that grants nothing new",
     {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM, .format = 2, COMMON, .pkt = 8, .method = 7},
     100,
     "20080200 " COMMON_HEX "08000000 07000000"},
    {"a stream's acknowledgement",
     {.type = TERN__PKT_RFR,
      .flags = TERN__PKT_STREAM | TERN__PKT_GRANT | TERN__PKT_ECE,
      .marks = 2,
      .attempt = 1,
      COMMON,
      .pkt = UINT32_MAX,
      .received = 9,
      .grant = 1},
     0,
     "221a0201 " COMMON_HEX "ffffffff 09000000 0100000000000000"},
    {"a cancellation",
     {.type = TERN__PKT_CANCEL, COMMON, .code = TERN__CANCEL_APPLICATION | 0x1234},
     0,
     "2c000000 " COMMON_HEX "34120080 00000000"},
    {"a refusal",
     {.type = TERN__PKT_REFUSE, .refused = TERN__PKT_CONNECT, .status = 14, COMMON, .code = TERN__REFUSE_DRAINING},
     12,
     "2600040e " COMMON_HEX "02000000 00000000"},
};

static uint32_t bytes_of_hex(const char *hex, uint8_t *out) {
    uint32_t n = 0;
    for (unsigned byte; *hex; hex += *hex == ' ' ? 1 : 2)
        if (*hex != ' ' && sscanf(hex, "%2x", &byte) == 1) out[n++] = (uint8_t)byte;
    return n;
}

static bool is_message(const tern__pkt_header *h) {
    return (h->type == TERN__PKT_REQ || h->type == TERN__PKT_RESP) && !(h->flags & TERN__PKT_STREAM);
}

/* Field by field, because of the padding. */
static bool are_equal(const tern__pkt_header *a, const tern__pkt_header *b) {
    return a->type == b->type && a->flags == b->flags && a->format == b->format && a->status == b->status &&
           a->attempt == b->attempt && a->marks == b->marks && a->refused == b->refused && a->session == b->session &&
           a->req == b->req && a->number == b->number && a->pkt == b->pkt && a->received == b->received &&
           a->method == b->method && a->deadline_us == b->deadline_us && a->held_ns == b->held_ns &&
           a->admission == b->admission && a->code == b->code && a->meta_bytes == b->meta_bytes && a->cut == b->cut &&
           a->size == b->size && a->grant == b->grant && a->tag == b->tag;
}

static uint64_t payload_of(const golden *g) {
    uint64_t left = g->h.size - (uint64_t)g->h.pkt * g->h.cut;
    return !(g->h.flags & TERN__PKT_MULTI) ? g->payload : left < g->h.cut ? left : g->h.cut;
}

static void header__is_written_and_read_byte_for_byte(void) {
    for (size_t i = 0; i < TERN__COUNT(goldens); i++) {
        const golden *g = &goldens[i];
        uint8_t want[TERN__PKT_MAX_HEADER_BYTES], got[TERN__PKT_MAX_HEADER_BYTES] = {0};
        uint32_t n = bytes_of_hex(g->hex, want);
        tern__pkt_header back, expected = g->h;
        if (is_message(&expected) && !(expected.flags & TERN__PKT_MULTI)) expected.size = g->payload;
        printf("# %s\n", g->what);
        CHECK_EQ(tern__pkt_header_bytes(&g->h), n);
        tern__pkt_write(&g->h, got);
        CHECK_MEM(got, want, n);
        CHECK_EQ(tern__pkt_read(&back, want, n, n + payload_of(g)), n);
        CHECK(are_equal(&back, &expected));
        for (uint32_t cut = 0; cut < n; cut++) CHECK_EQ(tern__pkt_read(&back, want, cut, n + payload_of(g)), 0);
    }
}

static bool is_readable(const tern__pkt_header *h, uint64_t payload) {
    uint8_t bytes[TERN__PKT_MAX_HEADER_BYTES + TERN__PKT_GRANT_BYTES + TERN__PKT_DEADLINE_BYTES];
    tern__pkt_header back;
    uint32_t n = tern__pkt_header_bytes(h);
    tern__pkt_write(h, bytes);
    return tern__pkt_read(&back, bytes, n, n + payload) == n;
}

/* Each type with each flag that means something there, and with no other. */
static void flags__of_each_type(void) {
    enum { T = TERN__PKT_TAG, M = TERN__PKT_MULTI, S = TERN__PKT_STREAM, L = TERN__PKT_LAST, E = TERN__PKT_ECE };
    enum { META = TERN__PKT_META, OTHERS = 255 };
    static const uint8_t known[] = {[TERN__PKT_REQ] = T | M | META | S | L,
                                    [TERN__PKT_CR] = T | M | S | E,
                                    [TERN__PKT_RFR] = T | M | S | L | E,
                                    [TERN__PKT_RESP] = T | M | META | S | L | E,
                                    [TERN__PKT_GOAWAY] = 0};
    for (unsigned type = 0; type <= TERN__PKT_GOAWAY; type++) {
        for (unsigned flags = 0; flags <= OTHERS; flags++) {
            tern__pkt_header h = {
                .type = (uint8_t)type, .flags = (uint8_t)flags, .size = 1001, .cut = 1000, .meta_bytes = 1000};
            bool right = !(flags & ~(unsigned)(known[type] | T));
            bool is_ack = type == TERN__PKT_CR || type == TERN__PKT_RFR;
            if (!(flags & S) && flags & (L | (is_ack ? M : 0))) right = false;
            CHECK_EQ(is_readable(&h, 1000), right);
        }
    }
}

/* What a message says of its packets has to agree with itself, and with the payload. */
static void lengths__that_contradict_each_other(void) {
    static const struct {
        uint64_t size, payload;
        uint32_t pkt, cut;
        bool right;
    } rows[] = {
        {1001, 1000, 0, 1000, true},
        {1001, 1, 1, 1000, true},
        {1001, 999, 0, 1000, false},
        {1001, 1001, 0, 1000, false},
        {1001, 0, 2, 1000, false},
        {2000, 1000, 1, 1000, true},
        {2000, 0, 2, 1000, false},    /* behind the last packet, which is full */
        {1000, 1000, 0, 1000, false}, /* it is one packet */
        {1001, 0, 0, 0, false},
        {2, 1, 1, 1, true},
        {5000000000, 1000, 4999999, 1000, true},
        {5000000000, 1000, 5000000, 1000, false},
        {UINT32_MAX, 1, UINT32_MAX - 1, 1, true}, /* as many as can be numbered */
        {1ull << 32, 1, 0, 1, false},
        {UINT64_MAX, UINT32_MAX, 0, UINT32_MAX, false},
    };
    for (size_t i = 0; i < TERN__COUNT(rows); i++) {
        tern__pkt_header h = {.type = TERN__PKT_RESP, .flags = TERN__PKT_MULTI};
        h.size = rows[i].size;
        h.pkt = rows[i].pkt;
        h.cut = rows[i].cut;
        if (is_readable(&h, rows[i].payload) != rows[i].right) printf("# row %zu\n", i);
        CHECK_EQ(is_readable(&h, rows[i].payload), rows[i].right);
    }
}

static void metadata__begins_the_message_in_packet_0(void) {
    tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_META, .meta_bytes = 16};
    CHECK(is_readable(&h, 16));
    CHECK(!is_readable(&h, 15));
    h.meta_bytes = 0; /* a block that is not there */
    CHECK(!is_readable(&h, 16));
    h.meta_bytes = 12;
    CHECK(!is_readable(&h, 16));
    h = (tern__pkt_header){
        .type = TERN__PKT_REQ, .flags = TERN__PKT_META | TERN__PKT_MULTI, .size = 99, .cut = 50, .meta_bytes = 96};
    CHECK(is_readable(&h, 50));
    h.meta_bytes = 104;
    CHECK(!is_readable(&h, 50));
    h.meta_bytes = 96;
    h.pkt = 1;
    CHECK(!is_readable(&h, 49));
}

/* Any packet of a stream's half may have bytes of the block: some, and no more than the block has. */
static void metadata__of_a_stream_is_in_its_payload(void) {
    static const struct {
        uint32_t meta_bytes, payload;
        bool right;
    } rows[] = {{16, 16, true}, {16, 1, true},         {1 << 20, 1000, true}, {UINT32_MAX - 7, 8, true},
                {16, 0, false}, {16, 17, false},       {0, 0, false},         {0, 8, false},
                {12, 8, false}, {UINT32_MAX, 8, false}};
    for (unsigned i = 0; i < 8 * TERN__COUNT(rows); i++) {
        tern__pkt_header h = {.type = i & 1 ? TERN__PKT_REQ : TERN__PKT_RESP,
                              .flags = TERN__PKT_META | TERN__PKT_STREAM | (i & 2 ? TERN__PKT_LAST : 0),
                              .pkt = i & 4 ? 1000 : 0,
                              .meta_bytes = rows[i / 8].meta_bytes};
        if (is_readable(&h, rows[i / 8].payload) != rows[i / 8].right) printf("# row %u\n", i / 8);
        CHECK_EQ(is_readable(&h, rows[i / 8].payload), rows[i / 8].right);
    }
}

/* A sender cuts a message where a receiver expects it. */
static void message__is_cut_into_packets(void) {
    enum { CUT = 100 };
    for (uint32_t size = 0; size < 5 * CUT; size++) {
        uint32_t n = tern__n_pkts(size, CUT), sum = 0;
        for (uint32_t pkt = 0; pkt < n; pkt++) {
            tern__pkt_header h = {.type = TERN__PKT_REQ};
            tern__pkt_of_message(&h, pkt, size, CUT);
            CHECK_EQ(tern__pkt_count(&h), n);
            CHECK(is_readable(&h, tern__pkt_bytes(size, CUT, pkt)));
            CHECK(tern__pkt_header_bytes(&h) + tern__pkt_bytes(size, CUT, pkt) <=
                  TERN__PKT_HEADER_BYTES + TERN__PKT_MULTI_BYTES + CUT);
            sum += tern__pkt_bytes(size, CUT, pkt);
        }
        CHECK_EQ(sum, size);
    }
}

/* Whatever the bytes: what can be read is written as it was, but for fields that mean nothing. */
static void noise__is_read_and_written_back(void) {
    tern__rng rng;
    unsigned n_read = 0;
    tern__rng_seed(&rng, 1);
    for (int i = 0; i < 200000; i++) {
        uint8_t bytes[TERN__PKT_MAX_HEADER_BYTES], again[sizeof bytes + 16];
        tern__pkt_header h, back;
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)tern__rng_next(&rng);
        if (i % 4) bytes[0] = (uint8_t)(TERN__PKT_VERSION << 4 | (bytes[0] & 15));
        if (i % 8) bytes[1] &= 1;
        uint64_t packet_bytes = sizeof bytes + tern__rng_next(&rng) % MAX_PAYLOAD;
        uint32_t n = tern__pkt_read(&h, bytes, sizeof bytes, packet_bytes);
        if (!n) continue;
        n_read++;
        CHECK_EQ(n, tern__pkt_header_bytes(&h));
        tern__pkt_write(&h, again);
        CHECK_EQ(tern__pkt_read(&back, again, n, packet_bytes), n);
        CHECK(are_equal(&h, &back));
    }
    CHECK(n_read > 50000);
}

TAP_MAIN(TEST(header__is_written_and_read_byte_for_byte), TEST(flags__of_each_type),
         TEST(lengths__that_contradict_each_other), TEST(metadata__begins_the_message_in_packet_0),
         TEST(metadata__of_a_stream_is_in_its_payload), TEST(message__is_cut_into_packets),
         TEST(noise__is_read_and_written_back))

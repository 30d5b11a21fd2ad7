/* Loans: what is kept and what is copied, whatever packets a peer makes of a message. The link only counts. */
#include "engine/loan.h"
#include "mem/pool.h"
#include "tap.h"

enum { MAX_SPANS = 255 };

static uint32_t n_kept, n_let_go, keep_most;

typedef struct counting {
    tern__kept kept;
    uint32_t n;
} counting;

static void let_go(tern__kept *kept) {
    counting *c = (counting *)(void *)kept;
    n_let_go += c->n;
    free(c);
}

static bool is_intact(const tern__kept *kept) {
    (void)kept;
    return true;
}

static bool keep(tern__link *link, const tern__rx_packet *packet, uint32_t i, tern__kept **kept) {
    (void)link;
    (void)packet;
    (void)i;
    if (n_kept == keep_most) return false;
    counting *c = (counting *)(void *)*kept;
    if (!c) {
        c = calloc(1, sizeof *c);
        c->kept = (tern__kept){let_go, is_intact};
    }
    c->n++;
    n_kept++;
    *kept = &c->kept;
    return true;
}

static const tern__link_ops ops = {.rx_keep = keep};
static tern__link link_of_tests = {.ops = &ops};
static tern__span spans[MAX_SPANS];
static uint8_t value[1 << 20];

static tern__rx_packet packet_of(uint32_t head_len, uint32_t n_spans) {
    tern__rx_packet packet;
    tern__rx_packet_init(&packet, &link_of_tests, value, head_len);
    packet.n_spans = n_spans;
    packet.spans = spans;
    for (uint32_t i = 0; i < n_spans; i++) packet.spans_len += spans[i].len;
    return packet;
}

static void begin(uint32_t most) {
    n_kept = n_let_go = 0;
    keep_most = most;
    for (size_t i = 0; i < sizeof value; i++) value[i] = (uint8_t)(i * 13 + i / 777);
}

/* A message in spans of a byte each, and in packets of two: what that takes stays in proportion to its bytes. */
static void memory__is_bounded_by_the_bytes(void) {
    for (uint32_t per_packet = 1; per_packet <= MAX_SPANS; per_packet += 127) {
        enum { N = 60000 };
        begin(UINT32_MAX);
        static uint8_t expected[4096 + N * 2];
        size_t len = 0;
        tern_loan *loan = NULL;
        spans[0] = (tern__span){value, 4096};
        for (uint32_t sent = 0; sent < N;) {
            uint32_t n = loan ? per_packet : 1;
            for (uint32_t i = 0; i < n && loan; i++) spans[i] = (tern__span){value + (sent * 7 + i * 3) % 100000, 1};
            tern__rx_packet packet = packet_of(loan ? 1 : 0, n);
            memcpy(expected + len, packet.head, packet.head_len);
            len += packet.head_len;
            for (uint32_t i = 0; i < n; i++) {
                memcpy(expected + len, spans[i].data, spans[i].len);
                len += spans[i].len;
            }
            if (!loan)
                loan = tern__loan_begin(&packet, 0, 0, 2);
            else
                CHECK(tern__loan_add(loan, &packet, 0, false));
            CHECK(loan != NULL);
            sent += n;
        }
        CHECK_EQ(loan->len, len);
        CHECK(n_kept <= 5 + len / 2048);
        CHECK(loan->arena.used_bytes <= 3 * len + 16384);
        CHECK_MEM(tern__loan_gather(loan, true), expected, len);
        CHECK_EQ(n_let_go, n_kept);
        tern__loan_unref(loan);
    }
}

/* A value that packets cut stays one piece, however short its ends are. */
static void value__cut_by_packets_is_one_piece(void) {
    static const uint32_t ends[] = {1, 100, 4095, 5000};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        begin(UINT32_MAX);
        spans[0] = (tern__span){value + 500, ends[k]};
        tern__rx_packet first = packet_of(30, 1);
        tern_loan *loan = tern__loan_begin(&first, 10, 8, 3);
        CHECK(loan != NULL);
        CHECK_EQ(loan->block_bytes, 8);
        spans[0] = (tern__span){value + 500 + ends[k], 300000};
        tern__rx_packet second = packet_of(10, 1);
        CHECK(tern__loan_add(loan, &second, 10, false));
        spans[0] = (tern__span){value + 500 + ends[k] + 300000, ends[k]};
        spans[1] = (tern__span){value + 7, 50};
        tern__rx_packet third = packet_of(10, 2);
        CHECK(tern__loan_add(loan, &third, 10, true));
        CHECK_EQ(loan->n, 3);
        CHECK(!loan->pieces[0].is_lent && loan->pieces[1].is_lent && !loan->pieces[2].is_lent);
        CHECK_EQ(loan->pieces[0].len, 12);
        CHECK(loan->pieces[1].data == value + 500);
        CHECK_EQ(loan->pieces[1].len, 300000 + 2 * ends[k]);
        CHECK_EQ(loan->pieces[2].len, 50);
        tern__loan_ref(loan);
        tern__loan_unref(loan);
        CHECK_EQ(n_let_go, 0);
        tern__loan_unref(loan);
        CHECK_EQ(n_let_go, 3);
    }
}

/* Nothing can be kept, or no more: there is no loan, or the rest is copied. */
static void keep__may_be_refused(void) {
    begin(0);
    spans[0] = (tern__span){value, 100000};
    tern__rx_packet packet = packet_of(10, 1);
    CHECK(tern__loan_begin(&packet, 0, 0, 1) == NULL);
    keep_most = 1;
    tern_loan *loan = tern__loan_begin(&packet, 0, 0, 2);
    CHECK(loan != NULL);
    spans[0] = (tern__span){value + 200000, 100000};
    CHECK(tern__loan_add(loan, &packet, 10, true));
    CHECK_EQ(loan->n, 3);
    CHECK(!loan->pieces[2].is_lent);
    CHECK_MEM(loan->pieces[2].data, value + 200000, 100000);
    tern__loan_unref(loan);
    CHECK_EQ(n_let_go, 1);
    /* A metadata block that is not all in the packet's head is nobody's to keep. */
    CHECK(tern__loan_begin(&packet, 0, 11, 1) == NULL);
}

TAP_MAIN(TEST(memory__is_bounded_by_the_bytes), TEST(value__cut_by_packets_is_one_piece), TEST(keep__may_be_refused))

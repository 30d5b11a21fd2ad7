/* Setups as bytes: what is written is read again, and whatever else a peer may write is refused or skipped. */
#include "engine/setup.h"

#include "base/rng.h"
#include "engine/packet.h"
#include "setup_packet.h"
#include "tap.h"

enum { ROOM = 2048 };

static const tern__setup usual = {.token = 0x1122334455667788,
                                  .tag = 77,
                                  .number = 4711,
                                  .max_packet = 1472,
                                  .credits = 32,
                                  .formats = 7,
                                  .n_slots = 8,
                                  .features = TERN__SETUP_ECN,
                                  .cookie = 0xc001e,
                                  .incarnation = 5,
                                  .seal = 0x7e57,
                                  .nonce = 6,
                                  .n_streams = 16};

static uint8_t bytes[ROOM];
static uint32_t len;
static tern__setup got;
static uint16_t type;

static void write_usual(void) { len = tern__setup_write(&usual, 0, bytes); }

/* One more record at the end. */
static uint8_t *add_record(uint16_t record, uint16_t value_bytes) {
    uint8_t *at = bytes + len;
    uint32_t padded = (4 + value_bytes + 7u) & ~7u;
    memset(at, 0, padded);
    tern__store16(at, record);
    tern__store16(at + 2, value_bytes);
    len += padded;
    return at;
}

/* The setup as it now stands, in memory of its own, so that a read beyond its end shows. */
static tern__refuse_code read_it(void) {
    uint8_t *copy = malloc(len);
    if (!copy) abort();
    memcpy(copy, bytes, len);
    tern__refuse_code code = tern__setup_read(copy, len, &got, &type);
    free(copy);
    return code;
}

static void check_is_usual(void) {
    CHECK_EQ(got.token, usual.token);
    CHECK_EQ(got.tag, usual.tag);
    CHECK_EQ(got.number, usual.number);
#define TERN__X(name, field, value_bytes, required) CHECK_EQ(got.field, usual.field);
    TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
}

static void setup__is_read_as_written(void) {
    write_usual();
    CHECK_EQ(len % 8, 0);
    CHECK_EQ(read_it(), TERN__REFUSE_NONE);
    check_is_usual();
    for (uint32_t pad = 0; pad <= 512; pad += 8) {
        uint32_t least = tern__setup_write(&usual, 0, bytes);
        len = tern__setup_write(&usual, pad, bytes);
        CHECK_EQ(len, pad > least ? pad : least);
        CHECK_EQ(read_it(), TERN__REFUSE_NONE);
        check_is_usual();
    }
}

/* Whatever the token, there is grease, nobody refuses it, and it fits what is reserved for a setup. */
static void grease__is_never_refused(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 7);
    uint32_t n_lengths = 0, lengths = 0, types[128] = {0};
    for (int i = 0; i < 20000; i++) {
        tern__setup setup = usual;
        setup.token = tern__rng_next(&rng);
        len = tern__setup_write(&setup, 0, bytes);
        CHECK(len <= TERN__SETUP_OWN_BYTES);
        CHECK_EQ(read_it(), TERN__REFUSE_NONE);
        unsigned n_grease = 0;
        for (uint32_t at = TERN__SETUP_FIXED_BYTES; at < len;) {
            uint32_t record = tern__load16(bytes + at), value_bytes = tern__load16(bytes + at + 2);
            if ((record & TERN__SETUP_GREASE_MASK) == TERN__SETUP_GREASE) {
                n_grease++;
                CHECK(value_bytes <= 16);
                lengths |= 1u << value_bytes;
                types[(record >> 12 & 7) << 4 | (record >> 4 & 15)]++;
            }
            at += (4 + value_bytes + 7) & ~7u;
        }
        CHECK_EQ(n_grease, 1);
        CHECK_OK();
    }
    for (n_lengths = 0; lengths; lengths &= lengths - 1) n_lengths++;
    CHECK_EQ(n_lengths, 17);
    for (unsigned i = 0; i < TERN__COUNT(types); i++) CHECK(types[i] > 0);
}

static void unknown__records_are_skipped_unless_critical(void) {
    for (uint32_t record = TERN__N_SETUP_RECORDS; record < 0x10000; record += 1 + record / 50) {
        uint16_t known = (uint16_t)(record & 0x7fff);
        if (known < TERN__N_SETUP_RECORDS) continue;
        write_usual();
        add_record((uint16_t)record, (uint16_t)(record % 20));
        bool critical = record & TERN__SETUP_CRITICAL;
        CHECK_EQ(read_it(), critical ? TERN__REFUSE_CRITICAL_RECORD : TERN__REFUSE_NONE);
        if (critical) CHECK_EQ(type, record);
        CHECK_EQ(got.token, usual.token); /* what the REFUSE echoes */
        CHECK_EQ(got.number, usual.number);
        CHECK_OK();
    }
    write_usual();
    tern__store16(setup_record(bytes, len, TERN__SETUP_CREDITS), TERN__SETUP_CREDITS | TERN__SETUP_CRITICAL);
    CHECK_EQ(read_it(), TERN__REFUSE_NONE); /* it is known */
    check_is_usual();
}

static void known__records_come_once_and_whole(void) {
    for (uint16_t record = 1; record < TERN__N_SETUP_RECORDS; record++) {
        write_usual();
        uint32_t value_bytes = tern__load16(setup_record(bytes, len, record) + 2);
        add_record(record, (uint16_t)value_bytes);
        CHECK_EQ(read_it(), TERN__REFUSE_MALFORMED);
        CHECK_EQ(type, record);
        for (uint16_t wrong = 0; wrong < 20; wrong++) {
            write_usual();
            tern__store16(setup_record(bytes, len, record), 0x7abc); /* not known */
            uint8_t *added = add_record(record, wrong);
            if (wrong >= 4) tern__store32(added + 4, 1000); /* fits all of them */
            CHECK_EQ(read_it(), wrong == value_bytes ? TERN__REFUSE_NONE : TERN__REFUSE_MALFORMED);
            CHECK_EQ(type, wrong == value_bytes ? 0 : record);
            CHECK_OK();
        }
    }
}

static void required__records_are_missed(void) {
    static const struct {
        uint16_t record;
        bool required;
    } rows[] = {{TERN__SETUP_MAX_PACKET, true},   {TERN__SETUP_CREDITS, true},   {TERN__SETUP_FORMATS, true},
                {TERN__SETUP_SLOTS, true},        {TERN__SETUP_FEATURES, false}, {TERN__SETUP_COOKIE, false},
                {TERN__SETUP_INCARNATION, false}, {TERN__SETUP_STREAMS, false}};
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        write_usual();
        tern__store16(setup_record(bytes, len, rows[i].record), 0x7abc);
        CHECK_EQ(read_it(), rows[i].required ? TERN__REFUSE_MALFORMED : TERN__REFUSE_NONE);
        CHECK_EQ(type, rows[i].required ? rows[i].record : 0);
    }
}

static void values__that_fit_no_session(void) {
    static const struct {
        uint16_t record;
        uint32_t value;
        bool fits;
    } rows[] = {{TERN__SETUP_MAX_PACKET, 255, false}, {TERN__SETUP_MAX_PACKET, 256, true},
                {TERN__SETUP_CREDITS, 0, false},      {TERN__SETUP_CREDITS, UINT32_MAX, true},
                {TERN__SETUP_SLOTS, 0, false},        {TERN__SETUP_SLOTS, 1, true},
                {TERN__SETUP_SLOTS, UINT32_MAX, true}};
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        write_usual();
        tern__store32(setup_record(bytes, len, rows[i].record) + 4, rows[i].value);
        CHECK_EQ(read_it(), rows[i].fits ? TERN__REFUSE_NONE : TERN__REFUSE_UNFIT);
        CHECK_EQ(type, rows[i].fits ? 0 : rows[i].record);
    }
}

/* Cut off anywhere, behind its fixed part: never more than a REFUSE, and never as if it were whole. */
static void truncated__setups_are_malformed(void) {
    write_usual();
    uint32_t whole = len, n_read = 0;
    for (len = TERN__SETUP_FIXED_BYTES; len < whole; len++) n_read += read_it() != TERN__REFUSE_MALFORMED;
    CHECK(n_read <= 7); /* at the ends of records behind the last required one */
    static const uint16_t lengths[] = {1000, 0x7fff, 0xfff9, 0xffff};
    for (unsigned i = 0; i < TERN__COUNT(lengths); i++) {
        write_usual();
        add_record(0x1a1a, 4);
        tern__store16(bytes + len - 6, lengths[i]); /* a record longer than the packet */
        CHECK_EQ(read_it(), TERN__REFUSE_MALFORMED);
        CHECK_EQ(type, 0x1a1a);
    }
    write_usual();
    len += 4;
    memset(bytes + len - 4, 0, 4);
    CHECK_EQ(read_it(), TERN__REFUSE_MALFORMED);
}

static void records__too_many(void) {
    write_usual();
    unsigned n = TERN__N_SETUP_RECORDS - 1 + 1; /* ours and the grease */
    for (; n < TERN__SETUP_MAX_RECORDS; n++) add_record(0x2a2a, 0);
    CHECK(len <= TERN__SETUP_MAX_BYTES);
    CHECK_EQ(read_it(), TERN__REFUSE_NONE);
    add_record(0x2a2a, 0);
    CHECK_EQ(read_it(), TERN__REFUSE_MALFORMED);
}

TAP_MAIN(TEST(setup__is_read_as_written), TEST(grease__is_never_refused),
         TEST(unknown__records_are_skipped_unless_critical), TEST(known__records_come_once_and_whole),
         TEST(required__records_are_missed), TEST(values__that_fit_no_session), TEST(truncated__setups_are_malformed),
         TEST(records__too_many))

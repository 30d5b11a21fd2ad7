/* Setups as bytes (setup.h). Whatever is in them was written by a peer. */
#include "engine/setup.h"

static uint32_t padded(uint32_t value_bytes) { return (4 + value_bytes + 7) & ~7u; }

/* ---- Writing -------------------------------------------------------------------------------------- */

/* A record of zeros; the caller fills in the value. Returns the record's end. */
static uint8_t *put_record(uint8_t *at, uint32_t type, uint32_t value_bytes) {
    memset(at, 0, padded(value_bytes));
    tern__store16(at, (uint16_t)type);
    tern__store16(at + 2, (uint16_t)value_bytes);
    return at + padded(value_bytes);
}

static uint8_t *put_value(uint8_t *at, uint32_t type, uint32_t value_bytes, uint64_t value) {
    uint8_t *end = put_record(at, type, value_bytes);
    if (value_bytes == 8)
        tern__store64(at + 4, value);
    else
        tern__store32(at + 4, (uint32_t)value);
    return end;
}

/* A record of a type that nobody knows. The token is random already, and the same in each repetition. */
static uint8_t *put_grease(uint8_t *at, uint64_t token) {
    enum { MAX_GREASE = 16 };
    uint64_t random = token * 0x9e3779b97f4a7c15u;
    random ^= random >> 29;
    uint32_t type = TERN__SETUP_GREASE | (uint32_t)(random & ~TERN__SETUP_GREASE_MASK & 0xffff);
    uint32_t value_bytes = (uint32_t)(random >> 16) % (MAX_GREASE + 1);
    uint8_t *end = put_record(at, type, value_bytes);
    for (uint32_t i = 0; i < value_bytes; i++) at[4 + i] = (uint8_t)(random >> (8 * (i & 7)));
    return end;
}

/* As it is written: whoever does not know the seal must not take a setup that insists on it. */
static uint32_t type_of(const tern__setup *setup, uint32_t record) {
    bool critical = record == TERN__SETUP_SEAL && setup->seal & TERN__SETUP_SEAL_REQUIRED;
    return critical ? record | TERN__SETUP_CRITICAL : record;
}

uint32_t tern__setup_write(const tern__setup *setup, uint32_t pad_to, uint8_t *out) {
    tern__store64(out, setup->token);
    tern__store64(out + 8, setup->tag);
    tern__store32(out + 16, setup->number);
    uint8_t *at = out + TERN__SETUP_FIXED_BYTES;
#define TERN__X(name, field, bytes, required)                                                                          \
    if (required || setup->field) at = put_value(at, type_of(setup, TERN__SETUP_##name), bytes, setup->field);
    TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
    at = put_grease(at, setup->token);
    uint32_t len = (uint32_t)(at - out);
    if (len < pad_to) {
        put_record(at, TERN__SETUP_PADDING, pad_to - len - 4);
        len = pad_to;
    }
    tern__store32(out + 20, len);
    return len;
}

/* ---- Reading -------------------------------------------------------------------------------------- */

uint32_t tern__setup_bytes(const uint8_t *setup) { return tern__load32(setup + 20); }

/* A value of a known type, whose length is right. */
static void take_value(tern__setup *out, uint32_t type, const uint8_t *value) {
    switch (type) {
#define TERN__X(name, field, bytes, required)                                                                          \
    case TERN__SETUP_##name:                                                                                           \
        if (bytes == 8)                                                                                                \
            out->field = (__typeof__(out->field))tern__load64(value);                                                  \
        else                                                                                                           \
            out->field = tern__load32(value);                                                                          \
        break;
        TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
    default: break;
    }
}

static const struct {
    uint8_t bytes;
    bool required;
} records[TERN__N_SETUP_RECORDS] = {
#define TERN__X(name, field, bytes, required) [TERN__SETUP_##name] = {bytes, required},
    TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
};

/* One record. seen: bit t for type t. */
static tern__refuse_code take_record(tern__setup *out, uint16_t type, const uint8_t *value, uint32_t value_bytes,
                                     uint32_t *seen) {
    uint32_t known = type & ~(uint32_t)TERN__SETUP_CRITICAL;
    if (known == TERN__SETUP_PADDING) return TERN__REFUSE_NONE;
    if (known >= TERN__N_SETUP_RECORDS)
        return type & TERN__SETUP_CRITICAL ? TERN__REFUSE_CRITICAL_RECORD : TERN__REFUSE_NONE;
    if (value_bytes != records[known].bytes || (*seen >> known & 1)) return TERN__REFUSE_MALFORMED;
    *seen |= 1u << known;
    take_value(out, known, value);
    return TERN__REFUSE_NONE;
}

static tern__refuse_code take_records(const uint8_t *bytes, uint32_t len, tern__setup *out, uint16_t *type,
                                      uint32_t *seen) {
    enum { LEAST_RECORD = 8 };
    uint32_t n_records = 0;
    for (uint32_t at = TERN__SETUP_FIXED_BYTES; at < len;) {
        *type = 0;
        if (len - at < LEAST_RECORD || ++n_records > TERN__SETUP_MAX_RECORDS) return TERN__REFUSE_MALFORMED;
        *type = tern__load16(bytes + at);
        uint32_t value_bytes = tern__load16(bytes + at + 2);
        if (padded(value_bytes) > len - at) return TERN__REFUSE_MALFORMED;
        tern__refuse_code code = take_record(out, *type, bytes + at + 4, value_bytes, seen);
        if (code != TERN__REFUSE_NONE) return code;
        at += padded(value_bytes);
    }
    return TERN__REFUSE_NONE;
}

tern__refuse_code tern__setup_read(const uint8_t *bytes, uint32_t len, tern__setup *out, uint16_t *type) {
    uint32_t seen = 0;
    *out =
        (tern__setup){.token = tern__load64(bytes), .tag = tern__load64(bytes + 8), .number = tern__load32(bytes + 16)};
    tern__refuse_code code = take_records(bytes, len, out, type, &seen);
    if (code != TERN__REFUSE_NONE) return code;
    for (*type = 1; *type < TERN__N_SETUP_RECORDS; ++*type)
        if (records[*type].required && !(seen >> *type & 1)) return TERN__REFUSE_MALFORMED;
    *type = out->max_packet < TERN__SETUP_LEAST_PACKET ? TERN__SETUP_MAX_PACKET
            : !out->credits                            ? TERN__SETUP_CREDITS
            : !out->n_slots                            ? TERN__SETUP_SLOTS
                                                       : 0;
    return *type ? TERN__REFUSE_UNFIT : TERN__REFUSE_NONE;
}

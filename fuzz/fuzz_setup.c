/* Setups of any bytes, as the payload of a CONNECT and of an ACCEPT (engine/setup.h). What is read without complaint is
 * within its bounds, is the same when it is written and read again, and no reader looks beyond the end. */
#include "engine/setup.h"
#include "fuzz.h"

static void check_fields(const tern__setup *a, const tern__setup *b) {
    FUZZ_CHECK(a->token == b->token && a->tag == b->tag && a->number == b->number);
#define TERN__X(name, field, bytes, required) FUZZ_CHECK(a->field == b->field);
    TERN__SETUP_RECORDS(TERN__X)
#undef TERN__X
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    uint8_t again[TERN__SETUP_MAX_BYTES];
    tern__setup setup, same;
    uint16_t type;
    if (len < TERN__SETUP_FIXED_BYTES || len > TERN__SETUP_MAX_BYTES) return 0;
    tern__refuse_code code = tern__setup_read(data, (uint32_t)len, &setup, &type);
    FUZZ_CHECK(setup.token == tern__load64(data) && setup.number == tern__load32(data + 16));
    FUZZ_CHECK(code == TERN__REFUSE_NONE || code == TERN__REFUSE_MALFORMED || code == TERN__REFUSE_UNFIT ||
               code == TERN__REFUSE_CRITICAL_RECORD);
    if (code == TERN__REFUSE_CRITICAL_RECORD) FUZZ_CHECK(type & TERN__SETUP_CRITICAL);
    if (code != TERN__REFUSE_NONE) return 0;
    FUZZ_CHECK(type == 0 && len % 8 == 0);
    FUZZ_CHECK(setup.max_packet >= TERN__SETUP_LEAST_PACKET && setup.credits && setup.n_slots);
    uint32_t n = tern__setup_write(&setup, (uint32_t)(len & ~7u), again);
    FUZZ_CHECK(n >= len || n <= TERN__SETUP_OWN_BYTES);
    FUZZ_CHECK(tern__setup_read(again, n, &same, &type) == TERN__REFUSE_NONE);
    check_fields(&setup, &same);
    return 0;
}

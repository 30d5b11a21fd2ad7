/* A type compared with any bytes for an outline: a verdict or an error, the same each time, and a conflict that names a
 * type and a field exactly when something does not fit. The first byte chooses the type. */
#include "everything.tern.h"
#include "fuzz.h"
#include "old.tern.h"
#include "tern/type.h"

static const tern_type *const types[] = {&test_all_Everything_type, &test_all_Lists_type, &test_old_HoldsRequired_type,
                                         &test_all_Sparse_type};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_type_conflict conflict, again;
    if (len == 0) return 0;
    const tern_type *type = types[data[0] % (sizeof types / sizeof *types)];
    int verdict = tern_type_compare(type, data + 1, len - 1, &conflict);
    FUZZ_CHECK(verdict == TERN_ERR_MALFORMED || verdict == TERN_ERR_LIMIT ||
               (verdict >= TERN_SCHEMA_FITS && verdict <= TERN_SCHEMA_CONFLICT));
    FUZZ_CHECK((conflict.type != NULL) == (verdict > 0) && (conflict.number != 0) == (verdict > 0));
    if (verdict == TERN_SCHEMA_CONFLICT) FUZZ_CHECK(conflict.our_kind && conflict.their_kind);
    if (verdict == TERN_SCHEMA_PROTOBUF) FUZZ_CHECK(!conflict.our_kind != !conflict.their_kind);
    FUZZ_CHECK(tern_type_compare(type, data + 1, len - 1, &again) == verdict && again.number == conflict.number);
    return 0;
}

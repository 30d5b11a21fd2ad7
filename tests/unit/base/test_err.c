#include "tap.h"

#include "tern/err.h"

static void strerror__every_code_has_its_sentence(void) {
#define X(name, value, text) CHECK(strcmp(tern_strerror(value), text) == 0);
    TERN_ERR_LIST(X)
#undef X
    CHECK(strcmp(tern_strerror(0), "no error") == 0);
    CHECK(strstr(tern_strerror(-9999), "does not know") != NULL);
}

static void status_name__names_and_unknown(void) {
#define X(name, value, text) CHECK(strcmp(tern_status_name(value), #name) == 0);
    TERN_STATUS_LIST(X)
#undef X
    CHECK(strcmp(tern_status_name(99), "UNKNOWN") == 0);
}

TAP_MAIN(TEST(strerror__every_code_has_its_sentence), TEST(status_name__names_and_unknown))

/* Names and sentences of error codes and statuses. */
#include "tern/err.h"

const char *tern_strerror(int err) {
    switch (err) {
    case TERN_OK: return "no error";
#define CASE(name, value, text)                                                                                        \
    case TERN_ERR_##name: return text;
        TERN_ERR_LIST(CASE)
#undef CASE
    default: return "an error that tern does not know";
    }
}

const char *tern_status_name(int status) {
    switch (status) {
#define CASE(name, value, text)                                                                                        \
    case TERN_STATUS_##name: return #name;
        TERN_STATUS_LIST(CASE)
#undef CASE
    default: return "UNKNOWN";
    }
}

/* Names that a test would like to connect by. A bare chroot has no /etc/hosts and knows none. */
#ifndef TERN_TESTS_NAMES_H
#define TERN_TESTS_NAMES_H

#include <netdb.h>

#include "tap.h"

static inline bool name_is_known(const char *name) {
    struct addrinfo *found = NULL;
    if (getaddrinfo(name, NULL, NULL, &found) != 0) return false;
    freeaddrinfo(found);
    return true;
}

/* In a test that needs the name: skip it where nobody knows it. */
#define NEEDS_LOCALHOST()                                                                                              \
    do {                                                                                                               \
        if (!name_is_known("localhost")) SKIP("this machine does not know the name localhost");                        \
    } while (0)

#endif

/* What a client that means ill does to a server with few bytes: each state that it can leave half finished, and each
 * thing that costs the server more than the client. */
#ifndef TERN_TESTS_ATTACKS_H
#define TERN_TESTS_ATTACKS_H

#include "scene.h"

enum {
    ON_SHM = 1 << WIRE_SHM,
    ON_UDP = 1 << WIRE_UDP,
    ON_TCP = 1 << WIRE_TCP,
    ON_UNIX = 1 << WIRE_UNIX,
    ON_SOCKETS = ON_UDP | ON_TCP | ON_UNIX,
    ON_STREAMS = ON_TCP | ON_UNIX,
    ON_RELIABLE = ON_SHM | ON_TCP | ON_UNIX,
    ON_ALL = ON_SHM | ON_SOCKETS,
};

/* What it had. */
typedef struct spoils {
    uint64_t n_sessions;   /* sessions, and connections without one */
    uint64_t answer_bytes; /* that the service itself has written for it, or decoded, at most */
    double asked_ms;       /* of the server's time, that the service's handlers take by what they are for, at most */
} spoils;

/* What the service has made of calls and the accounts say is held does not count as harm, as a server that writes
 * answers as long as its accounts let it does what it is asked; nor do the free buffers between. */
static inline uint64_t made_bytes(const scene_seen *seen, const spoils *had) {
    return had->answer_bytes ? seen->held_bytes + seen->held_bytes / 4 : 0;
}

/* Nor does the time that the service itself takes: 4 ms for each megabyte that it writes or decodes. */
static inline double due_ms(const spoils *had) { return 4 * (double)had->answer_bytes / (1 << 20) + had->asked_ms; }

typedef struct attack {
    const char *name;
    unsigned ports; /* ON_... */
    double seconds;
    bool needs_root; /* it is another user's */
    /* Between scene_begin() and scene_end(). False: it could not be begun. */
    bool (*run)(scene *s, double seconds, spoils *had);
} attack;

extern const attack attacks[];
extern const unsigned n_attacks;

#endif

/* A server process with a default endpoint that listens on every port, an honest client process of it, and what an
 * attack by the calling process does to both: the server's memory and processor time, the client's calls. */
#ifndef TERN_TESTS_SCENE_H
#define TERN_TESTS_SCENE_H

#include "wire.h"

/* What the server serves: raw calls, ... */
enum {
    SCENE_ECHO = 1,
    SCENE_LONG = 2,  /* answers with SCENE_LONG_BYTES, new ones each time */
    SCENE_HOLD = 3,  /* answers SCENE_HOLD_MS later */
    SCENE_TOIL = 6,  /* takes SCENE_TOIL_MS of the server's time */
    SCENE_SINK = 4,  /* a stream of bytes that is read */
    SCENE_FOUNT = 5, /* a stream of bytes that is written as long as there is room */
};
enum { SCENE_LONG_BYTES = 1 << 20, SCENE_HOLD_MS = 100, SCENE_TOIL_MS = 1 };
/* ... and hostile.Bags: Later is answered SCENE_HOLD_MS later, Collect reads, Grind takes SCENE_TOIL_MS for each
 * message (bag.proto). */

typedef struct scene scene;

/* What happened while it was looked at. */
typedef struct scene_seen {
    double seconds;
    uint64_t sent_bytes;                      /* by the attacker */
    uint64_t grown_bytes;                     /* of the server's memory at most, beyond what it had before */
    uint64_t held_bytes;                      /* that it said it held for all peers, at most */
    double server_ms;                         /* of its processor time, beyond what the honest client's calls take */
    uint64_t n_calls, n_failed;               /* of the honest client: small calls, ... */
    uint64_t n_puts, n_puts_failed;           /* ... calls of 1 MB, and ... */
    uint64_t n_newcomers, n_newcomers_failed; /* ... new endpoints that connect, call and leave */
    int first_failure;                        /* tern_status or error of the first that failed */
    double p50_ms, p99_ms;                    /* of the small ones */
} scene_seen;

/* The two processes, whose client calls over this port, and the client's calls without an attack, in *calm unless that
 * is NULL. NULL: they could not be had. quick: only briefly. */
scene *scene_open(wire_port port, bool quick, scene_seen *calm);
/* The client calls nobody from now on: all that happens is the attack's. */
void scene_hush(scene *s);
void scene_close(scene *s);

/* Where the server listens on the scene's port. */
const char *scene_address(const scene *s);
wire_port scene_port(const scene *s);

/* Begin to look, and look again now and then (it costs next to nothing): the attack is under way. False: it has gone
 * on for so many seconds, or a process has died. */
void scene_begin(scene *s);
bool scene_goes_on(scene *s, double seconds);
/* The same, a pause behind it. */
bool scene_pause(scene *s, double seconds, double pause_ms);
/* The end: what was seen since scene_begin(). */
scene_seen scene_end(scene *s);

/* Whether both processes live. */
bool scene_lives(const scene *s);
/* What the server says that it holds for all peers (held_bytes), at most 20 ms ago. */
uint64_t scene_held_bytes(const scene *s);

#endif

/* A client and a server endpoint driven by one thread, and small calls between them in a closed loop. Rates are per
 * second of the thread's processor time: the price of a call at both ends together, which other work on the machine
 * does not change. */
#ifndef TERN_BENCH_RPC_SOLO_H
#define TERN_BENCH_RPC_SOLO_H

#include <stdbool.h>
#include <stdint.h>

#include "tern/rpc.h"

enum { SOLO_FEW = 8, SOLO_MAX_WINDOW = 64, SOLO_METHOD = 0x70696e67 };

struct solo;

typedef struct solo_ticket {
    struct solo *solo;
    unsigned number; /* of SOLO_FEW sessions, ticket t's is t modulo that */
} solo_ticket;

typedef struct solo {
    tern_endpoint *server, *client; /* server: NULL where it is another process's */
    tern_session **sessions;
    tern_session **queue; /* with more than SOLO_FEW: whose turn it is, call after call; else NULL */
    uint32_t n_taken;
    unsigned n_sessions, n_free, window;
    bool unannounced; /* nothing is said of the calls to come */
    unsigned free[SOLO_MAX_WINDOW];
    solo_ticket tickets[SOLO_MAX_WINDOW];
    uint64_t n_done, n_bad;
} solo;

/* Both ends, n_sessions open between them, `window` (at most SOLO_MAX_WINDOW) calls at most in flight. Exits with a
 * message where that cannot be. */
void solo_open(solo *s, const char *address, unsigned n_sessions, unsigned window, tern_congestion congestion);

/* The client's end alone, of sessions to a server elsewhere that echoes SOLO_METHOD and is being driven. Its rates are
 * per second of the clock on the wall. */
void solo_open_client(solo *s, const char *address, unsigned n_sessions, unsigned window);
void solo_close(solo *s);

/* Calls of 32 bytes each way per second, for ns of processor time; started in batches. With more than SOLO_FEW sessions
 * each takes one drawn at random beforehand, as a program with a queue of work knows what comes next, and says so
 * (tern_session_expect()) unless `unannounced` is set. */
double solo_rate(solo *s, unsigned batch, uint64_t ns);

/* Until no call is in flight. */
void solo_finish(solo *s);

#endif

/* A client and a server endpoint driven by one thread, and small calls between them in a closed loop. Rates are per second
 * of the thread's processor time: the price of a call at both ends together, which other work on the machine does not
 * change. */
#ifndef TERN_BENCH_RPC_SOLO_H
#define TERN_BENCH_RPC_SOLO_H

#include <stdbool.h>
#include <stdint.h>

#include "tern/rpc.h"

enum { SOLO_FEW = 8, SOLO_MAX_WINDOW = 64, SOLO_AHEAD = 16 };

struct solo;

typedef struct solo_ticket {
    struct solo *solo;
    unsigned number; /* of SOLO_FEW sessions, ticket t's is t modulo that */
} solo_ticket;

typedef struct solo {
    tern_endpoint *server, *client;
    tern_session **sessions;
    unsigned n_sessions, n_free;
    unsigned free[SOLO_MAX_WINDOW];
    tern_session *queue[SOLO_AHEAD]; /* of the calls to come, with many sessions */
    unsigned n_drawn;
    solo_ticket tickets[SOLO_MAX_WINDOW];
    uint64_t random, n_done, n_bad;
} solo;

/* Both ends, n_sessions open between them, `window` (at most SOLO_MAX_WINDOW) calls at most in flight. Exits with a message
 * where that cannot be. */
void solo_open(solo *s, const char *address, unsigned n_sessions, unsigned window, tern_congestion congestion);
void solo_close(solo *s);

/* Calls of 32 bytes each way per second, for ns of processor time; started in batches. With more than SOLO_FEW sessions
 * each takes one drawn at random. */
double solo_rate(solo *s, unsigned batch, uint64_t ns);

#endif

/* A service for scenarios: a request's method number is the number of bytes that it wants back. Both bodies are raw
 * and their lengths decide their contents. */
#ifndef TERN_TESTS_TALK_H
#define TERN_TESTS_TALK_H

#include "body.h"
#include "cluster.h"

enum { TALK_MAX_CALLS = 4096, TALK_MAX_HELD = 64 };

typedef struct talk {
    cluster c;
    uint32_t n_calls, n_done, n_served, n_gone;
    uint32_t n_cancelled, n_expired; /* requests being served whose handler heard that nobody waits */
    uint32_t n_status[17];
    tern_time first_done, last_done;
    uint32_t n_up, n_lost;
    bool hold; /* requests are kept and answered by talk_answer */
    tern__request *held[TALK_MAX_HELD];
    uint32_t held_bytes[TALK_MAX_HELD];
    uint32_t n_held;
    uint32_t done_order[TALK_MAX_CALLS]; /* the numbers of calls as they ended */
    struct talk_call {
        uint32_t bytes_back;
        bool done;
    } calls[TALK_MAX_CALLS];
} talk;

/* The body of this many bytes. */
body_spec talk_spec(size_t bytes);

/* A cluster whose nodes all serve. The cluster's callbacks and user are set here. */
int talk_init(talk *t, uint64_t seed, cluster_config *config);

/* Frees all. Returns the error of the cluster, or NULL. */
const char *talk_fini(talk *t);

/* Returns what tern__engine_request returns; what it sent has left. */
int talk_call(talk *t, uint32_t node, tern__csession *session, size_t bytes, uint32_t bytes_back, tern_dur timeout);

/* Cancel the i-th call. False: it has ended. */
bool talk_cancel(talk *t, uint32_t node, tern__csession *session, uint32_t i);

/* Answer the i-th request that is held. */
int talk_answer(talk *t, uint32_t node, uint32_t i);

/* Run until all calls have ended, at most this long. */
void talk_finish(talk *t, tern_dur bound);

#endif

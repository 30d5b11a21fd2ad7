/* How many calls a server admits, and what it says of that in its responses (docs/protocol.md, Admission).
 *
 * The server counts the requests that run, single calls of all clients, against config.max_running_calls. At the bound
 * a request is rejected before its handler, with the time after which the client may ask again; near the bound each
 * response says how many calls its session may have at once. The client keeps to both by refusing calls itself.
 * A server with a queue_target does the same while it is overloaded, by how long calls wait (overload.h): then grants
 * say how many calls of a session end in time, and may be more than its slots: the client counts its backlog, too. And
 * each client with a queue_target refuses calls that would wait too long in its own backlog. Sessions that are
 * concerned take no short way: a server's while there is a bound, and now and then while it is overloaded, so that it
 * is told again; a client's while something is said. */
#ifndef TERN_ENGINE_ADMISSION_H
#define TERN_ENGINE_ADMISSION_H

#include "engine/engine_record.h"

enum {
    TERN__ADMISSION_GRANT = 0x7fff, /* of the word: the grant */
    TERN__ADMISSION_HOLDS = 0x8000, /* what is said holds beyond responses that say nothing */
    TERN__ADMISSION_RETRY_AT = 16,  /* the time begins at this bit ... */
    TERN__ADMISSION_RETRY = 0x7fff, /* ... and has as many as these, in ms */
    TERN__MAX_RETRY_MS = 30000,     /* a server that asks for more is taken to ask for this */
};
#define TERN__ADMISSION_NOT_RUN (1u << 31)

/* ---- The server ----------------------------------------------------------------------------------- */
/* Whether as many requests run as may. */
static inline bool tern__admission_is_full(const tern__engine *e) {
    return e->config.max_running_calls && e->n_admitted >= e->config.max_running_calls;
}
/* The same where there is a bound or a queue_target. */
bool tern__admission_enter_counted(tern__request *request);
/* The request, whose handler is about to run, is counted until it is answered. False: it may not run. */
static inline bool tern__admission_enter(tern__request *request) {
    const tern__engine_config *config = &request->session->s.engine->config;
    return (!config->queue_target && !config->max_running_calls) || tern__admission_enter_counted(request);
}
/* A status as the engine's user says it (with TERN__NOT_RUN, or without), for request->status. */
static inline uint8_t tern__status_to_send(int status) {
    bool not_run = status > TERN__NOT_RUN;
    int plain = not_run ? status - TERN__NOT_RUN : status;
    bool known = plain >= TERN_STATUS_OK && plain <= TERN_STATUS_UNAUTHENTICATED;
    return (uint8_t)((known ? plain : TERN_STATUS_UNKNOWN) | (not_run ? TERN__STATUS_NOT_RUN : 0));
}
/* A request that was counted has ended. */
void tern__admission_leave(tern__request *request);
/* With a queue_target, at the beginning of each poll: idle: the last poll found nothing to do, and time has been spare
 * since. Sessions that are about to be counted leave the short ways, some in each poll. */
void tern__admission_report(tern__engine *e, bool idle, tern_time now);
/* The word `admission` of a response whose status (with TERN__STATUS_NOT_RUN, or without) is this. */
uint32_t tern__admission_say(const tern__ssession *ss, uint8_t status);

/* ---- The client ----------------------------------------------------------------------------------- */
/* What packet 0 of an expected response says of admission, and of its call, which an error ends: that in slot i. */
void tern__admission_hear(tern__csession *cs, uint32_t i, const tern__pkt_header *h, tern_time now);
/* When calls of the backlog may begin; TERN__NEVER: none waits for a time. */
tern_time tern__admission_due(const tern__csession *cs);
/* Whether a new call has to be refused; only of sessions that are bounded. */
bool tern__admission_refuses(const tern__csession *cs, tern_time now);
/* With a queue_target, of a session with a backlog: whether a new call would wait there for too long. deadline: 0:
 * none. */
bool tern__admission_would_wait(const tern__csession *cs, tern_time deadline, tern_time now);
/* The same: a call of the backlog begins; the session has slots. */
void tern__admission_waited(tern__csession *cs, tern_time now);
/* How long the session will refuse all calls; 0: it may admit one now. */
tern_dur tern__admission_retry_after(const tern__csession *cs, tern_time now);
/* A call begins, which was not refused. If the server's time has just passed, this call asks for all: the next one may
 * begin when this one is answered, or after as long a time again, so that a call that takes long shuts nobody out. */
void tern__admission_begun(tern__csession *cs, tern_time now);
/* Whether a call of the backlog may begin. If the time for that has not come, the session's timer is set to it. */
bool tern__admission_lets_wait_end(tern__csession *cs, tern_time now);

#endif

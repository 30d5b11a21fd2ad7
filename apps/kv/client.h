/* What every command that talks to a server shares: an endpoint with one session, waiting, and complaints
 * that say which server, which call and why. */
#ifndef KV_CLIENT_H
#define KV_CLIENT_H

#include "cli.h"
#include "tern/rpc.h"

typedef struct client {
    tern_endpoint *ep;
    tern_session *session;
    const char *address;       /* borrowed */
    bool busy;                 /* the last wait found packets */
    const tern_result *result; /* of the last call with client_call_and_tell(), or NULL */
} client;

/* Thirty seconds: a server that is alive and never answers does not hang us. */
extern const tern_call_opts client_call_opts;

/* The same for a call that waits, whose error client_complain() then explains in the server's words. */
tern_call_opts client_call_and_tell(client *c);

/* Returns 0, or the exit code after a complaint; then nothing needs closing. */
int client_open(client *c, const char *address);
void client_close(client *c);

/* Handle what has arrived; when nothing had last time, sleep until something does. False when the endpoint is broken,
 * after a complaint. */
bool client_wait(client *c);

/* How many files, `most` at most, may be open at once so that the session still gets the descriptors that it needs; at
 * least one. */
unsigned client_files_at_once(unsigned most);

/* Complain that `what` (a call and its subject) ended with this status, or, when negative, TERN_ERR_*, in the words of
 * the call's result if it has any: of the one whose continuation runs, or of the last client_call_and_tell(). Returns
 * the exit code that fits. */
int client_complain(const client *c, const char *what, int status);

/* The sentence for a call's status, or strerror's for a TERN_ERR_*. */
const char *client_status_text(int status);

/* A log callback that puts warnings and errors on stderr. */
void client_log(void *user, tern_log_level level, const char *line);

/* How long calls may wait in the backlog of this process (tern_endpoint_config.queue_target); 0: for any time. */
extern tern_dur client_queue_target;

/* Where the endpoint of this process writes its trace (kv --trace FILE); NULL: nowhere. */
extern const char *client_trace_path;

/* Begin the trace, if one is wanted. Returns 0, or the exit code of the program after a complaint. */
int client_trace(tern_endpoint *ep);

#endif

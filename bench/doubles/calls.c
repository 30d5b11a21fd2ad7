/* The process that streams flow to (calls.h). */
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tern/call_stream.h"

enum { ADDRESS_BYTES = 128 };

static struct {
    pid_t server;
    char folder[64], addresses[2][ADDRESS_BYTES]; /* shm, udp */
    tern_endpoint *client;
    tern_session *session;
} state;

/* ---- The server ----------------------------------------------------------------------------------- */

static void drop(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)len, (void)user;
}

/* Some work on each double, as a receiver has that does something with them. */
static void sum(tern_stream stream, const void *data, size_t len, void *user) {
    static double total;
    (void)stream, (void)user;
    for (size_t i = 0; i + sizeof(double) <= len; i += sizeof(double)) {
        double x;
        memcpy(&x, (const char *)data + i, sizeof x);
        total = total * 0.5 + x;
    }
}

static void finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void accept_stream(tern_stream stream, void *user) {
    const tern_stream_events dropping = TERN_STREAM_EVENTS(.on_data = drop, .on_finished = finished);
    const tern_stream_events summing = TERN_STREAM_EVENTS(.on_data = sum, .on_finished = finished);
    tern_stream_accept(stream, NULL, user ? &summing : &dropping, NULL);
}

static void serve(int ready) {
    tern_endpoint *ep;
    char shm[96];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(shm, sizeof shm, "shm://%s/s", state.folder);
    if (tern_endpoint_new(NULL, &ep) || tern_serve_stream(ep, CALLS_DROP, accept_stream, NULL) ||
        tern_serve_stream(ep, CALLS_SUM, accept_stream, ep) || tern_listen(ep, shm) ||
        tern_listen(ep, "udp://127.0.0.1:0"))
        _exit(1);
    for (unsigned i = 0; i < 2; i++) snprintf(state.addresses[i], ADDRESS_BYTES, "%s", tern_listen_address(ep, i));
    if (write(ready, state.addresses, sizeof state.addresses) != sizeof state.addresses) _exit(1);
    tern_run(ep);
    _exit(0);
}

bool calls_start(void) {
    int fds[2];
    snprintf(state.folder, sizeof state.folder, "/tmp/tern-bench-XXXXXX");
    if (!mkdtemp(state.folder) || pipe(fds)) return false;
    state.server = fork();
    if (state.server == 0) serve(fds[1]);
    close(fds[1]);
    bool up = state.server > 0 && read(fds[0], state.addresses, sizeof state.addresses) == sizeof state.addresses;
    close(fds[0]);
    if (!up) fprintf(stderr, "stream: the server process cannot listen\n");
    return up;
}

void calls_stop(void) {
    tern_endpoint_free(state.client);
    kill(state.server, SIGTERM);
    waitpid(state.server, NULL, 0);
    char path[96];
    snprintf(path, sizeof path, "%s/s", state.folder);
    unlink(path);
    rmdir(state.folder);
}

/* ---- The client ----------------------------------------------------------------------------------- */

bool calls_open(const char *port, calls_method method, tern_stream *stream) {
    const tern_stream_events events = TERN_STREAM_EVENTS();
    const char *address = state.addresses[!strcmp(port, "udp")];
    int err = state.client ? 0 : tern_endpoint_new(NULL, &state.client);
    if (!err) err = tern_connect(state.client, address, &state.session);
    if (!err) err = tern_stream_start(state.session, method, NULL, &events, NULL, stream);
    if (!err) return true;
    fprintf(stderr, "stream: %s: %s\n", address, tern_strerror(err));
    return false;
}

void calls_close(const tern_stream *call) {
    tern_stream_finish(*call);
    tern_stream_wait(*call);
    tern_session_close(state.session);
}

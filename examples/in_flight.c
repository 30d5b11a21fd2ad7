/* Many calls in flight from one thread, answered out of order as they come: start them all, poll until they are
 * done. The server runs in the same process, on a second endpoint, so that this is a program of its own. */
#include <stdio.h>
#include <tern/tern.h>

#include "greet.tern.h"

enum { N_CALLS = 1000 };

static void hello(tern_call call, const greet_HelloRequest *request, void *user) {
    (void)user;
    greet_Greeter_Hello_reply(call, &(greet_HelloResponse){.text = request->name});
}

static void done(void *user, int status, const greet_HelloResponse *response) {
    int *n_ok = user;
    if (status == TERN_STATUS_OK && response->text.len > 0) ++*n_ok;
}

int main(void) {
    tern_endpoint *server = NULL, *client = NULL;
    tern_session *session;
    int n_ok = 0, n_started = 0;

    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = tern_log_stderr; /* says why something fails */
    int err = tern_endpoint_new(&config, &server);
    if (!err) err = greet_Greeter_serve(server, &(greet_Greeter_handlers){.Hello = hello}, NULL);
    if (!err) err = tern_listen(server, "udp://127.0.0.1:0");
    if (!err) err = tern_endpoint_new(&config, &client);
    if (!err) err = tern_connect(client, tern_listen_address(server, 0), &session);

    greet_HelloRequest request = {.name = tern_str_of("world")};
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 10 * TERN_SEC);
    while (!err && n_ok < N_CALLS) {
        while (n_started < N_CALLS) {
            int full = greet_Greeter_Hello(session, &request, &opts, done, &n_ok);
            if (full) break; /* TERN_ERR_FULL: let some finish first */
            n_started++;
        }
        tern_poll(client);
        tern_poll(server);
    }
    if (!err) printf("%d calls answered\n", n_ok);
    if (err) fprintf(stderr, "in_flight: %s\n", tern_strerror(err));
    tern_endpoint_free(client);
    tern_endpoint_free(server);
    return err ? 1 : 0;
}

#include <stdio.h>
#include <tern/tern.h>

#include "greet.tern.h"

static void hello(tern_call call, const greet_HelloRequest *request, void *user) {
    (void)user;
    char text[128];
    int len = snprintf(text, sizeof text, "Hello, %.*s!", (int)request->name.len, request->name.data);
    if (len >= (int)sizeof text) len = sizeof text - 1;
    greet_HelloResponse response = {.text = {text, (size_t)len}};
    greet_Greeter_Hello_reply(call, &response); /* text is ours again when this returns */
}

int main(int argc, char **argv) {
    tern_endpoint *ep = NULL;
    greet_Greeter_handlers handlers = {.Hello = hello};
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = tern_log_stderr; /* says why something fails */
    int err = tern_endpoint_new(&config, &ep);
    if (!err) err = greet_Greeter_serve(ep, &handlers, NULL);
    if (!err) err = tern_listen(ep, argc > 1 ? argv[1] : "udp://127.0.0.1:7000");
    if (!err) printf("serving at %s\n", tern_listen_address(ep, 0));
    fflush(stdout);
    if (!err) err = tern_run(ep); /* sleeps when idle */
    if (err) fprintf(stderr, "greet_server: %s\n", tern_strerror(err));
    tern_endpoint_free(ep);
    return err ? 1 : 0;
}

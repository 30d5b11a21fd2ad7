#include <stdio.h>
#include <tern/tern.h>

#include "greet.tern.h"

int main(int argc, char **argv) {
    tern_endpoint *ep = NULL;
    tern_session *session;
    greet_HelloRequest request = {.name = tern_str_of(argc > 2 ? argv[2] : "world")};
    const greet_HelloResponse *response = NULL;
    tern_call_opts opts = {.timeout = 2 * TERN_SEC};

    int status = tern_endpoint_new(NULL, &ep);
    if (status == 0) status = tern_connect(ep, argc > 1 ? argv[1] : "udp://127.0.0.1:7000", &session);
    if (status == 0) status = greet_Greeter_Hello_wait(session, &request, &opts, &response);
    if (status == TERN_STATUS_OK)
        printf("%.*s\n", (int)response->text.len, response->text.data);
    else
        fprintf(stderr, "greet_client: %s\n", status < 0 ? tern_strerror(status) : tern_status_name(status));
    tern_release(response);
    tern_endpoint_free(ep);
    return status != TERN_STATUS_OK;
}

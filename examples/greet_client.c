#include <stdio.h>
#include <tern/tern.h>

#include "greet.tern.h"

int main(int argc, char **argv) {
    tern_endpoint *ep = NULL;
    tern_session *session;
    greet_HelloRequest request = {.name = tern_str_of(argc > 2 ? argv[2] : "world")};
    const greet_HelloResponse *response = NULL;
    const tern_result *result = NULL; /* what there is to say of a failed call */
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 2 * TERN_SEC, .result = &result);

    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = tern_log_stderr; /* says why something fails */
    int status = tern_endpoint_new(&config, &ep);
    if (status == 0) status = tern_connect(ep, argc > 1 ? argv[1] : "udp://127.0.0.1:7000", &session);
    if (status == 0) status = greet_Greeter_Hello_wait(session, &request, &opts, &response);
    if (status == TERN_STATUS_OK)
        printf("%.*s\n", (int)response->text.len, response->text.data);
    else if (status < 0)
        fprintf(stderr, "greet_client: %s\n", tern_strerror(status));
    else
        fprintf(stderr, "greet_client: %s: %.*s\n", tern_status_name(status), (int)tern_result_message(result).len,
                tern_result_message(result).data);
    tern_result_free(result);
    tern_release(response);
    tern_endpoint_free(ep);
    return status != TERN_STATUS_OK;
}

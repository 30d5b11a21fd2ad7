/* Metadata and errors: a trace travels with each request as W3C's traceparent, the server adds how long it took as
 * trailing metadata, and an error says why in words. */
#include <stdio.h>
#include <string.h>
#include <tern/tern.h>

#include "greet.tern.h"

/* The caller's trace, or an empty string: "00-TRACE-SPAN-FLAGS". */
static void take_trace(tern_call call, char *out, size_t cap) {
    tern_bytes trace = tern_metadata_find(tern_call_metadata(call), "traceparent");
    size_t n = trace.len < cap ? trace.len : cap - 1;
    if (n) memcpy(out, trace.data, n);
    out[n] = 0;
}

static void hello(tern_call call, const greet_HelloRequest *request, void *user) {
    (void)user;
    char trace[64], text[128];
    take_trace(call, trace, sizeof trace);
    printf("server: a call of trace %s\n", trace[0] ? trace : "none");
    tern_call_add_trailing(call, "server-timing", tern_bytes_of("total;dur=0.1", 13));
    if (request->name.len == 0) {
        tern_fail_with(call, TERN_STATUS_INVALID_ARGUMENT, "a name has at least one letter", (tern_bytes){0}, NULL, 0);
        return;
    }
    int len = snprintf(text, sizeof text, "Hello, %.*s!", (int)request->name.len, request->name.data);
    greet_HelloResponse response = {.text = {text, len < (int)sizeof text ? (size_t)len : sizeof text - 1}};
    greet_Greeter_Hello_reply(call, &response);
}

/* One call of a trace, and all that there is to say of how it went. */
static int greet(tern_session *session, const char *name) {
    static const char trace[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    tern_pair pair = {"traceparent", tern_bytes_of(trace, strlen(trace))};
    const tern_result *result = NULL;
    tern_call_opts opts =
        TERN_CALL_OPTS(.timeout = 2 * TERN_SEC, .metadata = &pair, .n_metadata = 1, .result = &result);
    greet_HelloRequest request = {.name = tern_str_of(name)};
    const greet_HelloResponse *response = NULL;
    int status = greet_Greeter_Hello_wait(session, &request, &opts, &response);
    tern_str message = tern_result_message(result);
    if (status == TERN_STATUS_OK)
        printf("client: %.*s\n", (int)response->text.len, response->text.data);
    else if (status > 0)
        printf("client: %s: %.*s\n", tern_status_name(status), (int)message.len, message.len ? message.data : "");
    tern_str key;
    tern_bytes value;
    for (size_t at = 0; tern_metadata_next(tern_result_metadata(result), &at, &key, &value);)
        printf("client: %.*s: %.*s\n", (int)key.len, key.data, (int)value.len, (const char *)value.data);
    tern_result_free(result);
    tern_release(response);
    return status;
}

int main(void) {
    tern_endpoint *ep = NULL;
    tern_session *session;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = tern_log_stderr; /* says why something fails */
    int err = tern_endpoint_new(&config, &ep);
    if (!err) err = greet_Greeter_serve(ep, &(greet_Greeter_handlers){.Hello = hello}, NULL);
    if (!err) err = tern_listen(ep, "udp://127.0.0.1:0");
    if (!err) err = tern_connect(ep, tern_listen_address(ep, 0), &session); /* an endpoint may call itself */
    bool right =
        !err && greet(session, "world") == TERN_STATUS_OK && greet(session, "") == TERN_STATUS_INVALID_ARGUMENT;
    if (err) fprintf(stderr, "traced: %s\n", tern_strerror(err));
    tern_endpoint_free(ep);
    return right ? 0 : 1;
}

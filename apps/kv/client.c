/* One endpoint, one session, one thread. */
#include "client.h"

#include <poll.h>
#include <sys/resource.h>
#include <time.h>

const tern_call_opts client_call_opts = {.size = sizeof(tern_call_opts), .timeout = 30 * TERN_SEC};

void client_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level <= TERN_LOG_WARN) cli_complain("%s", line);
}

const char *client_status_text(int status) {
    switch (status) {
#define STATUS(name, value, text)                                                                                      \
    case value: return text;
        TERN_STATUS_LIST(STATUS)
#undef STATUS
    default: return tern_strerror(status);
    }
}

tern_call_opts client_call_and_tell(client *c) {
    tern_call_opts opts = client_call_opts;
    tern_result_free(c->result);
    c->result = NULL;
    opts.result = &c->result;
    return opts;
}

/* What the server, or tern, says of a call that ended so. Control characters, which a terminal would obey, are left
 * out. False: nothing. */
static bool message_of(const client *c, int status, char *out, size_t cap) {
    const tern_result *result = tern_call_result(c->ep);
    if (!result) result = c->result;
    tern_str message = tern_result_message(result);
    size_t n = 0;
    if (!result || (int)tern_result_status(result) != status) return false;
    for (size_t i = 0; i < message.len && n + 1 < cap; i++)
        if ((unsigned char)message.data[i] >= ' ' && message.data[i] != 0x7f) out[n++] = message.data[i];
    out[n] = 0;
    return n > 0;
}

int client_complain(const client *c, const char *what, int status) {
    char message[512];
    if (status < 0) {
        cli_complain("%s: %s: %s", c->address, what, tern_strerror(status));
        return status == TERN_ERR_ADDRESS ? CLI_USAGE : CLI_SERVER;
    }
    bool told = message_of(c, status, message, sizeof message);
    cli_complain("%s: %s: %s: %s", c->address, what, tern_status_name(status),
                 told ? message : client_status_text(status));
    return status == TERN_STATUS_NOT_FOUND ? CLI_DATA : CLI_SERVER;
}

const char *client_trace_path;

int client_trace(tern_endpoint *ep) {
    int err = client_trace_path ? tern_endpoint_trace(ep, client_trace_path) : 0;
    if (!err) return 0;
    cli_complain("--trace: %s: %s", client_trace_path, tern_strerror(err));
    return CLI_LOCAL;
}

tern_dur client_queue_target;

int client_open(client *c, const char *address) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = client_log;
    config.queue_target = client_queue_target;
    *c = (client){.address = address};
    int err = tern_endpoint_new(&config, &c->ep);
    if (err) {
        cli_complain("cannot make an endpoint: %s", tern_strerror(err));
        return CLI_LOCAL;
    }
    int code = client_trace(c->ep);
    err = code ? 0 : tern_connect(c->ep, address, &c->session);
    if (!code && !err) return 0;
    tern_endpoint_free(c->ep);
    if (code) return code;
    if (err == TERN_ERR_NOMEM) return client_complain(c, "connect", err);
    return err == TERN_ERR_ADDRESS ? CLI_USAGE : CLI_SERVER; /* the log has said why */
}

void client_close(client *c) {
    tern_result_free(c->result);
    tern_session_close(c->session);
    tern_endpoint_free(c->ep);
    *c = (client){0};
}

/* For the endpoint, its pool and its session, which over shm are the peer's regions, too. */
enum { OTHER_DESCRIPTORS = 32 };

unsigned client_files_at_once(unsigned most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OTHER_DESCRIPTORS + most) return most;
    return limit.rlim_cur > OTHER_DESCRIPTORS ? (unsigned)limit.rlim_cur - OTHER_DESCRIPTORS : 1;
}

static void sleep_until_due(client *c) {
    tern_dur timeout = tern_next_timeout(c->ep);
    if (timeout == 0) return;
    struct timespec ts = {.tv_sec = timeout / TERN_SEC, .tv_nsec = timeout % TERN_SEC};
    struct pollfd pfd = {.fd = tern_fd(c->ep), .events = POLLIN};
    ppoll(&pfd, 1, timeout < 0 ? NULL : &ts, NULL);
}

bool client_wait(client *c) {
    /* Sleep before the poll, never after it: a poll without packets may still have ended calls, and the caller
     * must get to see that. */
    if (!c->busy) sleep_until_due(c);
    int n = tern_poll(c->ep);
    c->busy = n > 0;
    if (n >= 0) return true;
    cli_complain("%s: %s", c->address, tern_strerror(n));
    return false;
}

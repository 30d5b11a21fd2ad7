/* A server that has no descriptors left for a while: whoever connects then is accepted afterwards, and until then the
 * server sleeps. Client and server share this thread; their sockets are made before the limit is lowered. */
#include "tap.h"

#include <poll.h>
#include <sys/resource.h>
#include <time.h>

#include "base/base.h"
#include "server_thread.h"
#include "tern/rpc.h"

enum { METHOD = 1, LINE_BYTES = 200 };

typedef struct client {
    tern_endpoint *ep;
    tern_session *session;
    uint32_t n_done;
    int status;
} client;

typedef struct fixture {
    tern_endpoint *server;
    client present, waiting; /* accepted before the descriptors were out, and not */
    struct rlimit limit;
    uint32_t n_short, n_again; /* lines in the log */
    char line[LINE_BYTES];
} fixture;

static fixture fx;

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static void on_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level > TERN_LOG_WARN) return;
    bool is_short = strstr(line, "EMFILE") != NULL;
    fx.n_short += is_short;
    fx.n_again += strstr(line, "accepted again") != NULL;
    if (is_short) snprintf(fx.line, sizeof fx.line, "%s", line);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    client *c = user;
    (void)response;
    c->n_done++;
    c->status = status;
}

static void poll_all(void) {
    tern_poll(fx.server);
    if (fx.present.ep) tern_poll(fx.present.ep);
    if (fx.waiting.ep) tern_poll(fx.waiting.ep);
}

static void begin(const char *address) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = on_log;
    fx = (fixture){0};
    getrlimit(RLIMIT_NOFILE, &fx.limit);
    CHECK_EQ(tern_endpoint_new(&config, &fx.server), 0);
    CHECK_EQ(tern_serve_raw(fx.server, METHOD, echo, NULL), 0);
    CHECK_EQ(tern_listen(fx.server, address), 0);
}

static void start_call(client *c) {
    if (!c->ep) CHECK_EQ(tern_endpoint_new(NULL, &c->ep), 0);
    if (!c->session) CHECK_EQ(tern_connect(c->ep, tern_listen_address(fx.server, 0), &c->session), 0);
    CHECK_EQ(tern_call_start_raw(c->session, METHOD, tern_bytes_of("x", 1), NULL, on_done, c), 0);
}

static void finish_call(client *c, uint32_t n_done) {
    for (tern_time end = now() + 20 * TERN_SEC; c->n_done < n_done && now() < end;) poll_all();
    CHECK_EQ(c->n_done, n_done);
    CHECK_EQ(c->status, TERN_STATUS_OK);
}

static void end(void) {
    tern_endpoint_free(fx.present.ep);
    tern_endpoint_free(fx.waiting.ep);
    tern_endpoint_free(fx.server);
}

static void use_up_descriptors(void) {
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 3, .rlim_max = fx.limit.rlim_max});
}

static void restore_descriptors(void) { setrlimit(RLIMIT_NOFILE, &fx.limit); }

/* The server as tern_run() would drive it, for this long. Returns how often it woke up. */
static uint32_t drive_asleep(tern_dur span) {
    uint32_t n_wakes = 0;
    for (tern_time at = now(), until = at + (tern_time)span; at < until; at = now(), n_wakes++) {
        tern_dur timeout = tern_next_timeout(fx.server), left = (tern_dur)(until - at);
        if (timeout < 0 || timeout > left) timeout = left;
        struct timespec ts = {.tv_sec = timeout / TERN_SEC, .tv_nsec = timeout % TERN_SEC};
        struct pollfd pfd = {.fd = tern_fd(fx.server), .events = POLLIN};
        if (timeout > 0) ppoll(&pfd, 1, &ts, NULL);
        for (int i = 0; i < 4; i++) tern_poll(fx.server);
    }
    return n_wakes;
}

static void shortage(const char *address, bool with_peer) {
    enum { MAX_WAKES = 200 }; /* in 0.4 s: each pause brings a few, and a server that never sleeps 100,000 */
    begin(address);
    CHECK_OK();
    if (with_peer) {
        start_call(&fx.present);
        CHECK_OK();
        finish_call(&fx.present, 1);
        CHECK_OK();
    }
    start_call(&fx.waiting);
    CHECK_OK();
    use_up_descriptors();
    uint32_t n_wakes = drive_asleep(400 * TERN_MS);
    restore_descriptors();
    CHECK_EQ(fx.n_short, 1);
    CHECK(strncmp(fx.line, address, strcspn(address, ":") + 1) == 0);
    CHECK_EQ(fx.n_again, 0);
    CHECK(n_wakes < MAX_WAKES);
    CHECK_EQ(fx.waiting.n_done, 0);
    finish_call(&fx.waiting, 1);
    CHECK_OK();
    CHECK_EQ(fx.n_again, 1);
    end();
}

static void accept__goes_on_after_a_shortage(void) {
    for (size_t a = 1; a < 4; a++) {
        shortage(server_addresses()[a], true);
        CHECK_OK();
    }
}

static void accept__goes_on_without_any_other_peer(void) {
    for (size_t a = 1; a < 4; a++) {
        shortage(server_addresses()[a], false);
        CHECK_OK();
    }
}

/* A server that sleeps is woken by the end of the pause, when nothing else would wake it. */
static void accept__goes_on_from_sleep(void) {
    for (size_t a = 1; a < 4; a++) {
        begin(server_addresses()[a]);
        CHECK_OK();
        start_call(&fx.waiting);
        CHECK_OK();
        use_up_descriptors();
        drive_asleep(20 * TERN_MS);
        restore_descriptors();
        CHECK_EQ(fx.n_short, 1);
        drive_asleep(300 * TERN_MS);
        CHECK_EQ(fx.n_again, 1);
        finish_call(&fx.waiting, 1);
        CHECK_OK();
        end();
    }
}

/* Where files may not be as long as a channel, who dials is told so, not only that nobody can be reached. */
static void note_reason(void *user, tern_log_level level, const char *line) {
    (void)level;
    *(bool *)user |= strstr(line, "cannot connect to ") && strstr(line, "File too large");
}

static void dial__says_that_files_are_limited(void) {
    char address[64];
    struct rlimit before;
    bool said = false;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = note_reason;
    config.log_user = &said;
    snprintf(address, sizeof address, "shm:///tmp/tern-files-%d.sock", (int)getpid());
    begin(address);
    CHECK_OK();
    CHECK_EQ(tern_endpoint_new(&config, &fx.present.ep), 0);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit low = {.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    start_call(&fx.present);
    for (tern_time until = now() + 20 * TERN_SEC; !fx.present.n_done && now() < until;) poll_all();
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    CHECK_EQ(fx.present.status, TERN_STATUS_UNAVAILABLE);
    CHECK(said);
    start_call(&fx.present);
    finish_call(&fx.present, 2);
    end();
}

/* What wants a descriptor itself fails for what it is: in the error, and in the log. */
static void connect__says_that_none_is_left(void) {
    for (size_t a = 0; a < 4; a++) {
        tern_session *session = NULL;
        begin(server_addresses()[a]);
        CHECK_OK();
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.log = on_log;
        CHECK_EQ(tern_endpoint_new(&config, &fx.waiting.ep), 0);
        /* The port has its own descriptors by now. */
        CHECK_EQ(tern_connect(fx.waiting.ep, tern_listen_address(fx.server, 0), &fx.waiting.session), 0);
        char other[256];
        snprintf(other, sizeof other, "%s", tern_listen_address(fx.server, 0));
        size_t len = strlen(other);
        if (strchr(other + 6, '/')) /* a path: another one */
            snprintf(other + len, sizeof other - len, "x");
        else
            snprintf(strrchr(other, ':'), 8, ":1");
        use_up_descriptors();
        int err = tern_connect(fx.waiting.ep, other, &session);
        restore_descriptors();
        bool is_shared = strncmp(other, "udp:", 4) == 0; /* whose second socket serves all further peers */
        if (!is_shared || err) {
            CHECK_EQ(err, TERN_ERR_LIMIT);
            CHECK(fx.n_short >= 1);
        }
        end();
        CHECK_OK();
    }
}

static void listen__says_that_none_is_left(void) {
    for (size_t a = 0; a < 4; a++) {
        begin(server_addresses()[a]);
        CHECK_OK();
        char other[256];
        snprintf(other, sizeof other, "%s", server_addresses()[a]);
        size_t len = strlen(other);
        if (strchr(other + 6, '/')) snprintf(other + len, sizeof other - len, "x");
        fx.n_short = 0;
        use_up_descriptors();
        int err = tern_listen(fx.server, other);
        restore_descriptors();
        CHECK_EQ(err, TERN_ERR_LIMIT);
        CHECK_EQ(fx.n_short, 1);
        end();
        CHECK_OK();
    }
}

TAP_MAIN(TEST(connect__says_that_none_is_left), TEST(listen__says_that_none_is_left),
         TEST(accept__goes_on_after_a_shortage), TEST(accept__goes_on_without_any_other_peer),
         TEST(accept__goes_on_from_sleep), TEST(dial__says_that_files_are_limited))

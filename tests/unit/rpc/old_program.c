/* A program that was built with an older header: its structs have fewer members. It includes no header of tern and
 * declares what it uses itself, as a program in another language does: exported functions alone. All structs end where
 * their memory ends, so that a sanitizer sees a library that reads or writes beyond them. */
#include "old_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct old_config {
    size_t size;
    void (*log)(void *user, int level, const char *line);
    void *log_user;
    uint32_t max_sessions, max_message_bytes;
} old_config;

typedef struct old_handle {
    void *ep;
    uint64_t id;
} old_handle;

typedef struct old_call_opts {
    size_t size;
    int64_t timeout;
} old_call_opts;

typedef struct old_stream_opts {
    size_t size;
    int64_t timeout;
} old_stream_opts;

typedef struct old_events {
    size_t size;
    void (*on_data)(old_handle stream, const void *data, size_t len, void *user);
} old_events;

typedef struct old_stats {
    uint64_t tx_packets, rx_packets;
} old_stats;

typedef struct old_bytes {
    const void *data;
    size_t len;
} old_bytes;

void tern_endpoint_config_init_sized(old_config *config, size_t size);
int tern_endpoint_new(const old_config *config, void **out);
int tern_endpoint_free(void *ep);
int tern_endpoint_get_stats_sized(const void *ep, old_stats *stats, size_t size);
int tern_listen(void *ep, const char *address);
int tern_connect(void *ep, const char *address, void **session);
int tern_poll(void *ep);
int tern_serve_raw(void *ep, uint32_t method, void (*handler)(old_handle call, const void *request, void *user),
                   void *user);
int tern_serve_stream(void *ep, uint32_t method, void (*handler)(old_handle stream, void *user), void *user);
int tern_call_start_raw(void *session, uint32_t method, old_bytes request, const old_call_opts *opts,
                        void (*done)(void *user, int status, const void *response), void *user);
int tern_stream_start(void *session, uint32_t method, const old_stream_opts *opts, const old_events *events, void *user,
                      old_handle *stream);
int tern_stream_accept(old_handle stream, const old_stream_opts *opts, const old_events *events, void *user);
int tern_stream_send(old_handle stream, old_bytes bytes);
int tern_stream_finish(old_handle stream);

static int call_status, n_received;

/* Exactly this many bytes. */
static void *copy_of(const void *from, size_t size) {
    void *p = malloc(size);
    if (!p) abort();
    return memcpy(p, from, size);
}

static void never(old_handle call, const void *request, void *user) { (void)call, (void)request, (void)user; }

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    call_status = status;
}

static void on_data(old_handle stream, const void *data, size_t len, void *user) {
    (void)stream, (void)user;
    if (len == 5 && memcmp(data, "hello", len) == 0) n_received++;
}

static int accept_status;

static void accept_stream(old_handle stream, void *user) {
    old_stream_opts *opts = copy_of(&(old_stream_opts){.size = sizeof *opts}, sizeof *opts);
    old_events *events = copy_of(&(old_events){sizeof *events, on_data}, sizeof *events);
    (void)user;
    accept_status = tern_stream_accept(stream, opts, events, NULL);
    free(opts);
    free(events);
}

static int start_both(void *session) {
    old_call_opts *opts = copy_of(&(old_call_opts){sizeof *opts, 20000000}, sizeof *opts);
    old_stream_opts *how = copy_of(&(old_stream_opts){sizeof *how, 0}, sizeof *how);
    old_events *events = copy_of(&(old_events){sizeof *events, NULL}, sizeof *events);
    old_handle stream;
    int err = tern_call_start_raw(session, 7, (old_bytes){"x", 1}, opts, on_done, NULL);
    if (!err) err = tern_stream_start(session, 8, how, events, NULL, &stream);
    if (!err) err = tern_stream_send(stream, (old_bytes){"hello", 5});
    if (!err) err = tern_stream_finish(stream);
    free(opts);
    free(how);
    free(events);
    return err;
}

static void *new_endpoint(uint32_t max_message_bytes) {
    old_config *config = malloc(sizeof *config);
    void *ep = NULL;
    if (!config) abort();
    tern_endpoint_config_init_sized(config, sizeof *config);
    if (config->size == sizeof *config && config->max_message_bytes == 64 << 20) {
        config->max_message_bytes = max_message_bytes;
        if (tern_endpoint_new(config, &ep) != 0) ep = NULL;
    }
    free(config);
    return ep;
}

old_program_outcome old_program_run(void) {
    old_program_outcome o = {.server = new_endpoint(1 << 20), .client = new_endpoint(2 << 20)};
    char address[96];
    void *session;
    snprintf(address, sizeof address, "unix:///tmp/tern-old-%ld.sock", (long)getpid());
    call_status = accept_status = -1;
    if (!o.server || !o.client || tern_serve_raw(o.server, 7, never, NULL) != 0 ||
        tern_serve_stream(o.server, 8, accept_stream, NULL) != 0 || tern_listen(o.server, address) != 0 ||
        tern_connect(o.client, address, &session) != 0)
        return o;
    o.err = start_both(session);
    for (unsigned i = 0; i < 1u << 24 && (call_status < 0 || !n_received); i++) {
        tern_poll(o.client);
        tern_poll(o.server);
    }
    old_stats *stats = malloc(sizeof *stats);
    if (!stats) abort();
    if (tern_endpoint_get_stats_sized(o.client, stats, sizeof *stats) == 0) o.tx_packets = stats->tx_packets;
    free(stats);
    o.call_status = call_status;
    o.accept_status = accept_status;
    o.n_received = n_received;
    return o;
}

void old_program_end(const old_program_outcome *o) {
    tern_endpoint_free(o->client);
    tern_endpoint_free(o->server);
}

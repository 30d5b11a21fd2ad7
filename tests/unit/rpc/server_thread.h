/* An endpoint that serves on a thread of its own, for tests that need real threads. */
#ifndef TERN_TESTS_SERVER_THREAD_H
#define TERN_TESTS_SERVER_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/base.h"
#include "tern/rpc.h"

typedef struct server {
    const char *listen_at;                        /* NULL: nowhere */
    int (*set_up)(tern_endpoint *ep, void *user); /* on its thread */
    void *user;
    tern_log_fn *log;
    bool borrow; /* of its config */
    pthread_t thread;
    sem_t ready;
    tern_endpoint *ep;
    char address[256];
    int result; /* of tern_run() */
    tern_endpoint_stats stats;
} server;

static void *server_main(void *user) {
    server *s = user;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = s->log;
    config.log_user = s->user;
    config.borrow = s->borrow;
    s->result = tern_endpoint_new(&config, &s->ep);
    if (!s->result) s->result = s->set_up(s->ep, s->user);
    if (!s->result && s->listen_at) s->result = tern_listen(s->ep, s->listen_at);
    const char *address = s->result ? NULL : tern_listen_address(s->ep, 0);
    if (address) snprintf(s->address, sizeof s->address, "%s", address);
    bool up = s->result == 0;
    sem_post(&s->ready);
    if (up) {
        s->result = tern_run(s->ep);
        tern_endpoint_get_stats(s->ep, &s->stats);
    }
    tern_endpoint_free(s->ep);
    return NULL;
}

/* The fields up to log are the caller's. */
static inline bool server_start(server *s) {
    sem_init(&s->ready, 0, 0);
    if (pthread_create(&s->thread, NULL, server_main, s) != 0) return false;
    sem_wait(&s->ready);
    return s->ep && s->result == 0;
}

static inline int server_stop(server *s) {
    if (s->result == 0) tern_stop(s->ep);
    pthread_join(s->thread, NULL);
    sem_destroy(&s->ready);
    return s->result;
}

/* Run fn on the server's thread and wait for it. */
typedef struct server_errand {
    void (*fn)(void *user);
    void *user;
    sem_t done;
} server_errand;

static void server_do_it(void *user) {
    server_errand *errand = user;
    errand->fn(errand->user);
    sem_post(&errand->done);
}

static inline int server_do(server *s, void (*fn)(void *user), void *user) {
    server_errand errand = {.fn = fn, .user = user};
    sem_init(&errand.done, 0, 0);
    int err = tern_post(s->ep, server_do_it, &errand);
    if (!err) sem_wait(&errand.done);
    sem_destroy(&errand.done);
    return err;
}

/* One address of each kind; the files are this process's. */
static inline const char *const *server_addresses(void) {
    static char shm[64], local[64];
    static const char *addresses[4];
    snprintf(shm, sizeof shm, "shm:///tmp/tern-test-%d.sock", (int)getpid());
    snprintf(local, sizeof local, "unix:///tmp/tern-test-%d.stream", (int)getpid());
    addresses[0] = "udp://127.0.0.1:0";
    addresses[1] = shm;
    addresses[2] = "tcp://127.0.0.1:0";
    addresses[3] = local;
    return addresses;
}

#endif

#include "rpc/fork.h"

#include <pthread.h>

#include "rpc/server.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tern__node endpoints = {&endpoints, &endpoints}; /* of this process */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork(void) { pthread_mutex_unlock(&lock); }

/* The child has one thread, that which forked: no endpoint is its own, nor the call of a worker. */
static void in_child(void) {
    while (!tern__list_empty(&endpoints)) {
        tern_endpoint *ep = TERN__CONTAINER(endpoints.next, tern_endpoint, here);
        tern__list_remove(&ep->here);
        ep->owner = NULL;
        ep->inherited = true;
    }
    tern__away_here = NULL;
    tern__away_name = (tern_call){0};
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

void tern__fork_watch(tern_endpoint *ep) {
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    tern__list_append(&endpoints, &ep->here);
    pthread_mutex_unlock(&lock);
}

void tern__fork_forget(tern_endpoint *ep) {
    pthread_mutex_lock(&lock);
    tern__list_remove(&ep->here);
    pthread_mutex_unlock(&lock);
}

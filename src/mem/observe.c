/* The list of observers; see observe.h. */
#include "mem/observe.h"

#include <pthread.h>

static struct {
    pthread_rwlock_t lock;
    tern__node all;
} observers = {.lock = PTHREAD_RWLOCK_INITIALIZER, .all = {&observers.all, &observers.all}};

void tern__observe(tern__observer *observer) {
    pthread_rwlock_wrlock(&observers.lock);
    tern__list_append(&observers.all, &observer->all);
    pthread_rwlock_unlock(&observers.lock);
}

void tern__unobserve(tern__observer *observer) {
    pthread_rwlock_wrlock(&observers.lock);
    tern__list_remove(&observer->all);
    pthread_rwlock_unlock(&observers.lock);
}

#define TELL(function, ...)                                                                                            \
    do {                                                                                                               \
        pthread_rwlock_rdlock(&observers.lock);                                                                        \
        for (tern__node *n = observers.all.next; n != &observers.all; n = n->next) {                                   \
            tern__observer *o = TERN__CONTAINER(n, tern__observer, all);                                               \
            if (o->function) o->function(o, __VA_ARGS__);                                                              \
        }                                                                                                              \
        pthread_rwlock_unlock(&observers.lock);                                                                        \
    } while (0)

void tern__observe_committed(const struct tern__segment *segment, uintptr_t at, size_t len) {
    TELL(committed, segment, at, len);
}
void tern__observe_decommit(const struct tern__segment *segment, uintptr_t at, size_t len) {
    TELL(decommit, segment, at, len);
}
void tern__observe_gone(const struct tern__segment *segment) { TELL(gone, segment); }

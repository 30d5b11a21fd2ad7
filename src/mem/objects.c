/* A list under a lock. A record stays while its owner's function runs. */
#include "mem/objects.h"

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tern__objects *first; /* guarded by the lock; whether it is NULL may be read without */

void tern__objects_add(tern__objects *objects) {
    pthread_mutex_lock(&lock);
    objects->next = first;
    __atomic_store_n(&first, objects, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

void tern__objects_remove(tern__objects *objects) {
    pthread_mutex_lock(&lock);
    tern__objects **at = &first;
    while (*at && *at != objects) at = &(*at)->next;
    if (*at) __atomic_store_n(at, objects->next, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

bool tern__objects_find(const void *ptr, const struct tern_type **type) {
    bool found = false;
    if (!__atomic_load_n(&first, __ATOMIC_ACQUIRE)) return false;
    pthread_mutex_lock(&lock);
    for (const tern__objects *o = first; o && !found; o = o->next) {
        found = (uintptr_t)ptr - o->start < o->bytes;
        if (found) *type = o->type_of(o, ptr);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* An upload's number is its slot in the low bits and, above, what a keyed hash makes of a counter. */
#include "uploads.h"

static upload *free_slot(uploads *us) {
    for (size_t i = 0; i < UPLOADS_MAX; i++)
        if (!us->slots[i].number) return &us->slots[i];
    return NULL;
}

static uint64_t new_number(uploads *us, const upload *up) {
    uint64_t hash;
    do {
        us->last++;
        hash = hash_bytes(us->seed, &us->last, sizeof us->last) / UPLOADS_MAX;
    } while (!hash);
    return hash * UPLOADS_MAX + (uint64_t)(up - us->slots);
}

int uploads_begin(uploads *us, tern_str key, tern_time now, upload **out) {
    upload *up = free_slot(us);
    if (!up) return TERN_ERR_LIMIT;
    int err = store_draft_new(us->store, key, &up->draft);
    if (err) return err;
    up->number = new_number(us, up);
    up->expires = now + (tern_time)us->lease;
    us->n++;
    *out = up;
    return 0;
}

upload *uploads_find(uploads *us, uint64_t number, tern_time now) {
    upload *up = &us->slots[number % UPLOADS_MAX];
    if (!number || up->number != number) return NULL;
    if (now >= up->expires) {
        uploads_discard(us, up);
        return NULL;
    }
    up->expires = now + (tern_time)us->lease;
    return up;
}

static void leave_slot(uploads *us, upload *up) {
    *up = (upload){0};
    us->n--;
}

int uploads_commit(uploads *us, upload *up) {
    int n = store_draft_commit(us->store, up->draft);
    if (n >= 0) leave_slot(us, up);
    return n;
}

void uploads_discard(uploads *us, upload *up) {
    store_draft_discard(us->store, up->draft);
    leave_slot(us, up);
}

void uploads_expire(uploads *us, tern_time now) {
    for (size_t i = 0; i < UPLOADS_MAX && us->n > 0; i++)
        if (us->slots[i].number && now >= us->slots[i].expires) uploads_discard(us, &us->slots[i]);
}

void uploads_discard_all(uploads *us) { uploads_expire(us, UINT64_MAX); }

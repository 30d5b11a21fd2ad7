/* The server's unfinished uploads: drafts of the store, each under a number that its client has been told. An upload
 * that no call has asked for during its lease is discarded, so that a client that died, or lost its way to the server,
 * leaves nothing behind. Time is an argument. */
#ifndef KV_UPLOADS_H
#define KV_UPLOADS_H

#include "store.h"
#include "tern/rpc.h"

enum { UPLOADS_MAX = 1024 };

typedef struct upload {
    uint64_t number; /* 0: free */
    store_draft *draft;
    tern_time expires;
} upload;

/* The owner's storage; begins all zero, with these three set. */
typedef struct uploads {
    store *store;
    tern_dur lease;
    hash_seed seed; /* of the numbers, which nobody is to guess, and which another server's are not to equal */
    uint64_t last;
    unsigned n;
    upload slots[UPLOADS_MAX];
} uploads;

/* Returns 0, or as store_draft_new(); TERN_ERR_LIMIT also beyond UPLOADS_MAX. */
int uploads_begin(uploads *us, tern_str key, tern_time now, upload **out);

/* The upload of this number, with a new lease; NULL: there is none, or it was discarded. */
upload *uploads_find(uploads *us, uint64_t number, tern_time now);

/* Commit it. Returns as store_draft_commit(); only after an error it is still there. */
int uploads_commit(uploads *us, upload *up);
void uploads_discard(uploads *us, upload *up);

/* Discard those whose lease is over. */
void uploads_expire(uploads *us, tern_time now);
void uploads_discard_all(uploads *us);

#endif

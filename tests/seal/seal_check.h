/* A cipher for tests, and a witness of what it is asked to do.
 *
 * The cipher is no protection, only sensitive: a keystream of mixed numbers is added by XOR, and two SipHashes over
 * header and ciphertext make 16 bytes of authenticator. A byte that changes anywhere shows.
 *
 * The witness (one for all engines of a test) knows each packet that was sealed, by key and number. The first thing
 * that no cipher may meet is written to `error`: two packets with other bytes under one key and number; a user's value
 * that changed while it was sealed; a key that is used, or wiped, after it was wiped.
 */
#ifndef TERN_TESTS_SEAL_CHECK_H
#define TERN_TESTS_SEAL_CHECK_H

#include "engine/seal.h"

typedef struct seal_entry {
    uint64_t key, number, hash; /* key 0: the place is free */
} seal_entry;

/* Zeros are an empty one. */
typedef struct seal_check {
    seal_entry *entries; /* a hash table; malloc'd */
    size_t n_entries, room;
    uint64_t n_sealed, n_opened, n_unopened;
    int64_t n_keys;      /* derived, or next ones, less those that were wiped */
    bool refuses_derive; /* derive fails, as without memory */
    bool refuses_next;   /* next fails likewise */
    bool refuses_seal;   /* seal fails */
    char error[128];     /* empty: all is well */
} seal_check;

/* Their user is a seal_check. The second differs from the first in its id alone. */
extern const tern__cipher seal_check_cipher, seal_check_other_cipher;

void seal_check_fini(seal_check *check);

#endif

/* What a server's sessions hold for their peers, summed up from the records and from the buffers' own sizes, to be
 * compared with what its accounts say (engine/account.h). */
#ifndef TERN_FUZZ_HELD_H
#define TERN_FUZZ_HELD_H

#include "engine/engine_record.h"
#include "engine/peers.h"

enum { HELD_MAX_PEERS = 64 };

typedef struct held_of_peer {
    const tern__peer *peer;
    uint64_t bytes;
    uint32_t n_sessions, n_receiving, n_kept;
} held_of_peer;

typedef struct held_sums {
    const tern__engine *engine;
    held_of_peer peers[HELD_MAX_PEERS];
    unsigned n_peers;
    uint64_t bytes, kept_bytes;
} held_sums;

/* Everything that the sessions of this engine, of which all are few and a server's, hold. */
void held_begin(held_sums *sums, const tern__engine *engine);
/* And what somebody else has for a peer. */
void held_add_debit(held_sums *sums, const tern__debit *debit);
/* NULL: the accounts of all routes and networks and of the engine say the same. Else what does not. */
const char *held_difference(const held_sums *sums);

/* Nothing is held, and there are records of so many peers. */
bool held_is_nothing(const tern__engine *engine, unsigned n_peers);

#endif

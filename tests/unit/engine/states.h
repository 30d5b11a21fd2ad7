/* One packet against one state: a client or a server is brought into a state, gets a packet, and what came of it is put
 * into words. docs/states.md says what the words mean; test_states.c compares them with that page. */
#ifndef TERN_TESTS_STATES_H
#define TERN_TESTS_STATES_H

#include "loop.h"

enum { STATES_MAX_CELL = 256, STATES_META_BYTES = 16 /* of a stream's metadata block */ };

typedef enum states_party {
    STATES_SERVER_SLOT,
    STATES_CLIENT_SLOT,
    STATES_SERVER_STREAM,
    STATES_CLIENT_STREAM,
    STATES_CLIENT_CALL,
    STATES_SERVER_CALL,
    STATES_CLIENT_SEND,
    STATES_SERVER_SEND,
    STATES_CLIENT_RECV,
    STATES_SERVER_RECV,
    STATES_SERVER_SESSION,
    STATES_CLIENT_SESSION,
    STATES_N_PARTIES,
} states_party;

/* Returns false when there is no such party or state. */
bool states_party_find(const char *name, states_party *out);
bool states_state_find(states_party party, const char *name, unsigned *out);

/* Bring `party` into the state, hand it the packet that `packet` describes (or do what the word there says), and put
 * what came of it into cell. Returns NULL or what is wrong with the description. Failed CHECKs say that the state could
 * not be reached. */
const char *states_try(states_party party, bool reliable, unsigned state, const char *packet,
                       char cell[STATES_MAX_CELL]);

#endif

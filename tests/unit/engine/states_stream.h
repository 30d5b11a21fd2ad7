/* The parties of states.h that are a stream's own three states: how each is reached, what its user does, what it is.
 * states.c makes the packets and puts into words what came of it; a stream stays readable after its call has ended. */
#ifndef TERN_TESTS_STATES_STREAM_H
#define TERN_TESTS_STATES_STREAM_H

#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "states.h"

static inline bool states_is_stream(states_party party) {
    return party >= STATES_CLIENT_CALL && party <= STATES_SERVER_RECV;
}

/* Returns the call's request number. */
uint32_t states_stream_reach(loop *l, bool reliable, states_party party, unsigned state);

/* The names of a party's states on that kind of link, as the tables have them. NULL behind the last. */
const char *states_stream_name(states_party party, unsigned state);
const char *states_stream_now(states_party party);

/* What the user of the stream does, or what happens without a packet. Returns false when there is no such action. */
bool states_stream_act(loop *l, states_party party, const char *action);

/* The server has a stream. */
void states_stream_opened(tern__stream *st);

/* One that only takes a slot. */
bool states_stream_is_other(const tern__stream *st);

/* After each cell: what must hold between the states; then the stream goes. */
void states_stream_fini(void);

/* states.c: a packet for the party's stream, of `len` bytes and without a grant; an acknowledgement of the packets
 * before k, with a grant (or with UINT32_MAX the end of the call); and what the stream's user hears. */
void states_forget(void); /* what has been sent and heard so far */
void states_give_stream(states_party party, uint32_t req, uint32_t k, uint8_t flags, uint32_t len);
void states_acknowledge_stream(states_party party, uint32_t req, uint32_t k);
__attribute__((format(printf, 1, 2))) void states_tell(const char *format, ...);

#endif

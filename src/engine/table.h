/* The table of sessions, and their numbers (table.c). */
#ifndef TERN_ENGINE_TABLE_H
#define TERN_ENGINE_TABLE_H

#include "engine/engine_record.h"

/* Make room for twice as many sessions. Returns 0 or TERN_ERR_NOMEM. */
int tern__sessions_grow(tern__engine *engine);
/* A session of zeros with its cold part, for this role; NULL: no memory. */
tern__session *tern__session_make(tern__engine *engine, uint8_t role);
void tern__session_free(tern__session *s);
/* Enter a new session into the table and number it. Returns 0, TERN_ERR_LIMIT or _NOMEM. */
int tern__session_enter(tern__engine *engine, tern__session *s);
void tern__session_leave(tern__session *s);
/* The session can no longer be found by its peer's number. */
void tern__session_unhash(tern__session *s);
/* Whether another endpoint at the same address made this number. */
bool tern__session_is_of_other_shard(const tern__engine *engine, uint32_t number);
/* The session can be found by its peer's number and route from now on. */
void tern__session_hash(tern__session *s);
/* The session that the peer on this packet's route knows as peer_number. secret: the CONNECT's token, or the tag that
 * we put into packets to the peer. NULL: there is none. */
tern__session *tern__session_of_peer(const tern__engine *engine, const tern__rx_packet *pkt, uint32_t peer_number,
                                     bool by_token, uint64_t secret);
/* Whether one peer has as many sessions under one number as a peer that restarts often might leave behind. */
bool tern__session_has_namesakes(const tern__engine *engine, const tern__rx_packet *pkt, uint32_t peer_number);
/* The client whose CONNECT this packet answers, if it waits for an answer; else NULL. */
tern__csession *tern__session_connecting(const tern__engine *engine, const tern__rx_packet *pkt,
                                         const tern__pkt_header *h, uint64_t token);
/* The session gets a new number; what comes for the old one is for no session. */
void tern__session_renumber(tern__session *s);

#endif

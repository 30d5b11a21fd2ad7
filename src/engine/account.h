/* What peers make us hold, in bytes, and how much of it each of them may.
 *
 * Held is what a peer's packets took memory for: messages that are being put together and requests until they are
 * answered, in the bytes that are behind their buffers by now; responses that it may ask for again; what streams keep.
 * It counts at three levels: for the peer's route (a socket address, a connection), for the network that this lies in
 * (tern__link_ops.network: neighbours, or the processes of one user), and for the endpoint, whose bound is
 * config.max_rx_bytes.
 *
 * A route or network may hold what is idle, but the less there is the less of it: TERN__FLOOR_BYTES and ALPHA times
 * what is idle at the endpoint, or an equal share of all if that is more. So who comes late finds room without anybody
 * counting the others (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). Who is alone may hold everything.
 * Where that leaves too little for one who holds less, those who hold the most give first (reclaim.h). */
#ifndef TERN_ENGINE_ACCOUNT_H
#define TERN_ENGINE_ACCOUNT_H

#include "engine/engine_record.h"

enum { TERN__FLOOR_BYTES = 256 << 10 };

/* Count so many bytes more for the peer of this session. False: that is more than its share, or than there is, and
 * nothing is counted. Requests of other peers may have been given up to make room, never one of this peer's. */
bool tern__charge(tern__session *s, uint64_t bytes);

/* Count them, whatever comes of it: they are taken already. False: that is more than the peer's share, or the
 * endpoint's bound, and the caller is to give something up. */
bool tern__charge_taken(tern__session *s, uint64_t bytes);

void tern__uncharge(tern__session *s, uint64_t bytes);

/* The same, and so many bytes more in *debit, where the session may end before they are given back by tern__undebit().
 * */
bool tern__charge_debit(tern__session *s, uint64_t bytes, tern__debit *debit);
void tern__undebit(tern__engine *engine, tern__debit *debit);

/* Bytes that are charged to the session are the debit's from now on; it is zero. */
void tern__charge_becomes(tern__session *s, uint64_t bytes, tern__debit *debit);

/* A link holds so many bytes for this route from now on, not debit->bytes as before: beyond what it hands over, and
 * whether or not the route has a session. They count in any case, except where there is no memory for the account; 0
 * ends that. Nobody gives anything up here, so that a link may ask while it sends. */
tern__hold tern__account_hold(tern__engine *engine, tern__link *link, const tern__route *route, uint64_t bytes,
                              tern__debit *debit);

/* Whether a server that has this peer may give it one more session: of the places that are free two in three may be
 * one route's or network's, and TERN__FLOOR_SESSIONS are anybody's. */
enum { TERN__FLOOR_SESSIONS = 16 };
bool tern__account_may_open(const tern__engine *engine, const tern__peer *peer);

#endif

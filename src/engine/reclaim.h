/* Who gives first when what peers hold is at its bound (account.h). */
#ifndef TERN_ENGINE_RECLAIM_H
#define TERN_ENGINE_RECLAIM_H

#include "engine/peers.h"

/* Who gives is the heaviest of a few routes of the heaviest network that has something to give: a few looks, however
 * many peers there are, and whoever has been looked at has its turn again last. */

/* Give up something of a peer that holds more than the one in need would with so many bytes more: the half-received
 * request for which the least has arrived in its time; else a request that waits for its turn; else the response that
 * nobody has asked for the longest; else the stream that has waited the longest for its client to grant room, for its
 * reader, or for the rest of a message. Only in this network, unless it is NULL. False: nobody had to give. */
bool tern__reclaim(tern__engine *engine, const tern__peer *in_need, tern__network *network, uint64_t bytes);

/* Give up the response that nobody has asked for the longest, of a peer that holds more than the one in need; or, if
 * nobody has asked for it lately, half as much. False: nobody had to give. */
bool tern__reclaim_response(tern__engine *engine, const tern__peer *in_need);

#endif

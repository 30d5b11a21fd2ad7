/* Whose request runs next, at a server that is behind with its handlers.
 *
 * A server runs each request as it comes, until its handlers take so long that packets wait behind them
 * (tern__engine_set_turns). From then on requests that are whole wait in lines, one for each route, and the lines take
 * turns: networks in a ring, and the routes of each network in another. A turn ends when its owner has used up a
 * QUANTUM of the server's time, and who takes longer pays for it with the turns that follow (deficit round robin,
 * Shreedhar and Varghese, SIGCOMM 1995; what a request takes is known only afterwards, so it is paid later). So who
 * asks for little waits for the handler that runs, and for one turn of each of the others: a quantum, or a
 * handler that takes longer. */
#ifndef TERN_ENGINE_TURNS_H
#define TERN_ENGINE_TURNS_H

#include "engine/peers.h"

/* The request, whose node is in no list, waits. It is taken back by tern__turns_leave(). */
void tern__turns_enter(tern__request *request);
void tern__turns_leave(tern__request *request);

/* Whose turn it is: a peer with requests that wait, or NULL. Constant time for each quantum that has been used. */
tern__peer *tern__turns_next(tern__engine *engine);

/* Of a peer with requests that wait: the first of them, and the last one. */
tern__request *tern__turns_first(const tern__peer *peer);
tern__request *tern__turns_last(const tern__peer *peer);

/* A request of the peer has taken so long. */
void tern__turns_pay(tern__peer *peer, tern_dur time);

#endif

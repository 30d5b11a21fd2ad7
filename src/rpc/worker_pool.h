/* The threads of a pool and the queue before them (worker.h says what goes through it). */
#ifndef TERN_RPC_WORKER_POOL_H
#define TERN_RPC_WORKER_POOL_H

#include "rpc/worker.h"

/* Queue an errand. False: as many wait as may. Never blocks; any thread. */
bool tern__workers_submit(tern_workers *pool, tern__errand *errand);

/* Methods that the pool serves, over all endpoints: it must not be freed while there are any. */
void tern__workers_use(tern_workers *pool);
void tern__workers_unuse(tern_workers *pool);

/* worker.c: what a thread of the pool does with an errand. */
void tern__errand_run(tern__errand *errand);

#endif

/* A pool of threads and the queue before them. */
#ifndef TERN_RPC_WORKER_POOL_H
#define TERN_RPC_WORKER_POOL_H

#include "tern/rpc.h"

/* Something that a thread of the pool is to do; part of what it is about. */
typedef struct tern__job {
    void (*run)(struct tern__job *job); /* the pool does not touch the job afterwards */
} tern__job;

/* Queue a job. False: as many wait as may. Never blocks; any thread. */
bool tern__workers_submit(tern_workers *pool, tern__job *job);

/* From now on jobs are timed, so that tern__workers_wait() knows how long a job that is submitted now will wait behind
 * those that wait already; 0: none does, or nothing is known of jobs. Any thread. */
void tern__workers_time(tern_workers *pool);
tern_dur tern__workers_wait(const tern_workers *pool);

/* Methods that the pool serves, over all endpoints: it must not be freed while there are any. */
void tern__workers_use(tern_workers *pool);
void tern__workers_unuse(tern_workers *pool);

#endif

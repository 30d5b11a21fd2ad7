/* Shared memory: the port's constructor and options, for whoever makes one. shm.h is the record that
 * the port's own files share. */
#ifndef TERN_PORT_SHM_PORT_H
#define TERN_PORT_SHM_PORT_H

#include "port/port.h"

typedef struct tern__shm_options {
    bool share_region; /* peers may map the buffer pool, read-only; false: values in place are copied into the ring */
    /* What a peer may keep of what it was sent in place: so many bytes of values, 0: nothing; and so long each. */
    uint64_t lend_bytes;
    tern_dur lend_time;
} tern__shm_options;

/* Returns 0, TERN_ERR_NOMEM or TERN_ERR_IO. */
int tern__shm_port_new(const tern__port_env *env, const tern__shm_options *options, tern__port **out);

#endif

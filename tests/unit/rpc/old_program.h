/* A program that was built with an older header of tern (old_program.c). */
#ifndef TERN_TESTS_OLD_PROGRAM_H
#define TERN_TESTS_OLD_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Its two endpoints, which are still there; what its calls came to. */
typedef struct old_program_outcome {
    void *server, *client;
    int err, call_status, accept_status, n_received;
    uint64_t tx_packets;
} old_program_outcome;

old_program_outcome old_program_run(void);
void old_program_end(const old_program_outcome *outcome);

#endif

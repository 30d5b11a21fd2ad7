/* Making, driving and freeing endpoints: the highest file of this folder, which knows all others. */
#ifndef TERN_RPC_DRIVE_H
#define TERN_RPC_DRIVE_H

#include "rpc/endpoint.h"

/* As tern_endpoint_new(), with time and randomness from env. */
int tern__endpoint_new_with(const tern_endpoint_config *config, const tern__endpoint_env *env, tern_endpoint **out);

/* What a driving loop does after a poll that handled n_polled packets: go on if there were any (which pushes
 * *busy_until back), else spin until *busy_until, and sleep afterwards, but not past `end` (0: no end). A loop that
 * waits for something checks for that before, because the poll may have brought it without a packet. */
void tern__endpoint_idle_until(tern_endpoint *ep, int n_polled, tern_time *busy_until, tern_time end);

#endif

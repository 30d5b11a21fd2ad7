/* Random numbers of an endpoint (entropy.h). */
#include "rpc/entropy.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/siphash.h"

int tern__entropy_take(tern_endpoint *ep) {
    uint8_t *key = (uint8_t *)ep->entropy.key;
    size_t have = 0;
    while (have < sizeof ep->entropy.key) {
        ssize_t n = getrandom(key + have, sizeof ep->entropy.key - have, 0);
        if (n > 0) have += (size_t)n;
        if (n >= 0 || errno == EINTR) continue;
        char line[128];
        snprintf(line, sizeof line, "the system gives no random numbers (getrandom): %s", strerror(errno));
        tern__endpoint_log(ep, TERN_LOG_ERROR, line);
        return TERN_ERR_IO;
    }
    return 0;
}

uint64_t tern__endpoint_random(tern_endpoint *ep) {
    if (ep->env.random) return ep->env.random(ep->env.ctx);
    uint64_t n = ep->entropy.n++;
    return tern__siphash(ep->entropy.key, &n, sizeof n);
}

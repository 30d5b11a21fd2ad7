/* Buffers of messages that arrive in packets (arriving.h). */
#include "engine/arriving.h"

#include "engine/account.h"
#include "mem/pool.h"

uint8_t *tern__arriving_new(tern__session *s, uint32_t size, bool alone, bool shared, uint32_t *charged) {
    uint32_t ready = alone ? TERN__ARRIVING_ALONE_BYTES : TERN__ARRIVING_BESIDE_BYTES;
    uint32_t first = (uint32_t)tern__sparse_first_bytes(size, ready);
    if (!tern__charge(s, first)) return NULL;
    uint8_t *buffer = shared ? tern__sparse_alloc_shared(size, ready) : tern__sparse_alloc(size, ready);
    *charged = buffer ? first : 0;
    if (!buffer) tern__uncharge(s, first);
    return buffer;
}

/* Memory that is there already, because the buffer had it before, counts as if it came now, and is not touched before:
 * what happens to a message does not depend on who has used its buffer. */
size_t tern__arriving_reach(tern__session *s, void *buffer, size_t reach, uint32_t size, uint32_t *charged) {
    if (reach > *charged) {
        uint32_t bytes = (uint32_t)tern__sparse_bytes(reach, size);
        if (!tern__charge(s, bytes - *charged)) return 0;
        *charged = bytes;
    }
    size_t filled = tern__sparse_reach(buffer, reach, size);
    return filled < *charged ? filled : *charged < size ? *charged : size;
}

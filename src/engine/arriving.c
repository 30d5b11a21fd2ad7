/* Buffers of messages that arrive in packets (arriving.h). */
#include "engine/arriving.h"

#include "engine/account.h"
#include "mem/pool.h"

/* An ordinary buffer is followed by one of so many times its size. */
enum { GROWTH = 4 };

static uint8_t *alloc_ordinary(uint32_t bytes, bool shared) {
    return shared ? tern_alloc(bytes) : tern_alloc_private(bytes);
}

bool tern__arriving_will_move(const uint8_t *buffer, uint32_t size, uint32_t charged) {
    return charged < size && !tern__is_sparse(buffer);
}

/* The buffer of a message of which `reach` bytes are to fit, where those that come before have room for `have`. */
typedef struct next_buffer {
    uint32_t bytes; /* of memory at first */
    bool sparse;
} next_buffer;

static next_buffer next_of(uint32_t have, size_t reach, uint32_t size) {
    size_t room = have;
    while (room < reach) room *= GROWTH;
    if (size > TERN__ARRIVING_WHOLE_BYTES && room > TERN__ARRIVING_MOVED_BYTES)
        return (next_buffer){(uint32_t)tern__sparse_bytes(reach, size), true};
    return (next_buffer){(uint32_t)tern__buffer_bytes(room < size ? room : size), false};
}

static uint8_t *alloc_next(next_buffer next, uint32_t size, bool shared) {
    if (!next.sparse) return alloc_ordinary(next.bytes, shared);
    return shared ? tern__sparse_alloc_shared(size, next.bytes) : tern__sparse_alloc(size, next.bytes);
}

uint8_t *tern__arriving_new(tern__session *s, size_t reach, uint32_t size, bool alone, bool shared, uint32_t *charged) {
    next_buffer first = next_of(alone ? TERN__ARRIVING_ALONE_BYTES : TERN__ARRIVING_BESIDE_BYTES, reach, size);
    if (!tern__charge(s, first.bytes)) return NULL;
    uint8_t *buffer = alloc_next(first, size, shared);
    *charged = buffer ? first.bytes : 0;
    if (!buffer) tern__uncharge(s, first.bytes);
    return buffer;
}

/* What has come goes along. */
static bool move(uint8_t **buffer, uint32_t have, next_buffer next, uint32_t size) {
    bool shared = !(tern__code_of(*buffer) & TERN__CODE_PRIVATE);
    uint8_t *to = alloc_next(next, size, shared);
    if (!to) return false;
    memcpy(to, *buffer, have);
    tern_unref(*buffer);
    *buffer = to;
    return true;
}

static size_t move_on(tern__session *s, uint8_t **buffer, size_t reach, uint32_t size, uint32_t *charged) {
    next_buffer next = next_of(*charged, reach, size);
    if (!tern__charge(s, next.bytes - *charged)) return 0;
    if (!move(buffer, *charged, next, size)) {
        tern__uncharge(s, next.bytes - *charged);
        return 0;
    }
    *charged = next.bytes;
    return next.bytes < size ? next.bytes : size;
}

/* Memory that is there already, because the buffer had it before, counts as if it came now, and is not touched before:
 * what happens to a message does not depend on who has used its buffer. */
size_t tern__arriving_reach(tern__session *s, uint8_t **buffer, size_t reach, uint32_t size, uint32_t *charged) {
    if (!tern__is_sparse(*buffer)) {
        if (reach > *charged) return move_on(s, buffer, reach, size, charged);
        return *charged < size ? *charged : size;
    }
    if (reach > *charged) {
        uint32_t bytes = (uint32_t)tern__sparse_bytes(reach, size);
        if (!tern__charge(s, bytes - *charged)) return 0;
        *charged = bytes;
    }
    size_t filled = tern__sparse_reach(*buffer, reach, size);
    return filled < *charged ? filled : *charged < size ? *charged : size;
}

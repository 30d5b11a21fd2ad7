/* Structs that begin with their size (sized.h). */
#include "base/sized.h"

static bool is_zero(const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return false;
    return true;
}

/* All of these structs have a size_t, so the size of each is a multiple of that. */
static bool is_size_of_a_version(size_t size) {
    return size > sizeof(size_t) && size <= TERN__SIZED_MOST && size % sizeof(size_t) == 0;
}

static tern__sized_fault find_fault(const void *given, size_t size, size_t own_size) {
    if (size == 0) return TERN__SIZED_UNSET;
    if (!is_size_of_a_version(size)) return TERN__SIZED_WRONG;
    if (size > own_size && !is_zero((const uint8_t *)given + own_size, size - own_size)) return TERN__SIZED_NEWER;
    return TERN__SIZED_FINE;
}

bool tern__sized_is_whole(const void *given, size_t own_size) {
    size_t size = given ? tern__sized_size(given) : 0;
    return size >= own_size && find_fault(given, size, own_size) == TERN__SIZED_FINE;
}

tern__sized_fault tern__sized_read(void *own, size_t own_size, const void *given) {
    size_t size = tern__sized_size(given);
    tern__sized_fault fault = find_fault(given, size, own_size);
    if (fault) return fault;
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return TERN__SIZED_FINE;
}

void tern__sized_write(void *out, size_t out_size, const void *own, size_t own_size) {
    memcpy(out, own, out_size < own_size ? out_size : own_size);
    if (out_size > own_size) memset((uint8_t *)out + own_size, 0, out_size - own_size);
}

void tern__sized_init(void *out, size_t out_size, const void *defaults, size_t own_size) {
    tern__sized_write(out, out_size, defaults, own_size);
    if (out_size >= sizeof out_size) memcpy(out, &out_size, sizeof out_size);
}

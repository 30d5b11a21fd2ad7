/* The formats that somebody speaks (formats.h). */
#include "codec/formats.h"

#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"

const tern__format *const tern__formats_default[] = {&tern__format_hybrid, &tern__format_protobuf, NULL};

bool tern__formats_are_sound(const tern__format *const *list) {
    uint32_t seen = 0;
    for (const tern__format *const *at = list; *at; at++) {
        const tern__format *own = tern__formats_find(tern__formats_default, (*at)->number);
        uint32_t bit = 1u << ((*at)->number % TERN__MAX_FORMATS);
        if ((*at)->number == TERN_FORMAT_RAW || (*at)->number >= TERN__MAX_FORMATS || seen & bit) return false;
        if (own && own != *at) return false;
        seen |= bit;
    }
    uint32_t common = tern__formats_bits(tern__formats_default) & ~(1u << TERN_FORMAT_RAW);
    return (seen & common) == common;
}

uint32_t tern__formats_bits(const tern__format *const *list) {
    uint32_t bits = 1u << TERN_FORMAT_RAW;
    for (; *list; list++) bits |= 1u << (*list)->number;
    return bits;
}

const tern__format *tern__formats_universal(const tern__format *const *list) {
    while (*list && !((*list)->flags & TERN__FORMAT_UNIVERSAL)) list++;
    return *list;
}

const tern__format *tern__formats_best(const tern__format *const *list, uint32_t bits) {
    for (const tern__format *const *at = list; *at; at++)
        if (bits >> (*at)->number & 1) return *at;
    return tern__formats_universal(list);
}

#include <stdint.h>
#define SETTING hook
#define TERN_STREAM_ORDER TERN_STREAM_HOOK
static inline uint16_t tern_stream_hook16(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static inline uint32_t tern_stream_hook32(uint32_t x) { return __builtin_bswap32(x); }
static inline uint64_t tern_stream_hook64(uint64_t x) { return __builtin_bswap64(x); }
#include "every.h"

/* Makes use of freed memory visible: under AddressSanitizer free buffers are poisoned, and in an unoptimized debug
 * build they are filled with a pattern. In other builds this costs nothing. */
#ifndef TERN_MEM_POISON_H
#define TERN_MEM_POISON_H

#include "base/base.h"

#if defined(__SANITIZE_ADDRESS__)
#define TERN__ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TERN__ASAN 1
#endif
#endif

#ifdef TERN__ASAN
#include <sanitizer/asan_interface.h>
static inline void tern__poison(void *p, size_t n) { __asan_poison_memory_region(p, n); }
static inline void tern__unpoison(void *p, size_t n) { __asan_unpoison_memory_region(p, n); }
#else
static inline void tern__poison(void *p, size_t n) { (void)p, (void)n; }
static inline void tern__unpoison(void *p, size_t n) { (void)p, (void)n; }
#endif

#if defined(TERN__ASAN) || defined(__SANITIZE_THREAD__)
#define TERN__SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TERN__SANITIZED 1
#endif
#endif
#ifndef TERN__SANITIZED
#define TERN__SANITIZED 0
#endif

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define TERN__ON_VALGRIND RUNNING_ON_VALGRIND
#else
#define TERN__ON_VALGRIND 0
#endif

enum { TERN__FREE_PATTERN = 0xDF, TERN__FREE_PATTERN_MAX_BYTES = 64 << 10 };

#if !defined(NDEBUG) && !defined(__OPTIMIZE__)
enum { TERN__FILL_FREED = 1 };
#else
enum { TERN__FILL_FREED = 0 };
#endif

#endif

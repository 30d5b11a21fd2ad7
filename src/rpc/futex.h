/* Waiting for another thread: by a pause of the processor, or asleep on a word of this process's memory. */
#ifndef TERN_RPC_FUTEX_H
#define TERN_RPC_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void tern__cpu_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Sleep until another thread wakes this one, unless *word is no longer `value`; may return early. */
static inline void tern__futex_wait(_Atomic uint32_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Wake one thread. Harmless when the word's memory serves another purpose by now, or is gone. */
static inline void tern__futex_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif

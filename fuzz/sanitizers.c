/* What AddressSanitizer does in each program of libFuzzer's, unless ASAN_OPTIONS says otherwise. Freed memory waits a
 * moment before it is used again, not for 256 MB of others, which would all be new pages; and as much of the stack is
 * kept of each allocation as a reader of a report needs. */
#include <sanitizer/asan_interface.h>

const char *__asan_default_options(void) {
    return "quarantine_size_mb=8:thread_local_quarantine_size_kb=256:malloc_context_size=8:max_malloc_fill_size=0";
}

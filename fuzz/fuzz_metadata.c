/* A metadata block of any bytes: it is refused, or everything in it lies inside it and can be written again, entry by
 * entry, as a block that says the same. The first byte is the limit, in units of 16 bytes. */
#include "fuzz.h"
#include "rpc/metadata.h"

static void check_inside(tern_metadata m, const void *data, size_t len) {
    const uint8_t *begin = m.block, *p = data;
    FUZZ_CHECK(p >= begin && p <= begin + m.n_bytes && len <= (size_t)(begin + m.n_bytes - p));
}

/* Whatever the block is: reading ends, and never leaves it. */
static uint32_t walk(tern_metadata m) {
    tern_str key;
    tern_bytes value;
    uint32_t n = 0;
    for (size_t at = 0; tern_metadata_next(m, &at, &key, &value); n++) {
        FUZZ_CHECK(at <= m.n_bytes);
        check_inside(m, key.data, key.len);
        check_inside(m, value.data, value.len);
    }
    return n;
}

static void write_again(tern_metadata m, tern_arena *arena) {
    tern__meta again = {0};
    tern__meta_entry e;
    size_t at = 0;
    while (tern__meta_read(m, &at, &e)) {
        char key[TERN__META_MAX_KEY + 1] = {0};
        if (e.kind == TERN__META_PAIR) {
            memcpy(key, e.key.data, e.key.len);
            FUZZ_CHECK(tern__meta_add(&again, arena, UINT32_MAX, &(tern_pair){key, e.value}) == 0);
        } else {
            FUZZ_CHECK(tern__meta_add_kind(&again, arena, UINT32_MAX, (tern__meta_kind)e.kind, e.value) == 0);
        }
    }
    FUZZ_CHECK(at == m.n_bytes && again.n_bytes == m.n_bytes);
    tern_metadata copy = {again.block, again.n_bytes};
    FUZZ_CHECK(tern__meta_check(copy, UINT32_MAX) == 0 && walk(copy) == walk(m));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len == 0) return 0;
    uint32_t limit = data[0] * 16u;
    size_t n_bytes = (len - 1) & ~(size_t)7;
    uint8_t *block = malloc(n_bytes + 1); /* so that a sanitizer sees its end */
    memcpy(block, data + 1, n_bytes);
    tern_metadata m = {block, n_bytes};
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    uint32_t n = walk(m);
    int err = tern__meta_check(m, limit);
    FUZZ_CHECK(err == 0 || err == TERN_ERR_MALFORMED || err == TERN_ERR_LIMIT);
    if (!err) {
        FUZZ_CHECK(n <= TERN__META_MAX_ENTRIES && n_bytes <= limit + (uint64_t)TERN__META_MESSAGE_ROOM);
        tern_bytes message = tern__meta_find_kind(m, TERN__META_MESSAGE);
        FUZZ_CHECK(message.len <= TERN__META_MAX_MESSAGE);
        write_again(m, &arena);
    }
    tern_arena_fini(&arena);
    free(block);
    return 0;
}

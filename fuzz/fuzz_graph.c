/* A graph in fragments that somebody has changed on the way: an error with words and nothing left of it, or a graph
 * that is in order, can be collected, moved and sent on. The input is a byte that says how long pieces are, and a list
 * of changes of the bytes that travel, {u16 number of a word of 4 bytes, u32 new value, u8 how}: the value is put
 * there, added, or what comes behind is left out. */
#include "base/base.h"
#include "fuzz.h"
#include "graph/recover.h"
#include "graph/walk.h"
#include "links.h"

enum { LINKS = 12, CHANGE_BYTES = 7, MAX_BYTES = 1 << 16 };

static uint8_t sent[MAX_BYTES]; /* metadata and data of each fragment, one behind the other */
static size_t sent_bytes;

static void send(const void *bytes, size_t n) {
    FUZZ_CHECK(sent_bytes + n <= sizeof sent);
    memcpy(sent + sent_bytes, bytes, n);
    sent_bytes += n;
}

/* Returns the number of fragments. */
static int walk(tern_heap *heap, const link_msg *first, size_t fragment_bytes, bool keep) {
    tern__walker *walker;
    tern__fragment f;
    int n = 0, err;
    const tern__walk_config config = {.fragment_bytes = fragment_bytes, .inplace_bytes = 300};
    FUZZ_CHECK(tern__walker_new(heap, &walker) == 0);
    FUZZ_CHECK(tern__walk_begin(walker, &link_type, first, &config) == 0);
    for (; (err = tern__walk_next(walker, &f)) == 1; n++) {
        if (keep) send(f.meta, f.meta_bytes);
        for (size_t i = 0; i < f.n_pieces && keep; i++) send(f.pieces[i].data, f.pieces[i].bytes);
    }
    FUZZ_CHECK(err == 0);
    tern__walker_free(walker);
    return n;
}

/* A list, a map, cycles, views into others' strings, strings and bools in lists. */
static void make_graph(void) {
    tern_heap *heap;
    FUZZ_CHECK(tern_heap_new(NULL, &heap) == 0);
    link_msg *first = link_new(heap, 0);
    FUZZ_CHECK(first && tern_heap_reserve(heap, &link_type, first, LINK_TAGS, LINKS) == 0);
    FUZZ_CHECK(tern_heap_reserve(heap, &link_type, first, LINK_BITS, LINKS) == 0);
    for (uint32_t i = 1; i < LINKS; i++) {
        link_msg *link = link_new(heap, i);
        FUZZ_CHECK(link && link_add_peer(heap, first, link) && link_name(heap, first, i, link));
        link->next = first;
        link->extra = tern_bytes_of(first->label.data + 1, 3);
        link->has.extra = 1;
        link->one_case = i % 3 ? LINK_FRIEND : LINK_WORD;
        if (i % 3)
            link->friend = first->peers.data[0];
        else
            link->word = first->label;
        first->tags.data[first->tags.len++] = link->label;
        first->bits.data[first->bits.len++] = i % 2;
    }
    FUZZ_CHECK(walk(heap, first, 1000, true) > 2);
    FUZZ_CHECK(tern_heap_free(heap) == 0);
}

static size_t change(uint8_t *bytes, size_t n, const uint8_t *how) {
    size_t at = (size_t)tern__load16(how) * 4;
    uint32_t value = tern__load32(how + 2);
    if (at + 4 > n) return n;
    if (how[6] % 8 == 7) return at;
    tern__store32(bytes + at, how[6] % 8 == 6 ? tern__load32(bytes + at) + value : value);
    return n;
}

static int feed(tern__recovery *r, const uint8_t *bytes, size_t n, size_t piece_bytes) {
    for (int err = 0; n > 0 && !err;) {
        size_t used = 0, piece = piece_bytes && piece_bytes < n ? piece_bytes : n;
        tern__recovery_wants wants = tern__recovery_wanted(r);
        if (wants == TERN__WANTS_NOTHING || wants == TERN__WANTS_FINISH) return 0;
        uint8_t *copy = malloc(piece); /* who reads behind it is seen */
        memcpy(copy, bytes, piece);
        err = wants == TERN__WANTS_META ? tern__recovery_meta(r, copy, piece, &used)
                                        : tern__recovery_data(r, copy, piece, &used);
        free(copy);
        FUZZ_CHECK(used <= piece && (err || used > 0));
        if (err) return err;
        bytes += used;
        n -= used;
    }
    return 0;
}

/* The heap is in order, whatever came. */
static void check_heap(tern_heap *heap) {
    FUZZ_CHECK(tern_heap_check(heap) == 0 && tern_heap_collect(heap) == 0 && tern_heap_compact(heap) == 0);
    FUZZ_CHECK(tern_heap_check(heap) == 0);
}

static void take(const uint8_t *bytes, size_t n, size_t piece_bytes) {
    tern_heap_config config;
    tern_heap *heap;
    tern__recovery *r;
    tern_root root;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    FUZZ_CHECK(tern_heap_new(&config, &heap) == 0 && tern__recovery_new(heap, NULL, &r) == 0);
    FUZZ_CHECK(tern__recovery_begin(r, &link_type, NULL) == 0);
    int err = feed(r, bytes, n, piece_bytes);
    FUZZ_CHECK(err <= 0 && (err == 0 || tern__recovery_problem(r)[0]));
    check_heap(heap); /* before it is whole, too */
    if (tern__recovery_wanted(r) == TERN__WANTS_FINISH) {
        FUZZ_CHECK(tern__recovery_finish(r, &root) == 0);
        check_heap(heap);
        walk(heap, tern_root_get(heap, root), 0, false);
        FUZZ_CHECK(tern_root_drop(heap, root) == 0);
    }
    tern__recovery_free(r);
    check_heap(heap);
    tern_heap_stats stats;
    tern_heap_get_stats(heap, &stats);
    FUZZ_CHECK(stats.objects == 0 && stats.pins == 0 && tern_heap_free(heap) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static uint8_t changed[MAX_BYTES];
    if (!sent_bytes) make_graph();
    if (len == 0) return 0;
    memcpy(changed, sent, sent_bytes);
    size_t n = sent_bytes;
    for (size_t i = 1; i + CHANGE_BYTES <= len; i += CHANGE_BYTES) n = change(changed, n, data + i);
    take(changed, n, data[0] * 5u);
    return 0;
}

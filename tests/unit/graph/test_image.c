/* Heaps in files: in place, elsewhere, verified, and files that lie. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/rng.h"
#include "graph/image.h"
#include "links.h"
#include "shapes.h"
#include "tap.h"

static const tern_type *const known[] = {&shape_type, &link_entry_type, &link_type};
static const tern_registry registry = {known, 3};
static char path[64];

static tern_heap *make(size_t max_bytes, bool move_always) {
    tern_heap_config config;
    tern_heap *heap = NULL;
    tern_heap_config_init(&config);
    config.max_bytes = max_bytes;
    config.move_always = move_always;
    snprintf(path, sizeof path, "/tmp/tern-heap-%d", (int)getpid());
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

static int map_file(bool trusted, tern_heap **heap, char *problem, size_t cap) {
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = 256 << 20;
    tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = trusted, .heap = &config};
    return tern_heap_map(path, &opts, heap, problem, cap);
}

enum { N = 3000, LONG = 3 << 20 };

/* A ring of links with lists, maps, shared views, a long text and a long list. */
static bool build(tern_heap *heap, tern_root *root, uint32_t n, bool with_long) {
    tern_root dropped;
    link_msg *first = link_new(heap, 0), *last = first;
    if (!first || tern_root_new(heap, first, &dropped) != 0 || tern_root_new(heap, first, root) != 0) return false;
    for (uint32_t i = 1; i < n; i++) {
        link_msg *link = link_new(heap, i);
        (void)link_new(heap, 0);
        if (!link || !link_add_peer(heap, first, link) || !link_name(heap, first, i, link)) return false;
        link->extra = tern_bytes_of(last->label.data + 1, 5);
        link->has.extra = i % 2;
        if (i % 2 == 0) link->extra.data = &registry; /* it is not set */
        last->next = link;
        last = link;
    }
    last->next = first;
    if (!with_long) return tern_root_drop(heap, dropped) == 0;
    first->one_case = LINK_WORD;
    if (tern_heap_str(heap, NULL, LONG, &first->word) != 0) return false;
    memset((char *)(uintptr_t)first->word.data, 'w', LONG);
    if (tern_heap_reserve(heap, &link_type, last, LINK_PEERS, 400000) != 0) return false;
    while (last->peers.len < 400000) last->peers.data[last->peers.len++] = first;
    return tern_root_drop(heap, dropped) == 0;
}

static bool is_intact(const tern_heap *heap, tern_root root, uint32_t n, bool with_long) {
    const link_msg *first = tern_root_get(heap, root), *link = first, *before = first;
    for (uint32_t i = 0; i < n; i++, before = link, link = link->next) {
        char text[32];
        snprintf(text, sizeof text, "link number %u", i);
        if (link->id != i || !tern_str_eq(link->label, tern_str_of(text))) return false;
        if (i == 0) continue;
        const link_entry *entry = tern_map_find(&link_entry_type, &first->named, &i);
        if (first->peers.data[i - 1] != link || !entry || entry->value != link) return false;
        if (link->has.extra && link->extra.data != before->label.data + 1) return false;
    }
    if (link != first || !with_long) return link == first;
    return first->word.len == LONG && first->word.data[LONG - 1] == 'w' && before->peers.len == 400000 &&
           before->peers.data[399999] == first;
}

/* The heap works on: it can be changed, collected, compacted and saved again. */
static bool works_on(tern_heap *heap, tern_root root, uint32_t n, bool with_long) {
    link_msg *first = tern_root_get(heap, root);
    for (uint32_t i = 0; i < 2000; i++)
        if (!link_name(heap, first, i % 100 + 1, first->peers.data[i % 100])) return false;
    if (tern_heap_collect(heap) != 0 || tern_heap_check(heap) != 0 || !is_intact(heap, root, n, with_long))
        return false;
    if (tern_heap_compact(heap) != 0 || tern_heap_check(heap) != 0 || !is_intact(heap, root, n, with_long))
        return false;
    return tern_heap_save(heap, path) == 0 && is_intact(heap, root, n, with_long);
}

static void map__in_place_elsewhere_and_verified(void) {
    for (int moved = 0; moved < 2; moved++) {
        tern_heap *heap = make(256 << 20, moved), *other;
        tern_root root;
        char problem[200];
        CHECK(build(heap, &root, N, true));
        CHECK_EQ(tern_heap_save(heap, path), 0);
        CHECK(is_intact(heap, root, N, true));
        uint64_t objects = stats_of(heap).objects;
        void *at = tern_root_get(heap, root);
        for (int trusted = 0; trusted < 2; trusted++) { /* the addresses are taken */
            int err = map_file(trusted, &other, problem, sizeof problem);
            if (err) printf("# %d %s\n", err, problem);
            CHECK_EQ(err, 0);
            CHECK(tern_root_get(other, root) != at && is_intact(other, root, N, true));
            CHECK_EQ(tern_heap_check(other), 0);
            CHECK_EQ(stats_of(other).objects, objects - 1); /* without the index of the map */
            CHECK_EQ(tern_heap_free(other), 0);
        }
        CHECK_EQ(tern_heap_free(heap), 0);
        for (int trusted = 1; trusted >= 0; trusted--) {
            CHECK_EQ(map_file(trusted, &other, NULL, 0), 0);
            CHECK(!trusted || tern_root_get(other, root) == at);
            CHECK(is_intact(other, root, N, true));
            CHECK_EQ(tern_heap_check(other), 0);
            link_msg *first = tern_root_get(other, root);
            CHECK(first->named.index == NULL);
            CHECK_EQ(tern_heap_index(other, &link_type, first, LINK_NAMED), 0);
            CHECK(tern_heap_contains(other, first->named.index) && is_intact(other, root, N, true));
            CHECK_EQ(tern_heap_index(other, &link_type, first, LINK_PEERS), TERN_ERR_INVALID);
            CHECK(works_on(other, root, N, true)); /* the file is then another */
            at = tern_root_get(other, root);
            CHECK_EQ(tern_heap_free(other), 0);
        }
        unlink(path);
    }
}

static void map__does_not_change_the_file(void) {
    tern_heap *heap = make(64 << 20, false), *other;
    tern_root root;
    CHECK(build(heap, &root, 100, false));
    CHECK_EQ(tern_heap_save(heap, path), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(map_file(true, &other, NULL, 0), 0);
        CHECK(is_intact(other, root, 100, false));
        memset(tern_root_get(other, root), 0, sizeof(link_msg));
        CHECK_EQ(tern_heap_free(other), 0);
    }
    unlink(path);
}

static void save__refuses_what_lies_outside(void) {
    static link_msg outside;
    tern_heap *heap = make(64 << 20, false);
    tern_root root;
    struct stat st;
    CHECK(build(heap, &root, 10, false));
    link_msg *first = tern_root_get(heap, root);
    first->peers.data[4]->other = &outside;
    CHECK_EQ(tern_heap_save(heap, path), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "root 1.peers[4].other") &&
          strstr(tern_heap_problem(heap), "leads out of the heap"));
    CHECK(stat(path, &st) != 0);
    first->peers.data[4]->other = NULL;
    CHECK_EQ(tern_heap_save(heap, "/nowhere/at/all"), TERN_ERR_IO);
    CHECK(strstr(tern_heap_problem(heap), "/nowhere/at/all"));
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void map__compares_types(void) {
    tern_heap *heap = make(64 << 20, false), *other;
    tern_root root;
    char problem[200];
    CHECK(build(heap, &root, 10, false));
    CHECK_EQ(tern_heap_save(heap, path), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
    tern_field fields[20];
    tern_type changed = link_type;
    memcpy(fields, link_type.fields, link_type.n_fields * sizeof *fields);
    changed.fields = fields;
    const tern_type *types[] = {&changed, &link_entry_type};
    tern_registry few = {types, 2};
    tern_heap_map_opts opts = {.size = sizeof opts, .types = &few};
    fields[2].offset = link_type.fields[3].offset;
    CHECK_EQ(tern_heap_map(path, &opts, &other, problem, sizeof problem), TERN_ERR_VERSION);
    CHECK(strstr(problem, "test.Link has another layout"));
    types[0] = &link_type;
    few.n_types = 1;
    CHECK_EQ(tern_heap_map(path, &opts, &other, problem, sizeof problem), TERN_ERR_NOT_FOUND);
    CHECK(strstr(problem, "test.Link.NamedEntry"));
    opts.types = NULL;
    CHECK_EQ(tern_heap_map(path, &opts, &other, NULL, 0), TERN_ERR_NOT_FOUND);
    opts.size = 0;
    CHECK_EQ(tern_heap_map(path, &opts, &other, NULL, 0), TERN_ERR_INVALID);
    unlink(path);
    opts.size = sizeof opts;
    CHECK_EQ(tern_heap_map(path, &opts, &other, problem, sizeof problem), TERN_ERR_IO);
    CHECK(strstr(problem, path));
}

/* ---- Files that lie ------------------------------------------------------------------------------ */

typedef struct file {
    uint8_t *bytes;
    size_t len;
} file;

static bool read_file(file *f) {
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0) return false;
    f->len = (size_t)st.st_size;
    f->bytes = malloc(f->len);
    bool ok = read(fd, f->bytes, f->len) == (ssize_t)f->len;
    close(fd);
    return ok;
}

static bool write_file(const uint8_t *bytes, size_t len) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool ok = fd >= 0 && write(fd, bytes, len) == (ssize_t)len;
    close(fd);
    return ok;
}

/* A part of the file anew. */
static bool patch_file(const file *f, size_t at, size_t len) {
    int fd = open(path, O_WRONLY);
    bool ok = fd >= 0 && pwrite(fd, f->bytes + at, len, (off_t)at) == (ssize_t)len;
    close(fd);
    return ok;
}

/* The checksum of the tables is right again. */
static void sign(uint8_t *bytes, size_t len) {
    tern__image_head head;
    memcpy(&head, bytes, sizeof head);
    uint64_t end = tern__image_tables_end(&head);
    if (head.n_regions > 1000 || head.n_roots > 1000 || head.types_bytes > 100000 || end > len || end % 8) return;
    head.checksum = 0;
    memcpy(bytes, &head, sizeof head);
    head.checksum = tern__image_checksum(bytes, end);
    memcpy(bytes, &head, sizeof head);
}

/* Whatever the file says: an error, or a heap that is in order and can be used. */
static bool survives(int *n_taken) {
    tern_heap *heap;
    char problem[200];
    int err = map_file(false, &heap, problem, sizeof problem);
    if (err) return err < 0 && (problem[0] || err == TERN_ERR_NOMEM);
    ++*n_taken;
    bool ok = tern_heap_check(heap) == 0 && tern_heap_collect(heap) == 0 && tern_heap_compact(heap) == 0 &&
              tern_heap_check(heap) == 0 && link_new(heap, 1) != NULL;
    return tern_heap_free(heap) == 0 && ok;
}

static bool prepare(file *f, uint32_t n) {
    tern_heap *heap = make(64 << 20, false);
    tern_root root;
    bool ok = build(heap, &root, n, false) && tern_heap_save(heap, path) == 0 && tern_heap_free(heap) == 0;
    return ok && read_file(f);
}

static void hostile__truncated(void) {
    file f;
    int n_taken = 0;
    CHECK(prepare(&f, 20));
    for (size_t len = 0; len < f.len; len += len < 300 ? 7 : 4099) {
        CHECK(write_file(f.bytes, len));
        CHECK(survives(&n_taken));
    }
    CHECK_EQ(n_taken, 0);
    free(f.bytes);
    unlink(path);
}

static void hostile__tables(void) {
    file f;
    tern__rng rng;
    int n_taken = 0;
    CHECK(prepare(&f, 20));
    tern__image_head head;
    memcpy(&head, f.bytes, sizeof head);
    tern__rng_seed(&rng, 5);
    /* Each byte of the tables before the starts, and random ones of those. */
    for (size_t i = 0; i < 3000; i++) {
        size_t at = i < tern__image_starts_at(&head) ? i : tern__rng_below(&rng, tern__image_tables_end(&head));
        uint8_t old = f.bytes[at], sum[8];
        memcpy(sum, f.bytes + offsetof(tern__image_head, checksum), 8);
        f.bytes[at] ^= (uint8_t)(1 + tern__rng_below(&rng, 255));
        sign(f.bytes, f.len);
        CHECK(patch_file(&f, 0, sizeof head) && patch_file(&f, at, 1));
        CHECK(survives(&n_taken));
        f.bytes[at] = old;
        memcpy(f.bytes + offsetof(tern__image_head, checksum), sum, 8);
        CHECK(patch_file(&f, at, 1));
    }
    CHECK(n_taken < 1500);
    free(f.bytes);
    unlink(path);
}

static void hostile__objects(void) {
    file f;
    tern__rng rng;
    int n_taken = 0;
    CHECK(prepare(&f, 20));
    tern__image_head head;
    memcpy(&head, f.bytes, sizeof head);
    tern__rng_seed(&rng, 6);
    size_t used = head.object_bytes < 8000 ? head.object_bytes : 8000;
    for (size_t i = 0; i < 6000; i++) {
        size_t at = head.data_at + (i < used ? i : tern__rng_below(&rng, used)) / 8 * 8;
        uint64_t old = tern__load64(f.bytes + at), value = old;
        switch (tern__rng_below(&rng, 4)) {
        case 0: value = tern__rng_next(&rng); break;
        case 1: value = head.base + tern__rng_below(&rng, used + 100); break;
        case 2: value = head.base + tern__rng_below(&rng, used + 100) / 8 * 8; break;
        default: value ^= (uint64_t)1 << tern__rng_below(&rng, 64); break;
        }
        tern__store64(f.bytes + at, value);
        CHECK(patch_file(&f, at, 8));
        CHECK(survives(&n_taken));
        tern__store64(f.bytes + at, old);
        CHECK(patch_file(&f, at, 8));
    }
    CHECK(n_taken < 5000);
    free(f.bytes);
    unlink(path);
}

TAP_MAIN(TEST(map__in_place_elsewhere_and_verified), TEST(map__does_not_change_the_file),
         TEST(save__refuses_what_lies_outside), TEST(map__compares_types), TEST(hostile__truncated),
         TEST(hostile__tables), TEST(hostile__objects))

/* Reading heaps from files; image.h has the format. Whatever the file says is checked before it is used, also for a
 * trusted one, as far as the tables go: what trust saves is looking at the objects. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sized.h"
#include "graph/check.h"
#include "graph/heap.h"
#include "graph/image.h"
#include "graph/layout.h"
#include "graph/problem.h"
#include "graph/root.h"
#include "mem/poison.h"
#include "tern/mem.h"

typedef struct loader {
    tern_heap *heap;
    int fd;
    const tern_heap_map_opts *opts;
    tern_heap_config config;
    tern__image_head head;
    uint8_t *tables;
} loader;

static bool read_at(const loader *l, void *data, size_t len, uint64_t at) {
    for (uint8_t *p = data; len > 0;) {
        ssize_t n = pread(l->fd, p, len, (off_t)at);
        if (n <= 0) return false;
        p += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

static int malformed(loader *l, const char *words) {
    tern__problem_say(l->heap, "the file is damaged: %s", words);
    return TERN_ERR_MALFORMED;
}

/* ---- The head and the tables ---------------------------------------------------------------------- */

/* Whether the numbers fit together and with the size of the file, so that nothing overflows. */
static bool is_head_sane(const tern__image_head *h, uint64_t file_bytes) {
    const uint64_t most = (uint64_t)1 << TERN__HEAP_MOST_SHIFT;
    if (h->n_regions > most >> TERN__REGION_SHIFT || h->types_bytes > most || h->types_bytes % 8) return false;
    if (h->n_types > TERN__TYPES_MAX || h->base % TERN__IMAGE_PAGE_BYTES || h->base > most * 16) return false;
    uint64_t end = tern__image_tables_end(h);
    return h->data_at >= end && h->data_at < end + TERN__IMAGE_PAGE_BYTES && h->data_at % TERN__IMAGE_PAGE_BYTES == 0 &&
           h->file_bytes == h->data_at + h->n_regions * TERN__REGION_BYTES && h->file_bytes == file_bytes;
}

static int read_tables(loader *l) {
    struct stat st;
    tern__image_head *head = &l->head;
    if (fstat(l->fd, &st) != 0 || !S_ISREG(st.st_mode) || !read_at(l, head, sizeof *head, 0)) {
        tern__problem_say(l->heap, "it is no file, cannot be read, or is too short");
        return TERN_ERR_IO;
    }
    if (head->magic != TERN__IMAGE_MAGIC) return malformed(l, "it does not begin as a heap");
    if (head->version != TERN__IMAGE_VERSION || head->shape != TERN__IMAGE_SHAPE) {
        tern__problem_say(l->heap, "the file is of another version, or of a machine with other headers");
        return TERN_ERR_VERSION;
    }
    if (!is_head_sane(head, (uint64_t)st.st_size)) return malformed(l, "its parts do not fit");
    const uint64_t end = tern__image_tables_end(head);
    if (head->n_regions << TERN__REGION_SHIFT > l->config.max_bytes || end > l->config.max_bytes) {
        tern__problem_say(l->heap, "max_bytes is less than the file's %llu MB", (unsigned long long)head->n_regions);
        return TERN_ERR_LIMIT;
    }
    l->tables = end <= TERN_BUF_MAX_BYTES ? tern_alloc_private(end) : NULL;
    if (!l->tables) return TERN_ERR_NOMEM;
    if (!read_at(l, l->tables, end, 0)) return TERN_ERR_IO;
    if (memcmp(l->tables, head, sizeof *head) != 0) return malformed(l, "somebody is changing it");
    memset(l->tables + offsetof(tern__image_head, checksum), 0, sizeof head->checksum);
    return tern__image_checksum(l->tables, end) == head->checksum ? 0 : malformed(l, "the checksum is wrong");
}

static int load_type(loader *l, tern_str name, uint64_t layout) {
    const tern_type *type = tern_registry_find(l->opts->types, name);
    if (!type) {
        tern__problem_say(l->heap, "type %.*s of the file is not known here", (int)name.len, name.data);
        return TERN_ERR_NOT_FOUND;
    }
    int err = tern__layout_hash(type) == layout ? tern__types_add(&l->heap->types, type) : TERN_ERR_VERSION;
    if (err == TERN_ERR_VERSION)
        tern__problem_say(l->heap, "type %s has another layout here than in the file", type->name);
    return err == TERN_ERR_INVALID ? malformed(l, "a type is there twice") : err;
}

static int load_types(loader *l) {
    const uint8_t *p = l->tables + sizeof l->head;
    uint64_t left = l->head.types_bytes;
    for (uint32_t i = 0; i < l->head.n_types; i++) {
        uint64_t len = left >= 16 ? tern__load32(p + 8) : left, all = (12 + len + 7) & ~(uint64_t)7;
        if (all > left) return malformed(l, "its types end too early");
        int err = load_type(l, (tern_str){(const char *)p + 12, len}, tern__load64(p));
        if (err) return err;
        p += all;
        left -= all;
    }
    int err = tern__types_complete(&l->heap->types);
    if (err == TERN_ERR_INVALID) return malformed(l, "it lacks a type that another one refers to");
    return err;
}

/* ---- Regions ------------------------------------------------------------------------------------- */

static bool is_run_sane(const tern__image_region *r, uint64_t n_left) {
    if (r->n_run == 0 || r->n_run > n_left) return false;
    for (uint32_t i = 1; i < r->n_run; i++)
        if (r[i].state != TERN__REGION_REST || r[i].n_run != i || r[i].used_bytes) return false;
    return r->used_bytes <= (uint64_t)r->n_run << TERN__REGION_SHIFT;
}

/* A run is one object, which lies at its beginning. */
static bool has_one_start(const uint64_t *starts) {
    uint64_t rest = starts[0] ^ 1;
    for (size_t k = 1; k < TERN__REGION_WORDS; k++) rest |= starts[k];
    return rest == 0;
}

static bool is_region_sane(const tern__image_region *in, uint64_t n_left, bool is_rest) {
    if (in->used_bytes % TERN__IMAGE_PAGE_BYTES) return false;
    if (is_rest) return in->state == TERN__REGION_REST;
    if (in->state == TERN__REGION_RUN) return is_run_sane(in, n_left);
    return (in->state == TERN__REGION_FREE || in->state == TERN__REGION_OBJECTS) &&
           in->used_bytes <= TERN__REGION_BYTES;
}

static void load_region(loader *l, uint64_t i, const tern__image_region *in, bool is_mapped) {
    const uint64_t *starts = (const uint64_t *)(const void *)(l->tables + tern__image_starts_at(&l->head));
    tern_heap *heap = l->heap;
    tern__region *r = &heap->space.regions[i];
    r->state = (uint8_t)in->state;
    r->n_run = in->n_run;
    if (in->state == TERN__REGION_FREE && i < heap->room.first_free) heap->room.first_free = i;
    if (is_mapped && in->state != TERN__REGION_REST)
        r->committed_bytes = (uint64_t)(in->state == TERN__REGION_RUN ? in->n_run : 1) << TERN__REGION_SHIFT;
    for (size_t k = 0; k < TERN__REGION_WORDS && tern__region_is_used(r); k++)
        heap->space.bits[i * TERN__REGION_WORDS + k].start = starts[i * TERN__REGION_WORDS + k];
}

static int load_regions(loader *l, bool is_mapped) {
    const tern__image_region *in =
        (const tern__image_region *)(const void *)(l->tables + tern__image_regions_at(&l->head));
    const uint64_t *starts = (const uint64_t *)(const void *)(l->tables + tern__image_starts_at(&l->head));
    const uint64_t n = l->head.n_regions;
    uint64_t run_end = 0;
    if (!tern__space_prepare(&l->heap->space, n)) return TERN_ERR_NOMEM;
    l->heap->room.end = l->heap->room.first_free = n;
    for (uint64_t i = 0; i < n; i++) {
        if (!is_region_sane(&in[i], n - i, i < run_end)) return malformed(l, "its regions make no sense");
        if (in[i].state == TERN__REGION_RUN && !has_one_start(starts + i * TERN__REGION_WORDS))
            return malformed(l, "a run is not one object");
        if (in[i].state == TERN__REGION_RUN) run_end = i + in[i].n_run;
        load_region(l, i, &in[i], is_mapped);
    }
    return 0;
}

static int read_data(loader *l) {
    const tern__image_region *in =
        (const tern__image_region *)(const void *)(l->tables + tern__image_regions_at(&l->head));
    tern__space *space = &l->heap->space;
    for (uint64_t i = 0; i < l->head.n_regions; i++) {
        const size_t at = i << TERN__REGION_SHIFT;
        if (in[i].used_bytes == 0) continue;
        if (!tern__space_commit(space, at, in[i].used_bytes)) return TERN_ERR_NOMEM;
        space->regions[i].committed_bytes = in[i].used_bytes;
        tern__unpoison(space->base + at, in[i].used_bytes);
        if (!read_at(l, space->base + at, in[i].used_bytes, l->head.data_at + at)) return TERN_ERR_IO;
    }
    return 0;
}

static int load_roots(loader *l) {
    const tern__image_root *in = (const tern__image_root *)(const void *)(l->tables + tern__image_roots_at(&l->head));
    tern__roots *roots = &l->heap->roots;
    if (!tern__roots_prepare(roots, l->head.n_roots)) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < l->head.n_roots; i++) {
        tern__root_place *place = &roots->places[i];
        if (in[i].generation > UINT32_MAX) return malformed(l, "its roots make no sense");
        place->generation = (uint32_t)in[i].generation;
        if (in[i].object == 0) continue;
        if (in[i].generation == 0) return malformed(l, "its roots make no sense");
        if (in[i].object >= l->head.n_regions << TERN__REGION_SHIFT) return malformed(l, "a root leads to no object");
        place->object = l->heap->space.base + in[i].object;
        if (!tern__heap_starts_at(l->heap, place->object)) return malformed(l, "a root leads to no object");
    }
    tern__roots_link(roots);
    return 0;
}

/* ---- Other addresses ------------------------------------------------------------------------------ */

static void adapt_object(const tern_heap *heap, uint8_t *elem, uintptr_t distance) {
    uint64_t header = *tern__header_of(elem);
    const tern__walk *walk = tern__types_walk(&heap->types, tern__header_what(header));
    for (uint64_t n = walk->n_slots ? tern__header_count(header) : 0; n > 0; n--, elem += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            uint8_t *at = elem + slot->offset;
            if (!tern__slot_counts(slot, elem) || !tern__slot_target(slot, at)) continue;
            uintptr_t to = (uintptr_t)tern__slot_target(slot, at) + distance;
            memcpy(at, &to, sizeof to);
        }
}

/* All pointers of the heap are moved on by what lies between the two bases, also those that are wrong. */
static void adapt_pointers(loader *l) {
    tern_heap *heap = l->heap;
    uintptr_t distance = (uintptr_t)heap->space.base - (uintptr_t)l->head.base;
    for (size_t i = 0; i < heap->room.end && distance; i++) {
        if (!tern__region_is_used(&heap->space.regions[i])) continue;
        TERN__EACH_OBJECT(heap, i, unit) {
            adapt_object(heap, tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES, distance);
        }
    }
}

/* ---- All ----------------------------------------------------------------------------------------- */

/* Trusted: as it lies in the file, where it was. */
static int load_in_place(loader *l) {
    const uint64_t data_bytes = l->head.n_regions << TERN__REGION_SHIFT;
    tern__space *space = &l->heap->space;
    size_t bytes = l->config.max_bytes & ~((size_t)TERN__REGION_BYTES - 1);
    int err = tern__space_open_at(space, l->head.base, bytes, l->fd, l->head.data_at, data_bytes);
    if (err == TERN_ERR_EXISTS && bytes > data_bytes + TERN__REGION_BYTES) /* less may fit */
        err = tern__space_open_at(space, l->head.base, data_bytes + TERN__REGION_BYTES, l->fd, l->head.data_at,
                                  data_bytes);
    return err ? err : load_regions(l, true);
}

static int check_counts(loader *l) {
    uint64_t n = 0, n_bytes = 0;
    tern_heap *heap = l->heap;
    for (size_t i = 0; i < heap->room.end; i++) {
        if (!tern__region_is_used(&heap->space.regions[i])) continue;
        TERN__EACH_OBJECT(heap, i, unit) {
            n++;
            n_bytes += tern__header_bytes(heap, *(uint64_t *)(void *)tern__space_at(&heap->space, unit));
        }
    }
    bool fits = n == l->head.objects && n_bytes == l->head.object_bytes;
    return fits ? 0 : malformed(l, "its objects are not as many as it says");
}

static int load_elsewhere(loader *l) {
    int err = tern__space_open(&l->heap->space, l->config.max_bytes, false);
    if (!err) err = load_regions(l, false);
    if (!err) err = read_data(l);
    if (!err && !l->opts->trusted) err = tern__check_headers(l->heap);
    if (!err && !l->opts->trusted) err = check_counts(l);
    if (!err) adapt_pointers(l);
    return err;
}

static int load(loader *l) {
    int err = read_tables(l);
    if (!err) err = load_types(l);
    if (err) return err;
    err = l->opts->trusted ? load_in_place(l) : TERN_ERR_EXISTS;
    if (err == TERN_ERR_EXISTS) err = load_elsewhere(l);
    if (!err) err = load_roots(l);
    if (!err && !l->opts->trusted) err = tern__check_objects(l->heap, TERN__CHECK_CLOSED | TERN__CHECK_NO_INDEX);
    l->heap->stats.objects = l->head.objects;
    l->heap->stats.object_bytes = l->head.object_bytes;
    return err;
}

static int load_from(const char *path, loader *l) {
    l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (l->fd < 0) {
        tern__problem_say(l->heap, "%s cannot be opened", path);
        return TERN_ERR_IO;
    }
    int err = load(l);
    close(l->fd);
    tern_unref(l->tables);
    if (err && l->heap->space.base) tern__space_close(&l->heap->space);
    if (err && !l->heap->problem[0]) tern__problem_say(l->heap, "%s: %s", path, tern_strerror(err));
    return err;
}

int tern_heap_map(const char *path, const tern_heap_map_opts *given, tern_heap **out, char *problem,
                  size_t problem_bytes) {
    tern_heap_map_opts opts = {.size = sizeof opts};
    loader l = {.opts = &opts};
    if (problem_bytes) problem[0] = 0;
    if (!given) return TERN_ERR_INVALID;
    if (tern__sized_read(&opts, sizeof opts, given) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    int err = tern__heap_read_config(opts.heap, &l.config);
    if (!err) err = tern__heap_make(&l.config, &l.heap);
    if (err) return err;
    err = load_from(path, &l);
    if (problem_bytes) snprintf(problem, problem_bytes, "%s", l.heap->problem);
    if (err) {
        tern__heap_unmake(l.heap);
        return err;
    }
    tern__heap_show(l.heap);
    *out = l.heap;
    return 0;
}

/* Writing heaps to files; image.h has the format. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph/check.h"
#include "graph/collect.h"
#include "graph/image.h"
#include "graph/layout.h"
#include "graph/problem.h"
#include "tern/mem.h"

typedef struct saver {
    tern_heap *heap;
    int fd;
    tern__image_head head;
    uint8_t *tables; /* all before the data, beginning with the head */
    uint8_t *buffer; /* a region's bytes */
} saver;

static bool write_at(const saver *s, const void *data, size_t len, uint64_t at) {
    for (const uint8_t *p = data; len > 0;) {
        ssize_t n = pwrite(s->fd, p, len, (off_t)at);
        if (n <= 0) return false;
        p += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static size_t type_bytes(const tern_type *type) { return (sizeof(uint64_t) + 4 + strlen(type->name) + 7) & ~(size_t)7; }

static void fill_types(const saver *s) {
    const tern__types *types = &s->heap->types;
    uint8_t *p = s->tables + sizeof s->head;
    for (uint32_t id = TERN__TYPE_FIRST; id < types->n; id += 2) {
        const tern_type *type = types->walks[id].type;
        tern__store64(p, tern__layout_hash(type));
        tern__store32(p + 8, (uint32_t)strlen(type->name));
        memcpy(p + 12, type->name, strlen(type->name));
        p += type_bytes(type);
    }
}

/* Up to the end of the last object. */
static uint64_t used_bytes(const tern_heap *heap, size_t region) {
    size_t first = region * TERN__REGION_UNITS;
    size_t last = tern__space_last_start(&heap->space, first + TERN__REGION_UNITS - 1, first);
    if (last == SIZE_MAX) return 0;
    uint64_t end = (last - first) * TERN__UNIT_BYTES +
                   tern__header_bytes(heap, *(uint64_t *)(void *)tern__space_at(&heap->space, last));
    return (end + TERN__IMAGE_PAGE_BYTES - 1) & ~(uint64_t)(TERN__IMAGE_PAGE_BYTES - 1);
}

static bool is_index(const tern_heap *heap, size_t unit) {
    uint64_t header = *(uint64_t *)(void *)tern__space_at(&heap->space, unit);
    return tern__what_type(tern__header_what(header)) == TERN__TYPE_INDEX;
}

/* Where objects start, but for indices, to which nothing leads in a file. */
static void fill_starts(saver *s, size_t region, uint64_t *starts) {
    const tern_heap *heap = s->heap;
    TERN__EACH_OBJECT(heap, region, unit) {
        if (is_index(heap, unit)) {
            s->head.objects--;
            s->head.object_bytes -= tern__header_bytes(heap, *(uint64_t *)(void *)tern__space_at(&heap->space, unit));
        } else {
            starts[unit / 64] |= (uint64_t)1 << unit % 64;
        }
    }
}

static void fill_regions(saver *s) {
    const tern_heap *heap = s->heap;
    tern__image_region *out = (tern__image_region *)(void *)(s->tables + tern__image_regions_at(&s->head));
    uint64_t *starts = (uint64_t *)(void *)(s->tables + tern__image_starts_at(&s->head));
    for (size_t i = 0; i < s->head.n_regions; i++) {
        const tern__region *r = &heap->space.regions[i];
        out[i] = (tern__image_region){.state = r->state};
        if (r->state == TERN__REGION_RUN || r->state == TERN__REGION_REST) out[i].n_run = r->n_run;
        if (!tern__region_is_used(r)) continue;
        out[i].used_bytes = used_bytes(heap, i);
        fill_starts(s, i, starts);
    }
}

static void fill_roots(const saver *s) {
    const tern__roots *roots = &s->heap->roots;
    tern__image_root *out = (tern__image_root *)(void *)(s->tables + tern__image_roots_at(&s->head));
    for (uint32_t i = 0; i < s->head.n_roots; i++) {
        const tern__root_place *place = &roots->places[i];
        out[i].object = place->object ? (uint64_t)(place->object - s->heap->space.base) : 0;
        out[i].generation = place->generation;
    }
}

static int write_tables(saver *s) {
    const tern_heap *heap = s->heap;
    tern__image_head *head = &s->head;
    *head = (tern__image_head){.magic = TERN__IMAGE_MAGIC,
                               .version = TERN__IMAGE_VERSION,
                               .shape = TERN__IMAGE_SHAPE,
                               .base = (uintptr_t)heap->space.base,
                               .n_regions = heap->room.end,
                               .n_types = (heap->types.n - TERN__TYPE_FIRST) / 2,
                               .n_roots = heap->roots.n,
                               .objects = heap->stats.objects,
                               .object_bytes = heap->stats.object_bytes};
    while (head->n_regions && heap->space.regions[head->n_regions - 1].state == TERN__REGION_FREE) head->n_regions--;
    for (uint32_t id = TERN__TYPE_FIRST; id < heap->types.n; id += 2)
        head->types_bytes += type_bytes(heap->types.walks[id].type);
    const uint64_t end = tern__image_tables_end(head);
    head->data_at = (end + TERN__IMAGE_PAGE_BYTES - 1) & ~(uint64_t)(TERN__IMAGE_PAGE_BYTES - 1);
    head->file_bytes = head->data_at + head->n_regions * TERN__REGION_BYTES;
    s->tables = end <= TERN_BUF_MAX_BYTES ? tern_alloc_private(end) : NULL;
    if (!s->tables) return TERN_ERR_NOMEM;
    memset(s->tables, 0, end);
    fill_types(s);
    fill_regions(s);
    fill_roots(s);
    memcpy(s->tables, head, sizeof *head);
    head->checksum = tern__image_checksum(s->tables, end);
    memcpy(s->tables, head, sizeof *head);
    return ftruncate(s->fd, (off_t)head->file_bytes) == 0 && write_at(s, s->tables, end, 0) ? 0 : TERN_ERR_IO;
}

/* ---- Data ---------------------------------------------------------------------------------------- */

/* Pointers that mean nothing to a reader become NULL: those that do not count (a member of a oneof that is not set may
 * share its place with one that is) or that lead to no bytes, and indices. */
static void clean_elements(const tern__walk *walk, uint8_t *elem, uint64_t n) {
    const void *null = NULL;
    for (; n > 0; n--, elem += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            uint8_t *at = elem + slot->offset;
            bool counts = tern__slot_counts(slot, elem);
            if (!counts && slot->test_mask == UINT32_MAX) continue;
            if (!counts || slot->kind == TERN__SLOT_INDEX || !tern__slot_target(slot, at))
                memcpy(at, &null, sizeof null);
            if (counts && slot->kind == TERN__SLOT_UNKNOWN && !tern__slot_target(slot, at))
                memset(at, 0, sizeof(tern_unknown));
        }
}

static int write_region(const saver *s, size_t region) {
    tern_heap *heap = s->heap;
    const uint64_t used = used_bytes(heap, region);
    memset(s->buffer, 0, used);
    TERN__EACH_OBJECT(heap, region, unit) {
        if (is_index(heap, unit)) continue;
        const uint64_t *from = (const uint64_t *)(const void *)tern__space_at(&heap->space, unit);
        const tern__walk *walk = tern__types_walk(&heap->types, tern__header_what(*from));
        uint64_t *to = (uint64_t *)(void *)(s->buffer + (unit - region * TERN__REGION_UNITS) * TERN__UNIT_BYTES);
        *to = *from;
        memcpy(to + 1, from + 1, (size_t)walk->elem_bytes * tern__header_count(*from));
        clean_elements(walk, (uint8_t *)(to + 1), walk->n_slots ? tern__header_count(*from) : 0);
    }
    return write_at(s, s->buffer, used, s->head.data_at + (region << TERN__REGION_SHIFT)) ? 0 : TERN_ERR_IO;
}

/* A large object, by as many elements as the buffer holds. */
static int write_run(const saver *s, size_t region) {
    const uint8_t *object = s->heap->space.base + (region << TERN__REGION_SHIFT) + TERN__HEADER_BYTES;
    const uint64_t header = *tern__header_of(object);
    const tern__walk *walk = tern__types_walk(&s->heap->types, tern__header_what(header));
    uint64_t at = s->head.data_at + (region << TERN__REGION_SHIFT), most = TERN__REGION_BYTES / walk->elem_bytes;
    if (!write_at(s, &header, sizeof header, at)) return TERN_ERR_IO;
    at += TERN__HEADER_BYTES;
    for (uint64_t left = tern__header_count(header); left > 0;) {
        uint64_t n = left < most ? left : most, bytes = n * walk->elem_bytes;
        memcpy(s->buffer, object, bytes);
        if (walk->n_slots) clean_elements(walk, s->buffer, n);
        if (!write_at(s, s->buffer, bytes, at)) return TERN_ERR_IO;
        object += bytes;
        at += bytes;
        left -= n;
    }
    return 0;
}

static int write_data(const saver *s) {
    int err = 0;
    for (size_t i = 0; i < s->head.n_regions && !err; i++) {
        unsigned state = s->heap->space.regions[i].state;
        if (state == TERN__REGION_OBJECTS) err = write_region(s, i);
        if (state == TERN__REGION_RUN && !is_index(s->heap, i * TERN__REGION_UNITS)) err = write_run(s, i);
    }
    return err;
}

static int save_to(tern_heap *heap, int fd) {
    saver s = {.heap = heap, .fd = fd, .buffer = tern_alloc_private(TERN__REGION_BYTES)};
    int err = s.buffer ? write_tables(&s) : TERN_ERR_NOMEM;
    if (!err) err = write_data(&s);
    if (!err && fsync(fd) != 0) err = TERN_ERR_IO;
    tern_unref(s.tables);
    tern_unref(s.buffer);
    return err;
}

static int save_as(tern_heap *heap, const char *path, char *temporary) {
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) return TERN_ERR_IO;
    int err = save_to(heap, fd);
    if (close(fd) != 0 && !err) err = TERN_ERR_IO;
    if (!err && rename(temporary, path) != 0) err = TERN_ERR_IO;
    if (err) unlink(temporary);
    return err;
}

int tern_heap_save(tern_heap *heap, const char *path) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    if (heap->n_arriving) {
        tern__problem_say(heap, "a graph is being received: finish or cancel it first");
        return TERN_ERR_AGAIN;
    }
    err = tern__collect(heap);
    if (!err) err = tern__check_objects(heap, TERN__CHECK_CLOSED);
    if (err) return err;
    const size_t len = strlen(path);
    char *temporary = tern_alloc_private(len + 8);
    if (!temporary) return TERN_ERR_NOMEM;
    memcpy(temporary, path, len);
    memcpy(temporary + len, ".XXXXXX", 8);
    err = save_as(heap, path, temporary);
    tern_unref(temporary);
    if (err == TERN_ERR_IO) tern__problem_say(heap, "%s cannot be written", path);
    return err;
}

/* A file of a heap that somebody has changed, taken without trust: an error with words, or a heap that is in order, can
 * be collected, moved and saved. The input is a list of changes of the file, {u16 number of a word of 8 bytes, u64 new
 * value}, counted from the file's beginning; numbers from 0x8000 on count from the data's beginning, and values whose
 * upper half is 0xffffffff are addresses in the data. The checksum is right again afterwards. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "fuzz.h"
#include "graph/image.h"
#include "links.h"

enum { LINKS = 12, CHANGE_BYTES = 10 };

static uint8_t *image;
static size_t image_bytes;
static int file;
static char path[64];

static void read_image(const char *from) {
    struct stat st;
    int fd = open(from, O_RDONLY);
    FUZZ_CHECK(fd >= 0 && fstat(fd, &st) == 0);
    image_bytes = (size_t)st.st_size;
    image = malloc(image_bytes);
    FUZZ_CHECK(read(fd, image, image_bytes) == (ssize_t)image_bytes);
    close(fd);
}

/* A heap with a list, a map, a cycle, and views into others' strings. */
static void make_image(void) {
    tern_heap *heap;
    tern_root root;
    char saved[] = "/tmp/tern-fuzz-heap-XXXXXX";
    FUZZ_CHECK(tern_heap_new(NULL, &heap) == 0);
    link_msg *first = link_new(heap, 0);
    FUZZ_CHECK(first && tern_root_new(heap, first, &root) == 0);
    for (uint32_t i = 1; i < LINKS; i++) {
        link_msg *link = link_new(heap, i);
        FUZZ_CHECK(link && link_add_peer(heap, first, link) && link_name(heap, first, i, link));
        link->next = first;
        link->extra = tern_bytes_of(first->label.data + 1, 3);
        link->has.extra = 1;
    }
    int fd = mkstemp(saved);
    FUZZ_CHECK(fd >= 0 && close(fd) == 0 && tern_heap_save(heap, saved) == 0 && tern_heap_free(heap) == 0);
    read_image(saved);
    unlink(saved);
    file = memfd_create("heap", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0 && write(file, image, image_bytes) == (ssize_t)image_bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
}

static void put(uint8_t *bytes, size_t at, size_t len) {
    FUZZ_CHECK(pwrite(file, bytes + at, len, (off_t)at) == (ssize_t)len);
}

static size_t place_of(const uint8_t *change, const tern__image_head *head) {
    size_t word = tern__load16(change);
    size_t at = word < 0x8000 ? word * 8 : head->data_at + (word - 0x8000) * 8;
    return at + 8 <= image_bytes ? at : 0;
}

static uint64_t value_of(const uint8_t *change, const tern__image_head *head) {
    uint64_t value = tern__load64(change + 2);
    return value >> 32 == UINT32_MAX ? head->base + (uint32_t)value % 65536 : value;
}

/* The tables in the file have the checksum that they should have. */
static void sign(uint8_t *changed) {
    tern__image_head head;
    memcpy(&head, changed, sizeof head);
    bool is_sane = head.n_regions < 1000 && head.n_roots < 100000 && head.types_bytes < 100000;
    uint64_t end = is_sane ? tern__image_tables_end(&head) : 0;
    if (!is_sane || end > image_bytes || end % 8) return;
    head.checksum = 0;
    memcpy(changed, &head, sizeof head);
    head.checksum = tern__image_checksum(changed, end);
    memcpy(changed, &head, sizeof head);
}

static void take(void) {
    static const tern_type *const types[] = {&link_type, &link_entry_type};
    const tern_registry registry = {types, 2};
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .heap = &config};
    tern_heap *heap;
    char problem[300];
    int err = tern_heap_map(path, &opts, &heap, problem, sizeof problem);
    FUZZ_CHECK(err <= 0 && (err == 0 || problem[0]));
    if (err) return;
    FUZZ_CHECK(tern_heap_check(heap) == 0 && tern_heap_collect(heap) == 0 && tern_heap_compact(heap) == 0);
    FUZZ_CHECK(tern_heap_check(heap) == 0 && link_new(heap, 1) && tern_heap_free(heap) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern__image_head head;
    if (!image) make_image();
    memcpy(&head, image, sizeof head);
    uint8_t *changed = malloc(image_bytes);
    memcpy(changed, image, image_bytes);
    for (size_t i = 0; i + CHANGE_BYTES <= len; i += CHANGE_BYTES)
        tern__store64(changed + place_of(data + i, &head), value_of(data + i, &head));
    sign(changed);
    for (size_t i = 0; i + CHANGE_BYTES <= len; i += CHANGE_BYTES) put(changed, place_of(data + i, &head), 8);
    put(changed, 0, sizeof head);
    take();
    for (size_t i = 0; i + CHANGE_BYTES <= len; i += CHANGE_BYTES) put(image, place_of(data + i, &head), 8);
    put(image, 0, sizeof head);
    free(changed);
    return 0;
}

/* Channels and regions: creating and sealing our memory, and distrusting the peer's.
 *
 * A mapping of foreign memory can kill us in two ways: SIGBUS past the end of a file that shrank, and SIGBUS for
 * a huge page that does not exist. The first is excluded by the seal F_SEAL_SHRINK, checked before mapping; the
 * second by MADV_POPULATE_READ before the first look, which reports an error. A part that was once readable stays
 * readable: F_SEAL_FUTURE_WRITE (or F_SEAL_WRITE), checked too, also forbids punching holes. Only memfds have seals, so
 * that a peer cannot hand over a file of a file system of its own that never answers. */
#include "port/shm_map.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "port/shm_ring.h"

enum { HUGE_BYTES = 2 << 20 };

static const uint64_t MAX_SEGMENT_BYTES = (uint64_t)1 << 44;
static const uint64_t MAX_HOLE_BYTES = (uint64_t)256 << 20;

static size_t channel_bytes(uint32_t ring_lines, uint32_t bounce_bytes) {
    return TERN__SHM_CONTROL_BYTES + (size_t)ring_lines * TERN__RING_LINE_BYTES + bounce_bytes;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

int tern__shm_channel_new(tern__shm_channel *channel) {
    size_t bytes = channel_bytes(TERN__SHM_RING_LINES, TERN__SHM_BOUNCE_BYTES);
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("tern-channel", flags | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd_create("tern-channel", flags); /* before Linux 6.3 */
    if (fd < 0) return errno == ENOMEM ? TERN_ERR_NOMEM : TERN_ERR_IO;
    if (ftruncate(fd, (off_t)bytes)) goto fail_fd;
    uint8_t *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) goto fail_fd;
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)) goto fail_map;
    channel->fd = fd;
    channel->bytes = bytes;
    channel->control = (tern__shm_control *)(void *)base;
    channel->lines = base + TERN__SHM_CONTROL_BYTES;
    channel->bounce = channel->lines + (size_t)TERN__SHM_RING_LINES * TERN__RING_LINE_BYTES;
    *channel->control = (tern__shm_control){.magic = TERN__SHM_MAGIC,
                                            .version = TERN__SHM_VERSION,
                                            .ring_lines = TERN__SHM_RING_LINES,
                                            .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
    return 0;
fail_map:
    munmap(base, bytes);
fail_fd:
    close(fd);
    return TERN_ERR_IO;
}

void tern__shm_channel_free(tern__shm_channel *channel) {
    if (!channel->control) return;
    munmap(channel->control, channel->bytes);
    if (channel->fd >= 0) close(channel->fd);
    *channel = (tern__shm_channel){.fd = -1};
}

/* Whether fd is a memfd of at least `bytes` bytes that can neither shrink nor get holes. */
static bool is_sealed(int fd, uint64_t bytes) {
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || !(seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))) return false;
    return fstat(fd, &st) == 0 && st.st_size >= 0 && (uint64_t)st.st_size >= bytes;
}

/* munmap() of a file of huge pages takes whole huge pages only, and a channel is not made of such. */
static bool is_of_small_pages(int fd) {
    struct statfs fs;
    return fstatfs(fd, &fs) == 0 && fs.f_type != HUGETLBFS_MAGIC;
}

int tern__shm_view_map(tern__shm_view *view, int fd, const tern__shm_hello *hello) {
    uint32_t lines = hello->ring_lines, bounce = hello->bounce_bytes;
    if (lines < TERN__RING_MIN_LINES || lines > TERN__SHM_MAX_RING_LINES || (lines & (lines - 1)) ||
        bounce > TERN__SHM_MAX_BOUNCE_BYTES)
        return TERN_ERR_MALFORMED;
    size_t bytes = channel_bytes(lines, bounce);
    if (!is_sealed(fd, bytes) || !is_of_small_pages(fd)) return TERN_ERR_MALFORMED;
    const uint8_t *base = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return TERN_ERR_NOMEM;
    view->control = (const tern__shm_control *)(const void *)base;
    view->lines = base + TERN__SHM_CONTROL_BYTES;
    view->bounce = view->lines + (size_t)lines * TERN__RING_LINE_BYTES;
    view->bytes = bytes;
    view->ring_lines = lines;
    view->bounce_bytes = bounce;
    if (view->control->magic == TERN__SHM_MAGIC && view->control->version == TERN__SHM_VERSION) return 0;
    tern__shm_view_unmap(view);
    return TERN_ERR_MALFORMED;
}

static void unmap_const(const void *base, size_t bytes) { munmap((void *)(uintptr_t)base, bytes); }

void tern__shm_view_unmap(tern__shm_view *view) {
    if (view->control) unmap_const(view->control, view->bytes);
    *view = (tern__shm_view){0};
}

/* ---- Regions ------------------------------------------------------------------------------------ */

static size_t n_windows(const tern__shm_segment *segment) {
    return (size_t)((segment->bytes + ((uint64_t)1 << TERN__SHM_WINDOW_SHIFT) - 1) >> TERN__SHM_WINDOW_SHIFT);
}

static int open_segment(tern__shm_segment *segment, uint64_t offset, uint64_t bytes, int fd) {
    struct statfs fs;
    if (bytes == 0 || bytes > MAX_SEGMENT_BYTES || offset > MAX_SEGMENT_BYTES || !is_sealed(fd, bytes))
        return TERN_ERR_MALFORMED;
    if (fstatfs(fd, &fs)) return TERN_ERR_MALFORMED;
    bool huge = fs.f_type == HUGETLBFS_MAGIC;
    if (huge && (fs.f_bsize != HUGE_BYTES || bytes % HUGE_BYTES)) return TERN_ERR_MALFORMED;
    *segment = (tern__shm_segment){.offset = offset, .bytes = bytes, .fd = fd, .huge = huge};
    segment->windows = calloc(n_windows(segment), sizeof *segment->windows);
    return segment->windows ? 0 : TERN_ERR_NOMEM;
}

int tern__shm_region_open(tern__shm_region *region, const tern__shm_hello *hello, const int *fds) {
    *region = (tern__shm_region){0};
    if (hello->n_segments > TERN__SHM_MAX_SEGMENTS) return TERN_ERR_MALFORMED;
    for (unsigned i = 0; i < hello->n_segments; i++) {
        int err = open_segment(&region->segments[i], hello->segments[i].offset, hello->segments[i].bytes, fds[i]);
        if (err) {
            for (unsigned k = 0; k < i; k++) free(region->segments[k].windows);
            *region = (tern__shm_region){0};
            return err;
        }
    }
    region->n_segments = hello->n_segments;
    return 0;
}

void tern__shm_region_close(tern__shm_region *region) {
    for (unsigned i = 0; i < region->n_segments; i++) {
        tern__shm_segment *segment = &region->segments[i];
        for (size_t k = 0; k < n_windows(segment); k++) {
            if (!segment->windows[k]) continue;
            unmap_const(segment->windows[k]->base, segment->windows[k]->bytes);
            free(segment->windows[k]);
        }
        free(segment->windows);
        close(segment->fd);
    }
    *region = (tern__shm_region){0};
}

static tern__shm_window *map_window(tern__shm_segment *segment, size_t index) {
    uint64_t start = (uint64_t)index << TERN__SHM_WINDOW_SHIFT;
    uint64_t bytes = segment->bytes - start;
    if (bytes > (uint64_t)1 << TERN__SHM_WINDOW_SHIFT) bytes = (uint64_t)1 << TERN__SHM_WINDOW_SHIFT;
    tern__shm_window *window = calloc(1, sizeof *window);
    if (!window) return NULL;
    const void *base = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, segment->fd, (off_t)start);
    if (base == MAP_FAILED) {
        free(window);
        return NULL;
    }
    window->base = base;
    window->bytes = bytes;
    segment->windows[index] = window;
    return window;
}

/* Whether pages of the chunk are missing, so that a look at them would allocate. */
static bool has_holes(const uint8_t *chunk, size_t bytes) {
    unsigned char resident[(1 << TERN__SHM_CHUNK_SHIFT) / 4096];
    if (mincore((void *)(uintptr_t)chunk, bytes, resident)) return true;
    for (size_t i = 0; i < (bytes + 4095) / 4096; i++)
        if (!(resident[i] & 1)) return true;
    return false;
}

/* Make one chunk readable: false if it cannot be. */
static bool prepare_chunk(tern__shm_region *region, const tern__shm_segment *segment, tern__shm_window *window,
                          size_t chunk) {
    size_t unit = segment->huge ? HUGE_BYTES : (size_t)1 << TERN__SHM_CHUNK_SHIFT;
    size_t start = (chunk << TERN__SHM_CHUNK_SHIFT) / unit * unit;
    size_t bytes = window->bytes - start < unit ? window->bytes - start : unit;
    const uint8_t *at = window->base + start;
    /* mincore does not see the holes of huge pages; their number is the system's anyway. */
    if (!segment->huge && has_holes(at, bytes)) {
        region->hole_bytes += bytes;
        if (region->hole_bytes > MAX_HOLE_BYTES) return false;
    }
    if (madvise((void *)(uintptr_t)at, bytes, MADV_POPULATE_READ) && (errno != EINVAL || segment->huge)) return false;
    for (size_t i = start >> TERN__SHM_CHUNK_SHIFT; i << TERN__SHM_CHUNK_SHIFT < start + bytes; i++)
        window->ready[i >> 6] |= (uint64_t)1 << (i & 63);
    return true;
}

const void *tern__shm_region_at(tern__shm_region *region, uint64_t offset, uint32_t len) {
    tern__shm_segment *segment = region->segments;
    if (region->n_segments > 1 && offset >= region->segments[1].offset) segment++;
    if (region->n_segments == 0 || offset < segment->offset) return NULL;
    uint64_t at = offset - segment->offset;
    if (at >= segment->bytes || len > segment->bytes - at) return NULL;
    size_t index = (size_t)(at >> TERN__SHM_WINDOW_SHIFT);
    tern__shm_window *window = segment->windows[index];
    if (!window && !(window = map_window(segment, index))) return NULL;
    at &= ((uint64_t)1 << TERN__SHM_WINDOW_SHIFT) - 1;
    if (len > window->bytes - at) return NULL;
    size_t last = (size_t)(at + len - 1) >> TERN__SHM_CHUNK_SHIFT;
    for (size_t i = (size_t)at >> TERN__SHM_CHUNK_SHIFT; i <= last; i++)
        if (!(window->ready[i >> 6] >> (i & 63) & 1) && !prepare_chunk(region, segment, window, i)) return NULL;
    return window->base + at;
}

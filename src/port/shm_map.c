/* Channels and segments: creating and sealing our memory, and distrusting the peer's.
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

#include "base/file_limit.h"
#include "port/deferred_close.h"
#include "port/shm_ring.h"

enum { HUGE_BYTES = 2 << 20, PAGE_BYTES = 4096 };

static const uint64_t MAX_SEGMENT_BYTES = (uint64_t)1 << 30;
static const uint64_t MAX_MAPPED_BYTES = (uint64_t)1 << 38; /* per peer */
static const uint64_t MAX_HOLE_BYTES = (uint64_t)256 << 20;
static const uint64_t MAX_KEPT_BYTES = (uint64_t)1 << 38; /* of segments with kept references, all peers together */
static uint64_t kept_bytes;                               /* atomic */

/* Of all peers' segments. The kernel has some 65000 mappings for a process, and an honest peer takes one for 60 MB. */
enum { MAX_SEGMENTS = 8192 };
static const uint64_t MAX_SEGMENTS_BYTES = (uint64_t)1 << 42;
static uint32_t n_segments;     /* atomic */
static uint64_t segments_bytes; /* atomic */

static size_t channel_bytes(uint32_t ring_lines, uint32_t bounce_bytes) {
    return TERN__SHM_CONTROL_BYTES + (size_t)ring_lines * TERN__RING_LINE_BYTES + bounce_bytes;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

static int channel_error(int error) {
    switch (error) {
    case ENOMEM:
    case ENOSPC: return TERN_ERR_NOMEM;
    case EMFILE:
    case ENFILE: return TERN_ERR_LIMIT;
    case EPERM:
    case EACCES:
    case ENOSYS: return TERN_ERR_ACCESS;
    default: return TERN_ERR_IO;
    }
}

int tern__shm_channel_new(tern__shm_channel *channel, bool fill) {
    size_t bytes = channel_bytes(TERN__SHM_RING_LINES, TERN__SHM_BOUNCE_BYTES);
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("tern-channel", flags | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd_create("tern-channel", flags); /* before Linux 6.3 */
    if (fd < 0) return channel_error(errno);
    errno = EFBIG;
    if (!tern__file_may_have(bytes) || ftruncate(fd, (off_t)bytes)) goto fail_fd;
    if (fill && fallocate(fd, 0, 0, (off_t)bytes)) goto fail_fd;
    uint8_t *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) goto fail_fd;
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)) goto fail_map;
    /* What is only allocated still counts as a hole. */
    for (size_t at = 0; fill && at < bytes; at += PAGE_BYTES) *(volatile uint8_t *)(base + at) = 0;
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
fail_fd:;
    int error = errno;
    close(fd);
    errno = error;
    return error == ENOSPC || error == ENOMEM ? TERN_ERR_NOMEM : TERN_ERR_IO;
}

void tern__shm_channel_free(tern__shm_channel *channel) {
    if (!channel->control) return;
    munmap(channel->control, channel->bytes);
    if (channel->fd >= 0) close(channel->fd);
    *channel = (tern__shm_channel){.fd = -1};
}

/* Whether fd is a memfd of `bytes` bytes that can neither shrink nor get holes. What is longer than it is said to be
 * would take longer to let go of. */
static bool is_sealed(int fd, uint64_t bytes) {
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || !(seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))) return false;
    return fstat(fd, &st) == 0 && st.st_size >= 0 && (uint64_t)st.st_size == bytes;
}

/* Of a file that we may not write mincore() says that it has no holes. */
static bool is_ours(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_uid == geteuid();
}

/* munmap() of a file of huge pages takes whole huge pages only, and a channel is not made of such. */
static bool is_of_small_pages(int fd) {
    struct statfs fs;
    return fstatfs(fd, &fs) == 0 && fs.f_type != HUGETLBFS_MAGIC;
}

/* What is there now stays, because of the seals. */
static bool is_whole(int fd, uint64_t bytes) { return lseek(fd, 0, SEEK_HOLE) == (off_t)bytes; }

int tern__shm_view_map(tern__shm_view *view, int fd, const tern__shm_hello *hello, bool may_have_holes) {
    uint32_t lines = hello->ring_lines, bounce = hello->bounce_bytes;
    if (lines < TERN__RING_MIN_LINES || lines > TERN__SHM_MAX_RING_LINES || (lines & (lines - 1)) ||
        bounce > TERN__SHM_MAX_BOUNCE_BYTES)
        return TERN_ERR_MALFORMED;
    size_t bytes = channel_bytes(lines, bounce);
    if (!is_sealed(fd, bytes) || !is_of_small_pages(fd)) return TERN_ERR_MALFORMED;
    bool is_long = bytes > channel_bytes(TERN__SHM_RING_LINES, TERN__SHM_BOUNCE_BYTES);
    if ((is_long || !may_have_holes) && !is_whole(fd, bytes)) return TERN_ERR_ACCESS;
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

static void forget(uint64_t bytes) { (void)bytes; }

/* The memory is the peer's, as much as the peer has filled of 8 MB, and goes with the last mapping: that takes up to a
 * millisecond. */
void tern__shm_view_unmap(tern__shm_view *view) {
    void *base = (void *)(uintptr_t)view->control;
    if (base && tern__deferred_unmap_is_full())
        munmap(base, view->bytes);
    else if (base)
        tern__deferred_unmap(base, view->bytes, forget);
    *view = (tern__shm_view){0};
}

/* ---- Segments ------------------------------------------------------------------------------------ */

static size_t n_ready_words(uint64_t bytes) { return (size_t)((bytes >> TERN__SHM_PIECE_SHIFT) / 64 + 1); }

static bool has_place(tern__shm_region *region, uint32_t number) {
    if (number < region->n) return true;
    uint32_t n = region->n ? region->n : 16;
    while (n <= number) n *= 2;
    tern__shm_segment **segments = realloc(region->segments, n * sizeof(tern__shm_segment *));
    if (!segments) return false;
    for (uint32_t i = region->n; i < n; i++) segments[i] = NULL;
    region->segments = segments;
    region->n = n;
    return true;
}

static void give_addresses(uint64_t bytes) {
    __atomic_sub_fetch(&n_segments, 1, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&segments_bytes, bytes, __ATOMIC_RELAXED);
}

static bool take_addresses(uint64_t bytes) {
    uint32_t n = __atomic_add_fetch(&n_segments, 1, __ATOMIC_RELAXED);
    uint64_t all = __atomic_add_fetch(&segments_bytes, bytes, __ATOMIC_RELAXED);
    if (n <= MAX_SEGMENTS && all <= MAX_SEGMENTS_BYTES) return true;
    give_addresses(bytes);
    return false;
}

/* A new mapping, on the account of all. */
static const uint8_t *map_segment(int fd, uint64_t bytes) {
    if (!take_addresses(bytes)) return NULL;
    const void *base = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (base != MAP_FAILED) return base;
    give_addresses(bytes);
    return NULL;
}

int tern__shm_region_add(tern__shm_region *region, const tern__shm_notice *notice, int fd) {
    struct statfs fs;
    uint64_t bytes = notice->bytes;
    if (notice->segment >= TERN__SHM_MAX_SEGMENTS || bytes == 0 || bytes > MAX_SEGMENT_BYTES || !is_sealed(fd, bytes) ||
        !is_ours(fd) || fstatfs(fd, &fs))
        return TERN_ERR_MALFORMED;
    bool huge = fs.f_type == HUGETLBFS_MAGIC;
    if (bytes % (huge ? HUGE_BYTES : PAGE_BYTES) || (huge && fs.f_bsize != HUGE_BYTES)) return TERN_ERR_MALFORMED;
    if (bytes > MAX_MAPPED_BYTES - region->mapped_bytes) return TERN_ERR_MALFORMED;
    if (!has_place(region, notice->segment)) return TERN_ERR_NOMEM;
    if (region->segments[notice->segment]) return TERN_ERR_MALFORMED;
    tern__shm_segment *s = calloc(1, sizeof *s + n_ready_words(bytes) * sizeof s->ready[0]);
    if (!s) return TERN_ERR_NOMEM;
    const uint8_t *base = map_segment(fd, bytes);
    if (!base) {
        free(s);
        return TERN_ERR_NOMEM;
    }
    madvise((void *)(uintptr_t)base, bytes, MADV_DONTDUMP);
    s->base = base;
    s->bytes = bytes;
    s->generation = notice->generation;
    s->n_users = 1;
    s->huge = huge;
    region->segments[notice->segment] = s;
    region->mapped_bytes += bytes;
    return 0;
}

bool tern__shm_segment_keep(tern__shm_segment *s) {
    if (!s->kept) {
        if (__atomic_add_fetch(&kept_bytes, s->bytes, __ATOMIC_RELAXED) > MAX_KEPT_BYTES) {
            __atomic_sub_fetch(&kept_bytes, s->bytes, __ATOMIC_RELAXED);
            return false;
        }
        s->kept = true;
    }
    __atomic_add_fetch(&s->n_users, 1, __ATOMIC_RELAXED);
    return true;
}

void tern__shm_segment_put(tern__shm_segment *s) {
    if (__atomic_sub_fetch(&s->n_users, 1, __ATOMIC_ACQ_REL)) return;
    if (s->kept) __atomic_sub_fetch(&kept_bytes, s->bytes, __ATOMIC_RELAXED);
    tern__deferred_unmap(s->base, s->bytes, give_addresses); /* nobody else may have the file any more */
    free(s);
}

static void drop_segment(tern__shm_region *region, uint32_t number) {
    tern__shm_segment *s = region->segments[number];
    if (!s) return;
    region->segments[number] = NULL;
    region->mapped_bytes -= s->bytes;
    tern__shm_segment_put(s);
}

int tern__shm_region_remove(tern__shm_region *region, const tern__shm_notice *notice) {
    if (!tern__shm_segment_of(region, notice->segment, notice->generation)) return TERN_ERR_MALFORMED;
    drop_segment(region, notice->segment);
    return 0;
}

void tern__shm_region_close(tern__shm_region *region) {
    for (uint32_t i = 0; i < region->n; i++) drop_segment(region, i);
    free(region->segments);
    *region = (tern__shm_region){0};
}

/* Whether pages of the piece are missing, so that a look at them would allocate. */
static bool has_holes(const uint8_t *piece, size_t bytes) {
    unsigned char resident[(1 << TERN__SHM_PIECE_SHIFT) / PAGE_BYTES];
    if (mincore((void *)(uintptr_t)piece, bytes, resident)) return true;
    for (size_t i = 0; i < (bytes + PAGE_BYTES - 1) / PAGE_BYTES; i++)
        if (!(resident[i] & 1)) return true;
    return false;
}

/* Make one piece readable: false if it cannot be. */
static bool prepare_piece(tern__shm_region *region, tern__shm_segment *s, uint64_t piece) {
    uint64_t unit = s->huge ? (uint64_t)HUGE_BYTES : (uint64_t)1 << TERN__SHM_PIECE_SHIFT;
    uint64_t start = (piece << TERN__SHM_PIECE_SHIFT) / unit * unit;
    size_t bytes = (size_t)(s->bytes - start < unit ? s->bytes - start : unit);
    const uint8_t *at = s->base + start;
    /* mincore does not see the holes of huge pages; their number is the system's anyway. */
    if (!s->huge && has_holes(at, bytes)) {
        region->hole_bytes += bytes;
        if (region->hole_bytes > MAX_HOLE_BYTES) return false;
    }
    if (madvise((void *)(uintptr_t)at, bytes, MADV_POPULATE_READ) && (errno != EINVAL || s->huge)) return false;
    for (uint64_t i = start >> TERN__SHM_PIECE_SHIFT; i << TERN__SHM_PIECE_SHIFT < start + bytes; i++)
        s->ready[i >> 6] |= (uint64_t)1 << (i & 63);
    return true;
}

/* Whether pieces first to last, of which there are few, are known to be readable; false also if that takes a longer
 * look. */
static inline bool are_ready(const tern__shm_segment *s, uint64_t first, uint64_t last) {
    if (first >> 6 != last >> 6 || last - first == 63) return false;
    uint64_t mask = ((uint64_t)1 << (last - first + 1)) - 1;
    return (s->ready[first >> 6] >> (first & 63) & mask) == mask;
}

const void *tern__shm_segment_prepare(tern__shm_region *region, tern__shm_segment *s, uint64_t offset, uint32_t len) {
    uint64_t first = offset >> TERN__SHM_PIECE_SHIFT, last = (offset + len - 1) >> TERN__SHM_PIECE_SHIFT;
    if (are_ready(s, first, last)) return s->base + offset;
    for (uint64_t i = first; i <= last; i++)
        if (!(s->ready[i >> 6] >> (i & 63) & 1) && !prepare_piece(region, s, i)) return NULL;
    return s->base + offset;
}

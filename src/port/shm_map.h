/* The memory of the shm port: the channel that each side makes for a peer, and its view of the peer's
 * channel and region. Here are the checks that keep a peer from harming us through a descriptor it sent.
 *
 *   channel (a sealed memfd, written by its owner alone):
 *   | control page 4096 B | ring, ring_lines * 64 B | bounce area, bounce_bytes |
 *
 * The region is the peer's pool (mem/pool.h), mapped piece by piece as offsets in it come in. */
#ifndef TERN_PORT_SHM_MAP_H
#define TERN_PORT_SHM_MAP_H

#include "base/base.h"
#include "tern/err.h"

enum {
    TERN__SHM_MAGIC = 0x4d485354, /* "TSHM" */
    TERN__SHM_VERSION = 1,
    TERN__SHM_CONTROL_BYTES = 4096,
    TERN__SHM_RING_LINES = 4096,
    TERN__SHM_BOUNCE_BYTES = 1 << 20,
    TERN__SHM_MAX_RING_LINES = 1 << 16,   /* of a peer's */
    TERN__SHM_MAX_BOUNCE_BYTES = 4 << 20, /* of a peer's */
    TERN__SHM_MAX_SEGMENTS = 2,
    TERN__SHM_MAX_FDS = 1 + TERN__SHM_MAX_SEGMENTS
};

/* Where the piece of a packet that an entry names lies. */
typedef enum tern__shm_space { TERN__SHM_IN_REGION = 0, TERN__SHM_IN_BOUNCE = 1 } tern__shm_space;

enum {
    TERN__SHM_TAKES_REFS = 1,  /* I have your region and follow offsets into it */
    TERN__SHM_NEEDS_FENCE = 2, /* I have no membarrier: put a full fence before you look whether I sleep */
    TERN__SHM_STALLED = 4,     /* I wait for you to read on: wake me when you have */
    TERN__SHM_REVOKED = 8      /* my region is no longer what my records say: leave them unread */
};

/* The control page. Its owner writes it, the peer reads it. Lines by how often they change. */
typedef struct tern__shm_control {
    uint32_t magic, version, ring_lines, bounce_bytes;
    uint8_t unused0[48];
    uint64_t consumed; /* how far I have read in your ring: a position */
    uint8_t unused1[56];
    uint32_t sleep; /* odd: I sleep; wake me with a byte on the socket, once per value */
    uint32_t flags; /* TERN__SHM_* above */
    uint8_t unused2[56];
} tern__shm_control;

/* What each side says first, with descriptors: the channel, then one per segment. docs/shm.md. */
typedef struct tern__shm_hello {
    uint32_t magic;
    uint16_t version;
    uint16_t n_segments;
    uint32_t ring_lines, bounce_bytes;
    struct {
        uint64_t offset; /* in the region */
        uint64_t bytes;
    } segments[TERN__SHM_MAX_SEGMENTS];
} tern__shm_hello;

/* Ours. */
typedef struct tern__shm_channel {
    int fd;                     /* -1 once the peer has it: the mapping suffices us */
    tern__shm_control *control; /* start of the mapping; NULL when there is none */
    uint8_t *lines, *bounce;
    size_t bytes;
} tern__shm_channel;

/* Make a channel with our sizes, mapped and sealed. TERN_ERR_NOMEM, TERN_ERR_IO. */
int tern__shm_channel_new(tern__shm_channel *channel);
void tern__shm_channel_free(tern__shm_channel *channel); /* zeroed ones too */

/* The peer's, mapped read-only. */
typedef struct tern__shm_view {
    const tern__shm_control *control;
    const uint8_t *lines, *bounce;
    size_t bytes;
    uint32_t ring_lines, bounce_bytes;
} tern__shm_view;

/* Map what a peer calls its channel; the descriptor stays the caller's. TERN_ERR_MALFORMED when its size or
 * seals would let the peer hurt us, TERN_ERR_NOMEM. */
int tern__shm_view_map(tern__shm_view *view, int fd, const tern__shm_hello *hello);
void tern__shm_view_unmap(tern__shm_view *view);

/* The peer's region. Windows of it are mapped on demand, so a thousand peers do not use up the addresses. */
enum {
    TERN__SHM_WINDOW_SHIFT = 30, /* no buffer crosses a multiple of the largest buffer's size */
    TERN__SHM_CHUNK_SHIFT = 16,  /* made readable in pieces of this size; of 2 MB on huge pages */
    TERN__SHM_WINDOW_CHUNKS = 1 << (TERN__SHM_WINDOW_SHIFT - TERN__SHM_CHUNK_SHIFT)
};

typedef struct tern__shm_window {
    const uint8_t *base;
    size_t bytes;
    uint64_t ready[TERN__SHM_WINDOW_CHUNKS / 64]; /* a bit per chunk that is known to be readable */
} tern__shm_window;

typedef struct tern__shm_segment {
    uint64_t offset, bytes;
    tern__shm_window **windows; /* one per GB, NULL until used */
    int fd;                     /* ours to close */
    bool huge;
} tern__shm_segment;

typedef struct tern__shm_region {
    tern__shm_segment segments[TERN__SHM_MAX_SEGMENTS];
    uint64_t hole_bytes; /* made to exist by our looking at them */
    unsigned n_segments;
} tern__shm_region;

/* Take the segments that hello names; on success the descriptors are the region's. TERN_ERR_MALFORMED,
 * TERN_ERR_NOMEM. */
int tern__shm_region_open(tern__shm_region *region, const tern__shm_hello *hello, const int *fds);
void tern__shm_region_close(tern__shm_region *region);

/* Where [offset, offset + len) of the region can be read, len from 1 to 64 KB. NULL when it is not all in one
 * window, or cannot be read, or the peer's holes would eat our memory. */
const void *tern__shm_region_at(tern__shm_region *region, uint64_t offset, uint32_t len);

#endif

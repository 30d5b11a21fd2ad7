/* The memory of the shm port: the channel that each side makes for a peer, and its view of the peer's
 * channel and segments. Here are the checks that keep a peer from harming us through a descriptor it sent.
 *
 *   channel (a sealed memfd, written by its owner alone):
 *   | control, 3 pages of 4096 B | ring, ring_lines * 64 B | bounce area, bounce_bytes |
 *
 * A segment is a part of the peer's pool (mem/segment.h), mapped when the peer announces it, until the peer retires it
 * or is gone and nobody reads values in it any more. */
#ifndef TERN_PORT_SHM_MAP_H
#define TERN_PORT_SHM_MAP_H

#include "base/base.h"
#include "tern/err.h"

enum {
    TERN__SHM_MAGIC = 0x4d485354, /* "TSHM" */
    TERN__SHM_VERSION = 2,
    TERN__SHM_CONTROL_BYTES = 3 * 4096,
    TERN__SHM_TICKETS = 4096, /* references that a peer may keep, at a time */
    TERN__SHM_RING_LINES = 4096,
    TERN__SHM_BOUNCE_BYTES = 2 << 20,
    TERN__SHM_MAX_RING_LINES = 1 << 16,   /* of a peer's */
    TERN__SHM_MAX_BOUNCE_BYTES = 4 << 20, /* of a peer's */
    TERN__SHM_MAX_SEGMENTS = 4096         /* of a peer's, at a time */
};

/* In the place of an entry's segment: the piece lies in the bounce area. */
#define TERN__SHM_IN_BOUNCE UINT32_MAX

/* Else a number of 16 bits, and above it that of a ticket, from 1; 0: the reference cannot be kept. */
static inline uint32_t tern__shm_name(uint32_t segment, uint32_t ticket) { return segment | ticket << 16; }
static inline uint32_t tern__shm_segment_named(uint32_t name) { return name & 0xffff; }
static inline uint32_t tern__shm_ticket_named(uint32_t name) { return name >> 16; }

enum {
    TERN__SHM_TAKES_REFS = 1,  /* I map segments that you announce, and follow offsets into them */
    TERN__SHM_NEEDS_FENCE = 2, /* I have no membarrier: put a full fence before you look whether I sleep */
    TERN__SHM_STALLED = 4,     /* I wait for you to read on: wake me when you have */
    TERN__SHM_REVOKED = 8,     /* my segments no longer are what my records say: leave them unread */
    TERN__SHM_KEEPS = 16       /* I may keep references: give them tickets */
};

/* The control pages. Their owner writes them, the peer reads them. Lines by how often they change. */
typedef struct tern__shm_control {
    uint32_t magic, version, ring_lines, bounce_bytes;
    uint8_t unused0[48];
    uint64_t consumed; /* how far I have read in your ring: a position */
    uint32_t let_go;   /* how many of your references I have kept and let go of, modulo 2^32 */
    uint8_t unused1[52];
    uint32_t sleep; /* odd: I sleep; wake me with a byte on the socket, once per value */
    uint32_t flags; /* TERN__SHM_* above */
    uint8_t unused2[56 + 4096 - 192];
    uint8_t held[TERN__SHM_TICKETS];    /* 1: I keep the reference that you gave this ticket */
    uint8_t expired[TERN__SHM_TICKETS]; /* 1: what you keep by this ticket of mine no longer is what it was */
} tern__shm_control;
_Static_assert(sizeof(tern__shm_control) == TERN__SHM_CONTROL_BYTES, "three pages");

/* What each side says first, with the descriptor of its channel. docs/shm.md. */
typedef struct tern__shm_hello {
    uint32_t magic;
    uint16_t version;
    uint16_t unused;
    uint32_t ring_lines, bounce_bytes;
} tern__shm_hello;

/* What it says later, as often as it likes. */
typedef enum tern__shm_notice_kind {
    TERN__SHM_ANNOUNCE = 1, /* comes with a descriptor: from now on my entries may name this segment */
    TERN__SHM_RETIRE = 2    /* none will any more, and none that does is left in the ring */
} tern__shm_notice_kind;

typedef struct tern__shm_notice {
    uint32_t kind;
    uint32_t segment;    /* below TERN__SHM_MAX_SEGMENTS; free again when it is retired */
    uint32_t generation; /* tells segments apart that had the same number one after the other */
    uint32_t unused;
    uint64_t bytes; /* of the descriptor, from 0 on */
} tern__shm_notice;

/* Ours. */
typedef struct tern__shm_channel {
    int fd;                     /* -1 once the peer has it: the mapping suffices us */
    tern__shm_control *control; /* start of the mapping; NULL when there is none */
    uint8_t *lines, *bounce;
    size_t bytes;
} tern__shm_channel;

/* Make a channel with our sizes, mapped and sealed; with all of its memory, or as far as it is written to. Errors, of
 * which errno tells more: TERN_ERR_NOMEM; TERN_ERR_LIMIT: no descriptor is left; TERN_ERR_ACCESS: this process may not
 * make such files; TERN_ERR_IO. */
int tern__shm_channel_new(tern__shm_channel *channel, bool fill);
void tern__shm_channel_free(tern__shm_channel *channel); /* zeroed ones too */

/* The peer's, mapped read-only. */
typedef struct tern__shm_view {
    const tern__shm_control *control;
    const uint8_t *lines, *bounce;
    size_t bytes;
    uint32_t ring_lines, bounce_bytes;
} tern__shm_view;

/* Map what a peer calls its channel; the descriptor stays the caller's. Who reads a hole pays for its memory:
 * may_have_holes: it may have as many as a channel of ours, which the reader takes upon itself; a longer one none.
 * TERN_ERR_MALFORMED when its size or seals would let the peer hurt us, TERN_ERR_ACCESS when it has holes,
 * TERN_ERR_NOMEM. */
int tern__shm_view_map(tern__shm_view *view, int fd, const tern__shm_hello *hello, bool may_have_holes);
void tern__shm_view_unmap(tern__shm_view *view);

/* A part of the peer's pool. Pieces of it are made readable as entries name them: of 64 KB, or 2 MB on huge pages. */
enum { TERN__SHM_PIECE_SHIFT = 16 };

typedef struct tern__shm_segment {
    const uint8_t *base;
    uint64_t bytes;
    uint32_t generation;
    uint32_t n_users; /* atomic: the region, and whoever keeps references into it: tern__shm_segment_put() */
    bool huge;
    bool kept;        /* somebody does, or did */
    uint64_t ready[]; /* a bit per piece that is known to be readable */
} tern__shm_segment;

/* All of a peer's. */
typedef struct tern__shm_region {
    tern__shm_segment **segments; /* by the peer's number; NULL: not announced */
    uint32_t n;
    uint64_t mapped_bytes;
    uint64_t hole_bytes; /* made to exist by our looking at them */
} tern__shm_region;

/* Map what a peer announces; the descriptor stays the caller's. TERN_ERR_MALFORMED, TERN_ERR_NOMEM. */
int tern__shm_region_add(tern__shm_region *region, const tern__shm_notice *notice, int fd);

/* Forget what it retires. TERN_ERR_MALFORMED when there is no such segment. */
int tern__shm_region_remove(tern__shm_region *region, const tern__shm_notice *notice);

/* One user more, who may outlive the region: false when too many addresses are used so already, in all of the process.
 * On the region's thread. And one less, on any thread; the last one unmaps the segment. */
bool tern__shm_segment_keep(tern__shm_segment *segment);
void tern__shm_segment_put(tern__shm_segment *segment);
void tern__shm_region_close(tern__shm_region *region);

static inline tern__shm_segment *tern__shm_segment_of(const tern__shm_region *region, uint32_t segment,
                                                      uint32_t generation) {
    tern__shm_segment *s = segment < region->n ? region->segments[segment] : NULL;
    return s && s->generation == generation ? s : NULL;
}

/* As tern__shm_segment_read(), for what is known to lie in the segment, but perhaps not yet to be readable. */
const void *tern__shm_segment_prepare(tern__shm_region *region, tern__shm_segment *s, uint64_t offset, uint32_t len);

/* Where [offset, offset + len) of a segment can be read, len >= 1. NULL when it is not all in the segment, or cannot be
 * read, or the peer's holes would eat our memory. */
static inline const void *tern__shm_segment_read(tern__shm_region *region, tern__shm_segment *s, uint64_t offset,
                                                 uint32_t len) {
    if (offset >= s->bytes || len > s->bytes - offset) return NULL;
    uint64_t first = offset >> TERN__SHM_PIECE_SHIFT, last = (offset + len - 1) >> TERN__SHM_PIECE_SHIFT;
    bool is_ready = first == last && s->ready[first >> 6] >> (first & 63) & 1;
    return is_ready ? s->base + offset : tern__shm_segment_prepare(region, s, offset, len);
}

#endif

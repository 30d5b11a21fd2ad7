/* A peer of the shm port that speaks the greeting by hand and then does what it likes, and its victim. */
#ifndef TERN_TESTS_SHM_FOE_H
#define TERN_TESTS_SHM_FOE_H

#include "shm_world.h"

#include <linux/memfd.h>
#include <sys/mman.h>

enum { REGION_BYTES = 4 << 20, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE };

static end victim;
static char path[64];

/* What the foe sends; good until changed. */
static struct foe {
    int sock;
    tern__shm_channel channel;
    int region_fd;
    uint8_t *region;
    tern__shm_hello hello, theirs;
    int channel_fd;      /* the victim's */
    tern__shm_view view; /* of the victim's channel */
} foe;

static inline int new_memfd(size_t bytes, int seals) {
    int fd = memfd_create("foe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(fd, (off_t)bytes)) return -1;
    if (seals) fcntl(fd, F_ADD_SEALS, seals);
    return fd;
}

static inline void victim_open(const char *name) {
    CHECK(end_open(&victim, true));
    CHECK_EQ(end_listen(&victim, world_path(path, name)), 0);
}

static inline void foe_prepare(void) {
    foe = (struct foe){.sock = tern__shm_dial(path), .channel_fd = -1};
    CHECK(foe.sock >= 0);
    CHECK_EQ(tern__shm_channel_new(&foe.channel, false), 0);
    foe.region_fd = new_memfd(REGION_BYTES, 0);
    foe.region = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, foe.region_fd, 0);
    CHECK(foe.region != MAP_FAILED);
    CHECK_EQ(fcntl(foe.region_fd, F_ADD_SEALS, SEALS), 0);
    foe.hello = (tern__shm_hello){.magic = TERN__SHM_MAGIC,
                                  .version = TERN__SHM_VERSION,
                                  .ring_lines = TERN__SHM_RING_LINES,
                                  .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
}

static inline int greet_with(const tern__shm_channel *channel) {
    tern__shm_hello hello = {.magic = TERN__SHM_MAGIC,
                             .version = TERN__SHM_VERSION,
                             .ring_lines = TERN__SHM_RING_LINES,
                             .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
    int sock = tern__shm_dial(path);
    if (sock >= 0) tern__shm_send_hello(sock, &hello, channel->fd);
    return sock;
}

static inline void foe_leave(void) {
    if (foe.channel_fd >= 0) close(foe.channel_fd);
    if (foe.sock >= 0) close(foe.sock);
    tern__shm_view_unmap(&foe.view);
    tern__shm_channel_free(&foe.channel);
    munmap(foe.region, REGION_BYTES);
    close(foe.region_fd);
    memset(&foe, 0, sizeof foe);
}

static inline void victim_polls(int n) {
    for (int i = 0; i < n; i++) end_poll(&victim);
}

/* Greet with this channel. True when the victim answers. */
static inline bool foe_greets(int channel_fd) {
    if (tern__shm_send_hello(foe.sock, &foe.hello, channel_fd)) return false;
    victim_polls(1100);
    if (tern__shm_recv_hello(foe.sock, &foe.theirs, &foe.channel_fd)) return false;
    return tern__shm_view_map(&foe.view, foe.channel_fd, &foe.theirs, true) == 0;
}

/* Any notice. */
static inline int foe_says(uint32_t kind, uint32_t segment, uint32_t generation, uint64_t bytes, int fd) {
    tern__shm_notice notice = {.kind = kind, .segment = segment, .generation = generation, .bytes = bytes};
    return tern__shm_send_notice(foe.sock, &notice, fd);
}

enum { SEGMENT = 3, GENERATION = 8 };

static inline void foe_comes_up(void) {
    foe_prepare();
    CHECK_OK();
    CHECK(foe_greets(foe.channel.fd));
}

/* With a segment announced. */
static inline void foe_shows_its_segment(void) {
    foe_comes_up();
    CHECK_OK();
    CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, SEGMENT, GENERATION, REGION_BYTES, foe.region_fd), 0);
}

/* Publish a record: 32 inline bytes and these entries, at the ring's start. */
static inline void foe_writes(const tern__ring_entry *entries, uint32_t n) {
    memset(foe.channel.lines + 8, 1, 32);
    if (n) memcpy(foe.channel.lines + tern__ring_entries_at(32), entries, n * sizeof *entries);
    __atomic_store_n((uint64_t *)(void *)foe.channel.lines,
                     tern__ring_word(1, tern__ring_lines_for(32, n), n, 32, TERN__RING_PACKET), __ATOMIC_RELEASE);
}

#endif

/* A peer that speaks the greeting by hand and then does what it likes. The port drops it, or ignores it; it never
 * crashes, never reads outside, and never lets it write or see what is not its own. */
#include "deny.h"
#include "lingering.h"
#include "port/deferred_close.h"
#include "port/socket_option.h"
#include "shm_foe.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void hello__nonsense_is_refused(void) {
    victim_open("hello");
    CHECK_OK();
    int fds = open_fds();
    CHECK_OK();
    for (int kind = 0; kind < 15; kind++) {
        foe_prepare();
        CHECK_OK();
        int channel = foe.channel.fd, extra = -1;
        size_t bytes = foe.channel.bytes;
        switch (kind) {
        case 0: foe.hello.magic++; break;
        case 1: foe.hello.version++; break;
        case 2: channel = -1; break; /* no descriptor */
        case 3: foe.hello.ring_lines = 0; break;
        case 4: foe.hello.ring_lines--; break;
        case 5: foe.hello.ring_lines = 1u << 31; break;
        case 6: foe.hello.bounce_bytes++; break; /* more than the file has */
        case 7: foe.hello.bounce_bytes = UINT32_MAX; break;
        case 8: channel = extra = new_memfd(bytes, 0); break;
        case 9: channel = extra = new_memfd(bytes, F_SEAL_GROW | F_SEAL_FUTURE_WRITE); break;
        case 10: channel = extra = new_memfd(bytes, F_SEAL_SHRINK); break;
        case 11: channel = extra = new_memfd(bytes - 4096, SEALS); break;
        case 12: channel = extra = open("/dev/zero", O_RDWR); break;
        case 13: channel = extra = new_memfd(bytes, SEALS); break; /* an empty control page */
        default: channel = extra = open("/proc/self/exe", O_RDONLY); break;
        }
        CHECK(!foe_greets(channel));
        CHECK_EQ(end_stats(&victim)->refused, kind + 1);
        if (extra >= 0) close(extra);
        foe_leave();
    }
    CHECK_EQ(end_stats(&victim)->peers_up, 0);
    CHECK_EQ(end_stats(&victim)->peers_lost, 0);
    CHECK_EQ(open_fds(), fds);
    end_close(&victim);
}

static void hello__odd_messages_are_refused(void) {
    victim_open("odd");
    CHECK_OK();
    static const uint8_t bytes[200] = {0x54, 0x53, 0x48, 0x4d, TERN__SHM_VERSION};
    static const size_t sizes[] = {0, 1, 7, 8, 15, 16, 17, 40, 48, 200};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int sock = tern__shm_dial(path);
        CHECK_EQ(send(sock, bytes, sizes[i], 0), sizes[i]);
        victim_polls(1100);
        char byte;
        CHECK_EQ(recv(sock, &byte, 1, MSG_DONTWAIT), 0); /* hung up on us */
        close(sock);
    }
    CHECK_EQ(end_stats(&victim)->peers_up, 0);
    end_close(&victim);
}

/* Descriptors whose last close would wait in the kernel for seconds, everywhere where one can come. */
static void descriptor__does_not_stop_the_thread(void) {
    enum { AS_CHANNEL, IN_NONSENSE, UNREAD, BEHIND_MANY, BEHIND_AN_EMPTY_ONE, AS_SEGMENT, WITH_A_WAKE, N_KINDS };
    CHECK(end_open(&victim, false)); /* it wants nobody's segments */
    CHECK_EQ(end_listen(&victim, world_path(path, "linger")), 0);
    CHECK_OK();
    int fds = open_fds();
    for (int i = 0; i < 2 * N_KINDS; i++) {
        int far, fd = lingering_socket(&far), kind = i % N_KINDS;
        if (i >= N_KINDS) fd = nested_socket(fd);
        CHECK(fd >= 0);
        foe_prepare();
        CHECK_OK();
        switch (kind) {
        case AS_CHANNEL: CHECK_EQ(tern__shm_send_hello(foe.sock, &foe.hello, fd), 0); break;
        case AS_SEGMENT:
            CHECK_EQ(tern__shm_send_hello(foe.sock, &foe.hello, foe.channel.fd), 0);
            CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, fd), 0);
            break;
        case IN_NONSENSE: CHECK(send_with_fd(foe.sock, "?", 1, fd)); break;
        case BEHIND_MANY:
            for (int k = 0; k < 100; k++) CHECK_EQ(send(foe.sock, "?", 1, 0), 1);
            CHECK(send_with_fd(foe.sock, "?", 1, fd));
            break;
        case BEHIND_AN_EMPTY_ONE:
            CHECK(send(foe.sock, "?", 1, 0) == 1 && send(foe.sock, "", 0, 0) == 0);
            CHECK(send_with_fd(foe.sock, "?", 1, fd));
            break;
        case UNREAD: CHECK(send(foe.sock, "?", 1, 0) == 1 && send_with_fd(foe.sock, "?", 1, fd)); break;
        default:
            CHECK_EQ(tern__shm_send_hello(foe.sock, &foe.hello, foe.channel.fd), 0);
            CHECK(send_with_fd(foe.sock, "?", 1, fd));
            break;
        }
        close(fd); /* what is on its way holds the last reference */
        double before = seconds_now();
        victim_polls(3000);
        CHECK(seconds_now() - before < LINGER_S / 2.0);
        CHECK_EQ(end_stats(&victim)->refused, i / N_KINDS * AS_SEGMENT + (kind < AS_SEGMENT ? kind + 1 : AS_SEGMENT));
        close(far);
        foe_leave();
    }
    CHECK_EQ(end_stats(&victim)->peers_up, 2 * (N_KINDS - AS_SEGMENT));
    victim_polls(3000);
    CHECK_EQ(end_stats(&victim)->peers_lost, 2 * (N_KINDS - AS_SEGMENT));
    CHECK_EQ(open_fds(), fds);
    end_close(&victim);
}

/* As many as may wait to be closed: nobody comes in, who is there may stay, and who sends more has to go. */
static void descriptor__too_many_wait(void) {
    victim_open("toomany");
    foe_comes_up();
    CHECK_OK();
    int fds = open_fds(), far, fd = nested_socket(lingering_socket(&far));
    tern__deferred_close(fd);
    while (fcntl(fd, F_GETFD) >= 0) usleep(500); /* until it hangs */
    while (!tern__deferred_close_is_full()) tern__deferred_close(dup(foe.region_fd));
    int late = greet_with(&foe.channel);
    CHECK(late >= 0);
    victim_polls(3000);
    CHECK_EQ(end_stats(&victim)->peers_up, 1);
    CHECK(strstr(end_warning, "wait for their end"));
    CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, foe.region_fd), 0);
    CHECK_EQ(send(foe.sock, "", 1, 0), 1);
    victim_polls(3000);
    CHECK_EQ(end_stats(&victim)->peers_lost, 0);
    size_t n_waiting = tern__deferred_close_count();
    CHECK(send_with_fds(foe.sock, "", 1, foe.sock, MOST_FDS_SENT));
    victim_polls(3000);
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    /* Its socket with the message, a descriptor from a look at that, and perhaps its segment and channel still. */
    CHECK(tern__deferred_close_count() <= n_waiting + 4);
    close(far); /* resets: the first one ends */
    CHECK(ends_have_come());
    CHECK_OK();
    for (double until = seconds_now() + 2; end_stats(&victim)->peers_up < 2 && seconds_now() < until;)
        victim_polls(600);
    CHECK_EQ(end_stats(&victim)->peers_up, 2);
    close(late);
    victim_polls(3000);
    CHECK_EQ(open_fds(), fds - 1); /* without that of the first connection */
    foe_leave();
    end_close(&victim);
}

/* Where the kernel can, it refuses descriptors once the greeting is through, if segments are not wanted. */
static void descriptor__only_with_the_greeting(void) {
    CHECK(end_open(&victim, false));
    CHECK_EQ(end_listen(&victim, world_path(path, "rights")), 0);
    CHECK_OK();
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool can = tern__socket_refuse_descriptors(probe);
    close(probe);
    if (can) {
        foe_comes_up();
        CHECK_OK();
        CHECK(!send_with_fd(foe.sock, "", 1, foe.region_fd));
        CHECK_EQ(errno, EPERM);
        CHECK_EQ(send(foe.sock, "", 1, 0), 1);
        foe_leave();
    }
    end_close(&victim);
    if (!can) SKIP("the kernel has no SO_PASSRIGHTS");
}

/* Of a file of huge pages munmap() takes whole huge pages only, so that the view could never be unmapped. */
static void channel__not_of_huge_pages(void) {
    int fd = memfd_create("foe", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB | MFD_HUGE_2MB);
    if (fd < 0) SKIP("no huge pages");
    victim_open("hugechannel");
    CHECK_OK();
    foe_prepare();
    CHECK_OK();
    CHECK_EQ(ftruncate(fd, 2 << 20), 0);
    CHECK_EQ(fcntl(fd, F_ADD_SEALS, SEALS), 0);
    tern__shm_view view = {0};
    CHECK_EQ(tern__shm_view_map(&view, fd, &foe.hello, true), TERN_ERR_MALFORMED); /* before anything is mapped */
    CHECK(!foe_greets(fd));
    CHECK_EQ(end_stats(&victim)->refused, 1);
    CHECK_EQ(end_stats(&victim)->rx_malformed, 1);
    close(fd);
    foe_leave();
    end_close(&victim);
}

/* A notice that breaks the rules ends the route, whatever its descriptor is, and leaves nothing behind. */
static void notice__nonsense_ends_the_route(void) {
    NEEDS_SHARED_POOL();
    victim_open("notice");
    CHECK_OK();
    int fds = open_fds();
    for (int kind = 0; kind < 18; kind++) {
        foe_shows_its_segment();
        CHECK_OK();
        victim_polls(1100);
        CHECK_EQ(end_stats(&victim)->peers_lost, kind);
        int fd = -1, err = 0;
        switch (kind) {
        case 0: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, fd = new_memfd(REGION_BYTES, 0)); break;
        case 1:
            err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, fd = new_memfd(REGION_BYTES, F_SEAL_FUTURE_WRITE));
            break;
        case 2: /* could punch holes */
            fd = new_memfd(REGION_BYTES, F_SEAL_SHRINK | F_SEAL_GROW);
            err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, fd);
            break;
        case 3: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, fd = new_memfd(REGION_BYTES - 1, SEALS)); break;
        case 4: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, UINT64_MAX, foe.region_fd); break;
        case 5: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, 0, foe.region_fd); break;
        case 6: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, 100, foe.region_fd); break;
        case 7: err = foe_says(TERN__SHM_ANNOUNCE, TERN__SHM_MAX_SEGMENTS, 1, REGION_BYTES, foe.region_fd); break;
        case 8: err = foe_says(TERN__SHM_ANNOUNCE, UINT32_MAX, 1, REGION_BYTES, foe.region_fd); break;
        case 9: err = foe_says(TERN__SHM_ANNOUNCE, SEGMENT, 9, REGION_BYTES, foe.region_fd); break; /* taken */
        case 10: err = foe_says(TERN__SHM_ANNOUNCE, 0, 1, REGION_BYTES, -1); break;
        case 11: err = foe_says(TERN__SHM_RETIRE, SEGMENT, GENERATION, 0, foe.region_fd); break;
        case 12: err = foe_says(TERN__SHM_RETIRE, SEGMENT, GENERATION + 1, 0, -1); break;
        case 13: err = foe_says(TERN__SHM_RETIRE, 0, 1, 0, -1); break;
        case 14: err = foe_says(TERN__SHM_RETIRE, UINT32_MAX, 1, 0, -1); break;
        case 15: err = foe_says(99, 0, 1, REGION_BYTES, foe.region_fd); break;
        case 16: err = send(foe.sock, "xy", 2, 0) == 2 ? 0 : -1; break;
        default: err = send_with_fd(foe.sock, "", 1, foe.region_fd) ? 0 : -1; break;
        }
        CHECK_EQ(err, 0);
        victim_polls(1100);
        CHECK_EQ(end_stats(&victim)->peers_lost, kind + 1);
        CHECK_OK();
        if (fd >= 0) close(fd);
        foe_leave();
    }
    CHECK_EQ(open_fds(), fds);
    end_close(&victim);
}

/* As many segments as there are numbers, and one more byte than is mapped for one peer. */
static void notice__segments_are_bounded(void) {
    NEEDS_SHARED_POOL();
    enum { BYTES = 1 << 30, MOST = 256 };
    victim_open("many");
    foe_comes_up();
    CHECK_OK();
    int fd = new_memfd(BYTES, SEALS);
    uint32_t n = 0;
    for (; n <= MOST && end_stats(&victim)->peers_lost == 0; n++) {
        CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, n, 1, BYTES, fd), 0);
        victim_polls(600);
    }
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    CHECK(n <= MOST + 1);
    close(fd);
    foe_leave();
    end_close(&victim);
}

static void record__bad_entries_end_the_route(void) {
    static const tern__ring_entry bad[] = {
        {SEGMENT, GENERATION, REGION_BYTES, 1},
        {SEGMENT, GENERATION, REGION_BYTES - 1, 2},
        {SEGMENT, GENERATION, UINT32_MAX, 1},
        {SEGMENT, GENERATION, UINT32_MAX - 10, 20},
        {SEGMENT, GENERATION, 0, 0},
        {SEGMENT, GENERATION, 0, UINT32_MAX},
        {SEGMENT, GENERATION, 0, TERN__SHM_MAX_INPLACE + 1},
        {SEGMENT, GENERATION, 0, TERN__SHM_MAX_INPLACE}, /* with the head more than a packet */
        {SEGMENT, GENERATION + 1, 0, 100},
        {SEGMENT + 1, GENERATION, 0, 100},
        {TERN__SHM_MAX_SEGMENTS, GENERATION, 0, 100},
        {UINT32_MAX - 1, GENERATION, 0, 100},
        {TERN__SHM_IN_BOUNCE, 0, TERN__SHM_BOUNCE_BYTES, 1},
        {TERN__SHM_IN_BOUNCE, 0, TERN__SHM_BOUNCE_BYTES - 1, 2},
        {TERN__SHM_IN_BOUNCE, 0, UINT32_MAX, 100},
    };
    NEEDS_SHARED_POOL();
    victim_open("entries");
    CHECK_OK();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        foe_shows_its_segment();
        CHECK_OK();
        foe_writes(&bad[i], 1);
        victim_polls(5);
        CHECK_EQ(end_stats(&victim)->peers_lost, i + 1);
        foe_leave();
    }
    CHECK_EQ(victim.n, 0);
    CHECK_EQ(end_stats(&victim)->rx_malformed, sizeof bad / sizeof *bad);
    end_close(&victim);
}

/* The announcement is found when the first entry names its segment, also if its sender is gone by then. */
static void record__good_entries_pass(void) {
    NEEDS_SHARED_POOL();
    victim_open("good");
    for (int round = 0; round < 2; round++) {
        foe_shows_its_segment();
        CHECK_OK();
        memset(foe.region, 3, REGION_BYTES);
        foe_writes((tern__ring_entry[]){{SEGMENT, GENERATION, REGION_BYTES - 100, 100},
                                        {SEGMENT, GENERATION, 0, 50},
                                        {TERN__SHM_IN_BOUNCE, 0, TERN__SHM_BOUNCE_BYTES - 9, 9}},
                   3);
        if (round) {
            close(foe.sock);
            foe.sock = -1;
        }
        victim_polls(5);
        CHECK_EQ(victim.n, round + 1);
        CHECK_EQ(victim.len[round], 32 + 159);
        CHECK_EQ(victim.kept[round][32 + 99], 3);
        CHECK_EQ(end_stats(&victim)->peers_lost, round);
        foe_leave();
        victim_polls(1100);
        CHECK_EQ(end_stats(&victim)->peers_lost, round + 1);
    }
    end_close(&victim);
}

/* What was retired is not there any more, and its number is free for another. */
static void record__references_into_a_retired_segment(void) {
    NEEDS_SHARED_POOL();
    victim_open("retired");
    for (int again = 0; again < 2; again++) {
        foe_shows_its_segment();
        CHECK_OK();
        victim_polls(1100);
        CHECK_EQ(foe_says(TERN__SHM_RETIRE, SEGMENT, GENERATION, 0, -1), 0);
        if (again) CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, SEGMENT, GENERATION + 1, REGION_BYTES, foe.region_fd), 0);
        if (!again) victim_polls(1100); /* nothing but the notice is there */
        foe_writes(&(tern__ring_entry){SEGMENT, GENERATION + (uint32_t)again, 0, 100}, 1);
        victim_polls(5);
        CHECK_EQ(victim.n, again);
        CHECK_EQ(end_stats(&victim)->peers_lost, 1);
        foe_leave();
        victim_polls(1100);
    }
    CHECK_EQ(end_stats(&victim)->peers_lost, 2);
    end_close(&victim);
}

/* Without a segment there is nothing to point into. */
static void record__references_without_a_segment(void) {
    victim_open("nosegment");
    foe_comes_up();
    CHECK_OK();
    foe_writes(&(tern__ring_entry){0, 1, 0, 100}, 1);
    victim_polls(5);
    CHECK_EQ(victim.n, 0);
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    foe_leave();
    end_close(&victim);
}

static void segment__huge_pages_that_do_not_exist(void) {
    NEEDS_SHARED_POOL();
    victim_open("huge");
    foe_comes_up();
    CHECK_OK();
    enum { BYTES = 64 << 20 };
    int fd = memfd_create("foe", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB | MFD_HUGE_2MB);
    if (fd < 0 || ftruncate(fd, BYTES) || fcntl(fd, F_ADD_SEALS, SEALS)) SKIP("no sealed hugetlb memfds here");
    CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, 0, 1, BYTES, fd), 0);
    foe_writes(&(tern__ring_entry){0, 1, 5 << 20, 100}, 1);
    victim_polls(5);
    /* With free huge pages a page of zeros, else the end of the route; in no case SIGBUS. */
    CHECK(end_stats(&victim)->peers_lost + victim.n == 1);
    close(fd);
    foe_leave();
    end_close(&victim);
}

/* A segment without memory behind it: reading it would take ours, so only so much of it is read. */
static void segment__holes_are_bounded(void) {
    NEEDS_SHARED_POOL();
    victim_open("holes");
    foe_comes_up();
    CHECK_OK();
    uint32_t bytes = (uint32_t)1 << 30;
    int fd = new_memfd(bytes, SEALS);
    CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, 0, 1, bytes, fd), 0);
    tern__ring_tx tx;
    CHECK_EQ(tern__ring_tx_init(&tx, foe.channel.lines, TERN__SHM_RING_LINES), 0);
    victim.keep = false;
    uint32_t offset = 0;
    while (!end_stats(&victim)->peers_lost && offset < bytes) {
        uint8_t *mem = tern__ring_begin(&tx, 64);
        CHECK(mem);
        memset(mem, 1, 32);
        tern__ring_entry entries[128];
        for (int i = 0; i < 128; i++, offset += 1 << TERN__SHM_PIECE_SHIFT)
            entries[i] = (tern__ring_entry){0, 1, offset, 1};
        tern__ring_end(&tx, 32, entries, 128);
        victim_polls(2);
        if (!end_stats(&victim)->peers_lost) CHECK_EQ(tern__ring_tx_seen(&tx, foe.view.control->consumed), 0);
    }
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    CHECK(offset <= 300u << 20);
    tern__ring_tx_fini(&tx);
    close(fd);
    foe_leave();
    end_close(&victim);
}

static uint64_t state = 7;
static uint64_t draw(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 20 ^ state << 40;
}

static uint32_t small(uint32_t n) { return (uint32_t)(draw() % n); }

static void ring__random_garbage(void) {
    uint64_t before = live_buffers();
    victim_open("fuzz");
    CHECK_OK();
    int fds = open_fds();
    victim.keep = false;
    uint32_t refused = 0;
    for (int round = 0; round < 150; round++) {
        foe_comes_up();
        CHECK_OK();
        uint64_t lost = end_stats(&victim)->peers_lost;
        for (uint32_t line = 0; line < 600; line++) {
            uint8_t *at = foe.channel.lines + (size_t)line * 64;
            for (int i = 8; i < 64; i += 8) tern__store64(at + i, draw() & (draw() % 3 ? 0xfffff : UINT64_MAX));
            uint32_t inline_bytes = draw() % 4 ? 1 + small(120) : small(65536);
            uint32_t n = small(3), lines = tern__ring_lines_for(inline_bytes, n);
            uint64_t word = tern__ring_word(1, draw() % 8 ? lines : small(256), n, inline_bytes, draw() % 16 == 0);
            tern__store64(at, word);
        }
        foe.channel.control->flags = (uint32_t)draw() & ~(uint32_t)TERN__SHM_REVOKED;
        foe.channel.control->sleep = (uint32_t)draw();
        victim_polls(20);
        refused += end_stats(&victim)->peers_lost != lost;
        uint8_t head[32] = {1};
        for (int i = 0; i < 40; i++) end_send(&victim, head, 32, NULL, 0);
        foe.channel.control->consumed = draw();
        victim_polls(2);
        foe_leave();
        victim_polls(1100);
    }
    CHECK(refused > 100);
    CHECK_EQ(end_stats(&victim)->peers_lost, 150);
    CHECK(victim.n > 0);
    CHECK_EQ(open_fds(), fds);
    end_close(&victim);
    CHECK_EQ(live_buffers(), before);
}

static bool scribbling;

static void *scribble(void *arg) {
    uint64_t rng = (uintptr_t)arg;
    while (__atomic_load_n(&scribbling, __ATOMIC_ACQUIRE)) {
        for (uint32_t line = 0; line < 64; line++) {
            rng = rng * 6364136223846793005u + 1442695040888963407u;
            uint64_t word = tern__ring_word(1, 1, 2, 24, 0);
            uint8_t *at = foe.channel.lines + (size_t)line * 64;
            uint64_t where = rng >> 61 ? SEGMENT | (uint64_t)GENERATION << 32 : rng >> 20 & 1 ? UINT32_MAX : rng;
            uint32_t shift = rng >> 60 ? 44 : 32;
            tern__store64(at + 32, where);                                      /* what an entry points into, */
            tern__store64(at + 40, (rng >> shift) | (rng >> 20 & 0xfff) << 32); /* where there, and how much */
            tern__store64(at + 48, where);
            tern__store64(at + 56, (rng >> 44) | (uint64_t)64 << 32);
            __atomic_store_n((uint64_t *)(void *)at, rng >> 58 ? word : rng, __ATOMIC_RELEASE);
        }
    }
    return NULL;
}

/* Everything changes under the reader's eyes; what it hands on is readable nevertheless. */
static void ring__changes_while_it_is_read(void) {
    NEEDS_SHARED_POOL();
    victim_open("scribble");
    CHECK_OK();
    victim.keep = true;
    for (int round = 0; round < 40; round++) {
        foe_shows_its_segment();
        CHECK_OK();
        memset(foe.region, 1, REGION_BYTES);
        pthread_t thread;
        scribbling = true;
        CHECK_EQ(pthread_create(&thread, NULL, scribble, (void *)((uintptr_t)round * 7919 + 1)), 0);
        uint64_t lost = end_stats(&victim)->peers_lost;
        /* Until it is dropped, or has read all lines that are scribbled on. */
        for (int i = 0; i < 20000 && end_stats(&victim)->peers_lost == lost && foe.view.control->consumed < 64; i++) {
            if (end_poll(&victim) == 0) sched_yield();
            if (victim.n >= KEEP) victim.keep = false;
        }
        __atomic_store_n(&scribbling, false, __ATOMIC_RELEASE);
        pthread_join(thread, NULL);
        foe_leave();
        victim_polls(1100);
        end_forget(&victim);
        victim.keep = true;
    }
    CHECK_EQ(end_stats(&victim)->peers_lost, 40);
    CHECK(end_stats(&victim)->rx_packets > 20);
    end_close(&victim);
}

static void consumed__lies_end_the_route(void) {
    NEEDS_SHARED_POOL();
    static const uint64_t lies[] = {2, UINT64_MAX, 1u << 20};
    uint64_t before = live_buffers();
    for (int i = 0; i < 3; i++) {
        victim_open("lies");
        foe_comes_up();
        CHECK_OK();
        foe_writes(NULL, 0); /* tells the victim's test where to send */
        victim_polls(3);
        CHECK_EQ(victim.n, 1);
        uint8_t head[32] = {1}, *value = tern_alloc(1000);
        __atomic_store_n(&foe.channel.control->flags, TERN__SHM_TAKES_REFS, __ATOMIC_RELEASE);
        CHECK(end_send(&victim, head, 32, value, 1000));
        CHECK_EQ(end_stats(&victim)->tx_refs, 1);
        tern_unref(value);
        __atomic_store_n(&foe.channel.control->consumed, lies[i], __ATOMIC_RELEASE);
        victim_polls(3);
        CHECK_EQ(end_stats(&victim)->peers_lost, 1);
        CHECK(!end_can_send(&victim));
        CHECK_EQ(live_buffers(), before);
        foe_leave();
        end_close(&victim);
    }
}

/* ---- What a peer may do to our memory: look -------------------------------------------------------- */

static void check_cannot_write(int fd, size_t bytes) {
    CHECK_EQ(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    void *look = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    CHECK(look != MAP_FAILED);
    CHECK_EQ(mprotect(look, bytes, PROT_READ | PROT_WRITE), -1);
    munmap(look, bytes);
    CHECK_EQ(pwrite(fd, "x", 1, 0), -1);
    CHECK_EQ(ftruncate(fd, 0), -1);
    CHECK_EQ(ftruncate(fd, (off_t)bytes * 2), -1);
    CHECK_EQ(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), -1);
}

/* The channel that it gets; what segments allow is in test_pool_share. */
static void memory__cannot_be_written_by_a_peer(void) {
    victim_open("write");
    foe_comes_up();
    CHECK_OK();
    check_cannot_write(foe.channel_fd, foe.view.bytes);
    /* Opened anew for writing, the seal still holds. */
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", foe.channel_fd);
    int again = open(name, O_RDWR | O_CLOEXEC);
    if (again >= 0) {
        check_cannot_write(again, foe.view.bytes);
        close(again);
    }
    foe_leave();
    end_close(&victim);
}

/* A peer of another user sees its channel and nothing else, even if it is let in. Runs in a child that touches no
 * pool. Exit status 0: as it should be; 6: it is refused. */
static int other_user(bool fill) {
    if (setgid(65533) || setuid(65533)) return 2;
    tern__shm_channel channel;
    if (tern__shm_channel_new(&channel, fill)) return 4;
    int sock = greet_with(&channel);
    if (sock < 0) return 3;
    tern__shm_hello theirs;
    int fd, err = TERN_ERR_AGAIN;
    for (int i = 0; i < 5000 && err == TERN_ERR_AGAIN; i++) {
        err = tern__shm_recv_hello(sock, &theirs, &fd);
        usleep(1000);
    }
    if (err) return 6;
    tern__shm_view view;
    if (tern__shm_view_map(&view, fd, &theirs, true)) return 7;
    return view.control->flags & TERN__SHM_TAKES_REFS ? 8 : 0;
}

/* The child's exit status, the victim polling. */
static int meet_other_user(bool fill) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(other_user(fill));
    while (waitpid(child, &status, WNOHANG) == 0) {
        end_poll(&victim);
        usleep(10);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void segments__are_not_for_other_users(void) {
    if (geteuid() != 0) SKIP("needs root to become another user");
    victim_open("uid");
    CHECK_OK();
    /* With the file as listen makes it, others do not even get in. */
    CHECK_EQ(meet_other_user(true), 3);
    CHECK_EQ(chmod(path, 0666), 0);
    CHECK_EQ(meet_other_user(true), 0);
    CHECK_EQ(end_stats(&victim)->peers_up, 1);
    end_close(&victim);
}

static uint64_t shared_memory_kb(void) {
    char line[128];
    unsigned long kb = 0;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Rss: %lu", &kb) == 1) break;
    if (f) fclose(f);
    return kb;
}

/* Who reads a hole of a file takes memory for it: a channel of another user has none, and is not even mapped else. */
static void channel__of_another_user_has_no_holes(void) {
    if (geteuid() != 0) SKIP("needs root to become another user");
    victim_open("channel-holes");
    CHECK_OK();
    CHECK_EQ(chmod(path, 0666), 0);
    uint64_t before = shared_memory_kb();
    for (unsigned i = 1; i <= 20; i++) {
        CHECK_EQ(meet_other_user(false), 6);
        CHECK_EQ(end_stats(&victim)->refused, i);
    }
    CHECK(shared_memory_kb() < before + 1024);
    CHECK_EQ(end_stats(&victim)->peers_up, 0);
    CHECK_EQ(meet_other_user(true), 0);
    end_close(&victim);
}

/* Our own user's may, but for one that is longer than ours. */
static void channel__of_our_user_may_have_holes(void) {
    enum { LINES = 2 * TERN__SHM_RING_LINES };
    size_t bytes = TERN__SHM_CONTROL_BYTES + (size_t)LINES * TERN__RING_LINE_BYTES + TERN__SHM_BOUNCE_BYTES;
    for (int fill = 0; fill < 2; fill++) {
        victim_open("long");
        foe_prepare();
        CHECK_OK();
        int fd = new_memfd(bytes, 0);
        for (size_t at = 0; fill && at < bytes; at += 4096) CHECK_EQ(pwrite(fd, "", 1, (off_t)at), 1);
        foe.hello.ring_lines = LINES;
        tern__shm_control control = {.magic = TERN__SHM_MAGIC,
                                     .version = TERN__SHM_VERSION,
                                     .ring_lines = LINES,
                                     .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
        CHECK_EQ(pwrite(fd, &control, sizeof control, 0), sizeof control);
        CHECK_EQ(fcntl(fd, F_ADD_SEALS, SEALS), 0);
        CHECK_EQ(foe_greets(fd), fill);
        CHECK_EQ(end_stats(&victim)->refused, !fill);
        close(fd);
        foe_leave();
        end_close(&victim);
    }
}

static bool is_at_it, may_go_on; /* atomic */

static void on_gone_slowly(uint64_t bytes) {
    (void)bytes;
    __atomic_store_n(&is_at_it, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&may_go_on, __ATOMIC_ACQUIRE)) usleep(200);
}

/* The memory of a peer's channel takes as long to go as the peer likes: not on our thread. */
static void channel__goes_beside_the_thread(void) {
    CHECK(ends_have_come()); /* of earlier peers */
    victim_open("goes");
    foe_comes_up();
    CHECK_OK();
    CHECK(ends_have_come());
    is_at_it = may_go_on = false;
    void *first = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tern__deferred_unmap(first, 4096, on_gone_slowly);
    while (!__atomic_load_n(&is_at_it, __ATOMIC_ACQUIRE)) usleep(200); /* what comes last is taken first */
    close(foe.sock);
    foe.sock = -1;
    for (int i = 0; i < 1000 && end_stats(&victim)->peers_lost == 0; i++) victim_polls(10);
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    for (int i = 0; i < 4000 && tern__deferred_close_count() > 2; i++) usleep(500); /* its descriptors go */
    CHECK_EQ(tern__deferred_close_count(), 2);
    __atomic_store_n(&may_go_on, true, __ATOMIC_RELEASE);
    foe_leave();
    end_close(&victim);
    CHECK(ends_have_come());
}

/* Between users the dialling end makes its channel whole, so that it is taken. */
static void channel__is_whole_for_another_user(void) {
    if (geteuid() != 0) SKIP("needs root to become another user");
    victim_open("whole");
    CHECK_OK();
    CHECK_EQ(chmod(path, 0666), 0);
    int status;
    pid_t child = fork();
    if (child == 0) {
        end client;
        if (setgid(65533) || setuid(65533)) _exit(2);
        if (!end_open(&client, true) || client.port->ops->connect(client.port, path, &client.route)) _exit(3);
        for (int i = 0; i < 20000 && !end_can_send(&client); i++) end_poll(&client), usleep(100);
        _exit(!end_can_send(&client));
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        end_poll(&victim);
        usleep(10);
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    end_close(&victim);
}

/* A process without room for one more descriptor, or for a mapping, says so; it is no nonsense of the peer's, and from
 * then on peers learn that they have to copy. */
static void announce__finds_no_room(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    enum { FIRST = 1 }; /* the sanitizer's own addresses are above any limit */
#else
    enum { FIRST = 0 };
#endif
    for (int descriptors = FIRST; descriptors < 2; descriptors++) {
        victim_open("no-room");
        CHECK_OK();
        foe_comes_up();
        CHECK_OK();
        CHECK(foe.view.control->flags & TERN__SHM_TAKES_REFS);
        struct rlimit before[2], none = {1, 0};
        CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before[0]) + getrlimit(RLIMIT_AS, &before[1]), 0);
        none.rlim_max = before[!descriptors].rlim_max;
        CHECK_EQ(foe_says(TERN__SHM_ANNOUNCE, SEGMENT, GENERATION, REGION_BYTES, foe.region_fd), 0);
        CHECK_EQ(setrlimit(descriptors ? RLIMIT_NOFILE : RLIMIT_AS, &none), 0);
        victim_polls(1100);
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before[0]) + setrlimit(RLIMIT_AS, &before[1]), 0);
        CHECK_EQ(end_stats(&victim)->peers_lost, 1);
        CHECK_EQ(end_stats(&victim)->rx_malformed, 0);
        CHECK(((tern__shm_port *)(void *)victim.port)->short_of_addresses);
        foe_leave();
        foe_comes_up();
        CHECK_OK();
        CHECK(!(foe.view.control->flags & TERN__SHM_TAKES_REFS));
        foe_leave();
        end_close(&victim);
    }
}

TAP_MAIN(TEST(announce__finds_no_room), TEST(hello__nonsense_is_refused), TEST(hello__odd_messages_are_refused),
         TEST(descriptor__does_not_stop_the_thread), TEST(descriptor__too_many_wait),
         TEST(descriptor__only_with_the_greeting), TEST(channel__not_of_huge_pages),
         TEST(notice__nonsense_ends_the_route), TEST(notice__segments_are_bounded),
         TEST(record__bad_entries_end_the_route), TEST(record__good_entries_pass),
         TEST(record__references_into_a_retired_segment), TEST(record__references_without_a_segment),
         TEST(segment__huge_pages_that_do_not_exist), TEST(segment__holes_are_bounded), TEST(ring__random_garbage),
         TEST(ring__changes_while_it_is_read), TEST(consumed__lies_end_the_route),
         TEST(memory__cannot_be_written_by_a_peer), TEST(segments__are_not_for_other_users),
         TEST(channel__of_another_user_has_no_holes), TEST(channel__of_our_user_may_have_holes),
         TEST(channel__is_whole_for_another_user), TEST(channel__goes_beside_the_thread))

/* The shm port between processes and threads: values by reference, sleeping and waking, sudden death. Children are
 * this program again (a forked child must not share the parent's pool), told their role by `--child ROLE PATH`. */
#include "packets.h"
#include "shm_world.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#ifdef __SANITIZE_THREAD__
enum { SLEEPY_ROUNDS = 2000, STALL_PACKETS = 20000, KILLS = 4 };
#else
enum { SLEEPY_ROUNDS = 20000, STALL_PACKETS = 100000, KILLS = 25 };
#endif

static char path[64];

/* Sleep until there is something to poll. False: nothing came for 10 s, so a wake-up was lost. */
static bool end_sleep(end *e) {
    if (!e->port->ops->arm(e->port)) return true;
    struct pollfd p = {.fd = e->port->ops->fd(e->port), .events = POLLIN};
    return poll(&p, 1, 10000) == 1;
}

/* ---- Values whose bytes say whether they are right ------------------------------------------------- */

enum { STAMP_BYTES = 24 };

/* A packet: stamp {seed, length}, then a value of that length made from the seed. */
static void value_fill(uint8_t *data, uint32_t len, uint32_t seed) {
    for (uint32_t i = 0; i + 8 <= len; i += 8) tern__store64(data + i, (uint64_t)seed << 32 | i);
}

static bool value_check(const uint8_t *data, uint32_t len, uint32_t seed) {
    for (uint32_t i = 0; i + 8 <= len; i += 8)
        if (tern__load64(data + i) != ((uint64_t)seed << 32 | i)) return false;
    return true;
}

static uint32_t n_wrong, n_right;

/* By reference a value is one span; copied, it stands behind the head, in as many pieces as the port likes. */
static bool value_arrived(const tern__rx_packet *pkt, uint32_t len, uint32_t seed) {
    static _Thread_local uint8_t whole[64 << 10];
    uint32_t n = pkt->head_len - STAMP_BYTES;
    if (pkt->head_len + pkt->spans_len != STAMP_BYTES + len || len > sizeof whole) return false;
    if (n == 0 && pkt->n_spans == 1) return value_check(pkt->spans[0].data, len, seed);
    memcpy(whole, pkt->head + STAMP_BYTES, n);
    for (uint32_t i = 0; i < pkt->n_spans; n += pkt->spans[i++].len)
        memcpy(whole + n, pkt->spans[i].data, pkt->spans[i].len);
    return value_check(whole, len, seed);
}

static void check_one(void *ctx, const tern__rx_packet *pkt) {
    end *e = ctx;
    e->route = pkt->route;
    e->n++;
    bool right = value_arrived(pkt, tern__load32(pkt->head + 4), tern__load32(pkt->head));
    *(right ? &n_right : &n_wrong) += 1;
}
EACH_PACKET(check_packets, check_one)

/* Send values of all sizes, freed at once, until the ring is full or n are sent. */
static uint32_t send_values(end *e, uint32_t n, uint32_t *seed) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t len = (*seed * 2654435761u >> 16) % 7 ? 8 + *seed % 400 * 8 : 8 + *seed % 8000 * 8;
        if (len > 60000) len = 60000;
        uint8_t stamp[STAMP_BYTES] = {0}, *value = tern_alloc(len);
        if (!value) return i;
        value_fill(value, len, *seed);
        tern__store32(stamp, *seed);
        tern__store32(stamp + 4, len);
        bool sent = end_send(e, stamp, STAMP_BYTES, value, len);
        tern_unref(value);
        if (!sent) return i;
        ++*seed;
    }
    return n;
}

/* ---- Roles of a child ---------------------------------------------------------------------------- */

static void echo_one(void *ctx, const tern__rx_packet *pkt) {
    end *e = ctx;
    tern__link *link = pkt->link;
    uint8_t *mem = tern__tx_one(link, &pkt->route, pkt->head_len, TERN__TX_MANY);
    if (!mem) return;
    memcpy(mem, pkt->head, pkt->head_len);
    for (uint32_t i = 0; i < pkt->n_spans; i++) {
        if (link->ops->tx_add(link, 0, pkt->spans[i].data, pkt->spans[i].len)) abort();
    }
    link->ops->tx_commit(link, 1);
    e->n++;
}
EACH_PACKET(echo_packets, echo_one)

/* Echo until the first peer is gone, asleep whenever idle. */
static void echo_loop(end *e) {
    while (!e->n_lost) {
        int n = e->port->ops->poll(e->port, 64, echo_packets, e);
        e->port->link.ops->tx_flush(&e->port->link);
        if (n == 0 && !e->n_lost && !end_sleep(e)) break;
    }
}

static int child_echo(const char *where) {
    end e;
    if (!end_open(&e, true) || end_listen(&e, where)) return 2;
    echo_loop(&e);
    end_close(&e);
    return 0;
}

static void exchange(end *e) {
    for (uint32_t seed = 1; !e->n_lost;) {
        e->port->ops->poll(e->port, 64, check_packets, e);
        if (e->route.len) send_values(e, 8, &seed);
    }
}

static int child_exchange(const char *where, bool serve) {
    end e;
    if (!end_open(&e, true)) return 2;
    if (serve ? end_listen(&e, where) : e.port->ops->connect(e.port, where, &e.route)) return 3;
    exchange(&e);
    end_close(&e);
    return n_wrong ? 4 : 0;
}

static pid_t start_child(const char *role) {
    pid_t child = fork();
    if (child != 0) return child;
    execl("/proc/self/exe", "test_shm_process", "--child", role, path, (char *)NULL);
    _exit(127);
}

static int run_child(const char *role, const char *where) {
    if (strcmp(role, "echo") == 0) return child_echo(where);
    if (strcmp(role, "serve") == 0) return child_exchange(where, true);
    if (strcmp(role, "dial") == 0) return child_exchange(where, false);
    return 126;
}

/* Connect to a child that is starting. */
static bool meet_child(end *e) {
    for (int i = 0; i < 10000; i++) {
        if (i == 0 && e->port->ops->connect(e->port, path, &e->route)) return false;
        end_poll(e);
        if (end_can_send(e)) return true;
        usleep(500);
    }
    return false;
}

/* ---- Tests --------------------------------------------------------------------------------------- */

static void wake__two_processes_that_sleep_each_time(void) {
    end e;
    CHECK(end_open(&e, true));
    world_path(path, "echo");
    pid_t child = start_child("echo");
    CHECK(meet_child(&e));
    e.keep = false;
    uint8_t head[32] = {1};
    for (uint32_t i = 0; i < SLEEPY_ROUNDS; i++) {
        CHECK(end_send(&e, head, 32, NULL, 0));
        while (e.n == i) {
            CHECK(end_sleep(&e));
            end_poll(&e);
        }
    }
    /* A peer that answers before we have lain down spares us the sleep; how often is the machine's business. */
    printf("# %" PRIu64 " sleeps, %" PRIu64 " wakes\n", end_stats(&e)->sleeps, end_stats(&e)->wakes_sent);
    CHECK(end_stats(&e)->sleeps > 0);
    CHECK(end_stats(&e)->wakes_sent > 0);
    end_close(&e);
    int status;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
}

static void *echo_thread(void *arg) {
    echo_loop(arg);
    return NULL;
}

/* With fences, as where there is no membarrier: on one side or on both. */
static void sleep_in_two_threads(const char *name, bool our_fence, bool their_fence) {
    end e, other;
    pthread_t thread;
    CHECK(end_open(&e, true));
    CHECK(end_open(&other, true));
    ((tern__shm_port *)(void *)e.port)->fence |= our_fence;
    ((tern__shm_port *)(void *)other.port)->fence |= their_fence;
    CHECK_EQ(end_listen(&other, world_path(path, name)), 0);
    CHECK_EQ(pthread_create(&thread, NULL, echo_thread, &other), 0);
    CHECK(meet_child(&e));
    e.keep = false;
    uint8_t head[32] = {1}, *value = tern_alloc(2000);
    value_fill(value, 2000, 1);
    for (uint32_t i = 0; i < SLEEPY_ROUNDS / 4; i++) {
        CHECK(end_send(&e, head, 32, value, i % 2 ? 2000 : 8));
        while (e.n == i) {
            CHECK(end_sleep(&e));
            end_poll(&e);
        }
    }
    tern_unref(value);
    end_close(&e);
    pthread_join(thread, NULL);
    end_close(&other);
}

static void wake__two_threads_that_sleep_each_time(void) { sleep_in_two_threads("threads", false, false); }
static void wake__without_membarrier(void) { sleep_in_two_threads("fences", true, true); }
static void wake__with_membarrier_on_one_side(void) { sleep_in_two_threads("onefence", true, false); }

static void *drain_thread(void *arg) {
    end *e = arg;
    while (e->n < STALL_PACKETS) {
        if (e->port->ops->poll(e->port, 64, check_packets, e) == 0 && !end_sleep(e)) break;
    }
    return NULL;
}

/* A writer that finds the ring full sleeps, and is woken when there is room. */
static void wake__when_there_is_room_again(void) {
    end e, other;
    pthread_t thread;
    uint64_t before = live_buffers();
    n_wrong = n_right = 0;
    CHECK(end_open(&e, true));
    CHECK(end_open(&other, true));
    CHECK_EQ(end_listen(&other, world_path(path, "stall")), 0);
    CHECK(end_meet(&e, &other, path));
    other.keep = false;
    CHECK_EQ(pthread_create(&thread, NULL, drain_thread, &other), 0);
    uint32_t sent = 0, seed = 1;
    while (sent < STALL_PACKETS) {
        sent += send_values(&e, STALL_PACKETS - sent, &seed);
        if (sent < STALL_PACKETS) CHECK(end_sleep(&e));
        end_poll(&e);
    }
    pthread_join(thread, NULL);
    CHECK_EQ(n_right, STALL_PACKETS);
    CHECK_EQ(n_wrong, 0);
    if (pool_is_shared()) CHECK(end_stats(&e)->tx_refs > STALL_PACKETS / 2);
    end_close(&e);
    end_close(&other);
    CHECK_EQ(live_buffers(), before);
}

/* Exchange values with a child and kill it at a random moment; everything must come back to us. */
static void kill_in_midstream(const char *role, bool serve) {
    uint64_t before = live_buffers();
    uint32_t seed = 1;
    n_wrong = n_right = 0;
    end e;
    CHECK(end_open(&e, true));
    world_path(path, role);
    if (serve) CHECK_EQ(end_listen(&e, path), 0);
    int fds = open_fds();
    for (int round = 0; round < KILLS; round++) {
        uint32_t lost = e.n_lost, n = e.n;
        if (serve) memset(&e.route, 0, sizeof e.route);
        pid_t child = start_child(role);
        if (!serve && round == 0) CHECK(meet_child(&e));
        lost = serve ? lost : e.n_lost;
        uint32_t target = n + 1 + (uint32_t)round * 977 % 3000;
        for (long i = 0; e.n < target; i++) {
            CHECK(i < 100000000);
            if (end_can_send(&e))
                send_values(&e, 8, &seed);
            else if (!serve)
                usleep(100);
            e.port->ops->poll(e.port, 64, check_packets, &e);
            if (!serve) lost = e.n_lost; /* losses while the new child was not there yet */
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (int i = 0; i < 100000 && e.n_lost == lost; i++) e.port->ops->poll(e.port, 64, check_packets, &e);
        CHECK(e.n_lost > lost);
        CHECK_EQ(n_wrong, 0);
        CHECK_EQ(live_buffers(), before);
    }
    CHECK(n_right > KILLS * 100);
    if (pool_is_shared()) CHECK(end_stats(&e)->tx_refs > KILLS * 100);
    CHECK_EQ(end_stats(&e)->tx_refs, end_stats(&e)->refs_released);
    CHECK_EQ(open_fds(), fds);
    end_close(&e);
    unlink(path); /* that of a server that was killed */
    CHECK_EQ(live_buffers(), before);
}

static void kill__client_in_midstream(void) { kill_in_midstream("dial", true); }
static void kill__server_in_midstream(void) { kill_in_midstream("serve", false); }

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(wake__two_processes_that_sleep_each_time),
                                     TEST(wake__two_threads_that_sleep_each_time),
                                     TEST(wake__without_membarrier),
                                     TEST(wake__with_membarrier_on_one_side),
                                     TEST(wake__when_there_is_room_again),
                                     TEST(kill__client_in_midstream),
                                     TEST(kill__server_in_midstream)};
    if (argc == 4 && strcmp(argv[1], "--child") == 0) return run_child(argv[2], argv[3]);
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

/* The UDP port over a real path: two network namespaces joined by a veth pair with an Ethernet MTU, a process
 * in each. Needs root and ip(8); skipped otherwise. The namespaces carry this process's id and are removed
 * whatever happens. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "udp_peer.h"

enum { SERVER = 0, CLIENT = 1, DEADLINE_S = 20 };

/* What a process found out, checked by the parent. */
typedef struct outcome {
    uint32_t max_packet, wrong, received;
    tern__udp_stats stats;
} outcome;

typedef struct scenario {
    const char *listen; /* in the server's namespace */
    const char *host;   /* as the client calls it, where not as it listens */
    uint32_t payload_bytes;
    uint32_t packets, min_len, max_len;
    bool equal; /* all of max_len */
} scenario;

static char names[2][32];
static const char *no_netns;

__attribute__((format(printf, 1, 2))) static bool run(const char *format, ...) {
    char command[256];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    strncat(command, " >/dev/null 2>&1", sizeof command - strlen(command) - 1);
    return system(command) == 0;
}

static void remove_namespaces(void) {
    for (int i = 0; i < 2; i++) run("ip netns del %s", names[i]);
}

static bool make_namespaces(void) {
    for (int i = 0; i < 2; i++)
        if (!run("ip netns add %s", names[i])) return false;
    if (!run("ip link add ternv0 netns %s type veth peer name ternv1 netns %s", names[0], names[1])) return false;
    for (int i = 0; i < 2; i++) {
        if (!run("ip -n %s addr add 10.77.0.%d/24 dev ternv%d", names[i], i + 1, i)) return false;
        if (!run("ip -n %s addr add fd77::%d/64 dev ternv%d nodad", names[i], i + 1, i)) return false;
        if (!run("ip -n %s link set ternv%d up mtu 1500", names[i], i)) return false;
        if (!run("ip -n %s link set lo up", names[i])) return false;
    }
    return true;
}

static void enter(int which) {
    char path[64];
    snprintf(path, sizeof path, "/var/run/netns/%s", names[which]);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0) _exit(3);
    close(fd);
}

static uint32_t length_of(const scenario *s, uint32_t i) {
    return s->equal ? s->max_len : s->min_len + (i * 2654435761u >> 7) % (s->max_len - s->min_len + 1);
}

static const uint8_t *content_of(uint32_t i, uint32_t len) {
    static uint8_t bytes[16][TERN__UDP_MAX_DATAGRAM];
    uint8_t *out = bytes[i % 16];
    for (uint32_t k = 0; k < len; k++) out[k] = (uint8_t)(i * 7 + k * 13);
    return out;
}

static void report(int fd, const peer *p, const tern__route *route, uint32_t wrong) {
    const tern__path *path = tern__link_path(&p->port->link, route);
    outcome result = {.max_packet = path->max_packet, .wrong = wrong, .received = p->n, .stats = p->udp->stats};
    if (write(fd, &result, sizeof result) != sizeof result) _exit(4);
}

/* Echoes until the client has had all its packets. Runs in its own process. */
static void serve(const scenario *s, int address_fd, int result_fd) {
    static peer p;
    alarm(DEADLINE_S);
    enter(SERVER);
    if (peer_init(&p, s->payload_bytes) != 0 || peer_listen(&p, s->listen) != 0) _exit(5);
    p.echo = true;
    if (write(address_fd, p.address, sizeof p.address) != sizeof p.address) _exit(6);
    bool all = peer_wait(&p, s->packets);
    report(result_fd, &p, &p.from, all ? 0 : 1);
    _exit(0);
}

/* Sends in windows of 8 and checks the echoes. Runs in its own process. */
static void request(const scenario *s, int address_fd, int result_fd) {
    static peer p;
    char address[sizeof p.address];
    tern__route to;
    alarm(DEADLINE_S);
    enter(CLIENT);
    if (read(address_fd, address, sizeof address) != sizeof address) _exit(5);
    if (s->host != NULL) {
        char port[8];
        snprintf(port, sizeof port, "%s", strrchr(address, ':') + 1);
        snprintf(address, sizeof address, "%s:%s", s->host, port);
    }
    if (peer_init(&p, s->payload_bytes) != 0 || p.port->ops->connect(p.port, address, &to) != 0) _exit(6);
    uint32_t wrong = 0;
    for (uint32_t sent = 0; sent < s->packets;) {
        for (uint32_t k = 0; k < 8 && sent < s->packets; k++, sent++) {
            uint32_t len = length_of(s, sent);
            if (!peer_put(&p, &to, content_of(sent, len), len, len < 24 ? len : 24)) wrong++;
        }
        peer_flush(&p);
        if (!peer_wait(&p, sent)) break;
    }
    uint64_t sent_sum = 0, got_sum = 0; /* packets of a batch may overtake each other */
    for (uint32_t i = 0; i < s->packets && i < p.n; i++) {
        uint32_t len = length_of(s, i);
        sent_sum += sum_of(content_of(i, len), len);
        got_sum += p.sums[i];
    }
    wrong += sent_sum != got_sum;
    report(result_fd, &p, &to, wrong);
    _exit(0);
}

static void play(const scenario *s, outcome out[2]) {
    int address[2], result[2][2];
    CHECK(pipe(address) == 0 && pipe(result[0]) == 0 && pipe(result[1]) == 0);
    fflush(stdout);
    pid_t pids[2];
    for (int i = 0; i < 2; i++) {
        pids[i] = fork();
        if (pids[i] == 0 && i == SERVER) serve(s, address[1], result[i][1]);
        if (pids[i] == 0 && i == CLIENT) request(s, address[0], result[i][1]);
    }
    int status[2];
    for (int i = 0; i < 2; i++) {
        waitpid(pids[i], &status[i], 0); /* their alarm bounds it */
        close(result[i][1]);
    }
    bool ok[2];
    for (int i = 0; i < 2; i++) {
        ok[i] = read(result[i][0], &out[i], sizeof out[i]) == sizeof out[i];
        close(result[i][0]);
    }
    close(address[0]);
    close(address[1]);
    CHECK_EQ(status[SERVER], 0);
    CHECK_EQ(status[CLIENT], 0);
    CHECK(ok[SERVER] && ok[CLIENT]);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(out[i].wrong, 0);
        CHECK_EQ(out[i].received, s->packets);
        CHECK_EQ(out[i].stats.tx_dropped, 0);
    }
}

static void veth__mixed_sizes_ipv4(void) {
    if (no_netns) SKIP(no_netns);
    outcome out[2];
    play(&(scenario){.listen = "10.77.0.1:0", .packets = 400, .min_len = 1, .max_len = 1472}, out);
    CHECK_OK();
    CHECK_EQ(out[SERVER].max_packet, 1472);
    CHECK_EQ(out[CLIENT].max_packet, 1472);
}

static void veth__mixed_sizes_ipv6(void) {
    if (no_netns) SKIP(no_netns);
    outcome out[2];
    play(&(scenario){.listen = "[fd77::1]:0", .packets = 400, .min_len = 1, .max_len = 1452}, out);
    CHECK_OK();
    CHECK_EQ(out[SERVER].max_packet, 1452);
    CHECK_EQ(out[CLIENT].max_packet, 1452);
}

static void veth__full_packets_are_coalesced(void) {
    if (no_netns) SKIP(no_netns);
    outcome out[2];
    play(&(scenario){.listen = "10.77.0.1:0", .packets = 400, .max_len = 1472, .equal = true}, out);
    CHECK_OK();
    if (out[CLIENT].stats.tx_gso_refused > 0) SKIP("this kernel's veth does not coalesce");
    CHECK_EQ(out[CLIENT].stats.tx_gso_packets, 400);
    CHECK_EQ(out[CLIENT].stats.tx_calls, 50);
    CHECK(out[SERVER].stats.rx_gro_packets > 0);
}

static void veth__payload_above_the_mtu_is_fragmented(void) {
    if (no_netns) SKIP(no_netns);
    outcome out[2];
    play(&(scenario){.listen = "10.77.0.1:0", .payload_bytes = 4000, .packets = 80, .max_len = 4000, .equal = true},
         out);
    CHECK_OK();
    CHECK_EQ(out[CLIENT].max_packet, 4000);
    CHECK(out[CLIENT].stats.tx_gso_refused > 0); /* a segment above the MTU */
    CHECK_EQ(out[CLIENT].stats.tx_packets, 80);
}

/* A server that has begun with 1472 meets a client behind a narrower path: what it sends is fragmented, the
 * client offers what fits. */
static void veth__narrow_path(void) {
    if (no_netns) SKIP(no_netns);
    CHECK(run("ip -n %s route change 10.77.0.0/24 dev ternv1 mtu lock 1300", names[CLIENT]));
    outcome out[2];
    play(&(scenario){.listen = "10.77.0.1:0", .packets = 80, .max_len = 1472, .equal = true}, out);
    CHECK_OK();
    CHECK_EQ(out[SERVER].max_packet, 1472);
    CHECK_EQ(out[CLIENT].max_packet, 1272);
}

/* A client that has begun with a peer behind a narrow path has large packets for its own machine all the same, and
 * keeps the snapshot of each. Runs in the client's namespace, in a process of its own. */
static void connect_both(void) {
    static peer p;
    tern__route far, near;
    alarm(DEADLINE_S);
    enter(CLIENT);
    if (peer_init(&p, 0) != 0 || p.port->ops->connect(p.port, "10.77.0.1:7000", &far) != 0) _exit(5);
    const tern__path *far_path = tern__link_path(&p.port->link, &far);
    if (p.port->ops->connect(p.port, "127.0.0.1:7000", &near) != 0) _exit(6);
    const tern__path *near_path = tern__link_path(&p.port->link, &near);
    if (far_path->max_packet != 1272) _exit(7);
    if (near_path->max_packet <= 2 * TERN__UDP_DEFAULT_PAYLOAD) _exit(8);
    if (far_path->noise_ns >= near_path->noise_ns) _exit(9);
    if (tern__link_path(&p.port->link, &far) != far_path) _exit(10);
    peer_fini(&p);
    _exit(0);
}

static void veth__a_narrow_path_shrinks_nobody_elses_packets(void) {
    if (no_netns) SKIP(no_netns);
    CHECK(run("ip -n %s route change 10.77.0.0/24 dev ternv1 mtu lock 1300", names[CLIENT]));
    CHECK(run("ip -n %s link set lo up", names[CLIENT]));
    pid_t pid = fork();
    if (pid == 0) connect_both();
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

/* The server listens on everything and is asked by its second address, from which its kernel would not reply. */
static void veth__wildcard_server(void) {
    if (no_netns) SKIP(no_netns);
    outcome out[2];
    CHECK(run("ip -n %s addr add 10.77.0.9/24 dev ternv0", names[SERVER]));
    play(&(scenario){.listen = "0.0.0.0:0", .host = "10.77.0.9", .packets = 16, .min_len = 30, .max_len = 900}, out);
    CHECK_OK();
    CHECK_EQ(out[SERVER].max_packet, 1472);
    play(&(scenario){.listen = "[::]:0", .host = "10.77.0.9", .packets = 16, .min_len = 30, .max_len = 900}, out);
}

static int run_all(int argc, char **argv) {
    if (geteuid() != 0)
        no_netns = "needs root for network namespaces";
    else if (!make_namespaces())
        no_netns = "network namespaces or veth are not to be had here";
    static const tap_test tests[] = {
        TEST(veth__mixed_sizes_ipv4),
        TEST(veth__mixed_sizes_ipv6),
        TEST(veth__full_packets_are_coalesced),
        TEST(veth__payload_above_the_mtu_is_fragmented),
        TEST(veth__narrow_path),
        TEST(veth__a_narrow_path_shrinks_nobody_elses_packets),
        TEST(veth__wildcard_server),
    };
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}

/* The tests run in a child, so that its end, by a signal too, is followed by the cleaning up. */
int main(int argc, char **argv) {
    for (int i = 0; i < 2; i++) snprintf(names[i], sizeof names[i], "tern%d%c", (int)getpid(), i == SERVER ? 's' : 'c');
    pid_t child = fork();
    if (child == 0) exit(run_all(argc, argv));
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    int status = 1;
    waitpid(child, &status, 0);
    if (geteuid() == 0) remove_namespaces();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

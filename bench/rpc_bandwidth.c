/* How fast do values of every size cross, next to the least that the machine must do for the same bytes? A call carries
 * SIZE bytes from a registered buffer and is answered with nothing.
 *
 *   shm   the floor is one memcpy of the bytes into a buffer of the pool's that fits them: the value crosses by
 *         reference and is gathered once by the receiver; in the rows shm_borrow_* it stays where it is, and the
 *         receiver reads one byte of each page
 *   udp   the floor sends the same bytes over loopback in datagrams of tern's size (--datagram) with UDP_SEGMENT, as
 *         many per call as go, as many in flight as tern has, receives them with UDP_GRO where they are to be, and
 *         sends a datagram of the size of tern's header back for each message
 *   tcp, unix (--port): the floor writes and reads the bytes on a connection
 *
 * One thread drives both ends, floor's and tern's, and rates are per second of its processor time: a ratio of
 * prices, which says the same on a busy machine as on a quiet one. (With a processor for each end, both floors and tern
 * overlap sending and receiving.) Rounds of floor and tern alternate; reported are medians.
 *
 * A megabyte of messages is in flight at a time, at least one; of those that are borrowed, which nobody copies, eight.
 * With --clients several endpoints send to the one server, each with as many messages in flight as one alone. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"
#include "rpc_trace.h"
#include "tern/mem.h"
#include "tern/rpc.h"

enum {
    METHOD = 1,
    MAX_ROUNDS = 101,
    MAX_WINDOW = 32,
    MAX_CLIENTS = 16,
    REPLY_BYTES = 32,         /* of a udp floor's answer: tern's header with a tag */
    DATAGRAM = 64996,         /* tern's on loopback; 1472 fits an Ethernet frame */
    CREDITS = 32,             /* datagrams in flight: a session's credits, ... */
    FLIGHT_BYTES = 512 << 10, /* ... and of large ones no more than this */
    SOCKET_BYTES = 4 << 20,
    GSO_BYTES = 65000, /* below what one send may carry */
    GSO_SEGMENTS = 60, /* and below 64 */
    RECEIVE = 1 << 16,
    CHUNK = 1 << 20, /* of a stream's write */
    BORROWED_WINDOW = 8,
    CLOCK_CALLS = 1024,
    CLOCK_BYTES = 16 << 20, /* between two looks at the clock, a system call */
};

typedef struct options {
    unsigned rounds, datagram, clients;
    uint64_t round_ns;
    const char *only, *port;
} options;

typedef struct size {
    const char *name;
    size_t bytes;
} size;

static const size sizes[] = {{"32B", 32},      {"1KB", 1 << 10}, {"32KB", 32 << 10},
                             {"1MB", 1 << 20}, {"8MB", 8 << 20}, {"64MB", 64 << 20}};
static const size borrowed_sizes[] = {{"borrow_1MB", 1 << 20}, {"borrow_64MB", 64 << 20}};

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static void must_errno(bool ok, const char *what) {
    if (ok) return;
    perror(what);
    exit(1);
}

/* Messages in flight: a megabyte of them, but no more than a few slots' worth. */
static unsigned window_of(size_t bytes) {
    size_t n = ((size_t)1 << 20) / bytes;
    return n < 1 ? 1 : n > MAX_WINDOW ? MAX_WINDOW : (unsigned)n;
}

/* Of those that nobody copies: so many that what is lent at a time stays within the bound. */
static unsigned window_of_borrowed(size_t bytes) { return bytes > CHUNK ? 1 : BORROWED_WINDOW; }

/* ---- tern */

typedef struct pair {
    tern_endpoint *server, *clients[MAX_CLIENTS];
    tern_session *sessions[MAX_CLIENTS * (MAX_WINDOW / 8)]; /* of the clients in turn */
    unsigned n_clients, n_sessions, in_flight, next;
    uint64_t n_done, n_bad, received;
    bool borrows;
    uint32_t sum; /* of what the server has looked at */
} pair;

/* Of what is borrowed: one byte of each page, and whether it was still what had been sent. */
static void look_at(pair *p, tern_call call, const tern_bytes *bytes) {
    enum { PAGE = 4096 };
    const uint8_t *data = bytes->data;
    const tern_loan *loan = tern_call_loan(call);
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes->len; i += PAGE) sum += data[i];
    p->sum += sum;
    p->n_bad += !loan || tern_loan_check(loan) != 0;
}

static void take(tern_call call, const void *request, void *user) {
    pair *p = user;
    const tern_bytes *bytes = request;
    p->received += bytes->len;
    if (p->borrows) look_at(p, call, bytes);
    tern_reply_raw(call, (tern_bytes){0});
}

static void on_done(void *user, int status, const void *response) {
    (void)response;
    pair *p = user;
    p->n_bad += status != TERN_STATUS_OK;
    p->n_done++;
    p->in_flight--;
}

static void turn(pair *p) {
    for (unsigned i = 0; i < p->n_clients; i++) must(tern_poll(p->clients[i]), "poll");
    must(tern_poll(p->server), "poll");
}

static void pair_open(pair *p, const char *address, const options *o, bool borrows) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.udp_payload_bytes = o->datagram;
    config.borrow = borrows;
    *p = (pair){.n_clients = o->clients, .n_sessions = o->clients * (MAX_WINDOW / 8), .borrows = borrows};
    must(tern_endpoint_new(&config, &p->server), "endpoint");
    for (unsigned i = 0; i < p->n_clients; i++) must(tern_endpoint_new(&config, &p->clients[i]), "endpoint");
    rpc_trace(p->clients[0]);
    must(tern_listen(p->server, address), address);
    must(tern_serve_raw(p->server, METHOD, take, p), "serve");
    for (unsigned i = 0; i < p->n_sessions; i++)
        must(tern_connect(p->clients[i % p->n_clients], tern_listen_address(p->server, 0), &p->sessions[i]), address);
    for (unsigned i = 0; i < p->n_sessions;) {
        turn(p);
        if (tern_session_get_state(p->sessions[i]) == TERN_SESSION_OPEN) i++;
    }
}

static void pair_close(pair *p) {
    for (unsigned i = 0; i < p->n_clients; i++) tern_endpoint_free(p->clients[i]);
    tern_endpoint_free(p->server);
}

/* Start calls until the window is full. */
static void fill(pair *p, const uint8_t *data, size_t bytes, unsigned window) {
    for (; p->in_flight < window; p->in_flight++)
        must(tern_call_start_raw(p->sessions[p->next++ % p->n_sessions], METHOD, tern_bytes_of(data, bytes), NULL,
                                 on_done, p),
             "call");
}

/* Bytes per second. */
static double tern_rate(pair *p, const uint8_t *data, size_t bytes, uint64_t ns) {
    unsigned window = (p->borrows ? window_of_borrowed(bytes) : window_of(bytes)) * p->n_clients;
    uint64_t begin = bench_cpu_ns(), now = begin, done = p->n_done, received = p->received;
    for (uint64_t seen = done; now - begin < ns;) {
        fill(p, data, bytes, window);
        turn(p);
        if ((p->n_done - seen) * bytes < CLOCK_BYTES && p->n_done - seen < CLOCK_CALLS) continue;
        seen = p->n_done;
        now = bench_cpu_ns();
    }
    while (p->in_flight) turn(p);
    now = bench_cpu_ns();
    done = p->n_done - done;
    if (p->n_bad || p->received - received != done * bytes) {
        fprintf(stderr, "%zu bytes: calls failed\n", bytes);
        exit(1);
    }
    return (double)(done * bytes) * 1e9 / (double)(now - begin);
}

/* ---- Floors */

typedef struct floor_link {
    int fds[2]; /* udp or stream */
    unsigned datagram;
    uint8_t *to; /* memory of the receiver */
} floor_link;

typedef void floor_fn(floor_link *l, const uint8_t *data, size_t bytes, unsigned n);

/* n messages. */
static void floor_memcpy(floor_link *l, const uint8_t *data, size_t bytes, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        memcpy(l->to, data, bytes);
        __asm__ volatile("" ::"r"(l->to) : "memory");
    }
}

static void send_segments(int fd, const void *data, size_t bytes, unsigned segment) {
    alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct iovec iov = {(void *)(uintptr_t)data, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
    uint16_t value = (uint16_t)segment;
    cmsg->cmsg_level = SOL_UDP;
    cmsg->cmsg_type = UDP_SEGMENT;
    cmsg->cmsg_len = CMSG_LEN(sizeof value);
    memcpy(CMSG_DATA(cmsg), &value, sizeof value);
    if (bytes <= segment) msg.msg_controllen = 0;
    must_errno(sendmsg(fd, &msg, 0) == (ssize_t)bytes, "sendmsg");
}

/* Everything that has come, in place; there is room for one receive more. */
static size_t drain(int fd, uint8_t *to) {
    size_t n = 0;
    ssize_t len;
    while ((len = recv(fd, to + n, RECEIVE, 0)) > 0) n += (size_t)len;
    return n;
}

static size_t in_flight(size_t segment) {
    size_t n = FLIGHT_BYTES / segment;
    return (n < CREDITS ? n : CREDITS) * segment;
}

/* As many equal datagrams per call as there may be; small messages share one, large ones take several. */
static void floor_udp(floor_link *l, const uint8_t *data, size_t bytes, unsigned n) {
    static uint8_t small[REPLY_BYTES * MAX_WINDOW + RECEIVE];
    unsigned segment = bytes < l->datagram ? (unsigned)bytes : l->datagram;
    size_t per_call = (GSO_BYTES / segment < GSO_SEGMENTS ? GSO_BYTES / segment : GSO_SEGMENTS) * (size_t)segment;
    size_t total = bytes * n, got = 0;
    size_t flight = bytes < l->datagram ? total : in_flight(segment);
    for (size_t at = 0; at < total; at += per_call) {
        size_t len = total - at < per_call ? total - at : per_call;
        send_segments(l->fds[0], data + (bytes < len ? 0 : at % bytes), len, segment);
        if (at + len - got >= flight) got += drain(l->fds[1], l->to + got);
    }
    got += drain(l->fds[1], l->to + got);
    must_errno(got == total, "the raw floor lost datagrams");
    send_segments(l->fds[1], small, REPLY_BYTES * (size_t)n, REPLY_BYTES);
    drain(l->fds[0], small);
}

static void floor_stream(floor_link *l, const uint8_t *data, size_t bytes, unsigned n) {
    uint8_t small[REPLY_BYTES * MAX_WINDOW] = {0};
    size_t total = bytes * n, sent = 0, got = 0;
    while (got < total) {
        size_t len = total - sent < CHUNK ? total - sent : CHUNK;
        ssize_t k = len ? send(l->fds[0], data + (bytes < len ? 0 : sent % bytes), len, 0) : 0;
        if (k > 0) sent += (size_t)k;
        while (got < total && (k = recv(l->fds[1], l->to + got, total - got, 0)) > 0) got += (size_t)k;
    }
    must_errno(send(l->fds[1], small, REPLY_BYTES * n, 0) > 0, "send");
    while (recv(l->fds[0], small, sizeof small, 0) < 0) continue;
}

static double floor_rate(floor_fn *fn, floor_link *l, const uint8_t *data, size_t bytes, uint64_t ns) {
    unsigned window = window_of(bytes);
    uint64_t begin = bench_cpu_ns(), now = begin, done = 0;
    for (uint64_t seen = 0; now - begin < ns;) {
        fn(l, data, bytes, window);
        done += window;
        if ((done - seen) * bytes < CLOCK_BYTES && done - seen < CLOCK_CALLS) continue;
        seen = done;
        now = bench_cpu_ns();
    }
    now = bench_cpu_ns();
    return (double)(done * bytes) * 1e9 / (double)(now - begin);
}

static void open_udp(floor_link *l) {
    struct sockaddr_in addrs[2];
    for (int i = 0; i < 2; i++) {
        addrs[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t len = sizeof addrs[i];
        l->fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        must_errno(l->fds[i] >= 0 && bind(l->fds[i], (struct sockaddr *)&addrs[i], len) == 0 &&
                       getsockname(l->fds[i], (struct sockaddr *)&addrs[i], &len) == 0,
                   "udp");
        int one = 1;
        must_errno(setsockopt(l->fds[i], SOL_UDP, UDP_GRO, &one, sizeof one) == 0, "UDP_GRO");
        int room = SOCKET_BYTES;
        if (setsockopt(l->fds[i], SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room))
            setsockopt(l->fds[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    for (int i = 0; i < 2; i++)
        must_errno(connect(l->fds[i], (struct sockaddr *)&addrs[1 - i], sizeof addrs[0]) == 0, "connect");
}

static void open_stream(floor_link *l, bool tcp) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof addr;
    int one = 1;
    if (tcp) {
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        l->fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        must_errno(bind(listener, (struct sockaddr *)&addr, len) == 0 && listen(listener, 1) == 0 &&
                       getsockname(listener, (struct sockaddr *)&addr, &len) == 0 &&
                       connect(l->fds[0], (struct sockaddr *)&addr, len) == 0,
                   "tcp");
        l->fds[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        close(listener);
        for (int i = 0; i < 2; i++) setsockopt(l->fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    } else {
        must_errno(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, l->fds) == 0, "socketpair");
    }
    for (int i = 0; i < 2; i++) must_errno(fcntl(l->fds[i], F_SETFL, O_NONBLOCK) == 0, "stream");
}

/* ---- */

static void row(const options *o, bench_report *report, pair *p, const char *name, size_t bytes, floor_fn *fn,
                floor_link *l, const char *floor_name, const uint8_t *data) {
    static double floor[MAX_ROUNDS], tern[MAX_ROUNDS];
    /* Memory is not all alike: given back between rounds, the floor's is what tern's receiver gets, too. */
    size_t window = window_of(bytes), room = fn == floor_memcpy ? 0 : (window - 1) * bytes + RECEIVE;
    for (unsigned k = 0; k < o->rounds; k++) {
        l->to = tern_alloc(bytes + room);
        if (!l->to) must(TERN_ERR_NOMEM, name);
        floor[k] = floor_rate(fn, l, data, bytes, o->round_ns);
        tern_unref(l->to);
        tern[k] = tern_rate(p, data, bytes, o->round_ns);
    }
    bench_report_row(report, name, bench_median(tern, o->rounds) / 1e9, "GB/s", bench_median(floor, o->rounds) / 1e9,
                     floor_name);
}

static void rows(const options *o, bench_report *report, const char *port, const char *address, bool borrow,
                 floor_fn *fn, floor_link *l, const char *floor_name, const uint8_t *data) {
    static pair p;
    const size *own = borrow ? borrowed_sizes : sizes;
    size_t n = borrow ? sizeof borrowed_sizes / sizeof *own : sizeof sizes / sizeof *own;
    pair_open(&p, address, o, borrow);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%s", port, own[i].name);
        if (strstr(name, o->only)) row(o, report, &p, name, own[i].bytes, fn, l, floor_name, data);
    }
    pair_close(&p);
}

static void transport(const options *o, bench_report *report, const char *port, const uint8_t *data) {
    floor_link l = {.fds = {-1, -1}, .datagram = o->datagram};
    char path[64], address[80];
    snprintf(path, sizeof path, "/tmp/tern-bandwidth-%d", (int)getpid());
    snprintf(address, sizeof address, "%s://%s", port, path);
    if (strcmp(port, "shm") == 0) {
        rows(o, report, port, address, false, floor_memcpy, &l, "one memcpy", data);
        rows(o, report, port, address, true, floor_memcpy, &l, "one memcpy", data);
    } else if (strcmp(port, "udp") == 0) {
        open_udp(&l);
        rows(o, report, port, "udp://127.0.0.1:0", false, floor_udp, &l, "raw UDP GSO+GRO", data);
    } else {
        bool tcp = strcmp(port, "tcp") == 0;
        open_stream(&l, tcp);
        rows(o, report, port, tcp ? "tcp://127.0.0.1:0" : address, false, floor_stream, &l, "raw stream", data);
    }
    for (int i = 0; i < 2; i++)
        if (l.fds[i] >= 0) close(l.fds[i]);
    unlink(path);
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "bandwidth of calls of 32 B to 64 MB against the raw floor");
    options o = {.rounds = (unsigned)bench_arg_u64(&args, "--rounds", 5, "rounds of floor and tern, alternating"),
                 .round_ns = bench_arg_u64(&args, "--round-ms", 60, "length of a round, processor time") * 1000000,
                 .datagram = (unsigned)bench_arg_u64(&args, "--datagram", DATAGRAM, "bytes of a datagram"),
                 .clients = (unsigned)bench_arg_u64(&args, "--clients", 1, "endpoints that send to the server"),
                 .only = bench_arg_str(&args, "--only", "", "only rows whose name contains this"),
                 .port = bench_arg_str(&args, "--port", "shm,udp", "ports: shm, udp, tcp, unix")};
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (o.rounds < 1 || o.rounds > MAX_ROUNDS || o.datagram < 256 || o.datagram > GSO_BYTES || o.clients < 1 ||
        o.clients > MAX_CLIENTS) {
        fprintf(stderr, "these numbers make no sense together\n");
        return 2;
    }
    static const char *const ports[] = {"shm", "udp", "tcp", "unix"};
    size_t largest = sizes[sizeof sizes / sizeof *sizes - 1].bytes;
    uint8_t *data = tern_alloc(largest);
    bench_report *report = bench_report_new("rpc_bandwidth");
    if (!data || !report) return 1;
    memset(data, 7, largest);
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (strstr(o.port, ports[i])) transport(&o, report, ports[i], data);
    tern_unref(data);
    return bench_report_print(report, json) ? 0 : 1;
}

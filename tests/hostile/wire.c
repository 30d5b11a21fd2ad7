/* Connections and packets made by hand (wire.h). */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "port/shm_map.h"
#include "port/shm_ring.h"
#include "port/shm_socket.h"
#include "port/shm_tx.h"
#include "port/tcp_frame.h"
#include "setup_packet.h"

const char *const wire_names[N_WIRES] = {"shm", "udp", "tcp", "unix"};
uint64_t wire_sent_bytes;

enum { ROOM = 1 << 17, PATIENCE_MS = 500, CUT = 900 };

struct wire {
    wire_port port;
    int sock;
    bool lost, greeted;
    /* tcp, unix: what came and is not handed out yet. */
    uint8_t *bytes;
    uint32_t begin, end;
    bool heard; /* the server's greeting has been passed */
    /* shm */
    tern__shm_channel channel;
    tern__shm_view view;
    tern__ring_tx tx;
    tern__ring_rx rx;
    uint32_t woken;
};

void wire_count(uint64_t bytes) { wire_sent_bytes += bytes; }

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

/* ---- Connections ---------------------------------------------------------------------------------- */

static int dial_ip(wire_port port, const char *address, wire_from from) {
    int type = port == WIRE_UDP ? SOCK_DGRAM : SOCK_STREAM, one = 1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, own = to;
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK + ((uint32_t)from.network << 8));
    int sock = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (sock < 0) return -1;
    bool bound = !from.network || bind(sock, (const struct sockaddr *)&own, sizeof own) == 0;
    if (!bound || connect(sock, (const struct sockaddr *)&to, sizeof to) != 0) {
        close(sock);
        return -1;
    }
    if (port == WIRE_TCP) setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return sock;
}

/* What comes behind "scheme://". */
static const char *path_of(const char *address) { return strchr(address, ':') + 3; }

static int dial(wire_port port, const char *address, wire_from from) {
    if (port == WIRE_UDP || port == WIRE_TCP) return dial_ip(port, address, from);
    if (from.user && seteuid(from.user)) return -1;
    int sock = tern__unix_dial(path_of(address), port == WIRE_SHM ? SOCK_SEQPACKET : SOCK_STREAM);
    if (from.user && seteuid(0)) abort();
    return sock;
}

wire *wire_dial(wire_port port, const char *address, wire_from from) {
    int sock = dial(port, address, from);
    wire *w = sock < 0 ? NULL : calloc(1, sizeof *w);
    if (!w) {
        if (sock >= 0) close(sock);
        return NULL;
    }
    w->port = port;
    w->sock = sock;
    if (port != WIRE_UDP) wire_count(WIRE_CONNECTION_BYTES);
    fcntl(sock, F_SETFL, fcntl(sock, F_GETFL) | O_NONBLOCK);
    return w;
}

static bool greet_shm(wire *w) {
    tern__shm_hello hello = {.magic = TERN__SHM_MAGIC,
                             .version = TERN__SHM_VERSION,
                             .ring_lines = TERN__SHM_RING_LINES,
                             .bounce_bytes = TERN__SHM_BOUNCE_BYTES};
    tern__shm_hello theirs;
    int fd = -1, err;
    if (tern__shm_channel_new(&w->channel, true) || tern__shm_send_hello(w->sock, &hello, w->channel.fd)) return false;
    wire_count(WIRE_MESSAGE_BYTES + sizeof hello);
    close(w->channel.fd);
    w->channel.fd = -1;
    for (double end = now_ms() + PATIENCE_MS;;) {
        err = tern__shm_recv_hello(w->sock, &theirs, &fd);
        if (err != TERN_ERR_AGAIN || now_ms() > end) break;
        nap();
    }
    if (err) return false;
    err = tern__shm_view_map(&w->view, fd, &theirs, true);
    close(fd);
    if (err || tern__ring_tx_init(&w->tx, w->channel.lines, TERN__SHM_RING_LINES)) return false;
    tern__ring_rx_init(&w->rx, w->view.lines, w->view.ring_lines);
    return true;
}

bool wire_greet(wire *w) {
    uint8_t greeting[TERN__TCP_GREETING_BYTES];
    if (w->port == WIRE_SHM) return w->greeted = greet_shm(w);
    w->greeted = true;
    if (w->port == WIRE_UDP) return true;
    w->bytes = malloc(ROOM);
    tern__tcp_greeting_write(greeting, TERN__TCP_CLIENT);
    return w->bytes && wire_send_raw(w, greeting, sizeof greeting);
}

wire *wire_open(wire_port port, const char *address, wire_from from) {
    wire *w = wire_dial(port, address, from);
    if (!w || wire_greet(w)) return w;
    wire_close(w);
    return NULL;
}

void wire_close(wire *w) {
    if (!w) return;
    if (w->port == WIRE_SHM) {
        tern__ring_tx_fini(&w->tx);
        tern__shm_view_unmap(&w->view);
        tern__shm_channel_free(&w->channel);
    }
    close(w->sock);
    free(w->bytes);
    free(w);
}

bool wire_is_lost(const wire *w) { return w->lost; }
int wire_socket(const wire *w) { return w->sock; }

/* ---- Packets -------------------------------------------------------------------------------------- */

bool wire_send_raw(wire *w, const void *bytes, uint32_t len) {
    ssize_t n = send(w->sock, bytes, len, MSG_NOSIGNAL);
    if (n > 0) wire_count((uint64_t)n + (w->port == WIRE_UDP ? WIRE_DATAGRAM_BYTES : 0));
    if (n < 0 && errno != EAGAIN && w->port != WIRE_UDP) w->lost = true;
    if (n >= 0 && n < (ssize_t)len) w->lost = true; /* the stream is out of step */
    return n == (ssize_t)len;
}

static bool send_shm(wire *w, const void *packet, uint32_t len) {
    uint32_t lines = tern__ring_lines_for(len, 0);
    if (tern__ring_wants_seen(&w->tx, lines))
        tern__ring_tx_seen(&w->tx, __atomic_load_n(&w->view.control->consumed, __ATOMIC_ACQUIRE));
    uint8_t *to = tern__ring_begin(&w->tx, lines);
    if (!to) return false;
    memcpy(to, packet, len);
    tern__ring_end(&w->tx, len, NULL, 0);
    wire_count(len);
    tern__shm_fence();
    uint32_t sleep = __atomic_load_n(&w->view.control->sleep, __ATOMIC_ACQUIRE);
    if (sleep & 1 && sleep != w->woken) tern__shm_send_wake(w->sock);
    w->woken = sleep;
    return true;
}

bool wire_send(wire *w, const void *packet, uint32_t len) {
    uint8_t frame[TERN__TCP_PREFIX_BYTES + 2048];
    if (w->lost) return false;
    if (w->port == WIRE_SHM) return send_shm(w, packet, len);
    if (w->port == WIRE_UDP) return wire_send_raw(w, packet, len);
    tern__store32(frame, len);
    memcpy(frame + TERN__TCP_PREFIX_BYTES, packet, len);
    return wire_send_raw(w, frame, TERN__TCP_PREFIX_BYTES + len);
}

static uint32_t receive_shm(wire *w, void *packet, uint32_t cap) {
    tern__ring_record record;
    uint8_t byte[64];
    int got;
    while ((got = tern__ring_next(&w->rx, &record)) == TERN_ERR_AGAIN) continue;
    if (got != 1) {
        ssize_t n = recv(w->sock, byte, sizeof byte, MSG_DONTWAIT);
        if (got < 0 || n == 0 || (n < 0 && errno != EAGAIN)) w->lost = true;
        return 0;
    }
    uint32_t len = record.inline_bytes < cap ? record.inline_bytes : cap;
    memcpy(packet, record.inline_data, len);
    tern__ring_consume(&w->rx, &record);
    __atomic_store_n(&w->channel.control->consumed, w->rx.position, __ATOMIC_RELEASE);
    return len;
}

static uint32_t receive_frame(wire *w, void *packet, uint32_t cap) {
    for (int look = 0; look < 2; look++) {
        uint32_t have = w->end - w->begin;
        if (!w->heard && have >= TERN__TCP_GREETING_BYTES) {
            w->heard = true;
            w->begin += TERN__TCP_GREETING_BYTES;
            have -= TERN__TCP_GREETING_BYTES;
        }
        if (w->heard && have >= TERN__TCP_PREFIX_BYTES) {
            uint32_t len = tern__load32(w->bytes + w->begin);
            if (have - TERN__TCP_PREFIX_BYTES >= len) {
                uint32_t n = len < cap ? len : cap;
                memcpy(packet, w->bytes + w->begin + TERN__TCP_PREFIX_BYTES, n);
                w->begin += TERN__TCP_PREFIX_BYTES + len;
                return n;
            }
        }
        memmove(w->bytes, w->bytes + w->begin, have);
        w->begin = 0;
        w->end = have;
        ssize_t n = recv(w->sock, w->bytes + have, ROOM - have, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN)) w->lost = true;
        if (n <= 0) return 0;
        w->end += (uint32_t)n;
    }
    return 0;
}

uint32_t wire_receive(wire *w, void *packet, uint32_t cap) {
    if (w->lost) return 0;
    if (w->port == WIRE_SHM) return receive_shm(w, packet, cap);
    if (w->port != WIRE_UDP) return receive_frame(w, packet, cap);
    ssize_t n = recv(w->sock, packet, cap, 0);
    return n > 0 ? (uint32_t)n : 0;
}

/* ---- Sessions ------------------------------------------------------------------------------------- */

bool foe_knock(wire *w, uint32_t nth, uint64_t cookie) {
    uint8_t packet[TERN__CONNECT_BYTES];
    tern__setup setup = setup_usual(1000 + nth, nth, cookie);
    if (w->port == WIRE_UDP) setup.tag = 2000 + nth;
    setup_connect(&setup, packet);
    return wire_send(w, packet, sizeof packet);
}

bool foe_open(foe *f, wire *w, uint32_t nth) {
    uint8_t packet[2048];
    tern__pkt_header h;
    bool knocked = foe_knock(w, nth, 0);
    for (double end = now_ms() + PATIENCE_MS; knocked && !w->lost && now_ms() < end;) {
        uint32_t len = wire_receive(w, packet, sizeof packet);
        uint32_t at = len ? tern__pkt_read(&h, packet, len, len) : 0;
        if (!len) nap();
        if (!at) continue;
        if (h.type == TERN__PKT_REFUSE) return false;
        if (h.type == TERN__PKT_RETRY && tern__load64(packet + at) == 1000 + nth)
            knocked = foe_knock(w, nth, tern__load64(packet + at + 8));
        tern__setup setup = setup_of(packet, len);
        if (h.type != TERN__PKT_ACCEPT || setup.token != 1000 + nth) continue;
        *f = (foe){.w = w, .number = setup.number, .tag = setup.tag, .cut = CUT};
        return true;
    }
    return false;
}

bool foe_send_bytes(const foe *f, tern__pkt_header h, const void *payload, uint32_t len) {
    uint8_t packet[2048];
    if (f->w->port == WIRE_UDP) h.flags |= TERN__PKT_TAG;
    h.session = f->number;
    h.tag = f->tag;
    uint32_t header_bytes = tern__pkt_header_bytes(&h);
    tern__pkt_write(&h, packet);
    memcpy(packet + header_bytes, payload, len);
    return wire_send(f->w, packet, header_bytes + len);
}

bool foe_send(const foe *f, tern__pkt_header h, uint32_t payload) {
    static const uint8_t zeros[CUT + TERN__PKT_MULTI_BYTES];
    return foe_send_bytes(f, h, zeros, payload);
}

bool foe_request(const foe *f, uint32_t req, uint32_t method, uint32_t nth, uint64_t size) {
    tern__pkt_header h = {.type = TERN__PKT_REQ, .req = req, .method = method};
    tern__pkt_of_message(&h, nth, size, f->cut);
    return foe_send(f, h, tern__pkt_bytes(size, f->cut, nth));
}

void foe_forget(const foe *f) {
    uint8_t packet[64];
    while (wire_receive(f->w, packet, sizeof packet)) continue;
}

/* The attacks (attacks.h). Each keeps its pace: what it does to others is to come from what it sends, not from the
 * processor that it takes. */
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bag.tern.h"
#include "base/rng.h"
#include "port/shm_ring.h"
#include "port/shm_socket.h"
#include "port/tcp_frame.h"

enum {
    MB = 1 << 20,
    LONGEST = 64 * MB,
    N_SLOTS = 8,
    N_STREAMS = 32,
    MAX_FOES = 400,
    MAX_WIRES = 4096,
    SHORT_CUT = 180
};

static const wire_from anybody = {0};

/* ---- Foes: sessions over one connection ------------------------------------------------------------ */

typedef struct gang {
    wire *w;
    foe foes[MAX_FOES];
    unsigned n;
} gang;

static bool gather(scene *s, gang *g, unsigned n, spoils *had) {
    *g = (gang){.w = wire_open(scene_port(s), scene_address(s), anybody)};
    for (; g->w && g->n < n; g->n++)
        if (!foe_open(&g->foes[g->n], g->w, g->n)) break;
    had->n_sessions += g->n;
    return g->n == n;
}

static void part(gang *g) { wire_close(g->w); }

/* Nothing more than to stay: PONGs, and what comes is taken off the connection. */
static void linger(scene *s, double seconds, const gang *g) {
    for (unsigned turn = 0; scene_pause(s, seconds, 10); turn++) {
        foe_forget(&g->foes[0]);
        for (unsigned i = turn % 16; i < g->n; i += 16)
            foe_send(&g->foes[i], (tern__pkt_header){.type = TERN__PKT_PONG}, 0);
    }
}

/* ---- Messages that are half here -------------------------------------------------------------------- */

static bool declare(scene *s, double seconds, spoils *had, unsigned n_foes, uint64_t size) {
    gang g;
    if (!gather(s, &g, n_foes, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        g.foes[i].cut = SHORT_CUT;
        for (unsigned slot = 0; slot < N_SLOTS; slot++) foe_request(&g.foes[i], slot, SCENE_ECHO, 0, size);
        scene_pause(s, seconds, 0.2);
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* First packets of the longest messages. */
static bool declares(scene *s, double seconds, spoils *had) { return declare(s, seconds, had, 8, LONGEST); }
/* Of messages that are a byte longer than a power of two. */
static bool declares_odd(scene *s, double seconds, spoils *had) { return declare(s, seconds, had, 5, LONGEST / 2 + 1); }
/* Of many sessions. */
static bool declares_often(scene *s, double seconds, spoils *had) { return declare(s, seconds, had, 200, LONGEST); }

/* One packet of each, far ahead of all others. */
static bool skips(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 100, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        for (unsigned slot = 0; slot < N_SLOTS; slot++) foe_request(&g.foes[i], slot, SCENE_ECHO, 62, LONGEST);
        scene_pause(s, seconds, 1);
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* One begun and given up, in turn. */
static bool cancels(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 1, had)) return false;
    g.foes[0].cut = SHORT_CUT;
    for (uint32_t req = 0; scene_pause(s, seconds, 5);) {
        for (unsigned i = 0; i < 20; i++, req++) {
            foe_request(&g.foes[0], req, SCENE_ECHO, 0, LONGEST);
            foe_send(&g.foes[0], (tern__pkt_header){.type = TERN__PKT_CANCEL, .req = req, .code = 1}, 0);
        }
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* Some bytes now and then. */
static bool creeps(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    uint32_t nth = 0;
    do {
        for (unsigned i = 0; i < g.n; i++) foe_request(&g.foes[i], 0, SCENE_ECHO, nth, LONGEST);
        foe_forget(&g.foes[0]);
        nth++;
    } while (scene_pause(s, seconds, 200));
    part(&g);
    return true;
}

/* A request's block of metadata, and a stream's, of which the rest does not come. */
static bool half_blocks(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 40, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        for (unsigned slot = 0; slot < N_SLOTS; slot++) {
            tern__pkt_header h = {.type = TERN__PKT_REQ, .req = slot, .method = SCENE_ECHO};
            tern__pkt_of_message(&h, 0, 8000, SHORT_CUT);
            tern__pkt_set_meta(&h, 8000);
            foe_send(&g.foes[i], h, SHORT_CUT);
        }
        for (unsigned place = 0; place < N_STREAMS; place++) {
            tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT | TERN__PKT_META};
            h.req = place;
            h.method = SCENE_SINK;
            h.grant = 65536;
            h.meta_bytes = 8000;
            foe_send(&g.foes[i], h, 64);
        }
        scene_pause(s, seconds, 1);
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* ---- Calls that cost more than they look ------------------------------------------------------------ */

/* Long answers, never fetched. */
static bool unfetched(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 100, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        for (unsigned slot = 0; slot < N_SLOTS; slot++) foe_request(&g.foes[i], slot, SCENE_LONG, 0, 0);
        had->answer_bytes += N_SLOTS * SCENE_LONG_BYTES;
        scene_pause(s, seconds,
                    20); /* twice what the service takes for them: it is to hold much, not to be short of time */
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* The same on connections that are never read. */
static bool unread(scene *s, double seconds, spoils *had) {
    wire *wires[20];
    foe foes[20];
    unsigned n = 0;
    for (; n < 20; n++) {
        wires[n] = wire_open(scene_port(s), scene_address(s), anybody);
        if (!wires[n] || !foe_open(&foes[n], wires[n], 1)) return false;
        had->n_sessions++;
    }
    for (unsigned slot = 0; slot < N_SLOTS; slot++)
        for (unsigned i = 0; i < n; i++) {
            foe_request(&foes[i], slot, SCENE_LONG, 0, 0);
            had->answer_bytes += SCENE_LONG_BYTES;
            scene_pause(s, seconds, 0.2);
        }
    while (scene_pause(s, seconds, 5)) continue;
    for (unsigned i = 0; i < n; i++) wire_close(wires[i]);
    return true;
}

/* The same packets of an answer, again and again. */
static bool asks_again(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 1, had)) return false;
    foe_request(&g.foes[0], 0, SCENE_LONG, 0, 0);
    had->answer_bytes += SCENE_LONG_BYTES;
    for (uint32_t turn = 0; scene_pause(s, seconds, 5); turn++) {
        for (uint32_t i = 0; i < 20; i++)
            foe_send(&g.foes[0], (tern__pkt_header){.type = TERN__PKT_RFR, .pkt = 1 + i % 16, .received = 1}, 0);
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* Messages of which a decoder makes 70 times as much, whose handlers answer later. */
static bool unfolds(scene *s, double seconds, spoils *had) {
    enum { BYTES = 56 << 10 };
    static uint8_t bag[BYTES];
    gang g;
    if (!gather(s, &g, 32, had)) return false;
    for (unsigned i = 0; i < BYTES; i += 2) bag[i] = 10, bag[i + 1] = 0;
    for (uint32_t round = 0; scene_goes_on(s, seconds); round++)
        for (unsigned i = 0; i < g.n && scene_goes_on(s, seconds); i++) {
            tern__pkt_header h = {.type = TERN__PKT_REQ, .format = TERN_FORMAT_PROTOBUF};
            h.req = round;
            h.method = hostile_Bags_Later_method.id;
            uint32_t n = tern__n_pkts(BYTES, g.foes[i].cut);
            for (uint32_t pkt = 0; pkt < n; pkt++) {
                tern__pkt_of_message(&h, pkt, BYTES, g.foes[i].cut);
                foe_send_bytes(&g.foes[i], h, bag + pkt * g.foes[i].cut, tern__pkt_bytes(BYTES, g.foes[i].cut, pkt));
            }
            had->answer_bytes += (uint64_t)BYTES / 2 * sizeof(hostile_Item);
            foe_forget(&g.foes[i]);
            scene_pause(s, seconds, 20); /* each takes the server some ms */
        }
    part(&g);
    return true;
}

/* Short calls that stay open for a while, each in a receive buffer of its own. */
static bool pins(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 100, had)) return false;
    for (uint32_t round = 0; scene_goes_on(s, seconds); round++)
        for (unsigned i = 0; i < g.n && scene_goes_on(s, seconds); i++) {
            foe_request(&g.foes[i], round, SCENE_HOLD, 0, 100);
            foe_forget(&g.foes[i]);
            scene_pause(s, seconds, 0.5);
        }
    part(&g);
    return true;
}

/* Calls that are superseded in their slots while their handlers run. */
static bool supersedes(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 8, had)) return false;
    for (uint32_t req = 0; scene_pause(s, seconds, 5); req += N_SLOTS) {
        for (unsigned i = 0; i < g.n; i++) foe_request(&g.foes[i], req, SCENE_HOLD, 0, 100);
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* The shortest calls, as fast as this pace allows. */
static bool floods(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 8, had)) return false;
    for (uint32_t req = 0; scene_pause(s, seconds, 5); req++) {
        for (unsigned i = 0; i < g.n; i++) {
            foe_request(&g.foes[i], req, SCENE_ECHO, 0, 0);
            foe_send(&g.foes[i], (tern__pkt_header){.type = TERN__PKT_PING}, 0);
        }
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* Calls that take the server's time, many times more than there is: nothing is wrong with any of them. */
static bool toils(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 100, had)) return false;
    for (uint32_t req = 0; scene_pause(s, seconds, 100); req += N_SLOTS) {
        for (unsigned i = 0; i < g.n * N_SLOTS; i++) foe_request(&g.foes[i % g.n], req + i / g.n, SCENE_TOIL, 0, 0);
        foe_forget(&g.foes[0]);
    }
    had->asked_ms += seconds * 1000;
    part(&g);
    return true;
}

/* ---- Streams ---------------------------------------------------------------------------------------- */

static tern__pkt_header stream_start(uint32_t number, uint32_t method) {
    tern__pkt_header h = {.type = TERN__PKT_REQ, .flags = TERN__PKT_STREAM | TERN__PKT_GRANT, .req = number};
    h.method = method;
    h.grant = 65536;
    return h;
}

/* Streams that begin and do not go on; newer ones take their places. */
static bool opens_streams(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    for (uint32_t number = 0; scene_pause(s, seconds, 5); number++) {
        for (unsigned i = 0; i < g.n; i++) foe_send(&g.foes[i], stream_start(number, SCENE_SINK), 1);
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* The prefix of a long message, 5 bytes, and no more. */
static bool prefixes(scene *s, double seconds, spoils *had) {
    uint8_t prefix[5] = {0, 0, 0, 4, TERN_FORMAT_PROTOBUF};
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        for (unsigned place = 0; place < N_STREAMS; place++)
            foe_send_bytes(&g.foes[i], stream_start(place, hostile_Bags_Collect_method.id), prefix, sizeof prefix);
        scene_pause(s, seconds, 1);
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* Messages that take the server's time, dozens of them in each packet. */
static bool grinds(scene *s, double seconds, spoils *had) {
    enum { N = 4, MESSAGES = 40, PREFIX = 5 };
    uint8_t messages[MESSAGES * PREFIX] = {0};
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    for (unsigned i = 0; i < MESSAGES; i++) messages[i * PREFIX + 4] = TERN_FORMAT_PROTOBUF;
    for (uint32_t pkt = 0; scene_pause(s, seconds, 100); pkt++) {
        for (unsigned i = 0; i < g.n * N; i++) {
            tern__pkt_header h = stream_start(i / g.n, hostile_Bags_Grind_method.id);
            h.pkt = pkt;
            foe_send_bytes(&g.foes[i % g.n], h, messages, sizeof messages);
        }
        foe_forget(&g.foes[0]);
    }
    had->asked_ms += seconds * 1000;
    part(&g);
    return true;
}

/* Streams whose bytes are never granted further. */
static bool ungranted(scene *s, double seconds, spoils *had) {
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    for (unsigned i = 0; i < g.n; i++) {
        for (unsigned place = 0; place < N_STREAMS; place++) {
            foe_send(&g.foes[i], stream_start(place, SCENE_FOUNT), 0);
            had->answer_bytes += 320 << 10;
        }
        scene_pause(s, seconds, 1);
    }
    linger(s, seconds, &g);
    part(&g);
    return true;
}

/* ---- Sessions --------------------------------------------------------------------------------------- */

/* As many sessions as there are to be had, over one connection. */
static bool takes_sessions(scene *s, double seconds, spoils *had) {
    wire *w = wire_open(scene_port(s), scene_address(s), anybody);
    foe f;
    if (!w) return false;
    uint32_t n = 0;
    for (; scene_goes_on(s, seconds) && foe_open(&f, w, n); n++) {
        if (n % 16 == 0) scene_pause(s, seconds, 0.2);
    }
    while (scene_pause(s, seconds, 5)) continue;
    had->n_sessions += n;
    wire_close(w);
    return n > 0;
}

/* Each is ended at once. */
static bool comes_and_goes(scene *s, double seconds, spoils *had) {
    wire *w = wire_open(scene_port(s), scene_address(s), anybody);
    foe f;
    if (!w) return false;
    had->n_sessions = 1;
    for (uint32_t n = 0; scene_goes_on(s, seconds) && foe_open(&f, w, n); n++) {
        foe_send(&f, (tern__pkt_header){.type = TERN__PKT_DISCONNECT}, 0);
        scene_pause(s, seconds, 0.3);
    }
    wire_close(w);
    return true;
}

/* CONNECTs without a cookie, or with a wrong one. */
static bool knocks(scene *s, double seconds, spoils *had) {
    wire *w = wire_open(scene_port(s), scene_address(s), anybody);
    uint8_t packet[64];
    if (!w) return false;
    uint32_t n = 0;
    while (scene_pause(s, seconds, 2)) {
        for (unsigned i = 0; i < 8; i++, n++) foe_knock(w, n, n & 1 ? n : 0);
        while (wire_receive(w, packet, sizeof packet)) continue;
    }
    if (scene_port(s) != WIRE_UDP) had->n_sessions += n; /* nobody asks for a cookie there */
    wire_close(w);
    return true;
}

/* ---- Nonsense --------------------------------------------------------------------------------------- */

/* Bytes of no meaning: datagrams, or the beginnings of connections. */
static bool babbles(scene *s, double seconds, spoils *had) {
    tern__rng rng;
    uint8_t bytes[1200];
    wire *w = NULL;
    bool udp = scene_port(s) == WIRE_UDP;
    tern__rng_seed(&rng, 7);
    had->n_sessions = 1;
    do {
        for (unsigned i = 0; i < 8; i++) {
            uint32_t len = i & 1 ? 1 : 1 + (uint32_t)tern__rng_below(&rng, sizeof bytes);
            for (uint32_t k = 0; k < len; k++) bytes[k] = (uint8_t)tern__rng_below(&rng, 256);
            if (!udp || !w) {
                wire_close(w);
                w = wire_dial(scene_port(s), scene_address(s), anybody);
                if (!w) break;
            }
            wire_send_raw(w, bytes, len);
        }
    } while (scene_pause(s, seconds, 5));
    wire_close(w);
    return true;
}

/* Packets of a session of ours whose headers can be read, and say anything. */
static bool raves(scene *s, double seconds, spoils *had) {
    static const uint8_t types[] = {TERN__PKT_REQ,   TERN__PKT_CR,    TERN__PKT_RFR,    TERN__PKT_RESP,
                                    TERN__PKT_PING,  TERN__PKT_PONG,  TERN__PKT_CANCEL, TERN__PKT_GOAWAY,
                                    TERN__PKT_RETRY, TERN__PKT_REFUSE};
    tern__rng rng;
    gang g;
    if (!gather(s, &g, 16, had)) return false;
    tern__rng_seed(&rng, 9);
    while (scene_pause(s, seconds, 5)) {
        for (unsigned i = 0; i < 20; i++) {
            tern__pkt_header h = {.type = types[tern__rng_below(&rng, sizeof types)]};
            uint32_t payload = (uint32_t)tern__rng_below(&rng, 64);
            if (h.type <= TERN__PKT_RESP && tern__rng_below(&rng, 2)) h.flags = TERN__PKT_STREAM;
            if (h.flags && tern__rng_below(&rng, 2)) h.flags |= TERN__PKT_GRANT;
            if (h.flags && tern__rng_below(&rng, 4) == 0) h.flags |= TERN__PKT_LAST;
            h.req = (uint32_t)tern__rng_below(&rng, 64);
            h.pkt = (uint32_t)tern__rng_below(&rng, 8);
            h.received = (uint32_t)tern__rng_below(&rng, 8);
            h.method = tern__rng_below(&rng, 2) ? SCENE_ECHO : SCENE_SINK;
            h.grant = tern__rng_below(&rng, 1 << 20);
            h.format = (uint8_t)tern__rng_below(&rng, 32);
            h.attempt = (uint8_t)tern__rng_below(&rng, 3);
            h.size = payload;
            foe_send(&g.foes[tern__rng_below(&rng, g.n)], h, payload);
        }
        foe_forget(&g.foes[0]);
    }
    part(&g);
    return true;
}

/* ---- Connections ------------------------------------------------------------------------------------ */

/* So many connections, each of which does what `each` does. */
static bool crowd(scene *s, double seconds, spoils *had, unsigned n, bool (*each)(wire *w)) {
    static wire *wires[MAX_WIRES];
    unsigned have = 0;
    for (; have < n && scene_goes_on(s, seconds); have++) {
        wires[have] = wire_dial(scene_port(s), scene_address(s), anybody);
        if (!wires[have]) break;
        each(wires[have]);
        if (have % 8 == 0) scene_pause(s, seconds, 0.5);
    }
    while (scene_pause(s, seconds, 5)) continue;
    had->n_sessions += have;
    for (unsigned i = 0; i < have; i++) wire_close(wires[i]);
    return have > 0;
}

static bool says_nothing(wire *w) { return w != NULL; }

static bool begins_a_frame(wire *w) {
    static const uint8_t length[TERN__TCP_PREFIX_BYTES] = {0, 0, 1, 0};
    return wire_greet(w) && wire_send_raw(w, length, sizeof length);
}

static bool begins_to_greet(wire *w) { return wire_send_raw(w, "TER", 3); }

static bool silent_connections(scene *s, double seconds, spoils *had) {
    return crowd(s, seconds, had, 1500, says_nothing);
}
static bool half_frames(scene *s, double seconds, spoils *had) {
    return crowd(s, seconds, had, MAX_WIRES, begins_a_frame);
}
static bool half_greetings(scene *s, double seconds, spoils *had) {
    return crowd(s, seconds, had, 1500, begins_to_greet);
}

/* Connections without a greeting, new ones all the time. */
static bool churns(scene *s, double seconds, spoils *had) {
    enum { AT_ONCE = 300 };
    static wire *wires[AT_ONCE];
    memset(wires, 0, sizeof wires);
    for (unsigned i = 0; scene_pause(s, seconds, 1); i++)
        for (unsigned k = 0; k < 2; k++) {
            wire **w = &wires[(2 * i + k) % AT_ONCE];
            wire_close(*w);
            *w = wire_dial(scene_port(s), scene_address(s), anybody);
        }
    had->n_sessions += AT_ONCE;
    for (unsigned i = 0; i < AT_ONCE; i++) wire_close(wires[i]);
    return true;
}

/* Frames of sessions, a byte at a time. */
static bool trickles(scene *s, double seconds, spoils *had) {
    enum { N = 200 };
    static wire *wires[N];
    uint8_t byte = 0;
    static const uint8_t length[TERN__TCP_PREFIX_BYTES] = {0, 0, 1, 0};
    unsigned n = 0;
    for (foe f; n < N; n++) {
        wires[n] = wire_open(scene_port(s), scene_address(s), anybody);
        if (!wires[n] || !foe_open(&f, wires[n], 1)) break;
        wire_send_raw(wires[n], length, sizeof length);
    }
    had->n_sessions += n;
    while (scene_pause(s, seconds, 100))
        for (unsigned i = 0; i < n; i++) wire_send_raw(wires[i], &byte, 1);
    for (unsigned i = 0; i < n; i++) wire_close(wires[i]);
    return n == N;
}

/* One long frame after the other, a byte at a time, each on its way as soon as the last one has arrived. */
static bool drips(scene *s, double seconds, spoils *had) {
    enum { PAUSE_US = 10, LEN = 4096 };
    uint8_t prefix[TERN__TCP_PREFIX_BYTES] = {0, LEN >> 8, 0, 0}, zero = 0;
    foe f;
    wire *w = wire_open(scene_port(s), scene_address(s), anybody);
    if (!w || !foe_open(&f, w, 1)) return false;
    had->n_sessions = 1;
    for (unsigned at = 0; scene_pause(s, seconds, PAUSE_US / 1e3); at = (at + 1) % (LEN + TERN__TCP_PREFIX_BYTES))
        wire_send_raw(w, at < TERN__TCP_PREFIX_BYTES ? &prefix[at] : &zero, 1);
    wire_close(w);
    return true;
}

/* ---- Shared memory ---------------------------------------------------------------------------------- */

static int holes(uint64_t bytes, bool sealed) {
    int fd = memfd_create("foe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)bytes)) return -1;
    if (sealed) fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
    return fd;
}

/* Channels of another user that are nothing but holes. */
static bool holey_channels(scene *s, double seconds, spoils *had) {
    enum { USER = 12345, LINES = TERN__SHM_MAX_RING_LINES, BOUNCE = TERN__SHM_MAX_BOUNCE_BYTES };
    tern__shm_hello hello = {.magic = TERN__SHM_MAGIC, .version = TERN__SHM_VERSION};
    hello.ring_lines = LINES;
    hello.bounce_bytes = BOUNCE;
    for (unsigned n = 0; scene_pause(s, seconds, 5); n++) {
        if (seteuid(USER)) return false;
        int fd = holes(TERN__SHM_CONTROL_BYTES + (uint64_t)LINES * TERN__RING_LINE_BYTES + BOUNCE, true);
        if (seteuid(0)) abort();
        wire *w = wire_dial(WIRE_SHM, scene_address(s), (wire_from){.user = USER});
        had->n_sessions++;
        if (w && !tern__shm_send_hello(wire_socket(w), &hello, fd)) wire_count(WIRE_MESSAGE_BYTES + sizeof hello);
        scene_pause(s, seconds, 5);
        wire_close(w);
        close(fd);
    }
    return true;
}

/* Segments announced and retired, of the longest kind. */
static bool announces(scene *s, double seconds, spoils *had) {
    int fd = holes((uint64_t)1 << 30, true);
    wire *w = wire_open(WIRE_SHM, scene_address(s), anybody);
    foe f;
    if (!w || fd < 0 || !foe_open(&f, w, 1)) return false;
    had->n_sessions++;
    for (uint32_t n = 0; scene_pause(s, seconds, 5);)
        for (unsigned i = 0; i < 8; i++, n++) {
            tern__shm_notice notice = {.kind = TERN__SHM_ANNOUNCE, .segment = 5, .generation = n, .bytes = 1 << 30};
            if (!tern__shm_send_notice(wire_socket(w), &notice, fd)) wire_count(WIRE_MESSAGE_BYTES + sizeof notice);
            notice.kind = TERN__SHM_RETIRE;
            if (!tern__shm_send_notice(wire_socket(w), &notice, -1)) wire_count(WIRE_MESSAGE_BYTES + sizeof notice);
        }
    wire_close(w);
    close(fd);
    return true;
}

/* Wake-ups for nothing. */
static bool wakes(scene *s, double seconds, spoils *had) {
    wire *w = wire_open(WIRE_SHM, scene_address(s), anybody);
    foe f;
    if (!w || !foe_open(&f, w, 1)) return false;
    had->n_sessions++;
    while (scene_pause(s, seconds, 2))
        for (unsigned i = 0; i < 16; i++)
            if (send(wire_socket(w), "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) wire_count(WIRE_MESSAGE_BYTES + 1);
    wire_close(w);
    return true;
}

/* ----------------------------------------------------------------------------------------------------- */

const attack attacks[] = {
    {"declares", ON_ALL, 7, false, declares},
    {"declares_odd", ON_ALL, 1, false, declares_odd},
    {"declares_often", ON_ALL, 1, false, declares_often},
    {"skips", ON_ALL, 1, false, skips},
    {"cancels", ON_ALL, 1, false, cancels},
    {"creeps", ON_ALL, 6, false, creeps},
    {"half_blocks", ON_ALL, 1, false, half_blocks},
    {"unfetched", ON_UDP, 8, false, unfetched},
    {"unread", ON_RELIABLE, 4, false, unread},
    {"asks_again", ON_UDP, 1, false, asks_again},
    {"unfolds", ON_ALL, 1, false, unfolds},
    {"pins", ON_ALL, 1, false, pins},
    {"supersedes", ON_ALL, 1, false, supersedes},
    {"floods", ON_ALL, 1, false, floods},
    {"toils", ON_ALL, 3, false, toils},
    {"opens_streams", ON_ALL, 1, false, opens_streams},
    {"prefixes", ON_ALL, 1, false, prefixes},
    {"grinds", ON_ALL, 2, false, grinds},
    {"ungranted", ON_ALL, 1, false, ungranted},
    {"takes_sessions", ON_ALL, 4, false, takes_sessions},
    {"comes_and_goes", ON_ALL, 1, false, comes_and_goes},
    {"knocks", ON_ALL, 1, false, knocks},
    {"babbles", ON_SOCKETS, 1, false, babbles},
    {"raves", ON_ALL, 1, false, raves},
    {"silent_connections", ON_RELIABLE, 4, false, silent_connections},
    {"half_frames", ON_STREAMS, 7, false, half_frames},
    {"half_greetings", ON_STREAMS, 4, false, half_greetings},
    {"churns", ON_RELIABLE, 1, false, churns},
    {"trickles", ON_STREAMS, 3, false, trickles},
    {"drips", ON_STREAMS, 1, false, drips},
    {"holey_channels", ON_SHM, 3, true, holey_channels},
    {"announces", ON_SHM, 1, false, announces},
    {"wakes", ON_SHM, 1, false, wakes},
};
const unsigned n_attacks = sizeof attacks / sizeof *attacks;

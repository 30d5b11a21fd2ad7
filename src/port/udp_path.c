/* Paths over UDP: how large packets may be, how many of them the receive buffers hold, and how much the hosts at both
 * ends may add to a round trip.
 *
 * Each session asks once, when it opens, and gets a snapshot that never changes: a peer behind a small MTU makes nobody
 * else's packets smaller, and threads may read a session's snapshot while the port makes others. Snapshots of equal
 * contents are one, so that there are as many as there are different MTUs. The kernel is asked for the MTU to a host at
 * most once a second. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netinet/in.h>

#include "port/udp_path.h"

#define MTU_LASTS TERN_SEC

static uint32_t header_bytes(int family) { return family == AF_INET ? 20 + 8 : 40 + 8; }

/* The part of the buffer that a packet takes. The kernel counts its own memory: whole pieces of pages. */
static uint32_t buffer_cost(uint32_t packet) {
    enum { ALL_PAGES = 16 << 10, RECORD = 1 << 10 };
    return packet + RECORD + (packet > ALL_PAGES ? packet / 8 : packet);
}

/* Packets that have been read may still take a quarter: the kernel gives their room back all at once. */
uint32_t tern__udp_buffer_holds(uint32_t buffer_bytes, uint32_t packet) {
    uint32_t n = buffer_bytes / 4 * 3 / buffer_cost(packet);
    return n ? n : 1;
}

uint32_t tern__udp_buffer_packet(uint32_t buffer_bytes, uint32_t longest) {
    enum { ROUND = 64 };
    while (longest > TERN__UDP_DEFAULT_PAYLOAD && tern__udp_buffer_holds(buffer_bytes, longest) < TERN__UDP_MIN_FLIGHT)
        longest -= longest > TERN__UDP_DEFAULT_PAYLOAD + ROUND ? ROUND : longest - TERN__UDP_DEFAULT_PAYLOAD;
    return longest;
}

/* The longest payload for a path of this MTU (0: unknown). */
static uint32_t payload_of_mtu(int family, int mtu) {
    if (mtu <= 0) return TERN__UDP_DEFAULT_PAYLOAD;
    uint32_t payload = (uint32_t)mtu > header_bytes(family) ? (uint32_t)mtu - header_bytes(family) : 0;
    if (payload > TERN__UDP_LOOPBACK_PAYLOAD) return TERN__UDP_LOOPBACK_PAYLOAD;
    return payload < TERN__UDP_MIN_PAYLOAD ? TERN__UDP_MIN_PAYLOAD : payload;
}

static bool is_same_path(const tern__path *a, const tern__path *b) {
    return a->max_packet == b->max_packet && a->rx_packets == b->rx_packets && a->noise_ns == b->noise_ns;
}

/* The snapshot with these contents; the first one of all when memory is out. */
static const tern__path *intern(tern__udp_port *udp, const tern__path *path) {
    for (const tern__udp_snapshot *known = udp->paths; known; known = known->next)
        if (is_same_path(&known->path, path)) return &known->path;
    tern__udp_snapshot *fresh = malloc(sizeof *fresh);
    if (!fresh) return udp->port.link.path;
    *fresh = (tern__udp_snapshot){.path = *path, .next = udp->paths};
    udp->paths = fresh;
    return &fresh->path;
}

static const tern__path *path_of_payload(tern__udp_port *udp, uint32_t payload) {
    bool loopback = payload == TERN__UDP_LOOPBACK_PAYLOAD;
    tern__path path = udp->first_path;
    if (udp->payload_bytes == 0) {
        path.max_packet = udp->buffer_bytes ? tern__udp_buffer_packet(udp->buffer_bytes, payload) : payload;
        if (loopback) path.noise_ns = TERN__UDP_LOOPBACK_NOISE_NS;
    }
    if (udp->buffer_bytes) path.rx_packets = tern__udp_buffer_holds(udp->buffer_bytes, path.max_packet);
    return intern(udp, &path);
}

int tern__udp_mtu_to(const struct sockaddr *peer, socklen_t len) {
    int family = peer->sa_family, fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0), mtu = 0;
    socklen_t mtu_len = sizeof mtu;
    if (fd < 0) return 0;
    bool known = connect(fd, peer, len) == 0 &&
                 (family == AF_INET ? getsockopt(fd, IPPROTO_IP, IP_MTU, &mtu, &mtu_len)
                                    : getsockopt(fd, IPPROTO_IPV6, IPV6_MTU, &mtu, &mtu_len)) == 0;
    close(fd);
    return known ? mtu : 0;
}

/* The host of a route, without port, socket and our own address. */
static tern__route host_of(const tern__route *route) {
    enum { PORT_AT = 2, PORT_BYTES = 2 };
    tern__route host = *route;
    memset(host.bytes + PORT_AT, 0, PORT_BYTES);
    memset(host.bytes + tern__udp_route_tail(route), 0, 2);
    return host;
}

static uint32_t ask_kernel(const tern__route *route) {
    struct sockaddr_storage to = {0};
    memcpy(&to, route->bytes, route->len);
    uint8_t *bytes = (uint8_t *)&to;
    memset(bytes + tern__udp_route_tail(route), 0, 2);
    int family = to.ss_family;
    return payload_of_mtu(family, tern__udp_mtu_to((const struct sockaddr *)&to, route->len));
}

/* From the table of hosts asked lately, or from the kernel. */
static uint32_t payload_to(tern__udp_port *udp, const tern__route *route) {
    tern__route host = host_of(route);
    tern_time now = tern__coarse_now();
    for (uint32_t i = 0; i < TERN__UDP_HOSTS; i++) {
        const tern__udp_host *known = &udp->hosts[i];
        if (known->payload && now - known->asked_at < (tern_time)MTU_LASTS && tern__route_eq(&known->host, &host))
            return known->payload;
    }
    tern__udp_host *place = &udp->hosts[udp->next_host++ % TERN__UDP_HOSTS];
    *place = (tern__udp_host){.host = host, .asked_at = now, .payload = ask_kernel(route)};
    return place->payload;
}

const tern__path *tern__udp_path(tern__link *link, const tern__route *route) {
    tern__udp_port *udp = TERN__CONTAINER(link, tern__udp_port, port.link);
    if (route->len != sizeof(struct sockaddr_in) && route->len != sizeof(struct sockaddr_in6)) return link->path;
    uint32_t payload = udp->payload_bytes ? udp->payload_bytes : payload_to(udp, route);
    return path_of_payload(udp, payload);
}

uint32_t tern__udp_packet_for(tern__udp_port *udp, int family, int mtu) {
    return path_of_payload(udp, payload_of_mtu(family, mtu))->max_packet;
}

void tern__udp_paths_free(tern__udp_port *udp) {
    while (udp->paths) {
        tern__udp_snapshot *path = udp->paths;
        udp->paths = path->next;
        free(path);
    }
}

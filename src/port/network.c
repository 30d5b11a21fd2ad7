/* Networks of peers on sockets (network.h). */
#include "port/network.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* Kinds of keys, so that those of one never look like those of another. */
enum { IPV4 = 1, IPV6, USER, ROUTE, ADDRESS };

static uint64_t key(uint64_t kind, uint64_t value) { return kind * 0x9e3779b97f4a7c15u ^ value; }

uint64_t tern__network_of_socket(int sock, const tern__route *route) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_storage room;
    } peer;
    struct ucred user;
    socklen_t len = sizeof peer, user_len = sizeof user;
    if (sock < 0 || getpeername(sock, &peer.any, &len)) return key(ROUTE, tern__load64(route->bytes));
    if (peer.any.sa_family == AF_INET) return key(IPV4, ntohl(peer.v4.sin_addr.s_addr) >> 8);
    if (peer.any.sa_family == AF_INET6) {
        const uint8_t *bytes = peer.v6.sin6_addr.s6_addr;
        bool mapped = IN6_IS_ADDR_V4MAPPED(&peer.v6.sin6_addr);
        return mapped ? key(IPV4, (uint64_t)bytes[12] << 16 | bytes[13] << 8 | bytes[14])
                      : key(IPV6, tern__load64(bytes));
    }
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &user, &user_len)) return key(ROUTE, tern__load64(route->bytes));
    return key(USER, user.uid);
}

uint64_t tern__address_of_socket(int sock) {
    struct sockaddr_storage peer;
    const struct sockaddr_in *v4 = (const void *)&peer;
    const struct sockaddr_in6 *v6 = (const void *)&peer;
    socklen_t len = sizeof peer;
    if (getpeername(sock, (struct sockaddr *)(void *)&peer, &len)) return 0;
    if (peer.ss_family == AF_INET) return key(ADDRESS, ntohl(v4->sin_addr.s_addr));
    if (peer.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) return 0;
    const uint8_t *bytes = v6->sin6_addr.s6_addr + 12;
    return key(ADDRESS, (uint64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]);
}

/* Internet addresses as text. Nothing here keeps state; only name lookups leave the process. */
#include "port/ip_addr.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern/err.h"

enum { HOST_MAX = 256 };

/* Splits at the last colon; brackets around an IPv6 host are taken off. False: not of that form. */
static bool split(const char *text, char host[HOST_MAX], unsigned *port) {
    const char *colon = strrchr(text, ':');
    if (colon == NULL) return false;
    size_t n_digits = strspn(colon + 1, "0123456789");
    if (n_digits == 0 || n_digits > 5 || colon[1 + n_digits] != '\0') return false;
    *port = (unsigned)strtoul(colon + 1, NULL, 10);
    if (*port > 65535) return false;

    size_t len = (size_t)(colon - text);
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
        if (len == 0) return false;
    } else if (memchr(text, ':', len) != NULL) {
        return false; /* an IPv6 address without brackets: which colon is the port's? */
    }
    if (len >= HOST_MAX) return false;
    memcpy(host, text, len);
    host[len] = '\0';
    return true;
}

static int wildcard(unsigned port, tern__ip_addr *out, int cap) {
    int n = 0;
    memset(out, 0, sizeof *out * (size_t)cap);
    if (n < cap) {
        out[n].v6.sin6_family = AF_INET6;
        out[n++].v6.sin6_port = htons((uint16_t)port);
    }
    if (n < cap) {
        out[n].v4.sin_family = AF_INET;
        out[n++].v4.sin_port = htons((uint16_t)port);
    }
    return n;
}

/* What "connect to every address" means on the way out; said here, so that the address that answers is the
 * one that was asked. */
static void unspecified_to_loopback(tern__ip_addr *addr) {
    if (!tern__ip_addr_is_wildcard(addr)) return;
    if (addr->any.sa_family == AF_INET)
        addr->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        addr->v6.sin6_addr = in6addr_loopback;
}

static int append_family(const struct addrinfo *list, int family, unsigned port, tern__ip_addr *out, int n, int cap) {
    for (; list != NULL && n < cap; list = list->ai_next) {
        if (list->ai_family != family || list->ai_addrlen > sizeof *out) continue;
        memset(&out[n], 0, sizeof out[n]);
        memcpy(&out[n], list->ai_addr, list->ai_addrlen);
        if (family == AF_INET)
            out[n].v4.sin_port = htons((uint16_t)port);
        else
            out[n].v6.sin6_port = htons((uint16_t)port);
        n++;
    }
    return n;
}

int tern__ip_addr_resolve(const char *text, bool passive, tern__ip_addr *out, int cap) {
    char host[HOST_MAX];
    unsigned port;
    if (!split(text, host, &port) || (port == 0 && !passive)) return TERN_ERR_ADDRESS;
    if (host[0] == '\0' || strcmp(host, "*") == 0) return passive ? wildcard(port, out, cap) : TERN_ERR_ADDRESS;

    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *list;
    if (getaddrinfo(host, NULL, &hints, &list) != 0) {
        hints.ai_flags = 0;
        if (getaddrinfo(host, NULL, &hints, &list) != 0) return TERN_ERR_ADDRESS;
    }
    int n = append_family(list, AF_INET, port, out, 0, cap);
    n = append_family(list, AF_INET6, port, out, n, cap);
    freeaddrinfo(list);
    if (!passive)
        for (int i = 0; i < n; i++) unspecified_to_loopback(&out[i]);
    return n > 0 ? n : TERN_ERR_ADDRESS;
}

int tern__ip_addr_format(const char *scheme, const tern__ip_addr *addr, char *out, size_t cap) {
    char host[HOST_MAX];
    if (getnameinfo(&addr->any, tern__ip_addr_len(addr), host, sizeof host, NULL, 0, NI_NUMERICHOST) != 0)
        return TERN_ERR_ADDRESS;
    bool is_v4 = addr->any.sa_family == AF_INET;
    int n = snprintf(out, cap, is_v4 ? "%s://%s:%u" : "%s://[%s]:%u", scheme, host,
                     ntohs(is_v4 ? addr->v4.sin_port : addr->v6.sin6_port));
    return n > 0 && (size_t)n < cap ? 0 : TERN_ERR_LIMIT;
}

bool tern__ip_addr_is_wildcard(const tern__ip_addr *addr) {
    if (addr->any.sa_family == AF_INET) return addr->v4.sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&addr->v6.sin6_addr);
}

/* Internet addresses as text. Nothing here keeps state or leaves the machine. */
#include "port/ip_addr.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/hosts.h"
#include "tern/err.h"

enum { MAX_LOCAL = 8 /* addresses of a name of the hosts file */ };

/* Splits at the last colon; brackets around an IPv6 host are taken off. False: not of that form. */
static bool split_host_port(const char *text, char host[TERN__HOST_BYTES], unsigned *port) {
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
    if (len >= TERN__HOST_BYTES) return false;
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

/* False: the host is no number. */
static bool parse_number(const char *host, tern__ip_addr *out) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *list;
    if (getaddrinfo(host, NULL, &hints, &list) != 0) return false;
    bool fits = list->ai_addrlen <= sizeof *out;
    memset(out, 0, sizeof *out);
    if (fits) memcpy(out, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    return fits;
}

/* Append the addresses of one family to the n that there are. */
static int append_family(const tern__ip_addr *from, int n_from, int family, tern__ip_addr *out, int n, int cap) {
    for (int i = 0; i < n_from && n < cap; i++)
        if (from[i].any.sa_family == family) out[n++] = from[i];
    return n;
}

static int find_local(const char *host, tern__ip_addr *out, int cap) {
    tern__ip_addr found[MAX_LOCAL];
    int n_found = tern__hosts_find(TERN__HOSTS_FILE, host, found, MAX_LOCAL);
    int n = append_family(found, n_found, AF_INET, out, 0, cap);
    return append_family(found, n_found, AF_INET6, out, n, cap);
}

int tern__ip_addr_resolve(const char *text, bool passive, tern__ip_addr *out, int cap) {
    char host[TERN__HOST_BYTES];
    unsigned port;
    if (!split_host_port(text, host, &port) || (port == 0 && !passive)) return TERN_ERR_ADDRESS;
    if (host[0] == '\0' || strcmp(host, "*") == 0) return passive ? wildcard(port, out, cap) : TERN_ERR_ADDRESS;
    int n = parse_number(host, out) ? 1 : find_local(host, out, cap);
    for (int i = 0; i < n; i++) {
        tern__ip_addr_set_port(&out[i], (uint16_t)port);
        if (!passive) unspecified_to_loopback(&out[i]);
    }
    return n > 0 ? n : TERN_ERR_ADDRESS;
}

/* Letters, digits, hyphens and the underscores that some names have, in parts that are not empty. */
static bool is_name(const char *host) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return host[0] != '.' && host[strspn(host, allowed)] == '\0' && !strstr(host, "..");
}

int tern__ip_addr_name(const char *text, char host[TERN__HOST_BYTES], uint16_t *port) {
    tern__ip_addr addr;
    unsigned number;
    if (!split_host_port(text, host, &number) || number == 0 || host[0] == '\0') return TERN_ERR_ADDRESS;
    *port = (uint16_t)number;
    if (parse_number(host, &addr)) return 0;
    return is_name(host) ? 1 : TERN_ERR_ADDRESS;
}

int tern__ip_addr_format(const char *scheme, const tern__ip_addr *addr, char *out, size_t cap) {
    char host[TERN__HOST_BYTES];
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

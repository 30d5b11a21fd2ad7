/* Internet addresses as text. Nothing here keeps state or leaves the machine. */
#include "port/ip_addr.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern/err.h"

bool tern__ip_addr_split(const char *text, char host[TERN__HOST_BYTES], unsigned *port) {
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

bool tern__ip_addr_parse(const char *host, tern__ip_addr *out) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *list;
    if (getaddrinfo(host, NULL, &hints, &list) != 0) return false;
    bool fits = list->ai_addrlen <= sizeof *out;
    memset(out, 0, sizeof *out);
    if (fits) memcpy(out, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    return fits;
}

/* Letters, digits, hyphens and the underscores that some names have, in parts that are not empty. */
static bool is_name(const char *host) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return host[0] != '.' && host[strspn(host, allowed)] == '\0' && !strstr(host, "..");
}

int tern__ip_addr_name(const char *text, char host[TERN__HOST_BYTES], uint16_t *port) {
    tern__ip_addr addr;
    unsigned number;
    if (!tern__ip_addr_split(text, host, &number) || number == 0 || host[0] == '\0') return TERN_ERR_ADDRESS;
    *port = (uint16_t)number;
    if (tern__ip_addr_parse(host, &addr)) return 0;
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

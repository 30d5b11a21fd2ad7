/* The hosts file, which has an address and its names on each line, where `#` begins a comment; and the addresses that
 * the ports are given, whose host is a number or such a name. */
#include "port/hosts.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tern/err.h"

enum { LINE_BYTES = 1024, MAX_LOCAL = 8 /* addresses of a name of the hosts file */ };

static const char localhost[] = "localhost", blank[] = " \t\r";

/* Without the final dot. */
static size_t name_bytes(const char *name) {
    size_t n = strlen(name);
    return n > 0 && name[n - 1] == '.' ? n - 1 : n;
}

static bool parse_ip(const char *text, tern__ip_addr *out) {
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1)
        out->v4.sin_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1)
        out->v6.sin6_family = AF_INET6;
    else
        return false;
    return true;
}

static bool line_gives(char *line, const char *name, size_t len, tern__ip_addr *out) {
    char *rest, *word;
    line[strcspn(line, "#")] = '\0';
    word = strtok_r(line, blank, &rest);
    if (!word || !parse_ip(word, out)) return false;
    while ((word = strtok_r(NULL, blank, &rest)) != NULL)
        if (strlen(word) == len && strncasecmp(word, name, len) == 0) return true;
    return false;
}

/* Of a line that is too long the names that fit are read; the one that is cut is none. False: the file is over. */
static bool read_line(FILE *file, char line[LINE_BYTES]) {
    size_t n = 0;
    int c;
    while ((c = getc(file)) != EOF && c != '\n')
        if (n < LINE_BYTES) line[n++] = (char)c;
    bool any = n > 0 || c != EOF;
    if (n == LINE_BYTES)
        while (n > 1 && !strchr(blank, line[n - 1])) n--;
    line[n == LINE_BYTES ? n - 1 : n] = '\0';
    return any;
}

static int find_in_file(const char *path, const char *name, size_t len, tern__ip_addr *out, int cap) {
    char line[LINE_BYTES];
    int n = 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    while (n < cap && read_line(file, line)) n += line_gives(line, name, len, &out[n]);
    fclose(file);
    return n;
}

static bool is_localhost(const char *name, size_t len) {
    size_t n = sizeof localhost - 1;
    if (len < n || strncasecmp(name + len - n, localhost, n) != 0) return false;
    return len == n || name[len - n - 1] == '.';
}

int tern__hosts_find(const char *path, const char *name, tern__ip_addr *out, int cap) {
    size_t len = name_bytes(name);
    int n = len > 0 ? find_in_file(path, name, len, out, cap) : 0;
    if (n > 0 || !is_localhost(name, len)) return n;
    if (n < cap && parse_ip("127.0.0.1", &out[n])) n++;
    if (n < cap && parse_ip("::1", &out[n])) n++;
    return n;
}

/* ---- Addresses with a port ---------------------------------------------------------------------- */

static int put_wildcard(unsigned port, tern__ip_addr *out, int cap) {
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

int tern__hosts_resolve(const char *text, bool passive, tern__ip_addr *out, int cap) {
    char host[TERN__HOST_BYTES];
    unsigned port;
    if (!tern__ip_addr_split(text, host, &port) || (port == 0 && !passive)) return TERN_ERR_ADDRESS;
    if (host[0] == '\0' || strcmp(host, "*") == 0) return passive ? put_wildcard(port, out, cap) : TERN_ERR_ADDRESS;
    int n = tern__ip_addr_parse(host, out) ? 1 : find_local(host, out, cap);
    for (int i = 0; i < n; i++) {
        tern__ip_addr_set_port(&out[i], (uint16_t)port);
        if (!passive) unspecified_to_loopback(&out[i]);
    }
    return n > 0 ? n : TERN_ERR_ADDRESS;
}

static const char *port_fault(const char *text) {
    const char *colon = strrchr(text, ':');
    if (!colon || strchr(colon, ']')) return "the port is missing: host:port";
    size_t n_digits = strspn(colon + 1, "0123456789");
    bool is_number = n_digits > 0 && n_digits <= 5 && colon[1 + n_digits] == '\0';
    if (!is_number || strtoul(colon + 1, NULL, 10) > UINT16_MAX) return "the port is no number from 0 to 65535";
    return NULL;
}

const char *tern__hosts_fault(const char *text, bool passive) {
    char host[TERN__HOST_BYTES];
    uint16_t number;
    unsigned port;
    tern__ip_addr addr;
    const char *fault = port_fault(text);
    if (fault) return fault;
    if (!tern__ip_addr_split(text, host, &port)) return "the host is too long, or an IPv6 address without brackets";
    if (passive) {
        bool known = tern__hosts_resolve(text, true, &addr, 1) > 0;
        return known ? NULL : "the host is neither a number nor a name that this machine knows without DNS";
    }
    if (port == 0) return "nobody can be reached at port 0";
    if (host[0] == '\0') return "the host is missing";
    return tern__ip_addr_name(text, host, &number) < 0 ? "the host is neither a number nor a name" : NULL;
}

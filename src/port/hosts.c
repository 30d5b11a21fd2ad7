/* The hosts file: an address and its names per line, `#` begins a comment. */
#include "port/hosts.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LINE_BYTES = 1024 };

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

/* A DNS server for tests, on a loopback socket of its own, run by the test between its polls. A table says how it
 * answers for each name; queries for names that are held are kept until the test lets them go. */
#ifndef TERN_TESTS_DNS_SERVER_H
#define TERN_TESTS_DNS_SERVER_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DNS_MAX_QUERIES = 256, DNS_PACKET = 512, DNS_A = 1, DNS_AAAA = 28 };

typedef enum dns_kind { DNS_ANSWERS, DNS_HELD, DNS_NEVER, DNS_NXDOMAIN, DNS_GARBAGE } dns_kind;

typedef struct dns_name {
    const char *name; /* without the final dot */
    dns_kind kind;
    const char *a, *aaaa; /* addresses with a blank between two; NULL: none */
} dns_name;

typedef struct dns_query {
    struct sockaddr_in from;
    size_t len;
    uint8_t packet[DNS_PACKET];
} dns_query;

typedef struct dns_server {
    int fd;
    char address[32]; /* "127.0.0.1:port" */
    const dns_name *names;
    size_t n_names;
    unsigned n_queries;
    unsigned n_held;
    dns_query held[DNS_MAX_QUERIES];
} dns_server;

static inline bool dns_server_init(dns_server *s, const dns_name *names, size_t n_names) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof here;
    *s = (dns_server){.names = names, .n_names = n_names};
    s->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&here, len)) return false;
    if (getsockname(s->fd, (struct sockaddr *)&here, &len)) return false;
    snprintf(s->address, sizeof s->address, "127.0.0.1:%u", ntohs(here.sin_port));
    return true;
}

static inline void dns_server_fini(dns_server *s) { close(s->fd); }

/* The question's name as text, and where its type stands; 0: the packet is no query. */
static inline size_t dns_question(const dns_query *q, char name[256]) {
    size_t at = 12, n = 0;
    while (at < q->len && q->packet[at] != 0) {
        size_t label = q->packet[at++];
        if (label > 63 || at + label >= q->len || n + label + 2 > 256) return 0;
        if (n) name[n++] = '.';
        memcpy(name + n, q->packet + at, label);
        n += label;
        at += label;
    }
    name[n] = '\0';
    return at + 5 <= q->len ? at + 1 : 0;
}

/* One record for each address of the list, all by a pointer to the question's name. */
static inline size_t dns_put_addresses(uint8_t *to, size_t room, const char *list, int type, unsigned *n_answers) {
    size_t at = 0, bytes = type == DNS_A ? 4 : 16;
    while (list && *list && at + 12 + bytes <= room) {
        char text[64];
        size_t len = strcspn(list, " ");
        snprintf(text, sizeof text, "%.*s", (int)len, list);
        uint8_t head[12] = {0xc0, 12, 0, (uint8_t)type, 0, 1, 0, 0, 0, 60, 0, (uint8_t)bytes};
        memcpy(to + at, head, sizeof head);
        if (inet_pton(type == DNS_A ? AF_INET : AF_INET6, text, to + at + sizeof head) != 1) return 0;
        at += sizeof head + bytes;
        ++*n_answers;
        list += len + (list[len] == ' ');
    }
    return at;
}

static inline void dns_answer(dns_server *s, const dns_query *q, const dns_name *name, size_t type_at) {
    uint8_t out[2048];
    unsigned n_answers = 0;
    size_t len = type_at + 4;
    int type = q->packet[type_at] << 8 | q->packet[type_at + 1];
    const char *list = !name ? NULL : type == DNS_A ? name->a : type == DNS_AAAA ? name->aaaa : NULL;
    memcpy(out, q->packet, len);
    out[2] = 0x81;
    out[3] = !name || name->kind == DNS_NXDOMAIN ? 0x83 : 0x80;
    len += dns_put_addresses(out + len, sizeof out - len, list, type, &n_answers);
    out[6] = 0, out[7] = (uint8_t)n_answers;
    memset(out + 8, 0, 4);
    if (name && name->kind == DNS_GARBAGE) {
        memset(out + 2, 0xc0, len - 2); /* names that point at themselves, and lengths beyond the end */
        len = 40;
    }
    sendto(s->fd, out, len, 0, (const struct sockaddr *)&q->from, sizeof q->from);
}

static inline const dns_name *dns_find(const dns_server *s, const char *name) {
    for (size_t i = 0; i < s->n_names; i++)
        if (strcasecmp(s->names[i].name, name) == 0) return &s->names[i];
    return NULL;
}

/* Answer what has come. */
static inline void dns_server_run(dns_server *s) {
    for (;;) {
        dns_query q;
        socklen_t from_len = sizeof q.from;
        ssize_t n = recvfrom(s->fd, q.packet, sizeof q.packet, 0, (struct sockaddr *)&q.from, &from_len);
        if (n < 0) return;
        q.len = (size_t)n;
        char text[256];
        size_t type_at = dns_question(&q, text);
        if (!type_at) continue;
        s->n_queries++;
        const dns_name *name = dns_find(s, text);
        dns_kind kind = name ? name->kind : DNS_NXDOMAIN;
        if (kind == DNS_HELD && s->n_held < DNS_MAX_QUERIES)
            s->held[s->n_held++] = q;
        else if (kind != DNS_NEVER && kind != DNS_HELD)
            dns_answer(s, &q, name, type_at);
    }
}

/* Answer what was held. */
static inline void dns_server_let_go(dns_server *s) {
    for (unsigned i = 0; i < s->n_held; i++) {
        char text[256];
        size_t type_at = dns_question(&s->held[i], text);
        dns_answer(s, &s->held[i], dns_find(s, text), type_at);
    }
    s->n_held = 0;
}

#endif

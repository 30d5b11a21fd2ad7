/* Questions to the network by getaddrinfo(), in a build without c-ares. Each is put in a poll, which waits until it is
 * answered: everything else on the endpoint waits too, and the log says so. */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "port/dns.h"

typedef struct question {
    struct question *next;
    tern__dns_fn *fn;
    void *user;
    char host[TERN__HOST_BYTES];
} question;

struct tern__dns {
    question *first, **last;
    tern__port_env env;
};

int tern__dns_new(const tern__port_env *env, tern__dns **out) {
    tern__dns *dns = calloc(1, sizeof *dns);
    if (!dns) return TERN_ERR_NOMEM;
    dns->env = *env;
    dns->last = &dns->first;
    *out = dns;
    return 0;
}

void tern__dns_free(tern__dns *dns) {
    if (!dns) return;
    tern__dns_drop(dns);
    free(dns);
}

static question *take_question(tern__dns *dns) {
    question *q = dns->first;
    dns->first = q->next;
    if (!dns->first) dns->last = &dns->first;
    return q;
}

void tern__dns_drop(tern__dns *dns) {
    while (dns->first) {
        question *q = take_question(dns);
        q->fn(q->user, "given up", NULL, 0);
        free(q);
    }
}

void tern__dns_ask(tern__dns *dns, const char *host, tern__dns_fn *fn, void *user) {
    question *q = calloc(1, sizeof *q);
    if (!q) {
        fn(user, "out of memory", NULL, 0);
        return;
    }
    q->fn = fn;
    q->user = user;
    strncpy(q->host, host, sizeof q->host - 1);
    *dns->last = q;
    dns->last = &q->next;
}

static uint32_t copy_addresses(const struct addrinfo *from, tern__ip_addr out[TERN__DNS_MAX_ADDRS]) {
    uint32_t n = 0;
    for (; from && n < TERN__DNS_MAX_ADDRS; from = from->ai_next) {
        if ((from->ai_family != AF_INET && from->ai_family != AF_INET6) || from->ai_addrlen > sizeof out[n]) continue;
        memset(&out[n], 0, sizeof out[n]);
        memcpy(&out[n++], from->ai_addr, from->ai_addrlen);
    }
    return n;
}

static void answer(const tern__dns *dns, const question *q) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *list = NULL;
    tern__ip_addr addrs[TERN__DNS_MAX_ADDRS];
    tern__port_log(&dns->env, TERN_LOG_WARN, "names: this build has no c-ares: all else waits while %s is looked up",
                   q->host);
    int err = getaddrinfo(q->host, NULL, &hints, &list);
    uint32_t n = err ? 0 : copy_addresses(list, addrs);
    if (!err) freeaddrinfo(list);
    q->fn(q->user, n ? NULL : gai_strerror(err ? err : EAI_NONAME), addrs, n);
}

/* One question each time, so that the endpoint gets to other things in between. */
void tern__dns_poll(tern__dns *dns) {
    if (!dns->first) return;
    question *q = take_question(dns);
    answer(dns, q);
    free(q);
}

int tern__dns_fd(const tern__dns *dns) {
    (void)dns;
    return -1;
}

tern_dur tern__dns_next(const tern__dns *dns) { return dns->first ? 0 : -1; }

bool tern__dns_set_servers(tern__dns *dns, const char *servers) {
    (void)dns, (void)servers;
    return false;
}

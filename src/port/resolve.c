/* The resolver: who waits for which name. A question is asked once for all who wait for its name, and is dropped at the
 * latest when nobody waits for any name any more. Answers are kept until the next poll, which hands them out. */
#include "port/resolve.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "port/hosts.h"

/* A name that requests wait for. */
typedef struct lookup {
    tern__node node;    /* in asked or answered */
    tern__node waiting; /* tern__resolve */
    tern__resolver *resolver;
    uint32_t n; /* addresses; 0 when answered: there are none */
    tern__ip_addr addrs[TERN__RESOLVE_MAX_ADDRS];
    char host[TERN__HOST_BYTES];
} lookup;

struct tern__resolver {
    tern__node asked;    /* the network is to answer */
    tern__node answered; /* to be handed out */
    tern__dns *dns;
    const char *hosts_file;
    tern__port_env env;
};

int tern__resolver_new(const tern__port_env *env, tern__resolver **out) {
    tern__resolver *r = calloc(1, sizeof *r);
    if (!r) return TERN_ERR_NOMEM;
    r->env = *env;
    r->hosts_file = TERN__HOSTS_FILE;
    tern__list_init(&r->asked);
    tern__list_init(&r->answered);
    int err = tern__dns_new(env, &r->dns);
    if (err) {
        free(r);
        return err;
    }
    *out = r;
    return 0;
}

static void drop_lookups(tern__node *list) {
    while (!tern__list_empty(list)) {
        lookup *l = TERN__CONTAINER(list->next, lookup, node);
        tern__list_remove(&l->node);
        free(l);
    }
}

void tern__resolver_free(tern__resolver *r) {
    if (!r) return;
    tern__dns_free(r->dns);
    drop_lookups(&r->asked);
    drop_lookups(&r->answered);
    free(r);
}

/* The first address's family, then the other, then the first's again, as long as there are both. */
static void alternate(tern__ip_addr *addrs, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        uint32_t k = i;
        while (k < n && addrs[k].any.sa_family == addrs[i - 1].any.sa_family) k++;
        if (k == n) return;
        tern__ip_addr next = addrs[k];
        memmove(&addrs[i + 1], &addrs[i], (k - i) * sizeof *addrs);
        addrs[i] = next;
    }
}

static void conclude_lookup(lookup *l) {
    alternate(l->addrs, l->n);
    tern__list_remove(&l->node);
    tern__list_append(&l->resolver->answered, &l->node);
}

static void on_dns_answer(void *user, const char *why, const tern__ip_addr *addrs, uint32_t n) {
    lookup *l = user;
    if (tern__list_empty(&l->waiting)) {
        tern__list_remove(&l->node);
        free(l);
        return;
    }
    if (why) tern__port_log(&l->resolver->env, TERN_LOG_WARN, "names: %s has no address: %s", l->host, why);
    l->n = n;
    if (n) memcpy(l->addrs, addrs, n * sizeof *addrs);
    conclude_lookup(l);
}

static lookup *find_asked(const tern__resolver *r, const char *host) {
    for (tern__node *node = r->asked.next; node != &r->asked; node = node->next) {
        lookup *l = TERN__CONTAINER(node, lookup, node);
        if (strcasecmp(l->host, host) == 0) return l;
    }
    return NULL;
}

static lookup *new_lookup(tern__resolver *r, const char *host) {
    lookup *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->resolver = r;
    strncpy(l->host, host, sizeof l->host - 1);
    tern__list_init(&l->waiting);
    tern__list_append(&r->asked, &l->node);
    return l;
}

static void look_up(tern__resolver *r, lookup *l) {
    l->n = (uint32_t)tern__hosts_find(r->hosts_file, l->host, l->addrs, TERN__RESOLVE_MAX_ADDRS);
    if (l->n)
        conclude_lookup(l);
    else
        tern__dns_ask(r->dns, l->host, on_dns_answer, l);
}

int tern__resolver_start(tern__resolver *r, tern__resolve *request, const char *host, uint16_t port,
                         tern__resolved_fn *fn, void *user) {
    lookup *l = find_asked(r, host);
    bool is_new = !l;
    if (is_new) l = new_lookup(r, host);
    if (!l) return TERN_ERR_NOMEM;
    *request = (tern__resolve){.resolver = r, .fn = fn, .user = user, .port = port, .pending = true};
    tern__list_append(&l->waiting, &request->node);
    if (is_new) look_up(r, l);
    return 0;
}

/* Nobody waits for the network: the questions that are left are dropped, and their lookups with them. */
static void drop_questions(tern__resolver *r) {
    for (tern__node *node = r->asked.next; node != &r->asked; node = node->next)
        if (!tern__list_empty(&TERN__CONTAINER(node, lookup, node)->waiting)) return;
    tern__dns_drop(r->dns);
}

void tern__resolve_cancel(tern__resolve *request) {
    if (!request->pending) return;
    request->pending = false;
    tern__list_remove(&request->node);
    drop_questions(request->resolver);
}

static void hand_out_addresses(lookup *l) {
    while (!tern__list_empty(&l->waiting)) {
        tern__resolve *request = TERN__CONTAINER(l->waiting.next, tern__resolve, node);
        tern__list_remove(&request->node);
        request->pending = false;
        for (uint32_t i = 0; i < l->n; i++) tern__ip_addr_set_port(&l->addrs[i], request->port);
        request->fn(request->user, l->n ? 0 : TERN_ERR_NOT_FOUND, l->addrs, l->n);
    }
}

/* Requests that callbacks start are for the next poll, so that this one ends. */
void tern__resolver_poll(tern__resolver *r) {
    tern__node now;
    tern__list_init(&now);
    tern__dns_poll(r->dns);
    while (!tern__list_empty(&r->answered)) {
        tern__node *node = r->answered.next;
        tern__list_remove(node);
        tern__list_append(&now, node);
    }
    while (!tern__list_empty(&now)) {
        lookup *l = TERN__CONTAINER(now.next, lookup, node);
        hand_out_addresses(l);
        tern__list_remove(&l->node);
        free(l);
    }
    drop_questions(r);
}

int tern__resolver_fd(const tern__resolver *r) { return tern__dns_fd(r->dns); }

tern_dur tern__resolver_next(const tern__resolver *r) {
    return tern__list_empty(&r->answered) ? tern__dns_next(r->dns) : 0;
}

bool tern__resolver_set_servers(tern__resolver *r, const char *servers) {
    return tern__dns_set_servers(r->dns, servers);
}

void tern__resolver_set_hosts(tern__resolver *r, const char *path) { r->hosts_file = path; }

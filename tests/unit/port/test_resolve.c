/* The resolver against a DNS server of the test's own: what it asks, what it hands out, and what giving up leaves. */
#include <poll.h>
#include <time.h>

#include "../dns_server.h"
#include "base/base.h"
#include "port/hosts.h"
#include "port/resolve.h"
#include "tap.h"

#define MANY                                                                                                           \
    "127.0.1.1 127.0.1.2 127.0.1.3 127.0.1.4 127.0.1.5 127.0.1.6 127.0.1.7 127.0.1.8 127.0.1.9 127.0.1.10 "            \
    "127.0.1.11 127.0.1.12 127.0.1.13 127.0.1.14 127.0.1.15 127.0.1.16 127.0.1.17 127.0.1.18 127.0.1.19 127.0.1.20"

static const dns_name names[] = {
    {.name = "four.test", .a = "127.0.0.4"},
    {.name = "mixed.test", .a = "127.0.0.1 127.0.0.2 127.0.0.3", .aaaa = "::1"},
    {.name = "many.test", .a = MANY},
    {.name = "held.test", .kind = DNS_HELD, .a = "127.0.0.9"},
    {.name = "never.test", .kind = DNS_NEVER},
    {.name = "garbage.test", .kind = DNS_GARBAGE, .a = "127.0.0.9"},
    {.name = "empty.test"},
};

/* A request, and how it ended. */
typedef struct asked {
    tern__resolve request;
    unsigned n_told;
    int err;
    uint32_t n;
    tern__ip_addr addrs[TERN__RESOLVE_MAX_ADDRS];
    struct asked *cancels; /* when it is told */
} asked;

static dns_server server;
static tern__resolver *resolver;

static bool begin(void) {
    static const tern__port_env env;
    if (!dns_server_init(&server, names, TERN__COUNT(names)) || tern__resolver_new(&env, &resolver)) return false;
    return tern__resolver_set_servers(resolver, server.address);
}

static void finish(void) {
    tern__resolver_free(resolver);
    dns_server_fini(&server);
    resolver = NULL;
}

#define BEGIN()                                                                                                        \
    do {                                                                                                               \
        if (!begin()) {                                                                                                \
            finish();                                                                                                  \
            SKIP("this build has no c-ares");                                                                          \
        }                                                                                                              \
    } while (0)

static void on_resolved(void *user, int err, const tern__ip_addr *addrs, uint32_t n) {
    asked *a = user;
    a->n_told++;
    a->err = err;
    a->n = n;
    if (n) memcpy(a->addrs, addrs, n * sizeof *addrs);
    if (a->cancels) tern__resolve_cancel(&a->cancels->request);
}

static int ask(asked *a, const char *host) {
    return tern__resolver_start(resolver, &a->request, host, 7, on_resolved, a);
}

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

/* Sleep as the resolver says, until it has told or the time is over. Returns how often it woke up. */
static unsigned wait_for(const asked *a, tern_dur at_most) {
    unsigned n_turns = 0;
    tern_time end = now() + (tern_time)at_most;
    while (!a->n_told && now() < end) {
        tern_dur left = tern__resolver_next(resolver), most = 20 * TERN_MS;
        if (left < 0 || left > most) left = most;
        struct pollfd fds[] = {{.fd = server.fd, .events = POLLIN},
                               {.fd = tern__resolver_fd(resolver), .events = POLLIN}};
        poll(fds, 2, (int)((left + TERN_MS - 1) / TERN_MS));
        dns_server_run(&server);
        tern__resolver_poll(resolver);
        n_turns++;
    }
    return n_turns;
}

static bool is(const tern__ip_addr *addr, const char *text) {
    char url[64];
    return tern__ip_addr_format("x", addr, url, sizeof url) == 0 && strcmp(url + 4, text) == 0;
}

static void start__asks_for_both_families_and_tells_from_a_poll(void) {
    asked a = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "four.test."), 0);
    CHECK_EQ(a.n_told, 0);
    CHECK(wait_for(&a, TERN_SEC) < 20);
    CHECK_EQ(a.n_told, 1);
    CHECK_EQ(a.err, 0);
    CHECK_EQ(a.n, 1);
    CHECK(is(&a.addrs[0], "127.0.0.4:7"));
    CHECK_EQ(server.n_queries, 2);
    CHECK_EQ(tern__resolver_next(resolver), -1);
    finish();
}

static void start__alternates_the_families(void) {
    asked a = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "mixed.test."), 0);
    wait_for(&a, TERN_SEC);
    CHECK_EQ(a.n, 4);
    CHECK(a.addrs[0].any.sa_family != a.addrs[1].any.sa_family);
    CHECK_EQ(a.addrs[2].any.sa_family, AF_INET);
    unsigned n_v6 = 0;
    for (uint32_t i = 0; i < a.n; i++) n_v6 += is(&a.addrs[i], "[::1]:7");
    CHECK_EQ(n_v6, 1);
    finish();
}

static void start__bounds_the_addresses_of_a_name(void) {
    asked a = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "many.test."), 0);
    wait_for(&a, TERN_SEC);
    CHECK_EQ(a.err, 0);
    CHECK_EQ(a.n, TERN__RESOLVE_MAX_ADDRS);
    finish();
}

static void start__requests_for_one_name_share_a_question(void) {
    asked a[5] = {0}, after = {0};
    BEGIN();
    for (int i = 0; i < 5; i++) CHECK_EQ(ask(&a[i], i % 2 ? "HELD.Test." : "held.test."), 0);
    tern__resolve_cancel(&a[2].request);
    wait_for(&a[0], 50 * TERN_MS);
    dns_server_let_go(&server);
    wait_for(&a[4], TERN_SEC);
    for (int i = 0; i < 5; i++) CHECK_EQ(a[i].n_told, i != 2);
    CHECK_EQ(server.n_queries, 2);
    CHECK_EQ(ask(&after, "held.test."), 0); /* nothing is remembered */
    wait_for(&after, 50 * TERN_MS);
    CHECK_EQ(server.n_queries, 4);
    tern__resolve_cancel(&after.request);
    finish();
}

static void start__a_name_without_address_is_not_found(void) {
    static const char *const bad[] = {"unknown.test.", "empty.test.", "a..b", "toolong.test."};
    BEGIN();
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        char host[TERN__HOST_BYTES];
        asked a = {0};
        snprintf(host, sizeof host, "%s", bad[i]);
        if (i == 3) memset(host, 'x', sizeof host - 1), host[sizeof host - 1] = '\0';
        CHECK_EQ(ask(&a, host), 0);
        wait_for(&a, TERN_SEC);
        CHECK_EQ(a.n_told, 1);
        CHECK_EQ(a.err, TERN_ERR_NOT_FOUND);
        CHECK_EQ(a.n, 0);
    }
    finish();
}

static void start__garbage_is_not_found(void) {
    asked a = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "garbage.test."), 0);
    wait_for(&a, 10 * TERN_SEC);
    CHECK_EQ(a.n_told, 1);
    CHECK_EQ(a.err, TERN_ERR_NOT_FOUND);
    finish();
}

static void start__silence_ends_in_time(void) {
    asked a = {0};
    BEGIN();
    tern_time begun = now();
    CHECK_EQ(ask(&a, "never.test."), 0);
    unsigned n_turns = wait_for(&a, 10 * TERN_SEC);
    CHECK_EQ(a.err, TERN_ERR_NOT_FOUND);
    CHECK(now() - begun < 5 * TERN_SEC);
    CHECK(n_turns < 500);
    CHECK_EQ(server.n_queries, 4);
    finish();
}

static void cancel__of_the_last_request_drops_the_question(void) {
    asked a = {0}, b = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "never.test."), 0);
    CHECK_EQ(ask(&b, "held.test."), 0);
    wait_for(&a, 20 * TERN_MS);
    CHECK(tern__resolver_next(resolver) > 0);
    tern__resolve_cancel(&a.request);
    CHECK(tern__resolver_next(resolver) > 0);
    tern__resolve_cancel(&b.request);
    tern__resolve_cancel(&b.request);
    CHECK_EQ(tern__resolver_next(resolver), -1);
    dns_server_let_go(&server);
    tern__resolver_poll(resolver);
    CHECK_EQ(a.n_told + b.n_told, 0);
    finish();
}

/* One that was given up while another was asked is dropped with the answer to that. */
static void poll__drops_questions_that_nobody_waits_for(void) {
    asked a = {0}, b = {0};
    BEGIN();
    CHECK_EQ(ask(&a, "never.test."), 0);
    CHECK_EQ(ask(&b, "held.test."), 0);
    wait_for(&a, 20 * TERN_MS);
    tern__resolve_cancel(&a.request);
    dns_server_let_go(&server);
    wait_for(&b, TERN_SEC);
    CHECK_EQ(b.n_told, 1);
    CHECK_EQ(a.n_told, 0);
    CHECK_EQ(tern__resolver_next(resolver), -1);
    finish();
}

static void cancel__by_who_is_told_before(void) {
    asked a = {0}, b = {0}, c = {0};
    a.cancels = &b;
    BEGIN();
    CHECK_EQ(ask(&a, "localhost"), 0);
    CHECK_EQ(ask(&b, "localhost"), 0);
    CHECK_EQ(ask(&c, "LOCALHOST."), 0);
    tern__resolver_poll(resolver);
    CHECK_EQ(a.n_told + c.n_told, 2);
    CHECK_EQ(b.n_told, 0);
    finish();
}

static void start__local_names_ask_nobody(void) {
    char path[] = "/tmp/tern-hosts-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "# comment\n10.1.2.3 other # box.test\n\n  10.0.0.1\tx box.test y\n"
                               "::5 Box.Test\nnonsense box.test\n10.0.0.2 box.tes";
    asked a = {0}, b = {0};
    CHECK_EQ(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    BEGIN();
    tern__resolver_set_hosts(resolver, path);
    CHECK_EQ(ask(&a, "box.test"), 0);
    CHECK_EQ(a.n_told, 0);
    CHECK_EQ(tern__resolver_next(resolver), 0);
    tern__resolver_poll(resolver);
    CHECK_EQ(a.n, 2);
    CHECK(is(&a.addrs[0], "10.0.0.1:7"));
    CHECK(is(&a.addrs[1], "[::5]:7"));
    unlink(path);
    CHECK_EQ(ask(&b, "api.localhost"), 0);
    tern__resolver_poll(resolver);
    CHECK_EQ(b.n, 2);
    CHECK(is(&b.addrs[0], "127.0.0.1:7"));
    CHECK(is(&b.addrs[1], "[::1]:7"));
    CHECK_EQ(server.n_queries, 0);
    finish();
}

static void hosts__lines_of_any_length(void) {
    char path[] = "/tmp/tern-hosts-XXXXXX";
    tern__ip_addr addrs[4];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "10.0.0.1 ");
    for (int i = 0; i < 5000; i++) fputc('x', file);
    fprintf(file, " 10.0.0.9 box\n10.0.0.2 box");
    fclose(file);
    CHECK_EQ(tern__hosts_find(path, "box", addrs, 4), 1);
    CHECK_EQ(addrs[0].v4.sin_addr.s_addr, htonl(0x0a000002));
    CHECK_EQ(tern__hosts_find(path, "", addrs, 4), 0);
    CHECK_EQ(tern__hosts_find(path, ".", addrs, 4), 0);
    CHECK_EQ(tern__hosts_find(path, "notlocalhost", addrs, 4), 0);
    CHECK_EQ(tern__hosts_find(path, "localhost", addrs, 1), 1);
    unlink(path);
}

/* A name that is cut where the line is too long is no name, and bytes that are no text end their line alone. */
static void hosts__lines_that_are_spoilt(void) {
    enum { CUT = 1023 };
    char path[] = "/tmp/tern-hosts-XXXXXX";
    tern__ip_addr addrs[4];
    FILE *file = fdopen(mkstemp(path), "w");
    int n = fprintf(file, "10.0.0.1 ");
    while (n < CUT - 4) n += fputc('x', file) != EOF;
    fprintf(file, " box.example\n10.0.0.2 nul");
    fputc('\0', file);
    fprintf(file, " y\n10.0.0.3 next\n");
    fclose(file);
    CHECK_EQ(tern__hosts_find(path, "box", addrs, 4), 0);
    CHECK_EQ(tern__hosts_find(path, "nul", addrs, 4), 1);
    CHECK_EQ(tern__hosts_find(path, "next", addrs, 4), 1);
    CHECK_EQ(addrs[0].v4.sin_addr.s_addr, htonl(0x0a000003));
    unlink(path);
}

static void addresses__are_numbers_or_names_or_nothing(void) {
    static const char *const numbers[] = {"1.2.3.4:5", "[::1]:5", "[fe80::1]:5", "127.1:5"};
    static const char *const bad[] = {
        "",          ":5",    "*:5",    "name", "name:", "name:0", "name:65536", "a b:5", "a/b:5", "na\xc3\xafve:5",
        "[na:me]:5", "a:b:5", "a..b:5", ".a:5", "%:5"};
    char host[TERN__HOST_BYTES];
    uint16_t port;
    for (size_t i = 0; i < TERN__COUNT(numbers); i++) CHECK_EQ(tern__ip_addr_name(numbers[i], host, &port), 0);
    for (size_t i = 0; i < TERN__COUNT(bad); i++) CHECK_EQ(tern__ip_addr_name(bad[i], host, &port), TERN_ERR_ADDRESS);
    CHECK_EQ(tern__ip_addr_name("a-b_c.d2.:65535", host, &port), 1);
    CHECK(strcmp(host, "a-b_c.d2.") == 0);
    CHECK_EQ(port, 65535);
}

TAP_MAIN(TEST(start__asks_for_both_families_and_tells_from_a_poll), TEST(start__alternates_the_families),
         TEST(start__bounds_the_addresses_of_a_name), TEST(start__requests_for_one_name_share_a_question),
         TEST(start__a_name_without_address_is_not_found), TEST(start__garbage_is_not_found),
         TEST(start__silence_ends_in_time), TEST(cancel__of_the_last_request_drops_the_question),
         TEST(poll__drops_questions_that_nobody_waits_for), TEST(cancel__by_who_is_told_before),
         TEST(start__local_names_ask_nobody), TEST(hosts__lines_of_any_length), TEST(hosts__lines_that_are_spoilt),
         TEST(addresses__are_numbers_or_names_or_nothing))

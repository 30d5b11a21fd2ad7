/* Borrowing over shm while the nth allocation fails, for every n: a message is lent or copied or refused, but what
 * arrives is what was sent, and all of it is given back. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mem/pool.h"
#include "tap.h"
#include "tern/rpc.h"

enum { METHOD = 5, MB = 1 << 20, TURNS = 300000 };

static tern_endpoint *server, *client;
static tern_session *session;
static uint8_t *request, *reply;
static struct {
    bool done, lent, same;
    int status;
} answer;
static bool request_lent, request_same;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void turn(void) {
    tern_poll(client);
    tern_poll(server);
}

static void on_call(tern_call call, const void *payload, void *user) {
    const tern_bytes *bytes = payload;
    (void)user;
    request_lent = tern_call_loan(call);
    request_same = bytes->len == MB && memcmp(bytes->data, request, MB) == 0;
    tern_reply_raw(call, tern_bytes_of(reply, 3 * MB));
}

static void on_done(void *user, int status, const void *response) {
    const tern_bytes *bytes = response;
    (void)user;
    answer.done = true;
    answer.status = status;
    answer.lent = bytes && tern_response_loan(client);
    answer.same = bytes && bytes->len == 3 * MB && memcmp(bytes->data, reply, 3 * MB) == 0;
}

static uint8_t *value_of(size_t len, unsigned seed) {
    uint8_t *value = tern_alloc(len);
    for (size_t i = 0; value && i < len; i++) value[i] = (uint8_t)(i / 7 + seed);
    return value;
}

static int open_ends(void) {
    char address[64];
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.borrow = true;
    snprintf(address, sizeof address, "shm:///tmp/tern-fault-borrow-%d.sock", (int)getpid());
    int err = tern_endpoint_new(&config, &server);
    if (!err) err = tern_serve_raw(server, METHOD, on_call, NULL);
    if (!err) err = tern_listen(server, address);
    if (!err) err = tern_endpoint_new(&config, &client);
    if (!err) err = tern_connect(client, address, &session);
    for (int i = 0; !err && i < TURNS && tern_session_get_state(session) != TERN_SESSION_OPEN; i++) turn();
    return err;
}

static void close_ends(void) {
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

/* Both directions once. */
static int call(void) {
    memset(&answer, 0, sizeof answer);
    request_lent = request_same = false;
    int err = tern_call_start_raw(session, METHOD, tern_bytes_of(request, MB), NULL, on_done, NULL);
    for (int i = 0; !err && i < TURNS && !answer.done; i++) turn();
    return err;
}

static void nth__of_a_call_that_borrows_both_ways(void) {
    bool hit = true;
    uint32_t n_copied = 0, n_failed = 0, n = 0;
    request = value_of(MB, 1);
    reply = value_of(3 * MB, 2);
    CHECK(request && reply);
    for (n = 1; hit; n++) {
        uint64_t before = live_buffers();
        CHECK_EQ(open_ends(), 0);
        tern__pool_fail_after(n);
        int err = call();
        hit = tern__pool_fail_after(0) == 0;
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
        if (!err) CHECK(answer.done);
        n_failed += err || answer.status;
        if (!err && answer.status == TERN_STATUS_OK) {
            CHECK(request_same && answer.same);
            n_copied += !request_lent || !answer.lent;
        } else if (!err) {
            CHECK(answer.status == TERN_STATUS_RESOURCE_EXHAUSTED || answer.status == TERN_STATUS_UNAVAILABLE);
        }
        /* The next call has all that it needs. */
        if (tern_session_get_state(session) == TERN_SESSION_OPEN) {
            CHECK_EQ(call(), 0);
            CHECK(answer.done && answer.same && answer.lent && request_lent);
        }
        close_ends();
        CHECK_EQ(tern_refcount(request), 1);
        CHECK_EQ(tern_refcount(reply), 1);
        CHECK(live_buffers() <= before);
    }
    CHECK(n > 12 && n_copied > 2);
    printf("# %u allocations: %u calls failed, %u copied\n", n - 2, n_failed, n_copied);
    tern_unref(request);
    tern_unref(reply);
}

TAP_MAIN(TEST(nth__of_a_call_that_borrows_both_ways))

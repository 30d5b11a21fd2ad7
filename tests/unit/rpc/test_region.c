/* Values in memory that is not tern's, over every port: a mapped file that is larger than the machine's memory, and
 * another allocator's arena. They go in place where the port can read them, with their owner's references, and are
 * copied where peers cannot. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "tern/rpc.h"

enum { ECHO = 5, SUM = 6, BYTES = 300000, N = 40 };

static uint64_t n_refs, n_unrefs;
static int answer;

static int on_ref(void *user, const void *ptr) {
    (void)user;
    (void)ptr;
    if (answer) return answer;
    n_refs++;
    return 0;
}

static void on_unref(void *user, const void *ptr) {
    (void)user;
    (void)ptr;
    n_unrefs++;
}

static const tern_region_ops ops = {.size = sizeof ops, .ref = on_ref, .unref = on_unref};

static uint64_t sum_of(const uint8_t *data, size_t len) {
    uint64_t sum = 1;
    for (size_t i = 0; i < len; i++) sum = sum * 31 + data[i];
    return sum;
}

static void on_sum(tern_call call, const void *request, void *user) {
    const tern_bytes *bytes = request;
    uint64_t sum = sum_of(bytes->data, bytes->len);
    (void)user;
    tern_reply_raw(call, tern_bytes_of(&sum, sizeof sum));
}

/* What the server answers with lies in registered memory, too. */
static const uint8_t *reply_with;

static void on_echo(tern_call call, const void *request, void *user) {
    (void)request;
    (void)user;
    tern_reply_raw(call, tern_bytes_of(reply_with, BYTES));
}

static struct {
    int status;
    bool done;
    uint64_t sum;
    size_t len;
} got;

static void on_done(void *user, int status, const void *response) {
    const tern_bytes *bytes = response;
    (void)user;
    got.done = true;
    got.status = status;
    got.len = bytes ? bytes->len : 0;
    if (!bytes) return;
    if (bytes->len == sizeof got.sum)
        memcpy(&got.sum, bytes->data, sizeof got.sum);
    else
        got.sum = sum_of(bytes->data, bytes->len);
}

static void run_call(tern_session *session, tern_endpoint *a, tern_endpoint *b, uint32_t method, tern_bytes request) {
    got.done = false;
    got.status = tern_call_start_raw(session, method, request, NULL, on_done, NULL);
    if (got.status) return;
    for (int i = 0; i < 50000000 && !got.done; i++) {
        tern_poll(a);
        tern_poll(b);
    }
}

/* Calls with values at these places, both ways. registered: they are; in_place: the port sends from there. */
static void check_port(const char *address, const uint8_t *const *places, int n, bool registered, bool in_place) {
    tern_endpoint *server, *client;
    tern_session *session;
    CHECK_EQ(tern_endpoint_new(NULL, &server) + tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_serve_raw(server, ECHO, on_echo, NULL) + tern_serve_raw(server, SUM, on_sum, NULL), 0);
    CHECK_EQ(tern_listen(server, address), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
    n_refs = n_unrefs = 0;
    for (int i = 0; i < n; i++) {
        uint64_t sum = sum_of(places[i], BYTES);
        run_call(session, server, client, SUM, tern_bytes_of(places[i], BYTES));
        CHECK(got.done && got.status == 0);
        CHECK_EQ(got.sum, sum);
        reply_with = places[i];
        run_call(session, server, client, ECHO, tern_bytes_of("", 1));
        CHECK(got.done && got.status == 0);
        CHECK_EQ(got.len, BYTES);
        CHECK_EQ(got.sum, sum);
        CHECK_OK();
    }
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(client, &stats);
    CHECK_EQ(stats.inplace_bytes, registered ? (uint64_t)n * BYTES : 0);
    CHECK_EQ(stats.shm_copied_bytes, registered && !in_place ? (uint64_t)n * BYTES : 0);
    CHECK(!in_place || n_refs >= 2 * (uint64_t)n);
    CHECK(in_place || n_refs == registered); /* the first request waits for the session */
    tern_endpoint_free(client);
    tern_endpoint_free(server);
    CHECK_EQ(n_refs, n_unrefs);
}

static void check_all_ports(const uint8_t *const *places, int n, bool registered) {
    char shm[64];
    snprintf(shm, sizeof shm, "shm:///tmp/tern-region-%d.sock", (int)getpid());
    check_port("udp://127.0.0.1:0", places, n, registered, registered);
    CHECK_OK();
    check_port("tcp://127.0.0.1:0", places, n, registered, registered);
    CHECK_OK();
    check_port(shm, places, n, registered, false);
}

static void region__mapped_file_larger_than_memory(void) {
    const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE), bytes = 4 * memory;
    char name[] = "/tmp/tern-region-XXXXXX";
    int fd = mkstemp(name);
    CHECK(fd >= 0);
    unlink(name);
    if (ftruncate(fd, (off_t)bytes)) SKIP("no sparse file of four times the memory");
    static uint8_t value[BYTES];
    const uint8_t *places[N];
    uint8_t *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) SKIP("no addresses for such a map");
    for (size_t i = 0; i < N; i++) {
        size_t at = (bytes - BYTES) / N * i + 12345 * i;
        for (size_t k = 0; k < BYTES; k++) value[k] = (uint8_t)(k * 7 + i * 13 + (k >> 9));
        CHECK_EQ(pwrite(fd, value, BYTES, (off_t)at), BYTES);
        places[i] = map + at;
    }
    tern_region *region;
    CHECK_EQ(tern_region_register(map, bytes, &ops, NULL, &region), 0);
    CHECK(tern_in_pool(map) && tern_in_pool(map + bytes - 1) && !tern_in_pool(map + bytes));
    check_all_ports(places, N, true);
    CHECK_EQ(tern_region_unregister(region), 0);
    CHECK(!tern_in_pool(map));
    munmap(map, bytes);
    close(fd);
}

/* Chunks of malloc's, none of them aligned, more than have numbers of their own. */
static void region__another_allocators_memory(void) {
    enum { CHUNKS = 150 };
    static uint8_t *chunks[CHUNKS];
    static tern_region *regions[CHUNKS];
    const uint8_t *places[N];
    for (size_t i = 0; i < CHUNKS; i++) {
        chunks[i] = malloc(BYTES + 2000);
        for (size_t k = 0; k < BYTES + 2000; k++) chunks[i][k] = (uint8_t)(k * 3 + i);
        CHECK_EQ(tern_region_register(chunks[i], BYTES + 2000, &ops, NULL, &regions[i]), 0);
    }
    for (size_t i = 0; i < N; i++) places[i] = chunks[i * 3] + i * 17;
    check_all_ports(places, N, true);
    for (size_t i = 0; i < CHUNKS; i++) {
        CHECK_EQ(tern_region_unregister(regions[i]), 0);
        free(chunks[i]);
    }
}

/* Memory beside registered memory is as foreign as ever: it is copied, over every port. */
static void region__its_neighbours_are_foreign(void) {
    uint8_t *memory = malloc(3 * BYTES);
    const uint8_t *places[] = {memory, memory + 2 * BYTES};
    tern_region *region;
    for (size_t i = 0; i < 3 * BYTES; i++) memory[i] = (uint8_t)(i * 11);
    CHECK_EQ(tern_region_register(memory + BYTES, BYTES, &ops, NULL, &region), 0);
    CHECK(tern_in_pool(memory + BYTES) && tern_in_pool(memory + 2 * BYTES - 1));
    CHECK(!tern_in_pool(memory + BYTES - 1) && !tern_in_pool(memory + 2 * BYTES));
    check_all_ports(places, 2, false);
    CHECK_EQ(n_refs, 0);
    CHECK_EQ(tern_region_unregister(region), 0);
    free(memory);
}

/* Whoever does not let go of memory ends the call that was to send it. */
static void region__owner_refuses(void) {
    tern_endpoint *server, *client;
    tern_session *session;
    tern_region *region;
    uint8_t *memory = calloc(1, BYTES);
    CHECK_EQ(tern_region_register(memory, BYTES, &ops, NULL, &region), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &server) + tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_serve_raw(server, SUM, on_sum, NULL), 0);
    CHECK_EQ(tern_listen(server, "udp://127.0.0.1:0"), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
    answer = TERN_ERR_LIMIT;
    run_call(session, server, client, SUM, tern_bytes_of(memory, BYTES));
    CHECK_EQ(got.status, TERN_ERR_LIMIT);
    answer = 0;
    run_call(session, server, client, SUM, tern_bytes_of(memory, BYTES));
    CHECK_EQ(got.status, 0);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
    CHECK_EQ(tern_region_unregister(region), 0);
    free(memory);
}

TAP_MAIN(TEST(region__mapped_file_larger_than_memory), TEST(region__another_allocators_memory),
         TEST(region__its_neighbours_are_foreign), TEST(region__owner_refuses))

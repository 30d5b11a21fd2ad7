/* What a peer on the same host could read: the files of memory that this process may show, which are its shared
 * segments and its halves of channels, and nothing else. A client in another process sends secrets over shm, UDP and
 * TCP, as values and as metadata; the server keeps what it received, and none of it lies in a file that it could show,
 * nor do the tags by which it knows its sessions. What a method receives into shared memory on purpose does. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "echo.tern.h"
#include "mem/pool.h"
#include "rpc/endpoint.h"
#include "rpc/server.h"
#include "tap.h"

enum { KEEP = 1, OPEN_METHOD = 2, N_KEPT = 64, METADATA_BYTES = 700, MAX_VALUE = 3 << 20 };

static const size_t sizes[] = {24, 300, 5000, 70000, 200000, MAX_VALUE};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* The secret is not in this program's text as such, so that no copy of a constant is found. */
static void fill_with(uint8_t *to, size_t len, char kind) {
    for (size_t i = 0; i < len; i++) to[i] = (uint8_t)("yrpergcvrpr"[i % 11] ^ kind);
}

static const void *kept[N_KEPT];
static int n_kept, n_served;

/* A page as a peer would read it, what is free included, which sanitizers forbid here. */
__attribute__((no_sanitize("address", "thread"))) static const uint8_t *peek_page(const uint8_t *from) {
    static uint64_t page[4096 / sizeof(uint64_t)];
    for (size_t i = 0; i < sizeof page / sizeof *page; i++)
        page[i] = ((const volatile uint64_t *)(const void *)from)[i];
    return (const uint8_t *)page;
}

static int n_channels; /* seen by the last look */

/* Pages with the bytes among those of [from, from + bytes) that are in memory. */
static int count_in_range(const uint8_t *from, size_t bytes, const void *piece, size_t len) {
    int n = 0;
    for (; bytes; from += 4096, bytes -= 4096) {
        unsigned char here;
        if (mincore((void *)(uintptr_t)from, 4096, &here) || !(here & 1)) continue;
        n += memmem(peek_page(from), 4096, piece, len) != NULL;
    }
    return n;
}

/* The same in all files of memory that are ours: peers' are mapped for reading only. */
static int count_bytes(const void *piece, size_t len) {
    char line[512], mode[8], name[256];
    size_t from, to;
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    n_channels = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%zx-%zx %7s %*s %*s %*s %255s", &from, &to, mode, name) != 4) continue;
        if (strcmp(mode, "rw-s") != 0 || strncmp(name, "/memfd:tern", 11) != 0) continue;
        n_channels += strncmp(name, "/memfd:tern-channel", 19) == 0;
        n += count_in_range((const uint8_t *)from, to - from, piece, len);
    }
    if (!maps) return -1;
    fclose(maps);
    return n;
}

/* Pages with a piece of the secret. */
static int count_in_shared(char kind) {
    uint8_t piece[22];
    fill_with(piece, sizeof piece, kind);
    return count_bytes(piece, sizeof piece);
}

/* Sessions with a tag, and 1000 for each place where peers could read what strangers would have to know. */
static int count_tags(const tern_endpoint *ep) {
    const tern__engine *e = ep->engine;
    int n = 0;
    for (uint32_t i = 0; i < e->n_table; i++) {
        const tern__session *s = e->sessions[i];
        if (s && s->rx_tag) n += 1000 * count_bytes(&s->rx_tag, sizeof s->rx_tag) + 1;
    }
    return n;
}

static int n_looks, n_in_channels, n_metadata, n_tags;

static void on_secret(tern_call call, const void *request, void *user) {
    const tern_bytes *bytes = request;
    tern_bytes token = tern_metadata_find(tern_call_metadata(call), "token");
    (void)user;
    if (n_kept < N_KEPT && tern_ref(bytes->data) == 0) kept[n_kept++] = bytes->data;
    n_served++;
    n_metadata += token.len == METADATA_BYTES;
    if (n_served == N_SIZES) { /* the last one over shm, whose channel is there now */
        n_in_channels += count_in_shared('s');
        n_looks += n_channels;
    }
    if (n_served == 2 * N_SIZES) n_tags = count_tags(tern_call_endpoint(call)); /* of the session over UDP */
    tern_reply_raw(call, tern_bytes_of("thanks", 6));
}

/* Of a message the struct and the lists that were decoded, too. */
static int n_forms, n_shared_forms, n_shared_replies;

static void on_message(tern_call call, const echo_Blob *request, void *user) {
    (void)user;
    n_forms++;
    n_shared_forms += tern__pool_shared_segment(request) != NULL;
    n_shared_forms += request->parts.len && tern__pool_shared_segment(request->parts.data);
    n_shared_forms += request->data.len && tern__pool_shared_segment(request->data.data);
    n_shared_replies += tern__pool_shared_segment(tern_arena_alloc(tern_call_arena(call), 600)) != NULL;
    echo_Echo_Echo_reply(call, &(echo_Blob){.id = 1});
}

static void on_done(void *user, int status, const void *response) {
    int *left = user;
    (void)response;
    if (status != TERN_STATUS_OK) _exit(3);
    --*left;
}

/* The client: all sizes to the method at each address. Exit status 0: all were answered. */
static int send_secrets(char addresses[3][128], uint32_t method, char kind) {
    tern_endpoint *ep;
    if (tern_endpoint_new(NULL, &ep)) return 2;
    uint8_t *value = malloc(MAX_VALUE);
    fill_with(value, MAX_VALUE, kind);
    for (int a = 0; a < 3; a++) {
        tern_session *session;
        if (tern_connect(ep, addresses[a], &session)) return 4;
        for (int i = 0; i < N_SIZES; i++) {
            int left = 1;
            tern_pair token = {.key = "token", .value = tern_bytes_of(value, METADATA_BYTES)};
            tern_call_opts opts = TERN_CALL_OPTS(.metadata = &token, .n_metadata = 1);
            if (tern_call_start_raw(session, method, tern_bytes_of(value, sizes[i]), &opts, on_done, &left)) return 5;
            while (left) tern_poll(ep);
        }
    }
    tern_endpoint_free(ep);
    return 0;
}

static void on_blob(void *user, int status, const echo_Blob *response) { on_done(user, status, response); }

/* Messages of all sizes, in either format. */
static int send_messages(char addresses[3][128]) {
    static const tern_format formats[] = {TERN_FORMAT_HYBRID, TERN_FORMAT_PROTOBUF};
    tern_endpoint *ep;
    if (tern_endpoint_new(NULL, &ep)) return 2;
    uint8_t *value = tern_alloc(MAX_VALUE);
    fill_with(value, MAX_VALUE, 's');
    for (int i = 0; i < 3 * N_SIZES * 2; i++) {
        tern_session *session;
        tern_bytes data = {value, sizes[i % N_SIZES]}, parts[] = {{value + 1, 30}, data};
        echo_Blob blob = {.id = 7, .data = data, .parts = {.data = parts, .len = 2}};
        tern_call_opts opts = TERN_CALL_OPTS(.format = formats[i / N_SIZES % 2]);
        int left = 1;
        if (tern_connect(ep, addresses[i / N_SIZES / 2], &session)) return 4;
        if (echo_Echo_Echo(session, &blob, &opts, on_blob, &left)) return 5;
        while (left) tern_poll(ep);
        tern_session_close(session);
    }
    tern_endpoint_free(ep);
    return 0;
}

/* Serve the child until it is done. */
static int serve_child(tern_endpoint *ep, pid_t child) {
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) tern_poll(ep);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void received__is_in_no_shared_segment(void) {
    tern_endpoint *ep;
    static char addresses[3][128];
    int pipes[3][2];
    pid_t children[3];
    CHECK_EQ(pipe(pipes[0]) + pipe(pipes[1]) + pipe(pipes[2]), 0);
    /* Before this process has a pool: the children's is their own. */
    for (int c = 0; c < 3; c++) {
        children[c] = fork();
        if (children[c] == 0) {
            if (read(pipes[c][0], addresses, sizeof addresses) != sizeof addresses) _exit(6);
            if (c == 2) _exit(send_messages(addresses));
            _exit(send_secrets(addresses, c ? OPEN_METHOD : KEEP, c ? 'o' : 's'));
        }
    }
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_serve_raw(ep, KEEP, on_secret, NULL), 0);
    CHECK_EQ(echo_Echo_serve(ep, &(echo_Echo_handlers){.Echo = on_message}, NULL), 0);
    tern__handler open = {.id = OPEN_METHOD,
                          .thunk = tern__untyped_thunk,
                          .handler = (tern__any_fn *)on_secret,
                          .flags = TERN_METHOD_RECEIVE_SHARED};
    CHECK_EQ(tern__server_add(ep, &open), 0);
    char shm[64];
    snprintf(shm, sizeof shm, "shm:///tmp/tern-private-%d.sock", (int)getpid());
    const char *wanted[] = {shm, "udp://127.0.0.1:0", "tcp://127.0.0.1:0"};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(tern_listen(ep, wanted[i]), 0);
        snprintf(addresses[i], sizeof addresses[i], "%s", tern_listen_address(ep, (unsigned)i));
    }
    CHECK_OK();
    CHECK_EQ(write(pipes[0][1], addresses, sizeof addresses), sizeof addresses);
    CHECK_EQ(serve_child(ep, children[0]), 0);
    CHECK_EQ(n_served, 3 * N_SIZES);
    CHECK_EQ(n_kept, n_served);
    CHECK_EQ(n_metadata, n_served);
    CHECK_EQ(n_in_channels, 0);
    CHECK(n_looks > 0);
    CHECK_EQ(count_in_shared('s'), 0);
    CHECK(tern__segment_count() > 0);
    CHECK_EQ(n_tags, 1);
    CHECK_EQ(write(pipes[2][1], addresses, sizeof addresses), sizeof addresses);
    CHECK_EQ(serve_child(ep, children[2]), 0);
    CHECK_EQ(n_forms, 3 * N_SIZES * 2);
    CHECK_EQ(n_shared_forms, 0);
    CHECK_EQ(n_shared_replies, n_forms); /* what is to be sent in place is */
    CHECK_EQ(count_in_shared('s'), 0);
    CHECK_EQ(write(pipes[1][1], addresses, sizeof addresses), sizeof addresses);
    CHECK_EQ(serve_child(ep, children[1]), 0);
    CHECK_EQ(n_served, 6 * N_SIZES);
    CHECK_EQ(count_in_shared('s'), 0);
    CHECK(count_in_shared('o') > MAX_VALUE / 4096); /* the test sees what is there */
    for (int i = 0; i < n_kept; i++) tern_unref(kept[i]);
    tern_endpoint_free(ep);
}

TAP_MAIN(TEST(received__is_in_no_shared_segment))

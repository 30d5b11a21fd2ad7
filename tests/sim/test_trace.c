/* The packets of an RPC, one a line, against traces in tests/golden: they are the specification of what eRPC's
 * Figure 3 shows, 2 credits, one packet and three packets each way. `--write` prints what there is now.
 *
 * Time in microseconds since the request, one microsecond each way; then who sends to whom, the packet's type and
 * number, for CR and RFR the packets received without a gap, and the packet's payload in bytes. */
#include "talk.h"

#include "tap.h"

static struct trace {
    char text[8192];
    size_t len;
    tern_time start;
} trace;

static const char *const type_names[] = {"REQ",    "CR",         "RFR",          "RESP", "CONNECT", "ACCEPT",
                                         "REFUSE", "DISCONNECT", "DISCONNECTED", "PING", "PONG"};

static void watch(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    tern__pkt_header h;
    uint32_t header_bytes = tern__pkt_read(&h, seen->head, seen->head_len);
    if (seen->fate != TERN__SIM_SENT || header_bytes == 0 || h.type > TERN__PKT_RESP) return;
    char aux[32] = "";
    if (h.type == TERN__PKT_CR || h.type == TERN__PKT_RFR) snprintf(aux, sizeof aux, " received %u", h.aux);
    int n = snprintf(trace.text + trace.len, sizeof trace.text - trace.len, "%6.1f  %s  %-4s %u%s  %u bytes\n",
                     (double)(seen->at - trace.start) / 1e3, seen->src == 0 ? "client > server" : "server > client",
                     type_names[h.type], h.pkt, aux, seen->bytes - header_bytes);
    if (n > 0 && (size_t)n < sizeof trace.text - trace.len) trace.len += (size_t)n;
}

/* One call with bodies of this many packets, on a session that is up. */
static void record(bool reliable, size_t bytes, uint32_t bytes_back) {
    static talk t;
    cluster_config config;
    cluster_config_init(&config);
    config.sim.path.delay = TERN_US;
    config.sim.reliable = reliable;
    config.engine.credits = 2;
    memset(&trace, 0, sizeof trace);
    tern__csession *session;
    CHECK_EQ(talk_init(&t, 1, &config), 0);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    trace.start = cluster_now(&t.c);
    tern__sim_watch(t.c.sim, watch, NULL);
    CHECK_EQ(talk_call(&t, 0, session, bytes, bytes_back, 0), 0);
    talk_finish(&t, TERN_SEC);
    tern__sim_watch(t.c.sim, NULL, NULL);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
    CHECK(talk_fini(&t) == NULL);
}

static bool is_writing;

static void compare(const char *name) {
    char path[512], golden[sizeof trace.text] = "";
    if (is_writing) {
        printf("# %s\n%s", name, trace.text);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", TRACE_DIR, name);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    size_t len = fread(golden, 1, sizeof golden - 1, file);
    fclose(file);
    if (len != trace.len || memcmp(golden, trace.text, len) != 0) printf("# expected\n%s# got\n%s", golden, trace.text);
    CHECK_EQ(len, trace.len);
    CHECK_MEM(golden, trace.text, len);
}

static void figure3__one_packet_each_way(void) {
    record(false, 32, 32);
    CHECK_OK();
    compare("figure3_one_packet.trace");
}

static void figure3__three_packets_each_way(void) {
    record(false, 2500, 2500);
    CHECK_OK();
    compare("figure3_three_packets.trace");
}

static void figure3__three_packets_each_way_on_a_reliable_link(void) {
    record(true, 2500, 2500);
    CHECK_OK();
    compare("figure3_three_packets_reliable.trace");
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(figure3__one_packet_each_way), TEST(figure3__three_packets_each_way),
                                     TEST(figure3__three_packets_each_way_on_a_reliable_link)};
    is_writing = argc == 2 && strcmp(argv[1], "--write") == 0;
    return tap_run(tests, TERN__COUNT(tests), is_writing ? 1 : argc, argv);
}

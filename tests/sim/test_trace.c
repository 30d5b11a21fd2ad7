/* The packets of conversations, one a line, against traces in tests/golden: they are the specification of what eRPC's
 * Figure 3 shows (2 credits, one packet and three packets each way), and of what this protocol does besides. `--write`
 * prints what there is now.
 *
 * Time in microseconds since the start, one microsecond each way; then who sends to whom, the packet's type and
 * number, for CR and RFR the packets received without a gap, and the packet's payload in bytes. */
#include "flow.h"
#include "talk.h"

#include "tap.h"

static struct trace {
    char text[8192];
    size_t len;
    tern_time start;
    bool all; /* the setup and the end of sessions, too */
} trace;

/* The first transmission of one packet is late, or lost. */
static struct fault {
    uint32_t src;
    uint8_t type;
    uint32_t pkt;
    tern_dur late; /* 0: lost */
    bool is_on, is_over;
} fault;

static talk t;
static tern__csession *session;

static const char *const type_names[16] = {"REQ",        "CR",           "RFR",  "RESP", "CONNECT", "ACCEPT", "REFUSE",
                                           "DISCONNECT", "DISCONNECTED", "PING", "PONG", "RETRY",   "CANCEL", "GOAWAY"};

/* What an acknowledgement says, what a stream's packet grants, and a status that is not OK. */
static void write_details(const tern__pkt_header *h, char *out, size_t cap) {
    bool stream = (h->flags & TERN__PKT_STREAM) && h->type <= TERN__PKT_RESP;
    int n = 0;
    if (h->type == TERN__PKT_CR || h->type == TERN__PKT_RFR || (stream && h->type == TERN__PKT_RESP))
        n += snprintf(out + n, cap - (size_t)n, " received %u", h->aux);
    if (stream) n += snprintf(out + n, cap - (size_t)n, " granted %u", h->size);
    if (stream && (h->flags & TERN__PKT_LAST)) n += snprintf(out + n, cap - (size_t)n, " last");
    bool ends = h->type == TERN__PKT_RESP || h->type == TERN__PKT_REFUSE;
    uint8_t again = stream ? h->format : ends ? 0 : h->status;
    if (h->status && ends) n += snprintf(out + n, cap - (size_t)n, " %s", tern_status_name(h->status));
    if (again) snprintf(out + n, cap - (size_t)n, ", again %u", again);
}

static void write_line(const char *what, const tern__sim_seen *seen, const tern__pkt_header *h, uint32_t bytes) {
    char name[24], details[96] = "";
    bool numbered = h->type <= TERN__PKT_RESP && h->pkt != UINT32_MAX;
    snprintf(name, sizeof name, numbered ? "%-4s %u" : "%s", type_names[h->type], h->pkt);
    write_details(h, details, sizeof details);
    int n = snprintf(trace.text + trace.len, sizeof trace.text - trace.len, "%6.1f  %s  %s%s%s  %u bytes\n",
                     (double)(seen->at - trace.start) / 1e3, seen->src == 0 ? "client > server" : "server > client",
                     what, name, details, bytes);
    if (n > 0 && (size_t)n < sizeof trace.text - trace.len) trace.len += (size_t)n;
}

static void watch(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    tern__pkt_header h;
    uint32_t header_bytes = tern__pkt_read(&h, seen->head, seen->head_len);
    if (seen->fate == TERN__SIM_DELIVERED || header_bytes == 0) return;
    if (!trace.all && h.type > TERN__PKT_RESP) return;
    write_line(seen->fate == TERN__SIM_DROPPED ? "lost: " : "", seen, &h, seen->bytes - header_bytes);
}

static void set_delay(uint32_t src, tern_dur delay) {
    tern__sim_path path = {.delay = delay};
    tern__sim_set_path(t.c.sim, src, !src, &path);
}

/* Packets keep what they meet when they leave, so the next one is on time again. */
static bool meet_fault(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    tern__pkt_header h = {0};
    tern__pkt_read(&h, seen->head, seen->head_len);
    bool is_first = seen->src == fault.src && h.type == fault.type && h.pkt == fault.pkt && !fault.is_over;
    set_delay(seen->src, TERN_US + (is_first ? fault.late : 0));
    fault.is_over |= is_first;
    return is_first && !fault.late;
}

/* A session that is up, unless the trace is of that, too. */
static void open_session(bool reliable, uint32_t credits, bool all) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.path.delay = TERN_US;
    config.sim.reliable = reliable;
    config.engine.credits = credits;
    memset(&trace, 0, sizeof trace);
    CHECK_EQ(talk_init(&t, 1, &config), 0);
    trace.all = all;
    trace.start = cluster_now(&t.c);
    if (all) tern__sim_watch(t.c.sim, watch, NULL);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    if (all) return;
    trace.start = cluster_now(&t.c);
    tern__sim_watch(t.c.sim, watch, NULL);
}

static void close_session(void) {
    tern__sim_drop_if(t.c.sim, NULL, NULL);
    tern__sim_watch(t.c.sim, NULL, NULL);
    CHECK(talk_fini(&t) == NULL);
}

/* One call with bodies of this many bytes, on a session that is up. */
static void record(bool reliable, uint32_t credits, size_t bytes, uint32_t bytes_back) {
    open_session(reliable, credits, false);
    CHECK_OK();
    if (fault.is_on) {
        set_delay(0, TERN_US);
        set_delay(1, TERN_US);
        tern__sim_drop_if(t.c.sim, meet_fault, NULL);
    }
    CHECK_EQ(talk_call(&t, 0, session, bytes, bytes_back, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
    close_session();
}

/* The same, with trouble. */
static void record_with(struct fault what, size_t bytes, uint32_t bytes_back) {
    fault = what;
    fault.is_on = true;
    record(false, 8, bytes, bytes_back);
    fault = (struct fault){0};
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
    record(false, 2, 32, 32);
    CHECK_OK();
    compare("figure3_one_packet.trace");
}

static void figure3__three_packets_each_way(void) {
    record(false, 2, 2500, 2500);
    CHECK_OK();
    compare("figure3_three_packets.trace");
}

static void figure3__three_packets_each_way_on_a_reliable_link(void) {
    record(true, 2, 2500, 2500);
    CHECK_OK();
    compare("figure3_three_packets_reliable.trace");
}

/* The cookie first; then a call; then the end. */
static void session__from_connect_to_disconnect(void) {
    open_session(false, 2, true);
    CHECK_OK();
    trace.start = cluster_now(&t.c) - (tern_time)TERN_MS;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    tern__engine_session_close(session, cluster_now(&t.c));
    cluster_flush(&t.c, 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    close_session();
    CHECK_OK();
    compare("session.trace");
}

/* The server has restarted: it says so, and the next call connects anew. */
static void session__of_a_server_that_restarted(void) {
    open_session(false, 2, true);
    CHECK_OK();
    cluster_node_kill(&t.c, 1);
    CHECK_EQ(cluster_node_start(&t.c, 1), 0);
    trace.len = 0;
    trace.start = cluster_now(&t.c);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_UNAVAILABLE], 1);
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    talk_finish(&t, TERN_SEC);
    CHECK_EQ(t.n_status[TERN_STATUS_OK], 1);
    close_session();
    CHECK_OK();
    compare("session_restart.trace");
}

/* Three later packets overtake the lost one, which alone is sent again. */
static void loss__in_a_request(void) {
    record_with((struct fault){.src = 0, .type = TERN__PKT_REQ, .pkt = 2}, 8000, 32);
    CHECK_OK();
    compare("loss_request.trace");
}

static void loss__in_a_response(void) {
    record_with((struct fault){.src = 1, .type = TERN__PKT_RESP, .pkt = 2}, 32, 8000);
    CHECK_OK();
    compare("loss_response.trace");
}

/* Nothing comes after it: the timer. */
static void loss__of_the_last_packet(void) {
    record_with((struct fault){.src = 0, .type = TERN__PKT_REQ, .pkt = 2}, 2500, 32);
    CHECK_OK();
    compare("loss_last.trace");
}

static void loss__of_the_response(void) {
    record_with((struct fault){.src = 1, .type = TERN__PKT_RESP, .pkt = 0}, 32, 32);
    CHECK_OK();
    compare("loss_of_response.trace");
}

/* Two packets overtake one: nothing is sent again. */
static void reordering__by_less_than_three(void) {
    record_with((struct fault){.src = 0, .type = TERN__PKT_REQ, .pkt = 5, .late = 1500}, 8000, 32);
    CHECK_OK();
    compare("reordering.trace");
}

/* A call ends at its deadline; the late response is dropped, and the server hears a second later that it can let go. */
static void deadline__before_the_response(void) {
    open_session(false, 2, true);
    CHECK_OK();
    trace.len = 0;
    trace.start = cluster_now(&t.c);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 500 * TERN_US), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    CHECK_EQ(t.n_status[TERN_STATUS_DEADLINE_EXCEEDED], 1);
    CHECK_EQ(talk_answer(&t, 1, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(2 * TERN_SEC));
    close_session();
    CHECK_OK();
    compare("deadline.trace");
}

/* The caller gives up while the handler runs: one packet, not answered; the late response is not sent. */
static void cancel__of_a_running_call(void) {
    open_session(false, 2, true);
    CHECK_OK();
    trace.len = 0;
    trace.start = cluster_now(&t.c);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    CHECK(talk_cancel(&t, 0, session, 0));
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    CHECK_EQ(talk_answer(&t, 1, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(2 * TERN_SEC));
    close_session();
    CHECK_OK();
    compare("cancel.trace");
}

/* The server wants to leave while a call runs: the client finishes it and goes. */
static void drain__with_a_call_running(void) {
    open_session(false, 2, true);
    CHECK_OK();
    trace.len = 0;
    trace.start = cluster_now(&t.c);
    t.hold = true;
    CHECK_EQ(talk_call(&t, 0, session, 32, 32, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_US));
    tern__engine_drain(t.c.nodes[1].engine, cluster_now(&t.c) + (tern_time)TERN_SEC, cluster_now(&t.c));
    cluster_flush(&t.c, 1);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_US));
    CHECK(!tern__engine_session_is_idle(session));
    CHECK_EQ(talk_answer(&t, 1, 0), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)(10 * TERN_US));
    CHECK(tern__engine_session_is_idle(session));
    tern__engine_session_close(session, cluster_now(&t.c));
    cluster_flush(&t.c, 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    CHECK(tern__engine_is_drained(t.c.nodes[1].engine));
    close_session();
    CHECK_OK();
    compare("drain.trace");
}

/* A streaming call: both halves flow at once; grants and acknowledgements travel with the data. */
static void record_stream(bool reliable) {
    static flow f;
    cluster_config config;
    cluster_config_init(&config);
    config.sim.path.delay = TERN_US;
    config.sim.reliable = reliable;
    config.engine.credits = 4;
    memset(&trace, 0, sizeof trace);
    CHECK_EQ(flow_init(&f, 1, &config), 0);
    CHECK_EQ(cluster_connect(&f.c, 0, 1, NULL, &session), 0);
    cluster_run(&f.c, cluster_now(&f.c) + (tern_time)TERN_MS);
    f.opts = (flow_opts){.max_write = 1, .server_waits = true};
    trace.start = cluster_now(&f.c);
    tern__sim_watch(f.c.sim, watch, NULL);
    CHECK(flow_begin(&f, 0, session, 6000, 3000) != NULL);
    CHECK(flow_run(&f, TERN_SEC));
    flow_pass(&f, TERN_MS);
    tern__sim_watch(f.c.sim, NULL, NULL);
    CHECK(flow_fini(&f) == NULL);
}

static void stream__both_halves(void) {
    record_stream(false);
    CHECK_OK();
    compare("stream.trace");
}

static void stream__both_halves_on_a_reliable_link(void) {
    record_stream(true);
    CHECK_OK();
    compare("stream_reliable.trace");
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(figure3__one_packet_each_way),
                                     TEST(figure3__three_packets_each_way),
                                     TEST(figure3__three_packets_each_way_on_a_reliable_link),
                                     TEST(session__from_connect_to_disconnect),
                                     TEST(session__of_a_server_that_restarted),
                                     TEST(loss__in_a_request),
                                     TEST(loss__in_a_response),
                                     TEST(loss__of_the_last_packet),
                                     TEST(loss__of_the_response),
                                     TEST(reordering__by_less_than_three),
                                     TEST(deadline__before_the_response),
                                     TEST(cancel__of_a_running_call),
                                     TEST(drain__with_a_call_running),
                                     TEST(stream__both_halves),
                                     TEST(stream__both_halves_on_a_reliable_link)};
    is_writing = argc == 2 && strcmp(argv[1], "--write") == 0;
    return tap_run(tests, TERN__COUNT(tests), is_writing ? 1 : argc, argv);
}

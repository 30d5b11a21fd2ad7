/* What happens in conversations, one event a line, against traces in tests/golden: they are the specification of what
 * eRPC's Figure 3 shows (2 credits, one packet and three packets each way), and of what this protocol does besides.
 * `--write DIR` writes what there is now.
 *
 * A line: the time in microseconds since the start (one microsecond each way), who sees it, and the event as
 * tern__trace_format() has it. A lost packet is one that is sent and not received; the line behind it says so. */
#include "flow.h"
#include "talk.h"

#include "tap.h"

static struct trace {
    char text[1 << 16];
    size_t len;
    tern_time start;
    bool is_on, all; /* the setup and the end of sessions, too */
    uint32_t n_kinds[TERN__N_TRACE_KINDS];
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

static void write_line(tern_time at, const char *who, const char *what) {
    size_t room = sizeof trace.text - trace.len;
    int n = snprintf(trace.text + trace.len, room, "%6.1f  %-7s  %s\n", (double)(at - trace.start) / 1e3, who, what);
    if (n > 0 && (size_t)n < room) trace.len += (size_t)n;
}

static void write_loss(tern_time at, const tern__pkt_header *h) {
    char text[64];
    snprintf(text, sizeof text, "loses    %s of %u, packet %u", tern__pkt_type_name(h->type), h->req, h->pkt);
    write_line(at, "network", text);
}

static void on_event(void *user, uint32_t node, const tern__trace_event *event) {
    (void)user;
    char text[256] = "";
    if (!trace.is_on) return;
    trace.n_kinds[event->kind]++;
    tern__trace_format(event, text, sizeof text);
    write_line(event->at, node == 0 ? "client" : "server", text);
}

static void set_delay(uint32_t src, tern_dur delay) {
    tern__sim_path path = {.delay = delay};
    tern__sim_set_path(t.c.sim, src, !src, &path);
}

/* Packets keep what they meet when they leave, so the next one is on time again. */
static bool meet_fault(void *ctx, const tern__sim_seen *seen) {
    (void)ctx;
    tern__pkt_header h = {0};
    tern__pkt_read(&h, seen->head, seen->head_len, seen->bytes);
    bool is_first = seen->src == fault.src && h.type == fault.type && h.pkt == fault.pkt && !fault.is_over;
    set_delay(seen->src, TERN_US + (is_first ? fault.late : 0));
    fault.is_over |= is_first;
    if (is_first && !fault.late) write_loss(seen->at, &h);
    return is_first && !fault.late;
}

/* A session that is up, unless the trace is of that, too. */
static void open_session(bool reliable, uint32_t credits, bool all) {
    cluster_config config;
    cluster_config_init(&config);
    config.sim.path.delay = TERN_US;
    config.sim.reliable = reliable;
    config.engine.credits = credits;
    config.on_event = on_event;
    memset(&trace, 0, sizeof trace);
    CHECK_EQ(talk_init(&t, 1, &config), 0);
    trace.all = trace.is_on = all;
    trace.start = cluster_now(&t.c);
    CHECK_EQ(cluster_connect(&t.c, 0, 1, NULL, &session), 0);
    cluster_run(&t.c, cluster_now(&t.c) + (tern_time)TERN_MS);
    if (all) return;
    trace.start = cluster_now(&t.c);
    trace.is_on = true;
}

static void close_session(void) {
    tern__sim_drop_if(t.c.sim, NULL, NULL);
    trace.is_on = false;
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

static const char *write_dir; /* NULL: compare */

static void write_trace(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", write_dir, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(trace.text, 1, trace.len, file), trace.len);
    CHECK_EQ(fclose(file), 0);
}

static void compare(const char *name) {
    static char golden[sizeof trace.text];
    char path[512];
    if (write_dir) {
        write_trace(name);
        return;
    }
    memset(golden, 0, sizeof golden);
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
    config.on_event = on_event;
    memset(&trace, 0, sizeof trace);
    CHECK_EQ(flow_init(&f, 1, &config), 0);
    CHECK_EQ(cluster_connect(&f.c, 0, 1, NULL, &session), 0);
    cluster_run(&f.c, cluster_now(&f.c) + (tern_time)TERN_MS);
    f.opts = (flow_opts){.max_write = 1, .server_waits = true};
    trace.start = cluster_now(&f.c);
    trace.is_on = true;
    CHECK(flow_begin(&f, 0, session, 6000, 3000) != NULL);
    CHECK(flow_run(&f, TERN_SEC));
    flow_pass(&f, TERN_MS);
    trace.is_on = false;
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
    if (argc == 3 && strcmp(argv[1], "--write") == 0) write_dir = argv[2];
    return tap_run(tests, TERN__COUNT(tests), write_dir ? 1 : argc, argv);
}

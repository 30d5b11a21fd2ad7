/* What the tables of docs/states.md do not show of a stream's states: that no event leads back, that every state can be
 * reached, and LEAVING, which lasts only while callbacks of other calls run. */
#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "loop.h"

enum { METHOD = 5, PIECE = 100 };

static const tern__stream_states starts[] = {{TERN__STREAM_CALL_UNRELEASED, TERN__SEND_SEND, TERN__RECV_RECV},
                                             {TERN__STREAM_CALL_WAITING, TERN__SEND_SEND, TERN__RECV_RECV},
                                             {TERN__STREAM_CALL_OPEN, TERN__SEND_SEND, TERN__RECV_RECV}};

/* ---- The transitions alone ------------------------------------------------------------------------ */

/* Marks what can be reached from `from`. */
static void walk(tern__stream_states from,
                 bool seen[TERN__N_STREAM_CALL_PHASES][TERN__N_SEND_STATES][TERN__N_RECV_STATES]) {
    bool *mark = &seen[from.call][from.send][from.recv];
    if (*mark) return;
    *mark = true;
    for (unsigned event = 0; event < TERN__N_EVS; event++) {
        tern__stream_states to = from;
        tern__stream_states_step(&to, (tern__stream_event)event);
        CHECK(to.call >= from.call && to.call < TERN__N_STREAM_CALL_PHASES);
        CHECK(to.send >= from.send && to.send < TERN__N_SEND_STATES);
        CHECK(to.recv >= from.recv && to.recv < TERN__N_RECV_STATES);
        if (from.call == TERN__STREAM_CALL_ENDED) CHECK_EQ(to.call, from.call);
        if (from.send == TERN__SEND_DATA_RECVD) CHECK_EQ(to.send, from.send);
        if (from.recv == TERN__RECV_DATA_RECVD) CHECK_EQ(to.recv, from.recv);
        walk(to, seen);
    }
}

static void stream_state__only_goes_forward_and_every_state_can_be_reached(void) {
    static bool seen[TERN__N_STREAM_CALL_PHASES][TERN__N_SEND_STATES][TERN__N_RECV_STATES];
    bool call[TERN__N_STREAM_CALL_PHASES] = {0}, send[TERN__N_SEND_STATES] = {0}, recv[TERN__N_RECV_STATES] = {0};
    for (unsigned i = 0; i < TERN__COUNT(starts); i++) walk(starts[i], seen);
    CHECK_OK();
    for (unsigned c = 1; c < TERN__N_STREAM_CALL_PHASES; c++)
        for (unsigned s = 1; s < TERN__N_SEND_STATES; s++)
            for (unsigned r = 1; r < TERN__N_RECV_STATES; r++)
                if (seen[c][s][r]) call[c] = send[s] = recv[r] = true;
    for (unsigned c = 1; c < TERN__N_STREAM_CALL_PHASES; c++) CHECK(call[c]);
    for (unsigned s = 1; s < TERN__N_SEND_STATES; s++) CHECK(send[s]);
    for (unsigned r = 1; r < TERN__N_RECV_STATES; r++) CHECK(recv[r]);
}

static void stream_state__of_an_ended_call_is_over_in_both_halves(void) {
    for (unsigned s = 1; s < TERN__N_SEND_STATES; s++)
        for (unsigned r = 1; r < TERN__N_RECV_STATES; r++) {
            tern__stream_states states = {TERN__STREAM_CALL_OPEN, (tern__send_state)s, (tern__recv_state)r};
            tern__stream_states_step(&states, TERN__EV_DROPPED);
            CHECK_EQ(states.call, TERN__STREAM_CALL_ENDED);
            CHECK_EQ(states.send, s == TERN__SEND_DATA_RECVD ? TERN__SEND_DATA_RECVD : TERN__SEND_RESET);
            CHECK_EQ(states.recv, r == TERN__RECV_DATA_RECVD ? TERN__RECV_DATA_RECVD : TERN__RECV_RESET);
        }
}

/* ---- LEAVING -------------------------------------------------------------------------------------- */

typedef enum deed { DO_NOTHING, DO_WRITE, DO_FINISH, DO_ABORT } deed;

static loop l;
static tern__stream *pair[2];
static deed planned;
static unsigned n_ends[2];
static tern__stream_states other_was;

static int write_piece(tern__stream *st) {
    static const uint8_t bytes[PIECE];
    return tern__stream_send(st, (tern_bytes){.data = bytes, .len = sizeof bytes}, l.now);
}

static void on_open(void *user, tern__stream *st, uint32_t method) { (void)user, (void)st, (void)method; }

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st, (void)data, (void)len;
}

static void on_nothing(void *user, tern__stream *st) { (void)user, (void)st; }

/* The first to hear of the end does something with the other stream, which has not heard of its own. */
static void on_end(void *user, tern__stream *st, int status) {
    (void)user, (void)status;
    if (st != pair[0] && st != pair[1]) return; /* the server's */
    n_ends[st == pair[1]]++;
    if (st != pair[0]) return;
    other_was = pair[1]->states;
    if (planned == DO_WRITE) CHECK_EQ(write_piece(pair[1]), 0);
    if (planned == DO_FINISH) tern__stream_finish(pair[1], TERN_STATUS_OK, l.now);
    if (planned == DO_ABORT) tern__stream_abort(pair[1], TERN_STATUS_CANCELLED, l.now);
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_nothing, .on_writable = on_nothing, .on_end = on_end};

/* Two streams lose their session, and the user acts while the second is LEAVING. */
static void leave(bool reliable, bool opened, deed what) {
    tern__pkt_header h;
    n_ends[0] = n_ends[1] = 0;
    planned = what;
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = {.streams = &callbacks}});
    loop_connect(&l);
    if (!opened) l.side[0].capacity = 0;
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &pair[i]), 0);
        CHECK_EQ(write_piece(pair[i]), 0);
    }
    tern__engine_tick(l.side[0].engine, l.now);
    CHECK_EQ(pair[1]->states.call, opened ? TERN__STREAM_CALL_OPEN : TERN__STREAM_CALL_OPENING);
    tern__stream_ref(pair[1]);
    while (loop_drop(&l, 0, 0)) continue;
    tern__engine_session_close(l.session, l.now);
    tern__engine_tick(l.side[0].engine, l.now);
    CHECK_EQ(other_was.call, TERN__STREAM_CALL_LEAVING);
    CHECK_EQ(other_was.send, TERN__SEND_SEND);
    for (unsigned i = 0; loop_peek(&l, 0, i, &h); i++) CHECK(h.type != TERN__PKT_REQ);
    CHECK_EQ(n_ends[0], 1);
    CHECK_EQ(n_ends[1], what == DO_ABORT ? 0 : 1);
    CHECK_EQ(pair[1]->states.call, TERN__STREAM_CALL_ENDED);
    CHECK_EQ(pair[1]->states.send, TERN__SEND_RESET);
    CHECK_EQ(pair[1]->states.recv, TERN__RECV_RESET);
    CHECK_EQ(write_piece(pair[1]), TERN_ERR_CLOSED);
    tern__stream_unref(pair[1]);
    loop_fini(&l);
}

static void stream__that_is_leaving_sends_nothing_and_ends_once(void) {
    for (int how = 0; how < 4; how++)
        for (deed what = DO_NOTHING; what <= DO_ABORT; what++) {
            leave(how & 1, how & 2, what);
            CHECK_OK();
        }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(stream_state__only_goes_forward_and_every_state_can_be_reached),
        TEST(stream_state__of_an_ended_call_is_over_in_both_halves),
        TEST(stream__that_is_leaving_sends_nothing_and_ends_once),
    };
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}

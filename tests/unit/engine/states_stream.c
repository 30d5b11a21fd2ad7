/* See states_stream.h. */
#include "states_stream.h"

enum {
    METHOD = 77,
    P = 1024,
    PIECE = 100,
    FIRST_GRANT = TERN__STREAM_MIN_WINDOW,
    N_CREDITS = 32,
    N_GRANTED = FIRST_GRANT / P, /* full packets */
};

static const tern_dur deadline_in = 100 * TERN_MS, late_after = 20 * TERN_MS;

static tern__stream *stream; /* with a reference of ours */
static uint32_t call_req;
static tern__stream *others[TERN__MAX_STREAMS];
static bool is_awaited; /* the party is a stream */
static bool is_narrow;  /* streams that come have the smallest window, and nobody consumes */

static bool is_server(states_party party) {
    return party == STATES_SERVER_CALL || party == STATES_SERVER_SEND || party == STATES_SERVER_RECV;
}

/* ---- Names ---------------------------------------------------------------------------------------- */

static const char *call_name(unsigned state) {
    static const char *const names[] = {[TERN__STREAM_CALL_UNRELEASED] = "UNRELEASED",
                                        [TERN__STREAM_CALL_WAITING] = "WAITING",
                                        [TERN__STREAM_CALL_OPENING] = "OPENING",
                                        [TERN__STREAM_CALL_OPEN] = "OPEN",
                                        [TERN__STREAM_CALL_ENDING] = "ENDING",
                                        [TERN__STREAM_CALL_LEAVING] = "LEAVING",
                                        [TERN__STREAM_CALL_ENDED] = "ENDED"};
    return state < TERN__COUNT(names) ? names[state] : NULL;
}

static const char *send_name(unsigned state) {
    static const char *const names[] = {[TERN__SEND_SEND] = "SEND",
                                        [TERN__SEND_SIZE_KNOWN] = "SIZE_KNOWN",
                                        [TERN__SEND_DATA_SENT] = "DATA_SENT",
                                        [TERN__SEND_DATA_RECVD] = "DATA_RECVD",
                                        [TERN__SEND_RESET] = "RESET"};
    return state < TERN__COUNT(names) ? names[state] : NULL;
}

static const char *recv_name(unsigned state) {
    static const char *const names[] = {[TERN__RECV_RECV] = "RECV",
                                        [TERN__RECV_SIZE_KNOWN] = "SIZE_KNOWN",
                                        [TERN__RECV_DATA_RECVD] = "DATA_RECVD",
                                        [TERN__RECV_REFUSED] = "REFUSED",
                                        [TERN__RECV_RESET] = "RESET"};
    return state < TERN__COUNT(names) ? names[state] : NULL;
}

const char *states_stream_name(states_party party, unsigned state) {
    if (party == STATES_CLIENT_CALL || party == STATES_SERVER_CALL) return call_name(state);
    return party == STATES_CLIENT_SEND || party == STATES_SERVER_SEND ? send_name(state) : recv_name(state);
}

const char *states_stream_now(states_party party) {
    if (!stream) return "no stream";
    bool call = party == STATES_CLIENT_CALL || party == STATES_SERVER_CALL;
    bool send = party == STATES_CLIENT_SEND || party == STATES_SERVER_SEND;
    unsigned half = send ? (unsigned)stream->states.send : (unsigned)stream->states.recv;
    unsigned state = call ? (unsigned)stream->states.call : half;
    const char *name = states_stream_name(party, state);
    return name ? name : "no such state";
}

/* ---- Reaching a state ----------------------------------------------------------------------------- */

static void keep(tern__stream *st) {
    stream = st;
    tern__stream_ref(st);
}

void states_stream_opened(tern__stream *st) {
    if (!is_awaited || stream) return;
    keep(st);
    if (is_narrow) tern__stream_configure(st, &(tern__stream_opts){.window_bytes = FIRST_GRANT, .manual = true});
}

static void tick(loop *l, states_party party) { tern__engine_tick(l->side[is_server(party)].engine, l->now); }

static void write_bytes(loop *l, uint32_t len) {
    static const uint8_t bytes[FIRST_GRANT + PIECE];
    int err = tern__stream_write(stream, &(tern__body){.data = bytes, .len = len}, l->now);
    if (err) states_tell("%s", err == TERN_ERR_STATE ? "STATE" : err == TERN_ERR_CLOSED ? "CLOSED" : "?");
}

static void open_one(loop *l, bool unreleased) {
    tern__stream_opts opts = {.deadline = l->now + (tern_time)deadline_in, .unreleased = unreleased};
    CHECK_EQ(tern__stream_open(l->session, METHOD, &opts, NULL, l->now, &stream), 0);
    keep(stream);
}

/* All places are taken by others; the first of them is to be this one's. */
static void client_call_in(loop *l, unsigned state) {
    bool waits = state == TERN__STREAM_CALL_UNRELEASED || state == TERN__STREAM_CALL_WAITING;
    for (unsigned i = 0; waits && i < TERN__MAX_STREAMS; i++)
        CHECK_EQ(tern__stream_open(l->session, METHOD, NULL, NULL, l->now, &others[i]), 0);
    tick(l, STATES_CLIENT_CALL);
    if (state == TERN__STREAM_CALL_OPENING) l->side[0].capacity = 0;
    open_one(l, state == TERN__STREAM_CALL_UNRELEASED);
    tick(l, STATES_CLIENT_CALL);
    if (state == TERN__STREAM_CALL_ENDED) tern__stream_abort(stream, TERN_STATUS_CANCELLED, l->now);
}

/* The client ends the call. */
static void end_call(loop *l, states_party party, uint32_t req) {
    if (is_server(party))
        states_acknowledge_stream(party, req, UINT32_MAX);
    else
        tern__stream_abort(stream, TERN_STATUS_CANCELLED, l->now);
}

/* More than may leave: than the first grant, or where packets are lost than the credits. */
static uint32_t too_much(bool reliable) { return (reliable ? FIRST_GRANT : N_CREDITS * P) + PIECE; }

static void send_in(loop *l, bool reliable, states_party party, uint32_t req, unsigned state) {
    if (party == STATES_SERVER_SEND)
        states_give_stream(party, req, 0, TERN__PKT_LAST, PIECE);
    else
        open_one(l, false);
    CHECK(stream != NULL);
    write_bytes(l, state == TERN__SEND_SIZE_KNOWN ? too_much(reliable) : PIECE);
    tern__stream_flush(stream, l->now);
    tick(l, party);
    if (state == TERN__SEND_RESET)
        end_call(l, party, req);
    else if (state != TERN__SEND_SEND)
        tern__stream_finish(stream, TERN_STATUS_OK, l->now);
    tick(l, party);
    if (state == TERN__SEND_DATA_RECVD && !reliable) states_acknowledge_stream(party, req, stream->tx_pkt);
}

/* Packet 0 is here; SIZE_KNOWN: and 2, the last. */
static void recv_in(loop *l, states_party party, uint32_t req, unsigned state) {
    is_narrow = state == TERN__RECV_REFUSED;
    if (party == STATES_CLIENT_RECV) open_one(l, false);
    tick(l, party);
    if (is_narrow) {
        for (uint32_t k = 0; k < N_GRANTED; k++) states_give_stream(party, req, k, 0, P);
        l->side[1].capacity = 0; /* or the call would be over at once */
        states_give_stream(party, req, N_GRANTED, 0, P);
        return;
    }
    states_give_stream(party, req, 0, 0, PIECE);
    if (state == TERN__RECV_SIZE_KNOWN) states_give_stream(party, req, 2, TERN__PKT_LAST, PIECE);
    if (state == TERN__RECV_DATA_RECVD) states_give_stream(party, req, 1, TERN__PKT_LAST, PIECE);
    if (state == TERN__RECV_RESET) end_call(l, party, req);
}

/* The stream of which no handler has heard. */
static void keep_unopened(loop *l, uint32_t req) {
    tern__session *s = tern__session_find(l->side[1].engine, l->session->s.peer_number);
    keep(tern__stream_at((tern__ssession *)s, req % TERN__MAX_STREAMS)->stream);
}

static void server_call_in(loop *l, bool reliable, uint32_t req, unsigned state) {
    if (state == TERN__STREAM_CALL_OPENING) {
        states_give_stream(STATES_SERVER_CALL, req, 0, TERN__PKT_META, STATES_META_BYTES / 2);
        keep_unopened(l, req);
        return;
    }
    states_give_stream(STATES_SERVER_CALL, req, 0, 0, PIECE);
    CHECK(stream != NULL);
    if (state == TERN__STREAM_CALL_OPEN) return;
    write_bytes(l, state == TERN__STREAM_CALL_ENDING ? too_much(reliable) : PIECE);
    tern__stream_finish(stream, TERN_STATUS_OK, l->now);
    tick(l, STATES_SERVER_CALL);
    if (state == TERN__STREAM_CALL_ENDED) states_acknowledge_stream(STATES_SERVER_CALL, req, stream->tx_pkt);
}

uint32_t states_stream_reach(loop *l, bool reliable, states_party party, unsigned state) {
    uint32_t waited = party == STATES_CLIENT_CALL && state <= TERN__STREAM_CALL_WAITING ? TERN__MAX_STREAMS : 0;
    uint32_t req = is_server(party) ? TERN__MAX_STREAMS + 1 : waited;
    call_req = req;
    is_awaited = true;
    stream = NULL;
    switch (party) {
    case STATES_CLIENT_CALL: client_call_in(l, state); break;
    case STATES_SERVER_CALL: server_call_in(l, reliable, req, state); break;
    case STATES_CLIENT_SEND:
    case STATES_SERVER_SEND: send_in(l, reliable, party, req, state); break;
    default: recv_in(l, party, req, state);
    }
    return req;
}

bool states_stream_is_other(const tern__stream *st) {
    for (unsigned i = 0; i < TERN__MAX_STREAMS; i++)
        if (others[i] == st) return true;
    return false;
}

/* Packets up to the grant, and one more, the last. */
static void overrun(states_party party) {
    if (tern__stream_has_ended(stream)) return;
    tern__stream_set_manual(stream, true);
    for (uint64_t before = 0; stream->rx_bytes > before && stream->rx_bytes + P <= stream->rx_limit;) {
        before = stream->rx_bytes;
        states_give_stream(party, call_req, stream->rx_pkt, 0, P);
    }
    states_forget();
    states_give_stream(party, call_req, stream->rx_pkt, TERN__PKT_LAST, P);
}

/* ---- What happens without a packet ---------------------------------------------------------------- */

bool states_stream_act(loop *l, states_party party, const char *action) {
    static const char *const of_handler[] = {"write", "finish", "abort"};
    for (unsigned i = 0; i < TERN__COUNT(of_handler); i++)
        if (strcmp(action, of_handler[i]) == 0 && tern__stream_is_unopened(stream)) return true; /* there is none */
    if (strcmp(action, "write") == 0) {
        write_bytes(l, PIECE);
        if (!tern__stream_has_ended(stream)) tern__stream_flush(stream, l->now);
    } else if (strcmp(action, "finish") == 0) {
        tern__stream_finish(stream, TERN_STATUS_OK, l->now);
    } else if (strcmp(action, "abort") == 0) {
        tern__stream_abort(stream, TERN_STATUS_ABORTED, l->now);
    } else if (strcmp(action, "release") == 0) {
        if (stream->states.call != TERN__STREAM_CALL_UNRELEASED) return true;
        if (tern__stream_release(stream, l->session, false, l->now)) states_tell("not released");
    } else if (strcmp(action, "place") == 0) {
        if (others[0]) tern__stream_abort(others[0], TERN_STATUS_CANCELLED, l->now);
    } else if (strcmp(action, "acknowledged") == 0) {
        states_acknowledge_stream(party, call_req, stream->tx_pkt);
    } else if (strcmp(action, "overrun") == 0) {
        overrun(party);
    } else if (strcmp(action, "room") == 0) {
        l->side[is_server(party)].capacity = 4096;
    } else if (strcmp(action, "late") == 0) {
        l->now += (tern_time)late_after;
    } else if (strcmp(action, "deadline") == 0) {
        l->now += (tern_time)deadline_in;
    } else {
        return false;
    }
    return true;
}

/* ---- Invariants ----------------------------------------------------------------------------------- */

void states_stream_fini(void) {
    const tern__stream *st = stream;
    const tern__stream_states *s = &st->states;
    bool over = s->call == TERN__STREAM_CALL_ENDED;
    CHECK((s->call <= TERN__STREAM_CALL_WAITING) == (st->waiting != NULL));
    CHECK(!over || (s->send >= TERN__SEND_DATA_RECVD && tern__list_empty(&st->queue) && !st->loss && !st->request));
    CHECK(!over || s->recv == TERN__RECV_DATA_RECVD || s->recv == TERN__RECV_RESET);
    CHECK(over || (s->send != TERN__SEND_RESET && s->recv != TERN__RECV_RESET));
    CHECK(s->call != TERN__STREAM_CALL_ENDING || s->send != TERN__SEND_SEND);
    CHECK(s->send != TERN__SEND_SIZE_KNOWN || st->tx_flushed == st->tx_end);
    CHECK(s->send != TERN__SEND_DATA_SENT || st->tx_sent == st->tx_end);
    CHECK(s->recv != TERN__RECV_DATA_RECVD || st->rx_pkt == st->rx_last + 1);
    tern__stream_unref(stream);
    memset(others, 0, sizeof others);
    is_narrow = is_awaited = false;
    stream = NULL;
}

/* See states.h. The state is reached by the packets that lead there, never by writing into a session. */
#include "states.h"

#include <ctype.h>
#include <stdarg.h>

#include "setup_packet.h"
#include "states_stream.h"

enum {
    P = 1024,
    MULTI = 4 * P - 100, /* a message of four packets */
    MANY = 100 * P,      /* one of a hundred: more than the credits */
    METHOD = 77,
    PIECE = 100, /* bytes in a stream's packet */
    GRANT = 300000,
    FAKE_NUMBER = 4711, /* of the peer's session, where there is no peer */
    MAX_FIELDS = 8,
};

static const uint64_t FAKE_TAG = 0x1234, FAKE_TOKEN = 0x5678, INCARNATION = 0x9abc;

enum { SERVER_NONE, SERVER_RECEIVING, SERVER_WAITING, SERVER_RUNNING, SERVER_RESPONDED, SERVER_DONE };
enum { CLIENT_FREE, CLIENT_SENDING, CLIENT_SENT, CLIENT_WAIT, CLIENT_RESP };
enum { STREAM_NONE, STREAM_OPEN, STREAM_HALF, STREAM_ENDING, STREAM_DONE };
enum { STREAM_FREE, STREAM_CALLING, STREAM_FINISHED };
enum { SERVER_ABSENT, SERVER_OPEN, SERVER_SERVING };
enum { CLIENT_CONNECTING, CLIENT_OPEN, CLIENT_CALLING, CLIENT_DOWN };

static const struct {
    const char *name;
    const char *states[7];
} parties[STATES_N_PARTIES] = {
    [STATES_SERVER_SLOT] = {"server's slot", {"NONE", "RECEIVING", "WAITING", "RUNNING", "RESPONDED", "DONE"}},
    [STATES_CLIENT_SLOT] = {"client's slot", {"FREE", "SENDING", "SENT", "WAIT", "RESP"}},
    [STATES_SERVER_STREAM] = {"server's stream", {"NONE", "OPEN", "HALF", "ENDING", "DONE"}},
    [STATES_CLIENT_STREAM] = {"client's stream", {"FREE", "OPEN", "HALF"}},
    [STATES_CLIENT_CALL] = {"client's call", {0}},
    [STATES_SERVER_CALL] = {"server's call", {0}},
    [STATES_CLIENT_SEND] = {"client's send state", {0}},
    [STATES_SERVER_SEND] = {"server's send state", {0}},
    [STATES_CLIENT_RECV] = {"client's receive state", {0}},
    [STATES_SERVER_RECV] = {"server's receive state", {0}},
    [STATES_SERVER_SESSION] = {"server's session", {"absent", "OPEN", "SERVING"}},
    [STATES_CLIENT_SESSION] = {"client's session", {"CONNECTING", "OPEN", "CALLING", "DOWN"}},
};

static const char *const type_names[] = {"REQ",        "CR",           "RFR",  "RESP", "CONNECT", "ACCEPT", "REFUSE",
                                         "DISCONNECT", "DISCONNECTED", "PING", "PONG", "RETRY",   "CANCEL", "GOAWAY"};

static loop l;
static bool reliable;
static uint32_t base_req; /* what +0 means */
static uint64_t cookie;   /* for FAKE_TOKEN and FAKE_NUMBER */

bool states_party_find(const char *name, states_party *out) {
    for (unsigned i = 0; i < STATES_N_PARTIES; i++) {
        *out = (states_party)i;
        if (strcmp(parties[i].name, name) == 0) return true;
    }
    return false;
}

static const char *state_name(states_party party, unsigned state) {
    if (states_is_stream(party)) return states_stream_name(party, state + 1);
    return state < TERN__COUNT(parties[0].states) ? parties[party].states[state] : NULL;
}

bool states_state_find(states_party party, const char *name, unsigned *out) {
    for (*out = 0; state_name(party, *out); ++*out)
        if (strcmp(state_name(party, *out), name) == 0) return true;
    return false;
}

/* ---- Streams --------------------------------------------------------------------------------------- */

static tern__stream *stream; /* the one there is */
static char told[128];       /* what its user has heard */

void states_tell(const char *format, ...) {
    size_t at = strlen(told);
    va_list args;
    if (at + sizeof ", " >= sizeof told) return;
    if (at) at += (size_t)snprintf(told + at, sizeof told - at, ", ");
    va_start(args, format);
    vsnprintf(told + at, sizeof told - at, format, args);
    va_end(args);
}

static void on_open(void *user, tern__stream *st, uint32_t method) {
    (void)user, (void)method;
    stream = st;
    states_stream_opened(st);
    states_tell("*opens*");
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st, (void)data;
    states_tell("*reads %u*", len);
}

static void on_finished(void *user, tern__stream *st) {
    (void)user, (void)st;
    states_tell("*finished*");
}

static void on_writable(void *user, tern__stream *st) {
    (void)user, (void)st;
    states_tell("*writable*");
}

static void on_end(void *user, tern__stream *st, int status) {
    (void)user;
    if (states_stream_is_other(st)) return;
    states_tell("*ends %s*", tern_status_name(status));
    if (st == stream) stream = NULL;
}

static const tern__stream_callbacks stream_callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

/* ---- Looking inside ------------------------------------------------------------------------------- */

static int side_of(states_party party) {
    switch (party) {
    case STATES_SERVER_SLOT:
    case STATES_SERVER_SESSION:
    case STATES_SERVER_STREAM:
    case STATES_SERVER_CALL:
    case STATES_SERVER_SEND:
    case STATES_SERVER_RECV: return 1;
    default: return 0;
    }
}

static const tern__csession *client(void) { return l.session; }

/* The server's session, or NULL. */
static const tern__ssession *server(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i] && e->sessions[i]->role == TERN__SERVER) return (const tern__ssession *)e->sessions[i];
    return NULL;
}

static const tern__session *session_of(states_party party) {
    if (!side_of(party)) return &client()->s;
    const tern__ssession *ss = server();
    return ss ? &ss->s : NULL;
}

static const char *client_slot_state(void) {
    const tern__csession *cs = client();
    uint32_t i = base_req % TERN__N_SLOTS;
    if (cs->free_slots >> i & 1) return "FREE";
    const tern__cslot *slot = &cs->slots[i];
    if (slot->phase == TERN__SLOT_WAIT) return "WAIT";
    if (slot->phase == TERN__SLOT_RESP) return "RESP";
    return slot->win && slot->win->next < slot->win->total ? "SENDING" : "SENT";
}

static const tern__request *server_slot(void) {
    const tern__ssession *ss = server();
    return ss ? tern__request_at(ss, base_req % TERN__N_SLOTS) : NULL;
}

static uint32_t server_req(void) { return server()->s.reqs[base_req % TERN__N_SLOTS]; }

/* A request that is done leaves nothing but its number. */
static unsigned server_slot_state(void) {
    const tern__request *request = server_slot();
    if (request) return request->state;
    if (server()->has_reply >> base_req % TERN__N_SLOTS & 1) return TERN__REQUEST_RESPONDED;
    return server_req() == tern__no_req(base_req % TERN__N_SLOTS) ? SERVER_NONE : SERVER_DONE;
}

static const tern__stream_places *server_places(void) { return server()->s.scold->requests->places; }

static uint32_t server_stream_req(void) {
    uint32_t place = base_req % TERN__MAX_STREAMS;
    return server_places() ? server_places()->reqs[place] : place - TERN__MAX_STREAMS;
}

static const char *server_stream_state(void) {
    uint32_t place = base_req % TERN__MAX_STREAMS;
    bool open = tern__open_streams(server()) >> place & 1;
    const tern__stream *st = open ? tern__stream_at(server(), place)->stream : NULL;
    if (st && st->states.call == TERN__STREAM_CALL_ENDING) return "ENDING";
    if (st) return st->states.recv == TERN__RECV_DATA_RECVD ? "HALF" : "OPEN";
    return server_stream_req() == place - TERN__MAX_STREAMS ? "NONE" : "DONE";
}

static const char *client_stream_state(void) {
    uint32_t i = TERN__N_SLOTS + base_req % TERN__MAX_STREAMS;
    if (!(tern__calls_in_use(client()) >> i & 1)) return "FREE";
    return tern__stream_is_writable(tern__call_at(client(), i)->call) ? "OPEN" : "HALF";
}

static const char *state_now(states_party party) {
    if (states_is_stream(party)) return states_stream_now(party);
    switch (party) {
    case STATES_SERVER_SLOT: return server() ? parties[party].states[server_slot_state()] : "gone";
    case STATES_CLIENT_SLOT: return client()->s.state == TERN__STATE_OPEN ? client_slot_state() : "gone";
    case STATES_SERVER_STREAM: return server() ? server_stream_state() : "gone";
    case STATES_CLIENT_STREAM: return client()->s.state == TERN__STATE_OPEN ? client_stream_state() : "gone";
    case STATES_SERVER_SESSION:
        return !server() ? "absent" : server()->n_running || server()->s.scold->n_orphans ? "SERVING" : "OPEN";
    default: break;
    }
    if (client()->s.state == TERN__STATE_CONNECTING) return "CONNECTING";
    if (client()->s.state != TERN__STATE_OPEN) return "DOWN";
    return tern__client_is_idle(client()) ? "OPEN" : "CALLING";
}

/* ---- Packets -------------------------------------------------------------------------------------- */

/* A packet to be made: a header and the bytes behind it. */
typedef struct packet {
    tern__pkt_header h;
    uint8_t payload[4 * P];
    uint32_t len;
    bool other_route;
} packet;

static void hand_over(int to, const packet *p) {
    uint32_t header_bytes = tern__pkt_header_bytes(&p->h);
    uint8_t *head = tern_alloc(header_bytes + p->len);
    tern__pkt_write(&p->h, head);
    memcpy(head + header_bytes, p->payload, p->len);
    tern__rx_packet pkt = {.n = 1,
                           .head = head,
                           .head_len = header_bytes + p->len,
                           .link = &l.side[to].link,
                           .route = {.len = 1, .bytes = {(uint8_t)(p->other_route ? 9 : !to + 1)}}};
    tern__engine_rx(l.side[to].engine, &pkt, 1, l.now);
    tern_unref(head);
}

/* A REQ, CR, RFR or RESP for the party's session: packet k of a message of n packets, and what it must carry. */
static packet of_call(states_party party, uint8_t type, uint32_t req, uint32_t k, uint32_t n) {
    const tern__session *s = session_of(party);
    packet p = {.h = {.type = type, .req = req, .pkt = k, .flags = reliable ? 0 : TERN__PKT_TAG}};
    uint32_t size = n == 1 ? 10 : n * P - 100;
    p.h.session = s ? s->number : FAKE_NUMBER;
    p.h.tag = s ? s->rx_tag : FAKE_TAG;
    if (type == TERN__PKT_REQ) p.h.method = METHOD;
    if (type != TERN__PKT_REQ && type != TERN__PKT_RESP) return p;
    p.h.size = size;
    loop_cut(&p.h, P);
    p.len = k < n ? tern__pkt_bytes(size, P, k) : 10;
    for (uint32_t i = 0; i < p.len; i++) p.payload[i] = (uint8_t)((k * P + i) * 7 + size);
    return p;
}

static void give(states_party party, uint8_t type, uint32_t req, uint32_t k, uint32_t n) {
    packet p = of_call(party, type, req, k, n);
    if (type == TERN__PKT_CR) p.h.received = n;
    hand_over(side_of(party), &p);
}

static void add_numbers(packet *p, uint32_t up_to, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) tern__store32(p->payload + p->len + 4 * i, up_to - up_to % n + i);
    p->len += 4 * n;
}

/* Of the slots, or, about streams, of slots that nothing has used and of the places. */
static packet report(states_party party, uint32_t up_to) {
    packet p = of_call(party, TERN__PKT_PING, 5, 0, 0);
    bool of_stream = party == STATES_SERVER_STREAM || states_is_stream(party);
    add_numbers(&p, of_stream ? tern__no_req(0) : up_to, TERN__N_SLOTS);
    if (of_stream) add_numbers(&p, up_to, TERN__MAX_STREAMS);
    return p;
}

/* CONNECT of a client that is not there, or ACCEPT of a server that is not there. */
static packet setup(states_party party, uint8_t type) {
    packet p = of_call(party, type, 0, 0, 0);
    const tern__session *s = session_of(party);
    bool known = s && (type == TERN__PKT_ACCEPT || s->cold->token == FAKE_TOKEN);
    if (type == TERN__PKT_CONNECT) p.h.session = p.h.flags = 0;
    bool connects = type == TERN__PKT_CONNECT;
    tern__setup said = setup_usual(known ? s->cold->token : FAKE_TOKEN, FAKE_NUMBER, connects ? cookie : 0);
    said.tag = FAKE_TAG;
    said.max_packet = P + TERN__PKT_MAX_HEADER_BYTES;
    said.incarnation = connects ? 0 : INCARNATION;
    uint32_t room = connects ? TERN__CONNECT_BYTES - TERN__PKT_HEADER_BYTES : 0;
    p.len = tern__setup_write(&said, room, p.payload);
    return p;
}

static packet refuse(states_party party, bool of_connect) {
    packet p = of_call(party, TERN__PKT_REFUSE, 0, 0, 0);
    const tern__session *s = session_of(party);
    p.h.refused = of_connect ? TERN__PKT_CONNECT : TERN__PKT_REQ;
    if (!of_connect) p.h.session = 0;
    p.h.flags = 0;
    p.len = TERN__REFUSE_BYTES;
    p.h.req = of_connect || !s ? 0 : s->peer_number;
    tern__store64(p.payload, !s ? FAKE_TAG : of_connect ? s->cold->token : s->tx_tag);
    return p;
}

static packet retry(states_party party) {
    packet p = of_call(party, TERN__PKT_RETRY, 0, 0, 0);
    const tern__session *s = session_of(party);
    p.h.flags = 0;
    p.len = 16;
    tern__store64(p.payload, s ? s->cold->token : FAKE_TOKEN);
    tern__store64(p.payload + 8, 0xc001e);
    return p;
}

/* ---- The notation --------------------------------------------------------------------------------- */

/* A streaming call's: 100 bytes, and a grant; nothing has been received. */
static void make_stream(packet *p) {
    bool data = p->h.type == TERN__PKT_REQ || p->h.type == TERN__PKT_RESP;
    p->h.flags |= TERN__PKT_STREAM | TERN__PKT_GRANT;
    p->h.grant = GRANT;
    p->len = data ? PIECE : 0;
    p->h.received = 0;
}

/* A record of a setup: "slots=7"; or "critical!": the grease becomes a record that must be understood. */
static bool change_setup(packet *p, const char *name, char how, long long by) {
    static const struct {
        const char *name;
        uint16_t type;
    } names[] = {{"packet", TERN__SETUP_MAX_PACKET},
                 {"credits", TERN__SETUP_CREDITS},
                 {"slots", TERN__SETUP_SLOTS},
                 {"cookie", TERN__SETUP_COOKIE}};
    if (strcmp(name, "route") == 0) {
        p->other_route = true;
        return true;
    }
    if (strcmp(name, "critical") == 0) {
        uint8_t *at = p->payload + TERN__SETUP_FIXED_BYTES;
        while (at < p->payload + p->len && (tern__load16(at) & TERN__SETUP_GREASE_MASK) != TERN__SETUP_GREASE)
            at += (4 + tern__load16(at + 2) + 7) & ~7u;
        tern__store16(at, tern__load16(at) | TERN__SETUP_CRITICAL);
        return true;
    }
    for (unsigned i = 0; i < TERN__COUNT(names); i++) {
        uint8_t *record = strcmp(name, names[i].name) ? NULL : setup_record(p->payload, p->len, names[i].type);
        if (!record && strcmp(name, names[i].name) == 0 && how == '=' && !by) return true; /* it says 0 already */
        if (!record) continue;
        uint64_t value = how == '=' ? (uint64_t)by : tern__load32(record + 4) + (uint64_t)by;
        if (tern__load16(record + 2) == 8 && how == '=')
            tern__store64(record + 4, value);
        else
            tern__store32(record + 4, (uint32_t)value);
        return true;
    }
    return false;
}

/* "size+1": changes a field. Returns false when there is no such one. */
static bool change(packet *p, const char *field) {
    char name[16];
    long long by = 0;
    int at = 0;
    if (strcmp(field, "stream") == 0) {
        make_stream(p);
        return true;
    }
    if (strcmp(field, "last") == 0) {
        p->h.flags |= TERN__PKT_LAST;
        return true;
    }
    if (sscanf(field, "%15[a-z]%n", name, &at) != 1) return false;
    char how = field[at];
    if (how == '!')
        by = 1;
    else if (how && (how == '+' || how == '-' || how == '='))
        by = strtoll(field + at + (how == '='), NULL, 10);
    else
        return false;
#define FIELD(word, type, get, set)                                                                                    \
    if (strcmp(name, word) == 0) {                                                                                     \
        type value = (type)(how == '=' ? by : (long long)(get) + by);                                                  \
        set;                                                                                                           \
        return true;                                                                                                   \
    }
    FIELD("size", uint64_t, p->h.size, p->h.size = value)
    FIELD("cut", uint32_t, p->h.cut, p->h.cut = value)
    FIELD("grant", uint64_t, p->h.grant, p->h.grant = value)
    FIELD("method", uint32_t, p->h.method, p->h.method = value)
    FIELD("received", uint32_t, p->h.received, p->h.received = value)
    FIELD("format", uint8_t, p->h.format, p->h.format = value)
    FIELD("status", uint8_t, p->h.status, p->h.status = value)
    FIELD("payload", uint32_t, p->len, p->len = value)
    FIELD("meta", uint32_t, p->h.meta_bytes, tern__pkt_set_meta(&p->h, value))
    FIELD("tag", uint64_t, p->h.tag, p->h.tag = value)
    FIELD("flags", uint8_t, p->h.flags, p->h.flags = value)
    FIELD("session", uint32_t, p->h.session, p->h.session = value)
    FIELD("secret", uint64_t, tern__load64(p->payload), tern__store64(p->payload, value))
#undef FIELD
    return change_setup(p, name, how, by);
}

/* "REQ +8 1/4": a packet of the request 8 above the slot's, the second of four. */
static bool describe_call(states_party party, uint8_t type, char *words[], unsigned *n_used, packet *out) {
    uint32_t k = 0, n = 1;
    int delta = 0;
    unsigned i = 0;
    if (words[i] && sscanf(words[i], "%d", &delta) == 1 && strchr("+-", words[i][0])) i++;
    if (words[i] && sscanf(words[i], "%u/%u", &k, &n) == 2)
        i++;
    else if (words[i] && words[i][0] >= '0' && words[i][0] <= '9')
        k = (uint32_t)strtoul(words[i++], NULL, 10);
    *out = of_call(party, type, base_req + (uint32_t)delta, k, n);
    *n_used = i;
    return n > 0;
}

static bool describe(states_party party, uint8_t type, char *words[], unsigned *n_used, packet *out) {
    bool of = words[0] && strncmp(words[0], "of=", 3) == 0;
    *n_used = 0;
    switch (type) {
    case TERN__PKT_REQ:
    case TERN__PKT_CR:
    case TERN__PKT_RFR:
    case TERN__PKT_CANCEL:
    case TERN__PKT_RESP: return describe_call(party, type, words, n_used, out);
    case TERN__PKT_CONNECT:
    case TERN__PKT_ACCEPT: *out = setup(party, type); return true;
    case TERN__PKT_REFUSE:
        *n_used = of;
        *out = refuse(party, of && strcmp(words[0], "of=CONNECT") == 0);
        return of;
    case TERN__PKT_RETRY: *out = retry(party); return true;
    case TERN__PKT_PING:
        *out = of_call(party, type, 5, 0, 0);
        if (words[0] && strcmp(words[0], "ended") == 0) {
            *out = report(party, base_req + (uint32_t)(words[1] ? strtol(words[1], NULL, 10) : 0));
            *n_used = words[1] ? 2 : 1;
        }
        return true;
    default: *out = of_call(party, type, 5, 0, 0); return true;
    }
}

static uint8_t data_type(states_party party) { return side_of(party) ? TERN__PKT_REQ : TERN__PKT_RESP; }

void states_give_stream(states_party party, uint32_t req, uint32_t k, uint8_t flags, uint32_t len) {
    packet p = of_call(party, data_type(party), req, k, 1);
    make_stream(&p);
    p.h.flags |= flags;
    if (flags & TERN__PKT_META) p.h.meta_bytes = STATES_META_BYTES;
    p.h.grant = 0;
    p.len = len;
    hand_over(side_of(party), &p);
}

/* The packets before k; UINT32_MAX: the peer has ended the call. */
static packet acknowledgement(states_party party, uint32_t req, uint32_t k) {
    packet p = of_call(party, side_of(party) ? TERN__PKT_RFR : TERN__PKT_CR, req, k == UINT32_MAX ? k : k - 1, 1);
    make_stream(&p);
    p.h.received = k == UINT32_MAX ? 0 : k;
    if (k == UINT32_MAX) p.h.flags |= TERN__PKT_LAST;
    return p;
}

void states_acknowledge_stream(states_party party, uint32_t req, uint32_t k) {
    packet p = acknowledgement(party, req, k);
    hand_over(side_of(party), &p);
}

static const char *parse(states_party party, const char *text, packet *out) {
    char copy[128], *words[MAX_FIELDS + 1] = {0}, *rest = copy;
    unsigned n = 0, n_used;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word; n < MAX_FIELDS && (word = strtok_r(rest, " ", &rest));) words[n++] = word;
    uint8_t type = 0;
    while (type < TERN__COUNT(type_names) && (!words[0] || strcmp(words[0], type_names[type]) != 0)) type++;
    if (type == TERN__COUNT(type_names)) return "no such type of packet";
    if (!describe(party, type, words + 1, &n_used, out)) return "the packet is not described";
    for (unsigned i = 1 + n_used; i < n; i++)
        if (!change(out, words[i])) return words[i] - copy + text;
    return NULL;
}

/* ---- Reaching a state ----------------------------------------------------------------------------- */

static void forget_sent(void) {
    for (int side = 0; side < 2; side++)
        while (loop_drop(&l, side, 0)) continue;
}

void states_forget(void) {
    forget_sent();
    told[0] = '\0';
}

static void server_slot_in(unsigned state) {
    base_req = 81; /* of slot 1, which nothing has used */
    l.defer = true;
    if (state == SERVER_NONE) return;
    give(STATES_SERVER_SLOT, TERN__PKT_REQ, base_req, 0, 4);
    give(STATES_SERVER_SLOT, TERN__PKT_REQ, base_req, reliable ? 1 : 2, 4);
    if (state == SERVER_RECEIVING) return;
    tern__engine_set_turns(l.side[1].engine, state == SERVER_WAITING);
    give(STATES_SERVER_SLOT, TERN__PKT_REQ, base_req, reliable ? 2 : 1, 4);
    give(STATES_SERVER_SLOT, TERN__PKT_REQ, base_req, 3, 4);
    tern__engine_set_turns(l.side[1].engine, false);
    if (state == SERVER_WAITING) return;
    CHECK_EQ(l.n_served, 1);
    if (state == SERVER_RUNNING) return;
    tern__body body = {.data = l.request[0].data, .len = l.request[0].len};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
    tern__engine_tick(l.side[1].engine, l.now);
    if (state == SERVER_RESPONDED) return;
    packet p = report(STATES_SERVER_SLOT, base_req);
    hand_over(1, &p);
}

static void client_slot_in(unsigned state) {
    static const uint32_t sizes[] = {10, MANY, MULTI, MULTI, MULTI};
    base_req = client()->s.reqs[0] + TERN__N_SLOTS;
    CHECK(loop_request(&l, sizes[state], 0) >= 0);
    if (state == CLIENT_FREE) give(STATES_CLIENT_SLOT, TERN__PKT_RESP, base_req, 0, 1);
    if (state == CLIENT_WAIT)
        for (uint32_t k = 0; k < 4; k++) give(STATES_CLIENT_SLOT, TERN__PKT_CR, base_req, k, k + 1);
    if (state != CLIENT_RESP) return;
    give(STATES_CLIENT_SLOT, TERN__PKT_RESP, base_req, 0, 4);
    give(STATES_CLIENT_SLOT, TERN__PKT_RESP, base_req, reliable ? 1 : 2, 4);
}

static void give_stream(states_party party, uint8_t type, uint32_t k, uint8_t flags) {
    packet p = of_call(party, type, base_req, k, 1);
    make_stream(&p);
    p.h.flags |= flags;
    hand_over(side_of(party), &p);
}

/* On a link that loses packets, packet 2 is early in OPEN. */
static void server_stream_in(unsigned state) {
    base_req = TERN__MAX_STREAMS + 1; /* of place 1, which nothing has used */
    l.defer = true;
    if (state == STREAM_NONE) return;
    give_stream(STATES_SERVER_STREAM, TERN__PKT_REQ, 0, 0);
    if (state == STREAM_OPEN && !reliable) give_stream(STATES_SERVER_STREAM, TERN__PKT_REQ, 2, 0);
    if (state >= STREAM_HALF) give_stream(STATES_SERVER_STREAM, TERN__PKT_REQ, 1, TERN__PKT_LAST);
    if (state < STREAM_ENDING) return;
    CHECK(stream != NULL);
    l.side[1].capacity = state == STREAM_ENDING && reliable ? 0 : 4096; /* there it is over once its end has left */
    tern__stream_finish(stream, TERN_STATUS_OK, l.now);
    tern__engine_tick(l.side[1].engine, l.now);
    if (state == STREAM_DONE && !reliable) give_stream(STATES_SERVER_STREAM, TERN__PKT_RFR, 0, TERN__PKT_LAST);
}

/* Packet 0 of the response has come, and where packets are lost, 2. */
static void client_stream_in(unsigned state) {
    static const uint8_t bytes[PIECE];
    base_req = 0; /* the first stream's */
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &stream), 0);
    CHECK_EQ(tern__stream_write(stream, &(tern__body){.data = bytes, .len = PIECE}, l.now), 0);
    tern__stream_flush(stream, l.now);
    if (state == STREAM_FINISHED) tern__stream_finish(stream, 0, l.now);
    tern__engine_tick(l.side[0].engine, l.now);
    give_stream(STATES_CLIENT_STREAM, TERN__PKT_RESP, 0, state == STREAM_FREE ? TERN__PKT_LAST : 0);
    if (state != STREAM_FREE && !reliable) give_stream(STATES_CLIENT_STREAM, TERN__PKT_RESP, 2, 0);
}

static void take_cookie(void) {
    uint32_t len;
    cookie = 0;
    if (reliable) return;
    packet p = setup(STATES_SERVER_SESSION, TERN__PKT_CONNECT);
    hand_over(1, &p);
    const uint8_t *bytes = loop_bytes(&l, 1, 0, &len);
    CHECK(bytes && len == TERN__PKT_HEADER_BYTES + 16);
    cookie = tern__load64(bytes + TERN__PKT_HEADER_BYTES + 8);
}

static void server_session_in(unsigned state) {
    base_req = 0;
    l.defer = true;
    take_cookie();
    CHECK_OK();
    if (state == SERVER_ABSENT) return;
    packet p = setup(STATES_SERVER_SESSION, TERN__PKT_CONNECT);
    hand_over(1, &p);
    CHECK(server() != NULL);
    if (state == SERVER_SERVING) give(STATES_SERVER_SESSION, TERN__PKT_REQ, 0, 0, 1);
}

static void client_session_in(unsigned state) {
    tern__route to = {.len = 1, .bytes = {2}};
    base_req = 0;
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    if (state == CLIENT_CONNECTING) return;
    packet p =
        state == CLIENT_DOWN ? refuse(STATES_CLIENT_SESSION, true) : setup(STATES_CLIENT_SESSION, TERN__PKT_ACCEPT);
    hand_over(0, &p);
    if (state == CLIENT_CALLING) CHECK(loop_request(&l, 10, 0) >= 0);
}

static void reach(states_party party, unsigned state) {
    tern__engine_config engine = {.max_message_bytes = 1 << 20, .streams = &stream_callbacks};
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = engine});
    if (party < STATES_SERVER_SESSION) loop_connect(&l);
    CHECK_OK();
    switch (party) {
    case STATES_SERVER_SLOT: server_slot_in(state); break;
    case STATES_CLIENT_SLOT: client_slot_in(state); break;
    case STATES_SERVER_STREAM: server_stream_in(state); break;
    case STATES_CLIENT_STREAM: client_stream_in(state); break;
    case STATES_CLIENT_CALL:
    case STATES_SERVER_CALL:
    case STATES_CLIENT_SEND:
    case STATES_SERVER_SEND:
    case STATES_CLIENT_RECV:
    case STATES_SERVER_RECV: base_req = states_stream_reach(&l, reliable, party, state + 1); break;
    case STATES_SERVER_SESSION: server_session_in(state); break;
    default: client_session_in(state);
    }
    CHECK_OK();
    const char *now = state_now(party);
    const char *wanted = state_name(party, state);
    CHECK(now && wanted);
    if (strcmp(now, wanted) != 0) printf("# %s: wanted %s, is %s\n", parties[party].name, wanted, now);
    CHECK(strcmp(now, wanted) == 0);
    states_forget();
    l.side[1].capacity = 4096;
    l.side[1].engine->stall_at = l.now; /* what waits for room leaves in the next tick */
}

/* ---- What came of it ------------------------------------------------------------------------------ */

typedef struct seen {
    unsigned n_served, n_gone, n_abandoned, n_done, n_up, n_draining, n_lost;
    uint64_t dropped;
    uint32_t req;
    const char *state;
} seen;

static seen look(states_party party) {
    bool slot = party == STATES_SERVER_SLOT && server() && server_slot_state() != SERVER_NONE;
    bool place = party == STATES_SERVER_STREAM && server() && strcmp(server_stream_state(), "NONE") != 0;
    return (seen){l.n_served,
                  l.n_gone,
                  l.n_abandoned,
                  l.n_done,
                  l.n_up,
                  l.n_draining,
                  l.n_lost,
                  loop_stats(&l, side_of(party)).rx_dropped,
                  slot    ? server_req()
                  : place ? server_stream_req()
                          : base_req,
                  state_now(party)};
}

__attribute__((format(printf, 2, 3))) static void say(char *cell, const char *format, ...) {
    size_t at = strlen(cell);
    va_list args;
    if (at) at += (size_t)snprintf(cell + at, STATES_MAX_CELL - at, ", ");
    va_start(args, format);
    vsnprintf(cell + at, STATES_MAX_CELL - at, format, args);
    va_end(args);
}

/* A stream's packet: what it acknowledges, and whether it is the last. */
static void say_stream(char *cell, const tern__pkt_header *h) {
    const char *last = h->flags & TERN__PKT_LAST ? " last" : "";
    if (h->type == TERN__PKT_REQ)
        say(cell, "REQ %u%s", h->pkt, last);
    else if (h->type == TERN__PKT_RESP)
        say(cell, "RESP %u (%u)%s%s%s", h->pkt, h->received, last, h->status ? " " : "",
            h->status ? tern_status_name(h->status) : "");
    else if (h->pkt == UINT32_MAX)
        say(cell, "%s (%u)%s", type_names[h->type], h->received, last);
    else
        say(cell, "%s %u (%u)%s", type_names[h->type], h->pkt, h->received, last);
}

/* "RFR 1, 2, 3" comes out as such; a CR says which packet it answers and how many have been received without a gap. */
static void say_sent(char *cell, states_party party) {
    tern__pkt_header h;
    int last = -1;
    for (unsigned i = 0; loop_peek(&l, side_of(party), i, &h); i++) {
        if (states_is_stream(party) && h.flags & TERN__PKT_STREAM && h.req != base_req) continue;
        bool numbered = h.type == TERN__PKT_REQ || h.type == TERN__PKT_RFR || h.type == TERN__PKT_RESP;
        if (h.flags & TERN__PKT_STREAM)
            say_stream(cell, &h);
        else if (h.type == TERN__PKT_CR)
            say(cell, "CR %u (%u)", h.pkt, h.received);
        else if (h.type == TERN__PKT_RESP && h.status)
            say(cell, "RESP %s", tern_status_name(h.status));
        else if (numbered && h.type == last)
            say(cell, "%u", h.pkt);
        else if (numbered)
            say(cell, "%s %u", type_names[h.type], h.pkt);
        else
            say(cell, "%s", type_names[h.type]);
        last = h.flags & TERN__PKT_STREAM ? -1 : h.type;
    }
}

static void say_effects(char *cell, const seen *before, const seen *after) {
    if (after->n_abandoned > before->n_abandoned) say(cell, "*abandoned*");
    if (after->n_served > before->n_served) say(cell, "*handler*");
    for (unsigned i = before->n_done; i < after->n_done; i++)
        for (unsigned k = 0; k < l.n_calls; k++)
            if (l.calls[k].n_done && l.calls[k].status >= 0) {
                say(cell, "*ends %s*", tern_status_name(l.calls[k].status));
                l.calls[k].status = -1;
            }
    if (told[0]) say(cell, "%s", told);
    if (after->n_gone > before->n_gone) say(cell, "*gone*");
    if (after->n_up > before->n_up) say(cell, "*up*");
    if (after->n_draining > before->n_draining) say(cell, "*draining*");
    if (after->n_lost > before->n_lost) say(cell, "*lost*");
    if (after->dropped > before->dropped) say(cell, "dropped");
}

const char *states_try(states_party party, bool on_reliable, unsigned state, const char *text,
                       char cell[STATES_MAX_CELL]) {
    packet p;
    cell[0] = '\0';
    reliable = on_reliable;
    reach(party, state);
    if (tap_failed) return "the state cannot be reached";
    bool is_action = islower((unsigned char)text[0]);
    const char *wrong = is_action ? NULL : parse(party, text, &p);
    if (!wrong) {
        for (unsigned k = 0; k < l.n_calls; k++)
            if (l.calls[k].n_done) l.calls[k].status = -1;
        seen before = look(party);
        if (!is_action)
            hand_over(side_of(party), &p);
        else if (!states_stream_act(&l, party, text))
            wrong = "no such action";
        tern__engine_tick(l.side[side_of(party)].engine, l.now);
        seen after = look(party);
        say_sent(cell, party);
        say_effects(cell, &before, &after);
        if (after.req != before.req)
            say(cell, "→ %s of %+d", after.state, (int)(after.req - base_req));
        else if (strcmp(before.state, after.state) != 0)
            say(cell, "→ %s", after.state);
        if (!cell[0]) say(cell, "–");
    }
    if (states_is_stream(party)) states_stream_fini();
    loop_fini(&l);
    return wrong;
}

/* How a session begins: CONNECT, RETRY, ACCEPT.
 *
 * On links that lose packets each direction has a random 64-bit tag besides the session's number, told to the peer in
 * CONNECT or ACCEPT: nobody who has not seen those can speak for the peer. */
#include "engine/session.h"
#include "engine/setup.h"
#include "engine/tracing.h"

enum { FORMATS = 1 << TERN_FORMAT_RAW | 1 << TERN_FORMAT_HYBRID | 1 << TERN_FORMAT_PROTOBUF };

/* Never more than the peer's packets that our link holds. */
static uint32_t own_credits(const tern__session *s) {
    uint32_t credits = s->link->credits ? s->link->credits : s->engine->config.credits;
    return s->path->rx_packets && s->path->rx_packets < credits ? s->path->rx_packets : credits;
}

/* What both sides can do with. */
static uint32_t common_credits(const tern__session *s, uint32_t theirs) {
    uint32_t ours = own_credits(s);
    return theirs < ours ? theirs : ours;
}

static void setup_write(const tern__session *s, uint8_t *out) {
    tern__store64(out, s->cold->token);
    tern__store64(out + 8, s->rx_tag);
    tern__store32(out + 16, s->number);
    tern__store32(out + 20, s->path->max_packet);
    tern__store32(out + 24, own_credits(s));
    out[28] = FORMATS;
    out[29] = TERN__N_SLOTS;
    tern__store16(out + 30, s->link->ecn ? TERN__SETUP_ECN : 0);
    tern__store64(out + 32, s->role == TERN__CLIENT ? s->tx_tag : s->engine->incarnation);
}

static bool setup_read(const tern__rx_packet *pkt, uint32_t header_bytes, tern__setup *in) {
    uint8_t p[TERN__SETUP_BYTES];
    if (tern__payload_bytes(pkt, header_bytes) != TERN__SETUP_BYTES) return false;
    tern__payload_copy(pkt, header_bytes, p);
    *in = (tern__setup){.token = tern__load64(p),
                  .tag = tern__load64(p + 8),
                  .session = tern__load32(p + 16),
                  .max_packet = tern__load32(p + 20),
                  .credits = tern__load32(p + 24),
                  .formats = p[28],
                  .n_slots = p[29],
                  .ecn = tern__load16(p + 30) & TERN__SETUP_ECN,
                  .proof = tern__load64(p + 32)};
    return in->max_packet >= TERN__MIN_PACKET_BYTES && in->credits && in->n_slots == TERN__N_SLOTS;
}

/* The CONNECT of a client's session, or the ACCEPT of a server's. */
void tern__session_send_setup(tern__session *s) {
    uint8_t payload[TERN__SETUP_BYTES];
    tern__pkt_header h = {.type = TERN__PKT_CONNECT, .size = TERN__SETUP_BYTES};
    if (s->role == TERN__SERVER) {
        h = tern__session_header(s, TERN__PKT_ACCEPT);
        h.size = TERN__SETUP_BYTES;
    }
    setup_write(s, payload);
    tern__session_mark_unsent(s, TERN__UNSENT_SETUP, tern__send_control(s, &h, payload, sizeof payload));
}

void tern__session_connect(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    tern__engine *e = s->engine;
    tern__session_renumber(s);
    tern__session_set_state(s, TERN__STATE_CONNECTING, TERN__WHY_ASKED);
    s->path = tern__link_path(s->link, &s->route);
    s->cold->token = e->config.random(e->config.user);
    s->tx_flags = s->link->reliable ? 0 : TERN__PKT_TAG;
    s->rx_tag = s->link->reliable ? 0 : e->config.random(e->config.user);
    s->tx_tag = 0;
    cs->draining = false;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) cs->s.reqs[i] = tern__no_req(i);
    s->cold->connect_gap_ns = (uint32_t)TERN__CONNECT_FIRST;
    cs->s.ccold->connect_deadline = now + (tern_time)e->config.connect_timeout;
    cs->s.ccold->connect_at = s->link->reliable ? TERN__NEVER : now + s->cold->connect_gap_ns;
    cs->s.ccold->connect_sent = now;
    cs->connect_repeated = false;
    tern__session_send_setup(s);
    tern__timer_lower(s, tern__min_time(cs->s.ccold->connect_at, cs->s.ccold->connect_deadline));
}

/* What both sides conclude from the other's setup. */
static void adopt(tern__session *s, const tern__setup *in) {
    uint32_t max_packet = in->max_packet < s->path->max_packet ? in->max_packet : s->path->max_packet;
    s->peer_number = in->session;
    s->tx_flags = s->link->reliable ? 0 : TERN__PKT_TAG;
    s->tx_tag = s->link->reliable ? 0 : in->tag;
    s->payload_bytes = max_packet - TERN__PKT_MAX_HEADER_BYTES;
    size_t threshold = tern__threshold(&s->engine->config, s->path);
    s->copy_below = threshold <= s->payload_bytes ? (uint32_t)threshold : s->payload_bytes + 1;
    s->formats = in->formats;
    s->ecn = in->ecn && s->link->ecn;
    tern__session_set_state(s, TERN__STATE_OPEN, TERN__WHY_ACCEPTED);
    s->probes = 0;
    s->engine->stats.sessions_open++;
    tern__session_hash(s);
}

void tern__connect_rx_accept(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      tern_time now) {
    tern__setup in;
    tern__session *s = tern__session_find(e, h->session);
    if (!s || s->state == TERN__STATE_DOWN) { /* too late: the server need not keep it */
        tern__session_unknown(e, pkt, h, now);
        return;
    }
    tern__csession *cs = setup_read(pkt, header_bytes, &in) ? tern__session_connecting(e, pkt, h, in.token) : NULL;
    if (!cs || h->tag != s->rx_tag) {
        tern__drop(e, cs ? TERN__DROP_FORGED : TERN__DROP_UNASKED);
        return;
    }
    s->last_rx = now;
    cs->s.ccold->incarnation = in.proof;
    cs->credits = (uint16_t)common_credits(s, in.credits);
    if (!cs->connect_repeated) tern__client_sample_rtt(cs, (tern_dur)(now - cs->s.ccold->connect_sent));
    adopt(s, &in);
    tern__client_pump(cs, now);
    tern__client_timer(cs, now); /* the connect timeout no longer counts */
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_UP);
}

static tern__ssession *accept_new(tern__engine *e, const tern__rx_packet *pkt, const tern__setup *in, tern_time now) {
    tern__ssession *ss = (tern__ssession *)tern__session_make(sizeof(tern__scold));
    tern__requests *requests = tern_alloc(sizeof *requests);
    if (!ss || !requests) {
        if (ss) tern__session_free(&ss->s);
        tern_unref(requests);
        return NULL;
    }
    *requests = (tern__requests){.slots = {NULL}};
    tern__session *s = &ss->s;
    s->scold->requests = requests;
    s->role = TERN__SERVER;
    s->link = pkt->link;
    s->route = pkt->route;
    s->path = tern__link_path(pkt->link, &pkt->route);
    s->last_rx = now;
    s->cold->token = in->token;
    tern__list_init(&s->scold->orphans);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) s->reqs[i] = tern__no_req(i);
    if (tern__session_enter(e, s)) {
        tern__session_free(s);
        return NULL;
    }
    s->scold->credits = (uint16_t)common_credits(s, in->credits);
    if (!pkt->link->reliable) ss->s.rx_tag = e->config.random(e->config.user);
    adopt(&ss->s, in);
    e->n_served++;
    ss->s.probes = pkt->link->reliable; /* until a packet comes: see tern__server_timer() */
    tern__timer_lower(&ss->s, now + (tern_time)TERN__SERVER_IDLE);
    return ss;
}

/* Whether the CONNECT's sender has shown that it sees what is sent to its address. If not it is told how, by a packet
 * smaller than its own, and forgotten. */
static bool has_shown_itself(tern__engine *e, const tern__rx_packet *pkt, const tern__setup *in, tern_time now) {
    tern__gate_client client = {.route = &pkt->route, .token = in->token, .number = in->session};
    uint8_t payload[TERN__RETRY_BYTES];
    if (pkt->link->reliable || tern__gate_is_open(&e->gate, &client, in->proof, now)) return true;
    const tern__link_ops *ops = pkt->link->ops;
    uint64_t network = ops->network ? ops->network(&pkt->route) : tern__load64(pkt->route.bytes);
    uint64_t cookie = tern__gate_cookie(&e->gate, &client, network, now);
    if (!cookie) {
        e->stats.limited++;
        tern__drop(e, TERN__DROP_LIMITED);
        return false;
    }
    tern__pkt_header h = {.type = TERN__PKT_RETRY, .session = in->session, .size = TERN__RETRY_BYTES};
    tern__store64(payload, in->token);
    tern__store64(payload + 8, cookie);
    tern__send_small(e, NULL, pkt->link, &pkt->route, &h, payload, sizeof payload);
    e->stats.retries++;
    return false;
}

void tern__connect_rx(tern__engine *e, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now) {
    tern__setup in;
    if (!setup_read(pkt, header_bytes, &in)) {
        tern__drop(e, TERN__DROP_MALFORMED);
        return;
    }
    tern__session *s = tern__session_of_peer(e, pkt, in.session, true, in.token);
    bool leaving = e->freeing || e->draining;
    if (!s && !leaving && !has_shown_itself(e, pkt, &in, now)) return;
    if (!s) {
        bool welcome = !leaving && !tern__session_is_crowded(e, pkt, in.session);
        tern__ssession *ss = welcome ? accept_new(e, pkt, &in, now) : NULL;
        if (!ss) {
            uint8_t why = leaving ? TERN_STATUS_UNAVAILABLE : TERN_STATUS_RESOURCE_EXHAUSTED;
            tern__refuse(e, pkt, TERN__PKT_CONNECT, in.session, in.token, 0, why, now);
            return;
        }
        s = &ss->s;
    }
    tern__session_send_setup(s);
}

/* The first cookie is taken back at once. Others (the first came late, or too late) wait for the next repetition, so
 * that a server cannot make us send for ever. */
void tern__connect_rx_retry(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                     tern_time now) {
    uint8_t p[TERN__RETRY_BYTES];
    tern__csession *cs = NULL;
    if (tern__payload_bytes(pkt, header_bytes) == TERN__RETRY_BYTES && !pkt->link->reliable) {
        tern__payload_copy(pkt, header_bytes, p);
        cs = tern__session_connecting(e, pkt, h, tern__load64(p));
    }
    if (!cs) {
        tern__drop(e, TERN__DROP_UNASKED);
        return;
    }
    bool first = !cs->s.tx_tag;
    cs->s.tx_tag = tern__load64(p + 8);
    if (!first) return;
    cs->s.ccold->connect_sent = now;
    cs->connect_repeated = false;
    tern__session_send_setup(&cs->s);
}

/* How a session begins: CONNECT, RETRY, ACCEPT.
 *
 * On links that lose packets each direction has a random 64-bit tag besides the session's number, told to the peer in
 * CONNECT or ACCEPT: nobody who has not seen those can speak for the peer. */
#include "engine/connect.h"

#include "engine/account.h"
#include "engine/control.h"
#include "engine/message.h"
#include "engine/peers.h"
#include "engine/progress.h"
#include "engine/refuse.h"
#include "engine/sealed.h"
#include "engine/session.h"
#include "engine/setup.h"
#include "engine/table.h"
#include "engine/tracing.h"

_Static_assert((int)TERN__SETUP_LEAST_PACKET == (int)TERN__MIN_PACKET_BYTES, "one limit");

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

static uint32_t own_streams(const tern__session *s) {
    uint32_t wanted = s->engine->config.max_streams;
    return wanted && wanted < TERN__MAX_STREAMS ? wanted : TERN__MAX_STREAMS;
}

/* A power of two, so that a stream's number says its place also where numbers wrap. */
static uint32_t common_streams(const tern__session *s, uint32_t theirs) {
    uint32_t n = own_streams(s) < theirs ? own_streams(s) : theirs;
    while (n & (n - 1)) n &= n - 1;
    return n;
}

/* What the setup says of the seal: a client's what it can do, a server's what is agreed. */
static uint32_t own_seal(const tern__session *s) {
    const tern__engine_config *config = &s->engine->config;
    if (s->role == TERN__SERVER) return s->sealed ? config->cipher->id : 0;
    return config->cipher ? config->cipher->id | (config->seal_required ? TERN__SETUP_SEAL_REQUIRED : 0) : 0;
}

static tern__setup own_setup(const tern__session *s) {
    return (tern__setup){
        .token = s->cold->token,
        .tag = s->rx_tag,
        .number = s->number,
        .max_packet = s->path->max_packet,
        .credits = own_credits(s),
        .formats = tern__formats_bits(s->engine->config.formats),
        .n_slots = TERN__N_SLOTS,
        .n_streams = own_streams(s),
        .features = s->link->ecn ? TERN__SETUP_ECN : 0,
        .cookie = s->role == TERN__CLIENT ? s->tx_tag : 0,
        .incarnation = s->role == TERN__CLIENT ? 0 : s->engine->incarnation,
        .seal = own_seal(s),
        .nonce = s->role == TERN__CLIENT ? 0 : tern__sealed_nonce(s),
    };
}

/* The setup in a packet, and whether it can be looked at. False: it is too short or too long, or not as long as it
 * says: a datagram that is several packets, whose sizes the kernel did not tell, begins with a setup that is well. */
static bool take_setup(const tern__rx_packet *pkt, uint32_t header_bytes, tern__setup *in, tern__refusal *refusal) {
    uint8_t bytes[TERN__SETUP_MAX_BYTES];
    uint64_t len = tern__payload_bytes(pkt, header_bytes);
    if (len < TERN__SETUP_FIXED_BYTES || len > sizeof bytes) return false;
    tern__payload_copy(pkt, header_bytes, bytes);
    if (tern__setup_bytes(bytes) != len) return false;
    refusal->code = (uint16_t)tern__setup_read(bytes, (uint32_t)len, in, &refusal->detail);
    return true;
}

/* The CONNECT of a client's session, or the ACCEPT of a server's. */
void tern__session_send_setup(tern__session *s) {
    uint8_t payload[TERN__CONNECT_BYTES];
    bool connects = s->role == TERN__CLIENT, pads = connects && !s->link->reliable;
    tern__pkt_header h = {.type = TERN__PKT_CONNECT};
    if (!connects) h = tern__session_header(s, TERN__PKT_ACCEPT);
    tern__setup own = own_setup(s);
    uint32_t len = tern__setup_write(&own, pads ? TERN__CONNECT_BYTES - TERN__PKT_HEADER_BYTES : 0, payload);
    tern__session_mark_unsent(s, TERN__UNSENT_SETUP, tern__send_control(s, &h, payload, len));
}

bool tern__session_send_unsent(tern__session *s) {
    if (s->unsent_control & TERN__UNSENT_SETUP) tern__session_send_setup(s);
    if (s->unsent_control & TERN__UNSENT_SETUP) return false;
    if (s->unsent_control & TERN__UNSENT_PONG) tern__session_send_pong(s, s->cold->pong_req);
    if (s->unsent_control & TERN__UNSENT_PING) tern__session_send_ping(s);
    return !s->unsent_control;
}

void tern__session_connect(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    tern__engine *e = s->engine;
    tern__session_renumber(s);
    tern__sealed_end(s);
    tern__session_set_state(s, TERN__STATE_CONNECTING, TERN__WHY_ASKED);
    s->path = tern__link_path(s->link, &s->route);
    s->cold->token = e->config.random(e->config.user);
    s->tx_flags = s->link->reliable ? 0 : TERN__PKT_TAG;
    s->rx_tag = s->link->reliable ? 0 : e->config.random(e->config.user);
    s->tx_tag = 0;
    cs->draining = false;
    cs->slot_mask = UINT8_MAX;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) cs->s.reqs[i] = tern__no_req(i);
    s->cold->connect_shift = 0;
    cs->s.ccold->connect_deadline = now + (tern_time)e->config.connect_timeout;
    cs->s.ccold->connect_at = s->link->reliable ? TERN__NEVER : now + (tern_time)tern__connect_gap(s->cold);
    cs->s.ccold->connect_sent = now;
    cs->connect_repeated = false;
    tern__session_send_setup(s);
    tern__timer_lower(s, tern__min_time(cs->s.ccold->connect_at, cs->s.ccold->connect_deadline));
}

void tern__connect_later(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    s->cold->connect_shift++;
    s->ccold->connect_at = now + (tern_time)tern__connect_gap(s->cold);
    tern__session_mark_unsent(s, TERN__UNSENT_SETUP, true);
    tern__timer_lower(s, s->ccold->connect_at);
}

/* What both sides conclude from the other's setup. */
static void adopt(tern__session *s, const tern__setup *in) {
    uint32_t max_packet = in->max_packet < s->path->max_packet ? in->max_packet : s->path->max_packet;
    s->peer_number = in->number;
    s->tx_flags = s->link->reliable ? 0 : TERN__PKT_TAG;
    s->tx_tag = s->link->reliable ? 0 : in->tag;
    s->tx_number = 0;
    s->payload_bytes = max_packet - TERN__PKT_MAX_HEADER_BYTES - tern__sealed_overhead(s);
    size_t threshold = tern__threshold(&s->engine->config, s->path);
    s->copy_below = threshold <= s->payload_bytes ? (uint32_t)threshold : s->payload_bytes + 1;
    s->format = tern__formats_best(s->engine->config.formats, in->formats)->number;
    s->cold->n_streams = (uint8_t)common_streams(s, in->n_streams);
    s->ecn = (in->features & TERN__SETUP_ECN) && s->link->ecn;
    tern__session_set_state(s, TERN__STATE_OPEN, TERN__WHY_ACCEPTED);
    s->probes = 0;
    s->engine->stats.sessions_open++;
    tern__session_hash(s);
}

/* The server's setup is one that we cannot take: the session ends here, and the server need not keep it. */
static void reject_accept(tern__session *s, const tern__rx_packet *pkt, const tern__refusal *why, tern_time now) {
    tern__refuse(s->engine, pkt, why, now);
    tern__drop(s->engine, TERN__DROP_UNFIT);
    tern__session_lose(s, &(tern__loss){.status = tern__refuse_status(why->code),
                                        .why = TERN__WHY_UNFIT,
                                        .code = why->code,
                                        .detail = why->detail});
}

/* Begins to seal if that is agreed. Returns NONE, or why there is no session. A server that answers with a cipher that
 * we did not offer would send what we cannot read. */
static tern__refuse_code seal_accepted(tern__session *s, const tern__setup *in, uint16_t *detail) {
    bool is_sealed;
    tern__refuse_code code = tern__sealed_agree(s->engine, in, &is_sealed);
    if (in->seal && !is_sealed) code = TERN__REFUSE_SEAL;
    if (code == TERN__REFUSE_SEAL) *detail = TERN__SETUP_SEAL;
    if (code != TERN__REFUSE_NONE || !is_sealed) return code;
    return tern__sealed_begin(s, in) ? TERN__REFUSE_NONE : TERN__REFUSE_NO_MEMORY;
}

void tern__connect_rx_accept(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                             uint32_t header_bytes, tern_time now) {
    tern__setup in;
    tern__session *s = tern__session_find(e, h->session);
    if (!s || s->state == TERN__STATE_DOWN) { /* too late: the server need not keep it */
        tern__session_unknown(e, pkt, h, now);
        return;
    }
    tern__refusal refusal = {.type = TERN__PKT_ACCEPT, .secret = h->tag, .session = h->session};
    if (!take_setup(pkt, header_bytes, &in, &refusal)) {
        tern__drop(e, TERN__DROP_MALFORMED);
        return;
    }
    tern__csession *cs = tern__session_connecting(e, pkt, h, in.token);
    if (!cs || h->tag != s->rx_tag) {
        tern__drop(e, cs ? TERN__DROP_FORGED : TERN__DROP_UNASKED);
        return;
    }
    if (refusal.code == TERN__REFUSE_NONE) refusal.code = (uint16_t)seal_accepted(s, &in, &refusal.detail);
    if (refusal.code != TERN__REFUSE_NONE) {
        reject_accept(s, pkt, &refusal, now);
        return;
    }
    s->last_rx = now;
    cs->s.ccold->incarnation = in.incarnation;
    cs->credits = (uint16_t)common_credits(s, in.credits);
    cs->slot_mask = (uint8_t)(in.n_slots < TERN__N_SLOTS ? (1u << in.n_slots) - 1 : UINT8_MAX);
    if (!cs->connect_repeated) tern__client_sample_rtt(cs, (tern_dur)(now - cs->s.ccold->connect_sent));
    adopt(s, &in);
    e->roles[TERN__CLIENT]->pump(s, now);
    e->roles[TERN__CLIENT]->timer(s, now); /* the connect timeout no longer counts */
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_UP);
}

/* A session for the client of this CONNECT. Returns NONE, or why there is none. */
static tern__refuse_code accept_new(tern__engine *e, const tern__rx_packet *pkt, const tern__setup *in, bool is_sealed,
                                    tern_time now, tern__session **out) {
    tern__ssession *ss = (tern__ssession *)tern__session_make(e, TERN__SERVER);
    if (!ss) return TERN__REFUSE_NO_MEMORY;
    tern__session *s = &ss->s;
    s->link = pkt->link;
    s->route = pkt->route;
    s->path = tern__link_path(pkt->link, &pkt->route);
    s->last_rx = now;
    s->cold->token = in->token;
    tern__list_init(&s->scold->orphans);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) s->reqs[i] = tern__no_req(i);
    int err = tern__session_enter(e, s);
    if (err) {
        tern__session_free(s);
        return err == TERN_ERR_LIMIT ? TERN__REFUSE_TABLE_FULL : TERN__REFUSE_NO_MEMORY;
    }
    if (!tern__account_may_open(e, s->cold->peer)) {
        tern__session_leave(s);
        tern__session_free(s);
        return TERN__REFUSE_TABLE_FULL;
    }
    s->scold->credits = (uint16_t)common_credits(s, in->credits);
    if (!pkt->link->reliable) ss->s.rx_tag = e->config.random(e->config.user);
    if (is_sealed && !tern__sealed_begin(s, in)) {
        tern__session_leave(s);
        tern__session_free(s);
        return TERN__REFUSE_NO_MEMORY;
    }
    adopt(&ss->s, in);
    e->n_server_sessions++;
    tern__session_tell_of_client(&ss->s, false, TERN__WHY_ACCEPTED);
    ss->s.probes = 1; /* until a packet comes: see tern__server_timer() */
    tern__timer_lower(&ss->s, now + (tern_time)TERN__UNOPENED);
    *out = s;
    return TERN__REFUSE_NONE;
}

/* Whether the CONNECT's sender has shown that it sees what is sent to its address. If not it is told how, by a packet
 * smaller than its own, and forgotten. */
static bool has_shown_itself(tern__engine *e, const tern__rx_packet *pkt, const tern__setup *in, tern_time now) {
    tern__validation_client client = {.route = &pkt->route, .token = in->token, .number = in->number};
    uint8_t payload[TERN__RETRY_BYTES];
    if (pkt->link->reliable || tern__validation_is_open(&e->validation, &client, in->cookie, now)) return true;
    uint64_t network = tern__network_key(pkt->link, &pkt->route);
    uint64_t cookie = tern__validation_cookie(&e->validation, &client, network, now);
    if (!cookie) {
        e->stats.limited++;
        tern__drop(e, TERN__DROP_LIMITED);
        return false;
    }
    tern__pkt_header h = {.type = TERN__PKT_RETRY, .session = in->number, .size = TERN__RETRY_BYTES};
    tern__store64(payload, in->token);
    tern__store64(payload + 8, cookie);
    tern__send_small(e, pkt->link, &pkt->route, &h, payload, sizeof payload);
    e->stats.retries++;
    return false;
}

/* Why a client whose setup is in order gets no session; NONE: it gets one. */
static tern__refuse_code reason_against(tern__engine *e, const tern__rx_packet *pkt, const tern__setup *in,
                                        bool *is_sealed) {
    tern__refuse_code code = tern__sealed_agree(e, in, is_sealed);
    if (e->freeing) return TERN__REFUSE_CLOSING;
    if (e->draining) return TERN__REFUSE_DRAINING;
    if (code != TERN__REFUSE_NONE) return code;
    return tern__session_has_namesakes(e, pkt, in->number) ? TERN__REFUSE_NAMESAKES : TERN__REFUSE_NONE;
}

void tern__connect_rx(tern__engine *e, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now) {
    tern__setup in;
    tern__refusal refusal = {.type = TERN__PKT_CONNECT};
    bool is_padded = pkt->link->reliable || pkt->head_len + (uint64_t)pkt->spans_len >= TERN__CONNECT_BYTES;
    if (!is_padded || !take_setup(pkt, header_bytes, &in, &refusal)) {
        tern__drop(e, TERN__DROP_MALFORMED);
        return;
    }
    refusal.to = in.number;
    refusal.secret = in.token;
    if (refusal.code != TERN__REFUSE_NONE) {
        tern__refuse(e, pkt, &refusal, now);
        tern__drop(e, TERN__DROP_UNFIT);
        return;
    }
    tern__session *s = tern__session_of_peer(e, pkt, in.number, true, in.token);
    bool leaving = e->freeing || e->draining;
    if (!s && !leaving && !has_shown_itself(e, pkt, &in, now)) return;
    if (!s) {
        bool is_sealed;
        refusal.code = (uint16_t)reason_against(e, pkt, &in, &is_sealed);
        if (!refusal.code) refusal.code = (uint16_t)accept_new(e, pkt, &in, is_sealed, now, &s);
        refusal.detail = refusal.code == TERN__REFUSE_SEAL ? TERN__SETUP_SEAL : 0;
        if (refusal.code) {
            tern__refuse(e, pkt, &refusal, now);
            return;
        }
    }
    tern__session_send_setup(s);
}

/* The first cookie is taken back at once. Others (the first came late, or too late) wait for the next repetition, so
 * that a server cannot make us send for ever. */
void tern__connect_rx_retry(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
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

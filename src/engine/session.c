/* Sessions: the table and the numbers, and the packets that make, test and end a session.
 *
 * A number is an index into the table and a generation, so that a late packet of an ended session is
 * recognized. On links that lose packets each direction has a random 64-bit tag besides, told to the peer in
 * CONNECT or ACCEPT: nobody who has not seen those can speak for the peer. */
#include "engine/internal.h"
#include "engine/tracing.h"

enum {
    SETUP_BYTES = 40,  /* CONNECT, ACCEPT: token 8, tag 8, session 4, max_packet 4, credits 4, formats 1, slots 1,
                          flags 2, cookie or incarnation 8 */
    RETRY_BYTES = 16,  /* token 8, cookie 8 */
    MAX_NAMESAKES = 8, /* sessions of one peer under one number of its own */
    REFUSE_BYTES = 12, /* token or tag 8, session 4 */
    MAX_LATE = 1024,   /* packets without a session that wait for room on reliable links */
    INDEX_MASK = (1 << TERN__INDEX_BITS) - 1,
    GENERATION_BITS = 32 - TERN__INDEX_BITS - TERN__SHARD_BITS, /* that are left in a shard */
    GENERATION_MASK = (1 << (32 - TERN__INDEX_BITS)) - 1,
    ECN = 1, /* in the setup's last flags: the sender reads marks and wants to hear of them */
    FORMATS = 1 << TERN_FORMAT_RAW | 1 << TERN_FORMAT_HYBRID | 1 << TERN_FORMAT_PROTOBUF,
};

typedef struct setup {
    uint64_t token, tag;
    uint64_t proof; /* CONNECT: the server's cookie, or 0; ACCEPT: the server's incarnation */
    uint32_t session, max_packet, credits;
    uint8_t formats, n_slots;
    bool ecn;
} setup;

/* ---- The table ------------------------------------------------------------------------------------ */

static uint32_t bucket_of(const tern__engine *e, uint32_t peer_number, const tern__route *route) {
    uint64_t h = e->hash_seed ^ peer_number;
    for (size_t i = 0; i < sizeof *route; i += 8) {
        h = (h ^ tern__load64((const uint8_t *)route + i)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return (uint32_t)h & (e->n_table - 1);
}

static uint32_t index_of(const tern__session *s) { return s->number & INDEX_MASK; }

/* The number of the session at place i of the table. */
static uint32_t number_at(const tern__engine *e, uint32_t i) {
    uint32_t generation = e->places[i].generation;
    if (e->sharded) generation = (generation & (GENERATION_MASK >> TERN__SHARD_BITS)) | e->shard << GENERATION_BITS;
    return generation << TERN__INDEX_BITS | i;
}

/* Whether another endpoint at the same address made this number. */
static bool is_of_other_shard(const tern__engine *e, uint32_t number) {
    return e->sharded && number >> (32 - TERN__SHARD_BITS) != e->shard;
}

static void hash_add(tern__session *s) {
    uint32_t *head = &s->engine->buckets[bucket_of(s->engine, s->peer_number, &s->route)];
    s->hash_next = *head;
    *head = index_of(s) + 1;
    s->hashed = true;
}

void tern__session_unhash(tern__session *s) {
    tern__engine *e = s->engine;
    if (!s->hashed) return;
    uint32_t *link = &e->buckets[bucket_of(e, s->peer_number, &s->route)];
    while (*link != index_of(s) + 1) link = &e->sessions[*link - 1]->hash_next;
    *link = s->hash_next;
    s->hashed = false;
}

/* The session that the peer on this route knows as peer_number. secret: the CONNECT's token, or the tag
 * that we put into packets to the peer. */
static tern__session *hash_find(const tern__engine *e, const tern__rx_packet *pkt, uint32_t peer_number, bool by_token,
                                uint64_t secret) {
    uint32_t i = e->buckets[bucket_of(e, peer_number, &pkt->route)];
    for (; i; i = e->sessions[i - 1]->hash_next) {
        tern__session *s = e->sessions[i - 1];
        if (s->peer_number != peer_number || s->link != pkt->link || !tern__route_eq(&s->route, &pkt->route)) continue;
        if (by_token ? s->role == TERN__SERVER && s->cold->token == secret : s->tx_tag == secret) return s;
    }
    return NULL;
}

/* Whether one peer has as many sessions under one number as a peer that restarts often might leave behind.
 * More would only make the bucket long. */
static bool is_crowded(const tern__engine *e, const tern__rx_packet *pkt, uint32_t peer_number) {
    uint32_t n = 0, i = e->buckets[bucket_of(e, peer_number, &pkt->route)];
    for (; i; i = e->sessions[i - 1]->hash_next) {
        const tern__session *s = e->sessions[i - 1];
        n += s->peer_number == peer_number && tern__route_eq(&s->route, &pkt->route);
    }
    return n >= MAX_NAMESAKES;
}

/* Twice as many places, in the tables and in the heap, and buckets. */
int tern__sessions_grow(tern__engine *e) {
    enum { FIRST_PLACES = 64 };
    uint32_t n = e->n_table ? 2 * e->n_table : FIRST_PLACES;
    void *sessions = tern_alloc(n * sizeof(tern__session *)), *places = tern_alloc(n * sizeof *e->places);
    void *dues = tern_alloc(n * sizeof *e->timers.dues);
    uint32_t *buckets = tern_alloc(n * sizeof *e->buckets);
    if (!sessions || !places || !dues || !buckets) {
        tern_unref(sessions);
        tern_unref(places);
        tern_unref(dues);
        tern_unref(buckets);
        return TERN_ERR_NOMEM;
    }
    if (e->n_table) {
        memcpy(sessions, e->sessions, e->n_table * sizeof(tern__session *));
        memcpy(places, e->places, e->n_table * sizeof *e->places);
        memcpy(dues, e->timers.dues, e->timers.n * sizeof *e->timers.dues);
    }
    tern_unref(e->sessions);
    tern_unref(e->places);
    tern_unref(e->timers.dues);
    tern_unref(e->buckets);
    e->sessions = sessions;
    e->places = places;
    e->timers.dues = dues;
    e->buckets = memset(buckets, 0, n * sizeof *buckets);
    uint32_t first_generation = (uint32_t)e->config.random(e->config.user);
    for (uint32_t i = n; i-- > e->n_table;) {
        e->sessions[i] = NULL;
        e->places[i].generation = first_generation & GENERATION_MASK;
        e->places[i].next_free = e->free_head;
        e->free_head = i + 1;
    }
    uint32_t n_before = e->n_table;
    e->n_table = n;
    for (uint32_t i = 0; i < n_before; i++)
        if (e->sessions[i] && e->sessions[i]->hashed) hash_add(e->sessions[i]);
    return 0;
}

tern__session *tern__session_make(size_t cold_bytes) {
    tern__session *s = tern_alloc(TERN__HOT_BYTES);
    tern__cold *cold = tern_alloc(cold_bytes);
    if (!s || !cold) {
        tern_unref(s);
        tern_unref(cold);
        return NULL;
    }
    memset(s, 0, TERN__HOT_BYTES);
    memset(cold, 0, cold_bytes);
    s->cold = cold;
    cold->session = s;
    return s;
}

void tern__session_free(tern__session *s) {
    if (s->role == TERN__SERVER) tern_unref(s->scold->requests);
    tern_unref(s->cold);
    tern_unref(s);
}

int tern__session_enter(tern__engine *e, tern__session *s) {
    if (e->n_live >= e->config.max_sessions) return TERN_ERR_LIMIT;
    if (!e->free_head && tern__sessions_grow(e)) return TERN_ERR_NOMEM;
    uint32_t i = e->free_head - 1;
    e->free_head = e->places[i].next_free;
    e->sessions[i] = s;
    e->n_live++;
    s->engine = e;
    s->run = &e->no_run;
    s->number = number_at(e, i);
    s->cold->timer.due = TERN__NEVER;
    tern__list_init(&s->cold->stalled);
    tern__rtt_init(&s->rtt, TERN__CONNECT_FIRST);
    return 0;
}

static void renumber(tern__session *s) {
    uint32_t i = index_of(s);
    uint32_t generation = ++s->engine->places[i].generation & GENERATION_MASK;
    s->engine->places[i].generation = generation;
    s->number = number_at(s->engine, i);
}

void tern__session_leave(tern__session *s) {
    tern__engine *e = s->engine;
    tern__session_unhash(s);
    tern__timer_set(s, TERN__NEVER);
    tern__list_remove(&s->cold->stalled);
    renumber(s);
    uint32_t i = index_of(s);
    e->sessions[i] = NULL;
    e->places[i].next_free = e->free_head;
    e->free_head = i + 1;
    e->n_live--;
}

/* A link that has been full for long (its peer is not there yet, or hangs) is not worth waking up for often. */
static void set_retry(tern__engine *e) {
    if (e->now > e->stall_at + TERN__STALL_LONGEST) e->stalled_since = e->now;
    tern_dur pause = (tern_dur)(e->now - e->stalled_since);
    if (pause < TERN__STALL_RETRY) pause = TERN__STALL_RETRY;
    if (pause > TERN__STALL_LONGEST) pause = TERN__STALL_LONGEST;
    e->stall_at = e->now + (tern_time)pause;
}

void tern__session_stall(tern__session *s) {
    tern__engine *e = s->engine;
    if (!tern__list_empty(&s->cold->stalled)) return;
    if (tern__list_empty(&e->stalled) && tern__list_empty(&e->late)) set_retry(e);
    tern__list_append(&e->stalled, &s->cold->stalled);
}

/* ---- Small packets -------------------------------------------------------------------------------- */

/* s: whose packet it is, or NULL. */
static bool send_small(tern__engine *e, const tern__session *s, tern__link *link, const tern__route *route,
                       const tern__pkt_header *h, const void *payload, uint32_t len) {
    uint32_t header_bytes = tern__pkt_header_bytes(h->flags);
    uint8_t *p = tern__tx_one(link, route, header_bytes + len, 0);
    if (!p) return tern__trace_blocked(e, s, route, h, len);
    tern__pkt_write(h, p);
    if (len) memcpy(p + header_bytes, payload, len);
    link->ops->tx_commit(link, 1);
    tern__trace_sent(e, s, route, h, len);
    return true;
}

bool tern__send_control(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len) {
    return send_small(s->engine, s, s->link, &s->route, h, payload, len);
}

/* Remember that the link did not take `which`, or that it did. */
static void mark_unsent(tern__session *s, uint8_t which, bool sent) {
    s->unsent_control &= (uint8_t)~which;
    if (sent) return;
    s->unsent_control |= which;
    tern__session_stall(s);
}

bool tern__session_send_ping(tern__session *s) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PING);
    bool sent = tern__send_control(s, &h, NULL, 0);
    if (s->link->reliable) mark_unsent(s, TERN__UNSENT_PING, sent);
    return sent;
}

void tern__session_send_pong(tern__session *s, uint32_t req) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PONG);
    h.req = req;
    bool sent = tern__send_control(s, &h, NULL, 0);
    if (!s->link->reliable) return;
    s->cold->pong_req = req;
    mark_unsent(s, TERN__UNSENT_PONG, sent);
}

bool tern__session_send_unsent(tern__session *s) {
    if (s->unsent_control & TERN__UNSENT_SETUP) tern__session_send_setup(s);
    if (s->unsent_control & TERN__UNSENT_SETUP) return false;
    if (s->unsent_control & TERN__UNSENT_PONG) tern__session_send_pong(s, s->cold->pong_req);
    if (s->unsent_control & TERN__UNSENT_PING) tern__session_send_ping(s);
    return !s->unsent_control;
}

/* A packet of no session that waits for room. */
typedef struct late {
    tern__node node;
    tern__link *link;
    tern__route route;
    tern_time until; /* nobody waits for it any more */
    tern__pkt_header header;
    uint32_t len;
    uint8_t payload[REFUSE_BYTES];
} late;

static void drop_late(tern__engine *e, late *l) {
    tern__list_remove(&l->node);
    e->n_late--;
    tern_unref(l);
}

void tern__send_surely(tern__engine *e, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                       const void *payload, uint32_t len) {
    if (send_small(e, NULL, link, route, h, payload, len) || !link->reliable || e->n_late == MAX_LATE) return;
    late *l = tern_alloc(sizeof *l);
    if (!l) return;
    *l = (late){.link = link, .route = *route, .header = *h, .len = len};
    l->until = e->now + (tern_time)e->config.connect_timeout;
    if (len) memcpy(l->payload, payload, len);
    if (tern__list_empty(&e->stalled) && tern__list_empty(&e->late)) set_retry(e);
    tern__list_append(&e->late, &l->node);
    e->n_late++;
}

void tern__late_send(tern__engine *e, tern_time now) {
    for (tern__node *node = e->late.next, *next; node != &e->late; node = next) {
        late *l = TERN__CONTAINER(node, late, node);
        next = node->next;
        if (l->until <= now || send_small(e, NULL, l->link, &l->route, &l->header, l->payload, l->len)) drop_late(e, l);
    }
    if (!tern__list_empty(&e->late)) set_retry(e);
}

void tern__late_drop(tern__engine *e, const tern__link *link, const tern__route *route) {
    for (tern__node *node = e->late.next, *next; node != &e->late; node = next) {
        late *l = TERN__CONTAINER(node, late, node);
        next = node->next;
        if (!route || (l->link == link && tern__route_eq(&l->route, route))) drop_late(e, l);
    }
}

/* On links that anybody can send to REFUSE packets are rationed: a storm of stray packets must not make a storm of
 * answers. */
static bool may_refuse(tern__engine *e, tern_time now) {
    tern_time earliest = now > TERN__REFUSE_BURST * TERN__REFUSE_GAP ? now - TERN__REFUSE_BURST * TERN__REFUSE_GAP : 0;
    if (e->refuse_at < earliest) e->refuse_at = earliest;
    if (e->refuse_at > now) return false;
    e->refuse_at += TERN__REFUSE_GAP;
    return true;
}

/* Says that `session` is not here (`type` tells to which packet), proving by `secret` that we saw it. */
static void refuse(tern__engine *e, const tern__rx_packet *pkt, uint8_t type, uint32_t to, uint64_t secret,
                   uint32_t session, uint8_t status, tern_time now) {
    uint8_t payload[REFUSE_BYTES];
    if (!pkt->link->reliable && !may_refuse(e, now)) return;
    tern__pkt_header h = {.type = TERN__PKT_REFUSE, .status = status, .session = to, .pkt = type, .size = REFUSE_BYTES};
    h.aux = e->draining;
    tern__store64(payload, secret);
    tern__store32(payload + 8, session);
    tern__send_surely(e, pkt->link, &pkt->route, &h, payload, sizeof payload);
}

/* A packet of the session's peer, which does not know that the session is down. */
static bool comes_too_late(const tern__session *s, const tern__rx_packet *pkt) {
    return s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) && s->state == TERN__STATE_DOWN;
}

void tern__session_unknown(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now) {
    /* A packet for another endpoint that came here along with one of ours: the session is well, it will be repeated. */
    if (is_of_other_shard(e, h->session)) {
        tern__drop(e, TERN__DROP_OTHER_ENDPOINT);
        return;
    }
    if (h->type != TERN__PKT_DISCONNECT) refuse(e, pkt, h->type, 0, h->tag, h->session, TERN_STATUS_UNAVAILABLE, now);
    const tern__session *s = tern__session_find(e, h->session);
    tern__drop(e, !s ? TERN__DROP_UNKNOWN_SESSION : comes_too_late(s, pkt) ? TERN__DROP_NOT_OPEN : TERN__DROP_FORGED);
}

/* ---- CONNECT and ACCEPT --------------------------------------------------------------------------- */

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
    tern__store16(out + 30, s->link->ecn ? ECN : 0);
    tern__store64(out + 32, s->role == TERN__CLIENT ? s->tx_tag : s->engine->incarnation);
}

static bool setup_read(const tern__rx_packet *pkt, uint32_t header_bytes, setup *in) {
    uint8_t p[SETUP_BYTES];
    if (tern__payload_bytes(pkt, header_bytes) != SETUP_BYTES) return false;
    tern__payload_copy(pkt, header_bytes, p);
    *in = (setup){.token = tern__load64(p),
                  .tag = tern__load64(p + 8),
                  .session = tern__load32(p + 16),
                  .max_packet = tern__load32(p + 20),
                  .credits = tern__load32(p + 24),
                  .formats = p[28],
                  .n_slots = p[29],
                  .ecn = tern__load16(p + 30) & ECN,
                  .proof = tern__load64(p + 32)};
    return in->max_packet >= TERN__MIN_PACKET_BYTES && in->credits && in->n_slots == TERN__N_SLOTS;
}

/* The CONNECT of a client's session, or the ACCEPT of a server's. */
void tern__session_send_setup(tern__session *s) {
    uint8_t payload[SETUP_BYTES];
    tern__pkt_header h = {.type = TERN__PKT_CONNECT, .size = SETUP_BYTES};
    if (s->role == TERN__SERVER) {
        h = tern__session_header(s, TERN__PKT_ACCEPT);
        h.size = SETUP_BYTES;
    }
    setup_write(s, payload);
    mark_unsent(s, TERN__UNSENT_SETUP, tern__send_control(s, &h, payload, sizeof payload));
}

void tern__session_connect(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    tern__engine *e = s->engine;
    renumber(s);
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
static void adopt(tern__session *s, const setup *in) {
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
    hash_add(s);
}

/* The client whose CONNECT this packet answers, if it waits for an answer. */
static tern__csession *connecting(const tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                                  uint64_t token) {
    tern__session *s = tern__session_find(e, h->session);
    bool fits = s && s->role == TERN__CLIENT && s->state == TERN__STATE_CONNECTING && s->link == pkt->link &&
                tern__route_eq(&s->route, &pkt->route) && s->cold->token == token;
    return fits ? (tern__csession *)s : NULL;
}

static void rx_accept(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      tern_time now) {
    setup in;
    tern__session *s = tern__session_find(e, h->session);
    if (!s || s->state == TERN__STATE_DOWN) { /* too late: the server need not keep it */
        tern__session_unknown(e, pkt, h, now);
        return;
    }
    tern__csession *cs = setup_read(pkt, header_bytes, &in) ? connecting(e, pkt, h, in.token) : NULL;
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

static tern__ssession *accept_new(tern__engine *e, const tern__rx_packet *pkt, const setup *in, tern_time now) {
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
static bool has_shown_itself(tern__engine *e, const tern__rx_packet *pkt, const setup *in, tern_time now) {
    tern__gate_client client = {.route = &pkt->route, .token = in->token, .number = in->session};
    uint8_t payload[RETRY_BYTES];
    if (pkt->link->reliable || tern__gate_is_open(&e->gate, &client, in->proof, now)) return true;
    const tern__link_ops *ops = pkt->link->ops;
    uint64_t network = ops->network ? ops->network(&pkt->route) : tern__load64(pkt->route.bytes);
    uint64_t cookie = tern__gate_cookie(&e->gate, &client, network, now);
    if (!cookie) {
        e->stats.limited++;
        tern__drop(e, TERN__DROP_LIMITED);
        return false;
    }
    tern__pkt_header h = {.type = TERN__PKT_RETRY, .session = in->session, .size = RETRY_BYTES};
    tern__store64(payload, in->token);
    tern__store64(payload + 8, cookie);
    send_small(e, NULL, pkt->link, &pkt->route, &h, payload, sizeof payload);
    e->stats.retries++;
    return false;
}

static void rx_connect(tern__engine *e, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now) {
    setup in;
    if (!setup_read(pkt, header_bytes, &in)) {
        tern__drop(e, TERN__DROP_MALFORMED);
        return;
    }
    tern__session *s = hash_find(e, pkt, in.session, true, in.token);
    bool leaving = e->freeing || e->draining;
    if (!s && !leaving && !has_shown_itself(e, pkt, &in, now)) return;
    if (!s) {
        bool welcome = !leaving && !is_crowded(e, pkt, in.session);
        tern__ssession *ss = welcome ? accept_new(e, pkt, &in, now) : NULL;
        if (!ss) {
            uint8_t why = leaving ? TERN_STATUS_UNAVAILABLE : TERN_STATUS_RESOURCE_EXHAUSTED;
            refuse(e, pkt, TERN__PKT_CONNECT, in.session, in.token, 0, why, now);
            return;
        }
        s = &ss->s;
    }
    tern__session_send_setup(s);
}

/* The first cookie is taken back at once. Others (the first came late, or too late) wait for the next repetition, so
 * that a server cannot make us send for ever. */
static void rx_retry(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                     tern_time now) {
    uint8_t p[RETRY_BYTES];
    tern__csession *cs = NULL;
    if (tern__payload_bytes(pkt, header_bytes) == RETRY_BYTES && !pkt->link->reliable) {
        tern__payload_copy(pkt, header_bytes, p);
        cs = connecting(e, pkt, h, tern__load64(p));
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

/* ---- The end -------------------------------------------------------------------------------------- */

/* What is pending ends with `status`. */
static void lose(tern__session *s, int status, tern__why why) {
    tern__engine *e = s->engine;
    e->stats.peers_lost++;
    if (s->role == TERN__SERVER) {
        tern__server_drop((tern__ssession *)s, why);
        return;
    }
    tern__csession *cs = (tern__csession *)s;
    if (s->state == TERN__STATE_OPEN) e->stats.sessions_open--;
    tern__session_set_state(s, TERN__STATE_DOWN, why);
    tern__session_unhash(s);
    tern__list_remove(&s->cold->stalled);
    s->unsent_control = 0;
    tern__timer_set(s, TERN__NEVER);
    cs->why = (uint8_t)status;
    cs->draining = false;
    tern__client_fail_all(cs, status);
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_LOST);
}

void tern__session_lost(tern__session *s, tern__why why) { lose(s, TERN_STATUS_UNAVAILABLE, why); }

static void rx_refuse(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes) {
    uint8_t p[REFUSE_BYTES];
    tern__session *s = NULL;
    if (tern__payload_bytes(pkt, header_bytes) == REFUSE_BYTES) {
        tern__payload_copy(pkt, header_bytes, p);
        tern__csession *cs = h->pkt == TERN__PKT_CONNECT ? connecting(e, pkt, h, tern__load64(p)) : NULL;
        if (h->pkt != TERN__PKT_CONNECT)
            s = hash_find(e, pkt, tern__load32(p + 8), false, tern__load64(p));
        else if (cs)
            s = &cs->s;
    }
    bool reason =
        h->pkt == TERN__PKT_CONNECT && h->status != TERN_STATUS_OK && h->status <= TERN_STATUS_UNAUTHENTICATED;
    if (s)
        lose(s, reason ? h->status : TERN_STATUS_UNAVAILABLE, TERN__WHY_REFUSED);
    else
        tern__drop(e, TERN__DROP_UNASKED);
}

void tern__session_rx_setup(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
    switch (h->type) {
    case TERN__PKT_CONNECT: rx_connect(e, pkt, header_bytes, now); break;
    case TERN__PKT_ACCEPT: rx_accept(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_RETRY: rx_retry(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_REFUSE: rx_refuse(e, pkt, h, header_bytes); break;
    default: break; /* DISCONNECTED: whoever asked has forgotten the session already */
    }
}

void tern__session_rx_ping(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes) {
    uint8_t numbers[4 * TERN__N_SLOTS];
    if (tern__payload_bytes(pkt, header_bytes) == sizeof numbers && s->role == TERN__SERVER) {
        tern__payload_copy(pkt, header_bytes, numbers);
        tern__server_completed((tern__ssession *)s, numbers);
    }
    tern__session_send_pong(s, h->req);
}

void tern__session_rx_disconnect(tern__session *s) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_DISCONNECTED);
    tern__send_control(s, &h, NULL, 0);
    if (s->role == TERN__SERVER)
        tern__server_drop((tern__ssession *)s, TERN__WHY_DISCONNECTED);
    else
        tern__session_lost(s, TERN__WHY_DISCONNECTED);
}

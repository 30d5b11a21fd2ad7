/* Sealed sessions (sealed.h).
 *
 * Numbers: each direction numbers its packets from 1 in 64 bits; the header has the low 32. The receiver takes the
 * number that is nearest to the one after the highest that it has opened, and opens no number twice.
 *
 * Key phases: each direction moves from key to key by itself. The bit KEY is the lowest bit of the phase. A receiver is
 * in one phase, and opens packets of the phases before and after it, too; so a sender must not move on before the
 * receiver is in the sender's phase. The sender learns that by a PING of its own, whose PONG repeats its `req`: that
 * PING was sealed in the phase which the `req` names, and has been opened. */
#include "engine/sealed.h"

#include "engine/message.h"
#include "engine/tracing.h"

enum {
    WINDOW = 64,           /* numbers below the highest that are still taken */
    LEAST_KEY_PACKETS = 4, /* so that asking whether the key may change does not itself change it */
    KEY_PACKETS = 1 << 20, /* by default */
};

enum { KEY_TX, KEY_TX_NEXT, KEY_RX_BEFORE, KEY_RX, KEY_RX_NEXT, N_KEYS };

static size_t own_bytes(const tern__session *s) {
    return s->role == TERN__CLIENT ? sizeof(tern__ccold) : sizeof(tern__scold);
}

static size_t aligned(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

tern__sealed *tern__sealed_of(const tern__session *s) {
    return (tern__sealed *)(void *)((uint8_t *)s->cold + aligned(own_bytes(s)));
}

static void *key_of(const tern__session *s, unsigned i) {
    return tern__sealed_of(s)->keys + i * aligned(s->engine->config.cipher->key_bytes);
}

static uint64_t key_packets(const tern__engine *e) {
    uint64_t n = e->config.key_packets ? e->config.key_packets : KEY_PACKETS;
    return n < LEAST_KEY_PACKETS ? LEAST_KEY_PACKETS : n;
}

/* ---- The setup ------------------------------------------------------------------------------------ */

size_t tern__sealed_cold_bytes(const tern__engine *e, size_t own) {
    const tern__cipher *cipher = e->config.cipher;
    return cipher ? aligned(own) + sizeof(tern__sealed) + N_KEYS * aligned(cipher->key_bytes) : own;
}

tern__refuse_code tern__sealed_agree(const tern__engine *e, const tern__setup *in, bool *is_sealed) {
    const tern__cipher *cipher = e->config.cipher;
    uint32_t theirs = in->seal & ~TERN__SETUP_SEAL_REQUIRED;
    *is_sealed = cipher && theirs == cipher->id;
    bool required = e->config.seal_required || (in->seal & TERN__SETUP_SEAL_REQUIRED);
    return required && !*is_sealed ? TERN__REFUSE_SEAL : TERN__REFUSE_NONE;
}

uint64_t tern__sealed_nonce(const tern__session *s) { return s->sealed ? tern__sealed_of(s)->nonce : 0; }

static void wipe(const tern__session *s, unsigned i) {
    const tern__engine_config *config = &s->engine->config;
    config->cipher->wipe(config->cipher_user, key_of(s, i));
}

/* The receiver's next key. Without memory for one, the next packet tries again. */
static bool make_next(const tern__session *s) {
    const tern__engine_config *c = &s->engine->config;
    return c->cipher->next(c->cipher_user, key_of(s, KEY_RX), key_of(s, KEY_RX_NEXT));
}

/* Both directions' keys of phase 0, and the receiver's of phase 1. */
static bool derive(tern__session *s, const tern__seal_setup *setup) {
    const tern__engine_config *c = &s->engine->config;
    tern__seal_direction mine = s->role == TERN__CLIENT ? TERN__SEAL_TO_SERVER : TERN__SEAL_TO_CLIENT;
    tern__seal_direction theirs = s->role == TERN__CLIENT ? TERN__SEAL_TO_CLIENT : TERN__SEAL_TO_SERVER;
    if (!c->cipher->derive(c->cipher_user, setup, mine, key_of(s, KEY_TX))) return false;
    if (!c->cipher->derive(c->cipher_user, setup, theirs, key_of(s, KEY_RX))) {
        wipe(s, KEY_TX);
        return false;
    }
    tern__sealed_of(s)->has_next = make_next(s);
    return true;
}

bool tern__sealed_begin(tern__session *s, const tern__setup *in) {
    bool client = s->role == TERN__CLIENT;
    tern__sealed *x = tern__sealed_of(s);
    tern__engine *e = s->engine;
    memset(x, 0, sizeof *x);
    x->nonce = client ? in->nonce : e->config.random(e->config.user);
    x->rx_phase_first = UINT64_MAX;
    x->may_move = true; /* from phase 0, in which both begin */
    tern__seal_setup setup = {
        .token = s->cold->token,
        .nonce = x->nonce,
        .incarnation = client ? in->incarnation : e->incarnation,
        .client_tag = client              ? s->rx_tag
                      : s->link->reliable ? 0
                                          : in->tag,
        .server_tag = client ? s->link->reliable ? 0 : in->tag : s->rx_tag,
        .client_number = client ? s->number : in->number,
        .server_number = client ? in->number : s->number,
    };
    s->sealed = derive(s, &setup);
    return s->sealed;
}

void tern__sealed_end(tern__session *s) {
    if (!s->sealed) return;
    const tern__sealed *x = tern__sealed_of(s);
    wipe(s, KEY_TX);
    wipe(s, KEY_RX);
    if (x->has_before) wipe(s, KEY_RX_BEFORE);
    if (x->has_next) wipe(s, KEY_RX_NEXT);
    s->sealed = false;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

bool tern__is_sealed_type(uint8_t type) {
    return type != TERN__PKT_CONNECT && type != TERN__PKT_ACCEPT && type != TERN__PKT_RETRY && type != TERN__PKT_REFUSE;
}

/* The number with these low bits that is nearest to the next one expected. */
static uint64_t nearest(uint64_t expected, uint32_t low) {
    const uint64_t half = 1ull << 31, all = 1ull << 32;
    uint64_t number = (expected & ~(all - 1)) | low;
    if (number + half < expected) return number + all;
    return number > expected + half && number >= all ? number - all : number;
}

static void move_on(tern__session *s, uint64_t number) {
    const tern__engine_config *c = &s->engine->config;
    tern__sealed *x = tern__sealed_of(s);
    if (!c->cipher->next(c->cipher_user, key_of(s, KEY_TX), key_of(s, KEY_TX_NEXT))) return;
    wipe(s, KEY_TX);
    memcpy(key_of(s, KEY_TX), key_of(s, KEY_TX_NEXT), c->cipher->key_bytes);
    x->tx_phase++;
    x->tx_phase_first = number;
    x->tx_asked = 0;
    x->may_move = false;
    s->engine->stats.key_phases++;
}

bool tern__sealed_seal(tern__session *s, const tern__pkt_header *h, uint8_t *header, const tern__span *in,
                       uint32_t n_in, uint8_t *out) {
    const tern__engine_config *c = &s->engine->config;
    tern__sealed *x = tern__sealed_of(s);
    tern__pkt_header own = *h;
    tern__seal_packet packet = {nearest(x->tx_last + 1, h->number), header, tern__pkt_header_bytes(h)};
    if (x->may_move && packet.number - x->tx_phase_first >= key_packets(s->engine)) move_on(s, packet.number);
    if (x->tx_phase & 1) own.flags |= TERN__PKT_KEY;
    tern__pkt_write(&own, header);
    if (packet.number > x->tx_last) x->tx_last = packet.number;
    s->engine->stats.sealed++;
    return c->cipher->seal(c->cipher_user, key_of(s, KEY_TX), &packet, in, n_in, out);
}

void tern__sealed_sent(tern__session *s) {
    tern__sealed *x = tern__sealed_of(s);
    uint64_t since = x->tx_asked ? x->tx_asked : x->tx_phase_first;
    if (x->may_move || s->state != TERN__STATE_OPEN) return;
    if (x->tx_last - since < key_packets(s->engine)) return;
    x->tx_asked = x->tx_last;
    x->is_to_ask = true;
    tern__timer_lower(s, s->engine->now);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* A packet that belongs to no session here is read as a sealed one if it cannot be read otherwise: its sender is told
 * that the session is not here. */
uint32_t tern__sealed_read(const tern__engine *e, const tern__rx_packet *pkt, tern__pkt_header *h) {
    uint64_t bytes = (uint64_t)pkt->head_len + pkt->spans_len;
    bool any = pkt->head_len >= TERN__PKT_HEADER_BYTES && tern__is_sealed_type(pkt->head[0] & 15);
    const tern__session *s = any ? tern__session_find(e, tern__load32(pkt->head + 4)) : NULL;
    uint32_t header_bytes = s && s->sealed ? 0 : tern__pkt_read(h, pkt->head, pkt->head_len, bytes);
    if (header_bytes || !any || (s && !s->sealed)) return header_bytes;
    return tern__pkt_read_sealed(h, pkt->head, pkt->head_len, bytes, e->config.cipher->overhead_bytes);
}

static bool was_here(const tern__sealed *x, uint64_t number) {
    if (number == 0) return true; /* which none has */
    if (number > x->rx_highest) return false;
    uint64_t below = x->rx_highest - number;
    return below >= WINDOW || (x->rx_seen >> below & 1);
}

static void note_number(tern__sealed *x, uint64_t number) {
    if (number > x->rx_highest) {
        uint64_t by = number - x->rx_highest;
        x->rx_seen = by < WINDOW ? x->rx_seen << by : 0;
        x->rx_highest = number;
    }
    x->rx_seen |= 1ull << (x->rx_highest - number);
}

/* Which key a packet is sealed with: of the two phases that a bit may mean, numbers tell the one before from the one
 * after. -1: of none that there is. */
static int key_for(const tern__sealed *x, uint64_t number, bool bit) {
    if (bit == (x->rx_phase & 1)) return KEY_RX;
    if (number > x->rx_phase_first || x->rx_phase_first == UINT64_MAX) return x->has_next ? KEY_RX_NEXT : -1;
    return x->has_before ? KEY_RX_BEFORE : -1;
}

/* A packet of the next phase has been opened: that is ours from now on. */
static void follow(tern__session *s) {
    const tern__engine_config *c = &s->engine->config;
    tern__sealed *x = tern__sealed_of(s);
    if (x->has_before) wipe(s, KEY_RX_BEFORE);
    memcpy(key_of(s, KEY_RX_BEFORE), key_of(s, KEY_RX), c->cipher->key_bytes);
    memcpy(key_of(s, KEY_RX), key_of(s, KEY_RX_NEXT), c->cipher->key_bytes);
    x->has_before = true;
    x->has_next = make_next(s);
    x->rx_phase++;
    x->rx_phase_first = UINT64_MAX;
}

/* The packet with this number has been opened by that key. */
static void note_opened(tern__session *s, const tern__pkt_header *h, uint64_t number, int key, tern_time now) {
    tern__sealed *x = tern__sealed_of(s);
    note_number(x, number);
    if (key == KEY_RX_NEXT) follow(s);
    if (key != KEY_RX_BEFORE && number < x->rx_phase_first) x->rx_phase_first = number;
    if (h->type == TERN__PKT_PONG && h->req == (TERN__SEALED_PING | x->tx_phase)) x->may_move = true;
    if (x->doubt_until) x->doubt_next = now + (tern_time)s->rtt.rto;
    x->doubt_until = 0;
    s->engine->stats.opened++;
}

/* Header and payload in our own memory, where nobody else can change them while they are checked. */
static bool open_to(const tern__session *s, const tern__rx_packet *pkt, const tern__seal_packet *packet, int key,
                    uint8_t *to) {
    const tern__engine_config *c = &s->engine->config;
    uint32_t payload_bytes = (uint32_t)tern__payload_bytes(pkt, packet->header_bytes);
    uint8_t *out = to + packet->header_bytes;
    const uint8_t *in = pkt->head + packet->header_bytes;
    memcpy(to, pkt->head, packet->header_bytes);
    if (pkt->n_spans) {
        tern__payload_copy(pkt, packet->header_bytes, out);
        in = out;
    }
    return c->cipher->open(c->cipher_user, key_of(s, (unsigned)key), packet, in, payload_bytes, out);
}

tern__opening tern__sealed_open(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                                uint32_t header_bytes, tern__rx_packet *opened, tern_time now) {
    tern__engine *e = s->engine;
    tern__sealed *x = tern__sealed_of(s);
    uint64_t number = nearest(x->rx_highest + 1, h->number);
    if (was_here(x, number)) {
        e->stats.rx_replayed++;
        tern__drop(e, TERN__DROP_REPLAYED);
        return TERN__OPENING_DROPPED;
    }
    if (!x->has_next) x->has_next = make_next(s);
    int key = key_for(x, number, h->flags & TERN__PKT_KEY);
    uint64_t bytes = (uint64_t)pkt->head_len + pkt->spans_len;
    uint8_t *to = key >= 0 && bytes <= TERN_BUF_MAX_BYTES ? tern_alloc_private(bytes) : NULL;
    if (key >= 0 && !to) {
        tern__drop(e, TERN__DROP_NO_ROOM);
        return TERN__OPENING_NO_MEMORY;
    }
    tern__seal_packet packet = {number, to, header_bytes};
    if (key < 0 || !open_to(s, pkt, &packet, key, to)) {
        tern_unref(to);
        e->stats.rx_unopened++;
        tern__drop(e, TERN__DROP_UNOPENED);
        return TERN__OPENING_DROPPED;
    }
    note_opened(s, h, number, key, now);
    *opened = *pkt;
    opened->head = to;
    opened->head_len = (uint32_t)bytes - e->config.cipher->overhead_bytes;
    opened->spans = NULL;
    opened->n_spans = opened->spans_len = 0;
    opened->fleeting = false;
    return TERN__OPENED;
}

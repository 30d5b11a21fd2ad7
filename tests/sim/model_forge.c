/* A forger. It knows everything about the packets that were sent but the secrets in them: the tags, and what a
 * REFUSE proves. What it sends in a node's name must change nothing. CONNECTs are left out: anyone may connect.
 *
 * Packets of sealed sessions it has seen whole, tags included, and sends them again as they are or spoilt. That must
 * change nothing either, except that a REFUSE which names the tag puts a session in doubt: where packets get lost, or
 * the peer stands still, that may end it. */
#include "engine/sealed.h"
#include "model_state.h"

enum { PAYLOAD = 0x5a };

/* Each session numbers its packets in each direction upwards, whichever way they are sent. An ACCEPT may come from a
 * server that was started anew, for a CONNECT of before. */
static void check_number(model *m, const tern__sim_seen *seen, const tern__pkt_header *h) {
    size_t i = h->tag % MODEL_N_NUMBERS;
    if (!(h->flags & TERN__PKT_TAG) || m->is_mimicked) return;
    bool known = m->numbers[i].tag == h->tag && h->type != TERN__PKT_ACCEPT;
    if (known && (int32_t)(h->number - m->numbers[i].last) <= 0)
        cluster_fail(&m->c, "node %u has sent packet %u of a session after packet %u", seen->src, h->number,
                     m->numbers[i].last);
    m->numbers[i].tag = h->tag;
    m->numbers[i].last = h->number;
}

/* Whether what these nodes send each other in sessions is sealed. */
static bool is_sealed(const model *m, uint32_t a, uint32_t b) {
    uint32_t unsealed = m->c.config.unsealed_nodes;
    return m->c.config.engine.cipher && !(unsealed >> a & 1) && !(unsealed >> b & 1);
}

static bool read_header(const model *m, const tern__sim_seen *seen, tern__pkt_header *h) {
    if (seen->head_len < TERN__PKT_HEADER_BYTES) return false;
    if (is_sealed(m, seen->src, seen->dst) && tern__is_sealed_type(seen->head[0] & 15))
        return tern__pkt_read_sealed(h, seen->head, seen->head_len, seen->bytes,
                                     m->c.config.engine.cipher->overhead_bytes);
    return tern__pkt_read(h, seen->head, seen->head_len, seen->bytes);
}

static void watch_packets(void *ctx, const tern__sim_seen *seen) {
    model *m = ctx;
    tern__pkt_header h;
    if (seen->fate != TERN__SIM_SENT || !read_header(m, seen, &h)) return;
    if (h.type == TERN__PKT_CONNECT) return;
    check_number(m, seen, &h);
    sample *s = &m->samples[m->n_samples++ % MODEL_N_SAMPLES];
    s->src = seen->src;
    s->dst = seen->dst;
    /* Of a payload only the length: how much lies behind the header depends on how the packet was put together. */
    uint32_t header_bytes = tern__pkt_header_bytes(&h);
    s->len = seen->bytes < sizeof s->bytes ? seen->bytes : sizeof s->bytes;
    memset(s->bytes, PAYLOAD, sizeof s->bytes);
    memcpy(s->bytes, seen->head, header_bytes);
    s->sealed = is_sealed(m, seen->src, seen->dst) && tern__is_sealed_type(h.type);
    bool whole = seen->head_len == seen->bytes && s->len == seen->bytes;
    if (s->sealed && whole) memcpy(s->bytes, seen->head, s->len);
}

/* "The session of yours that the sampled packet belongs to is not here", without the proof. */
static void forge_refuse(model *m, sample *s, tern__pkt_header *h) {
    uint8_t *payload = s->bytes + TERN__PKT_HEADER_BYTES;
    *h = (tern__pkt_header){.type = TERN__PKT_REFUSE, .status = h->status, .session = h->session, .req = h->session};
    tern__pkt_write(h, s->bytes);
    tern__store64(payload, tern__rng_next(&m->rng));
    s->len = TERN__PKT_HEADER_BYTES + TERN__REFUSE_BYTES;
}

/* So that a packet of a message of several is not dropped for its lengths alone. */
static void fit_lengths(tern__pkt_header *h, uint32_t packet_bytes) {
    uint32_t header_bytes = tern__pkt_header_bytes(h);
    if (!tern__pkt_is_multi(h->flags) || packet_bytes <= header_bytes) return;
    h->cut = packet_bytes - header_bytes;
    h->size = (uint64_t)h->cut * (h->pkt + 2ull);
}

/* Any that four bits can say, but CONNECT. */
static uint8_t random_type(model *m) {
    uint8_t type = (uint8_t)below(m, 15);
    return type < TERN__PKT_CONNECT ? type : type + 1;
}

static void forge_bytes(model *m, sample *s) {
    tern__pkt_header h = {0};
    tern__pkt_read(&h, s->bytes, s->len, s->len);
    if (h.type == TERN__PKT_REFUSE || chance(m, 0.1)) {
        forge_refuse(m, s, &h);
        return;
    }
    h.tag ^= 1 + below(m, UINT64_MAX);
    if (chance(m, 0.1)) h.flags ^= TERN__PKT_TAG;
    if (chance(m, 0.3)) h.type = random_type(m);
    if (chance(m, 0.3)) h.req += (uint32_t)below(m, 32);
    if (chance(m, 0.3)) h.pkt = (uint32_t)below(m, 8);
    if (chance(m, 0.3)) h.received = (uint32_t)below(m, 100);
    if (chance(m, 0.3)) h.method = (uint32_t)below(m, 100);
    if (chance(m, 0.3)) h.grant = below(m, UINT32_MAX);
    fit_lengths(&h, s->len);
    tern__pkt_write(&h, s->bytes);
}

/* A REFUSE by somebody who has seen the tag of a packet: "the session that this packet names is not here". It goes to
 * the node that sent the packet. */
static void forge_doubt(model *m, sample *s) {
    uint64_t tag = tern__load64(s->bytes + TERN__PKT_HEADER_BYTES);
    uint32_t src = s->src;
    tern__pkt_header h = {.type = TERN__PKT_REFUSE, .status = TERN_STATUS_UNAVAILABLE, .refused = s->bytes[0] & 15};
    h.req = tern__load32(s->bytes + 4);
    h.code = TERN__REFUSE_NOT_HERE;
    tern__pkt_write(&h, s->bytes);
    tern__store64(s->bytes + TERN__PKT_HEADER_BYTES, tag);
    s->len = TERN__PKT_HEADER_BYTES + TERN__REFUSE_BYTES;
    s->src = s->dst;
    s->dst = src;
    model_doubted(m, s->src, s->dst);
    m->totals->doubts++;
}

/* A packet of a sealed session as it was, or spoilt. */
static void forge_sealed(model *m, sample *s) {
    enum { FLAGS_AT = 1, NUMBER_AT = 12 };
    m->totals->sealed_forged++;
    m->is_mimicked = true;
    switch (below(m, 8)) {
    case 0: break; /* sent again */
    case 1: s->bytes[FLAGS_AT] ^= TERN__PKT_KEY; break;
    case 2: s->len -= (uint32_t)below(m, s->len); break;
    case 3:
        if (s->len < sizeof s->bytes) s->len += 1;
        break;
    case 4:
        tern__store32(s->bytes + NUMBER_AT, tern__load32(s->bytes + NUMBER_AT) + 1 + (uint32_t)below(m, 1000));
        break;
    case 5:
        tern__store32(s->bytes + NUMBER_AT, tern__load32(s->bytes + NUMBER_AT) + (uint32_t)below(m, 64));
        s->bytes[FLAGS_AT] ^= TERN__PKT_KEY;
        break;
    case 6: forge_doubt(m, s); break;
    default: s->bytes[below(m, s->len)] ^= (uint8_t)(1 + below(m, 255));
    }
}

void model_forge(model *m) {
    if (m->n_samples == 0) return;
    sample s = m->samples[below(m, m->n_samples < MODEL_N_SAMPLES ? m->n_samples : MODEL_N_SAMPLES)];
    tern__port *port = m->c.nodes[s.src].port;
    if (!port) return;
    if (s.sealed && chance(m, 0.7))
        forge_sealed(m, &s);
    else
        forge_bytes(m, &s);
    port = m->c.nodes[s.src].port;
    if (!port || !s.len) return;
    tern__route route = tern__sim_route(s.dst);
    void *p = tern__tx_one(&port->link, &route, s.len, TERN__TX_MANY);
    if (!p) return;
    memcpy(p, s.bytes, s.len);
    port->link.ops->tx_commit(&port->link, 1);
    cluster_flush(&m->c, s.src);
    m->totals->forged++;
}

void model_watch(model *m) { tern__sim_watch(m->c.sim, watch_packets, m); }

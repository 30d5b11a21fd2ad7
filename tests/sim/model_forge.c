/* A forger. It knows everything about the packets that were sent but the secrets in them: the tags, and what a
 * REFUSE proves. What it sends in a node's name must change nothing. CONNECTs are left out: anyone may connect. */
#include "engine/setup.h"
#include "model_state.h"

enum { PAYLOAD = 0x5a };

/* Each session numbers its packets in each direction upwards, whichever way they are sent. An ACCEPT may come from a
 * server that was started anew, for a CONNECT of before. */
static void check_number(model *m, const tern__sim_seen *seen, const tern__pkt_header *h) {
    size_t i = h->tag % MODEL_N_NUMBERS;
    if (!(h->flags & TERN__PKT_TAG)) return;
    bool known = m->numbers[i].tag == h->tag && h->type != TERN__PKT_ACCEPT;
    if (known && (int32_t)(h->number - m->numbers[i].last) <= 0)
        cluster_fail(&m->c, "node %u has sent packet %u of a session after packet %u", seen->src, h->number,
                     m->numbers[i].last);
    m->numbers[i].tag = h->tag;
    m->numbers[i].last = h->number;
}

static void watch_packets(void *ctx, const tern__sim_seen *seen) {
    model *m = ctx;
    tern__pkt_header h;
    if (seen->fate != TERN__SIM_SENT || !tern__pkt_read(&h, seen->head, seen->head_len, seen->bytes)) return;
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
    if (!(h->flags & TERN__PKT_MULTI) || packet_bytes <= header_bytes) return;
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

void model_forge(model *m) {
    if (m->n_samples == 0) return;
    sample s = m->samples[below(m, m->n_samples < MODEL_N_SAMPLES ? m->n_samples : MODEL_N_SAMPLES)];
    tern__port *port = m->c.nodes[s.src].port;
    if (!port) return;
    forge_bytes(m, &s);
    tern__route route = tern__sim_route(s.dst);
    void *p = tern__tx_one(&port->link, &route, s.len, TERN__TX_MANY);
    if (!p) return;
    memcpy(p, s.bytes, s.len);
    port->link.ops->tx_commit(&port->link, 1);
    cluster_flush(&m->c, s.src);
    m->totals->forged++;
}

void model_watch(model *m) { tern__sim_watch(m->c.sim, watch_packets, m); }

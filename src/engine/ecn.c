/* Explicit congestion notification (RFC 3168): a link that reads marks hands them over with each packet; the packet
 * that acknowledges a marked one reports that to its sender, whose congestion control may heed it (cc.h).
 *
 * An echo is the flag ECE, and a count where the type has a field for it: CR and RFR. A RESP, which acknowledges one
 * packet, has none. RFRs of other calls echo nothing: the client alone paces those, and sees for
 * itself which response packets are marked. An echo that gets lost is not repeated. */
#include "engine/ecn.h"

/* A response packet takes the place of the client's packet that it answers: its mark counts like an echo. */
static uint32_t echoed(const tern__pkt_header *h, bool marked) {
    bool stream = h->flags & TERN__PKT_STREAM;
    if (h->flags & TERN__PKT_ECE) return h->marks ? h->marks : 1;
    return marked && h->type == TERN__PKT_RESP && !stream;
}

void tern__ecn_begin(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h) {
    tern__engine *e = s->engine;
    if (!s->ecn) return;
    e->rx_marked = pkt->ecn_ce;
    e->rx_n_echoed = echoed(h, pkt->ecn_ce);
}

void tern__ecn_echo(uint8_t *n_marked, tern__pkt_header *h) {
    if (!*n_marked) return;
    h->flags |= TERN__PKT_ECE;
    if (h->type != TERN__PKT_RESP) h->marks = *n_marked;
    *n_marked = 0;
}

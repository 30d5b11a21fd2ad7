/* Saying where the next packets of a long message belong (tern__rx_ahead in link.h), so that the link can receive them
 * there and no byte of them is copied once more.
 *
 * That is known once a packet has come in order and nothing behind it has come: the next one is most likely the next of
 * the same message. Where several long messages take turns it is not, and a wrong guess costs a copy. So a message is
 * only expected to go on when the last one that was looked at did. */
#include "engine/internal.h"
#include "mem/pool.h"

void tern__ahead_withdraw(tern__link *link, const void *message) {
    tern__rx_ahead *ahead = &link->ahead;
    if (ahead->message != message) return;
    ahead->message = NULL;
    ahead->to = NULL;
}

void tern__ahead_note(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      uint8_t *message, uint32_t size) {
    enum {
        FLAGS = 1,
        ATTEMPT = 3,
        PKT_FROM_END = 8 /* in the extension MULTI, which is the last in what is expected */
    };
    tern__rx_ahead *ahead = &s->link->ahead;
    uint32_t cut = h->cut;
    if (!s->link->takes_ahead || s->sealed) return; /* what is sealed is received elsewhere */
    if (ahead->message) ahead->trusted = ahead->message == message && ahead->pkt == h->pkt;
    ahead->to = NULL;
    ahead->message = h->pkt + 1 < tern__pkt_count(h) ? message : NULL;
    ahead->pkt = h->pkt + 1;
    if (!ahead->message || !ahead->trusted) return;
    uint32_t at = (h->pkt + 1) * cut, next = size - at < cut ? size : at + cut;
    uint32_t filled = (uint32_t)tern__sparse_reach(message, next, size);
    if (filled < next) return;
    ahead->to = message + at;
    ahead->len = filled == size ? size - at : (filled - at) / cut * cut;
    ahead->header_bytes = header_bytes - (h->flags & TERN__PKT_META ? TERN__PKT_META_BYTES : 0);
    ahead->pkt_at = ahead->header_bytes - PKT_FROM_END;
    ahead->payload_bytes = cut;
    ahead->route = s->route;
    memcpy(ahead->start, pkt->head, sizeof ahead->start);
    ahead->start[FLAGS] &= (uint8_t) ~(TERN__PKT_ECE | TERN__PKT_META);
    ahead->start[ATTEMPT] = 0; /* a REQ is expected for the first time; a RESP has the status OK here */
}

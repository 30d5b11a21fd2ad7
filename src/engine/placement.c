/* Direct placement: telling the link where the next packets of a long message belong (tern__expected in link.h), so
 * that the link can receive them there and no byte of them is copied once more.
 *
 * The place is known once a packet has come in order and nothing behind it has come: the next packet of this message is
 * most likely the next one in number. Each message that is put together in order has an expectation of its own, which
 * each packet moves forward. The engine withdraws the expectation when a packet comes out of order and when the message
 * ends, before the message's memory is given back. */
#include "engine/placement.h"

#include "engine/arriving.h"

void tern__placement_forget(tern__link *link, const void *message) {
    if (link->ops->rx_forget) link->ops->rx_forget(link, message);
}

void tern__placement_expect(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, uint8_t **message, uint32_t size, uint32_t *charged) {
    enum {
        FLAGS = 1,
        ATTEMPT = 3,
        PKT_FROM_END = 8 /* in the extension MULTI, which is the last in what is expected */
    };
    tern__link *link = s->link;
    uint32_t cut = h->cut;
    if (!link->ops->rx_expect || s->sealed || /* what is sealed is received elsewhere */
        !(h->flags & TERN__PKT_MULTI) || cut < link->expect_bytes)
        return;
    uint32_t at = (h->pkt + 1) * cut, next = size - at < cut ? size : at + cut;
    bool more = h->pkt + 1 < tern__pkt_count(h);
    uint32_t filled = more ? (uint32_t)tern__arriving_reach(s, message, next, size, charged) : 0;
    if (filled < next || filled == 0 || tern__arriving_will_move(*message, size, *charged)) {
        tern__placement_forget(link, *message);
        return;
    }
    tern__expected expected = {
        .route = s->route,
        .message = *message,
        .to = *message + at,
        .len = filled == size ? size - at : (filled - at) / cut * cut,
        .header_bytes = header_bytes - (h->flags & TERN__PKT_META ? TERN__PKT_META_BYTES : 0),
        .payload_bytes = cut,
        .pkt = h->pkt + 1,
    };
    expected.pkt_at = expected.header_bytes - PKT_FROM_END;
    memcpy(expected.start, pkt->head, sizeof expected.start);
    expected.start[FLAGS] &= (uint8_t) ~(TERN__PKT_ECE | TERN__PKT_META);
    expected.start[ATTEMPT] = 0; /* a REQ is expected for the first time; a RESP has the status OK here */
    link->ops->rx_expect(link, &expected);
}

/* Clients without an engine (stranger.h). */
#include "stranger.h"

#include "setup_packet.h"

/* The server's last packet is left; all others are forgotten. */
static bool last_answer(loop *l, tern__pkt_header *h) {
    loop_tick(l);
    if (!loop_peek(l, 1, 0, h)) return false;
    while (loop_peek(l, 1, 1, h)) loop_drop(l, 1, 0);
    return loop_peek(l, 1, 0, h);
}

static bool offer(stranger *s, uint64_t token, uint32_t own_number, uint64_t cookie, tern__pkt_header *h) {
    uint8_t packet[TERN__CONNECT_BYTES];
    tern__setup setup = setup_usual(token, own_number, cookie);
    setup_connect(&setup, packet);
    loop_inject_from(s->l, 1, &s->route, packet, sizeof packet);
    return last_answer(s->l, h);
}

stranger stranger_connect(loop *l, uint32_t nth, uint8_t network) {
    static uint32_t n_connects;
    stranger s = {.l = l, .route = {.len = 4, .bytes = {99, (uint8_t)nth, (uint8_t)(nth >> 8), network}}};
    uint64_t token = 0x1000000u + ++n_connects, cookie = 0;
    tern__pkt_header h;
    uint32_t len;
    bool answered = offer(&s, token, n_connects, cookie, &h);
    if (answered && h.type == TERN__PKT_RETRY) {
        cookie = tern__load64(loop_bytes(l, 1, 0, &len) + TERN__PKT_HEADER_BYTES + 8);
        loop_drop(l, 1, 0);
        answered = offer(&s, token, n_connects, cookie, &h);
    }
    if (answered && h.type == TERN__PKT_ACCEPT) {
        const uint8_t *packet = loop_bytes(l, 1, 0, &len);
        tern__setup setup = setup_of(packet, len);
        s.number = setup.number;
        s.tag = setup.tag;
    }
    loop_drop(l, 1, 0);
    return s;
}

bool stranger_send(const stranger *s, tern__pkt_header h, uint32_t payload, tern__pkt_header *answer) {
    static uint8_t packet[TERN__PKT_MAX_HEADER_BYTES + STRANGER_PAYLOAD];
    tern__pkt_header dropped;
    h.flags |= s->l->config.reliable ? 0 : TERN__PKT_TAG;
    h.session = s->number;
    h.tag = s->tag;
    loop_cut(&h, STRANGER_PAYLOAD);
    tern__pkt_write(&h, packet);
    loop_inject_from(s->l, 1, &s->route, packet, tern__pkt_header_bytes(&h) + payload);
    bool any = last_answer(s->l, answer ? answer : &dropped);
    loop_drop(s->l, 1, 0);
    return any;
}

bool stranger_put(const stranger *s, uint32_t req, uint32_t nth, uint32_t size, tern__pkt_header *answer) {
    uint32_t at = nth * STRANGER_PAYLOAD, payload = size - at < STRANGER_PAYLOAD ? size - at : STRANGER_PAYLOAD;
    tern__pkt_header h = {.type = TERN__PKT_REQ, .req = req, .pkt = nth, .size = size, .method = 7};
    return stranger_send(s, h, payload, answer);
}

/* What is the same in every version of the protocol, and what two sides do that have none in common.
 *
 * In every version the first byte of a packet is version << 4 | type, bytes 4 to 7 are the receiver's number of the
 * session, and a CONNECT (type 4) has the client's token in bytes 24 to 31 and its number in bytes 40 to 43.
 *
 * A packet of a version that we do not know is answered by those that we do:
 *
 *   0        1                 4                 8                24           32
 *   +--------+-----------------+-----------------+----------------+------------+---------------------
 *   | 0 | 14 | 0               | number u32      | 0              | token u64  | versions u8 ..., 0s
 *   +--------+-----------------+-----------------+----------------+------------+---------------------
 *
 * number and token are those bytes of the packet answered. A client believes what echoes the token of its CONNECT. */
#include "engine/versions.h"

#include "engine/refuse.h"
#include "engine/session.h"
#include "engine/setup.h"
#include "engine/table.h"
#include "engine/tracing.h"

enum {
    NUMBER_AT = 4,
    TOKEN_AT = 24,
    CONNECT_NUMBER_AT = 40,
    VERSIONS_AT = 32,
    OWN_BYTES = VERSIONS_AT + 8,
    LEAST_BYTES = CONNECT_NUMBER_AT + 4, /* of what is answered */
    MAX_VERSION = 15,
};
_Static_assert((int)OWN_BYTES <= (int)LEAST_BYTES, "no answer is longer than what came");

/* As events tell it. */
static tern__pkt_header header_of(uint32_t number) {
    return (tern__pkt_header){.type = TERN__PKT_VERSIONS, .session = number};
}

/* One that finds the link full is forgotten. */
static void send_versions(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    if (!tern__may_answer(e, pkt, OWN_BYTES, now)) return;
    tern__pkt_header h = header_of(tern__load32(pkt->head + CONNECT_NUMBER_AT));
    uint8_t *p = tern__tx_one(pkt->link, &pkt->route, OWN_BYTES, 0);
    if (!p) return;
    memset(p, 0, OWN_BYTES);
    p[0] = TERN__PKT_VERSIONS;
    tern__store32(p + NUMBER_AT, h.session);
    memcpy(p + TOKEN_AT, pkt->head + TOKEN_AT, 8);
    p[VERSIONS_AT] = TERN__PKT_VERSION;
    pkt->link->ops->tx_commit(pkt->link, 1);
    tern__trace_sent(e, NULL, &pkt->route, &h, OWN_BYTES - TERN__PKT_HEADER_BYTES);
}

/* The versions of a list, bit v for version v. */
static uint16_t versions_in(const tern__rx_packet *pkt) {
    uint32_t mask = 0;
    for (uint32_t at = VERSIONS_AT; at < pkt->head_len && at < VERSIONS_AT + MAX_VERSION; at++)
        if (pkt->head[at] && pkt->head[at] <= MAX_VERSION) mask |= 1u << pkt->head[at];
    return (uint16_t)mask;
}

static void rx_versions(tern__engine *e, const tern__rx_packet *pkt) {
    const uint8_t *p = pkt->head;
    tern__pkt_header h = header_of(tern__load32(p + NUMBER_AT));
    tern__trace_received(e, pkt, &h, TERN__PKT_HEADER_BYTES);
    bool whole = pkt->head_len >= OWN_BYTES;
    tern__csession *cs = whole ? tern__session_connecting(e, pkt, &h, tern__load64(p + TOKEN_AT)) : NULL;
    uint16_t theirs = whole ? versions_in(pkt) : 0;
    if (!cs || (theirs >> TERN__PKT_VERSION & 1)) { /* one with our version would have understood */
        tern__drop(e, TERN__DROP_UNASKED);
        return;
    }
    tern__session_lose(&cs->s, &(tern__loss){.status = tern__refuse_status(TERN__REFUSE_VERSION),
                                             .why = TERN__WHY_REFUSED,
                                             .code = TERN__REFUSE_VERSION,
                                             .detail = theirs});
}

bool tern__versions_rx(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    if (pkt->head_len < TERN__PKT_HEADER_BYTES) return false;
    uint8_t version = pkt->head[0] >> 4, type = pkt->head[0] & 15;
    if (version == 0 && type == TERN__PKT_VERSIONS) {
        rx_versions(e, pkt);
        return true;
    }
    if (version == 0 || version == TERN__PKT_VERSION) return false;
    tern__trace_received(e, pkt, NULL, 0);
    if (type != TERN__PKT_VERSIONS && pkt->head_len >= LEAST_BYTES) send_versions(e, pkt, now);
    tern__drop(e, TERN__DROP_OTHER_VERSION);
    return true;
}

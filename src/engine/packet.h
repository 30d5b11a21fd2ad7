/* The packet header (docs/protocol.md), byte for byte. Little-endian, 24 bytes, then the extensions
 * that the flags name, in this order, then the payload.
 *
 *   0        1        2        3        4                 8        12       16       20       24
 *   +--------+--------+--------+--------+-----------------+--------+--------+--------+--------+
 *   |ver|type| flags  | format | status | session         | req    | pkt    | size   | aux    |
 *   +--------+--------+--------+--------+-----------------+--------+--------+--------+--------+
 *   [ tag u64 ]        flag TAG: the session's secret; absent on links that only the peer can write
 *   [ deadline u32 ]   flag DEADLINE: microseconds left when the packet was sent; REQ only
 *
 * 24 bytes, so that on the shm port a 32-byte payload, the header and the slot's own 8 bytes make one
 * cache line. */
#ifndef TERN_ENGINE_PACKET_H
#define TERN_ENGINE_PACKET_H

#include "base/base.h"

enum {
    TERN__PKT_VERSION = 1,
    TERN__PKT_HEADER_BYTES = 24,
    TERN__PKT_MAX_HEADER_BYTES = 24 + 8 + 4,
};

typedef enum tern__pkt_type {
    TERN__PKT_REQ = 0,  /* a packet of a request; aux = method id */
    TERN__PKT_CR = 1,   /* credit return: pkt echoes the request packet; aux = request packets received
                           so far without a gap (cumulative) */
    TERN__PKT_RFR = 2,  /* request for response: pkt = the response packet wanted; aux = response packets
                           received so far without a gap */
    TERN__PKT_RESP = 3, /* a packet of a response; pkt counts from 0; in packet 0 aux = ns from the request's
                           arrival to the response, so that the client can tell the network's share; in others the
                           status of the RFR that it answers */
    TERN__PKT_CONNECT = 4,
    TERN__PKT_ACCEPT = 5,
    TERN__PKT_REFUSE = 6,     /* of a CONNECT, or of a packet for a session that is not here */
    TERN__PKT_DISCONNECT = 7, /* either side; answered by DISCONNECTED */
    TERN__PKT_DISCONNECTED = 8,
    TERN__PKT_PING = 9, /* a client's may carry the number of the last ended request of each slot */
    TERN__PKT_PONG = 10,
    TERN__PKT_RETRY = 11,  /* in answer to a CONNECT: repeat it with this cookie */
    TERN__PKT_CANCEL = 12, /* the client no longer waits for this request */
    TERN__PKT_GOAWAY = 13, /* the server wants no new requests; the client answers with the same */
    /* In answer to a packet of a version that the answerer does not know: those that it does. Of no version: the upper
     * bits of its first byte are 0, and its layout is the same for ever (versions.c). */
    TERN__PKT_VERSIONS = 14,
} tern__pkt_type;

enum {
    TERN__PKT_TAG = 1,
    TERN__PKT_DEADLINE = 2,
    TERN__PKT_STREAM = 4, /* REQ, CR, RFR, RESP: of a streaming call; size = bytes that the peer may send (stream.h) */
    TERN__PKT_LAST = 8,   /* with STREAM: of a REQ, RESP: the last packet; of an RFR: the client has ended the call */
    /* CR, RESP, and RFR with STREAM, on sessions whose ends both read marks: packets that this one acknowledges were
     * marked (ecn.c). How many: in format of a CR, in status of a CR or RFR with STREAM. */
    TERN__PKT_ECE = 16,
    TERN__PKT_FLAGS = 31,
};

typedef struct tern__pkt_header {
    uint8_t type;   /* tern__pkt_type */
    uint8_t flags;  /* TERN__PKT_TAG, ... */
    uint8_t format; /* tern_format of the message; with STREAM: as status without, of every packet */
    /* RESP, REFUSE: a tern_status. REQ, RFR: how often the packet was sent before, at most 255; 0 for a request of one
     * packet. CR: that of the REQ that it answers. */
    uint8_t status;
    uint32_t session; /* the receiver's number for the session */
    uint32_t req;     /* request number: slot + n_slots * k; compared modulo 2^32 */
    uint32_t pkt;     /* packet number within the message, from 0 */
    uint32_t size;    /* of the whole message, bytes */
    uint32_t aux;     /* by type, above */
    uint64_t tag;
    uint32_t deadline_us;
} tern__pkt_header;

/* The encoded size of a header with these flags. */
static inline uint32_t tern__pkt_header_bytes(uint8_t flags) {
    return TERN__PKT_HEADER_BYTES + (flags & TERN__PKT_TAG ? 8 : 0) + (flags & TERN__PKT_DEADLINE ? 4 : 0);
}

static inline void tern__pkt_write(const tern__pkt_header *h, void *out) {
    uint8_t *p = (uint8_t *)out;
    p[0] = (uint8_t)(TERN__PKT_VERSION << 4 | h->type);
    p[1] = h->flags;
    p[2] = h->format;
    p[3] = h->status;
    tern__store32(p + 4, h->session);
    tern__store32(p + 8, h->req);
    tern__store32(p + 12, h->pkt);
    tern__store32(p + 16, h->size);
    tern__store32(p + 20, h->aux);
    p += TERN__PKT_HEADER_BYTES;
    if (h->flags & TERN__PKT_TAG) {
        tern__store64(p, h->tag);
        p += 8;
    }
    if (h->flags & TERN__PKT_DEADLINE) tern__store32(p, h->deadline_us);
}

/* Returns the header's length, or 0 when the bytes are no header of ours (short, other version, unknown
 * type or flag). Checks nothing about the session. */
static inline uint32_t tern__pkt_read(tern__pkt_header *h, const void *data, size_t len) {
    const uint8_t *p = (const uint8_t *)data;
    if (len < TERN__PKT_HEADER_BYTES || p[0] >> 4 != TERN__PKT_VERSION || (p[0] & 15) > TERN__PKT_GOAWAY) return 0;
    if (p[1] & ~TERN__PKT_FLAGS) return 0;
    h->type = p[0] & 15;
    h->flags = p[1];
    h->format = p[2];
    h->status = p[3];
    h->session = tern__load32(p + 4);
    h->req = tern__load32(p + 8);
    h->pkt = tern__load32(p + 12);
    h->size = tern__load32(p + 16);
    h->aux = tern__load32(p + 20);
    h->tag = 0;
    h->deadline_us = 0;
    uint32_t header_bytes = tern__pkt_header_bytes(h->flags);
    if (len < header_bytes) return 0;
    p += TERN__PKT_HEADER_BYTES;
    if (h->flags & TERN__PKT_TAG) {
        h->tag = tern__load64(p);
        p += 8;
    }
    if (h->flags & TERN__PKT_DEADLINE) h->deadline_us = tern__load32(p);
    return header_bytes;
}

#endif

/* The packet header of version 2 (docs/protocol.md), byte for byte. All numbers are little-endian. A header has 24
 * bytes, then the extensions that the type and the flags name, in this order, then the payload. Each extension has a
 * multiple of 8 bytes.
 *
 *   0        1        2        3        4            8            12           16           20           24
 *   +--------+--------+--------+--------+------------+------------+------------+------------+------------+
 *   |ver|type| flags  | b2     | b3     | session    | req        | number     | x          | y          |
 *   +--------+--------+--------+--------+------------+------------+------------+------------+------------+
 *   [ tag u64 ]                        flag TAG
 *   [ grant u64 ]                      flags STREAM and GRANT
 *   [ deadline u32 | 0 u32 ]           flags STREAM and GRANT, of a REQ
 *   [ size u64 | pkt u32 | cut u32 ]   flag MULTI
 *   [ meta u32 | 0 u32 ]               flag META
 *
 *   type               b2       b3       x                                       y
 *   REQ                format   attempt  method                                  deadline
 *   RESP               format   status   packet 0: held; others: attempt         admission
 *   CR, RFR            marks    attempt  pkt                                     received
 *   REQ with STREAM    format   attempt  pkt                                     method
 *   RESP with STREAM   attempt  status   pkt                                     received
 *   REFUSE             refused  status   code                                    0
 *   others             0        0        code                                    0
 *
 * Version and type in byte 0 and the session in bytes 4 to 7 are where they are in every version.
 *
 * A message of one packet needs no extension on a reliable link: its 24 bytes of header, 32 bytes of payload and 8
 * bytes of the shm port make one cache line. */
#ifndef TERN_ENGINE_PACKET_H
#define TERN_ENGINE_PACKET_H

#include "base/base.h"

enum {
    TERN__PKT_VERSION = 2,
    TERN__PKT_HEADER_BYTES = 24,
    TERN__PKT_TAG_BYTES = 8,
    TERN__PKT_GRANT_BYTES = 8,
    TERN__PKT_DEADLINE_BYTES = 8,
    TERN__PKT_MULTI_BYTES = 16,
    TERN__PKT_META_BYTES = 8,
    /* The longest header: that of packet 0 of a message of several packets, or of a stream's REQ, with metadata. */
    TERN__PKT_MAX_HEADER_BYTES =
        TERN__PKT_HEADER_BYTES + TERN__PKT_TAG_BYTES + TERN__PKT_MULTI_BYTES + TERN__PKT_META_BYTES,
    TERN__META_ALIGN = 8, /* the length of a metadata block is a multiple of this */
};

typedef enum tern__pkt_type {
    TERN__PKT_REQ = 0,  /* a packet of a request */
    TERN__PKT_CR = 1,   /* credit return: answers a request packet */
    TERN__PKT_RFR = 2,  /* request for response: asks for a response packet; of a stream: answers one */
    TERN__PKT_RESP = 3, /* a packet of a response */
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
    /* Room for types to come: b2 is the subtype, of which none is known. Never answered. */
    TERN__PKT_EXTENSION = 15,
} tern__pkt_type;

enum {
    TERN__PKT_TAG = 1,   /* the session's secret; absent on links that only the peer can write */
    TERN__PKT_MULTI = 2, /* REQ, RESP: the message has several packets. Without it the packet is the whole message */
    TERN__PKT_GRANT = 2, /* The same bit with STREAM: what the peer may send follows; in a REQ also the deadline */
    TERN__PKT_META =
        4, /* packet 0 of a REQ or RESP: the message begins with metadata. With STREAM, of a REQ or RESP: the
                             packet has bytes of the metadata block (stream_meta.h) */
    TERN__PKT_STREAM = 8, /* REQ, CR, RFR, RESP: of a streaming call (stream.h) */
    TERN__PKT_ECE = 16,   /* CR, RFR, RESP: packets that this one acknowledges were marked (ecn.c) */
    TERN__PKT_LAST = 32,  /* with STREAM: the last packet of a REQ or RESP; of an RFR: the client has ended the call */
    TERN__PKT_KEY = 64,   /* the key phase of a sealed packet (sealed.c); no other packet may have it */
};

/* Of the byte that says a message's format the lower three bits are a tern_format, and the next two say how the message
 * is compressed: no way is known, so whatever they say makes a format that is none. The upper three are a priority,
 * which is not looked at. */
enum { TERN__PKT_FORMAT_BITS = 31 };

/* Of a CANCEL's `code` the low 16 bits are a tern__cancel_code, or with this bit the application's own. */
#define TERN__CANCEL_APPLICATION (1u << 31)

/* What a header says. A field that the packet's type and flags do not have is 0, and is not written. */
typedef struct tern__pkt_header {
    uint8_t type;     /* tern__pkt_type */
    uint8_t flags;    /* TERN__PKT_TAG, ... */
    uint8_t format;   /* REQ, RESP: tern_format of the message, or a number that is none: see
                         TERN__PKT_FORMAT_BITS. REQ with STREAM: what the server is to write in */
    uint8_t status;   /* RESP, REFUSE: tern_status. RESP with STREAM: of the LAST packet */
    uint8_t attempt;  /* REQ, RFR, RESP with STREAM: how often the packet was sent before, 255 at most. CR, RFR with
                         STREAM, RESP but packet 0: that of the packet that is answered */
    uint8_t marks;    /* CR, RFR with ECE: how many of the packets acknowledged were marked; 0 means 1 */
    uint8_t refused;  /* REFUSE: the type of the packet that is refused */
    uint32_t session; /* the receiver's number for the session */
    uint32_t req;     /* request number: slot + n_slots * k; compared modulo 2^32 */
    uint32_t number;  /* low half of the packet's number in its session and direction; 0 on reliable links, unless the
                         session is sealed */
    uint32_t pkt; /* REQ, RESP: number within the message or stream, from 0. CR: of the packet that is answered. RFR:
                         of the packet that is wanted; with STREAM: that is answered */
    uint32_t received;    /* CR, RFR, RESP with STREAM: packets received so far without a gap */
    uint32_t method;      /* REQ */
    uint32_t deadline_us; /* REQ: time left when the packet was sent, UINT32_MAX at most; 0: no deadline. With STREAM
                             only beside a grant: the packets that may open the call have it */
    uint32_t held_ns;     /* RESP, packet 0: from the request's arrival to the response */
    uint32_t admission;   /* RESP: what the server admits, and whether the handler has begun (admission.h) */
    uint32_t code;        /* CANCEL: why. REFUSE: a tern__refuse_code, and a detail from bit 16 on */
    uint32_t meta_bytes;  /* META: of the whole metadata block, a multiple of 8 */
    uint32_t cut;         /* MULTI: packet pkt carries the message's bytes [pkt * cut, pkt * cut + cut) */
    uint64_t size;        /* REQ, RESP without STREAM: of the whole message, metadata included */
    uint64_t grant;       /* STREAM and GRANT: bytes that the receiver of this packet may send in all; else 0 */
    uint64_t tag;
} tern__pkt_header;

static inline bool tern__pkt_is_multi(uint8_t flags) {
    return (flags & (TERN__PKT_MULTI | TERN__PKT_STREAM)) == TERN__PKT_MULTI;
}

static inline bool tern__pkt_has_grant(uint8_t flags) {
    return (flags & (TERN__PKT_GRANT | TERN__PKT_STREAM)) == (TERN__PKT_GRANT | TERN__PKT_STREAM);
}

/* The encoded size of a header of this type with these flags. */
static inline uint32_t tern__pkt_header_bytes(const tern__pkt_header *h) {
    uint32_t bytes = TERN__PKT_HEADER_BYTES;
    if (h->flags & TERN__PKT_TAG) bytes += TERN__PKT_TAG_BYTES;
    if (tern__pkt_has_grant(h->flags))
        bytes += TERN__PKT_GRANT_BYTES + (h->type == TERN__PKT_REQ ? TERN__PKT_DEADLINE_BYTES : 0);
    if (tern__pkt_is_multi(h->flags)) bytes += TERN__PKT_MULTI_BYTES;
    if (h->flags & TERN__PKT_META) bytes += TERN__PKT_META_BYTES;
    return bytes;
}

/* The message begins with a metadata block of so many bytes; of a message without one nothing is said. */
static inline void tern__pkt_set_meta(tern__pkt_header *h, uint32_t meta_bytes) {
    h->meta_bytes = meta_bytes;
    if (meta_bytes) h->flags |= TERN__PKT_META;
}

/* How many packets a message has that its sender cuts into `cut` bytes per packet: at least one. A message leaves whole
 * in one packet if it fits the room that a full packet has without the extension MULTI. */
static inline bool tern__pkt_is_whole(uint64_t size, uint32_t cut) {
    return size <= (uint64_t)cut + TERN__PKT_MULTI_BYTES;
}

static inline uint32_t tern__n_pkts(uint64_t size, uint32_t cut) {
    return tern__pkt_is_whole(size, cut) ? 1 : (uint32_t)((size + cut - 1) / cut);
}

/* Of the payload of packet `pkt`, one of these. */
static inline uint32_t tern__pkt_bytes(uint64_t size, uint32_t cut, uint32_t pkt) {
    uint64_t left = size - (uint64_t)pkt * cut;
    return tern__pkt_is_whole(size, cut) ? (uint32_t)size : left < cut ? (uint32_t)left : cut;
}

/* Makes h the header of packet `pkt` of a message of `size` bytes that its sender cuts so. */
static inline void tern__pkt_of_message(tern__pkt_header *h, uint32_t pkt, uint64_t size, uint32_t cut) {
    h->pkt = pkt;
    h->size = size;
    if (tern__pkt_is_whole(size, cut)) return;
    h->flags |= TERN__PKT_MULTI;
    h->cut = cut;
}

/* The packets of the message that a header, which was read, is part of. */
static inline uint32_t tern__pkt_count(const tern__pkt_header *h) {
    return h->flags & TERN__PKT_MULTI ? (uint32_t)((h->size - 1) / h->cut) + 1 : 1;
}

/* Writes tern__pkt_header_bytes(h) bytes. */
void tern__pkt_write(const tern__pkt_header *h, void *out);

/* Reads the header of a packet of packet_bytes bytes, of which the first `len` are at `data`. Returns the header's
 * length, or 0 when the packet is none of ours: too short, of another version or an unknown type, with a flag that its
 * type does not have, or with lengths that contradict each other. Checks nothing about the session.
 *
 * After success a REQ or RESP without STREAM has in `size` the length of its message, also when that came whole; pkt is
 * less than tern__pkt_count(), and the payload is as long as the packet's share of the message. */
uint32_t tern__pkt_read(tern__pkt_header *h, const void *data, size_t len, uint64_t packet_bytes);

/* The same for a sealed packet, which has overhead_bytes bytes more behind its payload, and may have the flag KEY. All
 * that the header says is to be believed only once the packet has been opened. */
uint32_t tern__pkt_read_sealed(tern__pkt_header *h, const void *data, size_t len, uint64_t packet_bytes,
                               uint32_t overhead_bytes);

#endif

/* Headers as bytes (packet.h). */
#include "engine/packet.h"

enum { FLAGS_AT = 1, B2_AT = 2, B3_AT = 3, SESSION_AT = 4, REQ_AT = 8, NUMBER_AT = 12, X_AT = 16, Y_AT = 20 };

/* The flags that a packet of this type may have; of the types that are not here, TAG alone. */
static const uint8_t type_flags[16] = {
    [TERN__PKT_REQ] = TERN__PKT_TAG | TERN__PKT_MULTI | TERN__PKT_META | TERN__PKT_STREAM | TERN__PKT_LAST,
    [TERN__PKT_CR] = TERN__PKT_TAG | TERN__PKT_STREAM | TERN__PKT_GRANT | TERN__PKT_ECE,
    [TERN__PKT_RFR] = TERN__PKT_TAG | TERN__PKT_STREAM | TERN__PKT_GRANT | TERN__PKT_LAST | TERN__PKT_ECE,
    [TERN__PKT_RESP] =
        TERN__PKT_TAG | TERN__PKT_MULTI | TERN__PKT_META | TERN__PKT_STREAM | TERN__PKT_LAST | TERN__PKT_ECE,
};

static bool are_flags_known(uint8_t type, uint8_t flags) {
    bool is_message = type == TERN__PKT_REQ || type == TERN__PKT_RESP;
    if (flags & (uint8_t) ~(type_flags[type] | TERN__PKT_TAG)) return false;
    return flags & TERN__PKT_STREAM || !(flags & (is_message ? TERN__PKT_LAST : TERN__PKT_LAST | TERN__PKT_GRANT));
}

/* ---- The fields that differ by type: b2, b3, x and y ---------------------------------------------- */

typedef struct body {
    uint8_t b2, b3;
    uint32_t x, y;
} body;

static body body_of(const tern__pkt_header *h) {
    bool stream = h->flags & TERN__PKT_STREAM;
    switch (h->type) {
    case TERN__PKT_REQ:
        if (stream) return (body){h->format, h->attempt, h->pkt, h->method};
        return (body){h->format, h->attempt, h->method, h->deadline_us};
    case TERN__PKT_RESP:
        if (stream) return (body){h->attempt, h->status, h->pkt, h->received};
        return (body){h->format, h->status, h->pkt ? h->attempt : h->held_ns, h->admission};
    case TERN__PKT_CR:
    case TERN__PKT_RFR: return (body){h->marks, h->attempt, h->pkt, h->received};
    case TERN__PKT_REFUSE: return (body){h->refused, h->status, h->code, 0};
    default: return (body){0, 0, h->code, 0};
    }
}

static void read_req(tern__pkt_header *h, const body *b) {
    h->format = b->b2 & TERN__PKT_FORMAT_BITS;
    h->attempt = b->b3;
    if (h->flags & TERN__PKT_STREAM) {
        h->pkt = b->x;
        h->method = b->y;
    } else {
        h->method = b->x;
        h->deadline_us = b->y;
    }
}

/* The extension MULTI has been read: it says which packet this is. */
static void read_resp(tern__pkt_header *h, const body *b) {
    h->status = b->b3;
    if (h->flags & TERN__PKT_STREAM) {
        h->attempt = b->b2;
        h->pkt = b->x;
        h->received = b->y;
        return;
    }
    h->format = b->b2 & TERN__PKT_FORMAT_BITS;
    h->admission = b->y;
    if (h->pkt)
        h->attempt = (uint8_t)b->x;
    else
        h->held_ns = b->x;
}

static void read_body(tern__pkt_header *h, const body *b) {
    switch (h->type) {
    case TERN__PKT_REQ: read_req(h, b); break;
    case TERN__PKT_RESP: read_resp(h, b); break;
    case TERN__PKT_CR:
    case TERN__PKT_RFR:
        h->marks = b->b2;
        h->attempt = b->b3;
        h->pkt = b->x;
        h->received = b->y;
        break;
    case TERN__PKT_REFUSE:
        h->refused = b->b2;
        h->status = b->b3;
        h->code = b->x;
        break;
    default: h->code = b->x; break;
    }
}

/* ---- Extensions ----------------------------------------------------------------------------------- */

static void write_extensions(const tern__pkt_header *h, uint8_t *p) {
    if (h->flags & TERN__PKT_TAG) {
        tern__store64(p, h->tag);
        p += TERN__PKT_TAG_BYTES;
    }
    if (tern__pkt_has_grant(h->flags)) {
        tern__store64(p, h->grant);
        p += TERN__PKT_GRANT_BYTES;
        if (h->type == TERN__PKT_REQ) {
            tern__store64(p, h->deadline_us);
            p += TERN__PKT_DEADLINE_BYTES;
        }
    }
    if (tern__pkt_is_multi(h->flags)) {
        tern__store64(p, h->size);
        tern__store32(p + 8, h->pkt);
        tern__store32(p + 12, h->cut);
        p += TERN__PKT_MULTI_BYTES;
    }
    if (h->flags & TERN__PKT_META) tern__store64(p, h->meta_bytes);
}

static void read_extensions(tern__pkt_header *h, const uint8_t *p) {
    if (h->flags & TERN__PKT_TAG) {
        h->tag = tern__load64(p);
        p += TERN__PKT_TAG_BYTES;
    }
    if (tern__pkt_has_grant(h->flags)) {
        h->grant = tern__load64(p);
        p += TERN__PKT_GRANT_BYTES;
        if (h->type == TERN__PKT_REQ) {
            h->deadline_us = tern__load32(p);
            p += TERN__PKT_DEADLINE_BYTES;
        }
    }
    if (tern__pkt_is_multi(h->flags)) {
        h->size = tern__load64(p);
        h->pkt = tern__load32(p + 8);
        h->cut = tern__load32(p + 12);
        p += TERN__PKT_MULTI_BYTES;
    }
    if (h->flags & TERN__PKT_META) h->meta_bytes = tern__load32(p);
}

/* A message of several packets has more bytes than one packet carries, and packets that 32 bits can number; the payload
 * is exactly the packet's share. */
static bool is_share_right(const tern__pkt_header *h, uint64_t payload) {
    uint64_t cut = h->cut, at = h->pkt * cut; /* without divisions, which take longer than all the rest */
    if (!cut || h->size <= cut || h->size > UINT32_MAX * cut || at >= h->size) return false;
    uint64_t left = h->size - at;
    return payload == (left < cut ? left : cut);
}

/* A packet of a stream has bytes of the block alone; a message begins with the whole block. */
static bool is_metadata_right(const tern__pkt_header *h, uint64_t payload) {
    if (h->meta_bytes == 0 || h->meta_bytes % TERN__META_ALIGN) return false;
    if (h->flags & TERN__PKT_STREAM) return payload > 0 && payload <= h->meta_bytes;
    return h->pkt == 0 && h->meta_bytes <= h->size;
}

/* ---- Both ----------------------------------------------------------------------------------------- */

void tern__pkt_write(const tern__pkt_header *h, void *out) {
    uint8_t *p = (uint8_t *)out;
    body b = body_of(h);
    p[0] = (uint8_t)(TERN__PKT_VERSION << 4 | h->type);
    p[FLAGS_AT] = h->flags;
    p[B2_AT] = b.b2;
    p[B3_AT] = b.b3;
    tern__store32(p + SESSION_AT, h->session);
    tern__store32(p + REQ_AT, h->req);
    tern__store32(p + NUMBER_AT, h->number);
    tern__store32(p + X_AT, b.x);
    tern__store32(p + Y_AT, b.y);
    write_extensions(h, p + TERN__PKT_HEADER_BYTES);
}

/* more: a flag that the packet may have beside those of its type. */
static uint32_t read_packet(tern__pkt_header *h, const void *data, size_t len, uint64_t packet_bytes,
                            uint32_t overhead_bytes, uint8_t more) {
    const uint8_t *p = (const uint8_t *)data;
    if (len < TERN__PKT_HEADER_BYTES || p[0] >> 4 != TERN__PKT_VERSION) return 0;
    *h = (tern__pkt_header){.type = p[0] & 15, .flags = p[FLAGS_AT]};
    if (h->type == TERN__PKT_EXTENSION) { /* what its flags mean and add is not known */
        h->flags = 0;
        h->session = tern__load32(p + SESSION_AT);
        return TERN__PKT_HEADER_BYTES;
    }
    if (h->type == TERN__PKT_VERSIONS) return 0;
    uint32_t header_bytes = TERN__PKT_HEADER_BYTES;
    if (h->flags) { /* else, as in all short messages over a link that loses none, nothing of this matters */
        if (!are_flags_known(h->type, h->flags & (uint8_t)~more)) return 0;
        header_bytes = tern__pkt_header_bytes(h);
        if (len < header_bytes) return 0;
        read_extensions(h, p + TERN__PKT_HEADER_BYTES);
    }
    if (packet_bytes - header_bytes < overhead_bytes) return 0;
    h->session = tern__load32(p + SESSION_AT);
    h->req = tern__load32(p + REQ_AT);
    h->number = tern__load32(p + NUMBER_AT);
    body b = {p[B2_AT], p[B3_AT], tern__load32(p + X_AT), tern__load32(p + Y_AT)};
    read_body(h, &b);
    uint64_t payload = packet_bytes - header_bytes - overhead_bytes;
    bool message = (h->type == TERN__PKT_REQ || h->type == TERN__PKT_RESP) && !(h->flags & TERN__PKT_STREAM);
    if (tern__pkt_is_multi(h->flags)) {
        if (!is_share_right(h, payload)) return 0;
    } else if (message) {
        h->size = payload;
    }
    if (h->flags & TERN__PKT_META && !is_metadata_right(h, payload)) return 0;
    return header_bytes;
}

uint32_t tern__pkt_read(tern__pkt_header *h, const void *data, size_t len, uint64_t packet_bytes) {
    return read_packet(h, data, len, packet_bytes, 0, 0);
}

uint32_t tern__pkt_read_sealed(tern__pkt_header *h, const void *data, size_t len, uint64_t packet_bytes,
                               uint32_t overhead_bytes) {
    return read_packet(h, data, len, packet_bytes, overhead_bytes, TERN__PKT_KEY);
}

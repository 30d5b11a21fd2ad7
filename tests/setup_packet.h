/* CONNECTs made by hand: those of strangers, of peers with setups of their own, of a forger. */
#ifndef TERN_TESTS_SETUP_PACKET_H
#define TERN_TESTS_SETUP_PACKET_H

#include "engine/packet.h"
#include "engine/setup.h"

/* A setup of a peer that can do what we can. */
static inline tern__setup setup_usual(uint64_t token, uint32_t number, uint64_t cookie) {
    return (tern__setup){.token = token,
                         .number = number,
                         .max_packet = 1000,
                         .credits = 32,
                         .formats = 7,
                         .n_slots = 8,
                         .n_streams = 32,
                         .cookie = cookie};
}

/* The CONNECT with this setup, of TERN__CONNECT_BYTES. */
static inline void setup_connect(const tern__setup *setup, uint8_t *packet) {
    uint32_t room = TERN__CONNECT_BYTES - TERN__PKT_HEADER_BYTES;
    tern__pkt_header h = {.type = TERN__PKT_CONNECT, .size = room};
    tern__pkt_write(&h, packet);
    tern__setup_write(setup, room, packet + TERN__PKT_HEADER_BYTES);
}

/* The setup in a packet of len bytes, a CONNECT or an ACCEPT that can be taken; zeros when it is none. */
static inline tern__setup setup_of(const uint8_t *packet, uint32_t len) {
    tern__pkt_header h;
    tern__setup setup = {0};
    uint16_t type;
    uint32_t header_bytes = tern__pkt_read(&h, packet, len, len);
    bool is_setup = header_bytes && (h.type == TERN__PKT_CONNECT || h.type == TERN__PKT_ACCEPT) &&
                    len - header_bytes >= TERN__SETUP_FIXED_BYTES;
    if (!is_setup || tern__setup_read(packet + header_bytes, len - header_bytes, &setup, &type))
        return (tern__setup){0};
    return setup;
}

/* The record of this type in a setup of len bytes, without its critical bit; NULL when there is none. */
static inline uint8_t *setup_record(uint8_t *setup, uint32_t len, uint16_t type) {
    for (uint32_t at = TERN__SETUP_FIXED_BYTES; at + 8 <= len; at += (4 + tern__load16(setup + at + 2) + 7) & ~7u)
        if (tern__load16(setup + at) == type) return setup + at;
    return NULL;
}

#endif

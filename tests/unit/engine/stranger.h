/* Clients without an engine: they have routes of their own to the server of a loop, and send it what a test wants. */
#ifndef TERN_TESTS_STRANGER_H
#define TERN_TESTS_STRANGER_H

#include "loop.h"

enum { STRANGER_PAYLOAD = 900 /* bytes of a full packet */ };

typedef struct stranger {
    loop *l;
    tern__route route;
    uint32_t number; /* of the session at the server; 0: it was refused */
    uint64_t tag;
} stranger;

/* The nth stranger, who may have several sessions, of a network, opens a session. */
stranger stranger_connect(loop *l, uint32_t nth, uint8_t network);
/* A packet of this header's type, with so many bytes behind it, all 0. What the server answers is forgotten but for the
 * header of the last packet, in *answer unless that is NULL. False: it answers nothing. */
bool stranger_send(const stranger *s, tern__pkt_header h, uint32_t payload, tern__pkt_header *answer);
/* Packet nth of a request of `size` bytes. */
bool stranger_put(const stranger *s, uint32_t req, uint32_t nth, uint32_t size, tern__pkt_header *answer);

#endif

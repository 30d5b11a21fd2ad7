/* What the packets that set a session up carry behind their headers (docs/protocol.md, Sessions). */
#ifndef TERN_ENGINE_SETUP_H
#define TERN_ENGINE_SETUP_H

#include "base/base.h"

enum {
    TERN__SETUP_BYTES = 40,  /* CONNECT, ACCEPT: token 8, tag 8, session 4, max_packet 4, credits 4, formats 1, slots 1,
                                flags 2, cookie or incarnation 8 */
    TERN__RETRY_BYTES = 16,  /* token 8, cookie 8 */
    TERN__REFUSE_BYTES = 12, /* token or tag 8, session 4 */
    TERN__SETUP_ECN = 1,     /* in the setup's last flags: the sender reads marks and wants to hear of them */
};

typedef struct tern__setup {
    uint64_t token, tag;
    uint64_t proof; /* CONNECT: the server's cookie, or 0; ACCEPT: the server's incarnation */
    uint32_t session, max_packet, credits;
    uint8_t formats, n_slots;
    bool ecn;
} tern__setup;

#endif

/* Where the next packets of a long message belong (ahead.c). */
#ifndef TERN_ENGINE_AHEAD_H
#define TERN_ENGINE_AHEAD_H

#include "engine/engine_record.h"

/* A packet of a message has come in order, and nothing behind it; the message is being put together here. */
void tern__ahead_note(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      uint8_t *message, uint32_t size);
/* Nothing is received for this message any more, or not in order. */
void tern__ahead_withdraw(tern__link *link, const void *message);

#endif

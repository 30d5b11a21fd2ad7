/* Where the next packets of a long message belong (placement.c). */
#ifndef TERN_ENGINE_PLACEMENT_H
#define TERN_ENGINE_PLACEMENT_H

#include "engine/engine_record.h"

/* A packet of a message of `size` bytes, which is put together at *message (which may move), has come in order and
 * nothing behind it: the link is told where the next packets belong. *charged: as in arriving.h. If none come any more
 * the link is told to forget the message. */
void tern__placement_expect(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, uint8_t **message, uint32_t size, uint32_t *charged);
/* Packets of the message come no more, or out of order. The link writes nothing to the message after the return. */
void tern__placement_forget(tern__link *link, const void *message);

#endif

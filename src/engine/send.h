/* Sending messages (send.c). */
#ifndef TERN_ENGINE_SEND_H
#define TERN_ENGINE_SEND_H

#include "engine/tx.h"

/* A single-packet message straight into the link. 1: sent; 0: the link is full or the head too long for
 * it; negative: TERN_ERR_* and nothing was sent. */
int tern__plan_send(struct tern__session *s, const tern__plan *plan, const tern__pkt_header *h);

/* Post bytes [at, at + len) to the packet that is being built, with at most *budget posts, which are taken from it.
 * Returns the number of bytes posted, less than len only when the budget is spent; or TERN_ERR_INVALID. */
int64_t tern__out_post(tern__tx *tx, tern__out *out, uint32_t at, uint32_t len, uint32_t *budget);

/* Send packet h->pkt of a retained message. False: the link is full. */
bool tern__out_send(struct tern__session *s, tern__out *out, const tern__pkt_header *h);

/* Send up to n packets, at most TERN__TX_BATCH, of a retained message. The first is packet first->pkt, which is not
 * packet 0; none was sent before, and their headers differ in their numbers only. Returns how many were sent; 0: the
 * link is full. */
uint32_t tern__out_send_several(struct tern__session *s, tern__out *out, const tern__pkt_header *first, uint32_t n);

#endif

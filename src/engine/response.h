/* A response that is put together at the client: in a buffer, or, if its call borrows, in a loan. */
#ifndef TERN_ENGINE_RESPONSE_H
#define TERN_ENGINE_RESPONSE_H

#include "engine/engine_record.h"
#include "engine/loan.h"

/* Room for the response of the call in slot i, whose packet 0 this is, within the limits and on the account, and that
 * packet in it. Its window is there if it has several. False: the limits, the account or memory have no room. */
bool tern__response_open(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes);

/* Put packet `nth` of the response into its place. False: no memory. */
bool tern__response_put(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, uint32_t nth,
                        uint32_t header_bytes);

/* What is there of the response, and its place on the account, go. */
void tern__response_drop(tern__csession *cs, tern__cslot *slot);

/* Whether it is in a loan. */
static inline bool tern__response_is_lent(const tern__csession *cs, uint32_t i) {
    return i < TERN__N_SLOTS && tern__slots_of(cs)->lent >> i & 1;
}

/* Take it out of slot i, which then has none. The account is the caller's to settle, for slot->in_size bytes, and so is
 * what is returned: a buffer, or a tern_loan. */
static inline void *tern__response_take(tern__csession *cs, uint32_t i) {
    void *in = cs->slots[i].in;
    cs->slots[i].in = NULL;
    tern__slots_of(cs)->lent &= (uint8_t) ~(1u << i);
    return in;
}

#endif

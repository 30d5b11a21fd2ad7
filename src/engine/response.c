/* Responses put together (response.h). */
#include "engine/response.h"

#include "engine/account.h"
#include "engine/arriving.h"
#include "engine/message.h"
#include "engine/placement.h"

static bool may_borrow(const tern__csession *cs, const tern__cslot *slot) {
    const tern__engine *e = cs->s.engine;
    return e->borrows && cs->s.link->reliable && e->borrows(e->config.user, slot->call);
}

/* In a loan, or in a buffer which gets memory as its packets come. */
bool tern__response_open(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes) {
    const tern__engine *e = cs->s.engine;
    tern__cslot *slot = &cs->slots[i];
    uint32_t *charged = &tern__slots_of(cs)->charged[i];
    if (h->size > e->config.max_message_bytes) return false;
    uint32_t size = (uint32_t)h->size;
    tern_loan *loan =
        may_borrow(cs, slot) ? tern__loan_begin(pkt, header_bytes, h->meta_bytes, tern__pkt_count(h)) : NULL;
    *charged = 0;
    slot->in = loan ? (uint8_t *)loan
                    : tern__arriving_new(&cs->s, tern__payload_bytes(pkt, header_bytes), size, true, false, charged);
    slot->in_size = size;
    if (!slot->in) return false;
    if (!loan) return tern__response_put(cs, i, pkt, 0, header_bytes);
    tern__slots_of(cs)->lent |= (uint8_t)(1u << i);
    return true;
}

bool tern__response_put(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, uint32_t nth,
                        uint32_t header_bytes) {
    tern__cslot *slot = &cs->slots[i];
    if (tern__response_is_lent(cs, i)) {
        uint32_t bytes = (uint32_t)tern__payload_bytes(pkt, header_bytes);
        /* On a reliable link packets come in their order. */
        if (nth != slot->win->base || !tern__charge(&cs->s, bytes)) return false;
        tern__slots_of(cs)->charged[i] += bytes;
        return tern__loan_add((tern_loan *)(void *)slot->in, pkt, header_bytes, nth + 1 == slot->win->total);
    }
    size_t at = nth ? (size_t)nth * slot->win->cut : 0;
    size_t reach = at + tern__payload_bytes(pkt, header_bytes);
    if (!tern__arriving_reach(&cs->s, &slot->in, reach, slot->in_size, &tern__slots_of(cs)->charged[i])) return false;
    tern__payload_copy(pkt, header_bytes, slot->in + at);
    return true;
}

void tern__response_drop(tern__csession *cs, tern__cslot *slot) {
    if (!slot->in) return;
    uint32_t i = (uint32_t)(slot - cs->slots);
    tern__placement_forget(cs->s.link, slot->in);
    tern__uncharge(&cs->s, tern__slots_of(cs)->charged[i]);
    if (tern__response_is_lent(cs, i))
        tern__loan_unref(tern__response_take(cs, i));
    else
        tern_unref(tern__response_take(cs, i));
}

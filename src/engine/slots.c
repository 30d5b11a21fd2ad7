/* Slots are lent to a client's session while it has calls in flight, or, where sessions are few, had some lately. An
 * idle session is therefore small, and with thousands of sessions those few that work use the same memory, which the
 * caches hold (bench/rpc_sessions, sim_scale). What is given back is clean (client_record.h), and the next to come
 * takes the last that was given. Their timer stays as it is set: it is early enough for most calls of whoever has
 * them next, and for nobody's it is dropped when it is due. */
#include "engine/slots.h"

#include "engine/keepalive.h"

/* Room for one more timer. */
static bool has_work_room(tern__engine *e) {
    enum { FIRST = 4 };
    if (e->n_slots < e->work_room) return true;
    uint32_t room = e->work_room ? 2 * e->work_room : FIRST;
    tern__due *dues = tern_alloc_private(room * sizeof *dues);
    if (!dues) return false;
    if (e->work.n) memcpy(dues, e->work.dues, e->work.n * sizeof *dues);
    tern_unref(e->work.dues);
    e->work.dues = dues;
    e->work_room = room;
    return true;
}

static tern__slots *make_slots(tern__engine *e) {
    tern__slots *block = has_work_room(e) ? tern__slab_take(&e->kinds.slots) : NULL;
    if (!block) return NULL;
    *block = (tern__slots){.timer.due = TERN__NEVER};
    e->n_slots++;
    return block;
}

bool tern__client_take_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = e->spare_slots;
    if (block) {
        e->spare_slots = block->next;
        e->n_spare_slots--;
    } else {
        block = make_slots(e);
        if (!block) return false;
    }
    block->cs = cs;
    block->left_at = block->gap_ns = 0;
    cs->slots = block->slot;
    /* On reliable links calls wait for nothing else in the end: keepalive.c. */
    if (block->timer.due == TERN__NEVER && cs->s.link->reliable) tern__work_set(cs, tern__client_watch_due(cs, e->now));
    return true;
}

void tern__slots_free(tern__engine *e, tern__slots *block) {
    tern__heap_set(&e->work, &block->timer, TERN__NEVER);
    tern__slab_give(block);
    e->n_slots--;
}

void tern__client_free_spares(tern__engine *e) {
    while (e->spare_slots) {
        tern__slots *block = e->spare_slots;
        e->spare_slots = block->next;
        tern__slots_free(e, block);
    }
    e->n_spare_slots = 0;
}

void tern__client_req_header(tern__csession *cs, const tern__cslot *slot, uint8_t format, tern_time now,
                             tern__pkt_header *h) {
    tern__session_set_header(&cs->s, TERN__PKT_REQ, h);
    h->format = format;
    h->req = slot->req;
    h->method = slot->method;
    if (slot->deadline) {
        uint64_t left_us = slot->deadline > now ? (slot->deadline - now + 999) / 1000 : 1; /* 0 means none */
        h->deadline_us = left_us < UINT32_MAX ? (uint32_t)left_us : UINT32_MAX;
    }
}

/* Streaming calls have places of their own, so that they take no slots from single calls. A session gets them with its
 * first stream, and keeps them until it ends, because they know the last numbers. Their timers are that of the slots,
 * which are not given back while there is a stream. */
#include "engine/places.h"

static uint32_t bit_of_place(uint32_t i) { return 1u << (i - TERN__N_SLOTS); }

static uint32_t all_places(const tern__csession *cs) {
    uint32_t n = cs->s.cold->n_streams;
    return n < 32 ? (1u << n) - 1 : UINT32_MAX;
}

static uint32_t free_places(const tern__csession *cs) {
    const tern__places *places = tern__places_of(cs);
    return all_places(cs) & ~(places ? places->taken : 0);
}

bool tern__place_is_free(const tern__csession *cs) { return free_places(cs) != 0; }

uint32_t tern__place_next(const tern__csession *cs) { return TERN__N_SLOTS + (uint32_t)__builtin_ctz(free_places(cs)); }

uint32_t tern__place_number(const tern__csession *cs, uint32_t i) {
    uint32_t place = i - TERN__N_SLOTS;
    const tern__places *places = tern__places_of(cs);
    return places ? places->reqs[place] + cs->s.cold->n_streams : place;
}

bool tern__places_take(tern__csession *cs) {
    if (cs->has_places) return true;
    tern__places *places = tern__slab_take(&cs->s.engine->kinds.places);
    if (!places) return false;
    *places = (tern__places){.report_at = TERN__NEVER};
    for (uint32_t place = 0; place < TERN__MAX_STREAMS; place++) places->reqs[place] = place - cs->s.cold->n_streams;
    cs->s.ccold->places = places;
    cs->has_places = true;
    return true;
}

void tern__places_drop(tern__csession *cs) {
    if (!cs->has_places) return;
    tern__slab_give(cs->s.ccold->places);
    cs->has_places = false;
    cs->unsent &= UINT8_MAX;
    cs->keeps_slots &= UINT8_MAX;
}

void tern__place_begin(tern__csession *cs, const tern__out *out, tern_time now) {
    uint32_t i = tern__place_next(cs), bit = bit_of_place(i);
    tern__places *places = tern__places_of(cs);
    tern__cslot *slot = tern__call_at(cs, i);
    if (!places->taken) places->busy_since = now;
    places->taken |= bit;
    places->reporting &= ~bit; /* `unreported` stays: the new stream may end before anything of it has left */
    cs->keeps_slots |= TERN__STREAMS;
    *slot = (tern__cslot){.call = out->call,
                          .deadline = out->deadline,
                          .last_tx = now,
                          .req = tern__place_number(cs, i),
                          .phase = TERN__SLOT_STREAM,
                          .method = out->method};
    places->reqs[i - TERN__N_SLOTS] = slot->req;
}

void tern__place_end(tern__csession *cs, uint32_t i) {
    tern__places *places = tern__places_of(cs);
    tern__cslot *slot = tern__call_at(cs, i);
    cs->in_flight = (uint16_t)(cs->in_flight - slot->n_out);
    *slot = (tern__cslot){.call = NULL};
    tern__place_set_unsent(cs, i, false);
    places->taken &= ~bit_of_place(i);
    if (!places->taken) cs->keeps_slots &= UINT8_MAX;
}

void tern__place_set_unsent(tern__csession *cs, uint32_t i, bool unsent) {
    tern__places *places = tern__places_of(cs);
    places->unsent &= ~bit_of_place(i);
    if (unsent) places->unsent |= bit_of_place(i);
    uint16_t mask = (uint16_t)((cs->unsent & UINT8_MAX) | (places->unsent ? TERN__STREAMS : 0));
    __asm__("" : "+r"(mask)); /* one store of 16 bits: who loads the mask next would wait for the store of a byte */
    cs->unsent = mask;
}

/* ---- Reports -------------------------------------------------------------------------------------- */

void tern__place_report(tern__csession *cs, uint32_t i, tern_time now) {
    tern__places *places = tern__places_of(cs);
    if (!places->unreported) {
        places->report_at = now + TERN__REPORT_DELAY;
        tern__timer_lower(&cs->s, places->report_at);
    }
    places->report_tries = 0;
    places->unreported |= bit_of_place(i);
}

bool tern__places_want_report(tern__csession *cs) {
    tern__places *places = tern__places_of(cs);
    if (!places || !places->unreported) return false;
    if (places->report_tries++ < TERN__N_REPORT_TRIES) return true;
    places->unreported = places->reporting = 0;
    return false;
}

void tern__places_reported(tern__csession *cs, bool sent, tern_time now) {
    tern__places *places = tern__places_of(cs);
    if (!places || !places->unreported) return;
    if (sent)
        places->reporting = places->unreported;
    else if (cs->s.link->reliable && places->report_tries)
        places->report_tries--;
    places->report_at = now + TERN__REPORT_DELAY;
}

void tern__places_rx_pong(tern__csession *cs) {
    tern__places *places = tern__places_of(cs);
    if (!places) return;
    places->unreported &= ~places->reporting;
    places->reporting = 0;
}

uint32_t tern__places_write_ended(const tern__csession *cs, uint8_t *out) {
    const tern__places *places = tern__places_of(cs);
    uint32_t n = places ? cs->s.cold->n_streams : 0;
    for (uint32_t place = 0; place < n; place++)
        tern__store32(out + 4 * (size_t)place, places->reqs[place] - (places->taken >> place & 1 ? n : 0));
    return 4 * n;
}

/* Places of a client's streaming calls (places.c). Index i is a call's, as tern__call_at() has it. */
#ifndef TERN_ENGINE_PLACES_H
#define TERN_ENGINE_PLACES_H

#include "engine/engine_record.h"

/* Whether a stream may begin: the session is OPEN. */
bool tern__place_is_free(const tern__csession *cs);
/* The index that the next stream takes, and its number. A place must be free. */
uint32_t tern__place_next(const tern__csession *cs);
uint32_t tern__place_number(const tern__csession *cs, uint32_t i);
/* Have places. False: no memory. */
bool tern__places_take(tern__csession *cs);
/* The session has ended, and with it all its streams. */
void tern__places_drop(tern__csession *cs);
/* A stream takes the place that is next. The session is awake (tern__client_wake()) and has places. */
void tern__place_begin(tern__csession *cs, const tern__out *out, tern_time now);
/* Gives up all that the place holds. */
void tern__place_end(tern__csession *cs, uint32_t i);
/* Whether the stream has packets that may leave. */
void tern__place_set_unsent(tern__csession *cs, uint32_t i, bool unsent);

/* As tern__call_report(): the server may not know that the stream has ended. */
void tern__place_report(tern__csession *cs, uint32_t i, tern_time now);
/* When streams that have ended are to be reported; TERN__NEVER: there are none. */
static inline tern_time tern__places_report_at(const tern__csession *cs) {
    const tern__places *places = tern__places_of(cs);
    return places && places->unreported ? places->report_at : TERN__NEVER;
}
/* A report is due. Whether it is to be sent for the streams, too. */
bool tern__places_want_report(tern__csession *cs);
/* The report was sent, or found the link full. */
void tern__places_reported(tern__csession *cs, bool sent, tern_time now);
/* The server has answered it. */
void tern__places_rx_pong(tern__csession *cs);
/* Up to which number the streams of each place have ended: 4 bytes for each. Returns the length, 0 without places. */
uint32_t tern__places_write_ended(const tern__csession *cs, uint8_t *out);

/* Since when a session that is not idle has waited for its server. */
static inline tern_time tern__client_busy_since(const tern__csession *cs) {
    tern_time of_slots = cs->free_slots == UINT8_MAX ? TERN__NEVER : tern__slots_of(cs)->busy_since;
    bool has_streams = cs->keeps_slots & TERN__STREAMS;
    return has_streams ? tern__min_time(of_slots, tern__places_of(cs)->busy_since) : of_slots;
}

/* The last sign of life of a server that has something to do for us, or when that began. */
static inline tern_time tern__client_silent_since(const tern__csession *cs) {
    tern_time busy_since = tern__client_busy_since(cs);
    return cs->s.last_rx > busy_since ? cs->s.last_rx : busy_since;
}

static inline void tern__client_set_busy_since(tern__csession *cs, tern_time since) {
    tern__slots_of(cs)->busy_since = since;
    if (cs->keeps_slots & TERN__STREAMS) tern__places_of(cs)->busy_since = since;
}

#endif

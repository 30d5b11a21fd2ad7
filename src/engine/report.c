/* Telling the server which calls have ended, so that it lets go of their responses (docs/protocol.md, Letting go). */
#include "engine/report.h"

#include "engine/control.h"
#include "engine/message.h"
#include "engine/pace.h"
#include "engine/places.h"
#include "engine/slots.h"

void tern__client_schedule_report(tern__csession *cs, tern_time now) {
    cs->report_at = now + TERN__REPORT_DELAY;
    if (!cs->report_set) tern__timer_lower(&cs->s, cs->report_at);
    cs->report_set = true;
}

/* On a reliable link, where nothing is reported otherwise, a call that ends before its time leaves half a request at
 * the server, or will leave a response that nobody asks for: the server is told at once. */
void tern__client_report_now(tern__csession *cs, uint32_t i, tern_time now) {
    if (!cs->s.link->reliable) return;
    if (i < TERN__N_SLOTS) {
        tern__call_report(cs, i, now);
        cs->report_at = now;
    } else {
        tern__place_report(cs, i, now);
        tern__places_of(cs)->report_at = now;
    }
    tern__timer_lower(&cs->s, now);
}

/* Tell the server up to which number the requests of each slot have ended, and the streams of each place. False: the
 * link is full. */
static bool send_report(tern__csession *cs) {
    uint8_t numbers[4 * (TERN__N_SLOTS + TERN__MAX_STREAMS)];
    uint32_t len = 4 * TERN__N_SLOTS;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++)
        tern__store32(numbers + 4 * i, cs->s.reqs[i] - (cs->free_slots >> i & 1 ? 0 : TERN__N_SLOTS));
    tern__pkt_header h = tern__session_header(&cs->s, TERN__PKT_PING);
    h.req = ++cs->n_reports;
    len += tern__places_write_ended(cs, numbers + len);
    return tern__send_control(&cs->s, &h, numbers, len);
}

/* An idle slot's last response would otherwise pin the values that it sent in place for as long as the session
 * lives. */
void tern__client_report(tern__csession *cs, tern_time now) {
    tern__spares_free(cs->s.engine);              /* within a second of the last call */
    cs->keeps_slots &= (uint16_t)~cs->free_slots; /* what has not come by now will not */
    tern__client_give_slots(cs);
    if (tern__client_is_idle(cs)) tern__pace_forget(&cs->s);
    bool of_streams = tern__places_want_report(cs);
    if (!cs->unreported || cs->report_tries++ >= TERN__N_REPORT_TRIES) {
        cs->unreported = cs->reporting = 0;
        cs->report_at = TERN__NEVER;
        if (!of_streams) return;
    }
    bool sent = send_report(cs);
    tern__places_reported(cs, sent, now);
    if (!cs->unreported) return;
    if (sent)
        cs->reporting = cs->unreported;
    else if (cs->s.link->reliable)
        cs->report_tries--;
    cs->report_at = now + TERN__REPORT_DELAY;
}

void tern__client_rx_pong(tern__csession *cs, const tern__pkt_header *h) {
    if (h->req != cs->n_reports) return;
    cs->unreported &= (uint8_t)~cs->reporting;
    cs->reporting = 0;
    tern__places_rx_pong(cs);
}

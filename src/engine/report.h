/* Telling the server which calls have ended (report.c). */
#ifndef TERN_ENGINE_REPORT_H
#define TERN_ENGINE_REPORT_H

#include "engine/engine_record.h"

/* The session's first report since the last one was answered is due after a while. */
void tern__client_schedule_report(tern__csession *cs, tern_time now);
/* The next report need not tell of the last request of slot i. */
static inline void tern__client_cut_report(tern__csession *cs, uint32_t i) {
    cs->unreported &= (uint8_t) ~(1u << i);
    cs->reporting &= (uint8_t) ~(1u << i);
}
/* Tell the server, once a second, of what has ended; forget what only calls need. */
void tern__client_report(tern__csession *cs, tern_time now);
/* The client's PING was answered. */
void tern__client_rx_pong(tern__csession *cs, const tern__pkt_header *h);
/* On a reliable link: the server is told at once that the call of slot i, which is about to end, has. */
void tern__client_report_now(tern__csession *cs, uint32_t i, tern_time now);

/* The server may keep the response of slot i until it hears that the client has it: a report says so later. */
static inline void tern__call_report(tern__csession *cs, uint32_t i, tern_time now) {
    if (!cs->unreported) tern__client_schedule_report(cs, now);
    cs->report_tries = 0;
    cs->unreported |= (uint8_t)(1u << i);
}

#endif

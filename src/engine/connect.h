/* How a session begins (connect.c). */
#ifndef TERN_ENGINE_CONNECT_H
#define TERN_ENGINE_CONNECT_H

#include "engine/engine_record.h"

/* Begins to connect a session that is DOWN. */
void tern__session_connect(tern__csession *cs, tern_time now);
/* Sends the CONNECT of a client, or the ACCEPT of a server. */
void tern__session_send_setup(tern__session *s);
/* The pause before the CONNECT is repeated. */
static inline tern_dur tern__connect_gap(const tern__cold *cold) {
    tern_dur gap = TERN__CONNECT_FIRST << cold->connect_shift;
    return gap < TERN__CONNECT_REPEAT ? gap : TERN__CONNECT_REPEAT;
}
/* The CONNECT of a link with connections has gone with its connection, and leaves again after a pause. */
void tern__connect_later(tern__csession *cs, tern_time now);
/* What is marked in unsent_control. False: the link is still full. */
bool tern__session_send_unsent(tern__session *s);
/* A CONNECT, an ACCEPT, a RETRY came. */
void tern__connect_rx(tern__engine *engine, const tern__rx_packet *pkt, uint32_t header_bytes, tern_time now);
void tern__connect_rx_accept(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                             uint32_t header_bytes, tern_time now);
void tern__connect_rx_retry(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);

#endif

/* Congestion: when a session may send (pace.c). */
#ifndef TERN_ENGINE_PACE_H
#define TERN_ENGINE_PACE_H

#include "engine/engine_record.h"

/* Of the slots with packets never sent, those whose next packet may leave now. When others have to wait for a point in
 * time, the session is in the wheel. */
uint64_t tern__pace_ready(tern__csession *cs, tern_time now);
/* How many packets of slot i, whose next packet may leave now, may leave together: as many of a long request as its
 * window and the credits let, while no other slot has packets to send, which take turns, and no control decides on each
 * packet. At most TERN__TX_BATCH. */
uint32_t tern__pace_together(const tern__csession *cs, uint32_t i);
/* The session is congested, and slot i sent a packet, not of a stream, for the first time. */
void tern__pace_sent(tern__csession *cs, uint32_t i, tern_time now);
/* Server: whether a packet of this stream, never sent so far, may leave now; if not, likewise. */
bool tern__pace_may_stream(tern__ssession *ss, const struct tern__stream *st, tern_time now);
/* A packet of a stream, with a payload of so many bytes, was sent for the first time. */
void tern__pace_charge(tern__session *s, uint32_t payload_bytes, tern_time now);
/* What an acknowledgement said. */
typedef struct tern__acked {
    tern_dur rtt;       /* of one of the packets, which was sent once; negative: not measured */
    uint32_t n_pkts;    /* acknowledged */
    uint32_t n_counted; /* of these, those that slots still count as in flight */
} tern__acked;
/* Packets were acknowledged by the packet that is being handled. */
void tern__pace_ack(tern__session *s, const tern__acked *acked, tern_time now);
/* Packets were overtaken by later ones. */
void tern__pace_loss(tern__session *s, tern_time now);
/* Nothing came for a retransmission timeout, n times in a row. */
void tern__pace_timeout(tern__session *s, uint32_t n, tern_time now);
/* The session's control; NULL: it is uncongested. */
const tern__cc *tern__pace_control(const tern__session *s);
/* Forget that the session was congested. */
void tern__pace_drop(tern__session *s);
/* The session is idle: forget this, and how short its path was, which may be another one when it is used again. */
void tern__pace_forget(tern__session *s);
/* Server: the same once nothing has been sent for a second. Returns when to look again. */
tern_time tern__pace_rest(tern__ssession *ss, tern_time now);
/* Sessions whose time has come send. */
void tern__pace_run_wheel(tern__engine *engine, tern_time now);
/* Whether a request of `size` bytes is small enough to go whatever the congestion: eight of them, all that a session
 * can have in flight, are about one full packet. */
static inline bool tern__is_light(const tern__session *s, uint32_t size) {
    if (TERN__IS_OFF(BYPASS)) return false;
    return size < TERN__LIGHT_BYTES || size < s->payload_bytes / TERN__N_SLOTS;
}

#endif

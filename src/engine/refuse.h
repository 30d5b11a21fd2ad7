/* Answers to packets that belong to no session of ours (refuse.c). */
#ifndef TERN_ENGINE_REFUSE_H
#define TERN_ENGINE_REFUSE_H

#include "engine/engine_record.h"

/* A REFUSE that is to be sent. */
typedef struct tern__refusal {
    uint64_t secret;  /* what proves that we saw the packet: the CONNECT's token, or the tag */
    uint32_t to;      /* the receiver's number of its session; 0 where it is not known */
    uint32_t session; /* our number that the packet named */
    uint8_t type;     /* of the packet */
    uint16_t code;    /* tern__refuse_code */
    uint16_t detail;  /* the type of the setup's record, where the code speaks of one */
} tern__refusal;
/* Refuses a packet, as far as that is allowed. */
void tern__refuse(tern__engine *engine, const tern__rx_packet *pkt, const tern__refusal *refusal, tern_time now);
/* Whether an answer of so many bytes may be sent to whoever sent this packet; the answer counts as sent. */
bool tern__may_answer(tern__engine *engine, const tern__rx_packet *pkt, uint32_t answer_bytes, tern_time now);
/* A REFUSE came. */
void tern__refuse_rx(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                     uint32_t header_bytes);
/* A packet for a session that is not here. */
void tern__session_unknown(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now);

#endif

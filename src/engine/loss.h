/* What is in flight and what got lost: the round-trip estimate (RFC 6298, in ns) and the window over a
 * message's packets. A window is at most 64 packets wide, so its state is a word; packets before base are
 * acknowledged, packets from next on have never been sent. */
#ifndef TERN_ENGINE_LOSS_H
#define TERN_ENGINE_LOSS_H

#include "base/base.h"
#include "tern/rpc.h"

enum { TERN__WIN_PKTS = 64, TERN__REORDER = 3 /* later transmissions that arrived: then it is lost */ };

/* In ns; what takes longer than four seconds counts as that. */
typedef struct tern__rtt {
    uint32_t srtt, var; /* 0: no sample yet */
    uint32_t rto;
    uint32_t floor; /* of the rto: what late answers have taught */
    uint32_t min;   /* of the samples; 0: none yet */
} tern__rtt;

static inline uint32_t tern__rtt_ns(tern_dur ns) { return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX; }

typedef struct tern__win {
    uint64_t acked;                   /* bit i: packet base + i */
    uint32_t base, next;              /* [base, next) are in flight or acknowledged out of order */
    uint32_t total;                   /* packets of the message */
    uint32_t cut;                     /* of a message that comes in: as each of its packets says */
    uint32_t width;                   /* that may be in flight: at most TERN__WIN_PKTS */
    uint32_t order;                   /* transmissions so far */
    uint32_t newest;                  /* the latest transmission known to have arrived */
    uint32_t sent[TERN__WIN_PKTS];    /* by packet mod 64: its last transmission */
    uint32_t sent_at[TERN__WIN_PKTS]; /* the time of it, modulo 2^32 ns */
    uint8_t nth[TERN__WIN_PKTS];      /* and how often it was sent before, at most 255: answers echo this */
} tern__win;

void tern__rtt_init(tern__rtt *rtt, tern_dur initial_rto);
void tern__rtt_sample(tern__rtt *rtt, tern_dur sample, tern_dur rto_min, tern_dur rto_max);

/* What was sent again had only been late: its answer came after `sample`. One such answer among many quick ones
 * would soon be forgotten, and cause as many retransmissions again, so it raises the floor of the RTO. */
void tern__rtt_late(tern__rtt *rtt, tern_dur sample, tern_dur rto_min, tern_dur rto_max);

/* Something is sent again. Where that is not in vain the floor comes down. */
void tern__rtt_timeout(tern__rtt *rtt);

/* How long a message that is on its way may go without an answer before its tail is probed (RFC 8985, 7.2): two round
 * trips, or as long as they vary, and what hosts may add; not longer than the RTO. */
tern_dur tern__rtt_probe(const tern__rtt *rtt, tern_dur noise);

/* A window of the full width. */
void tern__win_init(tern__win *win, uint32_t first, uint32_t total);

/* There is a packet that was never sent and fits the window. */
static inline bool tern__win_more(const tern__win *win) {
    return win->next < win->total && win->next - win->base < win->width;
}

/* What the packet that is about to leave says about itself: how often it was sent before. */
static inline uint8_t tern__win_nth(const tern__win *win, uint32_t pkt) {
    uint8_t nth = win->nth[pkt % TERN__WIN_PKTS];
    return pkt == win->next ? 0 : nth < UINT8_MAX ? nth + 1 : UINT8_MAX;
}

/* Packet pkt leaves: the next one, or one again. */
void tern__win_sent(tern__win *win, uint32_t pkt, tern_time now);

/* Packet pkt has arrived, by what the answer echoes its nth transmission, and all before `below` have. Returns how many
 * of them are news. *sample becomes the round-trip time when it was the last transmission, else -1: then it was late,
 * not lost. pkt and below must be <= next. */
uint32_t tern__win_ack(tern__win *win, uint32_t pkt, uint8_t nth, uint32_t below, tern_time now, tern_dur *sample);

/* Bit i: packet base + i is in flight and not acknowledged. */
uint64_t tern__win_missing(const tern__win *win);

/* The part of it that TERN__REORDER later transmissions have overtaken. Of packets that were sent again before no more
 * than three, so that a peer whose answers come newest first does not make us send everything in flight for each. */
uint64_t tern__win_overtaken(const tern__win *win);

#endif

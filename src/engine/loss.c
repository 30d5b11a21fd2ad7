/* Loss recovery (loss.h). Lost is what three later transmissions have overtaken, or what is unanswered when
 * the retransmission timer fires; only that is sent again. Transmissions are numbered, so a packet that is
 * lost twice is noticed twice without waiting for the timer, and answers say which transmission of their packet they
 * answer, so that one that was only late is not taken for the arrival of its repetition. */
#include "engine/loss.h"

void tern__rtt_init(tern__rtt *rtt, tern_dur initial_rto) { *rtt = (tern__rtt){.rto = tern__rtt_ns(initial_rto)}; }

void tern__rtt_sample(tern__rtt *rtt, tern_dur sample, tern_dur rto_min, tern_dur rto_max) {
    if (sample < 0) return;
    if (sample > UINT32_MAX) sample = UINT32_MAX;
    if (sample < rtt->min || !rtt->min) rtt->min = sample ? (uint32_t)sample : 1;
    tern_dur srtt = rtt->srtt, var = rtt->var;
    if (srtt == 0) {
        srtt = sample;
        var = sample / 2;
    } else {
        tern_dur off = sample > srtt ? sample - srtt : srtt - sample;
        var += (off - var) / 4;
        srtt += (sample - srtt) / 8;
    }
    rtt->srtt = (uint32_t)srtt;
    rtt->var = (uint32_t)var;
    tern_dur rto = srtt + 4 * var;
    if (rto < rtt->floor) rto = rtt->floor;
    rtt->rto = tern__rtt_ns(rto < rto_min ? rto_min : rto > rto_max ? rto_max : rto);
}

void tern__rtt_late(tern__rtt *rtt, tern_dur sample, tern_dur rto_min, tern_dur rto_max) {
    tern_dur floor = sample + sample / 4;
    if (floor > rto_max) floor = rto_max;
    if (rtt->floor < floor) rtt->floor = tern__rtt_ns(floor);
    tern__rtt_sample(rtt, sample, rto_min, rto_max);
}

void tern__rtt_timeout(tern__rtt *rtt) { rtt->floor -= rtt->floor / 8; }

tern_dur tern__rtt_probe(const tern__rtt *rtt, tern_dur noise) {
    tern_dur srtt = rtt->srtt, spread = srtt + 4 * (tern_dur)rtt->var;
    tern_dur pause = (spread > 2 * srtt ? spread : 2 * srtt) + noise;
    return srtt && pause < rtt->rto ? pause : rtt->rto;
}

void tern__win_init(tern__win *win, uint32_t first, uint32_t total) {
    *win = (tern__win){.base = first, .next = first, .total = total, .width = TERN__WIN_PKTS};
}

void tern__win_sent(tern__win *win, uint32_t pkt, tern_time now) {
    uint32_t i = pkt % TERN__WIN_PKTS;
    win->nth[i] = tern__win_nth(win, pkt);
    win->sent[i] = ++win->order;
    win->sent_at[i] = (uint32_t)now;
    if (pkt == win->next) win->next++;
}

/* Drop the acknowledged packets at the front. */
static void advance(tern__win *win, uint32_t n) {
    win->acked = n < 64 ? win->acked >> n : 0;
    win->base += n;
}

uint32_t tern__win_ack(tern__win *win, uint32_t pkt, uint8_t nth, uint32_t below, tern_time now, tern_dur *sample) {
    uint32_t n_before = win->next - win->base - (uint32_t)__builtin_popcountll(win->acked);
    uint32_t i = pkt % TERN__WIN_PKTS;
    *sample = -1;
    if (pkt >= win->base && pkt < win->next) {
        if (nth == win->nth[i] && !(win->acked >> (pkt - win->base) & 1)) {
            if ((int32_t)(win->sent[i] - win->newest) > 0) win->newest = win->sent[i];
            *sample = (uint32_t)now - win->sent_at[i];
        }
        win->acked |= 1ull << (pkt - win->base);
    }
    if (below > win->base) advance(win, below - win->base);
    uint32_t n_front = ~win->acked ? (uint32_t)__builtin_ctzll(~win->acked) : 64;
    if (n_front) advance(win, n_front);
    return n_before - (win->next - win->base - (uint32_t)__builtin_popcountll(win->acked));
}

uint64_t tern__win_missing(const tern__win *win) {
    uint32_t n = win->next - win->base;
    return ~win->acked & (n < 64 ? (1ull << n) - 1 : UINT64_MAX);
}

uint64_t tern__win_overtaken(const tern__win *win) {
    uint64_t lost = 0;
    if (win->next == win->base) return 0;
    if (!win->acked && (int32_t)(win->newest - win->sent[win->base % TERN__WIN_PKTS]) < TERN__REORDER) return 0;
    int n = 0;
    for (uint64_t left = tern__win_missing(win); left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        uint32_t sent = win->sent[(win->base + i) % TERN__WIN_PKTS];
        if ((int32_t)(win->newest - sent) < TERN__REORDER) continue;
        bool is_first_time = tern__win_nth(win, win->base + i) == 1;
        if (!is_first_time && n++ >= TERN__REORDER) continue;
        lost |= 1ull << i;
    }
    return lost;
}

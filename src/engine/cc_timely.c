/* Timely (SIGCOMM 2015) with eRPC's constants: the rate rises by a fixed step while round trips are short or fall, and
 * is cut in proportion to how fast they rise, or to how long they are.
 *
 * As published, round trips below min_rtt are ignored, and then a rate that one late packet has cut never recovers
 * on a path that is faster than that; here such a sample counts as one of min_rtt. */
#include "engine/cc_timely.h"

#define MIN_RTT (2 * TERN_US)
#define T_LOW (50 * TERN_US)
#define T_HIGH TERN_MS

enum { HAI_AFTER = 5 /* negative gradients in a row, for steps of that size */ };

static const double min_rate = 15e6, step = 5e6, alpha = 0.46, beta = 0.26;

typedef struct timely {
    tern_time changed_at;
    tern_dur last_rtt;
    double gradient;    /* the smoothed difference of round trips */
    uint32_t n_falling; /* negative gradients in a row */
} timely;

static bool timely_is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    (void)path;
    return ack->rtt <= T_LOW;
}

static void timely_init(tern__cc *cc, tern_time now) {
    *(timely *)cc->state = (timely){.changed_at = now};
    cc->window_bytes = cc->path.max_bytes;
    cc->rate = cc->path.line_rate;
}

static double new_rate(timely *t, double rate, double rtt, double weight) {
    double g = t->gradient / (double)MIN_RTT;
    if (rtt < (double)T_LOW) return rate + step * weight;
    if (rtt > (double)T_HIGH) return rate * (1 - weight * beta * (1 - (double)T_HIGH / rtt));
    if (g > 0) {
        t->n_falling = 0;
        return rate * (1 - weight * beta * (g < 1 ? g : 1));
    }
    t->n_falling++;
    return rate + (t->n_falling >= HAI_AFTER ? HAI_AFTER : 1) * step * weight;
}

static bool timely_on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    timely *t = cc->state;
    if (ack->rtt < 0) return false;
    tern_dur rtt = ack->rtt < MIN_RTT ? MIN_RTT : ack->rtt;
    tern_dur since = (tern_dur)(ack->now - t->changed_at);
    double weight = since < MIN_RTT ? (double)since / (double)MIN_RTT : 1;
    if (t->last_rtt == 0) t->last_rtt = rtt;
    t->gradient = (1 - alpha) * t->gradient + alpha * (double)(rtt - t->last_rtt);
    t->last_rtt = rtt;
    t->changed_at = ack->now;
    double rate = new_rate(t, cc->rate, (double)rtt, weight);
    double lowest = cc->rate / 2 > min_rate ? cc->rate / 2 : min_rate;
    if (rate < lowest) rate = lowest;
    cc->rate = rate < cc->path.line_rate ? rate : cc->path.line_rate;
    return cc->rate >= cc->path.line_rate && rtt <= T_LOW;
}

static void timely_on_loss(tern__cc *cc, const tern__cc_loss *loss) { (void)cc, (void)loss; }

static void timely_on_timeout(tern__cc *cc, const tern__cc_timeout *timeout) { (void)cc, (void)timeout; }

const tern__cc_ops tern__cc_timely = {.name = "timely",
                                      .state_bytes = sizeof(timely),
                                      .is_calm = timely_is_calm,
                                      .init = timely_init,
                                      .on_ack = timely_on_ack,
                                      .on_loss = timely_on_loss,
                                      .on_timeout = timely_on_timeout};

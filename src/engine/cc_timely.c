/* Timely (SIGCOMM 2015) with eRPC's constants: the rate rises by a fixed step while round trips are short or fall, and
 * is cut in proportion to how fast they rise, or to how long they are.
 *
 * As published, round trips below min_rtt are ignored, and then a rate that one late packet has cut never recovers
 * on a path that is faster than that; here such a sample counts as one of min_rtt. */
#include "engine/cc.h"

#define MIN_RTT (2 * TERN_US)
#define T_LOW (50 * TERN_US)
#define T_HIGH TERN_MS

enum { HAI_AFTER = 5 /* negative gradients in a row, for steps of that size */ };

static const double min_rate = 15e6, step = 5e6, alpha = 0.46, beta = 0.26;

static bool is_calm(const tern__cc_path *path, tern_dur rtt) {
    (void)path;
    return rtt <= T_LOW;
}

static void init(tern__cc *cc, const tern__cc_path *path, tern_time now) {
    *cc = (tern__cc){.window = path->max_window, .rate = path->line_rate, .changed_at = now};
}

static double new_rate(tern__cc *cc, double rtt, double weight) {
    double r = cc->rate, g = cc->gradient / (double)MIN_RTT;
    if (rtt < (double)T_LOW) return r + step * weight;
    if (rtt > (double)T_HIGH) return r * (1 - weight * beta * (1 - (double)T_HIGH / rtt));
    if (g > 0) {
        cc->n_falling = 0;
        return r * (1 - weight * beta * (g < 1 ? g : 1));
    }
    cc->n_falling++;
    return r + (cc->n_falling >= HAI_AFTER ? HAI_AFTER : 1) * step * weight;
}

static bool ack(tern__cc *cc, const tern__cc_path *path, const tern__cc_ack *a) {
    tern_dur rtt = a->rtt < MIN_RTT ? MIN_RTT : a->rtt;
    tern_dur since = (tern_dur)(a->now - cc->changed_at);
    double weight = since < MIN_RTT ? (double)since / (double)MIN_RTT : 1;
    if (cc->last_rtt == 0) cc->last_rtt = rtt;
    cc->gradient = (1 - alpha) * cc->gradient + alpha * (double)(rtt - cc->last_rtt);
    cc->last_rtt = rtt;
    cc->changed_at = a->now;
    double rate = new_rate(cc, (double)rtt, weight), lowest = cc->rate / 2 > min_rate ? cc->rate / 2 : min_rate;
    if (rate < lowest) rate = lowest;
    cc->rate = rate < path->line_rate ? rate : path->line_rate;
    return cc->rate >= path->line_rate && is_calm(path, rtt);
}

static void loss(tern__cc *cc, const tern__cc_path *path, tern_time now) { (void)cc, (void)path, (void)now; }

static void timeout(tern__cc *cc, const tern__cc_path *path, uint32_t n, tern_time now) {
    (void)cc, (void)path, (void)n, (void)now;
}

const tern__cc_ops tern__cc_timely = {"timely", is_calm, init, ack, loss, timeout};

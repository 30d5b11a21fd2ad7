/* DCTCP (RFC 8257): a window that is cut once per round trip in proportion to the share of packets that the network has
 * marked, so that a queue stays near the length from which a switch marks. Everything else is as in TCP (RFC 5681): one
 * packet more per round trip without marks, slow start after a timeout, half for a loss.
 *
 * Other than in TCP, a window may be smaller than a packet: it is a rate then. A session begins with alpha 1 as the RFC
 * says, and keeps its state until alpha is small again: otherwise each mark would find alpha to be 1.
 *
 * A window that the sender does not use does not grow (RFC 7661). */
#include "engine/cc_dctcp.h"

#define FLOOR_GAP TERN_MS /* the smallest window is a packet in this time, within bounds */

static const double gain = 1.0 / 16, calm_alpha = 1.0 / 32, min_packets = 0.0625, max_min_packets = 1;

typedef struct dctcp {
    double alpha;            /* the share of marked bytes, smoothed over windows of data */
    double left_bytes;       /* of the present window of data: to be delivered until alpha is updated */
    double delivered_bytes;  /* in this window of data */
    double marked_bytes;     /* likewise */
    double hold_bytes;       /* to be delivered until the window may be cut again; at most 0: it may */
    double slow_start_bytes; /* the window grows by what is delivered while it is smaller than this */
    double srtt;             /* ns */
} dctcp;

static bool dctcp_is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    (void)path;
    return ack->marked_bytes <= 0;
}

static void dctcp_init(tern__cc *cc, tern_time now) {
    (void)now;
    *(dctcp *)cc->state = (dctcp){.alpha = 1, .slow_start_bytes = cc->path.max_bytes, .srtt = (double)cc->path.min_rtt};
    cc->window_bytes = cc->path.max_bytes;
}

/* On long paths a fraction of a packet per round trip would be next to nothing. */
static double smallest_dctcp_window(const tern__cc *cc) {
    double packets = ((const dctcp *)cc->state)->srtt / (double)FLOOR_GAP;
    packets = packets < min_packets ? min_packets : packets < max_min_packets ? packets : max_min_packets;
    return packets * cc->path.packet_bytes;
}

static void set_dctcp_window(tern__cc *cc, double bytes) {
    const dctcp *d = cc->state;
    double least = smallest_dctcp_window(cc), most = cc->path.max_bytes;
    cc->window_bytes = bytes < least ? least : bytes < most ? bytes : most;
    cc->rate = cc->window_bytes < cc->path.packet_bytes ? cc->window_bytes * 1e9 / d->srtt : 0;
}

/* What is in flight left before the cut, and says nothing about the smaller window. */
static void dctcp_cut(tern__cc *cc, double by, double in_flight_bytes) {
    dctcp *d = cc->state;
    d->hold_bytes = in_flight_bytes;
    set_dctcp_window(cc, cc->window_bytes * (1 - by));
    d->slow_start_bytes = cc->window_bytes;
}

static void grow(tern__cc *cc, double bytes) {
    const dctcp *d = cc->state;
    double window = cc->window_bytes, packet = cc->path.packet_bytes;
    if (window < d->slow_start_bytes)
        set_dctcp_window(cc, window + bytes);
    else
        set_dctcp_window(cc, window + (window < packet ? bytes * window / packet : bytes * packet / window));
}

static void end_window_of_data(dctcp *d, double in_flight_bytes) {
    d->alpha += gain * (d->marked_bytes / d->delivered_bytes - d->alpha);
    d->delivered_bytes = d->marked_bytes = 0;
    d->left_bytes = in_flight_bytes;
}

static bool dctcp_on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    dctcp *d = cc->state;
    bool may_cut = d->hold_bytes <= 0;
    double in_flight = ack->in_flight_bytes > ack->bytes ? ack->in_flight_bytes - ack->bytes : 0;
    if (ack->rtt >= 0) d->srtt += ((double)(ack->rtt > 0 ? ack->rtt : 1) - d->srtt) / 8;
    d->delivered_bytes += ack->bytes;
    d->marked_bytes += ack->marked_bytes;
    d->left_bytes -= ack->bytes;
    d->hold_bytes -= ack->bytes;
    if (ack->marked_bytes > 0 && may_cut) dctcp_cut(cc, d->alpha / 2, in_flight);
    if (ack->marked_bytes <= 0 && !ack->app_limited) grow(cc, ack->bytes);
    if (d->left_bytes <= 0 && d->delivered_bytes > 0) end_window_of_data(d, in_flight);
    return cc->window_bytes >= cc->path.max_bytes && d->alpha < calm_alpha;
}

static void dctcp_on_loss(tern__cc *cc, const tern__cc_loss *loss) {
    const dctcp *d = cc->state;
    if (d->hold_bytes <= 0) dctcp_cut(cc, 0.5, loss->in_flight_bytes);
}

/* Nothing is known of what is in flight: after one packet the window doubles up to half of what it was. */
static void dctcp_on_timeout(tern__cc *cc, const tern__cc_timeout *timeout) {
    dctcp *d = cc->state;
    if (timeout->n > 1) {
        set_dctcp_window(cc, 0);
        return;
    }
    d->slow_start_bytes = cc->window_bytes / 2;
    d->hold_bytes = 0;
    set_dctcp_window(cc, cc->path.packet_bytes < cc->window_bytes ? cc->path.packet_bytes : cc->window_bytes / 2);
}

const tern__cc_ops tern__cc_dctcp = {.name = "dctcp",
                                     .state_bytes = sizeof(dctcp),
                                     .wants_marks = true,
                                     .heeds_losses = true,
                                     .is_calm = dctcp_is_calm,
                                     .init = dctcp_init,
                                     .on_ack = dctcp_on_ack,
                                     .on_loss = dctcp_on_loss,
                                     .on_timeout = dctcp_on_timeout};

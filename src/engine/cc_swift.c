/* A window that keeps the round trip near a target, after Swift (SIGCOMM 2020): one packet more for each round trip
 * that is shorter, and once per round trip a cut in proportion to how much longer one is.
 *
 * The target is the path's own round trip, what its hosts may add, and a share of queue that is larger for smaller
 * windows: so many flows, each with a small window, share a longer queue than few do, and those with more than their
 * share are cut first. Below one packet the window becomes a rate.
 *
 * Where even the smallest window is too large for long, it is not our packets that make round trips long: the path has
 * become another one, and the smallest round trip of that time is its own. Otherwise a session that is never idle would
 * crawl for ever. The smallest round trip alone must not age: flows that share a queue never see it empty, and would
 * take more and more of it for path. */
#include "engine/cc.h"

#define QUEUE (6 * TERN_US)         /* that is always allowed */
#define QUEUE_SHARED (30 * TERN_US) /* and besides, with a window that approaches nothing */

#define FLOOR_GAP TERN_MS        /* the smallest window is a packet in this time, within bounds */
#define SQUEEZED (200 * TERN_MS) /* that long at the smallest window: then the path is longer */

static const double min_window = 0.0625, max_min_window = 1, add = 1, beta = 0.8, max_cut = 0.5;

static tern_dur target(const tern__cc_path *path, double window) {
    return path->min_rtt + path->noise + QUEUE + (tern_dur)((double)QUEUE_SHARED / (1 + window));
}

static bool is_calm(const tern__cc_path *path, tern_dur rtt) { return rtt <= target(path, path->max_window); }

static void init(tern__cc *cc, const tern__cc_path *path, tern_time now) {
    (void)now;
    *cc = (tern__cc){.window = path->max_window, .last_rtt = path->min_rtt};
}

/* On long paths a fraction of a packet per round trip would be next to nothing. */
static double smallest(const tern__cc_path *path) {
    double window = (double)target(path, 0) / (double)FLOOR_GAP;
    return window < min_window ? min_window : window < max_min_window ? window : max_min_window;
}

static void set_window(tern__cc *cc, const tern__cc_path *path, double window) {
    double least = smallest(path);
    cc->window = window < least ? least : window < path->max_window ? window : path->max_window;
    cc->rate = cc->window < 1 ? cc->window * path->packet_bytes * 1e9 / (double)target(path, cc->window) : 0;
}

/* One cut per round trip: the next samples are of packets that left before it. */
static void cut(tern__cc *cc, const tern__cc_path *path, double by, tern_time now) {
    if (cc->changed_at != 0 && now - cc->changed_at < (tern_time)cc->last_rtt) return;
    cc->changed_at = now;
    set_window(cc, path, cc->window * (1 - (by < max_cut ? by : max_cut)));
}

static void note_squeezed(tern__cc *cc, const tern__cc_path *path, const tern__cc_ack *a) {
    if (cc->window > smallest(path)) return;
    if (!cc->squeezed_at || a->rtt < cc->squeezed_rtt) cc->squeezed_rtt = a->rtt;
    if (!cc->squeezed_at) cc->squeezed_at = a->now;
    if (a->now - cc->squeezed_at < (tern_time)SQUEEZED) return;
    cc->path_rtt = cc->squeezed_rtt;
    cc->squeezed_at = 0;
}

static bool ack(tern__cc *cc, const tern__cc_path *path, const tern__cc_ack *a) {
    tern_dur aim = target(path, cc->window);
    cc->last_rtt = a->rtt > 0 ? a->rtt : 1;
    if (a->rtt > aim) {
        note_squeezed(cc, path, a);
        cut(cc, path, beta * (double)(a->rtt - aim) / (double)a->rtt, a->now);
        return false;
    }
    cc->squeezed_at = 0;
    double n = a->n_pkts;
    set_window(cc, path, cc->window + (cc->window < 1 ? n * add * cc->window : n * add / cc->window));
    return cc->window >= path->max_window;
}

/* Where the queue is short, something else lost the packet. */
static void loss(tern__cc *cc, const tern__cc_path *path, tern_time now) {
    if (cc->last_rtt > target(path, cc->window)) cut(cc, path, max_cut, now);
}

/* Where the last round trip was short one packet is not too much. */
static void timeout(tern__cc *cc, const tern__cc_path *path, uint32_t n, tern_time now) {
    bool is_short = cc->last_rtt <= target(path, cc->window);
    if (n > 1)
        set_window(cc, path, is_short ? 1 : smallest(path));
    else if (!is_short || cc->window >= 2)
        cut(cc, path, max_cut, now);
}

const tern__cc_ops tern__cc_swift = {"swift", is_calm, init, ack, loss, timeout};

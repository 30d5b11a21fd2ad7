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
#include "engine/cc_swift.h"

#define QUEUE (6 * TERN_US)         /* that is always allowed */
#define QUEUE_SHARED (30 * TERN_US) /* and besides, with a window that approaches nothing */

#define FLOOR_GAP TERN_MS        /* the smallest window is a packet in this time, within bounds */
#define SQUEEZED (200 * TERN_MS) /* that long at the smallest window: then the path is longer */

static const double min_window = 0.0625, max_min_window = 1, add = 1, beta = 0.8, max_cut = 0.5;

typedef struct swift {
    double window; /* in full packets */
    tern_time changed_at;
    tern_dur last_rtt;
    tern_time squeezed_at; /* since when the window has been the smallest, and still too large; 0: it is not */
    tern_dur squeezed_rtt; /* the smallest round trip since then */
} swift;

static double max_window(const tern__cc_path *path) { return path->max_bytes / path->packet_bytes; }

static tern_dur target(const tern__cc_path *path, double window) {
    return path->min_rtt + path->noise + QUEUE + (tern_dur)((double)QUEUE_SHARED / (1 + window));
}

static bool swift_is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    return ack->rtt <= target(path, max_window(path));
}

static void swift_init(tern__cc *cc, tern_time now) {
    (void)now;
    *(swift *)cc->state = (swift){.window = max_window(&cc->path), .last_rtt = cc->path.min_rtt};
    cc->window_bytes = cc->path.max_bytes;
}

/* On long paths a fraction of a packet per round trip would be next to nothing. */
static double smallest_swift_window(const tern__cc_path *path) {
    double window = (double)target(path, 0) / (double)FLOOR_GAP;
    return window < min_window ? min_window : window < max_min_window ? window : max_min_window;
}

static void set_swift_window(tern__cc *cc, double window) {
    const tern__cc_path *path = &cc->path;
    double least = smallest_swift_window(path), most = max_window(path);
    window = window < least ? least : window < most ? window : most;
    ((swift *)cc->state)->window = window;
    cc->window_bytes = window * path->packet_bytes;
    cc->rate = window < 1 ? cc->window_bytes * 1e9 / (double)target(path, window) : 0;
}

/* One cut per round trip: the next samples are of packets that left before it. */
static void swift_cut(tern__cc *cc, double by, tern_time now) {
    swift *w = cc->state;
    if (w->changed_at != 0 && now - w->changed_at < (tern_time)w->last_rtt) return;
    w->changed_at = now;
    set_swift_window(cc, w->window * (1 - (by < max_cut ? by : max_cut)));
}

static void note_squeezed(tern__cc *cc, const tern__cc_ack *ack) {
    swift *w = cc->state;
    if (w->window > smallest_swift_window(&cc->path)) return;
    if (!w->squeezed_at || ack->rtt < w->squeezed_rtt) w->squeezed_rtt = ack->rtt;
    if (!w->squeezed_at) w->squeezed_at = ack->now;
    if (ack->now - w->squeezed_at < (tern_time)SQUEEZED) return;
    cc->path_rtt = w->squeezed_rtt;
    w->squeezed_at = 0;
}

static bool swift_on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    swift *w = cc->state;
    if (ack->rtt < 0) return false;
    tern_dur aim = target(&cc->path, w->window);
    w->last_rtt = ack->rtt > 0 ? ack->rtt : 1;
    if (ack->rtt > aim) {
        note_squeezed(cc, ack);
        swift_cut(cc, beta * (double)(ack->rtt - aim) / (double)ack->rtt, ack->now);
        return false;
    }
    w->squeezed_at = 0;
    double n = ack->bytes / cc->path.packet_bytes;
    set_swift_window(cc, w->window + (w->window < 1 ? n * add * w->window : n * add / w->window));
    return w->window >= max_window(&cc->path);
}

/* Where the queue is short, something else lost the packet. */
static void swift_on_loss(tern__cc *cc, const tern__cc_loss *loss) {
    const swift *w = cc->state;
    if (w->last_rtt > target(&cc->path, w->window)) swift_cut(cc, max_cut, loss->now);
}

/* Where the last round trip was short one packet is not too much. */
static void swift_on_timeout(tern__cc *cc, const tern__cc_timeout *timeout) {
    const swift *w = cc->state;
    bool is_short = w->last_rtt <= target(&cc->path, w->window);
    if (timeout->n > 1)
        set_swift_window(cc, is_short ? 1 : smallest_swift_window(&cc->path));
    else if (!is_short || w->window >= 2)
        swift_cut(cc, max_cut, timeout->now);
}

const tern__cc_ops tern__cc_swift = {.name = "swift",
                                     .state_bytes = sizeof(swift),
                                     .is_calm = swift_is_calm,
                                     .init = swift_init,
                                     .on_ack = swift_on_ack,
                                     .on_loss = swift_on_loss,
                                     .on_timeout = swift_on_timeout};

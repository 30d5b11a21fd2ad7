/* No congestion control (cc.h). */
#include "engine/cc.h"

static bool is_calm(const tern__cc_path *path, tern_dur rtt) {
    (void)path, (void)rtt;
    return true;
}

static void init(tern__cc *cc, const tern__cc_path *path, tern_time now) {
    (void)now;
    *cc = (tern__cc){.window = path->max_window};
}

static bool ack(tern__cc *cc, const tern__cc_path *path, const tern__cc_ack *a) {
    (void)cc, (void)path, (void)a;
    return true;
}

static void loss(tern__cc *cc, const tern__cc_path *path, tern_time now) { (void)cc, (void)path, (void)now; }

static void timeout(tern__cc *cc, const tern__cc_path *path, uint32_t n, tern_time now) {
    (void)cc, (void)path, (void)n, (void)now;
}

const tern__cc_ops tern__cc_none = {"none", is_calm, init, ack, loss, timeout};

/* No congestion control (cc.h). */
#include "engine/cc_none.h"

static bool is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    (void)path, (void)ack;
    return true;
}

static void init(tern__cc *cc, tern_time now) {
    (void)now;
    cc->window_bytes = cc->path.max_bytes;
}

static bool on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    (void)cc, (void)ack;
    return true;
}

static void on_loss(tern__cc *cc, const tern__cc_loss *loss) { (void)cc, (void)loss; }

static void on_timeout(tern__cc *cc, const tern__cc_timeout *timeout) { (void)cc, (void)timeout; }

const tern__cc_ops tern__cc_none = {
    .name = "none", .is_calm = is_calm, .init = init, .on_ack = on_ack, .on_loss = on_loss, .on_timeout = on_timeout};

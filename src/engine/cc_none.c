/* No congestion control (cc.h). */
#include "engine/cc_none.h"

static bool none_is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    (void)path, (void)ack;
    return true;
}

static void none_init(tern__cc *cc, tern_time now) {
    (void)now;
    cc->window_bytes = cc->path.max_bytes;
}

static bool none_on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    (void)cc, (void)ack;
    return true;
}

static void none_on_loss(tern__cc *cc, const tern__cc_loss *loss) { (void)cc, (void)loss; }

static void none_on_timeout(tern__cc *cc, const tern__cc_timeout *timeout) { (void)cc, (void)timeout; }

const tern__cc_ops tern__cc_none = {.name = "none",
                                    .is_calm = none_is_calm,
                                    .init = none_init,
                                    .on_ack = none_on_ack,
                                    .on_loss = none_on_loss,
                                    .on_timeout = none_on_timeout};

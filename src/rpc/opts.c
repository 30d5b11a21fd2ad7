/* Options and events from programs of any version (opts.h). */
#include "rpc/opts.h"

#include <stdio.h>

#include "engine/stream.h"
#include "rpc/config.h"

static int log_refusal(const tern_endpoint *ep, const char *name, const char *why) {
    char line[320];
    snprintf(line, sizeof line, "%s: %s", name, why);
    if (tern__endpoint_is_mine(ep)) tern__endpoint_log(ep, TERN_LOG_ERROR, line);
    return TERN_ERR_INVALID;
}

static int read_sized(const tern_endpoint *ep, const char *name, const tern__config_kind *kind, void *own,
                      const void *given) {
    char why[256];
    tern__sized_fault fault = tern__sized_read(own, kind->size, given);
    int err = tern__config_explain(kind, fault, tern__sized_size(given), why, sizeof why);
    return err ? log_refusal(ep, name, why) : 0;
}

int tern__opts_of_call(const tern_endpoint *ep, const tern_call_opts *given, tern_call_opts *own) {
    static const tern__config_kind kind = {"TERN_CALL_OPTS() or tern_call_opts_init()", sizeof *own};
    tern_call_opts_init(own);
    return read_sized(ep, "tern_call_opts", &kind, own, given);
}

static int check_window(const tern_endpoint *ep, uint32_t bytes) {
    if (bytes == 0 || (bytes >= TERN__STREAM_MIN_WINDOW && bytes <= TERN__STREAM_MAX_WINDOW)) return 0;
    char why[128];
    snprintf(why, sizeof why, "window_bytes is %u; it goes from %d to %d, or is 0", bytes, TERN__STREAM_MIN_WINDOW,
             TERN__STREAM_MAX_WINDOW);
    return log_refusal(ep, "tern_stream_opts", why);
}

int tern__opts_of_stream(const tern_endpoint *ep, const tern_stream_opts *given, tern_stream_opts *own) {
    static const tern__config_kind kind = {"TERN_STREAM_OPTS() or tern_stream_opts_init()", sizeof *own};
    tern_stream_opts_init(own);
    if (!given) return 0;
    int err = read_sized(ep, "tern_stream_opts", &kind, own, given);
    return err ? err : check_window(ep, own->window_bytes);
}

int tern__events_of_stream(const tern_endpoint *ep, const tern_stream_events *given, tern_stream_events *own) {
    static const tern__config_kind kind = {"TERN_STREAM_EVENTS() or tern_stream_events_init()", sizeof *own};
    tern_stream_events_init(own);
    return read_sized(ep, "tern_stream_events", &kind, own, given);
}

int tern__events_of_messages(const tern_endpoint *ep, const tern__message_events *given, tern__message_events *own) {
    static const tern__config_kind kind = {"code that this library's protoc-gen-tern generates", sizeof *own};
    *own = TERN__SIZED(tern__message_events, .thunk = NULL);
    return read_sized(ep, "tern__message_events", &kind, own, given);
}

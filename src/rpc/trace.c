/* Tracing an endpoint: its engine's events go into a qlog file (qlog.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rpc/endpoint.h"
#include "rpc/qlog.h"

static void log_error(const tern_endpoint *ep, const char *what, int err) {
    char line[160], reason[96];
    snprintf(line, sizeof line, "trace: %s: %s", what, strerror_r(err, reason, sizeof reason));
    tern__endpoint_log(ep, TERN_LOG_ERROR, line);
}

static void report(const tern_endpoint *ep, int err) {
    if (err) log_error(ep, "the file cannot be written and ends early", err);
}

void tern__endpoint_trace_fini(tern_endpoint *ep) {
    if (!ep->qlog) return;
    report(ep, tern__qlog_flush(ep->qlog));
    tern__qlog_free(ep->qlog);
    ep->qlog = NULL;
}

static void end_trace(tern_endpoint *ep) {
    tern__engine_set_trace(ep->engine, NULL, NULL);
    tern__endpoint_trace_fini(ep);
}

void tern__endpoint_trace_flush(tern_endpoint *ep) {
    report(ep, tern__qlog_flush(ep->qlog));
    if (tern__qlog_is_broken(ep->qlog)) end_trace(ep);
}

/* Another trace may have begun since this was posted. */
static void end_if_broken(void *user) {
    tern_endpoint *ep = user;
    if (ep->qlog && tern__qlog_is_broken(ep->qlog)) end_trace(ep);
}

/* The engine is in the middle of something: a trace that breaks ends in the next poll, or when the endpoint sleeps. */
static void on_event(void *user, const tern__trace_event *event) {
    tern_endpoint *ep = user;
    int err = tern__qlog_add(ep->qlog, event);
    report(ep, err);
    if (err && !ep->freeing) tern_post(ep, end_if_broken, ep);
}

int tern_endpoint_trace(tern_endpoint *ep, const char *path) {
    if (!tern__endpoint_is_mine(ep)) return TERN_ERR_THREAD;
    end_trace(ep);
    if (!path) return 0;
    int err = tern__qlog_new(path, ep->n_listeners > 0, tern__endpoint_now(ep), &ep->qlog);
    if (err == TERN_ERR_IO) log_error(ep, "the file cannot be opened", errno);
    if (!err) tern__engine_set_trace(ep->engine, on_event, ep);
    return err;
}
